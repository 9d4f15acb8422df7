// Moreau and Jean's time stepping: contacts and impacts happen within steps of fixed length.
//
//   v+ = v + h a(t + h/2, q + h/2 v, v + h/2 a) + K^-1 (N^T p + T^T r)     q+ = q + h (v + v+)/2
//
// with p and r of all contacts that would overlap at the end of the step (touch/touch.h). Impulses
// act along the rows in its middle; the speeds that the law speaks of are those at its end, so that
// what slides or rolls on a curve neither leaves it nor enters it by more than h^3 a step. What
// still overlaps is drawn apart, by the least mass-weighted change of q. Without contacts it is of
// second order, and exact under constant forces.
#include "solve/moreau.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/blocks.h"
#include "solve/explicit.h"
#include "solve/fixed.h"
#include "solve/moreau_joints.h"
#include "solve/touch/touch_share.h"
#include "solve/touch/touch_solve.h"

extern const Method method_moreau;

enum { MOST_ADDITIONS = 6, MOST_DRAWS = 12 };
// A gap that is so small beside the positions of the run is closed.
static const double CLOSED = 1e-12;
// One so small, that changes as little in a step, may be closed by others.
static const double NEAR = 1e-5;

// What has acted on a velocity in a step: no contact, contacts that press, a blow.
typedef enum Touched { NOT_TOUCHED, HELD, STRUCK } Touched;

typedef struct Moreau {
  double *y_new, *middle, *k_begin, *k_end; // states; derivatives at the ends of the last step
  double *gained;                           // n: what it added to the velocities, per time,
  Touched *touched;                         // and by what
  double *lambda;                           // room for multipliers
  Blocks blocks;                            // what gives velocities by impulses
  bool *pressed;                            // contacts that the last step was solved with,
  bool *touches;                            // contacts of this step,
  double *gap;                              // and how wide those are that only have touched
  double *ahead;                            // the state at the end of a step, as it is foreseen,
  double *rate, *slip;                      // with speeds of all contacts there,
  double *rate_begin;                       // and d(phi)/dt at its beginning
  double *still_p, *still_r;                // impulses per time of the last step without bounces
  double *row;                              // room for one
  StepJoints joints;                        // that rub
} Moreau;

static Status moreau_open(Stepper *s) {
  Moreau *w = arena_new(s->arena, Moreau);
  size_t contacts = (size_t)s->problem->contacts;
  size_t all = contacts + (size_t)s->problem->joints;
  s->work = w;
  double **states[] = {&w->y_new, &w->middle, &w->k_begin, &w->k_end, &w->ahead};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) *states[i] = stepper_array(s);
  s->pressed = arena_array(s->arena, double, all);
  s->rubbed = arena_array(s->arena, double, all);
  s->contact_steps = arena_array(s->arena, ContactStep, all);
  w->pressed = arena_array(s->arena, bool, contacts);
  w->touches = arena_array(s->arena, bool, contacts);
  double **values[] = {&w->gap, &w->rate_begin, &w->rate, &w->slip, &w->still_p, &w->still_r};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    *values[i] = arena_array(s->arena, double, contacts);
  w->row = arena_array(s->arena, double, s->n);
  w->gained = arena_array(s->arena, double, s->n);
  w->touched = arena_array(s->arena, Touched, s->n);
  w->lambda = arena_array(s->arena, double, s->problem->m);
  blocks_open(&w->blocks, s->arena, &s->dynamics);
  step_joints_open(&w->joints, s, &w->blocks);
  return QDOT_OK;
}

static double closed_gap(const Stepper *s) { return CLOSED * fmax(s->reach, 1e-290); }

// ---- The contacts of a step

static SparseRow entries(Arena *arena, const int *first, const int *index, const double *value,
                         int i, double sign) {
  SparseRow row = {.n = first[i + 1] - first[i]};
  row.index = arena_array(arena, int, row.n);
  row.value = arena_array(arena, double, row.n);
  for (int k = 0; k < row.n; k++)
    row.index[k] = index[first[i] + k], row.value[k] = sign * value[first[i] + k];
  return row;
}

