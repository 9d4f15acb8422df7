// qdot run MODEL: the motion, its curves and its film in one folder.
#include "commands.h"

int cmd_run(const Options *options) {
  static int (*const parts[])(const Options *options) = {cmd_simulate, cmd_plot, cmd_animate};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    int status = parts[i](options);
    if (status != EXIT_DONE) return status;
  }
  return EXIT_DONE;
}
