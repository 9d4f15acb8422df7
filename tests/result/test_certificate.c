// The summary of a run: every field of its table is written, read and told.
#include "result/certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/folder.h"
#include "base/text.h"
#include "derive/derive.h"
#include "lang/read.h"
#include "qdot/qdot.h"
#include "support/check.h"
#include "support/recordings.h"

static const char ball[] = "param g = 9.81 [m/s^2], m = 1 [kg]\ncoord y = 1 [m], x = 0 [m]\n"
                           "kinetic = 1/2*m*(y'^2 + x'^2)\npotential = m*g*y\n"
                           "contact floor: y >= 0 restitution 0.6\n"
                           "simulate to 1.5 [s] every 0.4 [s]\n";

static void fill(Random *random, const SummaryField *field, SimSummary *s) {
  static const char *const words[] = {NULL, "", "rk4", "alpha", "newmark", "\"quoted\", θ"};
  void *at = summary_at(s, field);
  switch (field->kind) {
  case SUMMARY_TEXT: *(const char **)at = words[random_below(random, 6)]; break;
  case SUMMARY_REMARK: {
    Remark remark = {.id = (RemarkId)random_below(random, REMARK_COUNT)};
    int numbers = remark_is_made(&remark) ? remark_number_count(remark.id) : 0;
    for (int i = 0; i < numbers; i++) remark.number[i] = random_real(random, -1e9, 1e9);
    *(Remark *)at = remark;
    break;
  }
  case SUMMARY_FLAG: *(bool *)at = random_below(random, 2); break;
  case SUMMARY_NUMBER: *(double *)at = exp(random_real(random, -300, 300)); break;
  case SUMMARY_MAYBE:
    *(double *)at = random_below(random, 3) ? 1 / random_real(random, -1, 1) : NAN;
    break;
  case SUMMARY_WHOLE:
    *(long *)at = (long)(random_bits(random) >> (11 + random_below(random, 53)));
    break;
  case SUMMARY_COUNT:
    *(uint32_t *)at = (uint32_t)(random_bits(random) >> (33 + random_below(random, 31)));
    break;
  case SUMMARY_COORDINATE: *(uint32_t *)at = (uint32_t)random_below(random, 2); break;
  case SUMMARY_WORST:
    *(Worst *)at =
        (Worst){random_real(random, 0, 1), random_real(random, 0, 9), random_below(random, 2)};
    break;
  case SUMMARY_STOP: *(Stopped *)at = (Stopped)random_below(random, STOPPED_BLOW_UP + 1); break;
  default: fail();
  }
}

static bool is_same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same(const SummaryField *field, const SimSummary *a, const SimSummary *b) {
  const void *x = summary_get(a, field), *y = summary_get(b, field);
  switch (field->kind) {
  case SUMMARY_TEXT: return is_same_text(*(const char *const *)x, *(const char *const *)y);
  case SUMMARY_REMARK: return memcmp(x, y, sizeof(Remark)) == 0;
  case SUMMARY_FLAG: return *(const bool *)x == *(const bool *)y;
  case SUMMARY_NUMBER:
  case SUMMARY_MAYBE: {
    double u = *(const double *)x, v = *(const double *)y;
    return u == v || (isnan(u) && isnan(v));
  }
  case SUMMARY_WHOLE: return *(const long *)x == *(const long *)y;
  case SUMMARY_WORST: {
    const Worst *u = x, *v = y;
    return u->value == v->value && u->t == v->t && u->row == v->row;
  }
  default: return *(const uint32_t *)x == *(const uint32_t *)y;
  }
}

TEST(every_field_is_written_and_read) {
  Random random = random_start("every_field_is_written_and_read");
  Model *model;
  System *system;
  assert_int_equal(model_read(cx, "ball.qdot", ball, strlen(ball), NULL, &model), QDOT_OK);
  assert_int_equal(model_system(model, DERIVE_BASIC, &system), QDOT_OK);
  Result *result = result_new(cx, model);
  for (int round = 0; round < test_rounds(300); round++) {
    Mark mark = arena_mark(&cx->scratch);
    SimSummary *s = &result->summary, back;
    *s = (SimSummary){0};
    for (int i = 0; i < SUMMARY_FIELDS; i++) fill(&random, &summary_fields[i], s);
    if (!s->method) s->method = "rk4";
    Text out = text_new(&cx->scratch);
    certificate_json(cx, origin_of_system(system), result, &out);
    assert_int_equal(certificate_read(cx, model, "x", out.at, out.n, &back), QDOT_OK);
    for (int i = 0; i < SUMMARY_FIELDS; i++) {
      const SummaryField *field = &summary_fields[i];
      if (!field->key || !field->is_said(s) || is_same(field, s, &back)) continue;
      print_error("round %d: %s was not read as written:\n%s", round, field->key, out.at);
      fail();
    }
    arena_release(&cx->scratch, mark);
  }
  result_close(result);
}

// Every key stands in the contract.
TEST(the_contract_names_every_field) {
  const char *root = getenv("QDOT_ROOT"), *contract;
  size_t n;
  if (!root) skip();
  assert_int_equal(folder_read(cx, &cx->keep, root, "doc/contract.md", &contract, &n), QDOT_OK);
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    const char *key = summary_fields[i].key;
    if (!key || strstr(contract, text_format(&cx->keep, "`%s`", key))) continue;
    print_error("doc/contract.md does not name `%s`\n", key);
    fail();
  }
}

