// What all drawings share: a frame with axes, and a picture that can be saved.

const FRAME = { W: 340, H: 270, LEFT: 52, RIGHT: 14, TOP: 12, BOTTOM: 46 };

// A frame of two scales with titles and ticks; x and y turn values into places.
function frame([x0, x1], [y0, y1], { xTitle, yTitle, xTicks, yTicks, label }) {
  const { W, H, RIGHT, TOP, BOTTOM } = FRAME;
  const LEFT = Math.max(FRAME.LEFT, 24 + 6.5 * Math.max(...yTicks.map(([, words]) => words.length)));
  const x = (v) => LEFT + (W - LEFT - RIGHT) * (x1 > x0 ? (v - x0) / (x1 - x0) : 0.5);
  const y = (v) => H - BOTTOM - (H - TOP - BOTTOM) * (y1 > y0 ? (v - y0) / (y1 - y0) : 0.5);
  const svg = draw("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label, class: "chart" },
    yTicks.map(([v, words]) => [draw("line", { x1: LEFT, x2: W - RIGHT, y1: y(v), y2: y(v), class: "grid" }), draw("text", { x: LEFT - 6, y: y(v) + 4, class: "tick end" }, words)]),
    xTicks.map(([v, words], k) => draw("text", { x: x(v), y: H - BOTTOM + 16, class: `tick ${k === 0 ? "" : k === xTicks.length - 1 ? "end" : "middle"}` }, words)),
    draw("line", { x1: LEFT, x2: W - RIGHT, y1: H - BOTTOM, y2: H - BOTTOM, class: "axis" }),
    draw("text", { x: (LEFT + W - RIGHT) / 2, y: H - 8, class: "title middle" }, xTitle),
    draw("text", { x: 0, y: 0, class: "title middle", transform: `translate(11 ${(TOP + H - BOTTOM) / 2}) rotate(-90)` }, yTitle));
  return { svg, x, y };
}

const lineOf = (xs, ys) => xs.map((v, k) => `${k ? "L" : "M"}${v.toFixed(2)},${ys[k].toFixed(2)}`).join("");
const SHARES = [0, 0.25, 0.5, 0.75, 1].map((v) => [v, percent(v)]);

// Round values along a scale, from one end to the other.
function ticksOf(low, high, show, n = 4) {
  if (!(high > low)) return [[low, show(low)]];
  const rough = (high - low) / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  const count = (step) => Math.floor(high / step + 1e-6) - Math.ceil(low / step - 1e-9) + 1;
  const steps = [10, 5, 2.5, 2, 1, 0.5, 0.25, 0.2].map((f) => f * power);
  const step = steps.find((own) => own < rough * 2.001 && count(own) >= Math.min(n, 3)) || steps[steps.length - 1];
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-6; k++) ticks.push([k * step, show(Number((k * step).toPrecision(12)))]);
  return ticks;
}

// A figure: its title, the drawing, a word on how to read it, and a button that saves the drawing.
function figureOf(title, svg, ...words) {
  const save = button("⤓", () => saveDrawing(svg, title), { class: "quiet save", title: "Save this picture (SVG)", "aria-label": `Save the picture ${showText(title)}` });
  return make("figure", {}, make("figcaption", {}, title, save), svg, words.length ? make("p", { class: "reading" }, words) : null);
}

const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "text-anchor"];

// The drawing as a file of its own: what the style sheet says of it is written into it.
function textOfDrawing(svg) {
  const copy = svg.cloneNode(true);
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of DRAWN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  copy.setAttribute("xmlns", SVG);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", 2 * width);
  copy.setAttribute("height", 2 * height);
  return new XMLSerializer().serializeToString(copy);
}

const nameOfFile = (words) => (words.normalize("NFKD").replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "glade").toLowerCase();
const saveDrawing = (svg, title) => saveText(`${nameOfFile(showText(title))}.svg`, textOfDrawing(svg), "image/svg+xml");

// A file made in the page, which the browser saves; nothing is sent anywhere.
function saveText(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
