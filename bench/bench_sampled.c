// A loop that is sampled a thousand times a second for ten seconds, against a program by hand with
// the same steps; and the orbit of a walking machine, the whole command.
#include <math.h>
#include <stdio.h>

#include "hand.h"
#include "measure.h"
#include "timed_run.h"

enum { SAMPLES = 10000 };

// ---- By hand

typedef struct Hand {
  double u, theta;
  long evaluations;
} Hand;

// Cart and pendulum with a mass at its end: M 0.5 kg, m 0.2 kg, L 0.3 m, g 9.81 m/s^2.
static void cart(const void *user, double t, const double *y, double *dy) {
  (void)t;
  const double M = 0.5, m = 0.2, L = 0.3, g = 9.81, u = ((const Hand *)user)->u;
  double s = sin(y[1]), c = cos(y[1]), spin = y[3];
  double a = (u + m * s * (L * spin * spin - g * c)) / (M + m * s * s);
  dy[0] = y[2], dy[1] = spin, dy[2] = a;
  dy[3] = (g * s - a * c) / L;
}

static void run_by_hand(void *argument) {
  Hand *hand = argument;
  HandProblem problem = {4, cart, hand};
  double y[4] = {0, acos(-1) / 36, 0, 0}, t = 0, h = 1e-3;
  hand->evaluations = 0;
  for (int k = 0; k < SAMPLES; k++) {
    hand->u = 3 * y[0] + 4 * y[2] + 28 * y[1] + 5 * y[3];
    hand->evaluations += hand_integrate_to(&problem, y, &t, (k + 1) * 1e-3, &h, 1e-8);
  }
  hand->theta = y[1];
}

static void measure_orbit(const char *build) {
  char command[1024];
  snprintf(command, sizeof command, "%s/qdot", build);
  const char *const words[] = {command, "orbit", "bench/models/walker.qdot", NULL};
  CommandTime time;
  if (!measure_command(words, 20, &time)) return;
  measure_summary("orbit of the compass walker, whole command", time.cpu, NULL, 0, "under 50 ms",
                  time.cpu < 0.05);
  printf("\norbit of the compass walker: %.1f ms of CPU time\n", 1e3 * time.cpu);
}

int main(int count, char **words) {
  static const char *const names[] = {"ours",        "steps", "evaluations", "by hand",
                                      "evaluations", "ratio", "difference",  "met"};
  static const int widths[] = {9, 7, 12, 9, 12, 6, 11, 4};
  static TimedRun ours;
  static Hand hand;
  if (!timed_run("bench/models/upright.qdot", 2, &ours)) return 1;
  double by_hand = measure_work(run_by_hand, &hand);
  Sheet sheet = sheet_begin("Ten seconds of an inverted pendulum, sampled every millisecond, at "
                            "1e-8. By hand: Dormand-Prince 8(5,3) in C with the same steps",
                            names, widths, 8);
  sheet_seconds(&sheet, ours.seconds);
  sheet_number(&sheet, "%.0f", (double)ours.steps);
  sheet_number(&sheet, "%.0f", (double)ours.evaluations);
  sheet_seconds(&sheet, by_hand);
  sheet_number(&sheet, "%.0f", (double)hand.evaluations);
  sheet_number(&sheet, "%.2f", ours.seconds / by_hand);
  sheet_number(&sheet, "%.0e", fabs(ours.last - hand.theta));
  sheet_met(&sheet, ours.seconds <= 1.5 * by_hand);
  measure_summary("1 kHz sampled loop, 10 s at 1e-8", ours.seconds, "the same in C by hand",
                  by_hand, "at most 1.5 times", ours.seconds <= 1.5 * by_hand);
  measure_orbit(count > 1 ? words[1] : "build");
  return 0;
}
