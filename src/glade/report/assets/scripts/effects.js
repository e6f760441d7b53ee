// How predictions move with one input: the mean over rows, and a band in which eight in ten of them lie.

function showEffects() {
  if (!facts.effects.length) return;
  const view = { channel: 0, same: false };
  const grid = make("div", { class: "effects" });
  const together = make("div", { id: "together" });
  const of = make("h3", { class: "of-target" });
  const render = () => {
    const channel = shownChannels[view.channel];
    of.replaceChildren(channel.isClass ? "The chance of " : "The prediction of ", isolate(channel.name));
    const all = facts.effects.flatMap((e) => e.y.map((y) => y[channel.c]));
    grid.replaceChildren(...facts.effects.map((effect) => effectFigure(effect, channel, view.same ? [Math.min(...all), Math.max(...all)] : null)));
    together.replaceChildren(...togetherPanel(channel));
  };
  const same = make("input", { type: "checkbox", onchange: () => { view.same = same.checked; render(); } });
  const tools = make("div", { class: "tools" }, shownChannels.length > 1 ? choice("Prediction of", shownChannels.map((c) => c.name), (k) => { view.channel = k; render(); }) : null,
    make("label", { class: "check" }, same, "the same scale in every picture"));
  openSection("effects", "How predictions move", help("The line is the mean prediction as one input moves and the others stay as they are. The band holds eight in ten rows: where it is wide, other inputs matter too; where it widens, narrows or bends otherwise than the line, the input acts together with them. Grey bars are where the rows are; the few rows beyond the scale (1 in 100 at each end) are left out."), tools, of, grid, together);
  render();
}

function effectFigure(effect, channel, range) {
  const input = inputs[effect.input];
  const drawn = input.labels ? labelDots(effect, input, channel, range) : stepLine(effect, input, channel, range);
  return figureOf([isolate(input.name)], drawn, ...(knotsOf(effect, input) ? ["This axis goes by rows: most values are close together, and a few far away."] : []));
}

// Where half of the rows would stand on an eighth of the axis, it goes by rows: the values at even steps along it.
function knotsOf(effect, input) {
  const quantiles = input.quantiles || [];
  const [first, last, n] = [effect.x[0], effect.x[effect.x.length - 1], quantiles.length - 1];
  if (input.labels || n < 4 || quantiles[Math.round(0.75 * n)] - quantiles[Math.round(0.25 * n)] >= (last - first) / 8) return null;
  const knots = [...new Set([first, ...quantiles.filter((q) => q > first && q < last), last])];
  return knots.length > 3 ? knots : null;
}

// Between two neighbours in a list that rises: the place of a value, and what else is known there.
function along(list, v) {
  if (v <= list[0]) return 0;
  const k = list.findIndex((own) => own >= v);
  return k < 0 ? list.length - 1 : k - (list[k] - v) / (list[k] - list[k - 1]);
}
function valueThere(values, place) {
  const k = Math.min(values.length - 2, Math.floor(place));
  return values[k] + (place - k) * (values[k + 1] - values[k]);
}

const showEffect = (channel, v) => (channel.isClass ? percent(v) : shorten(v));

