// Which inputs matter, how predictions move with them, and what the table holds.

function inputShares() {
  if (!path) return facts.importance;
  const step = stepNow();
  const importance = importanceOf(step, changesOf(step));
  const sums = inputs.map(() => targets.map(() => 0));
  step.terms.forEach((id, k) => {
    const own = inputsOfTerm(path.terms[id]);
    for (const j of own) importance[k].forEach((v, t) => (sums[j][t] += v / own.length));
  });
  const total = targets.map((_, t) => sums.reduce((sum, own) => sum + own[t], 0));
  return sums.map((own) => own.map((v, t) => (total[t] > 0 ? v / total[t] : 0)));
}

function showInputs() {
  const FEW = 12, MAX_COLUMNS = 60;
  let all = false;
  const holder = make("div");
  const more = make("button", { type: "button", onclick: () => { all = true; render(); } });
  const columns = targets.length > 1 ? targets.slice(0, MAX_COLUMNS) : [];
  const isTurned = columns.length > 6;
  function render() {
    const shares = inputShares();
    const mean = shares.map((own) => own.reduce((a, b) => a + b, 0) / own.length);
    const order = inputs.map((_, j) => j).filter((j) => mean[j] > 0).sort((a, b) => mean[b] - mean[a]);
    const most = Math.max(...mean, 1e-300);
    const head = make("tr", {}, make("th", { scope: "col" }, "Input"), make("th", { scope: "col", class: "overall" }, targets.length > 1 ? "All targets" : targets[0].name),
      columns.map((t) => make("th", { scope: "col", class: isTurned ? "turned" : "" }, make("span", {}, t.name))));
    const body = (all ? order : order.slice(0, FEW)).map((j) => make("tr", {}, make("th", { scope: "row" }, inputs[j].name),
      make("td", { class: "overall" }, bar(mean[j] / most, "weight"), make("span", { class: "amount" }, percent(mean[j]))),
      columns.map((t, k) => make("td", { class: "up", title: `${t.name}: ${percent(shares[j][k])}`, style: { "--strength": shares[j][k].toFixed(3) } }, make("span", { class: isTurned ? "unseen" : "" }, percent(shares[j][k]))))));
    const unused = inputs.length - order.length;
    holder.replaceChildren(
      order.length ? scrollBox("Importance of inputs", make("table", { class: "heat importances" }, make("thead", {}, head), make("tbody", {}, body))) : make("p", {}, "The model looks at no input."),
      unused ? make("p", { class: "help" }, `${plural(unused, "input")} not used: ${inputs.filter((_, j) => !order.includes(j)).slice(0, 12).map((i) => i.name).join(", ")}${unused > 12 ? ", …" : ""}`) : "");
    more.hidden = all || order.length <= FEW;
    more.textContent = `Show all ${order.length} inputs`;
  }
  listeners.place.push(render);
  openSection("inputs", "What it looks at", make("p", { class: "help" }, path ? "The share of the rules’ weight that each input has; a rule’s weight is shared by its inputs." : "The share of the explained variation that splits on each input took away."), holder, more);
  render();
}

function showEffects() {
  if (!facts.effects.length) return;
  const channels = targets.flatMap((t) => channelsOf(t).map((c, i) => ({ c, target: t, name: t.classes ? `${t.name}: ${t.classes[i]}` : t.name, spread: t.spread[i] })));
  const grid = make("div", { class: "effects" });
  const render = (k) => {
    const channel = channels[k];
    const values = facts.effects.flatMap((e) => e.y.map((y) => y[channel.c]));
    const range = [Math.min(...values), Math.max(...values)];
    grid.replaceChildren(...facts.effects.map((effect) => effectFigure(effect, channel, range)));
  };
  const pick = channels.length > 1 ? make("div", { class: "tools" }, choice("Prediction of", channels.map((c) => c.name), render)) : null;
  const note = path ? "The mean prediction as one input moves and the others stay as they are in the table, by the fitted model." : "The mean prediction as one input moves and the others stay as they are in the table.";
  openSection("effects", "How predictions move", make("p", { class: "help" }, note), pick, grid);
  render(0);
}

function effectFigure(effect, channel, [low, high]) {
  const input = inputs[effect.input];
  const ys = effect.y.map((y) => y[channel.c]);
  const show = (v) => (channel.target.classes ? percent(v) : showNumber(v, channel.spread));
  const drawn = input.labels ? labelBars(effect, input, ys, [low, high], show) : stepLine(effect, input, ys, [low, high], show);
  return make("figure", {}, make("figcaption", {}, input.name), drawn);
}

