showErrors();
if (path) showRules();
if (tree) showTree();
showWhatIf();
showInputs();
showEffects();
showData();

document.getElementById("sections").append(...[...document.querySelectorAll("main > section:not([hidden])")].map((section) =>
  make("li", {}, make("a", { href: `#${section.id}` }, section.querySelector("h2").textContent))));

window.gladeReport = { facts, predict, setPlace, setRow, state };
