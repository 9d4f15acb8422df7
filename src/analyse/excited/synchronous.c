// Unbalance response: the forces of a turn, and the linear system at the frequency of the turn.
#include "analyse/excited/synchronous.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/vibration/tracer.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"

enum { PHASES = 32 };

typedef struct Rotor {
  Context *cx;
  const System *system;
  const SynchronousRequest *request;
  Tracer tracer;
  bool *is_off;  // by parameter
  double *sizes; // of the drives
  Synchronous *out;
  ResponseOutput *outputs;
  uint32_t terms;  // n forces, then the outputs
  Expr *slope;     // drives x terms: by the size of the drive
  double *values;  // by variable, along the turn
  double *re, *im; // of the terms, at the last speed
  double *y_re, *y_im;
  double *full;    // by variable: parameters with the drives on
  uint32_t slower; // oscillations that are slower than the rotor turns, at the last speed
  double damping;  // of the one nearest to it
} Rotor;

static const Parameter *parameter_of(const Rotor *r, Symbol name) {
  return &r->system->model->parameters.at[model_find(r->system->model, name)->number];
}

// ---- What is out of balance

static Status check_drive(const Rotor *r, const Varied *drive, Expr p) {
  const Balance *b = &r->tracer.balance;
  bool moves_rows = false;
  for (uint32_t k = 0; k < b->m; k++)
    moves_rows = moves_rows || expr_depends(r->cx, b->rates[k], p) ||
                 expr_depends(r->cx, b->rows[k]->phi, p);
  if (!moves_rows) return QDOT_OK;
  Status status = diag_error(r->cx, QDOT_UNSUPPORTED, drive->span, "'%s' is in a constraint",
                             varied_text(r->cx, drive));
  diag_label(r->cx, "what is out of balance acts by energies and forces, as an 'unbalance' does");
  return status;
}

// How forces and outputs grow with every drive.
static Status derive_drives(Rotor *r) {
  const Balance *b = &r->tracer.balance;
  uint32_t drives = r->request->drives.n;
  r->terms = b->n + r->out->output_count;
  r->slope = arena_array(r->cx->results, Expr, (size_t)drives * r->terms + 1);
  for (uint32_t d = 0; d < drives; d++) {
    Expr p = parameter_of(r, r->request->drives.at[d].name)->symbol;
    Status status = check_drive(r, &r->request->drives.at[d], p);
    if (status != QDOT_OK) return status;
    for (uint32_t i = 0; i < b->n; i++)
      r->slope[(size_t)d * r->terms + i] = expr_diff(r->cx, b->applied[i], p);
    for (uint32_t o = 0; o < r->out->output_count; o++)
      r->slope[(size_t)d * r->terms + b->n + o] = expr_diff(r->cx, r->outputs[o].value, p);
  }
  return QDOT_OK;
}

static void set_turn(Rotor *r, double t) {
  const Steady *state = r->tracer.last;
  const System *s = r->system;
  for (uint32_t i = 0; i < r->tracer.balance.n; i++) {
    r->values[symbol_variable(r->cx, s->q[i])] = state->q[i] + state->qd[i] * t;
    r->values[symbol_variable(r->cx, s->qd[i])] = state->qd[i];
  }
  for (uint32_t k = 0; k < r->tracer.balance.m; k++)
    r->values[symbol_variable(r->cx, r->tracer.balance.rows[k]->multiplier)] = state->lambda[k];
  r->values[symbol_variable(r->cx, s->t)] = t;
}

static void set_parameters(Rotor *r) {
  const Model *model = r->system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(r->cx, model->parameters.at[i].symbol);
    r->values[at] = r->tracer.values[at];
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    uint32_t at = symbol_variable(r->cx, model->inputs.at[i].symbol);
    r->values[at] = r->tracer.values[at];
  }
}

// How large every drive is at a speed, from which it may be computed.
static void measure_drives(Rotor *r, double w) {
  const Model *model = r->system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    double own = i == r->tracer.parameter ? w : expr_eval(r->cx, p->value, r->full);
    r->full[symbol_variable(r->cx, p->symbol)] = own;
  }
  for (uint32_t d = 0; d < r->request->drives.n; d++) {
    Expr symbol = parameter_of(r, r->request->drives.at[d].name)->symbol;
    r->sizes[d] = r->full[symbol_variable(r->cx, symbol)];
  }
}

