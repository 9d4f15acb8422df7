// ---- Space: a ground with shadows, the directions of its axes, and a view that can be turned

// The box that a motion fills: {low, high, middle, size}.
function box_of_run(run) {
  if (run.box) return run.box;
  const low = [Infinity, Infinity, Infinity], high = low.map(v => -v);
  for (const pose of drawn_poses(run))
    for (const shape of data.scene.shapes)
      for (let i = 0; i < 3 * shape.count; i++) {
        const v = pose[shape.points + i];
        if (Number.isFinite(v)) low[i % 3] = Math.min(low[i % 3], v), high[i % 3] = Math.max(high[i % 3], v);
      }
  const middle = low.map((v, i) => 0.5 * (v + high[i])), size = Math.max(...high.map((v, i) => v - low[i])) || 1;
  return (run.box = {low, high, middle, size});
}

function ground_of_run(run) {
  const {low, high, middle, size} = box_of_run(run);
  return {middle, level: low[2] - 0.04 * size, half: Math.max(0.6 * Math.max(high[0] - low[0], high[1] - low[1]), 0.25 * size)};
}
function corners_of_ground(run) {
  const {middle: [x, y], level, half} = ground_of_run(run);
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => flat_point([x + i * half, y + j * half, level], 0));
}

// On the level below everything: a square, and what stands above it in its shadow. A disc's height over the ground is a
// dashed line.
function draw_ground_of_space(context, camera, theme, run, pose) {
  const {size} = box_of_run(run), {middle, level, half} = ground_of_run(run);
  const soft = new Brush(context, theme.soft, theme, camera.rod, 0.5), dark = theme.is_dark ? "#000000" : theme.ink, shade = new Brush(context, dark, theme, camera.rod, theme.is_dark ? 0.45 : 0.1);
  const at = (x, y) => camera.pixel([x, y, level], 0), corner = (i, j) => at(middle[0] + i * half, middle[1] + j * half);
  soft.faint = 0.35;
  soft.lines([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], theme.soft, 1, true);
  soft.faint = 0.16;
  for (let i = -1; i <= 1; i++) {
    soft.lines([corner(i / 2, -1), corner(i / 2, 1)], theme.soft, 1);
    soft.lines([corner(-1, i / 2), corner(1, i / 2)], theme.soft, 1);
  }
  for (const shape of data.scene.shapes) {
    const foot = i => at(pose[shape.points + 3 * i], pose[shape.points + 3 * i + 1]), feet = Array.from({length: shape.count}, (_, i) => foot(i));
    if (feet.some(([x, y]) => !Number.isFinite(x + y))) continue;
    if (shape.shape === "line" || shape.shape === "spring") shade.lines(feet, dark, camera.rod);
    if (shape.shape === "polygon") shade.area(feet, dark);
    if (shape.shape !== "disc") continue;
    const [x, y, z] = [0, 1, 2].map(k => pose[shape.points + k]), radius = shape.radius === undefined ? 0.02 * size : Math.abs(pose[shape.radius]);
    shade.area(Array.from({length: 24}, (_, i) => at(x + radius * Math.cos(TURNED * i / 24), y + radius * Math.sin(TURNED * i / 24))), dark);
    const top = camera.pixel([x, y, z], 0), bottom = at(x, y), f = frame_between(top, bottom);
    for (let along = 0; along + 4 < f.length; along += 9) soft.lines([f.place(along, 0), f.place(along + 4, 0)], theme.soft, 1);
  }
}

function draw_triad(context, camera, theme) {
  const b = new Brush(context, theme.soft, theme, camera.rod), origin = [38, camera.height - 40], length = 26;
  ["x", "y", "z"].forEach((letter, k) => {
    const [u, v] = flat_point([0, 1, 2].map(i => i === k ? 1 : 0), 0), tip = [origin[0] + length * u, origin[1] - length * v];
    const far = Math.hypot(u, v);
    if (far > 0.15) sketches.arrow(b, origin, tip, 1.6), b.symbol([tip[0] + 9 * u / far, tip[1] - 9 * v / far + SYMBOL_FOOT], letter, "", 16);
  });
}

// Dragging turns the view, and so do the arrow keys on the drawing; what is in the middle stays there.
function make_turnable(canvas, {camera, store, words}) {
  const TURN_BY = 0.008, KEY = 0.12, STEEPEST = 1.5;
  let from = null;
  const turn = (by, up) => {
    const c = camera(), {middle} = box_of_run(store.get().run), before = flat_point(middle, 0);
    looks.turn += by, looks.rise = Math.min(Math.max(looks.rise + up, -STEEPEST), STEEPEST);
    const after = flat_point(middle, 0);
    if (c) c.centre = c.centre.map((v, i) => v + after[i] - before[i]);
    store.set({looked_from: {...looks}});
  };
  canvas.tabIndex = 0;
  canvas.classList.add("turns");
  canvas.title = words.TURN;
  canvas.addEventListener("pointerdown", event => { from = [event.clientX, event.clientY], canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", event => {
    if (!from) return;
    turn(TURN_BY * (from[0] - event.clientX), TURN_BY * (event.clientY - from[1]));
    from = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { from = null; });
  canvas.addEventListener("keydown", event => {
    const way = {ArrowLeft: [KEY, 0], ArrowRight: [-KEY, 0], ArrowUp: [0, KEY], ArrowDown: [0, -KEY]}[event.key];
    if (!way) return;
    event.preventDefault();
    turn(...way);
  });
}
