// ---- Where a motion starts: what is given is kept, the rest moves as little as it can

const SEARCH_ATTEMPTS = 60, SEARCH_ROUNDS = 60, MOST_HALVINGS = 14, APPROACHES = 40;
// Residuals by the sizes of their rows: as good as rounding allows, no better in another round, met
// all the same; guesses that close, rates that contradict what is given.
const ROUNDED = 8.9e-16, STALLED = 1e-12, MET = 1e-9, CLOSES = 1e-12, CONTRADICTED = 1e-7;

function largest(values) { return values.reduce((most, v) => Math.max(most, Math.abs(v)), 0); }

// Newton's method on the constraints of `problem`, in the metric of its masses: {n, m, mass(q),
// slopes(q), residual(q), rates(q, qd), reach, is_angle}, with m rows.
class Search {
  constructor(problem, is_kept, guess) {
    this.problem = problem, this.guess = guess;
    this.free = [...Array(problem.n).keys()].filter(i => !is_kept[i]);
    this.saddle = new Saddle(this.free.length, problem.m);
    this.random = 1n;
  }

  // The free columns of a matrix with so many rows.
  columns(matrix, rows) {
    const {free, problem: {n}} = this, k = free.length, out = new Float64Array(rows * k);
    for (let r = 0; r < rows; r++) for (let j = 0; j < k; j++) out[r * k + j] = matrix[r * n + free[j]];
    return out;
  }

  factor(q) {
    const {free, problem: {n, m}} = this, k = free.length, M = this.problem.mass(q), mass = new Float64Array(k * k);
    this.slopes = this.problem.slopes(q);
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) mass[i * k + j] = M[free[i] * n + free[j]];
    const slopes = this.columns(this.slopes, m);
    if (this.saddle.factor(mass, slopes)) return true;
    mass.fill(0);  // coordinates without mass that nothing holds: every change counts the same
    for (let i = 0; i < k; i++) mass[i * k + i] = 1;
    return this.saddle.factor(mass, slopes);
  }

  // Violations as distances in the metric of the masses.
  distance(residual) {
    const sum = residual.reduce((all, v, r) => all + (v / (this.saddle.scale[r] || 1)) ** 2, 0);
    return Number.isFinite(sum) ? Math.sqrt(sum) : Infinity;
  }

  // The largest residual by what its row is made of.
  misfit(q, residual) {
    const {n, slopes, reach} = this.problem, by = slopes(q);
    let worst = 0;
    residual.forEach((v, r) => {
      let size = 0;
      for (let j = 0; j < n; j++) size += Math.abs(by[r * n + j]) * Math.max(Math.abs(q[j]), reach[j]);
      const share = v === 0 ? 0 : Math.abs(v) / size;
      if (!(share <= worst)) worst = share;
    });
    return Number.isFinite(worst) ? worst : Infinity;
  }

  // The least change of what is free that changes the rows by c.
  correction(c) {
    const change = new Float64Array(this.free.length);
    this.saddle.correction(c, change);
    return change;
  }

  moved(q, change, share = 1) {
    const out = Float64Array.from(q);
    this.free.forEach((k, i) => { out[k] += share * change[i]; });
    return out;
  }

  // One damped step from this.q; what it could take away, or Infinity without progress.
  step() {
    if (!this.factor(this.q)) return Infinity;
    const {m} = this.problem, k = this.free.length, Phi = this.problem.residual(this.q), before = this.distance(Phi);
    if (before === Infinity) return Infinity;
    const change = this.correction(Phi.map(v => -v)), removed = new Float64Array(m);
    if (!change.every(Number.isFinite)) return Infinity;
    for (let r = 0; r < m; r++) removed[r] = row_dot(k, this.saddle.slopes, r * k, change, 0);
    const left = this.misfit(this.q, removed);
    for (let halvings = 0; halvings < MOST_HALVINGS; halvings++) {
      const trial = this.moved(this.q, change, 2 ** -halvings), after = this.distance(this.problem.residual(trial));
      if (!(after < before || (left < STALLED && after < Infinity))) continue;
      this.q = trial;
      return left;
    }
    return Infinity;
  }

  // From a start to this.q; whether the constraints are met there.
  from(start) {
    this.q = Float64Array.from(start);
    let left = this.misfit(this.q, this.problem.residual(this.q)), settled = left <= ROUNDED;
    this.stayed = settled;
    for (let round = 0; round < SEARCH_ROUNDS && !settled; round++) {
      const before = left;
      left = this.step();
      if (left === Infinity) break;
      settled = left <= ROUNDED || (left <= STALLED && left > before / 2);
    }
    return left <= MET && this.misfit(this.q, this.problem.residual(this.q)) <= MET;
  }

  // From any solution to the one nearest to the guesses.
  nearest() {
    const {problem: {n, m}, guess} = this;
    let q = this.q, before = Infinity, first = 0;
    for (let round = 0; round < APPROACHES && this.factor(q); round++) {
      const Phi = this.problem.residual(q), c = new Float64Array(m);
      for (let r = 0; r < m; r++) {
        for (let i = 0; i < n; i++) c[r] += this.slopes[r * n + i] * (q[i] - guess[i]);
        c[r] -= Phi[r];
      }
      const trial = this.moved(guess, this.correction(c));
      const change = Math.hypot(...trial.map((v, i) => v - q[i]));
      if (!(change < before)) break;
      if (round === 0) first = change;
      before = change, q = trial;
      if (change <= 1e-10 * first) break;
    }
    return q;
  }

  // In [-1, 1), the same numbers in every run.
  chance() {
    this.random = (this.random * 6364136223846793005n + 1442695040888963407n) & 0xFFFFFFFFFFFFFFFFn;
    return 2 * (Number(this.random >> 11n) * 2 ** -53) - 1;
  }

  // Angles may be anywhere, lengths about as far away as the mechanism is large.
  scatter(attempt) {
    const {is_angle, reach} = this.problem, share = Math.min(attempt / 20, 1), out = Float64Array.from(this.guess);
    for (const k of this.free) out[k] += share * (is_angle[k] ? 3.14159 : 2 * (reach[k] || 1)) * this.chance();
    return out;
  }

  // The positions nearest to the guesses that meet the rows, or null.
  positions() {
    let solved = this.from(this.guess);
    for (let attempt = 1; !solved && this.free.length && attempt < SEARCH_ATTEMPTS; attempt++)
      solved = this.from(this.scatter(attempt));
    if (!solved) return null;
    const found = this.q;
    if (this.stayed && found.every((v, i) => v === this.guess[i])) return found;
    return this.from(this.nearest()) ? this.q : found;
  }

  // Angles as near to their guesses as whole turns allow, where the rows do not count turns.
  unwind(q) {
    const out = Float64Array.from(q), {is_angle} = this.problem;
    for (const k of this.free)
      if (is_angle[k]) out[k] -= 2 * Math.PI * Math.round((q[k] - this.guess[k]) / (2 * Math.PI));
    return out.some((v, i) => v !== q[i]) && this.from(out) ? this.q : q;
  }
}

