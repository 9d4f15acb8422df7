// Contacts that nothing presses at an event: which of them open a moment later.
#include <math.h>
#include <string.h>

#include "engine/contact/contact.h"
#include "solve/algebra/dense.h"

// What choosing who holds, rests and slides changes.
typedef struct Chosen {
  bool *closed, *stops, *yields, *struck, told_ambiguity;
  double acceleration;
  Slip *slips;
} Chosen;

static Chosen keep_chosen(const Contacts *c) {
  const Machine *m = c->machine;
  Arena *scratch = &m->cx->scratch;
  size_t slips = m->rubs ? (size_t)m->slip_count : 0;
  Chosen kept = {.told_ambiguity = c->told_ambiguity, .acceleration = c->acceleration};
  kept.closed = arena_array(scratch, bool, c->count);
  kept.struck = arena_array(scratch, bool, c->count);
  memcpy(kept.struck, c->struck, (size_t)c->count * sizeof *kept.struck);
  kept.stops = arena_array(scratch, bool, slips);
  kept.yields = arena_array(scratch, bool, slips);
  kept.slips = arena_array(scratch, Slip, slips);
  memcpy(kept.closed, m->closed, (size_t)c->count * sizeof *kept.closed);
  if (slips == 0) return kept;
  memcpy(kept.stops, c->stops, slips * sizeof *kept.stops);
  memcpy(kept.yields, c->yields, slips * sizeof *kept.yields);
  memcpy(kept.slips, m->slips, slips * sizeof *kept.slips);
  return kept;
}

static void take_back_chosen(Contacts *c, const Chosen *kept) {
  Machine *m = c->machine;
  size_t slips = m->rubs ? (size_t)m->slip_count : 0;
  memcpy(c->struck, kept->struck, (size_t)c->count * sizeof *c->struck);
  c->told_ambiguity = kept->told_ambiguity;
  c->acceleration = kept->acceleration;
  memcpy(m->closed, kept->closed, (size_t)c->count * sizeof *kept->closed);
  if (slips == 0) return;
  memcpy(c->stops, kept->stops, slips * sizeof *kept->stops);
  memcpy(c->yields, kept->yields, slips * sizeof *kept->yields);
  memcpy(m->slips, kept->slips, slips * sizeof *kept->slips);
}

// Accelerations by the forces that were found last; qdd has been those of free motion.
static void add_forces(const Contacts *c, double *qdd) {
  int n = c->machine->n;
  for (int i = 0; i < c->count; i++)
    dense_add(n, -c->force[i], c->response + (size_t)i * (size_t)n, qdd);
  for (int i = 0; contacts_rub(c) && i < contacts_rub_count(c); i++)
    dense_add(n, c->r[i], c->slip_response + (size_t)c->slip_index[i] * (size_t)n, qdd);
}

// Feet that carry nothing any more, because the last of them carries all, have next to no
// acceleration apart: as what yields, they are seen where the load has gone a little further.
Status contacts_look_ahead(Contacts *c, double t, const double *q, const double *qd,
                           const bool *released) {
  Machine *m = c->machine;
  Arena *scratch = &m->cx->scratch;
  Mark mark = arena_mark(scratch);
  size_t n = (size_t)m->n, speeds = n + (size_t)m->states;
  Chosen kept = keep_chosen(c);
  double *q_1 = arena_array(scratch, double, n), *qd_1 = arena_array(scratch, double, speeds);
  double *qdd = arena_array(scratch, double, n);
  memcpy(q_1, q, n * sizeof *q);
  memcpy(qd_1, qd, speeds * sizeof *qd);
  c->told_ambiguity = true; // a trial tells nothing
  if (contacts_choose(c, t, q, qd, released) == QDOT_OK) {
    memcpy(qdd, c->qdd, n * sizeof *qdd);
    add_forces(c, qdd);
    dense_add(m->n, c->moment, qd, q_1);
    dense_add(m->n, c->moment, qdd, qd_1);
    Status status = contacts_respond(c, t + c->moment, q_1, qd_1);
    if (status == QDOT_OK) status = contacts_choose(c, t + c->moment, q_1, qd_1, NULL);
    for (int i = 0; status == QDOT_OK && i < c->count; i++)
      c->opens[i] = c->touching[i] && !m->closed[i];
  }
  c->why = c->why_note = NULL;
  take_back_chosen(c, &kept);
  Status status = contacts_respond(c, t, q, qd);
  arena_release(scratch, mark);
  return status;
}
