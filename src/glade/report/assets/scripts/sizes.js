// Two sizes of the model side by side: their errors, the rules that each has, and the rows on which they disagree.

function sizesPanel() {
  const { steps, chosen } = path;
  if (steps.length < 2) return null;
  const view = { sides: [smallerThan(chosen), chosen], target: 0 };
  const holder = make("div");
  const options = steps.map((step, k) => `${sizeWords(step)}${k === chosen ? " (the fitted model)" : ""}`);
  const render = () => {
    holder.replaceChildren(...compareSteps(view).flat().filter(Boolean));
    details.classList.add("drawn");
  };
  const pickSide = (label, side) => choice(label, options, (k) => { view.sides[side] = k; render(); }, view.sides[side]);
  const pickTarget = targets.length > 1 ? choice("Compare for", targets.map((target) => target.name), (t) => { view.target = t; render(); }) : null;
  const details = make("details", { class: "sizes", ontoggle: () => { if (details.open && !holder.childElementCount) render(); } }, make("summary", {}, "Two sizes side by side"),
    make("div", { class: "tools" }, pickSide("One size", 0), pickSide("Another", 1), pickTarget), holder);
  listeners.threshold.push(() => { if (holder.childElementCount) render(); });
  return details;
}

// The size of about a quarter of the terms, which is read in a moment; of a smallest model the largest.
function smallerThan(chosen) {
  const { steps } = path;
  const wanted = Math.max(1, Math.round(steps[chosen].size / 4));
  const others = steps.map((_, k) => k).filter((k) => k !== chosen);
  return others.reduce((best, k) => (Math.abs(steps[k].size - wanted) < Math.abs(steps[best].size - wanted) ? k : best), others[0]);
}

function compareSteps({ sides, target: t }) {
  const both = sides.map((place) => path.steps[place]);
  const lines = [
    ["Rules and linear terms", (step) => sizeWords(step)],
    ["Conditions to read", (step) => countConditions(step).toLocaleString("en")],
    ["Inputs it looks at", (step) => inputsOf(step.terms.map((id) => path.terms[id])).size],
    [`Share of a guess’s ${path.measure} that is left, on rows held out`, (step) => `${percent(step.error)}${withError(step)}`],
  ];
  const heads = sides.map((place, k) => `${k ? "Another" : "One size"}${place === path.chosen ? ": the fitted model" : ""}`);
  const table = make("table", { class: "side-by-side" }, make("thead", {}, make("tr", {}, make("td"), heads.map((words) => make("th", { scope: "col" }, words)))),
    make("tbody", {}, lines.map(([words, show]) => make("tr", {}, make("th", { scope: "row" }, words), both.map((step) => make("td", {}, show(step)))))));
  return [scrollBox("Two sizes", table), disagreement(sides, t), rulesOfBoth(both, t)];
}

// The rows of the sample in which the two say another class, or numbers that differ most.
function disagreement(sides, t) {
  const MOST = 8;
  const target = targets[t];
  if (!sample) return help("Rows were left out of this page: how many change cannot be told.");
  if (!sides.every((place) => path.steps[place].whole)) return null;
  const said = sample.x.map((row) => sides.map((place) => predict(row, place)));
  const [c] = channelsOf(target);
  const apart = said.map(([a, b], i) => ({ i, a, b, by: target.classes ? Number(decide(target, t, a) !== decide(target, t, b)) : Math.abs(a[c] - b[c]) }));
  const differing = apart.filter((own) => own.by > 0);
  const whole = sample.places.length === sample.of ? `${sample.of.toLocaleString("en")} rows` : `a sample of ${sample.places.length.toLocaleString("en")} rows`;
  const words = target.classes ? `Of ${whole}, ${differing.length.toLocaleString("en")} (${percent(differing.length / apart.length)}) get another class of `
    : `On average over ${whole} the two differ by ${showNumber(meanOf(apart.map((own) => own.by)), target.spread[0])}, at most by ${showNumber(Math.max(...apart.map((own) => own.by)), target.spread[0])}, in `;
  const shown = differing.sort((x, y) => y.by - x.by || x.i - y.i).slice(0, MOST);
  const truth = (i) => (sample.y ? isolate(showTruth(target, t, i)) : "–");
  const line = ({ i, a, b }) => make("tr", {}, make("th", { scope: "row" }, make("button", { type: "button", class: "link", title: "Open this row as a case", onclick: () => openRow(i) }, sample.places[i])), [a, b].map((values) => make("td", {}, showPrediction(target, values))), make("td", {}, truth(i)));
  const head = make("tr", {}, ["row", "one size says", "another says", "truly"].map((name) => make("th", { scope: "col" }, name)));
  return [make("p", { class: "apart", role: "status" }, words, isolate(target.name), "."),
    shown.length ? scrollBox("Rows that change", make("table", { class: "rows" }, make("caption", {}, differing.length > MOST ? `${target.classes ? "The first" : "Those that differ most:"} ${MOST}` : "All of them"), make("thead", {}, head), make("tbody", {}, shown.map(line)))) : null];
}

// Each rule that either has, with what it adds in each.
function rulesOfBoth(both, t) {
  const MOST = 60;
  const target = targets[t];
  const added = both.map((step) => {
    const changes = changesOf(step);
    return new Map(orderOf(step).map((k) => [step.terms[k], changes[k].map((v) => v * scaleOf(path.terms[step.terms[k]]))]));
  });
  const ids = [...added[1].keys(), ...[...added[0].keys()].filter((id) => !added[1].has(id))];
  const inBoth = ids.filter((id) => added.every((own) => own.has(id))).length;
  const cell = (own, id) => {
    if (!own.has(id)) return make("td", { class: "faint" }, "not in it");
    const told = tellChange(target, own.get(id));
    return make("td", {}, told.label === null ? null : [isolate(told.label), " "], isList ? "in it" : showTold(target, told.value, told.spread));
  };
  const line = (id) => make("tr", {}, make("th", { scope: "row" }, chipsOf(path.terms[id])), added.map((own) => cell(own, id)));
  return [make("p", { class: "count" }, `${inBoth} of ${plural(ids.length, "term")} ${inBoth === 1 ? "is" : "are"} in both.`),
    scrollBox("Rules of both sizes", make("table", { class: "side-by-side" }, make("thead", {}, make("tr", {}, ["Rule", "one size adds", "another adds"].map((words) => make("th", { scope: "col" }, isList ? words.replace(" adds", "") : words)))), make("tbody", {}, ids.slice(0, MOST).map(line)))),
    ids.length > MOST ? help(`and ${ids.length - MOST} more`) : null];
}
