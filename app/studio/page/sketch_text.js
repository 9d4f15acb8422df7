// What can be drawn, read from the text: bodies with a place and an angle, joints, springs; and the
// edits of the text by which a drawing changes it.
import {bare_line, number_text} from "./numbers.js";

const UNITS = {m: 1, cm: 0.01, mm: 0.001, km: 1000, deg: Math.PI / 180, rad: 1, "": 1};
const LITERAL = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?:\[([^\]]*)\])?$/;
const NAME = "[\\p{L}_][\\w\\p{L}]*";
const POINT = `(${NAME})\\s*\\(([^,()]+),([^()]*)\\)`;

// ---- Expressions of numbers with units and parameters: + - * / and brackets; NaN for all else.

function evaluate(text, parameters) {
  const tokens = text.match(/\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|\[[^\]]*\]|[\p{L}_][\w\p{L}]*|[-+*/()]/gu) ?? [];
  let at = 0;
  const primary = () => {
    const token = tokens[at++];
    if (token === undefined) return NaN;
    if (token === "-") return -primary();
    if (token === "+") return primary();
    if (token === "(") {
      const value = sum();
      return tokens[at++] === ")" ? value : NaN;
    }
    if (/^[\d.]/.test(token)) {
      const unit = tokens[at]?.startsWith("[") ? tokens[at++].slice(1, -1) : "";
      return Number(token) * (UNITS[unit] ?? NaN);
    }
    return parameters.get(token)?.value ?? NaN;
  };
  const product = () => {
    let value = primary();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * primary() : value / primary();
    return value;
  };
  const sum = () => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : NaN;
}

// A quantity of the text: its value in SI and, where a number states it, how to write another one.
// Of a parameter, it is the parameter's number that is written.
function quantity(text, from, parameters) {
  const lead = text.length - text.trimStart().length, inner = text.trim(), match = inner.match(LITERAL);
  const value = evaluate(inner, parameters);
  if (match) return {value, from: from + lead, to: from + lead + match[1].length, factor: UNITS[match[2] ?? ""] ?? NaN,
                     has_unit: match[2] !== undefined};
  const parameter = parameters.get(inner);
  return parameter ? {...parameter, value} : {value};
}

// ---- Reading

export function read_sketch(text) {
  const parameters = new Map(), bodies = [], joints = [], links = [], floors = [];
  const lines = [];
  let start = 0;
  for (const whole of text.split("\n")) {
    lines.push({line: bare_line(whole), start});
    start += whole.length + 1;
  }
  for (const {line, start: at} of lines) {
    if (!/^\s*param\b/.test(line)) continue;
    for (const match of line.matchAll(new RegExp(`(${NAME})\\s*=\\s*([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)\\s*(?:\\[([^\\]]*)\\])?\\s*(?=,|$|")`, "gud"))) {
      const factor = UNITS[match[3] ?? ""] ?? 1;
      parameters.set(match[1], {value: Number(match[2]) * factor, from: at + match.indices[2][0], to: at + match.indices[2][1], factor, has_unit: match[3] !== undefined});
    }
  }
  const part = (line, at, pattern) => {
    const match = line.match(new RegExp(pattern, "ud"));
    return match ? match.slice(1).map((piece, i) => quantity(piece, at + match.indices[i + 1][0], parameters)) : null;
  };
  for (const {line, start: at} of lines) {
    const body = line.match(new RegExp(`^\\s*body\\s+(${NAME})\\s*:`, "u"));
    if (body) {
      const place = part(line, at, "\\bat\\s*[=~]?\\s*\\(([^,()]+),([^()]*)\\)"), angle = part(line, at, "\\bangle\\s*[=~]?\\s*([^,]+)");
      bodies.push({name: body[1], rod: part(line, at, "\\brod\\s+([^,]+)")?.[0], disc: part(line, at, "\\bdisc\\s+([^,]+)")?.[0],
                   plate: part(line, at, "\\bplate\\s*\\(([^,()]+),([^()]*)\\)"), x: place?.[0] ?? {value: 0}, y: place?.[1] ?? {value: 0},
                   angle: angle?.[0] ?? {value: 0}, end: at + line.length, has_place: Boolean(place)});
    }
    const pair = line.match(new RegExp(`^\\s*(joint|spring|damper)\\s+(${NAME})\\s*:\\s*(?:(${NAME})\\s+)?${POINT}\\s*,\\s*${POINT}(.*)$`, "ud"));
    const floor = /^\s*contact\b/.test(line) && part(line, at, "\\bline\\s*\\(([^,()]+),([^()]*)\\)");
    if (floor) floors.push({x: floor[0], y: floor[1]});
    if (!pair) continue;
    const [, word, name, kind, a, ax, ay, b, bx, by, rest] = pair, q = (i, piece) => quantity(piece, at + pair.indices[i][0], parameters);
    const one = {word, name, kind, a: {body: a, x: q(5, ax), y: q(6, ay)}, b: {body: b, x: q(8, bx), y: q(9, by)}, at, to: at + line.length,
                 axis: part(rest, at, "\\baxis\\s+([^,]+)")?.[0]?.value ?? 0};
    (word === "joint" ? joints : links).push(one);
  }
  return {text, parameters, bodies, joints, links, floors, motors: [...text.matchAll(new RegExp(`^\\s*motor\\s+(${NAME})`, "gmu"))].map(m => m[1])};
}

