// Sets of variables against plain arrays of flags.
#include <string.h>

#include "expr/deps.h"
#include "expr/node.h"
#include "support/check.h"

#define VARIABLES 5000
#define SETS 40

typedef struct Sample {
  DepSet set;
  bool has[VARIABLES];
} Sample;

// Few or many members, near each other or far apart, in any order.
static void fill(Context *cx, Random *random, Sample *sample) {
  int count = random_below(random, 30), width = 1 << random_below(random, 13);
  int first = random_below(random, VARIABLES);
  *sample = (Sample){0};
  for (int i = 0; i < count; i++) {
    int variable = first + random_below(random, width);
    if (variable >= VARIABLES) variable %= 70;
    sample->has[variable] = true;
    sample->set = deps_union(cx, sample->set, deps_single(cx, (uint32_t)variable));
  }
}

static bool flags_meet(const Sample *a, const Sample *b) {
  for (int i = 0; i < VARIABLES; i++)
    if (a->has[i] && b->has[i]) return true;
  return false;
}

static void check_pair(Context *cx, const Sample *a, const Sample *b) {
  bool same = memcmp(a->has, b->has, sizeof a->has) == 0;
  assert_int_equal(a->set == b->set, same);
  assert_int_equal(deps_meet(cx, a->set, b->set), flags_meet(a, b));
  DepSet both = deps_union(cx, a->set, b->set);
  assert_int_equal(both, deps_union(cx, b->set, a->set));
  for (uint32_t i = 0; i < VARIABLES; i++)
    assert_int_equal(deps_has(cx, both, i), a->has[i] || b->has[i]);
}

TEST(sets_agree_with_flags) {
  expr_store(cx);
  Random random = random_start("dependency sets");
  static Sample samples[SETS];
  for (int i = 0; i < SETS; i++) fill(cx, &random, &samples[i]);
  samples[1] = samples[0];
  for (int i = 0; i < test_rounds(300); i++)
    check_pair(cx, &samples[random_below(&random, SETS)], &samples[random_below(&random, SETS)]);
}

// The sets {i, j, everything from j on} of all pairs: what n^2 entries of a chain's mass matrix
// depend on. As arrays of bits they would take n^3/16 bytes.
TEST(many_similar_sets_are_small) {
  expr_store(cx);
  enum { N = 800 };
  static DepSet from[N + 1], single[N];
  from[N] = 0;
  for (int i = N - 1; i >= 0; i--) {
    single[i] = deps_single(cx, 10 * (uint32_t)i);
    from[i] = deps_union(cx, from[i + 1], single[i]);
  }
  size_t before = cx->memory.used;
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) deps_union(cx, from[j], single[i]);
  size_t bytes = cx->memory.used - before;
  print_message("%zu bytes a pair\n", bytes / (N * N / 2));
  assert_true(bytes / (N * N / 2) < 250);
}

RUN_TESTS(cmocka_unit_test(sets_agree_with_flags), cmocka_unit_test(many_similar_sets_are_small))
