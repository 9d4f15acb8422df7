// The studio's page: the text is the truth; everything else follows it.
import {open_wire, bytes, text as read_text} from "./wire.js";
import {make_editor} from "./editor.js";
import {make_figure} from "./figure.js";
import {make_equations} from "./equations.js";
import {make_lookups} from "./lookups.js";
import {make_lighting} from "./lighting.js";
import {make_sliders} from "./sliders.js";
import {show_certificate, show_modes} from "./results.js";
import {fragment_of, model_of} from "./share.js";
import {ask, choose, show_text as show_text_window, tell} from "./dialogs.js";
import {unit_of} from "./offsets.js";
import {make_sketch} from "./sketch.js";
import {PALETTE, page_kit} from "qdot-page-kit";
import {sweep_band, sweep_values} from "./band.js";
import {branches_of} from "./branches.js";
import {force_arrows} from "./forces.js";
import {find_numbers, number_text} from "./numbers.js";
import {read_sketch, set_poses} from "./sketch_text.js";
import {settle} from "./sketch_solve.js";

const at = id => document.getElementById(id);
// What is looked up when somebody opens it, below the derivation; the last are what lines of the model ask.
const LOOKUPS = [["check", "The mechanism: mobility, joints, values"], ["modes", "Natural frequencies and shapes"], ["linearize", "Linearized equations"], ["equilibrium", "Equilibria"], ["compare", "Formulations compared"],
  ["positions", "Positions of a driven mechanism"], ["response", "Frequency response"], ["tolerance", "Tolerances", true], ["sensitivity", "Sensitivities", true], ["sweep", "Sweep", true],
  ["fit", "Fit to measurements", true], ["find", "Search", true], ["orbit", "Periodic motion", true]];
const EXPORTS = [["report", "live report page"], ["pdf", "report as PDF"], ["tex", "report as LaTeX"], ["latex", "equations as LaTeX"], ["equations", "equations as text"], ["csv", "results as CSV"], ["mat", "results for MATLAB"], ["json", "certificate as JSON"], ["plots", "plots (SVG)"],
  ["plots-png", "plots (PNG)"], ["plots-pdf", "plots (PDF)"], ["plots-all", "every kind of plot (SVG)"], ["svg", "picture (SVG)"], ["png", "picture (PNG)"], ["picture-pdf", "picture (PDF)"], ["gif", "film (GIF)"], ["mp4", "film (MP4)"],
  ["c", "program in C"], ["octave", "program in Octave"], ["python", "program in Python"], ["js", "program in JavaScript"], ...LOOKUPS.map(([kind, title]) => [kind, title.toLowerCase()]), ["mode-pictures", "pictures of the modes"], ["locus", "frequencies over a parameter …"]];
// Of what is made on the way, only this is wanted: a page contains its pictures, and pictures need no scripts that draw them.
const WANTED = {report: /\.html$/, pdf: /\.pdf$/, tex: /\.(tex|pdf)$/, plots: /\.svg$/, "plots-all": /\.svg$/, "plots-png": /\.png$/, "plots-pdf": /\.pdf$/};
const is_wanted = (kind, name) => (WANTED[kind] ?? /^(?!.*\.(dat|gp)$)/).test(name);

const state = {file: "", files: [], examples: [], edit: 0, sent: 0, kept: 0, is_saved: true, began: 0, modes: {modes: []}, mode: null};
const figures = {typed: [], slid: []}; // milliseconds from a change to what it shows

// ---- Answers

const write = (node, words) => { if (node.textContent !== words) node.textContent = words; };
const is_current = message => message.id === state.edit;

