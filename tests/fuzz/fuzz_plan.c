// Any bytes as a plan: refused, or run for a while. Inputs that begin with '=' are the bytes behind
// the head of the file; others choose a model by their first byte and change bytes and numbers of
// its true plan. The head with its sum is put right in any case.
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "room.h"

// Plans that differ: contacts with friction, switches, tables, samples, bodies, kinds of methods.
static const char *const models[] = {
    "param m = 1 [kg], g = 9.81 [m/s^2], mu = 0.3\n"
    "coord x = 0 [m], y = 0.1 [m], y' = 0 [m/s]\ncoord x' = 3 [m/s]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
    "force x = -m*g*sign(x' - 1 [m/s])/10\n"
    "contact floor: y >= 0 restitution 0.6, friction mu, along x\ncontact wall: x <= 0.5 [m] "
    "restitution 1\n"
    "output F = lambda_floor\nmeasure peak = max(y)\n"
    "simulate to 1 [s] every 20 [ms]\n",

    "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\n"
    "coord x ~ 0.8 [m], y ~ 0.6 [m]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\nconstraint rod: x^2 + y^2 = L^2\n"
    "simulate to 1 [s] every 20 [ms] using dae\n",

    "gravity (0, -9.81 [m/s^2])\nparam L = 1 [m]\n"
    "body a: mass 1 [kg], rod L, at (0.5 [m], 0), angle 0\n"
    "body b: mass 1 [kg], rod L, at (1.5 [m], 0), angle 0\n"
    "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
    "joint B: revolute a (0.5 [m], 0), b (-0.5 [m], 0)\n"
    "derive using maximal\n"
    "simulate to 1 [s] every 20 [ms] using alpha(rho = 0.8, step = 5 [ms])\n",

    "param m = 1 [kg], k = 1000 [N/m], c = 30 [N*s/m], T = 50 [ms]\ncoord x = 1 [m]\n"
    "state z = 0 [m]\nrate z = (x - z)/(1 [s])\nmemory e = 0 [m]\ninput u = 0 [N]\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\n"
    "force x = u - table(x, (-1 [m], 0 [N]), (0 [m], 1 [N]), (1 [m], 3 [N]))\n"
    "sample every T: u = -k*x/10, e = x\nwhen x = 0 rising: e = 0 [m]\nstop when t > 0.9 [s]\n"
    "simulate to 1 [s] every 20 [ms] using bdf\n",
};
#define MODELS (sizeof models / sizeof *models)

enum { HEAD = 32, MOST_BYTES = 1 << 19, MOST_ROWS = 100, MOST_STEPS = 2000 };

// ---- What is run

typedef struct Watch {
  volatile int stop;
  int rows;
} Watch;

static int take_row(void *user, const double *values, size_t n) {
  Watch *watch = user;
  (void)values, (void)n;
  if (++watch->rows >= MOST_ROWS) watch->stop = 1;
  return 0;
}

static void see_step(void *user, double t, double t_end, int64_t steps) {
  Watch *watch = user;
  (void)t, (void)t_end;
  if (steps > MOST_STEPS) watch->stop = 1;
}

static void run_once(qdot_plan *plan) {
  Watch watch = {0};
  qdot_result *result;
  qdot_run_options options = qdot_run_defaults();
  options.memory = 1 << 20;
  options.stop = &watch.stop;
  options.row = take_row, options.row_user = &watch;
  options.progress = see_step, options.progress_user = &watch;
  if (qdot_plan_run(plan, &options, &result) != QDOT_OK) return;
  qdot_write_options json = qdot_write_defaults();
  qdot_result_write(result, &json, room_sink());
  json.format = QDOT_FORMAT_JSON;
  qdot_result_write(result, &json, room_sink());
  for (size_t i = 0; i < qdot_result_event_count(result); i++) qdot_result_event_at(result, i);
  qdot_result_close(result);
}

