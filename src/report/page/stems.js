// ---- How far springs and dampers run inside the parts that they hold; it matches src/scene/stems.c

const LEAST_LEFT = 0.25, EDGE = 1e-6;

function way_out(part, pose, [px, py], [dx, dy]) {
  const x = px - pose[part.points], y = py - pose[part.points + 1];
  if (part.shape === "disc" && part.radius !== undefined) {
    const r = Math.abs(pose[part.radius]), a = dx * dx + dy * dy, b = x * dx + y * dy, inside = r * r - x * x - y * y;
    return inside > EDGE * r * r ? (Math.sqrt(b * b + a * inside) - b) / a : 0;
  }
  if (part.shape !== "box" || part.size_a === undefined) return 0;
  const turn = part.angle === undefined ? 0 : pose[part.angle], cosine = Math.cos(turn), sine = Math.sin(turn);
  const at = [x * cosine + y * sine, y * cosine - x * sine], way = [dx * cosine + dy * sine, dy * cosine - dx * sine];
  const half = [0.5 * Math.abs(pose[part.size_a]), 0.5 * Math.abs(pose[part.size_b])];
  let out = Infinity;
  for (let i = 0; i < 2; i++) {
    if (!(Math.abs(at[i]) < (1 - EDGE) * half[i])) return 0;
    if (way[i] !== 0) out = Math.min(out, ((way[i] > 0 ? half[i] : -half[i]) - at[i]) / way[i]);
  }
  return Number.isFinite(out) ? out : 0;
}

function stems_of(pose, spring) {
  const ends = [0, 1].map(end => [pose[spring.points + 3 * end], pose[spring.points + 3 * end + 1]]), out = [0, 0];
  for (let end = 0; end < 2 && !data.scene.is_spatial; end++) {
    const way = [0, 1].map(k => ends[1 - end][k] - ends[end][k]);
    if (way[0] !== 0 || way[1] !== 0)
      for (const part of data.scene.shapes) out[end] = Math.max(out[end], way_out(part, pose, ends[end], way));
  }
  return out[0] + out[1] <= 1 - LEAST_LEFT ? out : [0, 0];
}
