// The tree, drawn from left to right; a branch is drawn when it is first opened.

function showTree() {
  const START = 31, MAX_OPEN = 3;
  const total = tree.rows[0] || 1;
  const drawn = new Map();
  const title = facts.model.kind === "multitree" ? "One of its trees" : "The tree";

  function nodeOf(node, words, openTo, depth) {
    const place = tree.split[node];
    const card = make("div", { class: "node" }, make("span", { class: "words" }, words),
      make("span", { class: "size" }, plural(tree.rows[node], "row"), bar(tree.rows[node] / total, "plain")),
      make("span", { class: "says" }, targets.slice(0, 4).map((t) => make("span", {}, targets.length > 1 ? make("span", { class: "name" }, isolate(t.name)) : null, make("strong", {}, showPrediction(t, tree.value[node])), classShares(t, tree.value[node]))),
        targets.length > 4 ? make("span", { class: "faint" }, `and ${targets.length - 4} more`) : null));
    const item = make("li", { class: place < 0 ? "leaf" : "inner" }, card);
    drawn.set(node, card);
    if (place < 0) return item;
    const split = tree.splits[place];
    const branches = make("ul", { id: `below-${node}` });
    const toggle = make("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": `below-${node}`, onclick: () => open(toggle.getAttribute("aria-expanded") !== "true") }, make("span", { class: "unseen" }, `Branches below ${showText(words)}`));
    function open(wanted) {
      if (wanted && !branches.childElementCount) branches.append(...[0, 1].map((side) => nodeOf(split.left + side, [...isolateNames(split.words[side], [inputs[split.input].name]), markOf(split.input)].filter(Boolean), openTo, depth + 1)));
      branches.hidden = !wanted;
      toggle.setAttribute("aria-expanded", String(wanted));
      mark();
    }
    card.append(toggle);
    item.append(branches);
    branches.hidden = true;
    if (depth < openTo) open(true);
    item.openBranch = open;
    return item;
  }

  function mark() {
    if (!canPredict) return;
    const way = new Set(wayOf(state.row));
    for (const [node, card] of drawn) card.classList.toggle("on-way", way.has(node));
  }

  // As many whole levels as a screen bears.
  let openTo = 0;
  for (let level = [0], shown = 1; openTo < MAX_OPEN; openTo++) {
    level = level.filter((node) => tree.split[node] >= 0).flatMap((node) => [tree.splits[tree.split[node]].left, tree.splits[tree.split[node]].left + 1]);
    shown += level.length;
    if (!level.length || shown > START) break;
  }
  const root = make("ul", { class: "tree" });
  const all = (wanted) => {
    const walk = (item) => {
      if (item.openBranch) item.openBranch(wanted);
      for (const child of item.querySelectorAll(":scope > ul > li")) walk(child);
    };
    walk(root.firstElementChild);
  };
  const few = tree.split.length <= 600;
  const tools = make("div", { class: "tools" }, few ? button("Open all", () => all(true)) : null,
    button("Close all", () => { all(false); root.firstElementChild.openBranch?.(true); }));
  openSection("tree", title, make("p", { class: "help" }, `${plural(tree.leaves, "leaf", "leaves")}, depth ${tree.depth}.${tree.whole ? "" : " It is too large for a page: deeper branches are left out."}${canPredict ? " The way of the case below is marked." : ""}`), whoseErrors(), legendOfShares(), tools, scrollBox("Branches", root));
  root.append(nodeOf(0, "all rows", openTo, 0));
  listeners.row.push(mark);
  if (few) window.addEventListener("beforeprint", () => all(true));
  mark();
}

// Of a multi-tree: the errors of all its trees together, told above, beside those of the one that is drawn.
function whoseErrors() {
  if (facts.alike === null) return null;
  const words = help(`Of all the trees in one, this is the one most like them: ${facts.alike.ofRows ? `for ${percent(facts.alike.share)} of the rows of this table it says the same class` : `it follows ${percent(facts.alike.share)} of what varies in what they say together`}. The figures above are about all of them together; ${facts.drawn ? "here they are beside those of this one tree" : "the errors of this one tree are not measured here: glade fit --folds and glade report --folds measure them"}.`);
  if (!facts.drawn || !quality) return words;
  const explained = ({ verdict }) => (verdict.share === null ? "–" : verdict.share <= 0 ? "nothing" : `${percent(verdict.share)}${verdict.se === null ? "" : ` ± ${percent(verdict.se)}`}`);
  const errorOf = (target, own) => (target.classes ? percent(own) : showNumber(own, target.spread[0]));
  const line = (target, t) => (facts.drawn[t] && quality.targets[t] ? make("tr", {}, make("th", { scope: "row" }, isolate(target.name)),
    make("td", {}, explained(facts.drawn[t])), make("td", {}, explained(quality.targets[t])),
    make("td", {}, errorOf(target, facts.drawn[t].error)), make("td", {}, errorOf(target, target.classes ? 1 - quality.targets[t].right : quality.targets[t].rmse))) : null);
  const isClass = targets.every((target) => target.classes), isNumber = targets.every((target) => !target.classes);
  const error = isClass ? "wrong" : isNumber ? "off by (RMSE)" : "wrong, or off by";
  const heads = ["On rows not seen", "this tree explains", "all trees explain", `this tree: ${error}`, `all trees: ${error}`];
  return [words, scrollBox("Whose error is whose", make("table", { class: "side-by-side whose" }, make("caption", {}, "In each fold a tree was chosen in the same way as this one; ± is one standard error."), make("thead", {}, make("tr", {}, heads.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, targets.map(line))))];
}

// What the colours of the bars of shares mean.
function legendOfShares() {
  const shown = targets.slice(0, 4).filter((target) => target.classes && target.classes.length <= PALETTE.length);
  if (!shown.length) return null;
  return make("p", { class: "legend" }, shown.map((target) => make("span", {}, targets.length > 1 ? [isolate(target.name), ": "] : null, target.classes.map((label, k) => [make("span", { class: "key", style: { background: colourOfShare(target, k) } }), " ", isolate(label), " "]))));
}

const colourOfShare = (target, k) => (target.classes.length > 2 ? colourOfClass(target, k) : events[targets.indexOf(target)] === k ? "var(--up)" : "var(--down)");

// The shares of the classes in a node, as one bar of their colours.
function classShares(target, values) {
  if (!target.classes || target.classes.length > PALETTE.length) return null;
  const own = channelsOf(target).map((c) => values[c]);
  return make("span", { class: "shares", "aria-hidden": "true" }, own.map((p, k) => make("span", { style: { width: `${(100 * p).toFixed(1)}%`, background: colourOfShare(target, k) } })));
}
