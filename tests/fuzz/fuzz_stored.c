// Any files as a stored result: opened, drawn and plotted. The input is summary.json, results.csv
// and model.qdot, with a line %% between them; a model that is missing is a bouncing ball.
#include <stdint.h>
#include <string.h>

#include "room.h"

static const char ball[] = "param m = 1 [kg], g = 9.81 [m/s^2]\n"
                           "coord x = 0 [m], y = 1 [m]\n"
                           "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
                           "contact floor: y >= 0 restitution 1/2\n"
                           "simulate to 1 [s] every 100 [ms]\n"
                           "plot y\nplot phase y\nplot spectrum x\nplot energy\n"
                           "plot contact floor\ndraw disc (x, y)\n";

// What stands before the next %% line; *left is then what stands behind it.
static size_t cut(const char **left, size_t *size, const char **piece) {
  *piece = *left;
  const char *mark = *size ? memmem(*left, *size, "%%\n", 3) : NULL;
  size_t n = mark ? (size_t)(mark - *left) : *size, used = mark ? n + 3 : n;
  *left += used, *size -= used;
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *left = (const char *)data, *piece;
  size_t n = cut(&left, &size, &piece);
  room_put("summary.json", piece, n);
  n = cut(&left, &size, &piece);
  room_put("results.csv", piece, n);
  room_put("model.qdot", size ? left : ball, size ? size : sizeof ball - 1);

  qdot_context *cx = room_context();
  qdot_result *result;
  if (qdot_result_open(cx, room_folder(), NULL, &result) == QDOT_OK) {
    qdot_plot_options plots = qdot_plot_defaults();
    plots.gnuplot = "/nowhere/gnuplot";
    qdot_result_plot(result, &plots);
    qdot_animate_options pictures = qdot_animate_defaults();
    pictures.formats = QDOT_FILE_SVG | QDOT_FILE_GIF;
    pictures.width = 40;
    qdot_result_animate(result, &pictures);
  }
  qdot_context_close(cx);
  return 0;
}
