// The rules: sorted, searched, filtered; what each does to each target; the rows it covers.

const FEW_TARGETS = 4;
const PAGE = 50;

function showRules() {
  const view = { sort: "order", down: false, search: "", input: -1, on: false, most: PAGE, open: new Set(), target: 0 };
  const body = make("tbody");
  const head = make("thead");
  const count = make("p", { class: "count", role: "status" });
  const more = button("", () => { view.most = Infinity; render(); });
  const map = make("div", { id: "heat" });
  const lap = make("div", { id: "overlap" });
  const legend = make("p", { class: "legend" });
  const shownTargets = () => (targets.length <= FEW_TARGETS ? targets : [targets[view.target]]);

  const search = make("input", { type: "search", id: "rule-search", oninput: () => { view.search = search.value.toLowerCase().replaceAll("<=", "≤").replaceAll("!=", "≠"); render(); } });
  const used = usedInputs();
  const filter = choice("Input", ["any", ...used.map((j) => inputs[j].name)], (k) => { view.input = k ? used[k - 1] : -1; render(); });
  const pick = targets.length > FEW_TARGETS ? choice("Show effect on", targets.map((t) => t.name), (t) => { view.target = t; render(); }) : null;
  const on = make("input", { type: "checkbox", onchange: () => { view.on = on.checked; render(); } });
  const tools = make("div", { class: "tools" },
    make("label", { class: "field" }, make("span", {}, "Search"), search), filter, pick,
    make("label", { class: "check" }, on, "only those that cover the case below"));

  const columns = () => [
    { key: "order", words: "#" }, { key: "words", words: "Rule" }, { key: "share", words: "Rows" },
    { key: "importance", words: "Importance" }, ...shownTargets().map((t) => ({ key: t, words: headOf(t), target: t })),
  ];

  function sortBy(key) {
    view.down = view.sort === key ? !view.down : !(key === "order" || key === "words");
    view.sort = key;
    render();
    head.querySelector("[aria-sort] button").focus();
  }

  function renderHead() {
    head.replaceChildren(make("tr", {}, columns().map(({ key, words, target }) => {
      const sorted = view.sort === key;
      const arrow = sorted ? (view.down ? " ↓" : " ↑") : "";
      return make("th", { scope: "col", class: target ? "target" : String(key), "aria-sort": sorted ? (view.down ? "descending" : "ascending") : null },
        make("button", { type: "button", title: target ? `Sort by the effect on ${words}` : `Sort by ${words}`, onclick: () => sortBy(key) }, target ? isolate(words) : words, make("span", { "aria-hidden": "true" }, arrow)));
    })));
  }

  function listRules() {
    const step = stepNow();
    const changes = changesOf(step);
    const importance = importanceOf(step, changes).map(meanOf);
    const list = orderOf(step).map((k, order) => {
      const term = path.terms[step.terms[k]];
      const scale = scaleOf(term);
      return { id: step.terms[k], order, term, words: term.words, change: changes[k].map((v) => v * scale), importance: importance[k], share: term.if ? term.share : -1 };
    });
    const most = Math.max(...importance, 1e-300);
    const largest = targets.map((t) => Math.max(...list.map((rule) => Math.abs(tellChange(t, rule.change).value)), 1e-300));
    return { list, most, largest };
  }

  function select(list) {
    const kept = list.filter(({ term, words }) =>
      (!view.search || words.toLowerCase().includes(view.search)) &&
      (view.input < 0 || inputsOfTerm(term).includes(view.input)) && (!view.on || covers(term, state.row)));
    const value = (rule) => (typeof view.sort === "object" ? tellChange(view.sort, rule.change).value : rule[view.sort]);
    const compare = (a, b) => (typeof value(a) === "string" ? value(a).localeCompare(value(b)) : value(a) - value(b));
    kept.sort((a, b) => (view.down ? -compare(a, b) : compare(a, b)) || a.order - b.order);
    return kept;
  }

  function ruleRow(rule, most, largest, numbers) {
    const { term } = rule;
    const isOpen = view.open.has(rule.id);
    const toggle = () => {
      if (!view.open.delete(rule.id)) view.open.add(rule.id);
      render();
      document.getElementById(`rule-${rule.id}`)?.focus({ preventScroll: true });
    };
    const opener = make("button", { type: "button", class: "opener", id: `rule-${rule.id}`, "aria-expanded": String(isOpen), onclick: toggle }, chipsOf(term));
    const twins = twinsOf(rule.id).filter(([id]) => numbers.has(id));
    const row = make("tr", { class: isOpen ? "rule open" : "rule" },
      make("td", { class: "order" }, rule.order + 1),
      make("td", { class: "words" }, opener, curveOf(term), twins.length ? make("span", { class: "tag", title: `Covers mostly the same rows as ${twins.map(([id, share]) => `rule ${numbers.get(id) + 1} (${percent(share)} in common)`).join(", ")}` }, `≈ ${twins.slice(0, 3).map(([id]) => numbers.get(id) + 1).join(", ")}`) : null),
      make("td", { class: "share", "data-label": "rows" }, term.if ? [make("span", { class: "amount" }, percent(term.share)), bar(term.share, "plain")] : make("span", { class: "amount" }, "all")),
      make("td", { class: "importance", "data-label": "importance" }, bar(rule.importance / most, "weight"), make("span", { class: "unseen" }, percent(rule.importance / most))),
      shownTargets().map((t) => effectCell(t, rule, largest[targets.indexOf(t)])));
    return isOpen ? [row, make("tr", { class: "detail" }, make("td", { colspan: columns().length }, ruleDetail(rule, numbers)))] : [row];
  }

  function render() {
    legend.replaceChildren(...(isList ? [] : legendOfEffects(shownTargets())));
    const { list, most, largest } = listRules();
    const kept = select(list);
    const shown = kept.slice(0, view.most);
    const numbers = new Map(list.map((rule) => [rule.id, rule.order]));
    renderHead();
    const typical = make("tr", { class: "typical" }, make("td", { class: "order" }), make("td", { class: "words" }, isList ? "all other rows" : "every row starts at"), make("td", { class: "share" }), make("td", { class: "importance" }),
      shownTargets().map((t) => make("td", { class: "effect", "data-label": headOf(t) }, make("span", { class: "amount" }, showStart(t, stepNow().typical)))));
    const rows = shown.flatMap((rule) => ruleRow(rule, most, largest, numbers));
    body.replaceChildren(...(isList ? [...rows, typical] : [typical, ...rows]));
    const left = stepNow().whole ? 0 : stepNow().size - list.length;
    const whole = sizeWords(stepNow());
    count.textContent = `${kept.length === list.length ? whole : `${kept.length} of ${whole}`}${left > 0 ? `; the ${left} least important are not on this page` : ""}`;
    more.hidden = kept.length <= shown.length;
    more.textContent = `Show all ${kept.length}`;
    map.replaceChildren(targets.length > FEW_TARGETS ? heatMap(shown, largest) : "");
    lap.replaceChildren(overlapMap(shown) || "");
  }

  const table = make("table", { class: "rule-table" }, make("caption", { class: "unseen" }, "Rules, what each adds to the prediction"), head, body);
  const hasLines = path.terms.some((t) => t.linear);
  openSection("rules", "The rules", help(isList ? "Each rule says what is predicted for the rows that it covers." : `A row starts at the first line; each rule that covers it adds its amount${path.steps[path.chosen].change ? ": on average over the rows, since near 0% and 100% chances move less" : ""}. The strongest come first.`, hasLines ? " A line adds by degrees: its amount is what it adds from one end of its range to the other." : "", " Open a rule to see its rows."),
    legend, pathControl(), sizesPanel(), tools, count, make("div", { class: "wide" }, table), path.gaps ? help(path.gaps.charAt(0).toUpperCase() + path.gaps.slice(1), ".") : null, more, map, lap);
  listeners.place.push(render);
  listeners.row.push(() => { if (view.on) render(); });
  window.addEventListener("beforeprint", () => { view.most = Infinity; render(); });
  render();
}

