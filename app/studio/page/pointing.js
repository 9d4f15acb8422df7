// What of the picture the pointer is at.

const NEAR = 8; // pixels of the drawing
const SIGNS = new Set(["trail", "label", "push", "turn", "force"]);

function distance_to_piece([x, y], [a, b], [c, d]) {
  const dx = c - a, dy = d - b, part = Math.min(Math.max(((x - a) * dx + (y - b) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - a - part * dx, y - b - part * dy);
}

// How far a place is from a shape; wheels and plates are left to what lies on them.
function distance_to(shape, place, pixel, size) {
  const points = Array.from({length: shape.count}, (_, i) => pixel(i));
  if (!points.length || SIGNS.has(shape.shape)) return Infinity;
  const reach = shape.shape === "disc" ? size(shape.radius, 6) : shape.shape === "box" ? Math.min(size(shape.size_a, 44), size(shape.size_b, 28)) / 2 : 0;
  if (points.length === 1) return Math.max(Math.hypot(place[0] - points[0][0], place[1] - points[0][1]) - reach, reach > NEAR ? 0.9 * NEAR : 0);
  return Math.min(...points.slice(1).map((end, i) => distance_to_piece(place, points[i], end)));
}

// The number of the shape at the pointer, or null.
export function shape_at(figure, event) {
  const state = figure.store()?.get(), camera = figure.camera(), canvas = event.target;
  if (!state || !camera || canvas.localName !== "canvas" || !canvas.clientWidth) return null;
  const {run, t} = state, pose = figure.kit().drawn_pose(run, run.at(Math.min(t, run.end))), scale = camera.width / canvas.clientWidth;
  const place = [event.offsetX * scale, event.offsetY * scale];
  let best = null, least = NEAR;
  figure.view().scene.shapes.forEach((shape, i) => {
    const distance = distance_to(shape, place, k => camera.pixel(pose, shape.points + 3 * k), (signal, usual) => signal === undefined ? usual : camera.scale * Math.abs(pose[signal]));
    if (distance < least) best = i, least = distance;
  });
  return best;
}
