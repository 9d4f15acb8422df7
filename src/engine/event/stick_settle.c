// Who sticks, and who is let go.
#include "engine/event/stick.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// A mixture this near to one side alone is that side.
static const double PURE = 1 - 1e-9;
// A guard whose speed changes by less than this part from side to side does not depend on them.
static const double LEAST_CHANGE = 1e-12;
// Or by less than this part of what the masses alone would let it.
static const double HELD_CHANGE = 1e-11;
// Less than this does not press.
static const double LOADED = 1e-60;
// And what is held does not get faster by more than this part.
static const double HELD_SPEED = 1e-9;

// What friction of the joints could do if nothing else held them.
static void measure_joints(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  size_t n = (size_t)m->n;
  if (m->presses == 0) return;
  const double *M = machine_run_geometry(m, t, q, qd).M, *v_q = machine_run_rubs(m, t, q, qd).v_q;
  double largest = 0; // for coordinates that have no mass of their own
  for (size_t j = 0; j < n; j++) largest = fmax(largest, M[j * n + j]);
  for (int k = 0; k < m->presses; k++, v_q += n) {
    s->moves[k] = 0;
    for (size_t j = 0; j < n; j++)
      s->moves[k] += v_q[j] * v_q[j] / (M[j * n + j] > 0 ? M[j * n + j] : largest);
    s->moves[k] *= 2 * machine_number(m, &m->plan->presses[k].grip);
  }
}

// How much what presses the joints of a switch could do, by masses alone; 0 where it has none.
static double reach_of(const Sticking *s, int number) {
  const Machine *m = s->machine;
  double most = 0;
  for (int k = 0; k < m->presses; k++) {
    // what presses it may not have been looked for, see is_hopeless
    double load = sticking_presses(m)[k];
    if (!(load > LOADED) && s->heaviest > LOADED) load = s->heaviest;
    if (m->plan->presses[k].guard == number) most = fmax(most, s->moves[k] * load);
  }
  return most;
}

static void hold(Sticking *s, int number) {
  Machine *m = s->machine;
  for (int k = 0; k < m->presses; k++)
    if (m->plan->presses[k].guard == number) m->press_held[k] = true;
}

// The first one that its own sides do not push back, or -1. Joints at rest that contacts hold need
// no friction: *held is set where there are new ones.
static int find_indifferent(Sticking *s, bool *held) {
  bool any_closed = false;
  for (int i = 0; i < s->machine->contacts; i++) any_closed |= s->machine->closed[i];
  for (int i = 0; i < s->count; i++) {
    double change = s->speed[(size_t)(i + 1) * (size_t)s->count + (size_t)i];
    if (s->mode[i].is_void || s->mode[i].is_rub) continue;
    double reach = mode_is_switch(&s->mode[i]) ? reach_of(s, s->mode[i].number) : 0;
    double least = fmax(LEAST_CHANGE * fabs(s->speed[i]), HELD_CHANGE * reach);
    if (change < -least) continue;
    if (!any_closed || !(reach > 0) || fabs(s->speed[i]) > HELD_SPEED * reach) return i;
    hold(s, s->mode[i].number);
    *held = true;
    return -1;
  }
  return -1;
}

// The one that is used most, and by more than it holds; where no load goes with all that stick, by
// however little.
static int find_purest(const Sticking *s) {
  int purest = -1;
  double most = s->is_unsure ? -1 : PURE;
  for (int i = 0; i < s->count; i++) {
    int number = s->mode[i].number;
    if (s->mode[i].is_rub) continue;
    double share = s->mode[i].is_slide ? s->rest[number].size : fabs(sticking_use(s, number));
    if (s->mode[i].is_slide && s->rest[number].creeps) continue;
    if (share > most) most = share, purest = i;
  }
  return purest;
}

// A slide goes in the direction of w, from now on with the friction of that.
static void start_slide(Sticking *s, int i) {
  Rest *rest = &s->rest[i];
  rest->holds = false;
  rest->starts = true;
  for (int k = 0; k < MOST_COMPONENTS; k++) rest->w[k] /= rest->size;
  for (int j = 0; j < s->machine->n; j++) rest->along[j] /= rest->size;
  machine_rest_slide(s->machine, i, rest->along);
}

// Without friction it goes where it is pushed, or anywhere where it is not.
static void push_slide(Sticking *s, int i) {
  Rest *rest = &s->rest[i];
  memset(rest->w, 0, sizeof rest->w);
  memset(rest->along, 0, (size_t)s->machine->n * sizeof *rest->along);
  for (int round = 0; round < 2 && !(stick_dot(rest->w, rest->w, MOST_COMPONENTS) > 0); round++)
    for (int k = 0; k < s->count; k++) {
      const StickMode *mode = &s->mode[k];
      if (!mode->is_slide || mode->number != i) continue;
      double part = round == 0 ? s->speed[k] : 1;
      for (int c = 0; c < MOST_COMPONENTS; c++) rest->w[c] += part * mode->e[c];
      dense_add(s->machine->n, part, mode->along, rest->along);
    }
  rest->size = sqrt(stick_dot(rest->w, rest->w, MOST_COMPONENTS));
  start_slide(s, i);
}

