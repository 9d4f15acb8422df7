// ---- What names the symbols in the drawing; it matches src/scene/labels_layout.c and label_room.c

const TURNED = 2 * Math.PI, SHORTEST_ARROW = 24, GAP = 2, A_LINE = 18, DISTANCES = [0, 8, 14, 20, 28, 38];
const moved = ([x, y], [nx, ny], by) => [x + by * nx, y + by * ny];
const part_of_way = (a, b, part) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];

// Square to the way: downwards, or to the left of what stands.
function down_from([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  if (!(length > 0)) return [0, 1];
  const x = -(by - ay) / length, y = (bx - ax) / length;
  return y < -0.1 || (Math.abs(y) <= 0.1 && x > 0) ? [-x, -y] : [x, y];
}

function clear_of(box, [nx, ny], gap) { return gap + Math.abs(nx) * box.half_width + Math.abs(ny) * box.half_height; }

// Beside a part of the way, upwards or to the right; on the other side for a negative gap.
function beside(a, b, part, box, gap) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy), at = part_of_way(a, b, part);
  if (!(length > 0)) return at;
  let n = [dy / length, -dx / length];
  if (n[1] > 0.1 || (Math.abs(n[1]) <= 0.1 && n[0] < 0)) n = [-n[0], -n[1]];
  return moved(at, n, clear_of(box, n, Math.abs(gap)) * (gap < 0 ? -1 : 1));
}

