// A score card: tick what is true, add up the points, and look the risk up.

function showCard() {
  const { event, lines, sums, risks, rows, observed: seen } = facts.card;
  const ticked = new Set();
  const result = make("p", { class: "now card-sum", role: "status" });
  const table = make("tbody");
  const signed = (points) => `${points < 0 ? "−" : "+"}${Math.abs(points)}`;
  const boxes = lines.map((line, k) => make("input", { type: "checkbox", id: `card-${k}`, onchange: (event) => { if (event.target.checked) ticked.add(k); else ticked.delete(k); render(); } }));
  const lineWords = (words) => {
    const names = inputs.map((input) => input.name).filter((name) => words.includes(name)).sort((a, b) => b.length - a.length);
    return isolateNames(withSigns(words, names), names);
  };
  const body = lines.map((line, k) => make("tr", {}, make("td", {}, boxes[k]), make("th", { scope: "row" }, make("label", { for: `card-${k}` }, lineWords(line.words))),
    make("td", { class: "number" }, signed(line.points)), make("td", { class: "number" }, percent(line.share))));
  const shown = sums.map((_, k) => k).filter((k) => rows[k] !== 0);
  function render() {
    const sum = [...ticked].reduce((total, k) => total + lines[k].points, 0);
    const at = sums.indexOf(sum);
    result.replaceChildren(make("span", {}, "Sum ", make("strong", {}, String(sum).replace("-", "−"))), make("span", {}, "risk of ", isolate(event), " ", make("strong", {}, at < 0 ? "–" : chance(risks[at]))),
      at >= 0 && rows[at] ? make("span", { class: "faint" }, `of ${plural(rows[at], "training row")} with this sum ${percent(seen[at])} were so`) : make("span", { class: "faint" }, "no training row had this sum"));
    table.replaceChildren(...shown.map((k) => make("tr", { class: sums[k] === sum ? "differs" : "" }, make("th", { scope: "row" }, String(sums[k]).replace("-", "−")), make("td", { class: "number" }, chance(risks[k])), make("td", { class: "wide-bar" }, bar(risks[k], "plain")), make("td", { class: "number" }, rows[k] === null ? "–" : rows[k].toLocaleString("en")), make("td", { class: "number" }, seen[k] === null ? "–" : percent(seen[k])))));
  }
  // The lines that are true of the case below are the rules that are on; words tell which rule is which line.
  const fromCase = () => {
    const byWords = new Map(stepNow().terms.map((id) => [path.terms[id].plain, path.terms[id]]));
    ticked.clear();
    lines.forEach((line, k) => { const term = byWords.get(line.words); boxes[k].checked = Boolean(term) && covers(term, state.row); if (boxes[k].checked) ticked.add(k); });
    render();
  };
  const clear = () => { ticked.clear(); for (const box of boxes) box.checked = false; render(); };
  const heads = (names) => make("thead", {}, make("tr", {}, names.map((words) => make("th", { scope: "col" }, words))));
  openSection("card", "The card", help("Tick each line that is true, and read the risk of ", isolate(event), " off the sum."), result,
    make("div", { class: "card-tables" }, make("div", {}, scrollBox("Lines of the card", make("table", {}, heads(["True", "Line", "Points", "Rows"]), make("tbody", {}, body))), make("div", { class: "tools" }, button("Tick what is true of the case below", fromCase), button("Clear", clear))),
      scrollBox("Risk of each sum", make("table", { class: "groups" }, heads(["Sum", "Risk", "As a bar", "Rows", "Observed"]), table))));
  render();
}
