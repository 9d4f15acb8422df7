// The motion of a step as polynomials, in as many parts as its columns need: coordinates are as
// smooth as the step, but outputs and forces may bend, jump or peak within it.
#include <math.h>
#include <string.h>

#include "engine/run/run.h"

// A part is halved until its polynomials meet the values between their nodes. After SMOOTH_LEVELS
// halvings what remains is a bend or a jump, which further halvings locate.
enum { SMOOTH_LEVELS = 3, MOST_LEVELS = 40, SPARE_PARTS_A_STEP = 8, MOST_EXACT_ROWS = 50 };

// The share of extra parts that a run may afford: less for a large system, whose evaluations cost
// more; none in a rough run, where columns that bend are joined linearly from node to node.
static double affordable_share(const Run *run) {
  if (run->o->row_stride > 0) return 0;
  return fmin(1, 40.0 / (run->n + run->machine.problem.m));
}

// Tolerance as a part of the size of a column; looser for methods with few nodes a step.
static double nearness(uint32_t nodes, int level) {
  if (level >= SMOOTH_LEVELS) return 1e-8;
  return nodes == 8 ? 1e-6 : nodes == 5 ? 1e-5 : 1e-4;
}

// ---- Sizes of columns

static double largest_of(const double *sizes, uint32_t n) {
  double most = 0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, sizes[i]);
  return most;
}

static double *at_least(double *sizes, uint32_t n, double share) {
  double least = share * largest_of(sizes, n);
  for (uint32_t i = 0; i < n; i++) sizes[i] = fmax(sizes[i], least);
  return sizes + n;
}

// Relative rounding of accelerations that cancel each other: a bound for the tolerance.
static const double ROUNDING = 1e-12;

// Of bodies that rest on contacts accelerations are rounding: they are measured by those that
// cancel each other.
static void measure_rest(const Run *run, double *accelerations, double share) {
  const Contacts *c = &run->contacts;
  bool any_closed = false;
  for (int i = 0; i < c->count; i++) any_closed |= run->machine.closed[i];
  for (int i = 0; any_closed && !c->is_stepped && i < run->n; i++) {
    double own = c->M[(size_t)i * (size_t)run->n + (size_t)i];
    if (own > 0) accelerations[i] = fmax(accelerations[i], share * c->acceleration / sqrt(own));
  }
}

// Sizes of columns: the largest absolute values so far; at least a thousandth of the largest of
// their kind (positions, velocities ..), as in the control of steps. All energies have the size of
// the largest.
static void measure(Run *run, uint32_t nodes, double near) {
  const Machine *m = &run->machine;
  double *sizes = run->rows.sizes;
  for (uint32_t c = 0; c < run->rows.columns; c++) {
    const Extremes *e = &run->summary->extremes[c];
    sizes[c] = fmax(fmax(fabs(e->least), fabs(e->most)), 0);
    for (uint32_t i = 0; i < nodes; i++) {
      double value = fabs(run->rows.cells[(size_t)i * run->rows.columns + c]);
      if (isfinite(value)) sizes[c] = fmax(sizes[c], value);
    }
  }
  uint32_t n = (uint32_t)run->n, outputs = m->plan->columns.outputs;
  double *at = sizes + 1, rounding = 1e-9 * largest_of(at, run->rows.columns - 1);
  for (int order = 0; order < 3; order++) {
    if (order == 2) measure_rest(run, at, fmax(1e-7, ROUNDING / near));
    at = at_least(at, n, 1e-3);
    if (order == 1) at += m->states;
  }
  double *forces = at;
  at = at_least(at, (uint32_t)(m->rows + m->contacts), 1e-3);
  at_least(at + outputs, 3, 1);
  // outputs and parts may be what is left of forces that hold each other
  double left = 1e-7 * largest_of(forces, (uint32_t)(sizes + run->rows.columns - forces));
  for (double *c = at; c < sizes + run->rows.columns; c++)
    if (c < at + outputs || c >= at + outputs + 3) *c = fmax(*c, left);
  for (uint32_t c = 1; c < run->rows.columns; c++) sizes[c] = fmax(sizes[c], rounding);
}

// ---- Parts

// All columns at a time within the step, by an evaluation.
static Status row_at(Run *run, double t, double *row) {
  Status status = stepper_dense(run->stepper, t, run->work.y);
  return status == QDOT_OK ? run_fill_row(run, t, run->work.y, row) : status;
}

static Status fill_part(Run *run, double from, double until, uint32_t nodes) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < nodes && status == QDOT_OK; i++) {
    double t = i + 1 == nodes ? until : from + stretch_node(nodes, i) * (until - from);
    status = row_at(run, t, run->rows.cells + (size_t)i * run->rows.columns);
  }
  return status;
}

// Do the polynomials meet the motion halfway between their nodes? Not where a value is not finite.
static Status follows(Run *run, const Stretch *part, double near, bool *out) {
  double begin = stretch_begin(part), length = stretch_end(part) - begin;
  uint32_t ends = part->nodes > 3; // the gaps at both ends are narrow
  *out = true;
  for (uint32_t i = ends; i + 1 + ends < part->nodes && *out; i++) {
    double x = (stretch_node(part->nodes, i) + stretch_node(part->nodes, i + 1)) / 2;
    double t = begin + x * length;
    Status status = row_at(run, t, run->rows.row);
    if (status != QDOT_OK) return status;
    *out = stretch_follows(part, run->rows.row, run->rows.sizes, near);
  }
  return QDOT_OK;
}

