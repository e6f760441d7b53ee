// The facts that the page holds, and what follows from them at once.

const facts = JSON.parse(document.getElementById("facts").textContent);
const { path, tree, forest, inputs, targets, sample, events, quality, observed } = facts;
const nChannels = targets.reduce((n, target) => n + (target.classes ? target.classes.length : 1), 0);
const channelsOf = (target) => (target.classes ? target.classes.map((_, k) => target.start + k) : [target.start]);
const nameOfClass = (target, k) => (targets.length > 1 ? `${target.name} = ${target.classes[k]}` : target.classes[k]);

// The threshold of `predict`; without one the likelier class is said, which is that of one half but for ties.
const firstThreshold = (t) => targets[t].threshold ?? 0.5;

// Every number and every class that is predicted; of two classes only the event.
const shownChannels = targets.flatMap((target, t) => channelsOf(target).map((c, k) => ({
  c, t, k, target, spread: target.spread[k], isClass: Boolean(target.classes), name: target.classes ? `${target.name} = ${target.classes[k]}` : target.name,
})).filter((channel) => events[channel.t] === null || events[channel.t] === channel.k));

// Signs as they are printed in books; names keep theirs.
function withSigns(words, names) {
  let parts = [[words, false]];
  for (const name of names.filter(Boolean)) parts = parts.flatMap(([text, isName]) => (isName ? [[text, true]] : text.split(name).flatMap((own, k) => (k ? [[name, true], [own, false]] : [[own, false]]))));
  return parts.map(([text, isName]) => (isName ? text : text.replaceAll(" <= ", " ≤ ").replaceAll(" != ", " ≠ "))).join("");
}
const nameOf = (j) => inputs[j].name;
for (const term of path ? path.terms : []) {
  const names = inputsOfTerm(term).map(nameOf);
  term.words = withSigns(term.words, names);
  if (term.says) term.says = term.says.map((words) => withSigns(words, names));
}
for (const split of tree ? tree.splits : []) split.words = split.words.map((words) => withSigns(words, [nameOf(split.input)]));
for (const term of path ? path.terms : [])
  for (const condition of conditionsOf(term)) if (condition[4] !== null) condition[4] = new Set(condition[4]);
for (const own of [tree, ...(forest || [])]) if (own) for (const split of own.splits) if (split.set !== null) split.set = new Set(split.set);

// Colours: towards and away from an event, more and less of a number; classes of many have one each.
const PALETTE = ["var(--c0)", "var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)", "var(--c7)"];
const colourOfClass = (target, k) => (target.classes && target.classes.length > 2 ? PALETTE[k % PALETTE.length] : null);