// The response to a row, and what it makes of the row's own speed.
static SparseRow respond(Stepper *s, const SparseRow *row, double *own) {
  Moreau *w = s->work;
  SparseRow response = blocks_response(&w->blocks, s->arena, row);
  sparse_add(&response, 1, w->row);
  *own = sparse_dot(row, w->row);
  for (int k = 0; k < response.n; k++) w->row[response.index[k]] = 0;
  return response;
}

// Contact i; with_friction: it may rub.
static void fill_touch(Stepper *s, int i, const ContactRows *rows, bool with_friction, Touch *c) {
  c->contact = i;
  c->normal = entries(s->arena, rows->first, rows->index, rows->value, i, -1);
  c->push = respond(s, &c->normal, &c->own_push);
  c->mu = with_friction ? s->problem->friction[i] : 0;
  if (!(c->mu > 0)) return;
  c->along = entries(s->arena, rows->slip_first, rows->slip_index, rows->slip_value, i, 1);
  c->rub = respond(s, &c->along, &c->own_rub);
}

// What each contact asks for: no approach afterwards, or the bounce of restitution where that is
// more than what forces alone change in a step.
static void aim_touch(const Stepper *s, double h, Touch *c, const double *v, const double *v_free) {
  const Moreau *w = s->work;
  const double *v_ahead = w->ahead + s->n;
  double before = -w->rate_begin[c->contact], gap = w->gap[c->contact];
  double bounce = -s->problem->restitution[c->contact] * before;
  double forced = fabs(sparse_dot(&c->normal, v_free) - sparse_dot(&c->normal, v));
  c->normal_offset = -w->rate[c->contact] - sparse_dot(&c->normal, v_ahead);
  c->bounce = bounce > forced && !(gap > 0) ? bounce : 0;
  if (gap > 0) c->aim = fmin(0, -2 * gap / h - before);
  if (c->mu > 0) c->along_offset = w->slip[c->contact] - sparse_dot(&c->along, v_ahead);
}

// The contacts in w->touches, with rows in the middle of the step.
static Status gather(Stepper *s, double h, const double *v_free, Touches *out) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  const double *y = s->y, *phi, *rate;
  ContactRows rows;
  double t = s->t + h / 2, *q = w->middle;
  bool any = p->contacts > 0;
  Status status = blocks_factor(&w->blocks, t, q);
  if (any && status == QDOT_OK) status = p->gaps(p->user, t, q, y + s->n, &phi, &rate);
  if (any && status == QDOT_OK) status = p->contact_rows(p->user, t, q, y + s->n, &rows);
  out->count = p->joints;
  out->n = s->n + p->joints;
  for (int i = 0; i < p->contacts; i++) out->count += w->touches[i];
  out->at = arena_array(s->arena, Touch, out->count);
  int k = 0;
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    if (!w->touches[i]) continue;
    Touch *c = &out->at[k++];
    fill_touch(s, i, &rows, true, c);
    c->normal_moves = -rate[i] - sparse_dot(&c->normal, y + s->n);
    c->along_moves = c->mu > 0 ? rows.v[i] - sparse_dot(&c->along, y + s->n) : 0;
    aim_touch(s, h, c, y + s->n, v_free);
    c->p = h * w->still_p[i], c->r = h * w->still_r[i];
  }
  if (p->joints > 0 && status == QDOT_OK)
    status = step_joints_gather(&w->joints, s, t, q, w->ahead + s->n, out->at + k);
  return status;
}

// Marks the contacts that overlap at the end of a step; true when there are new ones.
static Status mark_touches(Stepper *s, double t, const double *q, const double *v, bool *any) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  const double *phi, *rate;
  *any = false;
  if (p->contacts == 0) return QDOT_OK;
  Status status = p->gaps(p->user, t, q, v, &phi, &rate);
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    if (w->touches[i] || !(phi[i] > -closed_gap(s))) continue;
    w->touches[i] = *any = true;
  }
  return status;
}

