// What the model says of a row. A row is a list: a number for each input, the place of a label, or null for missing.

const facts = JSON.parse(document.getElementById("facts").textContent);
const { path, tree, inputs, targets, sample } = facts;
const nChannels = targets.reduce((n, target) => n + (target.classes ? target.classes.length : 1), 0);
const channelsOf = (target) => (target.classes ? target.classes.map((_, k) => target.start + k) : [target.start]);

for (const term of path ? path.terms : [])
  for (const condition of term.if || []) if (condition[4] !== null) condition[4] = new Set(condition[4]);
for (const split of tree ? tree.splits : []) if (split.set !== null) split.set = new Set(split.set);

function fulfils([input, low, high, missing, inside], row) {
  const x = row[input];
  if (x === null) return missing === 1;
  if (inside !== null) return inside.has(x);
  return (low === null || x > low) && (high === null || x <= high);
}

const LARGEST_EXPONENT = 40; // as in kernels/firth.py: beyond, a soft rule is wholly on or off

function heightOf([input, low, high, centre, spread, linear, square, missing], row) {
  const x = row[input];
  if (x === null) return missing === null ? -Infinity : missing;
  const z = (Math.min(Math.max(x, low), high) - centre) / spread;
  return z * (linear + square * z);
}

// How far a rule is on, from 0 to 1.
function degreeOf(term, row) {
  if (!term.if.every((condition) => fulfils(condition, row))) return 0;
  if (!term.curves) return 1;
  const g = term.curves.reduce((sum, curve) => sum + heightOf(curve, row), term.constant);
  if (!(g > -LARGEST_EXPONENT)) return 0;
  const e = Math.exp(-Math.min(Math.abs(g), LARGEST_EXPONENT));
  return (g >= 0 ? 1 : e) / (1 + e);
}

const covers = (term, row) => !term.if || degreeOf(term, row) >= 0.5;
const unitOf = (term) => (term.linear ? term.linear[4] : term.curves ? term.scale : 1);
const inputsOfTerm = (term) => (term.linear ? [term.linear[0]] : [...new Set([...term.if, ...(term.curves || [])].map((part) => part[0]))]);

function valueOf(term, row) {
  if (term.if) return degreeOf(term, row) * (term.curves ? term.scale : 1);
  const [input, low, high, centre, scale] = term.linear;
  const x = row[input];
  return x === null ? 0 : (Math.min(Math.max(x, low), high) - centre) * scale;
}

function scoresOf(step, row) {
  const scores = step.offset.slice();
  step.terms.forEach((id, k) => {
    const value = valueOf(path.terms[id], row);
    if (value !== 0) for (let c = 0; c < scores.length; c++) scores[c] += value * step.effect[k][c];
  });
  return scores;
}

function normalise(shares) {
  const total = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => (total > 0 ? share / total : 1 / shares.length));
}

function softmax(scores) {
  const most = Math.max(...scores);
  return normalise(scores.map((score) => Math.exp(score - most)));
}

// How the scores of a target become its values, by the name of its link. Of two classes only the second has a score.
const clip = (shares) => normalise(shares.map((share) => Math.min(1, Math.max(0, share))));
const LINKS = {
  identity: { isAdditive: true, inverse: (scores) => scores },
  shares: { isAdditive: true, inverse: clip },
  pair_shares: { isAdditive: true, isPair: true, inverse: ([, score]) => clip([0.5 - score / 2, 0.5 + score / 2]) },
  logit: { isPair: true, inverse: softmax },
  softmax: { inverse: softmax },
  log: { inverse: (scores) => scores.map((score) => Math.exp(Math.min(700, Math.max(-700, score)))) },
};
targets.forEach((target, t) => (target.link = path ? LINKS[path.links[t]] : LINKS.identity));

function toValues(scores) {
  const values = scores.slice();
  for (const target of targets) {
    const own = channelsOf(target).map((c) => scores[c]);
    target.link.inverse(own).forEach((value, k) => (values[target.start + k] = value));
  }
  return values;
}

// The nodes a row comes through, from the root to a leaf.
function wayOf(row) {
  const way = [0];
  for (;;) {
    const place = tree.split[way[way.length - 1]];
    if (place < 0) return way;
    const split = tree.splits[place];
    const x = row[split.input];
    let goesLeft;
    if (x === null) goesLeft = split.missingLeft;
    else if (split.set !== null) goesLeft = split.set.has(x) !== split.missingLeft;
    else goesLeft = split.cut === null || x <= split.cut;
    way.push(split.left + (goesLeft ? 0 : 1));
  }
}

function predict(row, place) {
  if (path) return toValues(scoresOf(path.steps[place === undefined ? state.place : place], row));
  const way = wayOf(row);
  return tree.value[way[way.length - 1]];
}

const canPredict = path ? path.steps[path.chosen].whole : tree && tree.whole;

// Terms x channels: what a term changes in the predictions; where links are additive the effects say it.
function changesOf(step) {
  if (step.change) return step.change;
  return step.effect.map((effect) => {
    const change = effect.slice();
    for (const { link, start } of targets) {
      if (!link.isPair) continue;
      change[start + 1] = effect[start + 1] / 2;
      change[start] = -change[start + 1];
    }
    return change;
  });
}

// Terms x targets: |change| times the term's deviation, in standard deviations of the target.
function importanceOf(step, changes) {
  return step.terms.map((id, k) => targets.map((target) => {
    const unit = Math.max(...target.spread);
    let change = 0, spread = 0;
    channelsOf(target).forEach((c, i) => {
      change += (changes[k][c] / unit) ** 2;
      spread += (target.spread[i] / unit) ** 2;
    });
    return Math.sqrt(change / spread) * path.terms[id].sd;
  }));
}

// Of a target's changes the one to tell: that of the number, or of the class that changes most.
function tellChange(target, change) {
  const own = channelsOf(target).map((c) => change[c]);
  if (!target.classes) return { value: own[0], spread: target.spread[0], label: null };
  let most = 0;
  own.forEach((v, k) => {
    const [a, b] = own.length === 2 ? [v, own[most]] : [Math.abs(v), Math.abs(own[most])];
    if (a > b) most = k;
  });
  return { value: own[most], spread: target.spread[most], label: target.classes[most] };
}

function showPrediction(target, values) {
  const own = channelsOf(target).map((c) => values[c]);
  if (!target.classes) return showNumber(own[0], target.spread[0]);
  const most = own.indexOf(Math.max(...own));
  return `${target.classes[most]} ${percent(own[most])}`;
}

function showInput(input, x) {
  if (x === null) return "missing";
  return input.labels ? input.labels[x] : String(x).replace("-", "−");
}
