// Extrema of frequency responses, bracketed around every mode and refined to rounding.
#include "analyse/vibration/resonance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define PER_DECADE 100
#define NO_TREND 1e-11 // of d ln|H| / d ln w: rounding
#define MOST_ROUNDS 200
#define UNDAMPED 1e-9  // damping ratio
#define NARROWEST 1e-9 // width of a peak relative to its frequency
#define AT_POLE 1e-8   // relative distance at which a pole on the axis outweighs the rest
#define HALF_POWER 0.70710678118654752
#define NO_SINE 1e-11 // of a phase: rounding of an undamped response

double transfer_phase(double re, double im) {
  if (fabs(im) < 1e-13 * fabs(re)) im = 0;
  return im == 0 ? re < 0 ? -180 : 0 : atan2(im, re) * 180 / M_PI;
}

typedef struct Search {
  Plant *plant;
  const Modes *modes;
  const ResponseInput *input;
  uint32_t output;
  double level; // of the gain, for crossings
} Search;

// ---- The curve

static Transfer transfer_at(const Search *s, double w) {
  plant_set(s->plant, w);
  plant_excite(s->plant, s->input, true);
  return plant_transfer(s->plant, s->input, s->output);
}

static double gain_of(Transfer t) { return hypot(t.re, t.im); }

// d ln|H| / d ln w
static double trend_of(Transfer t, double w) {
  double gain = gain_of(t);
  return w * (t.re / gain * (t.slope_re / gain) + t.im / gain * (t.slope_im / gain));
}

static double trend_at(const Search *s, double w) { return trend_of(transfer_at(s, w), w); }

static double above_level(const Search *s, double w) {
  return gain_of(transfer_at(s, w)) / s->level - 1;
}

// The root between a and b, where f has different signs: the secant of Illinois, and halves where
// that is slow.
static double root_between(const Search *s, double (*f)(const Search *, double), double a,
                           double fa, double b, double fb) {
  for (int i = 0; i < MOST_ROUNDS && fabs(b - a) > 2 * DBL_EPSILON * fabs(b); i++) {
    double x =
        i % 3 == 2 || !isfinite(fa) || !isfinite(fb) ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
    if (!(x > fmin(a, b) && x < fmax(a, b))) x = 0.5 * (a + b);
    if (x == a || x == b) break;
    double fx = f(s, x);
    if (fx == 0 || isnan(fx)) return x;
    if ((fx > 0) != (fb > 0))
      a = b, fa = fb;
    else if (i % 3 != 2)
      fa *= 0.5;
    b = x, fb = fx;
  }
  return fabs(fa) < fabs(fb) ? a : b;
}

// ---- Where to look

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

// Fixed frequencies, a step beyond both ends, and five around each mode: a peak is as wide as its
// damping.
static uint32_t choose_samples(const Modes *modes, double from, double to, Arena *arena,
                               double **out) {
  static const double beside[] = {-3, -0.7, 0, 0.7, 3};
  enum { BESIDE = sizeof beside / sizeof *beside };
  double first = floor(PER_DECADE * log10(from)) - 1, last = ceil(PER_DECADE * log10(to)) + 1;
  double *w = arena_array(arena, double, (size_t)(last - first) + 2 + BESIDE * modes->count);
  uint32_t n = 0;
  for (double k = first; k <= last; k++) w[n++] = 2 * M_PI * pow(10, k / PER_DECADE);
  double low = w[0], high = w[n - 1];
  for (uint32_t k = 0; k < modes->count; k++) {
    const Mode *mode = &modes->mode[k];
    double width = fmax(fabs(mode->re), NARROWEST * mode->im);
    for (int i = 0; mode->kind == MODE_OSCILLATION && i < BESIDE; i++) {
      double at = mode->im + width * beside[i];
      if (at > low && at < high) w[n++] = at;
    }
  }
  qsort(w, n, sizeof *w, ascending);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++)
    if (kept == 0 || w[i] > w[kept - 1]) w[kept++] = w[i];
  *out = w;
  return kept;
}

