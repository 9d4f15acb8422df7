// Natural frequencies by eigenvalues and by the spectrum of a simulated motion: two roads to the
// same numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/vibration/modes.h"
#include "analyse/vibration/spectrum.h"
#include "model/values.h"
#include "support/motion.h"

static Motion example(Context *cx, const char *name) {
  const char *root = getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : ".";
  return motion_load_file(cx, text_format(&cx->keep, "%s/examples/%s.qdot", root, name), NULL);
}

static Modes modes_of(Context *cx, Motion *m) {
  const Model *model = m->system.model;
  Linearized *l = arena_new(&cx->keep, Linearized);
  LinearizeOptions how = {.request = &model->requests.linearizations.at[0]};
  double *values;
  Modes modes;
  derive_matrices(cx, &m->system);
  assert_int_equal(model_values(cx, model, &cx->keep, &values), QDOT_OK);
  assert_int_equal(linearize_system(cx, &m->system, values, &how, l), QDOT_OK);
  assert_int_equal(modes_find(l, &cx->keep, &modes), QDOT_OK);
  return modes;
}

static uint32_t column_of(const Motion *m, const char *name) {
  for (uint32_t i = 0; i < m->columns.n; i++)
    if (strcmp(m->columns.at[i].name, name) == 0) return i;
  fail_msg("no column %s", name);
  return 0;
}

static Spectrum spectrum_of(Context *cx, const Motion *m, const char *name) {
  uint32_t column = column_of(m, name);
  double *samples = arena_array(&cx->keep, double, m->rows);
  for (uint32_t i = 0; i < m->rows; i++) samples[i] = m->values.at[i * m->columns.n + column];
  return spectrum_from_samples(cx, &cx->keep, samples, m->rows, m->options.every);
}

// Every natural frequency is a peak of some signal, and no peak is anything else.
static void check_peaks(Context *cx, const Motion *m, const Modes *modes, const char *const *names,
                        uint32_t n, double tolerance) {
  bool met[8] = {false};
  for (uint32_t i = 0; i < n; i++) {
    Spectrum s = spectrum_of(cx, m, names[i]);
    assert_true(s.peak_count > 0);
    for (uint32_t k = 0; k < s.peak_count; k++) {
      uint32_t nearest = 0;
      for (uint32_t j = 0; j < modes->count; j++)
        if (fabs(modes->mode[j].hz - s.peaks[k].frequency) <
            fabs(modes->mode[nearest].hz - s.peaks[k].frequency))
          nearest = j;
      // what is left of the window's slopes is no peak of the motion
      if (s.peaks[k].amplitude < 1e-3 * s.peaks[0].amplitude) continue;
      CHECK_NEAR(s.peaks[k].frequency, modes->mode[nearest].hz, tolerance);
      met[nearest] = true;
    }
  }
  for (uint32_t j = 0; j < modes->count; j++)
    assert_true(met[j] || modes->mode[j].kind != MODE_OSCILLATION);
}

static void run_exactly(Context *cx, Motion *m, double t_end, double every) {
  SimOverrides over = sim_overrides();
  over.method = "rk853", over.rtol = 1e-10, over.t_end = t_end, over.every = every;
  assert_int_equal(sim_override(cx, &over, &m->options), QDOT_OK);
  motion_run(m);
  assert_int_equal(m->status, QDOT_OK);
}

static void check_hz(const Modes *modes, const double *hz, uint32_t n) {
  assert_int_equal(modes->count, n);
  for (uint32_t i = 0; i < n; i++) CHECK_NEAR(modes->mode[i].hz, hz[i], 1e-12);
}

TEST(two_bodies_on_three_springs) {
  Motion m = example(cx, "rod_springs");
  run_exactly(cx, &m, 40, 0.01);
  Modes modes = modes_of(cx, &m);
  const double hz[] = {1.783491973186296, 6.26221748538431, 8.841719124791796};
  check_hz(&modes, hz, 3);
  check_peaks(cx, &m, &modes, (const char *[]){"q_1''", "q_2''", "q_3''"}, 3, 2e-4);
}

TEST(gear_drive_train) {
  Motion m = example(cx, "drive_train");
  run_exactly(cx, &m, 0.2, 5e-5);
  Modes modes = modes_of(cx, &m);
  const double hz[] = {0, 499.7612751252578, 912.3200255841017, 1913.187571890058};
  check_hz(&modes, hz, 4);
  check_peaks(cx, &m, &modes, (const char *[]){"theta_1''", "theta_2''", "theta_3''", "theta_4''"},
              4, 2e-4);
}

// The paper's step of 1 ms shows other frequencies: atan(w h/2)/(pi h) instead of w/(2 pi).
TEST(newmark_at_one_millisecond_shows_its_own_frequencies) {
  Motion m = example(cx, "drive_train");
  m.options.t_end = 4;
  m.options.every = 1e-3;
  m.options.method.step = 1e-3;
  m.options.has_step = true;
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  Modes modes = modes_of(cx, &m);
  for (uint32_t j = 0; j < modes.count; j++)
    modes.mode[j].hz = atan(modes.mode[j].omega * 0.5e-3) / (M_PI * 1e-3);
  CHECK_NEAR(modes.mode[1].hz, 319.47759162892, 1e-12);
  check_peaks(cx, &m, &modes, (const char *[]){"theta_1''", "theta_2''", "theta_3''", "theta_4''"},
              4, 2e-4);
}

RUN_TESTS(cmocka_unit_test(two_bodies_on_three_springs), cmocka_unit_test(gear_drive_train),
          cmocka_unit_test(newmark_at_one_millisecond_shows_its_own_frequencies))
