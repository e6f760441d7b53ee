// The slider along the path from small models to large ones.

function pathControl() {
  const steps = path.steps;
  if (steps.length < 2) return null;
  const words = make("output", { class: "path-words", "aria-live": "polite" });
  const slider = make("input", {
    type: "range", id: "path-slider", min: 0, max: steps.length - 1, step: 1, value: state.place,
    oninput: () => setPlace(Number(slider.value)),
  });
  const chart = pathChart(steps);
  const back = make("button", { type: "button", onclick: () => setPlace(path.chosen) }, "Back to the fitted model");
  const update = () => {
    const step = stepNow();
    const terms = sizeWords(step);
    slider.value = state.place;
    slider.setAttribute("aria-valuetext", `${terms}, error ${percent(step.error)}`);
    words.replaceChildren(make("strong", {}, terms), ` · held-out error ${percent(step.error)} of a guess’s`,
      step.se > 0 ? ` (± ${percent(step.se)})` : "", state.place === path.chosen ? " · the fitted model" : "");
    chart.mark(state.place);
    back.hidden = state.place === path.chosen;
  };
  listeners.place.push(update);
  update();
  const control = make("div", { class: "path-words-and-slider" },
    make("label", { for: "path-slider" }, "Fewer or more rules"), slider, words, back);
  return make("div", { class: "path" }, control, chart.element);
}

function pathChart(steps) {
  const W = 320, H = 96, LEFT = 34, BOTTOM = 18, TOP = 6;
  const sizes = steps.map((s) => s.size);
  const most = Math.max(...sizes, 1);
  const top = Math.max(...steps.map((s) => s.error + s.se), 1e-9);
  const x = (size) => LEFT + (W - LEFT - 6) * Math.sqrt(size / most);
  const y = (error) => TOP + (H - TOP - BOTTOM) * (1 - error / top);
  const line = steps.map((s, k) => `${k ? "L" : "M"}${x(s.size)},${y(s.error)}`).join("");
  const band = [...steps.map((s) => `${x(s.size)},${y(s.error + s.se)}`), ...steps.map((s) => `${x(s.size)},${y(Math.max(0, s.error - s.se))}`).reverse()].join(" ");
  const dot = draw("circle", { r: 5, class: "dot" });
  const element = draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "path-chart", role: "img", "aria-label": `Held-out error from ${percent(steps[0].error)} with ${plural(sizes[0], "rule")} to ${percent(steps[steps.length - 1].error)} with ${plural(most, "rule")}` },
    draw("line", { x1: LEFT, x2: W - 6, y1: y(0), y2: y(0), class: "axis" }),
    draw("polygon", { points: band, class: "band" }),
    draw("path", { d: line, class: "line" }), dot,
    draw("text", { x: LEFT - 4, y: y(top) + 8, class: "tick end" }, percent(top)),
    draw("text", { x: LEFT - 4, y: y(0) + 3, class: "tick end" }, "0%"),
    draw("text", { x: LEFT, y: H - 4, class: "tick" }, `${sizes[0]}`),
    draw("text", { x: W / 2, y: H - 4, class: "tick middle" }, "rules and linear terms"),
    draw("text", { x: W - 6, y: H - 4, class: "tick end" }, `${most}`));
  return {
    element,
    mark: (place) => {
      dot.setAttribute("cx", x(steps[place].size));
      dot.setAttribute("cy", y(steps[place].error));
    },
  };
}
