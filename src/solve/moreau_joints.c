// Joints that rub, within the steps of `moreau`.
#include "solve/moreau_joints.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/presses.h"
#include "solve/touch/touch_solve.h"

// A joint that moves by less than this part of what its row is long is held by others.
static const double UNMOVED = 1e-14;
// Loads that differ by this part of the largest are the same.
static const double SAME_LOAD = 1e-11;
enum { PLAIN_TRIES = 40 };

void step_joints_open(StepJoints *j, Stepper *s, Blocks *blocks) {
  const Problem *p = s->problem;
  *j = (StepJoints){.count = p->joints, .blocks = blocks};
  if (p->joints == 0) return;
  double **by_velocity[] = {&j->v_free, &j->v, &j->before, &j->qdd, &j->force};
  for (size_t i = 0; i < sizeof by_velocity / sizeof *by_velocity; i++)
    *by_velocity[i] = arena_array(s->arena, double, s->n + p->joints);
  double **by_row[] = {&j->lambda_free, &j->lambda};
  for (size_t i = 0; i < 2; i++) *by_row[i] = arena_array(s->arena, double, p->m);
  double **by_touch[] = {&j->ahead, &j->load, &j->pressed, &j->rubbed};
  for (size_t i = 0; i < 4; i++)
    *by_touch[i] = arena_array(s->arena, double, p->contacts + p->joints);
}

Status step_joints_look_ahead(StepJoints *j, Stepper *s, double t, const double *ahead) {
  const Problem *p = s->problem;
  const double *v, *v_q;
  Status status = p->joint_rows(p->user, t, ahead, ahead + s->n, &v, &v_q);
  if (status == QDOT_OK) memcpy(j->ahead, v, (size_t)j->count * sizeof *v);
  return status;
}

// ---- Touches

static SparseRow entry(Arena *arena, int index, double value) {
  SparseRow row = {.n = 1, .index = arena_array(arena, int, 1)};
  row.value = arena_array(arena, double, 1);
  row.index[0] = index, row.value[0] = value;
  return row;
}

static void fill_joint(StepJoints *j, Stepper *s, int i, const double *v_q, Touch *c) {
  int n = s->n;
  double *response = j->qdd, size = 0;
  c->contact = s->problem->contacts + i;
  c->along = sparse_row(s->arena, n, v_q);
  c->rub = blocks_response(j->blocks, s->arena, &c->along);
  memset(response, 0, (size_t)n * sizeof *response);
  sparse_add(&c->rub, 1, response);
  c->own_rub = sparse_dot(&c->along, response);
  for (int k = 0; k < n; k++) size = fmax(size, fabs(v_q[k] * response[k]));
  c->mu = c->own_rub > UNMOVED * size && s->problem->grip[i] > 0 ? 1 : 0;
  c->own_push = c->mu > 0 ? c->own_rub : 1;
  c->normal = entry(s->arena, n + i, 1);
  c->push = entry(s->arena, n + i, c->own_push);
}

Status step_joints_gather(StepJoints *j, Stepper *s, double t, const double *middle,
                          const double *v_ahead, Touch *at) {
  const Problem *p = s->problem;
  const double *v, *v_q, *now = s->y + s->n;
  Status status = p->joint_rows(p->user, t, middle, now, &v, &v_q);
  for (int i = 0; status == QDOT_OK && i < j->count; i++) {
    Touch *c = &at[i];
    fill_joint(j, s, i, v_q + (size_t)i * (size_t)s->n, c);
    c->along_moves = v[i] - sparse_dot(&c->along, now);
    c->along_offset = j->ahead[i] - sparse_dot(&c->along, v_ahead);
  }
  return status;
}

// ---- Loads and friction

typedef struct StepLaw {
  StepJoints *j;
  Stepper *s;
  double h;
  const double *middle;
  Touches *touches;
  double *aim, *bounce; // by touch, as asked for
  Status status;
} StepLaw;

// The touches as they are asked for, with the limits that loads give.
static void ask(const StepLaw *law, const double *load) {
  StepJoints *j = law->j;
  const Problem *p = law->s->problem;
  for (int i = 0; i < law->touches->count; i++) {
    Touch *c = &law->touches->at[i];
    int joint = c->contact - p->contacts;
    c->aim = law->aim[i], c->bounce = law->bounce[i];
    if (joint < 0) continue;
    double limit = c->mu > 0 ? law->h * p->grip[joint] * load[joint] : 0;
    j->v_free[law->s->n + joint] = -c->own_push * limit;
    c->p = limit;
    c->r = fmax(fmin(c->r, limit), -limit);
  }
  memcpy(j->v, j->v_free, (size_t)law->touches->n * sizeof *j->v);
}

