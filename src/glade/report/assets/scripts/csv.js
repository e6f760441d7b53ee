// Tables as text: read from what is dropped or pasted, and written for what is saved.

const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const MISSING = new Set(["", "na", "nan", "n/a", "null", "none", "?", "."]);

function cellOf(value) {
  if (value === null || value === undefined) return "";
  let text = String(value);
  if (typeof value !== "number" && FORMULA.test(text) && !NUMBER.test(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const writeCsv = (rows) => rows.map((row) => row.map(cellOf).join(",")).join("\n") + "\n";

// Lines of cells; the separator is the one of comma, semicolon and tab that the first line has most of.
function readCsv(text) {
  const first = text.split(/\r?\n/, 1)[0];
  const separator = [",", ";", "\t"].reduce((best, mark) => (first.split(mark).length > first.split(best).length ? mark : best), ",");
  const rows = [];
  let row = [], cell = "", quoted = false;
  const endCell = () => { row.push(cell); cell = ""; };
  const endRow = () => { endCell(); if (row.length > 1 || row[0] !== "") rows.push(row); row = []; };
  for (let k = 0; k < text.length; k++) {
    const c = text[k];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[k + 1] === '"') { cell += c; k++; }
      else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === separator) endCell();
    else if (c === "\n") endRow();
    else if (c !== "\r") cell += c;
  }
  if (cell !== "" || row.length) endRow();
  return { rows, separator };
}

function saveRows(chosen, name) {
  const head = ["row", ...inputs.map((input) => input.name), ...(sample.y ? targets.map((target) => target.name) : [])];
  const lines = chosen.map((i) => [sample.places[i], ...sample.x[i].map((x, j) => (x === null ? "" : inputs[j].labels ? inputs[j].labels[x] : x)), ...(sample.y ? targets.map((target, t) => (sample.y[t][i] === null ? "" : target.classes ? target.classes[sample.y[t][i]] ?? "" : sample.y[t][i])) : [])]);
  saveText(name, writeCsv([head, ...lines]), "text/csv");
}
