// The smallest change that turns the decision: one value, or two. Changes are measured in shares of the rows passed.

function flipPanel() {
  const goals = targets.map((target) => (target.classes ? null : target.typical ?? 0));
  let t = 0;
  const found = make("div", { role: "status" });
  const goal = make("input", { type: "number", step: "any", id: "flip-goal", oninput: () => { if (goal.value !== "") goals[t] = Number(goal.value); } });
  const goalField = make("div", { class: "field small" }, make("label", { for: "flip-goal" }, "across the value"), goal);
  const setTarget = (k) => { t = k; goalField.hidden = Boolean(targets[k].classes); goal.value = goals[k] ?? ""; found.replaceChildren(); };
  setTarget(0);
  const search = () => {
    const told = findFlips(t, goals[t]);
    found.replaceChildren(told.length ? make("ul", { class: "flips" }, told.map((own) => make("li", {}, own.changes.map(([j, x], k) => [k ? " and " : "", isolate(inputs[j].name), " from ", isolate(showInput(inputs[j], state.row[j])), " to ", make("strong", {}, isolate(showInput(inputs[j], x)))]), ": ", showPrediction(targets[t], predict(own.row)), " ", button("Apply", () => setRow(own.row, -1), { class: "quiet" }))))
      : help("No change of one or two values turns it."));
  };
  listeners.row.push(() => found.replaceChildren());
  return make("div", { class: "flip" }, make("h3", {}, "What would change it?"),
    make("div", { class: "tools" }, targets.length > 1 ? choice("Target", targets.map((target) => target.name), setTarget) : null, goalField, button("Find the smallest change", search)), found);
}

// Values at which an input may make a difference: the labels, both sides of the cuts, and some along the range.
function candidatesOf(j) {
  const input = inputs[j];
  if (input.labels) return input.labels.map((_, k) => k).slice(0, MANY_LABELS);
  const values = new Set(input.quantiles || []);
  const step = (input.high - input.low) * 1e-3 || 1e-3;
  const above = (x) => {
    const next = sample ? Math.min(...sample.x.map((row) => row[j]).filter((v) => v !== null && v > x)) : Infinity;
    return isFinite(next) ? next : x + step;
  };
  const cuts = [];
  for (const id of path ? stepNow().terms : []) for (const [own, low, high] of conditionsOf(path.terms[id])) if (own === j) cuts.push(low, high);
  for (const own of tree && !path ? [tree] : []) for (const split of own.splits) if (split.input === j) cuts.push(split.cut);
  for (const cut of cuts) if (cut !== null) values.add(cut).add(above(cut));
  return [...values];
}

function findFlips(t, goal) {
  const target = targets[t];
  const decided = (row) => (target.classes ? decide(target, t, predict(row)) : predict(row)[target.start] >= goal);
  const now = decided(state.row);
  const cost = (j, x) => (inputs[j].labels || state.row[j] === null ? 0.5 : Math.abs(shareAt(inputs[j].quantiles, x) - shareAt(inputs[j].quantiles, state.row[j])) + 1e-6);
  const used = usedInputs().slice(0, forest ? 12 : 60);
  const options = used.map((j) => candidatesOf(j).filter((x) => x !== state.row[j]).map((x) => ({ j, x, cost: cost(j, x) })).sort((a, b) => a.cost - b.cost));
  const withChanges = (changes) => { const row = state.row.slice(); for (const [j, x] of changes) row[j] = x; return row; };
  const singles = options.map((own) => own.find(({ j, x }) => decided(withChanges([[j, x]])) !== now)).filter(Boolean).map((own) => ({ cost: own.cost, changes: [[own.j, own.x]] }));
  const pairs = singles.length ? [] : findPairs(options.slice(0, forest ? 5 : 8), (changes) => decided(withChanges(changes)) !== now);
  return [...singles, ...pairs].sort((a, b) => a.cost - b.cost).slice(0, 3).map((own) => ({ ...own, row: withChanges(own.changes) }));
}

function findPairs(options, turns) {
  const MOST = 14;
  const pairs = [];
  const few = options.map((own) => own.filter((_, k) => k % Math.ceil(own.length / MOST) === 0));
  few.forEach((first, a) => few.slice(a + 1).forEach((second) => {
    let best = null;
    for (const one of first) for (const two of second) {
      const sum = one.cost + two.cost;
      if ((best === null || sum < best.cost) && turns([[one.j, one.x], [two.j, two.x]])) best = { cost: sum, changes: [[one.j, one.x], [two.j, two.x]] };
    }
    if (best) pairs.push(best);
  }));
  return pairs;
}
