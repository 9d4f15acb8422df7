// ---- How many times larger a motion that was computed in the page is drawn; it matches src/scene/magnify.c

// The larger side of the mean pose, how far points and rims go from it, and how far pieces turn or stretch.
function motion_of(run) {
  const mean = mean_pose(run).numbers, {visible, piece, dot, box} = data.magnify, e = extent_of(mean, false);
  const motion = {side: Math.max(e.high_x - e.low_x, e.high_y - e.low_y, 0), shift: 0, turn: 0};
  const take = (key, value) => { if (Number.isFinite(value)) motion[key] = Math.max(motion[key], value); };
  const look_at = (shape, pose) => {
    let before = null, base = null;
    const points = shape.shape === "arrow" || shape.shape === "track" ? 1 : shape.count;
    for (let k = 0; k < points; k++) {
      const at = shape.points + 3 * k, rest = [0, 1, 2].map(i => mean[at + i]), way = rest.map((r, i) => pose[at + i] - r);
      take("shift", Math.hypot(...way));
      const length = base ? Math.hypot(...rest.map((r, i) => r - base[i])) : 0;
      if (length > piece * motion.side) take("turn", Math.hypot(...way.map((w, i) => w - before[i])) / length);
      before = way, base = rest;
    }
    if (shape.angle === undefined || kept_signals.has(shape.angle)) return;
    const angle = Math.abs(pose[shape.angle] - mean[shape.angle]);
    const reach = shape.radius !== undefined ? Math.abs(pose[shape.radius])
      : shape.size_a !== undefined ? 0.5 * Math.hypot(pose[shape.size_a], pose[shape.size_b])
      : motion.side * (shape.shape === "box" ? box : dot);
    take("turn", angle), take("shift", angle * reach);
  };
  for (const pose of run.all_poses()) {
    for (const shape of data.scene.shapes) look_at(shape, pose);
    if (motion.shift >= visible * motion.side) break;
  }
  return motion;
}

// 1 where something is seen to move, 0 where nothing moves, else 1, 2 or 5 times a power of ten.
function choose_factor(run) {
  const {visible, real, shift, turn} = data.magnify, motion = motion_of(run);
  const wanted = Math.min(shift * motion.side / motion.shift, turn / motion.turn);
  const power = 10 ** Math.floor(Math.log10(wanted)), part = wanted / power;
  return motion.shift <= real * motion.side ? 0 : motion.shift >= visible * motion.side ? 1
    : Math.max(power * (part >= 5 ? 5 : part >= 2 ? 2 : 1), 1);
}