// Within the drawing, apart from each other, and beside what is drawn where there is room.
class Room {
  constructor(camera, pose) {
    Object.assign(this, {camera, pose, lines: [], boxes: []});
    for (const shape of data.scene.shapes) this.add_shape(shape);
  }
  add(points) {
    for (let i = 0; i + 1 < points.length; i++) {
      const line = [...points[i], ...points[i + 1]];
      if (line.every(Number.isFinite)) this.lines.push(line);
    }
  }
  circle([x, y], radius) {
    this.add(Array.from({length: 17}, (_, i) => [x + radius * Math.cos(TURNED * i / 16), y + radius * Math.sin(TURNED * i / 16)]));
  }
  add_shape(shape) {
    const {camera, pose} = this, {scale} = camera, at = i => camera.pixel(pose, shape.points + 3 * i);
    const value = (signal, otherwise) => signal === undefined ? otherwise : pose[signal];
    if (shape.shape === "box") {
      const a = 0.5 * value(shape.size_a, 44 / scale), c = 0.5 * value(shape.size_b, 28 / scale), t = value(shape.angle, 0);
      return this.add([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]].map(([i, k]) => camera.pixel(
        [pose[shape.points] + i * a * Math.cos(t) - k * c * Math.sin(t), pose[shape.points + 1] + i * a * Math.sin(t) + k * c * Math.cos(t), 0], 0)));
    }
    if (shape.shape === "track") {
      const ends = [0, 1].map(end => camera.pixel(track_end(shape, pose, end), 0));
      if (shape.track === "face") ends.push(...[1, 0].map(end => camera.pixel(face_foot(shape, pose, end), 0)), ends[0]);
      return this.add(shape.is_beneath ? rail_beneath(...ends) : ends);
    }
    if (shape.shape === "disc" || shape.shape === "post") return this.circle(at(0), scale * Math.abs(value(shape.radius, 6 / scale)));
    if (shape.shape === "turn") return this.circle(at(0), 17);
    if (shape.shape === "ground" && shape.count === 1) this.circle(at(0), 8);
    if (shape.shape === "trail" || shape.shape === "label") return;
    const points = Array.from({length: shape.count}, (_, i) => at(i));
    if (shape.shape === "spring" || shape.shape === "damper") {
      const f = frame_between(points[0], points[1]);
      for (const side of shape.beside ? [-21, 21] : [-9, 9]) this.add([f.place(0, side), f.place(f.length, side)]);
    }
    this.add(shape.shape === "polygon" ? [...points, points[0]] : points);
  }

  crosses(line, {centre, half_width, half_height}) {
    let low = 0, high = 1;
    for (let i = 0; i < 2; i++) {
      const from = line[i] - centre[i], way = line[2 + i] - line[i], half = i ? half_height : half_width;
      if (way === 0) {
        if (Math.abs(from) >= half) return false;
        continue;
      }
      const a = (-half - from) / way, b = (half - from) / way;
      low = Math.max(low, Math.min(a, b)), high = Math.min(high, Math.max(a, b));
    }
    return low < high;
  }
  // How many cross the box; more than `most` are not counted.
  lines_across(box, lines = this.lines, most = Infinity) {
    let n = 0;
    for (let i = 0; i < lines.length && n <= most; i++) if (this.crosses(lines[i], box)) n++;
    return n;
  }
  is_free({centre: [x, y], half_width, half_height}) {
    const w = half_width + GAP, h = half_height, {width, height} = this.camera;
    if (x < w || x > width - w || y < h + GAP || y > height - h - GAP) return false;
    return this.boxes.every(o => Math.abs(o.centre[0] - x) >= o.half_width + w || Math.abs(o.centre[1] - y) >= o.half_height + h);
  }
  // The first of the places wanted, or near them, that is free and crosses the fewest lines; null where there is none.
  place(places) {
    let best = null, least = Infinity;
    const reach = DISTANCES[DISTANCES.length - 1];
    places.forEach((wanted, i) => {
      if (3 * i >= least) return;
      const around = {centre: wanted.centre, half_width: wanted.half_width + reach, half_height: wanted.half_height + reach};
      const lines = this.lines.filter(line => this.crosses(line, around));
      for (const distance of DISTANCES)
        for (let k = 0; k < (distance ? 16 : 1); k++) {
          const angle = TURNED * (k + 4) / 16, cost = 3 * i + distance;
          const other = {...wanted, centre: [wanted.centre[0] + distance * Math.cos(angle), wanted.centre[1] - distance * Math.sin(angle)]};
          if (cost >= least || !this.is_free(other)) continue;
          const whole = cost + A_LINE * this.lines_across(other, lines, (least - cost) / A_LINE);
          if (whole < least - 1e-9) least = whole, best = other;
        }
    });
    if (best) this.boxes.push(best);
    return best;
  }
  // In the corner where it covers least; order: 1 is right, 2 below.
  corner(half_width, half_height, order) {
    const {width, height} = this.camera;
    let least = Infinity, best = null;
    for (const i of order) {
      const centre = [i & 1 ? width - half_width - 6 : half_width + 6, i & 2 ? height - half_height - 30 : half_height + 6];
      const box = {centre, half_width, half_height}, crossed = this.lines_across(box);
      if (crossed < least && this.is_free(box)) least = crossed, best = box;
    }
    if (!best) return [half_width + 6, half_height + 6];
    this.boxes.push(best);
    return best.centre;
  }
}

// Where one label stands: what it draws beside its symbol, and where that is wanted.
class Dimensions {
  constructor(room, q) { Object.assign(this, {room, camera: room.camera, pose: room.pose, q, arc: 34}); }
  at(signal) { return this.camera.pixel(this.pose, signal); }

