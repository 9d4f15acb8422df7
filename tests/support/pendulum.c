// Models built by calls.
#include "support/pendulum.h"

#include "base/text.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

Expr mechanism_coordinate(Model *model, const char *text) {
  Context *cx = model->cx;
  Symbol name = symbol_from_text(cx, text);
  Coordinate c = {.name = name,
                  .q = expr_symbol(cx, SYMBOL_COORDINATE, name),
                  .qd = expr_symbol(cx, SYMBOL_VELOCITY, name),
                  .qdd = expr_symbol(cx, SYMBOL_ACCELERATION, name)};
  vec_push(&cx->keep, &model->coordinates, c);
  return c.q;
}

Expr mechanism_parameter(Model *model, const char *text) {
  Context *cx = model->cx;
  Symbol name = symbol_from_text(cx, text);
  Parameter p = {.name = name, .symbol = expr_symbol(cx, SYMBOL_PARAMETER, name)};
  p.value = expr_int(cx, 1);
  vec_push(&cx->keep, &model->parameters, p);
  return p.symbol;
}

Expr mechanism_let(Model *model, const char *text, Expr body) {
  Context *cx = model->cx;
  Symbol name = symbol_from_text(cx, text);
  Definition d = {.name = name, .value = expr_define(cx, name, body)};
  vec_push(&cx->keep, &model->definitions, d);
  return d.value;
}

void mechanism_energy(Model *model, EnergyKind kind, Expr value) {
  vec_push(&model->cx->keep, &model->energies, ((Energy){.kind = kind, .value = value}));
}

const char *mechanism_indexed(Context *cx, const char *name, int i) {
  return text_format(&cx->keep, "%s[%d]", name, i);
}

Expr mechanism_half_square(Context *cx, Expr factor, Expr v) {
  return expr_mul3(cx, expr_ratio(cx, 1, 2), factor, expr_square(cx, v));
}

Model *mechanism_pendulum(Context *cx, int links) {
  Model *model = model_new(cx);
  Expr g = mechanism_parameter(model, "g"), x = expr_int(cx, 0), y = x;
  for (int i = 1; i <= links; i++) {
    Expr m = mechanism_parameter(model, mechanism_indexed(cx, "m", i));
    Expr L = mechanism_parameter(model, mechanism_indexed(cx, "L", i));
    Expr d = mechanism_parameter(model, mechanism_indexed(cx, "d", i));
    Expr I = mechanism_parameter(model, mechanism_indexed(cx, "I", i));
    Expr theta = mechanism_coordinate(model, mechanism_indexed(cx, "theta", i));
    Expr s = expr_sin(cx, theta), c = expr_neg(cx, expr_cos(cx, theta));
    Expr xc =
        mechanism_let(model, mechanism_indexed(cx, "xc", i), expr_add(cx, x, expr_mul(cx, d, s)));
    Expr yc =
        mechanism_let(model, mechanism_indexed(cx, "yc", i), expr_add(cx, y, expr_mul(cx, d, c)));
    x = mechanism_let(model, mechanism_indexed(cx, "x", i), expr_add(cx, x, expr_mul(cx, L, s)));
    y = mechanism_let(model, mechanism_indexed(cx, "y", i), expr_add(cx, y, expr_mul(cx, L, c)));
    mechanism_energy(model, ENERGY_KINETIC,
                     mechanism_half_square(cx, m, expr_time_derivative(cx, xc)));
    mechanism_energy(model, ENERGY_KINETIC,
                     mechanism_half_square(cx, m, expr_time_derivative(cx, yc)));
    mechanism_energy(model, ENERGY_KINETIC,
                     mechanism_half_square(cx, I, expr_time_derivative(cx, theta)));
    mechanism_energy(model, ENERGY_POTENTIAL, expr_mul3(cx, m, g, yc));
  }
  return model;
}
