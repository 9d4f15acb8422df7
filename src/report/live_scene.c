// The drawing of a live page: shapes with the numbers of their signals.
#include "report/live.h"

#include <math.h>

static void add_number(Text *out, double value) { emit_number(DIALECT_JS, value, out); }

static void add_signal(Text *out, const char *name, uint32_t signal) {
  if (signal != NO_SIGNAL) text_addf(out, ", %s: %u", name, signal);
}

static const char *shape_word(const SceneShape *shape) {
  static const char *const words[] = {
#define SHAPE(name, word, least, most, takes) [DRAW_##name] = word,
#include "model/shapes.def"
#undef SHAPE
      [DRAW_TRACK] = "track", [DRAW_POST] = "post", [DRAW_BELT] = "belt",
      [DRAW_TURN] = "turn",   [DRAW_PUSH] = "push", [DRAW_SPIRAL] = "spiral"};
  return words[shape->shape];
}

static void write_shape(const SceneShape *shape, Text *out) {
  static const char *const tracks[] = {
      [TRACK_FIXED] = "fixed", [TRACK_MOVING] = "moving", [TRACK_TOOTHED] = "toothed"};
  text_addf(out, "    {shape: \"%s\", points: %u, count: %u, group: %u", shape_word(shape),
            shape->points, shape->point_count, shape->group);
  add_signal(out, "radius", shape->radius);
  add_signal(out, "width", shape->width);
  add_signal(out, "angle", shape->angle);
  add_signal(out, "size_a", shape->size_a);
  add_signal(out, "size_b", shape->size_b);
  if (shape->has_colour)
    text_addf(out, ", colour: \"#%02x%02x%02x\"", shape->colour.red, shape->colour.green,
              shape->colour.blue);
  if (shape->text) {
    text_add(out, ", text: ");
    js_string(out, shape->text);
  }
  if (shape->has_joints) text_add(out, ", has_joints: true");
  if (shape->hangs) text_add(out, ", hangs: true");
  if (shape->shape == DRAW_TRACK) {
    text_addf(out, ", track: \"%s\", low: ", tracks[shape->track]);
    add_number(out, shape->low);
    text_add(out, ", high: ");
    add_number(out, shape->high);
  }
  text_add(out, "},\n");
}

static void write_palette(Text *out) {
  text_add(out, "palette: [");
  for (int i = 0; i < CURVE_COLOURS; i++) {
    const ColourPair *c = &curve_colours[i];
    text_addf(out, "%s[\"#%02x%02x%02x\", \"#%02x%02x%02x\"]", i ? ", " : "", c->light.red,
              c->light.green, c->light.blue, c->dark.red, c->dark.green, c->dark.blue);
  }
  text_add(out, "],\n");
}

static void write_point(Text *out, const char *name, uint32_t signal) {
  if (signal != NO_SIGNAL) text_addf(out, ", %s: %u", name, signal);
}

static void write_labels(const Live *live, Text *out) {
  static const char *const kinds[] = {
      [LABEL_ANGLE] = "angle",   [LABEL_LENGTH] = "length",     [LABEL_MASS] = "mass",
      [LABEL_SPRING] = "spring", [LABEL_POSITION] = "position", [LABEL_GRAVITY] = "gravity"};
  if (!live->labels.n) return;
  text_add(out, "labels: [\n");
  for (uint32_t i = 0; i < live->labels.n; i++) {
    const SceneLabel *label = &live->labels.at[i];
    text_addf(out, "  {kind: \"%s\", name: ", kinds[label->kind]);
    js_string(out, label->name);
    text_add(out, ", text: ");
    js_string(out, label->text);
    write_point(out, "from", label->from);
    write_point(out, "to", label->to);
    write_point(out, "base_from", label->base_from);
    write_point(out, "base_to", label->base_to);
    if (label->value != NO_SIGNAL) text_addf(out, ", coordinate: %u", label->value - live->drawn);
    if (label->is_dimension) text_add(out, ", is_dimension: true");
    text_addf(out, ", sign: %d, axis: %d, zero: ", label->sign, label->axis);
    add_number(out, label->zero);
    text_addf(out, ", way: [%g, %g]},\n", label->way[0], label->way[1]);
  }
  text_add(out, "],\n");
}

void live_write_scene(Live *live, Text *out) {
  write_labels(live, out);
  const Scene *scene = &live->scene;
  write_palette(out);
  text_addf(out,
            "scene: {is_spatial: %s, follows: %s, unit: ", scene->is_spatial ? "true" : "false",
            live->view.follows ? "true" : "false");
  js_string(out, scene->unit);
  text_add(out, ",\n  shapes: [\n");
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (!scene->shapes.at[i].is_hidden) write_shape(&scene->shapes.at[i], out);
  text_add(out, "  ],\n  hinges: [");
  for (uint32_t i = 0; i < scene->hinges.n; i++)
    text_addf(out, "%s%u", i ? ", " : "", scene->hinges.at[i]);
  text_add(out, "]},\n");
}
