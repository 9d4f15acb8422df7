// First-order states: closed forms, every method, constraints, kept states, random linear systems.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motion.h"

// ---- An independent route: exp(A t) by scaling and squaring of a Taylor series

enum { MOST = 12 };

static void multiply(int n, const double *a, const double *b, double *out) {
  double c[MOST * MOST];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  memcpy(out, c, sizeof(double) * (size_t)(n * n));
}

static void exponential(int n, const double *A, double t, double *out) {
  double term[MOST * MOST] = {0}, step[MOST * MOST];
  int halvings = 14;
  for (int i = 0; i < n * n; i++) step[i] = A[i] * t / (1 << halvings), out[i] = 0;
  for (int i = 0; i < n; i++) term[i * n + i] = out[i * n + i] = 1;
  for (int k = 1; k < 20; k++) {
    multiply(n, term, step, term);
    for (int i = 0; i < n * n; i++) term[i] /= k, out[i] += term[i];
  }
  for (int k = 0; k < halvings; k++) multiply(n, out, out, out);
}

// ---- A motor with a flywheel

static const char *const motor =
    "param U = 12 [V], R = 1.2 [ohm], L_m = 30 [mH], k_m = 0.05 [N*m/A], J = 2e-4 [kg*m^2]\n"
    "param c = 1e-4 [N*m*s]\n"
    "coord theta = 0 [rad]\nstate i = 0 [A]\nrate i = (U - R*i - k_m*theta')/L_m\n"
    "kinetic = 1/2*J*theta'^2\ndissipation = 1/2*c*theta'^2\nforce theta = k_m*i\n"
    "output di = i', P = U*i\n"
    "simulate to 0.5 [s] every 50 [ms] using %s\n";

// theta, theta', i, 1
static void motor_at(double t, double *out) {
  const double U = 12, R = 1.2, L = 30e-3, k = 0.05, J = 2e-4, c = 1e-4;
  const double A[16] = {0, 1, 0, 0, 0, -c / J, k / J, 0, 0, -k / L, -R / L, U / L, 0, 0, 0, 0};
  double E[16];
  exponential(4, A, t, E);
  for (int i = 0; i < 3; i++) out[i] = E[4 * i + 3];
}

TEST(a_motor_with_a_flywheel_by_every_method) {
  static const struct {
    const char *method;
    double tolerance;
  } methods[] = {{"rk853(rtol = 1e-11)", 1e-9},  {"rk45(rtol = 1e-11)", 1e-8},
                 {"rk4(step = 0.1 [ms])", 1e-6}, {"bdf(rtol = 1e-10)", 1e-6},
                 {"dae(rtol = 1e-10)", 1e-6},    {"auto(rtol = 1e-11)", 1e-8}};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    Motion m = motion_of(cx, text_format(&cx->keep, motor, methods[k].method));
    assert_int_equal(m.status, QDOT_OK);
    for (int row = 0; row < 11; row++) {
      double exact[3], t = 0.05 * row;
      motor_at(t, exact);
      CHECK_NEAR(motion_at(&m, t, "theta"), exact[0], methods[k].tolerance * 100);
      CHECK_NEAR(motion_at(&m, t, "theta'"), exact[1], methods[k].tolerance * 250);
      CHECK_NEAR(motion_at(&m, t, "i"), exact[2], methods[k].tolerance * 10);
      CHECK_NEAR(motion_at(&m, t, "di"), (12 - 1.2 * exact[2] - 0.05 * exact[1]) / 30e-3,
                 methods[k].tolerance * 1e5);
    }
    assert_true(m.summary.energy_drift < 1e-6);
  }
}

TEST(methods_of_second_order_refuse) {
  static const char *const methods[] = {"newmark(step = 1 [ms])", "alpha(step = 1 [ms])",
                                        "variational(step = 1 [ms])"};
  for (size_t k = 0; k < 3; k++) {
    Motion m = motion_load(cx, text_format(&cx->keep, motor, methods[k]), NULL);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_UNSUPPORTED);
  }
}

// Columns stand behind q and q'.
TEST(states_stand_behind_velocities) {
  Motion m = motion_of(cx, text_format(&cx->keep, motor, "rk853"));
  Columns columns = sim_columns(cx, &m.system);
  static const char *const names[] = {"t", "theta", "theta'", "i", "theta''"};
  for (uint32_t k = 0; k < 5; k++) assert_string_equal(columns.at[k].name, names[k]);
}

// ---- PID with actuator lag on a cart, against the exponential

