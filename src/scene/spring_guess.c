// A spring is drawn only where an energy has it.
#include "scene/spring_guess.h"

#include <math.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

#define PARALLEL 1e-9
enum { MOST_VARIABLES = 40, STATES = 3 };

typedef struct SpringTest {
  const Scene *scene;
  double *values;
  Expr variables[MOST_VARIABLES]; // coordinates, and time
  uint32_t n;
  Expr square; // of the distance
} SpringTest;

static double slope(const SpringTest *t, Expr e, uint32_t i) {
  Context *cx = t->scene->cx;
  return expr_eval(cx, expr_open(cx, expr_diff(cx, e, t->variables[i])), t->values);
}

// Numbers of no meaning, the same in every run.
static void choose_state(SpringTest *t, int state) {
  for (uint32_t i = 0; i < t->n; i++)
    t->values[symbol_variable(t->scene->cx, t->variables[i])] =
        0.3 + 0.2 * sin(3 + 7 * state + 2.4 * i);
}

// Do both change in the same way, whatever is moved?
static bool is_of_distance(SpringTest *t, Expr energy) {
  for (int state = 0; state < STATES; state++) {
    double of_energy = 0, of_square = 0, both = 0;
    choose_state(t, state);
    for (uint32_t i = 0; i < t->n; i++) {
      double a = slope(t, energy, i), b = slope(t, t->square, i);
      of_energy += a * a, of_square += b * b, both += a * b;
    }
    double product = of_energy * of_square;
    if (!(product > 0) || !(fabs(both * both - product) <= PARALLEL * product)) return false;
  }
  return true;
}

bool spring_may_hold(const Scene *scene, Expr x, Expr y, Expr z) {
  Context *cx = scene->cx;
  const Model *model = scene->result->model;
  SpringTest t = {.scene = scene};
  Expr square = expr_add(cx, expr_square(cx, expr_open(cx, x)), expr_square(cx, expr_open(cx, y)));
  t.square = z ? expr_add(cx, square, expr_square(cx, expr_open(cx, z))) : square;
  for (uint32_t i = 0; i < model->coordinates.n && t.n + 1 < MOST_VARIABLES; i++)
    t.variables[t.n++] = model->coordinates.at[i].q;
  t.variables[t.n++] = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  bool found = false;
  Mark mark = arena_mark(&cx->scratch);
  bool has_values = model_values(cx, model, &cx->scratch, &t.values) == QDOT_OK;
  for (uint32_t i = 0; i < model->energies.n && has_values && !found; i++) {
    const Energy *energy = &model->energies.at[i];
    if (energy->kind != ENERGY_POTENTIAL && energy->kind != ENERGY_LAGRANGIAN) continue;
    Expr value = expr_open(cx, energy->value);
    TermList terms = expr_terms(cx, value);
    found = is_of_distance(&t, value);
    for (uint32_t k = 0; k < terms.n && !found; k++) found = is_of_distance(&t, terms.at[k]);
  }
  arena_release(&cx->scratch, mark);
  return found;
}