// The first harmonic of the terms over a turn; *rest is the largest of the higher ones, compared.
static void find_harmonics(Rotor *r, double w, double *rest) {
  Mark mark = arena_mark(&r->cx->scratch);
  uint32_t n = r->terms;
  double *now = arena_array(&r->cx->scratch, double, n + 1);
  double *sum = arena_array(&r->cx->scratch, double, (size_t)PHASES *n + 1);
  set_parameters(r);
  measure_drives(r, w);
  for (int k = 0; k < PHASES; k++) {
    set_turn(r, 2 * M_PI * k / PHASES / w);
    for (uint32_t d = 0; d < r->request->drives.n; d++) {
      expr_eval_many(r->cx, r->slope + (size_t)d * n, n, r->values, now);
      dense_add((int)n, r->sizes[d], now, sum + (size_t)k * n);
    }
  }
  double least = 0, most = 0;
  for (uint32_t i = 0; i < n; i++) {
    r->re[i] = r->im[i] = 0;
    for (int h = 1; h <= PHASES / 2; h++) {
      double re = 0, im = 0;
      for (int k = 0; k < PHASES; k++) {
        double angle = 2 * M_PI * ((h * k) % PHASES) / PHASES, y = sum[(size_t)k * n + i];
        re += 2.0 / PHASES * y * cos(angle), im -= 2.0 / PHASES * y * sin(angle);
      }
      if (h == 1) r->re[i] = re, r->im[i] = im;
      if (i < r->tracer.balance.n)
        *(h == 1 ? &most : &least) = fmax(h == 1 ? most : least, hypot(re, im));
    }
  }
  *rest = most > 0 ? least / most : least;
  arena_release(&r->cx->scratch, mark);
}

// ---- Coefficients along a turn

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static bool differ(const double *a, const double *b, size_t n) {
  double size = fmax(largest(a, n), largest(b, n));
  for (size_t i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= 1e-8 * size)) return true;
  return false;
}

// Does anything but the drives change along a turn? A shaft with two stiffnesses does so.
static Status check_turn(Rotor *r, double w) {
  Balance *b = &r->tracer.balance;
  Arena *arena = &r->cx->scratch;
  FullNumbers first, other;
  RowNumbers rows, other_rows;
  Steady *at = steady_new(arena, b);
  size_t n = (size_t)b->n * b->n;
  Status status = state_slopes_evaluate(b, &r->tracer.slopes, r->tracer.last, arena, &first, &rows);
  for (int k = 1; k <= 3 && status == QDOT_OK; k++) {
    steady_copy(b, r->tracer.last, at);
    for (uint32_t i = 0; i < b->n; i++) at->q[i] += at->qd[i] * 2 * M_PI / w * 0.237 * k;
    status = state_slopes_evaluate(b, &r->tracer.slopes, at, arena, &other, &other_rows);
    if (status != QDOT_OK) break;
    size_t jacobian = (size_t)(rows.holonomic + rows.nonholonomic) * b->n;
    if (!differ(first.M, other.M, n) && !differ(first.C, other.C, n) &&
        !differ(first.K, other.K, n) && !differ(rows.Phi_q, other_rows.Phi_q, jacobian))
      continue;
    status = diag_error(r->cx, QDOT_UNSUPPORTED, r->request->span,
                        "the equations change along a turn, also without what is out of balance");
    diag_label(r->cx, "simulate the rotor, or look for its periodic motion with 'orbit'");
  }
  return status;
}

