// A memory source that counts, and fails once when told to.
#include "support/faults.h"

#include <stdlib.h>

#include "qdot/qdot.h"
#include "support/check.h"

#define MOST_RUNS 3000

typedef struct FaultyHeap {
  size_t taken;   // allocations so far
  size_t fail_at; // the one that fails; 0 for none
  size_t live;    // bytes not given back
} FaultyHeap;

static void *take(void *user, size_t size) {
  FaultyHeap *heap = user;
  if (++heap->taken == heap->fail_at) return NULL;
  heap->live += size;
  return malloc(size);
}

static void give(void *user, void *block, size_t size) {
  FaultyHeap *heap = user;
  heap->live -= size;
  free(block);
}

typedef struct Work {
  Context *cx;
  Status (*run)(Context *cx, void *argument);
  void *argument;
} Work;

static Status run_work(void *argument) {
  Work *work = argument;
  return work->run(work->cx, work->argument);
}

static Status run_with_fault(Work *work, FaultyHeap *heap) {
  // Blocks no larger than what is asked for: every allocation from an arena is one from the heap.
  Memory memory = {.take = take, .give = give, .user = heap, .first_block = 0, .largest_block = 0};
  Limits limits = limits_defaults();
  work->cx = context_open(&limits, &memory);
  Status status = QDOT_NO_MEMORY;
  if (work->cx) status = guard_run(&work->cx->guard, run_work, work);
  context_close(work->cx);
  assert_int_equal(heap->live, 0);
  return status;
}

size_t fail_each_allocation(Status (*run)(Context *cx, void *argument), void *argument,
                            Status expected) {
  Work work = {.run = run, .argument = argument};
  FaultyHeap undisturbed = {0};
  assert_int_equal(run_with_fault(&work, &undisturbed), expected);
  size_t most = (size_t)test_rounds(MOST_RUNS), total = undisturbed.taken;
  Random random = random_start("fail_each_allocation");
  for (size_t i = 1; i <= total && i <= most; i++) {
    // All of them where that is possible, otherwise one out of each stretch of equal length.
    size_t stretch = total > most ? total / most : 1;
    size_t n =
        total > most ? (i - 1) * stretch + (size_t)random_below(&random, (int)stretch) + 1 : i;
    FaultyHeap heap = {.fail_at = n};
    Status status = run_with_fault(&work, &heap);
    if (status != QDOT_NO_MEMORY) print_error("allocation %zu of %zu failed unnoticed\n", n, total);
    assert_int_equal(status, QDOT_NO_MEMORY);
  }
  return total;
}
