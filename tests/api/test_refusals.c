// What the public API writes beside the usual, and what it refuses in whose words.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

typedef struct TerminalPage {
  size_t n;
  char text[200000];
} TerminalPage;

static int append(void *user, const char *bytes, size_t n) {
  TerminalPage *page = user;
  if (page->n + n >= sizeof page->text) return 1;
  memcpy(page->text + page->n, bytes, n);
  page->n += n;
  page->text[page->n] = 0;
  return 0;
}

static qdot_sink onto(TerminalPage *page) {
  page->n = 0;
  page->text[0] = 0;
  return (qdot_sink){append, page};
}

// The diagnostics contain this.
static void check_said(qdot_context *cx, const char *part) {
  static TerminalPage page;
  qdot_diagnostics_write(cx, NULL, onto(&page));
  if (!strstr(page.text, part)) print_error("%s\n", page.text);
  assert_non_null(strstr(page.text, part));
}

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_status status = qdot_model_parse(cx, "text.qdot", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

static qdot_system *derive(qdot_context *cx, const char *text) {
  qdot_system *system;
  assert_int_equal(qdot_system_derive(parse(cx, text), &system), QDOT_OK);
  return system;
}

static const qdot_write_options json_style = {.size = sizeof json_style,
                                              .format = QDOT_FORMAT_JSON};

static const char *const rods =
    "model \"Rods\"\nparam m = 2 [kg], L = 1 [m], g = 9.81 [m/s^2], c = 0.3 [N*m*s]\n"
    "coord theta = 0.1 [rad], x = 0 [m]\ninput F = 0 [N]\noutput tip = x + L*sin(theta)\n"
    "output swing = theta'\nkinetic = 1/2*m*(x'^2 + L^2*theta'^2 + 2*L*x'*theta'*cos(theta))\n"
    "kinetic = 1/2*m*x'^2\npotential = -m*g*L*cos(theta) + 1/2*(40 [N/m])*x^2\n"
    "dissipation = 1/2*c*theta'^2\nforce x = F\ncontact wall: x <= 1 [m]\n"
    "linearize at theta = 0, x = 0\nsimulate to 0.1 [s] every 0.1 [s]\n";

// ---- Models

static void formulations_have_names(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  static const char body[] = "body a: rod 1 [m], mass 1 [kg]\n"
                             "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n";
  qdot_model_options o = qdot_model_defaults();
  qdot_model *model;
  o.formulation = "natrual";
  assert_int_equal(qdot_model_parse(cx, "a.qdot", body, strlen(body), &o, &model),
                   QDOT_BAD_ARGUMENT);
  assert_null(model);
  check_said(cx, "error: there is no formulation 'natrual'\n    did you mean 'natural'?");
  qdot_context_close(cx);
  // where the model says it, the place is shown
  cx = qdot_context_open(NULL);
  char text[300];
  snprintf(text, sizeof text, "%sderive using newton\n", body);
  assert_int_equal(qdot_model_parse(cx, "a.qdot", text, strlen(text), NULL, &model),
                   QDOT_BAD_ARGUMENT);
  check_said(cx, "a.qdot:3:14: error: there is no formulation 'newton'\n    derive using newton\n");
  qdot_context_close(cx);
}

static void models_are_described_in_json(void **state) {
  (void)state;
  static TerminalPage page;
  qdot_context *cx = qdot_context_open(NULL);
  assert_int_equal(qdot_model_write(parse(cx, rods), &json_style, onto(&page)), QDOT_OK);
  json_t *all = json_loads(page.text, 0, NULL);
  assert_non_null(all);
  assert_string_equal(json_string_value(json_object_get(all, "title")), "Rods");
  assert_int_equal(json_integer_value(json_object_get(all, "coordinates")), 2);
  assert_int_equal(json_integer_value(json_object_get(all, "constraints")), 0);
  assert_int_equal(json_integer_value(json_object_get(all, "contacts")), 1);
  json_decref(all);
  qdot_context_close(cx);
}

// A file of a gibibyte is not read to its end, nor at all.
static void files_too_large_are_refused(void **state) {
  (void)state;
  char path[] = "/tmp/qdot-large-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, ((off_t)1 << 30) + 1), 0);
  close(file);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  assert_int_equal(qdot_model_load(cx, path, NULL, &model), QDOT_TOO_LARGE);
  check_said(cx, "is larger than 1024 MiB");
  qdot_context_close(cx);
  unlink(path);
}

// ---- Systems

static void parts_have_names(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, rods);
  static const struct {
    qdot_part kind;
    size_t count;
    const char *first;
  } rows[] = {{QDOT_PART_COORDINATES, 2, "theta"}, {QDOT_PART_CONSTRAINTS, 0, NULL},
              {QDOT_PART_CONTACTS, 1, "wall"},     {QDOT_PART_PARAMETERS, 4, "m"},
              {QDOT_PART_INPUTS, 1, "F"},          {QDOT_PART_OUTPUTS, 2, "tip"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(qdot_system_name_count(s, rows[i].kind), rows[i].count);
    assert_null(qdot_system_name_at(s, rows[i].kind, rows[i].count));
    const char *name = qdot_system_name_at(s, rows[i].kind, 0);
    assert_true(rows[i].first ? strcmp(name, rows[i].first) == 0 : name == NULL);
  }
  assert_int_equal(qdot_system_name_count(s, (qdot_part)99), 0);
  s = derive(cx, "param m = 1 [kg]\ncoord x = 0 [m], y = 0 [m]\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                 "constraint floor: y = 0 [m]\n");
  assert_string_equal(qdot_system_name_at(s, QDOT_PART_CONSTRAINTS, 0), "floor");
  qdot_context_close(cx);
}

static size_t length_of(qdot_system *s, const qdot_system_write_options *o) {
  static TerminalPage page;
  assert_int_equal(qdot_system_write(s, o, onto(&page)), QDOT_OK);
  return page.n;
}

// More detail is longer, more patience is not; all of it is written.
static void options_for_equations(void **state) {
  (void)state;
  static TerminalPage page;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, rods);
  qdot_system_write_options o = qdot_system_write_defaults();
  o.steps = 1;
  o.detail = QDOT_DETAIL_RESULT;
  size_t result = length_of(s, &o);
  o.detail = QDOT_DETAIL_TEXTBOOK;
  size_t textbook = length_of(s, &o);
  o.detail = QDOT_DETAIL_EVERY;
  assert_true(result < textbook && textbook < length_of(s, &o));
  o = qdot_system_write_defaults();
  o.format = QDOT_FORMAT_JSON;
  size_t normal = length_of(s, &o);
  o.simplify = QDOT_SIMPLIFY_FULL;
  assert_true(length_of(s, &o) <= normal);
  o = qdot_system_write_defaults();
  o.steps = 1, o.language = "fr";
  assert_int_equal(qdot_system_write(s, &o, onto(&page)), QDOT_BAD_ARGUMENT);
  check_said(cx, "unknown language 'fr'; expected en, de, es or pt");
  qdot_context_close(cx);
}

static void names_by_a_file(void **state) {
  (void)state;
  static TerminalPage page;
  char path[] = "/tmp/qdot-notation-XXXXXX";
  int file = mkstemp(path);
  static const char good[] = "# ours\ntheta=\\varphi\n", bad[] = "theta\n";
  assert_int_equal(write(file, good, strlen(good)), strlen(good));
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, rods);
  qdot_system_write_options o = qdot_system_write_defaults();
  o.format = QDOT_FORMAT_LATEX;
  o.notation = path;
  assert_int_equal(qdot_system_write(s, &o, onto(&page)), QDOT_OK);
  assert_non_null(strstr(page.text, "\\varphi"));
  assert_null(strstr(page.text, "\\theta"));
  assert_int_equal(pwrite(file, bad, strlen(bad), 0), strlen(bad));
  assert_int_equal(ftruncate(file, (off_t)strlen(bad)), 0);
  assert_int_not_equal(qdot_system_write(s, &o, onto(&page)), QDOT_OK);
  o.notation = "/nowhere/notation";
  assert_int_equal(qdot_system_write(s, &o, onto(&page)), QDOT_IO);
  check_said(cx, "cannot read '/nowhere/notation'");
  close(file);
  unlink(path);
  qdot_context_close(cx);
}