function show_problems(list) {
  const text = editor.text();
  at("problems").replaceChildren(...list.map(d => {
    const item = document.createElement("li"), go = document.createElement("button");
    item.className = d.severity;
    go.type = "button", go.className = "go", go.textContent = d.file ? `${d.file}:${d.line}: ${d.text}` : d.text;
    go.onclick = () => {
      if (d.begin === undefined) return;
      editor.view.dispatch({selection: {anchor: unit_of(text, d.begin), head: unit_of(text, d.end)}, scrollIntoView: true});
      editor.focus();
    };
    item.append(go);
    if (d.suggestion && !d.file) {
      const fix = document.createElement("button");
      fix.type = "button", fix.className = "fix", fix.textContent = `write ${d.suggestion}`;
      fix.onclick = () => editor.view.dispatch({changes: {from: unit_of(text, d.begin), to: unit_of(text, d.end), insert: d.suggestion}, userEvent: "fix"});
      item.append(fix);
    }
    if (d.label || d.note) item.append(Object.assign(document.createElement("span"), {className: "note", textContent: [d.label, d.note].filter(Boolean).join("; ")}));
    return item;
  }));
}

// Of what has been drawn now; the size of something asks the browser to lay it out first.
const measure = (kind, box) => {
  if (figures[kind].length < 5000 && box.offsetHeight) figures[kind].push(performance.now() - state.began);
};

const wire = open_wire({
  state(is_open) {
    if (is_open) begin();
    else tell(at("notice"), "The studio has ended. What you typed is kept; start 'qdot studio' again.");
  },
  kept(message) {
    state.kept = message.id;
    if (message.why) tell(at("notice"), message.why);
    else if (message.id === state.edit && !state.is_saved && state.file) write(at("unsaved"), "kept, not saved");
  },
  changed(message) {
    if (message.file !== state.file) return;
    editor.set(message.text);
    sliders.follow(message.text);
    board.follow(message.text);
    compute("given");
  },
  diagnosed(message) {
    if (!is_current(message)) return;
    // an empty page is no mistake
    const blank = is_blank(editor.text()), list = blank ? [] : message.diagnostics, said = JSON.stringify(list);
    if (said !== state.said) editor.diagnose(list), show_problems(list);
    state.said = said;
    document.body.classList.toggle("blank", blank);
    const wrong = list.some(d => d.severity === "error");
    for (const id of ["stage", "curves", "story"]) at(id).classList.toggle("stale", wrong);
  },
  equations(message) {
    if (message.id < state.sent) return;
    equations.show(message);
    equations.lay_out();
    measure("typed", at("story"));
  },
  motion(message) {
    figure.show(message);
    show_certificate(at("certificate"), message);
    state.moved = message.slide ? message.id : 0;
  },
  modes(message) {
    if (!is_current(message)) return;
    state.modes = message;
    list_modes();
    if (message.id === state.moved) measure("slid", at("curves"));
    editor.catch_up();
  },
  progress(message) {
    const bar = at("work").querySelector("progress");
    at("work").hidden = false;
    bar.value = message.part;
    at("work").querySelector("span").textContent = message.stage;
  },
  done(message) {
    editor.catch_up();
    at("work").hidden = true;
    clearTimeout(state.patience);
    if (!is_current(message) || message.id !== state.sent) return;
    lookups.renew();
    if (at("forces").checked) show_forces();
  },
  refused(message) { tell(at("notice"), message.why); },
});

// ---- Edits

// how: "typed", "slid", "settled", "drawn"; a text that was "given" by the server is kept already.
function compute(how, text = editor.text()) {
  state.mode = null;
  state.began = performance.now();
  state.edit = wire.send("edit", {file: how === "given" ? "" : state.file, text, slide: how === "slid"});
  if (how !== "slid") state.sent = state.edit;
  clearTimeout(state.patience);
  state.patience = setTimeout(() => {
    at("work").hidden = false;
    at("work").querySelector("progress").removeAttribute("value");
    at("work").querySelector("span").textContent = "working";
  }, 400);
}

function changing(text, how) {
  if (how === "given") return;
  if (!state.file) show_file(untitled_name());
  state.is_saved = false;
  compute(how, text);
}

function changed(text, how) {
  if (how === "given") return;
  sliders.follow(text);
  board.follow(text);
  if (how !== "slid") document.title = `${title_of(text)} – Qdot studio`;
}

