// One case: change its values, and see what the model says, why, and what would change its mind.

function showCase() {
  if (!canPredict) {
    openSection("case", "One case", help("This model is too large to be computed in a page. `glade predict` and `glade explain` say what it makes of a row; `glade fit --model rules` makes a model that fits a page."));
    return;
  }
  const used = usedInputs();
  const fields = used.map((j) => (inputs[j].labels ? labelField(j) : numberField(j)));
  const now = make("div", { class: "now" });
  const results = make("div", { class: "predictions", tabindex: "0", role: "region", "aria-label": "Predictions" });
  const reasons = make("div", { class: "reasons" });
  const title = make("p", { class: "case-title" });
  let before = predict(state.row);
  let shown = firstShown(before);

  function render() {
    const needed = path ? inputsOf(stepNow().terms.map((id) => path.terms[id])) : new Set(used);
    fields.forEach((field, k) => {
      field.update();
      field.element.classList.toggle("idle", !needed.has(used[k]));
    });
    const values = predict(state.row);
    title.replaceChildren(...titleOfCase());
    now.replaceChildren(...targets.slice(0, 3).map((target, t) => nowWords(target, t, values)), targets.length > 3 ? make("span", { class: "faint" }, `and ${targets.length - 3} more below`) : "");
    results.replaceChildren(...targets.slice(0, 60).map((target, t) => predictionCard(target, t, values, before)));
    results.hidden = targets.length === 1 && !targets[0].classes;
    reasons.replaceChildren(...reasonsPanel(values, shownChannels[shown]));
  }

  const pick = path && shownChannels.length > 1 ? choice("Why this", shownChannels.map((ch) => ch.name), (k) => { shown = k; render(); }, shown) : null;
  const restart = () => { before = predict(state.row); };
  const help1 = facts.model.kind === "multitree" ? "Change the values of a row, and see what the tree above says. All the trees together may say something else: glade predict." : "Change the values: rules switch, and the prediction moves. An empty field is a missing value. The address of this page holds the case: copy it to show somebody the same.";
  openSection("case", "One case", help(help1), title, now,
    make("div", { class: "whatif" },
      make("div", { class: "inputs-of-row" }, sample ? rowPicker(restart) : null, fields.length ? fields.map((f) => f.element) : make("p", {}, "The model looks at no input.")),
      make("div", { class: "outcome" }, results, pick ? make("div", { class: "tools" }, pick) : null, reasons, flipPanel(),
        make("div", { class: "tools" }, button("Print this case", printCase), button("Copy the address", copyAddress)))));
  listeners.row.push(render);
  listeners.threshold.push(render);
  listeners.place.push(() => { before = predict(state.row); render(); });
  render();
}

// The event of the first target, or its likeliest class, or its number.
function firstShown(values) {
  const own = shownChannels.map((channel, k) => ({ ...channel, place: k })).filter((channel) => channel.t === 0);
  return own.reduce((best, channel) => (values[channel.c] > values[best.c] ? channel : best), own[0]).place;
}

function titleOfCase() {
  if (state.opened < 0 || !sample) return ["A case of your own"];
  const place = sample.places[state.opened];
  return [place === facts.typical.place ? `Row ${place}, the most typical one` : `Row ${place}`, " of ", isolate(facts.table.name)];
}

const truthOf = (t) => (state.opened >= 0 && sample && sample.y && sample.x[state.opened].every((x, j) => x === state.row[j]) ? showTruth(targets[t], t, state.opened) : null);

function nowWords(target, t, values) {
  const truth = truthOf(t);
  const own = channelsOf(target).map((c) => values[c]);
  const said = target.classes ? [make("strong", {}, isolate(target.classes[decide(target, t, values)])), events[t] !== null ? [" (", chance(own[events[t]]), " ", isolate(target.classes[events[t]]), ")"] : ` (${chance(Math.max(...own))})`] : make("strong", {}, showNumber(own[0], target.spread[0]));
  return make("span", { class: "now-of" }, make("span", { class: "name" }, isolate(target.name)), " ", said, truth === null ? null : [" ", make("span", { class: "truth" }, "truly ", isolate(truth))]);
}

function predictionCard(target, t, values, before) {
  const own = channelsOf(target).map((c) => values[c]);
  const parts = [make("span", { class: "name" }, isolate(target.name)), make("strong", {}, target.classes ? isolate(target.classes[decide(target, t, values)]) : showNumber(own[0], target.spread[0]))];
  const change = values[target.start] - before[target.start];
  if (!target.classes && Math.abs(change) > 1e-12 * Math.abs(before[target.start])) parts.push(make("span", { class: `change ${change < 0 ? "down" : "up"}` }, showChange(change, target.spread[0])));
  if (target.classes) parts.push(make("ul", { class: "label-bars" }, own.map((p, k) => [p, k]).sort((a, b) => b[0] - a[0]).slice(0, targets.length <= 4 ? 6 : 2).map(([p, k]) => make("li", {}, make("span", { class: "name" }, isolate(target.classes[k])), bar(p, "plain", colourOfClass(target, k)), make("span", { class: "amount" }, chance(p))))));
  return make("div", { class: "card" }, parts);
}

function printCase() {
  document.body.classList.add("print-case");
  window.addEventListener("afterprint", () => document.body.classList.remove("print-case"), { once: true });
  window.print();
}

function copyAddress(event) {
  writeAddress();
  copyText(location.href, event.target);
}

// Without a clipboard (a page from a file may have none) the text is shown, chosen, to be copied by hand.
async function copyText(text, place) {
  const words = place.textContent;
  try {
    await navigator.clipboard.writeText(text);
    place.textContent = "Copied";
    setTimeout(() => (place.textContent = words), 1500);
  } catch {
    const box = make("textarea", { class: "by-hand", readonly: true, rows: 3, "aria-label": "The text, to be copied by hand" });
    box.value = text;
    place.after(box);
    box.select();
  }
}
