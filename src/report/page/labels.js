// ---- What names the symbols in the drawing; it matches src/scene/labels_figure.c and label_room.c

const TURNED = 2 * Math.PI, GAP = 2, BOTTOM = 24, SHORTEST_ARROW = 24, OF_WAY = 20;
const moved = ([x, y], [nx, ny], by) => [x + by * nx, y + by * ny];
const part_of_way = (a, b, part) => [a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])];
const way_at = angle => [Math.cos(angle), -Math.sin(angle)];

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

// Within the picture, apart from all lines and from each other.
class Room {
  constructor(camera, pose) {
    Object.assign(this, {camera, pose, lines: [], boxes: []});
    for (const shape of data.scene.shapes) this.add_shape(shape);
    for (const hinge of data.scene.hinges) this.add([camera.pixel(pose, hinge), camera.pixel(pose, hinge)], 5);
  }
  // half: pixels, of the lines' thickness
  add(points, half) {
    for (let i = 0; i + 1 < points.length; i++) {
      const line = [...points[i], ...points[i + 1], half];
      if (line.every(Number.isFinite)) this.lines.push(line);
    }
  }
  circle([x, y], radius, half) {
    this.add(Array.from({length: 33}, (_, i) => [x + radius * Math.cos(TURNED * i / 32), y + radius * Math.sin(TURNED * i / 32)]), half);
  }
  ground(from, to) {
    const f = frame_between(from, to);
    this.add([f.place(0, 4), f.place(f.length, 4)], 5);
  }
  add_shape(shape) {
    const {camera, pose} = this, {scale} = camera, at = i => camera.pixel(pose, shape.points + 3 * i);
    const value = (signal, otherwise) => signal === undefined ? otherwise : pose[signal];
    const points = Array.from({length: shape.count}, (_, i) => at(i));
    switch (shape.shape) {
    case "box": {
      const a = 0.5 * value(shape.size_a, 44 / scale), c = 0.5 * value(shape.size_b, 28 / scale), t = value(shape.angle, 0);
      return this.add([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]].map(([i, k]) => camera.pixel(
        [pose[shape.points] + i * a * Math.cos(t) - k * c * Math.sin(t), pose[shape.points + 1] + i * a * Math.sin(t) + k * c * Math.cos(t), 0], 0)), 1);
    }
    case "track": {
      const ends = [0, 1].map(end => camera.pixel(track_end(shape, pose, end), 0));
      if (shape.track === "face")
        return this.add([...ends, ...[1, 0].map(end => camera.pixel(face_foot(shape, pose, end), 0)), ends[0]], 1.5);
      const [from, to] = shape.is_beneath ? rail_beneath(...ends) : ends;
      if (shape.track === "moving") return this.add([from, to], 0.5 * camera.rod);
      return shape.track === "toothed" ? this.add([from, to], 12) : this.ground(from, to);
    }
    case "disc":
    case "post": {
      const usual = Math.min(Math.max(1.5 * camera.rod, 3), 10), radius = scale * Math.abs(value(shape.radius, usual / scale));
      const is_wheel = shape.shape === "disc";
      this.circle(points[0], radius, 1.5 + (shape.teeth > 1 ? 2.5 * radius / shape.teeth : 0));
      if (shape.is_ring) this.circle(points[0], radius * (1 + 6 / shape.teeth) + 3, 2);
      if (!is_wheel) return this.circle(points[0], radius + (shape.is_ring ? 6 : 0), 8);
      if (shape.angle !== undefined) this.add([points[0], moved(points[0], way_at(pose[shape.angle]), radius)], 1.5);
      return;
    }
    case "spring":
    case "damper": {
      const f = frame_between(...points), aside = 12 * (shape.beside ?? 0), half = 0.5 * scale * Math.abs(value(shape.width, 18 / scale));
      this.add([points[0], f.place(0, aside), f.place(f.length, aside), points[1]], 1.5);
      return this.add([f.place(0, aside), f.place(f.length, aside)], half + 1);
    }
    case "turn": return this.circle(points[0], 17, 3);
    case "force": {
      const ends = applied_ends(shape, pose, points[0]);
      return ends && this.add(ends, 5);
    }
    case "spiral": return this.circle(points[0], 10, 5);
    case "push": {
      const f = frame_between(points[0], camera.pixel(pose, shape.points + 3));
      return this.add([f.place(-17, -20), f.place(17, -20)], 5);
    }
    case "belt": {
      const radii = [shape.size_a, shape.size_b].map(size => scale * Math.abs(pose[size])), f = frame_between(...points);
      radii.forEach((radius, i) => this.circle(points[i], radius, 2));
      for (const side of [-1, 1]) this.add([f.place(0, side * radii[0]), f.place(f.length, side * radii[1])], 3);
      return;
    }
    case "ground": {
      if (shape.count === 2) return this.ground(...points);
      const angle = value(shape.angle, shape.hangs ? Math.PI : 0);
      const below = [points[0][0] + 20 * Math.sin(angle), points[0][1] + 20 * Math.cos(angle)], f = frame_between(below, points[0]);
      this.add([points[0], below], 5);
      return this.add([f.place(0, -17), f.place(0, 17)], 6);
    }
    case "line": return this.add(points, 0.5 * (shape.width === undefined ? camera.rod : scale * Math.abs(pose[shape.width])));
    case "polygon": return this.add([...points, points[0]], 1);
    case "arrow": return this.add(points, 4);
    case "label": return this.add([moved(points[0], [8, -13], 1), moved(points[0], [8 + 9 * [...shape.text].length, -13], 1)], 8);
    }
  }

  crosses([ax, ay, bx, by, thick], {centre, half_width, half_height}) {
    let low = 0, high = 1;
    const from = [ax - centre[0], ay - centre[1]], way = [bx - ax, by - ay], half = [half_width + thick, half_height + thick];
    for (let i = 0; i < 2; i++) {
      if (way[i] === 0) {
        if (Math.abs(from[i]) >= half[i]) return false;
        continue;
      }
      const a = (-half[i] - from[i]) / way[i], b = (half[i] - from[i]) / way[i];
      low = Math.max(low, Math.min(a, b)), high = Math.min(high, Math.max(a, b));
    }
    return low < high;
  }
  is_free(box, leader) {
    const {centre: [x, y], half_height: h} = box, w = box.half_width + GAP, {width, height} = this.camera;
    return x >= w && x <= width - w && y >= h + GAP && y <= height - h - BOTTOM &&
           this.boxes.every(o => Math.abs(o.centre[0] - x) >= o.half_width + w || Math.abs(o.centre[1] - y) >= o.half_height + h) &&
           !this.lines.some(line => this.crosses(line, box)) && !(leader && this.boxes.some(o => this.crosses([...leader[0], ...leader[1], 0], o)));
  }
}

