// New rows, dropped or pasted: read and scored in the page; nothing leaves it.

function scorePanel() {
  const box = make("textarea", { id: "score-text", rows: 4, placeholder: inputs.slice(0, 6).map((input) => input.name).join(",") + (inputs.length > 6 ? ",…" : ""), spellcheck: "false" });
  const file = make("input", { type: "file", id: "score-file", accept: ".csv,.tsv,.txt,text/csv", onchange: () => file.files[0] && read(file.files[0]) });
  const result = make("div", { class: "scored", role: "status" });
  const run = () => result.replaceChildren(...showScores(scoreText(box.value)));
  const read = async (own) => { box.value = await own.text(); run(); };
  const zone = make("div", { class: "drop",
    ondragover: (event) => { event.preventDefault(); zone.classList.add("over"); }, ondragleave: () => zone.classList.remove("over"),
    ondrop: (event) => { event.preventDefault(); zone.classList.remove("over"); if (event.dataTransfer.files[0]) read(event.dataTransfer.files[0]); } },
    make("label", { for: "score-file" }, "Drop a CSV file here, or choose one: "), file, make("label", { for: "score-text" }, "or paste rows, with their column names in the first line"), box, button("Score these rows", run));
  return [make("h3", {}, "Score new rows here"), help("The rows stay in this page. Columns are found by their names; what the model does not use may be there too."), zone, result];
}

function scoreText(text) {
  const { rows: [head, ...lines], separator } = readCsv(text.replace(/^\ufeff/, ""));
  if (!head || !lines.length) return { fault: "There are no rows: the first line holds the names of the columns, the others the values." };
  const place = new Map(head.map((name, k) => [name.trim(), k]));
  const needed = usedInputs();
  const lacking = needed.filter((j) => !place.has(inputs[j].name));
  if (lacking.length) return { fault: `The columns ${lacking.slice(0, 5).map((j) => inputs[j].name).join(", ")}${lacking.length > 5 ? ` and ${lacking.length - 5} more` : ""} are missing.` };
  const strange = new Map();
  const rows = lines.map((line) => inputs.map((input, j) => (place.has(input.name) ? readCell(input, (line[place.get(input.name)] ?? "").trim(), separator, strange) : null)));
  const truth = targets.map((target) => (place.has(target.name) ? lines.map((line) => (line[place.get(target.name)] ?? "").trim()) : null));
  return { head, lines, rows, truth, values: rows.map((row) => predict(row)), strange };
}

// A cell as the model takes it; what cannot be read counts as missing, and is told.
function readCell(input, text, separator, strange) {
  if (MISSING.has(text.toLowerCase())) return null;
  let found = null;
  if (input.labels) {
    found = input.labels.indexOf(text);
    if (found < 0) found = input.labels.findIndex((label) => label.toLowerCase() === text.toLowerCase() || (Number(label) === Number(text) && NUMBER.test(text)));
    if (found < 0) found = null;
  } else {
    const number = Number(separator === ";" ? text.replace(",", ".") : text);
    found = isFinite(number) ? number : null;
  }
  if (found === null) strange.set(input.name, (strange.get(input.name) || 0) + 1);
  return found;
}

function scoredTable({ head, lines, values }) {
  const names = shownChannels.map((channel) => (channel.isClass ? `P(${channel.name})` : `predicted ${channel.name}`));
  const decided = targets.map((target, t) => ({ target, t })).filter(({ target }) => target.classes);
  return [[...head, ...decided.map(({ target }) => `predicted ${target.name}`), ...names],
    ...lines.map((line, i) => [...head.map((_, k) => line[k] ?? ""), ...decided.map(({ target, t }) => target.classes[decide(target, t, values[i])]), ...shownChannels.map(({ c }) => values[i][c])])];
}

function showScores(scored) {
  if (scored.fault) return [make("p", { class: "notice" }, scored.fault)];
  const MOST = 20;
  const [head, ...lines] = scoredTable(scored);
  const first = scored.head.length;
  const show = (x) => (typeof x === "number" ? shorten(x) : x);
  const table = make("table", { class: "rows" }, make("caption", {}, `${plural(lines.length, "row")} scored${lines.length > MOST ? `, the first ${MOST}` : ""}`),
    make("thead", {}, make("tr", {}, [...head.slice(first), ...head.slice(0, first)].map((name) => make("th", { scope: "col" }, isolate(name))))),
    make("tbody", {}, lines.slice(0, MOST).map((line) => make("tr", {}, [...line.slice(first), ...line.slice(0, first)].map((x, k) => make("td", { class: k < head.length - first ? "target" : "" }, isolate(show(x))))))));
  const notes = [...scored.strange].map(([name, n]) => help(isolate(name), `: ${plural(n, "value")} that the model does not know count${n === 1 ? "s" : ""} as missing.`));
  return [...notes, ...tellTruth(scored), scrollBox("Scored rows", table), button("Save all scored rows (CSV)", () => saveText("scored.csv", writeCsv([head, ...lines]), "text/csv"))];
}

// Where the rows have targets too: how good the predictions were.
function tellTruth({ truth, values }) {
  return targets.map((target, t) => {
    if (!truth[t]) return null;
    const known = truth[t].map((text, i) => [text, i]).filter(([text]) => !MISSING.has(text.toLowerCase()));
    if (!known.length) return null;
    if (target.classes) {
      const right = known.filter(([text, i]) => target.classes[decide(target, t, values[i])] === text).length;
      return help(isolate(target.name), `: right for ${right} of ${known.length} rows (${percent(right / known.length)}).`);
    }
    const off = meanOf(known.map(([text, i]) => Math.abs(Number(text) - values[i][target.start])));
    return help(isolate(target.name), `: off by ${showNumber(off, target.spread[0])} on average, over ${plural(known.length, "row")}.`);
  }).filter(Boolean);
}
