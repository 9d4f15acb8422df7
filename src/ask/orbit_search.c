// Periodic motions by shooting: x(T; x_0) = x_0, Newton's steps with the slopes of the run.
#include "ask/orbit.h"

#include <math.h>
#include <string.h>

#include "ask/orbit_shoot.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "sim/direction_rates.h"
#include "sim/run_source.h"

enum { MOST_RETURNS = 64, MOST_TRIED = 3, MOST_AGAIN = 4 };
// Where a search begins, as a part of the period behind the start, if events lie next to that.
static const double LATER = 0.35;
static const double AT_REST = 1e-6; // of the size of the state: what moves less stands
static const double PASSES = 1e-7;  // the same: the motion from the start itself repeats
static const double MAY_PASS = 0.05;

// ---- The state

const char *orbit_name(const Orbit *o, uint32_t i) {
  uint32_t n = o->model->coordinates.n, moving = 2 * n + o->model->states.n;
  if (i >= moving) return symbol_text(o->cx, o->model->inputs.at[o->assigned[i - moving]].name);
  if (i >= 2 * n) return symbol_text(o->cx, o->model->states.at[i - 2 * n].name);
  const char *name = symbol_text(o->cx, o->model->coordinates.at[i % n].name);
  return i < n ? name : text_format(&o->cx->scratch, "%s'", name);
}

// Does it come back only if somebody sees to it? What a sample assigns at once does so by itself.
static bool is_kept(const Model *model, const Input *input) {
  if (!input->is_assigned || input->is_memory) return input->is_assigned;
  for (uint32_t i = 0; i < model->samplings.n; i++)
    for (uint32_t k = 0; k < model->samplings.at[i].count; k++)
      if (model->assignments.at[model->samplings.at[i].first + k].target == input->symbol)
        return false;
  return true;
}

static void list_state(Shooting *s, const System *system) {
  Orbit *o = s->orbit;
  const Model *model = o->model;
  Arena *keep = o->cx->results;
  s->moving = 2 * system->n + system->states;
  s->places = arena_array(keep, uint32_t, s->moving + model->inputs.n);
  uint32_t *assigned = arena_array(keep, uint32_t, model->inputs.n + 1);
  for (uint32_t i = 0; i < s->moving; i++) s->places[i] = model->parameters.n + model->inputs.n + i;
  o->state = s->moving;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (is_kept(model, &model->inputs.at[i])) {
      assigned[o->state - s->moving] = i;
      s->places[o->state++] = model->parameters.n + i;
    }
  o->assigned = assigned;
}

// ---- The start

// Where joined bodies start.
static Status assembled_start(Shooting *s, double *x) {
  Machine *m = &s->rerun.simulation.run.machine;
  m->start_is_guess = false;
  Status status = rerun_start(&s->rerun, NULL, NULL, 0, x);
  m->start_is_guess = true;
  if (status == QDOT_OK) return QDOT_OK;
  return diag_error(s->orbit->cx, status, s->orbit->request->span,
                    "the bodies have no start there: %s", s->rerun.why);
}

static void give(Shooting *s, uint32_t place, double value, double *x) {
  for (uint32_t i = 0; i < s->orbit->state; i++)
    if (s->places[i] == place) {
      x[i] = value;
      return;
    }
  s->rerun.given[place] = value; // where a body starts
}

// With constraints the rest follows what is named, where it can; else all of it is a guess.
static void start_by_names(Shooting *s, const uint32_t *named, uint32_t count, double *x) {
  Machine *m = &s->rerun.simulation.run.machine;
  Arena *scratch = &s->orbit->cx->scratch;
  Mark mark = arena_mark(scratch);
  uint32_t *places = arena_array(scratch, uint32_t, count + 1);
  double *values = arena_array(scratch, double, count + 1);
  double *start = arena_array(scratch, double, s->moving + 1);
  for (uint32_t k = 0; k < count; k++) places[k] = s->places[named[k]], values[k] = x[named[k]];
  m->start_is_guess = false;
  if (rerun_start(&s->rerun, places, values, count, start) == QDOT_OK)
    memcpy(x, start, 2 * (size_t)m->n * sizeof *x);
  m->start_is_guess = true;
  arena_release(scratch, mark);
}