const title_of = text => text.match(/^\s*model\s+"([^"]*)"/m)?.[1] ?? (state.file || "untitled");

// A mode takes the place of the motion until it is switched off or the text changes.
const list_modes = () => show_modes(at("modes"), state.modes, {play: play_mode, playing: state.mode, find_stable, show_locus,
  without_motors: MOTOR.test(editor.text()) ? tell_free_modes : null});

// The text says about which point: a line that names the nearest stable equilibrium, or the one that said another.
async function find_stable() {
  const text = editor.text(), answer = await wire.ask("export", {kind: "equilibrium", file: state.file, text}, "exported");
  const section = answer.sections?.["equilibria.json"];
  const found = section && JSON.parse(new TextDecoder().decode(bytes(section))).equilibria.find(e => !/unstable/.test(e.stability));
  if (!found || text !== editor.text()) return tell(at("notice"), "There is no stable position nearby.");
  const line = `linearize at equilibrium ${Object.entries(found.point).map(([name, value]) => `${name} = ${number_text(value, 6)}`).join(", ")}\n`;
  const old = /^[ \t]*linearize\b.*\n?/m.exec(text);
  editor.apply([old ? {from: old.index, to: old.index + old[0].length, insert: line}
    : {from: text.length, to: text.length, insert: (text.endsWith("\n") ? "" : "\n") + line}]);
}

// A motor leaves nothing free to vibrate: without it there may be.
const MOTOR = /^\s*motor\b/m;
async function tell_free_modes() {
  const text = editor.text().replace(new RegExp(MOTOR, "gm"), "# $&");
  const answer = await wire.ask("export", {kind: "modes", file: state.file, text}, "exported"), section = Object.values(answer.sections ?? {})[0];
  show_text_window("Small vibrations without motors", section ? new TextDecoder().decode(bytes(section)) : answer.diagnostics?.at(-1)?.text ?? answer.why);
}

async function play_mode(number) {
  if (number === state.mode) return compute("given");
  state.mode = number;
  list_modes();
  const answer = await wire.ask("mode", {file: state.file, text: editor.text(), number}, "mode");
  if (answer.do === "refused") return tell(at("notice"), answer.why);
  if (state.mode !== number) return;
  board.open(false);
  figure.show(answer);
  figure.play();
}

// ---- The parts

const nonce = document.querySelector("meta[name=qdot-nonce]").content;
const light = name => lighting(name);
const editor = make_editor(at("editor"), {wire, changing, changed, nonce, looked_at: light,
  rename_dialog: (name, count) => ask(`New name of ${name} (${count} places)`, name)});
const figure = make_figure({stage: at("stage"), bar: at("bar"), looks: at("looks"), curves: at("curves")}, {watch() {}});
const equations = make_equations(at("story"), at("derived"));
const lighting = make_lighting({story: at("story"), curves: at("curves"), stage: at("stage")}, {editor, figure});
const lookups = make_lookups(at("lookups"), LOOKUPS, kind => wire.ask("export", {kind, file: state.file, text: editor.text()}, "exported"),
  {text: editor.text, accept: text => editor.set(text, {is_given: false})});
const sliders = make_sliders(at("sliders"), {move: editor.move_number, point: light, sweep});

// The board draws with the same strokes as the stage.
const strokes = page_kit({palette: PALETTE, words: {decimal: "."}, colours: {}, curves: [], events: [], scene: {shapes: [], hinges: []}}, null, query => matchMedia(query));
const board = make_sketch({tools: at("tools"), stage: at("stage")}, {text: editor.text, apply: editor.apply, slide: editor.slide_edits,
  theme: strokes.page_theme, finished: () => { if (!matchMedia("(prefers-reduced-motion: reduce)").matches) figure.play(); }, sketches_of: () => ({Brush: strokes.Brush, sketches: strokes.sketches,
    colour: (i, theme) => strokes.themed(strokes.group_colour(i), theme)})});

// ---- What other texts would do

const run_text = text => wire.ask("run", {file: state.file, text}, "ran");

