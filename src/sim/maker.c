// Opening, outputs and closing of a program under construction.
#include "sim/maker.h"

static void lock_switches(Maker *m, EquationPart part) {
  Mark mark = arena_mark(&m->cx->scratch);
  Switches switches = system_switches(m->cx, m->s);
  const InputLayout *at = &m->d->layout;
  if (part == PART_SWITCHES)
    switches_lock_knots(&switches, &m->flat, at->pieces);
  else
    switches_lock(&switches, &m->flat, at->sides, at->pieces);
  arena_release(&m->cx->scratch, mark);
}

void maker_open(Maker *m, Equations *d, EquationPart part) {
  *m = (Maker){.d = d, .cx = d->cx, .s = d->system};
  program_open(&m->builder, m->cx, d->layout.count);
  flatten_open(&m->flat, &m->builder);
  equations_bind(d, &m->builder, &m->flat);
  if (d->is_locked && d->switch_count + d->table_count > 0) lock_switches(m, part);
  if (d->is_locked) slides_lock(&d->slide_lock, &m->flat);
}

void maker_close(Maker *m) {
  flatten_close(&m->flat);
  program_close(&m->builder);
}

void maker_put(Maker *m, Slot slot) {
  program_output(&m->builder, slot == NO_SLOT ? program_constant(&m->builder, 0) : slot);
}

void maker_put_exprs(Maker *m, const Expr *e, size_t n) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot *slots = arena_array(&m->cx->scratch, Slot, n);
  flatten_many(&m->flat, e, n, slots);
  for (size_t i = 0; i < n; i++) maker_put(m, slots[i]);
  arena_release(&m->cx->scratch, mark);
}

void maker_put_expr(Maker *m, Expr e) { maker_put_exprs(m, &e, 1); }
