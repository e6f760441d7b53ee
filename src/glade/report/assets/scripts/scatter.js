// Numbers: predicted beside actual, and how far predictions are off. Both are made of all rows.

function scatterFigure(target, own) {
  if (!own.cells) return null;
  const { low, high, n, cells } = own.cells;
  const show = (v) => shorten(v);
  const ticks = ticksOf(low, high, show);
  const { svg, x, y } = frame([low, high], [low, high], { xTitle: "predicted", yTitle: "actual", xTicks: ticks, yTicks: ticks, label: `Predicted beside actual ${target.name}, R² ${own.r2 === null ? "unknown" : own.r2.toFixed(2)}` });
  const most = Math.max(...cells.map((cell) => cell[2]));
  const size = (high - low) / n;
  svg.append(draw("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), class: "guess" }));
  for (const [a, b, count] of cells) svg.append(draw("circle", { cx: x(low + (a + 0.5) * size).toFixed(1), cy: y(low + (b + 0.5) * size).toFixed(1), r: (1.4 + 2.6 * Math.sqrt(count / most)).toFixed(2), class: "point" }));
  return figureOf(["Predicted and actual: ", isolate(target.name)], svg, `All ${own.rows.toLocaleString("en")} rows${most > 1 ? "; a larger point is more of them" : ""}. On the dashed line predictions are right.`);
}

function biasWords(target, own) {
  const size = showNumber(Math.abs(own.bias), target.spread[0]);
  return /[1-9]/.test(size) ? `On average it says ${size} too ${own.bias > 0 ? "much" : "little"}.` : "On average it says neither too much nor too little.";
}

function residualFigure(target, own) {
  if (!own.off) return null;
  const { most, bars } = own.off;
  const top = Math.max(...bars);
  const { svg, x, y } = frame([-most, most], [0, top], { xTitle: "actual less predicted", yTitle: "rows", xTicks: ticksOf(-most, most, shorten), yTicks: ticksOf(0, top, shorten, 3), label: `How far predictions of ${target.name} are off` });
  const width = (2 * most) / bars.length;
  bars.forEach((count, k) => svg.append(draw("rect", { x: x(-most + k * width) + 0.5, width: Math.max(1, x(width) - x(0) - 1), y: y(count), height: y(0) - y(count), class: "crowd strong" })));
  svg.append(draw("line", { x1: x(0), x2: x(0), y1: y(0), y2: y(top), class: "guess" }));
  return figureOf("How far it is off", svg, `To the right it said too little, to the left too much. ${biasWords(target, own)}`);
}
