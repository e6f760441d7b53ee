// What the panels share: the step of the path that is shown, and the row of the what-if panel.

const state = {
  place: path ? path.chosen : 0,
  row: inputs.map((input) => input.typical),
};
const listeners = { place: [], row: [] };

function tell(what) {
  for (const listener of listeners[what]) listener();
}

function setPlace(place) {
  state.place = place;
  tell("place");
}

function setRow(row) {
  state.row = row;
  tell("row");
}

// Of the fitted model and its neighbours alike: so many rules, so many linear terms.
function sizeWords(step) {
  const nLinear = step.terms.filter((id) => path.terms[id].linear).length;
  const rules = plural(step.size - nLinear, "rule");
  return nLinear ? `${rules} and ${plural(nLinear, "linear term")}` : rules;
}

const stepNow = () => path.steps[state.place];

function inputsOf(terms) {
  return new Set(terms.flatMap(inputsOfTerm));
}

function usedInputs() {
  const used = inputsOf(path ? path.terms : []);
  for (const split of tree ? tree.splits : []) used.add(split.input);
  const share = (j) => facts.importance[j].reduce((a, b) => a + b, 0);
  return inputs.map((_, j) => j).filter((j) => used.has(j)).sort((a, b) => share(b) - share(a));
}

// A table of sample rows: chosen columns of inputs first, then the targets, then other inputs.
function rowTable(chosen, first, caption) {
  const MAX_COLUMNS = 9, MAX_ROWS = 8;
  const others = inputs.map((_, j) => j).filter((j) => !first.includes(j));
  const shownTargets = sample.y ? targets.slice(0, 4) : [];
  const columns = [...first, ...others].slice(0, Math.max(first.length, MAX_COLUMNS - shownTargets.length));
  const showTarget = (target, t, i) => {
    const value = sample.y[t][i];
    if (value === null) return "missing";
    if (!target.classes) return showNumber(value, target.spread[0] / 10);
    return target.classes[value] === undefined ? "a new class" : target.classes[value];
  };
  const head = make("tr", {},
    make("th", { scope: "col" }, "row"),
    shownTargets.map((target) => make("th", { scope: "col", class: "target" }, target.name)),
    columns.map((j) => make("th", { scope: "col" }, inputs[j].name)));
  const body = chosen.slice(0, MAX_ROWS).map((i) => make("tr", {},
    make("th", { scope: "row" }, canPredict
      ? make("button", { type: "button", class: "link", title: "Open this row in the what-if panel", onclick: () => openRow(i) }, sample.places[i])
      : sample.places[i]),
    shownTargets.map((target) => make("td", { class: "target" }, showTarget(target, targets.indexOf(target), i))),
    columns.map((j) => make("td", {}, showInput(inputs[j], sample.x[i][j])))));
  const table = make("table", { class: "rows" }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, body));
  return scrollBox("Rows of the sample", table);
}

function openRow(i) {
  setRow(sample.x[i].slice());
  const panel = document.getElementById("whatif");
  panel.scrollIntoView();
  panel.querySelector("input, select").focus({ preventScroll: true });
}
