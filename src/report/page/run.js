// ---- A run: the motion as samples, and everything that is read from it

// width values a sample behind the time: q, q', q'', forces, what samples and events assign, states.
class Run extends Samples {
  constructor(times, states, width, p, u = engine.usual_inputs?.(p)) {
    super(times);
    this.states = states, this.width = width, this.p = p, this.u = u;
  }

  // The samples of a result: t and the state, one after the other, stored as floats beyond the first ones.
  static from_text({count, width, first, samples}) {
    const text = atob(samples), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    const all = new Float32Array(bytes.buffer), times = new Float64Array(count);
    const states = new Float64Array(count * (width - 1));
    for (let i = 0; i < count; i++) {
      times[i] = first[0] + all[i * width];
      for (let k = 1; k < width; k++) states[i * (width - 1) + k - 1] = first[k] + all[i * width + k];
    }
    return new (data.layout ? NumbersRun : Run)(times, states, width - 1, engine.parameters());
  }

  // Rows of all columns, of which the page reads some.
  static from_rows(rows, p, u) {
    const {columns} = data, width = columns.length, states = new Float64Array(rows.length * width);
    rows.forEach((row, i) => columns.forEach((from, k) => { states[i * width + k] = row[from]; }));
    return new Run(Float64Array.from(rows, row => row[0]), states, width, p, u);
  }

  sample(i) {
    const state = this.states.subarray(i * this.width, (i + 1) * this.width);
    return this.parts(this.times[i], state);
  }

  parts(t, state) {
    const {n, m, contact_count} = engine.model, held = 3 * n + m + contact_count, {assigned} = data;
    let inputs = this.u;
    if (held < this.width) {
      inputs = [...this.u, ...state.subarray(held + assigned.length)];
      assigned.forEach((input, k) => { inputs[input] = state[held + k]; });
    }
    return {t, q: state.subarray(0, n), qd: state.subarray(n, 2 * n),
            qdd: state.subarray(2 * n, 3 * n), lam: state.subarray(3 * n, held), inputs};
  }

  // Between samples positions follow the cubic through their velocities, velocities that through
  // their accelerations, forces and states a straight line; what is assigned is held.
  at(t) {
    const i = this.place(t), {times, states, width} = this, {n, m, contact_count} = engine.model;
    const h = i + 1 < this.count ? times[i + 1] - times[i] : 0;
    if (!(h > 0) || t <= times[i]) return this.sample(i);
    const part = Math.min((t - times[i]) / h, 1), rest = 1 - part, out = new Float64Array(width);
    const held = 3 * n + m + contact_count, held_end = held + data.assigned.length;
    const a = i * width, b = a + width;
    for (let k = 0; k < width; k++) {
      const from = states[a + k], to = states[b + k];
      out[k] = k >= held && k < held_end ? from
        : k >= 2 * n ? from + part * (to - from)
        : from * rest * rest * (1 + 2 * part) + to * part * part * (1 + 2 * rest) +
          h * part * rest * (states[a + n + k] * rest - states[b + n + k] * part);
    }
    return this.parts(t, out);
  }

  draw_numbers({t, q, qd, qdd, lam, inputs}) {
    return engine.model.scene(t, q, qd, inputs, qdd, lam, this.p);
  }

  curve_numbers({t, q, qd, qdd, lam, inputs}) {
    return engine.model.curves(t, q, qd, inputs, qdd, lam, this.p);
  }

  force_numbers({t, q, qd, qdd, lam, inputs}) {
    return engine.model.forces(t, q, qd, inputs, qdd, lam, this.p);
  }

  // One array a curve.
  curves() {
    if (this.values) return this.values;
    this.values = data.curves.map(() => new Float64Array(this.count));
    for (let i = 0; i < this.count; i++)
      this.curve_numbers(this.sample(i)).forEach((value, k) => { this.values[k][i] = value; });
    return this.values;
  }
}

// A run of a model without functions: its samples are the numbers of the drawing, the coordinates
// and the curves.
class NumbersRun extends Run {
  parts(t, state) {
    const {q} = data.layout, {n} = engine.model;
    return {t, q: state.subarray(q, q + n), qd: new Float64Array(n), numbers: state};
  }
  at(t) {
    const i = this.place(t), {times, states, width} = this;
    const h = i + 1 < this.count ? times[i + 1] - times[i] : 0;
    if (!(h > 0) || t <= times[i]) return this.sample(i);
    const part = Math.min((t - times[i]) / h, 1), out = new Float64Array(width);
    for (let k = 0; k < width; k++) {
      const from = states[i * width + k];
      out[k] = from + part * (states[(i + 1) * width + k] - from);
    }
    return this.parts(t, out);
  }
  draw_numbers({numbers}) { return numbers; }
  curve_numbers({numbers}) { return numbers.subarray(data.layout.curves, data.layout.forces); }
  force_numbers({numbers}) { return numbers.subarray(data.layout.forces); }
}
