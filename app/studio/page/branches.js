// Assembly modes: the same links and joints put together in another way, found by solving the joints
// from many beginnings while the first body stays where it is.
import {assemble, pose_of} from "./sketch_solve.js";

const TRIES = 60;

// A fair coin that falls the same way every time.
function dice() {
  let seed = 7;
  return () => (seed = (16807 * seed) % 2147483647) / 2147483647;
}

function is_same(a, b) {
  for (const [name, p] of a) {
    const q = b.get(name), turn = Math.abs(Math.sin((p.angle - q.angle) / 2));
    if (Math.hypot(p.x - q.x, p.y - q.y) > 1e-3 || turn > 1e-3) return false;
  }
  return true;
}

// Lists of poses by name, the present one first.
export function branches_of(sketch) {
  const now = new Map(sketch.bodies.map(b => [b.name, pose_of(b)])), found = [], random = dice();
  const held = sketch.bodies.find(b => sketch.joints.some(j => sketch.motors.includes(j.name) && [j.a.body, j.b.body].includes(b.name))) ?? sketch.bodies[0];
  if (!held || sketch.joints.length < 3) return [];
  const first = assemble(sketch, now, held.name);
  if (!first) return [];
  found.push(first);
  const size = Math.max(...sketch.bodies.map(b => b.rod?.value ?? 0.1));
  for (let i = 0; i < TRIES && found.length < 8; i++) {
    const start = new Map([...now].map(([name, p]) => [name, name === held.name ? p
      : {x: p.x + 2 * size * (random() - 0.5), y: p.y + 2 * size * (random() - 0.5), angle: p.angle + 2 * Math.PI * (random() - 0.5)}]));
    const other = assemble(sketch, start, held.name);
    if (other && !found.some(one => is_same(one, other))) found.push(other);
  }
  return found;
}