// Speeds at the end of the step, as what is held foresees it: it goes on as before.
static Status look_ahead(Stepper *s, double h, const double *y_new) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  const double *phi, *rate;
  ContactRows rows;
  int n = s->n;
  memcpy(w->ahead, y_new, (size_t)s->size * sizeof *y_new);
  for (int j = 0; j < n; j++) {
    double v = s->y[n + j], v_new = w->touched[j] == HELD ? v + h * w->gained[j] : v;
    w->ahead[n + j] = v_new;
    w->ahead[j] = s->y[j] + h * (v + v_new) / 2;
  }
  Status status = QDOT_OK;
  if (p->joints > 0) status = step_joints_look_ahead(&w->joints, s, s->t + h, w->ahead);
  if (p->contacts == 0 || status != QDOT_OK) return status;
  status = p->gaps(p->user, s->t + h, w->ahead, w->ahead + n, &phi, &rate);
  if (status == QDOT_OK) memcpy(w->rate, rate, (size_t)p->contacts * sizeof *rate);
  if (status == QDOT_OK) status = p->contact_rows(p->user, s->t + h, w->ahead, w->ahead + n, &rows);
  if (status == QDOT_OK) memcpy(w->slip, rows.v, (size_t)p->contacts * sizeof *rows.v);
  return status;
}

// Those that pressed in the last step, or nearly touch, unless they overlap: they may close, but no
// more, so that a pile stops falling as a whole.
static Status mark_held(Stepper *s, double h) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  const double *phi, *rate;
  Status status = p->gaps(p->user, s->t, s->y, s->y + s->n, &phi, &rate);
  if (status == QDOT_OK) memcpy(w->rate_begin, rate, (size_t)p->contacts * sizeof *rate);
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    w->gap[i] = 0;
    bool is_near = fmax(-phi[i], fabs(rate[i]) * h) <= NEAR * s->reach;
    if (w->touches[i] || !(w->pressed[i] || is_near)) continue;
    w->touches[i] = true;
    w->gap[i] = fmax(-phi[i], 0);
  }
  return status;
}

// q+ by the mean of the velocities.
static void move(const Stepper *s, double h, double *y_new) {
  const double *v = s->y + s->n, *v_new = y_new + s->n;
  for (int j = 0; j < s->n; j++) y_new[j] = s->y[j] + h * (v[j] + v_new[j]) / 2;
}

static void note_free(Stepper *s) {
  Moreau *w = s->work;
  size_t contacts = (size_t)s->problem->contacts, all = contacts + (size_t)s->problem->joints;
  if (all == 0) return;
  memset(s->pressed, 0, all * sizeof *s->pressed);
  memset(s->rubbed, 0, all * sizeof *s->rubbed);
  memset(s->contact_steps, 0, all * sizeof *s->contact_steps);
  if (contacts == 0) return;
  memset(w->pressed, 0, contacts * sizeof *w->pressed);
  memset(w->still_p, 0, contacts * sizeof *w->still_p);
  memset(w->still_r, 0, contacts * sizeof *w->still_r);
}

// What presses a joint is given, by a velocity of its own.
static bool is_joint(const Stepper *s, const Touch *c) {
  return c->contact >= s->problem->contacts;
}

static void note_joint(Stepper *s, double h, const Touches *t, const Touch *c) {
  const Moreau *w = s->work;
  double along = touch_rubs(c) ? touch_along(c, t->v) : 0;
  bool is_still = fabs(along) <= TOUCH_FAIR * t->speed * c->size_rub;
  s->pressed[c->contact] = w->joints.load[c->contact - s->problem->contacts];
  s->rubbed[c->contact] = c->r / h;
  s->contact_steps[c->contact] = (ContactStep){.presses = c->p > 0, .slides = is_still ? 0 : along};
}