export const body_named = (sketch, name) => sketch.bodies.find(b => b.name === name);

// A point of a body (or of the ground) in the drawing's frame; pose: {x, y, angle}.
export function world_point(pose, x, y) {
  if (!pose) return [x, y];
  const c = Math.cos(pose.angle), s = Math.sin(pose.angle);
  return [pose.x + c * x - s * y, pose.y + s * x + c * y];
}

export const pose_of = body => body && {x: body.x.value, y: body.y.value, angle: body.angle.value};

export function end_of(sketch, place) { return world_point(pose_of(body_named(sketch, place.body)), place.x.value, place.y.value); }

// Every place where something may be fixed: ends of rods, centres, ground pins.
export function pins_of(sketch) {
  const pins = [];
  const add = (body, local, at, x, y) => {
    if (Number.isFinite(at[0] + at[1])) pins.push({body, local, at, x, y});
  };
  for (const body of sketch.bodies) {
    const pose = pose_of(body);
    if (body.rod && body.rod.value > 0)
      for (const side of [-1, 1]) add(body.name, side, world_point(pose, side * body.rod.value / 2, 0), side * body.rod.value / 2, 0);
    add(body.name, 0, world_point(pose, 0, 0), 0, 0);
  }
  for (const one of [...sketch.joints, ...sketch.links])
    for (const place of [one.a, one.b]) if (place.body === "ground") add("ground", 0, [place.x.value, place.y.value], place.x.value, place.y.value);
  return pins;
}

// ---- Writing

// Places to a hundredth of a millimetre; what hangs together is found within a tenth of one.
const TOGETHER = 1e-4;
const metres = value => `${number_text(Math.round(1e5 * value) / 1e5, 8)} [m]`;
const degrees = value => `${number_text(Math.round(value * 180e5 / Math.PI) / 1e5, 8)} [deg]`;

// The edit that gives a quantity another value, in its own unit; null where no number states it.
export function set_quantity(q, value, digits = 5) {
  if (q.from === undefined || !(q.factor > 0)) return null;
  const insert = number_text(Math.abs(value) < 1e-12 ? 0 : value / q.factor, digits);
  // a bare 0 becomes a length
  return {from: q.from, to: q.to, insert: q.has_unit ? insert : insert === "0" ? "0" : `${number_text(value, digits)} [m]`};
}

