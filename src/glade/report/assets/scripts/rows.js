// The rows of the table from which a case may start: searched, and sorted by what is said of them or how wrong it is.

function rowPicker(restart) {
  const MOST = 200;
  const view = { sort: 0, search: "" };
  const list = make("select", { id: "row-list", size: 6, onchange: () => { setRow(sample.x[Number(list.value)].slice(), Number(list.value)); restart(); tell("row"); } });
  const said = sample.unseen || sample.x.map((row) => predict(row, path ? path.chosen : undefined));
  const valueOf = (i) => { const target = targets[0]; return target.classes ? said[i][target.start + (events[0] ?? 0)] : said[i][target.start]; };
  const isTrue = (i) => sample.y && sample.y[0][i] !== null;
  const offBy = (i) => {
    if (!isTrue(i)) return -1;
    const target = targets[0];
    return target.classes ? 1 - (said[i][target.start + sample.y[0][i]] ?? 0) : Math.abs(said[i][target.start] - sample.y[0][i]);
  };
  const sorts = [["by number", (a, b) => a - b], ["highest prediction first", (a, b) => valueOf(b) - valueOf(a)], ["lowest prediction first", (a, b) => valueOf(a) - valueOf(b)], ...(sample.y ? [["most wrong first", (a, b) => offBy(b) - offBy(a)]] : [])];
  const show = (i) => {
    const target = targets[0];
    const own = target.classes && events[0] !== null ? `${target.classes[events[0]]} ${chance(valueOf(i))}` : valueOf(i) === null || valueOf(i) === undefined ? "" : showText(showPrediction(target, said[i]));
    return `row ${sample.places[i]} · ${own}${isTrue(i) ? ` · truly ${showTruth(target, 0, i)}` : ""}`;
  };
  const words = sample.x.map((row, i) => `${show(i)} ${row.map((x, j) => (inputs[j].labels && x !== null ? inputs[j].labels[x] : "")).join(" ")}`.toLowerCase());
  // A number alone is that row; other words stand anywhere.
  const fits = (i) => !view.search || (/^(row )?\d+$/.test(view.search) ? String(sample.places[i]) === view.search.replace("row ", "") : words[i].includes(view.search));
  const render = () => {
    const kept = sample.places.map((_, i) => i).filter(fits).sort((a, b) => sorts[view.sort][1](a, b) || a - b);
    list.replaceChildren(...kept.slice(0, MOST).map((i) => make("option", { value: i, selected: i === state.opened }, show(i))), kept.length > MOST ? make("option", { disabled: true }, `and ${kept.length - MOST} more: search`) : "");
  };
  const search = make("input", { type: "search", id: "row-search", oninput: () => { view.search = search.value.toLowerCase().trim(); render(); } });
  render();
  listeners.row.push(() => { list.value = state.opened < 0 ? "" : String(state.opened); });
  const source = sample.unseen ? "what is said of them here is by models that had not seen them" : "as the model says now";
  return make("fieldset", { class: "row-picker" }, make("legend", {}, "Start from a row of the table"),
    make("div", { class: "tools" }, make("label", { class: "field" }, make("span", {}, "Search rows"), search), choice("Sort rows", sorts.map(([name]) => name), (k) => { view.sort = k; render(); })),
    make("label", { class: "unseen", for: "row-list" }, "Rows"), list, make("p", { class: "reading" }, `${sample.places.length === sample.of ? "All" : "A sample of"} ${sample.places.length.toLocaleString("en")} rows; ${source}.`),
    facts.typical.place === null ? null : button("The most typical row", () => { setRow(facts.typical.x.slice(), sample.places.indexOf(facts.typical.place)); restart(); tell("row"); }, { class: "quiet" }));
}
