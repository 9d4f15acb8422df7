// Any file as the checkpoint of a run: refused, or resumed to some end. Inputs that begin with '='
// are bytes of the file; others change values of a true one, whose sum is then made right again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "room.h"

static const char hammer[] = "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\n"
                             "coord x ~ 0.8 [m], y ~ 0.6 [m], s = 0 [m]\n"
                             "kinetic = 1/2*m*(x'^2 + y'^2 + s'^2)\n"
                             "potential = m*g*y + 1/2*(3 [N/m])*abs(s - 0.1 [m])*(1 [m])\n"
                             "constraint rod: x^2 + y^2 = L^2\n"
                             "contact floor: y >= 0 restitution 1/2\n"
                             "simulate to 1 [s] every 20 [ms]\n";

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

static void simulate(int resume, int most) {
  qdot_context *cx = room_context();
  qdot_model *model;
  Watch watch = {.most = most};
  qdot_run_options options = qdot_run_defaults();
  options.folder = room_folder();
  options.checkpoint = 1, options.resume = resume;
  options.stop = &watch.stop;
  options.row = take_row, options.row_user = &watch;
  options.progress = see_step, options.progress_user = &watch;
  qdot_run *run;
  if (qdot_model_parse(cx, "hammer", hammer, sizeof hammer - 1, NULL, &model) != QDOT_OK) abort();
  qdot_model_simulate(model, &options, &run);
  qdot_context_close(cx);
}

// Each change is a place, what to do there, and a value.
static void change(double *values, size_t count, const uint8_t *data, size_t size) {
  static const double odd[] = {0, -1, 1e9, -1e300, 1e300, 4294967296.0, 9.3e18, 0.5};
  for (; size >= 10; data += 10, size -= 10) {
    size_t place = data[0] % count;
    double value;
    memcpy(&value, data + 2, sizeof value);
    if (data[1] < 8)
      values[place] = odd[data[1]];
    else if (data[1] < 128)
      values[place] += (double)data[1] - 64;
    else
      values[place] = value;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char *kept, *rows;
  static size_t kept_size, rows_size;
  if (!kept) {
    simulate(0, 30);
    kept = room_get("checkpoint", &kept_size);
    rows = room_get("results.csv.part", &rows_size);
    if (!kept || !rows || kept_size <= HEADER) abort();
  }
  room_put("results.csv.part", rows, rows_size);
  if (size && data[0] == '=') {
    room_put("checkpoint", data + 1, size - 1);
  } else {
    char *file = malloc(kept_size);
    memcpy(file, kept, kept_size);
    double *values = (double *)(file + HEADER);
    change(values, (kept_size - HEADER) / sizeof *values, data, size);
    uint64_t key, sum;
    memcpy(&key, file + 8, sizeof key);
    sum = hash_bytes(values, kept_size - HEADER) ^ key;
    memcpy(file + 24, &sum, sizeof sum);
    room_put("checkpoint", file, kept_size);
    free(file);
  }
  simulate(1, MOST_ROWS);
  return 0;
}