static void let_go(Sticking *s, int i, bool is_pushed_back, double *side) {
  const StickMode *mode = &s->mode[i];
  int number = mode->number;
  if (!mode->is_slide) {
    if (is_pushed_back) side[number] = s->share[number] < 0 ? -1 : 1;
    s->sticks[number] = false;
  } else if (is_pushed_back) {
    start_slide(s, number);
  } else {
    push_slide(s, number);
  }
}

// Does a slide act in a direction as it is said to at rest? What grows without bound there, as
// P/|u| does, does not.
static bool acts_as_friction(Sticking *s, double t, const double *q, const double *qd,
                             const StickMode *mode) {
  Machine *m = s->machine;
  int n = m->n;
  Mark mark = arena_mark(&m->cx->scratch);
  double *near = arena_array(&m->cx->scratch, double, n + m->states), *rates = s->terms, speed = 0;
  double *slides = arena_array(&m->cx->scratch, double, 2 * (size_t)n), *rests = slides + n;
  const double *u = machine_slide_values(m, mode->number, machine_run_slides(m, t, q, qd).values).u;
  for (int j = 0; j < n; j++) speed = fmax(speed, 1e-6 * fabs(qd[j]));
  for (uint32_t k = 0; k < machine_slide(m, mode->number)->components; k++)
    speed = fmax(speed, 1e3 * fabs(u[k])); // what is left of it
  memcpy(near, qd, (size_t)(n + m->states) * sizeof *near);
  dense_add(n, fmax(speed, 1e-6), mode->along, near);
  machine_rest_slide(m, mode->number, mode->along);
  Status status = dynamics_evaluate(&s->dynamics, t, q, near, rests, NULL, rates);
  machine_aim_slide(m, mode->number, mode->e);
  if (status == QDOT_OK) status = dynamics_evaluate(&s->dynamics, t, q, near, slides, NULL, rates);
  double size = 0, apart = 0;
  for (int j = 0; j < n; j++) {
    size = fmax(size, fabs(rests[j]));
    apart = fmax(apart, fabs(rests[j] - slides[j]));
  }
  machine_rest_slide(m, mode->number, s->still);
  arena_release(&m->cx->scratch, mark);
  return status == QDOT_OK && apart <= 0.05 * size;
}

// Slides that do not continue as if they were not known.
static bool leave_out(Sticking *s, double t, const double *q, const double *qd) {
  bool any = false;
  sticking_put_all(s);
  machine_try_sides(s->machine, s->trial);
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!mode->is_slide || mode->is_void || !s->rest[mode->number].holds) continue;
    if (acts_as_friction(s, t, q, qd, mode)) continue;
    s->rest[mode->number].holds = false;
    machine_aim_slide(s->machine, mode->number, mode->e);
    any = true;
  }
  return any;
}

static bool any_candidate(const Sticking *s) {
  for (int i = 0; i < s->count; i++)
    if (!s->mode[i].is_rub) return true;
  return false;
}

Status sticking_settle(Sticking *s, double t, const double *q, const double *qd,
                       const bool *candidates, double *side) {
  for (int i = 0; i < s->switches; i++) s->sticks[i] = candidates[i];
  for (int i = 0; i < s->slides; i++) s->rest[i].starts = false;
  Status status = QDOT_OK;
  bool is_checked = s->slides == 0;
  measure_joints(s, t, q, qd);
  for (int k = 0; k < s->machine->presses; k++) s->machine->press_held[k] = false;
  for (bool settled = false; !settled && status == QDOT_OK;) {
    Mark mark = arena_mark(s->arena);
    sticking_gather(s);
    settled = !any_candidate(s);
    if (s->switches > 0) memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
    s->settles = true;
    if (!settled) status = sticking_evaluate(s, t, q, qd);
    s->settles = false;
    bool again = !settled && !is_checked && status == QDOT_OK && leave_out(s, t, q, qd);
    is_checked = true;
    arena_release(s->arena, mark);
    if (status != QDOT_OK || settled) break;
    if (again) continue;
    bool held = false;
    int indifferent = find_indifferent(s, &held), purest = find_purest(s);
    if (held) continue;
    if (indifferent >= 0)
      let_go(s, indifferent, false, side);
    else if (purest >= 0)
      let_go(s, purest, true, side);
    else
      settled = true;
  }
  for (int i = 0; i < s->switches && status == QDOT_OK; i++)
    if (s->sticks[i]) side[i] = 0;
  return status;
}
