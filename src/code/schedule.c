// From the builder's steps to a Program: what no output needs is dropped, the rest is ordered.
//
//   live steps -> prologue (needs fixed inputs only) in the order written
//              -> main: for each depth of nested calls, the arguments of that depth's calls, then
//                 the calls together (sines beside their cosines), then all other steps as written
//
// Calls clobber the registers, so they stand together and early; sines and cosines that stand
// together are computed four at a time.
#include <assert.h>
#include <string.h>

#include "code/builder.h"

typedef struct Schedule {
  const ProgramBuilder *b;
  Arena *work;
  uint8_t *live;
  Slot *number; // value number of each placed slot; NO_SLOT until it is placed
  Slot *order;  // slots in the order of their value numbers, from the first step on
  uint32_t placed, first_step;
  VEC(Slot) stack;
} Schedule;

static void mark_live(Schedule *s) {
  const ProgramBuilder *b = s->b;
  for (uint32_t i = 0; i < b->outputs.n; i++) s->live[b->outputs.at[i]] = 1;
  for (Slot slot = b->steps.n; slot-- > 0;) {
    const Step *step = &b->steps.at[slot];
    if (!s->live[slot] || step->op >= STEP_COUNT) continue;
    s->live[step->a] = 1;
    if (step->b != NO_SLOT) s->live[step->b] = 1;
    if (step->c != NO_SLOT) s->live[step->c] = 1;
  }
}

static void place(Schedule *s, Slot slot) {
  s->number[slot] = s->first_step + s->placed;
  s->order[s->placed++] = slot;
}

// Constants and inputs get the first numbers.
static void number_sources(Schedule *s, Program *program, Arena *into) {
  const ProgramBuilder *b = s->b;
  for (Slot slot = 0; slot < b->steps.n; slot++)
    program->constant_count += s->live[slot] && b->steps.at[slot].op == STEP_CONSTANT;
  double *constants = arena_array(into, double, program->constant_count + 1);
  uint32_t n = 0;
  for (Slot slot = 0; slot < b->steps.n; slot++) {
    const Step *step = &b->steps.at[slot];
    if (step->op == STEP_INPUT) s->number[slot] = program->constant_count + step->a;
    if (!s->live[slot] || step->op != STEP_CONSTANT) continue;
    constants[n] = b->constants.at[step->a];
    s->number[slot] = n++;
  }
  program->constants = constants;
  s->first_step = program->constant_count + b->input_count;
}

static void place_prologue(Schedule *s) {
  for (Slot slot = 0; slot < s->b->steps.n; slot++)
    if (s->live[slot] && s->number[slot] == NO_SLOT && s->b->variation.at[slot] < VARIES)
      place(s, slot);
}

// Registers what a slot needs, then the slot itself.
static void place_with_operands(Schedule *s, Slot slot) {
  vec_push(s->work, &s->stack, slot);
  while (s->stack.n) {
    Slot top = s->stack.at[s->stack.n - 1];
    const Step *step = &s->b->steps.at[top];
    const Slot operands[3] = {step->a, step->b, step->c};
    uint32_t waiting = s->stack.n;
    if (s->number[top] == NO_SLOT)
      for (int k = step_arity(step->op); k-- > 0;)
        if (s->number[operands[k]] == NO_SLOT) vec_push(s->work, &s->stack, operands[k]);
    if (s->stack.n > waiting) continue;
    s->stack.n--;
    if (s->number[top] == NO_SLOT) place(s, top);
  }
}

// The live calls of the main part sorted by the depth to which calls nest in them; starts[d] is
// where those of depth d begin. Returns the depth of the deepest.
static uint32_t sort_calls(Schedule *s, Slot **calls, uint32_t **starts) {
  const ProgramBuilder *b = s->b;
  uint32_t *depth = arena_array(s->work, uint32_t, b->steps.n + 1);
  uint32_t deepest = 0;
  VEC(Slot) found = {0};
  for (Slot slot = 0; slot < b->steps.n; slot++) {
    const Step *step = &b->steps.at[slot];
    if (!s->live[slot] || s->number[slot] != NO_SLOT) continue;
    const Slot operands[3] = {step->a, step->b, step->c};
    for (int k = 0; k < step_arity(step->op); k++)
      if (depth[operands[k]] > depth[slot]) depth[slot] = depth[operands[k]];
    if (step_kind(step->op) == STEP_PLAIN) continue;
    if (++depth[slot] > deepest) deepest = depth[slot];
    vec_push(s->work, &found, slot);
  }
  *starts = arena_array(s->work, uint32_t, deepest + 3);
  *calls = arena_array(s->work, Slot, found.n + 1);
  for (uint32_t i = 0; i < found.n; i++) (*starts)[depth[found.at[i]] + 2]++;
  for (uint32_t d = 2; d < deepest + 3; d++) (*starts)[d] += (*starts)[d - 1];
  for (uint32_t i = 0; i < found.n; i++)
    (*calls)[(*starts)[depth[found.at[i]] + 1]++] = found.at[i];
  return deepest;
}