function fresh(sketch, stem) {
  for (let i = 1; ; i++) if (!new RegExp(`\\b${stem}_?${i}\\b`).test(sketch.text)) return i;
}

function fresh_letter(sketch) {
  const taken = new Set([...sketch.joints, ...sketch.links].map(j => j.name));
  for (const c of "ABCDEFGHJKLMNPQRSTUVWXYZ") if (!taken.has(c) && !sketch.parameters.has(c)) return c;
  return `pin_${fresh(sketch, "pin")}`;
}

// How a pin is written as a place of its body.
function place_text(sketch, pin) {
  if (pin.body === "ground") return `ground (${metres(pin.at[0])}, ${metres(pin.at[1])})`;
  const rod = body_named(sketch, pin.body)?.rod;
  if (!pin.local) return `${pin.body} (0, 0)`;
  const length = sketch.text.slice(0).match(new RegExp(`body\\s+${pin.body}\\s*:\\s*rod\\s+([^,]+)`))?.[1]?.trim() ?? metres(rod.value);
  return `${pin.body} (${pin.local < 0 ? "-" : ""}${/^[\w]+$/.test(length) ? `${length}/2` : metres(rod.value / 2)}, 0)`;
}

// Lines are added behind the last line of the mechanism, before what is computed.
function add_lines(sketch, lines) {
  const {text} = sketch, request = text.search(/^(simulate|plot|output|draw|linearize|measure)\b/m);
  const needs_run = !/^simulate\b/m.test(text);
  const all = [...lines, ...(needs_run ? ["simulate to 5 [s] every 10 [ms]"] : [])].join("\n") + "\n";
  const at = request < 0 || needs_run ? text.length : request;
  return [{from: at, to: at, insert: (at > 0 && text[at - 1] !== "\n" ? "\n" : "") + all}];
}

// A link from one place to another; places that are pins of others get a joint.
export function add_link(sketch, from, to) {
  const i = fresh(sketch, "link"), length = Math.hypot(to.at[0] - from.at[0], to.at[1] - from.at[1]);
  const angle = Math.atan2(to.at[1] - from.at[1], to.at[0] - from.at[0]), name = `link_${i}`, l = `L_${fresh(sketch, "L")}`;
  const lines = [`param ${l} = ${number_text(length, 6)} [m]`,
    `body ${name}: rod ${l}, mass 1 [kg], at (${metres((from.at[0] + to.at[0]) / 2)}, ${metres((from.at[1] + to.at[1]) / 2)}), angle ${degrees(angle)}`];
  const grown = {...sketch, joints: [...sketch.joints]};
  for (const [end, sign] of [[from, "-"], [to, ""]]) {
    if (!end.pin) continue;
    const letter = fresh_letter(grown);
    grown.joints.push({name: letter});
    lines.push(`joint ${letter}: revolute ${place_text(sketch, end.pin)}, ${name} (${sign}${l}/2, 0)`);
  }
  return add_lines(sketch, lines);
}

export function add_disc(sketch, centre, radius) {
  const name = `disc_${fresh(sketch, "disc")}`;
  const lines = [`body ${name}: disc ${metres(radius)}, mass 1 [kg], at (${metres(centre.at[0])}, ${metres(centre.at[1])}), angle 0 [deg]`];
  if (centre.pin) lines.push(`joint ${fresh_letter(sketch)}: revolute ${place_text(sketch, centre.pin)}, ${name} (0, 0)`);
  return add_lines(sketch, lines);
}

