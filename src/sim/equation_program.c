// Opening, outputs and closing of a program under construction.
#include "sim/equation_program.h"

static void lock_switches(EquationProgram *m, EquationPart part) {
  Mark mark = arena_mark(&m->cx->scratch);
  Switches switches = system_switches(m->cx, m->s);
  const InputLayout *at = &m->d->layout;
  if (part == PART_SWITCHES)
    switches_lock_knots(&switches, &m->flat, at->pieces);
  else
    switches_lock(&switches, &m->flat, at->sides, at->pieces);
  arena_release(&m->cx->scratch, mark);
}

void equation_program_open(EquationProgram *m, EquationMaker *from, EquationPart part) {
  Equations *d = from->equations;
  *m = (EquationProgram){.from = from, .d = d, .cx = d->cx, .s = from->system};
  program_open(&m->builder, m->cx, d->layout.count);
  flatten_open(&m->flat, &m->builder);
  equations_bind(m->s, d, &m->builder, &m->flat);
  bool is_locked = d->is_locked && part != PART_ASSIGN && part != PART_OCCASIONS; // at a moment
  if (is_locked && d->switch_count + d->table_count > 0) lock_switches(m, part);
  if (is_locked) slides_lock(&from->slide_lock, &m->flat);
  for (uint32_t i = 0; i < m->s->states; i++)
    flatten_bind(&m->flat, m->s->sd[i], flatten_expr(&m->flat, m->s->rates[i]));
}

void equation_program_close(EquationProgram *m) {
  flatten_close(&m->flat);
  program_close(&m->builder);
}

void equation_program_put(EquationProgram *m, Slot slot) {
  program_output(&m->builder, slot == NO_SLOT ? program_constant(&m->builder, 0) : slot);
}

void equation_program_put_exprs(EquationProgram *m, const Expr *e, size_t n) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot *slots = arena_array(&m->cx->scratch, Slot, n);
  flatten_many(&m->flat, e, n, slots);
  for (size_t i = 0; i < n; i++) equation_program_put(m, slots[i]);
  arena_release(&m->cx->scratch, mark);
}

void equation_program_put_expr(EquationProgram *m, Expr e) { equation_program_put_exprs(m, &e, 1); }
