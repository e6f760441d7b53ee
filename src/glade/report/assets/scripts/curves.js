// Of one class: how well it is ranked, and whether its probabilities are true.

function curveFigures(target, t, own, k) {
  const curve = own.curves[k];
  if (!curve) return [help("Every row is of this class, or none is: there is no curve.")];
  return [rankFigure(target, curve, k), calibrationFigure(target, curve, k)];
}

function rankFigure(target, curve, k) {
  const label = target.classes[k];
  const area = `${curve.area.toFixed(2)} ± ${curve.areaSe.toFixed(2)}`;
  const { svg, x, y } = frame([0, 1], [0, 1], { xTitle: "share of the others called wrongly", yTitle: `share of ${label} found`, xTicks: SHARES, yTicks: SHARES, label: `ROC curve of ${label}: area ${area}` });
  svg.append(draw("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "guess" }), draw("path", { d: lineOf(curve.alarms.map(x), curve.found.map(y)), class: "line" }));
  return figureOf(["Found and false alarms (ROC): ", isolate(label)], svg, `Area ${area}: of two rows, one ${label} and one not, it ranks the right one higher ${Math.round(100 * curve.area)} times of 100. The dashed line is chance.`);
}

function calibrationFigure(target, curve, k) {
  const label = target.classes[k];
  const { svg, x, y } = frame([0, 1], [0, 1], { xTitle: `predicted probability of ${label}`, yTitle: `share that was ${label}`, xTicks: SHARES, yTicks: SHARES, label: `Calibration of ${label}: ${curve.bins.map((b) => `${percent(b.p)} predicted, ${percent(b.share)} observed`).join("; ")}` });
  const most = Math.max(...curve.bins.map((b) => b.rows));
  svg.append(draw("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "guess" }));
  for (const b of curve.bins) {
    svg.append(draw("line", { x1: x(b.p), x2: x(b.p), y1: y(b.low), y2: y(b.high), class: "whisker" }),
      draw("circle", { cx: x(b.p), cy: y(b.share), r: 3 + 3 * Math.sqrt(b.rows / most), class: "point" }, draw("title", {}, `${plural(b.rows, "row")}: ${percent(b.p)} predicted, ${percent(b.share)} observed`)));
  }
  return figureOf(["Are its probabilities true? ", isolate(label)], svg, "Each point is a group of rows with about the same prediction, with a 95% interval. On the dashed line what was said came true.");
}
