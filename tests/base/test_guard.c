// The guard: escapes, handles, limits, and every allocation failing once.
#include "base/guard.h"

#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "qdot/qdot.h"
#include "support/check.h"
#include "support/faults.h"

typedef struct Trail {
  Context *cx;
  char closed[8]; // letters of the handles, in the order in which they were closed
  Status why;     // of an escape
} Trail;

typedef struct Letter {
  Trail *trail;
  char letter;
} Letter;

static void note_closing(void *object) {
  Letter *letter = object;
  size_t n = strlen(letter->trail->closed);
  letter->trail->closed[n] = letter->letter;
}

static Context *open_with_limits(Limits limits) {
  Memory memory = memory_defaults();
  Context *cx = context_open(&limits, &memory);
  assert_non_null(cx);
  return cx;
}

static Status escape_with_open_handles(void *argument) {
  Trail *trail = argument;
  Guard *guard = &trail->cx->guard;
  Letter letters[] = {{trail, 'a'}, {trail, 'b'}, {trail, 'c'}};
  Handle handles[3];
  for (int i = 0; i < 3; i++) guard_register(guard, &handles[i], &letters[i], note_closing);
  guard_close(guard, &handles[2]);
  assert_int_equal(trail->closed[strlen(trail->closed) - 1], 'c');
  guard_escape(guard, trail->why);
}

static Status never_reached(void *argument) {
  (void)argument;
  fail_msg("a tripped guard runs nothing more");
  return QDOT_OK;
}

static void escape_closes_handles_innermost_first(void **state) {
  (void)state;
  Trail trail = {open_with_limits(limits_defaults()), "", QDOT_NO_MEMORY};
  assert_int_equal(guard_run(&trail.cx->guard, escape_with_open_handles, &trail), QDOT_NO_MEMORY);
  assert_string_equal(trail.closed, "cba");
  assert_int_equal(guard_run(&trail.cx->guard, never_reached, NULL), QDOT_NO_MEMORY);
  context_close(trail.cx);
}

static Status reached(void *argument) {
  *(bool *)argument = true;
  return QDOT_OK;
}

// What was cancelled or out of time can be followed by other work.
static void passing_escapes_leave_the_guard_as_it_was(void **state) {
  (void)state;
  Trail trail = {open_with_limits(limits_defaults()), "", QDOT_TIMEOUT};
  assert_int_equal(guard_run(&trail.cx->guard, escape_with_open_handles, &trail), QDOT_TIMEOUT);
  assert_true(trail.cx->guard.has_escaped);
  trail.why = QDOT_CANCELLED;
  assert_int_equal(guard_run(&trail.cx->guard, escape_with_open_handles, &trail), QDOT_CANCELLED);
  assert_string_equal(trail.closed, "cbacba");
  bool was_reached = false;
  assert_int_equal(guard_run(&trail.cx->guard, reached, &was_reached), QDOT_OK);
  assert_true(was_reached && !trail.cx->guard.has_escaped);
  context_close(trail.cx);
}

static void note_abandoning(void *object) {
  Letter *letter = object;
  size_t n = strlen(letter->trail->closed);
  letter->trail->closed[n] = (char)(letter->letter - 'a' + 'A');
}

// A process that ends at once leaves nothing half made, in rooms neither.
static Status abandon_with_open_handles(void *argument) {
  Trail *trail = argument;
  Letter letters[] = {{trail, 'a'}, {trail, 'b'}, {trail, 'c'}};
  Handle handles[3];
  for (int i = 0; i < 3; i++) {
    guard_register(&trail->cx->guard, &handles[i], &letters[i], note_closing);
    if (i != 1) handles[i].abandon = note_abandoning;
  }
  context_abandon(trail->cx);
  assert_string_equal(trail->closed, "CA");
  for (int i = 3; i-- > 0;) guard_close(&trail->cx->guard, &handles[i]);
  return QDOT_OK;
}

static void what_is_half_made_can_be_abandoned(void **state) {
  (void)state;
  Trail trail = {open_with_limits(limits_defaults()), "", QDOT_OK};
  assert_int_equal(guard_run(&trail.cx->guard, abandon_with_open_handles, &trail), QDOT_OK);
  assert_string_equal(trail.closed, "CAcba");
  context_close(trail.cx);
}

