// What belongs together lights up: symbols of formulas, parts of the picture, lines of the text.
import {unit_of} from "./offsets.js";

const NAME = /[\p{L}_][\w\p{L}]*(?:\[[^\]]*\])?(?:\.[\p{L}_][\w\p{L}]*)*/gu;
const PART = /^\s*(body|solid|joint|gear|belt|rack|spring|damper|bushing|rope|cylinder|unbalance|tyre|cam|motor|contact)\s+([\p{L}_][\w\p{L}.]*)/u;
const LAW = /^\s*(kinetic|potential|dissipation|constraint)(?:\s+([\p{L}_][\w\p{L}]*))?\s*[=:]|^\s*(force|torque|draw)\b/u;
const SYMBOL_OF = /^(?:lambda|Phi|T|V|R|D|Q|F|M)_/; // of a part: lambda_A_x, T_crank

const bare = name => name.replace(/\[[^\]]*\]/g, "");

// The lines that state parts, energies and forces, and those that draw: {kind, name, from, to, names}; is_law of those that are no parts.
export function statements_of(text) {
  const found = [];
  let from = 0;
  for (const line of text.split("\n")) {
    const part = line.match(PART), law = part ? null : line.match(LAW), [, kind, name] = part ?? law ?? [];
    if (part || law)
      found.push({kind: kind ?? law[3], name: name ?? "", is_law: !part, from, to: from + line.length, names: new Set(line.split("#")[0].match(NAME) ?? [])});
    from += line.length + 1;
  }
  return found;
}

// The part that a symbol is of, of those that there are: crank of crank.theta, A of lambda_A_x; or null.
export function owner_of(symbol, parts) {
  const stem = symbol.split(".")[0], rest = symbol.replace(SYMBOL_OF, "");
  if (parts.has(stem)) return stem;
  if (rest === symbol) return null;
  for (let end = rest.length; end > 0; end = rest.lastIndexOf("_", end - 1)) if (parts.has(rest.slice(0, end))) return rest.slice(0, end);
  return null;
}

const owned_by = (statements, symbols) => {
  const parts = new Set(statements.map(s => s.name)), owners = new Set(symbols.map(s => owner_of(bare(s), parts)));
  return s => s.name && owners.has(s.name);
};

// The statements that a symbol comes from: that of its own part, or all parts that mention it.
export function statements_with(statements, symbol) {
  const is_owned = owned_by(statements, [symbol]);
  return statements.filter(s => is_owned(s) || ((!s.is_law || s.kind === "draw") && s.names.has(symbol)));
}

// Those that a term comes from: parts by what is theirs alone, or else by what they share; energies, forces and constraints that
// contain all of it. It says nothing of joints that only lie where its lengths are.
export function statements_of_term(statements, symbols) {
  const is_owned = owned_by(statements, symbols), solids = statements.filter(s => !s.is_law && s.kind !== "joint");
  const mention = symbol => solids.filter(s => s.names.has(symbol)), alone = new Set(symbols.map(mention).filter(list => list.length === 1).flat());
  const own = solids.filter(s => is_owned(s) || alone.has(s)), parts = new Set(own.length ? own : symbols.flatMap(mention));
  return statements.filter(s => is_owned(s) || parts.has(s) || (s.kind === "draw" && symbols.some(one => s.names.has(one))) ||
    (s.is_law && s.kind !== "draw" && symbols.length > 0 && symbols.every(one => s.names.has(one))));
}

// The shapes of a view that statements draw, by their numbers; symbols with an index choose among those of one line. A joint
// that is not drawn, or only as a rail, shows the bodies that it joins.
export function shapes_of(view, statements, symbols, text) {
  const chosen = new Set(symbols.map(s => s.split(".")[0]).filter(s => s.includes("["))), found = new Set();
  const drawn = new Set(view.scene.shapes.filter(s => s.track !== "rail").map(s => bare(s.part ?? ""))), names = new Set(statements.flatMap(s => drawn.has(s.name) || s.is_law ? [s.name] : [...s.names].filter(n => drawn.has(n))));
  const lines = new Set(statements.filter(s => s.kind === "draw").map(s => s.from));
  const begin_of = offset => text.lastIndexOf("\n", unit_of(text, offset) - 1) + 1;
  view.scene.shapes.forEach(({part}, i) => {
    const is_named = part && names.has(bare(part)) && (!chosen.size || chosen.has(part) || !part.includes("["));
    if (is_named || (view.lines?.[i] >= 0 && lines.has(begin_of(view.lines[i])))) found.add(i);
  });
  return found;
}

// The statement that a shape comes from, or null.
export function statement_of_shape(view, i, statements, text) {
  const {part} = view.scene.shapes[i], at = view.lines?.[i] >= 0 ? unit_of(text, view.lines[i]) : -1;
  return statements.find(s => part ? s.name === bare(part) : s.from <= at && at <= s.to) ?? null;
}

// The symbols of a statement: its own, and those that no other statement of a part mentions.
export function symbols_of(statement, statements, all) {
  const parts = new Set(statements.map(s => s.name));
  const is_own = name => statement.names.has(name) && !statements.some(s => s !== statement && s.name !== statement.name && !s.is_law && s.names.has(name));
  return all.filter(name => statement.name ? owner_of(bare(name), parts) === statement.name || is_own(name) : statement.names.has(name));
}

// ---- Terms

const SEPARATORS = new Set(["=", "+", "−", "-", "±", "≤", "≥", "<", ">"]);
const is_separator = node => node.localName === "mo" && SEPARATORS.has(node.textContent.trim());

// The elements of the summand that an element of a formula stands in, with its sign; [] where there is none.
export function term_around(node) {
  const box = node.closest("mtd, math");
  if (!box || box === node) return [];
  let row = box;
  while (row.children.length === 1 && ["mrow", "mstyle"].includes(row.firstElementChild.localName)) row = row.firstElementChild;
  const list = [...row.children], here = list.findIndex(child => child.contains(node));
  if (here < 0 || is_separator(list[here])) return [];
  let first = here, last = here;
  while (first > 0 && !is_separator(list[first - 1])) first--;
  while (last + 1 < list.length && !is_separator(list[last + 1])) last++;
  return list.slice(first, last + 1);
}
