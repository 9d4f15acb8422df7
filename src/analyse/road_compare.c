// Deriving, proving and measuring every road of a model.
#include "analyse/road_compare.h"

#include <math.h>
#include <string.h>

#include "base/status_text.h"
#include "code/flatten.h"
#include "derive/roads/motion_rate.h"
#include "derive/roads/road_type.h"
#include "derive/roads/routh.h"
#include "expr/algebra/cost.h"
#include "expr/build.h"
#include "expr/print.h"
#include "native/compiled.h"

#define READABLE_COST 20000 // of all right sides, by expr_cost: longer ones are not written out
#define MOST_UNKNOWNS 24    // accelerations and multipliers that are solved for in symbols
enum { EVALUATIONS = 200, ROUNDS = 5 };

// ---- The right side as a program

static ExprList symbols_in(Context *cx, const ExprList *sides) {
  ExprList all = expr_walk(cx, sides->at, sides->n, visit_all, NULL), symbols = {0};
  for (uint32_t i = 0; i < all.n; i++)
    if (op_of(cx, all.at[i]) == OP_SYMBOL) vec_push(&cx->scratch, &symbols, all.at[i]);
  return symbols;
}

static const Program *program_of(Context *cx, const ExprList *sides, const ExprList *symbols,
                                 Arena *into) {
  ProgramBuilder builder;
  Flattener flattener;
  program_open(&builder, cx, symbols->n + 1);
  flatten_open(&flattener, &builder);
  for (uint32_t i = 0; i < symbols->n; i++) {
    Expr e = symbols->at[i];
    if (expr_has_kind(cx, e, KIND_BIT(SYMBOL_PARAMETER))) program_fix_input(&builder, i);
    flatten_bind(&flattener, e, program_input(&builder, i));
  }
  Slot *slots = arena_array(&cx->scratch, Slot, sides->n + 1);
  flatten_many(&flattener, sides->at, sides->n, slots);
  for (uint32_t i = 0; i < sides->n; i++) program_output(&builder, slots[i]);
  const Program *program = program_finish(&builder, into);
  flatten_close(&flattener);
  program_close(&builder);
  return program;
}

// The least of some rounds, in seconds an evaluation.
static double time_program(Context *cx, const Program *program) {
  Compiled compiled = compile_program(cx, program, BACKEND_BEST, &cx->keep);
  double *in = arena_array(&cx->keep, double, program->input_count + 1), least = INFINITY;
  double *out = arena_array(&cx->keep, double, program->output_count + 1);
  double *work = arena_array(&cx->keep, double, compiled.work_size + 1);
  for (uint32_t i = 0; i < program->input_count; i++)
    in[i] = 0.3 + 0.6 * fmod(0.6180339887498949 * (i + 1), 1);
  compiled_prepare(&compiled, in, work);
  for (int round = 0; round < ROUNDS; round++) {
    double began = context_seconds();
    for (int i = 0; i < EVALUATIONS; i++) compiled_run(&compiled, in, out, work);
    least = fmin(least, (context_seconds() - began) / EVALUATIONS);
  }
  compiled_close(&compiled);
  return least;
}

static const Program *shorter(Context *cx, const Program *a, const Program *b) {
  if (!a) return b;
  return program_cost(a, &cx->scratch).steps <= program_cost(b, &cx->scratch).steps ? a : b;
}

static uint32_t length_of(Context *cx, const ExprList *sides) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < sides->n; i++)
    sum += (uint32_t)strlen(expr_text(cx, &cx->scratch, sides->at[i]));
  return sum;
}

static double cost_of(Context *cx, const ExprList *sides) {
  double sum = 0;
  for (uint32_t i = 0; i < sides->n; i++) sum += expr_cost_with_definitions(cx, sides->at[i]);
  return sum;
}

static void note_multipliers(Context *cx, const ExprList *sides, RoadRun *run) {
  for (uint32_t i = 0; i < sides->n; i++)
    run->has_multipliers |= expr_has_kind(cx, sides->at[i], KIND_BIT(SYMBOL_MULTIPLIER));
}

// As it was derived, and as it is read: programs take the one with fewer steps.
static void measure(Context *cx, const ExprList *derived, const ExprList *read, RoadRun *run) {
  const Program *best = NULL;
  const ExprList *forms[] = {derived, read};
  for (int i = 0; i < 2; i++) {
    if (!forms[i]->n) continue;
    ExprList symbols = symbols_in(cx, forms[i]);
    best = shorter(cx, best, program_of(cx, forms[i], &symbols, &cx->keep));
  }
  if (!best) return;
  run->is_measured = true;
  run->operations = program_cost(best, &cx->scratch).steps;
  run->seconds = time_program(cx, best);
  run->equations = derived->n;
  if (read->n) run->length = length_of(cx, read);
  note_multipliers(cx, derived, run);
}

// ---- Lagrange's equations, solved

