// Does a run come closer to its end? Motions that steps approach without ever reaching them.
#include <math.h>
#include <string.h>

#include "engine/run/run.h"

// Is a denominator that contains velocities small beside its value at the largest velocities?
static bool divides_by_rest(Run *run) {
  Machine *m = &run->machine;
  const double *qd = run->stepper->y + run->n, *largest = run->stepper->largest + run->n;
  machine_need(m, PART_DENOMINATORS);
  uint32_t count = m->set->equations->extents.of[EXTENT_DENOMINATORS];
  Mark mark = arena_mark(&run->cx->scratch);
  double *scale = arena_array(&run->cx->scratch, double, count);
  const double *out = machine_run_denominators(m, run->stepper->t, run->stepper->y, largest).values;
  if (count > 0) memcpy(scale, out, count * sizeof *scale);
  out = machine_run_denominators(m, run->stepper->t, run->stepper->y, qd).values;
  bool vanishes = false;
  for (uint32_t i = 0; i < count; i++) vanishes |= fabs(out[i]) < 1e-5 * fabs(scale[i]);
  arena_release(&run->cx->scratch, mark);
  return vanishes;
}

// More than 1e6 tries are left at a denominator near zero: friction along v/norm(v) has no
// direction at rest, and steps become ever shorter.
static bool trembles(Run *run, int64_t tries) {
  int most_slow = run->sliding.count > 0 ? 100 : 5; // what starts to slide is stiff at first
  double rate =
      (run->stepper->t - run->progress.t_seen) / (double)(tries - run->progress.tries_seen);
  bool slow = run->o->t_end - run->stepper->t > 1e6 * rate && divides_by_rest(run);
  run->progress.slow = slow ? run->progress.slow + 1 : 0;
  if (run->progress.slow < most_slow) return false;
  run->t = run->stepper->t;
  run->end.why = "a velocity in a denominator has come to rest, such as norm(v) in v/norm(v)";
  run->end.why_note =
      "friction holds along a line, with sign(v), and in a plane with v/norm(v), the norm as a sum "
      "of squares; else v/sqrt(v^2 + v_0^2) with a small v_0 and method bdf";
  return true;
}

// For MOST_CREEPING measurements steps have been a thousand times shorter than on average, with
// more than 1e9 of them left: they approach a moment that they never reach.
static bool creeps(Run *run, int64_t tries) {
  enum { MOST_CREEPING = 100 };
  double rate =
      (run->stepper->t - run->progress.t_seen) / (double)(tries - run->progress.tries_seen);
  bool is_far = run->o->t_end - run->stepper->t > 1e9 * rate;
  run->progress.creeping =
      is_far && rate < 1e-3 * run->stepper->t / (double)tries ? run->progress.creeping + 1 : 0;
  if (run->progress.creeping < MOST_CREEPING) return false;
  run->t = run->stepper->t;
  run->end.why = run_massless_motion(run);
  if (run->end.why) return true;
  run->end.why = "steps become ever shorter, and the end is more than 1e9 of them away";
  run->end.why_note = "something has no bound there, or is so stiff that method bdf may pass it";
  return true;
}

static int64_t tries_of(const Run *run) {
  const Stepper *s = run->stepper;
  return run->progress.counted[COUNT_STEPS] + s->steps + run->progress.counted[COUNT_REJECTED] +
         s->rejected;
}

enum { TRIES = 2000 };

bool run_asks_for_progress(const Run *run) {
  return tries_of(run) + 1 >= run->progress.tries_seen + TRIES;
}

// At this rate the end is more than 1e13 tries away.
bool run_makes_no_progress(Run *run) {
  const Stepper *s = run->stepper;
  int64_t tries = tries_of(run);
  if (run->o->most_steps > 0 && tries > run->o->most_steps) {
    run->end.why = "it takes many times the steps of a run with the model's own values";
    return true;
  }
  if (tries < run->progress.tries_seen + TRIES) return false;
  bool stands = s->t - run->progress.t_seen <
                1e-13 * (double)(tries - run->progress.tries_seen) * run->o->t_end;
  stands |= trembles(run, tries);
  stands |= creeps(run, tries);
  run->progress.tries_seen = tries;
  run->progress.t_seen = s->t;
  return stands;
}