// An output in a frame that turns is no harmonic of the turn.
static Status check_output(Rotor *r, double w, const ResponseOutput *output) {
  const System *s = r->system;
  uint32_t n = r->tracer.balance.n;
  Mark mark = arena_mark(&r->cx->scratch);
  Expr *slope = arena_array(&r->cx->scratch, Expr, 3 * n + 1);
  double *first = arena_array(&r->cx->scratch, double, 3 * n + 1);
  double *other = arena_array(&r->cx->scratch, double, 3 * n + 1);
  expr_gradient(r->cx, output->value, s->q, n, slope);
  expr_gradient(r->cx, output->value, s->qd, n, slope + n);
  expr_gradient(r->cx, output->value, s->qdd, n, slope + 2 * n);
  Status status = QDOT_OK;
  set_parameters(r);
  for (int k = 0; k <= 3 && status == QDOT_OK; k++) {
    set_turn(r, 2 * M_PI / w * 0.237 * k);
    expr_eval_many(r->cx, slope, 3 * n, r->values, k ? other : first);
    if (k == 0 || !differ(first, other, 3 * n)) continue;
    status = diag_error(r->cx, QDOT_UNSUPPORTED, r->request->span,
                        "the output '%s' turns with the rotor", output->name);
    diag_label(r->cx, "its response is no harmonic of the turn; ask for outputs that do not turn");
  }
  arena_release(&r->cx->scratch, mark);
  return status;
}

// ---- One speed

static void compare_modes(Rotor *r, const Modes *modes, double w) {
  double distance = INFINITY;
  r->slower = 0, r->damping = 0.05;
  for (uint32_t k = 0; k < modes->count; k++) {
    const Mode *mode = &modes->mode[k];
    if (mode->kind != MODE_OSCILLATION) continue;
    r->slower += mode->im < w;
    if (fabs(mode->im - w) >= distance) continue;
    distance = fabs(mode->im - w), r->damping = fabs(mode->damping);
  }
}

// Fills y_re, y_im of every output; false where there is no steady response.
static bool respond_at(Rotor *r, double w) {
  Mark mark = arena_mark(&r->cx->scratch), work = arena_mark(&r->tracer.balance.arena);
  uint32_t n = r->tracer.balance.n, outputs = r->out->output_count;
  Linearized l;
  double rest;
  for (uint32_t o = 0; o < outputs; o++) r->y_re[o] = r->y_im[o] = NAN;
  Modes modes;
  bool good = tracer_linearize(&r->tracer, w, &l) &&
              modes_find(&l, &r->tracer.balance.arena, &modes) == QDOT_OK;
  if (good) compare_modes(r, &modes, w);
  good = good && modes.stability != STABILITY_UNSTABLE;
  if (good) {
    l.u = arena_array(&r->cx->scratch, double, l.inputs + 1);
    for (uint32_t i = 0; i < l.inputs; i++)
      l.u[i] = r->tracer.values[symbol_variable(r->cx, r->system->model->inputs.at[i].symbol)];
    Plant plant;
    plant_open(&plant, &l, r->tracer.values, r->outputs, outputs, &r->tracer.balance.arena);
    plant_set(&plant, w);
    find_harmonics(r, w, &rest);
    for (uint32_t o = 0; o < outputs; o++) r->y_re[o] = r->re[n + o], r->y_im[o] = r->im[n + o];
    for (uint32_t i = 0; i < n; i++) {
      ResponseInput force = {NULL, true, i};
      if (r->re[i] == 0 && r->im[i] == 0) continue;
      plant_excite(&plant, &force, false);
      // a force is minus what stands on the left of the equations
      for (uint32_t o = 0; o < outputs; o++) {
        Transfer t = plant_transfer(&plant, &force, o);
        r->y_re[o] -= t.re * r->re[i] - t.im * r->im[i];
        r->y_im[o] -= t.re * r->im[i] + t.im * r->re[i];
      }
    }
  }
  arena_release(&r->tracer.balance.arena, work);
  arena_release(&r->cx->scratch, mark);
  return good;
}

// ---- Speeds

typedef struct SpeedList {
  VEC(double) at;
} SpeedList;

static void add_speed(Rotor *r, SpeedList *list, double slow, double fast, double w) {
  if (w >= slow && w <= fast) vec_push(r->cx->results, &list->at, w);
}

