// Structs of options across versions, and files that go to a sink.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char text[] = "param m = 2 [kg], k = 50 [N/m]\ncoord x = 0.1 [m]\n"
                           "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                           "draw disc (x, 0) radius 0.05 [m]\nsimulate to 0.5 [s] every 0.1 [s]\n";

static qdot_model *parse(qdot_context *cx) {
  qdot_model *model = NULL;
  assert_int_equal(qdot_model_parse(cx, "m.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  return model;
}

// A program built against a header with more members asks an older library only for what it knows.
static void options_grow(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx);
  struct {
    qdot_run_options known;
    double news[4];
  } later = {.known = qdot_run_defaults()};
  qdot_result *result;
  later.known.size = sizeof later;
  assert_int_equal(qdot_model_simulate(model, &later.known, &result), QDOT_OK);
  later.news[3] = 1;
  assert_int_equal(qdot_model_simulate(model, &later.known, &result), QDOT_BAD_ARGUMENT);
  assert_null(result);
  // one built against an older header does not have the last members
  qdot_run_options earlier = qdot_run_defaults();
  earlier.size = offsetof(qdot_run_options, method);
  earlier.method = "no such method";
  assert_int_equal(qdot_model_simulate(model, &earlier, &result), QDOT_OK);
  earlier.size = sizeof earlier;
  assert_int_not_equal(qdot_model_simulate(model, &earlier, &result), QDOT_OK);
  // one that forgot the size is told
  earlier.size = 0;
  assert_int_equal(qdot_model_simulate(model, &earlier, &result), QDOT_BAD_ARGUMENT);
  qdot_limits limits = qdot_limits_defaults();
  limits.size = 1;
  assert_null(qdot_context_open(&limits));
  qdot_context_close(cx);
}

static void numbers_never_move(void **state) {
  (void)state;
  assert_int_equal(QDOT_OK, 0);
  assert_int_equal(QDOT_SYNTAX, 1);
  assert_int_equal(QDOT_SINGULAR_MASS, 9);
  assert_int_equal(QDOT_STOPPED, 16);
  assert_int_equal(QDOT_NO_MEMORY, 17);
  assert_int_equal(QDOT_BAD_ARGUMENT, 24);
  assert_int_equal(qdot_version_number(), QDOT_VERSION_NUMBER);
  int major, minor, patch;
  assert_int_equal(sscanf(qdot_version(), "%d.%d.%d", &major, &minor, &patch), 3);
  assert_int_equal(1000000 * major + 1000 * minor + patch, qdot_version_number());
}

// ---- Files

typedef struct Basket {
  size_t count, bytes;
  char names[40][64], starts[40][5];
  int refuses;
} Basket;

static int take(void *user, const char *name, const char *bytes, size_t n) {
  Basket *basket = user;
  assert_true(basket->count < 40 && strlen(name) < 64 && !strchr(name, '/'));
  strcpy(basket->names[basket->count], name);
  snprintf(basket->starts[basket->count++], 5, "%.*s", n < 4 ? (int)n : 4, bytes);
  basket->bytes += n;
  return basket->refuses;
}

static const char *start_of(const Basket *basket, const char *name) {
  for (size_t i = 0; i < basket->count; i++)
    if (strcmp(basket->names[i], name) == 0) return basket->starts[i];
  return "";
}

// Pictures, pages and programs of a result that has no folder.
static void files_go_to_a_sink(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx);
  qdot_result *result;
  qdot_run_options o = qdot_run_defaults();
  o.memory = 1 << 20;
  assert_int_equal(qdot_model_simulate(model, &o, &result), QDOT_OK);
  Basket basket = {0};
  qdot_file_sink sink = {take, &basket};
  qdot_animate_options animation = qdot_animate_defaults();
  animation.files = sink;
  animation.formats = QDOT_FILE_GIF | QDOT_FILE_SVG;
  animation.width = 100;
  assert_int_equal(qdot_result_animate(result, &animation), QDOT_OK);
  assert_int_equal(basket.count, 2);
  assert_string_equal(start_of(&basket, "animation.gif"), "GIF8");
  assert_string_equal(start_of(&basket, "mechanism.svg"), "<?xm");
  assert_int_equal(qdot_result_file_count(result), 2);
  assert_string_equal(qdot_result_file_at(result, 0)->path, "mechanism.svg");
  assert_null(qdot_result_file_at(result, 2));
  qdot_plot_options plots = qdot_plot_defaults();
  plots.files = sink;
  qdot_status drawn = qdot_result_plot(result, &plots);
  assert_true(drawn == QDOT_OK || drawn == QDOT_NO_PROGRAM);
  qdot_report_options page = qdot_report_defaults();
  basket.count = 0;
  page.files = sink, page.formats = QDOT_FILE_HTML;
  assert_int_equal(qdot_result_report(result, &page), QDOT_OK);
  assert_string_equal(start_of(&basket, "report.html"), "<!DO");
  qdot_system *system;
  qdot_export_options source = qdot_export_defaults();
  source.files = sink, source.name = "spring";
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_system_export(system, "python", &source), QDOT_OK);
  assert_string_equal(qdot_system_file_at(system, 0)->path, "spring.py");
  qdot_linear *linear;
  qdot_mode_picture_options mode = qdot_mode_picture_defaults();
  mode.files = sink, mode.formats = QDOT_FILE_SVG;
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_mode_draw(linear, 0, &mode), QDOT_OK);
  assert_int_equal(qdot_linear_file_count(linear), 1);
  assert_string_equal(start_of(&basket, "mode-1.svg"), "<?xm");
  // who takes nothing is not given more
  basket.refuses = 1, basket.count = 0;
  assert_int_equal(qdot_result_animate(result, &animation), QDOT_IO);
  assert_int_equal(basket.count, 1);
  qdot_context_close(cx);
}

// Nothing is left behind where the files were made.
static void nothing_is_left_behind(void **state) {
  char folder[] = "/tmp/qdot-options-XXXXXX";
  assert_non_null(mkdtemp(folder));
  setenv("TMPDIR", folder, 1);
  files_go_to_a_sink(state);
  unsetenv("TMPDIR");
  assert_int_equal(rmdir(folder), 0);
}

RUN_TESTS(cmocka_unit_test(options_grow), cmocka_unit_test(numbers_never_move),
          cmocka_unit_test(files_go_to_a_sink), cmocka_unit_test(nothing_is_left_behind))
