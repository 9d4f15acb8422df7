// Problems with cones: against all states, tried one after the other; closed forms; slopes against
// differences.
#include "cone/cone.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "support/check.h"

enum { MOST = 6 };

typedef struct Trial {
  ConeProblem problem;
  double W[MOST * MOST], y_0[MOST], G[MOST][MOST];
  ConeRow row[MOST];
} Trial;

// W = G G^T with so many columns, and y_0 = G v, as velocities before an impact are.
static void fill(Trial *t, Random *random, int freedoms) {
  double v[MOST];
  int n = t->problem.n;
  for (int k = 0; k < freedoms; k++) v[k] = random_real(random, -1, 1);
  for (int i = 0; i < n; i++) {
    double unit = t->row[i].kind == CONE_RUBS ? 1 : pow(10, random_below(random, 5) - 2);
    t->y_0[i] = 0;
    for (int k = 0; k < freedoms; k++) {
      t->G[i][k] = unit * random_real(random, -1, 1);
      t->y_0[i] += t->G[i][k] * v[k];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) t->W[i * n + j] = dense_dot(freedoms, t->G[i], t->G[j]);
  t->problem.W = t->W, t->problem.y_0 = t->y_0, t->problem.row = t->row;
}

// All kinds of rows, at least one of which pushes.
static void choose_rows(Trial *t, Random *random) {
  int n = t->problem.n = 1 + random_below(random, MOST);
  for (int i = 0; i < n; i++) {
    static const ConeKind kinds[] = {CONE_PUSHES, CONE_PUSHES, CONE_RUBS,
                                     CONE_RUBS,   CONE_HOLDS,  CONE_LIMITED};
    ConeKind kind = i == 0 ? CONE_PUSHES : kinds[random_below(random, 6)];
    int of = random_below(random, i > 0 ? i : 1);
    if (kind == CONE_RUBS && t->row[of].kind != CONE_PUSHES) of = 0;
    double low = random_real(random, -0.5, 0.2);
    t->row[i] = (ConeRow){.kind = kind,
                          .of = of,
                          .mu = random_below(random, 6) ? random_real(random, 0, 1.5) : 0,
                          .low = low,
                          .high = low + random_real(random, 0, 1),
                          .soft = random_below(random, 5) ? 0 : random_real(random, 0, 0.1)};
  }
}

// ---- The law, read from z alone

static double speed_of(const Trial *t, const double *z, int i) {
  int n = t->problem.n;
  return t->y_0[i] + dense_dot(n, t->W + (size_t)i * (size_t)n, z) + t->row[i].soft * z[i];
}

// The most by which a row misses its law, in the units of its own response.
static double violation(const Trial *t, const double *z) {
  double worst = 0;
  for (int i = 0; i < t->problem.n; i++) {
    const ConeRow *row = &t->row[i];
    double own = t->W[i * t->problem.n + i] + row->soft, size = sqrt(own);
    double y = speed_of(t, z, i) / size, load = z[i] * size, low = 0, high = 0;
    if (row->kind == CONE_RUBS) high = row->mu * z[row->of] * size, low = -high;
    if (row->kind == CONE_LIMITED) low = row->low * size, high = row->high * size;
    if (row->kind == CONE_HOLDS) worst = fmax(worst, fabs(y));
    if (row->kind == CONE_PUSHES) worst = fmax(worst, fmax(fmax(-y, -load), fmin(y, load)));
    if (row->kind != CONE_RUBS && row->kind != CONE_LIMITED) continue;
    worst = fmax(worst, fmax(low - load, load - high));
    if (row->way != 0) {
      worst = fmax(worst, fabs(load - (row->way > 0 ? low : high)));
      continue;
    }
    worst = fmax(worst, fmin(y, load - low));
    worst = fmax(worst, fmin(-y, high - load));
  }
  return worst;
}

// ---- All states, one after the other

// z in the states that the digits of `code` say; false where they do not fix it.
static bool solve_code(const Trial *t, int code, double *z) {
  int n = t->problem.n, pivot[MOST];
  double A[MOST * MOST] = {0};
  for (int i = 0; i < n; i++, code /= 3) {
    const ConeRow *row = &t->row[i];
    int digit = code % 3;
    bool held = row->kind == CONE_HOLDS || digit == 0;
    z[i] = 0;
    if (row->kind == CONE_HOLDS && digit > 0) return false;
    if (row->kind == CONE_PUSHES && digit > 1) return false;
    for (int j = 0; j < n && held; j++) A[i * n + j] = t->W[i * n + j];
    if (held) A[i * n + i] += row->soft, z[i] = -t->y_0[i];
    if (held) continue;
    A[i * n + i] = 1;
    if (row->kind == CONE_RUBS) A[i * n + row->of] = digit == 1 ? row->mu : -row->mu;
    if (row->kind == CONE_LIMITED) z[i] = digit == 1 ? row->low : row->high;
  }
  if (!(dense_lu(n, A, pivot) > 1e-13)) return false;
  dense_lu_solve(n, A, pivot, z);
  return true;
}

static int power_of_3(int n) { return n == 0 ? 1 : 3 * power_of_3(n - 1); }

static double size_of(const Trial *t, const double *z) {
  double size = 0;
  for (int i = 0; i < t->problem.n; i++) {
    double root = sqrt(t->W[i * t->problem.n + i]);
    size = fmax(size, fmax(fabs(t->y_0[i]) / root, fabs(z[i]) * root));
  }
  return size;
}

// With as many freedoms as rows every one of all solutions is in certain states: the one that is
// found is among them.
TEST(is_one_of_all_solutions) {
  Random random = random_start("is_one_of_all_solutions");
  for (int round = 0; round < test_rounds(2000); round++) {
    Trial t = {0};
    choose_rows(&t, &random);
    fill(&t, &random, MOST);
    ConeSolution found = cone_solution_new(&cx->keep, t.problem.n);
    assert_true(cone_solve(&cx->scratch, &t.problem, &found));
    double size = size_of(&t, found.z), nearest = INFINITY, z[MOST];
    assert_true(violation(&t, found.z) <= 1e-9 * size);
    for (int code = 0; code < power_of_3(t.problem.n); code++) {
      if (!solve_code(&t, code, z) || !(violation(&t, z) <= 1e-8 * size)) continue;
      double far = 0;
      for (int i = 0; i < t.problem.n; i++)
        far = fmax(far, fabs(z[i] - found.z[i]) * sqrt(t.W[i * t.problem.n + i]));
      nearest = fmin(nearest, far);
    }
    assert_true(nearest <= 1e-5 * size);
  }
}

// Fewer freedoms than rows, so that loads are shared: the law holds, before and behind, the
// speeds are the same, and nothing smaller serves.
TEST(shares_are_least) {
  Random random = random_start("shares_are_least");
  int shared = 0;
  for (int round = 0; round < test_rounds(2000); round++) {
    Trial t = {0};
    choose_rows(&t, &random);
    for (int i = 0; i < t.problem.n; i++)
      if (t.row[i].kind == CONE_LIMITED) t.row[i].kind = CONE_PUSHES;
    fill(&t, &random, 1 + random_below(&random, 3));
    int n = t.problem.n;
    ConeSolution found = cone_solution_new(&cx->keep, n);
    assert_true(cone_solve(&cx->scratch, &t.problem, &found));
    double before[MOST], size = size_of(&t, found.z), least = 0, was = 0, y[MOST], d[MOST];
    memcpy(before, found.z, (size_t)n * sizeof *before);
    memcpy(y, found.y, (size_t)n * sizeof *y);
    assert_true(violation(&t, found.z) <= 1e-7 * size);
    if (!cone_share(&cx->scratch, &t.problem, &found)) continue;
    shared++;
    assert_true(violation(&t, found.z) <= 1e-7 * size);
    for (int i = 0; i < n; i++) {
      double root = sqrt(t.W[i * n + i] + t.row[i].soft);
      CHECK_NEAR(found.y[i] / root, y[i] / root, 1e-7 * size);
      least += pow(found.z[i] * root, 2), was += pow(before[i] * root, 2);
      d[i] = before[i] - found.z[i];
    }
    // on the way to any other solution, and so to that one, the size does not fall
    double slope = 0;
    for (int i = 0; i < n; i++) slope += found.z[i] * d[i] * (t.W[i * n + i] + t.row[i].soft);
    bool slides = false;
    for (int i = 0; i < n; i++) slides |= t.row[i].kind == CONE_RUBS;
    if (!slides) assert_true(slope >= -1e-6 * size * size && least <= was * (1 + 1e-9));
  }
  assert_true(shared > 0);
}

// What is not coupled is found to the last bit as it is alone.
TEST(groups_are_apart) {
  Random random = random_start("groups_are_apart");
  for (int round = 0; round < test_rounds(300); round++) {
    Trial a = {0}, b = {0};
    choose_rows(&a, &random), fill(&a, &random, MOST);
    choose_rows(&b, &random), fill(&b, &random, MOST);
    int n = a.problem.n, m = b.problem.n, all = n + m, group[2 * MOST];
    double W[4 * MOST * MOST] = {0}, y_0[2 * MOST];
    ConeRow row[2 * MOST];
    for (int i = 0; i < all; i++) {
      const Trial *t = i < n ? &a : &b;
      int own = i < n ? i : i - n, first = i < n ? 0 : n, size = t->problem.n;
      y_0[i] = t->y_0[own], row[i] = t->row[own];
      row[i].of += first;
      for (int j = 0; j < size; j++) W[i * all + first + j] = t->W[own * size + j];
    }
    ConeProblem both = {.n = all, .W = W, .y_0 = y_0, .row = row};
    ConeSolution found = cone_solution_new(&cx->keep, all);
    ConeSolution one = cone_solution_new(&cx->keep, n), two = cone_solution_new(&cx->keep, m);
    assert_true(cone_solve(&cx->scratch, &both, &found));
    assert_true(cone_solve(&cx->scratch, &a.problem, &one));
    assert_true(cone_solve(&cx->scratch, &b.problem, &two));
    for (int i = 0; i < all; i++) assert_true(found.z[i] == (i < n ? one.z[i] : two.z[i - n]));
    assert_true(cone_groups(&cx->scratch, &both, group) >= 2);
  }
}

// ---- Slopes

// By y_0, W and mu, against differences of four points.
TEST(slopes_are_those_of_differences) {
  Random random = random_start("slopes_are_those_of_differences");
  int certain = 0;
  for (int round = 0; round < test_rounds(500); round++) {
    Trial t = {0};
    choose_rows(&t, &random);
    fill(&t, &random, MOST);
    int n = t.problem.n;
    double dy[MOST], dW[MOST * MOST], dG[MOST][MOST], dmu[MOST], dz[MOST], sum[MOST] = {0};
    ConeSolution found = cone_solution_new(&cx->keep, n), near = cone_solution_new(&cx->keep, n);
    for (int i = 0; i < n; i++) {
      dy[i] = sqrt(t.W[i * n + i]) * random_real(&random, -1, 1);
      dmu[i] = t.row[i].kind == CONE_RUBS && t.row[i].mu > 0.01 ? random_real(&random, -1, 1) : 0;
      for (int k = 0; k < MOST; k++) dG[i][k] = t.G[i][k] * random_real(&random, -1, 1);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        dW[i * n + j] = dense_dot(MOST, dG[i], t.G[j]) + dense_dot(MOST, t.G[i], dG[j]);
    assert_true(cone_solve(&cx->scratch, &t.problem, &found));
    ConeChange change = {dy, dW, dmu};
    if (!cone_slope(&cx->scratch, &t.problem, &found, &change, dz)) continue;
    const double weight[] = {1. / 12, -8. / 12, 8. / 12, -1. / 12}, step = 1e-5;
    bool same = true;
    for (int k = 0; k < 4; k++) {
      double by = (k < 2 ? k - 2 : k - 1) * step;
      Trial moved = t;
      moved.problem = (ConeProblem){n, moved.W, moved.y_0, moved.row};
      for (int i = 0; i < n; i++) {
        moved.y_0[i] += by * dy[i], moved.row[i].mu += by * dmu[i];
        for (int j = 0; j < n; j++)
          moved.W[i * n + j] += by * (dW[i * n + j] + by * dense_dot(MOST, dG[i], dG[j]));
      }
      assert_true(cone_solve(&cx->scratch, &moved.problem, &near));
      same = same && memcmp(near.state, found.state, (size_t)n * sizeof *near.state) == 0;
      for (int i = 0; i < n; i++) sum[i] += weight[k] * near.z[i] / step;
    }
    if (!same) continue;
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(dz[i]) * sqrt(t.W[i * n + i]));
    if (size == 0) continue;
    certain++;
    for (int i = 0; i < n; i++)
      CHECK_NEAR(sum[i] * sqrt(t.W[i * n + i]) / size, dz[i] * sqrt(t.W[i * n + i]) / size, 1e-4);
  }
  assert_true(certain > 0);
}

// ---- Closed forms

// Five equal beads of 1 kg, the first thrown at the others with e = 1, all at once: beads 2 to 5
// stay together and the first comes back (Newton's law for all contacts at once).
TEST(a_row_of_beads) {
  enum { BEADS = 5, N = BEADS - 1 };
  double W[N * N] = {0}, y_0[N] = {0}, z[N], v[BEADS] = {1};
  for (int i = 0; i < N; i++) {
    W[i * N + i] = 2;
    if (i + 1 < N) W[i * N + i + 1] = W[(i + 1) * N + i] = -1;
  }
  y_0[0] = 2 * -1; // (1 + e) of the approach
  assert_true(cone_push(&cx->scratch, N, W, y_0, z));
  for (int i = 0; i < N; i++) v[i] -= z[i], v[i + 1] += z[i];
  CHECK_NEAR(v[0], -0.6, 1e-14); // 1 - 2 * 4/5
  for (int i = 1; i < BEADS; i++) CHECK_NEAR(v[i], 0.4, 1e-14);
}

// A block of half width b and half height h, with J about its middle, comes down on one foot while
// the other rests: inelastic, the pressed foot stays and the other lifts off or not by whether
// m b^2 exceeds J + ... Housner's ratio of spins 1 - 2 m b^2 / (m R^2 + J) for feet that do not
// slide.
TEST(rocking_block) {
  for (int slender = 0; slender < 2; slender++) {
    double m = 2, b = slender ? 0.2 : 0.9, h = 1, J = m * (b * b + h * h) / 3, spin = 1;
    // it has turned about the left foot at (-b, -h), and the right foot arrives: v = spin x r
    double v[3] = {-h * spin * -1, b * spin * -1, -spin};
    double G[4][3] = {{0, 1, -b}, {0, 1, b}, {1, 0, h}, {1, 0, h}}, M[3] = {m, m, J};
    double W[16], y_0[4];
    for (int i = 0; i < 4; i++) {
      y_0[i] = dense_dot(3, G[i], v);
      for (int j = 0; j < 4; j++) {
        W[i * 4 + j] = 0;
        for (int k = 0; k < 3; k++) W[i * 4 + j] += G[i][k] * G[j][k] / M[k];
      }
    }
    ConeRow row[4] = {{.kind = CONE_PUSHES},
                      {.kind = CONE_PUSHES},
                      {.kind = CONE_RUBS, .of = 0, .mu = 1e3},
                      {.kind = CONE_RUBS, .of = 1, .mu = 1e3}};
    ConeProblem problem = {4, W, y_0, row};
    ConeSolution found = cone_solution_new(&cx->keep, 4);
    assert_true(cone_solve(&cx->scratch, &problem, &found));
    double after = v[2];
    for (int i = 0; i < 4; i++) after += G[i][2] * found.z[i] / J;
    double ratio = 1 - 2 * m * b * b / (m * (b * b + h * h) + J);
    CHECK_NEAR(after / v[2], ratio > 0 ? ratio : 0, 1e-9);
  }
}

// A rod that slides with its lower end in front (Painleve 1895): with N (1/m + c^2/J - mu c s/J) =
// m g that factor below 0 there is no force, or there are two; above 0 it is N.
TEST(painleve_rod) {
  double m = 1, L = 1, J = m * L * L / 12, phi = 1, c = cos(phi) * L / 2, s = sin(phi) * L / 2;
  double W[4] = {1 / m + c * c / J, -c * s / J, -c * s / J, 1 / m + s * s / J};
  for (int k = 0; k < 3; k++) {
    double mu = k == 0 ? 0.3 : 3, y_0[2] = {k == 2 ? 5 : -9.81, 0};
    ConeRow row[2] = {{.kind = CONE_PUSHES}, {.kind = CONE_RUBS, .of = 0, .mu = mu, .way = -1}};
    ConeProblem problem = {2, W, y_0, row};
    ConeSolution found = cone_solution_new(&cx->keep, 2);
    double factor = W[0] + mu * W[1];
    assert_true((factor > 0) == (k == 0));
    assert_true(cone_solve(&cx->scratch, &problem, &found) == (k != 1));
    if (k == 0) CHECK_NEAR(found.z[0], 9.81 / factor, 1e-13);
    if (k == 0) CHECK_NEAR(found.z[1], mu * 9.81 / factor, 1e-13);
    if (k != 1) assert_true(cone_is_ambiguous(&cx->scratch, &problem, &found) == (k == 2));
  }
}

// A box of 1 kg thrown into a corner of floor and wall stops there; slid along the floor it stops
// at the wall alone where the floor is smooth.
TEST(box_in_a_corner) {
  double W[16] = {1, 0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1}; // floor, wall, along both
  double y_0[4] = {-3, -4, -4, -3};
  ConeRow row[4] = {{.kind = CONE_PUSHES},
                    {.kind = CONE_PUSHES},
                    {.kind = CONE_RUBS, .of = 0, .mu = 0.5},
                    {.kind = CONE_RUBS, .of = 1, .mu = 0.5}};
  ConeProblem problem = {4, W, y_0, row};
  ConeSolution found = cone_solution_new(&cx->keep, 4);
  assert_true(cone_solve(&cx->scratch, &problem, &found));
  for (int i = 0; i < 4; i++) CHECK_NEAR(found.y[i], 0, 1e-13);
  CHECK_NEAR(found.z[0] + found.z[3], 3, 1e-13); // upwards
  CHECK_NEAR(found.z[1] + found.z[2], 4, 1e-13);
}

// A beam of weight 1 on feet at x: the least loads are those of a straight line, N = a + b x, as
// long as none pulls; and a foot that would pull carries nothing.
TEST(redundant_feet) {
  enum { FEET = 5 };
  Random random = random_start("redundant_feet");
  for (int round = 0; round < test_rounds(500); round++) {
    double x[FEET], W[FEET * FEET], y_0[FEET], z[FEET], J = 0.4, at = random_real(&random, -1, 1);
    for (int i = 0; i < FEET; i++) x[i] = random_real(&random, -1, 1);
    double low = INFINITY, high = -INFINITY, sum = 0, moment = 0;
    for (int i = 0; i < FEET; i++) {
      low = fmin(low, x[i]), high = fmax(high, x[i]);
      y_0[i] = -1 - x[i] * at / J;
      for (int j = 0; j < FEET; j++) W[i * FEET + j] = 1 + x[i] * x[j] / J;
    }
    if (at < low || at > high) continue; // it tips
    ConeRow row[FEET];
    for (int i = 0; i < FEET; i++) row[i] = (ConeRow){.kind = CONE_PUSHES};
    ConeProblem problem = {FEET, W, y_0, row};
    assert_true(cone_push(&cx->scratch, FEET, W, y_0, z));
    for (int i = 0; i < FEET; i++) sum += z[i], moment += z[i] * x[i];
    CHECK_NEAR(sum, 1, 1e-9);
    CHECK_NEAR(moment, at, 1e-9);
    // Karush, Kuhn and Tucker: W_ii z_i = a + b x_i of feet that carry, a + b x_i <= 0 of others
    int first = -1, last = -1;
    for (int i = 0; i < FEET; i++)
      if (z[i] > 1e-9) first = first < 0 ? i : first, last = i;
    if (first == last) continue;
    double b = (cone_size(&problem, last) * cone_size(&problem, last) * z[last] -
                cone_size(&problem, first) * cone_size(&problem, first) * z[first]) /
               (x[last] - x[first]);
    double a = W[first * FEET + first] * z[first] - b * x[first];
    if (fabs(x[last] - x[first]) < 1e-2) continue;
    for (int i = 0; i < FEET; i++)
      CHECK_NEAR(z[i], fmax(0, a + b * x[i]) / W[i * FEET + i], 1e-7 * (1 + fabs(b)));
  }
}

// A motor that gives -2 to 3 N m holds a load of 1 and gives way to one of 5; what is held, and
// what nothing moves.
TEST(limits) {
  double W[1] = {0.5}, y_0[1];
  ConeRow row[1] = {{.kind = CONE_LIMITED, .low = -2, .high = 3}};
  ConeProblem problem = {1, W, y_0, row};
  ConeSolution found = cone_solution_new(&cx->keep, 1);
  const double load[] = {-0.5, -2.5, 2.5}, z[] = {1, 3, -2}, y[] = {0, -1, 1.5};
  const ConeState state[] = {CONE_CLOSED, CONE_SLIPS_DOWN, CONE_SLIPS_UP};
  for (int k = 0; k < 3; k++) {
    y_0[0] = load[k];
    assert_true(cone_solve(&cx->scratch, &problem, &found));
    CHECK_NEAR(found.z[0], z[k], 1e-14);
    CHECK_NEAR(found.y[0], y[k], 1e-14);
    assert_true(found.state[0] == state[k]);
  }
  W[0] = 0, row[0].kind = CONE_PUSHES, y_0[0] = -1;
  assert_true(cone_solve(&cx->scratch, &problem, &found));
  assert_true(found.z[0] == 0);
}

RUN_TESTS(cmocka_unit_test(is_one_of_all_solutions), cmocka_unit_test(shares_are_least),
          cmocka_unit_test(groups_are_apart), cmocka_unit_test(slopes_are_those_of_differences),
          cmocka_unit_test(a_row_of_beads), cmocka_unit_test(rocking_block),
          cmocka_unit_test(painleve_rod), cmocka_unit_test(box_in_a_corner),
          cmocka_unit_test(redundant_feet), cmocka_unit_test(limits))
