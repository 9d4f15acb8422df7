// ---- The parts of mechanisms as an engineer sketches them; they match src/scene/shapes.c

function hex_mixed(a, b, part) {
  const of = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map(i => Math.round(of(a, i) + part * (of(b, i) - of(a, i))));
  return "#" + mixed.map(v => v.toString(16).padStart(2, "0")).join("");
}

const SYMBOL_SIZE = 19, SYMBOL_FOOT = 4;

// As formulas have them: a letter that stands alone is an italic one.
function formula_letters(words) {
  return words.replace(/(?<!\p{L})\p{L}(?!\p{L})/gu, letter => {
    const c = letter.codePointAt(0), shifted = (first, last, to) => c >= first && c <= last ? String.fromCodePoint(to + c - first) : null;
    if (letter === "h") return "\u210e";
    return shifted(0x41, 0x5a, 0x1d434) ?? shifted(0x61, 0x7a, 0x1d44e) ?? shifted(0x391, 0x3a9, 0x1d6e2) ?? shifted(0x3b1, 0x3c9, 0x1d6fc) ?? letter;
  });
}

// A brush draws on a context in one colour; paper and ink are those of the page.
class Brush {
  constructor(context, colour, theme, rod, faint = 1) {
    this.g = context, this.colour = colour, this.theme = theme, this.rod = rod, this.faint = faint;
  }
  lighter(part) { return hex_mixed(this.colour, this.theme.paper, part); }
  darker(part) { return hex_mixed(this.colour, this.theme.ink, part); }

  path(points, closed) {
    this.g.beginPath();
    points.forEach(([x, y], i) => i ? this.g.lineTo(x, y) : this.g.moveTo(x, y));
    if (closed) this.g.closePath();
  }
  lines(points, colour, width, closed = false) {
    this.g.globalAlpha = this.faint;
    this.g.strokeStyle = colour, this.g.lineWidth = width;
    this.path(points, closed);
    this.g.stroke();
  }
  area(points, colour) {
    this.g.globalAlpha = this.faint;
    this.g.fillStyle = colour;
    this.path(points, true);
    this.g.fill();
  }
  circle([x, y], radius, colour, width) {
    this.g.globalAlpha = this.faint;
    this.g.beginPath();
    this.g.arc(x, y, Math.max(radius, 0), 0, 2 * Math.PI);
    if (width) this.g.strokeStyle = colour, this.g.lineWidth = width, this.g.stroke();
    else this.g.fillStyle = colour, this.g.fill();
  }
  text([x, y], text, size = 15, align = "left") {
    this.g.globalAlpha = this.faint;
    this.g.fillStyle = this.colour, this.g.font = `${size}px ${this.theme.font}`;
    this.g.textAlign = align;
    this.g.fillText(text, x, y);
  }
  symbol_width(letter, subscript, size = SYMBOL_SIZE) {
    const wide = (px, text) => (this.g.font = `${px}px 'Qdot Math', ${this.theme.font}`, this.g.measureText(formula_letters(text)).width);
    return wide(size, letter) + wide(0.72 * size, subscript ?? "");
  }
  // A letter with what stands below it to the right, on a rim of paper so that lines do not cross it.
  symbol([x, y], name, words, size = SYMBOL_SIZE) {
    const letter = formula_letters(name), subscript = formula_letters(words ?? "");
    const {g} = this, small = 0.72 * size, font = px => `${px}px 'Qdot Math', ${this.theme.font}`;
    g.globalAlpha = this.faint, g.textAlign = "left";
    g.fillStyle = this.colour, g.strokeStyle = this.theme.paper, g.lineWidth = 4;
    g.font = font(small);
    const below = subscript ? g.measureText(subscript).width : 0;
    g.font = font(size);
    const wide = g.measureText(letter).width, left = x - 0.5 * (wide + below);
    const parts = [[size, letter, left, y], [small, subscript, left + wide, y + 0.25 * size]];
    for (const write of ["strokeText", "fillText"])
      for (const [px, text, at, foot] of parts) g.font = font(px), g[write](text, at, foot);
  }
}

// Along and across the way from one point to another; across is to its right.
function frame_between(from, to) {
  const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy);
  const ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
  const place = (along, across) => [from[0] + along * ux - across * uy, from[1] + along * uy + across * ux];
  return {length, place};
}

// Ends of what stands beside the line between two points, with the yokes that join them to it.
function yoked(b, ends, side = 0) {
  const f = frame_between(...ends);
  if (!side || !(f.length > 0)) return ends;
  const moved = [f.place(0, 12 * side), f.place(f.length, 12 * side)];
  ends.forEach((end, i) => b.lines([end, moved[i]], b.darker(0.1), 2));
  return moved;
}

// Below a slider that is as large as a box without a size: on the lower side, or the right one of what stands.
function rail_beneath(from, to) {
  const f = to[0] - from[0] < -1e-6 * Math.hypot(to[0] - from[0], to[1] - from[1]) ? frame_between(to, from) : frame_between(from, to);
  return [f.place(-30, 15), f.place(f.length + 30, 15)];
}

