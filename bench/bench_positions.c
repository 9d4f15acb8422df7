// Positions of a four-bar over its drive, through the library: CPU time against NumPy.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

// Seconds for a position, in lanes or, with one, one after the other; below 0: it cannot be done.
static double seconds_each(const char *lanes) {
  if (lanes) setenv("QDOT_LANES", lanes, 1);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model_options options = qdot_model_defaults();
  options.kinematics = 1;
  qdot_model *model;
  static Walk walk;
  double each = -1;
  if (qdot_model_parse(cx, "four_bar.qdot", text, strlen(text), &options, &model) == QDOT_OK &&
      qdot_positions_open(model, NULL, &walk.positions) == QDOT_OK) {
    each = measure_work(one_turn, &walk) / STEPS;
    qdot_positions_close(walk.positions);
  }
  qdot_context_close(cx);
  return each;
}

static void add_row(Sheet *sheet, const char *name, double each, double ratio) {
  sheet_text(sheet, name);
  sheet_seconds(sheet, each);
  sheet_number(sheet, "%.3g", 1 / each);
  if (ratio > 0)
    sheet_number(sheet, "%.0f", ratio);
  else
    sheet_text(sheet, "");
}

int main(void) {
  double ours = seconds_each(NULL), scalar = seconds_each("1"), peer[2];
  if (ours < 0 || scalar < 0) return 1;
  char command[100];
  snprintf(command, sizeof command, "python3 bench/peers/numpy_positions.py %d", PEER_STEPS);
  bool has_peer = measure_peer(command, peer, 2) == 2;
  static const char *const names[] = {"positions of a four-bar", "each", "a second", "ratio"};
  static const int widths[] = {24, 12, 12, 8};
  Sheet sheet = sheet_begin("positions", names, widths, 4);
  add_row(&sheet, "Qdot, one core", ours, 0);
  add_row(&sheet, "Qdot, without lanes", scalar, 0);
  if (has_peer) add_row(&sheet, "NumPy", peer[0], peer[0] / ours);
  measure_summary("one position of a driven four-bar", ours, has_peer ? "NumPy" : NULL,
                  has_peer ? peer[0] : 0, "at most 0.1 us, 0.33 us without lanes",
                  ours <= 1 / 1e7 && scalar <= 1 / 3e6);
  return 0;
}