// ---- Vibration

static void forms_that_are_not_written(void **state) {
  (void)state;
  static TerminalPage page;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, rods);
  qdot_system *s;
  qdot_linear *linear;
  qdot_result *run;
  qdot_write_options latex = qdot_write_defaults();
  latex.format = QDOT_FORMAT_LATEX;
  assert_int_equal(qdot_system_derive(model, &s), QDOT_OK);
  qdot_equilibria *equilibria;
  qdot_equilibria_options few = qdot_equilibria_defaults();
  few.starts = 4;
  assert_int_equal(qdot_system_equilibria(s, &few, &equilibria), QDOT_OK);
  assert_int_equal(qdot_equilibria_write(equilibria, &latex, onto(&page)), QDOT_UNSUPPORTED);
  check_said(cx, "equilibria can be written as text or JSON");
  assert_int_equal(qdot_system_linearize(s, 1, &linear), QDOT_BAD_ARGUMENT);
  assert_null(linear);
  check_said(cx, "there is no linearize line 2; the model has 1");
  assert_int_equal(qdot_system_linearize(s, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_modes_write(linear, &latex, onto(&page)), QDOT_UNSUPPORTED);
  check_said(cx, "modes can be written as text or JSON");
  qdot_mode_picture_options picture = qdot_mode_picture_defaults();
  picture.language = "fr";
  assert_int_equal(qdot_mode_draw(linear, 0, &picture), QDOT_BAD_ARGUMENT);
  check_said(cx, "unknown language 'fr'; expected en, de, es or pt");
  assert_int_equal(qdot_model_simulate(model, NULL, &run), QDOT_OK);
  assert_int_equal(qdot_result_write(run, &latex, onto(&page)), QDOT_UNSUPPORTED);
  check_said(cx, "a result can be written as text or JSON");
  qdot_comparison *comparison;
  model = parse(cx, "body a: rod 1 [m], mass 1 [kg]\n"
                    "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
                    "simulate to 0.1 [s] every 0.1 [s]\n");
  assert_int_equal(qdot_model_compare(model, NULL, &comparison), QDOT_OK);
  assert_int_equal(qdot_comparison_write(comparison, &latex, onto(&page)), QDOT_UNSUPPORTED);
  check_said(cx, "a comparison can be written as text or JSON");
  qdot_context_close(cx);
}

