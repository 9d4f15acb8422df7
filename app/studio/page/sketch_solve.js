// Kinematics of a drawing: the bodies move as their joints allow, so that a point follows the mouse.
import {body_named, pose_of, world_point} from "./sketch_text.js";

// Residuals of all joints at these poses (x, y, angle of each body, one after the other).
function joint_residuals(sketch, index, q, out) {
  const pose = name => name === "ground" ? null : {x: q[3 * index.get(name)], y: q[3 * index.get(name) + 1], angle: q[3 * index.get(name) + 2]};
  for (const joint of sketch.joints) {
    if ([joint.a, joint.b].some(p => p.body !== "ground" && !index.has(p.body))) continue;
    const [a, b] = [joint.a, joint.b].map(p => world_point(pose(p.body), p.x.value, p.y.value));
    const [pa, pb] = [pose(joint.a.body), pose(joint.b.body)], dx = b[0] - a[0], dy = b[1] - a[1];
    if (joint.kind === "revolute") out.push(dx, dy);
    else if (joint.kind === "prismatic") {
      const axis = joint.axis + (pa?.angle ?? 0);
      out.push(-Math.sin(axis) * dx + Math.cos(axis) * dy, (pb?.angle ?? 0) - (pa?.angle ?? 0) - index.turned.get(joint.name));
    } else if (joint.kind === "weld") out.push(dx, dy, (pb?.angle ?? 0) - (pa?.angle ?? 0) - index.turned.get(joint.name));
  }
  return out;
}

// Solves (J^T J + d I) x = -J^T r by Gauss.
function step(J, r, n, damping) {
  const A = Array.from({length: n}, () => new Float64Array(n + 1));
  for (let k = 0; k < r.length; k++)
    for (let i = 0; i < n; i++) {
      if (J[k][i] === 0) continue;
      for (let j = 0; j < n; j++) A[i][j] += J[k][i] * J[k][j];
      A[i][n] -= J[k][i] * r[k];
    }
  for (let i = 0; i < n; i++) A[i][i] += damping;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(A[k][i]) > Math.abs(A[pivot][i])) pivot = k;
    [A[i], A[pivot]] = [A[pivot], A[i]];
    for (let k = i + 1; k < n; k++) {
      const f = A[k][i] / A[i][i];
      if (f) for (let j = i; j <= n; j++) A[k][j] -= f * A[i][j];
    }
  }
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    x[i] = A[i][n];
    for (let j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
  return x;
}

// Newton's way, by differences, to where the residuals vanish; q is changed.
function descend(q, residuals, rounds) {
  const n = q.length, h = 1e-7;
  for (let round = 0; round < rounds; round++) {
    const r = residuals(q), J = r.map(() => new Float64Array(n));
    for (let i = 0; i < n; i++) {
      const keep = q[i];
      q[i] = keep + h;
      residuals(q).forEach((v, k) => { J[k][i] = (v - r[k]) / h; });
      q[i] = keep;
    }
    const x = step(J, r, n, 1e-9), size = Math.max(...x.map(Math.abs));
    for (let i = 0; i < n; i++) q[i] += x[i] * Math.min(1, 0.5 / size);
    if (size < 1e-10) break;
  }
}

// The order of bodies in q, and by how much joints that do not turn are turned in the drawing.
function index_of(sketch) {
  const index = new Map(sketch.bodies.map((b, i) => [b.name, i]));
  const angle_of = name => name === "ground" ? 0 : body_named(sketch, name)?.angle.value ?? 0;
  index.turned = new Map(sketch.joints.map(j => [j.name, angle_of(j.b.body) - angle_of(j.a.body)]));
  return index;
}

// Poses by name, or null where the joints are not closed.
function closed(sketch, index, q) {
  if (Math.max(0, ...joint_residuals(sketch, index, q, []).map(Math.abs)) > 1e-6 || !q.every(Number.isFinite)) return null;
  return new Map(sketch.bodies.map((b, i) => [b.name, {x: q[3 * i], y: q[3 * i + 1], angle: q[3 * i + 2]}]));
}

// Poses by name in which the point (x, y of a body) is as near to the target as the joints allow;
// null where the joints cannot be closed.
export function pull(sketch, grip, target) {
  const index = index_of(sketch), q = Float64Array.from(sketch.bodies.flatMap(b => [b.x.value, b.y.value, b.angle.value]));
  const SOFT = 0.03; // the mouse counts less than the joints
  const joints = values => joint_residuals(sketch, index, values, []);
  descend(q, values => {
    const i = 3 * index.get(grip.body), at = world_point({x: values[i], y: values[i + 1], angle: values[i + 2]}, grip.x, grip.y);
    return [...joints(values), SOFT * (at[0] - target[0]), SOFT * (at[1] - target[1])];
  }, 12);
  descend(q, joints, 6);
  return closed(sketch, index, q);
}

// Bodies whose line says no place are put where their joints want them, with the others and all angles near
// what their lines say.
export function settle(sketch) {
  if (sketch.bodies.every(b => b.has_place) || !sketch.joints.length) return sketch;
  const index = index_of(sketch), q = Float64Array.from(sketch.bodies.flatMap(b => [b.x.value, b.y.value, b.angle.value]));
  const places = sketch.bodies.flatMap((b, i) => b.has_place ? [3 * i, 3 * i + 1, 3 * i + 2] : [3 * i + 2]), said = places.map(k => q[k]);
  const joints = values => joint_residuals(sketch, index, values, []);
  descend(q, values => [...joints(values), ...places.map((k, i) => 0.03 * (values[k] - said[i]))], 12);
  descend(q, joints, 12);
  const found = closed(sketch, index, q);
  if (found) for (const body of sketch.bodies) for (const key of ["x", "y", "angle"]) body[key] = {...body[key], value: found.get(body.name)[key]};
  return sketch;
}

// Poses with closed joints near these, in which one body stays where it is; or null.
export function assemble(sketch, poses, held) {
  const index = index_of(sketch), k = 3 * index.get(held), stay = poses.get(held);
  const q = Float64Array.from(sketch.bodies.flatMap(b => [poses.get(b.name).x, poses.get(b.name).y, poses.get(b.name).angle]));
  const joints = values => joint_residuals(sketch, index, values, []);
  descend(q, values => [...joints(values), values[k] - stay.x, values[k + 1] - stay.y, values[k + 2] - stay.angle], 60);
  descend(q, joints, 6); // the text rounds its places
  const found = closed(sketch, index, q), end = found?.get(held);
  return end && Math.hypot(end.x - stay.x, end.y - stay.y, end.angle - stay.angle) < 1e-3 ? found : null;
}

export {pose_of};
