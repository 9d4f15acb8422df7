// Tests that go through all examples.
#include "support/examples.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases.h"
#include "support/check.h"

static struct {
  void (*body)(Context *cx, const char *path);
  const char *path;
} example;

static void run_example(Context *cx) { example.body(cx, example.path); }

void with_every_example(void (*body)(Context *cx, const char *path)) {
  const char *root = getenv("QDOT_ROOT");
  char pattern[4096];
  snprintf(pattern, sizeof pattern, "%s/examples/*.qdot", root ? root : ".");
  glob_t list;
  assert_int_equal(glob(pattern, 0, NULL, &list), 0);
  assert_true(list.gl_pathc >= 20);
  for (size_t i = 0; i < list.gl_pathc; i++) {
    example.body = body, example.path = list.gl_pathv[i];
    print_message("%s\n", example.path);
    with_context(run_example);
  }
  globfree(&list);
}

const char *example_text(Context *cx, const char *path) {
  size_t length;
  char *text = read_source_file(strstr(path, "examples/"), &length);
  const char *copy = arena_copy(&cx->keep, text, length);
  free(text);
  return copy;
}
