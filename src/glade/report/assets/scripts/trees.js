// The way of a row down a tree, and what a forest makes of many trees.

function stepDown(split, row) {
  const x = row[split.input];
  if (x === null) return split.left + (split.missingLeft ? 0 : 1);
  if (split.set !== null) return split.left + (split.set.has(x) !== split.missingLeft ? 0 : 1);
  return split.left + (split.cut === null || x <= split.cut ? 0 : 1);
}

// The nodes a row comes through, from the root to a leaf.
function wayOf(row) {
  const way = [0];
  for (;;) {
    const place = tree.split[way[way.length - 1]];
    if (place < 0) return way;
    way.push(stepDown(tree.splits[place], row));
  }
}

// The trees of a forest, whose nodes are in one list: their mean, or a start and what the trees add to it.
function predictForest(own, row) {
  const total = own.start.map(() => 0);
  for (const root of own.roots) {
    let node = root;
    while (own.split[node] >= 0) node = stepDown(own.splits[own.split[node]], row);
    own.value[node].forEach((v, c) => (total[c] += v));
  }
  return total.map((sum, c) => (own.memory === 0 ? sum / Math.max(own.roots.length, 1) : own.start[c] + own.memory * sum));
}
