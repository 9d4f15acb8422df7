// Questions to a model: sensitivities, a fit, a search, tolerances; CPU time against SciPy with
// finite differences.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"
#include "qdot/qdot.h"
#include "sim/run_source.h"
#include "text_model.h"

enum { PARAMETERS = 10, ROWS = 1000 };

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- Sensitivities of a chain

typedef struct Chain {
  Rerun rerun;
  double plain, sloped; // seconds a run
} Chain;

static void run_once(void *argument) {
  Chain *chain = argument;
  double measures[8];
  rerun_measures(&chain->rerun, NULL, NULL, 0, measures);
}

static Status run_chain(TextModel *model, void *argument) {
  Chain *chain = argument;
  SimOptions options;
  Status status = sim_options(model->cx, model->system.model, &options);
  uint32_t places[PARAMETERS], count = 0;
  const Model *m = model->system.model;
  for (uint32_t i = 0; i < m->parameters.n && count < PARAMETERS; i++) {
    char letter = symbol_text(model->cx, m->parameters.at[i].name)[0];
    if (letter == 'm' || letter == 'L') places[count++] = i;
  }
  if (status == QDOT_OK) status = rerun_open(&chain->rerun, &model->system, &options);
  if (status != QDOT_OK) return status;
  chain->plain = measure_work(run_once, chain);
  rerun_close(&chain->rerun);
  Directions directions = {count, places};
  options.directions = &directions;
  status = rerun_open(&chain->rerun, &model->system, &options);
  if (status != QDOT_OK) return status;
  chain->sloped = measure_work(run_once, chain);
  rerun_close(&chain->rerun);
  return QDOT_OK;
}

// ---- Questions through the library

static const char swing[] =
    "param m = 2 [kg], L = 0.5 [m], d = 0.2 [1/s], g = 9.81 [m/s^2]\ncoord theta = 0.5\n"
    "kinetic = m*L^2*theta'^2/2\npotential = -m*g*L*cos(theta)\n"
    "dissipation = m*L^2*d*theta'^2/2\n"
    "fit L, d in 0..2 [1/s], theta(0) to \"qdot_bench_swing.csv\": theta = angle\n"
    "simulate to 1 [s] every 0.1 [s]\n";

static const char press[] =
    "param r = 40 [mm], l = 200 [mm], n = 120 [rpm], m = 4 [kg], F = 800 [N]\n"
    "body crank: mass 1 [kg], rod r, angle = 30 [deg]\n"
    "body rod: mass 1 [kg], rod l, angle ~ -10 [deg]\nbody ram: mass m, point\n"
    "joint A: revolute ground (0, 0), crank (-r/2, 0)\n"
    "joint B: revolute crank (r/2, 0), rod (-l/2, 0)\n"
    "joint C: revolute rod (l/2, 0), ram (0, 0)\n"
    "joint D: prismatic ground (0, 0), ram (0, 0), axis 0\nmotor A: speed n\n"
    "force ram (0, 0) = (-F, 0)\n"
    "measure stroke = max(ram.x) - min(ram.x), peak = max(abs(A.T)), side = max(abs(D.F_y))\n"
    "find r in 20..60 [mm], l in 100..300 [mm]: minimize peak, stroke = 90 [mm], side <= 150 [N]\n"
    "simulate to 0.5 [s] every 2 [ms]\n";

static const char four_bar[] =
    "param a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.35 [m]\n"
    "body crank: mass 1 [kg], rod a, angle = 0\nbody coupler: mass 2 [kg], rod b, angle 40 [deg]\n"
    "body rocker: mass 2 [kg], rod c, angle 80 [deg]\n"
    "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
    "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
    "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
    "joint D: revolute ground (d, 0), rocker (-c/2, 0)\nmotor A: speed 10 [rad/s]\n"
    "measure swing = max(rocker.theta) - min(rocker.theta), peak = max(abs(A.T))\n"
    "tolerance a = 0.1 [mm], b = 0.2 [mm], c = normal 0.1 [mm], runs 10000, seed 1: swing, peak\n"
    "simulate to 1 [s] every 10 [ms]\n";

// The angle of a pendulum, as the peer makes it.
static bool make_swing(const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  fputs("time [s],angle [rad]\n", file);
  double y[2] = {0.7, 0}, h = 0.003;
  for (int i = 0; i < ROWS; i++) {
    fprintf(file, "%.3f,%.12g\n", i * h, y[0] + 0.01 * sin(12.9898 * i) * cos(78.233 * i));
    double k[5][2] = {{0}};
    const double at[5] = {0, 0, 0.5, 0.5, 1};
    for (int s = 1; s < 5; s++) {
      double a = y[0] + at[s] * h * k[s - 1][0], w = y[1] + at[s] * h * k[s - 1][1];
      k[s][0] = w;
      k[s][1] = -9.81 / 0.42 * sin(a) - 0.35 * w;
    }
    for (int c = 0; c < 2; c++) y[c] += h / 6 * (k[1][c] + 2 * k[2][c] + 2 * k[3][c] + k[4][c]);
  }
  return fclose(file) == 0;
}

