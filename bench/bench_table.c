// Ten seconds of a half car over a road given by points, at 1e-8: growth with the number of points,
// against a program by hand that ends its steps on the same points, and SciPy.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hand.h"
#include "measure.h"
#include "timed_run.h"

enum { MOST = 50000, MIDDLE = 5000 };
static const int sizes[] = {50, 500, MIDDLE, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const double speed = 25, behind = 2.6, end = 10, length = 250;

static double place(int n, int i) { return length * i / (n - 1); }
static double height(double x) { return 0.02 * sin(0.5 * x) + 0.005 * sin(3 * x); }

// ---- Ours

static void write_points(FILE *file, int n) {
  for (int i = 0; i < n; i++)
    fprintf(file, ", (%.17g [m], %.17g [m])", place(n, i), height(place(n, i)));
}

static void write_model(const char *path, int n) {
  FILE *file = fopen(path, "w");
  fprintf(file, "param m = 600 [kg], J = 900 [kg*m^2], m_1 = 40 [kg], m_2 = 40 [kg]\n"
                "param a = 1.2 [m], b = 1.4 [m], v = 25 [m/s], k_1 = 20000 [N/m]\n"
                "param k_2 = 22000 [N/m], c_1 = 1500 [N*s/m], c_2 = 1600 [N*s/m]\n"
                "param k_t = 200000 [N/m], c_t = 100 [N*s/m]\n"
                "coord z = 0 [m], phi = 0, z_1 = 0 [m], z_2 = 0 [m]\nlet w_1 = table(v*t");
  write_points(file, n);
  fprintf(file, ")\nlet w_2 = table(v*t - a - b");
  write_points(file, n);
  fprintf(file, ")\nkinetic = 1/2*m*z'^2 + 1/2*J*phi'^2 + 1/2*m_1*z_1'^2 + 1/2*m_2*z_2'^2\n"
                "potential = 1/2*k_1*(z + a*phi - z_1)^2 + 1/2*k_2*(z - b*phi - z_2)^2 + "
                "1/2*k_t*(z_1 - w_1)^2 + 1/2*k_t*(z_2 - w_2)^2\n"
                "dissipation = 1/2*c_1*(z' + a*phi' - z_1')^2 + 1/2*c_2*(z' - b*phi' - z_2')^2 + "
                "1/2*c_t*(z_1' - w_1')^2 + 1/2*c_t*(z_2' - w_2')^2\n"
                "simulate to 10 [s] every 10 [s]\n");
  fclose(file);
}

// ---- By hand

typedef struct Road {
  int n;
  double x[MOST], w[MOST], slope[MOST]; // slope[i] from x[i] on
  int front, rear;                      // pieces at hand; -1: before the first point
  double z;
} Road;

static void look_up(const Road *r, int piece, double x, double *w, double *rate) {
  bool level = piece < 0 || piece >= r->n - 1;
  int i = piece < 0 ? 0 : piece;
  *w = level ? r->w[i] : r->w[i] + r->slope[i] * (x - r->x[i]);
  *rate = level ? 0 : speed * r->slope[i];
}

static void car(const void *user, double t, const double *y, double *dy) {
  const Road *r = user;
  double w1, w1d, w2, w2d;
  look_up(r, r->front, speed * t, &w1, &w1d);
  look_up(r, r->rear, speed * t - behind, &w2, &w2d);
  const double *v = y + 4;
  double f1 = 20000 * (y[0] + 1.2 * y[1] - y[2]) + 1500 * (v[0] + 1.2 * v[1] - v[2]);
  double f2 = 22000 * (y[0] - 1.4 * y[1] - y[3]) + 1600 * (v[0] - 1.4 * v[1] - v[3]);
  for (int i = 0; i < 4; i++) dy[i] = v[i];
  dy[4] = -(f1 + f2) / 600;
  dy[5] = -(1.2 * f1 - 1.4 * f2) / 900;
  dy[6] = (f1 - 200000 * (y[2] - w1) - 100 * (v[2] - w1d)) / 40;
  dy[7] = (f2 - 200000 * (y[3] - w2) - 100 * (v[3] - w2d)) / 40;
}

static double next_time(const Road *r, int piece, double shift) {
  return piece + 1 < r->n ? (r->x[piece + 1] + shift) / speed : INFINITY;
}

static void run_by_hand(void *argument) {
  Road *r = argument;
  HandProblem problem = {8, car, r};
  double y[8] = {0}, t = 0, h = 1e-3;
  r->front = 0, r->rear = -1;
  while (t < end) {
    double front = next_time(r, r->front, 0), rear = next_time(r, r->rear, behind);
    hand_integrate_to(&problem, y, &t, fmin(end, fmin(front, rear)), &h, 1e-8);
    if (t >= front) r->front++;
    if (t >= rear) r->rear++;
  }
  r->z = y[0];
}

int main(void) {
  static const char *const names[] = {"points", "ours",        "steps", "by hand",
                                      "ratio",  "ours - hand", "SciPy", "SciPy/ours"};
  static const int widths[] = {7, 9, 8, 9, 6, 12, 9, 11};
  static Road road;
  static TimedRun ours;
  Sheet sheet = sheet_begin("Ten seconds of a half car over a road of points at 1e-8. By hand: "
                            "Dormand-Prince 8(5,3) in C that ends its steps on the points",
                            names, widths, 8);
  for (int k = 0; k < SIZES; k++) {
    int n = sizes[k];
    char path[] = "/tmp/qdot-bench-XXXXXX";
    close(mkstemp(path));
    write_model(path, n);
    bool fine = timed_run(path, 1, &ours);
    unlink(path);
    if (!fine) return 1;
    road.n = n;
    for (int i = 0; i < n; i++) road.x[i] = place(n, i), road.w[i] = height(road.x[i]);
    for (int i = 0; i + 1 < n; i++)
      road.slope[i] = (road.w[i + 1] - road.w[i]) / (road.x[i + 1] - road.x[i]);
    double by_hand = measure_work(run_by_hand, &road), scipy[2] = {0, 0};
    char command[200];
    snprintf(command, sizeof command,
             "/usr/bin/python3 bench/peers/scipy_half_car.py %d 2> /dev/null", n);
    if (n <= MIDDLE) measure_peer(command, scipy, 2);
    sheet_number(&sheet, "%.0f", n);
    sheet_seconds(&sheet, ours.seconds);
    sheet_number(&sheet, "%.0f", (double)ours.steps);
    sheet_seconds(&sheet, by_hand);
    sheet_number(&sheet, "%.2f", ours.seconds / by_hand);
    sheet_number(&sheet, "%.0e", fabs(ours.last - road.z));
    sheet_seconds(&sheet, scipy[0]);
    sheet_number(&sheet, "%.0f", scipy[0] / ours.seconds);
    if (n != MIDDLE) continue;
    measure_summary("half car over 5000 points, 10 s at 1e-8", ours.seconds,
                    "the same in C by hand", by_hand, "at most 1.5 times",
                    ours.seconds <= 1.5 * by_hand);
    if (scipy[0] > 0)
      measure_summary("half car over 5000 points, 10 s at 1e-8", ours.seconds, "SciPy DOP853",
                      scipy[0], "at least 50 times", scipy[0] >= 50 * ours.seconds);
  }
  return 0;
}
