// Plans through the public interface: the rows and summaries of their models, values that are set,
// and what is refused.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

typedef struct Rows {
  double *values;
  size_t n, room;
} Rows;

static int keep_row(void *user, const double *values, size_t n) {
  Rows *rows = user;
  if (rows->n + n > rows->room) {
    rows->room = 2 * rows->room + n;
    rows->values = realloc(rows->values, rows->room * sizeof(double));
  }
  memcpy(rows->values + rows->n, values, n * sizeof(double));
  rows->n += n;
  return 0;
}

typedef struct Page {
  char *text;
  size_t n;
} Page;

static int append(void *user, const char *bytes, size_t n) {
  Page *page = user;
  page->text = realloc(page->text, page->n + n + 1);
  memcpy(page->text + page->n, bytes, n);
  page->n += n, page->text[page->n] = 0;
  return 0;
}

// Without the lines of what a clock has measured.
static void drop_seconds(char *text) {
  char *to = text;
  for (char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    length += line[length] == '\n';
    bool is_time = memmem(line, length, "_seconds\"", 9) != NULL;
    if (!is_time) memmove(to, line, length), to += length;
    line += length;
  }
  *to = 0;
}

static char *summary_of(qdot_result *result) {
  Page page = {calloc(1, 1), 0};
  qdot_write_options json = qdot_write_defaults();
  json.format = QDOT_FORMAT_JSON;
  assert_int_equal(qdot_result_write(result, &json, (qdot_sink){append, &page}), QDOT_OK);
  drop_seconds(page.text);
  return page.text;
}

typedef struct Outcome {
  qdot_status status;
  Rows rows;
  char *summary;
} Outcome;

static void outcome_free(Outcome *o) { free(o->rows.values), free(o->summary); }

static qdot_run_options options_for(Rows *rows) {
  qdot_run_options options = qdot_run_defaults();
  options.row = keep_row, options.row_user = rows;
  return options;
}

static Outcome outcome_of_model(qdot_model *model, double t_end) {
  Outcome out = {0};
  qdot_run_options options = options_for(&out.rows);
  options.t_end = t_end;
  qdot_result *result;
  out.status = qdot_model_simulate(model, &options, &result);
  if (out.status == QDOT_OK) out.summary = summary_of(result);
  return out;
}

static Outcome outcome_of_plan(qdot_plan *plan, double t_end) {
  Outcome out = {0};
  qdot_run_options options = options_for(&out.rows);
  options.t_end = t_end;
  qdot_result *result;
  out.status = qdot_plan_run(plan, &options, &result);
  if (out.status == QDOT_OK) out.summary = summary_of(result);
  return out;
}

static void check_same(Outcome *a, Outcome *b) {
  assert_int_equal(a->status, b->status);
  assert_int_equal(a->rows.n, b->rows.n);
  if (a->rows.n) assert_memory_equal(a->rows.values, b->rows.values, a->rows.n * sizeof(double));
  if (a->summary) assert_string_equal(a->summary, b->summary);
  outcome_free(a), outcome_free(b);
}

static bool has_fixed_step(const char *summary) { return strstr(summary, "\"step\"") != NULL; }

// Both with a parameter that is a little larger; some models cannot be run then, nor can their
// plans.
static void compare_with_setting(const char *path, qdot_plan *plan, const char *name, double value,
                                 double t_end) {
  char setting[200];
  snprintf(setting, sizeof setting, "%s=%.17g", name, value);
  const char *settings[] = {setting};
  qdot_model_options options = qdot_model_defaults();
  options.settings = settings, options.setting_count = 1;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  if (qdot_model_load(cx, path, &options, &model) == QDOT_OK) {
    size_t length;
    const void *bytes = qdot_plan_bytes(plan, &length);
    qdot_plan_options set = qdot_plan_defaults();
    set.settings = settings, set.setting_count = 1;
    qdot_plan *changed;
    if (qdot_plan_read(cx, "changed.plan", bytes, length, &set, &changed) == QDOT_OK) {
      Outcome of_model = outcome_of_model(model, t_end), of_plan = outcome_of_plan(changed, t_end);
      bool is_fixed = of_model.summary && has_fixed_step(of_model.summary);
      if (is_fixed) free(of_model.summary), of_model.summary = NULL;
      check_same(&of_model, &of_plan);
    }
  }
  qdot_context_close(cx);
}