static void note_impulses(Stepper *s, double h, const double *v_free, const Touches *t) {
  const double *v = s->y + s->n;
  Moreau *w = s->work;
  note_free(s);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (is_joint(s, c)) {
      note_joint(s, h, t, c);
      continue;
    }
    w->pressed[c->contact] = c->p > 0;
    w->still_p[c->contact] = c->still_p / h, w->still_r[c->contact] = c->still_r / h;
    double moved = sparse_dot(&c->normal, v);
    double along = touch_rubs(c) ? touch_along(c, t->v) : 0;
    bool rests = fabs(c->r) < c->mu * c->p * (1 - 1e-9) ||
                 fabs(along) <= TOUCH_FAIR * t->speed * c->size_rub;
    s->contact_steps[c->contact] =
        (ContactStep){.presses = c->p > 0,
                      .bounces = c->p > 0 && c->aim > 0,
                      .approach = w->rate_begin[c->contact],
                      .left = -touch_apart(c, t->v),
                      .forced = fabs(sparse_dot(&c->normal, v_free) - moved),
                      .slides = rests ? 0 : along};
  }
}

// A blow is felt by all that hangs together.
static void note_touched(Stepper *s, const Touches *t) {
  Moreau *w = s->work;
  bool *is_struck = arena_array(s->arena, bool, t->count);
  for (int i = 0; i < t->count; i++)
    if (contact_step_strikes(&s->contact_steps[t->at[i].contact]))
      is_struck[t->at[i].island] = true;
  memset(w->touched, 0, (size_t)s->n * sizeof *w->touched);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    const SparseRow *felt = is_joint(s, c) ? &c->rub : &c->push;
    for (int k = 0; k < felt->n && c->p > 0; k++)
      w->touched[felt->index[k]] = is_struck[c->island] ? STRUCK : HELD;
  }
}

// Friction in a blow is a part of the impact.
static void note_works(Stepper *s, const Touches *t) {
  const double *v = s->y + s->n;
  bool any_strikes = false;
  for (int i = 0; i < s->problem->contacts; i++)
    any_strikes = any_strikes || contact_step_strikes(&s->contact_steps[i]);
  s->missed = fmax(s->missed, t->residual);
  s->softened += t->lowered;
  s->work_made += touches_made(t);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    bool strikes =
        is_joint(s, c) ? any_strikes : contact_step_strikes(&s->contact_steps[c->contact]);
    if (!is_joint(s, c)) {
      double given = c->p * c->normal_moves;
      s->work_driven -= given;
      s->work_pressed +=
          given + c->p * (sparse_dot(&c->normal, v) + sparse_dot(&c->normal, t->v)) / 2;
    }
    if (c->r == 0) continue;
    double given = c->r * c->along_moves;
    double work = given + c->r * (sparse_dot(&c->along, v) + sparse_dot(&c->along, t->v)) / 2;
    s->work_driven -= given;
    *(strikes ? &s->work_pressed : &s->work_rubbed) += work;
  }
}

// The forces that are told: how they are shared changes no motion.
static void note_forces(Stepper *s, double h, Touches *t) {
  touches_share(t, s->arena, s->problem->contacts);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (is_joint(s, c)) continue;
    s->pressed[c->contact] = c->p / h;
    s->rubbed[c->contact] = c->r / h;
  }
}

static Status solve_touches(Stepper *s, double h, double *v_new, const double *v_free, Touches *t) {
  Moreau *w = s->work;
  Status status = QDOT_OK;
  memcpy(v_new, v_free, (size_t)s->n * sizeof *v_free);
  t->v = v_new;
  t->before = s->y + s->n;
  if (s->problem->joints == 0)
    touches_solve(t, s->arena);
  else
    status = step_joints_solve(&w->joints, s, h, w->middle, v_free, t);
  if (t->v != v_new) memcpy(v_new, t->v, (size_t)s->n * sizeof *v_new);
  return status;
}