// Nothing at all holds y: its motion is open, and that is said whoever asks.
static void modes_that_do_not_exist(void **state) {
  (void)state;
  static TerminalPage page;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, "param m = 1 [kg], k = 2 [N/m]\ncoord x = 0 [m], y = 0 [m]\n"
                              "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                              "linearize at x = 0, y = 0\n");
  qdot_linear *linear;
  assert_int_equal(qdot_system_linearize(s, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_mode_count(linear), 0);
  assert_int_equal(qdot_modes_write(linear, NULL, onto(&page)), QDOT_SINGULAR_MASS);
  check_said(cx, "there are no modes: 'y' has neither mass nor damping nor stiffness");
  qdot_response *none;
  assert_int_equal(qdot_linear_response(linear, NULL, &none), QDOT_SINGULAR_MASS);
  assert_null(none);
  check_said(cx, "there is no response: 'y' has neither mass nor damping nor stiffness");
  qdot_context_close(cx);
}

static json_t *response(qdot_linear *linear, const char *inputs, const char *outputs) {
  static TerminalPage page;
  qdot_response_options o = qdot_response_defaults();
  qdot_response *found;
  o.inputs = inputs, o.outputs = outputs;
  o.from = 0.1, o.to = 10, o.points = 5;
  assert_int_equal(qdot_linear_response(linear, &o, &found), QDOT_OK);
  assert_int_equal(qdot_response_write(found, &json_style, onto(&page)), QDOT_OK);
  json_t *all = json_loads(page.text, 0, NULL);
  assert_non_null(all);
  return all;
}

static void check_same_curves(const json_t *a, const json_t *b) {
  static const char *const curves[] = {"re", "im", "gain", "phase_deg"};
  const json_t *x = json_object_get(a, "responses"), *y = json_object_get(b, "responses");
  assert_true(json_equal(json_object_get(a, "frequency_hz"), json_object_get(b, "frequency_hz")));
  assert_int_equal(json_array_size(x), json_array_size(y));
  for (size_t i = 0; i < json_array_size(x); i++)
    for (int k = 0; k < 4; k++) {
      json_t *p = json_object_get(json_array_get(x, i), curves[k]),
             *q = json_object_get(json_array_get(y, i), curves[k]);
      assert_int_equal(json_array_size(p), json_array_size(q));
      assert_true(json_array_size(p) >= 5);
      for (size_t l = 0; l < json_array_size(p); l++)
        CHECK_NEAR(json_number_value(json_array_get(p, l)), json_number_value(json_array_get(q, l)),
                   1e-12);
    }
}

// An output by its name is its expression, and nothing said is everything there is.
static void responses_by_name(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_linear *linear;
  assert_int_equal(qdot_system_linearize(derive(cx, rods), 0, &linear), QDOT_OK);
  json_t *named = response(linear, "F", "tip, swing"),
         *written = response(linear, "F", "x + L*sin(theta), theta'"),
         *silent = response(linear, NULL, NULL), *forced = response(linear, "x", "tip,swing");
  assert_true(json_equal(named, silent));
  // the input is a force on x; only names tell them apart
  check_same_curves(named, written);
  check_same_curves(named, forced);
  json_decref(named), json_decref(written), json_decref(silent), json_decref(forced);
  // a model without inputs is shaken at its coordinates
  assert_int_equal(qdot_system_linearize(derive(cx, "param m = 1 [kg], k = 2 [N/m]\n"
                                                    "coord u = 0 [m], v = 0 [m]\n"
                                                    "kinetic = 1/2*m*(u'^2 + v'^2)\n"
                                                    "potential = 1/2*k*(u^2 + (u - v)^2)\n"),
                                         0, &linear),
                   QDOT_OK);
  silent = response(linear, NULL, NULL), named = response(linear, "u, v", "u, v");
  assert_true(json_equal(silent, named));
  json_decref(named), json_decref(silent);
  qdot_context_close(cx);
}

static void ranges_that_are_none(void **state) {
  (void)state;
  static const char *const wrong[] = {"m", "m=1", "1..2=m", "m=exp(1000)..2", "m=1..exp(1000)"};
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, rods);
  qdot_locus_options o = qdot_locus_defaults();
  char expected[100];
  qdot_locus *none;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    o.range = wrong[i];
    assert_int_equal(qdot_system_locus(s, &o, &none), QDOT_BAD_ARGUMENT);
    snprintf(expected, sizeof expected, "'%s' is not a parameter range", wrong[i]);
    check_said(cx, expected);
  }
  assert_int_equal(qdot_system_locus(s, NULL, &none), QDOT_BAD_ARGUMENT);
  o.range = "theta=1..2";
  assert_int_equal(qdot_system_locus(s, &o, &none), QDOT_UNKNOWN_NAME);
  check_said(cx, "there is no parameter 'theta'");
  qdot_context_close(cx);
}