TEST(a_controller_with_actuator_lag) {
  Motion m = motion_of(
      cx, "param m = 2 [kg], k_p = 60 [N/m], k_d = 15 [N*s/m], k_i = 30 [N/(m*s)], T = 20 [ms]\n"
          "param r = 0.1 [m], c = 1 [N*s/m]\n"
          "coord x = 0 [m]\nstate e = 0 [m*s], F = 0 [N]\nrate e = r - x\n"
          "rate F = (k_p*(r - x) - k_d*x' + k_i*e - F)/T\n"
          "kinetic = 1/2*m*x'^2\ndissipation = 1/2*c*x'^2\nforce x = F\n"
          "simulate to 3 [s] every 0.1 [s] using rk853(rtol = 1e-11)\n");
  // x, x', e, F, 1
  const double A[25] = {0,         1,        0, 0, 0, 0,   -0.5,       0,          0.5,
                        0,         -1,       0, 0, 0, 0.1, -60 / 0.02, -15 / 0.02, 30 / 0.02,
                        -1 / 0.02, 6 / 0.02, 0, 0, 0, 0,   0};
  for (int row = 0; row <= 30; row++) {
    double E[25], t = 0.1 * row;
    exponential(5, A, t, E);
    CHECK_NEAR(motion_at(&m, t, "x"), E[4], 1e-9);
    CHECK_NEAR(motion_at(&m, t, "x'"), E[9], 1e-8);
    CHECK_NEAR(motion_at(&m, t, "e"), E[14], 1e-9);
    CHECK_NEAR(motion_at(&m, t, "F"), E[19], 1e-7);
  }
}

// ---- With constraints

// A speed that follows a state: the constraint's force is what it takes, and the balance holds.
TEST(a_constraint_gives_a_speed_by_a_state) {
  static const char *const methods[] = {"rk853(rtol = 1e-10)", "rk45(rtol = 1e-10)",
                                        "bdf(rtol = 1e-9)", "dae(rtol = 1e-9)"};
  for (size_t k = 0; k < 4; k++) {
    Motion m = motion_of(cx, text_format(&cx->keep,
                                         "param m = 2 [kg], T = 0.5 [s], v_0 = 3 [m/s]\n"
                                         "coord x = 0 [m]\nstate v = 0 [m/s]\n"
                                         "rate v = (v_0 - v)/T\nkinetic = 1/2*m*x'^2\n"
                                         "constraint drive: x' = v\n"
                                         "simulate to 2 [s] every 0.1 [s] using %s\n",
                                         methods[k]));
    assert_int_equal(m.status, QDOT_OK);
    for (int row = 0; row <= 20; row++) {
      double t = 0.1 * row, decay = exp(-t / 0.5);
      CHECK_NEAR(motion_at(&m, t, "v"), 3 * (1 - decay), 1e-7);
      CHECK_NEAR(motion_at(&m, t, "x"), 3 * (t - 0.5 * (1 - decay)), 1e-7);
      CHECK_NEAR(motion_at(&m, t, "x''"), 3 / 0.5 * decay, 1e-6);
      CHECK_NEAR(motion_at(&m, t, "lambda_drive"), -2 * 3 / 0.5 * decay, 1e-5);
    }
    assert_true(m.summary.energy_drift < 1e-6);
  }
}

// A state changes a spring's rest length: what it does is work of the drives, and balances.
TEST(a_state_in_a_potential_balances) {
  Motion m = motion_of(cx, "param m = 1 [kg], k = 40 [N/m], T = 0.3 [s]\n"
                           "coord x = 0.1 [m], y = 0 [m]\nstate s = 0.2 [m]\n"
                           "rate s = (x - s)/T\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                           "let l = x - y - s\n"
                           "potential = 1/2*k*l^2 + 1/2*k*y^2\n"
                           "simulate to 5 [s] every 0.1 [s] using rk853(rtol = 1e-11)\n");
  assert_int_equal(m.status, QDOT_OK);
  assert_true(m.summary.energy_drift < 1e-9);
  assert_true(fabs(m.summary.work_drives) > 1e-3);
}

// ---- Bodies in four formulations

TEST(all_formulations_agree) {
  const char *text = "param g = 9.81 [m/s^2], k_m = 2 [N*m/A], R = 1 [ohm], L_m = 50 [mH]\n"
                     "gravity (0, -g)\n"
                     "body arm: rod 1 [m], mass 2 [kg], angle = 20 [deg]\n"
                     "body bob: rod 0.5 [m], mass 1 [kg], angle = -30 [deg]\n"
                     "joint A: revolute ground (0, 0), arm (-0.5 [m], 0)\n"
                     "joint B: revolute arm (0.5 [m], 0), bob (-0.25 [m], 0)\n"
                     "state i = 0 [A]\nrate i = (6 [V] - R*i - k_m*arm.omega)/L_m\n"
                     "torque arm = k_m*i\noutput tip = bob.y\n"
                     "simulate to 1 [s] every 0.1 [s] using rk853(rtol = 1e-11)\n";
  Motion first = motion_load_as(cx, text, NULL, FORMULATION_LAGRANGE);
  motion_run(&first);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = motion_load_as(cx, text, NULL, (Formulation)f);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    CHECK_NEAR(motion_at(&m, 1, "i"), motion_at(&first, 1, "i"), 1e-8);
    CHECK_NEAR(motion_at(&m, 1, "tip"), motion_at(&first, 1, "tip"), 1e-8);
    assert_true(m.summary.energy_drift < 1e-8);
  }
}

