// Shared parts of the tests.
#include "support/check.h"
#include "qdot/qdot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void check_near(double a, double b, double tolerance, const char *file, int line) {
  double scale = fmax(1, fmax(fabs(a), fabs(b)));
  if (a == b || fabs(a - b) <= tolerance * scale) return;
  print_error("%.17g and %.17g differ by %.3g (allowed %.3g)\n", a, b, fabs(a - b),
              tolerance * scale);
  _fail(file, line);
}

Random random_start(const char *test_name) {
  const char *given = getenv("QDOT_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
  print_message("%s: QDOT_SEED=%llu\n", test_name, (unsigned long long)seed);
  // two rounds of mixing: neighbouring seeds give unrelated streams
  Random random = {seed};
  random.state = random_bits(&random);
  random.state = random_bits(&random);
  return random;
}

uint64_t random_bits(Random *random) {
  // splitmix64
  uint64_t z = random->state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

int random_below(Random *random, int n) { return (int)(random_bits(random) % (uint64_t)n); }

double random_real(Random *random, double low, double high) {
  return low + (high - low) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

int test_rounds(int rounds) {
#ifdef QDOT_PARANOID
  bool slow = true;
#else
  bool slow = getenv("QDOT_FEW_ROUNDS") != NULL; // within valgrind and its kind
#endif
  return !slow ? rounds : rounds > 20 ? rounds / 20 : 1;
}

typedef struct Running {
  Context *cx;
  void (*run)(Context *cx);
} Running;

static Status run_body(void *argument) {
  Running *body = argument;
  body->run(body->cx);
  return QDOT_OK;
}

void with_context(void (*run)(Context *cx)) {
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  Running body = {context_open(&limits, &memory), run};
  assert_non_null(body.cx);
  assert_int_equal(guard_run(&body.cx->guard, run_body, &body), QDOT_OK);
  assert_int_equal(arena_mark(&body.cx->scratch).used, 0);
  context_close(body.cx);
}
