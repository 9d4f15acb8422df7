// Charts of several results in one: every curve arrives once, in the colour of its name.
#include "chart/overlay.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

static ChartCurve curve_of(Context *cx, const char *label, uint32_t colour, double height) {
  Points points = {arena_array(&cx->keep, Point, 2), 2};
  points.at[0] = (Point){0, 0}, points.at[1] = (Point){1, height};
  return (ChartCurve){.label = label, .points = points, .colour = colour};
}

// A panel of as many curves as there are labels.
static void add_panel(Context *cx, Chart *chart, const char *unit, const char *const *labels,
                      uint32_t n, double height) {
  ChartPanel panel = {.x_label = "t", .y_label = "y", .y_unit = unit, .range = {0, 1, 0, height}};
  for (uint32_t i = 0; i < n; i++)
    vec_push(&cx->keep, &panel.curves, curve_of(cx, labels[i], 4 - i, height));
  vec_push(&cx->keep, &chart->panels, panel);
}

TEST(curves_of_one_name_share_their_colour) {
  static const char *const both[] = {"a", "b"}, *const turned[] = {"b", "a"}, *const one[] = {NULL};
  Chart chart = {0}, other = {0};
  add_panel(cx, &chart, "m", both, 2, 1);
  add_panel(cx, &chart, "N", one, 1, 1);
  add_panel(cx, &other, "N", one, 1, 7);
  add_panel(cx, &other, "m", turned, 2, 3);
  add_panel(cx, &other, "J", one, 1, 3); // the first result has no such panel
  overlay_add(&chart, &other, 1, "B", &cx->keep);
  overlay_name(&chart, "A", &cx->keep);
  assert_int_equal(chart.panels.n, 2);
  const ChartPanel *m = &chart.panels.at[0], *force = &chart.panels.at[1];
  assert_int_equal(m->curves.n, 4);
  const char *const labels[] = {"a (A)", "b (A)", "b (B)", "a (B)"};
  for (uint32_t i = 0; i < 4; i++) {
    assert_string_equal(m->curves.at[i].label, labels[i]);
    assert_int_equal(m->curves.at[i].run, i / 2);
    assert_int_equal(m->curves.at[i].colour, labels[i][0] == 'a' ? 4 : 3);
  }
  assert_true(m->range.high_y == 3 && force->range.high_y == 7);
  assert_string_equal(force->curves.at[0].label, "A");
  assert_string_equal(force->curves.at[1].label, "B");
  assert_true(force->curves.at[0].colour != force->curves.at[1].colour);
}

RUN_TESTS(cmocka_unit_test(curves_of_one_name_share_their_colour))
