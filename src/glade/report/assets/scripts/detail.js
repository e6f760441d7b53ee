// What a rule shows when it is opened: each change, what was observed, and some of its rows.

function ruleDetail(rule, numbers) {
  const { term } = rule;
  const parts = [];
  if (term.if) parts.push(make("p", { class: "covers" }, `${term.curves ? "Covers, by degrees," : "Covers"} ${percent(term.share)} of the training rows (${Math.round(term.rows).toLocaleString("en")})${term.says.length ? `, ${term.curves ? "about where" : "where"} ${term.says.length > 1 ? "all of this holds" : "this holds"}:` : "."}`),
    make("ul", { class: "conditions" }, term.says.map((words) => make("li", {}, isolateNames(words, inputsOfTerm(term).map((j) => inputs[j].name))))));
  else parts.push(make("p", { class: "covers" }, lineWords(term)));
  const own = twinsOf(rule.id).filter(([id]) => numbers.has(id));
  if (own.length) parts.push(make("p", { class: "covers" }, `Mostly the same rows as ${own.slice(0, 5).map(([id, share]) => `rule ${numbers.get(id) + 1} (${percent(share)} of the rows of either are in both)`).join(", ")}: read them together.`));
  const MAX_CHANNELS = 30;
  parts.push(make("ul", { class: "changes" }, shownChannels.slice(0, MAX_CHANNELS).map(({ c, name, spread, target, k }) => {
    const seen = observedOf(rule.id, c);
    const show = (v) => (target.classes ? percent(v) : showNumber(v, spread));
    return make("li", {}, make("span", { class: "name" }, isolate(name)), make("span", { class: "amount" }, showTold(target, rule.change[c], spread)), swing(rule.change[c] / (target.classes ? 1 : 2 * spread), colourOfClass(target, k)),
      seen ? make("span", { class: "observed" }, `seen ${show(seen.inside)} inside (${plural(seen.rows, "row")}), ${show(seen.outside)} outside`) : null);
  }), shownChannels.length > MAX_CHANNELS ? make("li", {}, `and ${shownChannels.length - MAX_CHANNELS} more`) : null));
  if (!sample) parts.push(help("Rows were left out of this page."));
  else if (term.if) {
    const covered = sample.places.map((_, i) => i).filter((i) => covers(term, sample.x[i]));
    const whole = sample.places.length === sample.of ? `the ${sample.of.toLocaleString("en")}` : `a sample of ${sample.places.length.toLocaleString("en")}`;
    parts.push(covered.length ? rowTable(covered, inputsOfTerm(term), `${plural(covered.length, "row")} of ${whole} rows${covered.length > 8 ? ", the first 8" : ""}`) : help(`None of ${whole} rows.`),
      covered.length ? button("Save these rows (CSV)", () => saveRows(covered, `rule-${rule.order + 1}-rows.csv`)) : null);
  }
  return parts;
}

function lineWords(term) {
  const [input, low, high] = term.linear;
  return `It adds in proportion to ${inputs[input].name} between ${shorten(low)} and ${shorten(high)}, and no more beyond. The amounts are for moving from one end to the other.`;
}

// A table of sample rows: chosen columns of inputs first, then the targets, then other inputs.
function rowTable(chosen, first, caption) {
  const MAX_COLUMNS = 9, MAX_ROWS = 8;
  const others = inputs.map((_, j) => j).filter((j) => !first.includes(j));
  const shownTargets = sample.y ? targets.slice(0, 4) : [];
  const columns = [...first, ...others].slice(0, Math.max(first.length, MAX_COLUMNS - shownTargets.length));
  const head = make("tr", {}, make("th", { scope: "col" }, "row"),
    shownTargets.map((target) => make("th", { scope: "col", class: "target" }, isolate(target.name))),
    columns.map((j) => make("th", { scope: "col" }, isolate(inputs[j].name))));
  const body = chosen.slice(0, MAX_ROWS).map((i) => make("tr", {},
    make("th", { scope: "row" }, canPredict ? make("button", { type: "button", class: "link", title: "Open this row as a case", onclick: () => openRow(i) }, sample.places[i]) : sample.places[i]),
    shownTargets.map((target) => make("td", { class: "target" }, isolate(showTruth(target, targets.indexOf(target), i)))),
    columns.map((j) => make("td", {}, isolate(showInput(inputs[j], sample.x[i][j]))))));
  return scrollBox("Rows of the sample", make("table", { class: "rows" }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, body)));
}

function openRow(i) {
  setRow(sample.x[i].slice(), i);
  const panel = document.getElementById("case");
  panel.scrollIntoView();
  panel.querySelector("input, select").focus({ preventScroll: true });
}

// Of a soft rule, how far it is on along its first soft input: the others are at their best.
function curveOf(term) {
  if (!term.curves || !term.curves.length) return null;
  const W = 96, H = 26, N = 40;
  const [first, ...others] = term.curves;
  const best = others.reduce((sum, curve) => sum + Math.max(...Array.from({ length: N + 1 }, (_, k) => heightOf(curve, { [curve[0]]: curve[1] + (k / N) * (curve[2] - curve[1]) }))), 0);
  const xs = Array.from({ length: N + 1 }, (_, k) => k / N);
  const on = xs.map((v) => 1 / (1 + Math.exp(-(term.constant + best + heightOf(first, { [first[0]]: first[1] + v * (first[2] - first[1]) })))));
  const words = `How far the rule is on as ${inputs[first[0]].name} goes from ${shorten(first[1])} to ${shorten(first[2])}: from ${percent(on[0])} to ${percent(on[N])}`;
  return draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "soft-curve", role: "img", "aria-label": words }, draw("title", {}, words), draw("line", { x1: 0, x2: W, y1: H - 1, y2: H - 1, class: "axis" }), draw("path", { d: lineOf(xs.map((v) => v * W), on.map((v) => H - 2 - (H - 4) * v)), class: "line" }));
}
