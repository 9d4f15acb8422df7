// The pointer and the cursor light up what belongs to what they are at.
import {shapes_of, statement_of_shape, statements_of, statements_of_term, statements_with, symbols_of, term_around} from "./lights.js";
import {shape_at} from "./pointing.js";

// places: {story, curves, stage}, elements; editor, figure: what is lit beside them.
export function make_lighting({story, curves, stage}, {editor, figure}) {
  let now = "";
  const known = {text: null, statements: []};
  const statements = () => {
    const text = editor.text();
    if (text !== known.text) Object.assign(known, {text, statements: statements_of(text)});
    return known.statements;
  };

  // key: what tells one light from another; nodes: elements that are lit beside those of the symbols.
  const put = (key, {symbols = [], nodes = [], from = [], shapes = null} = {}) => {
    if (key === now) return;
    now = key;
    for (const one of document.querySelectorAll(".lit:not(.cm-content *)")) one.classList.remove("lit");
    const names = symbols.map(name => `[data-s="${CSS.escape(name)}"]`);
    if (names.length) for (const one of document.querySelectorAll(`#story :is(${names}), #sliders .slider:is(${names})`)) one.classList.add("lit");
    for (const node of nodes) node.classList.add("lit");
    figure.light(symbols.length === 1 ? symbols[0] : null, shapes ?? (figure.view() && shapes_of(figure.view(), from, symbols, editor.text())));
    editor.light(symbols.length === 1 ? symbols[0] : null, from, nodes.length > 0 || shapes !== null);
  };

  const light_statement = (statement, key, shapes) => {
    const all = [...new Set([...story.querySelectorAll("[data-s]")].map(one => one.getAttribute("data-s")))];
    put(key, {symbols: symbols_of(statement, statements(), all), from: statements().filter(s => s.name ? s.name === statement.name : s === statement), shapes});
  };
  const light = name => {
    const part = name && statements().find(s => s.name === name && !s.is_law);
    if (part) light_statement(part, name);
    else if (name) put(name, {symbols: [name], from: statements_with(statements(), name)});
    else put("");
  };
  const light_term = nodes => {
    const symbols = [...new Set(nodes.flatMap(node => [node, ...node.querySelectorAll("[data-s]")]).map(node => node.getAttribute("data-s")).filter(Boolean))].filter(name => name !== "t");
    const from = statements_of_term(statements(), symbols);
    put(`term ${symbols} ${nodes[0].textContent}`, {nodes, from, shapes: figure.view() && shapes_of(figure.view(), from, symbols, editor.text())});
  };

  for (const box of [story, curves]) {
    box.addEventListener("pointerover", event => {
      const symbol = event.target.closest?.("[data-s]"), term = symbol ? [] : term_around(event.target);
      if (term.length) light_term(term);
      else light(symbol?.getAttribute("data-s") ?? null);
    });
    box.addEventListener("pointerleave", () => light(null));
  }
  stage.addEventListener("pointermove", event => {
    const i = event.buttons ? null : shape_at(figure, event), view = figure.view();
    const statement = i === null ? null : statement_of_shape(view, i, statements(), editor.text()), {part} = i === null ? {} : view.scene.shapes[i];
    if (!statement) return light(null);
    light_statement(statement, `shape ${i}`, new Set(view.scene.shapes.flatMap((s, k) => k === i || (part && s.part === part) ? [k] : [])));
  });
  stage.addEventListener("pointerleave", () => light(null));
  return light;
}
