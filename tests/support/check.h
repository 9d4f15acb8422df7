// What every test program uses: cmocka, a context per test, seeded random numbers.
#ifndef QDOT_TESTS_CHECK_H
#define QDOT_TESTS_CHECK_H

// cmocka wants these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/context.h"

// Fails unless |a - b| <= tolerance * max(1, |a|, |b|); prints both.
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__)
void check_near(double a, double b, double tolerance, const char *file, int line);

// Random numbers: the seed is QDOT_SEED (make soak sets a fresh one) or 1, and printed.
typedef struct Random {
  uint64_t state;
} Random;
Random random_start(const char *test_name);
uint64_t random_bits(Random *random);
int random_below(Random *random, int n); // 0 .. n-1
double random_real(Random *random, double low, double high);

// Rounds of a property test: all of them in a plain build, a twentieth under sanitizers
// and where QDOT_FEW_ROUNDS is set.
int test_rounds(int rounds);

// An open context with guard entered around body; fails the test when the guard trips.
void with_context(void (*body)(Context *cx));

// TEST(name) { ... } is a test for cmocka_unit_test(name) whose body has such a context as cx.
#define TEST(name)                                                                                 \
  static void name##_body(Context *cx);                                                            \
  static void name(void **state) {                                                                 \
    (void)state;                                                                                   \
    with_context(name##_body);                                                                     \
  }                                                                                                \
  static void name##_body(__attribute__((unused)) Context *cx)

// The main function of a test program: RUN_TESTS(cmocka_unit_test(a), cmocka_unit_test(b)).
// An argument names the test that runs alone; * and ? stand for any letters.
#define RUN_TESTS(...) RUN_TESTS_BETWEEN(NULL, NULL, __VA_ARGS__)
// The same with what is made before the first of them and removed behind the last.
#define RUN_TESTS_BETWEEN(make, remove, ...)                                                       \
  int main(int argc, char **argv) {                                                                \
    const struct CMUnitTest tests[] = {__VA_ARGS__};                                               \
    if (argc > 1) cmocka_set_test_filter(argv[1]);                                                 \
    return cmocka_run_group_tests(tests, make, remove);                                            \
  }

#endif
