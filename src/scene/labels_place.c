// Where labels stand throughout a motion: the place that is free in most of its poses, then that
// which is free in most of the others.
//
// Labels are placed one after the other, in the order in which pictures place them.
#include <math.h>

#include "scene/labels.h"

enum { LOOKS = 16 };

#define TAKEN 300.0  // what a place costs in a pose in which it is not free
#define LATER 2.5    // what the next of the near places costs
#define LEADER 60.0  // what a leader costs
#define CROSSING 8.0 // what a leader costs for each line that it crosses
#define AREA 30.0    // what a place costs on a part that it does not belong to

// The motion as a label sees it.
typedef struct Sight {
  View view;
  const double *pose;
  LabelRoom room;
  PlacedLabel placed; // the label that is being placed
  bool is_settled;    // it has a place in this pose
} Sight;

typedef struct Placing {
  const Scene *scene;
  SceneLabels *labels;
  Sight sights[LOOKS];
  uint32_t sight_count;
} Placing;

// Letters of formulas are so wide at most, in parts of their size.
static double half_width_of(const SceneLabel *label) {
  const char *texts[] = {label->text, label->subscript};
  const double sizes[] = {SYMBOL_SIZE, 0.72 * SYMBOL_SIZE};
  double width = 0;
  for (int i = 0; i < 2; i++)
    for (const char *at = texts[i]; *at; at++) {
      bool is_wide = *at == 'm' || *at == 'w' || *at == 'M' || *at == 'W';
      bool continues = (*at & 0xC0) == 0x80; // a later byte of one letter
      if (!continues) width += sizes[i] * (is_wide ? 0.95 : 0.6);
    }
  return 0.5 * width;
}

static void open_sights(Placing *p, Arena *arena, const View *view, const Poses *poses) {
  uint32_t n = poses->count < LOOKS ? poses->count : LOOKS;
  for (uint32_t i = 0; i < n; i++) {
    Sight *sight = &p->sights[i];
    uint32_t number = n > 1 ? (uint32_t)((uint64_t)(poses->count - 1) * i / (n - 1)) : 0;
    sight->pose = pose_at(poses, number);
    sight->view = view_at(view, p->scene, sight->pose);
    sight->room = label_room(arena, p->scene, &sight->view, sight->pose);
  }
  p->sight_count = n;
}

static void look_at(Placing *p, const SceneLabel *label) {
  for (uint32_t i = 0; i < p->sight_count; i++) {
    Sight *sight = &p->sights[i];
    sight->placed = (PlacedLabel){0};
    sight->placed.symbol.half_width = half_width_of(label);
    sight->placed.symbol.half_height = SYMBOL_HALF;
    label_figure(p->scene, &sight->view, sight->pose, label, &sight->placed);
  }
}

// ---- How it is arranged

// Lines across a radius between its ends, or across a dimension with its arrows.
static uint32_t lines_across(const Sight *sight) {
  const PlacedLabel *p = &sight->placed;
  bool is_radius = p->label->kind == LABEL_RADIUS;
  double part = is_radius ? 0.25 : 0.5, from = is_radius ? 0.6 : 0.5;
  double dx = p->to.x - p->from.x, dy = p->to.y - p->from.y;
  LabelBox box = {
      {p->from.x + from * dx, p->from.y + from * dy}, part * fabs(dx) + 3, part * fabs(dy) + 3};
  bool is_outside = !is_radius && !room_is_apart(&sight->room, &box);
  return room_lines_across(&sight->room, &box) + (is_outside ? 1000 : 0);
}

static void arrange(Placing *p, SceneLabel *label) {
  uint32_t n = label_asides(label), best = label->aside;
  uint64_t least = UINT64_MAX;
  for (uint32_t k = 0; k < n && n > 1; k++) {
    uint64_t crossed = 0;
    label->aside = k;
    look_at(p, label);
    for (uint32_t i = 0; i < p->sight_count; i++) crossed += lines_across(&p->sights[i]);
    if (crossed < least) least = crossed, best = k;
  }
  label->aside = best;
  look_at(p, label);
  for (uint32_t i = 0; i < p->sight_count; i++)
    label_figure_lines(&p->sights[i].placed, &p->sights[i].room);
}

// ---- Where its symbol stands

static double cost_in(Sight *sight, uint32_t slot) {
  PlacedLabel *p = &sight->placed;
  label_take_slot(&sight->view, p, slot);
  if (!label_is_free(&sight->room, p)) return TAKEN;
  double cost = AREA * room_areas_at(&sight->room, p->symbol.centre, p->label->from);
  if (!p->has_leader) return cost + LATER * slot;
  double length = hypot(p->leader.x - p->anchor.x, p->leader.y - p->anchor.y);
  return cost + LEADER + length + CROSSING * room_crossings(&sight->room, p->leader, p->anchor);
}

// The place that costs least in the poses that have none yet, or in all; false where none is free.
static bool find_slot(Placing *p, const SceneLabel *label, bool in_all, uint32_t *out) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < p->sight_count; i++)
    open += p->sights[i].placed.is_shown && (in_all || !p->sights[i].is_settled);
  double least = TAKEN * open;
  for (uint32_t slot = 0; slot < label_slots(label) && open > 0; slot++) {
    double cost = 0;
    for (uint32_t i = 0; i < p->sight_count && cost < least; i++) {
      Sight *sight = &p->sights[i];
      if (sight->placed.is_shown && (in_all || !sight->is_settled)) cost += cost_in(sight, slot);
    }
    if (cost < least - 1e-9) least = cost, *out = slot;
  }
  return least < TAKEN * open;
}

static void take_slot(Sight *sight, uint32_t slot) {
  if (sight->is_settled || !sight->placed.is_shown || !(cost_in(sight, slot) < TAKEN)) return;
  sight->is_settled = true;
  vec_push(sight->room.arena, &sight->room.boxes, sight->placed.symbol);
  if (sight->placed.has_leader)
    room_add_lines(&sight->room, (Place2[]){sight->placed.leader, sight->placed.anchor}, 2, 1);
}

// Letters turn out as wide as their font has them, so the last places stand in for the first where
// these are not quite free.
static void choose_slots(Placing *p, SceneLabel *label) {
  uint32_t slot = 0;
  look_at(p, label);
  label->slot_count = 0;
  for (uint32_t i = 0; i < p->sight_count; i++) p->sights[i].is_settled = false;
  for (int in_all = 0; in_all < 2; in_all++)
    while (label->slot_count < MOST_SLOTS - !in_all && find_slot(p, label, in_all, &slot)) {
      bool is_known = false;
      for (uint32_t k = 0; k < label->slot_count; k++)
        is_known = is_known || label->slots[k] == slot;
      if (is_known) break;
      label->slots[label->slot_count++] = slot;
      for (uint32_t i = 0; i < p->sight_count; i++) take_slot(&p->sights[i], slot);
      if (in_all) break;
    }
}

void labels_place(const Scene *scene, const View *view, const Poses *poses, SceneLabels *labels) {
  Arena *scratch = &scene->cx->scratch;
  Mark mark = arena_mark(scratch);
  Placing *p = arena_new(scratch, Placing);
  *p = (Placing){.scene = scene, .labels = labels};
  open_sights(p, scratch, view, poses);
  for (uint32_t i = 0; i < labels->n; i++) arrange(p, &labels->at[i]);
  for (uint32_t i = 0; i < labels->n; i++) choose_slots(p, &labels->at[i]);
  arena_release(scratch, mark);
}
