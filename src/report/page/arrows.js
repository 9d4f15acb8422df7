// ---- Arrows of forces, for whoever knows these at every sample of a motion

// forces_at(state): {place, force} of every joint. The longest force of the motion is 90 pixels.
function arrows_of(run, forces_at) {
  let most = 0;
  const mean = [];
  for (let i = 0; i < run.count; i++)
    forces_at(run.sample(i)).forEach(({force, place}, k) => {
      most = Math.max(most, Math.hypot(...force) || 0);
      mean[k] = place.map((p, j) => (mean[k]?.[j] ?? 0) + (p - (mean[k]?.[j] ?? 0)) / (i + 1));
    });
  const at = t => forces_at(run.at(Math.min(t, run.end)));
  // larger: how many times the motion is drawn larger about its mean
  return {most, at, draw({camera, t, larger = 1, arrow}) {
    const length = 90 / (most * camera.scale);
    at(t).forEach(({force, place}, k) => {
      const [x, y] = place.map((p, j) => mean[k][j] + larger * (p - mean[k][j]));
      if (Math.hypot(...force) > 0.01 * most) arrow(camera.pixel([x, y, 0], 0), camera.pixel([x + length * force[0], y + length * force[1], 0], 0));
    });
  }};
}