static void take_lagrange(Context *cx, System *s, RoadRun *run) {
  double began = context_seconds();
  uint32_t unknowns = s->n + s->row_count;
  Expr *x = arena_array(&cx->scratch, Expr, unknowns + 1);
  run->agreement = (Agreement){.equality = EQUAL_YES};
  if (unknowns > MOST_UNKNOWNS || !motion_solve(cx, s, x)) return;
  run->derive_seconds = context_seconds() - began;
  ExprList derived = {0}, read = {0};
  for (uint32_t i = 0; i < s->n; i++) vec_push(&cx->scratch, &derived, s->qd[i]);
  for (uint32_t i = 0; i < s->n; i++) vec_push(&cx->scratch, &derived, x[i]);
  for (uint32_t i = 0; i < s->states; i++) vec_push(&cx->scratch, &derived, s->rates[i]);
  if (cost_of(cx, &derived) <= READABLE_COST) {
    for (uint32_t i = 0; i < derived.n; i++) vec_push(&cx->scratch, &read, derived.at[i]);
    expr_simplify_many(cx, read.at, read.n, SIMPLIFY_NORMAL, read.at);
  }
  measure(cx, &derived, &read, run);
}

// ---- The others

static const char *take_refusal(Context *cx, Diagnostics before, Status status) {
  const char *message = status_text(status);
  for (uint32_t i = before.list.n; i < cx->diagnostics.list.n; i++)
    if (cx->diagnostics.list.at[i].severity == SEVERITY_ERROR)
      message = cx->diagnostics.list.at[i].message;
  diag_rollback(cx, before);
  return message;
}

static void take_road(Context *cx, System *s, Road road, RoadRun *run) {
  const RoadType *type = road_type(road);
  Diagnostics before = diag_mark(cx);
  void *result;
  double began = context_seconds();
  Status status = type->derive(cx, s, &result);
  run->derive_seconds = context_seconds() - began;
  if (status != QDOT_OK) {
    run->refusal = take_refusal(cx, before, status);
    return;
  }
  ExprList differences = {0}, derived = {0}, read = {0};
  type->differences(cx, s, result, &differences);
  run->agreement = agreement_vanish(cx, differences.at, differences.n);
  type->rates(cx, s, result, &derived);
  if (cost_of(cx, &derived) <= READABLE_COST) {
    type->simplify(cx, s, SIMPLIFY_NORMAL, false, result);
    type->rates(cx, s, result, &read);
  }
  measure(cx, &derived, &read, run);
}

// ---- Which is shortest, and why

static bool has_constant_mass(Context *cx, const System *s) {
  for (uint32_t i = 0; i < s->n * s->n; i++)
    if (expr_has_kind(cx, s->M[i], KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_TIME)))
      return false;
  return true;
}

static RoadReason reason_of(Context *cx, const System *s, const RoadComparison *c) {
  uint32_t as_short = 0;
  for (int road = 0; road < ROADS; road++) {
    const RoadRun *run = &c->runs[road];
    as_short += run->is_measured && !run->has_multipliers &&
                run->operations == c->runs[c->shortest].operations;
  }
  switch ((Road)c->shortest) {
  case ROAD_LAGRANGE:
    return !s->row_count && has_constant_mass(cx, s) ? REASON_LAGRANGE : REASON_SOLVED;
  case ROAD_HAMILTON: return REASON_MOMENTA;
  case ROAD_ROUTH: return REASON_CYCLIC;
  default: break;
  }
  if (s->row_count) return REASON_CONSTRAINTS;
  return as_short > 4 ? REASON_NONE : REASON_SPEEDS;
}

static void choose(Context *cx, const System *s, RoadComparison *c) {
  c->shortest = -1;
  for (int road = 0; road < ROADS; road++) {
    const RoadRun *run = &c->runs[road];
    if (!run->is_measured || run->has_multipliers) continue;
    if (c->shortest < 0 || run->operations < c->runs[c->shortest].operations) c->shortest = road;
  }
  if (c->shortest >= 0) c->reason = reason_of(cx, s, c);
}

Status compare_roads(Context *cx, Model *model, RoadComparison *out) {
  *out = (RoadComparison){.is_proved = true};
  System *s;
  Status status = model_system(model, DERIVE_MATRICES, &s);
  if (status != QDOT_OK) return status;
  derive_inertia(cx, s);
  for (int road = 0; road < ROADS; road++) {
    Mark mark = arena_mark(&cx->scratch);
    RoadRun *run = &out->runs[road];
    run->name = road == ROAD_LAGRANGE ? "lagrange" : road_text((Road)road);
    if (road == ROAD_LAGRANGE)
      take_lagrange(cx, s, run);
    else
      take_road(cx, s, (Road)road, run);
    if (!run->refusal) out->is_proved = out->is_proved && run->agreement.equality == EQUAL_YES;
    arena_release(&cx->scratch, mark);
  }
  Conserved *conserved;
  uint32_t count = system_conserved(cx, s, &conserved);
  for (uint32_t i = 0; i < count; i++) out->cyclic += conserved[i].kind == CONSERVED_MOMENTUM;
  choose(cx, s, out);
  return QDOT_OK;
}
