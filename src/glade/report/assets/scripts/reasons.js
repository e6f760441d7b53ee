// Why: from what every row starts at, term by term, to the prediction.

function reasonsPanel(values, channel) {
  if (path) return termReasons(values, channel);
  return tree ? wayReasons() : inputReasons(values, channel);
}

function termReasons(values, { c, name, spread, isClass }) {
  const MAX = 30;
  const { start, list } = reasonsOf(state.row, c);
  const most = Math.max(...list.map((r) => Math.abs(r.value)), 1e-300);
  const show = (v) => (isClass ? chance(v) : showNumber(v, spread));
  const showStep = (v) => (isClass ? points(v) : showChange(v, spread));
  const shown = list.slice(0, MAX), rest = list.slice(MAX);
  const line = (r) => make("li", {}, make("span", { class: "words" }, chipsOf(path.terms[r.id])), make("span", { class: "amount" }, showStep(r.value)), swing(r.value / most), make("span", { class: "amount so-far" }, show(r.after)));
  return [make("p", { class: "count", role: "status" }, `${list.length} of ${plural(stepNow().terms.length, "term")} apply here and lead to `, isolate(name)),
    make("ol", { class: "waterfall" },
      make("li", { class: "first" }, make("span", { class: "words" }, isList ? "no rule of the list" : "every row starts at"), make("span", { class: "amount" }), make("span"), make("span", { class: "amount so-far" }, show(start))),
      shown.map(line),
      rest.length ? make("li", {}, make("span", { class: "words" }, `and ${rest.length} more`), make("span", { class: "amount" }, showStep(rest.reduce((sum, r) => sum + r.value, 0)))) : null,
      make("li", { class: "last" }, make("span", { class: "words" }, "the prediction: ", isolate(name)), make("span", { class: "amount" }), make("span"), make("span", { class: "amount so-far" }, show(values[c]))))];
}

function wayReasons() {
  const way = wayOf(state.row);
  const words = way.slice(1).map((node, k) => {
    const split = tree.splits[tree.split[way[k]]];
    return isolateNames(split.words[node - split.left], [inputs[split.input].name]);
  });
  const line = (w, k) => make("li", {}, make("span", { class: "words" }, w), make("span", { class: "amount so-far wide" }, showPrediction(targets[0], tree.value[way[k]])), make("span", { class: "faint" }, plural(tree.rows[way[k]], "row")));
  return [make("p", { class: "count" }, "Its way down the tree"), make("ol", { class: "waterfall way" }, ["every row", ...words].map(line))];
}

// Of a forest: what the prediction would be if one input had its typical value.
function inputReasons(values, { c, name, spread, isClass }) {
  const list = usedInputs().slice(0, 40).map((j) => {
    const row = state.row.slice();
    row[j] = facts.typical.x[j];
    return { j, value: values[c] - predict(row)[c] };
  }).filter((own) => own.value !== 0).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 12);
  const most = Math.max(...list.map((r) => Math.abs(r.value)), 1e-300);
  if (!list.length) return [help("Each value is that of the typical row, or does the same here: change one, or start from another row, to see what it does.")];
  return [make("p", { class: "count" }, "What each value does to ", isolate(name), ": the prediction less that with the value of the typical row. These do not add up, since trees look at inputs together."),
    make("ol", { class: "waterfall" }, list.map((r) => make("li", {}, make("span", { class: "words" }, isolate(inputs[r.j].name), " is ", isolate(showInput(inputs[r.j], state.row[r.j])), make("span", { class: "faint" }, ", not ", isolate(showInput(inputs[r.j], facts.typical.x[r.j])))), make("span", { class: "amount" }, isClass ? points(r.value) : showChange(r.value, spread)), swing(r.value / most), make("span"))))];
}
