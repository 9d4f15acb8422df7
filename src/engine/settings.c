// Parameters and inputs that may be changed.
#include "engine/settings.h"

#include <string.h>

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

void settings_open(Settings *s, Context *cx, const Plan *plan, Arena *arena) {
  *s = (Settings){.parameters = plan->parameter_count, .plan = plan->follow};
  s->count = s->parameters + plan->input_count;
  s->names = arena_array(arena, const char *, s->count);
  s->values = arena_array(arena, double, s->count + 1);
  s->is_given = arena_array(arena, bool, s->count);
  for (uint32_t i = 0; i < s->count; i++)
    s->names[i] =
        i < s->parameters ? plan->parameters[i].name : plan->inputs[i - s->parameters].name;
  s->follow = compile_program(cx, plan->follow->values, BACKEND_INTERP, arena);
  s->slope = compile_program(cx, plan->follow->slopes, BACKEND_INTERP, arena);
  s->work = arena_array(arena, double, s->follow.work_size + 1);
  s->next = arena_array(arena, double, s->count + 1);
  s->slope_work = arena_array(arena, double, s->slope.work_size + 1);
  s->slope_values = arena_array(arena, double, plan->follow->slope_count + 1);
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

void settings_fill(const Settings *s, const PlanVariables *at, double *by_variable) {
  for (uint32_t i = 0; i < s->parameters; i++) by_variable[at->parameters[i]] = s->values[i];
  for (uint32_t i = s->parameters; i < s->count; i++)
    by_variable[at->inputs[i - s->parameters]] = s->values[i];
}

void settings_chain(Settings *s, double *slopes, uint32_t rows) {
  compiled_prepare(&s->slope, s->values, s->slope_work);
  compiled_run(&s->slope, s->values, s->slope_values, s->slope_work);
  for (uint32_t k = 0; k < s->plan->slope_count; k++) {
    PlanFollowSlope at = s->plan->slope_at[k];
    if (s->is_given[at.of]) continue;
    for (uint32_t r = 0; r < rows; r++)
      slopes[r * s->parameters + at.by] += slopes[r * s->parameters + at.of] * s->slope_values[k];
  }
}
