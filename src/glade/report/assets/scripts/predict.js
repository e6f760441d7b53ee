// What the model says of a row, and how its terms lead there one by one.

const canPredict = Boolean(path ? path.steps[path.chosen].whole : tree ? tree.whole : forest);

function scoresOf(step, row) {
  const scores = step.offset.slice();
  step.terms.forEach((id, k) => {
    const value = valueOf(path.terms[id], row, step);
    if (value !== 0) for (let c = 0; c < scores.length; c++) scores[c] += value * step.effect[k][c];
  });
  return scores;
}

function predict(row, place) {
  if (path) return toValues(scoresOf(path.steps[place === undefined ? state.place : place], row));
  if (forest) return toValues(forest.flatMap((own) => predictForest(own, row)));
  const way = wayOf(row);
  return tree.value[way[way.length - 1]];
}

// From what every row starts at to the prediction: what one channel is before and after each term, in their order.
function reasonsOf(row, channel) {
  const step = stepNow();
  const scores = step.offset.slice();
  const start = toValues(scores)[channel];
  let before = start;
  const list = [];
  for (const k of orderOf(step)) {
    const id = step.terms[k];
    const value = valueOf(path.terms[id], row, step);
    if (value === 0) continue;
    for (let c = 0; c < scores.length; c++) scores[c] += value * step.effect[k][c];
    const after = toValues(scores)[channel];
    list.push({ id, value: after - before, after });
    before = after;
  }
  return { start, list, end: before };
}

// The class that is said: of two the event where its probability reaches the threshold, of more the likeliest, or
// what errors cost.
function decide(target, t, values) {
  if (!target.classes) return null;
  const own = channelsOf(target).map((c) => values[c]);
  const isPlain = target.threshold === undefined && state.threshold[t] === firstThreshold(t);
  if (events[t] !== null && !isPlain) return own[events[t]] >= state.threshold[t] ? events[t] : 1 - events[t];
  if (target.weights) return placeOfMost(own.map((p, k) => (target.weights[k] > 0 ? p * target.weights[k] : -1)));
  if (target.costs) return placeOfMost(own.map((_, said) => -own.reduce((sum, p, k) => sum + p * target.costs[k][said], 0)));
  return placeOfMost(own);
}
const placeOfMost = (values) => values.indexOf(Math.max(...values));

// A prediction in one word or two: a number, or the class that is said with its probability.
function showPrediction(target, values) {
  const own = channelsOf(target).map((c) => values[c]);
  if (!target.classes) return showNumber(own[0], target.spread[0]);
  const told = decide(target, targets.indexOf(target), values);
  return [isolate(target.classes[told]), ` ${chance(own[told])}`];
}

const showText = (parts) => [parts].flat().map((part) => (part instanceof Node ? part.textContent : part)).join("");

function showInput(input, x) {
  if (x === null) return "missing";
  return input.labels ? input.labels[x] : String(x).replace("-", "−");
}

function showTruth(target, t, i) {
  const value = sample.y[t][i];
  if (value === null) return "missing";
  if (!target.classes) return showNumber(value, target.spread[0] / 10).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return target.classes[value] === undefined ? "a new class" : target.classes[value];
}
