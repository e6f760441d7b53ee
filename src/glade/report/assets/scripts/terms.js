// The terms of rules: how far each is on in a row. A row is a list: a number for each input, the place of a label, or
// null for missing.

function fulfils([input, low, high, missing, inside], row) {
  const x = row[input];
  if (x === null) return missing === 1;
  if (inside !== null) return inside.has(x);
  return (low === null || x > low) && (high === null || x <= high);
}

const LARGEST_EXPONENT = 40; // as in kernels/firth.py: beyond, a soft rule is wholly on or off

function heightOf([input, low, high, centre, spread, linear, square, missing], row) {
  const x = row[input];
  if (x === null) return missing === null ? -Infinity : missing;
  const z = (Math.min(Math.max(x, low), high) - centre) / spread;
  return z * (linear + square * z);
}

const fulfilsAll = (conditions, row) => conditions.every((condition) => fulfils(condition, row));

// How far a rule is on, from 0 to 1. Others may do in place of its conditions, and exceptions switch it off.
function degreeOf(term, row) {
  if (![term.if, ...(term.or || [])].some((conditions) => fulfilsAll(conditions, row))) return 0;
  if ((term.unless || []).some((conditions) => fulfilsAll(conditions, row))) return 0;
  if (!term.curves) return 1;
  const g = term.curves.reduce((sum, curve) => sum + heightOf(curve, row), term.constant);
  if (!(g > -LARGEST_EXPONENT)) return 0;
  const e = Math.exp(-Math.min(Math.abs(g), LARGEST_EXPONENT));
  return (g >= 0 ? 1 : e) / (1 + e);
}

const covers = (term, row) => !term.if || degreeOf(term, row) >= 0.5;
const unitOf = (term) => (term.linear ? term.linear[4] : term.curves ? term.scale : 1);
function conditionsOf(term) { return [...(term.if || []), ...(term.or || []).flat(), ...(term.unless || []).flat()]; }
function inputsOfTerm(term) {
  return term.linear ? [term.linear[0]] : [...new Set([...conditionsOf(term), ...(term.curves || [])].map((part) => part[0]))];
}

// The votes of all rules of a step that are on in a row.
const votesIn = (step, row) => step.terms.reduce((sum, id) => sum + (path.terms[id].vote || 0) * degreeOf(path.terms[id], row), 0);

function valueOf(term, row, step) {
  if (term.vote) return degreeOf(term, row) && term.vote / votesIn(step, row);
  if (term.if) return degreeOf(term, row) * (term.curves ? term.scale : 1);
  const [input, low, high, centre, scale] = term.linear;
  const x = row[input];
  return x === null ? 0 : (Math.min(Math.max(x, low), high) - centre) * scale;
}

function scoresOf(step, row) {
  const scores = step.offset.slice();
  step.terms.forEach((id, k) => {
    const value = valueOf(path.terms[id], row, step);
    if (value !== 0) for (let c = 0; c < scores.length; c++) scores[c] += value * step.effect[k][c];
  });
  return scores;
}

