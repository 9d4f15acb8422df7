// Every reference problem that has rows or events, within its stated tolerance.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/read.h"
#include "support/motion.h"

enum { MOST_LINES = 400 };

typedef struct Case {
  char model[200], method[20];
  const char *set[12];
  char set_text[12][60];
  int set_count;
  SimOverrides wishes;
  double tolerance;
  struct {
    char words[3][60];
    double value;
  } line[MOST_LINES];
  int lines;
} Case;

static int failures;

static void check_value(const Case *c, const Motion *m, int i) {
  double t = atof(c->line[i].words[1]), expected = c->line[i].value;
  double found = motion_at(m, t, c->line[i].words[2]);
  double error = fabs(found - expected) / fmax(1, fabs(expected));
  if (error <= c->tolerance) return;
  failures++;
  print_error("%s: %s at %g is %.15g, not %.15g (off by %.1e, allowed %.1e)\n", c->model,
              c->line[i].words[2], t, found, expected, error, c->tolerance);
}

static void check_event(const Case *c, const Motion *m, int i, uint32_t number) {
  const SimEvent *e = &m->summary.events.at[number];
  bool good = number < m->summary.events.n &&
              strcmp(sim_event_text(e->kind), c->line[i].words[1]) == 0 &&
              strcmp(sim_event_name(&m->system, e), c->line[i].words[2]) == 0 &&
              fabs(e->t - c->line[i].value) <= c->tolerance;
  if (good) return;
  failures++;
  print_error("%s: event %u is not %s of %s at %.15g\n", c->model, number, c->line[i].words[1],
              c->line[i].words[2], c->line[i].value);
}

static Case *current;

static void run_case(Context *cx) {
  Case *c = current;
  const char *root = getenv("QDOT_ROOT");
  const char *path = text_format(&cx->keep, "%s/%s", root ? root : ".", c->model);
  Motion m = motion_load_file(cx, path, c->set_count ? c->set : NULL);
  c->wishes.method = c->method[0] ? c->method : NULL;
  assert_int_equal(sim_override(cx, &c->wishes, &m.options), QDOT_OK);
  if (!c->method[0] && !m.options.has_step) m.options.method.method = METHOD_RK853;
  m.options.method.atol = 0;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  uint32_t events = 0;
  int before = failures;
  for (int i = 0; i < c->lines; i++)
    if (strcmp(c->line[i].words[0], "at") == 0)
      check_value(c, &m, i);
    else
      check_event(c, &m, i, events++);
  print_message("%-48s %4d values %s; %ld steps, energy %.1e, residual %.1e\n", c->model, c->lines,
                failures == before ? "agree" : "DIFFER", m.summary.steps, m.summary.energy_drift,
                m.summary.position.value);
}

static void finish_case(Case *c) {
  if (!c->model[0]) return;
  current = c;
  with_context(run_case);
}

static void read_line(Case *c, char *text) {
  char word[60], rest[200];
  text[strcspn(text, "\n")] = 0;
  if (text[0] == '#' || sscanf(text, "%59s %199[^\n]", word, rest) < 2) return;
  if (strcmp(word, "model") == 0) {
    finish_case(c);
    *c = (Case){.wishes = sim_overrides()};
    snprintf(c->model, sizeof c->model, "%s", rest);
  } else if (strcmp(word, "set") == 0) {
    snprintf(c->set_text[c->set_count], 60, "%.59s", rest);
    c->set[c->set_count] = c->set_text[c->set_count];
    c->set_count++;
  } else if (strcmp(word, "method") == 0) {
    snprintf(c->method, sizeof c->method, "%.19s", rest);
  } else if (strcmp(word, "at") == 0 || strcmp(word, "event") == 0) {
    assert_true(c->lines < MOST_LINES);
    memcpy(c->line[c->lines].words[0], word, sizeof word);
    sscanf(rest, "%59s %59s %lf", c->line[c->lines].words[1], c->line[c->lines].words[2],
           &c->line[c->lines].value);
    c->lines++;
  } else {
    const struct {
      const char *name;
      double *value;
    } numbers[] = {{"every", &c->wishes.every},
                   {"to", &c->wishes.t_end},
                   {"rtol", &c->wishes.rtol},
                   {"step", &c->wishes.step},
                   {"tolerance", &c->tolerance}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (strcmp(word, numbers[i].name) == 0) *numbers[i].value = atof(rest);
  }
}

static void test_reference(void **state) {
  (void)state;
  const char *root = getenv("QDOT_ROOT");
  char path[600], line[400];
  snprintf(path, sizeof path, "%s/tests/sim/reference.rows", root ? root : ".");
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  Case *c = calloc(1, sizeof *c);
  while (fgets(line, sizeof line, file)) read_line(c, line);
  finish_case(c);
  fclose(file);
  free(c);
  assert_int_equal(failures, 0);
}

RUN_TESTS(cmocka_unit_test(test_reference))
