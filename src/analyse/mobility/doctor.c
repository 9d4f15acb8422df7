// Assembly by least squares in maximal coordinates, then the rank of the joints' rows one by one.
#include "analyse/mobility/doctor.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "derive/formulate.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

enum { MOST_BODIES = 80, MOST_ROUNDS = 100, MOST_HALVINGS = 20, STARTS = 12, SMALL = 60 };
// A joint that gapes is let go: its rows count so much less than the others.
static const double LET_GO = 1e-4;

typedef struct Examined {
  Context *cx;
  const Mechanism *m;
  const Model *model; // in maximal coordinates
  int n, rows;
  uint32_t *joint;           // of each row
  Expr *phi, *slope;         // rows, rows x n
  double length;             // of the mechanism: its unit
  double *values, *residual; // residuals, slopes and steps are in these units
  double *jacobian, *step, *weight;
  bool *fixed; // coordinates that are given
} Examined;

// ---- Rows

static const Constraint *constraint_named(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->constraints.n; i++)
    if (model->constraints.at[i].name == name) return &model->constraints.at[i];
  return NULL;
}

static void collect_rows(Examined *x) {
  Context *cx = x->cx;
  Expr *q = arena_array(&cx->scratch, Expr, x->n);
  for (int i = 0; i < x->n; i++) q[i] = x->model->coordinates.at[i].q;
  x->rows = 0;
  for (uint32_t j = 0; j < x->m->joints.n; j++) {
    const Joint *joint = &x->m->joints.at[j];
    for (uint32_t k = 0; k < joint_row_count(joint->kind); k++) {
      const Constraint *c = constraint_named(x->model, joint_row_name(cx, joint, k));
      if (!c) continue;
      x->joint[x->rows] = j;
      x->phi[x->rows] = c->phi;
      expr_gradient(cx, c->phi, q, (size_t)x->n, x->slope + (size_t)x->rows * x->n);
      x->rows++;
    }
  }
}

static bool open_examined(Examined *x) {
  Context *cx = x->cx;
  Arena *scratch = &cx->scratch;
  size_t rows = 0;
  for (uint32_t j = 0; j < x->m->joints.n; j++) rows += joint_row_count(x->m->joints.at[j].kind);
  x->n = (int)x->model->coordinates.n;
  x->joint = arena_array(scratch, uint32_t, rows);
  x->phi = arena_array(scratch, Expr, rows);
  x->slope = arena_array(scratch, Expr, rows * (size_t)x->n);
  collect_rows(x);
  x->residual = arena_array(scratch, double, rows);
  x->jacobian = arena_array(scratch, double, rows *(size_t)x->n);
  x->step = arena_array(scratch, double, x->n);
  x->weight = arena_array(scratch, double, rows);
  for (size_t r = 0; r < rows; r++) x->weight[r] = 1;
  x->fixed = arena_array(scratch, bool, x->n);
  if (model_values(cx, x->model, scratch, &x->values) != QDOT_OK) return false;
  x->length = sqrt(expr_eval(cx, mechanism_size2(cx, x->m), x->values));
  if (!(x->length > 0)) x->length = 1;
  for (int i = 0; i < x->n; i++) {
    const Coordinate *c = &x->model->coordinates.at[i];
    x->fixed[i] = c->position.kind == INITIAL_GIVEN;
    double start = c->position.value ? expr_eval(cx, c->position.value, x->values) : 0;
    x->values[symbol_variable(cx, c->q)] = start;
  }
  return true;
}

// ---- Assembly

static bool is_angle(const Examined *x, int i) {
  return dimension_is_pure(x->model->coordinates.at[i].measure.dimension);
}

static double unit_of(const Examined *x, int i) { return is_angle(x, i) ? 1 : x->length; }

static double row_unit(const Examined *x, int r) {
  uint32_t j = x->joint[r];
  int first = r;
  while (first > 0 && x->joint[first - 1] == j) first--;
  return joint_row_is_length(x->m->joints.at[j].kind, (uint32_t)(r - first)) ? x->length : 1;
}

static void find_residuals(Examined *x) {
  expr_eval_many(x->cx, x->phi, (size_t)x->rows, x->values, x->residual);
  for (int r = 0; r < x->rows; r++) x->residual[r] /= row_unit(x, r);
}

static void evaluate(Examined *x) {
  find_residuals(x);
  expr_eval_many(x->cx, x->slope, (size_t)x->rows * x->n, x->values, x->jacobian);
  for (int r = 0; r < x->rows; r++)
    for (int i = 0; i < x->n; i++)
      x->jacobian[(size_t)r * x->n + i] *= unit_of(x, i) / row_unit(x, r);
}

static double *value_of(const Examined *x, int i) {
  return &x->values[symbol_variable(x->cx, x->model->coordinates.at[i].q)];
}

