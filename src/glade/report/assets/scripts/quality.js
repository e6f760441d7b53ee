// How good the predictions are: counts at a threshold, curves, subgroups; for numbers predicted beside actual.

function showQuality() {
  if (!quality || !quality.targets.some(Boolean)) return;
  const holder = make("div");
  const told = targets.map((target, t) => ({ target, t, own: quality.targets[t] })).filter(({ own }) => own);
  const show = (place) => {
    const { target, t, own } = told[place];
    const parts = own.counts ? classQuality(target, t, own) : numberQuality(target, own);
    holder.replaceChildren(make("h3", { class: "of-target" }, isolate(target.name), make("span", { class: "faint" }, ` ${plural(own.rows, "row")}${quality.isUnseen ? `, ${own.verdict.words}` : ""}`)), ...parts.flat().filter(Boolean), subgroups(target, t, own));
  };
  const pick = told.length > 1 ? make("div", { class: "tools" }, choice("Target", told.map(({ target }) => target.name), show)) : null;
  const how = quality.isUnseen ? `All of this is about rows the model had not seen: predictions ${quality.how}.` : "All of this is about the rows of this table. If the model was fitted to them, new rows will show larger errors.";
  openSection("quality", "How good the predictions are", help(how), pick, holder);
  listeners.threshold.push(() => holder.querySelector(".threshold")?.update());
  show(0);
}

function classQuality(target, t, own) {
  const isPair = events[t] !== null;
  const figures = make("div", { class: "figures" });
  const curves = (k) => figures.replaceChildren(...curveFigures(target, t, own, k));
  if (own.curves.length) curves(isPair ? events[t] : 0);
  const pick = !isPair && own.curves.length ? make("div", { class: "tools" }, choice("Curves of the class", target.classes.slice(0, own.curves.length), curves)) : null;
  const facing = [["right", percent(own.right)], [`always guessing ${target.classes[own.counts.indexOf(Math.max(...own.counts))]} is right`, percent(own.guess)], ["log loss", own.logLoss.toFixed(3)], ["Brier score", own.brier.toFixed(3)]];
  return [isPair ? thresholdPanel(target, t, own) : null, make("dl", { class: "keys" }, keyList(facing)),
    !isPair && own.confusion ? confusionTable(target, own.confusion) : null, pick, figures];
}

function numberQuality(target, own) {
  const show = (v) => showNumber(v, target.spread[0]);
  const facing = [["on average off by", show(own.mae)], ["root mean square error", show(own.rmse)], ["always guessing the mean (the same measure)", show(own.guessRmse)], ["R²", own.r2 === null ? "–" : own.r2.toFixed(3)],
    ...own.within.map(([share, off]) => [`${percent(share)} of the predictions are off by less than`, show(off)])];
  return [make("dl", { class: "keys" }, keyList(facing)),
    make("div", { class: "figures" }, scatterFigure(target, own), residualFigure(target, own))];
}
