// The editor: the text, and what the server knows about places in it.
import {EditorState, StateEffect, StateField, Transaction, Annotation} from "@codemirror/state";
import {Decoration, EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers} from "@codemirror/view";
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from "@codemirror/autocomplete";
import {bracketMatching} from "@codemirror/language";
import {byte_of, unit_of} from "./offsets.js";
import {colours} from "./colours.js";
import {mistakes, tell_mistakes} from "./mistakes.js";
import {find_numbers, number_text} from "./numbers.js";

const from_server = Annotation.define(); // a text that came from outside is not sent back
const sliding = Annotation.define();     // a number that is being moved
const is_sent = Annotation.define();     // the server has this text already

const KINDS = {statement: "keyword", name: "variable", member: "property", function: "function", unit: "constant", word: "type"};

// ---- Names that are lit

const light = StateEffect.define();
const lit_field = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    marks = marks.map(change.changes);
    for (const effect of change.effects) if (effect.is(light)) marks = Decoration.set(effect.value, true);
    return marks;
  },
  provide: field => EditorView.decorations.from(field),
});
const lit_mark = Decoration.mark({class: "lit"}), lit_line = Decoration.line({class: "lit-line"});

function places_of(text, name) {
  const found = [];
  if (!name) return found;
  for (const match of text.matchAll(/[\p{L}_][\w\p{L}]*(?:\.[\p{L}_][\w\p{L}]*)*/gu))
    if (match[0] === name || match[0].split(".")[0] === name) found.push([match.index, match.index + match[0].length]);
  return found;
}

// ---- Numbers that are dragged: with Alt, or on their own line of the sliders

function drag_numbers(change) {
  let drag = null;
  return EditorView.domEventHandlers({
    mousedown(event, view) {
      if (!event.altKey || event.button) return false;
      const at = view.posAtCoords({x: event.clientX, y: event.clientY}), text = view.state.doc.toString();
      const number = find_numbers(text).find(n => n.from <= at && at <= n.to);
      if (!number) return false;
      drag = {name: number.name, value: number.value, x: event.clientX};
      const move = e => {
        const by = (e.clientX - drag.x) / 200;
        change(drag.name, drag.value === 0 ? by : drag.value * 4 ** by, false);
      };
      const up = e => {
        move(e);
        removeEventListener("mousemove", move);
        change(drag.name, null, true);
      };
      addEventListener("mousemove", move);
      addEventListener("mouseup", up, {once: true});
      return true;
    },
  });
}

// ---- The whole

