// ---- One motion: accelerations, projection onto the constraints, steps

// Dormand and Prince's method of order 5 with an estimate of order 4 and dense output.
const NODES = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1];
const STAGES = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];
const ERRORS = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];
const DENSE = [-12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072,
  701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423];

// A step through a dead position is tried at other sizes; of its error the projection may take away
// so many tolerances.
// These numbers, too, are the simulator's.

// The motion of `model` with parameters p and inputs u; the state is q, q', the states of the model,
// then the work done.
class Motion {
  constructor(model, p, u) {
    const {n, m, state_count} = model;
    this.model = model, this.p = p, this.u = u, this.n = n, this.m = m;
    this.work = 2 * n + state_count;  // its place, behind all that moves
    this.saddle = new Saddle(n, m);
    this.slack = new Float64Array(m);  // the smallest inverse pivot that each row has had
    this.mass = new Float64Array(n * n), this.slopes = new Float64Array(m * n);
    this.qdd = new Float64Array(n), this.lam = new Float64Array(m + model.contact_count);
    this.size = this.work + 1;
    this.k = STAGES.map(() => new Float64Array(this.size));
    this.next = new Float64Array(this.size), this.error = new Float64Array(this.size);
    this.is_near_dead = false;
    this.steps = this.rejected = 0;
  }

  // Accelerations and multipliers into this.qdd and this.lam; false where they are not determined.
  accelerate(t, q, qd, u = this.u) {
    const {model, p, n, m, qdd, lam} = this;
    if (n === 0) return true; // states alone
    if (model.eliminate) {
      const trust = model.eliminate(t, q, qd, u, p, qdd, lam);
      let good = trust[0] < model.most_loss;
      for (let r = 0; r < m; r++) {
        const inverse = Math.abs(trust[1 + r]);
        if (this.slack[r] === 0 || inverse < this.slack[r]) this.slack[r] = inverse;
        good = good && inverse < model.most_loss * this.slack[r];
        if (inverse * NEAR_DEAD > this.slack[r]) this.saddle.is_near_dead = true;
      }
      if (good) return qdd.every(Number.isFinite);
    }
    if (!this.saddle.factor(model.M(t, q, p, this.mass), this.slopes_at(t, q))) return false;
    const f = model.Q(t, q, qd, u, p), h = model.h(t, q, qd, p);
    const D = model.D(t, q, qd, u, p), G = model.G(t, q, u, p);
    for (let i = 0; i < n; i++) f[i] -= h[i] + D[i] + G[i];
    this.saddle.solve(f, m ? model.Gamma(t, q, qd, u, p) : f, qdd, lam);
    return qdd.every(Number.isFinite);
  }

  slopes_at(t, q) { return this.m ? this.model.Phi_q(t, q, this.p, this.slopes) : this.slopes; }

  // What functions take as inputs at a state: behind those of the model its states.
  inputs_at(x) {
    return this.work > 2 * this.n ? [...this.u, ...x.subarray(2 * this.n, this.work)] : this.u;
  }

  derivative(t, x, out) {
    const {n, model, work} = this, q = x.subarray(0, n), qd = x.subarray(n, 2 * n);
    const inputs = this.inputs_at(x);
    if (!this.accelerate(t, q, qd, inputs)) return false;
    out.set(qd);
    out.set(this.qdd, n);
    const powers = model.powers(t, q, qd, inputs, this.lam, this.p);
    out.set(powers.subarray(0, work - 2 * n), 2 * n);  // rates of the states come first
    out[work] = 0;
    for (let i = work - 2 * n; i < powers.length; i++) out[work] += powers[i];
    return true;
  }

  // Back onto the constraints: positions first, then velocities. free[i] === 0 keeps coordinate i.
  project(t, x, free = null, rounds = 4) {
    const {n, m, model, p} = this;
    if (!m) return true;
    const u = this.inputs_at(x);
    const q = x.subarray(0, n), qd = x.subarray(n, 2 * n), change = new Float64Array(n);
    const move = (residual, of) => {
      const slopes = this.slopes_at(t, q);
      for (let i = 0; free && i < m * n; i++) if (!free[i % n]) slopes[i] = 0;
      if (!this.saddle.factor(model.M(t, q, p, this.mass), slopes)) return Infinity;
      this.saddle.correction(residual.map(v => -v), change);
      let most = 0;
      for (let i = 0; i < n; i++) of[i] += change[i], most = Math.max(most, Math.abs(change[i]));
      return most;
    };
    for (let round = 0, most = Infinity; round < rounds && !(most < 1e-15); round++) {
      const residual = model.Phi(t, q, p);
      if (Math.max(...residual.map(Math.abs)) === 0) break;
      most = move(residual, q);
      if (!(most < Infinity)) return false;
    }
    return move(model.Phi_dot(t, q, qd, u, p), qd) < Infinity;
  }

  // The largest residual of a constraint at the position level.
  residual(t, q) {
    return this.m ? Math.max(...this.model.Phi(t, q, this.p).map(Math.abs)) : 0;
  }

  norm(x, error, rtol, atol) {
    let sum = 0;
    for (let i = 0; i < this.work; i++) {
      const size = Math.max(Math.abs(x[i]), Math.abs(this.next[i]));
      sum += (error[i] / (atol + rtol * size)) ** 2;
    }
    return Math.sqrt(sum / this.work);
  }

