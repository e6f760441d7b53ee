// Which inputs matter, for each target.

function inputShares() {
  if (!path) return facts.importance;
  const step = stepNow();
  const importance = importanceOf(step, changesOf(step));
  const sums = inputs.map(() => targets.map(() => 0));
  step.terms.forEach((id, k) => {
    const term = path.terms[id];
    const own = isList ? [...new Set(term.if.map(([j]) => j))] : inputsOfTerm(term); // rules of a list that come before are not its own
    for (const j of own) importance[k].forEach((v, t) => (sums[j][t] += v / own.length));
  });
  const total = targets.map((_, t) => sums.reduce((sum, own) => sum + own[t], 0));
  return sums.map((own) => own.map((v, t) => (total[t] > 0 ? v / total[t] : 0)));
}

function showInputs() {
  const FEW = 12, MAX_COLUMNS = 60;
  let all = false;
  const holder = make("div");
  const more = button("", () => { all = true; render(); });
  const columns = targets.length > 1 ? targets.slice(0, MAX_COLUMNS) : [];
  const isTurned = columns.length > 6;
  function render() {
    const shares = inputShares();
    const mean = shares.map(meanOf);
    const order = inputs.map((_, j) => j).filter((j) => mean[j] > 0).sort((a, b) => mean[b] - mean[a]);
    const most = Math.max(...mean, 1e-300);
    const ofTarget = columns.map((_, k) => Math.max(...shares.map((own) => own[k]), 1e-300));
    const head = make("tr", {}, make("th", { scope: "col" }, "Input"), make("th", { scope: "col", class: "overall" }, targets.length > 1 ? "All targets" : isolate(targets[0].name)),
      columns.map((t) => make("th", { scope: "col", class: isTurned ? "turned" : "" }, make("span", {}, isolate(t.name)))));
    const body = (all ? order : order.slice(0, FEW)).map((j) => make("tr", {}, make("th", { scope: "row" }, nameOfInput(j)),
      make("td", { class: "overall" }, bar(mean[j] / most, "weight"), make("span", { class: "amount" }, percent(mean[j]))),
      columns.map((t, k) => make("td", { class: "share-cell", title: `${t.name}: ${percent(shares[j][k])}`, style: { "--strength": (shares[j][k] / ofTarget[k]).toFixed(3) } }, isTurned ? Math.round(100 * shares[j][k]) || "·" : percent(shares[j][k])))));
    const unused = inputs.length - order.length;
    holder.replaceChildren(
      order.length ? scrollBox("Importance of inputs", make("table", { class: "heat importances" }, columns.length ? make("caption", {}, "Percent; the fullest colour is the largest of its column") : null, make("thead", {}, head), make("tbody", {}, body))) : make("p", {}, "The model looks at no input."),
      unused ? help(`${plural(unused, "input")} not used: `, inputs.map((_, j) => j).filter((j) => !order.includes(j)).slice(0, 12).flatMap((j, k) => [k ? ", " : "", isolate(inputs[j].name)]), unused > 12 ? ", …" : "") : "");
    more.hidden = all || order.length <= FEW;
    more.textContent = `Show all ${order.length} inputs`;
  }
  listeners.place.push(render);
  openSection("inputs", "What it looks at", help(path ? "The share of the rules’ weight that each input has; a rule’s weight is shared by its inputs." : "The share of the explained variation that splits on each input took away."), holder, more);
  window.addEventListener("beforeprint", () => { all = true; render(); });
  render();
}
