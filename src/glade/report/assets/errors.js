// How good the model is, in one line for each target: its error as a part of the error of a guess.

function showErrors() {
    const { errors, heldOut, onTable } = facts;
  const MAX_LINES = errors ? 6 : 4;
  const told = errors || onTable;
  const parts = [];
  if (heldOut && !errors) {
    const line = errorLine("all targets together", heldOut.error, null, `${percent(heldOut.error)} of the guess’s`);
    parts.push(make("p", { class: "how" }, "Squared error on rows held out while fitting"), make("ul", { class: "errors" }, line));
  }
  if (told) {
    const lines = told.lines.map((line) => {
      const [guess, ...others] = line.errors;
      const own = others[others.length - 1];
      const forest = others.length > 1 ? others[0] / guess : null;
      const show = (x) => (line.metric === "error" ? percent(x) : shorten(x));
      const share = guess > 0 ? own / guess : own > 0 ? 1 : 0;
      const words = line.metric === "error" ? `${show(own)} wrong, guess ${show(guess)}` : `${show(own)}, guess ${show(guess)}`;
      return errorLine(line.target, share, forest, words);
    });
    const list = make("ul", { class: "errors" }, lines.slice(0, MAX_LINES));
    parts.push(make("p", { class: "how" }, errors ? `Error on rows not seen: ${errors.how}` : "Error on this table; if the model was fitted to it, new rows will show a larger one"), list);
    if (lines.length > MAX_LINES) {
      const button = make("button", { type: "button", onclick: () => { list.append(...lines.slice(MAX_LINES)); button.remove(); } }, `Show all ${lines.length} targets`);
      parts.push(button);
    }
  }
  if (!parts.length) return document.getElementById("errors").remove();
  const forest = told && told.models.length > 2;
  const legend = make("p", { class: "legend" },
    make("span", { class: "key own" }), " this model ",
    forest ? [make("span", { class: "key forest" }), " forest "] : [],
    make("span", { class: "key guess" }), " always the mean or commonest class");
  openSection("errors", "How good it is", ...parts, legend);
}

function errorLine(name, share, forest, words) {
  const track = make("span", { class: "track", "aria-hidden": "true" },
    make("span", { class: share > 1 ? "own worse" : "own", style: { width: `${100 * Math.min(1, share)}%` } }),
    forest === null ? null : make("span", { class: "forest", style: { left: `${100 * Math.min(1, forest)}%` } }));
  return make("li", {}, make("span", { class: "name" }, name), make("span", { class: "amount" }, words), track);
}
