// ---- The whole motion

// A row of results.csv.
function row_at(motion, t, x) {
  const {n, p} = motion, q = x.subarray(0, n), qd = x.subarray(n, 2 * n), u = motion.inputs_at(x);
  motion.accelerate(t, q, qd, u);
  const {qdd, lam} = motion;
  return Float64Array.of(t, ...x.subarray(0, motion.work), ...qdd, ...lam,
    ...(model.outputs ? model.outputs(t, q, qd, u, qdd, lam, p) : []),
    ...model.energies(t, q, qd, u, p),
    ...(model.members ? model.members(t, q, qd, u, qdd, lam, p) : []));
}

// Samples: at k times its period a line takes values, which act after its delay.
class Sampler {
  constructor(p) {
    this.times = model.sample_times ? model.sample_times(0, [], p) : [];
    this.lines = (model.lines ?? []).map(([first, count], i) => ({
      first, count, period: this.times[2 * i], delay: this.times[2 * i + 1], k: 0, waiting: []}));
  }

  // What is due at t, by the state there, into motion.u.
  act(motion, t, x) {
    const {n, u, p} = motion;
    for (const line of this.lines) {
      const {first, count, period, delay, waiting} = line, until = t + 1e-9 * period;
      const assign = values => {
        for (let k = first; k < first + count; k++) u[model.targets[k]] = values[k];
      };
      while (waiting.length && waiting[0].due <= until) assign(waiting.shift().values);
      if (line.k * period > until) continue;
      const values = model.samples(t, x.subarray(0, n), x.subarray(n, 2 * n), motion.inputs_at(x), p);
      if (delay > 0) waiting.push({due: line.k * period + delay, values});
      else assign(values);
      line.k++;
    }
  }

  // When something is due next.
  next() {
    let next = Infinity;
    for (const {k, period, waiting} of this.lines)
      next = Math.min(next, k * period, waiting.length ? waiting[0].due : Infinity);
    return next;
  }
}

// Steps after which a motion in parts gives others a chance.
const PART = 500;

// The motion: rows as in results.csv at every multiple of `every` and at the end. `stopped` says why
// it ended early, or is null, and `reason` in a word: "start", "equations", "steps", "sticking",
// "contact", "events"; `ended` the line of the model that ended it; `balance` is the largest error of
// energy against the work done, and `drift` the largest residual of a constraint in the rows. Samples
// and events, which `events` lists, have a row on either side while there are no more than `most_sides` of these.
function simulate(options) {
  const parts = simulate_in_parts(options);
  for (;;) {
    const {done, value} = parts.next();
    if (done) return value;
  }
}

// The same, which hands over its result so far now and then. `yields`: initial values of the model that
// are not in `given` change where these contradict them, and `yielded` says so.
function* simulate_in_parts({p = parameters(), u = usual_inputs(p), given = {}, end = model.end,
                             every = model.every, rtol = model.rtol, atol = model.atol,
                             most_steps = 1e6, most_sides = 0, yields = false} = {}) {
  const motion = new Motion(model, p, Float64Array.from(u)), {n} = model;
  const own = start(p, u, given), x = own ?? (yields ? start(p, u, given, true) : null);
  const sampler = new Sampler(p), events = new Events(motion), soon = 1e-9 * every;
  const result = {columns: model.columns, rows: [], balance: 0, drift: 0, stopped: null, reason: null, steps: 0,
                  events: events.happened, yielded: !own && !!x};
  const stop = (reason, words) => { result.reason = reason, result.stopped = words; };
  const close = (contact, t) =>
    stop("contact", `contact ${contact + 1} closes at t = ${t.toPrecision(6)}; impacts are left to Qdot`);
  if (!x) stop("start", "the initial values cannot meet the constraints");
  if (!x) return result;
  const energy = (t, y) =>
    model.energies(t, y.subarray(0, n), y.subarray(n, 2 * n), motion.inputs_at(y), p)[2];
  const begin = energy(0, x), put = new Float64Array(motion.size);
  const add_row = (t, y) => {
    result.rows.push(row_at(motion, t, y));
    result.balance = Math.max(result.balance, Math.abs(energy(t, y) - begin - y[motion.work]));
    result.drift = Math.max(result.drift, motion.residual(t, y.subarray(0, n)));
  };
  const closing = (t, y) =>
    model.contacts ? model.contacts(t, y.subarray(0, n), p).findIndex(gap => gap > model.no_gap) : -1;
  if (!motion.project(0, x)) {
    stop("equations", "the equations cannot be solved at the start");
    return result;
  }
  // what samples and events change in the energy counts as work
  const act = t => {
    const before = energy(t, x);
    sampler.act(motion, t, x);
    x[motion.work] += energy(t, x) - before;
  };
  const treat = (t, hit) => {
    if (!events.list.length) return;
    const before = energy(t, x), {why, ends} = events.treat(t, x, hit, every);
    x[motion.work] += energy(t, x) - before;
    if (why) stop("events", why);
    if (ends !== undefined) result.ended = ends;
  };
  let sides = 0;
  act(0);
  if (events.list.length) events.settle(0, x, every);
  add_row(0, x);
  for (let t = 0, row = 1; t < end && result.ended === undefined && !result.stopped;) {
    const next = sampler.next(), until = Math.min(next, end);
    const done = motion.steps < most_steps ? motion.step(t, x, until, rtol, atol) : null;
    if (!done) {
      const at = `t = ${t.toPrecision(6)}`;
      if (motion.steps >= most_steps) stop("steps", `${most_steps} steps lead to ${at} only`);
      else if (model.may_stick) stop("sticking", `friction sticks at ${at}; sticking is left to Qdot`);
      else stop("equations", `the equations cannot be solved beyond ${at}`);
      break;
    }
    if (motion.steps % PART === 0) yield result;
    const found = events.find(t, done.t, time => done.dense(time, put));
    if (found && found.t < done.t) {
      x.set(done.dense(found.t, put));
      motion.project(found.t, x);
      done.t = found.t;
    }
    const samples = done.t >= next - soon;  // a row at that moment shows what they assign
    const happens = samples || found, last = happens ? done.t - soon : done.t;
    for (let at = row * every; at < end * (1 - 1e-12) && at <= last; at = ++row * every) {
      done.dense(at, put);
      motion.project(at, put);
      const closed = closing(at, put);
      if (closed >= 0) close(closed, at);
      if (result.stopped) break;
      add_row(at, put);
    }
    t = happens && done.t >= end - soon ? end : done.t;
    if (result.stopped) break;
    const has_sides = happens && t < end && (sides += 2) <= most_sides;
    if (has_sides && result.rows.at(-1)[0] !== t) add_row(t, x);
    if (found) treat(t, found.hit);
    if (samples && result.ended === undefined) act(t), treat(t);
    if (result.ended !== undefined || result.stopped) {
      if (result.rows.at(-1)[0] !== t) add_row(t, x);
      break;
    }
    if (happens && t < end && row * every <= t + soon && row * every < end * (1 - 1e-12))
      add_row(has_sides ? t : row * every, x), row++;
    else if (has_sides) add_row(t, x);
    if (t >= end) {
      if (closing(t, x) >= 0) close(closing(t, x), t);
      else add_row(end, x);
    }
  }
  result.steps = motion.steps;
  return result;
}
