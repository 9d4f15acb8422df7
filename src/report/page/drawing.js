// ---- One pose of the mechanism on a context

const STILL = new Set(["ground", "post", "turn", "push", "force", "spiral", "trail", "label"]);

const is_of_ground = shape => shape.track === "fixed" || shape.track === "rail";

function is_still(shape) {
  return STILL.has(shape.shape) || (shape.shape === "track" && is_of_ground(shape));
}

const GLOW = "#c24e00"; // of what is pointed at

// A colour of the light page, or its twin on a dark one.
function themed(colour, theme) {
  if (!theme.is_dark) return colour;
  const twin = data.palette.find(pair => pair[0] === colour);
  return twin ? twin[1] : hex_mixed(colour, "#ffffff", 0.25);
}

// By place: six of parts, a grey one of curves, three of energies, one of forces; as src/chart/palette.def has them.
const PART_COLOURS = 6, FORCE_PLACE = 10;
function group_colour(group) { return data.palette[group % PART_COLOURS][0]; }
function force_colour(theme) { return themed(data.palette[FORCE_PLACE][0], theme); }

function shape_colour(shape, theme) {
  if (shape.colour) return themed(shape.colour, theme);
  if (shape.track === "face") return themed(group_colour(shape.group), theme);
  switch (shape.shape) {
  case "track": case "post": case "belt": case "ground": case "label": return theme.soft;
  case "spiral": case "spring": case "damper": return theme.metal;
  case "turn": case "push": case "force": case "arrow": return force_colour(theme);
  default: return themed(group_colour(shape.group), theme);
  }
}

function layer_of(shape, radius) {
  switch (shape.shape) {
  case "track": return is_of_ground(shape) ? 0 : shape.track === "face" ? 4 : 3;
  case "post": return 0;
  case "ground": return shape.count === 1 ? 3 : 0;
  case "trail": return 1;
  case "belt": case "spring": case "damper": return 3;
  case "polygon": case "box": return 4;
  case "line": return 5;
  case "disc": return radius > 30 ? 2 : 6;
  default: return 7;
  }
}

class Drawing {
  constructor(context, camera, theme) { this.g = context, this.camera = camera, this.theme = theme; }

  // run and t are for the paths so far; glow: numbers of shapes that are lit.
  draw(run, t, pose, {faint = 1, with_still = true, glow = null} = {}) {
    this.run = run, this.t = t, this.pose = pose, this.faint = faint;
    this.gears = run.gears ??= gears_of(run.all_poses()[0] ?? pose);
    const {camera} = this, order = [];
    data.scene.shapes.forEach((shape, i) => {
      for (let k = 0; k < 3 * shape.count; k++) if (!Number.isFinite(pose[shape.points + k])) return;
      if (!with_still && is_still(shape)) return;
      const radius = shape.shape === "disc" && shape.radius !== undefined ? pose[shape.radius] : 0;
      let layer = layer_of(shape, radius * camera.scale), depth = radius;
      if (data.scene.is_spatial) {
        depth = 0;
        for (let k = 0; k < shape.count; k++) depth += depth_of(pose, shape.points + 3 * k) / shape.count;
        if (layer >= 2 && layer < 7) layer = 3;
      }
      order.push({shape, layer, depth, i});
    });
    order.sort((a, b) => a.layer - b.layer || b.depth - a.depth || a.i - b.i);
    for (const {shape, i} of order) {
      this.g.shadowColor = GLOW;
      // thin lines throw little light
      for (const blur of glow?.has(i) ? [20, 12, 6, 0] : [0]) this.g.shadowBlur = blur, this.shape(shape);
    }
    if (camera.rod > 2.4 && with_still) {
      const brush = new Brush(this.g, this.theme.soft, this.theme, camera.rod, faint);
      for (const at of data.scene.hinges)
        if (Number.isFinite(pose[at] + pose[at + 1] + pose[at + 2])) sketches.hinge(brush, camera.pixel(pose, at));
    }
  }

  pixel(shape, i) { return this.camera.pixel(this.pose, shape.points + 3 * i); }
  value(signal, otherwise) { return signal === undefined ? otherwise : this.pose[signal]; }

  shape(shape) {
    const {camera, pose} = this, scale = camera.scale;
    const b = new Brush(this.g, shape_colour(shape, this.theme), this.theme, camera.rod, this.faint);
    const width = scale * Math.abs(this.value(shape.width, 18 / scale));
    const points = [];
    for (let i = 0; i < shape.count; i++) points.push(this.pixel(shape, i));
    switch (shape.shape) {
    case "line": return this.line(shape, b, points, shape.width === undefined ? camera.rod : width);
    case "polygon": return sketches.plate(b, points);
    case "disc": {
      const usual = Math.min(Math.max(1.5 * camera.rod, 3), 10) / scale;
      const radius = scale * Math.abs(this.value(shape.radius, usual)), mark = this.value(shape.angle);
      return this.toothed(shape, b, points[0], radius, mark) || sketches.wheel(b, points[0], radius, mark);
    }
    case "box": return this.box(shape, b, points[0]);
    case "spring": return sketches.spring(b, ...yoked(b, this.stemmed(shape, b, points), shape.beside), width, this.coils(shape, width));
    case "damper": return sketches.damper(b, ...yoked(b, this.stemmed(shape, b, points), shape.beside), width);
    case "ground":
      if (shape.count === 2) return sketches.ground(b, points[0], points[1]);
      return sketches.support(b, points[0], this.value(shape.angle, shape.hangs ? Math.PI : 0));
    case "trail": return this.trail(shape, b);
    case "arrow": return sketches.arrow(b, points[0], points[1]);
    case "label": {
      const at = [points[0][0] + 8, points[0][1] - 8];
      return shape.subscript === undefined ? b.text(at, shape.text) : b.symbol(at, shape.text, shape.subscript);
    }
    case "track": return this.track(shape, b);
    case "post": {
      const radius = scale * this.value(shape.radius, 0);
      return this.toothed(shape, b, points[0], Math.abs(radius)) || sketches.post(b, points[0], radius);
    }
    case "belt": return sketches.belt(b, points[0], points[1], scale * pose[shape.size_a],
                                      scale * pose[shape.size_b]);
    case "turn": return sketches.turn(b, points[0], this.value(shape.angle, 1));
    case "push": return this.push(shape, b, points);
    case "force": {
      const ends = applied_ends(shape, pose, points[0]);
      return ends && sketches.arrow(b, ...ends);
    }
    case "spiral": return sketches.spiral(b, points[0]);
    }
  }