// A pin of a body held by the ground, or a slide along x.
export function add_support(sketch, pin, kind) {
  const ground = `ground (${metres(pin.at[0])}, ${metres(pin.at[1])})`, name = fresh_letter(sketch);
  if (kind === "pin") return add_lines(sketch, [`joint ${name}: revolute ${ground}, ${place_text(sketch, pin)}`]);
  const block = `slider_${fresh(sketch, "slider")}`, grown = {...sketch, joints: [...sketch.joints, {name}]};
  return add_lines(sketch, [`body ${block}: plate (${metres(0.1)}, ${metres(0.06)}), mass 1 [kg], at (${metres(pin.at[0])}, ${metres(pin.at[1])}), angle 0 [deg]`,
    `joint ${name}: prismatic ${ground}, ${block} (0, 0), axis 0`,
    `joint ${fresh_letter(grown)}: revolute ${place_text(sketch, pin)}, ${block} (0, 0)`]);
}

export function add_spring(sketch, from, to, word) {
  const end = place => place.pin ? place_text(sketch, place.pin) : `ground (${metres(place.at[0])}, ${metres(place.at[1])})`;
  const length = Math.hypot(to.at[0] - from.at[0], to.at[1] - from.at[1]);
  const about = word === "spring" ? `stiffness 100 [N/m], length ${metres(length)}` : "damping 1 [N*s/m]";
  return add_lines(sketch, [`${word} ${word}_${fresh(sketch, word)}: ${end(from)}, ${end(to)}, ${about}`]);
}

// Two discs whose teeth mesh; null for what is not a disc.
export function add_gear(sketch, a, b) {
  const disc_at = ([x, y]) => sketch.bodies.find(body => body.disc && Math.hypot(body.x.value - x, body.y.value - y) < TOGETHER);
  const [one, two] = [disc_at(a.at), disc_at(b.at)];
  if (!one || !two || one === two) return null;
  return add_lines(sketch, [`gear gear_${fresh(sketch, "gear")}: ${one.name}, ${two.name}, ratio -${number_text(one.disc.value, 6)}/${number_text(two.disc.value, 6)}`]);
}

// A floor below a point of a body; a disc touches it with its rim.
export function add_floor(sketch, pin, at) {
  const body = body_named(sketch, pin.body), radius = body.disc && !pin.local ? `radius ${metres(body.disc.value)}, ` : "";
  return add_lines(sketch, [`contact floor_${fresh(sketch, "floor")}: ${place_text(sketch, pin)}, ${radius}line (${metres(at[0])}, ${metres(at[1])}), restitution 0.5`]);
}

// The joint by which the ground holds what is at a place; undefined where there is none.
export function ground_joint_at(sketch, [x, y]) {
  const is_near = joint => (([u, v]) => Math.hypot(u - x, v - y) < TOGETHER)(end_of(sketch, joint.a));
  return sketch.joints.find(joint => [joint.a.body, joint.b.body].includes("ground") && is_near(joint));
}

// null where it has one.
export function add_motor(sketch, joint) {
  if (sketch.motors.includes(joint.name)) return null;
  return add_lines(sketch, [`motor ${joint.name}: speed ${joint.kind === "prismatic" ? "0.1 [m/s]" : "60 [rpm]"}`]);
}

// ---- Taking away

