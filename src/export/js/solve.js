// ---- The saddle point M x + Phi_q^T y = f, Phi_q x = c of constrained motion

// A pivot of the scaled Gram matrix below TRUSTED is not divided by. Of the singular values those
// are cut that lie below CUT of the largest and a GAP below the last one kept: dead positions and
// redundant rows stand apart like that.
// These numbers stand above, as the simulator has them.

// The lower factor of a symmetric matrix (n x n by rows) in place; false where a pivot vanishes.
function cholesky(n, a, least) {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, a[i * n + i]);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      if (i !== j) a[i * n + j] = sum / a[j * n + j];
      else if (sum > least * Math.max(a[i * n + i], least * largest)) a[i * n + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

// x := L^-1 x and x := L^-T x
function lower(n, L, x, at = 0) {
  for (let i = 0; i < n; i++) {
    let sum = x[at + i];
    for (let k = 0; k < i; k++) sum -= L[i * n + k] * x[at + k];
    x[at + i] = sum / L[i * n + i];
  }
}
function lower_transposed(n, L, x) {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i];
    for (let k = i + 1; k < n; k++) sum -= L[k * n + i] * x[k];
    x[i] = sum / L[i * n + i];
  }
}

function row_dot(n, a, at, b, bt) {
  let sum = 0;
  for (let j = 0; j < n; j++) sum += a[at + j] * b[bt + j];
  return sum;
}

// One-sided Jacobi: turns the m rows of B until they are orthogonal; U holds the turns.
function orthogonal_rows(m, n, B) {
  const rows = Float64Array.from(B), U = new Float64Array(m * m);
  for (let i = 0; i < m; i++) U[i * m + i] = 1;
  for (let sweep = 0; sweep < 40; sweep++) {
    let turned = false;
    for (let i = 0; i < m; i++)
      for (let k = i + 1; k < m; k++) {
        const a = row_dot(n, rows, i * n, rows, i * n), b = row_dot(n, rows, k * n, rows, k * n);
        const c = row_dot(n, rows, i * n, rows, k * n);
        if (!(Math.abs(c) > 1e-15 * Math.sqrt(a * b)) || c * c < 1e-300) continue;
        turned = true;
        const tau = (b - a) / (2 * c);
        const tan = Math.sign(tau || 1) / (Math.abs(tau) + Math.hypot(1, tau));
        const cos = 1 / Math.hypot(1, tan), sin = cos * tan;
        for (const [array, width] of [[rows, n], [U, m]])
          for (let j = 0; j < width; j++) {
            const x = array[i * width + j], y = array[k * width + j];
            array[i * width + j] = cos * x - sin * y;
            array[k * width + j] = sin * x + cos * y;
          }
      }
    if (!turned) break;
  }
  return {rows, U};
}

// Factors the saddle point at one position and solves with it. Rows are divided by the largest norm
// that they have had in this run, in the metric of M.
class Saddle {
  constructor(n, m) {
    this.n = n, this.m = m;
    this.L = new Float64Array(n * n);
    this.B = new Float64Array(m * n);
    this.gram = new Float64Array(m * m);
    this.scale = new Float64Array(m);
    this.is_near_dead = false; // since it was last asked
  }

  // False where M is singular, also on the constraints.
  factor(mass, slopes) {
    const {n, m, L, B} = this;
    this.slopes = slopes, this.weight = null;
    L.set(mass);
    if (!cholesky(n, L, MASS_PIVOT)) {
      // every row weighs like the masses that it moves
      this.weight = new Float64Array(m);
      L.set(mass);
      for (let r = 0; r < m; r++) {
        let inverse = 0;
        for (let j = 0; j < n; j++)
          if (mass[j * n + j] > 0) inverse += slopes[r * n + j] ** 2 / mass[j * n + j];
        const square = row_dot(n, slopes, r * n, slopes, r * n);
        this.weight[r] = inverse > 0 ? 1 / inverse : square > 0 ? 1 / square : 0;
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            L[i * n + j] += this.weight[r] * slopes[r * n + i] * slopes[r * n + j];
      }
      if (!m || !cholesky(n, L, MASS_PIVOT)) return false;
    }
    B.set(slopes);
    for (let r = 0; r < m; r++) {
      lower(n, L, B, r * n);
      const size = Math.sqrt(row_dot(n, B, r * n, B, r * n));
      if (!(size >= 0)) return false;
      this.scale[r] = Math.max(this.scale[r], size);
      for (let j = 0; j < n && this.scale[r] > 0; j++) B[r * n + j] /= this.scale[r];
    }
    this.kept = this.factor_full() ? null : this.factor_cut();
    return true;
  }

