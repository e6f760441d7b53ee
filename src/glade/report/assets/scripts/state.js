// What the panels share: the step of the path that is shown, the row of the case, thresholds; and their place in the
// page's address, so that a case can be sent to somebody.

const state = {
  place: path ? path.chosen : 0,
  row: facts.typical.x.slice(),
  opened: sample ? sample.places.indexOf(facts.typical.place) : -1, // the sample's row that the case was started from
  threshold: targets.map((_, t) => firstThreshold(t)),
};
const listeners = { place: [], row: [], threshold: [] };

function tell(what) {
  for (const listener of listeners[what]) listener();
}

function setPlace(place) {
  state.place = place;
  tell("place");
  writeAddress();
}

function setRow(row, opened) {
  state.row = row;
  if (opened !== undefined) state.opened = opened;
  tell("row");
  writeAddress();
}

function setThreshold(t, p) {
  state.threshold[t] = p;
  tell("threshold");
  writeAddress();
}

const ADDRESS = "#case=";

function writeAddress() {
  const own = { row: state.row, size: path ? path.steps[state.place].size : null, threshold: state.threshold };
  history.replaceState(null, "", ADDRESS + encodeURIComponent(JSON.stringify(own)));
}

// What an address says is looked at before it is believed: it may come from anywhere.
function readAddress() {
  if (!location.hash.startsWith(ADDRESS)) return false;
  let own;
  try {
    own = JSON.parse(decodeURIComponent(location.hash.slice(ADDRESS.length)));
  } catch {
    return false;
  }
  const isValue = (x, j) => x === null || (typeof x === "number" && isFinite(x) && (!inputs[j].labels || inputs[j].labels[x] !== undefined));
  if (own && Array.isArray(own.row) && own.row.length === inputs.length && own.row.every(isValue)) {
    state.row = own.row;
    state.opened = -1;
  }
  const place = path ? path.steps.findIndex((step) => step.size === own?.size) : -1;
  if (place >= 0) state.place = place;
  if (Array.isArray(own?.threshold) && own.threshold.length === targets.length && own.threshold.every((p) => p >= 0 && p <= 1)) state.threshold = own.threshold;
  return true;
}
readAddress();

// Of the fitted model and its neighbours alike: so many rules, so many linear terms.
function sizeWords(step) {
  const nLinear = step.terms.filter((id) => path.terms[id].linear).length;
  const rules = plural(step.size - nLinear, "rule");
  return nLinear ? `${rules} and ${plural(nLinear, "linear term")}` : rules;
}

const countConditions = (step) => step.terms.reduce((n, id) => n + (path.terms[id].says || [""]).length, 0);
const stepNow = () => path.steps[state.place];
const inputsOf = (terms) => new Set(terms.flatMap(inputsOfTerm));
const shareOf = (j) => facts.importance[j].reduce((a, b) => a + b, 0);

function usedInputs() {
  const used = inputsOf(path ? path.terms : []);
  for (const own of [tree, ...(forest || [])]) for (const split of own ? own.splits : []) used.add(split.input);
  return inputs.map((_, j) => j).filter((j) => used.has(j)).sort((a, b) => shareOf(b) - shareOf(a));
}