// Velocities at q that meet the rows and keep what is given; null where they contradict it.
function matching_rates(problem, is_kept, q, wanted) {
  const search = new Search(problem, is_kept, q);
  let qd = Float64Array.from(wanted);
  if (!search.factor(q)) return null;
  for (let round = 0; round < 3; round++)
    qd = search.moved(qd, search.correction(problem.rates(q, qd).map(v => -v)));
  return rates_are_met(problem, q, qd, CONTRADICTED) ? qd : null;
}

function rates_are_met(problem, q, qd, share) {
  const {n} = problem, slopes = problem.slopes(q), rates = problem.rates(q, qd), still = problem.rates(q, qd.map(() => 0));
  const sizes = rates.map((_, r) => {
    let size = Math.abs(still[r]);
    for (let j = 0; j < n; j++) size += Math.abs(slopes[r * n + j] * qd[j]);
    return size;
  });
  const rounding = 1e-6 * largest(sizes);
  return rates.every((v, r) => Math.abs(v) <= share * Math.max(sizes[r], rounding));
}

// ---- Bodies are put together in their own poses, as `qdot simulate` does

// The poses z of all bodies as a problem.
function assembly_problem(a, p, u, said) {
  const {n, own} = a, anchors = said.subarray(2 * n);
  let most = 0, far = 0;
  for (let i = 0; i < anchors.length; i += 2) most = Math.max(most, Math.hypot(anchors[i], anchors[i + 1]));
  for (let i = own; i < n; i++) if ((i - own) % 3 < 2) far = Math.max(far, Math.abs(said[i]));
  const length = most || far || 1, is_angle = [...Array(n).keys()].map(i => i >= own && (i - own) % 3 === 2);
  const reach = is_angle.map((turns, i) => i < own ? Math.max(model.sizes[i], Math.abs(said[i])) : turns ? 1 : length);
  for (let kind = 0; kind < 2; kind++) {
    const same = reach.map((_, i) => i).filter(i => i >= own && is_angle[i] === !!kind);
    const all = Math.max(...same.map(i => Math.max(reach[i], Math.abs(said[i]))));
    for (const i of same) reach[i] = all;
  }
  return {n, reach, is_angle, mass: z => a.mass(z, u, p), slopes: z => a.slopes(z, u, p),
    residual: z => a.rows(z, u, p), rates: (z, zd) => a.rates(z, zd, u, p)};
}

