// Slopes where velocities jump: impacts, and drives whose speed does.
//
// The law of the impact is repeated at states beside, with the same contacts pushing, sliding and
// resting in the same way. It has no slope where so small a change as nobody can measure would make
// another case of it.
#include <math.h>
#include <string.h>

#include "engine/slopes/slopes.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/kkt.h"

// What the law of impact must agree with, of the velocities.
static const double SAME_BLOW = 1e-7;
// And of those of the run: what is less than this does not jump.
static const double NO_BLOW = 1e-9;

static const char *const OTHER_BLOW = "an impact follows no law that has a slope";
static const char *const OTHER_CASE = "a small change would make another case of an impact";

static const double place[4] = {-2, -1, 1, 2};
static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};

typedef struct Blow {
  RunSlopes *s;
  int n, rows;
  const Thrust *pushes;
  int count, margins;
  int *push;               // of a round: the pushes that are its rows,
  int size;                // so many, and
  ConeRow *row;            // their laws and
  ConeState *state;        // states: those of the event
  Kkt kkt;                 // M with the constraints
  double *M, *J, *phi_q;   // constraints; contacts
  double *v_q, *u, *v;     // slips, then joints; speeds of both
  double *force, *respond; // of one row; velocities by a unit of each,
  double *lambdas;         // and what it does to the constraints
  double *W, *y_0, *z, *zero, *lambda, *dv;
  double *friction, *joints; // Impulses
  double *press;             // what presses the joints
  double t;                  // of the impact,
  const double *q, *qd;      // the state before it
  // what must stay positive: impulses, what is left of friction, speeds behind; and how large such
  // things are here
  double *margin, *margin_size, speed;
} Blow;

static void blow_open(Blow *b, RunSlopes *s, Arena *arena) {
  Machine *m = s->machine;
  const Contacts *c = &s->run->contacts;
  size_t n = (size_t)m->n, rows = (size_t)m->rows, contacts = (size_t)m->contacts;
  size_t joints = (size_t)m->presses, slips = (size_t)m->slip_count + joints;
  size_t all = m->contacts > 0 ? c->pushes.n : 0;
  *b = (Blow){.s = s, .n = m->n, .pushes = c->pushes.at, .count = (int)all};
  b->push = arena_array(arena, int, all);
  b->row = arena_array(arena, ConeRow, all);
  b->state = arena_array(arena, ConeState, all);
  b->M = arena_array(arena, double, n *n);
  b->J = arena_array(arena, double, rows *n);
  b->phi_q = arena_array(arena, double, contacts *n);
  b->v_q = arena_array(arena, double, slips *n);
  b->respond = arena_array(arena, double, all *n);
  b->lambdas = arena_array(arena, double, all *rows);
  b->W = arena_array(arena, double, all *all);
  b->force = arena_array(arena, double, n), b->dv = arena_array(arena, double, n);
  b->y_0 = arena_array(arena, double, all), b->z = arena_array(arena, double, all);
  b->u = arena_array(arena, double, contacts);
  b->v = arena_array(arena, double, slips);
  b->zero = arena_array(arena, double, rows);
  b->lambda = arena_array(arena, double, rows + contacts);
  b->friction = arena_array(arena, double, m->slip_count);
  b->joints = arena_array(arena, double, joints);
  b->press = arena_array(arena, double, joints);
  if (c->joints.rubs) memcpy(b->press, c->press, joints * sizeof *b->press);
  b->margin = arena_array(arena, double, all + contacts);
  b->margin_size = arena_array(arena, double, all + contacts);
  kkt_open(&b->kkt, arena, m->n, m->rows, false);
}

// ---- The law

static PressImpulses *joints_of(const Blow *b) { return &b->s->run->contacts.joints; }

// The number of the joint that a push is the friction of; -1: of none.
static int joint_of(const Blow *b, const Thrust *push) {
  return push->slip < b->s->machine->slip_count ? -1 : push->slip - b->s->machine->slip_count;
}