static Status run_nested(void *argument) {
  Trail *trail = argument;
  guard_run(&trail->cx->guard, escape_with_open_handles, trail);
  fail_msg("an escape leaves the outermost body");
  return QDOT_OK;
}

static void nested_escape_leaves_the_outermost_body(void **state) {
  (void)state;
  Trail trail = {open_with_limits(limits_defaults()), "", QDOT_TIMEOUT};
  assert_int_equal(guard_run(&trail.cx->guard, run_nested, &trail), QDOT_TIMEOUT);
  assert_string_equal(trail.closed, "cba");
  context_close(trail.cx);
}

static Status allocate_without_end(void *argument) {
  Context *cx = argument;
  while (!cx->cancelled) arena_alloc(&cx->keep, 1000);
  return QDOT_OK;
}

static Status allocate_too_much_at_once(void *argument) {
  Context *cx = argument;
  arena_alloc(&cx->keep, SIZE_MAX - 3);
  return QDOT_OK;
}

static Status overflow_a_size(void *argument) {
  Context *cx = argument;
  arena_array(&cx->keep, double, SIZE_MAX / 4);
  return QDOT_OK;
}

static void check_ends_with(Status (*body)(void *), Limits limits, Status expected) {
  Context *cx = open_with_limits(limits);
  assert_int_equal(guard_run(&cx->guard, body, cx), expected);
  assert_true(cx->memory.used <= limits.memory_bytes);
  context_close(cx);
}

static void memory_limit_holds(void **state) {
  (void)state;
  Limits limits = limits_defaults();
  limits.memory_bytes = (size_t)3 << 20;
  check_ends_with(allocate_without_end, limits, QDOT_NO_MEMORY);
  check_ends_with(allocate_too_much_at_once, limits, QDOT_NO_MEMORY);
  check_ends_with(overflow_a_size, limits, QDOT_TOO_LARGE);
}

static Status work_until_stopped(void *argument) {
  Context *cx = argument;
  context_start_clock(cx);
  for (;;) context_poll(cx);
  return QDOT_OK;
}

static void time_limit_and_cancel_stop_the_work(void **state) {
  (void)state;
  Limits limits = limits_defaults();
  limits.seconds = 0.02;
  double began = context_seconds();
  check_ends_with(work_until_stopped, limits, QDOT_TIMEOUT);
  assert_true(context_seconds() - began < 2);

  Context *cx = open_with_limits(limits_defaults());
  qdot_context_cancel(cx);
  assert_int_equal(guard_run(&cx->guard, work_until_stopped, cx), QDOT_CANCELLED);
  context_close(cx);
}

// Names, a source, diagnostics and their text: all that the base layer allocates.
static Status use_every_table(Context *cx, void *argument) {
  (void)argument;
  const char *text = "a = b\n";
  uint32_t source = source_add(&cx->keep, &cx->sources, "m.qdot", text, strlen(text));
  for (int i = 0; i < 100; i++) {
    char name[20];
    snprintf(name, sizeof name, "name_%d", i);
    symbol_from_text(cx, name);
  }
  for (int i = 0; i < 10; i++) {
    diag_error(cx, QDOT_UNKNOWN_NAME, (Span){source, 4, 5}, "unknown name '%s'", "b");
    diag_suggest(cx, "a");
    diag_second(cx, (Span){source, 0, 1}, "here");
  }
  Mark mark = arena_mark(&cx->scratch);
  Text out = text_new(&cx->scratch);
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    diag_print(&cx->sources, &cx->diagnostics.list.at[i], false, &out);
  arena_release(&cx->scratch, mark);
  return QDOT_OK;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  assert_in_range(fail_each_allocation(use_every_table, NULL, QDOT_OK), 100, 1000);
}

RUN_TESTS(cmocka_unit_test(escape_closes_handles_innermost_first),
          cmocka_unit_test(passing_escapes_leave_the_guard_as_it_was),
          cmocka_unit_test(what_is_half_made_can_be_abandoned),
          cmocka_unit_test(nested_escape_leaves_the_outermost_body),
          cmocka_unit_test(memory_limit_holds),
          cmocka_unit_test(time_limit_and_cancel_stop_the_work),
          cmocka_unit_test(every_allocation_may_fail))
