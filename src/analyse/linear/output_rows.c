// Outputs follow coordinates, velocities, accelerations and multipliers.
#include "analyse/linear/output_rows.h"

#include <string.h>

#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

// Rows of B below a unit block: columns of the states and the inputs.
static double *zeros(Arena *arena, uint32_t rows, uint32_t columns) {
  return arena_array(arena, double, (size_t)rows *columns + 1);
}

// ds/dt from the lower half of the state space, or as columns of their own.
static double *accelerations(Arena *arena, const Linearized *l, uint32_t columns) {
  uint32_t size = l->p + l->f;
  double *out = zeros(arena, l->f, columns);
  for (uint32_t i = 0; !l->is_regular && i < l->f; i++) out[(size_t)i * columns + size + i] = 1;
  for (uint32_t i = 0; l->is_regular && i < l->f; i++) {
    memcpy(out + (size_t)i * columns, l->state.A + (size_t)(l->p + i) * size, size * sizeof *out);
    memcpy(out + (size_t)i * columns + size, l->state.B + (size_t)(l->p + i) * l->inputs,
           l->inputs * sizeof *out);
  }
  return out;
}

// Phi_q^T dlambda = B du - M dq'' - C dq' - K dq, by least norm where rows are redundant.
static void multipliers(Arena *arena, const FullNumbers *full, const RowNumbers *rows,
                        OutputRows *f) {
  uint32_t n = full->n, count = rows->holonomic + rows->nonholonomic, columns = f->columns;
  if (count == 0) return;
  Mark mark = arena_mark(arena);
  double *force = zeros(arena, n, columns), *part = zeros(arena, n, columns);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < full->inputs; j++)
      force[(size_t)i * columns + columns - full->inputs + j] = full->B[i * full->inputs + j];
  const double *factor[3] = {full->M, full->C, full->K};
  const double *motion[3] = {f->qdd, f->qd, f->q};
  for (int k = 0; k < 3; k++) {
    matrix_multiply(n, n, columns, factor[k], motion[k], part);
    dense_add((int)(n * columns), -1, part, force);
  }
  double *At = zeros(arena, n, count), *b = zeros(arena, n, 1), *x = zeros(arena, count, 1);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < count; k++) At[(size_t)i * count + k] = rows->Phi_q[(size_t)k * n + i];
  for (uint32_t j = 0; j < columns; j++) {
    for (uint32_t i = 0; i < n; i++) b[i] = force[(size_t)i * columns + j];
    svd_least_norm(arena, (int)n, (int)count, At, b, 1e-11, x, NULL);
    for (uint32_t k = 0; k < count; k++) f->lambda[(size_t)rows->row[k] * columns + j] = x[k];
  }
  arena_release(arena, mark);
}

void output_rows_find(const Linearized *l, Arena *arena, OutputRows *out) {
  uint32_t n = l->n, p = l->p, f = l->f, states = p + f + (l->is_regular ? 0 : f);
  uint32_t columns = states + l->inputs;
  *out = (OutputRows){.states = states, .columns = columns};
  out->q = zeros(arena, n, columns), out->qd = zeros(arena, n, columns);
  out->qdd = zeros(arena, n, columns), out->lambda = zeros(arena, l->m, columns);
  Mark mark = arena_mark(arena);
  const Reduced *r = &l->number;
  double *z = zeros(arena, p, columns), *s = zeros(arena, f, columns);
  double *zd = zeros(arena, p, columns), *zdd = zeros(arena, p, columns);
  double *part = zeros(arena, p, columns);
  for (uint32_t i = 0; i < p; i++) z[(size_t)i * columns + i] = 1;
  for (uint32_t i = 0; i < f; i++) s[(size_t)i * columns + p + i] = 1;
  // dz/dt = W s + Y z, and once more
  matrix_multiply(p, f, columns, r->W, s, zd);
  matrix_multiply(p, p, columns, r->Y, z, part);
  dense_add((int)(p * columns), 1, part, zd);
  matrix_multiply(p, f, columns, r->W, accelerations(arena, l, columns), zdd);
  matrix_multiply(p, p, columns, r->Y, zd, part);
  dense_add((int)(p * columns), 1, part, zdd);
  matrix_multiply(n, p, columns, r->R, z, out->q);
  matrix_multiply(n, p, columns, r->R, zd, out->qd);
  matrix_multiply(n, p, columns, r->R, zdd, out->qdd);
  multipliers(arena, &l->full, &l->rows, out);
  arena_release(arena, mark);
}

// ---- Outputs

typedef struct Slopes {
  Context *cx;
  const double *values;
  uint32_t columns;
  double *row;
} Slopes;

// row += sum over symbols of de/dsymbol * motion of the symbol
static void add_slopes(const Slopes *s, Expr e, const Expr *symbols, uint32_t count,
                       const double *motion) {
  Mark mark = arena_mark(&s->cx->scratch);
  Expr *slope = arena_array(&s->cx->scratch, Expr, count + 1);
  double *number = arena_array(&s->cx->scratch, double, count + 1);
  expr_gradient(s->cx, e, symbols, count, slope);
  expr_eval_many(s->cx, slope, count, s->values, number);
  dense_add_transposed((int)count, (int)s->columns, 1, motion, number, s->row);
  arena_release(&s->cx->scratch, mark);
}

static Expr multiplier_of(const System *s, uint32_t k) {
  return k < s->row_count ? s->rows[k].multiplier : s->contacts[k - s->row_count].multiplier;
}

void output_rows_row(Context *cx, const Linearized *l, const OutputRows *f, const double *values,
                     Expr e, double *row) {
  const System *sys = l->system;
  const Model *model = sys->model;
  uint32_t inputs = model->inputs.n;
  memset(row, 0, f->columns * sizeof *row);
  Slopes s = {cx, values, f->columns, row};
  add_slopes(&s, e, sys->q, l->n, f->q);
  add_slopes(&s, e, sys->qd, l->n, f->qd);
  add_slopes(&s, e, sys->qdd, l->n, f->qdd);
  Mark mark = arena_mark(&cx->scratch);
  Expr *symbol = arena_array(&cx->scratch, Expr, l->m + inputs + 1);
  double *unit = zeros(&cx->scratch, inputs, f->columns);
  for (uint32_t k = 0; k < l->m; k++) symbol[k] = multiplier_of(sys, k);
  add_slopes(&s, e, symbol, l->m, f->lambda);
  for (uint32_t i = 0; i < inputs; i++) {
    symbol[i] = model->inputs.at[i].symbol;
    unit[(size_t)i * f->columns + f->states + i] = 1;
  }
  add_slopes(&s, e, symbol, inputs, unit);
  arena_release(&cx->scratch, mark);
}

void output_rows_outputs(Balance *b, Linearized *l) {
  Context *cx = b->cx;
  uint32_t size = l->p + l->f;
  l->C_out = zeros(cx->results, l->outputs, size);
  l->D_out = zeros(cx->results, l->outputs, l->inputs);
  if (l->outputs == 0) return;
  Mark mark = arena_mark(&b->arena);
  OutputRows f;
  output_rows_find(l, &b->arena, &f);
  double *row = zeros(&b->arena, 1, f.columns);
  for (uint32_t o = 0; o < l->outputs; o++) {
    output_rows_row(cx, l, &f, b->values, b->system->model->outputs.at[o].value, row);
    memcpy(l->C_out + (size_t)o * size, row, size * sizeof *row);
    memcpy(l->D_out + (size_t)o * l->inputs, row + size, l->inputs * sizeof *row);
  }
  arena_release(&b->arena, mark);
}