  angle(p, label) {
    const from = this.at(label.from), to = this.at(label.to), {pose} = this;
    let zero = label.zero;
    if (label.base_from !== undefined)
      zero += Math.atan2(pose[label.base_to + 1] - pose[label.base_from + 1], pose[label.base_to] - pose[label.base_from]);
    const sweep = label.sign * (this.q[label.coordinate] % TURNED);
    const radius = Math.min(this.arc, 0.75 * Math.hypot(to[0] - from[0], to[1] - from[1]));
    const around = (r, a) => [from[0] + r * Math.cos(a), from[1] - r * Math.sin(a)];
    this.arc = this.arc > 50 ? 34 : this.arc + 9;
    // the arrow shows the positive direction, whatever the value
    const forwards = label.sign * sweep, arrow = label.sign * Math.max(forwards, Math.min(SHORTEST_ARROW / radius, Math.PI / 2));
    const part = (begin, end) => Array.from({length: 33}, (_, i) => around(radius, begin + (end - begin) * i / 32));
    this.room.add(part(forwards < 0 ? zero + sweep : zero, zero + arrow));
    const middle = zero + 0.5 * arrow, n = [Math.cos(middle), -Math.sin(middle)];
    p.wanted = [moved(from, n, radius + clear_of(p.box, n, 3))];
    p.draw = b => {
      b.lines([from, around(radius + 14, zero)], b.lighter(0.4), 1);
      if (forwards < 0) b.lines(part(zero, zero + sweep), b.lighter(0.4), 1);
      sketches.curved_arrow(b, part(zero, zero + arrow), 1.4);
    };
  }
  // Below what it measures, where the line crosses least.
  dimension(p, feet) {
    const down = down_from(...feet);
    let least = Infinity, ends = feet;
    for (let i = 0; i < 8; i++) {
      const [a, b] = feet.map(foot => moved(foot, down, 40 + 24 * i));
      const box = {centre: part_of_way(a, b, 0.5), half_width: 0.5 * Math.abs(b[0] - a[0]) + 4, half_height: 0.5 * Math.abs(b[1] - a[1]) + 4};
      const crossed = this.room.lines_across(box);
      if (crossed < least && (least === Infinity || this.room.is_free(box))) least = crossed, ends = [a, b];
    }
    this.room.add(ends);
    p.draw = b => ends.forEach((end, i) => {
      const way = [end[0] - feet[i][0], end[1] - feet[i][1]], length = Math.hypot(...way);
      b.lines([feet[i], moved(feet[i], way, length > 0 ? 1 + 5 / length : 1)], b.lighter(0.5), 1);
      sketches.arrow(b, part_of_way(...ends, 0.5), end, 1.4);
    });
    return ends;
  }
  length(p, label) {
    const feet = [this.at(label.from), this.at(label.to)];
    const [from, to] = label.is_dimension ? this.dimension(p, feet) : feet;
    const gap = label.is_dimension ? 3 : label.kind === "spring" ? -12 : 6;
    p.wanted = [0.5, 0.35, 0.65, 0.2, 0.8].flatMap(part => [gap, -gap].map(g => beside(from, to, part, p.box, g)));
  }
  spring(p, label) { this.length(p, label); }
  mass(p, label) {
    const a = this.at(label.from), c = this.at(label.to), middle = part_of_way(a, c, 0.5);
    p.wanted = [label.from === label.to ? [middle[0] + 20, middle[1] - 14] : beside(a, c, 0.5, p.box, -5)];
    if (label.from !== label.to) p.draw = b => b.circle(middle, 2.6, b.colour);
  }
  // From the centre to the rim, in the direction that crosses least.
  radius(p, label) {
    const from = this.at(label.from), length = this.camera.scale * Math.abs(this.pose[label.radius]);
    if (!(length >= 16)) return;
    let least = Infinity, to = from;
    for (const angle of [0.6, 2.5, 1.1, 2.0, -0.6, -2.5]) {
      const n = [Math.cos(angle), -Math.sin(angle)];
      const crossed = this.room.lines_across({centre: moved(from, n, 0.6 * length), half_width: 0.25 * length * Math.abs(n[0]) + 3,
                                              half_height: 0.25 * length * Math.abs(n[1]) + 3});
      if (crossed < least) least = crossed, to = moved(from, n, length);
    }
    this.room.add([from, to]);
    p.wanted = [0.5, 0.35, 0.65, 0.2, 0.8].flatMap(part => [3, -3].map(gap => beside(from, to, part, p.box, gap)));
    p.draw = b => sketches.arrow(b, from, to, 1.4);
  }
  reach_of_part(point, up) {
    const s = data.scene.shapes.find(s => s.points === point && (s.shape === "box" || s.shape === "disc"));
    const turn = s?.angle === undefined ? 0 : this.pose[s.angle] + (up ? Math.PI / 2 : 0), {scale} = this.camera;
    if (s?.size_a !== undefined)
      return 0.5 * scale * (Math.abs(this.pose[s.size_a] * Math.sin(turn)) + Math.abs(this.pose[s.size_b] * Math.cos(turn)));
    return s?.radius !== undefined ? scale * Math.abs(this.pose[s.radius]) : 14;
  }
  position(p, label) {
    const zero = [0, 1, 2].map(i => this.pose[label.from + i]), up = label.axis === 1;
    zero[label.axis] -= this.q[label.coordinate];
    const side = up ? [-1, 0] : [0, -1], off = this.reach_of_part(label.from, up) + 12, [dx, dy] = up ? [6, 0] : [0, 6];
    const from = moved(this.camera.pixel(zero, 0), side, off), value = moved(this.at(label.from), side, off);
    const to = moved(from, up ? [0, -1] : [1, 0], Math.max(this.camera.scale * this.q[label.coordinate], SHORTEST_ARROW));
    this.room.add([value, from, to]);
    p.wanted = [beside(from, to, 0.5, p.box, 3)];
    p.draw = b => {
      b.lines([[from[0] - dx, from[1] - dy], [from[0] + dx, from[1] + dy]], b.colour, 1);
      b.lines([from, value], b.lighter(0.4), 1);
      sketches.arrow(b, from, to, 1.4);
    };
  }
  gravity(p, label) {
    const [x, y] = label.way, stands = x === 0, at = this.room.corner(26, 26, [1, 0, 3, 2]);
    const middle = [at[0] - (stands ? 10 : 0), at[1] - (stands ? 0 : 8)];
    p.symbol = {...p.box, centre: [middle[0] + (stands ? 16 : 0), middle[1] + (stands ? 0 : 15)]};
    p.draw = b => sketches.arrow(b, [middle[0] - 18 * x, middle[1] + 18 * y], [middle[0] + 18 * x, middle[1] - 18 * y], 1.6);
  }
}