// Impulses of all that touches; those that others push into contact join in.
static Status strike(Stepper *s, double h, double *y_new, bool *any) {
  Moreau *w = s->work;
  double next = s->t + h, *v_new = y_new + s->n;
  double *v_free = arena_array(s->arena, double, s->n);
  memcpy(v_free, v_new, (size_t)s->n * sizeof *v_free);
  const Problem *p = s->problem;
  if (p->contacts > 0) memset(w->touches, 0, (size_t)p->contacts * sizeof *w->touches);
  if (p->joints > 0 && p->m > 0)
    memcpy(w->joints.lambda_free, s->dynamics.lambda, (size_t)p->m * sizeof *w->lambda);
  Touches touches = {0};
  Status status = mark_touches(s, next, y_new, v_new, any);
  *any = *any || p->joints > 0;
  bool more = *any;
  if (more && p->contacts > 0 && status == QDOT_OK) status = mark_held(s, h);
  if (more && status == QDOT_OK) status = look_ahead(s, h, y_new);
  for (int k = 0; k < MOST_ADDITIONS && more && status == QDOT_OK; k++) {
    status = gather(s, h, v_free, &touches);
    if (status != QDOT_OK) return status;
    status = solve_touches(s, h, v_new, v_free, &touches);
    if (status != QDOT_OK) return status;
    note_impulses(s, h, v_free, &touches);
    move(s, h, y_new);
    status = mark_touches(s, next, y_new, v_new, &more);
  }
  if (*any) note_works(s, &touches);
  if (*any) note_touched(s, &touches);
  if (*any) note_forces(s, h, &touches);
  return status;
}

// ---- Overlaps

// One step of Newton's method towards phi <= 0 for all that overlap or nearly do.
static Status draw_apart(Stepper *s, double t, double *q, const double *v, bool *any) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  const double *phi, *rate;
  ContactRows rows;
  double least = closed_gap(s);
  Status status = p->gaps(p->user, t, q, v, &phi, &rate);
  double deepest = 0;
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    deepest = fmax(deepest, phi[i]);
    s->contact_steps[i].is_apart = phi[i] < -2 * least;
  }
  *any = deepest > 2 * least;
  if (!*any || status != QDOT_OK) return status;
  double *gap = arena_array(s->arena, double, p->contacts);
  memcpy(gap, phi, (size_t)p->contacts * sizeof *gap);
  status = blocks_factor(&w->blocks, t, q);
  if (status == QDOT_OK) status = p->contact_rows(p->user, t, q, v, &rows);
  Touches touches = {.n = s->n, .v = arena_array(s->arena, double, s->n)};
  touches.at = arena_array(s->arena, Touch, p->contacts);
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    if (gap[i] < -4 * deepest) continue;
    Touch *c = &touches.at[touches.count++];
    fill_touch(s, i, &rows, false, c);
    c->aim = gap[i];
  }
  if (status != QDOT_OK) return status;
  touches_solve(&touches, s->arena);
  for (int j = 0; j < s->n; j++) q[j] += touches.v[j];
  return QDOT_OK;
}

// Back onto the constraints and out of overlaps; the energy that this brings.
static Status project(Stepper *s, double t, double *y) {
  const Problem *p = s->problem;
  bool any = p->contacts > 0;
  double before = p->energy ? p->energy(p->user, t, y, y + s->n) : 0;
  Status status = p->m > 0 ? stepper_stabilize(s, t, y) : QDOT_OK;
  bool moved = p->m > 0;
  for (int k = 0; k < MOST_DRAWS && any && status == QDOT_OK; k++) {
    Mark mark = arena_mark(s->arena);
    status = draw_apart(s, t, y, y + s->n, &any);
    moved = moved || any;
    if (status == QDOT_OK && any && p->m > 0) status = stepper_stabilize(s, t, y);
    arena_release(s->arena, mark);
  }
  if (moved && p->energy) s->work_projected += p->energy(p->user, t, y, y + s->n) - before;
  return status;
}

