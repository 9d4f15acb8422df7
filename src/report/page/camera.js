// ---- The camera: from metres to pixels of a drawing that is up to WIDTH wide, or has a room to fill

const WIDTH = 560, NARROWEST = 430, MARGIN = 34, FOOTER = 22, TURN = 0.52, RISE = 0.33;
const looks = {turn: TURN, rise: RISE}; // from where space is seen; a reader may turn it

function flat_point(pose, at) {
  const x = pose[at], y = pose[at + 1], z = pose[at + 2];
  if (!data.scene.is_spatial) return [x, y];
  const {turn, rise} = looks;
  return [Math.cos(turn) * x + Math.sin(turn) * y,
          Math.sin(rise) * (Math.cos(turn) * y - Math.sin(turn) * x) + Math.cos(rise) * z];
}

function depth_of(pose, at) {
  if (!data.scene.is_spatial) return 0;
  const {turn, rise} = looks;
  return Math.cos(rise) * (Math.cos(turn) * pose[at + 1] - Math.sin(turn) * pose[at]) - Math.sin(rise) * pose[at + 2];
}

function reach_of(shape, pose) {
  if (shape.shape === "force") return 0;
  let reach = shape.radius === undefined ? 0 : Math.abs(pose[shape.radius]);
  if (shape.size_a !== undefined)
    reach = shape.shape === "belt" ? Math.max(Math.abs(pose[shape.size_a]), Math.abs(pose[shape.size_b]))
                                   : 0.5 * Math.hypot(pose[shape.size_a], pose[shape.size_b]);
  if (shape.teeth > 1) reach *= 1 + (shape.is_ring ? 8 : 2) / shape.teeth;
  return Number.isFinite(reach) ? reach : 0;
}

function track_end(shape, pose, end) {
  const along = end ? shape.high : shape.low, p = shape.points;
  return [0, 1, 2].map(i => pose[p + i] + along * (pose[p + 3 + i] - pose[p + i]));
}

// The foot of such an end on the second line of a face.
function face_foot(shape, pose, end) {
  const at = track_end(shape, pose, end), p = shape.points + 9, way = i => pose[p + 3 + i] - pose[p + i];
  const along = [0, 1, 2].reduce((sum, i) => sum + (at[i] - pose[p + i]) * way(i), 0);
  return [0, 1, 2].map(i => pose[p + i] + along * way(i));
}

function extent_of(pose, with_paths) {
  const e = {low_x: Infinity, high_x: -Infinity, low_y: Infinity, high_y: -Infinity};
  const include = ([x, y], reach = 0) => {
    if (!Number.isFinite(x + y)) return;
    e.low_x = Math.min(e.low_x, x - reach), e.high_x = Math.max(e.high_x, x + reach);
    e.low_y = Math.min(e.low_y, y - reach), e.high_y = Math.max(e.high_y, y + reach);
  };
  for (const shape of data.scene.shapes) {
    if (shape.shape === "track") {
      if (with_paths) [0, 1].forEach(end => include(flat_point(track_end(shape, pose, end), 0)));
      if (with_paths && shape.track === "face") [0, 1].forEach(end => include(flat_point(face_foot(shape, pose, end), 0)));
      continue;
    }
    for (let i = 0; i < shape.count; i++)
      include(flat_point(pose, shape.points + 3 * i), reach_of(shape, pose));
  }
  return e;
}

function is_well_inside(e, all) {
  return e.low_x >= all.low_x && e.high_x <= all.high_x && e.low_y >= all.low_y && e.high_y <= all.high_y &&
         Math.max(e.high_x - e.low_x, e.high_y - e.low_y) > 0.7 * Math.max(all.high_x - all.low_x, all.high_y - all.low_y);
}