// ---- What is there

// The distance of the nearest eigenvalue: the curve bends on this scale.
static double bend_at(const Modes *modes, double w) {
  double nearest = w;
  for (uint32_t k = 0; k < modes->eigenvalue_count; k++) {
    const double *e = modes->eigenvalue[k];
    nearest = fmin(nearest, hypot(e[0], e[1] - w));
  }
  return fmax(nearest, 1e-12 * w);
}

// Where the gain has fallen to the level on one side; NaN when it rises again before.
static double fall_from(Search *s, double w, double gain, double direction) {
  double step = 0.25 * bend_at(s->modes, w), before = w, last = gain;
  for (int i = 0; i < MOST_ROUNDS; i++, step *= 1.25) {
    double at = fmax(w + direction * step, 0);
    double here = gain_of(transfer_at(s, at));
    if (!(here <= last * (1 + 1e-12))) return NAN;
    if (here <= s->level)
      return root_between(s, above_level, before, last / s->level - 1, at, here / s->level - 1);
    if (at == 0) return NAN;
    before = at, last = here;
  }
  return NAN;
}

static bool is_pole(const Search *s, const Mode *mode) {
  double below = trend_at(s, mode->im * (1 - AT_POLE)),
         above = trend_at(s, mode->im * (1 + AT_POLE));
  return below * AT_POLE > 0.5 && above * AT_POLE < -0.5;
}

// The undamped mode between a and b that this output shows; NULL where there is none.
static const Mode *pole_between(const Search *s, double a, double b) {
  for (uint32_t k = 0; k < s->modes->count; k++) {
    const Mode *mode = &s->modes->mode[k];
    bool here = mode->im >= a * (1 - 1e-12) && mode->im <= b * (1 + 1e-12);
    bool undamped = mode->kind == MODE_OSCILLATION && fabs(mode->damping) < UNDAMPED;
    if (here && undamped && is_pole(s, mode)) return mode;
  }
  return NULL;
}

static Extremum resonance_between(Search *s, double a, double fa, double b, double fb) {
  Extremum e = {.low = NAN, .high = NAN};
  const Mode *mode = pole_between(s, a, b);
  if (mode) {
    e.hz = mode->im / (2 * M_PI), e.gain = INFINITY, e.phase_deg = NAN, e.is_unlimited = true;
    return e;
  }
  double w = root_between(s, trend_at, a, fa, b, fb);
  Transfer t = transfer_at(s, w);
  e.hz = w / (2 * M_PI), e.gain = gain_of(t), e.phase_deg = transfer_phase(t.re, t.im);
  s->level = HALF_POWER * e.gain;
  e.low = fall_from(s, w, e.gain, -1) / (2 * M_PI);
  e.high = fall_from(s, w, e.gain, 1) / (2 * M_PI);
  return e;
}

static Extremum antiresonance_between(Search *s, double a, double fa, double b, double fb) {
  double w = root_between(s, trend_at, a, fa, b, fb);
  Transfer t = transfer_at(s, w);
  Extremum e = {.hz = w / (2 * M_PI), .gain = gain_of(t), .low = NAN, .high = NAN};
  e.phase_deg = transfer_phase(t.re, t.im);
  // a zero on the axis: what is left is rounding, and so is its phase
  if (e.gain <= 1e-10 * w * hypot(t.slope_re, t.slope_im)) e.gain = 0, e.phase_deg = NAN;
  return e;
}

static void find_extrema(Search *s, const double *w, const double *trend, uint32_t n, size_t stride,
                         double from, double to, Arena *arena, Extrema *out) {
  uint32_t last = UINT32_MAX; // the sample before that rises or falls
  for (uint32_t i = 0; i < n; i++) {
    double here = trend[i * stride];
    if (!(fabs(here) > NO_TREND)) continue;
    double before = last < n ? trend[last * stride] : 0;
    if (before * here < 0) {
      context_poll(s->plant->l.cx);
      Extremum e = before > 0 ? resonance_between(s, w[last], before, w[i], here)
                              : antiresonance_between(s, w[last], before, w[i], here);
      ExtremumList *list = before > 0 ? &out->resonances : &out->antiresonances;
      if (e.hz >= from && e.hz <= to) vec_push(arena, list, e);
    }
    last = i;
  }
}

