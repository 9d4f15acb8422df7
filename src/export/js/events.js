// ---- Events of the model's own: resets and stops

const NO_VALUE = 1e-9;  // a function this small beside what it has been is zero
const MOST_ROUNDS = 1000, LOOKS = 8, MANY = 20;

class Events {
  constructor(motion) {
    this.motion = motion, this.list = model.occasions ?? [];
    this.side = this.list.map(() => 0), this.most = this.list.map(() => 0);
    this.last = 0, this.interval = 0, this.longest = 0, this.count = 0;
    this.happened = [];
  }

  // All functions, then 1 or 0 for each condition.
  values(t, x) {
    const {n, p} = this.motion;
    return model.events(t, x.subarray(0, n), x.subarray(n, 2 * n), this.motion.inputs_at(x), p);
  }

  side_of(i, g) {
    this.most[i] = Math.max(this.most[i], Math.abs(g));
    return Math.abs(g) <= NO_VALUE * this.most[i] ? 0 : Math.sign(g);
  }

  // On which side all functions are; where one is zero, where it goes next.
  settle(t, x, every) {
    const {list, side, motion} = this, {n} = motion, now = this.values(t, x);
    list.forEach((one, i) => {
      const s = this.side_of(i, now[i]);
      if (s || !one.is_condition) side[i] = s;
    });
    if (!side.includes(0)) return;
    const h = 1e-6 * Math.max(every, 1e-9), rate = new Float64Array(motion.size), ahead = Float64Array.from(x);
    if (!motion.derivative(t, x, rate)) return;
    for (let i = 0; i < motion.work; i++) ahead[i] += h * (rate[i] + (i < n ? h / 2 * rate[n + i] : 0));
    const next = this.values(t + h, ahead);
    list.forEach((one, i) => {
      if (side[i]) return;
      if (next[i] !== now[i]) side[i] = next[i] < now[i] ? -1 : 1;
      else if (one.is_condition) side[i] = next[list.length + i] ? 1 : -1;
    });
  }

  // The first moment after t0, up to t1, at which functions cross zero, and which; null where none
  // does. `at` gives the state at a time.
  find(t0, t1, at) {
    const {list, side} = this;
    let left = t0;
    for (let look = 1; look <= LOOKS && list.length; look++) {
      const right = look === LOOKS ? t1 : t0 + (t1 - t0) * look / LOOKS, g = this.values(right, at(right));
      const crosses = list.map((one, i) => one.moves && side[i] !== 0 && g[i] * side[i] <= 0);
      if (crosses.includes(true)) return this.locate(left, right, at, crosses);
      list.forEach((one, i) => { if (one.moves && !side[i]) side[i] = this.side_of(i, g[i]); });
      left = right;
    }
    return null;
  }

  locate(left, right, at, crosses) {
    const {side} = this, close = 4e-16 * Math.max(Math.abs(left), Math.abs(right));
    const hit = g => crosses.map((one, i) => one && g[i] * side[i] <= 0);
    for (let round = 0; round < 200 && right - left > close; round++) {
      const middle = left + (right - left) / 2;
      if (!(middle > left && middle < right)) break;
      if (hit(this.values(middle, at(middle))).includes(true)) right = middle;
      else left = middle;
    }
    return {t: right, hit: hit(this.values(right, at(right)))};
  }

