// ---- Samples of a motion, in the order of their times

// Whoever has them says sample(i), at(t) and draw_numbers(state).
class Samples {
  constructor(times) {
    this.times = times, this.count = times.length;
    this.values = null; // of the curves, once somebody asks
    this.poses = null;
  }
  get begin() { return this.times[0]; }
  get end() { return this.times[this.count - 1]; }

  // The last sample that is not behind t.
  place(t) {
    let low = 0, high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  pose(t) { return this.draw_numbers(this.at(t)); }

  // Numbers of the drawing at every sample, for paths and for the camera.
  all_poses() {
    this.poses ??= Array.from({length: this.count}, (_, i) => this.draw_numbers(this.sample(i)));
    return this.poses;
  }
}
