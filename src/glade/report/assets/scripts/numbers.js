// Numbers in words.

const plural = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many || one + "s"}`;
const percent = (share) => {
  if (share === null || !isFinite(share)) return "–";
  const p = 100 * share;
  const size = Math.abs(p);
  const isNearEnd = (size >= 0.05 && size < 0.95) || (size > 99.05 && size < 99.95);
  const text = size.toFixed(isNearEnd ? 1 : 0) + "%";
  return p < 0 && /[1-9]/.test(text) ? `−${text}` : text;
};

// The probability of something is never told as certain.
const chance = (p) => (p > 0.995 ? "over 99%" : p < 0.005 ? "under 1%" : percent(p));

// How far a probability moves, in points of a hundred.
function points(change) {
  const size = Math.abs(100 * change);
  const text = size.toFixed(size >= 0.95 || size < 0.05 ? 0 : 1);
  return `${change < 0 && text !== "0" ? "−" : "+"}${text} ${text === "1" ? "point" : "points"}`;
}

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

function shorten(value) {
  if (value === null || !isFinite(value)) return "–";
  const short = Number(value.toPrecision(4));
  const size = Math.abs(short);
  if (size >= 1e4 && size < 1e15) return short.toLocaleString("en").replace("-", "−");
  return String(short).replace("-", "−");
}

const showChange = (value, spread) => {
  const plain = showNumber(value, spread);
  const text = value && !/[1-9]/.test(plain) ? shorten(Number(value.toPrecision(1))) : plain;
  return text.startsWith("−") ? text : `+${text}`;
};
