// ---- The stage: the drawing in motion

function page_theme(is_dark = matchMedia("(prefers-color-scheme: dark)").matches) {
  return is_dark
    ? {is_dark, paper: "#16171a", ink: "#e6e6ea", soft: "#b4b6bc", metal: "#9aa0a8", grid: "#3a3c42",
       font: "system-ui, sans-serif"}
    : {is_dark, paper: "#ffffff", ink: "#222222", soft: "#464646", metal: "#5a6068", grid: "#d8d9de",
       font: "system-ui, sans-serif"};
}

// 1, 2 or 5 times a power of ten, about a whole of `parts`.
function nice_step(whole, parts, unit) {
  if (unit === "°" && whole / parts > 8) { // parts of a turn
    const step = [15, 30, 45, 90, 180, 360].find(s => whole / s < 1.6 * parts);
    if (step) return step;
  }
  const rough = whole / parts, power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

// Velocities of the points of the drawing, by the motion of the coordinates.
function velocities_of(run, state, points) {
  const h = 1e-6 * (run.end - run.begin);
  const moved = sign => run.draw_numbers({...state, t: state.t + sign * h,
                                          q: state.q.map((v, i) => v + sign * h * state.qd[i])});
  const after = moved(1), before = moved(-1);
  return points.map(at => [0, 1, 2].map(i => (after[at + i] - before[at + i]) / (2 * h)));
}

function moving_points() {
  if (data.layout) return []; // velocities need functions
  const points = new Set(data.scene.hinges);
  for (const shape of data.scene.shapes)
    if (shape.shape === "disc" || shape.shape === "box") points.add(shape.points);
  return [...points];
}

// room_of: the place that the drawing fills, {width, height}; without it the drawing is as wide as the page lets it, so that its
// letters have their size also on a telephone, and as high as it wants.
function make_stage(store, room_of = () => null) {
  const canvas = element("canvas", {class: "stage", role: "img", "aria-label":
    `${data.words.STAGE}: ${data.title}`});
  const context = canvas.getContext("2d"), arrows = moving_points();
  let camera = null, camera_runs = [], fastest = new Map(), larger = 1, is_magnified = null, is_filled = false, theme = page_theme(), wide = WIDTH, room;
  const take_room = () => {
    const given = room_of();
    wide = canvas.clientWidth || WIDTH;
    is_filled = Boolean(given), room = given ?? {width: Math.min(Math.max(wide, NARROWEST), WIDTH)};
  };

  take_room();

  const fastest_of = run => {
    if (!fastest.has(run)) {
      let most = 0;
      const stride = Math.ceil(run.count / 200);
      for (let i = 0; i < run.count; i += stride)
        for (const v of velocities_of(run, run.sample(i), arrows)) most = Math.max(most, Math.hypot(...v) || 0);
      fastest.set(run, most);
    }
    return fastest.get(run);
  };

  const draw_velocities = (on, run, state, pose) => {
    const most = fastest_of(run), brush = new Brush(on.context, on.theme.ink, on.theme, camera.rod);
    if (!(most > 0)) return;
    const length = 0.16 * camera.width / (most * camera.scale);
    velocities_of(run, state, arrows).forEach((v, i) => {
      const from = [0, 1, 2].map(k => pose[arrows[i] + k]), to = from.map((x, k) => x + length * v[k]);
      if (Number.isFinite(to[0] + to[1] + to[2])) sketches.arrow(brush, camera.pixel(from, 0), camera.pixel(to, 0), 1.8);
    });
  };

  const draw_scale = on => {
    if (!data.scene.unit || data.scene.is_spatial) return;
    const length = nice_step(90 / camera.scale, 1), pixels = length * camera.scale, y = camera.height - 16;
    const brush = new Brush(on.context, on.theme.soft, on.theme, camera.rod);
    brush.lines([[14, y - 4], [14, y], [14 + pixels, y], [14 + pixels, y - 4]], on.theme.soft, 1.2);
    const [value, unit] = length < 0.1 ? [1000 * length, "m"] : length >= 1000 ? [length / 1000, "k"] : [length, ""];
    brush.text([20 + pixels, y + 4], `${number_text(value)} ${unit}${data.scene.unit}`, 13);
  };

  const resize = () => {
    const dots = Math.min(window.devicePixelRatio || 1, 3);
    const [w, h] = [Math.round(wide * dots), Math.round(wide * dots * camera.height / camera.width)];
    if (canvas.width === w && canvas.height === h) return;
    canvas.style.aspectRatio = is_filled ? "" : `${camera.width} / ${camera.height}`;
    canvas.width = w, canvas.height = h;
  };

  // All of one pose, on a canvas or as vectors.
  const paint = (on, state) => {
    const {run, ghost, t, show, lit} = state, {context, theme} = on;
    const now = run.at(Math.min(t, run.end)), pose = drawn_pose(run, now);
    camera.look_at(pose);
    const drawing = new Drawing(context, camera, theme);
    if (data.scene.is_spatial) draw_ground_of_space(context, camera, theme, run, pose);
    if (ghost) drawing.draw(ghost, t, drawn_pose(ghost, ghost.at(Math.min(t, ghost.end))), {faint: 0.18, with_still: false});
    drawing.draw(run, t, pose, {glow: state.glow});
    if (show.velocities) draw_velocities(on, run, now, pose);
    if (data.labels) draw_labels(context, camera, theme, drawn_coordinates(run, now.q), pose, show.symbols, lit);
    context.globalAlpha = 1;
    if (state.forces && !data.scene.is_spatial) {
      const red = new Brush(context, force_colour(theme), theme, camera.rod);
      state.forces.draw({camera, t, larger, arrow: (from, to) => sketches.arrow(red, from, to, 2)});
    }
    if (!data.scene.follows) draw_scale(on);
    if (data.scene.is_spatial) draw_triad(context, camera, theme);
    const brush = new Brush(context, theme.soft, theme, camera.rod);
    if (larger !== 1) brush.text([14, 19], larger_text(larger), 13);
    brush.text([camera.width - 14, camera.height - 11], `t = ${clock_text(t)} s`, 14, "right");
  };

  const draw = state => {
    const {run, ghost, show} = state;
    const runs = ghost ? [run, ghost] : [run];
    if (!camera || runs.length !== camera_runs.length || runs.some((one, i) => one !== camera_runs[i]) || show.magnified !== is_magnified) {
      is_magnified = show.magnified, larger = is_magnified ? common_factor(runs, larger) : 1;
      for (const one of runs) set_factor(one, larger);
      canvas.setAttribute("aria-label", `${data.words.STAGE}: ${data.title}${larger === 1 ? "" : `, ${larger_text(larger)}`}`);
      camera = new Camera(runs, camera, room), camera_runs = runs;
      resize();
    }
    const factor = canvas.width / camera.width;
    context.setTransform(factor, 0, 0, factor, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    context.lineCap = context.lineJoin = "round";
    paint({context, theme}, state);
  };

  const as_vectors = state => {
    const on = {context: new VectorContext(context), theme: page_theme(false)};
    paint(on, {...state, glow: null, lit: null});
    return element("svg", {class: "paper", viewBox: `0 0 ${camera.width} ${camera.height}`, role: "img",
      "aria-label": canvas.getAttribute("aria-label")}, ...on.context.parts);
  };

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    theme = page_theme();
    draw(store.get());
  });
  new ResizeObserver(() => {
    take_room();
    if (camera) camera.fit(camera.all, room), resize(), draw(store.get());
  }).observe(canvas);
  if (data.scene.is_spatial) make_turnable(canvas, {camera: () => camera, store, words: data.words});
  return {canvas, draw, as_vectors, camera: () => camera};
}

function clock_text(t) {
  const whole = data.end - data.begin;
  const digits = whole >= 100 ? 1 : whole >= 10 ? 2 : whole >= 1 ? 3 : whole >= 0.1 ? 4 : 5;
  return t.toFixed(digits).replace(".", data.words.decimal).replace("-", "−");
}
