// ---- Motions that are too small to be seen, drawn larger about their mean; it matches src/scene/magnify.c
// Whoever makes a run may know its factor, run.own_factor: 1 where something is seen to move, 0 where nothing moves.

// Signals that are sizes or signs: neither places nor angles.
const kept_signals = new Set(data.scene.shapes.flatMap(shape => {
  const sizes = [shape.radius, shape.width, shape.size_a, shape.size_b];
  return shape.shape === "turn" || shape.shape === "push" ? [...sizes, shape.angle] : sizes;
}));

// About the first sample, so that small differences keep their digits.
function mean_of(lists) {
  return lists[0].map((first, k) => {
    let sum = 0, n = 0;
    for (const list of lists) if (Number.isFinite(list[k] - first)) sum += list[k] - first, n++;
    return first + sum / Math.max(n, 1);
  });
}

// The mean pose of a run, and the mean of its coordinates.
function mean_pose(run) {
  run.mean ??= {numbers: mean_of(run.all_poses().map(pose => Float64Array.from(pose))),
                q: mean_of(Array.from({length: run.count}, (_, i) => Float64Array.from(run.sample(i).q)))};
  return run.mean;
}

// One factor for all that is drawn together; the one before stays where it is about as good.
function common_factor(runs, before) {
  if (data.magnify.is_given) return data.magnify.factor;
  const least = Math.min(...runs.map(run => run.own_factor ??= choose_factor(run)).filter(factor => factor > 0)), wanted = Number.isFinite(least) ? least : 1;
  const is_near = before > 1 && wanted > 1 && wanted / before >= 0.5 && wanted / before <= 2.5;
  return runs.length > 1 && is_near ? before : wanted;
}

// What was worked out for another factor is forgotten.
function set_factor(run, factor) {
  if (run.factor === factor) return;
  run.factor = factor, run.drawn = run.extent = run.coils = null;
}

function magnified(values, mean, factor) { return values.map((v, k) => mean[k] + factor * (v - mean[k])); }

// The numbers of a drawing, their motion as many times larger as the run says. The way from the first point of an arrow to the
// second stays what it is.
function drawn_numbers(run, numbers) {
  const factor = run.factor ?? 1;
  if (factor === 1) return numbers;
  const mean = mean_pose(run).numbers;
  const out = Float64Array.from(numbers, (v, k) => kept_signals.has(k) ? v : mean[k] + factor * (v - mean[k]));
  for (const {shape, points} of data.scene.shapes)
    for (let k = points; shape === "arrow" && k < points + 3; k++) out[k + 3] = out[k] + numbers[k + 3] - numbers[k];
  return out;
}
function drawn_pose(run, state) { return drawn_numbers(run, run.draw_numbers(state)); }
function drawn_poses(run) { return run.drawn ??= run.all_poses().map(pose => drawn_numbers(run, pose)); }
function drawn_coordinates(run, q) {
  const factor = run.factor ?? 1;
  return factor === 1 ? q : magnified(q, mean_pose(run).q, factor);
}

function factor_text(factor) {
  const power = factor < 1e6 ? 0 : Math.floor(Math.log10(factor) + 1e-9), digits = [..."⁰¹²³⁴⁵⁶⁷⁸⁹"];
  const part = factor / 10 ** power, text = String(part < 1000 ? Number(part.toPrecision(4)) : Math.round(part)).replace(".", data.words.decimal);
  return power === 0 ? text : (text === "1" ? "" : `${text}·`) + "10" + [...String(power)].map(d => digits[d]).join("");
}
function larger_text(factor) { return data.words.LARGER.replace("{0}", factor_text(factor)); }
