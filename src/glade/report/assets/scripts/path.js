// The slider along the path from small models to large ones, and what a smaller one would do otherwise.

function pathControl() {
  const steps = path.steps;
  if (steps.length < 2) return null;
  const words = make("output", { class: "path-words", "aria-live": "polite" });
  const slider = make("input", {
    type: "range", id: "path-slider", min: 0, max: steps.length - 1, step: 1, value: state.place,
    oninput: () => setPlace(Number(slider.value)),
  });
  const chart = pathChart(steps);
  const back = button("Back to the fitted model", () => setPlace(path.chosen));
  const beside = make("p", { class: "beside", role: "status" });
  const update = () => {
    const step = stepNow();
    const terms = `${sizeWords(step)}, ${plural(countConditions(step), "condition")}`;
    slider.value = state.place;
    slider.setAttribute("aria-valuetext", `${terms}, leaves ${percent(step.error)} of a guess’s ${path.measure}`);
    words.replaceChildren(make("strong", {}, terms), ` · leaves ${percent(step.error)} of a guess’s ${path.measure}${withError(step)}`, state.place === path.chosen ? " · the fitted model" : "");
    chart.mark(state.place);
    back.hidden = state.place === path.chosen;
    beside.textContent = besideFitted();
  };
  listeners.place.push(update);
  update();
  const control = make("div", { class: "path-words-and-slider" },
    make("label", { for: "path-slider" }, "How much do you want to read?"), slider, words, back, beside);
  return make("div", { class: "path panel" }, control, figureOf("Error by the size of the model", chart.element, `The ${path.measure} as a share of a guess’s, by rows held out while fitting; the band is one standard error.${isSquared ? "" : " “Explained”, above, is told by squares, and by folds of its own."}`));
}

const isSquared = Boolean(path) && path.measure === "squared error";
// Folds that happen to agree say little of how sure their mean is.
const withError = (step) => (step.se >= 0.005 ? ` (± ${percent(step.se)})` : "");

// The shown size beside the fitted one: in how many rows of the sample they decide otherwise.
function besideFitted() {
  if (state.place === path.chosen || !sample || !path.steps[path.chosen].whole || !stepNow().whole) return "";
  const said = sample.x.map((row) => [predict(row, path.chosen), predict(row, state.place)]);
  const parts = targets.slice(0, 3).map((target, t) => {
    if (target.classes) {
      const n = said.filter(([a, b]) => decide(target, t, a) !== decide(target, t, b)).length;
      return `${n} of ${said.length} rows get another class of ${target.name}`;
    }
    const off = meanOf(said.map(([a, b]) => Math.abs(a[target.start] - b[target.start])));
    return `${target.name} differs by ${showNumber(off, target.spread[0])} on average`;
  });
  return `Beside the fitted model: ${parts.join("; ")}.`;
}

function pathChart(steps) {
  const W = 320, H = 120, LEFT = 40, BOTTOM = 30, TOP = 6;
  const sizes = steps.map((s) => s.size);
  const most = Math.max(...sizes, 1);
  const top = Math.max(...steps.map((s) => s.error + s.se), 1e-9);
  const x = (size) => LEFT + (W - LEFT - 6) * Math.sqrt(size / most);
  const y = (error) => TOP + (H - TOP - BOTTOM) * (1 - error / top);
  const band = [...steps.map((s) => `${x(s.size)},${y(s.error + s.se)}`), ...steps.map((s) => `${x(s.size)},${y(Math.max(0, s.error - s.se))}`).reverse()].join(" ");
  const dot = draw("circle", { r: 5, class: "dot" });
  const element = draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart path-chart", role: "img", "aria-label": `Held-out ${path.measure} from ${percent(steps[0].error)} with ${plural(sizes[0], "rule")} to ${percent(steps[steps.length - 1].error)} with ${plural(most, "rule")}` },
    draw("line", { x1: LEFT, x2: W - 6, y1: y(0), y2: y(0), class: "axis" }),
    draw("polygon", { points: band, class: "band" }),
    draw("path", { d: lineOf(steps.map((s) => x(s.size)), steps.map((s) => y(s.error))), class: "line" }), dot,
    draw("text", { x: LEFT - 4, y: y(top) + 8, class: "tick end" }, percent(top)),
    draw("text", { x: LEFT - 4, y: y(0) + 3, class: "tick end" }, "0%"),
    draw("text", { x: LEFT, y: H - 14, class: "tick" }, `${sizes[0]}`),
    draw("text", { x: W / 2, y: H - 2, class: "title middle" }, "rules and linear terms"),
    draw("text", { x: W - 6, y: H - 14, class: "tick end" }, `${most}`));
  return {
    element,
    mark: (place) => {
      dot.setAttribute("cx", x(steps[place].size));
      dot.setAttribute("cy", y(steps[place].error));
    },
  };
}
