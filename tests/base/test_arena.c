// Arenas, marks, growing arrays and limits of memory.
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "support/check.h"

TEST(memory_is_zeroed_and_aligned) {
  for (size_t size = 0; size < 300; size++) {
    unsigned char *bytes = arena_alloc(&cx->keep, size);
    assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
    memset(bytes, 0xAA, size);
  }
}

TEST(allocations_do_not_overlap) {
  enum { COUNT = 500 };
  unsigned char *blocks[COUNT];
  Random random = random_start("allocations_do_not_overlap");
  size_t sizes[COUNT];
  for (int i = 0; i < COUNT; i++) {
    sizes[i] = (size_t)random_below(&random, 5000);
    blocks[i] = arena_alloc(&cx->keep, sizes[i]);
    memset(blocks[i], i & 0xFF, sizes[i]);
  }
  for (int i = 0; i < COUNT; i++) {
    for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i & 0xFF);
  }
}

TEST(release_gives_back_what_came_after_the_mark) {
  char *kept = arena_copy(&cx->scratch, "kept", 4);
  size_t used = cx->memory.used;
  Mark mark = arena_mark(&cx->scratch);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 100; i++) memset(arena_alloc(&cx->scratch, 10000), 0xFF, 10000);
    assert_true(cx->memory.used > used + 900000);
    arena_release(&cx->scratch, mark);
    // One block may stay for later.
    assert_true(cx->memory.used <= used + cx->memory.largest_block + 100);
    assert_string_equal(kept, "kept");
  }
  // What is allocated again is zero again.
  unsigned char *again = arena_alloc(&cx->scratch, 1000);
  for (int i = 0; i < 1000; i++) assert_int_equal(again[i], 0);
  arena_release(&cx->scratch, mark);
  arena_release(&cx->scratch, (Mark){0});
}

// Marking, allocating and releasing at the edge of a block does not go to the heap each time.
TEST(released_blocks_are_used_again) {
  arena_alloc(&cx->scratch, 16000);
  Mark mark = arena_mark(&cx->scratch);
  void *first = NULL;
  for (int i = 0; i < 100; i++) {
    void *block = arena_alloc(&cx->scratch, 1000);
    if (i) assert_ptr_equal(block, first);
    first = block;
    arena_release(&cx->scratch, mark);
  }
  arena_release(&cx->scratch, (Mark){0});
}

// What is kept for later is given back before an allocation fails.
TEST(a_kept_block_does_not_count_against_the_limit) {
  Memory memory = memory_defaults();
  memory.limit = 100000;
  Arena arena;
  arena_open(&arena, &memory, &cx->guard);
  Mark mark = arena_mark(&arena);
  arena_alloc(&arena, 60000);
  arena_release(&arena, mark);
  assert_true(memory.used > 60000);
  unsigned char *large = arena_alloc(&arena, 90000);
  memset(large, 1, 90000);
  assert_true(memory.used < 100000);
  arena_close(&arena);
  assert_int_equal(memory.used, 0);
}

TEST(vectors_keep_their_values) {
  VEC(double) values = {0};
  for (int i = 0; i < 10000; i++) vec_push(&cx->keep, &values, i * 0.5);
  assert_int_equal(values.n, 10000);
  for (int i = 0; i < 10000; i++) assert_true(values.at[i] == i * 0.5);
}

RUN_TESTS(cmocka_unit_test(memory_is_zeroed_and_aligned),
          cmocka_unit_test(allocations_do_not_overlap),
          cmocka_unit_test(release_gives_back_what_came_after_the_mark),
          cmocka_unit_test(released_blocks_are_used_again),
          cmocka_unit_test(a_kept_block_does_not_count_against_the_limit),
          cmocka_unit_test(vectors_keep_their_values))
