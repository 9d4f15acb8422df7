// Positions of a four-bar over its drive, through the library: CPU time against NumPy.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"
#include "qdot/qdot.h"

enum { STEPS = 360, PEER_STEPS = 3600 };

static const char text[] = "param a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.35 [m]\n"
                           "body crank: rod a, angle = 0\nbody coupler: rod b, angle 40 [deg]\n"
                           "body rocker: rod c, angle 80 [deg]\n"
                           "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
                           "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
                           "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
                           "joint D: revolute ground (d, 0), rocker (-c/2, 0)\n"
                           "motor A: speed 10 [rad/s]\n";

typedef struct Walk {
  qdot_positions *positions;
  double q[3 * STEPS];
} Walk;

static void one_turn(void *argument) {
  Walk *walk = argument;
  qdot_positions_walk(walk->positions, 2 * acos(-1) / 10 / STEPS, STEPS, walk->q);
}

int main(void) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model_options options = qdot_model_defaults();
  options.kinematics = 1;
  qdot_model *model;
  static Walk walk;
  if (qdot_model_parse(cx, "four_bar.qdot", text, strlen(text), &options, &model) != QDOT_OK ||
      qdot_positions_open(model, NULL, &walk.positions) != QDOT_OK)
    return 1;
  double ours = measure_work(one_turn, &walk) / STEPS, peer[2];
  char command[100];
  snprintf(command, sizeof command, "python3 bench/peers/numpy_positions.py %d", PEER_STEPS);
  bool has_peer = measure_peer(command, peer, 2) == 2;
  static const char *const names[] = {"positions of a four-bar", "each", "a second", "ratio"};
  static const int widths[] = {24, 12, 12, 8};
  Sheet sheet = sheet_begin("positions", names, widths, 4);
  sheet_text(&sheet, "Qdot, one core");
  sheet_seconds(&sheet, ours);
  sheet_number(&sheet, "%.3g", 1 / ours);
  sheet_text(&sheet, "");
  if (has_peer) {
    sheet_text(&sheet, "NumPy");
    sheet_seconds(&sheet, peer[0]);
    sheet_number(&sheet, "%.3g", 1 / peer[0]);
    sheet_number(&sheet, "%.0f", peer[0] / ours);
  }
  measure_summary("one position of a driven four-bar", ours, has_peer ? "NumPy" : NULL,
                  has_peer ? peer[0] : 0, "at most 0.33 us", ours <= 1 / 3e6);
  qdot_positions_close(walk.positions);
  qdot_context_close(cx);
  return 0;
}
