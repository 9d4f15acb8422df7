// The drawing of a live page: shapes with the numbers of their signals.
#include "report/live.h"

#include <math.h>

static void add_signal(Text *out, const char *name, uint32_t signal) {
  if (signal != NO_SIGNAL) text_addf(out, ", \"%s\": %u", name, signal);
}

static const char *shape_word(const SceneShape *shape) {
  static const char *const words[] = {
#define SHAPE(name, word, least, most, takes) [DRAW_##name] = word,
#include "model/shapes.def"
#undef SHAPE
      [DRAW_TRACK] = "track", [DRAW_POST] = "post",   [DRAW_BELT] = "belt",    [DRAW_TURN] = "turn",
      [DRAW_PUSH] = "push",   [DRAW_FORCE] = "force", [DRAW_SPIRAL] = "spiral"};
  return words[shape->shape];
}

// Among those that the page gets.
static uint32_t visible_number(const Scene *scene, uint32_t shape) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < shape; i++) n += !scene->shapes.at[i].is_hidden;
  return n;
}

static void write_shape(const Scene *scene, const SceneShape *shape, Text *out) {
  static const char *const tracks[] = {[TRACK_FIXED] = "fixed",
                                       [TRACK_MOVING] = "moving",
                                       [TRACK_TOOTHED] = "toothed",
                                       [TRACK_RAIL] = "rail",
                                       [TRACK_FACE] = "face"};
  live_item(out);
  text_addf(out, "{\"shape\": \"%s\", \"points\": %u, \"count\": %u, \"group\": %u",
            shape_word(shape), shape->points, shape->point_count, shape->group);
  add_signal(out, "radius", shape->radius);
  add_signal(out, "width", shape->width);
  add_signal(out, "angle", shape->angle);
  add_signal(out, "size_a", shape->size_a);
  add_signal(out, "size_b", shape->size_b);
  if (shape->has_colour)
    text_addf(out, ", \"colour\": \"#%02x%02x%02x\"", shape->colour.red, shape->colour.green,
              shape->colour.blue);
  if (shape->text) {
    live_text(out, "text", shape->text);
  }
  if (shape->subscript) live_text(out, "subscript", shape->subscript);
  if (shape->part) live_text(out, "part", shape->part);
  if (shape->has_joints) text_add(out, ", \"has_joints\": true");
  if (shape->hangs) text_add(out, ", \"hangs\": true");
  if (shape->beside) text_addf(out, ", \"beside\": %d", shape->beside);
  if (shape->teeth) {
    text_addf(out, ", \"teeth\": %u", shape->teeth);
    text_addf(out, ", \"train\": %u", shape->train);
    live_number(out, "pitch", shape->pitch);
    if (shape->ahead != 0) live_number(out, "ahead", shape->ahead);
    if (shape->is_ring) text_add(out, ", \"is_ring\": true");
    if (shape->partner != NO_PARTNER)
      text_addf(out, ", \"partner\": %u", visible_number(scene, shape->partner));
  }
  if (shape->shape == DRAW_TRACK) {
    live_text(out, "track", tracks[shape->track]);
    live_number(out, "low", shape->low);
    live_number(out, "high", shape->high);
    if (shape->is_beneath) text_add(out, ", \"is_beneath\": true");
  }
  text_add(out, "}");
}

static void write_palette(Text *out) {
  live_key(out, "palette");
  text_add(out, "[");
  for (int i = 0; i < ROLE_COLOURS; i++) {
    const ColourPair *c = &role_colours[i];
    text_addf(out, "%s[\"#%02x%02x%02x\", \"#%02x%02x%02x\"]", i ? ", " : "", c->light.red,
              c->light.green, c->light.blue, c->dark.red, c->dark.green, c->dark.blue);
  }
  text_add(out, "]");
}

static void write_labels(const Live *live, Text *out) {
  static const char *const kinds[] = {
      [LABEL_ANGLE] = "angle",   [LABEL_LENGTH] = "length",     [LABEL_MASS] = "mass",
      [LABEL_SPRING] = "spring", [LABEL_POSITION] = "position", [LABEL_GRAVITY] = "gravity",
      [LABEL_RADIUS] = "radius", [LABEL_AXES] = "axes"};
  if (!live->labels.n) return;
  live_key(out, "labels");
  text_add(out, "[");
  for (uint32_t i = 0; i < live->labels.n; i++) {
    const SceneLabel *label = &live->labels.at[i];
    live_item(out);
    text_add(out, "{");
    live_text(out, "kind", kinds[label->kind]);
    live_text(out, "name", label->name);
    live_text(out, "text", label->text);
    live_text(out, "subscript", label->subscript);
    add_signal(out, "from", label->from);
    add_signal(out, "to", label->to);
    add_signal(out, "base_from", label->base_from);
    add_signal(out, "base_to", label->base_to);
    if (label->kind == LABEL_RADIUS)
      add_signal(out, "radius", label->value);
    else if (label->value != NO_SIGNAL)
      text_addf(out, ", \"coordinate\": %u", label->value - live->drawn);
    if (label->is_dimension) text_add(out, ", \"is_dimension\": true");
    text_addf(out, ", \"sign\": %d, \"axis\": %d", label->sign, label->axis);
    live_number(out, "zero", label->zero);
    text_addf(out, ", \"way\": [%g, %g], \"aside\": %u, \"slots\": [", label->way[0], label->way[1],
              label->aside);
    for (uint32_t k = 0; k < label->slot_count; k++)
      text_addf(out, "%s%u", k ? ", " : "", label->slots[k]);
    text_add(out, "]}");
  }
  text_add(out, "]");
}

// Where in the text the draw line of each shape begins; -1 of those without one.
static void write_lines(const Scene *scene, Text *out) {
  live_key(out, "lines");
  text_add(out, "[");
  bool is_first = true;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    bool has_line = shape->line.end > shape->line.begin;
    if (shape->is_hidden) continue;
    text_addf(out, "%s%ld", is_first ? "" : ", ", has_line ? (long)shape->line.begin : -1L);
    is_first = false;
  }
  text_add(out, "]");
}

void live_write_scene(Live *live, Text *out) {
  write_labels(live, out);
  write_lines(&live->scene, out);
  const Scene *scene = &live->scene;
  write_palette(out);
  live_key(out, "scene");
  text_addf(out, "{\"is_spatial\": %s, \"follows\": %s", scene->is_spatial ? "true" : "false",
            live->view.follows ? "true" : "false");
  live_text(out, "unit", scene->unit);
  live_key(out, "shapes");
  text_add(out, "[");
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (!scene->shapes.at[i].is_hidden) write_shape(scene, &scene->shapes.at[i], out);
  text_add(out, "]");
  live_key(out, "hinges");
  text_add(out, "[");
  for (uint32_t i = 0; i < scene->hinges.n; i++)
    text_addf(out, "%s%u", i ? ", " : "", scene->hinges.at[i]);
  text_add(out, "]}");
}