// What the touches do in the mean of the step: forces, accelerations and multipliers.
static void find_forces(const StepLaw *law) {
  StepJoints *j = law->j;
  Stepper *s = law->s;
  const Problem *p = s->problem;
  size_t all = (size_t)(p->contacts + p->joints);
  memset(j->pressed, 0, all * sizeof *j->pressed);
  memset(j->rubbed, 0, all * sizeof *j->rubbed);
  memset(j->force, 0, (size_t)law->touches->n * sizeof *j->force);
  for (int i = 0; i < law->touches->count; i++) {
    const Touch *c = &law->touches->at[i];
    j->pressed[c->contact] = c->p / law->h, j->rubbed[c->contact] = c->r / law->h;
    sparse_add(&c->normal, c->p / law->h, j->force);
    if (c->r != 0) sparse_add(&c->along, c->r / law->h, j->force);
  }
  if (p->m > 0) {
    memcpy(j->lambda, j->lambda_free, (size_t)p->m * sizeof *j->lambda);
    blocks_add_response(j->blocks, s->arena, j->force, j->qdd, j->lambda);
  }
  for (int k = 0; k < s->n; k++) j->qdd[k] = (j->v[k] - s->y[s->n + k]) / law->h;
}

// What presses the joints where loads give their friction.
static bool press_joints(void *user, const double *load, double *G) {
  StepLaw *law = user;
  Stepper *s = law->s;
  const Problem *p = s->problem;
  const double *out;
  Mark mark = arena_mark(s->arena);
  ask(law, load);
  touches_solve(law->touches, s->arena);
  find_forces(law);
  law->status =
      p->joint_presses(p->user, s->t + law->h / 2, law->middle, law->middle + s->n, law->j->qdd,
                       law->j->lambda, law->j->pressed, law->j->rubbed, &out);
  if (law->status == QDOT_OK) memcpy(G, out, (size_t)law->j->count * sizeof *G);
  arena_release(s->arena, mark);
  return law->status == QDOT_OK;
}

// True where G is the load; which it becomes.
static bool take_loads(StepJoints *j, const double *G) {
  double most = 0, off = 0;
  for (int i = 0; i < j->count; i++) {
    most = fmax(most, fmax(j->load[i], G[i]));
    off = fmax(off, fabs(j->load[i] - G[i]));
    j->load[i] = G[i];
  }
  return off <= SAME_LOAD * most;
}

// Nothing bounces where joints jam; false where nothing did.
static bool stop_bounces(StepLaw *law) {
  bool any = false;
  for (int i = 0; i < law->touches->count; i++) {
    any = any || law->bounce[i] > 0;
    law->bounce[i] = 0;
  }
  law->s->softened += any;
  memset(law->j->load, 0, (size_t)law->j->count * sizeof *law->j->load);
  return any;
}

// Where parts are held in many ways, loads may have no end of changing: halfway, again and again;
// what is left counts as a miss of the law.
static void approach_loads(StepLaw *law, double *G) {
  StepJoints *j = law->j;
  const Touch *at = law->touches->at + law->touches->count - j->count;
  double missed = 0;
  for (int k = 0; k < PLAIN_TRIES && press_joints(law, j->load, G); k++) {
    missed = 0;
    for (int i = 0; i < j->count; i++) {
      double off = law->h * law->s->problem->grip[i] * fabs(j->load[i] - G[i]);
      missed = fmax(missed, off * at[i].size_rub);
      j->load[i] = (j->load[i] + G[i]) / 2;
    }
  }
  double speed = law->touches->speed;
  if (speed > 0) law->touches->residual = fmax(law->touches->residual, missed / speed);
}

Status step_joints_solve(StepJoints *j, Stepper *s, double h, const double *middle,
                         const double *v_free, Touches *t) {
  size_t count = (size_t)t->count;
  double *asked = arena_array(s->arena, double, 2 * count);
  StepLaw law = {j, s, h, middle, t, asked, asked + count, QDOT_OK};
  double *G = arena_array(s->arena, double, j->count);
  for (int i = 0; i < t->count; i++) law.aim[i] = t->at[i].aim, law.bounce[i] = t->at[i].bounce;
  memcpy(j->v_free, v_free, (size_t)s->n * sizeof *v_free);
  memcpy(j->before, s->y + s->n, (size_t)s->n * sizeof *v_free);
  t->v = j->v, t->before = j->before;
  bool found = false;
  for (int i = 0; i < PLAIN_TRIES && !found; i++) {
    if (!press_joints(&law, j->load, G)) return law.status;
    found = take_loads(j, G);
  }
  if (!found) found = presses_settle(s->arena, j->count, press_joints, &law, j->load);
  if (!found && law.status == QDOT_OK && stop_bounces(&law))
    found = presses_settle(s->arena, j->count, press_joints, &law, j->load);
  if (!found && law.status == QDOT_OK) approach_loads(&law, G);
  return law.status;
}

Status step_joints_push(const Stepper *s, double t, const double *y, double *force) {
  const Problem *p = s->problem;
  const double *v, *v_q;
  Status status = p->joint_rows(p->user, t, y, y + s->n, &v, &v_q);
  for (int i = 0; status == QDOT_OK && i < p->joints; i++)
    dense_add(s->n, s->rubbed[p->contacts + i], v_q + (size_t)i * (size_t)s->n, force);
  return status;
}
