// The drawing board: tools, mouse and keys. All of it changes the text, and follows it.
import * as S from "./sketch_text.js";
import {pull, settle} from "./sketch_solve.js";
import {number_text} from "./numbers.js";
import {draw_grid, grid_step, make_photo} from "./sketch_paper.js";

const TOOLS = [["move", "Move", "drag a pin: the mechanism moves as its joints allow"],
  ["reshape", "Reshape", "drag a pin: lengths change, and so do the numbers in the text"],
  ["link", "Link", "press at one end, release at the other, on a pin to join them; type digits for an exact length"],
  ["disc", "Disc", "press at the centre, release at the rim; type digits for an exact radius"],
  ["ground", "Ground pin", "click a pin: the ground holds it"],
  ["slide", "Slide", "click a pin: it slides along a line"],
  ["spring", "Spring", "press at one end, release at the other"],
  ["damper", "Damper", "press at one end, release at the other"],
  ["motor", "Motor", "click a ground pin or a slide: it is driven"],
  ["gear", "Gear", "press at the centre of one disc, release at that of the other: their teeth mesh"],
  ["floor", "Contact", "press at a pin or a disc's centre, release at the height of the floor on which it bounces"],
  ["erase", "Erase", "click a part: its line and all lines that depend on it are removed from the text"]];
const DRAGGED = new Set(["link", "disc", "spring", "damper", "gear", "floor"]);
const SNAP = 12; // pixels

