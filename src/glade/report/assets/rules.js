// The rules: sorted, searched, filtered; what each does to each target; the rows it covers.

const FEW_TARGETS = 4;
const PAGE = 50;

function showRules() {
  const view = { sort: "order", down: false, search: "", input: -1, on: false, most: PAGE, open: new Set(), target: 0 };
  const body = make("tbody");
  const head = make("thead");
  const count = make("p", { class: "count", role: "status" });
  const more = make("button", { type: "button", onclick: () => { view.most = Infinity; render(); } });
  const map = make("div", { id: "heat" });
  const shownTargets = () => (targets.length <= FEW_TARGETS ? targets : [targets[view.target]]);

  const search = make("input", { type: "search", id: "rule-search", oninput: () => { view.search = search.value.toLowerCase(); render(); } });
  const used = usedInputs();
  const filter = choice("Input", ["any", ...used.map((j) => inputs[j].name)], (k) => { view.input = k ? used[k - 1] : -1; render(); });
  const pick = targets.length > FEW_TARGETS ? choice("Show effect on", targets.map((t) => t.name), (t) => { view.target = t; render(); }) : null;
  const on = make("input", { type: "checkbox", onchange: () => { view.on = on.checked; render(); } });
  const tools = make("div", { class: "tools" },
    make("label", { class: "field" }, make("span", {}, "Search"), search), filter, pick,
    make("label", { class: "check" }, on, "only those that cover the what-if row"));

  const columns = () => [
    { key: "order", words: "#" }, { key: "words", words: "Rule" }, { key: "share", words: "Rows" },
    { key: "importance", words: "Importance" }, ...shownTargets().map((t) => ({ key: t, words: t.name, target: true })),
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
        make("button", { type: "button", title: target ? `Sort by the effect on ${words}` : `Sort by ${words}`, onclick: () => sortBy(key) }, words, make("span", { "aria-hidden": "true" }, arrow)));
    })));
  }

  function listRules() {
    const step = stepNow();
    const changes = changesOf(step);
    const importance = importanceOf(step, changes);
    const mean = importance.map((own) => own.reduce((a, b) => a + b, 0) / own.length);
    const list = step.terms.map((id, k) => ({ id, order: k, term: path.terms[id], words: path.terms[id].words, change: changes[k], importance: mean[k], share: path.terms[id].if ? path.terms[id].share : -1 }));
    const most = Math.max(...mean, 1e-300);
    const largest = targets.map((t) => Math.max(...list.map((rule) => Math.abs(tellChange(t, rule.change).value) / tellChange(t, rule.change).spread), 1e-300));
    return { list, most, largest };
  }

  function select(list) {
    const uses = (term) => inputsOfTerm(term).includes(view.input);
    const kept = list.filter(({ term, words }) =>
      (!view.search || words.toLowerCase().includes(view.search)) &&
      (view.input < 0 || uses(term)) && (!view.on || covers(term, state.row)));
    const value = (rule) => (typeof view.sort === "object" ? tellChange(view.sort, rule.change).value : rule[view.sort]);
    const compare = (a, b) => (typeof value(a) === "string" ? value(a).localeCompare(value(b)) : value(a) - value(b));
    kept.sort((a, b) => (view.down ? -compare(a, b) : compare(a, b)) || a.order - b.order);
    return kept;
  }

  function ruleRow(rule, most, largest) {
    const { term } = rule;
    const isOpen = view.open.has(rule.id);
    const toggle = () => {
      if (!view.open.delete(rule.id)) view.open.add(rule.id);
      render();
      document.getElementById(`rule-${rule.id}`)?.focus({ preventScroll: true });
    };
    const button = make("button", { type: "button", class: "opener", id: `rule-${rule.id}`, "aria-expanded": String(isOpen), onclick: toggle }, term.words);
    const row = make("tr", { class: isOpen ? "rule open" : "rule" },
      make("td", { class: "order" }, rule.order + 1), make("td", { class: "words" }, button),
      make("td", { class: "share", "data-label": "rows" }, term.if ? [make("span", { class: "amount" }, percent(term.share)), bar(term.share, "plain")] : make("span", { class: "amount" }, "all")),
      make("td", { class: "importance", "data-label": "importance" }, bar(rule.importance / most, "weight"), make("span", { class: "unseen" }, percent(rule.importance / most))),
      shownTargets().map((t) => effectCell(t, rule, largest[targets.indexOf(t)])));
    return isOpen ? [row, make("tr", { class: "detail" }, make("td", { colspan: columns().length }, ruleDetail(rule)))] : [row];
  }

  function effectCell(target, rule, largest) {
    const told = tellChange(target, rule.change);
    const scale = unitOf(rule.term);
    const words = showChange(told.value * scale, told.spread * (rule.term.linear ? scale : 1));
    return make("td", { class: "effect", "data-label": target.name },
      make("span", { class: "amount" }, told.label === null ? "" : `${told.label} `, words, rule.term.linear ? " a unit" : ""), swing(told.value / told.spread / largest));
  }

  function render() {
    const { list, most, largest } = listRules();
    const kept = select(list);
    const shown = kept.slice(0, view.most);
    renderHead();
    const typical = make("tr", { class: "typical" }, make("td", { class: "order" }), make("td", { class: "words" }, "every row starts at"), make("td", { class: "share" }), make("td", { class: "importance" }),
      shownTargets().map((t) => make("td", { class: "effect", "data-label": t.name }, make("span", { class: "amount" }, showPrediction(t, stepNow().typical)))));
    body.replaceChildren(typical, ...shown.flatMap((rule) => ruleRow(rule, most, largest)));
    const left = stepNow().whole ? 0 : stepNow().size - list.length;
    const whole = sizeWords(stepNow());
    count.textContent = `${kept.length === list.length ? whole : `${kept.length} of ${whole}`}${left > 0 ? `; the ${left} least important are not on this page` : ""}`;
    more.hidden = kept.length <= shown.length;
    more.textContent = `Show all ${kept.length}`;
    if (targets.length > FEW_TARGETS) map.replaceChildren(heatMap(shown, largest));
  }

  const table = make("table", { class: "rule-table" }, make("caption", { class: "unseen" }, "Rules, what each adds to the prediction"), head, body);
  const help = make("p", { class: "help" }, path.terms.some((t) => t.linear)
    ? "A row starts at the first line; each rule that covers it adds its amount, and each linear term its amount a unit. Open a rule to see its rows."
    : "A row starts at the first line; each rule that covers it adds its amount. Open a rule to see its rows.");
  openSection("rules", "The rules", help, pathControl(), tools, count, make("div", { class: "wide" }, table), more, map);
  listeners.place.push(render);
  listeners.row.push(() => { if (view.on) render(); });
  window.addEventListener("beforeprint", () => { view.most = Infinity; render(); });
  render();
}

