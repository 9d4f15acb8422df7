// Files of a folder: whole or not at all.
#include "base/host/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"

static const char *new_folder(Context *cx) {
  char *path = text_format(&cx->keep, "/tmp/qdot-folder-XXXXXX");
  assert_non_null(mkdtemp(path));
  return path;
}

static bool is_all(const char *name, void *user) {
  (void)user;
  return *name != '.';
}

static void remove_folder(Context *cx, const char *folder) {
  folder_clear(cx, folder, is_all, NULL);
  assert_int_equal(rmdir(folder), 0);
}

TEST(files_are_read_as_they_were_written) {
  const char *folder = new_folder(cx), *deep = folder_path(&cx->keep, folder, "a//b");
  assert_int_equal(folder_make(cx, deep), QDOT_OK);
  assert_int_equal(folder_make(cx, deep), QDOT_OK);
  size_t n = 300000, back;
  char *bytes = arena_alloc(&cx->keep, n);
  for (size_t i = 0; i < n; i++) bytes[i] = (char)(i * i % 251);
  const char *read;
  assert_int_equal(folder_write(cx, deep, "x", bytes, n), QDOT_OK);
  assert_int_equal(folder_copy(cx, deep, "x", "y"), QDOT_OK);
  assert_int_equal(folder_read(cx, &cx->keep, deep, "y", &read, &back), QDOT_OK);
  assert_int_equal(back, n);
  assert_memory_equal(read, bytes, n);
  remove_folder(cx, deep);
  assert_int_equal(rmdir(folder_path(&cx->keep, folder, "a")), 0);
  remove_folder(cx, folder);
}

static const char *said(Context *cx, uint32_t i) {
  assert_int_equal(cx->diagnostics.list.n, i + 1);
  return cx->diagnostics.list.at[i].message;
}

// A folder where the file should be: the message names it, and nothing temporary stays.
TEST(what_cannot_be_replaced_stays) {
  const char *folder = new_folder(cx), *taken = folder_path(&cx->keep, folder, "taken");
  assert_int_equal(mkdir(taken, 0700), 0);
  assert_int_equal(folder_write(cx, folder, "taken", "x", 1), QDOT_IO);
  assert_string_equal(said(cx, 0),
                      text_format(&cx->keep, "cannot write '%s': Is a directory", taken));
  assert_int_equal(folder_write(cx, folder, "x", "1", 1), QDOT_OK);
  assert_int_equal(folder_copy(cx, folder, "x", "taken"), QDOT_IO);
  assert_int_equal(folder_copy(cx, folder, "nowhere", "x"), QDOT_IO);
  const char *bytes;
  size_t n;
  assert_int_equal(folder_read(cx, &cx->keep, folder, "taken", &bytes, &n), QDOT_IO);
  assert_int_equal(folder_read(cx, &cx->keep, folder, "x", &bytes, &n), QDOT_OK);
  assert_string_equal(bytes, "1");
  assert_int_equal(access(folder_path(&cx->keep, folder, "taken.part"), F_OK), -1);
  assert_int_equal(access(folder_path(&cx->keep, folder, "x.part"), F_OK), -1);
  assert_int_equal(rmdir(taken), 0);
  remove_folder(cx, folder);
}

RUN_TESTS(cmocka_unit_test(files_are_read_as_they_were_written),
          cmocka_unit_test(what_cannot_be_replaced_stays))
