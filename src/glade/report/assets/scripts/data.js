// What the table holds, and what the check of it has found; leaks first and loud.

const WHY = {
  leaking: "Leak",
  constant: "Constant",
  duplicated: "Duplicated",
  "mostly missing": "Mostly missing",
  "a mark?": "A mark for missing?",
  rare: "Rare",
  "look alike": "Look alike",
};

function showFindings() {
  const MANY = 12;
  const { findings } = facts;
  if (!findings.length) return help("The check of the table found nothing suspicious: no input that tells a target alone, no column that is constant, twice there or mostly missing.");
  const importance = facts.importance.map(meanOf);
  const line = (finding) => {
    const isGrave = GRAVE.has(finding.what);
    const used = finding.inputs.filter((j) => importance[j] > 0);
    return make("li", { class: isGrave ? "grave" : "" }, make("strong", {}, isGrave ? "⚠ " : "", WHY[finding.what] || finding.what, ": "), isolateNames(finding.words, finding.inputs.map((j) => inputs[j].name)), used.length ? make("span", { class: "tag" }, `used by the model (${percent(used.reduce((sum, j) => sum + importance[j], 0))} of its weight)`) : null);
  };
  const list = make("ul", { class: "alerts" }, findings.slice(0, MANY).map(line));
  return [list, findings.length > MANY ? button(`Show all ${findings.length} findings`, (event) => { list.append(...findings.slice(MANY).map(line)); event.target.remove(); }) : null];
}

function showData() {
  const FEW = 30;
  const { rows } = facts.table;
  const columns = [...targets.map((t) => ({ ...t, kind: t.classes ? "nominal" : "numeric", labels: t.classes, role: "target" })), ...inputs.map((i, j) => ({ ...i, role: "input", j }))];
  const line = (column) => make("tr", {}, make("th", { scope: "row" }, isolate(column.name), column.j === undefined ? null : markOf(column.j)), make("td", {}, column.role), make("td", {}, column.kind),
    make("td", { class: "number" }, column.missing === undefined ? "–" : column.missing ? percent(column.missing / Math.max(rows, 1)) : "none"), make("td", {}, spreadOf(column)));
  const body = make("tbody", {}, columns.slice(0, FEW).map(line));
  const head = make("thead", {}, make("tr", {}, ["Column", "Role", "Kind", "Missing", "Values"].map((words) => make("th", { scope: "col" }, words))));
  const showAll = () => { body.append(...columns.slice(FEW).map(line)); more.remove(); };
  const more = columns.length > FEW ? button(`Show all ${columns.length} columns`, showAll) : null;
  if (more) window.addEventListener("beforeprint", showAll, { once: true });
  openSection("data", "The data", help(isolate(facts.table.name), `: ${plural(rows, "row")}.`), showFindings(), scrollBox("Columns of the table", make("table", { class: "columns" }, head, body)), more,
    facts.model.settings.length ? make("details", {}, make("summary", {}, "Settings of the model that differ from the defaults"), make("ul", { class: "settings" }, facts.model.settings.map((words) => make("li", {}, make("code", {}, words))))) : null);
}

function spreadOf(column) {
  if (column.common) {
    const total = Math.max(1, facts.table.rows - (column.missing || 0));
    const shown = column.common.slice(0, 4).map(([k, n]) => make("span", { class: "share-of" }, make("span", { class: "label" }, isolate(column.labels[k])), column.role === "target" ? ` ${n.toLocaleString("en")} (${percent(n / total)})` : ` ${percent(n / total)}`));
    const others = column.labels.length - shown.length;
    return [shown, others > 0 ? make("span", { class: "faint" }, `${others.toLocaleString("en")} more`) : null];
  }
  if (!column.bars || !column.bars.length) return "–";
  const tallest = Math.max(...column.bars);
  const W = 96, H = 22, width = W / column.bars.length;
  const bars = column.bars.map((n, k) => draw("rect", { x: k * width, y: H - H * n / tallest, width: Math.max(1, width - 1), height: H * n / tallest }));
  return [draw("svg", { viewBox: `0 0 ${W} ${H}`, class: "spark", "aria-hidden": "true" }, bars), ` ${shorten(column.low)} to ${shorten(column.high)}`];
}
