// What is compiled of a system.
#include "sim/plan.h"

#include <string.h>

#include "expr/build.h"

// ---- Joints that rub

// The sign(v) in a force, or 0.
static Expr find_sign(Context *cx, Expr e) {
  if (node_of(cx, e)->op == OP_SIGN) return e;
  Expr found = 0;
  for (uint32_t i = 0; i < expr_child_count(cx, e) && !found; i++)
    found = find_sign(cx, expr_child(cx, e, i));
  return found;
}

static int switch_of(Context *cx, const ExprList *guards, Expr force) {
  Expr sign = find_sign(cx, force);
  Expr slip = sign ? switch_guard(cx, sign) : 0, back = slip ? expr_neg(cx, slip) : 0;
  int found = -1;
  for (uint32_t k = 0; k < guards->n; k++)
    if (guards->at[k] == slip || guards->at[k] == back) found = (int)k;
  return found;
}

static void find_press_switches(Plan *plan) {
  const Model *model = plan->system->model;
  Context *cx = plan->cx;
  int *found = arena_array(&plan->arena, int, model->presses.n);
  plan->press_switch = found;
  if (model->presses.n == 0) return;
  Mark mark = arena_mark(&cx->scratch);
  ExprList guards = system_switches(cx, plan->system).guards;
  for (uint32_t i = 0; i < model->presses.n; i++)
    found[i] = switch_of(cx, &guards, model->presses.at[i].force);
  arena_release(&cx->scratch, mark);
}

// ---- Opening

static void close_plan(void *object) {
  Plan *plan = object;
  if (*plan->place == plan) *plan->place = NULL;
  for (uint32_t i = 0; i < plan->sets.n; i++) equations_close(plan->sets.at[i].equations);
  Arena arena = plan->arena;
  arena_close(&arena);
}

Plan *plan_open(System *system, Backend backend, const Directions *directions) {
  Context *cx = system->cx;
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  Plan *plan = arena_new(&arena, Plan);
  *plan = (Plan){.cx = cx, .system = system, .directions = directions, .backend = backend};
  plan->place = &system->plans[backend];
  plan->arena = arena;
  guard_register(&cx->guard, &plan->handle, plan, close_plan);
  find_press_switches(plan);
  return plan;
}

Plan *plan_of(System *system, Backend backend) {
  Plan **shared = &system->plans[backend];
  if (!*shared || (*shared)->system != system) *shared = plan_open(system, backend, NULL);
  return *shared;
}

void plan_close(Plan *plan) { guard_close(&plan->cx->guard, &plan->handle); }

// ---- Sets

static PlanSet set_new(Plan *plan, const bool *closed) {
  uint32_t contacts = plan->system->contact_count, count = 0;
  bool *own = arena_array(&plan->arena, bool, contacts);
  uint32_t *active = arena_array(&plan->arena, uint32_t, contacts);
  for (uint32_t i = 0; i < contacts; i++) {
    own[i] = closed[i];
    if (closed[i]) active[count++] = i;
  }
  Equations *equations = equations_open_locked(plan->cx, plan->system, active, count,
                                               plan->directions, plan->backend, &plan->arena);
  return (PlanSet){own, equations};
}

Equations *plan_equations(Plan *plan, const bool *closed) {
  size_t contacts = plan->system->contact_count;
  for (uint32_t i = 0; i < plan->sets.n; i++)
    if (contacts == 0 || memcmp(plan->sets.at[i].closed, closed, contacts) == 0)
      return plan->sets.at[i].equations;
  PlanSet set = set_new(plan, closed);
  vec_push(&plan->arena, &plan->sets, set);
  return set.equations;
}
