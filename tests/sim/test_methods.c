// Every method against rk853 on every example it fits.
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/build.h"
#include "support/motion.h"

static const char *root(void) { return getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : "."; }

static const char *example;

static bool fits(const Motion *m, MethodId method) {
  const System *s = &m->system;
  bool nonholonomic = false;
  for (uint32_t i = 0; i < s->row_count; i++) nonholonomic |= s->rows[i].is_nonholonomic;
  switch (method) {
  case METHOD_NEWMARK: return s->row_count == 0 && s->contact_count == 0;
  case METHOD_VARIATIONAL:
    return s->contact_count == 0 && !nonholonomic && expr_is_zero(m->cx, s->R) &&
           strcmp(example, "stick_slip.qdot") != 0;
  default: return true;
  }
}

// The largest difference of a coordinate in the last row, relative to its size in the run.
static double difference(const Motion *a, const Motion *b) {
  uint32_t width = a->columns.n, n = a->system.n;
  double worst = 0, largest = 0;
  assert_int_equal(a->rows, b->rows);
  for (uint32_t r = 0; r < a->rows; r++)
    for (uint32_t i = 1; i <= n; i++)
      largest = fmax(largest, fabs(a->values.at[(size_t)r * width + i]));
  for (uint32_t i = 1; i <= n; i++) {
    double size = 1e-6 * largest;
    for (uint32_t r = 0; r < a->rows; r++)
      size = fmax(size, fabs(a->values.at[(size_t)r * width + i]));
    double apart = fabs(a->values.at[(size_t)(a->rows - 1) * width + i] -
                        b->values.at[(size_t)(b->rows - 1) * width + i]);
    worst = fmax(worst, apart / size);
  }
  return worst;
}

static Motion run(Context *cx, MethodId method, double rtol, double step) {
  Motion m = motion_load_file(cx, text_format(&cx->keep, "%s/examples/%s", root(), example), NULL);
  m.options.t_end = fmin(m.options.t_end, 1);
  m.options.every = m.options.t_end / 4;
  m.options.method.method = method;
  m.options.method.rtol = rtol;
  m.options.method.atol = 0;
  m.options.method.step = step * m.options.t_end;
  if (!fits(&m, method)) return m;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

static void check_adaptive(const Motion *truth, MethodId method, double allowed) {
  Motion m = run(truth->cx, method, 1e-8, 1);
  double apart = difference(truth, &m);
  if (apart > allowed) print_error("%s: %s differs by %.1e\n", example, method_name(method), apart);
  assert_true(apart <= allowed);
}

// Half the step takes the error down by the order of the method, or both are small.
static void check_fixed(const Motion *truth, MethodId method, double step) {
  Motion coarse = run(truth->cx, method, 1e-8, step);
  if (!fits(&coarse, method)) return;
  Motion fine = run(truth->cx, method, 1e-8, step / 2);
  double a = difference(truth, &coarse), b = difference(truth, &fine);
  double factor = pow(2, method_get(method)->order - 0.7);
  if (b > 1e-6 && b * factor > a)
    print_error("%s: %s differs by %.1e, with half the step by %.1e\n", example,
                method_name(method), a, b);
  assert_true(b <= 1e-6 || b * factor <= a);
}

// Where the constraints lose rank, implicit methods have no Jacobian to go on with; friction in
// joints refuses them.
static bool is_beyond_implicit_methods(const Motion *truth) {
  static const char *const names[] = {"parallelogram.qdot", "closed_loop.qdot"};
  for (int i = 0; i < 2; i++)
    if (strcmp(example, names[i]) == 0) return true;
  return truth->system.model->presses.n > 0;
}

static void compare_methods(Context *cx) {
  Motion truth = run(cx, METHOD_RK853, 1e-11, 1);
  check_adaptive(&truth, METHOD_RK45, 1e-5);
  check_adaptive(&truth, METHOD_AUTO, 1e-5);
  if (is_beyond_implicit_methods(&truth)) return;
  check_adaptive(&truth, METHOD_BDF, 1e-3);
  check_adaptive(&truth, METHOD_DAE, 1e-3);
  // events and stiffness of an explicit method hide the order
  bool smooth = truth.system.contact_count == 0;
  bool stiff = truth.summary.hint.id != REMARK_NONE;
  if (smooth && !stiff) check_fixed(&truth, METHOD_RK4, 1.0 / 4000);
  if (!smooth) return;
  double step = 1.0 / 2000;
  check_fixed(&truth, METHOD_NEWMARK, step);
  check_fixed(&truth, METHOD_ALPHA, step);
  check_fixed(&truth, METHOD_VARIATIONAL, step);
}

static void every_example(void **state) {
  (void)state;
  char path[600];
  snprintf(path, sizeof path, "%s/examples", root());
  DIR *folder = opendir(path);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".qdot") != 0) continue;
    example = entry->d_name;
    print_message("%s\n", example);
    with_context(compare_methods);
  }
  closedir(folder);
}

