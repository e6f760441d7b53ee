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

// Of classes the likeliest; of two classes the event where its probability reaches the threshold.
function decide(target, t, values) {
  const own = channelsOf(target).map((c) => values[c]);
  if (!target.classes) return null;
  if (events[t] !== null) return own[events[t]] >= state.threshold[t] ? events[t] : 1 - events[t];
  return own.indexOf(Math.max(...own));
}

// A prediction in one word or two: a number, or the class with its probability.
function showPrediction(target, values) {
  const t = targets.indexOf(target);
  const own = channelsOf(target).map((c) => values[c]);
  if (!target.classes) return showNumber(own[0], target.spread[0]);
  const told = events[t] !== null && state.threshold[t] !== 0.5 ? events[t] : own.indexOf(Math.max(...own));
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
  if (!target.classes) return showNumber(value, target.spread[0] / 10);
  return target.classes[value] === undefined ? "a new class" : target.classes[value];
}
