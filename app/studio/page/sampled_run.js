// A run as the server sends it: rows of t, the numbers of the drawing, the coordinates, the curves.
// It answers what the report page's Run answers, so that stage, player and curves are the same code.
import {Samples} from "qdot-page-kit";

export class SampledRun extends Samples {
  constructor(numbers, rows, width, layout) {
    super(new Float64Array(rows));
    Object.assign(this, {numbers, width, layout});
    this.take(0, this.times);
  }

  // One number of every row.
  take(k, out) {
    for (let i = 0, at = k; i < out.length; i++, at += this.width) out[i] = this.numbers[at];
    return out;
  }

  row(i) { return this.numbers.subarray(i * this.width, (i + 1) * this.width); }
  parts(t, row) { return {t, row, q: row.subarray(this.layout.q, this.layout.q + this.layout.n)}; }
  sample(i) { return this.parts(this.times[i], this.row(i)); }

  at(t) {
    const i = this.place(t), h = i + 1 < this.count ? this.times[i + 1] - this.times[i] : 0;
    if (!(h > 0) || t <= this.times[i]) return this.sample(i);
    const part = Math.min((t - this.times[i]) / h, 1), from = this.row(i), to = this.row(i + 1);
    const row = from.map((a, k) => a + part * (to[k] - a));
    row[0] = t;
    return this.parts(t, row);
  }

  // The state may have been moved in time, to see how fast things are.
  draw_numbers(state) {
    const row = state.row[0] === state.t ? state.row : this.at(state.t).row;
    return row.subarray(this.layout.scene, this.layout.q);
  }

  curve_numbers(state) { return state.row.subarray(this.layout.curves); }
  curves() {
    this.values ??= Array.from({length: this.width - this.layout.curves}, (_, k) => this.take(this.layout.curves + k, new Float64Array(this.count)));
    return this.values;
  }
  all_poses() {
    this.poses ??= Array.from({length: this.count}, (_, i) => this.numbers.subarray(i * this.width + this.layout.scene, i * this.width + this.layout.q));
    return this.poses;
  }
}
