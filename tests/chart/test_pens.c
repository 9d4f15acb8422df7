// Pens of curves: no two of a panel are alike, and a coordinate has the colour of its part.
#include <string.h>

#include "base/host/folder.h"
#include "chart/palette.h"
#include "chart/plot.h"
#include "support/check.h"
#include "support/recordings.h"

static const char *masses(Context *cx, uint32_t n) {
  Text text = text_new(&cx->keep), plot = text_new(&cx->keep);
  for (uint32_t i = 0; i < n; i++) {
    text_addf(&text, "coord q%u = 0 [m]\nkinetic = 1/2*(1 [kg])*q%u'^2\n", i, i);
    text_addf(&plot, "%s q%u", i ? "," : "plot", i);
  }
  text_addf(&text, "%s\n", plot.at);
  return text.at;
}

// What stands between "with lines" and "title" of the curves, in their order.
static uint32_t read_pens(Context *cx, const char *script, const char *pens[], uint32_t most) {
  uint32_t n = 0;
  for (const char *at = script; n < most && (at = strstr(at, "with lines ")); n++) {
    const char *end = strstr(at, " title");
    assert_non_null(end);
    pens[n] = arena_copy(&cx->keep, at, (size_t)(end - at));
    at = end;
  }
  return n;
}

TEST(pens_of_a_panel_differ) {
  static const uint32_t counts[] = {2, 7, 8, 13, 14, 15, 20};
  int parts[20];
  for (int i = 0; i < 20; i++) parts[i] = (3 * i + 1) % (CURVE_COLOURS - 1); // some have one colour
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    Result *result = recording_of_motion(cx, masses(cx, counts[k]), motion_of_sines, 20, 0.01);
    const char *folder = scratch_folder(cx, "pens"), *script, *pens[21];
    PlotOptions options = plot_defaults();
    options.folder = folder, options.coordinate_colours = parts;
    PictureList list;
    size_t length;
    assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
    const char *name = text_format(&cx->keep, "%s.gp", list.at[0].name);
    assert_int_equal(folder_read(cx, &cx->keep, folder, name, &script, &length), QDOT_OK);
    assert_int_equal(read_pens(cx, script, pens, 21), counts[k]);
    for (uint32_t i = 0; i < counts[k]; i++)
      for (uint32_t j = 0; j < i; j++) assert_string_not_equal(pens[i], pens[j]);
    Colour own = role_colours[parts[0]].light;
    const char *colour = text_format(&cx->keep, "#%02x%02x%02x", own.red, own.green, own.blue);
    assert_int_equal(strstr(pens[0], colour) != NULL, counts[k] <= MOST_TOLD_APART);
    remove_folder(folder);
  }
}

RUN_TESTS(cmocka_unit_test(pens_of_a_panel_differ))
