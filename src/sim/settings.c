// Parameters and inputs that may be changed.
#include "sim/settings.h"

#include <string.h>

#include "code/flatten.h"
#include "expr/build.h"
#include "expr/diff.h"

// A program over all values whose outputs are these expressions.
static Compiled compile_over_values(Context *cx, const Model *model, const Expr *e, size_t n,
                                    Arena *arena) {
  ProgramBuilder builder;
  Flattener flat;
  uint32_t parameters = model->parameters.n;
  program_open(&builder, cx, parameters + model->inputs.n);
  flatten_open(&flat, &builder);
  for (uint32_t i = 0; i < parameters; i++)
    flatten_bind(&flat, model->parameters.at[i].symbol, program_input(&builder, i));
  for (uint32_t i = 0; i < model->inputs.n; i++)
    flatten_bind(&flat, model->inputs.at[i].symbol, program_input(&builder, parameters + i));
  for (size_t i = 0; i < n; i++) program_output(&builder, flatten_expr(&flat, e[i]));
  const Program *program = program_finish(&builder, arena);
  flatten_close(&flat);
  program_close(&builder);
  return compile_program(cx, program, BACKEND_INTERP, arena);
}

// Derivatives of computed parameters by those they are computed from.
static void open_slopes(Settings *s, Context *cx, const Model *model, Arena *arena) {
  uint32_t n = s->parameters;
  Mark mark = arena_mark(&cx->scratch);
  Expr *symbols = arena_array(&cx->scratch, Expr, n);
  Expr *gradient = arena_array(&cx->scratch, Expr, n);
  VEC(SettingSlope) slopes = {0};
  VEC(Expr) values = {0};
  for (uint32_t i = 0; i < n; i++) symbols[i] = model->parameters.at[i].symbol;
  for (uint32_t of = n; of-- > 0;) {
    if (!expr_has_kind(cx, model->parameters.at[of].value, KIND_BIT(SYMBOL_PARAMETER))) continue;
    expr_gradient(cx, model->parameters.at[of].value, symbols, of, gradient);
    for (uint32_t by = 0; by < of; by++) {
      if (expr_is_zero(cx, gradient[by])) continue;
      vec_push(arena, &slopes, ((SettingSlope){of, by}));
      vec_push(&cx->scratch, &values, gradient[by]);
    }
  }
  s->slopes = slopes.at;
  s->slope_count = slopes.n;
  s->slope = compile_over_values(cx, model, values.at, values.n, arena);
  s->slope_work = arena_array(arena, double, s->slope.work_size + 1);
  s->slope_values = arena_array(arena, double, values.n + 1);
  arena_release(&cx->scratch, mark);
}

static void open_values(Settings *s, Context *cx, const Model *model, Arena *arena) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *values = arena_array(&cx->scratch, Expr, s->count);
  for (uint32_t i = 0; i < s->count; i++) {
    Symbol name;
    Expr symbol;
    if (i < s->parameters) {
      const Parameter *p = &model->parameters.at[i];
      name = p->name, symbol = p->symbol, values[i] = p->value;
    } else {
      const Input *u = &model->inputs.at[i - s->parameters];
      name = u->name, symbol = u->symbol, values[i] = u->value;
    }
    s->names[i] = symbol_text(cx, name);
    s->variables[i] = symbol_variable(cx, symbol);
  }
  s->follow = compile_over_values(cx, model, values, s->count, arena);
  arena_release(&cx->scratch, mark);
}

// A value is computed from those before it, so this ends after as many rounds as the longest chain.
static void follow(Settings *s) {
  for (bool changed = true; changed;) {
    changed = false;
    compiled_prepare(&s->follow, s->values, s->work);
    compiled_run(&s->follow, s->values, s->next, s->work);
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->is_given[i] || memcmp(&s->values[i], &s->next[i], sizeof *s->next) == 0) continue;
      s->values[i] = s->next[i];
      changed = true;
    }
  }
}

void settings_open(Settings *s, Context *cx, const Model *model, Arena *arena) {
  *s = (Settings){.parameters = model->parameters.n};
  s->count = s->parameters + model->inputs.n;
  s->names = arena_array(arena, const char *, s->count);
  s->variables = arena_array(arena, uint32_t, s->count);
  s->values = arena_array(arena, double, s->count + 1);
  s->is_given = arena_array(arena, bool, s->count);
  open_values(s, cx, model, arena);
  s->work = arena_array(arena, double, s->follow.work_size + 1);
  s->next = arena_array(arena, double, s->count + 1);
  open_slopes(s, cx, model, arena);
  follow(s);
}

void settings_close(Settings *s) {
  compiled_close(&s->follow);
  compiled_close(&s->slope);
}

int settings_find(const Settings *s, const char *name) {
  for (uint32_t i = 0; i < s->count; i++)
    if (strcmp(s->names[i], name) == 0) return (int)i;
  return -1;
}

void settings_set(Settings *s, uint32_t place, double value) {
  s->is_given[place] = true;
  s->values[place] = value;
  follow(s);
}

void settings_fill(const Settings *s, double *by_variable) {
  for (uint32_t i = 0; i < s->count; i++) by_variable[s->variables[i]] = s->values[i];
}

void settings_chain(Settings *s, double *slopes, uint32_t rows) {
  compiled_prepare(&s->slope, s->values, s->slope_work);
  compiled_run(&s->slope, s->values, s->slope_values, s->slope_work);
  for (uint32_t k = 0; k < s->slope_count; k++) {
    SettingSlope at = s->slopes[k];
    if (s->is_given[at.of]) continue;
    for (uint32_t r = 0; r < rows; r++)
      slopes[r * s->parameters + at.by] += slopes[r * s->parameters + at.of] * s->slope_values[k];
  }
}
