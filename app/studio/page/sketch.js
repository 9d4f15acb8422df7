// The drawing board: tools, mouse and keys. All of it changes the text, and follows it.
import * as S from "./sketch_text.js";
import {pull} from "./sketch_solve.js";
import {number_text} from "./numbers.js";

const TOOLS = [["move", "Move", "drag a pin: the mechanism moves as its joints allow"],
  ["reshape", "Reshape", "drag a pin: lengths change, and so do the numbers in the text"],
  ["link", "Link", "press at one end, release at the other; ends snap to pins"],
  ["disc", "Disc", "press at the centre, release at the rim"],
  ["ground", "Ground pin", "click a pin: the ground holds it"],
  ["slide", "Slide", "click a pin: it slides along a line"],
  ["spring", "Spring", "press at one end, release at the other"],
  ["damper", "Damper", "press at one end, release at the other"],
  ["motor", "Motor", "click a ground pin or a slide: it is driven"]];
const SNAP = 12; // pixels

export function make_sketch(places, {text, apply, slide, theme, sketches_of}) {
  const canvas = document.createElement("canvas");
  canvas.className = "board";
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.setAttribute("aria-label", "drawing board; everything on it can also be written in the text");
  const g = canvas.getContext("2d"), hint = document.createElement("span");
  hint.className = "hint";
  let tool = "move", is_open = false, view = {left: 0, top: 1, scale: 200}, sketch = S.read_sketch(""), press = null, mouse = null;

  // ---- Places

  const size = () => ({w: canvas.clientWidth || 560, h: canvas.clientHeight || 320});
  const pixel = ([x, y]) => [(x - view.left) * view.scale, (view.top - y) * view.scale];
  const world = ([u, v]) => [view.left + u / view.scale, view.top - v / view.scale];
  const look = (x, y, scale) => { view = {left: x - size().w / 2 / scale, top: y + size().h / 2 / scale, scale}; };
  const grid_step = () => {
    const rough = 24 / view.scale, power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  };
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
    const pin = pin_at(spot, except), step = grid_step(), [x, y] = world(spot);
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
  const draw_grid = t => {
    const step = grid_step(), {w, h} = size(), [left, top] = world([0, 0]), [right, bottom] = world([w, h]);
    for (let x = Math.ceil(left / step) * step; x < right; x += step) line([pixel([x, bottom]), pixel([x, top])], t.grid, Math.abs(x) < step / 2 ? 1.2 : 0.5);
    for (let y = Math.ceil(bottom / step) * step; y < top; y += step) line([pixel([left, y]), pixel([right, y])], t.grid, Math.abs(y) < step / 2 ? 1.2 : 0.5);
  };
  const draw = () => {
    if (!is_open) return;
    const dots = Math.min(devicePixelRatio || 1, 3), {w, h} = size(), t = theme(), kit = sketches_of();
    canvas.width = w * dots, canvas.height = h * dots;
    g.setTransform(dots, 0, 0, dots, 0, 0);
    g.lineCap = g.lineJoin = "round";
    draw_grid(t);
    const brush = colour => new kit.Brush(g, colour, t, 9);
    sketch.bodies.forEach((body, i) => {
      const pose = S.pose_of(body), b = brush(kit.colour(i, t));
      if (body.rod) kit.sketches.rod(b, [-1, 1].map(s => pixel(S.world_point(pose, s * body.rod.value / 2, 0))), 9);
      else if (body.disc) kit.sketches.wheel(b, pixel([pose.x, pose.y]), body.disc.value * view.scale, pose.angle);
      else {
        const [a, c] = body.plate ? body.plate.map(q => q.value / 2) : [0.06, 0.04];
        kit.sketches.plate(b, [[-a, -c], [a, -c], [a, c], [-a, c]].map(([x, y]) => pixel(S.world_point(pose, x, y))));
      }
    });
    for (const one of sketch.links) kit.sketches[one.word](brush(t.metal), pixel(S.end_of(sketch, one.a)), pixel(S.end_of(sketch, one.b)), 18, 9);
    for (const joint of sketch.joints) {
      const at = pixel(S.end_of(sketch, joint.a));
      if (joint.a.body === "ground" || joint.b.body === "ground") kit.sketches.support(brush(t.soft), at, 0);
      kit.sketches.hinge(brush(t.soft), at);
      g.fillStyle = t.soft, g.font = "13px system-ui", g.textAlign = "left";
      g.fillText(joint.name + (sketch.motors.includes(joint.name) ? " ⟳" : ""), at[0] + 9, at[1] - 9);
    }
    if (press && ["link", "disc", "spring", "damper"].includes(tool) && mouse) {
      const a = pixel(press.place.at), b = pixel(place_at(mouse).at);
      line([a, b], kit.colour(sketch.bodies.length, t), tool === "link" ? 7 : 2);
      const length = Math.hypot(...place_at(mouse).at.map((v, i) => v - press.place.at[i]));
      g.fillStyle = t.ink, g.font = "14px system-ui";
      g.fillText(`${number_text(length)} m`, (a[0] + b[0]) / 2 + 10, (a[1] + b[1]) / 2 - 10);
    }
    const pin = mouse && pin_at(mouse);
    if (pin) {
      g.strokeStyle = "#d55e00", g.lineWidth = 2;
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
  const change = edits => edits?.length && apply(edits);
  const act = {
    link: (a, b) => Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]) > 1e-6 && change(S.add_link(sketch, a, b)),
    disc: (a, b) => change(S.add_disc(sketch, a, Math.max(Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1]), grid_step()))),
    spring: (a, b) => change(S.add_spring(sketch, a, b, "spring")),
    damper: (a, b) => change(S.add_spring(sketch, a, b, "damper")),
    ground: a => a.pin && a.pin.body !== "ground" && change(S.add_support(sketch, a.pin, "pin")),
    slide: a => a.pin && a.pin.body !== "ground" && change(S.add_support(sketch, a.pin, "slide")),
    motor: a => {
      const joint = sketch.joints.find(j => [j.a.body, j.b.body].includes("ground") && Math.hypot(...S.end_of(sketch, j.a).map((v, i) => v - a.at[i])) < 1e-4);
      if (joint) change(S.add_motor(sketch, joint));
    },
  };
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
    canvas.setPointerCapture(event.pointerId);
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
    press = null;
    if (was && act[tool]) act[tool](was.place, place_at(mouse));
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
    for (const [button, name] of buttons) button.hidden = !is_open, button.setAttribute("aria-pressed", String(name === tool));
    hint.textContent = is_open ? TOOLS.find(([name]) => name === tool)[2] : "";
    places.stage.hidden = is_open, canvas.hidden = !is_open;
  };
  open.addEventListener("click", () => api.open(!is_open));
  for (const [name, label, about] of TOOLS) {
    const button = document.createElement("button");
    Object.assign(button, {type: "button", textContent: label, title: about});
    button.dataset.tool = name;
    button.addEventListener("click", () => { tool = name, show(), draw(); });
    buttons.push([button, name]);
  }
  places.tools.append(open, ...buttons.map(([b]) => b), hint);
  places.stage.after(canvas);

  const api = {
    open(on, with_tool) {
      is_open = on;
      if (with_tool) tool = with_tool;
      show();
      if (on) sketch = S.read_sketch(text()), fit(), draw();
    },
    is_open: () => is_open,
    follow(now) {
      if (!is_open) return;
      sketch = S.read_sketch(now);
      draw();
    },
    pixel: at => pixel(at),
    sketch: () => sketch,
  };
  show();
  return api;
}
