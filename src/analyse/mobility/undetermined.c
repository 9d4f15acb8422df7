// The self-stresses of a mechanism, seen at its joints.
#include "analyse/mobility/undetermined.h"

#include <math.h>

#include "base/text.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

static const double CUT = 1e-6; // of a row's norm: redundant; of the largest load: nothing

typedef struct Statics {
  Context *cx;
  const Mechanism *m;
  const Model *model; // in maximal coordinates
  const double *values;
  int n, rows, free;
  double *slopes;  // rows x n
  double *stress;  // free x rows: multipliers that balance each other
  uint32_t *joint; // of each row
  double length;   // what torques are divided by
} Statics;

static void find_slopes(Statics *s) {
  Context *cx = s->cx;
  Expr *q = arena_array(&cx->scratch, Expr, s->n), *qd = arena_array(&cx->scratch, Expr, s->n);
  Expr *slope = arena_array(&cx->scratch, Expr, s->n);
  for (int i = 0; i < s->n; i++)
    q[i] = s->model->coordinates.at[i].q, qd[i] = s->model->coordinates.at[i].qd;
  for (int r = 0; r < s->rows; r++) {
    const Constraint *c = &s->model->constraints.at[r];
    expr_gradient(cx, c->phi, c->is_nonholonomic ? qd : q, (size_t)s->n, slope);
    expr_eval_many(cx, slope, (size_t)s->n, s->values, s->slopes + (size_t)r * (size_t)s->n);
  }
}

// The slopes by coordinate i in units of the mechanism.
static double unit_of(const Statics *s, size_t i) {
  return dimension_is_pure(s->model->coordinates.at[i].measure.dimension) ? 1 : s->length;
}

// What the transposed rows, in units of the mechanism and each brought to length 1, take to 0.
static bool find_stresses(Statics *s) {
  Arena *scratch = &s->cx->scratch;
  size_t rows = (size_t)s->rows, n = (size_t)s->n;
  double *unit = arena_array(scratch, double, rows *n), *norm = arena_array(scratch, double, rows);
  Svd *svd = svd_new(scratch, s->rows, s->n);
  for (size_t r = 0; r < rows; r++) {
    for (size_t i = 0; i < n; i++) unit[r * n + i] = s->slopes[r * n + i] * unit_of(s, i);
    norm[r] = dense_norm(s->n, unit + r * n);
    if (!isfinite(norm[r])) return false;
    if (!(norm[r] > 0)) norm[r] = 1;
    for (size_t i = 0; i < n; i++) unit[r * n + i] /= norm[r];
  }
  if (svd_compute(svd, s->rows, unit) != QDOT_OK) return false;
  int rank = 0, most = s->rows < s->n ? s->rows : s->n;
  while (rank < most && svd->sigma[rank] > CUT * svd->sigma[0]) rank++;
  s->free = s->rows - rank;
  s->stress = arena_array(scratch, double, rows *(size_t)(s->free > 0 ? s->free : 1));
  dense_complement(s->rows, svd->k, rank, svd->U, s->free, s->stress);
  for (int j = 0; j < s->free; j++)
    for (size_t r = 0; r < rows; r++) s->stress[(size_t)j * rows + r] /= norm[r];
  return true;
}

// ---- At a joint

// The joint whose rows, or whose motor's, a constraint is; the number of joints for none.
static uint32_t joint_of(const Statics *s, const Constraint *c) {
  for (uint32_t i = 0; i < s->m->motors.n; i++)
    if (s->m->motors.at[i].name == c->name) return s->m->motors.at[i].joint;
  for (uint32_t i = 0; i < s->m->joints.n; i++)
    for (uint32_t k = 0; k < joint_row_count(s->m->joints.at[i].kind); k++)
      if (joint_row_name(s->cx, &s->m->joints.at[i], k) == c->name) return i;
  return s->m->joints.n;
}

static double slope_by_pose(const Statics *s, int row, const Body *body, int k) {
  int i = model_coordinate(s->model, symbol_name(s->cx, body->pose[k]));
  return i < 0 ? 0 : s->slopes[(size_t)row * (size_t)s->n + (size_t)i];
}

// Where a point of a body is, seen from the centre of another.
static void arm_to(const Statics *s, const Anchor *point, uint32_t from, double out[2]) {
  double at[2], pose[3], centre[2];
  expr_eval_many(s->cx, point->at, 2, s->values, at);
  expr_eval_many(s->cx, s->model->poses + 3 * from, 2, s->values, centre);
  if (point->body != GROUND) {
    expr_eval_many(s->cx, s->model->poses + 3 * point->body, 3, s->values, pose);
    double x = at[0], y = at[1], c = cos(pose[2]), sine = sin(pose[2]);
    at[0] = pose[0] + c * x - sine * y, at[1] = pose[1] + sine * x + c * y;
  }
  for (int i = 0; i < 2; i++) out[i] = at[i] - centre[i];
}

// The sizes of what all self-stresses together do at a joint: force x, y, torque over length.
static void stress_at(const Statics *s, uint32_t number, double out[3]) {
  const Joint *joint = &s->m->joints.at[number];
  uint32_t body = joint->second.body == GROUND ? joint->first.body : joint->second.body;
  double arm[2];
  out[0] = out[1] = out[2] = 0;
  if (body == GROUND) return;
  arm_to(s, &joint->second, body, arm);
  for (int j = 0; j < s->free; j++) {
    double f[3] = {0};
    for (int r = 0; r < s->rows; r++) {
      if (s->joint[r] != number) continue;
      for (int k = 0; k < 3; k++)
        f[k] += s->stress[(size_t)j * (size_t)s->rows + (size_t)r] *
                slope_by_pose(s, r, &s->m->bodies.at[body], k);
    }
    f[2] -= arm[0] * f[1] - arm[1] * f[0];
    f[2] /= s->length;
    for (int k = 0; k < 3; k++) out[k] = hypot(out[k], f[k]);
  }
}

SymbolList undetermined_reactions(Context *cx, const Mechanism *m, const Model *maximal,
                                  const double *values, double length) {
  static const char *const parts[3] = {"F_x", "F_y", "T"};
  SymbolList names = {0};
  Statics s = {.cx = cx, .m = m, .model = maximal, .values = values, .length = length};
  s.n = (int)maximal->coordinates.n, s.rows = (int)maximal->constraints.n;
  if (s.rows == 0 || s.n == 0) return names;
  Mark mark = arena_mark(&cx->scratch);
  s.slopes = arena_array(&cx->scratch, double, (size_t)s.rows *(size_t)s.n);
  find_slopes(&s);
  if (find_stresses(&s) && s.free > 0) {
    s.joint = arena_array(&cx->scratch, uint32_t, s.rows);
    for (int r = 0; r < s.rows; r++) s.joint[r] = joint_of(&s, &maximal->constraints.at[r]);
    double(*sizes)[3] =
        arena_alloc(&cx->scratch, arena_size(&cx->scratch, m->joints.n, sizeof *sizes)),
    most = 0;
    for (uint32_t i = 0; i < m->joints.n; i++) {
      stress_at(&s, i, sizes[i]);
      for (int k = 0; k < 3; k++) most = fmax(most, sizes[i][k]);
    }
    for (uint32_t i = 0; i < 3 * m->joints.n; i++)
      if (sizes[i / 3][i % 3] > CUT * most)
        vec_push(&cx->keep, &names,
                 symbol_from_text(cx, text_format(&cx->keep, "%s.%s",
                                                  symbol_text(cx, m->joints.at[i / 3].name),
                                                  parts[i % 3])));
  }
  arena_release(&cx->scratch, mark);
  return names;
}