  // Carries out what the crossings at t, or a jump of values, bring about. Says what ends the motion:
  // {ends: text} by a line, {why: text} by a mistake; else whether anything has changed.
  treat(t, x, hit, every) {
    const {list, side} = this;
    let changed = false, moved = false;
    const happen = i => {
      changed = true;
      this.happened.push({t, text: list[i].text, stops: list[i].stops === true});
      if (list[i].stops) return {ends: list[i].text};
      const why = this.reset(t, x, list[i]);
      moved ||= list[i].is_moving;
      return why ? {why} : null;
    };
    for (let i = 0; i < list.length; i++) {
      if (!hit?.[i]) continue;
      const v = this.values(t, x), still = !moved || this.side_of(i, v[i]) === 0;
      const direction = side[i] < 0 ? 1 : -1, one = list[i];
      side[i] = direction;
      const meant = one.direction === 0 || one.direction === direction;
      if (!still || !meant || !(one.is_condition || v[list.length + i])) continue;
      const end = happen(i);
      if (end) return end;
    }
    for (let round = 0; changed || !hit; round++) {
      const found = this.next_true(t, x);
      if (found < 0) break;
      if (round >= MOST_ROUNDS) return {why: `events follow each other without end at t = ${t.toPrecision(6)}`};
      const end = happen(found);
      if (end) return end;
    }
    if (changed && hit && this.piles_up(t)) return {why: `events pile up at t = ${t.toPrecision(6)}`};
    if (changed || !hit) this.settle(t, x, every);
    return {changed};
  }

  // The first condition that a jump of values has made true, or -1.
  next_true(t, x) {
    const {list, side} = this, v = this.values(t, x);
    let found = -1;
    list.forEach((one, i) => {
      if (!one.is_condition) return;
      const holds = v[list.length + i] !== 0, s = this.side_of(i, v[i]);
      const is_true = !one.moves ? holds : s ? s > 0 : holds || side[i] > 0;
      if (!is_true) side[i] = -1;
      else if (side[i] <= 0 && found < 0) found = i;
    });
    if (found >= 0) side[found] = 1;
    return found;
  }

  // New values, all from those before; what is given is kept, the rest meets the constraints.
  reset(t, x, one) {
    const {motion} = this, {n, m, p} = motion, free = new Float64Array(motion.size).fill(1);
    const values = model.resets(t, x.subarray(0, n), x.subarray(n, 2 * n), motion.inputs_at(x), p);
    for (let k = one.first; k < one.first + one.count; k++) {
      const place = model.reset_targets[k];
      if (!Number.isFinite(values[k])) return `'when ${one.text}' gives a value that is not a number`;
      if (place < 0) motion.u[-1 - place] = values[k];
      else x[place] = values[k], free[place] = 0;
    }
    if (!m || !one.is_moving || this.fit(t, x, free)) return null;
    return `the values that 'when ${one.text}' gives do not fit the constraints`;
  }

  // The least change of what is free that meets the constraints.
  fit(t, x, free) {
    const {motion} = this, {n, m, p, saddle} = motion, unit = new Float64Array(n * n);
    for (let i = 0; i < n; i++) unit[i * n + i] = 1;
    const q = x.subarray(0, n), qd = x.subarray(n, 2 * n), change = new Float64Array(n);
    const move = (residual, of, first) => {
      const slopes = Float64Array.from(motion.slopes_at(t, q));
      for (let i = 0; i < m * n; i++) if (!free[first + i % n]) slopes[i] = 0;
      if (!saddle.factor(unit, slopes)) return false;
      saddle.correction(residual.map(v => -v), change);
      for (let i = 0; i < n; i++) if (free[first + i]) of[i] += change[i];
      return true;
    };
    const largest = values => Math.max(...values.map(Math.abs));
    for (let round = 0, before = Infinity; round < 30; round++) {
      const off = motion.residual(t, q);
      if (off === 0 || (round > 1 && off >= before / 2 && off < 1e-9 * m)) break;
      before = off;
      if (round === 29 || !Number.isFinite(off) || !move(model.Phi(t, q, p), q, 0)) return false;
    }
    const rates = () => model.Phi_dot(t, q, qd, motion.inputs_at(x), p);
    for (let round = 0; round < 2; round++) if (!move(rates(), qd, n)) return false;
    return largest(rates()) <= 1e-6 * (1 + largest(qd));
  }

  // Events that come ever sooner after each other, as bounces do.
  piles_up(t) {
    const interval = t - this.last, shrinks = this.count > 0 && interval < this.interval;
    this.longest = shrinks ? Math.max(this.longest, interval) : interval;
    this.count = shrinks ? this.count + 1 : 1;
    this.interval = interval, this.last = t;
    return this.count > MANY && interval < 1e-6 * this.longest;
  }
}
