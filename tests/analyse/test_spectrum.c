// Spectra find the frequencies and amplitudes that signals were made of.
#include "analyse/vibration/spectrum.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

static double *sines(Context *cx, uint32_t n, double interval, const SpectrumPeak *parts,
                     uint32_t part_count, double offset) {
  double *samples = arena_array(&cx->keep, double, n);
  for (uint32_t i = 0; i < n; i++) {
    samples[i] = offset;
    for (uint32_t k = 0; k < part_count; k++)
      samples[i] +=
          parts[k].amplitude * sin(2 * M_PI * parts[k].frequency * i * interval + 0.7 * k);
  }
  return samples;
}

TEST(known_frequencies_and_amplitudes_are_found) {
  Random random = random_start("spectrum");
  for (int round = 0; round < test_rounds(100); round++) {
    uint32_t n = 500 + (uint32_t)random_below(&random, 3000);
    double interval = pow(10, random_real(&random, -5, 1)), record = n * interval;
    SpectrumPeak parts[3];
    double at = 5;
    for (int k = 0; k < 3; k++) {
      at += random_real(&random, 5, 70);
      parts[k].frequency = at / record;
      parts[k].amplitude = (3 - k) * random_real(&random, 0.8, 1);
    }
    double *samples = sines(cx, n, interval, parts, 3, random_real(&random, -100, 100));
    Spectrum s = spectrum_from_samples(cx, &cx->keep, samples, n, interval);
    assert_true(s.peak_count == 3);
    for (int k = 0; k < 3; k++) {
      CHECK_NEAR(s.peaks[k].frequency * record, parts[k].frequency * record, 5e-4);
      CHECK_NEAR(s.peaks[k].amplitude, parts[k].amplitude, 0.02);
    }
  }
}

TEST(constants_lines_and_short_or_bad_records_have_no_spectrum) {
  double samples[64];
  for (int i = 0; i < 64; i++) samples[i] = 1e9;
  assert_int_equal(spectrum_from_samples(cx, &cx->keep, samples, 64, 0.1).n, 0);
  for (int i = 0; i < 64; i++) samples[i] = 3 * i - 7;
  assert_int_equal(spectrum_from_samples(cx, &cx->keep, samples, 64, 0.1).n, 0);
  samples[10] = 5;
  assert_true(spectrum_from_samples(cx, &cx->keep, samples, 64, 0.1).n > 0);
  assert_int_equal(spectrum_from_samples(cx, &cx->keep, samples, 7, 0.1).n, 0);
  assert_int_equal(spectrum_from_samples(cx, &cx->keep, samples, 64, 0).n, 0);
  samples[20] = NAN;
  assert_int_equal(spectrum_from_samples(cx, &cx->keep, samples, 64, 0.1).n, 0);
}

TEST(uneven_times_are_brought_onto_a_grid) {
  SampleStore store = samples_new(&cx->keep);
  double f = 3.3;
  for (int i = 0; i < 2000; i++) {
    double t = i * 0.01;
    samples_add(&store, t, sin(2 * M_PI * f * t));
    if (i % 37 == 5) { // rows of an event stand between those of the grid
      samples_add(&store, t + 0.004, sin(2 * M_PI * f * (t + 0.004)));
      samples_add(&store, t + 0.004, sin(2 * M_PI * f * (t + 0.004)));
    }
    if (i % 113 == 7) samples_add(&store, t + 0.005, NAN);
  }
  assert_int_equal(store.values.n, 2000);
  CHECK_NEAR(store.interval, 0.01, 1e-12);
  for (int i = 0; i < 2000; i++) CHECK_NEAR(store.values.at[i], sin(2 * M_PI * f * i * 0.01), 1e-9);
}

TEST(long_records_are_averaged_into_bounded_memory) {
  SampleStore store = samples_new(&cx->keep);
  uint32_t n = SAMPLES_MOST + 1000;
  double interval = 1e-4, f = 1.25;
  for (uint32_t i = 0; i < n; i++)
    samples_add(&store, i * interval, i % 2 ? 1 : sin(2 * M_PI * f * i * interval));
  assert_true(store.values.n <= SAMPLES_MOST);
  CHECK_NEAR(store.interval, 2 * interval, 1e-12);
  Spectrum s =
      spectrum_from_samples(cx, &cx->keep, store.values.at, store.values.n, store.interval);
  CHECK_NEAR(s.peaks[0].frequency, f, 1e-4);
  CHECK_NEAR(s.peaks[0].amplitude, 0.5, 5e-3);
}

// Before them a grid would be filled and halved for hours.
TEST(gaps_of_any_length_take_no_time) {
  SampleStore store = samples_new(&cx->keep);
  const double times[] = {0, 1e-300, 2e-300, 1e-9, 1, 1e9, 1e300, -1e308, 1e308, INFINITY};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) samples_add(&store, times[i], 1);
  assert_true(store.values.n <= SAMPLES_MOST);
  SampleStore all = samples_new(&cx->keep);
  samples_add(&all, -1e308, 1);
  samples_add(&all, 1e308, 1);
  assert_int_equal(all.values.n, 1);
}

RUN_TESTS(cmocka_unit_test(known_frequencies_and_amplitudes_are_found),
          cmocka_unit_test(constants_lines_and_short_or_bad_records_have_no_spectrum),
          cmocka_unit_test(uneven_times_are_brought_onto_a_grid),
          cmocka_unit_test(long_records_are_averaged_into_bounded_memory),
          cmocka_unit_test(gaps_of_any_length_take_no_time))
