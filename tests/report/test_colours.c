// Colour is a contract: a part, its coordinates, their curves and symbols have one, on the pages of
// all examples; energies and forces have their own; all can be read on both backgrounds.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/live.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

#define CONTRAST 4.5 // of text, by WCAG 2 at level AA

static const char *code(Context *cx, Colour c) {
  return text_format(&cx->keep, "#%02x%02x%02x", c.red, c.green, c.blue);
}

// ---- Contrast

static double linear(uint8_t part) {
  double v = part / 255.0;
  return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(Colour c) {
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

static double contrast(Colour a, Colour b) {
  double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return fmax(x, y) / fmin(x, y);
}

TEST(every_colour_can_be_read_on_both_grounds) {
  for (int i = 0; i < ROLE_COLOURS; i++) {
    assert_true(contrast(role_colours[i].light, paper_colour.light) >= CONTRAST);
    assert_true(contrast(role_colours[i].dark, paper_colour.dark) >= CONTRAST);
    for (int k = 0; k < i; k++) {
      assert_string_not_equal(code(cx, role_colours[i].light), code(cx, role_colours[k].light));
      assert_string_not_equal(code(cx, role_colours[i].dark), code(cx, role_colours[k].dark));
    }
  }
}

// ---- The pages of all examples

// The value of a member, which is a text, after a place in the JSON text; NULL where it ends
// before.
static const char *member(Context *cx, const char *at, const char *end, const char *name) {
  const char *key = text_format(&cx->keep, "\"%s\": \"", name), *found = strstr(at, key);
  if (!found || found > end) return NULL;
  found += strlen(key);
  return arena_copy(&cx->keep, found, strcspn(found, "\""));
}

static const char *colour_of_coordinate(const Live *live, uint32_t i) {
  return code(live->cx, scene_coordinate_colour(&live->scene, &live->pieces, &live->angles, i,
                                                live->places[i]));
}

// By moving it: which shapes have another pose when this coordinate alone has another value?
static bool moves(const Live *live, const SceneShape *shape, uint32_t coordinate) {
  Context *cx = live->cx;
  Expr q = live->system->model->coordinates.at[coordinate].q;
  for (uint32_t i = 0; i < 3 * shape->point_count; i++)
    if (expr_depends(cx, live->scene.signals.at[shape->points + i].value, q)) return true;
  return shape->angle != NO_SIGNAL &&
         expr_depends(cx, live->scene.signals.at[shape->angle].value, q);
}

static bool is_part(const SceneShape *shape) {
  return !shape->is_hidden && (shape->shape == DRAW_LINE || shape->shape == DRAW_POLYGON ||
                               shape->shape == DRAW_DISC || shape->shape == DRAW_BOX);
}

static bool has_colour(const Live *live, const SceneShape *shape, const char *colour) {
  uint32_t n = shape->has_joints ? shape->point_count - 1 : 1;
  if (shape->has_colour) return strcmp(code(live->cx, shape->colour), colour) == 0;
  for (uint32_t k = 0; k < n; k++)
    if (strcmp(code(live->cx, place_colour((shape->group + k) % PART_COLOURS)), colour) == 0)
      return true;
  return false;
}

// Some part that the coordinate moves has its colour.
static void check_parts(const Live *live, const char *path) {
  for (uint32_t i = 0; i < live->system->n; i++) {
    bool any = false, same = false;
    for (uint32_t k = 0; k < live->scene.shapes.n; k++) {
      const SceneShape *shape = &live->scene.shapes.at[k];
      if (!is_part(shape) || !moves(live, shape, i)) continue;
      any = true, same = same || has_colour(live, shape, colour_of_coordinate(live, i));
    }
    if (any && !same) print_message("%s: coordinate %u\n", path, i);
    assert_true(!any || same);
  }
}

static void check_labels(const Live *live) {
  uint32_t first = live->drawn;
  for (uint32_t i = 0; i < live->labels.n; i++) {
    const SceneLabel *label = &live->labels.at[i];
    if (label->kind != LABEL_ANGLE) continue;
    assert_string_equal(code(live->cx, label->colour),
                        colour_of_coordinate(live, label->value - first));
  }
}

static bool is_energy(const char *name) { return strncmp(name, "E_", 2) == 0; }

static void check_curves(const Live *live, const char *json) {
  Context *cx = live->cx;
  const Model *model = live->system->model;
  const char *at = strstr(json, "\"curves\": ["), *end = strstr(at, "\"colours\": {");
  for (uint32_t i = 0; i < live->curves.n; i++) {
    const char *next = strstr(at + 1, "{\"name\": ");
    const char *after = strstr(next + 1, "{\"name\": "),
               *limit = after && after < end ? after : end;
    const char *name = member(cx, next, limit, "name");
    const char *colour = member(cx, next, limit, "colour");
    const char *symbol = member(cx, next, limit, "symbol");
    assert_non_null(colour);
    for (uint32_t k = 0; symbol && k < model->coordinates.n; k++)
      if (strcmp(symbol_text(cx, model->coordinates.at[k].name), symbol) == 0 &&
          model->coordinates.n <= MOST_TOLD_APART) {
        assert_string_equal(colour, colour_of_coordinate(live, k));
        assert_string_equal(colour, member(cx, end, end + strlen(end), symbol));
      }
    for (uint32_t k = ENERGY_PLACE; k < ROLE_COLOURS; k++)
      if (!is_energy(name) && strcmp(name, "T_2 - T_0 + V") != 0)
        assert_string_not_equal(colour, code(cx, role_colours[k].light));
    static const char *const energies[] = {"E_kin", "E_pot", "E_tot"};
    for (uint32_t k = 0; k < 3; k++)
      if (strcmp(name, energies[k]) == 0)
        assert_string_equal(colour, code(cx, role_colours[ENERGY_PLACE + k].light));
    at = next;
  }
}

static void check_example(Context *cx, const char *path) {
  Live live = {.cx = cx, .arena = &cx->keep};
  Mark mark = arena_mark(&cx->scratch);
  live.result = recording_of_run(cx, path, example_text(cx, path), 0.2);
  live.language = language_find("en");
  assert_int_equal(model_system((Model *)live.result->model, DERIVE_BASIC, &live.system), QDOT_OK);
  assert_true(live_open(&live));
  Text json = text_new(&cx->keep);
  live_write_view(&live, &json);
  check_parts(&live, path);
  check_labels(&live);
  check_curves(&live, json.at);
  arena_release(&cx->scratch, mark);
}

TEST(pages_of_examples_keep_the_contract) { with_every_example(check_example); }

RUN_TESTS(cmocka_unit_test(every_colour_can_be_read_on_both_grounds),
          cmocka_unit_test(pages_of_examples_keep_the_contract))