static Status guess(Shooting *s, double *x) {
  Orbit *o = s->orbit;
  const Model *model = o->model;
  for (uint32_t i = 0; i < o->state; i++) {
    x[i] = rerun_given(&s->rerun, s->places[i]);
    bool is_coordinate = i < model->coordinates.n;
    const Measure *measure = is_coordinate ? &model->coordinates.at[i].measure : NULL;
    s->is_angle[i] = measure && measure->is_known && dimension_is_pure(measure->dimension);
    s->size[i] = 1;
  }
  uint32_t *named = arena_array(o->cx->results, uint32_t, o->request->starts.n + 1), count = 0;
  for (uint32_t k = 0; k < o->request->starts.n; k++) {
    const OrbitStart *start = &o->request->starts.at[k];
    int place = directions_place(o->cx, model, &start->varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    give(s, (uint32_t)place, expr_eval(o->cx, start->value, s->rerun.simulation.run.machine.values),
         x);
    for (uint32_t i = 0; i < s->moving; i++)
      if (s->places[i] == (uint32_t)place) named[count++] = i;
  }
  s->rerun.simulation.run.machine.start_is_guess = true;
  if (model->assembly) return assembled_start(s, x);
  if (s->rerun.simulation.run.machine.problem.m > 0) start_by_names(s, named, count, x);
  return QDOT_OK;
}

// ---- One search

// How far a motion of period T goes from its start.
static Status find_extent(Shooting *s, const double *x, double T, double *extent) {
  Status status = orbit_watch(s, x, T);
  *extent = 0;
  for (uint32_t k = 1; status == QDOT_OK && k < ORBIT_LOOKS; k++)
    *extent = fmax(*extent, orbit_distance(s, orbit_seen(s, k), s->seen));
  return status;
}

// A motion that repeats after T may repeat after a part of it: of the forces' periods, or any.
static Status find_least_period(Shooting *s, double forced, double *x, double *T) {
  static const uint32_t parts[] = {2, 3, 5, 7};
  Orbit *o = s->orbit;
  Status status = QDOT_OK;
  o->periods = forced > 0 ? (uint32_t)nearbyint(*T / forced) : 1;
  bool shorter = o->residual <= ORBIT_CLOSED;
  while (shorter && status == QDOT_OK) {
    shorter = false;
    for (size_t i = 0; !shorter && i < sizeof parts / sizeof *parts; i++) {
      if (forced > 0 && o->periods % parts[i] != 0) continue;
      status = orbit_shoot(s, x, *T / parts[i]);
      if (status != QDOT_OK) return status;
      shorter = orbit_miss(s) < (forced > 0 ? 1 : 100) * ORBIT_CLOSED;
      if (!shorter) continue;
      *T /= parts[i];
      o->periods /= forced > 0 ? parts[i] : 1;
      status = orbit_close(s, x, T);
    }
  }
  return status == QDOT_OK ? orbit_shoot(s, x, *T) : status;
}

typedef struct Found {
  double *x, T, residual;
  bool is_later; // x is not near the named start, but later on the motion
  bool is_rest;
  double *rest, rest_T; // where it stands, and for which time it was looked at
} Found;

static Found found_new(const Orbit *o) {
  Arena *keep = o->cx->results;
  return (Found){.x = arena_array(keep, double, o->state),
                 .rest = arena_array(keep, double, o->state),
                 .residual = INFINITY};
}

// What is driven and rests all the same has multipliers of its own, as Mathieu's pendulum.
static void take_rest(Orbit *o, Found *best) {
  if (!o->is_forced || !best->is_rest || best->residual <= ORBIT_CLOSED) return;
  best->x = best->rest, best->T = best->rest_T;
  best->residual = 0;
  o->is_rest = true;
}

// From x, which is moved; what is better than before is kept.
static Status search_from(Shooting *s, double *x, double T, bool is_later, Found *best) {
  Orbit *o = s->orbit;
  double extent = 0;
  o->residual = INFINITY;
  Status status = orbit_close(s, x, &T);
  if (status != QDOT_OK && status != QDOT_STOPPED) return status;
  bool closed = o->residual <= ORBIT_CLOSED;
  if (closed && status == QDOT_OK) status = find_extent(s, x, T, &extent);
  bool is_rest = closed && extent < AT_REST;
  best->is_rest |= is_rest;
  if (is_rest) {
    memcpy(best->rest, x, o->state * sizeof *x);
    best->rest_T = T;
  }
  if (!is_rest && o->residual < best->residual) {
    memcpy(best->x, x, o->state * sizeof *x);
    best->T = T;
    best->residual = o->residual;
    best->is_later = is_later;
  }
  return status;
}

// The motion from the named start itself may repeat: one of a family.
static Status search_through(Shooting *s, const double *x, const Return *returns, uint32_t n,
                             Found *best) {
  double *start = arena_array(s->orbit->cx->results, double, s->orbit->state);
  for (uint32_t k = 0; k < n; k++) {
    if (returns[k].miss > MAY_PASS) continue;
    double T = returns[k].T;
    memcpy(start, x, s->orbit->state * sizeof *x);
    Status status = orbit_time(s, start, &T);
    if (status == QDOT_STOPPED) return status;
    if (status != QDOT_OK || orbit_miss(s) > PASSES) continue;
    return search_from(s, start, T, false, best);
  }
  return QDOT_OK;
}

static Status search(Shooting *s, const double *near, double end, const Return *returns, uint32_t n,
                     Found *best) {
  Orbit *o = s->orbit;
  Arena *keep = o->cx->results;
  double *x = arena_array(keep, double, o->state), *later = arena_array(keep, double, o->state);
  bool at_event[MOST_RETURNS];
  double *seen = arena_array(keep, double, (size_t)MOST_RETURNS * o->state);
  for (uint32_t k = 0; k < n; k++) { // of the first run
    at_event[k] = orbit_begins_at_event(s, returns[k].T);
    uint32_t look = (uint32_t)(LATER * returns[k].T / end * (ORBIT_LOOKS - 1));
    memcpy(seen + (size_t)k * o->state, orbit_seen(s, look), o->state * sizeof *x);
  }
  Status status = n > 0 && !at_event[0] ? search_through(s, near, returns, n, best) : QDOT_OK;
  for (uint32_t k = 0; k < n && k < MOST_TRIED && best->residual > ORBIT_CLOSED; k++) {
    memcpy(x, near, o->state * sizeof *x);
    memcpy(later, seen + (size_t)k * o->state, o->state * sizeof *x);
    if (status == QDOT_STOPPED) return status;
    if (o->is_forced || !at_event[k]) status = search_from(s, x, returns[k].T, false, best);
    if (status == QDOT_STOPPED || o->is_forced || best->residual <= ORBIT_CLOSED) continue;
    status = search_from(s, later, returns[k].T, true, best);
  }
  return isfinite(best->residual) || best->is_rest ? QDOT_OK : status;
}

// Times of forced motions are whole periods of the forces; each once.
static uint32_t whole_periods(double forced, Return *returns, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    returns[k].T = forced * fmax(1, nearbyint(returns[k].T / forced));
    returns[k].miss = 0; // at another time than it was seen
    if (kept == 0 || returns[kept - 1].T < returns[k].T) returns[kept++] = returns[k];
  }
  if (kept == 0) returns[kept++] = (Return){forced, 0};
  return kept;
}

