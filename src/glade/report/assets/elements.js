// Elements and numbers. Text from the data only ever becomes a text node or an attribute's value.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function openSection(id, title, ...children) {
  const section = document.getElementById(id);
  section.hidden = false;
  section.replaceChildren(make("h2", { id: `${id}-title` }, title), ...children.filter((child) => child));
  return section;
}

const plural = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;
const percent = (share) => {
  const p = 100 * share;
  const isNearEnd = (p >= 0.05 && p < 0.95) || (p > 99.05 && p < 99.95);
  return p.toFixed(isNearEnd ? 1 : 0) + "%";
};

// A tenth of a standard deviation, or finer.
function decimalsOf(spread) {
  if (!(spread > 0) || !isFinite(spread)) return null;
  return Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(spread))));
}

function showNumber(value, spread) {
  if (value === null || !isFinite(value)) return "–";
  const decimals = decimalsOf(spread);
  if (decimals === null || Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-9)) return shorten(value);
  const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  const text = part ? `${grouped}.${part}` : grouped;
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

const shorten = (value) => (value === null ? "–" : String(Number(value.toPrecision(4))).replace("-", "−"));
const showChange = (value, spread) => {
  const plain = showNumber(value, spread);
  const text = value && !/[1-9]/.test(plain) ? shorten(Number(value.toPrecision(1))) : plain;
  return text.startsWith("−") ? text : `+${text}`;
};

function bar(share, kind) {
  const width = `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
  return make("span", { class: `bar ${kind || ""}`, "aria-hidden": "true" }, make("span", { style: { width } }));
}

// A bar from the middle: to the right for more, to the left for less.
function swing(share) {
  const size = 50 * Math.min(1, Math.abs(share));
  const left = share < 0 ? 50 - size : 50;
  const inner = make("span", { class: share < 0 ? "down" : "up", style: { left: `${left}%`, width: `${size}%` } });
  return make("span", { class: "swing", "aria-hidden": "true" }, inner);
}

function scrollBox(label, ...children) {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
}

let nChoices = 0;

function choice(label, options, onchange, chosen) {
  const id = `choice-${nChoices++}`;
  const select = make("select", {
    id, onchange: () => onchange(Number(select.value)),
  }, options.map((text, k) => make("option", { value: k, selected: k === chosen }, text)));
  return make("div", { class: "field" }, make("label", { for: id }, label), select);
}
