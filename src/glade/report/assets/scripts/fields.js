// One field for each input of the case. Sliders go by rows, not by amounts: a few far values take no room.

const MANY_LABELS = 400;
const SHOWN_DIGITS = 8; // in a field; the case keeps all, which its title tells, until another value is typed

function changeInput(j, x) {
  const row = state.row.slice();
  row[j] = x;
  setRow(row, -1);
}

// Where a value is among the rows, from 0 to 1, and the value there.
function shareAt(quantiles, x) {
  const n = quantiles.length - 1;
  if (x <= quantiles[0]) return 0;
  for (let k = 1; k <= n; k++) if (x <= quantiles[k]) return (k - 1 + (quantiles[k] > quantiles[k - 1] ? (x - quantiles[k - 1]) / (quantiles[k] - quantiles[k - 1]) : 1)) / n;
  return 1;
}

function valueAt(quantiles, share) {
  const n = quantiles.length - 1;
  const k = Math.min(n - 1, Math.floor(share * n));
  const part = share * n - k;
  const x = quantiles[k] + part * (quantiles[k + 1] - quantiles[k]);
  return part === 0 || part === 1 ? quantiles[k + part] : roundTo(x, quantiles[n] - quantiles[0]);
}

// A slider's value with as many digits as its range makes sensible.
function roundTo(x, range) {
  const decimals = Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(range))));
  return Number(x.toFixed(decimals));
}

function readNumber(text) {
  const plain = text.trim().replace("−", "-");
  if (plain === "") return { value: null };
  const value = Number(plain);
  if (isFinite(value)) return { value };
  return { fault: /^-?[\d.]*,\d+$/.test(plain) ? "a decimal is written with a point: 3.5" : "this is no number" };
}

function numberField(j) {
  const { name, low, high, quantiles } = inputs[j];
  const note = make("span", { class: "note", id: `note-${j}`, role: "status" });
  const box = make("input", { type: "text", inputmode: "decimal", id: `input-${j}`, autocomplete: "off", placeholder: "missing", "aria-describedby": note.id, oninput: () => {
    const { value, fault } = readNumber(box.value);
    box.setAttribute("aria-invalid", String(Boolean(fault)));
    if (fault) note.textContent = fault;
    else changeInput(j, value);
  } });
  const slides = low !== null && high > low && quantiles.length > 1;
  const slider = slides ? make("input", { type: "range", min: 0, max: 1, step: 0.005, "aria-label": `${name}, slider`, oninput: () => changeInput(j, valueAt(quantiles, Number(slider.value))) }) : null;
  const update = () => {
    const x = state.row[j];
    const isTyping = document.activeElement === box && readNumber(box.value).value === x;
    if (!isTyping) box.value = x === null ? "" : String(Number(x.toPrecision(SHOWN_DIGITS)));
    box.title = x === null ? "" : String(x);
    box.setAttribute("aria-invalid", "false");
    if (slider) {
      slider.classList.toggle("missing", x === null);
      if (document.activeElement !== slider) slider.value = x === null ? 0.5 : shareAt(quantiles, x);
      slider.setAttribute("aria-valuetext", x === null ? "missing" : String(x));
    }
    note.textContent = x === null || low === null ? "" : x > high ? `above all rows of the table: ${shorten(high)} is the most` : x < low ? `below all rows of the table: ${shorten(low)} is the least` : "";
  };
  return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, nameOfInput(j)), make("div", { class: "pair" }, box, slider), note), update };
}

function labelField(j) {
  const { labels } = inputs[j];
  if (labels.length > MANY_LABELS) {
    const box = make("input", { type: "text", id: `input-${j}`, autocomplete: "off", placeholder: "missing", oninput: () => {
      const k = labels.indexOf(box.value);
      changeInput(j, k < 0 ? null : k);
    } });
    const update = () => { if (document.activeElement !== box) box.value = state.row[j] === null ? "" : labels[state.row[j]]; };
    return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, nameOfInput(j)), box), update };
  }
  const select = make("select", { id: `input-${j}`, onchange: () => changeInput(j, select.value === "" ? null : Number(select.value)) },
    labels.map((label, k) => make("option", { value: k }, label)), make("option", { value: "" }, "missing, or another value"));
  const update = () => { select.value = state.row[j] === null ? "" : String(state.row[j]); };
  return { element: make("div", { class: "input" }, make("label", { for: `input-${j}` }, nameOfInput(j)), select), update };
}
