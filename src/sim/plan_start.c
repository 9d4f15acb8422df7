// Bodies, solids and the assembly of a plan.
#include "engine/plan_start.h"

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/tape_build.h"
#include "sim/plan_source.h"

typedef struct Filling {
  PlanSource *source;
  Context *cx;
  Arena *arena;
  const Model *model;
  const Assembly *a;
  PlanAssembly *out;
} Filling;

static Filling open_filling(PlanSource *source) {
  const Model *model = source->system->model;
  return (Filling){source, source->cx, &source->arena, model, model->assembly, NULL};
}

// ---- Places

static void fill_bodies(Filling *f, PlanPlaces *places) {
  const Model *origin = f->model->origin;
  uint32_t count = origin && f->model->poses ? origin->mechanism.bodies.n : 0;
  PlanBody *bodies = arena_array(f->arena, PlanBody, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Body *body = &origin->mechanism.bodies.at[i];
    bodies[i].name = symbol_text(f->cx, body->name);
    for (int k = 0; k < 3; k++) bodies[i].start[k] = plan_start(f->source, &body->start[k]);
  }
  places->body_count = count, places->bodies = bodies;
  places->poses = tape_new(f->cx, f->arena, f->model->poses, 3 * count);
}

static void fill_solids(Filling *f, PlanPlaces *places) {
  const Space *space = &f->model->space;
  Expr *axes = arena_array(&f->cx->scratch, Expr, 9 * space->solids.n);
  PlanSolid *solids = arena_array(f->arena, PlanSolid, space->solids.n + 1);
  for (uint32_t i = 0; i < space->solids.n; i++) {
    const Solid *solid = &space->solids.at[i];
    solids[i] = (PlanSolid){symbol_text(f->cx, solid->name), solid->span};
    for (uint32_t k = 0; k < 9; k++) axes[9 * i + k] = solid->axes[k / 3][k % 3];
  }
  places->solid_count = space->solids.n, places->solids = solids;
  places->axes = tape_new(f->cx, f->arena, axes, 9 * space->solids.n);
}

// ---- The coordinates of an assembly

static PlanPose pose_of(const Filling *f, uint32_t i) {
  static const char *const parts[] = {"x", "y", "angle"};
  const Assembly *a = f->a;
  const Model *origin = f->model->origin;
  uint32_t k = i - a->own;
  bool is_own = i < a->own;
  const Body *body = is_own ? NULL : &origin->mechanism.bodies.at[k / 3];
  const Coordinate *own = is_own ? &origin->coordinates.at[i] : NULL;
  bool is_rate_kept = a->velocity[i].kind == INITIAL_GIVEN;
  InitialKind said = is_own ? own->position.kind : body->start[k % 3].kind;
  return (PlanPose){.z = symbol_variable(f->cx, a->z[i]),
                    .zd = symbol_variable(f->cx, a->zd[i]),
                    .name = symbol_text(f->cx, is_own ? own->name : body->name),
                    .part = is_own ? NULL : parts[k % 3],
                    .is_given = said == INITIAL_GIVEN,
                    .is_kept = a->position[i].kind == INITIAL_GIVEN,
                    .is_rate_given =
                        is_rate_kept && (is_own || body->velocity[k % 3].kind == INITIAL_GIVEN),
                    .is_rate_kept = is_rate_kept};
}

static void fill_poses(Filling *f) {
  PlanPose *poses = arena_array(f->arena, PlanPose, f->a->n + 1);
  for (uint32_t i = 0; i < f->a->n; i++) poses[i] = pose_of(f, i);
  f->out->poses = poses;
}

static void fill_rows(Filling *f) {
  const Assembly *a = f->a;
  PlanAssemblyRow *rows = arena_array(f->arena, PlanAssemblyRow, a->row_count + 1);
  for (uint32_t r = 0; r < a->row_count; r++)
    rows[r] = (PlanAssemblyRow){symbol_text(f->cx, a->names[r]), a->spans[r],
                                expr_has_kind(f->cx, a->rows[r], KIND_BIT(SYMBOL_TIME))};
  f->out->rows = rows;
}

// ---- Tapes

static void grow_room(Filling *f, const Tape *tape) {
  size_t rooms[] = {tape_values_room(tape), tape_sizes_room(tape)};
  for (int i = 0; i < 2; i++)
    if (rooms[i] > f->out->room) f->out->room = rooms[i];
}

static const Tape *tape_from(Filling *f, const Expr *exprs, uint32_t n) {
  const Tape *tape = tape_new(f->cx, f->arena, exprs, n);
  grow_room(f, tape);
  return tape;
}

static const Tape *tape_of(Filling *f, const ExprList *exprs) {
  return tape_from(f, exprs->at, exprs->n);
}