static void take_step(const Examined *x, double share) {
  for (int i = 0; i < x->n; i++) *value_of(x, i) += share * x->step[i] * unit_of(x, i);
}

// The norm of the weighted residuals at the present values.
static double misfit(Examined *x) {
  find_residuals(x);
  double sum = 0;
  for (int r = 0; r < x->rows; r++) sum += pow(x->weight[r] * x->residual[r], 2);
  return sqrt(sum);
}

// A step of Gauss and Newton, no angle by more than a tenth of a turn, halved until it helps; its
// size, 0 where nothing helps.
static double improve(Examined *x) {
  Context *cx = x->cx;
  double before = misfit(x), turn = 0;
  evaluate(x);
  for (int r = 0; r < x->rows; r++) {
    x->residual[r] *= -x->weight[r];
    for (int i = 0; i < x->n; i++)
      x->jacobian[(size_t)r * x->n + i] *= x->fixed[i] ? 0 : x->weight[r];
  }
  if (svd_least_norm(&cx->scratch, x->rows, x->n, x->jacobian, x->residual, 1e-7, x->step, NULL) !=
      QDOT_OK)
    return 0;
  for (int i = 0; i < x->n; i++)
    if (is_angle(x, i)) turn = fmax(turn, fabs(x->step[i]));
  double share = turn > 0.6 ? 0.6 / turn : 1, gone = 0;
  for (int halving = 0; halving < MOST_HALVINGS; halving++, share /= 2) {
    take_step(x, share - gone);
    gone = share;
    if (misfit(x) < before) return share * dense_norm(x->n, x->step);
  }
  take_step(x, -gone);
  return 0;
}

static void close_joints(Examined *x) {
  for (int round = 0; round < MOST_ROUNDS && improve(x) > 1e-12; round++) context_poll(x->cx);
}

// From the given start, then from angles anywhere; the best state stays.
static void assemble(Examined *x) {
  Arena *scratch = &x->cx->scratch;
  double *start = arena_array(scratch, double, x->n), *best = arena_array(scratch, double, x->n);
  double least = INFINITY;
  uint64_t random = 1;
  for (int i = 0; i < x->n; i++) start[i] = *value_of(x, i);
  for (int attempt = 0; attempt < (x->n <= SMALL ? STARTS : 1) && least > 1e-9; attempt++) {
    for (int i = 0; i < x->n; i++) {
      bool moves = attempt > 0 && is_angle(x, i) && !x->fixed[i];
      *value_of(x, i) = start[i] + (moves ? 3.14159 * random_signed(&random) : 0);
    }
    close_joints(x);
    double left = misfit(x);
    if (!(left < least * (1 - 1e-6))) continue;
    least = left;
    for (int i = 0; i < x->n; i++) best[i] = *value_of(x, i);
  }
  for (int i = 0; i < x->n && least < INFINITY; i++) *value_of(x, i) = best[i];
  evaluate(x);
}

// How far the ends of each joint are apart; the worst is reported.
static void find_gap(const Examined *x, Doctor *out) {
  double worst = 1e-7;
  out->gap = 0;
  for (int r = 0; r < x->rows;) {
    uint32_t j = x->joint[r];
    double square = 0, angle = 0;
    const Joint *joint = &x->m->joints.at[j];
    for (uint32_t k = 0; r < x->rows && x->joint[r] == j; r++, k++) {
      if (!joint_row_is_length(joint->kind, k))
        angle = fabs(x->residual[r]);
      else
        square += x->residual[r] * x->residual[r];
    }
    double gap = fmax(sqrt(square), angle);
    if (!(gap > worst)) continue;
    worst = gap;
    out->gaping = joint->name, out->gapes_by_angle = angle > sqrt(square);
    out->gap = out->gapes_by_angle ? gap : gap * x->length;
  }
}

// What is missing is spread over the joints: all of it at the worst one, with the others closed.
static void gather_gap(Examined *x, Doctor *out) {
  find_gap(x, out);
  if (!out->gaping) return;
  for (int r = 0; r < x->rows; r++)
    if (x->m->joints.at[x->joint[r]].name == out->gaping) x->weight[r] = LET_GO;
  close_joints(x);
  evaluate(x);
  find_gap(x, out);
}

// ---- Rank

static void find_rank(const Examined *x, Doctor *out) {
  bool *counts = arena_array(&x->cx->scratch, bool, x->rows);
  out->mobility = x->n - dense_rank(x->rows, x->n, x->jacobian, 1e-6, counts);
  for (int r = 0; r < x->rows; r++) {
    Symbol name = x->m->joints.at[x->joint[r]].name;
    uint32_t n = out->superfluous.n;
    if (!counts[r] && (n == 0 || out->superfluous.at[n - 1] != name))
      vec_push(&x->cx->keep, &out->superfluous, name);
  }
}

// ---- Ways to the ground

