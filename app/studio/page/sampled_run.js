// A run as the server sends it: rows of t, the numbers of the drawing, the coordinates, the curves.
// It answers what the report page's Run answers, so that stage, player and curves are the same code.
import {Samples} from "qdot-page-kit";

export class SampledRun extends Samples {
  constructor(numbers, rows, width, layout) {
    super(Float64Array.from({length: rows}, (_, i) => numbers[i * width]));
    Object.assign(this, {numbers, width, layout});
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
    this.values ??= Array.from({length: this.width - this.layout.curves}, (_, k) =>
      Float64Array.from({length: this.count}, (_, i) => this.numbers[i * this.width + this.layout.curves + k]));
    return this.values;
  }
}
