// Amplitude spectra under a Hann window, and their peaks.
#include "analyse/vibration/spectrum.h"

#include <math.h>
#include <string.h>

#include "analyse/vibration/fourier.h"

#define FEWEST_SAMPLES 8
#define SMALLEST_PEAK 0.02 // of the highest
#define DEEPEST_SADDLE 0.8 // of a peak: what does not fall below it beside it is a shoulder

static double hann(uint32_t i, uint32_t n) { return 0.5 - 0.5 * cos(2 * M_PI * (i + 0.5) / n); }

// The straight line nearest to the samples in the window's weights: value at the middle and rise.
typedef struct Trend {
  double middle, rise, weight, largest;
} Trend;

static Trend trend_of(const double *samples, uint32_t n) {
  Trend trend = {0};
  double moment = 0, inertia = 0;
  for (uint32_t i = 0; i < n; i++) {
    double w = hann(i, n), x = i - 0.5 * (n - 1);
    trend.weight += w, inertia += w * x * x;
    trend.middle += w * samples[i], moment += w * x * samples[i];
    trend.largest = fmax(trend.largest, fabs(samples[i]));
  }
  trend.middle /= trend.weight;
  trend.rise = moment / inertia;
  return trend;
}

// Windowed samples without trend, scaled to about 1, then zeros up to size; returns the scale,
// which is 0 when only rounding errors are left.
static double fill_window(const double *samples, uint32_t n, uint32_t size, float *out) {
  Trend trend = trend_of(samples, n);
  double largest = 0;
  for (uint32_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(samples[i] - trend.middle - trend.rise * (i - 0.5 * (n - 1))));
  if (!isfinite(largest) || largest <= 1e-13 * trend.largest || largest == 0) return 0;
  for (uint32_t i = 0; i < n; i++) {
    double rest = samples[i] - trend.middle - trend.rise * (i - 0.5 * (n - 1));
    out[i] = (float)(hann(i, n) * rest / largest);
  }
  memset(out + n, 0, (size - n) * sizeof *out);
  return 2 * largest / trend.weight;
}

// The top of the parabola through the logarithms of three bins.
static SpectrumPeak refine_peak(const Spectrum *s, uint32_t i) {
  double left = log(fmax(s->amplitude[i - 1], 1e-37)), middle = log(s->amplitude[i]),
         right = log(fmax(s->amplitude[i + 1], 1e-37));
  double curvature = left - 2 * middle + right;
  double shift = curvature < 0 ? 0.5 * (left - right) / curvature : 0;
  return (SpectrumPeak){.frequency = (i + shift) * s->bin,
                        .amplitude = exp(middle - 0.25 * (left - right) * shift)};
}

#define CANDIDATES 64

typedef struct PeakList {
  uint32_t n;
  SpectrumPeak at[CANDIDATES]; // highest first
} PeakList;

static void insert_peak(PeakList *list, SpectrumPeak peak) {
  uint32_t at = list->n < CANDIDATES ? list->n++ : CANDIDATES;
  for (; at > 0 && list->at[at - 1].amplitude < peak.amplitude; at--)
    if (at < CANDIDATES) list->at[at] = list->at[at - 1];
  if (at < CANDIDATES) list->at[at] = peak;
}

// A maximum counts when the curve falls well below it on both sides before it rises higher. One
// pass: the highest bin since the last deep valley is confirmed by the next one.
static void find_maxima(const Spectrum *s, PeakList *out) {
  const float *a = s->amplitude;
  float highest = 0;
  for (uint32_t i = 1; i + 1 < s->n; i++) highest = fmaxf(highest, a[i]);
  uint32_t top = 0;
  float valley = a[0];
  for (uint32_t i = 1; i + 1 < s->n; i++) {
    bool rises = a[i] > valley / DEEPEST_SADDLE && a[i] >= SMALLEST_PEAK * highest;
    if (top == 0 ? rises : a[i] > a[top]) top = i;
    valley = fminf(valley, a[i]);
    if (top && a[i] < DEEPEST_SADDLE * a[top]) {
      insert_peak(out, refine_peak(s, top));
      top = 0, valley = a[i];
    }
  }
}