// Registers the calls of one depth: sines and cosines first, each beside its partner.
static void place_calls(Schedule *s, const Slot *calls, uint32_t n) {
  const ProgramBuilder *b = s->b;
  for (uint32_t i = 0; i < n; i++) {
    const Step *step = &b->steps.at[calls[i]];
    if (step_kind(step->op) != STEP_TRIG || s->number[calls[i]] != NO_SLOT) continue;
    place(s, calls[i]);
    StepOp other = step->op == STEP_SIN ? STEP_COS : STEP_SIN;
    Slot partner = program_find(b, (Step){other, step->a, NO_SLOT, NO_SLOT});
    if (partner != NO_SLOT && s->live[partner]) place(s, partner);
  }
  for (uint32_t i = 0; i < n; i++)
    if (s->number[calls[i]] == NO_SLOT) place(s, calls[i]);
}

static void place_main(Schedule *s) {
  const ProgramBuilder *b = s->b;
  Slot *calls;
  uint32_t *starts;
  uint32_t deepest = sort_calls(s, &calls, &starts);
  for (uint32_t d = 1; d <= deepest; d++) {
    const Slot *first = calls + starts[d];
    uint32_t n = starts[d + 1] - starts[d];
    for (uint32_t i = 0; i < n; i++) {
      const Step *step = &b->steps.at[first[i]];
      if (s->number[step->a] == NO_SLOT) place_with_operands(s, step->a);
      if (step->b != NO_SLOT && s->number[step->b] == NO_SLOT) place_with_operands(s, step->b);
    }
    place_calls(s, first, n);
  }
  for (Slot slot = 0; slot < b->steps.n; slot++)
    if (s->live[slot] && s->number[slot] == NO_SLOT) place(s, slot);
}

static Slot number_of(const Schedule *s, Slot slot) {
  return slot == NO_SLOT ? NO_SLOT : s->number[slot];
}

static void copy_steps(const Schedule *s, Program *program, Arena *into) {
  const ProgramBuilder *b = s->b;
  Step *steps = arena_array(into, Step, s->placed + 1);
  Symbol *names = arena_array(into, Symbol, s->placed + 1);
  for (uint32_t i = 0; i < s->placed; i++) {
    Step step = b->steps.at[s->order[i]];
    steps[i] = (Step){step.op, number_of(s, step.a), number_of(s, step.b), number_of(s, step.c)};
    names[i] = b->names.at[s->order[i]];
  }
  program->steps = steps;
  program->names = names;
}

const Program *program_finish(ProgramBuilder *b, Arena *into) {
  Program *program = arena_new(into, Program);
  program->input_count = b->input_count;
  Mark mark = arena_mark(&b->arena);
  Schedule s = {.b = b, .work = &b->arena};
  s.live = arena_array(s.work, uint8_t, b->steps.n + 1);
  s.number = arena_array(s.work, Slot, b->steps.n + 1);
  s.order = arena_array(s.work, Slot, b->steps.n + 1);
  for (Slot slot = 0; slot < b->steps.n; slot++) s.number[slot] = NO_SLOT;

  mark_live(&s);
  number_sources(&s, program, into);
  place_prologue(&s);
  program->prologue_count = s.placed;
  place_main(&s);
  program->main_count = s.placed - program->prologue_count;
  copy_steps(&s, program, into);

  Slot *outputs = arena_array(into, Slot, b->outputs.n + 1);
  for (uint32_t i = 0; i < b->outputs.n; i++) outputs[i] = s.number[b->outputs.at[i]];
  program->outputs = outputs;
  program->output_count = b->outputs.n;
  bool *fixed = arena_array(into, bool, b->input_count + 1);
  for (uint32_t i = 0; i < b->input_count; i++) fixed[i] = b->input_variation[i] < VARIES;
  program->fixed = fixed;
  const TableData **tables = arena_array(into, const TableData *, table_count(b->cx) + 1);
  for (TableId id = 0; id < table_count(b->cx); id++) tables[id] = table_get(b->cx, id);
  program->tables = tables;
  arena_release(&b->arena, mark);
  return program;
}
