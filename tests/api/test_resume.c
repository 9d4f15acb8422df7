// Stored results and kept states: what belongs to a model, and what does not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char *const pendulum =
    "param m = 1 [kg]\ngravity (0, -9.81 [m/s^2])\nbody rod: rod 1 [m], mass m, angle 20 [deg]\n"
    "joint A: revolute ground (0, 0), rod (-0.5 [m], 0)\nsimulate to 2 [s] every 10 [ms]\n";

typedef struct Site {
  char folder[40], path[80];
} Site;

static Site site_new(void) {
  Site site = {.folder = "/tmp/qdot-resume-XXXXXX"};
  assert_non_null(mkdtemp(site.folder));
  return site;
}

static const char *file_in(Site *site, const char *name) {
  snprintf(site->path, sizeof site->path, "%s/%s", site->folder, name);
  return site->path;
}

static void site_remove(Site *site) {
  char line[80];
  snprintf(line, sizeof line, "rm -r %s", site->folder);
  assert_int_equal(system(line), 0);
}

static volatile int stop;

static void stop_in_the_middle(void *user, double t, double t_end, long steps) {
  (void)user, (void)steps;
  if (t > t_end / 2) stop = 1;
}

typedef struct Wish {
  const char *setting, *formulation; // or NULL
  bool resume, is_stopped;
} Wish;

// Runs into the folder; what was said is on the page when it fails.
static qdot_status run(const Site *site, Wish wish, char *said, size_t size) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model_options how = qdot_model_defaults();
  how.settings = &wish.setting;
  how.setting_count = wish.setting ? 1 : 0;
  how.formulation = wish.formulation;
  qdot_model *model;
  qdot_result *out;
  assert_int_equal(qdot_model_parse(cx, "p.qdot", pendulum, strlen(pendulum), &how, &model),
                   QDOT_OK);
  qdot_run_options o = qdot_run_defaults();
  stop = 0;
  o.folder = site->folder;
  o.checkpoint = 1;
  o.resume = wish.resume;
  o.stop = &stop;
  o.progress = wish.is_stopped ? stop_in_the_middle : NULL;
  qdot_status status = qdot_model_simulate(model, &o, &out);
  FILE *memory = fmemopen(said, size, "w");
  qdot_diagnostics_write(cx, NULL, qdot_sink_stream(memory));
  fclose(memory);
  qdot_context_close(cx);
  return status;
}

// The same values and the same coordinates go on; everything else would be a motion of nobody.
static void states_go_on_as_they_began(void **state) {
  (void)state;
  Site site = site_new();
  char said[1000] = "";
  static const Wish others[] = {{"m=2", "maximal", true, false},
                                {NULL, "maximal", true, false},
                                {"m=3", "lagrange", true, false},
                                {"m=3", "natural", true, false}};
  assert_int_equal(run(&site, (Wish){"m=3", "maximal", false, true}, said, sizeof said), QDOT_OK);
  assert_int_equal(access(file_in(&site, "checkpoint"), F_OK), 0);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_int_equal(run(&site, others[i], said, sizeof said), QDOT_BAD_FILE);
    assert_non_null(strstr(said, "is damaged, or of another model or other options"));
  }
  assert_int_equal(run(&site, (Wish){"m=3", "maximal", true, false}, said, sizeof said), QDOT_OK);
  assert_int_equal(access(file_in(&site, "checkpoint"), F_OK), -1);
  site_remove(&site);
}

// A folder in the place of the results: a run that is stopped says what it cannot write.
static void results_that_cannot_be_left(void **state) {
  (void)state;
  Site site = site_new();
  char said[1000] = "";
  assert_int_equal(mkdir(file_in(&site, "results.csv"), 0700), 0);
  assert_int_equal(run(&site, (Wish){NULL, NULL, false, true}, said, sizeof said), QDOT_IO);
  assert_non_null(strstr(said, "error: cannot write '"));
  assert_int_equal(access(file_in(&site, "results.csv.copy"), F_OK), -1);
  site_remove(&site);
}

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model;
  assert_int_equal(qdot_model_parse(cx, "p.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  return model;
}

static void results_belong_to_a_model(void **state) {
  (void)state;
  Site site = site_new();
  char said[1000] = "", text[1000];
  assert_int_equal(run(&site, (Wish){0}, said, sizeof said), QDOT_OK);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_result *result;
  // a plot more is the same motion, another mass is not
  snprintf(text, sizeof text, "%splot rod.theta\n", pendulum);
  qdot_model *model = parse(cx, text);
  assert_true(qdot_result_exists(model, site.folder));
  assert_int_equal(qdot_result_open(cx, site.folder, model, &result), QDOT_OK);
  snprintf(text, sizeof text, "%s", pendulum);
  strstr(text, "m = 1")[4] = '2';
  model = parse(cx, text);
  assert_false(qdot_result_exists(model, site.folder));
  assert_int_equal(qdot_result_open(cx, site.folder, model, &result), QDOT_BAD_FILE);
  assert_null(result);
  FILE *memory = fmemopen(said, sizeof said, "w");
  qdot_diagnostics_write(cx, NULL, qdot_sink_stream(memory));
  fclose(memory);
  assert_non_null(strstr(said, "has no result of this model"));
  qdot_context_close(cx);
  site_remove(&site);
}

RUN_TESTS(cmocka_unit_test(states_go_on_as_they_began),
          cmocka_unit_test(results_that_cannot_be_left),
          cmocka_unit_test(results_belong_to_a_model))
