// A spring is drawn only where an energy has it.
#include "scene/spring_guess.h"

#include <math.h>

#include "expr/define.h"
#include "expr/diff.h"
#include "expr/order.h"
#include "expr/plane.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

#define PARALLEL 1e-9
#define STRAIGHT 1e-6
enum { STATES = 3 };

typedef struct SpringTest {
  const Scene *scene;
  double *values;
  Expr *variables; // coordinates, and time
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

// Do both change in the same way, whatever is moved? Then the distance, and the force along it.
static bool find_force(SpringTest *t, Expr energy, double *length, double *force) {
  double of_energy = 0, of_square = 0, both = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    double a = slope(t, energy, i), b = slope(t, t->square, i);
    of_energy += a * a, of_square += b * b, both += a * b;
  }
  double product = of_energy * of_square;
  if (!(product > 0) || !(fabs(both * both - product) <= PARALLEL * product)) return false;
  *length = sqrt(expr_eval(t->scene->cx, t->square, t->values));
  *force = 2 * *length * both / of_square;
  return true;
}

// A force that grows in proportion to what the distance exceeds a length by; that of a planet
// falls.
static bool is_of_spring(SpringTest *t, Expr energy) {
  double length[STATES], force[STATES];
  for (int state = 0; state < STATES; state++) {
    choose_state(t, state);
    if (!find_force(t, energy, &length[state], &force[state])) return false;
  }
  double x = length[1] - length[0], y = force[1] - force[0];
  double u = length[2] - length[0], v = force[2] - force[0];
  return x * y > 0 && fabs(x * v - y * u) <= STRAIGHT * (fabs(x * v) + fabs(y * u));
}

bool spring_may_hold(const Scene *scene, Expr x, Expr y, Expr z) {
  Context *cx = scene->cx;
  const Model *model = scene->result->model;
  Mark mark = arena_mark(&cx->scratch);
  SpringTest t = {.scene = scene};
  Expr apart[2];
  apart[0] = expr_open(cx, x), apart[1] = expr_open(cx, y);
  Expr square = plane_square(cx, apart);
  t.square = z ? expr_add(cx, square, expr_square(cx, expr_open(cx, z))) : square;
  t.variables = arena_array(&cx->scratch, Expr, model->coordinates.n + 1);
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    t.variables[t.n++] = model->coordinates.at[i].q;
  t.variables[t.n++] = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  bool found = false;
  bool has_values = model_values(cx, model, &cx->scratch, &t.values) == QDOT_OK;
  for (uint32_t i = 0; i < model->energies.n && has_values && !found; i++) {
    const Energy *energy = &model->energies.at[i];
    if (energy->kind != ENERGY_POTENTIAL && energy->kind != ENERGY_LAGRANGIAN) continue;
    // what is no potential has the other sign in a Lagrangian
    Expr value = expr_open(cx, energy->value);
    if (energy->kind == ENERGY_LAGRANGIAN) value = expr_neg(cx, value);
    TermList terms = expr_terms(cx, value);
    found = is_of_spring(&t, value);
    for (uint32_t k = 0; k < terms.n && !found; k++) found = is_of_spring(&t, terms.at[k]);
  }
  arena_release(&cx->scratch, mark);
  return found;
}
