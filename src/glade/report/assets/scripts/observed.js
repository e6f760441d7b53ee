// What was observed of the rows that a rule covers, beside all others; and which rules cover the same rows.

function observedOf(id, c) {
  const values = observed && observed.values && observed.values[id];
  return values && values[0][c] !== null && values[1][c] !== null ? { inside: values[0][c], outside: values[1][c], rows: observed.rows[id] } : null;
}

function observedWords(target, id, told) {
  const own = observedOf(id, target.start + (told.k || 0));
  if (!own) return null;
  const show = (v) => (target.classes ? percent(v) : showNumber(v, target.spread[0]));
  const goesAgainst = (own.inside - own.outside) * told.value < 0;
  const title = `Of the ${plural(own.rows, "row")} of this table inside the rule ${show(own.inside)}, of the others ${show(own.outside)}${goesAgainst ? ". The rule corrects what other rules add: what it adds has the other sign" : ""}`;
  return make("span", { class: "observed", title }, "seen ", make("strong", {}, show(own.inside)), ` · else ${show(own.outside)}`, goesAgainst ? make("span", { class: "tag" }, "corrects") : null);
}

const twins = new Map();
for (const [a, b, share] of (observed && observed.alike) || []) {
  for (const [own, other] of [[a, b], [b, a]]) twins.set(own, [...(twins.get(own) || []), [other, share]]);
}
const twinsOf = (id) => twins.get(id) || [];

// Pairs of rules: the share of the first one's rows that the second covers too.
function overlapMap(rules) {
  const MOST = 25;
  const shown = rules.filter((rule) => rule.term.if).slice(0, MOST);
  if (!sample || shown.length < 2) return null;
  const covered = shown.map((rule) => sample.x.map((row) => covers(rule.term, row)));
  const sizes = covered.map((own) => own.filter(Boolean).length);
  const common = (a, b) => covered[a].reduce((n, own, i) => n + (own && covered[b][i] ? 1 : 0), 0);
  const head = make("tr", {}, make("th", { scope: "col" }, "Of the rows of"), shown.map((rule) => make("th", { scope: "col" }, rule.order + 1)));
  const body = shown.map((rule, a) => make("tr", {}, make("th", { scope: "row", title: rule.words }, `${rule.order + 1} `, make("span", { class: "faint" }, isolateNames(rule.words, inputsOfTerm(rule.term).map((j) => inputs[j].name)))),
    shown.map((other, b) => {
      const share = a === b || !sizes[a] ? null : common(a, b) / sizes[a];
      return make("td", { class: "plain-heat", title: share === null ? null : `${percent(share)} of the rows of rule ${rule.order + 1} are covered by rule ${other.order + 1}`, style: { "--strength": (share || 0).toFixed(3) } }, share === null ? "" : Math.round(100 * share));
    })));
  return make("details", {}, make("summary", {}, "Which rules cover the same rows"), help(`Percent of a rule's rows (line) that another rule (column) covers too, in ${sample.places.length === sample.of ? "all" : "a sample of"} ${sample.places.length.toLocaleString("en")} rows${rules.length > shown.length ? `; the first ${shown.length} rules` : ""}. Rules that overlap share the credit: read them together.`),
    scrollBox("Overlap of rules", make("table", { class: "heat" }, make("thead", {}, head), make("tbody", {}, body))));
}