static void read_speeds(Blow *b, double t, const double *q, const double *qd) {
  Machine *m = b->s->machine;
  if (m->contacts > 0)
    memcpy(b->u, machine_run_contacts(m, t, q, qd).phi_dot, (size_t)m->contacts * sizeof *b->u);
  if (b->s->run->friction.slips > 0)
    memcpy(b->v, machine_run_slips(m, t, q, qd).v, (size_t)m->slip_count * sizeof *b->v);
  if (joints_of(b)->rubs)
    memcpy(b->v + m->slip_count, machine_run_rubs(m, t, q, qd).v,
           (size_t)m->presses * sizeof *b->v);
}

// What holds at (t, q), and velocities with which the constraints do: a drive may have jumped.
static Status meet_constraints(Blow *b, double t, const double *q, double *qd) {
  Machine *m = b->s->machine;
  size_t n = (size_t)m->n;
  int rows = m->problem.m;
  GeometryBlocks geometry = machine_run_geometry(m, t, q, NULL);
  memcpy(b->M, geometry.M, n * n * sizeof(double));
  if (rows > 0) memcpy(b->J, geometry.Phi_q, (size_t)rows * n * sizeof(double));
  if (m->contacts > 0)
    memcpy(b->phi_q, machine_run_contact_rows(m, t, q, qd).phi_q,
           (size_t)m->contacts * n * sizeof(double));
  if (b->s->run->friction.slips > 0)
    memcpy(b->v_q, machine_run_slips(m, t, q, qd).v_q, (size_t)m->slip_count * n * sizeof(double));
  if (joints_of(b)->rubs) {
    press_impulses_read(joints_of(b), t, q, qd);
    memcpy(b->v_q + (size_t)m->slip_count * n, joints_of(b)->v_q,
           (size_t)m->presses * n * sizeof(double));
  }
  Status status = kkt_factor(&b->kkt, b->M, b->J, rows);
  if (status != QDOT_OK || rows == 0) return status;
  const double *left = machine_run_velocity(m, t, q, qd).Phi_dot;
  for (int r = 0; r < rows; r++) b->zero[r] = -left[r];
  memset(b->force, 0, n * sizeof *b->force);
  kkt_solve(&b->kkt, b->J, b->force, b->zero, b->dv, b->lambda);
  memset(b->zero, 0, (size_t)rows * sizeof *b->zero);
  dense_add(m->n, 1, b->dv, qd);
  return QDOT_OK;
}

static const double *row_of(const Blow *b, const Thrust *push) {
  return push->slip < 0 ? b->phi_q + (size_t)push->contact * (size_t)b->n
                        : b->v_q + (size_t)push->slip * (size_t)b->n;
}

static void add_margin(Blow *b, double margin, double size) {
  b->margin_size[b->margins] = size;
  b->margin[b->margins++] = margin;
}

// Impulses must stay pushes, and what came to rest must be held by less than all friction.
static void margins_of_impulses(Blow *b) {
  double size = 0;
  for (int i = 0; i < b->size; i++) size = fmax(size, fabs(b->z[i]));
  for (int i = 0; i < b->size; i++) {
    const ConeRow *row = &b->row[i];
    if (b->state[i] != CONE_CLOSED) continue;
    double most = row->kind == CONE_RUBS ? row->mu * b->z[row->of] : row->high;
    add_margin(b, row->kind == CONE_PUSHES ? b->z[i] : most - fabs(b->z[i]), size);
  }
}

