// ---- What names the symbols in the drawing; it matches src/scene/labels_draw.c

// Beside the middle of the way, upwards or to the right where there is a choice.
function beside(a, b, off) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy), middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  if (!(length > 0)) return middle;
  let nx = dy / length, ny = -dx / length;
  if (ny > 0.1 || (Math.abs(ny) <= 0.1 && nx < 0)) nx = -nx, ny = -ny;
  return [middle[0] + off * nx, middle[1] + off * ny];
}

const between = (low, x, high) => Math.max(low, Math.min(x, high));
const TURNED = 2 * Math.PI;
const WAYS = [[0, 0], [0, -1], [1, 0], [0, 1], [-1, 0], [1, -1], [1, 1], [-1, 1], [-1, -1], [0, -2]];

// Square to the way: downwards, or to the left of what stands.
function down_from([ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  if (!(length > 0)) return [0, 1];
  const x = -(by - ay) / length, y = (bx - ax) / length;
  return y < -0.1 || (Math.abs(y) <= 0.1 && x > 0) ? [-x, -y] : [x, y];
}

class Dimensions {
  constructor(context, camera, theme, q, pose) {
    Object.assign(this, {g: context, camera, theme, q, pose, arc: 34, aside: 40, placed: []});
  }
  at(signal) { return this.camera.pixel(this.pose, signal); }
  // Where it is wanted, or as near as it is seen whole and no other symbol covers it.
  text(brush, [u, v], {text, subscript}) {
    const half = 0.5 * (9 * [...text].length + 6.5 * [...subscript].length), {width, height} = this.camera;
    const x = between(half + 3, u, width - half - 3), y = between(10, v, height - 10);
    const is_free = ([u, v]) => this.placed.every(([at, other]) => Math.abs(at[0] - u) >= half + other || Math.abs(at[1] - v) >= 17);
    const place = WAYS.map(([i, k]) => [x + (half + 14) * i, y + 18 * k]).find(is_free) ?? [x, y];
    this.placed.push([place, half]);
    brush.symbol([place[0], place[1] + 5], text, subscript);
  }

  angle(b, label) {
    const from = this.at(label.from), to = this.at(label.to), {pose} = this;
    let zero = label.zero;
    if (label.base_from !== undefined)
      zero += Math.atan2(pose[label.base_to + 1] - pose[label.base_from + 1], pose[label.base_to] - pose[label.base_from]);
    const angle = this.q[label.coordinate], sweep = label.sign * (angle % TURNED);
    const radius = Math.min(this.arc, 0.75 * Math.hypot(to[0] - from[0], to[1] - from[1]));
    const around = (r, a) => [from[0] + r * Math.cos(a), from[1] - r * Math.sin(a)], arc = [];
    for (let i = 0; i <= 32; i++) arc.push(around(radius, zero + sweep * i / 32));
    b.lines([from, around(radius + 14, zero)], b.lighter(0.4), 1);
    b.lines(arc, b.colour, 1.2);
    if (Math.abs(sweep) * radius > 12) sketches.arrow(b, arc[27], arc[32], 1.2);
    this.text(b, around(radius + 15, zero + 0.5 * sweep), label);
    this.arc = this.arc > 50 ? 34 : this.arc + 9;
  }
  length(b, label) {
    let from = this.at(label.from), to = this.at(label.to);
    if (label.is_dimension) {
      const [nx, ny] = down_from(from, to), {aside} = this, down = ([x, y], by) => [x + by * nx, y + by * ny];
      for (const end of [from, to]) b.lines([end, down(end, aside + 5)], b.lighter(0.5), 1);
      from = down(from, aside), to = down(to, aside), this.aside += 24;
      const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      for (const end of [from, to]) sketches.arrow(b, middle, end, 1.4);
    }
    this.text(b, beside(from, to, label.is_dimension ? 12 : label.kind === "spring" ? -22 : 18), label);
  }
  spring(b, label) { this.length(b, label); }
  mass(b, label) {
    const a = this.at(label.from), c = this.at(label.to), middle = [(a[0] + c[0]) / 2, (a[1] + c[1]) / 2];
    if (label.from === label.to) return this.text(b, [middle[0] + 20, middle[1] - 14], label);
    b.circle(middle, 2.6, b.colour);
    this.text(b, beside(a, c, -16), label);
  }
  position(b, label) {
    const zero = [0, 1, 2].map(i => this.pose[label.from + i]), up = label.axis === 1;
    zero[label.axis] -= this.q[label.coordinate];
    const move = ([x, y]) => up ? [x - 26, y] : [x, y - 26];
    const from = move(this.camera.pixel(zero, 0)), to = move(this.at(label.from)), [dx, dy] = up ? [6, 0] : [0, 6];
    b.lines([[from[0] - dx, from[1] - dy], [from[0] + dx, from[1] + dy]], b.colour, 1);
    sketches.arrow(b, from, to, 1.4);
    this.text(b, beside(from, to, 11), label);
  }
  gravity(b, label) {
    const [x, y] = label.way;
    const from = [this.camera.width - 34 - 18 * x, 48 + 18 * y], to = [from[0] + 36 * x, from[1] - 36 * y];
    sketches.arrow(b, from, to, 1.6);
    this.text(b, [(from[0] + to[0]) / 2 + (x ? 0 : 14), (from[1] + to[1]) / 2 + (x ? 14 : 0)], label);
  }
}

// q: the coordinates as they are drawn. Those that are switched on, and what is pointed at in any case.
function draw_labels(context, camera, theme, q, pose, are_shown, lit) {
  const dimensions = new Dimensions(context, camera, theme, q, pose);
  for (const label of data.labels) {
    const is_lit = label.name === lit;
    if (!are_shown && !is_lit) continue;
    const colour = is_lit ? "#d55e00" : symbol_colours.get(label.name);
    const b = new Brush(context, colour ? symbol_colour(colour, theme) : theme.soft, theme, camera.rod);
    dimensions[label.kind](b, label);
  }
}
