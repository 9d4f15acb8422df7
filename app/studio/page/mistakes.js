// Mistakes in the text: underlined, told where somebody points at them, with their cure as a click.
import {StateEffect, StateField} from "@codemirror/state";
import {Decoration, EditorView, hoverTooltip} from "@codemirror/view";

const tell = StateEffect.define();
const mark_of = mistake => Decoration.mark({class: `wrong ${mistake.severity}`, mistake});

const field = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    marks = marks.map(change.changes);
    for (const effect of change.effects)
      if (effect.is(tell)) marks = Decoration.set(effect.value.filter(m => m.to > m.from).map(m => mark_of(m).range(m.from, m.to)), true);
    return marks;
  },
  provide: one => EditorView.decorations.from(one),
});

const hover = hoverTooltip((view, at) => {
  const found = [];
  view.state.field(field).between(at, at, (from, to, mark) => void found.push({from, to, ...mark.spec.mistake, from_now: from, to_now: to}));
  if (!found.length) return null;
  return {pos: found[0].from_now, end: found[0].to_now, above: true, create() {
    const dom = document.createElement("div");
    dom.className = "about wrong-words";
    for (const {message, suggestion, from_now, to_now} of found) {
      const line = document.createElement("p");
      line.textContent = message;
      if (suggestion) {
        const fix = document.createElement("button");
        Object.assign(fix, {type: "button", className: "fix", textContent: `write ${suggestion}`});
        fix.onclick = () => view.dispatch({changes: {from: from_now, to: to_now, insert: suggestion}, userEvent: "fix"});
        line.append(" ", fix);
      }
      dom.append(line);
    }
    return {dom};
  }};
}, {hoverTime: 200});

export const mistakes = [field, hover];
// list: {from, to, severity, message, suggestion}.
export const tell_mistakes = list => ({effects: tell.of(list)});