// ---- Random linear systems

TEST(random_linear_systems) {
  Random random = random_start("states");
  for (int round = 0; round < test_rounds(20); round++) {
    // without coordinates, too
    int n = (int)random_below(&random, 4), s = 1 + (int)random_below(&random, 3);
    int size = 2 * n + s + 1;
    double A[MOST * MOST] = {0}, start[MOST] = {0};
    Text text = text_new(&cx->keep);
    for (int i = 0; i < n; i++) {
      start[i] = random_real(&random, -1, 1), start[n + i] = random_real(&random, -1, 1);
      text_addf(&text, "coord q_%d = %.17g [m]\ncoord q_%d' = %.17g [m/s]\n", i, start[i], i,
                start[n + i]);
    }
    for (int i = 0; i < s; i++) {
      start[2 * n + i] = random_real(&random, -1, 1);
      text_addf(&text, "state s_%d = %.17g [V]\n", i, start[2 * n + i]);
    }
    start[size - 1] = 1;
    for (int i = 0; i < n; i++) {
      double mass = random_real(&random, 0.5, 2);
      text_addf(&text, "kinetic = 1/2*%.17g [kg]*q_%d'^2\n", mass, i);
      A[i * size + n + i] = 1;
      for (int j = 0; j < 2 * n + s; j++) {
        double f = random_real(&random, -2, 2);
        A[(n + i) * size + j] += f / mass;
        text_addf(&text,
                  j < n       ? "force q_%d = %.17g [N/m]*q_%d\n"
                  : j < 2 * n ? "force q_%d = %.17g [N*s/m]*q_%d'\n"
                              : "force q_%d = %.17g [N/V]*s_%d\n",
                  i, f,
                  j < n       ? j
                  : j < 2 * n ? j - n
                              : j - 2 * n);
      }
    }
    for (int i = 0; i < s; i++) {
      double constant = random_real(&random, -1, 1);
      text_addf(&text, "rate s_%d = %.17g [V/s]", i, constant);
      A[(2 * n + i) * size + size - 1] = constant;
      for (int j = 0; j < 2 * n + s; j++) {
        double f = random_real(&random, -2, 2);
        A[(2 * n + i) * size + j] = f;
        text_addf(&text,
                  j < n       ? " + %.17g [V/(m*s)]*q_%d"
                  : j < 2 * n ? " + %.17g [V/m]*q_%d'"
                              : " + %.17g [1/s]*s_%d",
                  f,
                  j < n       ? j
                  : j < 2 * n ? j - n
                              : j - 2 * n);
      }
      text_addf(&text, "\n");
    }
    text_addf(&text, "simulate to 1 [s] every 0.25 [s] using %s\n",
              round % 2 ? "rk853(rtol = 1e-11)" : "bdf(rtol = 1e-10)");
    Motion m = motion_of(cx, text.at);
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(isnan(m.summary.energy_drift), n == 0); // no energy, no balance
    double E[MOST * MOST];
    exponential(size, A, 1, E);
    for (int i = 0; i < 2 * n + s; i++) {
      double exact = 0, largest = 1;
      for (int j = 0; j < size; j++) exact += E[i * size + j] * start[j];
      for (int j = 0; j < size * size; j++) largest = fmax(largest, fabs(E[j]));
      const char *name = i < n       ? text_format(&cx->keep, "q_%d", i)
                         : i < 2 * n ? text_format(&cx->keep, "q_%d'", i - n)
                                     : text_format(&cx->keep, "s_%d", i - 2 * n);
      CHECK_NEAR(motion_at(&m, 1, name), exact, (round % 2 ? 1e-8 : 1e-6) * largest);
    }
  }
}

RUN_TESTS(cmocka_unit_test(a_motor_with_a_flywheel_by_every_method),
          cmocka_unit_test(methods_of_second_order_refuse),
          cmocka_unit_test(states_stand_behind_velocities),
          cmocka_unit_test(a_controller_with_actuator_lag),
          cmocka_unit_test(a_constraint_gives_a_speed_by_a_state),
          cmocka_unit_test(a_state_in_a_potential_balances),
          cmocka_unit_test(all_formulations_agree), cmocka_unit_test(random_linear_systems))