// The first speed between two at which an oscillation becomes slower than the rotor turns.
static double find_critical(Rotor *r, SpeedList *list, double low, double high) {
  static const double beside[] = {0.1, 0.3, 0.6, 1, 1.5, 2.5, 4, 7, 12, 20};
  double slow = low, fast = high;
  respond_at(r, low);
  uint32_t below = r->slower;
  for (int i = 0; i < 60 && high - low > 1e-13 * high; i++) {
    double middle = 0.5 * (low + high);
    respond_at(r, middle);
    *(r->slower == below ? &low : &high) = middle;
  }
  double w = 0.5 * (low + high), width = fmin(fmax(r->damping, 1e-6), 0.05);
  vec_push(r->cx->results, &r->out->critical_speeds, w);
  for (size_t i = 0; i < 2 * sizeof beside / sizeof *beside; i++)
    add_speed(r, list, slow, fast, w * (1 + (i % 2 ? width : -width) * beside[i / 2]));
  return high;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void choose_speeds(Rotor *r, double slow, double fast, uint32_t points, SpeedList *list) {
  enum { MOST_BETWEEN = 8 };
  uint32_t before = 0;
  double last = slow;
  for (uint32_t i = 0; i < points; i++) {
    double w = slow + (fast - slow) * i / (points - 1);
    context_poll(r->cx);
    if (!respond_at(r, w) && isnan(r->out->unstable_from)) r->out->unstable_from = w;
    uint32_t now = r->slower;
    for (int k = 0; i > 0 && now != before && k < MOST_BETWEEN; k++) {
      last = find_critical(r, list, last, w);
      respond_at(r, last);
      before = r->slower;
    }
    add_speed(r, list, slow, fast, w);
    before = now, last = w;
  }
  qsort(list->at.at, list->at.n, sizeof *list->at.at, ascending);
}

// ---- Peaks

static double amplitude_at(Rotor *r, double w, uint32_t o) {
  respond_at(r, w);
  return hypot(r->y_re[o], r->y_im[o]);
}

// The top between two speeds, by golden sections; where nothing damps it, it has none.
static void refine_peak(Rotor *r, double low, double high, uint32_t o) {
  const double part = 0.5 * (3 - sqrt(5));
  double a = low + part * (high - low), b = high - part * (high - low);
  double at_a = amplitude_at(r, a, o), at_b = amplitude_at(r, b, o);
  for (int i = 0; i < 80 && high - low > 1e-9 * high; i++) {
    if (at_a > at_b) {
      high = b, b = a, at_b = at_a;
      a = low + part * (high - low), at_a = amplitude_at(r, a, o);
    } else {
      low = a, a = b, at_a = at_b;
      b = high - part * (high - low), at_b = amplitude_at(r, b, o);
    }
  }
  SynchronousPeak peak = {.speed = 0.5 * (low + high)};
  peak.amplitude = amplitude_at(r, peak.speed, o);
  peak.phase_deg = atan2(r->y_im[o], r->y_re[o]) * 180 / M_PI;
  double near = amplitude_at(r, peak.speed * (1 + 1e-6), o);
  double far = amplitude_at(r, peak.speed * (1 + 1e-5), o);
  if (!(near < 5 * far)) peak.amplitude = INFINITY;
  vec_push(r->cx->results, &r->out->outputs[o].peaks, peak);
}

static void find_peaks(Rotor *r) {
  Synchronous *s = r->out;
  for (uint32_t o = 0; o < s->output_count; o++)
    for (uint32_t k = 1; k + 1 < s->n; k++) {
      double here = synchronous_amplitude(s, k, o);
      if (here > synchronous_amplitude(s, k - 1, o) && here >= synchronous_amplitude(s, k + 1, o) &&
          here > 0)
        refine_peak(r, s->speeds[k - 1], s->speeds[k + 1], o);
    }
}

// ---- The whole

static void open_rotor(Rotor *r, const ResponseOutput *outputs, uint32_t count) {
  const Model *model = r->system->model;
  Arena *arena = r->cx->results;
  r->is_off = arena_array(arena, bool, model->parameters.n + 1);
  for (uint32_t d = 0; d < r->request->drives.n; d++)
    r->is_off[model_find(model, r->request->drives.at[d].name)->number] = true;
  *r->out = (Synchronous){.speed = r->request->speed, .output_count = count, .unstable_from = NAN};
  r->out->outputs = arena_array(arena, SynchronousOutput, count + 1);
  r->outputs = arena_array(arena, ResponseOutput, count + 1);
  for (uint32_t o = 0; o < count; o++) {
    r->outputs[o] = outputs[o];
    r->out->outputs[o] = (SynchronousOutput){.name = outputs[o].name, .value = outputs[o].value};
  }
}

static Status respond(Rotor *r, double slow, double fast, uint32_t points) {
  Synchronous *s = r->out;
  uint32_t n = r->tracer.balance.n, count = s->output_count;
  Arena *arena = r->cx->results;
  Status status = derive_drives(r);
  if (status != QDOT_OK) return status;
  r->values = arena_array(arena, double, r->cx->exprs->symbols.n + 1);
  r->sizes = arena_array(arena, double, r->request->drives.n + 1);
  r->re = arena_array(arena, double, n + count + 1),
  r->im = arena_array(arena, double, n + count + 1);
  r->y_re = arena_array(arena, double, count + 1), r->y_im = arena_array(arena, double, count + 1);
  r->full = arena_array(arena, double, r->cx->exprs->symbols.n + 1);
  double middle = 0.5 * (slow + fast), rest = 0;
  respond_at(r, middle);
  status = check_turn(r, middle);
  for (uint32_t o = 0; o < count && status == QDOT_OK; o++)
    status = check_output(r, middle, &r->outputs[o]);
  if (status != QDOT_OK) return status;
  find_harmonics(r, middle, &rest);
  if (rest > 1e-9) {
    status = diag_error(r->cx, QDOT_UNSUPPORTED, r->request->span,
                        "what is out of balance does not act once a turn alone");
    diag_label(r->cx, "its forces have harmonics of %g times the first; simulate, or use 'orbit'",
               rest);
    return status;
  }
  SpeedList list = {0};
  choose_speeds(r, slow, fast, points, &list);
  s->speeds = list.at.at, s->n = list.at.n;
  s->re = arena_array(arena, double, (size_t)s->n *count + 1);
  s->im = arena_array(arena, double, (size_t)s->n *count + 1);
  for (uint32_t k = 0; k < s->n; k++) {
    context_poll(r->cx);
    respond_at(r, s->speeds[k]);
    memcpy(s->re + (size_t)k * count, r->y_re, count * sizeof *s->re);
    memcpy(s->im + (size_t)k * count, r->y_im, count * sizeof *s->im);
  }
  find_peaks(r);
  return QDOT_OK;
}

Status synchronous_respond(Context *cx, const System *system, const ResponseOutput *outputs,
                           uint32_t output_count, uint32_t points, Synchronous *out) {
  const Model *model = system->model;
  const SynchronousRequest *request = &model->requests.synchronous;
  const Requests *all = &model->requests;
  Rotor *r = arena_new(cx->results, Rotor);
  *r = (Rotor){.cx = cx, .system = system, .request = request, .out = out};
  open_rotor(r, outputs, output_count);
  Mark mark = arena_mark(&cx->scratch);
  double *own = arena_array(cx->results, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    own[symbol_variable(cx, model->parameters.at[i].symbol)] =
        expr_eval(cx, model->parameters.at[i].value, own);
  double slow = expr_eval(cx, request->slow, own), fast = expr_eval(cx, request->fast, own);
  points = points > 2 ? points : 2;
  if (slow == 0) slow = fast / points; // what does not turn is not excited
  uint32_t speed = model_find(model, request->speed)->number;
  Status status =
      tracer_open(&r->tracer, cx, system, all->linearizations.n ? &all->linearizations.at[0] : NULL,
                  speed, r->is_off, slow, fast);
  if (status == QDOT_OK) status = respond(r, slow, fast, points);
  tracer_close(&r->tracer);
  arena_release(&cx->scratch, mark);
  return status;
}

double synchronous_amplitude(const Synchronous *s, uint32_t k, uint32_t output) {
  size_t at = (size_t)k * s->output_count + output;
  return hypot(s->re[at], s->im[at]);
}

double synchronous_phase(const Synchronous *s, uint32_t k, uint32_t output) {
  size_t at = (size_t)k * s->output_count + output;
  return atan2(s->im[at], s->re[at]) * 180 / M_PI;
}