  factor_full() {
    const {n, m, B, gram} = this;
    let worst = 1;
    for (let i = 0; i < m; i++)
      for (let j = 0; j <= i; j++) {
        let sum = row_dot(n, B, i * n, B, j * n);
        for (let k = 0; k < j; k++) sum -= gram[i * m + k] * gram[j * m + k];
        if (i !== j) gram[i * m + j] = sum / gram[j * m + j];
        else {
          worst = Math.min(worst, sum);
          if (!(sum > TRUSTED)) return false;
          gram[i * m + j] = Math.sqrt(sum);
        }
      }
    if (worst < NEAR_DEAD) this.is_near_dead = true;
    return true;
  }

  // The combinations of rows that are kept, orthogonal to each other.
  factor_cut() {
    const {n, m, B} = this, {rows, U} = orthogonal_rows(m, n, B);
    const kept = [];
    for (let i = 0; i < m; i++)
      kept.push({at: i, size: Math.sqrt(row_dot(n, rows, i * n, rows, i * n))});
    kept.sort((a, b) => b.size - a.size);
    let rank = 0;
    while (rank < m && kept[rank].size > 0 &&
           (kept[rank].size > CUT * kept[0].size ||
            kept[rank].size > GAP * (rank ? kept[rank - 1].size : Infinity))) rank++;
    // a redundancy is no dead position: nothing is left of it
    for (const one of kept)
      if (one.size > 1e-7 * kept[0].size && one.size ** 2 < NEAR_DEAD * kept[0].size ** 2)
        this.is_near_dead = true;
    return {rows, U, list: kept.slice(0, rank)};
  }

  // z with B z = c, as short as possible, and y with z = B^T y.
  least(c, y, z) {
    const {n, m, B, gram, kept} = this;
    y.fill(0), z.fill(0);
    const left = Float64Array.from(c);
    for (let round = 0; round < 2; round++) {
      if (kept) {
        for (const {at, size} of kept.list) {
          const along = row_dot(m, kept.U, at * m, left, 0) / size ** 2;
          for (let i = 0; i < m; i++) y[i] += along * kept.U[at * m + i];
          for (let j = 0; j < n; j++) z[j] += along * kept.rows[at * n + j];
        }
      } else {
        const part = Float64Array.from(left);
        lower(m, gram, part);
        lower_transposed(m, gram, part);
        for (let i = 0; i < m; i++) {
          y[i] += part[i];
          for (let j = 0; j < n; j++) z[j] += part[i] * B[i * n + j];
        }
      }
      for (let i = 0; i < m; i++) left[i] = c[i] - row_dot(n, B, i * n, z, 0);
    }
  }

  scaled(i, value) { return this.scale[i] > 0 ? value / this.scale[i] : 0; }

  solve(f, gamma, qdd, lam) {
    const {n, m, L, B} = this, c = new Float64Array(m);
    qdd.set(f);
    for (let r = 0; this.weight && r < m; r++)
      for (let j = 0; j < n; j++) qdd[j] += this.weight[r] * gamma[r] * this.slopes[r * n + j];
    lower(n, L, qdd);
    if (m) {
      const y = new Float64Array(m), z = new Float64Array(n);
      for (let i = 0; i < m; i++) c[i] = this.scaled(i, gamma[i]) - row_dot(n, B, i * n, qdd, 0);
      this.least(c, y, z);
      for (let j = 0; j < n; j++) qdd[j] += z[j];
      for (let i = 0; i < m; i++) lam[i] = this.scaled(i, -y[i]);
    }
    lower_transposed(n, L, qdd);
  }

  // The least change of kinetic energy that changes the rows by c.
  correction(c, out) {
    const scaled = new Float64Array(this.m), y = new Float64Array(this.m);
    for (let i = 0; i < this.m; i++) scaled[i] = this.scaled(i, c[i]);
    this.least(scaled, y, out);
    lower_transposed(this.n, this.L, out);
  }
}
