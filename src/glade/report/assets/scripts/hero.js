// The first screen: how good the model is, target by target, and what it looks at most.

function goodnessLine(target, own, yardstick) {
  const { share, se, words } = own.verdict;
  const size = share === null ? 0 : Math.max(0, Math.min(1, share));
  const low = Math.max(0, Math.min(1, share - 2 * (se || 0))), high = Math.max(0, Math.min(1, share + 2 * (se || 0)));
  const isPoor = quality.isUnseen && ( share === null || size === 0 || words.startsWith("no better") || words.startsWith("worse"));
  const amount = share === null ? "" : share <= 0 ? "explains nothing" : `explains ${percent(share)}${se === null ? "" : ` (${percent(low)} to ${percent(high)})`}`;
  const track = make("span", { class: "track", "aria-hidden": "true" },
    make("span", { class: isPoor ? "own poor" : quality.isUnseen ? "own" : "own seen", style: { width: `${100 * size}%` } }),
    se === null || share === null ? null : make("span", { class: "reach", style: { left: `${100 * low}%`, width: `${100 * (high - low)}%` } }),
    yardstick === null ? null : make("span", { class: "forest", style: { left: `${100 * Math.max(0, Math.min(1, yardstick))}%` } }));
  return make("li", {}, make("span", { class: "name" }, isolate(target.name)), make("span", { class: "amount" }, amount), track,
    make("span", { class: isPoor ? "verdict poor" : "verdict" }, quality.isUnseen ? words : "on rows it may have been fitted to"));
}

// What another model of the same folds explains of a number; of classes its errors are told in words.
function yardstickOf(t) {
  const line = facts.errors && facts.errors.lines[t];
  if (!line || line.errors.length < 3) return null;
  const [guess, other] = [line.errors[0], line.errors.at(-2)];
  return line.metric === "RMSE" && guess > 0 ? 1 - (other / guess) ** 2 : null;
}

function errorWords(line) {
  const target = targets.find((own) => own.name === line.target);
  const show = (x) => (line.metric === "error" ? `${percent(x)} wrong` : `off by ${target ? showNumber(x, target.spread[0]) : shorten(x)}`);
  const names = facts.errors.models;
  return make("tr", {}, make("th", { scope: "row" }, isolate(line.target)), line.errors.map((error, k) => make("td", { "data-label": names[k] }, show(error))));
}

function showHero() {
  const MAX_LINES = 6;
  const parts = [];
  if (quality) {
    const lines = quality.targets.map((own, t) => (own ? goodnessLine(targets[t], own, yardstickOf(t)) : null)).filter(Boolean);
    const list = make("ul", { class: "goodness" }, lines.slice(0, MAX_LINES));
    const showAll = () => { list.append(...lines.slice(MAX_LINES)); more.remove(); };
    const more = lines.length > MAX_LINES ? button(`Show all ${lines.length} targets`, showAll) : null;
    if (more) window.addEventListener("beforeprint", showAll, { once: true });
    const hasPoor = list.querySelector(".own.poor") !== null || lines.slice(MAX_LINES).some((line) => line.querySelector(".own.poor"));
    const hasGood = lines.some((line) => line.querySelector(".own:not(.poor)"));
    const hasYardstick = quality.targets.some((own, t) => own && yardstickOf(t) !== null);
    parts.push(make("p", { class: "how" }, quality.isUnseen ? "The longer the bar, the better: the share of what varies that is explained, on rows the model had not seen." : "The share of what varies that is explained, on this table: if the model was fitted to it, new rows will show less."), list,
      more,
      make("p", { class: "legend" }, [...(hasGood ? [[quality.isUnseen ? "own" : "own seen", "explained"]] : []), ...(hasPoor ? [["own poor", "explained, but no better than guessing"]] : []), ["reach", "likely range (± 2 standard errors)"], ...(hasYardstick ? [["forest", facts.errors.models.at(-2)]] : [])].map(([kind, words]) => [make("span", { class: "of" }, make("span", { class: `key ${kind}` }), ` ${words}`), " "])));
  }
  if (facts.errors) {
    const { models, lines } = facts.errors;
    const head = make("tr", {}, make("th", { scope: "col" }, facts.errors.how), models.map((name) => make("th", { scope: "col" }, name)));
    const hasRmse = lines.some((line) => line.metric === "RMSE");
    const table = make("table", { class: "errors" }, hasRmse ? make("caption", {}, "“Off by” is the root mean square error, in which large errors count more") : null, make("thead", {}, head), make("tbody", {}, lines.slice(0, 12).map(errorWords)));
    parts.push(lines.length > 3 ? make("details", {}, make("summary", {}, `Errors of ${models.join(", ")}`), scrollBox("Errors", table)) : scrollBox("Errors", table));
  }
  const order = inputs.map((_, j) => j).filter((j) => shareOf(j) > 0).sort((a, b) => shareOf(b) - shareOf(a)).slice(0, 6);
  const most = order.length ? shareOf(order[0]) : 1;
  if (order.length) parts.push(make("h3", {}, "What it looks at most"), make("ul", { class: "label-bars" }, order.map((j) => make("li", {}, make("span", { class: "name" }, nameOfInput(j)), bar(shareOf(j) / most, "weight"), make("span", { class: "amount" }, percent(shareOf(j) / targets.length))))));
  openSection("errors", "How good it is", parts);
}
