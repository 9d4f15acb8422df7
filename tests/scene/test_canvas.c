// Canvases whose file takes nothing.
#include "scene/canvas.h"
#include "support/check.h"

// Large enough that something is written before the end.
static void draw_much(Canvas *canvas) {
  canvas_fill_all(canvas, (Colour){255, 255, 255});
  for (int i = 0; i < 3000; i++) {
    Place2 points[] = {{i % 300, i % 7 * 20.0}, {i % 11 * 30.0, i % 200}};
    canvas_lines(canvas, points, 2, false, (Pen){{(uint8_t)i, 0, 0}, 1, 1 + i % 5});
  }
}

TEST(a_full_disk_is_told) {
  static const CanvasKind kinds[] = {CANVAS_SVG, CANVAS_PDF, CANVAS_PNG};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && canvas_draws(kinds[i]); i++) {
    Canvas *canvas;
    assert_int_equal(canvas_open(cx, kinds[i], "/dev/full", 300, 200, &canvas), QDOT_OK);
    draw_much(canvas);
    assert_int_equal(canvas_close(cx, canvas), QDOT_IO);
    assert_string_equal(cx->diagnostics.list.at[i].message,
                        "cannot write '/dev/full': error while writing to output stream");
  }
}

RUN_TESTS(cmocka_unit_test(a_full_disk_is_told))