static void compare_example(const char *path) {
  const double t_end = 0.5;
  qdot_context *cx = qdot_context_open(NULL), *other = qdot_context_open(NULL);
  qdot_model *model;
  qdot_plan *made, *read;
  size_t length;
  assert_int_equal(qdot_model_load(cx, path, NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_plan(model, NULL, &made), QDOT_OK);
  Outcome of_model = outcome_of_model(model, t_end);
  const void *bytes = qdot_plan_bytes(made, &length);
  assert_int_equal(qdot_plan_read(other, "x.plan", bytes, length, NULL, &read), QDOT_OK);
  Outcome of_plan = outcome_of_plan(read, t_end);
  // a fixed step is told beside the vibrations of the linearized model, which a plan does not know
  bool is_fixed = of_model.summary && has_fixed_step(of_model.summary);
  if (is_fixed) free(of_model.summary), of_model.summary = NULL;
  check_same(&of_model, &of_plan);
  qdot_plan_close(read);
  const qdot_plan_value *value = NULL;
  for (size_t i = 0; (value = qdot_plan_value_at(made, i)) && value->value == 0;) i++;
  if (value) compare_with_setting(path, made, value->name, 1.01 * value->value, t_end);
  qdot_context_close(other);
  qdot_context_close(cx);
}

TEST(plans_of_all_examples_run_as_their_models) {
  (void)cx;
  glob_t found;
  char pattern[4096];
  snprintf(pattern, sizeof pattern, "%s/examples/*.qdot", getenv("QDOT_ROOT"));
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  assert_true(found.gl_pathc > 40);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    print_message("%s\n", strrchr(found.gl_pathv[i], '/') + 1);
    compare_example(found.gl_pathv[i]);
  }
  globfree(&found);
}

// ---- Values

static const char text[] = "count N = 2\nparam L = 0.5 [m], m = 2 [kg], g = 9.81 [m/s^2], l = L/2\n"
                           "param T = 2 [s], h = T/1000\nstate z = 0 [m]\nrate z = l/(1 [s])\n"
                           "coord theta = 1, theta' = 0 [1/s]\ninput F = 0 [N]\n"
                           "kinetic = 1/2*m*L^2*theta'^2\npotential = -m*g*L*cos(theta)\n"
                           "force theta = F*l\nmeasure most = max(theta')\n"
                           "simulate to T every T/100 using rk4(step = h)\n";

typedef struct Desk {
  qdot_context *cx;
  qdot_model *model;
  qdot_plan *plan;
} Desk;

static Desk desk_of(const char *model) {
  Desk d = {.cx = qdot_context_open(NULL)};
  assert_int_equal(qdot_model_parse(d.cx, "m.qdot", model, strlen(model), NULL, &d.model), QDOT_OK);
  assert_int_equal(qdot_model_plan(d.model, NULL, &d.plan), QDOT_OK);
  return d;
}

static void said(Desk *d, const char *part) {
  Page page = {calloc(1, 1), 0};
  qdot_diagnostics_write(d->cx, NULL, (qdot_sink){append, &page});
  if (!strstr(page.text, part)) print_error("%s\n", page.text);
  assert_non_null(strstr(page.text, part));
  free(page.text);
  qdot_diagnostics_clear(d->cx);
}

static double value_of(qdot_plan *plan, const char *name) {
  const qdot_plan_value *value = qdot_plan_value_at(plan, qdot_plan_value_find(plan, name));
  return value ? value->value : NAN;
}

TEST(values_are_known_and_followed) {
  (void)cx;
  Desk d = desk_of(text);
  assert_int_equal(qdot_plan_value_count(d.plan), 7);
  assert_string_equal(qdot_plan_value_at(d.plan, 2)->unit, "m/s²");
  assert_string_equal(qdot_plan_value_at(d.plan, 6)->name, "F");
  assert_true(qdot_plan_value_at(d.plan, 6)->is_input);
  assert_null(qdot_plan_value_at(d.plan, 7));
  assert_int_equal(qdot_plan_value_find(d.plan, "nothing"), QDOT_NOT_FOUND);
  assert_string_equal(qdot_plan_title(d.plan), "M");
  assert_true(value_of(d.plan, "l") == 0.25);
  assert_int_equal(qdot_plan_set(d.plan, "L", 3), QDOT_OK);
  assert_true(value_of(d.plan, "l") == 1.5);
  assert_int_equal(qdot_plan_set(d.plan, "l", 1), QDOT_OK);
  assert_int_equal(qdot_plan_set(d.plan, "L", 2), QDOT_OK);
  assert_true(value_of(d.plan, "l") == 1);
  assert_int_equal(qdot_plan_column_find(d.plan, "theta''"), 4);
  assert_string_equal(qdot_plan_column_at(d.plan, 1), "theta");
  assert_null(qdot_plan_column_at(d.plan, qdot_plan_column_count(d.plan)));
  qdot_context_close(d.cx);
}

