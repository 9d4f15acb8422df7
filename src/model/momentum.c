// Naming momenta and quasi-velocities.
#include "model/momentum.h"

#include <string.h>

#include "expr/build.h"

// Prefixes, the first one that gives no name of the model.
static const char *const momentum_prefixes[] = {"p_", "P_", "pi_", "momentum_", NULL};
static const char *const speed_prefixes[] = {"u_", "U_", "speed_", NULL};

static Symbol prefixed_name(const Model *model, uint32_t coordinate, const char *const *prefixes) {
  Context *cx = model->cx;
  const char *name = symbol_text(cx, model->coordinates.at[coordinate].name);
  Symbol found = 0;
  Mark mark = arena_mark(&cx->scratch);
  for (int i = 0; prefixes[i]; i++) {
    found = symbol_from_text(cx, text_format(&cx->scratch, "%s%s", prefixes[i], name));
    if (!model_find(model, found)) break;
  }
  arena_release(&cx->scratch, mark);
  return found;
}

static Symbol momentum_name(const Model *model, uint32_t coordinate) {
  Symbol stated = model->coordinates.at[coordinate].momentum;
  if (stated) return stated;
  return prefixed_name(model, coordinate, momentum_prefixes);
}

Expr momentum_symbol(const Model *model, uint32_t coordinate) {
  return expr_symbol(model->cx, SYMBOL_STATE, momentum_name(model, coordinate));
}

Expr momentum_rate_symbol(const Model *model, uint32_t coordinate) {
  return expr_symbol(model->cx, SYMBOL_STATE_RATE, momentum_name(model, coordinate));
}

static Symbol speed_name(const Model *model, uint32_t coordinate) {
  return prefixed_name(model, coordinate, speed_prefixes);
}

Expr speed_symbol(const Model *model, uint32_t coordinate) {
  return expr_symbol(model->cx, SYMBOL_STATE, speed_name(model, coordinate));
}

Expr speed_rate_symbol(const Model *model, uint32_t coordinate) {
  return expr_symbol(model->cx, SYMBOL_STATE_RATE, speed_name(model, coordinate));
}

int momentum_coordinate(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    if (model->coordinates.at[i].momentum == name) return (int)i;
  const char *text = symbol_text(model->cx, name);
  for (int i = 0; momentum_prefixes[i]; i++) {
    size_t n = strlen(momentum_prefixes[i]);
    if (strncmp(text, momentum_prefixes[i], n) != 0) continue;
    Symbol rest = intern_find(&model->cx->names, text + n, strlen(text + n));
    int coordinate = rest ? model_coordinate(model, rest) : -1;
    if (coordinate >= 0 && momentum_name(model, (uint32_t)coordinate) == name) return coordinate;
  }
  return -1;
}
