// Inputs that act together: the strongest pairs, and maps of the mean prediction over two inputs.

function togetherPanel(channel) {
  const { pairs, maps, rows, addsScores } = facts.together;
  const own = pairs.map((pair) => ({ ...pair, share: pair.shares[channel.t] })).filter((pair) => pair.share >= 0.001).sort((a, b) => b.share - a.share);
  const nameOfPair = (pair) => [isolate(inputs[pair[0]].name), " and ", isolate(inputs[pair[1]].name)];
  const title = make("h3", {}, "Inputs that act together");
  if (!own.length) return [title, help("None that matter: what one input does to ", isolate(channel.target.name), " is about the same whatever the others are, so the pictures above tell it all.")];
  const most = Math.max(own[0].share, 0.1); // a pair that hardly matters has no long bar
  const bars = make("ul", { class: "label-bars pairs" }, own.slice(0, 6).map((pair) => make("li", {}, make("span", { class: "name" }, nameOfPair(pair.inputs)), bar(pair.share / most, "weight"), make("span", { class: "amount" }, percent(pair.share)))));
  const scale = addsScores && channel.isClass ? ", on the scale on which the model adds up" : "";
  return [title, help("What two inputs do together that neither does alone, as a share of what the predictions for ", isolate(channel.target.name), " vary. Read a pair with a large share by its map, not by the two pictures above."),
    bars, make("div", { class: "effects" }, own.map((pair) => maps.find((map) => map.axes.every((axis, k) => axis.input === pair.inputs[k]))).filter(Boolean).map((map) => pairFigure(map, channel))),
    help(`Measured by the H-statistic over ${plural(rows, "row")} and the most important inputs${scale}. A fitted model always finds a little: glade.interactions(model, X, y) fits it again to targets in which nothing acts together, and says which pairs are more than chance.`)];
}

// What stands along an axis of a map: between cells the cuts of a number, beside each cell a label.
function marksOf(axis) {
  const input = inputs[axis.input];
  if (input.labels) return axis.points.map((code, k) => [k + 0.5, input.labels[code]]);
  const sensible = (v) => shorten(Number(v.toPrecision(3)));
  const inner = axis.edges.slice(1, -1).map((v, k) => [k + 1, sensible(v)]);
  return inner.length ? inner : axis.edges.map((v, k) => [k, sensible(v)]);
}

function pairFigure({ axes: [across, up], rows, values }, channel) {
  const { c } = channel;
  const [nx, ny] = [across.points.length, up.points.length];
  const cut = (words) => (words.length > 13 ? `${words.slice(0, 12)}…` : words);
  const [xs, ys] = [marksOf(across), marksOf(up)].map((marks) => marks.map(([at, words]) => [at, cut(words)]));
  const W = 340, LEFT = 34 + 6.3 * Math.max(...ys.map(([, words]) => words.length)), RIGHT = 8, TOP = 8;
  const width = (W - LEFT - RIGHT) / nx, height = Math.max(22, Math.min(40, 200 / ny));
  const isTurned = xs.some(([, words]) => words.length * 6.3 > 1.05 * width * (inputs[across.input].labels ? 1 : nx / xs.length));
  const longest = 6.3 * Math.max(...xs.map(([, words]) => words.length));
  const bottom = TOP + ny * height, H = bottom + (isTurned ? longest + 6 : 16) + 22;
  const all = values.flatMap((column, a) => column.map((cell, b) => (rows[a][b] ? cell[c] : null))).filter((v) => v !== null);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const show = (v) => (channel.isClass ? percent(v) : showNumber(v, channel.spread));
  const fits = width >= 6.3 * Math.max(show(low).length, show(high).length) + 6;
  const words = values.map((column, a) => column.map((cell, b) => `${rows[a][b] ? show(cell[c]) : "no rows"}`));
  const svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", class: "chart pair", "aria-label": `Mean prediction over ${inputs[across.input].name} and ${inputs[up.input].name}: from ${show(low)} to ${show(high)}` });
  values.forEach((column, a) => column.forEach((cell, b) => {
    const share = high > low ? (cell[c] - low) / (high - low) : 0.5;
    const [x, y] = [LEFT + a * width, bottom - (b + 1) * height];
    const box = { x: x + 0.75, y: y + 0.75, width: width - 1.5, height: height - 1.5, rx: 2 };
    svg.append(rows[a][b] ? draw("rect", { ...box, class: "cell", style: { "--strength": share.toFixed(3) } }, draw("title", {}, `${words[a][b]} (${plural(rows[a][b], "row")})`)) : draw("rect", { ...box, class: "cell none" }, draw("title", {}, "no rows")));
    if (fits && rows[a][b]) svg.append(draw("text", { x: x + width / 2, y: y + height / 2 + 4, class: share > 0.6 ? "tick middle on-colour" : "tick middle strong" }, words[a][b]));
  }));
  ys.forEach(([at, text]) => svg.append(draw("text", { x: LEFT - 5, y: bottom - at * height + 4, class: "tick end" }, text)));
  xs.forEach(([at, text]) => svg.append(isTurned ? draw("text", { x: 0, y: 0, class: "tick end", transform: `translate(${LEFT + at * width + 4} ${bottom + 6}) rotate(-90)` }, text) : draw("text", { x: LEFT + at * width, y: bottom + 14, class: "tick middle" }, text)));
  svg.append(draw("text", { x: (LEFT + W - RIGHT) / 2, y: H - 5, class: "title middle" }, inputs[across.input].name),
    draw("text", { x: 0, y: 0, class: "title middle", transform: `translate(11 ${(TOP + bottom) / 2}) rotate(-90)` }, inputs[up.input].name));
  const empty = rows.flat().some((n) => !n);
  return figureOf([isolate(inputs[across.input].name), " and ", isolate(inputs[up.input].name)], svg, `The fuller the colour the more: from ${show(low)} to ${show(high)}.${empty ? " An empty cell has no rows." : ""}`);
}
