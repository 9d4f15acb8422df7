// Samples and events of a model, as records of a plan.
#include "expr/build.h"
#include "sim/plan_source.h"

static int place_in(const Expr *list, uint32_t n, Expr e) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == e) return (int)i;
  return -1;
}

// The place of what moves in (q, q', states), or -1.
static int place_of(const System *s, Expr target) {
  int q = place_in(s->q, s->n, target), qd = place_in(s->qd, s->n, target);
  int state = place_in(s->s, s->states, target);
  if (q >= 0) return q;
  if (qd >= 0) return (int)s->n + qd;
  return state >= 0 ? 2 * (int)s->n + state : -1;
}

static int input_of(const Model *model, Expr target) {
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (model->inputs.at[i].symbol == target) return (int)i;
  return -1;
}

static PlanAssignment assignment_of(const PlanSource *source, const Assignment *a) {
  const System *s = source->system;
  bool is_symbol = op_of(source->cx, a->target) == OP_SYMBOL;
  return (PlanAssignment){.input = is_symbol ? input_of(s->model, a->target) : -1,
                          .place = is_symbol ? place_of(s, a->target) : -1,
                          .is_without_inertia = !is_symbol && s->model->overflow,
                          .span = a->span};
}

static PlanOccasion occasion_of(const PlanSource *source, const Occasion *o) {
  uint32_t moving = ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT));
  return (PlanOccasion){.text = o->text,
                        .direction = o->direction,
                        .is_condition = o->is_condition,
                        .has_motion = expr_has_kind(source->cx, o->function, moving),
                        .stops = o->stops,
                        .first = o->first,
                        .count = o->count};
}

void plan_fill_actions(PlanSource *source) {
  const Model *model = source->system->model;
  PlanAssignment *assignments =
      arena_array(&source->arena, PlanAssignment, model->assignments.n + 1);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    assignments[i] = assignment_of(source, &model->assignments.at[i]);
  PlanSampling *samplings = arena_array(&source->arena, PlanSampling, model->samplings.n + 1);
  for (uint32_t i = 0; i < model->samplings.n; i++) {
    const Sampling *line = &model->samplings.at[i];
    samplings[i] =
        (PlanSampling){plan_number(source, line->period), plan_number(source, line->delay),
                       line->first, line->count, line->span};
  }
  PlanOccasion *occasions = arena_array(&source->arena, PlanOccasion, model->occasions.n + 1);
  for (uint32_t i = 0; i < model->occasions.n; i++)
    occasions[i] = occasion_of(source, &model->occasions.at[i]);
  source->plan.actions = (PlanActions){.assignment_count = model->assignments.n,
                                       .sampling_count = model->samplings.n,
                                       .occasion_count = model->occasions.n,
                                       .assignments = assignments,
                                       .samplings = samplings,
                                       .occasions = occasions};
}
