// A rule's conditions as chips; what the check of the table has found about an input is marked where it is used.

const GRAVE = new Set(["leaking"]);
const MARKED = new Set(["leaking", "mostly missing", "a mark?", "constant", "look alike", "identifier"]);
const marks = inputs.map((_, j) => facts.findings.filter((finding) => MARKED.has(finding.what) && finding.inputs.includes(j)));

function markOf(j) {
  const own = marks[j] || [];
  if (!own.length) return null;
  const isGrave = own.some((finding) => GRAVE.has(finding.what));
  const words = own.map((finding) => `${finding.what}: ${finding.words}`).join("; ");
  return make("span", { class: isGrave ? "mark grave" : "mark", title: words }, "⚠", make("span", { class: "unseen" }, ` (${words})`));
}

const nameOfInput = (j) => [isolate(inputs[j].name), markOf(j)];

// The input that a condition's words are about: of those the term uses the one with the longest name in them.
function inputOfWords(words, used) {
  return used.filter((j) => words.includes(inputs[j].name)).sort((a, b) => inputs[b].name.length - inputs[a].name.length)[0];
}

function chipsOf(term) {
  const used = inputsOfTerm(term);
  if (term.linear) return make("span", { class: "chips" }, make("span", { class: "chip line" }, isolate(inputs[used[0]].name), ` (linear from ${shorten(term.linear[1])} to ${shorten(term.linear[2])})`, markOf(used[0])));
  if (!term.says || !term.says.length) return make("span", { class: "chips" }, term.words);
  const chips = term.says.map((words, k) => {
    const j = inputOfWords(words, used);
    const chip = make("span", { class: "chip" }, isolateNames(words, j === undefined ? [] : [inputs[j].name]), j === undefined ? null : markOf(j));
    return [k ? make("span", { class: "and" }, " and ") : null, chip];
  });
  return make("span", { class: "chips" }, chips);
}
