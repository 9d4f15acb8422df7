// Events of the model's own as quantities of an export.
#include "export/content.h"
#include "expr/build.h"

bool content_has_events(const ExportContent *c) { return c->system->model->occasions.n > 0; }

bool content_event_moves(const ExportContent *c, uint32_t event) {
  uint32_t moving = ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT));
  return expr_has_kind(c->cx, c->system->model->occasions.at[event].function, moving);
}

bool content_event_is_moving(const ExportContent *c, uint32_t event) {
  const Occasion *o = &c->system->model->occasions.at[event];
  for (uint32_t k = 0; k < o->count; k++)
    if (c->reset_target[o->first + k] >= 0) return true;
  return false;
}

static bool find_target(const ExportContent *c, Expr target, int *out) {
  const System *s = c->system;
  for (uint32_t i = 0; i < s->model->inputs.n; i++)
    if (s->model->inputs.at[i].symbol == target) return *out = -1 - (int)i, true;
  for (uint32_t i = 0; i < s->n; i++) {
    if (s->q[i] == target) return *out = (int)i, true;
    if (s->qd[i] == target) return *out = (int)(s->n + i), true;
  }
  for (uint32_t i = 0; i < s->states; i++)
    if (s->s[i] == target) return *out = (int)(2 * s->n + i), true;
  return false;
}

Status content_collect_events(ExportContent *c) {
  const Model *model = c->system->model;
  uint32_t events = model->occasions.n, n = model->assignments.n;
  if (events == 0) return QDOT_OK;
  Expr *functions = arena_array(c->arena, Expr, 2 * events),
       *values = arena_array(c->arena, Expr, n + 1);
  c->reset_target = arena_array(c->arena, int, n + 1);
  for (uint32_t i = 0; i < events; i++) {
    Expr condition = model->occasions.at[i].condition, one = expr_int(c->cx, 1);
    functions[i] = model->occasions.at[i].function;
    functions[events + i] = condition ? expr_if(c->cx, condition, one, expr_int(c->cx, 0)) : one;
  }
  for (uint32_t i = 0; i < n; i++) {
    values[i] = model->assignments.at[i].value;
    if (!find_target(c, model->assignments.at[i].target, &c->reset_target[i])) {
      Status status = diag_error(c->cx, QDOT_UNSUPPORTED, model->assignments.at[i].span,
                                 "this is not a coordinate of the formulation that is used");
      diag_note(c->cx, "in the formulation maximal every body has its x, y and theta");
      return status;
    }
  }
  ExportQuantity all = {
      "events",           "functions whose zeros are events, then whether their conditions hold",
      2 * events,         0,
      TAKES_QD | TAKES_U, content_program(c, functions, 2 * events)};
  vec_push(c->arena, &c->quantities, all);
  if (n == 0) return QDOT_OK;
  ExportQuantity next = {"resets",           "what samples and events assign", n, 0,
                         TAKES_QD | TAKES_U, content_program(c, values, n)};
  vec_push(c->arena, &c->quantities, next);
  return QDOT_OK;
}
