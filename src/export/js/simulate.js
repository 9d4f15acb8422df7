// ---- The whole motion

// Where the motion starts with parameters p: what the model gives is kept, guesses are moved by the
// least change that meets the constraints. `given` replaces values: {theta: 0.5, "theta'": 0}. Null
// where they cannot be met.
function start(p = parameters(), u = model.inputs, given = {}) {
  const {n} = model, x = new Float64Array(2 * n + 1), free = new Float64Array(n);
  const values = initial(p);
  let same = Object.keys(given).length === 0;
  const usual = parameters();
  for (const name in usual) same = same && p[name] === usual[name];
  for (let i = 0; i < 2 * n; i++) {
    const name = model.coordinates[i % n] + (i < n ? "" : "'");
    const kept = model.is_given[i] || given[name] !== undefined;
    x[i] = given[name] ?? (model.is_given[i] && !same ? values[i] : model.start[i]);
    if (i < n) free[i] = kept ? 0 : 1;
  }
  if (same || !model.m) return x;
  const motion = new Motion(model, p, u);
  if (!motion.project(0, x, free, 50)) return null;
  // velocities that nobody gives follow those that are kept
  const still = new Float64Array(n);
  for (let i = 0; i < n; i++)
    still[i] = model.is_given[n + i] || given[model.coordinates[i] + "'"] !== undefined ? 0 : 1;
  for (let i = 0; i < n; i++)
    if (!still[i]) x[n + i] = given[model.coordinates[i] + "'"] ?? values[n + i];
  if (!motion.project(0, x, still, 0)) return null;
  const q = x.subarray(0, n), rates = model.Phi_dot(0, q, x.subarray(n, 2 * n), u, p);
  const off = Math.max(motion.residual(0, q), ...rates.map(Math.abs));
  return off < 1e-9 * (1 + Math.max(...x.map(Math.abs))) ? x : null;
}

// A row of results.csv.
function row_at(motion, t, x) {
  const {n, u, p} = motion, q = x.subarray(0, n), qd = x.subarray(n, 2 * n);
  motion.accelerate(t, q, qd);
  const {qdd, lam} = motion;
  return Float64Array.of(t, ...q, ...qd, ...qdd, ...lam,
    ...(model.outputs ? model.outputs(t, q, qd, u, qdd, lam, p) : []),
    ...model.energies(t, q, qd, u, p),
    ...(model.members ? model.members(t, q, qd, u, qdd, lam, p) : []));
}

// The motion: rows as in results.csv at every multiple of `every` and at the end. `stopped` says why
// it ended early, or is null; `balance` is the largest error of energy against the work done, and
// `drift` the largest residual of a constraint in the rows.
function simulate({p = parameters(), u = model.inputs, given = {}, end = model.end,
                   every = model.every, rtol = model.rtol, atol = model.atol,
                   most_steps = 1e6} = {}) {
  const motion = new Motion(model, p, u), x = start(p, u, given), {n} = model;
  const result = {columns: model.columns, rows: [], balance: 0, drift: 0, stopped: null, steps: 0};
  if (!x) return {...result, stopped: "the initial values cannot meet the constraints"};
  const energy = (t, y) => model.energies(t, y.subarray(0, n), y.subarray(n, 2 * n), u, p)[2];
  const begin = energy(0, x), put = new Float64Array(motion.size);
  const add_row = (t, y) => {
    result.rows.push(row_at(motion, t, y));
    result.balance = Math.max(result.balance, Math.abs(energy(t, y) - begin - y[2 * n]));
    result.drift = Math.max(result.drift, motion.residual(t, y.subarray(0, n)));
  };
  const closing = (t, y) =>
    model.contacts ? model.contacts(t, y.subarray(0, n), p).findIndex(gap => gap > model.no_gap) : -1;
  if (!motion.project(0, x)) return {...result, stopped: "the constraints cannot be met"};
  add_row(0, x);
  for (let t = 0, row = 1; t < end;) {
    const done = motion.steps < most_steps ? motion.step(t, x, end, rtol, atol) : null;
    if (!done) {
      result.stopped = model.may_stick
        ? `friction sticks at t = ${t.toPrecision(6)}; sticking is left to Qdot`
        : `the equations cannot be solved beyond t = ${t.toPrecision(6)}`;
      break;
    }
    for (let at = row * every; at < end * (1 - 1e-12) && at <= done.t; at = ++row * every) {
      done.dense(at, put);
      motion.project(at, put);
      const closed = closing(at, put);
      if (closed >= 0) result.stopped =
        `contact ${closed + 1} closes at t = ${at.toPrecision(6)}; impacts are left to Qdot`;
      if (result.stopped) break;
      add_row(at, put);
    }
    t = done.t;
    if (result.stopped) break;
    if (t >= end) {
      if (closing(t, x) >= 0) result.stopped =
        `contact ${closing(t, x) + 1} closes at t = ${t.toPrecision(6)}; impacts are left to Qdot`;
      else add_row(end, x);
    }
  }
  result.steps = motion.steps;
  return result;
}
