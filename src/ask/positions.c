// Rows of a driven mechanism.
#include "ask/positions.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "sim/run_source.h"

// ---- What is driven

static Status refuse(Context *cx, const System *s) {
  for (uint32_t i = 0; i < s->row_count; i++) {
    if (!s->rows[i].is_nonholonomic) continue;
    Status status = diag_error_plain(cx, QDOT_UNSUPPORTED,
                                     "'%s' gives a velocity: positions follow from it by "
                                     "integration only",
                                     symbol_text(cx, s->rows[i].name));
    diag_note(cx, "give the motor a constant speed, or write the position: constraint drive: "
                  "crank.theta = ...; a simulation integrates");
    return status;
  }
  if (s->contact_count > 0)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "contact '%s' touches or not: only a simulation can tell",
                            symbol_text(cx, s->contacts[0].name));
  if (s->states > 0)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "state '%s' has a history: only a simulation can tell",
                            symbol_text(cx, s->model->states.at[0].name));
  return QDOT_OK;
}

static const Mechanism *mechanism_of(const Model *model) {
  return &(model->origin ? model->origin : model)->mechanism;
}

// One turn of the first motor that turns steadily; 0 where there is none.
static double one_turn(Positions *p) {
  const Mechanism *m = mechanism_of(p->model);
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Motor *motor = &m->motors.at[i];
    bool turns = joint_leaves(&m->joints.at[motor->joint], LEAVES_TURN);
    if (!turns || !motor->is_speed || expr_has_kind(p->cx, motor->value, KIND_BIT(SYMBOL_TIME)))
      continue;
    double speed = fabs(expr_eval(p->cx, motor->value, p->follower.simulation.run.machine.values));
    if (!(speed > 0)) continue;
    p->motor = motor;
    return 2 * acos(-1) / speed;
  }
  return 0;
}

static Status find_end(Positions *p, double end) {
  p->turn = one_turn(p);
  p->end = end > 0 ? end : p->turn;
  const Machine *m = &p->follower.simulation.run.machine;
  if (p->end == 0) p->end = machine_number(m, &m->plan->times.end);
  if (p->end > 0) return QDOT_OK;
  Status status = diag_error_plain(p->cx, QDOT_BAD_MODEL, "how far does the drive go?");
  diag_note(p->cx, "no motor turns with a constant speed; add 'simulate to S', or give the end");
  return status;
}

// ---- Rows

static Status stuck(const Positions *p, Status status) {
  if (status != QDOT_SINGULAR) return status;
  diag_error_plain(p->cx, status, "the drive cannot move the mechanism beyond t = %.6g s",
                   p->follower.t);
  diag_note(p->cx, "it is in a dead position, or would have to come apart");
  return status;
}

static Status row_at(Positions *p, double t, double *values) {
  const double *row;
  Status status = follower_row(&p->follower, t, &row);
  if (status != QDOT_OK) return stuck(p, status);
  for (uint32_t i = 0; i < p->columns.n; i++) values[i] = p->vanishes[i] ? 0 : row[i];
  return QDOT_OK;
}

// Without masses, springs, dampers and loads there are no forces, and rounding is not one.
static bool has_loads(const System *s) {
  bool found =
      !expr_is_zero(s->cx, s->T) || !expr_is_zero(s->cx, s->V) || !expr_is_zero(s->cx, s->R);
  for (uint32_t i = 0; i < s->n; i++) found = found || !expr_is_zero(s->cx, s->Q[i]);
  return found;
}

static const bool *vanishing_columns(const Positions *p, const System *s) {
  bool *vanishes = arena_array(p->cx->results, bool, p->columns.n), loaded = has_loads(s);
  for (uint32_t i = 0; i < p->columns.n && !loaded; i++) {
    const Column *c = &p->columns.at[i];
    const Output *member = c->kind == COLUMN_MEMBER ? &p->model->members.at[c->number] : NULL;
    vanishes[i] = c->kind == COLUMN_MULTIPLIER ||
                  (member && member->measure.dimension.exponent[BASE_KG] != 0);
  }
  return vanishes;
}

static void add_node(Positions *p, double t, const double *values) {
  vec_push(p->cx->results, &p->nodes, ((PositionNode){t, values}));
}

static bool has_switched(const Positions *p, const double *sides) {
  const Run *run = &p->follower.simulation.run;
  return memcmp(sides, run->switching.side, (size_t)run->switching.count * sizeof *sides) != 0;
}

// Where the switches leave their sides first, between t and end: both sides of it become nodes.
static Status pass_switches(Positions *p, double t, double end, double *sides) {
  const Run *run = &p->follower.simulation.run;
  enum { MOST_SWITCHES = 50, HALVINGS = 45 };
  size_t bytes = (size_t)run->switching.count * sizeof *sides, row = p->columns.n * sizeof(double);
  double *now = arena_array(p->cx->results, double, p->columns.n);
  double *beyond = arena_array(p->cx->results, double, (size_t)run->switching.count);
  for (int i = 0; i < MOST_SWITCHES; i++) {
    Status status = row_at(p, end, now);
    if (status != QDOT_OK || !has_switched(p, sides)) return status;
    double *before = arena_array(p->cx->results, double, p->columns.n);
    double *after = arena_array(p->cx->results, double, p->columns.n), from = t, to = end;
    memcpy(before, p->nodes.at[p->nodes.n - 1].values, row);
    memcpy(after, now, row);
    memcpy(beyond, run->switching.side, bytes);
    for (int k = 0; k < HALVINGS && status == QDOT_OK; k++) {
      double middle = 0.5 * (from + to);
      status = row_at(p, middle, now);
      bool is_beyond = has_switched(p, sides);
      memcpy(is_beyond ? after : before, now, row);
      if (is_beyond) memcpy(beyond, run->switching.side, bytes);
      *(is_beyond ? &to : &from) = middle;
    }
    if (status != QDOT_OK) return status;
    memcpy(sides, beyond, bytes);
    add_node(p, from, before), add_node(p, to, after);
    t = to;
  }
  return QDOT_OK;
}