// ---- Sinks and defaults

static int refuse(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return 1;
}

// Every printer takes the defaults, and passes on that nobody takes what it writes.
static void every_printer_has_defaults(void **state) {
  (void)state;
  static TerminalPage page;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, rods);
  qdot_model *bodies = parse(cx, "body a: rod 1 [m], mass 1 [kg]\n"
                                 "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
                                 "simulate to 0.1 [s] every 0.1 [s]\n");
  qdot_system *s;
  qdot_linear *linear;
  qdot_result *run;
  qdot_comparison *comparison;
  assert_int_equal(qdot_system_derive(model, &s), QDOT_OK);
  assert_int_equal(qdot_system_linearize(s, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, NULL, &run), QDOT_OK);
  assert_int_equal(qdot_model_compare(bodies, NULL, &comparison), QDOT_OK);
  qdot_locus_options range = qdot_locus_defaults();
  range.range = "m=1..2", range.steps = 3;
  qdot_equilibria *equilibria;
  qdot_response *answer;
  qdot_locus *locus;
  assert_int_equal(qdot_system_equilibria(s, NULL, &equilibria), QDOT_OK);
  assert_int_equal(qdot_linear_response(linear, NULL, &answer), QDOT_OK);
  assert_int_equal(qdot_system_locus(s, &range, &locus), QDOT_OK);
  for (int i = 0; i < 2; i++) {
    qdot_sink sink = i ? (qdot_sink){refuse, NULL} : onto(&page);
    qdot_status expected = i ? QDOT_IO : QDOT_OK;
    assert_int_equal(qdot_model_write(model, NULL, sink), expected);
    assert_int_equal(qdot_model_write(model, &json_style, sink), expected);
    assert_int_equal(qdot_system_write(s, NULL, sink), expected);
    assert_int_equal(qdot_equilibria_write(equilibria, NULL, sink), expected);
    assert_int_equal(qdot_linear_write(linear, NULL, sink), expected);
    assert_int_equal(qdot_modes_write(linear, NULL, sink), expected);
    assert_int_equal(qdot_response_write(answer, NULL, sink), expected);
    assert_int_equal(qdot_locus_write(locus, NULL, sink), expected);
    assert_int_equal(qdot_comparison_write(comparison, NULL, sink), expected);
    assert_int_equal(qdot_result_write(run, NULL, sink), expected);
    assert_int_equal(qdot_result_write(run, &json_style, sink), expected);
    assert_int_equal(qdot_diagnostics_write(cx, NULL, sink), expected);
  }
  char folder[] = "/tmp/qdot-export-XXXXXX", line[60];
  assert_non_null(mkdtemp(folder));
  qdot_export_options where = qdot_export_defaults();
  where.folder = folder;
  assert_int_equal(qdot_system_export(s, "pyhton", &where), QDOT_BAD_ARGUMENT);
  check_said(cx, "unknown export language 'pyhton'\n    did you mean 'python'?");
  assert_int_equal(qdot_system_export(s, "python", &where), QDOT_OK);
  assert_int_equal(qdot_system_file_count(s), 1);
  assert_non_null(strstr(qdot_system_file_at(s, 0)->path, ".py"));
  assert_null(qdot_system_file_at(s, 1));
  snprintf(line, sizeof line, "rm -r %s", folder);
  assert_int_equal(system(line), 0);
  FILE *full = fopen("/dev/full", "w");
  setvbuf(full, NULL, _IONBF, 0);
  assert_int_equal(qdot_model_write(model, NULL, qdot_sink_stream(full)), QDOT_IO);
  fclose(full);
  qdot_context_close(cx);
}