// The band of one number; a second click takes it away.
async function sweep(name) {
  const text = editor.text(), number = find_numbers(text).find(n => n.name === name), store = figure.store();
  if (!number || !store) return;
  if (store.get().band?.name === name) return figure.set({band: null});
  const values = sweep_values(number.value, number.unit);
  tell(at("notice"), `${name} from ${number_text(values[0])} to ${number_text(values.at(-1))} ${number.unit} …`);
  const band = await sweep_band(store.get().run, values.map(v => text.slice(0, number.from) + number_text(v, 6) + text.slice(number.to)), run_text);
  if (text !== editor.text()) return;
  if (!band) return tell(at("notice"), `there is no motion for other values of ${name}`);
  figure.set({band: {...band, name}});
  tell(at("notice"), `The band is what ${band.count} runs reach, ${name} from ${number_text(values[0])} to ${number_text(values.at(-1))} ${number.unit}. Click again to take it away.`);
}

// The forces in the joints follow the text while they are switched on.
async function show_forces() {
  if (!at("forces").checked) return figure.set({forces: null});
  const text = editor.text(), forces = await force_arrows(text, run_text);
  if (text !== editor.text() || !at("forces").checked) return;
  figure.set({forces});
  if (!forces) tell(at("notice"), "Only joints of bodies in the plane have force arrows.");
  else write(at("largest"), `longest ${number_text(forces.most, 3)} N`);
}
at("forces").onchange = () => { write(at("largest"), ""), show_forces(); };

// The same parts put together in another way.
async function show_branches() {
  const sketch = settle(read_sketch(editor.text())), found = branches_of(sketch);
  if (found.length < 2) return tell(at("notice"), found.length ? "There is no other way to put these links together." : "Only links and joints that the board can draw have other branches.");
  const value = await choose("Put together in another way", [{title: "", list: found.map((poses, i) => ({title: i ? `branch ${i + 1}` : "as it is",
    picture: board.thumbnail(poses), value: i}))}]);
  if (value > 0) editor.apply(set_poses(sketch, found[value]));
}
at("branches").onclick = show_branches;

// ---- Files

// What is typed into a page without a name is kept, too, under a name of the moment until it is saved under one of its own.
function untitled_name() {
  const [, ...parts] = /^\d+-(\d+)-(\d+)T(\d+):(\d+):(\d+)/.exec(new Date().toISOString());
  return `untitled-${parts.join("")}.qdot`;
}
const is_untitled = file => /^untitled-\d+\.qdot$/.test(file);

// A page that is loaded again goes on with the file that it showed.
function show_file(file) {
  state.file = file;
  write(at("file"), !file || is_untitled(file) ? "untitled" : file);
  sessionStorage.setItem("file", file);
}

function show_text(file, text, is_saved) {
  show_file(file);
  state.is_saved = is_saved;
  at("unsaved").textContent = is_saved ? "" : "kept, not saved";
  state.said = null;
  editor.open(text);
  sliders.follow(text);
  board.follow(text);
  figure.forget_ghost();
  document.title = `${title_of(text)} – Qdot studio`;
  compute("given");
}

async function open_file(file) {
  const answer = await wire.ask("open", {file}, "opened");
  if (answer.do === "refused") return tell(at("notice"), `${file}: ${answer.why}`);
  show_text(file, answer.text, !answer.unsaved);
  if (answer.unsaved) tell(at("notice"), "This is what you typed last; it has not been saved.");
}

async function open_example(name) {
  const answer = await wire.ask("example", {kind: name}, "opened");
  if (answer.do !== "refused") show_text("", answer.text, false), at("unsaved").textContent = "example";
}

