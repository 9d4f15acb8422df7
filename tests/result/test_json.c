// JSON out and in again.
#include "result/json.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/faults.h"

TEST(what_is_written_is_read_back) {
  Json json;
  json_open(cx, &json);
  json_add_text(&json, json.root, "name", "θ \"quoted\" \\ \n");
  JsonValue *numbers = json_add_array(&json, json.root, "numbers");
  const double values[] = {0.1, 1e300, -5e-324, 3, NAN, INFINITY};
  for (int i = 0; i < 6; i++) json_add_number(&json, numbers, NULL, values[i]);
  json_add_integer(&json, json.root, "steps", 123456789012);
  json_add_null(&json, json.root, "stopped");
  Text text = text_new(&cx->keep);
  json_print(&json, &text);
  json_close(&json);
  assert_non_null(strstr(text.at, "    0.1,\n    1e+300,\n    -5e-324,\n    3.0,\n    null,\n"));
  assert_non_null(strstr(text.at, "\"θ \\\"quoted\\\" \\\\ \\n\""));
  assert_true(strstr(text.at, "name") < strstr(text.at, "numbers"));

  Json back;
  assert_int_equal(json_read(cx, "summary.json", text.at, text.n, &back), QDOT_OK);
  assert_string_equal(json_text(json_get(back.root, "name")), "θ \"quoted\" \\ \n");
  const JsonValue *list = json_get(back.root, "numbers");
  assert_int_equal(json_count(list), 6);
  for (size_t i = 0; i < 4; i++) assert_true(json_number(json_at(list, i)) == values[i]);
  for (size_t i = 4; i < 6; i++) assert_true(isnan(json_number(json_at(list, i))));
  assert_true(json_number(json_get(back.root, "steps")) == 123456789012);
  assert_null(json_get(back.root, "absent"));
  assert_null(json_text(list));
  json_close(&back);
}

TEST(bad_text_is_reported) {
  Json json;
  static const char *const bad[] = {"",    "{", "[1,]", "{\"a\": 1} x", "{\"a\": 1, \"a\": 2}",
                                    "\xff"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(json_read(cx, "s.json", bad[i], strlen(bad[i]), &json), QDOT_BAD_FILE);
  assert_int_equal(cx->diagnostics.errors, 6);
}

static Status write_document(Context *cx, void *argument) {
  (void)argument;
  Json json;
  json_open(cx, &json);
  for (int i = 0; i < 5; i++)
    json_add_number(&json, json.root, text_format(&cx->keep, "k%d", i), i);
  Text text = text_new(&cx->keep);
  json_print(&json, &text);
  json_close(&json);
  return QDOT_OK;
}

static void nothing_leaks(void **state) {
  (void)state;
  fail_each_allocation(write_document, NULL, QDOT_OK);
}

RUN_TESTS(cmocka_unit_test(what_is_written_is_read_back), cmocka_unit_test(bad_text_is_reported),
          cmocka_unit_test(nothing_leaks))
