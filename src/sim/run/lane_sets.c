// Programs and steps of several machines at once.
#include <string.h>

#include "code/eliminate.h"
#include "sim/run/lanes.h"

static Machine *machine_of(const LaneSet *set, uint32_t lane) {
  return &set->lanes->at[lane].rerun->simulation.run.machine;
}

// ---- Steps

// For the Problem's derivative, or forward where there are rows.
static uint32_t derivative(void *user, uint32_t which, double *k) {
  LaneSet *set = user;
  const Equations *e = set->equations;
  const LanePart *forward = &set->parts[PART_FORWARD];
  uint32_t lanes = forward->packed->lanes, good = 0;
  size_t row = lanes * sizeof *k, n = e->n, rates = e->system->states + POWER_KINDS;
  memcpy(k, set->in + e->layout.qd * lanes, n * row);
  double *out = e->m == 0 ? k + n * lanes : forward->out;
  packed_run(forward->packed, set->in, out, forward->work);
  ForwardBlocks at = forward_blocks(&e->extents, forward->out);
  const double *loss = out + (at.loss - forward->out) * lanes; // blocks as rows
  const double *slack = out + (at.slack - forward->out) * lanes;
  if (e->m > 0) {
    memcpy(k + n * lanes, out, n * row);
    memcpy(k + 2 * n * lanes, out + (at.rates - forward->out) * lanes, rates * row);
  }
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (!(which >> lane & 1)) continue;
    for (uint32_t r = 0; r < e->m; r++) set->slack[r] = slack[r * lanes + lane];
    bool trusted = e->m == 0 ? loss[lane] < ELIMINATION_MOST_LOSS
                             : machine_trusts(machine_of(set, lane), loss[lane], set->slack);
    if (trusted) good |= 1u << lane;
  }
  return good;
}

// ---- Sets

LaneSet *lane_set_of(Lanes *all, const Machine *m) {
  Equations *e = m->set->equations;
  for (uint32_t i = 0; i < all->sets.n; i++)
    if (all->sets.at[i]->equations == e) return all->sets.at[i];
  Arena *arena = &all->cx->keep;
  LaneSet *set = arena_new(arena, LaneSet);
  *set = (LaneSet){.equations = e, .lanes = all};
  set->in = packed_rows(arena, all->width, e->layout.count);
  set->slack = arena_array(arena, double, e->m);
  int acting = (int)(2 * e->n + e->system->states);
  int size = acting + POWER_KINDS;
  bool works = e->m > 0 || !machine_keeps_energy(m);
  set->rows = lane_rows_new(arena, (int)all->width, acting, size, works ? size : acting);
  set->system = (LaneSystem){.user = set,
                             .t = set->in + e->layout.t * all->width,
                             .y = set->in + e->layout.q * all->width,
                             .derivative = derivative};
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

bool lane_set_has(LaneSet *set, EquationPart part) {
  LanePart *p = &set->parts[part];
  if (p->is_known) return p->packed;
  p->is_known = true;
  const Compiled *compiled = equations_part(set->equations, part);
  if (!compiled || !compiled_is_machine_code(compiled)) return false;
  if (part != PART_FORWARD && !is_worth_while(set, compiled->program)) return false;
  Lanes *all = set->lanes;
  Arena *arena = &all->cx->keep;
  p->packed = equations_packed(set->equations, part, all->width);
  if (!p->packed) return false;
  p->out = packed_rows(arena, all->width, compiled->program->output_count);
  p->work = packed_rows(arena, all->width, packed_work_rows(p->packed));
  return true;
}

// ---- Running

static void take_inputs(LaneSet *set, EquationPart part, uint32_t lane) {
  LanePart *p = &set->parts[part];
  const Machine *m = machine_of(set, lane);
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
    const Machine *m = machine_of(set, lane);
    compiled_run(&set->equations->parts[part], m->in, set->lanes->at[lane].out, m->set->work[part]);
    return;
  }
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (which >> lane & 1) take_inputs(set, part, lane);
  packed_run(p->packed, set->in, p->out, p->work);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    double *out = set->lanes->at[lane].out;
    for (uint32_t i = 0; which >> lane & 1 && i < outputs; i++) out[i] = p->out[i * lanes + lane];
  }
}

void lane_set_step(LaneSet *set, uint32_t which) {
  for (uint32_t lane = 0; lane < set->lanes->width; lane++)
    if (which >> lane & 1) take_inputs(set, PART_FORWARD, lane);
  lane_rows_step(set->rows, &set->system, which, set->equations->m == 0);
}