// ---- A stored result says what the run said

typedef struct Said {
  char *text;
  size_t n;
} Said;

static Said said(qdot_result *result, qdot_format format) {
  Said said;
  FILE *memory = open_memstream(&said.text, &said.n);
  qdot_write_options style = qdot_write_defaults();
  style.format = format;
  assert_int_equal(qdot_result_write(result, &style, qdot_sink_stream(memory)), QDOT_OK);
  fclose(memory);
  return said;
}

static void check_stored(const char *lines) {
  char text[2000];
  snprintf(text, sizeof text, "model \"Stored\"\n%s", lines);
  qdot_context *cx = qdot_context_open(NULL);
  char folder[] = "/tmp/qdot-certificate-XXXXXX";
  assert_non_null(mkdtemp(folder));
  qdot_model *model;
  qdot_result *live, *stored;
  qdot_run_options o = qdot_run_defaults();
  o.folder = folder;
  o.verify = 1;
  assert_int_equal(qdot_model_parse(cx, "x", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &live), QDOT_OK);
  assert_int_equal(qdot_result_open(cx, folder, NULL, &stored), QDOT_OK);
  for (int i = 0; i < 2; i++) {
    Said a = said(live, i ? QDOT_FORMAT_JSON : QDOT_FORMAT_TEXT),
         b = said(stored, i ? QDOT_FORMAT_JSON : QDOT_FORMAT_TEXT);
    assert_string_equal(a.text, b.text);
    free(a.text), free(b.text);
  }
  qdot_context_close(cx);
  remove_folder(folder);
}

static void a_stored_result_says_what_the_run_said(void **state) {
  (void)state;
  check_stored(ball);
  // a row too many, moved guesses, and a step that cannot resolve the vibration
  check_stored("param m = 1 [kg], k = 4000000 [N/m], L = 1 [m], g = 9.81 [m/s^2]\n"
               "coord u ~ 0.8 [m], v ~ -0.5 [m], x = 0.001 [m]\n"
               "kinetic = 1/2*m*(u'^2 + v'^2 + x'^2)\npotential = m*g*v + 1/2*k*x^2\n"
               "constraint rod: u^2 + v^2 = L^2\nconstraint twin: 2*u^2 + 2*v^2 = 2*L^2 + 0*u\n"
               "simulate to 0.2 [s] every 10 [ms] using rk4(step = 1 [ms])\n");
  // elastic impacts, whose work is rounding beside the energies exchanged
  check_stored("param m = 1 [kg], g = 9.81 [m/s^2]\ncoord y = 1 [m]\nkinetic = 1/2*m*y'^2\n"
               "potential = m*g*y\ncontact floor: y >= 0 restitution 1\n"
               "simulate to 3 [s] every 0.1 [s] using auto\n");
  // partitioned, and with a nonholonomic row
  check_stored("param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\ncoord u = 1 [m], v = 0 [m]\n"
               "kinetic = 1/2*m*(u'^2 + v'^2)\npotential = m*g*v\nconstraint rod: u^2 + v^2 = L^2\n"
               "simulate to 1 [s] every 0.1 [s] using rk853 stabilize partitioning\n");
}

// A load that is given back in every turn, however it is spread, has done nothing.
static void works_that_cancel_are_nothing(void **state) {
  (void)state;
  Random random = random_start("works_that_cancel_are_nothing");
  for (int round = 0; round < test_rounds(12); round++) {
    char text[1000];
    snprintf(text, sizeof text,
             "param a = %.2f [m], d = %.3f [m], F = %.0f [N], w = 1 [Hz], m = 2 [kg]\n"
             "coord x ~ 0 [m]\nkinetic = 1/2*m*x'^2\nconstraint drive: x = a*cos(2*pi*w*t)\n"
             "force x = F*exp(-((x + %.2f*a)/d)^2)\nsimulate to %d [s] every 10 [ms]\n",
             random_real(&random, 0.05, 0.5), random_real(&random, 0.005, 0.1),
             exp(random_real(&random, 0, 10)), random_real(&random, -1, 1),
             1 + random_below(&random, 3));
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model;
    qdot_result *live;
    qdot_run_options o = qdot_run_defaults();
    assert_int_equal(qdot_model_parse(cx, "x", text, strlen(text), NULL, &model), QDOT_OK);
    assert_int_equal(qdot_model_simulate(model, &o, &live), QDOT_OK);
    Said a = said(live, QDOT_FORMAT_TEXT);
    bool is_told = strstr(a.text, "work "), as_zero = strstr(a.text, "forces 0 J, drives 0 J");
    if (is_told && !as_zero) fail_msg("%s%s", text, a.text);
    free(a.text);
    qdot_context_close(cx);
  }
}

RUN_TESTS(cmocka_unit_test(works_that_cancel_are_nothing),
          cmocka_unit_test(every_field_is_written_and_read),
          cmocka_unit_test(the_contract_names_every_field),
          cmocka_unit_test(a_stored_result_says_what_the_run_said))