// The pushes of a round as rows, in the states that they had at the event.
static void list_round(Blow *b, int round) {
  const Machine *m = b->s->machine;
  b->size = 0;
  for (int i = 0; i < b->count; i++) {
    const Thrust *push = &b->pushes[i];
    if (push->round != round) continue;
    int k = b->size++;
    bool is_joint = joint_of(b, push) >= 0;
    b->push[k] = i;
    b->row[k].kind = push->slip < 0 ? CONE_PUSHES : is_joint ? CONE_LIMITED : CONE_RUBS;
    if (b->row[k].kind == CONE_RUBS) b->row[k].mu = m->slips[push->slip].mu;
    b->state[k] = push->slip < 0 || push->way == 0 ? CONE_CLOSED
                  : push->way > 0                  ? CONE_SLIPS_UP
                                                   : CONE_SLIPS_DOWN;
  }
  for (int k = 0; k < b->size; k++)
    for (int j = 0; j < b->size && b->row[k].kind == CONE_RUBS; j++)
      if (b->row[j].kind == CONE_PUSHES &&
          b->pushes[b->push[j]].contact == b->pushes[b->push[k]].contact)
        b->row[k].of = j;
}

// y_0 of a row: what its impulse is to bring to zero.
static double aim_of(const Blow *b, const Thrust *push) {
  const Machine *m = b->s->machine;
  if (push->slip >= 0) return b->v[push->slip];
  const PlanValue *e = &m->plan->contacts[push->contact].restitution;
  return -(1 + (push->bounces ? machine_number(m, e) : 0)) * b->u[push->contact];
}

// Along a row what its impulse does: against phi_q, or along v.
static double sign_of(const Thrust *push) { return push->slip < 0 ? -1 : 1; }

static void fill_round(Blow *b) {
  int n = b->n, k = b->size;
  for (int i = 0; i < k; i++) {
    const Thrust *push = &b->pushes[b->push[i]];
    memset(b->force, 0, (size_t)n * sizeof *b->force);
    dense_add(n, sign_of(push), row_of(b, push), b->force);
    kkt_solve(&b->kkt, b->J, b->force, b->zero, b->respond + (size_t)i * (size_t)n,
              b->lambdas + (size_t)i * (size_t)b->s->machine->rows);
    b->y_0[i] = aim_of(b, push);
  }
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      const Thrust *push = &b->pushes[b->push[i]];
      b->W[i * k + j] =
          sign_of(push) * dense_dot(n, row_of(b, push), b->respond + (size_t)j * (size_t)n);
    }
}

// Friction of joints is limited by what presses them, press times grip.
static bool solve_round(Blow *b, const double *press) {
  int open;
  for (int i = 0; i < b->size; i++) {
    int joint = joint_of(b, &b->pushes[b->push[i]]);
    if (joint < 0) continue;
    b->row[i].high = joints_of(b)->grip[joint] * press[joint];
    b->row[i].low = -b->row[i].high;
  }
  ConeProblem problem = {.n = b->size, .W = b->W, .y_0 = b->y_0, .row = b->row};
  return cone_solve_states(&b->s->run->cx->scratch, &problem, b->state, b->z, &open);
}

// All impulses of the round, and what they do.
static void gather_impulses(Blow *b) {
  const Machine *m = b->s->machine;
  memset(b->dv, 0, (size_t)b->n * sizeof *b->dv);
  memset(b->lambda, 0, (size_t)(m->rows + m->contacts) * sizeof *b->lambda);
  memset(b->friction, 0, (size_t)m->slip_count * sizeof *b->friction);
  memset(b->joints, 0, (size_t)m->presses * sizeof *b->joints);
  for (int i = 0; i < b->size; i++) {
    const Thrust *push = &b->pushes[b->push[i]];
    int joint = joint_of(b, push);
    dense_add(b->n, b->z[i], b->respond + (size_t)i * (size_t)b->n, b->dv);
    for (int r = 0; r < m->problem.m; r++)
      b->lambda[machine_place(m, r)] += b->z[i] * b->lambdas[i * m->rows + r];
    if (push->slip < 0) b->lambda[m->rows + push->contact] = b->z[i];
    if (joint >= 0) b->joints[joint] = b->z[i];
    if (push->slip >= 0 && joint < 0) b->friction[push->slip] = b->z[i];
  }
}