// What a run reaches, and its largest pose.
function extent_of_run(run) {
  if (run.extent) return run.extent;
  const all = {low_x: Infinity, high_x: -Infinity, low_y: Infinity, high_y: -Infinity, largest: 0};
  for (const pose of drawn_poses(run)) {
    const e = extent_of(pose, !data.scene.follows);
    if (!(e.low_x <= e.high_x)) continue;
    all.largest = Math.max(all.largest, e.high_x - e.low_x, e.high_y - e.low_y);
    all.low_x = Math.min(all.low_x, e.low_x), all.high_x = Math.max(all.high_x, e.high_x);
    all.low_y = Math.min(all.low_y, e.low_y), all.high_y = Math.max(all.high_y, e.high_y);
  }
  for (const [x, y] of data.scene.is_spatial && !data.scene.follows ? corners_of_ground(run) : []) {
    all.low_x = Math.min(all.low_x, x), all.high_x = Math.max(all.high_x, x);
    all.low_y = Math.min(all.low_y, y), all.high_y = Math.max(all.high_y, y);
  }
  run.extent = all;
  return all;
}

// Sees the whole motion of all runs, or follows it. The camera before stays where runs are compared
// and all of them are well inside what it sees.
class Camera {
  constructor(runs, before, room) {
    const parts = runs.map(extent_of_run), all = {};
    for (const key of ["low_x", "low_y"]) all[key] = Math.min(...parts.map(e => e[key]));
    for (const key of ["high_x", "high_y"]) all[key] = Math.max(...parts.map(e => e[key]));
    let largest = Math.max(...parts.map(e => e.largest));
    if (!(all.low_x <= all.high_x)) Object.assign(all, {low_x: -1, high_x: 1, low_y: -1, high_y: 1});
    this.follows = data.scene.follows;
    if (this.follows)
      Object.assign(all, {low_x: -1.2 * largest, high_x: 1.2 * largest,
                          low_y: -0.8 * largest, high_y: 0.8 * largest});
    if (all.high_x - all.low_x + all.high_y - all.low_y === 0)
      all.low_x -= 1, all.high_x += 1, all.low_y -= 1, all.high_y += 1;
    this.all = before && runs.length > 1 && is_well_inside(all, before.all) ? before.all : all;
    this.fit(this.all, room);
    this.rod = this.rod_width(drawn_poses(runs[0])[0]);
  }

  // room: {width, height} of the drawing; without a height it is as high as it wants.
  fit(all, room) {
    const wide = Math.max(all.high_x - all.low_x, 1e-12);
    const high = Math.max(all.high_y - all.low_y, 1e-12);
    // neither a stripe nor a tower
    const ratio = Math.min(Math.max(high / wide, 0.3), 0.85), margin = room.height ? Math.min(0.12 * room.height, MARGIN) : MARGIN;
    // dimensions stand below what they measure
    this.footer = FOOTER + Math.min(12 * (data.labels ?? []).filter(label => label.is_dimension).length, 36);
    this.width = room.width;
    this.height = room.height ?? Math.round(ratio * (room.width - 2 * MARGIN) + 2 * MARGIN + this.footer);
    this.scale = Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin - this.footer) / high);
    this.centre = [0.5 * (all.low_x + all.high_x), 0.5 * (all.low_y + all.high_y)];
  }

  // Rods as thick as fits the shortest of them.
  rod_width(pose) {
    let shortest = Infinity;
    for (const shape of data.scene.shapes)
      for (let i = 0; shape.shape === "line" && i + 1 < shape.count; i++) {
        const a = flat_point(pose, shape.points + 3 * i), b = flat_point(pose, shape.points + 3 * i + 3);
        const length = this.scale * Math.hypot(b[0] - a[0], b[1] - a[1]);
        if (length > 1) shortest = Math.min(shortest, length);
      }
    return shortest < Infinity ? Math.min(Math.max(0.14 * shortest, 1.6), 7) : 6;
  }

  look_at(pose) {
    if (!this.follows) return;
    const e = extent_of(pose, false);
    if (e.low_x <= e.high_x) this.centre = [0.5 * (e.low_x + e.high_x), 0.5 * (e.low_y + e.high_y)];
  }

  pixel(pose, at) {
    const [x, y] = flat_point(pose, at);
    return [0.5 * this.width + this.scale * (x - this.centre[0]),
            0.5 * (this.height - this.footer) - this.scale * (y - this.centre[1])];
  }
}
