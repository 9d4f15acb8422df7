// Knots that come at known times.
#include "engine/event/knots.h"

#include <math.h>

// When a piece is left.
static double end_of(const TimedTable *timed, double number) {
  TablePiece piece = table_piece(timed->table, number);
  bool ends = timed->rate > 0 ? piece.has_upper : timed->rate < 0 && piece.has_lower;
  double knot = timed->rate > 0 ? piece.upper : piece.lower;
  return ends ? (knot - timed->offset) / timed->rate : INFINITY;
}

static void find_next(Knots *k) {
  k->next = INFINITY;
  for (uint32_t i = 0; i < k->count; i++) k->next = fmin(k->next, k->at[i].next);
}

// Those whose end has come continue.
static bool go_on(Knots *k, TimedTable *timed, double t) {
  double number = k->machine->pieces[timed->use];
  while (timed->next <= t) {
    number += timed->rate > 0 ? 1 : -1;
    timed->next = end_of(timed, number);
  }
  if (number == k->machine->pieces[timed->use]) return false;
  machine_set_piece(k->machine, timed->use, number);
  return true;
}

bool knots_pass(Knots *k, double t) {
  bool any = false;
  for (uint32_t i = 0; i < k->count; i++) any |= go_on(k, &k->at[i], t);
  find_next(k);
  return any;
}

void knots_place(Knots *k, double t) {
  const Machine *m = k->machine;
  for (uint32_t i = 0; i < k->count; i++) {
    TimedTable *timed = &k->at[i];
    const PlanTable *use = &m->set->equations->tables[timed->use];
    timed->offset = machine_number(m, &use->x);
    timed->rate = machine_number(m, &use->x_t);
    // one before, so that rounding does not put it behind a knot that has yet to come
    double number = table_piece_number(timed->table, timed->offset + timed->rate * t);
    double before = number - (timed->rate > 0 ? 1 : -1);
    bool has_before = timed->table->period > 0 || (before >= 0 && before <= timed->table->n);
    machine_set_piece(k->machine, timed->use, has_before ? before : number);
    timed->next = end_of(timed, k->machine->pieces[timed->use]);
  }
  knots_pass(k, t);
}

void knots_open(Knots *k, Arena *arena, Machine *m) {
  const Equations *e = m->set->equations;
  *k = (Knots){.machine = m, .next = INFINITY};
  k->at = arena_array(arena, TimedTable, e->table_count + 1);
  for (uint32_t i = 0; i < e->table_count; i++)
    if (e->tables[i].is_timed)
      k->at[k->count++] = (TimedTable){.use = i, .table = e->tables[i].table};
}