// ---- What it is at a moment

Status moreau_accelerations(Stepper *s, double t, const double *y, double *qdd, double *lambda) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  ContactRows rows;
  int n = s->n;
  bool any = false;
  for (int i = 0; i < p->contacts + p->joints; i++) any = any || s->pressed[i] != 0;
  if (!any) return QDOT_OK;
  Mark mark = arena_mark(s->arena);
  Status status = blocks_factor(&w->blocks, t, y);
  if (p->contacts > 0 && status == QDOT_OK) status = p->contact_rows(p->user, t, y, y + n, &rows);
  double *force = arena_array(s->arena, double, n);
  for (int i = 0; status == QDOT_OK && i < p->contacts; i++) {
    for (int k = rows.first[i]; k < rows.first[i + 1] && s->pressed[i] != 0; k++)
      force[rows.index[k]] -= s->pressed[i] * rows.value[k];
    for (int k = rows.slip_first[i]; k < rows.slip_first[i + 1] && s->rubbed[i] != 0; k++)
      force[rows.slip_index[k]] += s->rubbed[i] * rows.slip_value[k];
  }
  if (p->joints > 0 && status == QDOT_OK) status = step_joints_push(s, t, y, force);
  if (status == QDOT_OK) blocks_add_response(&w->blocks, s->arena, force, qdd, lambda);
  arena_release(s->arena, mark);
  return status;
}

// ---- Steps

// v and the states after a step of free motion, and the works; the middle of the step.
static Status fly(Stepper *s, double h, double *y_new) {
  Moreau *w = s->work;
  int n = s->n;
  const double *k = w->k_end;
  for (int i = 0; i < s->size; i++) w->middle[i] = s->y[i] + h / 2 * k[i];
  // what is held does not fall, and what slides slows down
  for (int j = 0; j < n; j++)
    if (w->touched[j] != NOT_TOUCHED)
      w->middle[n + j] = s->y[n + j] + (w->touched[j] == STRUCK ? 0 : h / 2 * w->gained[j]);
  Status status = explicit_derivative(s, s->t + h / 2, w->middle, w->k_begin);
  for (int i = n; i < s->size; i++) y_new[i] = s->y[i] + h * w->k_begin[i];
  move(s, h, y_new);
  return status;
}

// What has been added to the velocities, for the middle of the next step.
static void note_gain(Stepper *s, double h, const double *y_new, bool any) {
  Moreau *w = s->work;
  s->is_straight = any;
  if (!any) memset(w->touched, 0, (size_t)s->n * sizeof *w->touched);
  for (int j = 0; any && j < s->n; j++) w->gained[j] = (y_new[s->n + j] - s->y[s->n + j]) / h;
}

// What the forces of a step do where contacts take part: in its middle, along the mean of its
// velocities, with what the contacts make of the constraints' forces.
static Status renew_works(Stepper *s, double h, double *y_new) {
  Moreau *w = s->work;
  const Problem *p = s->problem;
  int n = s->n, first = s->acting;
  double t = s->t + h / 2;
  if (p->quadratures == 0) return QDOT_OK;
  Mark mark = arena_mark(s->arena);
  double *qdd = arena_array(s->arena, double, n);
  double *rates = arena_array(s->arena, double, p->states + p->quadratures);
  if (p->m > 0) memcpy(w->lambda, s->dynamics.lambda, (size_t)p->m * sizeof *w->lambda);
  Status status = p->m > 0 ? moreau_accelerations(s, t, w->middle, qdd, w->lambda) : QDOT_OK;
  for (int j = n; j < 2 * n; j++) w->middle[j] = (s->y[j] + y_new[j]) / 2;
  if (status == QDOT_OK) status = p->rates(p->user, t, w->middle, w->middle + n, w->lambda, rates);
  for (int i = 0; status == QDOT_OK && i < p->quadratures; i++)
    y_new[first + i] = s->y[first + i] + h * rates[p->states + i];
  arena_release(s->arena, mark);
  return status;
}