static Status find_rows(Positions *p) {
  const Run *run = &p->follower.simulation.run;
  double *sides = arena_array(p->cx->results, double, (size_t)run->switching.count + 1), last = 0;
  size_t bytes = (size_t)run->switching.count * sizeof *sides;
  for (uint32_t k = 0; k < p->rows; k++) {
    double t = p->end * k / (p->rows - 1), *values = p->values + (size_t)k * p->columns.n;
    Status status = row_at(p, t, values);
    if (status == QDOT_OK && k > 0 && has_switched(p, sides))
      status = pass_switches(p, last, t, sides);
    if (status != QDOT_OK) return status;
    memcpy(sides, run->switching.side, bytes);
    add_node(p, t, values);
    last = t;
  }
  return QDOT_OK;
}

// ---- Extents

static double value_at(const Positions *p, uint32_t node, uint32_t column) {
  return p->nodes.at[node].values[column];
}

// The largest of sign * column near a node, between its neighbours: golden sections.
static Status refine(Positions *p, uint32_t node, uint32_t column, double sign, double *value,
                     double *when) {
  static const double golden = 0.6180339887498949;
  uint32_t last = p->nodes.n - 1;
  double a = p->nodes.at[node > 0 ? node - 1 : 0].t;
  double b = p->nodes.at[node < last ? node + 1 : last].t;
  for (int i = 0; i < 40; i++) {
    double at[2] = {b - golden * (b - a), a + golden * (b - a)}, found[2];
    for (int k = 0; k < 2; k++) {
      const double *now;
      Status status = follower_row(&p->follower, at[k], &now);
      if (status != QDOT_OK) return stuck(p, status);
      found[k] = sign * now[column];
      if (found[k] - *value > 1e-12 * fabs(*value)) *value = found[k], *when = at[k];
    }
    if (found[0] > found[1])
      b = at[1];
    else
      a = at[0];
  }
  return QDOT_OK;
}

static bool has_forces_or_names(ColumnKind kind) {
  return kind == COLUMN_OUTPUT || kind == COLUMN_MEMBER;
}

// Gauss's rule from node to node, so that the means are those of the motion and not of the rows.
static Status find_means(Positions *p) {
  static const double place[] = {0.069431844202973712, 0.33000947820757187, 0.66999052179242813,
                                 0.93056815579702629};
  static const double weight[] = {0.17392742256872693, 0.32607257743127307};
  double *values = arena_array(p->cx->results, double, p->columns.n);
  for (uint32_t k = 1; k < p->nodes.n; k++) {
    double from = p->nodes.at[k - 1].t, length = p->nodes.at[k].t - from;
    for (int g = 0; g < 4 && length > 1e-12 * p->end; g++) {
      Status status = row_at(p, from + place[g] * length, values);
      double share = weight[g == 1 || g == 2] * length / p->end;
      if (status != QDOT_OK) return status;
      for (uint32_t i = 0; i < p->columns.n; i++) {
        p->extents[i].mean += share * values[i];
        p->extents[i].rms += share * values[i] * values[i];
      }
    }
  }
  for (uint32_t i = 0; i < p->columns.n; i++) p->extents[i].rms = sqrt(p->extents[i].rms);
  return QDOT_OK;
}

static Status find_extent(Positions *p, uint32_t column) {
  PositionExtent *e = &p->extents[column];
  uint32_t least = 0, most = 0;
  for (uint32_t k = 0; k < p->nodes.n; k++) {
    double value = value_at(p, k, column);
    if (value < value_at(p, least, column)) least = k;
    if (value > value_at(p, most, column)) most = k;
  }
  e->least = value_at(p, least, column), e->t_least = p->nodes.at[least].t;
  e->most = value_at(p, most, column), e->t_most = p->nodes.at[most].t;
  if (!has_forces_or_names(p->columns.at[column].kind)) return QDOT_OK;
  double range = e->most - e->least, size = fmax(fabs(e->most), fabs(e->least));
  if (!(range > 1e-9 * size)) return QDOT_OK;
  double negative = -e->least;
  Status status = refine(p, most, column, 1, &e->most, &e->t_most);
  if (status == QDOT_OK) status = refine(p, least, column, -1, &negative, &e->t_least);
  e->least = -negative;
  return status;
}

Status positions_find(Context *cx, System *system, const SimOptions *options, uint32_t steps,
                      double end, Positions *p) {
  *p = (Positions){.cx = cx, .model = system->model, .rows = steps + 1};
  Status status = refuse(cx, system);
  if (status == QDOT_OK) status = follower_open(&p->follower, system, options);
  if (status != QDOT_OK) return status;
  p->columns = p->follower.simulation.columns;
  p->values = arena_array(cx->results, double, (size_t)p->rows * p->columns.n);
  p->extents = arena_array(cx->results, PositionExtent, p->columns.n);
  p->vanishes = vanishing_columns(p, system);
  status = find_end(p, end);
  if (status == QDOT_OK) status = find_rows(p);
  if (status == QDOT_OK) status = find_means(p);
  for (uint32_t i = 0; i < p->columns.n && status == QDOT_OK; i++) status = find_extent(p, i);
  if (status != QDOT_OK) positions_close(p);
  return status;
}

void positions_close(Positions *p) { follower_close(&p->follower); }