// ---- Crossings

double crossing_gain_margin(const Crossing *c) { return 1 / c->gain; }

double crossing_phase_margin(const Crossing *c) {
  return c->phase_deg > 0 ? c->phase_deg - 180 : c->phase_deg + 180;
}

// The sine of the phase; 0 where only rounding is left of it.
static double sine_of(Transfer t) {
  double sine = t.im / gain_of(t);
  return fabs(sine) > NO_SINE ? sine : 0;
}

static double sine_at(const Search *s, double w) { return sine_of(transfer_at(s, w)); }

static void add_crossing(const Search *s, double w, double from, double to, Arena *arena,
                         CrossingList *list) {
  Transfer t = transfer_at(s, w);
  Crossing c = {w / (2 * M_PI), gain_of(t), transfer_phase(t.re, t.im)};
  if (isfinite(c.gain) && c.hz >= from && c.hz <= to) vec_push(arena, list, c);
}

// Between two neighbouring samples. The phase passes -180 degrees where the sine changes its sign
// and the real part, negative, does not: at a pole it would.
static void find_crossings(Search *s, double a, Transfer ta, double b, Transfer tb, double from,
                           double to, Arena *arena, Extrema *out) {
  double above = gain_of(ta) - 1, here = gain_of(tb) - 1;
  s->level = 1;
  if (above * here < 0)
    add_crossing(s, root_between(s, above_level, a, above, b, here), from, to, arena,
                 &out->gain_crossings);
  double before = sine_of(ta), after = sine_of(tb);
  if (before * after < 0 && ta.re < 0 && tb.re < 0)
    add_crossing(s, root_between(s, sine_at, a, before, b, after), from, to, arena,
                 &out->phase_crossings);
}

Extrema *resonances_find(Plant *plant, const Modes *modes, const ResponseInput *inputs,
                         uint32_t input_count, uint32_t output_count, double from, double to,
                         Arena *arena) {
  Context *cx = plant->l.cx;
  size_t pairs = (size_t)input_count * output_count;
  Extrema *out = arena_array(arena, Extrema, pairs + 1);
  Mark mark = arena_mark(&cx->scratch);
  double *w;
  uint32_t n = choose_samples(modes, from, to, &cx->scratch, &w);
  double *trend = arena_array(&cx->scratch, double, n *pairs + 1);
  Transfer *curve = arena_array(&cx->scratch, Transfer, n * pairs + 1);
  for (uint32_t k = 0; k < n; k++) {
    context_poll(cx);
    plant_set(plant, w[k]);
    for (uint32_t i = 0; i < input_count; i++) {
      plant_excite(plant, &inputs[i], true);
      for (uint32_t o = 0; o < output_count; o++) {
        size_t at = k * pairs + (size_t)o * input_count + i;
        curve[at] = plant_transfer(plant, &inputs[i], o);
        trend[at] = trend_of(curve[at], w[k]);
      }
    }
  }
  for (uint32_t o = 0; o < output_count; o++)
    for (uint32_t i = 0; i < input_count; i++) {
      Search s = {.plant = plant, .modes = modes, .input = &inputs[i], .output = o};
      size_t pair = (size_t)o * input_count + i;
      find_extrema(&s, w, trend + pair, n, pairs, from, to, arena, &out[pair]);
      for (uint32_t k = 1; k < n; k++)
        find_crossings(&s, w[k - 1], curve[(k - 1) * pairs + pair], w[k], curve[k * pairs + pair],
                       from, to, arena, &out[pair]);
    }
  arena_release(&cx->scratch, mark);
  return out;
}