static bool press_joints(void *user, const double *z, double *G) {
  Blow *b = user;
  if (!solve_round(b, z)) return false;
  gather_impulses(b);
  Impulses all = {b->dv, b->lambda, b->friction, b->joints};
  const double *P = press_impulses_find(joints_of(b), b->t, b->q, b->qd, &all);
  memcpy(G, P, (size_t)joints_of(b)->count * sizeof *G);
  return true;
}

static Status strike_round(Blow *b, int round, double t, const double *q, double *qd) {
  read_speeds(b, t, q, qd);
  list_round(b, round);
  fill_round(b);
  b->t = t, b->q = q, b->qd = qd;
  bool found = joints_of(b)->rubs ? presses_settle(&b->s->run->cx->scratch, joints_of(b)->count,
                                                   press_joints, b, b->press)
                                  : solve_round(b, NULL);
  for (int i = 0; i < b->size; i++)
    dense_add(b->n, b->z[i], b->respond + (size_t)i * (size_t)b->n, qd);
  margins_of_impulses(b);
  return found ? QDOT_OK : QDOT_NO_CONVERGENCE;
}

static bool takes_part(const Blow *b, int contact) {
  for (int i = 0; i < b->count; i++)
    if (b->pushes[i].contact == contact) return true;
  return false;
}

// What slides must go on in its way, and what touched and did not push must part.
static void margins_of_speeds(Blow *b) {
  const Contacts *c = &b->s->run->contacts;
  for (int i = 0; i < b->count; i++)
    if (b->pushes[i].slip >= 0 && b->pushes[i].way != 0)
      add_margin(b, b->pushes[i].way * b->v[b->pushes[i].slip], b->speed);
  for (int i = 0; i < c->count; i++)
    if (c->touching[i] && !takes_part(b, i)) add_margin(b, -b->u[i], b->speed);
}

// How fast contacts were, across and along.
static double speed_of(Blow *b) {
  const Contacts *c = &b->s->run->contacts;
  double speed = 0;
  for (int i = 0; i < c->count; i++)
    if (c->touching[i]) speed = fmax(speed, fabs(b->u[i]));
  for (int i = 0; i < b->count; i++)
    if (b->pushes[i].slip >= 0) speed = fmax(speed, fabs(b->v[b->pushes[i].slip]));
  return speed;
}

// Velocities after the blow at (t, q), out of those before, in place. The machine has all contacts
// open.
static Status blow_strike(Blow *b, double t, const double *q, double *qd) {
  b->margins = 0;
  Status status = meet_constraints(b, t, q, qd);
  read_speeds(b, t, q, qd);
  b->speed = speed_of(b);
  int rounds = b->count > 0 ? b->pushes[b->count - 1].round + 1 : 0;
  for (int r = 0; r < rounds && status == QDOT_OK; r++) status = strike_round(b, r, t, q, qd);
  read_speeds(b, t, q, qd);
  margins_of_speeds(b);
  return status;
}

// ---- Its slopes

// Are two velocities the same, beside those before the event and those of the run?
static bool is_same(const RunSlopes *s, const double *a, const double *b) {
  int n = s->run->n;
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fmax(fabs(s->event.x_before[n + i]), fabs(b[i])));
  for (int i = 0; i < n; i++)
    if (fabs(a[i] - b[i]) > SAME_BLOW * size + NO_BLOW * slopes_size(s, (uint32_t)(n + i)))
      return false;
  return true;
}

// What changes by rounding alone, as the speed of a contact that stays, is no margin.
static void check_margins(const Blow *b, const double *margin, const double *slope, uint32_t j) {
  RunSlopes *s = b->s;
  for (int i = 0; i < b->margins; i++) {
    double change = SLOPES_LEAST_CHANGE * s->unit[j] * fabs(slope[i]);
    bool is_rounding = !(change > SLOPES_LEAST_CHANGE * SLOPES_LEAST_CHANGE * b->margin_size[i]);
    if (fabs(margin[i]) < change && !is_rounding) slopes_lose(s, s->event.t, OTHER_CASE);
  }
}