// All that there is room for: {label, symbol, draw}.
function lay_labels(labels, camera, q, pose, width_of) {
  const room = new Room(camera, pose), dimensions = new Dimensions(room, q);
  const placed = labels.map(label => ({label, box: {half_width: 0.5 * width_of(label), half_height: 10}, wanted: []}));
  for (const corners of [false, true]) {
    if (corners) room.corner(28, 28, [2, 3, 0, 1]); // of the axes, which pictures have
    for (const p of placed) if ((p.label.kind === "gravity") === corners) dimensions[p.label.kind](p, p.label);
  }
  for (const p of placed) p.symbol ??= room.place(p.wanted.map(centre => ({...p.box, centre})));
  return placed.filter(p => p.symbol);
}

// q: the coordinates as they are drawn. Those that are switched on, and what is pointed at in any case.
function draw_labels(context, camera, theme, q, pose, are_shown, lit) {
  const labels = data.labels.filter(label => are_shown || label.name === lit);
  const brush_of = label => {
    const colour = label.name === lit ? "#d55e00" : symbol_colours.get(label.name);
    return new Brush(context, colour ? symbol_colour(colour, theme) : theme.ink, theme, camera.rod);
  };
  const width_of = label => new Brush(context, theme.ink, theme, camera.rod).symbol_width(label.text, label.subscript);
  const placed = lay_labels(labels, camera, q, pose, width_of);
  for (const p of placed) p.draw?.(brush_of(p.label));
  for (const {label, symbol: {centre: [x, y]}} of placed) brush_of(label).symbol([x, y + SYMBOL_FOOT], label.text, label.subscript);
}
