// Deriving, proving and simulating every formulation of a mechanism.
#include "analyse/compare.h"

#include <math.h>
#include <string.h>

#include "base/status_text.h"
#include "expr/build.h"

// The motion of all bodies, row by row.
typedef struct Track {
  Context *cx;
  uint32_t first, count; // columns of the poses
  uint32_t energy;       // column of the total energy
  VEC(double) t, E, poses;
} Track;

typedef struct Comparing {
  Context *cx;
  const CompareOptions *options;
  Comparison *out;
  System systems[FORMULATIONS];
  SimOptions sim[FORMULATIONS];
  Track tracks[FORMULATIONS];
  int reference;      // or -1
  volatile int halt;  // ends the run under way
  double began, most; // seconds
} Comparing;

// A formulation that takes this much longer than the reference need not run to its end.
#define PATIENCE_FACTOR 20
#define PATIENCE_SECONDS 10

static void tell(const Comparing *c, int f, CompareStage stage) {
  if (c->options->stage) c->options->stage(c->options->stage_user, c->out->runs[f].name, stage);
}

// ---- What a formulation cannot do is not a mistake of the user

static const char *take_refusal(Context *cx, Diagnostics before, Status status) {
  const char *message = status_text(status);
  for (uint32_t i = before.list.n; i < cx->diagnostics.list.n; i++) {
    const Diagnostic *d = &cx->diagnostics.list.at[i];
    if (d->severity == SEVERITY_ERROR) message = d->message;
  }
  diag_rollback(cx, before);
  return message;
}

// ---- Equations

// Poses of all bodies become outputs, so that every run says where they are.
static void output_poses(Context *cx, Model *model) {
  const Mechanism *m = &model->origin->mechanism;
  for (uint32_t i = 0; i < 3 * m->bodies.n; i++) {
    const Body *body = &m->bodies.at[i / 3];
    Output output = {.name = symbol_name(cx, body->pose[i % 3]),
                     .value = model->poses[i],
                     .measure = {.dimension = dimension_base(0, i % 3 < 2, 0), .is_known = true},
                     .span = body->span};
    vec_push(&cx->keep, &model->outputs, output);
  }
}

static Status derive_formulation(Comparing *c, int f) {
  Context *cx = c->cx;
  FormulationRun *run = &c->out->runs[f];
  Model *model;
  double began = context_seconds();
  Status status = model_formulate(cx, c->out->model, (Formulation)f, &model);
  if (status != QDOT_OK) return status;
  output_poses(cx, model);
  status = derive_system(cx, model, DERIVE_BASIC, &c->systems[f]);
  if (status == QDOT_OK) derive_inertia(cx, &c->systems[f]);
  run->derive_seconds = context_seconds() - began;
  run->n = c->systems[f].n, run->rows = c->systems[f].row_count;
  return status;
}

static void derive_all(Comparing *c) {
  for (int f = 0; f < FORMULATIONS; f++) {
    FormulationRun *run = &c->out->runs[f];
    run->name = formulation_text((Formulation)f);
    tell(c, f, COMPARE_DERIVE);
    Diagnostics before = diag_mark(c->cx);
    Status status = derive_formulation(c, f);
    if (status != QDOT_OK) run->refusal = take_refusal(c->cx, before, status);
    if (status != QDOT_OK || c->reference >= 0) continue;
    c->reference = f;
    run->is_reference = true;
  }
}

// ---- Proofs

static bool has_cut_pins(const Model *cut) {
  for (uint32_t i = 0; i < cut->meanings.n; i++)
    if (cut->meanings.at[i].closed != cut->coordinates.at[i].q) return true;
  return false;
}

// Shared points close a loop by themselves, and the spanning tree does not. So the proof goes
// through natural coordinates of the open tree: these projected onto the tree's coordinates give
// the reference, and with the loops closed they are the natural ones.
static Agreement prove_natural(Comparing *c) {
  Context *cx = c->cx;
  System *reference = &c->systems[c->reference], cut_system;
  Model *cut;
  Status status = model_formulate_cut(cx, c->out->model, &cut);
  if (status == QDOT_OK) status = derive_system(cx, cut, DERIVE_BASIC, &cut_system);
  if (status != QDOT_OK) return (Agreement){.equality = EQUAL_UNKNOWN, .where = "the open tree"};
  const Expr *y = agreement_coordinates(cx, cut, reference->model->poses);
  Agreement open = agreement_prove(cx, reference, &cut_system, y);
  // where reactions are asked for, the natural coordinates themselves leave loops open
  if (!has_cut_pins(cut) || has_cut_pins(c->systems[FORMULATION_NATURAL].model)) return open;
  Expr *closed = arena_array(&cx->keep, Expr, cut_system.n);
  for (uint32_t i = 0; i < cut_system.n; i++) closed[i] = cut->meanings.at[i].closed;
  return agreement_and(open,
                       agreement_prove(cx, &c->systems[FORMULATION_NATURAL], &cut_system, closed));
}

