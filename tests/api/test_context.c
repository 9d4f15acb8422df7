// Contexts and diagnostics through the public header.
#include <stdlib.h>
#include <string.h>

#include "api/api_call.h"
#include "support/check.h"

typedef struct Buffer {
  char text[1000];
  size_t n;
} Buffer;

static int append(void *user, const char *bytes, size_t n) {
  Buffer *buffer = user;
  if (buffer->n + n >= sizeof buffer->text) return -1;
  memcpy(buffer->text + buffer->n, bytes, n);
  buffer->n += n;
  return 0;
}

static int refuse(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return -1;
}

static Status make_two_mistakes(void *argument) {
  Context *cx = argument;
  uint32_t source = source_add(&cx->keep, &cx->sources, "m.qdot", "a + b\n", 6);
  diag_warning(cx, (Span){source, 0, 1}, "odd");
  diag_error(cx, QDOT_UNKNOWN_NAME, (Span){source, 4, 5}, "unknown name 'b'");
  return diag_error_plain(cx, QDOT_BAD_MODEL, "no coordinates");
}

static void diagnostics_are_written_and_counted(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  assert_int_equal(api_call(cx, make_two_mistakes, cx), QDOT_BAD_MODEL);
  assert_int_equal(qdot_error_count(cx), 2);
  assert_int_equal(qdot_warning_count(cx), 1);
  Buffer buffer = {0};
  assert_int_equal(qdot_diagnostics_write(cx, NULL, (qdot_sink){append, &buffer}), QDOT_OK);
  assert_string_equal(buffer.text, "m.qdot:1:1: warning: odd\n"
                                   "    a + b\n"
                                   "    ^\n"
                                   "m.qdot:1:5: error: unknown name 'b'\n"
                                   "    a + b\n"
                                   "        ^\n"
                                   "error: no coordinates\n"
                                   "m.qdot: 2 errors\n");
  assert_int_equal(qdot_diagnostics_write(cx, NULL, (qdot_sink){refuse, NULL}), QDOT_IO);
  Buffer coloured = {0};
  qdot_write_options style = qdot_write_defaults();
  style.colour = 1;
  assert_int_equal(qdot_diagnostics_write(cx, &style, (qdot_sink){append, &coloured}), QDOT_OK);
  assert_non_null(strstr(coloured.text, "\033[1;31merror:\033[0m no coordinates"));
  qdot_context_close(cx);
}

static Status fill_memory(void *argument) {
  Context *cx = argument;
  arena_alloc(&cx->scratch, 100000);
  return QDOT_OK;
}

static void *take_nothing(void *user, size_t size) {
  (void)user, (void)size;
  return NULL;
}

static void exhaustion_is_explained(void **state) {
  (void)state;
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = 60000;
  qdot_context *cx = qdot_context_open(&limits);
  assert_true(qdot_context_memory(cx) > 0 && qdot_context_memory(cx) < 60000);
  assert_int_equal(api_call(cx, fill_memory, cx), QDOT_NO_MEMORY);
  assert_int_equal(api_call(cx, make_two_mistakes, cx), QDOT_NO_MEMORY);
  Buffer buffer = {0};
  assert_int_equal(qdot_diagnostics_write(cx, NULL, (qdot_sink){append, &buffer}), QDOT_OK);
  assert_non_null(strstr(buffer.text, "error: the memory limit is reached\n"));
  assert_non_null(strstr(buffer.text, "    the limit is 5.59e-05 GiB\n"));
  assert_null(strstr(buffer.text, "--"));
  qdot_context_close(cx);

  // a machine that has no more, far below the limit
  limits.memory_bytes = (size_t)4 << 30;
  cx = qdot_context_open(&limits);
  cx->memory.take = take_nothing;
  assert_int_equal(api_call(cx, fill_memory, cx), QDOT_NO_MEMORY);
  buffer = (Buffer){0};
  assert_int_equal(qdot_diagnostics_write(cx, NULL, (qdot_sink){append, &buffer}), QDOT_OK);
  assert_non_null(strstr(buffer.text, "    of the system, behind "));
  qdot_context_close(cx);

  limits.memory_bytes = 10;
  assert_null(qdot_context_open(&limits));
  qdot_context_close(NULL);
}

static void every_status_has_a_sentence(void **state) {
  (void)state;
  for (int s = QDOT_OK; s <= QDOT_BAD_ARGUMENT; s++)
    assert_true(strlen(qdot_status_text((qdot_status)s)) > 3);
  assert_string_equal(qdot_status_text((qdot_status)1000), "unknown status");
  assert_string_equal(qdot_version(), QDOT_VERSION);
}

static void keep_line(void *user, qdot_log_level level, const char *line) {
  if (level == QDOT_LOG_INFO) append(user, line, strlen(line));
}

static void log_goes_to_the_callback(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  Buffer buffer = {0};
  log_line(&cx->log, QDOT_LOG_INFO, "base: nobody listens");
  qdot_context_log(cx, QDOT_LOG_INFO, keep_line, &buffer);
  log_line(&cx->log, QDOT_LOG_INFO, "base: %d", 7);
  log_line(&cx->log, QDOT_LOG_DEBUG, "base: too fine");
  assert_string_equal(buffer.text, "base: 7");
  qdot_context_close(cx);
}

static void words_are_listed(void **state) {
  (void)state;
  for (int of = QDOT_WORDS_FORMULATIONS; of <= QDOT_WORDS_EXPORT_LANGUAGES; of++) {
    size_t n = 0;
    while (qdot_word_at((qdot_vocabulary)of, n))
      assert_true(qdot_word_at((qdot_vocabulary)of, n++)[0]);
    assert_true(n >= 3);
    assert_int_equal(qdot_word_count((qdot_vocabulary)of), n);
    assert_null(qdot_word_at((qdot_vocabulary)of, SIZE_MAX));
  }
  assert_string_equal(qdot_word_at(QDOT_WORDS_EXPORT_LANGUAGES, 0), "c");
}

RUN_TESTS(cmocka_unit_test(words_are_listed), cmocka_unit_test(diagnostics_are_written_and_counted),
          cmocka_unit_test(exhaustion_is_explained), cmocka_unit_test(every_status_has_a_sentence),
          cmocka_unit_test(log_goes_to_the_callback))
