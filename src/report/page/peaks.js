// ---- Peaks: where a curve turns, found near a place that somebody points at

// The top of the parabola through three samples; the middle one where there is none.
function parabola_top([t0, t1, t2], [v0, v1, v2]) {
  const a = (v1 - v0) / (t1 - t0), b = (v2 - v1) / (t2 - t1), bend = (b - a) / (t2 - t0);
  if (!Number.isFinite(bend) || bend === 0) return {t: t1, value: v1};
  const t = Math.min(Math.max((t0 + t1) / 2 - a / (2 * bend), t0), t2);
  return {t, value: v0 + a * (t - t0) + bend * (t - t0) * (t - t1)};
}

// The peak or the bottom of a curve nearest to t, no further away than `reach`; null where it does not turn.
function peak_near(run, values, t, reach) {
  let best = null;
  for (let i = Math.max(run.place(t - reach), 1); i + 1 < run.count && run.times[i] <= t + reach; i++) {
    const [before, now, after] = [values[i - 1], values[i], values[i + 1]], far = Math.abs(run.times[i] - t);
    const is_top = now > before && now >= after, is_bottom = now < before && now <= after;
    if ((is_top || is_bottom) && far <= reach && (!best || far < best.far))
      best = {far, is_top, ...parabola_top([run.times[i - 1], run.times[i], run.times[i + 1]], [before, now, after])};
  }
  return best;
}

// The least (side -1) or the greatest value (1), between samples by the parabola through three of them.
function extreme_of(run, column, side) {
  let best = -Infinity;
  for (let i = 0; i < run.count; i++) {
    const now = column(i);
    if (!Number.isFinite(now)) continue;
    best = Math.max(best, side * now);
    if (i === 0 || i + 1 === run.count) continue;
    const times = [run.times[i - 1], run.times[i], run.times[i + 1]], values = [column(i - 1), now, column(i + 1)];
    const turns = side * values[0] < side * now && side * now >= side * values[2];
    if (turns && times[0] < times[1] && times[1] < times[2]) best = Math.max(best, side * parabola_top(times, values).value);
  }
  return side * best;
}
