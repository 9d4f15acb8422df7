// Maximal coordinates: x, y, theta of every body, every joint a constraint.
#include "derive/mechanics.h"

static bool keeps_all(const Mechanics *mech, const PoseRow *row) {
  (void)mech, (void)row;
  return true;
}

Status formulate_maximal(Mechanics *mech, Model *out) {
  Context *cx = mech->cx;
  Placement *placements = arena_array(&cx->keep, Placement, mech->n);
  for (uint32_t i = 0; i < mech->n; i++) {
    const Body *body = &mech->m->bodies.at[i];
    placements[i].pose[2] = mech->start[i].at[2];
    for (int k = 0; k < (mech->is_idle[i] ? 2 : 3); k++)
      placements[i].pose[k] = model_add_meaning(
          out, symbol_name(cx, body->pose[k]), k == 2, mechanics_start(mech, i, k),
          mechanics_start_rate(mech, i, k), body->span, body->pose[k]);
  }
  return mechanics_place(mech, out, placements, keeps_all);
}
