// What terms do on average: to each prediction, and how much that matters.

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


const meanOf = (list) => list.reduce((a, b) => a + b, 0) / Math.max(list.length, 1);

// Rules of a list speak for themselves: each predicts, in its place or by its votes, and adds to no other.
const isList = Boolean(path) && path.terms.some((term) => term.place !== undefined);

// The places of a step's terms, those of most importance first, whatever their kind; of a list in its order.
const orders = new Map();
function orderOf(step) {
  if (!orders.has(step)) {
    const importance = isList ? step.terms.map(() => 0) : importanceOf(step, changesOf(step)).map(meanOf);
    orders.set(step, step.terms.map((_, k) => k).sort((a, b) => importance[b] - importance[a] || a - b));
  }
  return orders.get(step);
}

// What a term's change is multiplied by for telling it: a rule wholly on, a linear term from one end of its range to
// the other.
const scaleOf = (term) => (term.linear ? (term.linear[2] - term.linear[1]) * term.linear[4] : unitOf(term));

// Of a target's changes the one to tell: of the number, of the event, or of the class that changes most.
function tellChange(target, change) {
  const t = targets.indexOf(target);
  const own = channelsOf(target).map((c) => change[c]);
  if (!target.classes) return { value: own[0], spread: target.spread[0], k: null, label: null };
  let most = 0;
  if (events[t] !== null) most = events[t];
  else own.forEach((v, k) => { if (Math.abs(v) > Math.abs(own[most])) most = k; });
  return { value: own[most], spread: target.spread[most], k: most, label: events[t] !== null ? null : target.classes[most] };
}

// How the change is said: points of probability, or the target's own unit.
const showTold = (target, value, spread) => (target.classes ? points(value) : showChange(value, spread));