// A search that ends on its way begins again where it has ended: there the motion has another
// extent, comes back at other times, and what it is measured by is another.
static Status search_again(Shooting *s, double forced, double end, Found *best) {
  Orbit *o = s->orbit;
  double *from = arena_array(o->cx->results, double, o->state);
  Status status = QDOT_OK;
  for (int round = 0; round < MOST_AGAIN && status == QDOT_OK; round++) {
    double before = best->residual, until = fmax(end, 2 * best->T);
    bool goes_on = isfinite(before) && before > ORBIT_CLOSED && !(s->stop && *s->stop);
    if (!goes_on) break;
    Return returns[MOST_RETURNS];
    memcpy(from, best->x, o->state * sizeof *from);
    uint32_t n = orbit_returns(s, from, &until, returns, MOST_RETURNS);
    if (o->is_forced) n = whole_periods(forced, returns, n);
    if (n == 0) returns[n++] = (Return){best->T, 0};
    memcpy(from, s->seen, s->moving * sizeof *from);
    Found found = found_new(o);
    status = search(s, from, until, returns, n, &found);
    if (!(found.residual < before)) break;
    found.is_later = true;
    *best = found;
  }
  return status;
}

// ---- The whole

// A state of rest repeats itself after any time.
static Status is_rest(const Orbit *o) {
  Status status =
      diag_error(o->cx, QDOT_NO_CONVERGENCE, o->request->span,
                 "from there the search ends in an equilibrium, which is no periodic motion");
  diag_note(o->cx, "a periodic motion needs something that drives it, or nothing that brakes it; a "
                   "start nearer to one may lead to it");
  return status;
}