// Would contacts that strike in turn, because none rubs, do so now? Then all strike at once.
static bool has_other_law(const Blow *b) {
  const Machine *m = b->s->machine;
  for (int i = 0; i < b->count && m->rubs; i++) {
    int contact = b->pushes[i].contact;
    if (contact < 0 || b->pushes[i].slip >= 0 || !(m->slips[contact].mu > 0)) continue;
    bool is_known = false;
    for (int k = 0; k < b->count; k++) is_known |= b->pushes[k].slip == contact;
    if (!is_known) return true;
  }
  return false;
}

// S+ without f+ dt: R_x (S- + f- dt) + R_p, the velocities by differences of the law of impact.
static Status strike_slopes(RunSlopes *s, Blow *b, Arena *arena) {
  int n = s->run->n, margins = b->margins;
  double *margin = arena_array(arena, double, margins), *bend = arena_array(arena, double, margins);
  memcpy(margin, b->margin, (size_t)margins * sizeof *margin);
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    double *to = s->event.S + (size_t)j * s->state, *x = s->room;
    double step = slopes_step(s, j, s->event.x_before, s->event.S);
    double *velocity = s->room + s->state;
    memset(velocity, 0, (size_t)n * sizeof *velocity);
    memset(bend, 0, (size_t)margins * sizeof *bend);
    for (int k = 0; k < 4 && status == QDOT_OK; k++) {
      double by = place[k] * step;
      slopes_shift_values(s, j, by);
      if (has_other_law(b)) slopes_lose(s, s->event.t, OTHER_BLOW);
      for (uint32_t i = 0; i < s->state; i++) x[i] = s->event.x_before[i] + by * to[i];
      status = blow_strike(b, s->event.t + by * s->event.shift[j], x, x + n);
      dense_add(n, weight[k] / step, x + n, velocity);
      dense_add(margins, weight[k] / step, b->margin, bend);
    }
    memcpy(to + n, velocity, (size_t)n * sizeof *to);
    check_margins(b, margin, bend, j);
  }
  slopes_restore_values(s);
  return status;
}

static void need_parts(Machine *m, bool rubs, bool joints) {
  static const EquationPart parts[] = {PART_GEOMETRY, PART_CONTACTS, PART_CONTACT_ROWS};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) machine_need(m, parts[i]);
  if (m->problem.m > 0) machine_need(m, PART_VELOCITY);
  if (rubs) machine_need(m, PART_SLIPS);
  if (joints) machine_need(m, PART_RUBS);
}

static Status strike(RunSlopes *s, Arena *arena) {
  Run *run = s->run;
  double *x = s->room;
  Blow b;
  blow_open(&b, s, arena);
  memcpy(x, s->event.x_before, s->state * sizeof *x);
  Status status = blow_strike(&b, s->event.t, x, x + run->n);
  if (status != QDOT_OK) return status;
  if (is_same(s, x + run->n, s->event.x_after + run->n)) return strike_slopes(s, &b, arena);
  slopes_lose(s, s->event.t, OTHER_BLOW);
  return QDOT_OK;
}

Status slopes_strike(RunSlopes *s) {
  Run *run = s->run;
  Machine *m = s->machine;
  if (is_same(s, s->event.x_before + run->n, s->event.x_after + run->n)) return QDOT_OK;
  Mark mark = arena_mark(&run->cx->scratch);
  bool *closed = arena_array(&run->cx->scratch, bool, m->contacts);
  memcpy(closed, m->closed, (size_t)m->contacts * sizeof *closed);
  memset(m->closed, 0, (size_t)m->contacts * sizeof *closed);
  Problem kept = m->problem;
  MachineSet *set = m->set;
  machine_use_contacts(m);
  need_parts(m, run->friction.slips > 0, run->contacts.joints.rubs);
  Status status = strike(s, &run->cx->scratch);
  memcpy(m->closed, closed, (size_t)m->contacts * sizeof *closed);
  m->set = set;
  m->problem = kept;
  arena_release(&run->cx->scratch, mark);
  return status;
}