static const Tape *tape_of_starts(Filling *f, const Initial *starts) {
  ExprList said = {0};
  for (uint32_t i = 0; i < f->a->n; i++) {
    bool is_said = starts[i].kind != INITIAL_NONE && starts[i].value;
    vec_push(&f->cx->scratch, &said, is_said ? starts[i].value : expr_int(f->cx, 0));
  }
  return tape_of(f, &said);
}

static void fill_anchors(Filling *f) {
  const Mechanism *mechanism = &f->model->origin->mechanism;
  ExprList places = {0};
  for (uint32_t i = 0; i < 2 * mechanism->joints.n; i++) {
    const Joint *joint = &mechanism->joints.at[i / 2];
    const Anchor *anchor = i % 2 ? &joint->second : &joint->first;
    if (anchor->body == GROUND || !anchor->at[0]) continue;
    for (int k = 0; k < 2; k++) vec_push(&f->cx->scratch, &places, anchor->at[k]);
  }
  f->out->anchors = tape_of(f, &places);
  f->out->anchor_count = places.n / 2;
}

typedef struct EntryList {
  ExprList values;
  VEC(PlanCell) cells;
} EntryList;

static void add_entry(Filling *f, EntryList *entries, uint32_t row, uint32_t column, Expr value) {
  vec_push(&f->cx->scratch, &entries->values, value);
  vec_push(&f->cx->scratch, &entries->cells, ((PlanCell){row, column}));
}

static PlanEntries plan_entries(Filling *f, const EntryList *entries) {
  uint32_t count = entries->cells.n;
  const void *cells = arena_copy(f->arena, entries->cells.at, count * sizeof(PlanCell));
  return (PlanEntries){count, cells, tape_of(f, &entries->values)};
}

static void fill_inertias(Filling *f) {
  Context *cx = f->cx;
  const Assembly *a = f->a;
  EntryList inertias = {0};
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->mass[i]) add_entry(f, &inertias, i, i, a->mass[i]);
    if (!expr_depends(cx, a->energy, a->zd[i])) continue;
    Expr momentum = expr_diff(cx, a->energy, a->zd[i]);
    for (uint32_t k = 0; k < a->n; k++)
      if (expr_depends(cx, momentum, a->zd[k]))
        add_entry(f, &inertias, i, k, expr_diff(cx, momentum, a->zd[k]));
  }
  f->out->inertias = plan_entries(f, &inertias);
}

static void fill_slopes(Filling *f) {
  Context *cx = f->cx;
  const Assembly *a = f->a;
  EntryList slopes = {0};
  for (uint32_t r = 0; r < a->row_count; r++) {
    const Expr *by = r < a->holonomic ? a->z : a->zd;
    for (uint32_t i = 0; i < a->n; i++)
      if (expr_depends(cx, a->rows[r], by[i]))
        add_entry(f, &slopes, r, i, expr_diff(cx, a->rows[r], by[i]));
  }
  f->out->slopes = plan_entries(f, &slopes);
}

static void fill_rates(Filling *f) {
  const Assembly *a = f->a;
  ExprList rates = {0};
  for (uint32_t r = 0; r < a->row_count; r++)
    vec_push(&f->cx->scratch, &rates,
             r < a->holonomic ? expr_time_derivative(f->cx, a->rows[r]) : a->rows[r]);
  f->out->rates = tape_of(f, &rates);
}

static void fill_meanings(Filling *f) {
  ExprList meanings = {0}, rates = {0};
  for (uint32_t i = 0; i < f->model->coordinates.n; i++) {
    Expr pose = f->model->meanings.at[i].pose;
    vec_push(&f->cx->scratch, &meanings, pose);
    vec_push(&f->cx->scratch, &rates, expr_time_derivative(f->cx, pose));
  }
  f->out->meanings = tape_of(f, &meanings);
  f->out->meaning_rates = tape_of(f, &rates);
}

static const PlanAssembly *assembly_of(Filling *f, const PlanPlaces *places) {
  const Assembly *a = f->a;
  f->out = arena_new(f->arena, PlanAssembly);
  *f->out = (PlanAssembly){
      .n = a->n, .own = a->own, .row_count = a->row_count, .holonomic = a->holonomic};
  fill_poses(f);
  fill_rows(f);
  f->out->positions = tape_of_starts(f, a->position);
  f->out->velocities = tape_of_starts(f, a->velocity);
  f->out->constraints = tape_from(f, a->rows, a->holonomic);
  grow_room(f, places->poses);
  fill_anchors(f);
  fill_inertias(f);
  fill_slopes(f);
  fill_rates(f);
  fill_meanings(f);
  return f->out;
}

void plan_fill_start(PlanSource *source) {
  Filling f = open_filling(source);
  Mark mark = arena_mark(&f.cx->scratch);
  PlanPlaces *places = arena_new(f.arena, PlanPlaces);
  fill_bodies(&f, places);
  fill_solids(&f, places);
  source->plan.places = places;
  if (f.a && f.a->row_count > 0) source->plan.assembly = assembly_of(&f, places);
  arena_release(&f.cx->scratch, mark);
}