// The run from the named start is not whole, or does not come back.
static Status no_return(const Shooting *s, double end) {
  const Orbit *o = s->orbit;
  if (s->taken < ORBIT_LOOKS && s->rerun.why[0])
    return diag_error(o->cx, QDOT_NO_CONVERGENCE, o->request->span, "the run from there fails: %s",
                      s->rerun.why);
  Status status = diag_error(o->cx, QDOT_NO_CONVERGENCE, o->request->span,
                             "the motion does not come back near its start within %g s", end);
  diag_note(o->cx, "a start nearer to the periodic motion, or a later end of the run, may help");
  return status;
}

// The place of the orbit that is nearest to the guess.
static Status nearest_start(Shooting *s, const double *near, double *x) {
  Orbit *o = s->orbit;
  uint32_t best = 0;
  Status status = orbit_watch(s, x, o->period);
  if (status != QDOT_OK) return status;
  for (uint32_t k = 1; k < ORBIT_LOOKS; k++)
    if (orbit_distance(s, orbit_seen(s, k), near) < orbit_distance(s, orbit_seen(s, best), near))
      best = k;
  if (best == 0 || best == ORBIT_LOOKS - 1) return QDOT_OK;
  double t = s->times[best], least = orbit_distance(s, orbit_seen(s, best), near);
  double *found = arena_array(o->cx->results, double, o->state);
  memcpy(found, orbit_seen(s, best), o->state * sizeof *x);
  for (int round = 0; round < 3; round++) {
    double *from = arena_array(o->cx->results, double, o->state), along = 0, speed = 0;
    memcpy(from, x, o->state * sizeof *x);
    status = orbit_shoot(s, from, t);
    if (status != QDOT_OK) return status;
    const double *at = orbit_seen(s, 1);
    if (orbit_distance(s, at, near) <= least) {
      least = orbit_distance(s, at, near);
      memcpy(found, at, o->state * sizeof *x);
    }
    for (uint32_t i = 0; i < o->state; i++) {
      double off = at[i] - near[i], w = 1 / (s->size[i] * s->size[i]);
      if (s->is_angle[i]) off = remainder(off, 2 * M_PI);
      along += w * off * s->rate[i], speed += w * s->rate[i] * s->rate[i];
    }
    if (!(speed > 0) || fabs(along / speed) > 2 * s->times[1]) break;
    t -= along / speed;
  }
  memcpy(x, found, o->state * sizeof *x);
  return QDOT_OK;
}

static Status refuse_delays(const Orbit *o) {
  for (uint32_t i = 0; i < o->model->samplings.n; i++)
    if (o->model->samplings.at[i].delay) {
      Status status = diag_error(o->cx, QDOT_UNSUPPORTED, o->request->span,
                                 "a delayed sample has values on their way, which an orbit does "
                                 "not follow");
      diag_note(o->cx, "a memory that hands on the value of the last sample delays by a period");
      return status;
    }
  return QDOT_OK;
}

static Status refuse_drive(const Orbit *o) {
  Status status = diag_error(o->cx, QDOT_UNSUPPORTED, o->request->span,
                             "the period of what depends on time cannot be told");
  diag_note(o->cx, "t may stand in sines, cosines and periodic tables, whose periods have a common "
                   "multiple, with those of samples, too");
  return status;
}

