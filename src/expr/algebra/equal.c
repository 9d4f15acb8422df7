// Equality by several routes.
#include "expr/algebra/equal.h"

#include <math.h>

#include "base/random.h"
#include "expr/algebra/expand.h"
#include "expr/algebra/field.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/value/bound.h"

#define SEED 0x5DEECE66Du         // answers do not depend on the day
#define CHEAP_NORMAL_FORM 2000    // term operations worth an exact yes
#define PATIENT_NORMAL_FORM 50000 // where the field knows too little, such as nested roots
#define FIELD_POINTS 3
#define FIELD_POINTS_WITH_ROOTS 64 // each decides with probability 1/2
#define FIELD_TRIES 400
#define REAL_POINTS 16
#define REAL_TRIES 200
#define SURE 1e-9 // largest error of a yes

// ---- Finite fields

typedef enum FieldAnswer { FIELD_ZERO, FIELD_NOT_ZERO, FIELD_SILENT } FieldAnswer;

// Chance that something else than zero vanishes at all these points.
static double chance_of_error(const FieldPlan *plan, uint32_t points) {
  double once = field_degree(plan) / field_prime();
  if (field_has_roots(plan)) once += 0.5;
  return once < 1 ? pow(once, points) : 1;
}

static FieldAnswer ask_field(FieldPlan *plan, Evidence *evidence) {
  uint32_t wanted = field_has_roots(plan) ? FIELD_POINTS_WITH_ROOTS : FIELD_POINTS, found = 0;
  for (uint32_t i = 0; i < FIELD_TRIES && found < wanted; i++) {
    uint64_t value;
    if (field_evaluate(plan, SEED, i, &value) != FIELD_VALUE) continue;
    found++;
    if (value == 0) continue;
    *evidence = (Evidence){.kind = EVIDENCE_FIELD, .points = 1};
    return FIELD_NOT_ZERO;
  }
  double error = chance_of_error(plan, found);
  *evidence = (Evidence){.kind = EVIDENCE_FIELD, .points = found, .error = error};
  return error < SURE ? FIELD_ZERO : FIELD_SILENT;
}

// ---- Doubles

// All symbols at random: positive in every second point, so that roots and logarithms have values.
static double *random_point(Context *cx, uint64_t *state, uint32_t number) {
  uint32_t n = cx->exprs->symbols.n;
  double *values = arena_array(&cx->scratch, double, n);
  double low = number % 2 ? -2 : 0.1;
  for (uint32_t i = 0; i < n; i++) values[i] = low + (2 - low) * random_fraction(state);
  return values;
}

static Equality ask_doubles(Context *cx, Expr a, Expr b, Evidence *evidence) {
  uint64_t state = SEED;
  uint32_t found = 0;
  double worst = 0;
  for (uint32_t i = 0; i < REAL_TRIES && found < REAL_POINTS; i++) {
    Mark mark = arena_mark(&cx->scratch);
    double *at = random_point(cx, &state, i);
    Bounded x = expr_eval_bounded(cx, a, at), y = expr_eval_bounded(cx, b, at);
    arena_release(&cx->scratch, mark);
    double size = fmax(fabs(x.value), fabs(y.value)), error = x.error + y.error;
    if (!isfinite(size) || !(error < 1e-3 * fmax(size, 1e-30))) continue;
    if (fabs(x.value - y.value) > error) {
      *evidence = (Evidence){.kind = EVIDENCE_POINT, .points = 1};
      return EQUAL_NO;
    }
    found++;
    worst = fmax(worst, error / size);
  }
  *evidence = (Evidence){.kind = EVIDENCE_NONE};
  if (found) {
    int digits = worst > 0 ? (int)floor(-log10(worst)) : 15;
    *evidence = (Evidence){.kind = EVIDENCE_DIGITS, .points = found, .digits = digits};
  }
  return EQUAL_UNKNOWN;
}

// ---- The answer

static Equality compare(Context *cx, Expr a, Expr b, Evidence *evidence) {
  *evidence = (Evidence){.kind = EVIDENCE_SAME};
  if (a == b) return EQUAL_YES;
  if (!expr_is_defined(cx, a) || !expr_is_defined(cx, b)) return EQUAL_NO;
  Expr pair[2] = {a, b};
  expr_open_many(cx, pair, 2, pair);
  Expr difference = expr_sub(cx, pair[0], pair[1]);
  if (expr_is_number(cx, difference)) return expr_is_zero(cx, difference) ? EQUAL_YES : EQUAL_NO;
  FieldPlan *plan = field_plan(cx, difference);
  FieldAnswer answer = ask_field(plan, evidence);
  bool exact = field_is_exact(plan), roots = field_has_roots(plan);
  field_close(plan);
  if (answer == FIELD_NOT_ZERO && exact) return EQUAL_NO;
  uint64_t budget = answer == FIELD_ZERO ? CHEAP_NORMAL_FORM : PATIENT_NORMAL_FORM;
  bool zero = expr_zero_test(cx, difference, budget) == ZERO_YES;
  if (zero) *evidence = (Evidence){.kind = EVIDENCE_NORMAL_FORM};
  if (zero || (answer == FIELD_ZERO && !roots)) return EQUAL_YES;
  // Signs under roots are squares in the field: doubles have a word too.
  Evidence points;
  Equality by_doubles = ask_doubles(cx, pair[0], pair[1], &points);
  if (answer == FIELD_ZERO && by_doubles == EQUAL_UNKNOWN) return EQUAL_YES;
  *evidence = points;
  return by_doubles;
}

Equality expr_equal(Context *cx, Expr a, Expr b, Evidence *evidence) {
  Evidence unused;
  Mark mark = arena_mark(&cx->scratch);
  Equality answer = compare(cx, a, b, evidence ? evidence : &unused);
  arena_release(&cx->scratch, mark);
  return answer;
}

void evidence_print(const Evidence *e, Text *out) {
  const char *plural = e->points == 1 ? "" : "s";
  switch (e->kind) {
  case EVIDENCE_NONE: text_add(out, "no point was found where both have a value"); break;
  case EVIDENCE_SAME: text_add(out, "written out, they are the same or differ by a number"); break;
  case EVIDENCE_NORMAL_FORM: text_add(out, "the difference multiplied out is zero"); break;
  case EVIDENCE_FIELD:
    if (e->error > 0)
      text_addf(out, "the difference is zero at %u random point%s modulo a prime; error below %.0e",
                e->points, plural, e->error);
    else
      text_add(out, "the difference is not zero modulo a prime");
    break;
  case EVIDENCE_POINT: text_add(out, "the values differ at a point"); break;
  case EVIDENCE_DIGITS:
    text_addf(out, "agrees at %u point%s to %d digits", e->points, plural, e->digits);
    break;
  }
}
