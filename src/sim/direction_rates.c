// Parameters and start values as directions, and what follows them.
#include "sim/direction_rates.h"

#include "expr/build.h"
#include "expr/diff.h"

static int value_place(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (model->parameters.at[i].name == name) return (int)i;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (model->inputs.at[i].name == name) return (int)(model->parameters.n + i);
  return -1;
}

// Bodies start where their joints meet: their coordinates have no start of their own.
static int start_place(const Model *model, const Varied *varied) {
  if (model->assembly) return -1;
  int values = (int)(model->parameters.n + model->inputs.n), n = (int)model->coordinates.n;
  for (uint32_t i = 0; i < model->states.n && varied->primes == 0; i++)
    if (model->states.at[i].name == varied->name) return values + 2 * n + (int)i;
  int coordinate = model_coordinate(model, varied->name);
  return coordinate < 0 ? -1 : values + coordinate + (varied->primes ? n : 0);
}

int directions_place(Context *cx, const Model *model, const Varied *varied) {
  int place = varied->is_start ? start_place(model, varied) : value_place(model, varied->name);
  if (place < 0)
    diag_error(cx, QDOT_UNKNOWN_NAME, varied->span,
               varied->is_start ? "'%s' has no start in this formulation"
                                : "'%s' is not a parameter of this formulation",
               symbol_text(cx, varied->name));
  return place;
}

Expr directions_symbol(const Model *model, uint32_t i) {
  uint32_t parameters = model->parameters.n;
  return i < parameters ? model->parameters.at[i].symbol : model->inputs.at[i - parameters].symbol;
}

static Expr value_at(const Model *model, uint32_t i) {
  uint32_t parameters = model->parameters.n;
  return i < parameters ? model->parameters.at[i].value : model->inputs.at[i - parameters].value;
}

void directions_rates(Context *cx, const Model *model, const Directions *d, uint32_t j, Expr *out) {
  uint32_t count = model->parameters.n + model->inputs.n;
  Mark mark = arena_mark(&cx->scratch);
  Rate *rates = arena_array(&cx->scratch, Rate, count);
  uint32_t moving = 0;
  for (uint32_t i = 0; i < count; i++) {
    Expr value = value_at(model, i);
    if (directions_have(d, i))
      out[i] = expr_int(cx, i == d->places[j]);
    else if (moving > 0 && value && expr_has_kind(cx, value, KIND_BIT(SYMBOL_PARAMETER)))
      expr_diff_along(cx, &value, 1, rates, moving, &out[i]);
    else
      out[i] = expr_int(cx, 0);
    if (!expr_is_zero(cx, out[i])) rates[moving++] = (Rate){directions_symbol(model, i), out[i]};
  }
  arena_release(&cx->scratch, mark);
}