function heatMap(rules, largest) {
  const shown = rules.slice(0, 100);
  const head = make("tr", {}, make("th", { scope: "col" }, "Rule"), targets.map((t) => make("th", { scope: "col", class: "turned" }, make("span", {}, t.name))));
  const body = shown.map((rule) => make("tr", {},
    make("th", { scope: "row", title: rule.words }, `${rule.order + 1} `, make("span", { class: "faint" }, rule.words)),
    targets.map((t, k) => {
      const told = tellChange(t, rule.change);
      const share = Math.max(-1, Math.min(1, told.value / told.spread / largest[k]));
      const words = `${told.label === null ? "" : told.label + " "}${showChange(told.value, told.spread)}`;
      return make("td", { title: `${t.name}: ${words}`, class: share < 0 ? "down" : "up", style: { "--strength": Math.abs(share).toFixed(3) } }, make("span", { class: "unseen" }, words));
    })));
  return make("div", {}, make("h3", {}, "Every rule on every target"),
    make("p", { class: "help" }, make("span", { class: "key up" }), " raises ", make("span", { class: "key down" }), " lowers; full colour is the largest effect on that target", rules.length > shown.length ? `; the first ${shown.length} rules` : ""),
    scrollBox("Heat map of rules and targets", make("table", { class: "heat" }, make("thead", {}, head), make("tbody", {}, body))));
}

function ruleDetail(rule) {
  const { term } = rule;
  const parts = [];
  if (term.if) {
    parts.push(make("p", { class: "covers" }, `${term.curves ? "Covers, by degrees," : "Covers"} ${percent(term.share)} of the training rows (${Math.round(term.rows).toLocaleString("en")}), ${term.curves ? "about where" : "where"}:`),
      make("ul", { class: "conditions" }, term.says.map((words) => make("li", {}, words))));
  }
  const channels = targets.flatMap((t) => channelsOf(t).map((c, i) => ({ c, name: t.classes ? `${t.name}: ${t.classes[i]}` : t.name, spread: t.spread[i], scale: unitOf(term) })));
  const MAX_CHANNELS = 30;
  if (channels.length > 1)
    parts.push(make("ul", { class: "changes" }, channels.slice(0, MAX_CHANNELS).map(({ c, name, spread, scale }) => make("li", {}, make("span", { class: "name" }, name), make("span", { class: "amount" }, showChange(rule.change[c] * scale, term.linear ? spread * scale : spread)), swing(rule.change[c] / spread))),
      channels.length > MAX_CHANNELS ? make("li", {}, `and ${channels.length - MAX_CHANNELS} more`) : null));
  if (!sample) parts.push(make("p", { class: "help" }, "Rows were left out of this page."));
  else if (term.if) {
    const covered = sample.places.map((_, i) => i).filter((i) => covers(term, sample.x[i]));
    const whole = sample.places.length === sample.of ? `the ${sample.of}` : `a sample of ${sample.places.length}`;
    const first = inputsOfTerm(term);
    parts.push(covered.length ? rowTable(covered, first, `${plural(covered.length, "row")} of ${whole} rows${covered.length > 8 ? ", the first 8" : ""}`) : make("p", { class: "help" }, `None of ${whole} rows.`));
  }
  return parts;
}