static Agreement prove(Comparing *c, int f) {
  System *reference = &c->systems[c->reference], *other = &c->systems[f];
  switch ((Formulation)f) {
  case FORMULATION_NATURAL: return prove_natural(c);
  case FORMULATION_MAXIMAL:
    return agreement_prove(c->cx, reference, other,
                           agreement_coordinates(c->cx, other->model, reference->model->poses));
  default: return agreement_prove(c->cx, reference, other, reference->q);
  }
}

static void prove_all(Comparing *c) {
  c->out->is_proved = true;
  for (int f = 0; f < FORMULATIONS; f++) {
    FormulationRun *run = &c->out->runs[f];
    if (run->refusal || run->is_reference) continue;
    tell(c, f, COMPARE_PROVE);
    run->agreement = prove(c, f);
    c->out->is_proved = c->out->is_proved && run->agreement.equality == EQUAL_YES;
  }
}

// ---- Motions

static Status take_row(void *user, const double *values, uint32_t n) {
  Track *track = user;
  Arena *keep = &track->cx->keep;
  (void)n;
  vec_push(keep, &track->t, values[0]);
  vec_push(keep, &track->E, values[track->energy]);
  for (uint32_t i = 0; i < track->count; i++)
    vec_push(keep, &track->poses, values[track->first + i]);
  return QDOT_OK;
}

static void open_track(Comparing *c, int f) {
  const System *s = &c->systems[f];
  Columns columns = sim_columns(c->cx, s);
  uint32_t count = 3 * c->out->model->mechanism.bodies.n, end = columns.n - s->model->members.n;
  c->tracks[f] = (Track){.cx = c->cx, .count = count, .first = end - 3 - count, .energy = end - 1};
}

// The user's request to stop, and the end of patience.
static void watch(void *user, double t, double t_end, long steps) {
  Comparing *c = user;
  const CompareOptions *o = c->options;
  if ((o->stop && *o->stop) || context_seconds() - c->began > c->most) c->halt = 1;
  if (o->progress) o->progress(o->progress_user, t, t_end, steps);
}

static Status simulate(Comparing *c, int f) {
  Context *cx = c->cx;
  FormulationRun *run = &c->out->runs[f];
  SimOptions *sim = &c->sim[f];
  Status status = sim_options(cx, c->systems[f].model, sim);
  if (status == QDOT_OK) status = sim_override(cx, &c->options->overrides, sim);
  if (status == QDOT_OK) status = sim_check_options(cx, sim);
  if (status != QDOT_OK) return status;
  sim->stop = &c->halt;
  sim->progress = watch;
  sim->progress_user = c;
  c->halt = 0;
  c->began = context_seconds();
  open_track(c, f);
  RowSink sink = {.user = &c->tracks[f], .row = take_row};
  return sim_run(cx, &c->systems[f], sim, &sink, &run->summary);
}

static void simulate_all(Comparing *c) {
  for (int f = 0; f < FORMULATIONS && !c->out->is_stopped; f++) {
    FormulationRun *run = &c->out->runs[f];
    if (run->refusal) continue;
    tell(c, f, COMPARE_SIMULATE);
    Diagnostics before = diag_mark(c->cx);
    Status status = simulate(c, f);
    run->has_run = status == QDOT_OK;
    if (status != QDOT_OK) run->refusal = take_refusal(c->cx, before, status);
    // what is to be said of the motion is said once
    if (!run->is_reference) diag_rollback(c->cx, before);
    c->most = fmin(c->most, PATIENCE_SECONDS + PATIENCE_FACTOR * run->summary.wall_seconds);
    if (run->summary.stopped != STOPPED_USER) continue;
    c->out->is_stopped = c->options->stop && *c->options->stop;
    if (!c->out->is_stopped) run->summary.stopped = STOPPED_LIMIT;
  }
}