// The coordinates and velocities of the mechanism put together; empty where the guesses close as
// they are, and where it cannot be done.
function assemble(p, u) {
  const a = model.assembly;
  if (!a) return {};
  const {n, m, holonomic} = a, said = a.said(u, p), all = assembly_problem(a, p, u, said);
  const problem = {...all, m}, places = {...all, m: holonomic};
  const guess = said.subarray(0, n), search = new Search(places, a.is_kept, guess);
  const closed = search.misfit(guess, places.residual(guess)) <= CLOSES;
  let z = guess;
  if (!closed) {
    z = search.positions();
    if (!z) return {};
    z = search.unwind(z);
  }
  const wanted = said.subarray(n, 2 * n);
  if (closed && rates_are_met(problem, z, wanted, CLOSES)) return {};
  const zd = matching_rates(problem, a.is_kept_rate, z, wanted);
  if (!zd) return {};
  const values = a.meaning(z, zd, u, p);
  return {q: closed ? undefined : values.subarray(0, model.n), qd: values.subarray(model.n)};
}

// ---- The whole

// The coordinates as a problem at t = 0; rows of velocities alone are left out of the positions.
function start_problem(p, u, said, rows) {
  const {n, sizes, kinds, is_angle} = model;
  const pick = values => Float64Array.from(rows, r => values[r]);
  const reach = sizes.map((size, i) =>
    kinds.reduce((most, kind, k) => kind === kinds[i] ? Math.max(most, Math.abs(said[k])) : most, size));
  return {n, m: rows.length, reach, is_angle, mass: q => model.M(0, q, p),
    slopes: q => {
      const all = model.Phi_q(0, q, p), out = new Float64Array(rows.length * n);
      rows.forEach((r, i) => out.set(all.subarray(r * n, r * n + n), i * n));
      return out;
    },
    residual: q => pick(model.Phi(0, q, p)), rates: (q, qd) => pick(model.Phi_dot(0, q, qd, u, p))};
}

// Where the motion starts with parameters p: what the model gives is kept, guesses are moved by the
// least change that meets the constraints. `given` replaces values: {theta: 0.5, "theta'": 0}. Null
// where they cannot be met. yields: the values of the model are guesses, too.
function start(p = parameters(), u = usual_inputs(p), given = {}, yields = false) {
  const {n, m, state_count} = model, x = new Float64Array(2 * n + state_count + 1), values = initial(p);
  for (let i = 0; i < state_count; i++) x[2 * n + i] = given[model.states[i]] ?? values[2 * n + i];
  const usual = parameters();
  const is_usual = Object.keys(given).length === 0 && Object.keys(usual).every(name => p[name] === usual[name]);
  if (is_usual) x.set(model.start);
  if (is_usual) return x;
  const name = i => model.coordinates[i % n] + (i < n ? "" : "'");
  const put = assemble(p, u), said = i => given[name(i)] ?? (i < n ? put.q?.[i] : put.qd?.[i - n]) ?? values[i];
  for (let i = 0; i < 2 * n; i++) x[i] = said(i);
  if (!m) return x;
  const is_kept = [...Array(2 * n).keys()].map(i => (!yields && model.is_given[i]) || given[name(i)] !== undefined);
  const inputs = [...u, ...x.subarray(2 * n, 2 * n + state_count)], q = x.subarray(0, n), qd = x.subarray(n, 2 * n);
  const places = start_problem(p, inputs, values, model.holonomic);
  const found = new Search(places, is_kept.slice(0, n), Float64Array.from(q)).positions();
  if (!found) return null;
  const rates = matching_rates(start_problem(p, inputs, values, [...Array(m).keys()]), is_kept.slice(n), found, qd);
  if (!rates) return null;
  q.set(found), qd.set(rates);
  return x;
}