// As it is, and with another value of its first parameter.
static void run_plan_of(const char *bytes, size_t n, bool compiled) {
  setenv("QDOT_BACKEND", compiled ? "jit" : "interp", 1);
  qdot_context *cx = room_context();
  qdot_plan *plan;
  if (qdot_plan_read(cx, "fuzzed.plan", bytes, n, NULL, &plan) == QDOT_OK) {
    run_once(plan);
    const qdot_plan_value *first = qdot_plan_value_at(plan, 0);
    if (first && qdot_plan_set(plan, first->name, 0.7) == QDOT_OK) run_once(plan);
  }
  qdot_diagnostics_write(cx, NULL, room_sink());
  qdot_context_close(cx);
}

// ---- Its bytes

// As who forges a plan would: length and sum (FNV-1a, 64 bits) are right.
static void put_sum(char *bytes, size_t n) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325), length = n - HEAD;
  for (size_t i = HEAD; i < n; i++) sum = (sum ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  memcpy(bytes + 16, &length, 8);
  memcpy(bytes + 24, &sum, 8);
}

typedef struct True {
  char *bytes;
  size_t n;
} True;

// Made once.
static const True *true_plan(size_t model) {
  static True all[MODELS];
  True *kept = &all[model];
  if (kept->bytes) return kept;
  qdot_context *cx = room_context();
  qdot_model *read;
  qdot_plan *plan;
  const char *text = models[model];
  if (qdot_model_parse(cx, "model", text, strlen(text), NULL, &read) != QDOT_OK) abort();
  if (qdot_model_plan(read, NULL, &plan) != QDOT_OK) abort();
  const void *bytes = qdot_plan_bytes(plan, &kept->n);
  if (kept->n > MOST_BYTES) abort();
  kept->bytes = malloc(kept->n);
  memcpy(kept->bytes, bytes, kept->n);
  qdot_context_close(cx);
  return kept;
}

// Each change is a place in three bytes, what to do there, and a value of two.
enum { CHANGE = 6 };

static size_t change(char *bytes, size_t n, const uint8_t *data, size_t size) {
  static const double odd[] = {0,      1,   -1,  (double)NAN, (double)INFINITY, 1e300,
                               1e-300, 0.5, 4e9, 1e9,         -1e300,           2};
  static const uint32_t whole[] = {0, 1, 2, 3, 0xffffffff, 0x7fffffff, 1 << 16, 1 << 28};
  for (; size >= CHANGE && n > HEAD + 8; data += CHANGE, size -= CHANGE) {
    size_t place = HEAD + (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % (n - HEAD - 8);
    const void *number = &odd[data[4] % (sizeof odd / sizeof *odd)];
    switch (data[3] % 8) {
    case 0: bytes[place] = (char)data[4]; break;
    case 1: memcpy(bytes + place, number, 8); break;
    case 2: memcpy(bytes + place, &whole[data[4] % (sizeof whole / sizeof *whole)], 4); break;
    case 3: bytes[place] = (char)(bytes[place] + (char)data[4]); break;
    case 4:
      memcpy(bytes + place, bytes + HEAD + (data[4] | data[5] << 8) % (n - HEAD - 8), 8);
      break;
    case 5:
      memcpy(bytes + place, bytes + HEAD + (data[4] | data[5] << 8) % (n - HEAD - 8), 4);
      break;
    case 6: // cut out
      memmove(bytes + place, bytes + place + data[4] % 8, n - place - data[4] % 8);
      n -= data[4] % 8;
      break;
    default: // put in
      if (n + 8 > MOST_BYTES) break;
      memmove(bytes + place + data[4] % 8, bytes + place, n - place);
      n += data[4] % 8;
    }
  }
  return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char bytes[MOST_BYTES];
  bool is_raw = size > 0 && data[0] == '=';
  const True *kept = true_plan(size && !is_raw ? data[0] % MODELS : 0);
  memcpy(bytes, kept->bytes, kept->n);
  size_t n = kept->n;
  if (is_raw) {
    n = HEAD + (size - 1 < MOST_BYTES - HEAD ? size - 1 : MOST_BYTES - HEAD);
    memcpy(bytes + HEAD, data + 1, n - HEAD);
  } else {
    n = change(bytes, n, data + (size > 0), size - (size > 0));
  }
  put_sum(bytes, n);
  run_plan_of(bytes, n, size > 0 && data[0] & 0x80);
  return 0;
}