static void find_loose(Context *cx, const Mechanism *m, Doctor *out) {
  bool *held = arena_array(&cx->scratch, bool, m->bodies.n);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t j = 0; j < m->joints.n; j++) {
      uint32_t a = m->joints.at[j].first.body, b = m->joints.at[j].second.body;
      bool first = a == GROUND || held[a], second = b == GROUND || held[b];
      if (first == second) continue;
      held[first ? b : a] = more = true;
    }
  }
  for (uint32_t i = 0; i < m->bodies.n; i++)
    if (!held[i]) vec_push(&cx->keep, &out->loose, m->bodies.at[i].name);
}

// A point has no angle that a slide or a weld could keep.
static bool keeps_angle_of_point(const Joint *j, const bool *is_point) {
  const JointType *type = joint_type(j->kind);
  bool keeps = false;
  for (uint32_t k = 0; k < type->row_count; k++)
    keeps |= !type->couples_angles && strcmp(type->row_names[k], "angle") == 0;
  return keeps && ((j->first.body != GROUND && is_point[j->first.body]) ||
                   (j->second.body != GROUND && is_point[j->second.body]));
}

// Bodies without inertia whose angle nothing depends on: it is not a coordinate.
static void count_points(const Mechanism *m, const Model *maximal, Doctor *out) {
  bool *is_point = arena_array(&maximal->cx->scratch, bool, m->bodies.n);
  for (uint32_t b = 0; b < m->bodies.n; b++) {
    bool turns = false;
    for (uint32_t i = 0; i < maximal->coordinates.n; i++)
      turns |= maximal->coordinates.at[i].q == m->bodies.at[b].pose[2];
    is_point[b] = expr_is_zero(maximal->cx, m->bodies.at[b].inertia) && !turns;
    out->points += is_point[b];
  }
  for (uint32_t j = 0; j < m->joints.n; j++)
    out->rows -= keeps_angle_of_point(&m->joints.at[j], is_point);
  out->gruebler = 3 * (int)m->bodies.n - (int)out->points - (int)out->rows;
}

static Status examine(Context *cx, const Model *model, Doctor *out) {
  *out = (Doctor){0};
  const Model *origin = model->origin ? model->origin : model;
  const Mechanism *m = &origin->mechanism;
  if (m->bodies.n == 0) return QDOT_OK;
  out->bodies = m->bodies.n, out->joints = m->joints.n;
  for (uint32_t j = 0; j < m->joints.n; j++) out->rows += joint_row_count(m->joints.at[j].kind);
  for (uint32_t i = 0; i < m->motors.n; i++) out->drives += m->motors.at[i].is_speed;
  out->gruebler = 3 * (int)m->bodies.n - (int)out->rows;
  Mark mark = arena_mark(&cx->scratch);
  find_loose(cx, m, out);
  Status status = QDOT_OK;
  if (m->bodies.n <= MOST_BODIES) {
    Model *maximal;
    status = model_formulate(cx, origin, FORMULATION_MAXIMAL, &maximal);
    if (status == QDOT_OK) count_points(m, maximal, out);
    Examined x = {.cx = cx, .m = m, .model = maximal};
    if (status == QDOT_OK && open_examined(&x)) {
      if (x.rows > 0) assemble(&x);
      gather_gap(&x, out);
      find_rank(&x, out);
      if (!out->gaping)
        out->undetermined = undetermined_reactions(cx, m, maximal, x.values, x.length);
      out->is_measured = true;
    }
  }
  arena_release(&cx->scratch, mark);
  return status;
}

Status doctor_examine(Context *cx, const Model *model, Doctor *out) {
  if (*model->examined) {
    *out = **model->examined;
    return QDOT_OK;
  }
  Status status = examine(cx, model, out);
  if (status != QDOT_OK) return status;
  Doctor *kept = arena_new(&cx->keep, Doctor);
  *kept = *out, *model->examined = kept;
  return QDOT_OK;
}

static bool has_reaction(Context *cx, const Model *model) {
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (expr_has_kind(cx, model->outputs.at[i].value, KIND_BIT(SYMBOL_MULTIPLIER))) return true;
  return false;
}

Status doctor_warn_of_outputs(Context *cx, const Model *model, const char *who) {
  Doctor d;
  if (model->loads.n == 0 || !has_reaction(cx, model)) return QDOT_OK;
  Status status = doctor_examine(cx, model, &d);
  if (status != QDOT_OK || d.undetermined.n == 0) return status;
  Text names = text_new(&cx->scratch);
  for (uint32_t i = 0; i < d.undetermined.n; i++)
    text_addf(&names, "%s%s", i ? ", " : "", symbol_text(cx, d.undetermined.at[i]));
  diag_warning_plain(cx, "statics does not determine %s: %s shares such forces in its own way",
                     names.at, who);
  diag_note(cx, "only a simulation gives those of least norm; remove the redundant joints");
  return QDOT_OK;
}
