// The sections, in the order in which they are read.

showHero();
showQuality();
if (facts.card) showCard();
if (path) showRules();
if (tree) showTree();
showCase();
showEffects();
showInputs();
showData();
showTake();

const resized = make("li", { class: "resized", hidden: true }, button("", () => setPlace(path.chosen), { class: "quiet" }));
document.getElementById("sections").append(...[...document.querySelectorAll("main > section:not([hidden])")].map((section) =>
  make("li", {}, make("a", { href: `#${section.id}` }, section.querySelector("h2").textContent))), resized);

// Whoever shows another size than the fitted one sees so from everywhere.
function tellSize() {
  resized.hidden = !path || state.place === path.chosen;
  if (!resized.hidden) resized.firstChild.textContent = `Showing ${sizeWords(stepNow())}: back to the fitted model`;
}
listeners.place.push(tellSize);
tellSize();

window.addEventListener("hashchange", () => { if (readAddress()) ["place", "row", "threshold"].forEach(tell); });
window.addEventListener("beforeprint", () => { for (const details of document.querySelectorAll("details")) details.open = true; });
window.gladeReport = { facts, predict, decide, setPlace, setRow, setThreshold, state, scoreText, findFlips, reasonsOf, countsAt };
