// Two classes: what comes of calling the event from some probability on, counted over all rows.

// The threshold of the model itself may be no hundredth: what comes of it is counted apart.
function countsAt(own, t, p) {
  const event = events[t], k = Math.round(100 * p);
  const [found, alarms] = p === firstThreshold(t) ? own.said : [own.thresholds.right[k], own.thresholds.wrong[k]];
  const nEvents = own.counts[event], nOthers = own.counts[1 - event];
  return { found, alarms, missed: nEvents - found, spared: nOthers - alarms, nEvents, nOthers };
}

function thresholdPanel(target, t, own) {
  const event = events[t];
  const [label, other] = [target.classes[event], target.classes[1 - event]];
  const [alarm, miss] = target.errorCosts || [1, 1];
  const cost = { alarm, miss };
  const slider = make("input", { type: "range", id: `threshold-${t}`, min: 0, max: 100, step: 1, oninput: () => setThreshold(t, slider.value / 100) });
  const words = make("output", { class: "path-words", "aria-live": "polite", for: `threshold-${t}` });
  const table = make("table", { class: "confusion" });
  const keys = make("dl", { class: "keys" });
  const amount = (name, key) => {
    const box = make("input", { type: "number", min: 0, step: "any", value: cost[key], id: `cost-${key}-${t}`, oninput: () => { if (box.value !== "" && Number(box.value) >= 0) { cost[key] = Number(box.value); panel.update(); } } });
    return make("div", { class: "field small" }, make("label", { for: box.id }, name), box);
  };
  const costAt = (p) => { const c = countsAt(own, t, p); return cost.alarm * c.alarms + cost.miss * c.missed; };
  const cheapest = () => {
    let best = 0;
    for (let k = 0; k <= 100; k++) if (costAt(k / 100) < costAt(best / 100)) best = k;
    setThreshold(t, best / 100);
  };
  const chance100 = (n, of) => (of > 0 ? percent(n / of) : "–");
  const panel = make("div", { class: "threshold panel" },
    make("div", {}, make("label", { for: slider.id }, "Say ", isolate(label), " from this probability on"), slider, words,
      make("div", { class: "tools" }, amount("a false alarm costs", "alarm"), amount("a miss costs", "miss"), button("The cheapest threshold", cheapest)), keys),
    scrollBox("Counts at the threshold", table));
  panel.update = () => {
    const p = state.threshold[t];
    const c = countsAt(own, t, p);
    const shown = p > 1 ? "never" : percent(p);
    slider.value = Math.round(100 * p);
    slider.setAttribute("aria-valuetext", `${shown}: ${c.found} of ${c.nEvents} found, ${c.alarms} false alarms`);
    words.replaceChildren(make("strong", {}, shown), `: finds ${c.found} of the ${c.nEvents} that are `, isolate(label), `, with ${plural(c.alarms, "false alarm")}`);
    const cell = (n, of, kind) => make("td", { class: kind, style: { "--strength": (of > 0 ? n / of : 0).toFixed(3) } }, make("strong", {}, n.toLocaleString("en")), ` ${chance100(n, of)}`);
    table.replaceChildren(
      make("caption", {}, "Rows are what was true, columns what is said; shares are of each row"),
      make("thead", {}, make("tr", {}, make("td"), make("th", { scope: "col" }, "said: ", isolate(label)), make("th", { scope: "col" }, "said: ", isolate(other)))),
      make("tbody", {},
        make("tr", {}, make("th", { scope: "row" }, "truly ", isolate(label)), cell(c.found, c.nEvents, "hit"), cell(c.missed, c.nEvents, "miss")),
        make("tr", {}, make("th", { scope: "row" }, "truly ", isolate(other)), cell(c.alarms, c.nOthers, "miss"), cell(c.spared, c.nOthers, "hit"))));
    const called = c.found + c.alarms;
    const told = [["found (sensitivity)", chance100(c.found, c.nEvents)], ["rightly spared (specificity)", chance100(c.spared, c.nOthers)], [`of those called ${label}, truly so (precision)`, chance100(c.found, called)], ["right in all", chance100(c.found + c.spared, c.nEvents + c.nOthers)], ["cost", costAt(p).toLocaleString("en")]];
    keys.replaceChildren(...keyList(told));
  };
  panel.update();
  return panel;
}

// More than two classes: how often each is called each.
function confusionTable(target, counts) {
  const sums = counts.map((row) => row.reduce((a, b) => a + b, 0));
  const head = make("tr", {}, make("td"), target.classes.map((label) => make("th", { scope: "col", class: counts.length > 6 ? "turned" : "" }, make("span", {}, isolate(label)))), make("th", { scope: "col" }, "found"));
  const body = counts.map((row, a) => make("tr", {}, make("th", { scope: "row" }, "truly ", isolate(target.classes[a])),
    row.map((n, b) => make("td", { class: a === b ? "hit" : "miss", title: `${n} of ${sums[a]} that are ${target.classes[a]} are called ${target.classes[b]}`, style: { "--strength": (sums[a] ? n / sums[a] : 0).toFixed(3) } }, n || "·")), make("td", { class: "number" }, sums[a] ? percent(row[a] / sums[a]) : "–")));
  return scrollBox("How often each class is called each", make("table", { class: "confusion" }, make("caption", {}, "Rows are what was true, columns what is said"), make("thead", {}, head), make("tbody", {}, body)));
}