static Status finish(Shooting *s, const double *near, double forced, const Found *best) {
  Orbit *o = s->orbit;
  double T = best->T, *x = o->start;
  memcpy(x, best->x, o->state * sizeof *x);
  o->residual = best->residual;
  Status status = orbit_shoot(s, x, T);
  bool is_shifted = !o->is_forced && best->is_later; // it does not begin near the named start
  if (status == QDOT_OK && !is_shifted && o->residual <= ORBIT_CLOSED)
    status = orbit_draw_near(s, near, x, &T);
  if (status == QDOT_OK) status = find_least_period(s, forced, x, &T);
  o->period = T;
  o->is_found = o->residual <= ORBIT_CLOSED;
  if (status == QDOT_OK && o->is_found) status = orbit_push(s, x, T);
  return status == QDOT_OK && !o->is_forced ? nearest_start(s, near, x) : status;
}

static Status shoot_all(Shooting *s, const System *system, double end) {
  Orbit *o = s->orbit;
  double *x = o->start;
  Status status = refuse_delays(o);
  if (status == QDOT_OK) status = guess(s, x);
  if (status != QDOT_OK) return status;
  Return returns[MOST_RETURNS];
  double forced = orbit_forced_period(s, system);
  if (isnan(forced)) return refuse_drive(o);
  o->is_forced = forced != 0;
  uint32_t n = orbit_returns(s, x, &end, returns, MOST_RETURNS);
  if (s->stop && *s->stop) return QDOT_STOPPED;
  if (o->is_forced) n = whole_periods(forced, returns, n);
  if (n == 0) return no_return(s, end);
  Found best = found_new(o);
  double *near = arena_array(o->cx->results, double, o->state);
  memcpy(near, x, o->state * sizeof *x);
  memcpy(near, s->seen, s->moving * sizeof *x); // on the constraints
  status = search(s, near, end, returns, n, &best);
  if (status == QDOT_OK && !best.is_rest) status = search_again(s, forced, end, &best);
  take_rest(o, &best);
  o->is_stopped = s->stop && *s->stop;
  if (o->is_stopped && !isfinite(best.residual)) return QDOT_STOPPED;
  if (o->is_stopped) {
    o->period = best.T;
    o->residual = best.residual;
    memcpy(x, best.x, o->state * sizeof *x);
    return QDOT_OK;
  }
  if (best.is_rest && !(best.residual <= ORBIT_CLOSED)) return is_rest(o);
  if (status == QDOT_OK) status = finish(s, near, forced, &best);
  if (status == QDOT_OK || status == QDOT_STOPPED) return status;
  return diag_error(o->cx, status, o->request->span, "no slopes around the motion: %s",
                    s->rerun.why[0] ? s->rerun.why : "they are not defined along it");
}

Status orbit_find(Orbit *o, Context *cx, System *system, const OrbitRequest *request,
                  const SimOptions *options, OrbitProgress *progress, void *progress_user) {
  *o = (Orbit){.cx = cx, .model = system->model, .request = request};
  const Model *model = system->model;
  Arena *keep = cx->results;
  Shooting *s = arena_new(keep, Shooting);
  *s = (Shooting){
      .orbit = o, .stop = options->stop, .progress = progress, .progress_user = progress_user};
  list_state(s, system);
  uint32_t n = o->state;
  o->start = arena_array(keep, double, n);
  s->times = arena_array(keep, double, ORBIT_LOOKS);
  s->event = arena_array(keep, double, ORBIT_LOOKS);
  s->seen = arena_array(keep, double, (size_t)ORBIT_LOOKS *n);
  s->S = arena_array(keep, double, (size_t)n *n);
  s->rate = arena_array(keep, double, n);
  s->rest = arena_array(keep, double, n);
  s->size = arena_array(keep, double, n);
  s->is_angle = arena_array(keep, bool, n);
  s->measures = arena_array(keep, double, model->requests.measurements.n + 1);
  s->look = (SlopeLook){.times = s->times, .user = s, .take = orbit_take_look};
  Directions directions = {n, s->places};
  SimOptions own = *options;
  own.directions = &directions;
  own.look = &s->look;
  if (!(own.method.rtol < 1e-10)) own.method.rtol = 1e-10; // Newton's steps need it
  double began = context_seconds();
  Status status = rerun_open(&s->rerun, system, &own);
  if (status != QDOT_OK) return status;
  s->rerun.follows_end = false;
  status = shoot_all(s, system, options->t_end);
  rerun_close(&s->rerun);
  o->seconds = context_seconds() - began;
  return status;
}
