// Problems of the classic courses, by every road that applies, with their printed results.
#include <string.h>

#include "derive/momenta.h"
#include "derive/roads/claim.h"
#include "derive/roads/hamilton.h"
#include "derive/roads/integral.h"
#include "derive/roads/road_type.h"
#include "derive/roads/routh.h"
#include "derive/speeds/kane.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "lang/read.h"
#include "model/momentum.h"
#include "support/cases.h"
#include "support/check.h"

typedef struct Problem {
  Context *cx;
  System *s;
  void *road[ROADS]; // NULL where it does not apply
  Text told;
} Problem;

static bool vanishes_always(const Problem *p, Expr e) {
  bool by_algebra = true;
  return proved_zero(p->cx, p->s->model, e, expr_int(p->cx, 0), &by_algebra);
}

// ---- Roads

static void prove(Problem *p, Road road) {
  ExprList differences = {0};
  road_type(road)->differences(p->cx, p->s, p->road[road], &differences);
  assert_true(differences.n > 0);
  for (uint32_t i = 0; i < differences.n; i++)
    if (!vanishes_always(p, differences.at[i])) fail_msg("%s differs", road_text(road));
  text_addf(&p->told, " %s", road_text(road));
}

// The mistake of the user that keeps a road away is nothing here.
static void take(Problem *p, Road road) {
  Diagnostics before = diag_mark(p->cx);
  if (road_type(road)->derive(p->cx, p->s, &p->road[road]) != QDOT_OK) {
    diag_rollback(p->cx, before);
    p->road[road] = NULL;
    return;
  }
  prove(p, road);
}

// ---- Printed results

static Expr with_momenta(const Problem *p, Expr e) {
  Substitution *list = arena_array(&p->cx->scratch, Substitution, p->s->n + 1);
  for (uint32_t i = 0; i < p->s->n; i++) {
    Expr value = expr_diff(p->cx, p->s->T, p->s->qd[i]);
    list[i] = (Substitution){momentum_symbol(p->s->model, i), value};
  }
  return expr_subst(p->cx, e, list, p->s->n);
}

static bool begins(const char *name, const char *word, const char **rest) {
  size_t n = strlen(word);
  *rest = name + n;
  return strncmp(name, word, n) == 0;
}

static uint32_t coordinate_of(const Problem *p, const char *name) {
  int i = model_coordinate(p->s->model, symbol_from_text(p->cx, name));
  if (i < 0) fail_msg("no coordinate '%s'", name);
  return (uint32_t)i;
}

static Expr residual(const Problem *p, uint32_t i) {
  const System *s = p->s;
  Expr sum =
      expr_sub(p->cx, expr_sum(p->cx, (Expr[]){s->inertia[i], s->D[i], s->G[i]}, 3), s->Q[i]);
  for (uint32_t k = 0; k < s->row_count; k++)
    sum = expr_add(p->cx, sum, expr_mul(p->cx, s->rows[k].multiplier, s->rows[k].phi_q[i]));
  return sum;
}

// u' of a speed, on all roads; the printed one in the same variables.
static void check_rate(const Problem *p, const char *name, Expr printed) {
  static const Road roads[] = {ROAD_KANE, ROAD_GIBBS_APPELL, ROAD_BOLTZMANN_HAMEL, ROAD_MAGGI};
  for (size_t k = 0; k < sizeof roads / sizeof *roads; k++) {
    const SpeedEquations *e = p->road[roads[k]];
    const Speeds *sp = &e->speeds;
    uint32_t r = 0;
    while (r < sp->count && strcmp(symbol_text(p->cx, symbol_name(p->cx, sp->u[r])), name) != 0)
      r++;
    if (r == sp->count) fail_msg("no speed '%s'", name);
    Expr value = expr_sub(p->cx, printed, e->rate[r]);
    speeds_insert(p->cx, sp, p->s, &value, 1, &value);
    if (!vanishes_always(p, value))
      fail_msg("%s: %s' is not as printed", road_text(roads[k]), name);
  }
}

// Up to terms without rates of speeds.
static void check_function(const Problem *p, Expr printed) {
  const Kane *gibbs = p->road[ROAD_GIBBS_APPELL];
  const Speeds *sp = &gibbs->equations.speeds;
  Expr difference = expr_sub(p->cx, printed, gibbs->S);
  speeds_insert(p->cx, sp, p->s, &difference, 1, &difference);
  for (uint32_t r = 0; r < sp->count; r++)
    if (!vanishes_always(p, expr_diff(p->cx, difference, sp->ud[r])))
      fail_msg("S is not as printed");
}

static void check_printed(Problem *p, const Output *output) {
  Context *cx = p->cx;
  const char *name = symbol_text(cx, output->name), *rest;
  const Hamilton *h = p->road[ROAD_HAMILTON];
  const Routh *routh = p->road[ROAD_ROUTH];
  Expr found = 0;
  if (strcmp(name, "H") == 0)
    found = with_momenta(p, h->H);
  else if (strcmp(name, "V_eff") == 0)
    found = with_momenta(p, routh->effective);
  else if (strcmp(name, "R") == 0)
    found = with_momenta(p, routh->function);
  else if (begins(name, "lagrange_", &rest))
    found = residual(p, coordinate_of(p, rest));
  else if (begins(name, "momentum_", &rest))
    found = expr_diff(cx, p->s->T, p->s->qd[coordinate_of(p, rest)]);
  if (found && !vanishes_always(p, expr_sub(cx, found, output->value)))
    fail_msg("%s is not as printed", name);
  if (strcmp(name, "S") == 0)
    check_function(p, output->value);
  else if (begins(name, "rate_", &rest))
    check_rate(p, rest, output->value);
  else if (!found)
    fail_msg("what is %s?", name);
  text_addf(&p->told, "%s as printed\n", name);
}

static void check_claims(Problem *p) {
  Claims claims;
  claims_judge(p->cx, p->s, &claims);
  for (uint32_t i = 0; i < claims.n; i++) {
    const char *name = symbol_text(p->cx, claims.at[i].definition->name);
    if (claims.at[i].verdict != CLAIM_HOLDS) fail_msg("%s is not proved", name);
    text_addf(&p->told, "%s stays constant\n", name);
  }
}

static const char *solve(Context *cx, const char *input) {
  Problem p = {.cx = cx, .told = text_new(&cx->keep)};
  Model *model;
  if (model_read(cx, "problem", input, strlen(input), NULL, &model) != QDOT_OK ||
      momenta_take(&model) != QDOT_OK || model_system(model, DERIVE_MATRICES, &p.s) != QDOT_OK)
    return NULL;
  derive_inertia(cx, p.s);
  text_add(&p.told, "equal to Lagrange's:");
  for (int road = ROAD_LAGRANGE + 1; road < ROADS; road++) take(&p, (Road)road);
  text_add(&p.told, "\n");
  for (uint32_t i = 0; i < model->outputs.n; i++) check_printed(&p, &model->outputs.at[i]);
  check_claims(&p);
  return p.told.at;
}

static void problems(void **state) {
  (void)state;
  check_cases("tests/derive/problems.case", solve);
}

RUN_TESTS(cmocka_unit_test(problems))