// What a column of effects is about: a number, the event of two classes, or the class that moves most.
const headOf = (target) => (events[targets.indexOf(target)] !== null ? `${target.name} = ${target.classes[events[targets.indexOf(target)]]}` : target.name);

function showStart(target, values) {
  const t = targets.indexOf(target);
  return events[t] !== null ? chance(values[target.start + events[t]]) : showPrediction(target, values);
}

// What the colours of these targets mean.
function legendOfEffects(shown) {
  const parts = shown.flatMap((target) => {
    const t = targets.indexOf(target);
    if (!target.classes) return [];
    const of = shown.length > 1 ? [isolate(target.name), ": "] : null;
    if (events[t] !== null) return [make("span", {}, of, make("span", { class: "key up" }), " towards ", isolate(target.classes[events[t]]), " ", make("span", { class: "key down" }), " towards ", isolate(target.classes[1 - events[t]]))];
    return [make("span", {}, of, target.classes.slice(0, 8).map((label, k) => [make("span", { class: "key", style: { background: colourOfClass(target, k) } }), " ", isolate(label), " "]))];
  });
  const hasNumbers = shown.some((target) => !target.classes);
  if (hasNumbers) parts.push(make("span", {}, shown.some((target) => target.classes) ? "numbers: " : null, make("span", { class: "key up" }), " more ", make("span", { class: "key down" }), " less"));
  const unit = shown.some((target) => target.classes) ? " · effects on classes are in points of probability, of 100" : "";
  return [...parts.flatMap((part) => [part, " · "]).slice(0, -1), unit];
}

// What a rule of a list predicts: what its rows get without it, and what it changes.
function listCell(target, rule) {
  const values = stepNow().typical.map((v, c) => v + rule.change[c]);
  const own = channelsOf(target).map((c) => values[c]);
  const k = events[targets.indexOf(target)] ?? own.indexOf(Math.max(...own));
  const drawn = target.classes ? bar(own[k], "plain", colourOfClass(target, k)) : null;
  return make("td", { class: "effect", "data-label": headOf(target) }, make("span", { class: "amount" }, showStart(target, values)), drawn);
}

function effectCell(target, rule, largest) {
  if (isList) return listCell(target, rule);
  const told = tellChange(target, rule.change);
  const colour = told.label === null ? null : colourOfClass(target, told.k);
  return make("td", { class: "effect", "data-label": headOf(target) },
    make("span", { class: "amount" }, told.label === null ? "" : [isolate(told.label), " "], showTold(target, told.value, told.spread)), swing(told.value / largest, colour), observedWords(target, rule.id, told));
}
