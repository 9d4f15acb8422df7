// The colours of the language, line by line: nothing of it goes beyond the end of a line.
import {EditorState} from "@codemirror/state";
import {Decoration, ViewPlugin} from "@codemirror/view";

const STATEMENTS = new Set(("model use param count coord state rate let integral speed kinetic potential dissipation lagrangian hamiltonian momentum force constraint " +
  "contact input memory sample limit when stop output measure sensitivity fit find orbit tolerance sweep random comfort synchronous for end simulate " +
  "linearize independent plot draw derive gravity ground body joint gear belt rack spring damper bushing rope cylinder backlash unbalance " +
  "tyre cam motor point vector solid torque").split(" "));
const WORDS = new Set(("to every at mass inertia rod disc plate point angle revolute prismatic weld slot distance rolling axis " +
  "length radius ratio speed stiffness damping friction restitution ground line trail box label circle ring energy over " +
  "equilibrium motion method rtol in until from steps runs seed carrier pressure preload torsional and or not if gear belt rack").split(" "));

const TOKEN = /(?<comment>#.*)|(?<string>"[^"]*"?)|(?<unit>\[[^\]\d][^\]]*\])|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<name>[\p{L}_][\w\p{L}]*)/gu;

function kind_of_name(name, is_first, rest) {
  if (is_first && STATEMENTS.has(name)) return "keyword";
  if (rest.startsWith("(") && /^[a-z]/.test(name)) return WORDS.has(name) ? "word" : "function";
  return WORDS.has(name) && !/^\s*[=~.]/.test(rest) ? "word" : null;
}

// [[from, to, kind]] within a line.
function tokens_of(line) {
  const found = [];
  let is_first = true;
  for (const match of line.matchAll(TOKEN)) {
    const [whole] = match, to = match.index + whole.length, {name, ...others} = match.groups;
    const kind = name ? kind_of_name(name, is_first, line.slice(to)) : Object.keys(others).find(key => others[key] !== undefined);
    if (name) is_first = false;
    if (kind) found.push([match.index, to, kind]);
  }
  return found;
}

const marks = Object.fromEntries(["comment", "string", "unit", "number", "keyword", "word", "function"].map(kind => [kind, Decoration.mark({class: `c-${kind}`})]));

// Lines that have been seen before are not read again.
function make_decorations(view, known) {
  const ranges = [], {doc} = view.state;
  for (const {from, to} of view.visibleRanges)
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      if (!known.has(line.text)) known.set(line.text, tokens_of(line.text));
      for (const [a, b, kind] of known.get(line.text)) ranges.push(marks[kind].range(line.from + a, line.from + b));
      at = line.to + 1;
    }
  if (known.size > 5000) known.clear();
  return Decoration.set(ranges);
}

const painter = ViewPlugin.fromClass(class {
  constructor(view) { this.known = new Map(), this.decorations = make_decorations(view, this.known); }
  update(change) { if (change.docChanged || change.viewportChanged) this.decorations = make_decorations(change.view, this.known); }
}, {decorations: plugin => plugin.decorations});

export const colours = [painter, EditorState.languageData.of(() => [{commentTokens: {line: "#"}, closeBrackets: {brackets: ["(", "[", '"']}}])];
