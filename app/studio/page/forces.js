// The forces of the joints on the bodies that they hold, as arrows on the moving picture: a second run of the same text, with outputs
// for what the joints carry and where their bodies are.
import {SampledRun} from "./sampled_run.js";
import {numbers_of} from "./wire.js";
import {arrows_of} from "qdot-page-kit";
import {body_named, pose_of, read_sketch, world_point} from "./sketch_text.js";

// The text with the outputs, their names in order, and for every joint what they mean; null without joints
// that are drawn. What never moves is no curve: it stays as the text says.
function ask_for(text) {
  const sketch = read_sketch(text), joints = [], still = new Map();
  for (const joint of sketch.joints) {
    const end = [joint.b, joint.a].find(p => body_named(sketch, p.body)), pose = pose_of(body_named(sketch, end?.body));
    if (!["revolute", "prismatic"].includes(joint.kind) || !end || !Number.isFinite(end.x.value + end.y.value)) continue;
    const names = [...["F_x", "F_y"].map(n => `${joint.name}.${n}`), ...["x", "y", "theta"].map(n => `${end.body}.${n}`)];
    names.forEach((name, i) => still.set(name, [0, 0, pose.x, pose.y, pose.angle][i]));
    joints.push({names, x: end.x.value, y: end.y.value, sign: end === joint.b ? 1 : -1});
  }
  if (!joints.length) return null;
  const all = [...still.keys()], bare = text.replace(/^\s*plot\b.*$/gm, "");
  return {joints, all, still, text: `${bare}\noutput ${all.map((n, i) => `qdot_arrow_${i} = ${n}`).join(", ")}\n${all.map((_, i) => `plot qdot_arrow_${i}\n`).join("")}`};
}

// ask(text): the motion of a text. Answers a function that draws on a stage, or null.
export async function force_arrows(text, ask) {
  const wish = ask_for(text), answer = wish && await ask(wish.text);
  if (answer?.do !== "ran") return null;
  const columns = new Map(answer.view.curves.map((c, i) => [wish.all[Number(c.name?.match(/^qdot_arrow_(\d+)$/)?.[1] ?? -1)], {i, si: c.si ?? 1}]));
  const run = new SampledRun(numbers_of(answer), answer.rows, answer.width, answer.view.layout);
  return arrows_of(run, state => {
    const row = run.curve_numbers(state);
    return wish.joints.map(({names, x, y, sign}) => {
      const [fx, fy, bx, by, angle] = names.map(n => columns.has(n) ? columns.get(n).si * row[columns.get(n).i] : wish.still.get(n));
      return {force: [sign * fx, sign * fy], place: world_point({x: bx, y: by, angle}, x, y)};
    });
  });
}
