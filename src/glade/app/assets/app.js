// The app: four steps, each a question to the server on this machine. Text from the table only ever becomes text.
(() => {
"use strict";
const token = new URLSearchParams(location.search).get("token") || "";
const $ = (id) => document.getElementById(id);
const state = { columns: [], targets: new Set(), drop: new Set(), events: new Map() };

async function ask(path, body) {
  const how = body === undefined ? {} : { method: "POST", body };
  const answer = await fetch(path, { ...how, headers: { "X-Glade-Token": token } });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.fault || "the app did not answer");
  return told;
}

function say(id, words, isFault) {
  $(id).textContent = words;
  $(id).hidden = false;
  $(id).classList.toggle("fault", Boolean(isFault));
}

async function take(file) {
  say("table-words", `Reading ${file.name} …`);
  for (const id of ["step-columns", "step-fit", "step-page", "check-words"]) $(id).hidden = true;
  try {
    const told = await ask(`/table?name=${encodeURIComponent(file.name)}`, file);
    Object.assign(state, { columns: told.columns, targets: new Set(), drop: new Set(), events: new Map() });
    say("table-words", `${told.name}: ${told.rows.toLocaleString("en")} rows, ${told.columns.length} columns`);
    $("step-columns").hidden = false;
    showColumns();
  } catch (fault) {
    say("table-words", fault.message, true);
  }
}

function tick(name, set, other, words) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = set.has(name);
  box.setAttribute("aria-label", words);
  box.addEventListener("change", () => {
    if (box.checked) { set.add(name); other.delete(name); } else set.delete(name);
    showColumns();
    $("columns").querySelector(`[aria-label="${CSS.escape(words)}"]`)?.focus();
  });
  return box;
}

function showColumns() {
  const wanted = $("search").value.toLowerCase();
  const shown = state.columns.filter((column) => column.name.toLowerCase().includes(wanted)).slice(0, 500);
  $("columns").replaceChildren(...shown.map((column) => {
    const row = document.createElement("tr");
    const parts = [column.shown, tick(column.name, state.targets, state.drop, `predict ${column.shown}`), tick(column.name, state.drop, state.targets, `leave out ${column.shown}`),
      `${column.kind}${column.labels.length ? `: ${column.labels.slice(0, 4).join(", ")}${column.distinct > 4 ? ", …" : ""}` : ""}${column.missing ? ` (${column.missing.toLocaleString("en")} missing)` : ""}`];
    parts.forEach((part, k) => {
      const cell = document.createElement(k ? "td" : "th");
      if (!k) cell.scope = "row";
      cell.append(part);
      row.append(cell);
    });
    return row;
  }));
  $("check").disabled = !state.targets.size;
  $("step-fit").hidden = !state.targets.size;
  showEvents();
}

// Of each target with two labels the one to look for, where no number is predicted beside them; nothing chosen is the rarer.
function showEvents() {
  const predicted = state.columns.filter((column) => state.targets.has(column.name));
  const pairs = predicted.every((column) => column.kind === "labels") ? predicted.filter((column) => column.distinct === 2) : [];
  for (const name of state.events.keys()) if (!pairs.some((column) => column.name === name)) state.events.delete(name);
  $("events").replaceChildren(...pairs.map((column, k) => {
    const field = document.createElement("div"), label = document.createElement("label"), select = document.createElement("select");
    field.className = "field";
    label.textContent = `Look for (${column.shown})`;
    label.htmlFor = select.id = `event-${k}`;
    select.append(new Option("the rarer one", ""), ...column.labels.map((own) => new Option(own, own)));
    select.value = state.events.get(column.name) || "";
    select.addEventListener("change", () => { if (select.value) state.events.set(column.name, select.value); else state.events.delete(column.name); });
    field.append(label, select);
    return field;
  }));
}

const chosen = () => ({ targets: [...state.targets], drop: [...state.drop] });

async function check() {
  say("check-words", "Checking …");
  try {
    const told = await ask("/check", JSON.stringify(chosen()));
    say("check-words", [...told.said, ...(told.code ? told.remarks : [])].join("\n"), told.code);
  } catch (fault) {
    say("check-words", fault.message, true);
  }
}

async function fit() {
  const asked = { ...chosen(), model: $("model").value, events: Object.fromEntries(state.events) };
  if ($("max-rules").value) asked.max_rules = Number($("max-rules").value);
  $("step-page").hidden = true;
  try {
    await ask("/fit", JSON.stringify(asked));
    say("fit-words", "Fitting …");
    $("stop").hidden = false;
    watch();
  } catch (fault) {
    say("fit-words", fault.message, true);
  }
}

async function watch() {
  let told;
  try {
    told = await ask("/job");
  } catch (fault) {
    return say("fit-words", fault.message, true);
  }
  if (!told.started) { $("stop").hidden = true; return say("fit-words", "Stopped."); }
  say("fit-said", [...told.said, ...told.remarks.slice(-3)].join("\n"));
  if (told.code === null) { say("fit-words", told.remarks.at(-1) || "Fitting …"); return setTimeout(watch, 500); }
  $("stop").hidden = true;
  if (told.code !== 0) return say("fit-words", told.remarks.at(-1) || "The fit has failed.", true);
  say("fit-words", "Done.");
  const own = encodeURIComponent(token);
  $("open").href = `/page?token=${own}`;
  $("save-page").href = `/save?file=page&token=${own}`;
  $("save-model").href = `/save?file=model&token=${own}`;
  $("step-page").hidden = false;
  $("open").focus();
}

$("file").addEventListener("change", () => $("file").files[0] && take($("file").files[0]));
$("drop").addEventListener("dragover", (event) => { event.preventDefault(); $("drop").classList.add("over"); });
$("drop").addEventListener("dragleave", () => $("drop").classList.remove("over"));
$("drop").addEventListener("drop", (event) => { event.preventDefault(); $("drop").classList.remove("over"); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); });
$("search").addEventListener("input", showColumns);
$("check").addEventListener("click", check);
$("fit").addEventListener("click", fit);
$("stop").addEventListener("click", () => ask("/stop", "{}").catch((fault) => say("fit-words", fault.message, true)));
})();
