// Which steps in lanes are good, and how large the next ones are: what explicit_step and
// stepper_step do, where nothing else is to be done.
#include <math.h>

#include "solve/rk853.h"

#if defined(__x86_64__) && !defined(QDOT_ALONE)
#include <immintrin.h>

#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define Row Row4
#define RowBits RowBits4
#define ROW_SQRT(x) (Row) _mm256_sqrt_pd((__m256d)(x))
#define measure_rows measure_4
#define judge_rows judge_4
#define sign_rows sign_4
#define move_rows move_4
#include "solve/rk853_settle_rows.h"
#define LANES 8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define Row Row8
#define RowBits RowBits8
#define ROW_SQRT(x) (Row) _mm512_sqrt_pd((__m512d)(x))
#define measure_rows measure_8
#define judge_rows judge_8
#define sign_rows sign_8
#define move_rows move_8
#include "solve/rk853_settle_rows.h"

static void judge(LaneRows *w, const Stepper *any) { (w->lanes == 8 ? judge_8 : judge_4)(w, any); }
static void show_signs(LaneRows *w) { (w->lanes == 8 ? sign_8 : sign_4)(w); }
static void move(LaneRows *w, uint32_t which) { (w->lanes == 8 ? move_8 : move_4)(w, which); }
#else
static void judge(LaneRows *w, const Stepper *any) { (void)w, (void)any; }
static void show_signs(LaneRows *w) { (void)w; }
static void move(LaneRows *w, uint32_t which) { (void)w, (void)which; }
#endif

static bool is_free(const Stepper *s) {
  const Problem *p = s->problem;
  bool is_near_dead = p->met_dead && *p->met_dead;
  return s->lane->is_free && s->noise == 0 && !p->begins_rough && !is_near_dead;
}

// Tries again with a smaller step; false where more than that is to be done.
static bool reject(LaneRows *w, int lane, double error) {
  Stepper *s = w->stepper[lane];
  Explicit *x = s->work;
  StepControl control = x->control;
  double h = w->h[lane] * control_factor(&control, error, false), before = s->h;
  if (explicit_wonders(x->tries) || step_is_too_small(s, h)) return false;
  s->h = h;
  if (!lane_rows_aim(w, lane)) {
    s->h = before;
    return false;
  }
  x->control = control;
  x->tries++;
  s->rejected++;
  s->dynamics.evaluations += w->error[lane] <= 1 ? 12 : 11;
  return true;
}

// The lane is where its step has ended; false where the next one is too small to be tried.
static bool take(LaneRows *w, int lane) {
  Stepper *s = w->stepper[lane];
  Explicit *x = s->work;
  double h = w->h[lane], wanted = s->h, error = fmax(w->error[lane], w->fast_error[lane]);
  if (looks_for_stiffness(x, s)) note_stiffness(x, s, h, w->above[lane], w->below[lane]);
  s->h = h * control_factor(&x->control, error, true);
  if (h < wanted) s->h = fmax(s->h, wanted);
  s->t_old = s->t;
  s->t = w->t_end[lane];
  s->greatest = w->greatest[lane];
  s->steps++;
  s->dynamics.evaluations += 12;
  x->tries = 1, x->evaded = 0;
  x->met_dead = x->is_near_dead = false;
  stepper_weigh_work(s);
  lane_rows_weigh(w, lane);
  x->h_first = s->h;
  return lane_rows_aim(w, lane);
}

uint32_t lane_rows_settle(LaneRows *w, const LaneSystem *system, uint32_t which) {
  uint32_t good = 0, settled = 0;
  bool any_looks = false;
  which &= w->done;
  for (int lane = 0; lane < w->lanes; lane++)
    if (which >> lane & 1 && !is_free(w->stepper[lane])) which &= ~(1u << lane);
  if (!which) return 0;
  judge(w, w->stepper[__builtin_ctz(which)]);
  for (int lane = 0; lane < w->lanes; lane++) {
    double error = w->error[lane], fast = w->fast_error[lane];
    uint32_t own = 1u << lane;
    if (!(which & own) || !isfinite(error)) continue;
    bool is_taken = error <= 1;
    if (is_taken && (!(w->dense & own) || w->last & own || !isfinite(fast))) continue;
    // stages of the polynomial have taught more than such a step may know
    if (is_taken && fast > 1 && w->stepper[lane]->problem->m > 0) continue;
    if (!is_taken || fast > 1) {
      if (reject(w, lane, is_taken ? fast : error)) settled |= own;
      continue;
    }
    if (w->distance[lane] > FAR_STAGE || !(w->greatest[lane] <= STEPPER_GREATEST)) continue;
    good |= own;
    any_looks |= looks_for_stiffness(w->stepper[lane]->work, w->stepper[lane]);
  }
  if (good) good = system->follow(system->user, good);
  if (!good) return settled;
  if (any_looks) show_signs(w);
  move(w, good);
  w->moved |= good;
  for (int lane = 0; lane < w->lanes; lane++) {
    if (!(good >> lane & 1)) continue;
    if (take(w, lane))
      settled |= 1u << lane;
    else
      w->done &= ~(1u << lane);
  }
  return settled;
}
