// Assembly by least squares in maximal coordinates, then the rank of the joints' rows one by one.
#include "analyse/doctor.h"

#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "expr/diff.h"
#include "expr/eval.h"
#include "model/values.h"
#include "solve/dense.h"
#include "solve/lapack.h"

enum { MOST_BODIES = 80, MOST_ROUNDS = 100 };

typedef struct Examined {
  Context *cx;
  const Mechanism *m;
  const Model *model; // in maximal coordinates
  int n, rows;
  uint32_t *joint;   // of each row
  Expr *phi, *slope; // rows, rows x n
  double *values, *residual, *jacobian, *step;
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
  x->fixed = arena_array(scratch, bool, x->n);
  if (model_values(cx, x->model, scratch, &x->values) != QDOT_OK) return false;
  for (int i = 0; i < x->n; i++) {
    const Coordinate *c = &x->model->coordinates.at[i];
    x->fixed[i] = c->position.kind == INITIAL_GIVEN;
    double start = c->position.value ? expr_eval(cx, c->position.value, x->values) : 0;
    x->values[symbol_variable(cx, c->q)] = start;
  }
  return true;
}

// ---- Assembly

static void evaluate(Examined *x) {
  expr_eval_many(x->cx, x->phi, (size_t)x->rows, x->values, x->residual);
  expr_eval_many(x->cx, x->slope, (size_t)x->rows * x->n, x->values, x->jacobian);
}

// One step of Gauss and Newton, no angle by more than a tenth of a turn; the size of the step.
static double improve(Examined *x) {
  Context *cx = x->cx;
  evaluate(x);
  for (int r = 0; r < x->rows; r++) {
    x->residual[r] = -x->residual[r];
    for (int i = 0; i < x->n; i++)
      if (x->fixed[i]) x->jacobian[(size_t)r * x->n + i] = 0;
  }
  if (lapack_least_norm(&cx->scratch, x->rows, x->n, x->jacobian, x->residual, 1e-7, x->step,
                        NULL) != QDOT_OK)
    return NAN;
  double turn = 0;
  for (int i = 0; i < x->n; i++)
    if (dimension_is_pure(x->model->coordinates.at[i].measure.dimension))
      turn = fmax(turn, fabs(x->step[i]));
  double share = turn > 0.6 ? 0.6 / turn : 1;
  for (int i = 0; i < x->n; i++)
    x->values[symbol_variable(cx, x->model->coordinates.at[i].q)] += share * x->step[i];
  return dense_norm(x->n, x->step);
}

static void assemble(Examined *x) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    double size = improve(x);
    if (!(size > 1e-12)) break;
  }
  evaluate(x);
}

// How far the ends of each joint are apart; the worst is reported.
static void find_gap(const Examined *x, Doctor *out) {
  for (int r = 0; r < x->rows;) {
    uint32_t j = x->joint[r];
    double square = 0, angle = 0;
    const Joint *joint = &x->m->joints.at[j];
    for (uint32_t k = 0; r < x->rows && x->joint[r] == j; r++, k++) {
      bool turns = joint->kind == JOINT_GEAR || joint->kind == JOINT_BELT ||
                   (joint->kind == JOINT_WELD && k == 2) ||
                   (joint->kind == JOINT_PRISMATIC && k == 1);
      if (turns)
        angle = fabs(x->residual[r]);
      else
        square += x->residual[r] * x->residual[r];
    }
    double gap = fmax(sqrt(square), angle);
    if (!(gap > 1e-7) || gap <= out->gap) continue;
    out->gap = gap, out->gaping = joint->name, out->gapes_by_angle = angle > sqrt(square);
  }
}

// ---- Rank

// Rows by Gram and Schmidt, scaled to 1: what is left under 1e-6 was implied.
static void find_rank(const Examined *x, Doctor *out) {
  double *J = x->jacobian;
  int rank = 0;
  for (int r = 0; r < x->rows; r++) {
    double *row = J + (size_t)r * x->n, size = dense_norm(x->n, row);
    for (int i = 0; size > 0 && i < x->n; i++) row[i] /= size;
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < rank; k++) {
        const double *other = J + (size_t)k * x->n;
        dense_add(x->n, -dense_dot(x->n, row, other), other, row);
      }
    double left = dense_norm(x->n, row);
    if (left > 1e-6) {
      for (int i = 0; i < x->n; i++) J[(size_t)rank * x->n + i] = row[i] / left;
      rank++;
      continue;
    }
    Symbol name = x->m->joints.at[x->joint[r]].name;
    uint32_t n = out->superfluous.n;
    if (n == 0 || out->superfluous.at[n - 1] != name)
      vec_push(&x->cx->keep, &out->superfluous, name);
  }
  out->mobility = x->n - rank;
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

Status doctor_examine(Context *cx, const Model *model, Doctor *out) {
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
    Examined x = {.cx = cx, .m = m, .model = maximal};
    if (status == QDOT_OK && open_examined(&x)) {
      if (x.rows > 0) assemble(&x);
      find_gap(&x, out);
      find_rank(&x, out);
      out->is_measured = true;
    }
  }
  arena_release(&cx->scratch, mark);
  return status;
}
