// The law of impact: impulses across and along what touches, and in joints that rub.
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/contact/contact.h"
#include "solve/algebra/dense.h"

// So near to all that friction gives, it slides.
static const double NEARLY = 1e-6;
// Impulses below this part of the heaviest that a contact has press no joint.
static const double ROUNDING = 64 * DBL_EPSILON;

typedef struct Strike {
  Contacts *c;
  Impact *at;
  int k, island;
  double *before, *aim; // speeds; with what restitution asks for beyond
  double *z, *dv;       // impulses, and what they do to the velocities
  ImpulseSet all;
  double *press; // of the joints
} Strike;

// ---- Joints

static bool is_joint(const Contacts *c, int rub) { return contacts_owner(c, rub) < 0; }

static int joint_of(const Contacts *c, int rub) {
  return c->slip_index[rub] - c->machine->slip_count;
}

ImpulseSet contacts_open_impulses(const Contacts *c, Arena *arena) {
  const Machine *m = c->machine;
  return (ImpulseSet){
      arena_array(arena, double, m->n), arena_array(arena, double, m->rows + m->contacts),
      arena_array(arena, double, m->slip_count), arena_array(arena, double, m->presses)};
}

// What an impulse along a row does to the velocities and to the constraints.
static void add_impulse(const Machine *m, double impulse, const double *response,
                        const double *lambdas, ImpulseSet *out) {
  dense_add(m->n, impulse, response, out->dv);
  for (int r = 0, kept = 0; r < m->problem.m; r++) {
    int place = machine_place(m, r);
    if (place < m->rows) out->lambda[place] += impulse * lambdas[kept++];
  }
}

void contacts_find_impulses(const Contacts *c, const double *z, ImpulseSet *out) {
  const Machine *m = c->machine;
  const double *p = z, *r = z + c->struck_count;
  size_t n = (size_t)m->n, rows = (size_t)m->rows;
  memset(out->dv, 0, n * sizeof *out->dv);
  memset(out->lambda, 0, (rows + (size_t)m->contacts) * sizeof *out->lambda);
  memset(out->friction, 0, (size_t)m->slip_count * sizeof *out->friction);
  memset(out->joints, 0, (size_t)m->presses * sizeof *out->joints);
  for (int i = 0; i < c->struck_count; i++) {
    size_t a = (size_t)c->index[i];
    add_impulse(m, -p[i], c->response + a * n, c->lambdas + a * rows, out);
    out->lambda[rows + a] = p[i];
  }
  for (int i = 0; i < contacts_rub_count(c); i++) {
    size_t a = (size_t)c->slip_index[i];
    add_impulse(m, r[i], c->slip_response + a * n, c->slip_lambdas + a * rows, out);
    if (is_joint(c, i))
      out->joints[joint_of(c, i)] = r[i];
    else
      out->friction[a] = r[i];
  }
}

// Where nothing approaches there is nothing to push.
static bool is_struck(const Strike *s) {
  for (int i = 0; i < s->k; i++)
    if (s->aim[i] < 0) return true;
  return false;
}

static bool solve_with(Strike *s) {
  Contacts *c = s->c;
  ConeProblem problem = contacts_problem(c, s->aim);
  memset(s->z, 0, (size_t)problem.n * sizeof *s->z);
  if (!is_struck(s)) return true;
  Arena *scratch = &c->machine->cx->scratch;
  bool solved = cone_solve(scratch, &problem, &c->found);
  if (solved) cone_share(scratch, &problem, &c->found);
  memcpy(s->z, c->found.z, (size_t)problem.n * sizeof *s->z);
  return solved;
}