// With units, in a summary that says so, as often as one likes.
TEST(settings_are_read_as_of_a_model) {
  (void)cx;
  Desk d = desk_of(text);
  size_t length;
  const void *bytes = qdot_plan_bytes(d.plan, &length);
  const char *settings[] = {"L=20 [mm]", "F=3"};
  qdot_plan_options options = qdot_plan_defaults();
  options.settings = settings, options.setting_count = 2;
  qdot_plan *plan;
  assert_int_equal(qdot_plan_read(d.cx, "a.plan", bytes, length, &options, &plan), QDOT_OK);
  assert_true(value_of(plan, "L") == 0.02 && value_of(plan, "F") == 3);
  Outcome out = outcome_of_plan(plan, 0.1);
  assert_non_null(strstr(out.summary, "\"L=20 [mm]\""));
  outcome_free(&out);
  const struct {
    const char *setting, *message;
  } wrong[] = {{"L=2 [kg]", "not of this dimension"},
               {"M=2", "did you mean 'm'?"},
               {"N=20", "'N' is a count"},
               {"T=3", "decides an option of the method"},
               {"theta=1", "its start is the model's"},
               {"theta'=1", "its start is the model's"},
               {"z=1", "its start is the model's"},
               {"L=", "expected"},
               {"L=1/0", "L"},
               {"L", "expected"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    options.settings = &wrong[i].setting, options.setting_count = 1;
    qdot_status status = qdot_plan_read(d.cx, "a.plan", bytes, length, &options, &plan);
    if (status == QDOT_OK) print_error("%s\n", wrong[i].setting);
    assert_true(status != QDOT_OK && plan == NULL);
    said(&d, wrong[i].message);
  }
  qdot_context_close(d.cx);
}

// ---- What is refused

TEST(what_a_plan_cannot_do_is_refused) {
  (void)cx;
  Desk d = desk_of(text);
  qdot_result *result;
  qdot_run_options options = qdot_run_defaults();
  options.checkpoint = 1;
  assert_int_equal(qdot_plan_run(d.plan, &options, &result), QDOT_UNSUPPORTED);
  said(&d, "no checkpoints");
  options = qdot_run_defaults();
  options.verify = QDOT_VERIFY_ALWAYS;
  assert_int_equal(qdot_plan_run(d.plan, &options, &result), QDOT_UNSUPPORTED);
  said(&d, "verifies");
  options = qdot_run_defaults();
  options.method = "radau";
  assert_int_equal(qdot_plan_run(d.plan, &options, &result), QDOT_UNSUPPORTED);
  said(&d, "not made for the method radau");
  options = qdot_run_defaults();
  options.memory = 1 << 20;
  assert_int_equal(qdot_plan_run(d.plan, &options, &result), QDOT_OK);
  assert_int_equal(qdot_result_measure_count(result), 1);
  assert_string_equal(qdot_result_measure_at(result, 0)->name, "most");
  assert_int_equal(qdot_result_plot(result, NULL), QDOT_UNSUPPORTED);
  said(&d, "need the model");
  assert_int_equal(qdot_result_animate(result, NULL), QDOT_UNSUPPORTED);
  assert_int_equal(qdot_result_report(result, NULL), QDOT_UNSUPPORTED);
  qdot_view *view;
  assert_int_equal(qdot_result_view(result, NULL, &view), QDOT_UNSUPPORTED);
  qdot_result_close(result);
  qdot_plan_close(d.plan);
  qdot_context_close(d.cx);
}

// A motion that breaks down names the plan, and no line of a text that is not there.
TEST(messages_name_the_plan) {
  (void)cx;
  Desk d = desk_of("param a = 1 [m]\ncoord x = 1 [m], y = 0 [m]\n"
                   "kinetic = 1/2*(1 [kg])*(x'^2 + y'^2)\nconstraint c: x^2 + y^2 = a^2\n"
                   "simulate to 1 [s]\n");
  size_t length;
  const void *bytes = qdot_plan_bytes(d.plan, &length);
  const char *settings[] = {"a=0.5"};
  qdot_plan_options options = qdot_plan_defaults();
  options.settings = settings, options.setting_count = 1;
  qdot_plan *plan;
  qdot_result *result;
  assert_int_equal(qdot_plan_read(d.cx, "ring.plan", bytes, length, &options, &plan), QDOT_OK);
  assert_true(qdot_plan_run(plan, NULL, &result) != QDOT_OK);
  const qdot_diagnostic *first = qdot_diagnostic_at(d.cx, 0);
  assert_non_null(first);
  if (first->file) assert_string_equal(first->file, "ring.plan");
  assert_int_equal(first->line, 0);
  qdot_context_close(d.cx);
}

RUN_TESTS(cmocka_unit_test(plans_of_all_examples_run_as_their_models),
          cmocka_unit_test(values_are_known_and_followed),
          cmocka_unit_test(settings_are_read_as_of_a_model),
          cmocka_unit_test(what_a_plan_cannot_do_is_refused),
          cmocka_unit_test(messages_name_the_plan))