// The forces at a start are those of the step that begins there, which is tried.
static Status press_at_start(Stepper *s) {
  Moreau *w = s->work;
  double h = s->options.step;
  bool any = false;
  Mark mark = arena_mark(s->arena);
  Status status = fly(s, h, w->y_new);
  if (status == QDOT_OK) status = strike(s, h, w->y_new, &any);
  arena_release(s->arena, mark);
  s->missed = s->work_made = s->work_pressed = s->work_rubbed = s->work_driven = 0;
  s->softened = 0;
  if (!any || status != QDOT_OK) note_free(s);
  note_gain(s, h, w->y_new, any && status == QDOT_OK);
  // where that cannot be evaluated, the step itself will say so
  return QDOT_OK;
}

static Status moreau_start(Stepper *s) {
  Moreau *w = s->work;
  s->is_straight = false;
  memset(w->touched, 0, (size_t)s->n * sizeof *w->touched);
  note_free(s);
  Status status = explicit_derivative(s, s->t, s->y, w->k_end);
  bool any = s->problem->contacts + s->problem->joints > 0;
  return status == QDOT_OK && any ? press_at_start(s) : status;
}

static Status moreau_step(Stepper *s, double t_limit) {
  Moreau *w = s->work;
  double h, next = grid_next(s->t, s->options.step, t_limit, &h);
  Mark mark = arena_mark(s->arena);
  bool any = false;
  if (dynamics_is_stopped(&s->dynamics)) return QDOT_STOPPED;
  Status status = fly(s, h, w->y_new);
  bool strikes = s->problem->contacts + s->problem->joints > 0;
  if (status == QDOT_OK && strikes) status = strike(s, h, w->y_new, &any);
  if (!any) note_free(s);
  if (status == QDOT_OK && any) status = renew_works(s, h, w->y_new);
  if (status == QDOT_OK) note_gain(s, h, w->y_new, any);
  arena_release(s->arena, mark);
  if (status == QDOT_OK) status = project(s, next, w->y_new);
  if (status == QDOT_OK) status = explicit_derivative(s, next, w->y_new, w->k_begin);
  if (status != QDOT_OK) return step_failure(s, status, h);
  if (!(error_norm(s, w->y_new, s->y, w->y_new) < 1e300)) return QDOT_BLOW_UP;
  double *begin = w->k_end;
  w->k_end = w->k_begin, w->k_begin = begin;
  fixed_accept(s, next, &w->y_new);
  return QDOT_OK;
}

// Free motion is smooth between the ends; what has touched goes straight from one to the other.
static Status moreau_dense(Stepper *s, double t, double *y) {
  Moreau *w = s->work;
  int n = s->n;
  if (!s->is_straight) {
    Hermite hermite = {w->k_begin + n, w->k_end + n, w->k_begin + 2 * n, w->k_end + 2 * n};
    hermite_state(s, &hermite, t, y);
    return QDOT_OK;
  }
  double share = s->t > s->t_old ? (t - s->t_old) / (s->t - s->t_old) : 1;
  for (int i = 0; i < s->size; i++)
    y[i] = share == 1 ? s->y[i] : s->y_old[i] + share * (s->y[i] - s->y_old[i]);
  return QDOT_OK;
}

const Method method_moreau = {.name = "moreau",
                              .takes = {"step"},
                              .refuses = 1u << NEED_ROLLING,
                              .order = 2,
                              .nodes = 3,
                              .fixed_step = true,
                              .steps_contacts = true,
                              .open = moreau_open,
                              .start = moreau_start,
                              .step = moreau_step,
                              .dense = moreau_dense};
