// Every rule on every target, as a map: towards or away from an event, more or less of a number, or the class that it
// speaks for, in that class's colour.

function heatMap(rules, largest) {
  const shown = rules.slice(0, 100);
  const head = make("tr", {}, make("th", { scope: "col" }, "Rule"), targets.map((t) => make("th", { scope: "col", class: "turned" }, make("span", {}, isolate(headOf(t))))));
  const body = shown.map((rule) => make("tr", {},
    make("th", { scope: "row", title: rule.words }, `${rule.order + 1} `, make("span", { class: "faint" }, isolateNames(rule.words, inputsOfTerm(rule.term).map((j) => inputs[j].name)))),
    targets.map((target, t) => heatCell(target, t, rule, largest[t]))));
  const kinds = [];
  if (targets.some((target, t) => target.classes && events[t] !== null)) kinds.push([make("span", { class: "key up" }), " likelier ", make("span", { class: "key down" }), " less likely · "]);
  if (targets.some((target) => !target.classes)) kinds.push([make("span", { class: "key up" }), " more ", make("span", { class: "key down" }), " less · "]);
  if (targets.some((target, t) => target.classes && events[t] === null)) kinds.push("of more than two classes: the colour of the class it speaks for · ");
  return make("div", {}, make("h3", {}, "Every rule on every target"),
    make("p", { class: "help legend" }, kinds, "full colour is the largest effect on that target", rules.length > shown.length ? `; the first ${shown.length} rules` : ""),
    scrollBox("Heat map of rules and targets", make("table", { class: "heat" }, make("thead", {}, head), make("tbody", {}, body))));
}

function heatCell(target, t, rule, largest) {
  const told = tellChange(target, rule.change);
  const words = `${told.label === null ? "" : told.label + " "}${showTold(target, told.value, told.spread)}`;
  let [value, colour] = [told.value, null];
  if (told.label !== null) {
    const own = channelsOf(target).map((c) => rule.change[c]);
    const gains = own.indexOf(Math.max(...own)); // the class it speaks for: what that gains the others lose
    [value, colour] = [own[gains], colourOfClass(target, gains)];
  }
  const share = Math.max(-1, Math.min(1, value / largest));
  return make("td", { title: `${headOf(target)}: ${words}`, class: share < 0 ? "down" : "up", style: { "--strength": Math.abs(share).toFixed(3), ...(colour ? { "--own": colour } : {}) } }, make("span", { class: "unseen" }, words));
}
