// How the scores of a target become its values, by the name of its link. Of two classes only the second has a score.

function normalise(shares) {
  const total = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => (total > 0 ? share / total : 1 / shares.length));
}

function softmax(scores) {
  const most = Math.max(...scores);
  return normalise(scores.map((score) => Math.exp(score - most)));
}

const clip = (shares) => normalise(shares.map((share) => Math.min(1, Math.max(0, share))));
const LINKS = {
  identity: { isAdditive: true, inverse: (scores) => scores },
  shares: { isAdditive: true, inverse: clip },
  pair_shares: { isAdditive: true, isPair: true, inverse: ([, score]) => clip([0.5 - score / 2, 0.5 + score / 2]) },
  logit: { isPair: true, inverse: softmax },
  softmax: { inverse: softmax },
  log: { inverse: (scores) => scores.map((score) => Math.exp(Math.min(700, Math.max(-700, score)))) },
};
const ofForests = (forest || []).flatMap((own) => own.links);
targets.forEach((target, t) => (target.link = LINKS[path ? path.links[t] : ofForests[t]] || LINKS.identity));

function toValues(scores) {
  const values = scores.slice();
  for (const target of targets) {
    const own = channelsOf(target).map((c) => scores[c]);
    target.link.inverse(own).forEach((value, k) => (values[target.start + k] = value));
  }
  return values;
}

