// Branches of a root locus: two oscillators whose frequencies cross stay themselves.
#include "analyse/vibration/branches.h"

#include <math.h>

#include "support/check.h"

enum { STEPS = 41, MODES = 3 };

// Mode k of a step in any order: shapes e_k, turned by a phase, frequencies that cross.
static double frequency(uint32_t k, double p) {
  return k == 0 ? 1 + 4 * p : k == 1 ? 3 : 5 - 3.7 * p;
}

TEST(modes_stay_themselves_where_frequencies_cross) {
  Random random = random_start("branches");
  for (int round = 0; round < test_rounds(30); round++) {
    Locus locus = {.n = STEPS, .step = arena_array(&cx->keep, LocusStep, STEPS)};
    uint32_t hole = (uint32_t)random_below(&random, STEPS);
    for (uint32_t i = 0; i < STEPS; i++) {
      LocusStep *step = &locus.step[i];
      double p = i / (double)(STEPS - 1);
      *step = (LocusStep){.value = p, .is_found = i != hole || hole == 0};
      step->modes.count = MODES;
      step->modes.mode = arena_array(&cx->keep, Mode, MODES);
      for (uint32_t k = 0; k < MODES; k++) {
        uint32_t place = 0; // by modulus
        for (uint32_t m = 0; m < MODES; m++) place += frequency(m, p) < frequency(k, p);
        while (step->modes.mode[place].shape_re) place++; // the same frequency
        double phase = random_real(&random, 0, 6), mixed = random_real(&random, -0.2, 0.2);
        Mode *mode = &step->modes.mode[place];
        *mode = (Mode){.kind = MODE_OSCILLATION, .im = frequency(k, p), .omega = frequency(k, p)};
        mode->shape_re = arena_array(&cx->keep, double, MODES);
        mode->shape_im = arena_array(&cx->keep, double, MODES);
        for (uint32_t m = 0; m < MODES; m++) {
          double size = m == k ? 1 : mixed;
          mode->shape_re[m] = size * cos(phase), mode->shape_im[m] = size * sin(phase);
        }
      }
    }
    Branches branches = locus_branches(&locus, MODES, &cx->keep);
    assert_int_equal(branches.count, MODES);
    for (uint32_t i = 0; i < STEPS; i++)
      for (uint32_t k = 0; k < MODES; k++) {
        const Mode *mode = branch_mode(&locus, &branches, i, k);
        if (!locus.step[i].is_found) {
          assert_null(mode);
          continue;
        }
        assert_non_null(mode);
        CHECK_NEAR(mode->omega, frequency(k, locus.step[i].value), 1e-12);
      }
  }
}

RUN_TESTS(cmocka_unit_test(modes_stay_themselves_where_frequencies_cross))