  // A wheel with teeth that can be seen.
  toothed(shape, b, centre, radius, mark) {
    const teeth = {n: this.gears.get(shape)?.teeth ?? 0, radius, phase: 0};
    if (!teeth_are_visible(teeth)) return false;
    teeth.phase = teeth_phase(shape, this.pose, this.gears);
    if (shape.is_ring) sketches.ring_gear(b, centre, teeth, shape.shape === "post");
    else sketches.gear(b, centre, teeth, mark);
    return true;
  }

  // Each piece between two joints has its own colour.
  line(shape, b, points, size) {
    if (!shape.has_joints) return sketches.rod(b, points, size);
    for (let i = 0; i + 1 < points.length; i++) {
      if (!shape.colour) b.colour = themed(group_colour(shape.group + i), this.theme);
      sketches.rod(b, points.slice(i, i + 2), size);
    }
  }

  box(shape, b, [x, y]) {
    const scale = this.camera.scale, angle = this.value(shape.angle, 0);
    const a = 0.5 * scale * this.value(shape.size_a, 44 / scale);
    const c = 0.5 * scale * this.value(shape.size_b, 28 / scale);
    const cos = Math.cos(angle), sin = Math.sin(angle);
    sketches.plate(b, [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, k]) =>
      [x + i * a * cos - k * c * sin, y - i * a * sin - k * c * cos]));
  }

  // The ends of what is left between the thin ends inside of other parts.
  stemmed(shape, b, points) {
    const [from, to] = points, parts = stems_of(this.pose, shape);
    return parts.map((part, end) => {
      if (part === 0) return points[end];
      const at = end ? 1 - part : part, edge = [0, 1].map(k => from[k] + at * (to[k] - from[k]));
      b.lines([points[end], edge], b.darker(0.1), 2);
      return edge;
    });
  }

  // As many coils as fit into the longest it gets, the same in every frame.
  coils(shape, width) {
    const key = `${shape.points} ${Math.round(width)} ${this.camera.scale}`;
    this.run.coils ??= new Map();
    if (!this.run.coils.has(key)) {
      let longest = 0;
      for (const pose of drawn_poses(this.run)) {
        const a = flat_point(pose, shape.points), c = flat_point(pose, shape.points + 3);
        const length = this.camera.scale * Math.hypot(c[0] - a[0], c[1] - a[1]);
        if (Number.isFinite(length)) longest = Math.max(longest, length);
      }
      const coils = Math.floor(longest / Math.max(0.9 * width, 10));
      this.run.coils.set(key, Math.min(Math.max(coils, longest < 2 * width ? 3 : 5), 24));
    }
    return this.run.coils.get(key);
  }

  trail(shape, b) {
    const last = this.run.place(this.t), poses = drawn_poses(this.run);
    let points = [];
    const flush = () => {
      if (points.length > 1) b.lines(points, b.lighter(0.45), 1.3);
      points = [];
    };
    for (let i = 0; i <= last; i++) {
      const at = this.camera.pixel(poses[i], shape.points);
      if (Number.isFinite(at[0] + at[1])) points.push(at);
      else flush();
    }
    points.push(this.camera.pixel(this.pose, shape.points));
    flush();
  }

  track(shape, b) {
    const ends = [0, 1].map(end => this.camera.pixel(track_end(shape, this.pose, end), 0));
    if (!Number.isFinite(ends[0][0] + ends[0][1] + ends[1][0] + ends[1][1])) return;
    const {scale} = this.camera;
    if (shape.track === "toothed") sketches.rack(b, ...ends, scale * (this.gears.get(shape)?.pitch ?? 0), -scale * shape.low);
    else if (shape.track === "moving") sketches.rod(b, ends, this.camera.rod);
    else if (shape.track === "face")
      sketches.plate(b, [...ends, ...[1, 0].map(end => this.camera.pixel(face_foot(shape, this.pose, end), 0))]);
    else if (shape.is_beneath) {
      sketches.ground(b, ...rail_beneath(...ends));
    } else sketches.ground(b, ...ends);
  }

  // Beside the slide, so that neither covers the other.
  push(shape, b, points) {
    const [at, way] = [this.pixel(shape, 0), this.camera.pixel(this.pose, shape.points + 3)];
    const sign = this.value(shape.angle, 1) < 0 ? -1 : 1, length = Math.hypot(way[0] - at[0], way[1] - at[1]);
    if (!(length > 0) || points.length === 0) return;
    const ux = (way[0] - at[0]) / length, uy = (way[1] - at[1]) / length, half = 17 * sign;
    const middle = [at[0] + 20 * uy, at[1] - 20 * ux];
    sketches.arrow(b, [middle[0] - half * ux, middle[1] - half * uy], [middle[0] + half * ux, middle[1] + half * uy]);
  }
}