// One factor and one evaluation a step where the equations are linear.
TEST(linear_systems_factor_once) {
  static const MethodId methods[] = {METHOD_NEWMARK, METHOD_ALPHA};
  for (size_t i = 0; i < 2; i++) {
    const char *text = "param m = 1, k = 20, c = 0.3, L = 1, F = 1, w = 3\ncoord x = 1, y = 0\n"
                       "kinetic = 1/2*m*x'^2 + m*y'^2\npotential = 1/2*k*x^2%s + 1/2*k*(x - y)^2\n"
                       "dissipation = 1/2*c*y'^2\nforce y = F*sin(w*t)\nsimulate to 2 every 0.01\n";
    Motion linear = motion_load(cx, text_format(&cx->keep, text, ""), NULL);
    Motion other = motion_load(cx, text_format(&cx->keep, text, "*(1 + 1e-9*(x/L)^2)"), NULL);
    linear.options.method.method = other.options.method.method = methods[i];
    motion_run(&linear);
    motion_run(&other);
    assert_true(linear.summary.evaluations <= linear.summary.steps + 3);
    assert_true(other.summary.evaluations > 1.5 * (double)other.summary.steps);
    CHECK_NEAR(motion_at(&linear, 2, "x"), motion_at(&other, 2, "x"), 1e-8);
  }
}

// The largest imbalance of the energy in a part of the rows.
static double imbalance(const Motion *m, double from, double to) {
  double worst = 0, first = motion_at(m, 0, "E_tot");
  for (uint32_t r = (uint32_t)(from * m->rows); r < to * m->rows; r++)
    worst = fmax(worst, fabs(m->values.at[(size_t)(r + 1) * m->columns.n - 1] - first));
  return worst;
}

// Over thousands of swings the energy of `variational` oscillates and does not drift, with and
// without constraints; that of rk4 at the same step drifts steadily.
TEST(variational_keeps_energy) {
  static const char *const texts[] = {
      "param m = 1, g = 9.81, L = 1\ncoord a = 2\nkinetic = 1/2*m*L^2*a'^2\n"
      "potential = -m*g*L*cos(a)\nsimulate to 2000 every 0.5\n",
      "param m = 1, g = 9.81, L = 1\ncoord x = 0.8, y = 0.6\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
      "potential = m*g*y\nconstraint rod: x^2 + y^2 = L^2\nsimulate to 2000 every 0.5\n"};
  for (int i = 0; i < 2; i++) {
    Motion m = motion_load(cx, texts[i], NULL);
    m.options.method.method = METHOD_VARIATIONAL;
    m.options.method.step = 0.05;
    motion_run(&m);
    double early = imbalance(&m, 0, 0.1), late = imbalance(&m, 0.9, 1);
    m.options.method.method = METHOD_RK4;
    motion_run(&m);
    double rk4_early = imbalance(&m, 0, 0.1), rk4_late = imbalance(&m, 0.9, 1);
    print_message("variational %.1e, then %.1e; rk4 %.1e, then %.1e\n", early, late, rk4_early,
                  rk4_late);
    assert_true(late < 1.2 * early && early < 0.5);
    assert_true(rk4_late > 4 * rk4_early);
  }
}

RUN_TESTS(cmocka_unit_test(every_example), cmocka_unit_test(variational_keeps_energy),
          cmocka_unit_test(linear_systems_factor_once))
