// Any file as the checkpoint of a run: refused, or resumed to some end. Inputs that begin with '='
// are bytes of the file; others choose a run by their first byte and change values of its true
// checkpoint, whose count and sum are then made right again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "room.h"

// Runs whose checkpoints differ: constraints, contacts, switches, kinds of methods.
static const char *const models[] = {
    "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\n"
    "coord x ~ 0.8 [m], y ~ 0.6 [m], s = 0 [m]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2 + s'^2)\n"
    "potential = m*g*y + 1/2*(3 [N/m])*abs(s - 0.1 [m])*(1 [m])\n"
    "constraint rod: x^2 + y^2 = L^2\n"
    "contact floor: y >= 0 restitution 1/2\n"
    "simulate to 1 [s] every 20 [ms]\n",

    "param m = 1 [kg], g = 9.81 [m/s^2]\n"
    "coord x = 0 [m], y = 0.1 [m], y' = 0 [m/s]\ncoord x' = 3 [m/s]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
    "force x = -m*g*sign(x' - 1 [m/s])/10\n"
    "contact floor: y >= 0 restitution 0.6\ncontact wall: x <= 0.5 [m] restitution 1\n"
    "output F = lambda_floor\n"
    "simulate to 1 [s] every 20 [ms] using rk45\n",

    "gravity (0, -9.81 [m/s^2])\n"
    "body a: mass 1 [kg], rod 1 [m], at (0.5 [m], 0), angle 0\n"
    "body b: mass 1 [kg], rod 1 [m], at (1.5 [m], 0), angle 0\n"
    "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
    "joint B: revolute a (0.5 [m], 0), b (-0.5 [m], 0)\n"
    "derive using maximal\n"
    "simulate to 1 [s] every 20 [ms] using alpha(rho = 0.8, step = 5 [ms])\n",

    "param m = 1 [kg], k = 1000 [N/m], c = 30 [N*s/m]\ncoord x = 1 [m]\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\n"
    "simulate to 1 [s] every 20 [ms] using bdf\n",

    "param m = 1 [kg], k = 50 [N/m]\ncoord x = 1 [m]\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
    "simulate to 1 [s] every 20 [ms] using newmark(beta = 1/4, gamma = 1/2, step = 5 [ms])\n",

    "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\ncoord x ~ 0.8 [m], y ~ 0.6 [m]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\nconstraint rod: x^2 + y^2 = L^2\n"
    "simulate to 1 [s] every 20 [ms] using dae\n",
};
#define MODELS (sizeof models / sizeof *models)

#define HEADER 32     // bytes of magic, key, count and sum
#define MOST_ROWS 200 // a resumed run is stopped behind them

typedef struct Watch {
  volatile int stop;
  int rows, most;
} Watch;

static int take_row(void *user, const double *values, size_t n) {
  Watch *watch = user;
  (void)values, (void)n;
  if (++watch->rows >= watch->most) watch->stop = 1;
  return 0;
}

// A run has a step between two rows at least; one that makes none is ended by its steps.
static void see_step(void *user, double t, double t_end, long steps) {
  Watch *watch = user;
  (void)t, (void)t_end;
  if (steps > 5000) watch->stop = 1;
}

static void simulate(const char *text, int resume, int most) {
  qdot_context *cx = room_context();
  qdot_model *model;
  Watch watch = {.most = most};
  qdot_run_options options = qdot_run_defaults();
  options.folder = room_folder();
  options.checkpoint = 1, options.resume = resume;
  options.stop = &watch.stop;
  options.row = take_row, options.row_user = &watch;
  options.progress = see_step, options.progress_user = &watch;
  qdot_result *run;
  if (qdot_model_parse(cx, "model", text, strlen(text), NULL, &model) != QDOT_OK) abort();
  qdot_model_simulate(model, &options, &run);
  qdot_context_close(cx);
}

// Each change is a place, what to do there, and a value. Returns how many values there are then.
static size_t change(double *values, size_t count, size_t most, const uint8_t *data, size_t size) {
  static const double odd[] = {0, -1, 1e9, -1e300, 1e300, 4294967296.0, 9.3e18, 0.5};
  for (; size >= 10; data += 10, size -= 10) {
    size_t place = count ? data[0] % count : 0;
    double value;
    memcpy(&value, data + 2, sizeof value);
    if (data[1] == 8)
      count = place; // cut there
    else if (data[1] == 9 && count < most)
      values[count++] = value;
    else if (count == 0)
      return 0;
    else if (data[1] < 8)
      values[place] = odd[data[1]];
    else if (data[1] < 128)
      values[place] += (double)data[1] - 64;
    else
      values[place] = value;
  }
  return count;
}

typedef struct Kept {
  char *state, *rows; // bytes of the two files
  size_t state_size, rows_size;
} Kept;

// Stops the run on its way, once, and keeps what it left.
static const Kept *kept_of(size_t model) {
  static Kept all[MODELS];
  Kept *kept = &all[model];
  if (kept->state) return kept;
  simulate(models[model], 0, 30);
  kept->state = room_get("checkpoint", &kept->state_size);
  kept->rows = room_get("results.csv.part", &kept->rows_size);
  if (!kept->state || !kept->rows || kept->state_size <= HEADER) abort();
  return kept;
}

static void put_changed(const Kept *kept, const uint8_t *data, size_t size) {
  size_t count = (kept->state_size - HEADER) / sizeof(double), most = count + 10;
  char *file = malloc(HEADER + most * sizeof(double));
  memcpy(file, kept->state, kept->state_size);
  double *values = (double *)(file + HEADER);
  count = change(values, count, most, data, size);
  uint64_t key, now = count, sum;
  memcpy(&key, file + 8, sizeof key);
  sum = hash_bytes(values, count * sizeof *values) ^ key;
  memcpy(file + 16, &now, sizeof now);
  memcpy(file + 24, &sum, sizeof sum);
  room_put("checkpoint", file, HEADER + count * sizeof *values);
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t model = size ? data[0] % MODELS : 0;
  int is_raw = size && data[0] == '=';
  if (is_raw) model = 0;
  const Kept *kept = kept_of(model);
  room_put("results.csv.part", kept->rows, kept->rows_size);
  if (is_raw)
    room_put("checkpoint", data + 1, size - 1);
  else
    put_changed(kept, data + (size > 0), size - (size > 0));
  simulate(models[model], 1, MOST_ROWS);
  return 0;
}
