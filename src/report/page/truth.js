// ---- What stays true when values are changed: numbers that follow, statements of the run as written

// A number as a formula has it; powers of ten as such.
function number_markup(value, digits, is_guess) {
  const [, sign, size, power] = /^(−?)([^e]*)(?:e(.*))?$/.exec(number_text(value, digits));
  const minus = s => s.startsWith("−") ? `<mo>−</mo><mn>${s.slice(1)}</mn>` : `<mn>${s}</mn>`;
  const ten = power ? `<mo>·</mo><msup><mn>10</mn><mrow>${minus(power)}</mrow></msup>` : "";
  return math(`${is_guess ? "<mo>~</mo>" : ""}${sign ? '<mo form="prefix">−</mo>' : ""}<mn>${size}</mn>${ten}`);
}

// The samples of a column of the result in SI units, (i) => value; null where the page does not have it.
function column_of(run, name) {
  const k = data.columns.findIndex(from => engine.model.columns[from] === name);
  if (k >= 0) return i => run.states[i * run.width + k];
  const curve = data.curves.findIndex(c => c.name === name);
  if (curve < 0) return null;
  const values = run.curves()[curve], {si = 1} = data.curves[curve];
  return i => si * values[i];
}

// Four digits, rounded outwards but for what is an error of the integration.
function bound_text(value, side, size) {
  if (Math.abs(value) < 1e-9 * size) return 0;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 3);
  return side * Math.ceil(side * value / unit - 1e-4) * unit;
}

// What a cell shows now: {value, digits}; null where the page does not know it.
function value_of_cell([what, name, factor], {run, is_whole}, values) {
  if (what === "value") return name in values ? {value: values[name] / factor, digits: 6} : null;
  if (!is_whole) return null;
  const column = column_of(run, name);
  if (!column) return null;
  const [least, most] = [-1, 1].map(side => extreme_of(run, column, side)), size = Math.max(Math.abs(least), Math.abs(most));
  if (what === "start") return {value: Math.abs(column(0)) < 1e-9 * size ? 0 : column(0) / factor, digits: 6};
  const side = what === "least" ? -1 : 1;
  return {value: bound_text((side < 0 ? least : most) / factor, side, size / factor), digits: 4};
}

// Parameters and inputs by the names of the model, in SI units.
function values_of({p, u}) {
  const of_parameters = data.parameters.map(({key, name}) => [name, p[key]]);
  return Object.fromEntries([...of_parameters, ...data.inputs.map(({key, number}) => [key, u[number]])]);
}

function follow_values(store) {
  const {words} = data;
  const cells = [...document.querySelectorAll("[data-follows]")].map(node => ({node, written: node.innerHTML, is_guess: node.textContent.startsWith("~"),
    follows: node.dataset.follows.split("; ").map(one => one.split(" ")), shown: null}));
  const statements = [...document.querySelectorAll(".of-run")];
  // a heading says what the strokes below it mean
  const heading_of = node => {
    for (let at = node; at; at = at.previousElementSibling ?? at.parentElement) if (at.localName === "h2") return at;
    return null;
  };
  const headings = new Set(statements.map(heading_of));
  const said = new Map([...headings].filter(Boolean).map(h => [h, element("span", {class: "aswritten", hidden: true}, words.AS_WRITTEN)]));
  for (const [heading, badge] of said) heading.append(badge);
  const mark = (node, is_stale) => node.classList.toggle("stale", is_stale);

  const show_cell = (cell, state, values) => {
    const found = values ? cell.follows.map(one => value_of_cell(one, state, values)) : [];
    const texts = found.map(one => one && number_markup(one.value, one.digits, cell.is_guess));
    const is_known = texts.every(text => text && text === texts[0]), shown = values && is_known ? texts[0] : cell.written;
    mark(cell.node, Boolean(values) && !is_known);
    if (cell.shown === shown) return;
    cell.node.innerHTML = cell.shown = shown;
  };
  store.follow((state, before) => {
    if (state.run === before.run && state.changed === before.changed && state.is_whole === before.is_whole) return;
    const is_changed = state.changed.length > 0;
    if (!is_changed && !before.changed?.length) return;
    const values = is_changed ? values_of(state.set) : null;
    for (const cell of cells) show_cell(cell, state, values);
    for (const node of statements) mark(node, is_changed);
    for (const badge of said.values()) badge.hidden = !is_changed;
  });
}
