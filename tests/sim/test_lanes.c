// Runs in lanes against the same runs one after the other: rows, measures and reasons, bit for bit.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/run/lanes.h"
#include "support/examples.h"
#include "support/motion.h"

// Not a multiple of the lanes: some are refilled more often than others.
enum { CASES = 11, MOST_MEASURES = 32 };

typedef struct Outcome {
  Status status;
  char why[200];
  uint64_t rows; // of all their bits
  double measures[MOST_MEASURES];
} Outcome;

typedef struct Cases {
  uint32_t place;
  double values[CASES];
  uint32_t measures, next;
  Outcome out[CASES];
} Cases;

static Status take_row(void *user, const double *values, uint32_t n) {
  uint64_t *sum = user;
  for (uint32_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    if (isnan(values[i])) bits = 1; // whatever its sign
    *sum = (*sum ^ bits) * 0x100000001B3u + 1;
  }
  return QDOT_OK;
}

static void make_case(Cases *c, Rerun *rerun, uint32_t i) {
  Outcome *o = &c->out[i];
  *o = (Outcome){0};
  o->status = rerun_measures(rerun, &c->place, &c->values[i], 1, o->measures);
  if (o->status != QDOT_OK) memcpy(o->why, rerun->why, sizeof o->why);
  RowSink sink = {.user = &o->rows, .row = take_row};
  Diagnostics before = rerun->simulation.run.cx->diagnostics;
  rerun_rows(rerun, &c->place, &c->values[i], 1, &sink);
  rerun->simulation.run.cx->diagnostics = before;
}

static void make_cases(void *user, Rerun *rerun) {
  Cases *c = user;
  while (c->next < CASES) make_case(c, rerun, c->next++);
}

static void compare(const Cases *alone, const Cases *together, uint32_t width, const char *name) {
  for (int i = 0; i < CASES; i++) {
    const Outcome *a = &alone->out[i], *b = &together->out[i];
    bool same = a->status == b->status && a->rows == b->rows && strcmp(a->why, b->why) == 0;
    for (uint32_t k = 0; k < alone->measures; k++)
      same &= (isnan(a->measures[k]) && isnan(b->measures[k])) ||
              memcmp(&a->measures[k], &b->measures[k], sizeof(double)) == 0;
    if (same) continue;
    print_error("%s, %u lanes, case %d: %d %s, alone %d %s\n", name, width, i, (int)b->status,
                b->why, (int)a->status, a->why);
    fail();
  }
}

static void check_model(Context *cx, Random *random, Motion *m, const char *name) {
  Rerun rerun;
  m->options.t_end = fmin(m->options.t_end, 0.3);
  m->options.every = fmin(m->options.every, m->options.t_end);
  if (rerun_open(&rerun, cx, &m->system, &m->options) != QDOT_OK) return;
  Cases *alone = arena_new(&cx->keep, Cases), *together = arena_new(&cx->keep, Cases);
  alone->measures = m->system.model->requests.measurements.n;
  assert_true(alone->measures <= MOST_MEASURES && rerun.simulation.settings.parameters > 0);
  alone->place = (uint32_t)random_below(random, (int)rerun.simulation.settings.parameters);
  for (int i = 0; i < CASES; i++)
    alone->values[i] = rerun.given[alone->place] * random_real(random, 0.9, 1.1);
  *together = *alone;
  rerun.simulation.run.machine.node_lanes = 1; // nor nodes of a step together
  make_cases(alone, &rerun);
  for (uint32_t width = 4; width <= packed_most_lanes(); width *= 2) {
    Lanes *lanes = lanes_open(&rerun, width);
    if (!lanes) continue;
    assert_int_equal(lanes->width, width);
    together->next = 0;
    lanes_run(lanes, make_cases, together);
    compare(alone, together, width, name);
    lanes_close(lanes);
  }
  *together = *alone;
  together->next = CASES - 2; // and alone again
  make_cases(together, &rerun);
  compare(alone, together, 1, name);
  rerun_close(&rerun);
}

static Random shared_random;

static void check_example(Context *cx, const char *path) {
  Motion m = motion_load_file(cx, path, NULL);
  check_model(cx, &shared_random, &m, path);
}

static void every_example(void **state) {
  (void)state;
  shared_random = random_start("every_example");
  with_every_example(check_example);
}

RUN_TESTS(cmocka_unit_test(every_example))