// The scale of one picture: what the line and its band reach, with some room.
function rangeOf(effect, c, range) {
  if (range) return range;
  const values = [...effect.y, ...effect.low, ...effect.high].map((y) => y[c]).filter((v) => v !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? [low, high] : [low - 0.5, high + 0.5];
}

function stepLine(effect, input, channel, range) {
  const { c } = channel;
  const [low, high] = rangeOf(effect, c, range);
  const knots = knotsOf(effect, input);
  // Both sides of a cut have the same value of the input: in between only knots are added.
  const added = (knots || []).filter((v) => !effect.x.includes(v)).map((v) => [v, along(effect.x, v)]);
  const points = [...effect.x.map((v, k) => [v, k]), ...added].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const at = points.map(([v]) => v);
  const [first, last] = [at[0], at[at.length - 1]];
  const read = (list) => points.map(([, k]) => valueThere(list.map((own) => own[c]), k));
  const [ys, above, below] = [effect.y, effect.high, effect.low].map(read);
  const place = (v) => (knots ? along(knots, v) : v);
  const ticks = knots ? [0, 1, 2, 3].map((k) => knots[Math.round(k * (knots.length - 1) / 3)]).map((v) => [place(v), shorten(v)]) : ticksOf(first, last, shorten, 3);
  const { svg, x, y } = frame([place(first), place(last)], [low, high], { xTitle: input.name, yTitle: channel.name, xTicks: ticks, yTicks: ticksOf(low, high, (v) => showEffect(channel, v), 3), label: `Mean prediction from ${showEffect(channel, ys[0])} at ${shorten(first)} to ${showEffect(channel, ys[ys.length - 1])} at ${shorten(last)}` });
  const tallest = Math.max(...effect.bars, 1);
  const width = (x(place(last)) - x(place(first))) / effect.bars.length;
  const bars = knots ? [] : effect.bars.map((n, k) => draw("rect", { x: x(first) + k * width, y: y(low) - 40 * n / tallest, width: Math.max(1, width - 1), height: 40 * n / tallest, class: "crowd" }));
  const xs = at.map((v) => x(place(v)));
  const band = [...xs.map((v, k) => `${v.toFixed(1)},${y(above[k]).toFixed(1)}`), ...xs.map((v, k) => `${v.toFixed(1)},${y(below[k]).toFixed(1)}`).reverse()].join(" ");
  svg.append(...bars, draw("polygon", { points: band, class: "band" }), draw("path", { d: lineOf(xs, ys.map(y)), class: "line" }));
  return svg;
}

// Labels from top to bottom: the mean as a dot, the band as a line, and how many rows there are.
function labelDots(effect, input, channel, range) {
  const MOST = 12;
  const { c } = channel;
  const order = effect.x.map((_, k) => k);
  if (input.kind === "nominal") order.sort((a, b) => effect.y[b][c] - effect.y[a][c]);
  const shown = order.length > MOST ? [...order.slice(0, MOST / 2), ...order.slice(-MOST / 2)] : order;
  const W = 340, LEFT = 110, RIGHT = 50, ROW = 20, H = 16 + ROW * shown.length + 40;
  const [low, high] = rangeOf(effect, c, range);
  const x = (v) => LEFT + (W - LEFT - RIGHT) * (v - low) / (high - low || 1);
  const tallest = Math.max(...effect.bars, 1);
  const cut = (words) => (words.length > 15 ? `${words.slice(0, 14)}…` : words);
  const svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img", "aria-label": `Mean prediction by ${input.name}: ${shown.map((k) => `${input.labels[effect.x[k]]} ${showEffect(channel, effect.y[k][c])}`).join(", ")}` },
    ticksOf(low, high, (v) => showEffect(channel, v), 3).map(([v, words]) => [draw("line", { x1: x(v), x2: x(v), y1: 8, y2: H - 38, class: "grid" }), draw("text", { x: x(v), y: H - 22, class: "tick middle" }, words)]),
    draw("text", { x: (LEFT + W - RIGHT) / 2, y: H - 6, class: "title middle" }, channel.name), draw("text", { x: W - 4, y: H - 22, class: "tick end" }, "rows"));
  shown.forEach((k, place) => {
    const y = 18 + place * ROW;
    const label = input.labels[effect.x[k]];
    svg.append(draw("text", { x: LEFT - 8, y: y + 4, class: "tick end strong" }, cut(label), draw("title", {}, label)),
      draw("rect", { x: W - RIGHT + 6, y: y - 5, width: (RIGHT - 8) * effect.bars[k] / tallest, height: 10, class: "crowd" }),
      draw("line", { x1: x(effect.low[k][c]), x2: x(effect.high[k][c]), y1: y, y2: y, class: "reach" }), draw("circle", { cx: x(effect.y[k][c]), cy: y, r: 4.5, class: "point" }));
  });
  return svg;
}