typedef struct Asked {
  qdot_model *model;
  const char *question;
} Asked;

static void ask_once(void *argument) {
  Asked *asked = argument;
  qdot_answer *answer;
  if (qdot_model_ask(asked->model, asked->question, NULL, &answer) != QDOT_OK)
    fprintf(stderr, "%s failed\n", asked->question);
}

// The least CPU time of an answer, the model read before.
static double measure_answer(const char *path, const char *text, const char *question) {
  qdot_context *cx = qdot_context_open(NULL);
  Asked asked = {.question = question};
  double seconds = NAN;
  if (qdot_model_parse(cx, path, text, strlen(text), NULL, &asked.model) == QDOT_OK)
    seconds = measure_work(ask_once, &asked);
  qdot_context_close(cx);
  return seconds;
}

// CPU time of all threads, on two cores.
static double measure_tolerance(void) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_tolerance *tolerance;
  double least = INFINITY;
  qdot_tolerance_options options = qdot_tolerance_defaults();
  options.threads = 2;
  if (qdot_model_parse(cx, "four_bar.qdot", four_bar, strlen(four_bar), NULL, &model) != QDOT_OK)
    return NAN;
  for (int i = 0; i < 3; i++) {
    double began = cpu_seconds();
    if (qdot_model_tolerance(model, &options, &tolerance) != QDOT_OK) return NAN;
    least = fmin(least, cpu_seconds() - began);
  }
  qdot_context_close(cx);
  return least / 2;
}

static double peer(const char *what) {
  char command[100];
  double seconds;
  snprintf(command, sizeof command, "python3 bench/peers/scipy_ask.py %s", what);
  return measure_peer(command, &seconds, 1) == 1 ? seconds : 0;
}

static void add_row(Sheet *sheet, const char *job, double ours, double theirs, const char *promise,
                    bool met) {
  sheet_text(sheet, job);
  sheet_seconds(sheet, ours);
  if (theirs > 0) {
    sheet_seconds(sheet, theirs);
    sheet_number(sheet, "%.0f", theirs / ours);
  } else {
    sheet_text(sheet, "");
    sheet_text(sheet, "");
  }
  sheet_text(sheet, promise);
  sheet_met(sheet, met);
  measure_summary(job, ours, theirs > 0 ? "SciPy, differences" : NULL, theirs, promise, met);
}

int main(void) {
  Chain chain = {0};
  TextModel model;
  if (!text_model_open(&model, "bench/models/asked_chain.qdot", 0, run_chain, &chain)) return 1;
  text_model_close(&model);
  const char *data = "/tmp/qdot_bench_swing.csv";
  if (!make_swing(data)) return 1;
  double fit = measure_answer("/tmp/swing.qdot", swing, "fit");
  double find = measure_answer("press.qdot", press, "find"), tolerance = measure_tolerance();
  static const char *const names[] = {"question", "Qdot", "SciPy", "ratio", "promised", "met"};
  static const int widths[] = {52, 10, 10, 8, 20, 5};
  Sheet sheet = sheet_begin("ask", names, widths, 6);
  char job[100];
  snprintf(job, sizeof job, "10 sensitivities of 5 links (%.1f runs)", chain.sloped / chain.plain);
  measure_row("Qdot", "sensitivities/5", chain.sloped, NAN, "exact equations of the slopes, 1e-8");
  double differences = peer("chain");
  if (differences > 0)
    measure_row("SciPy", "sensitivities/5", differences, NAN, "DOP853, by differences");
  add_row(&sheet, job, chain.sloped, differences, "at most 12 runs",
          chain.sloped <= 12 * chain.plain);
  add_row(&sheet, "a fit of 3 parameters to 1,000 rows", fit, peer("fit /tmp/qdot_bench_swing.csv"),
          "at most 20 ms", fit <= 0.02);
  add_row(&sheet, "two lengths of a slider-crank for the least motor", find, peer("find"),
          "under 100 ms", find < 0.1);
  add_row(&sheet, "10,000 tolerance runs of a four-bar, two cores", tolerance, 0, "under 0.8 s",
          tolerance < 0.8);
  remove(data);
  return 0;
}
