// What a comparison says when something went otherwise: refuted, slow, stopped.
#include "print/compare_text.h"

#include <string.h>

#include "lang/read.h"
#include "support/check.h"

static const char pendulum[] = "param g = 9.81 [m/s^2], L = 1 [m]\ngravity (0, -g)\n"
                               "body a: rod L, mass 1 [kg], angle 60 [deg]\n"
                               "joint A: revolute ground (0, 0), a (-L/2, 0)\n"
                               "simulate to 0.1 [s] every 10 [ms]\n";

static Comparison compared(Context *cx) {
  Model *model;
  assert_int_equal(model_read(cx, "test", pendulum, strlen(pendulum), NULL, &model), QDOT_OK);
  Comparison c;
  CompareOptions options = {.overrides = sim_overrides()};
  Mark mark = arena_mark(&cx->scratch);
  assert_int_equal(compare_formulations(cx, model, &options, &c), QDOT_OK);
  arena_release(&cx->scratch, mark);
  return c;
}

static const char *text_of(const Comparison *c) {
  TextStyle style = {.width = 200};
  Text out = text_new(&c->cx->keep);
  Mark mark = arena_mark(&c->cx->scratch);
  compare_text(c, &style, &out);
  arena_release(&c->cx->scratch, mark);
  return out.at;
}

static const char *json_of(const Comparison *c) {
  Text out = text_new(&c->cx->keep);
  Mark mark = arena_mark(&c->cx->scratch);
  compare_json(c, &out);
  arena_release(&c->cx->scratch, mark);
  return out.at;
}

static void check_says(const char *text, const char *words) {
  if (!strstr(text, words)) fail_msg("'%s' is not in\n%s", words, text);
}

TEST(a_refuted_formulation_is_loud) {
  Comparison c = compared(cx);
  FormulationRun *run = &c.runs[FORMULATION_MAXIMAL];
  run->agreement.equality = EQUAL_NO;
  run->agreement.where = "a.theta";
  run->agreement.evidence = (Evidence){.kind = EVIDENCE_POINT, .points = 1};
  check_says(text_of(&c), "NOT EQUAL in a.theta; the values differ at a point");
  check_says(json_of(&c), "\"result\": \"different\"");
  check_says(json_of(&c), "\"error_probability\": null");
  run->agreement.where = NULL;
  check_says(text_of(&c), "NOT EQUAL in a state; ");
  // both sides are numbers, and not the same one
  run->agreement.evidence = (Evidence){.kind = EVIDENCE_SAME};
  check_says(text_of(&c), "written out, they are the same or differ by a number");
}

TEST(a_slow_run_is_told_in_seconds) {
  Comparison c = compared(cx);
  FormulationRun *run = &c.runs[FORMULATION_NATURAL];
  run->derive_seconds = 12.34;
  run->summary.stopped = STOPPED_USER;
  run->summary.t_end = 0.05, run->summary.wall_seconds = 10.5;
  check_says(text_of(&c), "    12.3 s ");
  check_says(text_of(&c), "natural stopped at 0.05 s, after 10.5 s of work");
  check_says(json_of(&c), "\"stopped\": \"user\"");
}

// Differences from 1e-9 at 1 s to 1e-2 at 8 s: tenfold every second.
TEST(growth_is_told_by_its_decades) {
  Comparison c = compared(cx);
  FormulationRun *run = &c.runs[FORMULATION_NATURAL];
  double t[10], distance[10];
  for (int i = 0; i < 10; i++) {
    t[i] = i;
    distance[i] = i < 1 ? 1e-12 : 1.001e-9;
    for (int k = 1; k < i; k++) distance[i] *= 10;
  }
  c.t = t, run->distance = distance, c.row_count = run->distance_count = 10;
  run->deviation.angle = distance[9];
  check_says(text_of(&c), "a difference grows tenfold every 1 s");
  // a jump is no growth
  for (int i = 0; i < 9; i++) distance[i] = 1e-12;
  assert_null(strstr(text_of(&c), "tenfold"));
}

RUN_TESTS(cmocka_unit_test(a_refuted_formulation_is_loud),
          cmocka_unit_test(a_slow_run_is_told_in_seconds),
          cmocka_unit_test(growth_is_told_by_its_decades))
