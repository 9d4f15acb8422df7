// The balance of forces: derived once, compiled once, evaluated at many states.
#include "analyse/equilibrium/balance.h"

#include <math.h>

#include "code/flatten.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

// ---- Expressions

// Does the row at rest depend on positions?
static bool settles_by_positions(Balance *b, uint32_t k) {
  Context *cx = b->cx;
  if (!b->rows[k]->is_nonholonomic) return false;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *rest = arena_array(&cx->scratch, Substitution, b->n + 1);
  for (uint32_t i = 0; i < b->n; i++) rest[i] = (Substitution){b->system->qd[i], expr_int(cx, 0)};
  Expr left = expr_normal(cx, expr_subst(cx, b->rates[k], rest, b->n));
  bool depends = false;
  for (uint32_t i = 0; i < b->n; i++) depends = depends || expr_depends(cx, left, b->system->q[i]);
  arena_release(&cx->scratch, mark);
  return depends;
}

static void list_rows(Balance *b) {
  const System *s = b->system;
  b->m = s->row_count + s->contact_count;
  b->rows = arena_array(&b->arena, const Row *, b->m);
  b->rates = arena_array(&b->arena, Expr, b->m);
  for (uint32_t k = 0; k < b->m; k++) {
    const Row *row = k < s->row_count ? &s->rows[k] : &s->contacts[k - s->row_count];
    b->rows[k] = row;
    b->rates[k] = row->is_nonholonomic ? row->phi : expr_time_derivative(b->cx, row->phi);
  }
  b->settles = arena_array(&b->arena, bool, b->m + 1);
  for (uint32_t k = 0; k < b->m; k++) b->settles[k] = settles_by_positions(b, k);
}

static Expr applied_force(Context *cx, const System *s, uint32_t i) {
  return expr_linear(cx, NUMBER_ZERO,
                     (Pair[]){{s->h[i], NUMBER_ONE},
                              {s->D[i], NUMBER_ONE},
                              {s->G[i], NUMBER_ONE},
                              {s->Q[i], NUMBER_MINUS_ONE}},
                     4);
}

static Expr reaction_force(Balance *b, uint32_t i) {
  Context *cx = b->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, b->m + 1);
  for (uint32_t k = 0; k < b->m; k++)
    terms[k] = expr_mul(cx, b->rows[k]->multiplier, b->rows[k]->phi_q[i]);
  Expr sum = expr_sum(cx, terms, b->m);
  arena_release(&cx->scratch, mark);
  return sum;
}

static void derive_balance(Balance *b) {
  Context *cx = b->cx;
  const System *s = b->system;
  size_t n = b->n;
  b->applied = arena_array(&b->arena, Expr, n);
  b->reaction = arena_array(&b->arena, Expr, n);
  b->applied_q = arena_array(&b->arena, Expr, n * n);
  b->reaction_q = arena_array(&b->arena, Expr, n * n);
  for (uint32_t i = 0; i < n; i++) {
    b->applied[i] = applied_force(cx, s, i);
    b->reaction[i] = reaction_force(b, i);
  }
  expr_jacobian(cx, b->applied, n, s->q, n, b->applied_q);
  expr_jacobian(cx, b->reaction, n, s->q, n, b->reaction_q);
}

// ---- The program: force, size, K, phi, Phi_q, rate

// Inputs are all symbols of the context, in the order of their variables.
static void bind_symbols(Balance *b, ProgramBuilder *builder, Flattener *flat) {
  const System *s = b->system;
  const Model *model = s->model;
  uint32_t count = b->cx->exprs->symbols.n;
  bool *varies = arena_array(&b->arena, bool, count);
  varies[symbol_variable(b->cx, s->t)] = true;
  for (uint32_t i = 0; i < b->n; i++) {
    varies[symbol_variable(b->cx, s->q[i])] = true;
    varies[symbol_variable(b->cx, s->qd[i])] = true;
  }
  for (uint32_t k = 0; k < b->m; k++) varies[symbol_variable(b->cx, b->rows[k]->multiplier)] = true;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    varies[symbol_variable(b->cx, model->inputs.at[i].symbol)] = true;
  for (uint32_t i = 0; i < count; i++) {
    if (!varies[i]) program_fix_input(builder, i);
    flatten_bind(flat, b->cx->exprs->symbols.at[i], program_input(builder, i));
  }
}

static void put(ProgramBuilder *builder, Flattener *flat, Expr e) {
  program_output(builder, flatten_expr(flat, e));
}

