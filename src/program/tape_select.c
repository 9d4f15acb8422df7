// A part of a tape.
#include "program/tape.h"

// From the roots back: which steps are taken, counted with their args.
static void mark_steps(const Tape *tape, const uint32_t *roots, uint32_t n, bool *is_taken) {
  for (uint32_t i = 0; i < n; i++) is_taken[tape->roots[roots[i]]] = true;
  for (uint32_t i = tape->n; i-- > 0;) {
    const TapeStep *s = &tape->steps[i];
    for (uint32_t k = 0; is_taken[i] && k < s->count; k++)
      is_taken[tape->args[s->first + k]] = true;
  }
}

const Tape *tape_select(Arena *arena, Arena *scratch, const Tape *tape, const uint32_t *roots,
                        uint32_t n) {
  Mark mark = arena_mark(scratch);
  bool *is_taken = arena_array(scratch, bool, tape->n);
  uint32_t *place = arena_array(scratch, uint32_t, tape->n), count = 0, args = 0;
  mark_steps(tape, roots, n, is_taken);
  for (uint32_t i = 0; i < tape->n; i++) {
    place[i] = count;
    if (is_taken[i]) count++, args += tape->steps[i].count;
  }
  TapeStep *steps = arena_array(arena, TapeStep, count);
  uint32_t *own_args = arena_array(arena, uint32_t, args), *ends = arena_array(arena, uint32_t, n);
  double *numbers = arena_array(arena, double, args);
  args = 0;
  for (uint32_t i = 0; i < tape->n; i++) {
    TapeStep s = tape->steps[i];
    if (!is_taken[i]) continue;
    for (uint32_t k = 0; k < s.count; k++) {
      own_args[args + k] = place[tape->args[s.first + k]];
      numbers[args + k] = tape->numbers[s.first + k];
    }
    s.first = args, args += s.count;
    s.twin = s.twin > 0 && is_taken[s.twin] ? place[s.twin] : 0;
    steps[place[i]] = s;
  }
  for (uint32_t i = 0; i < n; i++) ends[i] = place[tape->roots[roots[i]]];
  arena_release(scratch, mark);
  Tape *out = arena_new(arena, Tape);
  *out = (Tape){.n = count,
                .arg_count = args,
                .table_count = tape->table_count,
                .root_count = n,
                .steps = steps,
                .args = own_args,
                .numbers = numbers,
                .roots = ends,
                .tables = tape->tables};
  return out;
}
