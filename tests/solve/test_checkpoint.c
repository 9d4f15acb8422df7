// A checkpoint comes back whole, or not at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "solve/checkpoint.h"
#include "support/check.h"

static const double values[] = {1.5, -2, 1e-300, 0, 3};

static void damage(const char *path, long where) {
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  fseek(file, where, SEEK_SET);
  int byte = fgetc(file);
  fseek(file, where, SEEK_SET);
  fputc(byte ^ 1, file);
  fclose(file);
}

TEST(whole_or_nothing) {
  Mark mark = arena_mark(&cx->scratch);
  char folder[] = "/tmp/qdot-checkpoint-XXXXXX";
  assert_non_null(mkdtemp(folder));
  const char *path = text_format(&cx->scratch, "%s/state", folder);
  double *read;
  size_t count;
  assert_int_equal(checkpoint_read(&cx->scratch, path, 7, &read, &count), QDOT_IO);
  assert_int_equal(checkpoint_write(&cx->scratch, path, 7, values, 5), QDOT_OK);
  assert_int_equal(checkpoint_read(&cx->scratch, path, 7, &read, &count), QDOT_OK);
  assert_int_equal(count, 5);
  assert_memory_equal(read, values, sizeof values);
  assert_int_equal(checkpoint_read(&cx->scratch, path, 8, &read, &count), QDOT_BAD_FILE);
  // every byte counts
  for (long where = 0; where < 72; where++) {
    damage(path, where);
    assert_int_equal(checkpoint_read(&cx->scratch, path, 7, &read, &count), QDOT_BAD_FILE);
    damage(path, where);
  }
  assert_int_equal(truncate(path, 60), 0);
  assert_int_equal(checkpoint_read(&cx->scratch, path, 7, &read, &count), QDOT_BAD_FILE);
  assert_int_equal(checkpoint_write(&cx->scratch, "/nowhere/state", 7, values, 5), QDOT_IO);
  remove(path);
  rmdir(folder);
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(whole_or_nothing))
