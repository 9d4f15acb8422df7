// Reading never breaks: random valid models, damaged models, exhausted memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/parse/call.h"
#include "lang/read.h"
#include "qdot/qdot.h"
#include "support/cases.h"
#include "support/check.h"
#include "support/describe.h"
#include "support/faults.h"

// ---- Models that are right by construction

typedef struct Writer {
  Text text;
  Random *random;
  int angles, lengths, lets; // names theta_i, x[i], p_i so far
  int sums;                  // their indices j_i
} Writer;

static void write_length(Writer *w, int depth);

static void write_angle(Writer *w, int depth) {
  int kind = random_below(w->random, depth > 0 ? 6 : 2);
  switch (kind) {
  case 0:
    if (w->angles) {
      text_addf(&w->text, "theta_%d", 1 + random_below(w->random, w->angles));
      break;
    } // fall through
  case 1: text_addf(&w->text, "%d [deg]", random_below(w->random, 360)); break;
  case 2:
    text_add(&w->text, "(");
    write_angle(w, depth - 1);
    text_add(&w->text, random_below(w->random, 2) ? " + " : " - ");
    write_angle(w, depth - 1);
    text_add(&w->text, ")");
    break;
  case 3:
    text_add(&w->text, "atan2(");
    write_length(w, depth - 1);
    text_add(&w->text, ", ");
    write_length(w, depth - 1);
    text_add(&w->text, ")");
    break;
  case 4: text_add(&w->text, "Ω*t"); break;
  default: text_add(&w->text, "2*"); write_angle(w, depth - 1);
  }
}

static void write_length(Writer *w, int depth) {
  int kind = random_below(w->random, depth > 0 ? 9 : 3);
  switch (kind) {
  case 0: text_addf(&w->text, "x[%d]", 1 + random_below(w->random, w->lengths)); break;
  case 1:
    if (w->lets) {
      text_addf(&w->text, "p_%d", 1 + random_below(w->random, w->lets));
      break;
    } // fall through
  case 2: text_add(&w->text, "L"); break;
  case 3:
  case 4:
    text_add(&w->text, kind == 3 ? "L*sin(" : "2*cos(");
    write_angle(w, depth - 1);
    text_add(&w->text, kind == 3 ? ")" : ")*1 [mm]");
    break;
  case 5:
    text_add(&w->text, "(");
    write_length(w, depth - 1);
    text_add(&w->text, random_below(w->random, 2) ? " + " : " - ");
    write_length(w, depth - 1);
    text_add(&w->text, ")");
    break;
  case 6:
    text_add(&w->text, "norm((");
    write_length(w, depth - 1);
    text_add(&w->text, ", 1 [ft] + ");
    write_length(w, depth - 1);
    text_add(&w->text, "))");
    break;
  case 7:
    text_add(&w->text, "if(");
    write_length(w, depth - 1);
    text_add(&w->text, " < 2*L, ");
    write_length(w, depth - 1);
    text_add(&w->text, ", 0)");
    break;
  default:
    w->sums++;
    text_addf(&w->text, "sum(j_%d in 1..3: j_%d*", w->sums, w->sums);
    write_length(w, depth - 1);
    text_add(&w->text, ")");
  }
}

static const char *write_model(Context *cx, Random *random) {
  Writer w = {.text = text_new(&cx->scratch), .random = random};
  w.angles = random_below(random, 3), w.lengths = 1 + random_below(random, 3);
  text_addf(&w.text, "count N = %d\n", w.lengths);
  text_add(&w.text, "param m = 1 [kg], L = 20 [cm], g = 9.81, k = 2 [kN/m], Ω = 3 [Hz]\n");
  for (int i = 1; i <= w.angles; i++) text_addf(&w.text, "coord theta_%d = %d\n", i, i);
  text_add(&w.text, "for i in 1..N\n  coord x[i] ~ i*L\n  kinetic = 1/2*m*x[i]'^2\nend\n");
  for (int i = 1; i <= w.angles; i++) text_addf(&w.text, "kinetic = m*L^2*theta_%d'^2\n", i);
  for (; w.lets < 3; w.lets++) {
    text_addf(&w.text, "let p_%d = L + ", w.lets + 1);
    write_length(&w, 3);
    text_addf(&w.text, "\nkinetic = m*p_%d'^2\n", w.lets + 1);
  }
  text_add(&w.text, "potential = m*g*(x[1] + ");
  write_length(&w, 4);
  text_add(&w.text, ") + 1/2*k*(");
  write_length(&w, 4);
  text_add(&w.text, ")^2 + Ω^2*m*L^2\nforce (x[1], p_2) = (k*p_1, 0 [N])\noutput o = p_3''\n");
  return w.text.at;
}

