// Elements. Text from the data only ever becomes a text node or an attribute's value.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A name of the user's, which may be written from right to left: what stands around it keeps its order.
const isolate = (text) => make("bdi", {}, text);

// Words in which names occur, each of them kept apart.
function isolateNames(words, names) {
  for (const name of names) {
    const at = name ? words.indexOf(name) : -1;
    if (at >= 0) return [words.slice(0, at), isolate(name), words.slice(at + name.length)].filter((part) => part !== "");
  }
  return [words];
}

function openSection(id, title, ...children) {
  const section = document.getElementById(id);
  section.hidden = false;
  section.replaceChildren(make("h2", { id: `${id}-title` }, title), ...children.flat().filter((child) => child));
  return section;
}

function bar(share, kind, colour) {
  const width = `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
  return make("span", { class: `bar ${kind || ""}`, "aria-hidden": "true" }, make("span", { style: { width, ...(colour ? { background: colour } : {}) } }));
}

// A bar from the middle: to the right for more, to the left for less.
function swing(share, colour) {
  const size = 50 * Math.min(1, Math.abs(share));
  const left = share < 0 ? 50 - size : 50;
  const inner = make("span", { class: share < 0 ? "down" : "up", style: { left: `${left}%`, width: `${size}%`, ...(colour ? { background: colour } : {}) } });
  return make("span", { class: "swing", "aria-hidden": "true" }, inner);
}

function scrollBox(label, ...children) {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
}

let nChoices = 0;

function choice(label, options, onchange, chosen) {
  const id = `choice-${nChoices++}`;
  const select = make("select", { id, onchange: () => onchange(Number(select.value)) },
    options.map((text, k) => make("option", { value: k, selected: k === chosen }, text)));
  return make("div", { class: "field" }, make("label", { for: id }, label), select);
}

function button(words, onclick, more) {
  return make("button", { type: "button", onclick, ...more }, words);
}

const help = (...words) => make("p", { class: "help" }, ...words);

// Names and what they are, side by side.
const keyList = (told) => told.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
