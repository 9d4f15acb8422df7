// Programs of several machines at once.
#include <string.h>

#include "engine/lanes/lanes.h"

// ---- Sets

LaneSet *lane_set_of(Lanes *all, const Machine *m) {
  Equations *e = m->set->equations;
  for (uint32_t i = 0; i < all->sets.n; i++)
    if (all->sets.at[i]->equations == e) return all->sets.at[i];
  Arena *arena = &all->cx->keep;
  LaneSet *set = arena_new(arena, LaneSet);
  *set = (LaneSet){.equations = e, .lanes = all};
  set->in = packed_rows(arena, all->width, e->layout.count);
  lane_set_open_steps(set, m);
  vec_push(arena, &all->sets, set);
  return set;
}

// What a run alone takes must be worth more than the way to the others and back, which lanes that
// are not in step go in small groups.
static bool is_worth_while(const LaneSet *set, const Program *program) {
  enum { LEAST = 1000 };
  Context *cx = set->lanes->cx;
  Mark mark = arena_mark(&cx->scratch);
  ProgramCost cost = program_cost(program, &cx->scratch);
  arena_release(&cx->scratch, mark);
  return cost.steps + 15 * cost.trig + 40 * cost.calls + 4 * cost.divisions >= LEAST;
}

LanePart *lane_set_part(LaneSet *set, EquationPart part) {
  LanePart *p = &set->parts[part];
  if (p->is_known) return p;
  p->is_known = true;
  const Compiled *compiled = equations_part(set->equations, part);
  if (!compiled || !compiled_is_machine_code(compiled)) return p;
  Lanes *all = set->lanes;
  Arena *arena = &all->cx->keep;
  p->packed = equations_packed(set->equations, part, all->width);
  if (!p->packed) return p;
  p->out = packed_rows(arena, all->width, compiled->program->output_count);
  p->work = packed_rows(arena, all->width, packed_work_rows(p->packed));
  p->is_asked_for = part == PART_FORWARD || is_worth_while(set, compiled->program);
  return p;
}

bool lane_set_has(LaneSet *set, EquationPart part) {
  return lane_set_part(set, part)->is_asked_for;
}

// ---- Running

void lane_set_fill(LaneSet *set, EquationPart part, uint32_t lane) {
  LanePart *p = &set->parts[part];
  const Machine *m = lane_set_machine(set, lane);
  if (p->prepared[lane] != m->prepared)
    packed_prepare(p->packed, lane, &set->equations->parts[part], m->in, m->set->work[part],
                   set->in, p->work);
  p->prepared[lane] = m->prepared;
  packed_take(p->packed, lane, m->in, set->in);
}

void lane_set_run(LaneSet *set, EquationPart part, uint32_t which) {
  LanePart *p = &set->parts[part];
  uint32_t lanes = p->packed->lanes, outputs = p->packed->program->output_count;
  if ((which & (which - 1)) == 0) { // one alone
    uint32_t lane = (uint32_t)__builtin_ctz(which);
    const Machine *m = lane_set_machine(set, lane);
    compiled_run(&set->equations->parts[part], m->in, set->lanes->at[lane].out, m->set->work[part]);
    return;
  }
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1) lane_set_fill(set, part, lane);
  packed_run(p->packed, set->in, p->out, p->work);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    double *out = set->lanes->at[lane].out;
    for (uint32_t i = 0; which >> lane & 1 && i < outputs; i++) out[i] = p->out[i * lanes + lane];
  }
}