TEST(random_models_are_read) {
  Random random = random_start("random models");
  for (int i = 0; i < test_rounds(400); i++) {
    Mark mark = arena_mark(&cx->scratch);
    const char *text = write_model(cx, &random);
    Model *model;
    Status status = model_read(cx, "model", text, strlen(text), NULL, &model);
    if (status != QDOT_OK || cx->diagnostics.list.n) {
      Text out = text_new(&cx->keep);
      diag_print(&cx->sources, &cx->diagnostics.list.at[0], false, &out);
      print_error("%s\n%s\n", text, out.at);
    }
    assert_int_equal(status, QDOT_OK);
    assert_int_equal(cx->diagnostics.list.n, 0);
    assert_true(model->parameters.at[2].measure.is_known); // g is inferred
    arena_release(&cx->scratch, mark);
  }
}

// ---- Damaged models

// Some edits: pieces are dropped, doubled, moved, and characters are replaced by others.
static void damage(Random *random, char *text, size_t n) {
  static const char signs[] = "()[]{}=~<>+-*/^'\".,:;#\n \t0123456789abcxyzθ\xFF";
  for (int edits = 1 + random_below(random, 4); edits > 0; edits--) {
    size_t at = (size_t)random_below(random, (int)n);
    size_t from = (size_t)random_below(random, (int)n);
    size_t length = 1 + (size_t)random_below(random, 12);
    if (at + length > n || from + length > n) length = 1;
    switch (random_below(random, 3)) {
    case 0: text[at] = signs[random_below(random, (int)sizeof signs - 1)]; break;
    case 1: memmove(text + at, text + from, length); break;
    default: memset(text + at, ' ', length);
    }
  }
}

typedef struct Trial {
  Context *cx;
  const char *text;
  size_t n;
} Trial;

static Status try_reading(void *argument) {
  Trial *trial = argument;
  Model *model;
  Status status = model_read(trial->cx, "damaged", trial->text, trial->n, NULL, &model);
  if (model) describe_model(model);
  Text out = text_new(&trial->cx->keep);
  for (uint32_t i = 0; i < trial->cx->diagnostics.list.n; i++)
    diag_print(&trial->cx->sources, &trial->cx->diagnostics.list.at[i], true, &out);
  // A refusal always says why.
  assert_true(status == QDOT_OK || trial->cx->diagnostics.errors > 0);
  return status;
}

static void damaged_models_are_refused_with_words(void **state) {
  (void)state;
  static const char *const files[] = {"tests/lang/model.case", "tests/lang/fineprint.case",
                                      "tests/lang/wrong.case", "examples/n_link_pendulum.qdot",
                                      "examples/slider_crank.qdot"};
  Random random = random_start("damaged models");
  for (int i = 0; i < test_rounds(1500); i++) {
    size_t n;
    char *text = read_source_file(files[i % 5], &n);
    size_t begin = (size_t)random_below(&random, (int)n);
    size_t length = n - begin < 1500 ? n - begin : 1500;
    damage(&random, text + begin, length);
    Limits limits = limits_defaults();
    limits.statements = 5000;
    Memory memory = memory_defaults();
    Trial trial = {context_open(&limits, &memory), text + begin, length};
    Status status = guard_run(&trial.cx->guard, try_reading, &trial);
    assert_true(status <= QDOT_TOO_LARGE);
    context_close(trial.cx);
    free(text);
  }
}