// What a label draws beside its symbol: {draw, anchor}, with `lines` of its own, and places for the symbol.
class Figures {
  constructor(camera, q, pose) { Object.assign(this, {camera, q, pose}); }
  at(signal) { return this.camera.pixel(this.pose, signal); }

  angle(label) {
    const from = this.at(label.from), to = this.at(label.to), {pose} = this;
    let zero = label.zero;
    if (label.base_from !== undefined)
      zero += Math.atan2(pose[label.base_to + 1] - pose[label.base_from + 1], pose[label.base_to] - pose[label.base_from]);
    const sweep = label.sign * (this.q[label.coordinate] % TURNED);
    const radius = Math.min(34 + 9 * label.aside, 0.75 * Math.hypot(to[0] - from[0], to[1] - from[1]));
    // the arrow shows the positive direction, whatever the value
    const forwards = label.sign * sweep, arrow = label.sign * Math.max(forwards, Math.min(SHORTEST_ARROW / radius, Math.PI / 2));
    const around = (r, a) => moved(from, way_at(a), r);
    const part = (begin, end) => Array.from({length: 33}, (_, i) => around(radius, begin + (end - begin) * i / 32));
    return {
      lines: [[part(forwards < 0 ? zero + sweep : zero, zero + arrow), 1]], anchor: around(radius, zero + 0.5 * arrow), near: 12,
      place(slot, box) {
        const way = way_at(zero + [0.5, 0.3, 0.75, 1][slot % 4] * arrow), gap = [3, -3, 14][Math.floor(slot / 4)];
        const off = clear_of(box, way, Math.abs(gap));
        return moved(from, way, radius + (gap < 0 ? -off : off));
      },
      draw(b) {
        b.lines([from, around(radius + 14, zero)], b.lighter(0.4), 1);
        if (forwards < 0) b.lines(part(zero, zero + sweep), b.lighter(0.4), 1);
        sketches.curved_arrow(b, part(zero, zero + arrow), 1.4);
      }};
  }
  // Places on both sides of five parts of the way, near and farther.
  way(from, to, gap, rest) {
    return {anchor: part_of_way(from, to, 0.5), near: OF_WAY, place(slot, box) {
      const side = slot % 2 ? -gap : gap, more = slot < OF_WAY / 2 ? 0 : 11;
      return beside(from, to, [0.5, 0.35, 0.65, 0.2, 0.8][Math.floor(slot / 2) % 5], box, side + (side < 0 ? -more : more));
    }, ...rest};
  }
  length(label) {
    const feet = [this.at(label.from), this.at(label.to)];
    if (!label.is_dimension) return this.way(...feet, label.kind === "spring" ? -13 : 6);
    const down = down_from(...feet), ends = feet.map(foot => moved(foot, down, 40 + 24 * label.aside));
    return this.way(...ends, 3, {lines: [[ends, 2]], draw: b => ends.forEach((end, i) => {
      const way = [end[0] - feet[i][0], end[1] - feet[i][1]], length = Math.hypot(...way);
      b.lines([feet[i], moved(feet[i], way, length > 0 ? 1 + 5 / length : 1)], b.lighter(0.5), 1);
      sketches.arrow(b, part_of_way(...ends, 0.5), end, 1.4);
    })});
  }
  spring(label) { return this.length(label); }
  // From the centre to the rim.
  radius(label) {
    const from = this.at(label.from), length = this.camera.scale * Math.abs(this.pose[label.radius]);
    if (!(length >= 16)) return null;
    const to = moved(from, way_at([0.6, 2.5, 1.1, 2.0, -0.6, -2.5][label.aside]), length);
    return this.way(from, to, 3, {lines: [[[from, to], 2]], draw: b => sketches.arrow(b, from, to, 1.4)});
  }
  // Pixels from the middle of the part at a point to its right (axis 1) or upper (0) end.
  reach_of_part(point, axis) {
    const s = data.scene.shapes.find(s => s.points === point && (s.shape === "box" || (s.shape === "disc" && s.radius !== undefined)));
    const turn = (s?.angle === undefined ? 0 : this.pose[s.angle]) + (axis ? Math.PI / 2 : 0), {scale} = this.camera;
    if (s?.size_a !== undefined)
      return 0.5 * scale * (Math.abs(this.pose[s.size_a] * Math.sin(turn)) + Math.abs(this.pose[s.size_b] * Math.cos(turn)));
    return s?.shape === "box" ? (axis ? 22 : 14) : s ? scale * Math.abs(this.pose[s.radius]) : 10;
  }
  mass(label) {
    const from = this.at(label.from), to = this.at(label.to), anchor = part_of_way(from, to, 0.5);
    if (label.from !== label.to)
      return {anchor, near: 4, lines: [[[anchor, anchor], 3]], draw: b => b.circle(anchor, 2.6, b.colour),
              place: (slot, box) => beside(from, to, 0.5, box, (slot % 2 ? -1 : 1) * (-5 - (slot < 2 ? 0 : 11)))};
    const reach = [1, 0].map(axis => this.reach_of_part(label.from, axis));
    return {anchor, near: 17, place(slot, box) {
      if (slot === 0) return anchor;
      const way = [[1, -1], [-1, -1], [1, 1], [-1, 1], [1, 0], [-1, 0], [0, -1], [0, 1]][(slot - 1) % 8];
      const both = way[0] && way[1] ? 0.72 : 1, gap = slot <= 8 ? 3 : 13, half = [box.half_width, box.half_height];
      return anchor.map((x, i) => x + way[i] * both * (reach[i] + half[i] + gap));
    }};
  }
  position(label) {
    const zero = [0, 1, 2].map(i => this.pose[label.from + i]), up = label.axis === 1;
    zero[label.axis] -= this.q[label.coordinate];
    const side = up ? [-1, 0] : [0, -1], off = this.reach_of_part(label.from, label.axis) + 12, [dx, dy] = up ? [6, 0] : [0, 6];
    const from = moved(this.camera.pixel(zero, 0), side, off), value = moved(this.at(label.from), side, off);
    const to = moved(from, up ? [0, -1] : [1, 0], Math.max(this.camera.scale * this.q[label.coordinate], SHORTEST_ARROW));
    return this.way(from, to, 3, {lines: [[[value, from, to], 2]], draw(b) {
      b.lines([[from[0] - dx, from[1] - dy], [from[0] + dx, from[1] + dy]], b.colour, 1);
      b.lines([from, value], b.lighter(0.4), 1);
      sketches.arrow(b, from, to, 1.4);
    }});
  }
  // order: 1 is right, 2 below.
  corner(half, order, drawn) {
    const {width, height} = this.camera;
    return {half, near: 4, place: slot => [order[slot] & 1 ? width - half - 6 : half + 6, order[slot] & 2 ? height - half - 30 : half + 6], ...drawn};
  }
  gravity(label) {
    const [x, y] = label.way, stands = x === 0, middle_of = at => [at[0] - (stands ? 10 : 0), at[1] - (stands ? 0 : 8)];
    return this.corner(26, [1, 0, 3, 2], {
      symbol_at: at => moved(middle_of(at), stands ? [1, 0] : [0, 1], stands ? 16 : 15),
      draw(b, at) {
        const middle = middle_of(at);
        sketches.arrow(b, [middle[0] - 18 * x, middle[1] + 18 * y], [middle[0] + 18 * x, middle[1] - 18 * y], 1.6);
      }});
  }
  axes() {
    if (this.camera.follows) return null;
    return this.corner(28, [2, 3, 0, 1], {draw(b, [x, y]) {
      const from = [x - 20, y + 20];
      [["x", [1, 0], [8, -2]], ["y", [0, -1], [10, 0]]].forEach(([letter, way, [dx, dy]]) => {
        const to = moved(from, way, 34);
        sketches.arrow(b, from, to, 2.2);
        b.symbol([to[0] + dx, to[1] + dy + SYMBOL_FOOT], letter);
      });
    }});
  }
}

