// Names as symbols, hashes, formatted text.
#include "base/intern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "support/check.h"

TEST(same_text_is_the_same_symbol) {
  enum { COUNT = 5000 };
  Symbol symbols[COUNT];
  char name[40];
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "theta_%d", i);
    assert_int_equal(intern_find(&cx->names, name, strlen(name)), 0);
    symbols[i] = symbol_from_text(cx, name);
    assert_int_not_equal(symbols[i], 0);
  }
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "theta_%d", i);
    assert_int_equal(symbol_from_text(cx, name), symbols[i]);
    assert_string_equal(symbol_text(cx, symbols[i]), name);
    if (i) assert_int_not_equal(symbols[i], symbols[i - 1]);
  }
}

TEST(length_and_zero_bytes_tell_names_apart) {
  Symbol ab = intern_bytes(&cx->names, "ab", 2), zero = intern_bytes(&cx->names, "a\0b", 3);
  assert_int_not_equal(ab, zero);
  assert_int_not_equal(intern_bytes(&cx->names, "abc", 2), zero);
  assert_int_equal(intern_bytes(&cx->names, "abc", 2), ab);
  assert_int_equal(intern_find(&cx->names, "a", 1), 0);
}

static void hashes_spread(void **state) {
  (void)state;
  // Names that differ in one digit fill the buckets evenly: no bucket above four times its share.
  enum { BUCKETS = 256, NAMES = 16 * BUCKETS };
  int filled[BUCKETS] = {0};
  for (int i = 0; i < NAMES; i++) {
    char name[20];
    int n = snprintf(name, sizeof name, "x[%d]", i);
    filled[hash_bytes(name, (size_t)n) % BUCKETS]++;
  }
  for (int i = 0; i < BUCKETS; i++) assert_true(filled[i] < 4 * NAMES / BUCKETS);
}

TEST(text_grows_and_formats) {
  Text text = text_new(&cx->keep);
  assert_string_equal(text.at, "");
  for (int i = 0; i < 1000; i++) text_addf(&text, "%d,", i % 10);
  assert_int_equal(text.n, 2000);
  assert_int_equal(strlen(text.at), 2000);
  assert_string_equal(text_format(&cx->keep, "%s-%d", "a", 7), "a-7");
}

TEST(doubles_read_back) {
  Random random = random_start("doubles_read_back");
  for (int i = 0; i < test_rounds(20000); i++) {
    uint64_t bits = random_bits(&random);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    Mark mark = arena_mark(&cx->scratch);
    Text text = text_new(&cx->scratch);
    text_add_double(&text, value);
    assert_true(strtod(text.at, NULL) == value);
    arena_release(&cx->scratch, mark);
  }
  Text short_one = text_new(&cx->keep);
  text_add_double(&short_one, 0.1);
  assert_string_equal(short_one.at, "0.1");
}

RUN_TESTS(cmocka_unit_test(same_text_is_the_same_symbol),
          cmocka_unit_test(length_and_zero_bytes_tell_names_apart), cmocka_unit_test(hashes_spread),
          cmocka_unit_test(text_grows_and_formats), cmocka_unit_test(doubles_read_back))