static const double *exact_row(void *user, double t) {
  Run *run = user;
  return row_at(run, t, run->rows.row) == QDOT_OK ? run->rows.row : NULL;
}

static Status give(Run *run, Stretch stretch) {
  stretch.jumps = run->rows.jumped;
  run->rows.jumped = false;
  ExactRows exact = {exact_row, run, run->rows.sizes,
                     1 + (int)(MOST_EXACT_ROWS * affordable_share(run))};
  extremes_widen(run->summary->extremes, &stretch, &exact);
  return run->sink->stretch(run->sink->user, &stretch);
}

// Linear from node to node, so that no value lies outside those of the motion.
static Status give_straight(Run *run, const Stretch *part) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i + 1 < part->nodes && status == QDOT_OK; i++)
    status = give(run, (Stretch){.nodes = 2,
                                 .columns = part->columns,
                                 .cells = part->cells + (size_t)i * part->columns});
  return status;
}

static Status write_part(Run *run, double from, double until, int level) {
  uint32_t nodes = level == 0 ? (uint32_t)run->stepper->method->nodes : STRETCH_MOST_NODES;
  Status status = fill_part(run, from, until, nodes);
  if (status != QDOT_OK) return status;
  Stretch part = {.nodes = nodes, .columns = run->rows.columns, .cells = run->rows.cells};
  bool is_near = false;
  double near = nearness(nodes, level);
  measure(run, nodes, near);
  status = follows(run, &part, near, &is_near);
  if (status != QDOT_OK) return status;
  if (is_near) return give(run, part);
  double middle = from + (until - from) / 2;
  bool is_short = until - from < 1e-14 * (fabs(until) + run->o->every);
  if (level == MOST_LEVELS || is_short || run->rows.spare_parts < 2)
    return give_straight(run, &part);
  run->rows.spare_parts -= 2;
  status = write_part(run, from, middle, level + 1);
  return status == QDOT_OK ? write_part(run, middle, until, level + 1) : status;
}

// Sets aside the sizes of rows that the solvers have learned, and restores them.
static void swap_scales(Run *run, bool back) {
  Kkt *all[] = {&run->stepper->dynamics.kkt, &run->stepper->projector.positions};
  double *kept = run->work.row_scale;
  for (int i = 0; i < 2; i++) {
    size_t m = all[i]->scale ? (size_t)all[i]->m : 0;
    if (m > 0) memcpy(back ? all[i]->scale : kept, back ? kept : all[i]->scale, m * sizeof *kept);
    kept += m;
  }
}

// Straight from one end to the other, where these can be evaluated; that it was so is told.
static Status write_ends(Run *run, double until) {
  Remark *hint = &run->summary->hint;
  if (!remark_is_made(hint)) *hint = (Remark){REMARK_MOTION_GAP, {run->stepper->t_old}};
  if (fill_part(run, run->stepper->t_old, until, 2) != QDOT_OK) {
    run->rows.jumped = true;
    return QDOT_OK;
  }
  return give(run, (Stretch){.nodes = 2, .columns = run->rows.columns, .cells = run->rows.cells});
}

bool run_is_numeric(Status status) {
  return status == QDOT_NO_CONVERGENCE || status == QDOT_SINGULAR || status == QDOT_UNDEFINED ||
         status == QDOT_SINGULAR_MASS;
}

void run_look_aside(Run *run) {
  run_pause(run);
  run->work.evaluations_kept = run->stepper->dynamics.evaluations;
  run->work.jammed_kept = run->machine.jammed;
  swap_scales(run, false);
  if (run->machine.presses > 0) sticking_put_aside(&run->friction.sticking);
}

void run_look_back(Run *run) {
  swap_scales(run, true);
  if (run->machine.presses > 0) sticking_take_back(&run->friction.sticking);
  run->stepper->dynamics.evaluations = run->work.evaluations_kept;
  run->machine.jammed = run->work.jammed_kept;
  run_go_on(run);
}

// A step over an impulse is linear between the values at its ends: in between, products of
// velocities that jump would be values that never occur.
static Status write_straight(Run *run, double until) {
  Status status = fill_part(run, run->stepper->t_old, until, 2);
  measure(run, 2, nearness(2, 0));
  Stretch part = {.nodes = 2, .columns = run->rows.columns, .cells = run->rows.cells};
  return status == QDOT_OK ? give(run, part) : status;
}

// The run is the same whether the stretch is written or not.
Status run_write_stretch(Run *run, double until) {
  Stepper *s = run->stepper;
  if (!run->sink->stretch || until <= s->t_old) return QDOT_OK;
  run_look_aside(run);
  double share = affordable_share(run);
  run->rows.spare_parts =
      fmin(run->rows.spare_parts + share * SPARE_PARTS_A_STEP, share * MOST_SPARE_PARTS);
  Status status = s->is_straight ? write_straight(run, until) : write_part(run, s->t_old, until, 0);
  if (run_is_numeric(status)) status = write_ends(run, until);
  run_look_back(run);
  return status;
}