// ---- Differences

static void deviate(Comparing *c, int f, const Track *a, const Track *b) {
  FormulationRun *run = &c->out->runs[f];
  Deviation *d = &run->deviation;
  uint32_t n = a->t.n < b->t.n ? a->t.n : b->t.n;
  double *distance = arena_array(&c->cx->keep, double, n);
  for (uint32_t k = 0; k < n; k++) {
    d->energy = fmax(d->energy, fabs(a->E.at[k] - b->E.at[k]));
    for (uint32_t i = 0; i < a->count; i++) {
      bool is_angle = i % 3 == 2;
      double gap = b->poses.at[k * a->count + i] - a->poses.at[k * a->count + i];
      // points and vectors know an angle but for whole turns
      gap = fabs(is_angle ? remainder(gap, 2 * M_PI) : gap);
      distance[k] = fmax(distance[k], gap);
      if (gap > fmax(d->position, d->angle)) {
        d->at = a->t.at[k], d->is_angle = is_angle;
        d->where = symbol_name(c->cx, c->out->model->mechanism.bodies.at[i / 3].pose[i % 3]);
      }
      double *largest = is_angle ? &d->angle : &d->position;
      *largest = fmax(*largest, gap);
    }
  }
  run->distance = distance, run->distance_count = n;
}

// How far the first rows are apart: angles in rad, places by how far bodies are from the first.
static double start_gap(const Track *a, const Track *b) {
  double size = 0, places = 0, angles = 0;
  if (a->t.n == 0 || b->t.n == 0) return 0;
  for (uint32_t i = 0; i < a->count; i++) {
    double at = a->poses.at[i], gap = b->poses.at[i] - at;
    if (i % 3 == 2) {
      angles = fmax(angles, fabs(remainder(gap, 2 * M_PI)));
      continue;
    }
    places = fmax(places, fabs(gap));
    size = fmax(size, fmax(fabs(at), fabs(at - a->poses.at[i % 3])));
  }
  return fmax(angles, size > 0 ? places / size : places);
}

static void measure_all(Comparing *c) {
  int first = -1;
  for (int f = 0; f < FORMULATIONS; f++) {
    if (!c->out->runs[f].has_run) continue;
    if (first < 0) {
      first = f;
      c->out->t = c->tracks[f].t.at, c->out->row_count = c->tracks[f].t.n;
      continue;
    }
    deviate(c, f, &c->tracks[first], &c->tracks[f]);
    c->out->runs[f].deviation.start = start_gap(&c->tracks[first], &c->tracks[f]);
  }
}

static void name_coordinates(Comparing *c) {
  const System *s = &c->systems[c->reference];
  Symbol *names = arena_array(&c->cx->keep, Symbol, s->n);
  for (uint32_t i = 0; i < s->n; i++) names[i] = symbol_name(c->cx, s->q[i]);
  c->out->coordinates = names, c->out->coordinate_count = s->n;
}

static Status refuse_solids(Context *cx) {
  Status status = diag_error_plain(
      cx, QDOT_UNSUPPORTED,
      "there is nothing to compare: solids in space have only natural coordinates");
  diag_note(cx, "bodies and joints in the plane can be derived in four ways");
  return status;
}

// One set of coordinates, many roads.
static Status compare_energies(Context *cx, const Model *model, Comparison *out) {
  if (model->coordinates.n == 0)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "there is nothing to compare: states alone have one set of equations");
  out->roads = arena_new(&cx->keep, RoadComparison);
  Status status = compare_roads(cx, (Model *)model, out->roads);
  out->is_proved = out->roads->is_proved;
  return status;
}

Status compare_formulations(Context *cx, const Model *model, const CompareOptions *options,
                            Comparison *out) {
  *out = (Comparison){.cx = cx, .model = model};
  if (model->mechanism.bodies.n == 0)
    return model->space.solids.n > 0 ? refuse_solids(cx) : compare_energies(cx, model, out);
  Comparing c = {.cx = cx, .options = options, .out = out, .reference = -1, .most = INFINITY};
  derive_all(&c);
  if (c.reference < 0)
    return diag_error_plain(cx, QDOT_UNSUPPORTED, "no formulation applies: %s",
                            out->runs[0].refusal);
  name_coordinates(&c);
  prove_all(&c);
  simulate_all(&c);
  measure_all(&c);
  return QDOT_OK;
}
