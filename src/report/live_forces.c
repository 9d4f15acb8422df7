// The forces of the joints on a live page, as arrows on the bodies that they hold.
#include "analyse/mobility/doctor.h"
#include "derive/joint_forces.h"
#include "report/live.h"

#define MOST_JOINTS 24  // more arrows than that nobody can tell apart
#define MOST_NODES 2500 // of their expressions, so that the page stays small

// What statics leaves open is shared by each run in its own way; it is not shown.
static bool find_open(const Live *live, SymbolList *open) {
  const Model *model = live->system->model;
  *open = (SymbolList){0};
  if (model->constraints.n == 0) return true;
  Doctor doctor;
  Diagnostics before = diag_mark(live->cx);
  bool is_good =
      doctor_examine(live->cx, model, &doctor) == QDOT_OK && doctor.is_measured && !doctor.gaping;
  diag_rollback(live->cx, before);
  if (is_good) *open = doctor.undetermined;
  return is_good;
}

static bool is_open(const Live *live, const SymbolList *open, Symbol joint) {
  static const char *const parts[] = {"F_x", "F_y"};
  for (uint32_t i = 0; i < open->n; i++)
    for (int k = 0; k < 2; k++) {
      const char *name = text_format(live->arena, "%s.%s", symbol_text(live->cx, joint), parts[k]);
      if (open->at[i] == symbol_from_text(live->cx, name)) return true;
    }
  return false;
}

void live_find_forces(Live *live) {
  Context *cx = live->cx;
  const Model *model = live->system->model;
  const Model *origin = model->origin;
  SymbolList open;
  if (!origin || live->scene.is_spatial || origin->mechanism.joints.n > MOST_JOINTS) return;
  JointForces all = joint_forces(model, live->arena);
  if (all.n == 0 || !find_open(live, &open)) return;
  for (uint32_t i = 0; i < all.n; i++) {
    const JointForce *f = &all.at[i];
    Symbol name = origin->mechanism.joints.at[f->joint].name;
    if (is_open(live, &open, name)) continue;
    vec_push(live->arena, &live->joints, symbol_text(cx, name));
    for (int k = 0; k < 4; k++)
      vec_push(live->arena, &live->forces, k < 2 ? f->place[k] : f->force[k - 2]);
  }
  Mark mark = arena_mark(&cx->scratch);
  uint32_t nodes = expr_walk(cx, live->forces.at, live->forces.n, visit_all, NULL).n;
  arena_release(&cx->scratch, mark);
  if (nodes > MOST_NODES) live->joints.n = live->forces.n = 0;
}

void live_keep_forces(Live *live, bool (*keeps)(const Live *live, const Expr *values, uint32_t n)) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < live->joints.n; i++) {
    if (!keeps(live, live->forces.at + 4 * i, 4)) continue;
    live->joints.at[kept] = live->joints.at[i];
    for (int k = 0; k < 4; k++) live->forces.at[4 * kept + k] = live->forces.at[4 * i + k];
    kept++;
  }
  live->joints.n = kept, live->forces.n = 4 * kept;
}

void live_write_forces(const Live *live, Text *out) {
  if (!live->joints.n) return;
  live_key(out, "forces");
  text_add(out, "[");
  for (uint32_t i = 0; i < live->joints.n; i++) {
    if (i) text_add(out, ", ");
    js_string(out, live->joints.at[i]);
  }
  text_add(out, "]");
}
