// Tapes of an assembly: guesses, rows with their slopes and rates, inertias, meanings.
#include "sim/start/assemble_tapes.h"

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/tape_build.h"

typedef VEC(Expr) Exprs;

static const Tape *tape_from(Machine *m, const Expr *exprs, uint32_t n) {
  const Tape *tape = tape_new(m->cx, &m->arena, exprs, n);
  size_t rooms[] = {tape_values_room(tape), tape_sizes_room(tape)};
  for (int i = 0; i < 2; i++)
    if (rooms[i] > m->assembly->room) m->assembly->room = rooms[i];
  return tape;
}

static const Tape *tape_of(Machine *m, const Exprs *exprs) {
  return tape_from(m, exprs->at, exprs->n);
}

static const Tape *tape_of_starts(Machine *m, const Initial *starts, uint32_t n) {
  Exprs said = {0};
  for (uint32_t i = 0; i < n; i++)
    vec_push(&m->cx->scratch, &said,
             starts[i].kind != INITIAL_NONE && starts[i].value ? starts[i].value
                                                               : expr_int(m->cx, 0));
  return tape_of(m, &said);
}

static void find_anchors(Machine *m, struct AssemblyTapes *tapes) {
  const Mechanism *mechanism = &m->system->model->origin->mechanism;
  Exprs places = {0};
  for (uint32_t i = 0; i < 2 * mechanism->joints.n; i++) {
    const Joint *joint = &mechanism->joints.at[i / 2];
    const Anchor *anchor = i % 2 ? &joint->second : &joint->first;
    if (anchor->body == GROUND || !anchor->at[0]) continue;
    for (int k = 0; k < 2; k++) vec_push(&m->cx->scratch, &places, anchor->at[k]);
  }
  tapes->anchors = tape_of(m, &places);
  tapes->anchor_count = places.n / 2;
}

const struct AssemblyTapes *assembly_tapes(Machine *m) {
  const Model *model = m->system->model;
  const Assembly *a = model->assembly;
  if (m->assembly) return m->assembly;
  Mark mark = arena_mark(&m->cx->scratch);
  struct AssemblyTapes *tapes = m->assembly = arena_new(&m->arena, struct AssemblyTapes);
  tapes->positions = tape_of_starts(m, a->position, a->n);
  tapes->velocities = tape_of_starts(m, a->velocity, a->n);
  tapes->rows = tape_from(m, a->rows, a->holonomic);
  tapes->poses = tape_from(m, model->poses, a->n - a->own);
  find_anchors(m, tapes);
  arena_release(&m->cx->scratch, mark);
  return tapes;
}

static void add_inertia(Machine *m, Exprs *inertias, uint32_t row, uint32_t column, Expr value) {
  vec_push(&m->cx->scratch, inertias, value);
  vec_push(&m->arena, &m->assembly->inertial, ((SparseCell){row, column}));
}

static void find_masses(Machine *m) {
  Context *cx = m->cx;
  const Assembly *a = m->system->model->assembly;
  Exprs inertias = {0};
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->mass[i]) add_inertia(m, &inertias, i, i, a->mass[i]);
    if (!expr_depends(cx, a->energy, a->zd[i])) continue;
    Expr momentum = expr_diff(cx, a->energy, a->zd[i]);
    for (uint32_t k = 0; k < a->n; k++)
      if (expr_depends(cx, momentum, a->zd[k]))
        add_inertia(m, &inertias, i, k, expr_diff(cx, momentum, a->zd[k]));
  }
  m->assembly->inertias = tape_of(m, &inertias);
}

static void find_slopes(Machine *m) {
  Context *cx = m->cx;
  const Assembly *a = m->system->model->assembly;
  Exprs slopes = {0};
  for (uint32_t r = 0; r < a->row_count; r++) {
    const Expr *by = r < a->holonomic ? a->z : a->zd;
    for (uint32_t i = 0; i < a->n; i++) {
      if (!expr_depends(cx, a->rows[r], by[i])) continue;
      vec_push(&cx->scratch, &slopes, expr_diff(cx, a->rows[r], by[i]));
      vec_push(&m->arena, &m->assembly->sloped, ((SparseCell){r, i}));
    }
  }
  m->assembly->slopes = tape_of(m, &slopes);
}

static void find_rates(Machine *m) {
  const Assembly *a = m->system->model->assembly;
  Exprs rates = {0};
  for (uint32_t r = 0; r < a->row_count; r++)
    vec_push(&m->cx->scratch, &rates,
             r < a->holonomic ? expr_time_derivative(m->cx, a->rows[r]) : a->rows[r]);
  m->assembly->rates = tape_of(m, &rates);
}

static void find_meanings(Machine *m) {
  const Model *model = m->system->model;
  Exprs meanings = {0}, rates = {0};
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    vec_push(&m->cx->scratch, &meanings, model->meanings.at[i].pose);
    vec_push(&m->cx->scratch, &rates, expr_time_derivative(m->cx, model->meanings.at[i].pose));
  }
  m->assembly->meanings = tape_of(m, &meanings);
  m->assembly->meaning_rates = tape_of(m, &rates);
}

void assembly_tapes_for_moving(Machine *m) {
  if (m->assembly->is_whole) return;
  Mark mark = arena_mark(&m->cx->scratch);
  find_masses(m);
  find_slopes(m);
  find_rates(m);
  find_meanings(m);
  arena_release(&m->cx->scratch, mark);
  m->assembly->is_whole = true;
}
