// ---- Teeth with flanks of involutes; they match src/scene/teeth.c and shapes.c

const PRESSURE = Math.PI / 9, LEAST_PITCH = 5, FLANK = 5, FEWEST_TEETH = 12, MANY_TEETH = 40, MOST_TEETH = 200;

function teeth_are_visible({n, radius}) { return n >= 3 && n <= MOST_TEETH && 2 * Math.PI * radius / n >= LEAST_PITCH; }

// below and above: modules from the pitch circle to the roots and to the tips.
function outline_of_teeth({n, radius, phase}, centre, below, above) {
  const module = 2 * radius / n, base = radius * Math.cos(PRESSURE), involute = a => Math.tan(a) - a, flank = [];
  for (let i = 0; i < FLANK; i++) {
    const r = radius + module * (-below + (below + above) * i / (FLANK - 1));
    const half = Math.PI / (2 * n) + involute(PRESSURE) - involute(Math.acos(base / Math.max(r, base)));
    flank.push([r, Math.max(half, 0)]);
  }
  const points = [], add = (r, a) => points.push([centre[0] + r * Math.cos(a), centre[1] - r * Math.sin(a)]);
  for (let k = 0; k < n; k++) {
    const middle = phase + 2 * Math.PI * k / n;
    for (const [r, half] of flank) add(r, middle - half);
    for (let i = FLANK - 1; i >= 0; i--) add(flank[i][0], middle + flank[i][1]);
  }
  return points;
}

// How many teeth wheels have and how far these are apart, for the radii in a pose: a Map from shapes.
// Those of a train are of one size. Numbers stay where all radii grow alike, teeth keep their size where
// that gives whole numbers, as those do that the model counts; else what fits best.
function gears_of(pose) {
  const gears = new Map(), turn = 2 * Math.PI, {shapes} = data.scene;
  const radius = shape => Math.abs(pose[shape.radius]), before = shape => shape.teeth * shape.pitch / turn;
  for (const train of new Set(shapes.filter(shape => shape.teeth).map(shape => shape.train))) {
    const all = shapes.filter(shape => shape.teeth && shape.train === train), wheels = all.filter(shape => shape.shape !== "track");
    const is_same = wheels.every(shape => Math.abs(radius(shape) - before(shape)) <= 1e-6 * before(shape));
    if (is_same) {
      for (const shape of all) gears.set(shape, {teeth: shape.teeth, pitch: shape.pitch});
      continue;
    }
    const misfit = pitch => Math.max(...wheels.map(shape => {
      const n = turn * radius(shape) / pitch;
      return n > MOST_TEETH || !(n >= 3) ? 1 : Math.abs(n - Math.round(n));
    }));
    const smallest = Math.min(...wheels.map(radius)), pitches = [wheels[0].pitch * radius(wheels[0]) / before(wheels[0]), wheels[0].pitch];
    for (let n = FEWEST_TEETH; n <= MANY_TEETH; n++) pitches.push(turn * smallest / n);
    let best = pitches[0], least = Infinity;
    for (const pitch of pitches) if (misfit(pitch) < least - 1e-6) least = misfit(pitch), best = pitch;
    for (const shape of all) {
      const teeth = shape.shape === "track" ? 1 : Math.max(Math.round(turn * radius(shape) / best), 3);
      gears.set(shape, {teeth, pitch: shape.shape === "track" ? best : turn * radius(shape) / teeth});
    }
  }
  return gears;
}

// The direction of the middle of one tooth.
function teeth_phase(own, pose, gears) {
  if (own.partner === undefined) return (own.ahead ?? 0) + (own.angle === undefined ? 0 : pose[own.angle]);
  const other = data.scene.shapes[own.partner], [ax, ay] = [pose[other.points], pose[other.points + 1]];
  const [bx, by] = [pose[own.points], pose[own.points + 1]], turn = 2 * Math.PI, {teeth} = gears.get(own);
  if (other.shape === "track") {
    const dx = pose[other.points + 3] - ax, dy = pose[other.points + 4] - ay, length = Math.hypot(dx, dy);
    if (!(length > 0)) return 0;
    const along = ((bx - ax) * dx + (by - ay) * dy) / length;
    const x = ax + along * dx / length - bx, y = ay + along * dy / length - by;
    return Math.atan2(y, x) + (-y * dx + x * dy > 0 ? 1 : -1) * (0.5 - along / gears.get(other).pitch) * turn / teeth;
  }
  const inside = !own.is_ring !== !other.is_ring;
  const towards = Math.atan2(by - ay, bx - ax) + (own.is_ring ? Math.PI : 0);
  const part = (teeth_phase(other, pose, gears) - towards) * gears.get(other).teeth / turn + 0.5;
  return (inside ? towards : towards + Math.PI) + (inside ? part : -part) * turn / teeth;
}