// ---- Runs and numbers

// What an evaluator was not opened for it does not give.
static void evaluators_give_what_was_asked_for(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_evaluator *e;
  double q[2] = {0.1, 0}, qd[2] = {0, 0}, out[8], value;
  qdot_terms terms = {.M = out};
  assert_int_equal(qdot_evaluator_open(derive(cx, rods), 0, &e), QDOT_OK);
  assert_int_equal(qdot_evaluator_terms(e, 0, q, qd, &terms), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_constraints(e, 0, q, qd, out, out), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_contacts(e, 0, q, qd, out, out), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_outputs(e, 0, q, qd, out, out), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_slopes(e, 0, q, qd, out, NULL, NULL), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_get(e, "nothing", &value), QDOT_UNKNOWN_NAME);
  assert_int_equal(qdot_evaluator_set(e, "nothing", 1), QDOT_UNKNOWN_NAME);
  assert_int_equal(qdot_evaluator_set(e, "m", INFINITY), QDOT_BAD_VALUE);
  assert_int_equal(qdot_evaluator_accelerations(e, 0, q, qd, out, NULL), QDOT_OK);
  q[0] = NAN;
  assert_int_not_equal(qdot_evaluator_accelerations(e, 0, q, qd, out, NULL), QDOT_OK);
  qdot_context_close(cx);
}

static void methods_have_names(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, "param m = 1 [kg]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n"
                                "simulate to 1 [s] using rk854\n");
  qdot_result *run;
  assert_int_equal(qdot_model_simulate(model, NULL, &run), QDOT_UNKNOWN_NAME);
  assert_null(run);
  check_said(cx, "text.qdot:4:25: error: unknown method 'rk854'\n");
  check_said(cx, "did you mean 'rk853'?");
  qdot_context_close(cx);
}