function labelBars(effect, input, ys, [low, high], show) {
  const spread = high - low || 1;
  const order = effect.x.map((_, k) => k);
  if (input.kind === "nominal") order.sort((a, b) => ys[b] - ys[a]);
  const list = order.map((k) => make("li", {}, make("span", { class: "name" }, input.labels[effect.x[k]]), bar(0.02 + 0.98 * (ys[k] - low) / spread, "plain"), make("span", { class: "amount" }, show(ys[k]))));
  return make("ul", { class: "label-bars", tabindex: "0", "aria-label": `Mean prediction by ${input.name}` }, list);
}

function stepLine(effect, input, ys, [low, high], show) {
  const W = 300, H = 170, LEFT = 52, RIGHT = 10, TOP = 10, BOTTOM = 34;
  const [first, last] = [effect.x[0], effect.x[effect.x.length - 1]];
  const x = (v) => LEFT + (W - LEFT - RIGHT) * (last > first ? (v - first) / (last - first) : 0.5);
  const y = (v) => TOP + (H - TOP - BOTTOM) * (high > low ? 1 - (v - low) / (high - low) : 0.5);
  const line = effect.x.map((v, k) => `${k ? "L" : "M"}${x(v).toFixed(1)},${y(ys[k]).toFixed(1)}`).join("");
  const tallest = Math.max(...input.bars, 1);
  const width = (W - LEFT - RIGHT) / input.bars.length;
  const bars = input.bars.map((n, k) => draw("rect", { x: LEFT + k * width, y: H - BOTTOM - 26 * n / tallest, width: Math.max(1, width - 1), height: 26 * n / tallest, class: "crowd" }));
  return draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "effect-chart", role: "img", "aria-label": `Mean prediction from ${show(ys[0])} at ${shorten(first)} to ${show(ys[ys.length - 1])} at ${shorten(last)}` },
    bars, draw("line", { x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM, class: "axis" }), draw("path", { d: line, class: "line" }),
    draw("text", { x: LEFT - 6, y: TOP + 6, class: "tick end" }, show(high)), draw("text", { x: LEFT - 6, y: H - BOTTOM, class: "tick end" }, show(low)),
    draw("text", { x: LEFT, y: H - BOTTOM + 16, class: "tick" }, shorten(first)), draw("text", { x: W - RIGHT, y: H - BOTTOM + 16, class: "tick end" }, shorten(last)));
}

function showData() {
  const FEW = 30;
  const { alerts, rows } = facts.table;
  const columns = [...targets.map((t) => ({ ...t, kind: t.classes ? "nominal" : "numeric", labels: t.classes, role: "target" })), ...inputs.map((i) => ({ ...i, role: "input" }))];
  const line = (column) => make("tr", {}, make("th", { scope: "row" }, column.name), make("td", {}, column.role), make("td", {}, column.kind),
    make("td", { class: "number" }, column.missing === undefined ? "–" : column.missing ? percent(column.missing / Math.max(rows, 1)) : "none"), make("td", {}, spreadOf(column)));
  const body = make("tbody", {}, columns.slice(0, FEW).map(line));
  const head = make("thead", {}, make("tr", {}, ["Column", "Role", "Kind", "Missing", "Values"].map((words) => make("th", { scope: "col" }, words))));
  const button = columns.length > FEW ? make("button", { type: "button", onclick: () => { body.append(...columns.slice(FEW).map(line)); button.remove(); } }, `Show all ${columns.length} columns`) : null;
  openSection("data", "The data", make("p", { class: "help" }, `${facts.table.name}: ${plural(rows, "row")}.`),
    alerts.length ? make("ul", { class: "alerts" }, alerts.map((words) => make("li", {}, words))) : make("p", { class: "help" }, "Nothing about its columns looks odd."),
    scrollBox("Columns of the table", make("table", { class: "columns" }, head, body)), button);
}

function spreadOf(column) {
  if (column.common) {
    const total = Math.max(1, facts.table.rows - (column.missing || 0));
    const shown = column.common.slice(0, 4).map(([k, n]) => make("span", { class: "share-of" }, make("span", { class: "label" }, column.labels[k]), ` ${percent(n / total)}`));
    const others = column.labels.length - shown.length;
    return [shown, others > 0 ? make("span", { class: "faint" }, `${others.toLocaleString("en")} more`) : null];
  }
  if (!column.bars || !column.bars.length) return "–";
  const tallest = Math.max(...column.bars);
  const W = 96, H = 22, width = W / column.bars.length;
  const bars = column.bars.map((n, k) => draw("rect", { x: k * width, y: H - H * n / tallest, width: Math.max(1, width - 1), height: H * n / tallest }));
  return [draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "spark", "aria-hidden": "true" }, bars), ` ${shorten(column.low)} to ${shorten(column.high)}`];
}