// How high the side lobes of a unit peak reach at this distance, in bins of the record.
static double side_lobe(double distance) {
  double d = fmax(fabs(distance), 1.5);
  return 1 / (M_PI * d * (d * d - 1));
}

// Maxima that the window's side lobes around higher peaks do not explain.
static void find_peaks(Spectrum *s, double record) {
  PeakList list = {0};
  find_maxima(s, &list);
  for (uint32_t i = 0; i < list.n && s->peak_count < SPECTRUM_PEAKS; i++) {
    double lobes = 0;
    for (uint32_t k = 0; k < i; k++)
      lobes +=
          list.at[k].amplitude * side_lobe((list.at[k].frequency - list.at[i].frequency) * record);
    if (list.at[i].amplitude > 2 * lobes) s->peaks[s->peak_count++] = list.at[i];
  }
}

// Zeros behind the record make bins lie closer, so that peaks are found between them; long records
// have bins enough.
static uint32_t padded_length(uint32_t n) {
  return n <= 1u << 18 ? 4 * n : n <= 1u << 21 ? 2 * n : n;
}

Spectrum spectrum_from_samples(Context *cx, Arena *into, const double *samples, uint32_t n,
                               double interval) {
  Spectrum s = {0};
  if (n < FEWEST_SAMPLES || n > INT32_MAX / 4 || !(interval > 0)) return s;
  int size = fourier_size((int)padded_length(n));
  uint32_t bins = (uint32_t)size / 2 + 1;
  float *amplitude = arena_array(into, float, bins);

  Mark mark = arena_mark(&cx->scratch);
  float *window = arena_array(&cx->scratch, float, size);
  double scale = fill_window(samples, n, (uint32_t)size, window);
  if (scale > 0) {
    fourier_amplitudes(&cx->scratch, window, size, scale, amplitude);
    s = (Spectrum){.n = bins, .bin = 1 / (interval * size), .amplitude = amplitude};
    find_peaks(&s, n * interval);
  }
  arena_release(&cx->scratch, mark);
  return s;
}

SampleStore samples_new(Arena *arena) { return (SampleStore){.arena = arena}; }

static void halve_samples(SampleStore *store) {
  uint32_t half = store->values.n / 2;
  for (uint32_t i = 0; i < half; i++)
    store->values.at[i] = 0.5 * (store->values.at[2 * i] + store->values.at[2 * i + 1]);
  store->start += 0.5 * store->interval;
  store->interval *= 2;
  store->values.n = half;
}

// Grid points up to t get values on the line from the last sample to this one.
static void fill_grid(SampleStore *store, double t, double value) {
  // across a gap beside which all before is a moment, the grid is coarsened first
  while ((t - store->start) / store->interval > 64.0 * SAMPLES_MOST) halve_samples(store);
  for (;;) {
    double next = store->start + store->values.n * store->interval;
    if (next > t + 1e-6 * store->interval) return;
    double part = t > store->last_t ? (next - store->last_t) / (t - store->last_t) : 1;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    if (store->values.n == SAMPLES_MOST) {
      halve_samples(store);
      continue;
    }
    vec_push(store->arena, &store->values, store->last_value + part * (value - store->last_value));
  }
}

void samples_add(SampleStore *store, double t, double value) {
  if (!isfinite(value) || !isfinite(t - store->start)) return;
  if (store->seen == 0) {
    store->start = t;
    vec_push(store->arena, &store->values, value);
  } else if (store->interval == 0) {
    if (t > store->last_t) store->interval = t - store->last_t;
    if (store->interval > 0) fill_grid(store, t, value);
  } else {
    fill_grid(store, t, value);
  }
  store->last_t = t, store->last_value = value, store->seen++;
}
