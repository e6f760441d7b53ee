// What can be taken away: the model as a table or a program, and new rows scored here, without a network.

const FORMS = {
  csv: ["Rules as a table (CSV)", "rules.csv", "text/csv"],
  json: ["Model as data (JSON)", "model.json", "application/json"],
  python: ["Python module, needs nothing else", "model.py", "text/x-python"],
  sql: ["SQL query", "model.sql", "application/sql"],
};

function showTake() {
  const items = Object.entries(FORMS).filter(([form]) => form in facts.downloads).map(([form, [words, name, type]]) => {
    const text = facts.downloads[form];
    if (text === null) return make("li", {}, make("span", { class: "name" }, words), help("It is too long for this page: glade export and glade rules write it."));
    return make("li", {}, make("span", { class: "name" }, words), button("Save", () => saveText(name, text, type), { "aria-label": `Save ${words}` }), button("Copy", (event) => copyText(text, event.target), { "aria-label": `Copy ${words}` }));
  });
  const about = path ? " They are those of the fitted model, whatever the slider shows." : "";
  openSection("take", "Take it with you", items.length ? [help(`The model in other forms, which predict the same without glade.${about} Every picture above has a button that saves it.`), make("ul", { class: "downloads" }, items)] : help("A multi-tree is many trees at once: glade export writes one of them."), canPredict ? scorePanel() : null);
}