// wire: to ask; changing(text, how): before the text is drawn, "typed", "slid", "settled", "drawn" or "given"; changed(text, how): behind that.
export function make_editor(parent, {wire, changing, changed, looked_at, nonce, rename_dialog}) {
  const where = view => ({text: view.state.doc.toString(), offset: byte_of(view.state.doc.toString(), view.state.selection.main.head)});

  const complete = async context => {
    const text = context.state.doc.toString(), word = context.matchBefore(/[\w\p{L}.[]+/u);
    if (!context.explicit && !word) return null;
    const answer = await wire.ask("complete", {text, offset: byte_of(text, context.pos)}, "names");
    if (context.aborted || !answer.list?.length) return null;
    return {from: unit_of(text, answer.begin), validFor: /^[\w\p{L}]*$/u,
            options: answer.list.map(one => ({label: one.text, type: KINDS[one.kind], detail: one.detail}))};
  };

  const hover = hoverTooltip(async (view, at) => {
    const text = view.state.doc.toString();
    const answer = await wire.ask("hover", {text, offset: byte_of(text, at)}, "names");
    if (!answer.name || !answer.kind) return null;
    const value = answer.value === null || answer.value === undefined ? "" : ` = ${number_text(answer.value, 6)}`;
    return {pos: unit_of(text, answer.span[0]), end: unit_of(text, answer.span[1]), above: true, create() {
      const dom = document.createElement("div");
      dom.className = "about";
      dom.textContent = `${answer.name}${value}${answer.unit ? " " + answer.unit : ""} · ${answer.kind}`;
      return {dom};
    }};
  }, {hoverTime: 250});

  const go_to_definition = view => {
    wire.ask("hover", where(view), "names").then(answer => {
      if (!answer.defined) return;
      const text = view.state.doc.toString(), at = unit_of(text, answer.defined[0]);
      view.dispatch({selection: {anchor: at, head: unit_of(text, answer.defined[1])}, scrollIntoView: true});
      view.focus();
    });
    return true;
  };

  const rename = view => {
    wire.ask("uses", where(view), "names").then(async answer => {
      if (!answer.uses?.length) return;
      const old = answer.name.split(".").pop(), text = view.state.doc.toString();
      const name = await rename_dialog(old, answer.uses.length);
      if (!name || name === old || text !== view.state.doc.toString()) return;
      view.dispatch({changes: answer.uses.map(([a, b]) => ({from: unit_of(text, a), to: unit_of(text, b), insert: name})), userEvent: "rename"});
    });
    return true;
  };

  const kind_of = transactions => transactions.map(t => t.annotation(sliding) ?? (t.annotation(from_server) ? "given" : null)).find(Boolean) ?? "typed";
  const follow = EditorView.updateListener.of(update => {
    if (update.docChanged) changed(update.state.doc.toString(), kind_of(update.transactions));
    if (update.selectionSet || update.docChanged) {
      const word = update.state.wordAt(update.state.selection.main.head);
      looked_at(word && !update.docChanged ? update.state.sliceDoc(word.from, word.to) : null);
    }
  });

  // The server works while the page draws the text.
  const dispatchTransactions = (transactions, v) => {
    if (transactions.some(t => t.docChanged && !t.annotation(is_sent))) {
      if (ahead) ahead.text = null;
      changing(transactions.at(-1).newDoc.toString(), kind_of(transactions));
    }
    v.update(transactions);
  };
  const extensions = [
    lineNumbers(), mistakes, history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), autocompletion({override: [complete], activateOnTyping: true}), colours, lit_field, hover,
    EditorView.lineWrapping, EditorView.cspNonce.of(nonce), EditorView.contentAttributes.of({"aria-label": "model text", spellcheck: "false"}),
    EditorView.domEventHandlers({click(event, v) {
      if (event.ctrlKey || event.metaKey) go_to_definition(v);
    }}),
    drag_numbers((name, value, is_final) => editor.move_number(name, value, is_final)),
    keymap.of([{key: "F12", run: go_to_definition}, {key: "F2", run: rename}, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
    follow];
  const view = new EditorView({parent, dispatchTransactions, state: EditorState.create({doc: "", extensions})});

  // ---- A slide is one step of the history: its stages are not in it

  let slide = null;
  const replace = (changes, extra) => view.dispatch({changes, ...extra});

  // What the slide has sent and the screen does not show yet, {name, insert, text}: the server begins at once, and the
  // text follows when the motion has been drawn, or soon. Without text, where somebody has typed since.
  const SOON = 40;
  let ahead = null;
  const catch_up = () => {
    if (!ahead) return;
    const {name, insert, text, timer} = ahead, number = find_numbers(view.state.doc.toString()).find(n => n.name === name);
    clearTimeout(timer);
    ahead = null;
    if (number && number.text !== insert)
      replace({from: number.from, to: number.to, insert}, {annotations: [sliding.of("slid"), is_sent.of(Boolean(text)), Transaction.addToHistory.of(false)]});
  };
  const go_ahead = (number, insert) => {
    if (ahead && ahead.name !== number.name) catch_up();
    const text = editor.text(), timer = ahead?.timer ?? setTimeout(catch_up, SOON);
    ahead = {name: number.name, insert, timer, text: text.slice(0, number.from) + insert + text.slice(number.to)};
    changing(ahead.text, "slid");
  };

  const editor = {
    view,
    catch_up,
    text: () => ahead?.text ?? view.state.doc.toString(),
    focus: () => view.focus(),
    rename: () => rename(view),
    // The text of another file: what was done to the one before cannot be undone here.
    open(text) {
      clearTimeout(ahead?.timer);
      ahead = slide = null;
      view.setState(EditorState.create({doc: text, extensions}));
    },
    // Another text; from outside it is not sent back.
    set(text, {is_given = true} = {}) {
      catch_up();
      if (text === editor.text()) return;
      replace({from: 0, to: view.state.doc.length, insert: text}, {annotations: is_given ? from_server.of(true) : []});
    },
    // A change by the drawing: list of {from, to, insert}.
    apply(changes) { catch_up(), replace(changes, {annotations: sliding.of("drawn"), userEvent: "draw"}); },
    // The number with this name gets another value; null keeps the last. The last call is final.
    move_number(name, value, is_final) {
      const number = find_numbers(editor.text()).find(n => n.name === name);
      if (!number) return;
      slide ??= {name, first: number.text};
      const insert = value === null ? number.text : number_text(value);
      if (!is_final) {
        if (insert !== number.text) go_ahead(number, insert);
        return;
      }
      catch_up();
      const {first} = slide;
      slide = null;
      replace({from: number.from, to: number.to, insert: first}, {annotations: [from_server.of(true), Transaction.addToHistory.of(false)]});
      replace({from: number.from, to: number.from + first.length, insert}, {userEvent: "slide", annotations: sliding.of("settled")});
    },
    // The same for several places at once, as the drawing moves them; null edits end it.
    slide_edits(edits, is_final) {
      catch_up();
      slide ??= {text: editor.text()};
      if (!is_final) {
        replace(edits, {annotations: [sliding.of("slid"), Transaction.addToHistory.of(false)]});
        return;
      }
      const last = editor.text(), {text} = slide;
      slide = null;
      if (last === text) return;
      // the smallest piece that has changed
      let a = 0, b = 0;
      while (a < Math.min(text.length, last.length) && text[a] === last[a]) a++;
      while (b < Math.min(text.length, last.length) - a && text[text.length - 1 - b] === last[last.length - 1 - b]) b++;
      replace({from: a, to: last.length - b, insert: text.slice(a, text.length - b)}, {annotations: [from_server.of(true), Transaction.addToHistory.of(false)]});
      replace({from: a, to: text.length - b, insert: last.slice(a, last.length - b)}, {userEvent: "slide", annotations: sliding.of("settled")});
    },
    // A name wherever it stands, and lines: {from}, of which the first is brought into sight if asked for.
    light(name, lines = [], is_shown = false) {
      catch_up();
      const sight = is_shown && lines.length ? [EditorView.scrollIntoView(lines[0].from, {y: "nearest", yMargin: 30})] : [];
      view.dispatch({effects: [...sight, light.of([...lines.map(({from}) => lit_line.range(from)), ...places_of(editor.text(), name).map(([a, b]) => lit_mark.range(a, b))])]});
    },
    diagnose(list) {
      catch_up();
      const text = editor.text(), clamp = p => Math.max(0, Math.min(p, text.length));
      view.dispatch(tell_mistakes(list.filter(d => d.begin !== undefined).map(d => {
        const from = clamp(unit_of(text, d.begin)), to = clamp(Math.max(unit_of(text, d.end), from));
        // what is missing at the end of a line is shown at its last letter
        return {from: from === to ? Math.max(from - 1, 0) : from, to, severity: d.severity, suggestion: from === to ? null : d.suggestion,
                message: [d.text, d.label, d.note].filter(Boolean).join("\n")};
      })));
    },
  };
  return editor;
}
