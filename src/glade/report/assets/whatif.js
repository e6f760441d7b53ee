// Change a row's values: rules switch, the prediction moves.

function showWhatIf() {
  if (!canPredict) {
    const why = path || tree ? "This model is too large to be computed in a page." : "A forest is too large to be computed in a page.";
    openSection("whatif", "What if", make("p", { class: "help" }, `${why} Use: glade predict.`));
    return;
  }
  const MANY_LABELS = 400;
  const used = usedInputs();
  const fields = used.map((j) => (inputs[j].labels ? labelField(j) : numberField(j)));
  const results = make("div", { class: "predictions", "aria-live": "polite" });
  const reasons = make("div", { class: "reasons" });
  let before = predict(state.row);
  const likeliest = channelsOf(targets[0]).map((c) => before[c]);
  let shown = likeliest.indexOf(Math.max(...likeliest));

  function change(j, x) {
    const row = state.row.slice();
    row[j] = x;
    setRow(row);
  }

  function numberField(j) {
    const { name, low, high } = inputs[j];
    const box = make("input", { type: "text", inputmode: "decimal", id: `input-${j}`, autocomplete: "off", placeholder: "missing", oninput: () => {
      const text = box.value.trim().replace("−", "-");
      const x = text === "" ? null : Number(text);
      box.setAttribute("aria-invalid", String(x !== null && !isFinite(x)));
      if (x === null || isFinite(x)) change(j, x);
    } });
    const slides = low !== null && high > low;
    const slider = slides ? make("input", { type: "range", min: low, max: high, step: "any", "aria-label": `${name}, slider`, oninput: () => change(j, roundTo(Number(slider.value), high - low)) }) : null;
    const update = () => {
      const x = state.row[j];
      if (document.activeElement !== box || Number(box.value.replace("−", "-")) !== x) box.value = x === null ? (document.activeElement === box ? box.value.trim() && box.value : "") : String(x);
      if (slider && x !== null) slider.value = x;
    };
    return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, name), make("div", { class: "pair" }, box, slider)), update };
  }

  function labelField(j) {
    const { name, labels } = inputs[j];
    if (labels.length > MANY_LABELS) {
      const box = make("input", { type: "text", id: `input-${j}`, autocomplete: "off", placeholder: "missing", oninput: () => {
        const k = labels.indexOf(box.value);
        change(j, k < 0 ? null : k);
      } });
      const update = () => { if (document.activeElement !== box) box.value = state.row[j] === null ? "" : labels[state.row[j]]; };
      return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, name), box), update };
    }
    const select = make("select", { id: `input-${j}`, onchange: () => change(j, select.value === "" ? null : Number(select.value)) },
      labels.map((label, k) => make("option", { value: k }, label)), make("option", { value: "" }, "missing, or another value"));
    const update = () => { select.value = state.row[j] === null ? "" : String(state.row[j]); };
    return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, name), select), update };
  }

  const start = sample ? choice("Start from", ["a typical row", ...sample.places.map((place) => `row ${place}`)], (k) => {
    before = null;
    setRow(k ? sample.x[k - 1].slice() : inputs.map((input) => input.typical));
  }) : null;

  function render() {
    const needed = path ? inputsOf(stepNow().terms.map((id) => path.terms[id])) : new Set(used);
    fields.forEach((field, k) => {
      field.update();
      field.element.classList.toggle("idle", !needed.has(used[k]));
    });
    const values = predict(state.row);
    before = before || values;
    results.replaceChildren(...targets.slice(0, 60).map((target, t) => predictionCard(target, t, values)));
    renderReasons();
  }

  function predictionCard(target, t, values) {
    const own = channelsOf(target).map((c) => values[c]);
    const parts = [make("span", { class: "name" }, target.name), make("strong", {}, showPrediction(target, values))];
    const change = values[target.start] - before[target.start];
    if (!target.classes && Math.abs(change) > 1e-12 * Math.abs(before[target.start])) parts.push(make("span", { class: `change ${change < 0 ? "down" : "up"}` }, showChange(change, target.spread[0])));
    if (target.classes && targets.length <= 4) parts.push(make("ul", { class: "label-bars" }, own.map((p, k) => [p, k]).sort((a, b) => b[0] - a[0]).slice(0, 6).map(([p, k]) => make("li", {}, make("span", { class: "name" }, target.classes[k]), bar(p, "plain"), make("span", { class: "amount" }, percent(p))))));
    return make("div", { class: "card" }, parts);
  }

  const channels = targets.flatMap((t) => channelsOf(t).map((c, i) => ({ c, name: t.classes ? `${t.name}: ${t.classes[i]}` : t.name, spread: t.spread[i], link: t.link, second: t.link.isPair ? i : -1, start: t.start, isClass: Boolean(t.classes) })));

  function renderReasons() {
    if (!path) return renderWay();
    const step = stepNow();
    const { c, spread, link, second, start: first, name, isClass } = channels[shown];
    // Of two classes only the second has a score, which runs from -1 to 1.
    const pair = link.isPair && link.isAdditive;
    const scaled = (row) => (pair ? (second ? 1 : -1) * row[first + 1] / 2 : second === 0 ? -row[first + 1] : row[c]);
    const list = step.terms.map((id, k) => ({ words: path.terms[id].words, value: valueOf(path.terms[id], state.row) * scaled(step.effect[k]), on: valueOf(path.terms[id], state.row) !== 0 }));
    const active = list.filter((r) => r.on).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const most = Math.max(...active.map((r) => Math.abs(r.value)), 1e-300);
    const unit = link.isAdditive ? spread : 0.1;
    const MAX = 30;
    reasons.replaceChildren(make("p", { class: "count", role: "status" }, `${active.length} of ${plural(list.length, "term")} add to ${name}`),
      make("ol", { class: "waterfall" },
        make("li", { class: "first" }, make("span", { class: "words" }, "every row starts at"), make("span", { class: "amount" }, showNumber(scaled(step.offset) + (pair ? 0.5 : 0), unit))),
        active.slice(0, MAX).map((r) => make("li", {}, make("span", { class: "words" }, r.words), make("span", { class: "amount" }, showChange(r.value, unit)), swing(r.value / most))),
        active.length > MAX ? make("li", {}, make("span", { class: "words" }, `and ${active.length - MAX} more`), make("span", { class: "amount" }, showChange(active.slice(MAX).reduce((sum, r) => sum + r.value, 0), unit))) : null,
        make("li", { class: "last" }, make("span", { class: "words" }, isClass ? "adds up, made a probability" : "the prediction"), make("span", { class: "amount" }, isClass ? percent(predict(state.row)[c]) : showNumber(predict(state.row)[c], spread)))));
  }

  function renderWay() {
    const way = wayOf(state.row);
    const words = way.slice(1).map((node, k) => tree.splits[tree.split[way[k]]].words[node - tree.splits[tree.split[way[k]]].left]);
    reasons.replaceChildren(make("p", { class: "count" }, "Its way down the tree"), make("ol", { class: "waterfall" }, ["every row", ...words].map((w, k) => make("li", {}, make("span", { class: "words" }, w), make("span", { class: "amount" }, showPrediction(targets[0], tree.value[way[k]])))) ));
  }

  const pick = path && channels.length > 1 ? choice("Why this", channels.map((ch) => ch.name), (k) => { shown = k; renderReasons(); }, shown) : null;
  openSection("whatif", "What if", make("p", { class: "help" }, facts.model.kind === "multitree" ? "Change the values of a row, and see what the tree above says." : "Change the values of a row: rules switch, and the prediction moves. An empty field is a missing value."),
    make("div", { class: "whatif" },
      make("div", { class: "inputs-of-row" }, start, fields.length ? fields.map((f) => f.element) : make("p", {}, "The model looks at no input.")),
      make("div", { class: "outcome" }, results, pick ? make("div", { class: "tools" }, pick) : null, reasons)));
  listeners.row.push(render);
  listeners.place.push(() => { before = null; render(); });
  render();
}

// A slider's value with as many digits as its range makes sensible.
function roundTo(x, range) {
  const decimals = Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(range))));
  return Number(x.toFixed(decimals));
}
