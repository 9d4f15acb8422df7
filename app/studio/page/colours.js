// The colours of the language.
import {HighlightStyle, StreamLanguage, syntaxHighlighting} from "@codemirror/language";
import {tags} from "@lezer/highlight";

const STATEMENTS = new Set(("model use param count coord state rate let kinetic potential dissipation lagrangian force constraint " +
  "contact input memory sample limit when stop output measure sensitivity fit find orbit tolerance sweep random comfort synchronous for end simulate " +
  "linearize independent plot draw derive gravity ground body joint gear belt rack spring damper bushing rope cylinder backlash unbalance " +
  "tyre cam motor point vector solid torque").split(" "));
const WORDS = new Set(("to every at mass inertia rod disc plate point angle revolute prismatic weld slot distance rolling axis " +
  "length radius ratio speed stiffness damping friction restitution ground line trail box label circle ring energy over " +
  "equilibrium motion method rtol in until from steps runs seed carrier pressure preload torsional and or not if gear belt rack").split(" "));

const grammar = StreamLanguage.define({
  name: "qdot",
  startState: () => ({first: true}),
  token(stream, state) {
    if (stream.sol()) state.first = true;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^\[[^\]\d][^\]]*\]/)) return "unit";
    if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/)) return "number";
    const word = stream.match(/^[\p{L}_][\w\p{L}]*/u);
    if (word) {
      const first = state.first;
      state.first = false;
      if (first && STATEMENTS.has(word[0])) return "keyword";
      if (stream.match(/^\(/, false) && /^[a-z]/.test(word[0])) return WORDS.has(word[0]) ? "word" : "function";
      return WORDS.has(word[0]) && !stream.match(/^\s*[=~.]/, false) ? "word" : "variableName";
    }
    stream.next();
    return "operator";
  },
  languageData: {commentTokens: {line: "#"}, closeBrackets: {brackets: ["(", "[", '"']}},
  tokenTable: {unit: tags.unit, word: tags.modifier, function: tags.function(tags.variableName)},
});

const style = HighlightStyle.define([
  {tag: tags.comment, class: "c-comment"}, {tag: tags.string, class: "c-string"}, {tag: tags.keyword, class: "c-keyword"},
  {tag: tags.modifier, class: "c-word"}, {tag: tags.number, class: "c-number"}, {tag: tags.unit, class: "c-unit"},
  {tag: tags.function(tags.variableName), class: "c-function"},
]);

export const colours = [grammar, syntaxHighlighting(style)];