// From where to where the arrow of an applied force goes; it matches force_ends of src/scene/shapes.c.
function applied_ends(shape, pose, [u, v]) {
  const x = pose[shape.size_a], y = pose[shape.size_b], size = Math.hypot(x, y), length = 52, gap = 4;
  if (!(size > 0) || !Number.isFinite(size)) return null;
  return [length + gap, gap].map(far => [u - far * x / size, v + far * y / size]);
}

// side: 1 within, -1 around.
function hatch_around(b, centre, radius, side) {
  const depth = Math.min(8, 0.6 * radius), n = Math.max(Math.floor(2 * Math.PI * radius / 9), 6);
  const around = (r, a) => [centre[0] + r * Math.cos(a), centre[1] - r * Math.sin(a)];
  for (let i = 0; i < n; i++) {
    const a = 2 * Math.PI * i / n;
    b.lines([around(radius, a), around(radius - 0.7 * side * depth, a - 0.7 * depth / radius)], b.lighter(0.35), 1.1);
  }
  b.circle(centre, radius, b.colour, 2);
}

const sketches = {
  rod(b, points, size) {
    if (size <= 3.5) return b.lines(points, b.colour, size);
    b.lines(points, b.darker(0.15), size);
    b.lines(points, b.lighter(0.35), size - 2.4);
  },
  plate(b, points) {
    b.area(points, b.lighter(0.6));
    b.lines(points, b.darker(0.1), 1.8, true);
  },
  wheel(b, centre, radius, mark) {
    b.circle(centre, radius, b.lighter(0.5));
    b.circle(centre, radius, b.darker(0.1), 1.8);
    if (mark === undefined || !Number.isFinite(mark)) return;
    const rim = [centre[0] + radius * Math.cos(mark), centre[1] - radius * Math.sin(mark)];
    b.lines([centre, rim], b.darker(0.1), 1.8);
  },
  spring(b, from, to, width, turns) {
    const f = frame_between(from, to), lead = Math.min(0.18 * f.length, 12);
    const pitch = (f.length - 2 * lead) / turns, half = 0.5 * width;
    const thin = Math.min(pitch / 6, 1); // so that paper shows between the turns
    const front = b.darker(0.1), back = b.lighter(0.45);
    b.lines([from, f.place(lead, 0)], front, 2);
    b.lines([f.place(f.length - lead, 0), to], front, 2);
    for (const is_front of [false, true])
      for (let i = 0; i < turns; i++) {
        const begin = lead + i * pitch, low = f.place(begin + 0.25 * pitch, -half);
        const high = f.place(begin + 0.75 * pitch, half);
        if (is_front) b.lines([low, high], front, 2.2 * thin);
        else {
          b.lines([f.place(begin, 0), low], back, 1.6 * thin);
          b.lines([high, f.place(begin + pitch, 0)], back, 1.6 * thin);
        }
      }
  },
  damper(b, from, to, width) {
    const f = frame_between(from, to), half = 0.5 * width, ink = b.darker(0.1);
    const begin = 0.3 * f.length, end = 0.72 * f.length, piston = begin + 0.55 * (end - begin);
    b.lines([from, f.place(begin, 0)], ink, 2);
    const cylinder = [f.place(end, -half), f.place(begin, -half), f.place(begin, half), f.place(end, half)];
    b.area(cylinder, b.lighter(0.75));
    b.lines(cylinder, ink, 2);
    b.lines([f.place(piston, -0.8 * half), f.place(piston, 0.8 * half)], ink, 3);
    b.lines([f.place(piston, 0), to], ink, 2);
  },
  ground(b, from, to) {
    const f = frame_between(from, to), spacing = 9, depth = 8;
    for (let at = 0.5 * spacing; at < Math.min(f.length, 45000); at += spacing)
      b.lines([f.place(at, 0), f.place(at - depth, depth)], b.lighter(0.35), 1.1);
    b.lines([from, to], b.colour, 2);
  },
  support(b, at, angle) {
    const side = 15, dx = Math.sin(angle), dy = Math.cos(angle);
    const foot = [at[0] + side * dx, at[1] + side * dy];
    const left = [foot[0] - 0.75 * side * dy, foot[1] + 0.75 * side * dx];
    const right = [foot[0] + 0.75 * side * dy, foot[1] - 0.75 * side * dx];
    b.area([at, left, right], b.lighter(0.85));
    b.lines([at, left, right], b.colour, 1.6, true);
    sketches.ground(b, [left[0] - 5 * dy, left[1] + 5 * dx], [right[0] + 5 * dy, right[1] - 5 * dx]);
  },
  post(b, centre, signed) {
    const is_ring = signed < 0, radius = Math.abs(signed);
    if (!is_ring) b.circle(centre, radius, b.lighter(0.92));
    hatch_around(b, centre, radius, is_ring ? -1 : 1);
  },
  rack(b, from, to, pitch = 0, first = 0) {
    const f = frame_between(from, to), body = 6, meshes = pitch >= LEAST_PITCH;
    const height = meshes ? pitch / Math.PI : 4.5, depth = meshes ? 1.25 * height : 0;
    if (!meshes) pitch = 8, first = 4;
    const root = 0.25 * pitch + depth * Math.tan(PRESSURE), tip = 0.25 * pitch - height * Math.tan(PRESSURE);
    const bar = [f.place(0, depth), f.place(f.length, depth), f.place(f.length, depth + body), f.place(0, depth + body)];
    b.area(bar, b.lighter(0.6));
    b.lines(bar, b.colour, 1.6, true);
    for (let at = first - pitch * Math.floor(first / pitch); at + root <= f.length; at += pitch) {
      if (at < root) continue;
      const tooth = [f.place(at - root, depth), f.place(at - tip, -height),
                     f.place(at + tip, -height), f.place(at + root, depth)];
      b.area(tooth, b.lighter(0.6));
      b.lines(tooth, b.colour, 1.2);
    }
  },
  // teeth: {n, radius, phase}
  gear(b, centre, teeth, mark) {
    const points = outline_of_teeth(teeth, centre, 1.25, 1);
    b.area(points, b.lighter(0.5));
    b.lines(points, b.darker(0.1), 1.4, true);
    if (mark === undefined || !Number.isFinite(mark)) return;
    const root = teeth.radius - 2.5 * teeth.radius / teeth.n;
    b.lines([centre, [centre[0] + root * Math.cos(mark), centre[1] - root * Math.sin(mark)]], b.darker(0.1), 1.8);
  },
  // Its gaps are the teeth of a wheel that would fill it.
  ring_gear(b, centre, teeth, is_fixed) {
    const outer = teeth.radius * (1 + 6 / teeth.n) + 3;
    const points = outline_of_teeth({...teeth, phase: teeth.phase + Math.PI / teeth.n}, centre, 1, 1.25);
    b.circle(centre, outer, b.lighter(is_fixed ? 0.85 : 0.5));
    b.area(points, b.theme.paper);
    b.lines(points, b.darker(0.1), 1.4, true);
    if (is_fixed) hatch_around(b, centre, outer, -1);
    else b.circle(centre, outer, b.darker(0.1), 1.4);
  },
  belt(b, from, to, a, c) {
    const f = frame_between(from, to);
    if (!(f.length > 0) || !Number.isFinite(a + c)) return;
    const slope = (a - c) / f.length;
    for (const side of [1, -1]) {
      if (Math.abs(slope) >= 1) continue; // one wheel lies within the other
      const up = -side * Math.sqrt(1 - slope * slope);
      b.lines([f.place(a * slope, a * up), f.place(f.length + c * slope, c * up)], b.colour, 2.4);
    }
    b.circle(from, Math.abs(a), b.colour, 2.4);
    b.circle(to, Math.abs(c), b.colour, 2.4);
  },
  turn(b, at, sign) {
    const pieces = 24, radius = 17, begin = -0.9, sweep = 4.2, arc = [];
    for (let i = 0; i <= pieces; i++) {
      const a = sign < 0 ? Math.PI - begin - sweep * i / pieces : begin + sweep * i / pieces;
      arc.push([at[0] + radius * Math.cos(a), at[1] - radius * Math.sin(a)]);
    }
    sketches.curved_arrow(b, arc, 2.2);
  },
  spiral(b, at) {
    const points = [];
    for (let i = 0; i <= 60; i++) {
      const a = 2.25 * 2 * Math.PI * i / 60, radius = 4 + 10 * i / 60;
      points.push([at[0] + radius * Math.cos(a), at[1] - radius * Math.sin(a)]);
    }
    b.lines(points, b.colour, 1.8);
  },
  hinge(b, at) {
    const radius = Math.min(Math.max(0.62 * b.rod, 1.5), 4.2);
    b.circle(at, radius, b.theme.paper);
    b.circle(at, radius, b.colour, Math.min(1.6, 0.5 * radius));
  },
  arrow(b, from, to, width = 2.2) {
    const f = frame_between(from, to), head = Math.min(11, 0.6 * f.length);
    if (f.length < 1) return;
    b.lines([from, f.place(f.length - 0.8 * head, 0)], b.colour, width);
    b.area([to, f.place(f.length - head, -0.4 * head), f.place(f.length - head, 0.4 * head)], b.colour);
  },
  // Its head stands along the chord to the end, so that it does not point outwards.
  curved_arrow(b, points, width) {
    const tip = points.at(-1);
    let neck = points.length - 1, head = 3 + 3.2 * width, f = frame_between(tip, tip);
    while (neck > 0 && f.length < head) f = frame_between(points[--neck], tip);
    if (!(f.length > 0)) return;
    head = Math.min(head, f.length);
    b.lines([...points.slice(0, neck + 1), f.place(f.length - 0.8 * head, 0)], b.colour, width);
    b.area([tip, f.place(f.length - head, -0.42 * head), f.place(f.length - head, 0.42 * head)], b.colour);
  },
};
