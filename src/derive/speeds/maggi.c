// Lagrange's equations in coordinates, weighted by dq'/du.
#include "derive/roads/road_type.h"
#include "derive/speeds/boltzmann.h"

static Status derive_road(Context *cx, const System *s, void **out) {
  SpeedEquations *e = arena_new(&cx->keep, SpeedEquations);
  Speeds sp;
  *out = e;
  Status status = speeds_derive(cx, s, &sp);
  if (status != QDOT_OK) return status;
  Mark mark = arena_mark(&cx->scratch);
  Expr *inertia = arena_array(&cx->scratch, Expr, sp.count + 1);
  speed_equations_project(cx, &sp, s->inertia, inertia);
  speeds_insert(cx, &sp, s, inertia, sp.count, inertia);
  status = speed_equations_finish(cx, s, &sp, inertia, e);
  arena_release(&cx->scratch, mark);
  return status;
}

static void simplify_road(Context *cx, const System *s, SimplifyLevel level, bool for_people,
                          void *road) {
  if (level != SIMPLIFY_NONE) speed_equations_simplify(cx, s, level, for_people, road);
}

static void list_rates(Context *cx, const System *s, const void *road, ExprList *out) {
  (void)s;
  speed_equations_rates(cx, road, out);
}

static void list_values(Context *cx, const void *road, ExprList *out) {
  speed_equations_values(cx, road, out);
}

static void list_differences(Context *cx, System *s, const void *road, ExprList *out) {
  speed_equations_differences(cx, s, road, out);
}

const RoadType maggi_road = {derive_road, simplify_road, list_rates, list_values, list_differences};