// The place with a number: {box, leader}. Behind those beside what is named are those with a line to it.
function take_slot(figure, slot, size) {
  if (figure.half) return {box: {centre: figure.place(slot), half_width: figure.half, half_height: figure.half}};
  if (slot < figure.near) return {box: {...size, centre: figure.place(slot, size)}};
  const k = slot - figure.near, way = way_at(TURNED * (k % 16) / 16), off = clear_of(size, way, [30, 48, 70][Math.floor(k / 16)]);
  const box = {...size, centre: moved(figure.anchor, way, off)};
  const back = Math.min(way[0] ? size.half_width / Math.abs(way[0]) : Infinity, way[1] ? size.half_height / Math.abs(way[1]) : Infinity, off);
  return {box, leader: [moved(box.centre, way, -back), figure.anchor]};
}

// All that there is room for, each in the first of its places that is free: {label, figure, box, leader}.
function lay_labels(labels, camera, q, pose, width_of) {
  const room = new Room(camera, pose), figures = new Figures(camera, q, pose), placed = [];
  const wanted = labels.map(label => ({label, figure: figures[label.kind](label)})).filter(({figure}) => figure);
  for (const {figure} of wanted) for (const [points, half] of figure.lines ?? []) room.add(points, half);
  for (const {label, figure} of wanted) {
    const size = {half_width: 0.5 * width_of(label), half_height: 10};
    for (const slot of label.slots) {
      const place = take_slot(figure, slot, size);
      if (!room.is_free(place.box, place.leader)) continue;
      room.boxes.push(place.box);
      if (place.leader) room.add(place.leader, 1);
      placed.push({label, figure, ...place});
      break;
    }
  }
  return placed;
}

// q: the coordinates as they are drawn. Those that are switched on, and what is pointed at in any case.
function draw_labels(context, camera, theme, q, pose, are_shown, lit) {
  const labels = data.labels.filter(label => are_shown || label.name === lit);
  const brush_of = label => {
    const colour = label.name === lit ? GLOW : symbol_colours.get(label.name);
    return new Brush(context, colour ? themed(colour, theme) : theme.ink, theme, camera.rod);
  };
  const width_of = label => new Brush(context, theme.ink, theme, camera.rod).symbol_width(label.text, label.subscript);
  const placed = lay_labels(labels, camera, q, pose, width_of);
  for (const {label, figure, box} of placed) figure.draw?.(brush_of(label), box.centre);
  for (const {label, figure, box, leader} of placed) {
    const brush = brush_of(label), [x, y] = figure.symbol_at?.(box.centre) ?? box.centre;
    if (leader) brush.lines(leader, brush.lighter(0.3), 1);
    if (label.text) brush.symbol([x, y + SYMBOL_FOOT], label.text, label.subscript);
  }
}