async function pick() {
  const value = await choose("Open", [
    {title: "This folder", list: state.files.map(f => ({title: f, about: is_untitled(f) ? "typed, and never saved" : "", value: ["open", f]}))},
    {title: "Something new", list: [{title: "Empty page", about: "draw or write from nothing", value: ["new"]}]},
    {title: "Examples", list: state.examples.map(e => ({title: e.name.replaceAll("_", " "), about: e.about, value: ["example", e.name]}))}]);
  if (value?.[0] === "open") open_file(value[1]);
  if (value?.[0] === "example") open_example(value[1]);
  if (value?.[0] === "new") draw_anew();
}
const EMPTY = 'model "New"\ngravity (0, -9.81 [m/s^2])\n';
const is_blank = text => !/^\s*(body|coord|kinetic|potential|include|use)\b/m.test(text);
function draw_anew() {
  show_text("", EMPTY, false);
  at("unsaved").textContent = "";
  board.open(true, "link");
}

async function save() {
  let file = state.file;
  if (!file || is_untitled(file)) {
    const name = await ask("Save as", title_of(editor.text()).toLowerCase().replace(/[^\w]+/g, "_") + ".qdot");
    if (!name) return;
    file = name.endsWith(".qdot") ? name : name + ".qdot";
    if (state.files.includes(file) && (await ask(`${file} exists. Write its name again to replace it`)) !== file) return;
  }
  const answer = await wire.ask("save", {file, text: editor.text()}, "saved");
  if (answer.do === "refused") return tell(at("notice"), `${file}: ${answer.why}`);
  const kept = is_untitled(state.file) && state.file !== file ? state.file : null;
  if (kept) await wire.ask("discard", {file: kept}, "opened");
  Object.assign(state, {files: answer.files.filter(f => f !== kept), is_saved: true});
  show_file(file);
  at("unsaved").textContent = "saved";
}

// What was typed and not saved is saved, or thrown away.
async function settle_unsaved() {
  if (state.is_saved || !state.file) return;
  const was_saved = !is_untitled(state.file);
  const value = await choose("What you typed is kept, but not saved", [{title: "", list: [{title: "Save", about: "write it to a file", value: "save"},
    was_saved ? {title: "Go back", about: `to ${state.file} as it was saved`, value: "discard"} : {title: "Throw it away", about: "and begin with an empty page", value: "discard"}]}]);
  if (value === "save") save();
  if (value !== "discard") return;
  const {file} = state, answer = await wire.ask("discard", {file}, "opened");
  if (answer.do === "opened") return show_text(file, answer.text, true);
  state.files = state.files.filter(f => f !== file);
  draw_anew();
}

function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function export_as(kind) {
  const range = kind === "locus" ? await ask_range() : "";
  if (range === null) return;
  tell(at("notice"), "exporting …");
  const answer = await wire.ask("export", {kind, range, file: state.file, text: editor.text()}, "exported");
  const made = Object.keys(answer.sections ?? {}), wanted = made.filter(name => is_wanted(kind, name)), names = wanted.length ? wanted : made;
  if (!names.length) return tell(at("notice"), answer.diagnostics?.at(-1)?.text ?? answer.why ?? "nothing was made");
  for (const name of names) download(name, bytes(answer.sections[name]));
  tell(at("notice"), `${names.join(", ")} ${names.length > 1 ? "are" : "is"} with your downloads.`);
}

// A parameter and the values between which frequencies are followed, or null; the model's first but gravity, from half to twice what it is.
function ask_range() {
  const number = find_numbers(editor.text()).find(n => n.is_parameter && n.value !== 0 && n.name !== "g"), text = v => `${number_text(v)}${number.unit ? ` [${number.unit}]` : ""}`;
  return ask("Frequencies and stability over a parameter: NAME=from..to", number ? `${number.name}=${text(number.value / 2)}..${text(2 * number.value)}` : "");
}

async function show_locus() {
  const range = await ask_range();
  if (!range) return;
  const answer = await wire.ask("export", {kind: "locus", range, file: state.file, text: editor.text()}, "exported");
  const {"locus.txt": words, "sweep.svg": picture} = answer.sections ?? {};
  show_text_window(`Frequencies over ${range}`, words ? read_text(words) : answer.diagnostics?.at(-1)?.text ?? answer.why, picture && read_text(picture));
}