// What presses the joints where their friction comes from z.
static bool press_with(void *user, const double *z, double *G) {
  Strike *s = user;
  Contacts *c = s->c;
  for (int i = 0; i < contacts_rub_count(c); i++)
    if (is_joint(c, i))
      c->rub[i].high = c->rub[i].mu * z[joint_of(c, i)], c->rub[i].low = -c->rub[i].high;
  if (!solve_with(s)) return false;
  contacts_find_impulses(c, s->z, &s->all);
  Impulses by = {s->all.dv, s->all.lambda, s->all.friction, s->all.joints};
  const double *P = press_impulses_find(&c->joints, s->at->t, s->at->q, s->at->qd, &by);
  double heaviest = 0;
  for (int i = 0; i < s->k; i++) heaviest = fmax(heaviest, s->z[i]);
  for (int i = 0; i < c->joints.count; i++) G[i] = P[i] > ROUNDING * heaviest ? P[i] : 0;
  return true;
}

static bool solve(Strike *s) {
  Contacts *c = s->c;
  if (!c->joints.rubs || contacts_rub_count(c) == 0) return solve_with(s);
  memset(s->press, 0, (size_t)c->joints.count * sizeof *s->press);
  return presses_settle(&c->machine->cx->scratch, c->joints.count, press_with, s, s->press);
}

// ---- Impact

// Impulses with so much of the restitution; the energy that they add. False: no solution.
static bool strike_with(Strike *s, double share, double *energy) {
  Contacts *c = s->c;
  const double *e = s->at->e;
  int all = s->k + contacts_rub_count(c);
  for (int i = 0; i < all; i++) {
    double w = s->before[i], bounce = i < s->k ? share * e[c->index[i]] : 0;
    bool bounces = w < 0 && bounce > 0 && -bounce * w > contact_resting_speed(c, c->index[i]);
    s->aim[i] = (1 + (bounces ? bounce : 0)) * w;
  }
  for (int i = 0; i < contacts_rub_count(c); i++)
    contacts_put_friction(c, i, contacts_coefficient(c, i), 0);
  if (!solve(s)) return false;
  *energy = 0;
  for (int i = 0; i < all; i++)
    *energy += s->z[i] * (s->before[i] + contacts_after(c, i, s->before[i], s->z)) / 2;
  return true;
}

static Status no_impact(Contacts *c) {
  c->why = "an impact with friction has no solution";
  c->why_note = "masses or coefficients of friction may be out of all proportion";
  return QDOT_STEP_LIMIT;
}

// The most restitution by which no energy is made, and which joints that jam let through.
static Status strike(Strike *s, SimSummary *summary) {
  enum { HALVINGS = 40 };
  Contacts *c = s->c;
  double energy = 0, least = c->speed * c->speed * 1e-14, low = 0, high = 1;
  if (strike_with(s, 1, &energy) && energy <= least) return QDOT_OK;
  summary->impacts_softened++;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = (low + high) / 2;
    if (strike_with(s, middle, &energy) && energy <= least)
      low = middle;
    else
      high = middle;
  }
  return strike_with(s, low, &energy) ? QDOT_OK : no_impact(c);
}

static double without_rounding(const Contacts *c, double speed, double sensitivity) {
  return fabs(speed) > CONTACT_RESTING * contacts_speed(c) * sensitivity ? speed : 0;
}

// What presses where it rubs.
static double pressed(const Strike *s, int rub) {
  const Contacts *c = s->c;
  return is_joint(c, rub) ? s->press[joint_of(c, rub)] : s->z[contacts_owner(c, rub)];
}

// Where something that rubs goes from an impact: -1 or +1, by all that it can; 0 where less has
// brought it to rest.
static int way_of(const Strike *s, int i) {
  const Contacts *c = s->c;
  double most = c->rub[i].mu * pressed(s, i);
  double along = contacts_after(c, s->k + i, s->before[s->k + i], s->z);
  // what presses a joint may be rounding
  double s_i = contacts_slip_sensitivity(c, c->slip_index[i]);
  bool is_fast = without_rounding(c, along, s_i) != 0;
  if (!(most > 0) || (is_joint(c, i) && is_fast)) return along < 0 ? -1 : 1;
  double r = s->z[s->k + i];
  return fabs(r) < most * (1 - NEARLY) ? 0 : r < 0 ? 1 : -1;
}