  // What the projection at the end of the step leaves of its error.
  error_along(t, x, rtol, atol) {
    const {n, m, model, p} = this, q = this.next.subarray(0, n), left = Float64Array.from(this.error);
    const slopes = this.slopes_at(t, q), change = new Float64Array(n);
    if (!this.saddle.factor(model.M(t, q, p, this.mass), slopes)) return Infinity;
    for (let half = 0; half < 2; half++) {
      const residual = new Float64Array(m);
      for (let r = 0; r < m; r++) residual[r] = -row_dot(n, slopes, r * n, left, half * n);
      this.saddle.correction(residual, change);
      for (let i = 0; i < n; i++) left[half * n + i] += change[i];
    }
    return this.norm(x, left, rtol, atol);
  }

  // A step of h from x, whose derivative is k[0], into this.next; the error in tolerances.
  attempt(t, h, x, rtol, atol) {
    const {k, next, error, size} = this;
    for (let s = 1; s < 7; s++) {
      for (let i = 0; i < size; i++) {
        let sum = 0;
        for (let j = 0; j < s; j++) sum += STAGES[s][j] * k[j][i];
        next[i] = x[i] + h * sum;
      }
      if (!this.derivative(t + NODES[s] * h, next, k[s])) return Infinity;
    }
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < 7; j++) sum += ERRORS[j] * k[j][i];
      error[i] = h * sum;
    }
    return this.norm(x, error, rtol, atol);
  }

  // Stages close to a dead position are wrong in directions that the projection takes away: such a
  // step is not shortened, which would bring more stages close, but taken or tried at another size.
  verdict(t, h, x, error, rtol, atol) {
    if (error <= 1) return {take: true, error};
    if (!this.m || !this.saddle.is_near_dead || !Number.isFinite(error)) return {error};
    const along = this.error_along(t + h, x, rtol, atol);
    if (!(along <= LEFT_OVER * error)) return {error};
    if (along > 1 || error > MOST_TAKEN_AWAY) return {evade: true, error};
    return {take: true, error: along};
  }

  // The dense output of the step that was just tried, from x to this.next.
  dense(t, h, x) {
    const {size, k, next} = this, c = [0, 1, 2, 3, 4].map(() => new Float64Array(size));
    for (let i = 0; i < size; i++) {
      const difference = next[i] - x[i], bend = h * k[0][i] - difference;
      let last = 0;
      for (let j = 0; j < 7; j++) last += DENSE[j] * k[j][i];
      c[0][i] = x[i], c[1][i] = difference, c[2][i] = bend;
      c[3][i] = difference - h * k[6][i] - bend, c[4][i] = h * last;
    }
    return (time, out) => {
      const s = (time - t) / h, r = 1 - s;
      for (let i = 0; i < size; i++)
        out[i] = c[0][i] + s * (c[1][i] + r * (c[2][i] + s * (c[3][i] + r * c[4][i])));
      return out;
    };
  }

  // One step from (t, x) towards end; x is moved. Returns the new time and the dense output, or null
  // where it cannot go on.
  step(t, x, end, rtol, atol) {
    if (!this.h) this.h = this.first_step(t, x, rtol, atol, end - t);
    if (!this.derivative(t, x, this.k[0])) return null;
    for (let evaded = 0; ;) {
      const left = end - t, h = this.h >= left * (1 - 1e-10) ? left : Math.min(this.h, left / 2);
      if (!(h > 1e-14 * Math.max(Math.abs(t), 1e-3 * left))) return null;
      this.saddle.is_near_dead = false;
      const tried = this.attempt(t, h, x, rtol, atol);
      const {take, evade, error} = this.verdict(t, h, x, tried, rtol, atol);
      if (take) {
        const dense = this.dense(t, h, x), arrived = Float64Array.from(this.next);
        const t_new = h === left ? end : t + h;
        this.saddle.is_near_dead = false;
        if (this.project(t_new, arrived)) {
          const here = this.saddle.is_near_dead;
          if (here && !this.is_near_dead && h < left && evaded++ < MOST_EVASIONS) {
            this.h = h * OTHER_END;
            this.rejected++;
            continue;
          }
          this.is_near_dead = here;
          x.set(arrived);
          const grown = h * Math.min(5, 0.9 * Math.pow(error + 1e-10, -0.2));
          this.h = h < this.h ? Math.max(this.h, grown) : grown;
          this.steps++;
          return {t: t_new, dense};
        }
      }
      this.rejected++;
      if (evade && evaded++ < MOST_EVASIONS) this.h = h * OTHER_STAGES;
      else this.h = h * (Number.isFinite(error) ? Math.max(0.2, 0.9 * Math.pow(error, -0.2)) : 0.2);
    }
  }

  first_step(t, x, rtol, atol, whole) {
    const slope = this.k[1];
    if (!this.derivative(t, x, slope)) return 1e-6 * whole;
    let size = 0, speed = 0;
    for (let i = 0; i < this.work; i++) {
      const scale = atol + rtol * Math.abs(x[i]);
      size += (x[i] / scale) ** 2, speed += (slope[i] / scale) ** 2;
    }
    const guess = size > 1e-10 && speed > 1e-10 ? 0.01 * Math.sqrt(size / speed) : 1e-6 * whole;
    return Math.min(guess, 0.01 * whole);
  }
}