static void put_size(Balance *b, ProgramBuilder *builder, Flattener *flat, uint32_t i) {
  const System *s = b->system;
  Expr parts[4] = {s->h[i], s->D[i], s->G[i], s->Q[i]};
  Slot sum = program_constant(builder, 0);
  for (int k = 0; k < 4; k++) {
    Slot size = program_op1(builder, STEP_ABS, flatten_expr(flat, parts[k]));
    sum = program_add(builder, sum, size);
  }
  for (uint32_t k = 0; k < b->m; k++) {
    Expr part = expr_mul(b->cx, b->rows[k]->multiplier, b->rows[k]->phi_q[i]);
    sum = program_add(builder, sum, program_op1(builder, STEP_ABS, flatten_expr(flat, part)));
  }
  program_output(builder, sum);
}

static void compile_balance(Balance *b) {
  Context *cx = b->cx;
  ProgramBuilder builder;
  Flattener flat;
  uint32_t count = cx->exprs->symbols.n, n = b->n, m = b->m;
  program_open(&builder, cx, count);
  flatten_open(&flat, &builder);
  bind_symbols(b, &builder, &flat);
  for (uint32_t i = 0; i < n; i++)
    put(&builder, &flat, expr_add(cx, b->applied[i], b->reaction[i]));
  for (uint32_t i = 0; i < n; i++) put_size(b, &builder, &flat, i);
  for (uint32_t i = 0; i < n * n; i++)
    put(&builder, &flat, expr_add(cx, b->applied_q[i], b->reaction_q[i]));
  for (uint32_t k = 0; k < m; k++)
    put(&builder, &flat, b->rows[k]->is_nonholonomic ? expr_int(cx, 0) : b->rows[k]->phi);
  for (uint32_t k = 0; k < m; k++)
    for (uint32_t j = 0; j < n; j++) put(&builder, &flat, b->rows[k]->phi_q[j]);
  for (uint32_t k = 0; k < m; k++) put(&builder, &flat, b->rates[k]);
  Expr *slopes = arena_array(&b->arena, Expr, n + 1);
  for (uint32_t k = 0; k < m; k++) {
    for (uint32_t j = 0; j < n; j++) slopes[j] = expr_int(cx, 0);
    if (b->settles[k]) expr_gradient(cx, b->rates[k], b->system->q, n, slopes);
    for (uint32_t j = 0; j < n && b->settles[k]; j++) put(&builder, &flat, slopes[j]);
  }
  const Program *program = program_finish(&builder, &b->arena);
  flatten_close(&flat);
  program_close(&builder);
  b->program = compile_program(cx, program, backend_from_environment(), &b->arena);
  b->work = arena_array(&b->arena, double, b->program.work_size + 1);
  b->in = arena_array(&b->arena, double, count + 1);
  double *at = b->out = arena_array(&b->arena, double, program->output_count + 1);
  b->force = at, at += n;
  b->size = at, at += n;
  b->K = at, at += (size_t)n * n;
  b->phi = at, at += m;
  b->Phi_q = at, at += (size_t)m * n;
  b->rate = at, at += m;
  b->rate_q = at;
}

// ---- Life and use

static void close_balance(void *object) {
  Balance *b = object;
  compiled_close(&b->program);
  arena_close(&b->arena);
}

void balance_open(Balance *b, Context *cx, const System *system, const double *values) {
  *b = (Balance){.cx = cx, .system = system, .n = system->n, .inputs = system->model->inputs.n};
  arena_open(&b->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &b->handle, b, close_balance);
  list_rows(b);
  derive_balance(b);
  compile_balance(b);
  b->values = b->in;
  balance_set_values(b, values);
}

void balance_close(Balance *b) { guard_close(&b->cx->guard, &b->handle); }

void balance_set_values(Balance *b, const double *values) {
  const Model *model = b->system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(b->cx, model->parameters.at[i].symbol);
    b->in[at] = values[at];
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    uint32_t at = symbol_variable(b->cx, model->inputs.at[i].symbol);
    b->in[at] = values[at];
  }
  for (uint32_t i = 0; i < b->left_out.n; i++) b->in[symbol_variable(b->cx, b->left_out.at[i])] = 0;
  compiled_prepare(&b->program, b->in, b->work);
}

void balance_leave_out(Balance *b, Expr parameter) {
  vec_push(&b->arena, &b->left_out, parameter);
  vec_push(&b->arena, &b->zeros, parameter);
  balance_set_values(b, b->values);
}

bool balance_evaluate(Balance *b, const double *q, const double *qd, const double *lambda) {
  const Context *cx = b->cx;
  const System *s = b->system;
  for (uint32_t i = 0; i < b->n; i++) {
    b->in[symbol_variable(cx, s->q[i])] = q[i];
    b->in[symbol_variable(cx, s->qd[i])] = qd[i];
  }
  for (uint32_t k = 0; k < b->m; k++)
    b->in[symbol_variable(cx, b->rows[k]->multiplier)] = lambda[k];
  b->in[symbol_variable(cx, s->t)] = 0;
  compiled_run(&b->program, b->in, b->out, b->work);
  for (uint32_t i = 0; i < b->program.program->output_count; i++)
    if (!isfinite(b->out[i])) return false;
  return true;
}