function distance_to_piece([x, y], [a, b], [c, d]) {
  const dx = c - a, dy = d - b, part = Math.min(Math.max(((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - a - part * dx, y - b - part * dy);
}

// The names of what is at a place: the joints of a pin, else the nearest body, spring or damper within reach.
export function parts_at(sketch, place, reach) {
  const is_here = at => Math.hypot(at[0] - place[0], at[1] - place[1]) < reach, joints = sketch.joints.filter(j => is_here(end_of(sketch, j.a)));
  if (joints.length) return joints.map(j => j.name);
  const far = [...sketch.bodies.map(body => {
    const pose = pose_of(body), half = (body.rod?.value ?? body.plate?.[0].value ?? 0) / 2, ends = [-1, 1].map(s => world_point(pose, s * half, 0));
    return [body.name, Math.max(distance_to_piece(place, ...ends) - (body.disc?.value ?? (body.plate?.[1].value ?? 0) / 2), 0)];
  }), ...sketch.links.map(one => [one.name, distance_to_piece(place, end_of(sketch, one.a), end_of(sketch, one.b))])];
  const nearest = far.filter(([, distance]) => distance < reach).sort((a, b) => a[1] - b[1])[0];
  return nearest ? [nearest[0]] : [];
}

const PART = new RegExp(`^\\s*(?:body|joint|spring|damper|gear|belt|rack|bushing|rope|cylinder|motor|contact)\\s+(${NAME})`, "u");

// The edits that take parts out of the text: their lines, those of other parts that name them, and the parameters that nobody
// uses then. What is plotted or computed of them stays, and is told as a mistake.
export function erase(sketch, names) {
  const lines = [], gone = new Set(names), words = line => line.match(new RegExp(NAME, "gu")) ?? [];
  let from = 0;
  for (const whole of sketch.text.split("\n")) {
    lines.push({from, to: Math.min(from + whole.length + 1, sketch.text.length), line: bare_line(whole), is_gone: false});
    from += whole.length + 1;
  }
  for (let before = -1; before < gone.size;) {
    before = gone.size;
    for (const one of lines) {
      const part = one.line.match(PART);
      if (part && words(one.line).some(word => gone.has(word))) one.is_gone = true, gone.add(part[1]);
    }
  }
  const used = new Set(lines.filter(one => one.is_gone).flatMap(one => words(one.line)));
  for (const one of lines) {
    const name = one.line.match(new RegExp(`^\\s*param\\s+(${NAME})\\s*=[^,]*$`, "u"))?.[1];
    if (name && used.has(name) && !lines.some(other => other !== one && !other.is_gone && words(other.line).includes(name))) one.is_gone = true;
  }
  return lines.filter(one => one.is_gone).map(one => ({from: one.from, to: one.to, insert: ""}));
}

// ---- Moving

// The edits for bodies that have moved: poses by name.
export function set_poses(sketch, poses) {
  const edits = [];
  for (const [name, pose] of poses) {
    const body = body_named(sketch, name);
    for (const [q, value] of [[body.x, pose.x], [body.y, pose.y], [body.angle, pose.angle]]) {
      const edit = Math.abs(value - q.value) > 1e-12 ? set_quantity(q, value, 6) : null;
      if (edit && edit.insert !== sketch.text.slice(edit.from, edit.to)) edits.push(edit);
    }
  }
  return edits.sort((a, b) => a.from - b.from);
}

// The edits that put one pin, with all that is fixed to it, somewhere else: lengths change.
export function reshape(sketch, at, to) {
  const near = p => Math.hypot(p[0] - at[0], p[1] - at[1]) < TOGETHER, edits = [];
  for (const body of sketch.bodies) {
    if (!body.rod) continue;
    const pose = pose_of(body), half = body.rod.value / 2, ends = [-1, 1].map(s => world_point(pose, s * half, 0));
    const moved = ends.findIndex(near);
    if (moved < 0) continue;
    ends[moved] = to;
    const [[ax, ay], [bx, by]] = ends, length = Math.hypot(bx - ax, by - ay);
    if (length < 1e-3) continue;
    edits.push(set_quantity(body.rod, length), set_quantity(body.x, (ax + bx) / 2), set_quantity(body.y, (ay + by) / 2),
               set_quantity(body.angle, Math.atan2(by - ay, bx - ax), 6));
  }
  for (const one of [...sketch.joints, ...sketch.links])
    for (const place of [one.a, one.b])
      if (place.body === "ground" && near([place.x.value, place.y.value])) edits.push(set_quantity(place.x, to[0]), set_quantity(place.y, to[1]));
  for (const body of sketch.bodies)
    if (!body.rod && body.has_place && near([body.x.value, body.y.value])) edits.push(set_quantity(body.x, to[0]), set_quantity(body.y, to[1]));
  const seen = new Set();
  return edits.filter(e => e && !seen.has(e.from) && seen.add(e.from)).sort((a, b) => a.from - b.from);
}
