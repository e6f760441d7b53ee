// The tree, drawn from left to right; a branch is drawn when it is first opened.

function showTree() {
  const START = 31, MAX_OPEN = 3;
  const total = tree.rows[0] || 1;
  const drawn = new Map();
  const title = facts.model.kind === "multitree" ? "The tree most like all of them" : "The tree";

  function nodeOf(node, words, openTo, depth) {
    const place = tree.split[node];
    const card = make("div", { class: "node" }, make("span", { class: "words" }, words),
      make("span", { class: "size" }, plural(tree.rows[node], "row"), bar(tree.rows[node] / total, "plain")),
      make("span", { class: "says" }, targets.slice(0, 4).map((t) => make("span", {}, targets.length > 1 ? make("span", { class: "name" }, t.name) : null, make("strong", {}, showPrediction(t, tree.value[node])))),
        targets.length > 4 ? make("span", { class: "faint" }, `and ${targets.length - 4} more`) : null));
    const item = make("li", { class: place < 0 ? "leaf" : "inner" }, card);
    drawn.set(node, card);
    if (place < 0) return item;
    const split = tree.splits[place];
    const branches = make("ul", { id: `below-${node}` });
    const toggle = make("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": `below-${node}`, onclick: () => open(toggle.getAttribute("aria-expanded") !== "true") }, make("span", { class: "unseen" }, `Branches below ${words}`));
    function open(wanted) {
      if (wanted && !branches.childElementCount) branches.append(nodeOf(split.left, split.words[0], openTo, depth + 1), nodeOf(split.left + 1, split.words[1], openTo, depth + 1));
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
  const tools = make("div", { class: "tools" }, few ? make("button", { type: "button", onclick: () => all(true) }, "Open all") : null,
    make("button", { type: "button", onclick: () => { all(false); root.firstElementChild.openBranch?.(true); } }, "Close all"));
  openSection("tree", title, make("p", { class: "help" }, `${plural(tree.leaves, "leaf", "leaves")}, depth ${tree.depth}.${tree.whole ? "" : " It is too large for a page: deeper branches are left out."}${canPredict ? " The way of the what-if row is marked." : ""}`), tools, scrollBox("The tree", root));
  root.append(nodeOf(0, "all rows", openTo, 0));
  listeners.row.push(mark);
  mark();
}
