// Other programs: what they read and print, how they end, and a system that has no room for them.
#include "base/host/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/check.h"

static Status start(Context *cx, Process *process, const char *commands, bool takes_input,
                    const char *script) {
  const char *arguments[] = {"sh", "-c", script, NULL};
  ProcessOptions options = {
      .arguments = arguments, .commands = commands, .takes_input = takes_input};
  return process_open(cx, process, &options);
}

static void check_printed(Context *cx, Process *process, const char *expected) {
  Mark mark = arena_mark(&cx->scratch);
  assert_string_equal(process_complaints(cx, process), expected);
  arena_release(&cx->scratch, mark);
}

TEST(a_text_is_its_whole_input) {
  Process p;
  assert_int_equal(start(cx, &p, "one\n\ttwo\n", false, "cat; echo three >&2"), QDOT_OK);
  assert_int_equal(process_wait(cx, &p, 30), QDOT_OK);
  check_printed(cx, &p, "one  two three");
  process_close(cx, &p);
}

TEST(it_runs_where_it_is_told_to) {
  const char *arguments[] = {"pwd", NULL};
  ProcessOptions options = {.arguments = arguments, .folder = "/"};
  Process p;
  assert_int_equal(process_open(cx, &p, &options), QDOT_OK);
  assert_int_equal(process_wait(cx, &p, 30), QDOT_OK);
  check_printed(cx, &p, "/");
  process_close(cx, &p);
}

// Much more than a buffer holds, in pieces.
TEST(what_is_written_arrives) {
  Process p;
  char bytes[1000];
  memset(bytes, 'x', sizeof bytes);
  assert_int_equal(start(cx, &p, NULL, true, "wc -c"), QDOT_OK);
  for (int i = 0; i < 1000; i++) assert_true(process_write(&p, bytes, sizeof bytes));
  assert_int_equal(process_wait(cx, &p, 30), QDOT_OK);
  check_printed(cx, &p, "1000000");
  process_close(cx, &p);
}

TEST(a_reader_that_is_gone_raises_no_signal) {
  Process p;
  char bytes[1000] = {0};
  assert_int_equal(start(cx, &p, NULL, true, "exec 0<&-; exit 3"), QDOT_OK);
  int written = 0;
  while (written < 100000 && process_write(&p, bytes, sizeof bytes)) written++;
  assert_true(written < 100000);
  assert_int_equal(process_wait(cx, &p, 30), QDOT_NO_PROGRAM);
  process_close(cx, &p);
}

TEST(one_that_is_missing_or_does_not_end) {
  Process p;
  const char *arguments[] = {"/nowhere/at all", NULL};
  ProcessOptions options = {.arguments = arguments};
  assert_int_equal(process_open(cx, &p, &options), QDOT_NO_PROGRAM);
  process_close(cx, &p);
  assert_int_equal(start(cx, &p, NULL, false, "sleep 1000"), QDOT_OK);
  assert_int_equal(process_wait(cx, &p, 0.01), QDOT_TIMEOUT);
  pid_t pid = p.pid;
  process_close(cx, &p);
  assert_int_equal(kill(pid, 0), -1);
  assert_int_equal(errno, ESRCH);
}

// The first `most` descriptors that are free now can be opened, no others.
static void allow_descriptors(int most, struct rlimit *before) {
  int free_now = dup(0);
  assert_true(free_now >= 0);
  close(free_now);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, before), 0);
  struct rlimit few = {(rlim_t)(free_now + most), before->rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
}

// Its complaints need a file, and its input another or a pair of sockets.
TEST(no_descriptor_is_left) {
  for (int most = 0; most < 4; most++)
    for (int takes_input = 0; takes_input < 2; takes_input++) {
      Process p;
      struct rlimit before;
      size_t said = cx->diagnostics.list.n;
      allow_descriptors(most, &before);
      Status status = start(cx, &p, takes_input ? NULL : "", takes_input, "exit 0");
      setrlimit(RLIMIT_NOFILE, &before);
      if (status == QDOT_OK) status = process_wait(cx, &p, 30);
      process_close(cx, &p);
      bool enough = most >= (takes_input ? 3 : 2);
      assert_int_equal(status, enough ? QDOT_OK : QDOT_IO);
      assert_int_equal(cx->diagnostics.list.n, enough ? said : said + 1);
      if (!enough)
        assert_string_equal(cx->diagnostics.list.at[said].message,
                            "cannot start 'sh': Too many open files");
    }
}

TEST(the_disk_is_full) {
  struct rlimit before, none;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  none = (struct rlimit){0, before.rlim_max};
  void (*usual)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
  Process p;
  Status status = start(cx, &p, "plot x\n", false, "cat");
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, usual);
  process_close(cx, &p);
  assert_int_equal(status, QDOT_IO);
  assert_string_equal(cx->diagnostics.list.at[0].message, "cannot start 'sh': File too large");
}

RUN_TESTS(cmocka_unit_test(a_text_is_its_whole_input),
          cmocka_unit_test(it_runs_where_it_is_told_to), cmocka_unit_test(what_is_written_arrives),
          cmocka_unit_test(a_reader_that_is_gone_raises_no_signal),
          cmocka_unit_test(one_that_is_missing_or_does_not_end),
          cmocka_unit_test(no_descriptor_is_left), cmocka_unit_test(the_disk_is_full))