static void note_pushes(const Strike *s) {
  Contacts *c = s->c;
  for (int i = 0; i < s->k; i++) {
    Thrust push = {.round = s->at->rounds, .contact = c->index[i], .slip = -1};
    push.bounces = s->aim[i] != s->before[i];
    if (s->z[i] > 0) vec_push(c->arena, &c->pushes, push);
  }
  for (int i = 0; i < contacts_rub_count(c); i++) {
    int a = c->slip_index[i], of = contacts_owner(c, i);
    Thrust push = {.round = s->at->rounds, .contact = of < 0 ? -1 : c->index[of], .slip = a};
    push.way = way_of(s, i);
    bool rubs = of < 0 || c->machine->plan->slips[a].rubs;
    if (of < 0) c->joint_rests[joint_of(c, i)] = push.way == 0;
    if (of < 0) c->press[joint_of(c, i)] = s->press[joint_of(c, i)];
    if (pressed(s, i) > 0 && rubs) vec_push(c->arena, &c->pushes, push);
  }
}

static void open_strike(Strike *s, Arena *scratch) {
  const Contacts *c = s->c;
  int rubs = contacts_rub_count(c);
  double **by_row[] = {&s->before, &s->aim, &s->z};
  for (size_t i = 0; i < sizeof by_row / sizeof *by_row; i++)
    *by_row[i] = arena_array(scratch, double, s->k + rubs);
  s->dv = arena_array(scratch, double, c->machine->n);
  s->all = contacts_open_impulses(c, scratch);
  s->press = arena_array(scratch, double, c->joints.count);
  // Contacts that stand against each other, as those of a drawer in its guides, part by as much as
  // they approach: rounding that contradicts this is left out, or no impulses would be a solution.
  for (int i = 0; i < s->k; i++) {
    int a = c->index[i];
    s->before[i] = rubs == 0 ? -c->u[a] : without_rounding(c, -c->u[a], contact_sensitivity(c, a));
  }
  for (int i = 0; i < rubs; i++) {
    int a = c->slip_index[i];
    s->before[s->k + i] = without_rounding(c, c->slip[a], contacts_slip_sensitivity(c, a));
  }
}

// Impulses, and the speeds behind them: those of other islands are not to change even by rounding.
static void take_impulses(const Strike *s) {
  Contacts *c = s->c;
  Impact *at = s->at;
  size_t n = (size_t)c->machine->n;
  for (int i = 0; i < s->k; i++) {
    dense_add((int)n, -s->z[i], c->response + (size_t)c->index[i] * n, s->dv);
    at->impulse[c->index[i]] += s->z[i];
  }
  for (int i = 0; i < contacts_rub_count(c); i++) {
    double r = s->z[s->k + i];
    dense_add((int)n, r, c->slip_response + (size_t)c->slip_index[i] * n, s->dv);
    at->rubbed[c->slip_index[i]] += r;
  }
  dense_add((int)n, 1, s->dv, at->qd);
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == s->island) c->u[i] += dense_dot((int)n, c->rows + (size_t)i * n, s->dv);
  if (contacts_rub_count(c) > 0) contacts_read_slips(c, at->t, at->q, at->qd);
}

Status contacts_strike(Contacts *c, int k, RubSet rubs, int island, Impact *at,
                       SimSummary *summary) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  Strike s = {.c = c, .at = at, .k = k, .island = island};
  contacts_fill_matrix(c, k, rubs, island);
  open_strike(&s, scratch);
  Status status = strike(&s, summary);
  if (status == QDOT_OK) {
    note_pushes(&s);
    take_impulses(&s);
  }
  at->rounds++;
  arena_release(scratch, mark);
  return status;
}