// A parameter without a value leaves nothing to be evaluated or run.
static void numbers_that_are_none(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, "param p = 1e300, m = p*p\ncoord x = 0\nkinetic = 1/2*m*x'^2\n"
                                "simulate to 1 every 0.1\n");
  qdot_system *s;
  qdot_evaluator *evaluator;
  qdot_simulation *simulation;
  assert_int_equal(qdot_system_derive(model, &s), QDOT_OK);
  qdot_status status = qdot_evaluator_open(s, QDOT_EVALUATE_TERMS, &evaluator);
  assert_int_not_equal(status, QDOT_OK);
  assert_null(evaluator);
  check_said(cx, "parameter 'm' has no finite value");
  assert_int_equal(qdot_simulation_open(model, NULL, &simulation), status);
  assert_null(simulation);
  qdot_context_close(cx);
}

// The numbers of a run: not a number, below 0, infinite; and those that the method does not take.
static void numbers_of_a_run_are_refused(void **state) {
  (void)state;
  static const double none[] = {NAN, -1, INFINITY};
  static const char *const names[] = {"t_end", "every", "rtol", "atol", "step"};
  for (size_t k = 0; k < 5; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, rods);
    for (size_t i = 0; i < 3; i++) {
      qdot_run_options o = qdot_run_defaults();
      double *numbers[] = {&o.t_end, &o.every, &o.rtol, &o.atol, &o.step};
      *numbers[k] = none[i];
      o.method = k == 4 ? "rk4" : NULL;
      qdot_result *result = NULL;
      qdot_simulation *simulation = NULL;
      assert_int_equal(qdot_model_simulate(model, &o, &result), QDOT_BAD_VALUE);
      assert_null(result);
      check_said(cx, names[k]);
      assert_int_equal(qdot_simulation_open(model, &o, &simulation), QDOT_BAD_VALUE);
      qdot_comparison *comparison = NULL;
      qdot_compare_options compare = qdot_compare_defaults();
      compare.run = &o;
      assert_int_equal(qdot_model_compare(model, &compare, &comparison), QDOT_BAD_VALUE);
      if (k > 1) continue;
      assert_int_equal(qdot_simulation_open(model, NULL, &simulation), QDOT_OK);
      assert_int_equal(qdot_simulation_run(simulation, &o, &result), QDOT_BAD_VALUE);
      qdot_simulation_close(simulation);
    }
    qdot_context_close(cx);
  }
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, rods);
  qdot_result *result = NULL;
  qdot_run_options o = qdot_run_defaults();
  o.step = 1e-3;
  assert_int_not_equal(qdot_model_simulate(model, &o, &result), QDOT_OK);
  check_said(cx, "rk853 has no option 'step'");
  o.method = "rk4", o.rtol = 1e-6;
  assert_int_not_equal(qdot_model_simulate(model, &o, &result), QDOT_OK);
  check_said(cx, "rk4 has no option 'rtol'");
  qdot_context_close(cx);
}

static void cancelled_work_is_explained(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_context_cancel(cx);
  qdot_status status = qdot_model_parse(cx, "text.qdot", rods, strlen(rods), NULL, &model);
  assert_int_not_equal(status, QDOT_OK);
  check_said(cx, qdot_status_text(status));
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(formulations_have_names), cmocka_unit_test(models_are_described_in_json),
          cmocka_unit_test(files_too_large_are_refused), cmocka_unit_test(parts_have_names),
          cmocka_unit_test(options_for_equations), cmocka_unit_test(names_by_a_file),
          cmocka_unit_test(forms_that_are_not_written), cmocka_unit_test(modes_that_do_not_exist),
          cmocka_unit_test(responses_by_name), cmocka_unit_test(ranges_that_are_none),
          cmocka_unit_test(methods_have_names), cmocka_unit_test(every_printer_has_defaults),
          cmocka_unit_test(evaluators_give_what_was_asked_for),
          cmocka_unit_test(numbers_that_are_none), cmocka_unit_test(numbers_of_a_run_are_refused),
          cmocka_unit_test(cancelled_work_is_explained))