// What the pictures of a film or a formula are needed for: another document.
const LATEX = {latex: "equations.tex", linearize: "linearized.tex"};
async function copy_as(what) {
  try {
    if (LATEX[what]) {
      const answer = await wire.ask("export", {kind: what, file: state.file, text: editor.text()}, "exported");
      const section = answer.sections?.[LATEX[what]];
      if (!section) return answer.diagnostics?.[0]?.text ?? answer.why ?? "nothing was made";
      await navigator.clipboard.writeText(read_text(section));
      return "The equations are in the clipboard as LaTeX.";
    }
    if (what === "text") await navigator.clipboard.writeText(editor.text());
    else {
      const canvas = at("motion").querySelector(board.is_open() ? "canvas.board" : "canvas.stage");
      const picture = await new Promise(done => canvas.toBlob(done));
      await navigator.clipboard.write([new ClipboardItem({"image/png": picture})]);
    }
    return "It is in the clipboard.";
  } catch {
    return "The browser does not give access to the clipboard.";
  }
}

// A page for everybody, or a link for those who have a studio.
async function share() {
  const value = await choose("Send it to somebody", [{title: "", list: [
    {title: "A page that moves", about: "one file, report.html: it opens in every browser, with drawing, curves, equations and sliders", value: "page"},
    {title: "A link", about: "for somebody who has Qdot: the link contains the model", value: "link"}]}]);
  if (value === "page") export_as("report");
  if (value === "link") share_link();
}

async function share_link() {
  const link = location.href.replace(/[?#].*/, "") + await fragment_of(editor.text());
  history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link).catch(() => {});
  tell(at("notice"), "The link with the model is in the address bar and the clipboard. It opens in the receiver's own studio: they paste what follows # behind their address.");
}

for (const [value, name] of EXPORTS) at("export").append(new Option(name, value));
at("export").onchange = () => {
  const kind = at("export").value;
  at("export").value = "";
  if (kind) export_as(kind);
};
at("file").onclick = pick;
at("new").onclick = draw_anew;
at("bar").addEventListener("click", event => { if (event.target.closest(".play")) board.open(false); });
at("copy").onchange = async () => {
  const what = at("copy").value;
  at("copy").value = "";
  if (what) tell(at("notice"), await copy_as(what));
};
at("save").onclick = save;
at("unsaved").onclick = settle_unsaved;
at("share").onclick = share;
at("stop").onclick = () => wire.send("stop");
document.addEventListener("keydown", event => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") event.preventDefault(), save();
  else if ((event.ctrlKey || event.metaKey) && event.key === "o") event.preventDefault(), pick();
  else if (event.key === " " && event.target === document.body) event.preventDefault(), figure.toggle();
});

// ---- The beginning, and again after a loss

let is_begun = false;
async function begin() {
  const answer = await wire.ask("hello", {}, "welcome");
  Object.assign(state, {files: answer.files, examples: answer.examples});
  if (is_begun) return compute(state.is_saved ? "given" : "typed");
  is_begun = true;
  const shared = await globalThis.qdot_site?.asked() ?? await model_of(location.hash);
  if (shared !== null) return show_text("", shared, false);
  const last = sessionStorage.getItem("file"), first = answer.files.includes(last) ? last : answer.file || (answer.files.length === 1 ? answer.files[0] : "");
  const left = answer.files.filter(file => is_untitled(file) && file !== first);
  if (first) await open_file(first);
  else if (answer.files.length) show_text("", EMPTY, false), pick();
  else open_example("four_bar");
  if (left.length && first) tell(at("notice"), `${left.length > 1 ? `${left.length} texts were` : "A text was"} typed and never saved: the name at the top left opens ${left.length > 1 ? "them" : "it"}.`);
}
addEventListener("hashchange", async () => {
  const shared = await model_of(location.hash);
  if (shared !== null) show_text("", shared, false);
});

window.qdot_studio = {board, draw_anew, share_link, editor, equations, figure, wire, state, figures, light, save, export_as};