export function make_sketch(places, {text, apply, slide, theme, sketches_of, finished}) {
  const canvas = document.createElement("canvas");
  canvas.className = "board";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "drawing board; everything on it can also be written in the text");
  const g = canvas.getContext("2d"), hint = document.createElement("span");
  hint.className = "hint";
  hint.setAttribute("role", "status");
  let tool = "move", is_open = false, view = {left: 0, top: 1, scale: 200}, sketch = S.read_sketch(""), press = null, mouse = null, typed = "";
  const photo = make_photo(() => draw());

  // ---- Places

  const size = () => ({w: canvas.clientWidth || 560, h: canvas.clientHeight || 320});
  const pixel = ([x, y]) => [(x - view.left) * view.scale, (view.top - y) * view.scale];
  const world = ([u, v]) => [view.left + u / view.scale, view.top - v / view.scale];
  const look = (x, y, scale) => { view = {left: x - size().w / 2 / scale, top: y + size().h / 2 / scale, scale}; };
  // except: a place whose pins do not count, because they are being dragged
  const pin_at = (spot, except) => {
    let best = null, nearest = SNAP;
    for (const pin of S.pins_of(sketch)) {
      if (except && Math.hypot(pin.at[0] - except[0], pin.at[1] - except[1]) < 1e-4) continue;
      const [u, v] = pixel(pin.at), far = Math.hypot(u - spot[0], v - spot[1]) + (pin.local === 0 && pin.body !== "ground" ? 2 : 0);
      if (far < nearest) best = pin, nearest = far;
    }
    return best;
  };
  // A pin where there is one, else a point of the grid.
  const place_at = (spot, except) => {
    const pin = pin_at(spot, except), step = grid_step(view.scale), [x, y] = world(spot);
    if (pin) return {at: pin.at, pin};
    return {at: [Math.round(x / step) * step, Math.round(y / step) * step].map(v => Number(v.toPrecision(10)))};
  };
  const fit = () => {
    const points = S.pins_of(sketch).map(p => p.at);
    if (!points.length) return look(0.5, 0.3, Math.min(size().w / 2.4, size().h / 1.6));
    const xs = points.map(p => p[0]), ys = points.map(p => p[1]), [l, r, b, t] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const span = Math.max(r - l, b === t ? 0 : (t - b) * size().w / size().h, 0.2);
    look((l + r) / 2, (b + t) / 2, 0.55 * size().w / span);
  };

  // ---- Drawing

  const line = (points, colour, width) => {
    g.strokeStyle = colour, g.lineWidth = width;
    g.beginPath();
    points.forEach(([u, v], i) => i ? g.lineTo(u, v) : g.moveTo(u, v));
    g.stroke();
  };
  // The end of what is being drawn: where the mouse is, but as far away as was typed.
  const end_place = () => {
    const end = place_at(mouse), from = press.place.at, length = Number(typed.replace(",", "."));
    if (!typed || !(length > 0) || end.pin) return end;
    const [x, y] = world(mouse), far = Math.hypot(x - from[0], y - from[1]) || 1;
    // along an axis where the mouse is nearly on one
    const way = [x - from[0], y - from[1]].map(v => Math.abs(v) < 0.06 * far ? 0 : v), size = Math.hypot(...way);
    return {at: way.map((v, i) => Number((from[i] + v * length / size).toPrecision(10)))};
  };
  const draw_joint = (joint, t, kit, brush) => {
    const at = pixel(S.end_of(sketch, joint.a)), of_ground = joint.a.body === "ground" || joint.b.body === "ground";
    if (joint.kind === "prismatic") {
      const axis = joint.axis + (S.pose_of(S.body_named(sketch, joint.a.body))?.angle ?? 0), [dx, dy] = [70 * Math.cos(axis), -70 * Math.sin(axis)];
      for (const side of [-1, 1]) {
        const off = [-side * 0.2 * dy, side * 0.2 * dx];
        line([[at[0] - dx + off[0], at[1] - dy + off[1]], [at[0] + dx + off[0], at[1] + dy + off[1]]], t.soft, 1.4);
      }
    } else {
      if (of_ground) kit.sketches.support(brush(t.soft), at, 0);
      kit.sketches.hinge(brush(t.soft), at);
    }
    // names at one place stand side by side
    const spot = at.map(Math.round).join(), places = draw_joint.places, before = places.get(spot) ?? 0;
    const name = joint.name + (sketch.motors.includes(joint.name) ? " ⟳" : "");
    g.fillStyle = t.soft, g.font = "13px system-ui", g.textAlign = "left";
    g.fillText(name, at[0] + 9 + before, at[1] - 9);
    places.set(spot, before + g.measureText(name).width + 6);
  };
  const draw_bodies = (pose_in, to, t, kit, on) => sketch.bodies.forEach((body, i) => {
    const pose = pose_in(body), b = new kit.Brush(on, kit.colour(i, t), t, 9), scale = Math.hypot(...to([1, 0]).map((v, k) => v - to([0, 0])[k]));
    if (body.rod) kit.sketches.rod(b, [-1, 1].map(s => to(S.world_point(pose, s * body.rod.value / 2, 0))), 9);
    else if (body.disc) kit.sketches.wheel(b, to([pose.x, pose.y]), body.disc.value * scale, pose.angle);
    else {
      const [a, c] = body.plate ? body.plate.map(q => q.value / 2) : [0.06, 0.04];
      kit.sketches.plate(b, [[-a, -c], [a, -c], [a, c], [-a, c]].map(([x, y]) => to(S.world_point(pose, x, y))));
    }
  });
  const draw = () => {
    if (!is_open) return;
    const dots = Math.min(devicePixelRatio || 1, 3), {w, h} = size(), t = theme(), kit = sketches_of();
    canvas.width = w * dots, canvas.height = h * dots;
    g.setTransform(dots, 0, 0, dots, 0, 0);
    g.lineCap = g.lineJoin = "round";
    const paper = {...size(), pixel, world, scale: view.scale};
    photo.draw(g, paper);
    draw_grid(g, paper, t);
    const brush = colour => new kit.Brush(g, colour, t, 9);
    draw_bodies(body => S.pose_of(body), pixel, t, kit, g);
    for (const one of sketch.links) kit.sketches[one.word](brush(t.metal), pixel(S.end_of(sketch, one.a)), pixel(S.end_of(sketch, one.b)), 18, 9);
    draw_joint.places = new Map();
    for (const joint of sketch.joints) draw_joint(joint, t, kit, brush);
    for (const floor of sketch.floors) {
      const [u, v] = pixel([floor.x.value, floor.y.value]);
      kit.sketches.ground(brush(t.soft), [u - 60, v], [u + 60, v]);
    }
    if (press && DRAGGED.has(tool) && mouse) {
      const end = end_place(), a = pixel(press.place.at), b = pixel(end.at);
      line([a, b], kit.colour(sketch.bodies.length, t), tool === "link" ? 7 : 2);
      const length = Math.hypot(...end.at.map((v, i) => v - press.place.at[i]));
      g.fillStyle = t.ink, g.font = "14px system-ui";
      g.fillText(typed ? `${typed} m` : `${number_text(length)} m`, (a[0] + b[0]) / 2 + 10, (a[1] + b[1]) / 2 - 10);
    }
    if (!sketch.bodies.length && !press) {
      g.fillStyle = t.soft, g.font = "15px system-ui", g.textAlign = "center";
      const words = /^\s*(coord|kinetic)\b/m.test(sketch.text) ? "This model is written with coordinates and energies: there are no bodies to draw with."
        : "Choose Link and drag from one end to the other.";
      g.fillText(words, size().w / 2, 34);
    }
    const pin = mouse && pin_at(mouse);
    if (pin) {
      g.strokeStyle = t.is_dark ? "#ff9d5c" : "#c24e00", g.lineWidth = 2;
      g.beginPath();
      g.arc(...pixel(pin.at), 9, 0, 7);
      g.stroke();
    }
  };

  // ---- The mouse

  const spot_of = event => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  };
  // What a tool does with the places where the mouse was pressed and released: edits, or a sentence that says why there are none.
  const is_far = (a, b) => Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]) > 1e-6;
  const is_on_body = place => place.pin && place.pin.body !== "ground";
  const support = (place, kind) => !is_on_body(place) ? "There is no pin here: click the end of a link, or the middle of a disc."
    : S.ground_joint_at(sketch, place.at) ? "The ground holds this pin already." : S.add_support(sketch, place.pin, kind);
  const between = (a, b, word) => !is_far(a, b) ? `Press at one end of the ${word}, and release at the other.`
    : !is_on_body(a) && !is_on_body(b) ? `One end of the ${word} must be on a pin of a body.`
    : a.pin?.body === b.pin?.body ? `Both ends of the ${word} would be on ${a.pin.body}.` : S.add_spring(sketch, a, b, word);
  const act = {
    link: (a, b) => is_far(a, b) ? S.add_link(sketch, a, b) : "Press at one end of the link, and release at the other.",
    disc: (a, b) => S.add_disc(sketch, a, Math.max(Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]), grid_step(view.scale))),
    spring: (a, b) => between(a, b, "spring"),
    damper: (a, b) => between(a, b, "damper"),
    ground: a => support(a, "pin"),
    slide: a => support(a, "slide"),
    gear: (a, b) => S.add_gear(sketch, a, b) ?? "Press at the centre of one disc, and release at that of another.",
    floor: (a, b) => is_on_body(a) ? S.add_floor(sketch, a.pin, b.at) : "Press at a pin of a body: that is what touches the floor.",
    motor: a => {
      const joint = S.ground_joint_at(sketch, a.at);
      if (!joint) return "Nothing here can be driven: make a ground pin or a slide first.";
      return S.add_motor(sketch, joint) ?? `Joint ${joint.name} has a motor already.`;
    },
    erase: () => {
      const names = S.parts_at(sketch, world(mouse), SNAP / view.scale);
      return names.length ? S.erase(sketch, names) : "There is nothing here: click a link, a disc, a spring or a joint.";
    },
  };
  const use = (a, b) => {
    const made = act[tool](a, b);
    if (typeof made !== "string") apply(made);
    say(typeof made === "string" ? made : about_tool());
  };
  const about_tool = () => is_open ? TOOLS.find(([name]) => name === tool)[2] : "";
  const say = words => { hint.textContent = words; };
  let frame = 0;
  const drag = () => {
    frame = 0;
    if (!press?.pin || !mouse) return;
    if (tool === "reshape") {
      const {at} = place_at(mouse, press.at), edits = S.reshape(sketch, press.at, at);
      if (edits.length) press.at = at, press.moved = true, slide(edits, false);
    } else {
      const grip = press.pin.body === "ground" ? null : press.pin;
      const poses = grip && pull(sketch, grip, world(mouse));
      if (poses) press.moved = true, slide(S.set_poses(sketch, poses), false);
    }
  };
  canvas.addEventListener("pointerdown", event => {
    mouse = spot_of(event);
    const place = place_at(mouse);
    press = {place, pin: place.pin, at: place.at, from: mouse, view: {...view}};
    typed = "";
    canvas.setPointerCapture(event.pointerId);
    draw();
  });
  canvas.addEventListener("keydown", event => {
    if (!press || !DRAGGED.has(tool)) return;
    if (/^[\d.,]$/.test(event.key)) typed += event.key;
    else if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key === "Escape") press = null, typed = "";
    else return;
    event.preventDefault();
    draw();
  });
  canvas.addEventListener("pointermove", event => {
    mouse = spot_of(event);
    if (press && (tool === "move" || tool === "reshape")) {
      if (press.pin) frame ||= requestAnimationFrame(drag);
      else view = {...view, left: press.view.left - (mouse[0] - press.from[0]) / view.scale, top: press.view.top + (mouse[1] - press.from[1]) / view.scale};
    }
    draw();
  });
  canvas.addEventListener("pointerup", event => {
    mouse = spot_of(event);
    const was = press;
    if (frame) cancelAnimationFrame(frame), drag();
    const end = was && DRAGGED.has(tool) ? end_place() : place_at(mouse);
    press = null, typed = "";
    if (was && act[tool]) use(was.place, end);
    else if (was?.moved) slide(null, true);
    draw();
  });
  canvas.addEventListener("pointerleave", () => { mouse = null, draw(); });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const spot = spot_of(event), before = world(spot);
    view.scale *= Math.exp(-event.deltaY / 500);
    const after = world(spot);
    view.left += before[0] - after[0], view.top += before[1] - after[1];
    draw();
  }, {passive: false});
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  // ---- The bar of tools

  const open = document.createElement("button"), buttons = [];
  open.type = "button", open.id = "draw", open.textContent = "Draw";
  open.title = "draw and move the mechanism";
  const show = () => {
    open.setAttribute("aria-pressed", String(is_open));
    open.textContent = is_open ? "Done" : "Draw";
    for (const [button, name] of buttons) button.hidden = !is_open, button.setAttribute("aria-pressed", String(name === tool));
    picture.hidden = !is_open, width.hidden = !is_open || !photo.is_there();
    say(about_tool());
    places.stage.hidden = is_open, canvas.hidden = !is_open;
  };
  open.addEventListener("click", () => {
    api.open(!is_open);
    if (!is_open) finished();
  });
  for (const [name, label, about] of TOOLS) {
    const button = document.createElement("button");
    Object.assign(button, {type: "button", textContent: label, title: about});
    button.dataset.tool = name;
    button.addEventListener("click", () => { tool = name, show(), draw(); });
    buttons.push([button, name]);
  }
  // ---- A photograph

  const file = document.createElement("input"), wide = document.createElement("input"), picture = document.createElement("label"), width = document.createElement("label");
  Object.assign(file, {type: "file", accept: "image/*", hidden: true});
  Object.assign(wide, {type: "number", step: "any", min: 0});
  picture.className = "photo", picture.tabIndex = 0;
  picture.title = "a photograph under the grid, to trace; it stays in this page";
  picture.append("Photo", file);
  width.className = "photo";
  width.append("photo is ", wide, " m wide");
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    const [left, top] = world([0, 0]);
    try {
      await photo.open(file.files[0], {left, top, width: Number((size().w / view.scale).toPrecision(3))});
      wide.value = photo.width();
    } catch {
      hint.textContent = "this file is not a picture";
    }
    show();
  });
  picture.addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " ") event.preventDefault(), file.click(); });
  wide.addEventListener("input", () => photo.set_width(Number(wide.value)));
  places.tools.append(open, ...buttons.map(([b]) => b), picture, width, hint);
  places.stage.after(canvas);

  const api = {
    open(on, with_tool) {
      is_open = on;
      if (with_tool) tool = with_tool;
      show();
      if (on) sketch = settle(S.read_sketch(text())), fit(), draw();
    },
    is_open: () => is_open,
    follow(now) {
      if (!is_open) return;
      sketch = settle(S.read_sketch(now));
      draw();
    },
    pixel: at => pixel(at),
    photo,
    // A small picture of the bodies of the text at other places.
    thumbnail(poses) {
      sketch = settle(S.read_sketch(text()));
      const small = Object.assign(document.createElement("canvas"), {width: 300, height: 200}), on = small.getContext("2d"), ends = [];
      for (const body of sketch.bodies) for (const s of [-1, 1]) ends.push(S.world_point(poses.get(body.name), s * (body.rod?.value ?? 2 * (body.disc?.value ?? 0.05)) / 2, 0));
      const [xs, ys] = [0, 1].map(k => ends.map(p => p[k])), [l, r, b, t] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const scale = Math.min(250 / (r - l || 1), 150 / (t - b || 1));
      on.lineCap = on.lineJoin = "round";
      draw_bodies(body => poses.get(body.name), ([x, y]) => [150 + scale * (x - (l + r) / 2), 100 - scale * (y - (b + t) / 2)], theme(), sketches_of(), on);
      return small;
    },
    sketch: () => sketch,
  };
  show();
  return api;
}
