// Values along a tape against those of the graph, bit for bit.
#include <math.h>
#include <string.h>

#include "expr/value/eval.h"
#include "expr/value/tape_build.h"
#include "support/expressions.h"

static bool are_same(const double *a, const double *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
  return true;
}

// Room that holds something.
static double *used_room(Samples *s, size_t n) {
  double *room = arena_array(&s->cx->scratch, double, n);
  for (size_t i = 0; i < n; i++) room[i] = random_real(s->random, -1e9, 1e9);
  return room;
}

static void run(Samples *s, const Tape *tape, const double *values, double *out) {
  tape_values(tape, values, used_room(s, tape_values_room(tape)), out);
}

TEST(tapes_give_the_bits_of_the_graph) {
  Random random = random_start("value_tape");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(2000); k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr roots[3];
    for (int i = 0; i < 3; i++) roots[i] = random_expr(&samples, 4, k % 2);
    const Tape *tape = tape_new(cx, &cx->keep, roots, 3);
    for (int again = 0; again < 2; again++) {
      double *values = random_values(&samples, -2, 2), expected[3], found[3];
      expr_eval_many(cx, roots, 3, values, expected);
      run(&samples, tape, values, found);
      assert_true(are_same(found, expected, 3));
    }
    arena_release(&cx->scratch, mark);
  }
}

// A sine and a cosine of the same are found together, in any order and also of each other.
TEST(sines_and_cosines_of_one_argument_keep_their_bits) {
  Random random = random_start("circular");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(500); k++) {
    Mark mark = arena_mark(&cx->scratch);
    enum { ROOTS = 8 };
    Expr roots[ROOTS] = {random_expr(&samples, 2, false)};
    for (int i = 1; i < ROOTS; i++) {
      Expr of = roots[random_below(&random, i)];
      roots[i] = expr_function1(cx, random_below(&random, 2) ? OP_SIN : OP_COS, of);
    }
    const Tape *tape = tape_new(cx, &cx->keep, roots, ROOTS);
    double *values = random_values(&samples, -2, 2), expected[ROOTS], found[ROOTS];
    expr_eval_many(cx, roots, ROOTS, values, expected);
    run(&samples, tape, values, found);
    assert_true(are_same(found, expected, ROOTS));
    arena_release(&cx->scratch, mark);
  }
}

// Copies n objects, and leaves nothing of them where they were.
static void *take(Arena *arena, const void *from, size_t n, size_t size) {
  void *copy = arena_copy(arena, from, n * size);
  memset((void *)from, 0xff, n * size);
  return copy;
}

static Tape take_tape(Arena *arena, const Tape *from) {
  Tape tape = *from;
  tape.steps = take(arena, from->steps, from->n, sizeof *from->steps);
  tape.args = take(arena, from->args, from->arg_count, sizeof *from->args);
  tape.numbers = take(arena, from->numbers, from->arg_count, sizeof *from->numbers);
  tape.roots = take(arena, from->roots, from->root_count, sizeof *from->roots);
  tape.tables = take(arena, (const void *)from->tables, from->table_count, sizeof *from->tables);
  memset((void *)from, 0xff, sizeof *from);
  return tape;
}

typedef struct Results {
  double value, size;
  Interval bounds;
} Results;

static Results results_of(Samples *s, const Tape *tape, const double *values, Interval along) {
  Results r;
  uint32_t x = symbol_variable(s->cx, s->symbol[2]);
  tape_values(tape, values, used_room(s, tape_values_room(tape)), &r.value);
  tape_sizes(tape, values, NULL, used_room(s, tape_sizes_room(tape)), &r.size);
  tape_intervals(tape, values, x, along, used_room(s, tape_intervals_room(tape)), &r.bounds);
  return r;
}

// A tape is its arrays: moved elsewhere it gives the same.
TEST(a_tape_can_be_moved_as_arrays) {
  Random random = random_start("moved tapes");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(1000); k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 4, k % 2);
    const Tape *tape = tape_new(cx, &cx->keep, &e, 1);
    double *values = random_values(&samples, -2, 2);
    Interval along = {random_real(&random, -2, 0), random_real(&random, 0, 2)};
    Results here = results_of(&samples, tape, values, along);
    Tape moved = take_tape(&cx->keep, tape);
    Results there = results_of(&samples, &moved, values, along);
    assert_true(are_same((double *)&here, (double *)&there, sizeof here / sizeof(double)));
    arena_release(&cx->scratch, mark);
  }
}

// Values, sizes and bounds of some roots, in any order and more than once, without the others.
TEST(a_part_of_a_tape_gives_the_same) {
  Random random = random_start("parts of tapes");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(1000); k++) {
    enum { ROOTS = 6, PARTS = 4 };
    Mark mark = arena_mark(&cx->scratch);
    Expr roots[ROOTS] = {random_expr(&samples, 3, k % 2)};
    for (int i = 1; i < ROOTS; i++) {
      Expr of = roots[random_below(&random, i)];
      roots[i] = random_below(&random, 2) ? random_expr(&samples, 3, k % 2)
                                          : expr_function1(cx, i % 2 ? OP_SIN : OP_COS, of);
    }
    const Tape *whole = tape_new(cx, &cx->keep, roots, ROOTS);
    double *values = random_values(&samples, -2, 2), all[ROOTS], found[PARTS];
    uint32_t chosen[PARTS];
    for (int i = 0; i < PARTS; i++) chosen[i] = (uint32_t)random_below(&random, ROOTS);
    const Tape *part = tape_select(&cx->keep, &cx->scratch, whole, chosen, PARTS);
    assert_true(part->n <= whole->n && part->root_count == PARTS);
    run(&samples, whole, values, all);
    run(&samples, part, values, found);
    for (int i = 0; i < PARTS; i++) assert_true(are_same(&found[i], &all[chosen[i]], 1));
    tape_sizes(whole, values, NULL, used_room(&samples, tape_sizes_room(whole)), all);
    tape_sizes(part, values, NULL, used_room(&samples, tape_sizes_room(part)), found);
    for (int i = 0; i < PARTS; i++) assert_true(are_same(&found[i], &all[chosen[i]], 1));
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(tapes_give_the_bits_of_the_graph),
          cmocka_unit_test(sines_and_cosines_of_one_argument_keep_their_bits),
          cmocka_unit_test(a_tape_can_be_moved_as_arrays),
          cmocka_unit_test(a_part_of_a_tape_gives_the_same))
