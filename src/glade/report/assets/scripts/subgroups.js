// The error among rows of one kind, for any input: made of all rows when the page was written.

const FEWEST = 5; // rows of a group that may be called better or worse

function subgroups(target, t, own) {
  if (!own.groups.length) return null;
  const isNumber = !target.classes;
  const event = events[t];
  const errorOf = (group) => (isNumber ? Math.sqrt(group[2]) : group[2]);
  const seOf = (group) => (group[3] === null ? null : isNumber ? group[3] / (2 * Math.max(errorOf(group), 1e-300)) : group[3]);
  const show = (v) => (isNumber ? showNumber(v, target.spread[0]) : percent(v));
  const all = isNumber ? own.rmse : 1 - own.right;
  const holder = make("div");
  const render = (k) => {
    const { groups } = own.groups[k];
    const most = Math.max(...groups.map(errorOf), all, 1e-300);
    const differs = (group) => group[1] >= FEWEST && seOf(group) !== null && Math.abs(errorOf(group) - all) > 2 * seOf(group);
    const head = ["Rows where it is", "Rows", isNumber ? "Off by (RMSE)" : "Wrong", "As a bar", ...(isNumber ? ["Predicted, mean", "Actual, mean"] : event === null ? [] : [`${target.classes[event]}: predicted`, "observed"])];
    const line = (group) => make("tr", { class: differs(group) ? "differs" : "" }, make("th", { scope: "row" }, isolate(group[0])), make("td", { class: "number" }, group[1].toLocaleString("en")),
      make("td", { class: "number" }, show(errorOf(group)), make("span", { class: "faint" }, seOf(group) === null ? "" : ` ± ${show(seOf(group))}`), differs(group) ? make("span", { class: "tag" }, errorOf(group) > all ? "worse" : "better") : null),
      make("td", { class: "wide-bar" }, bar(errorOf(group) / most, "beside")), isNumber || event !== null ? [make("td", { class: "number" }, show(group[4])), make("td", { class: "number" }, show(group[5]))] : null);
    holder.replaceChildren(scrollBox("Error by group", make("table", { class: "groups" }, make("thead", {}, make("tr", {}, head.map((words) => make("th", { scope: "col" }, words)))), make("tbody", {}, groups.map(line)))));
  };
  render(0);
  return make("div", { class: "subgroups" }, make("h3", {}, "Is it as good for everybody?"), help(`The error among the rows of one kind; over all rows it is ${show(all)}. "Worse" and "better" are said where the difference is beyond twice its standard error.`),
    make("div", { class: "tools" }, choice("By input", own.groups.map((group) => inputs[group.input].name), render)), holder);
}
