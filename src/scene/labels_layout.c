// Where labels stand in a pose: their arcs and arrows first, then their symbols where these cover
// nothing.
#include "scene/labels.h"

static void take_place(const View *view, LabelRoom *room, PlacedLabel *p) {
  bool is_free = false;
  for (uint32_t k = 0; k < p->label->slot_count && !is_free; k++) {
    label_take_slot(view, p, p->label->slots[k]);
    is_free = label_is_free(room, p);
  }
  p->is_shown = p->is_shown && is_free;
  if (!p->is_shown) return;
  vec_push(room->arena, &room->boxes, p->symbol);
  if (p->has_leader) room_add_lines(room, (Place2[]){p->leader, p->anchor}, 2, 1);
}

PlacedLabels labels_layout(Canvas *canvas, Arena *arena, const Scene *scene, const View *view,
                           const SceneLabels *labels, const double *pose) {
  PlacedLabels out = {0};
  LabelRoom room = label_room(arena, scene, view, pose);
  for (uint32_t i = 0; i < labels->n; i++) {
    const SceneLabel *label = &labels->at[i];
    PlacedLabel p = {0};
    p.symbol.half_width =
        0.5 * canvas_symbol_width(canvas, SYMBOL_SIZE, label->text, label->subscript);
    p.symbol.half_height = SYMBOL_HALF;
    label_figure(scene, view, pose, label, &p);
    vec_push(arena, &out, p);
    label_figure_lines(&p, &room);
  }
  for (uint32_t i = 0; i < out.n; i++) take_place(view, &room, &out.at[i]);
  return out;
}