// ---- Limits

// The message of the first diagnostic when a text is read within limits.
static void check_limit(Limits limits, const char *text, Status status, const char *message) {
  Memory memory = memory_defaults();
  Trial trial = {context_open(&limits, &memory), text, strlen(text)};
  assert_int_equal(guard_run(&trial.cx->guard, try_reading, &trial), status);
  assert_string_equal(trial.cx->diagnostics.list.at[0].message, message);
  context_close(trial.cx);
}

// What a comment or a title holds beside UTF-8 is told once and shown as '?'.
TEST(bytes_of_comments_are_told_and_made_valid) {
  const char *text = "# M\xFCller, 20 \xB0\xC3\nmodel \"\xE9\"\ncoord x = 0 [m]\n"
                     "kinetic = 1/2*(1 [kg])*x'^2\n";
  Model *model;
  assert_int_equal(model_read(cx, "latin", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(cx->diagnostics.list.n, 1);
  const Diagnostic *d = &cx->diagnostics.list.at[0];
  assert_int_equal(d->severity, SEVERITY_WARNING);
  assert_int_equal(d->span.begin, 3);
  assert_string_equal(d->label, "save the file as UTF-8; of Latin-1: iconv -f latin1 -t utf8");
  assert_int_equal(strncmp(cx->sources.at[d->span.source].text, "# M?ller, 20 ??\n", 16), 0);
  assert_string_equal(model->title, "?");
}

TEST(bytes_of_statements_are_refused_with_a_cure) {
  const char *text = "coord \xFC = 0 [m]\n";
  Model *model;
  assert_int_equal(model_read(cx, "latin", text, strlen(text), NULL, &model), QDOT_SYNTAX);
  assert_string_equal(cx->diagnostics.list.at[0].label,
                      "save the file as UTF-8; of Latin-1: iconv -f latin1 -t utf8");
}

// Any byte that begins no character, in a name behind a comment with another one: both are told,
// and no question mark that nobody wrote.
TEST(every_stray_byte_is_named) {
  for (int byte = 0x80; byte <= 0xFF; byte++) {
    char text[80];
    snprintf(text, sizeof text, "let x = 1 # %c\nlet y%c = 2\nlet z%c = 3\n", byte, byte, byte);
    cx->diagnostics = (Diagnostics){0};
    Model *model;
    assert_int_equal(model_read(cx, "bytes", text, strlen(text), NULL, &model), QDOT_SYNTAX);
    const Diagnostics *all = &cx->diagnostics;
    assert_int_equal(all->warnings, 1);
    for (uint32_t i = 0; i < 2; i++)
      assert_string_equal(all->list.at[i].message, "this is not valid UTF-8");
    assert_int_equal(strncmp(all->list.at[0].label, "save the file", 13), 0);
    for (uint32_t i = 2; i < all->list.n; i++) assert_null(strstr(all->list.at[i].message, "'?'"));
  }
}

// A context lives on after mistakes: what is found in a text does not depend on how many there were
// in texts before it.
TEST(mistakes_of_other_texts_do_not_count) {
  static const char *const texts[] = {
      "coord x = 0 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n",
      "coord x = 0 [m]\nkinetic = 1/2*(1 [kg])*(x'^2\nlet a = b\noutput c = d\n",
      "coord x = 0 [m]\nlet \xFC = 1\nlet y = \"\nlet z = ? ?\n", "let a = b\nlet c = d\n",
      "for i in 1..2\n  let a[i] = (1\nend\nlet b = 1\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    uint32_t errors[4];
    for (uint32_t k = 0; k < 4; k++) {
      uint32_t before = k * MOST_DIAGNOSTICS;
      cx->diagnostics = (Diagnostics){0};
      for (uint32_t n = 0; n < before; n++) diag_error_plain(cx, QDOT_SYNTAX, "another");
      Model *model;
      Status status = model_read(cx, "text", texts[i], strlen(texts[i]), NULL, &model);
      errors[k] = cx->diagnostics.errors - before;
      assert_int_equal(status == QDOT_OK, i == 0);
      assert_int_equal(errors[k], errors[0]);
    }
    assert_int_equal(errors[0] == 0, i == 0);
  }
}

static void sizes_are_limited(void **state) {
  (void)state;
  Limits limits = limits_defaults();
  limits.statements = 1000, limits.nesting = 3;
  check_limit(limits, "for i in 1..100\nfor j in 1..100\nlet a[i,j] = 1\nend\nend", QDOT_TOO_LARGE,
              "the loops expand to more than 1000 statements");
  check_limit(limits, "let a = sum(i in 1..1000000000: i)", QDOT_TOO_LARGE,
              "the loops expand to more than 1000 statements");
  check_limit(limits, "let a = ((((1))))", QDOT_SYNTAX, "more than 3 nested brackets and signs");
  check_limit(limits, "let a = 2^2^2^2^2", QDOT_SYNTAX, "more than 3 nested brackets and signs");
  check_limit(limits, "let a = -----1", QDOT_SYNTAX, "more than 3 nested brackets and signs");
  check_limit(limits,
              "for a in 1..1\nfor b in 1..1\nfor c in 1..1\nfor d in 1..1\nend\nend\nend\nend",
              QDOT_TOO_LARGE, "more than 3 nested loops");
}

static void bytes_that_are_no_text_are_refused(void **state) {
  (void)state;
  Limits limits = limits_defaults();
  check_limit(limits, "let x = 1 + \xFF\xFE\nlet y = \xC0", QDOT_SYNTAX, "this is not valid UTF-8");
  // After a hundred messages the rest only counts.
  char many[4000] = "let x = 0";
  for (int i = 0; i < 300; i++) sprintf(many + strlen(many), " + u%d", i);
  check_limit(limits, many, QDOT_UNKNOWN_NAME, "unknown name 'u0'");
  strcpy(many, "let x = min(0");
  for (int i = 0; i < 1200; i++) strcat(many, ",1");
  check_limit(limits, strcat(many, ")"), QDOT_SYNTAX,
              "min takes at most 1000 arguments, found 1201");
  static char points[100000] = "let x = table(1";
  size_t at = strlen(points), most = function_find("table")->most;
  for (size_t i = 0; i < most && at < sizeof points - 20; i++)
    at += (size_t)sprintf(points + at, ",(%zu,1)", i);
  strcpy(points + at, ")");
  if (at >= sizeof points - 20) return; // so many are allowed that none of this size are refused
  char message[100];
  sprintf(message, "a table has at most %zu points, found %zu", most - 1, most);
  check_limit(limits, points, QDOT_SYNTAX, message);
}

// ---- Exhausted memory

static Status read_example(Context *cx, void *argument) {
  Model *model;
  const char *text = argument;
  return model_read(cx, "model", text, strlen(text), NULL, &model);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  size_t n;
  char *text = read_source_file("examples/n_link_pendulum.qdot", &n);
  fail_each_allocation(read_example, text, QDOT_OK);
  free(text);
  static char wrong[] = "param m = 1 [kg\nlet x = sin(y\nkinetic = m*(x + 3 [s)\n";
  fail_each_allocation(read_example, wrong, QDOT_SYNTAX);
}

RUN_TESTS(cmocka_unit_test(random_models_are_read),
          cmocka_unit_test(damaged_models_are_refused_with_words),
          cmocka_unit_test(sizes_are_limited), cmocka_unit_test(bytes_that_are_no_text_are_refused),
          cmocka_unit_test(bytes_of_comments_are_told_and_made_valid),
          cmocka_unit_test(bytes_of_statements_are_refused_with_a_cure),
          cmocka_unit_test(every_stray_byte_is_named),
          cmocka_unit_test(mistakes_of_other_texts_do_not_count),
          cmocka_unit_test(every_allocation_may_fail))
