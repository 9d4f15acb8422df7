// Contacts with friction: who rests or slides; in the same way, who rolls against a resistance.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/contact/contact.h"
#include "solve/algebra/dense.h"

// Relative to what is large in the run, what rounding leaves of an acceleration along a contact
// that rests.
static const double STILL = 1e-10;
// So much less friction shows where a load goes that is just too much, by this part of what is
// less.
static const double LESS = 1e-6, SEEN = 1e-3;
// Beside what is usual, an acceleration of rounding.
static const double ROUNDED = 1e-14;
// What moves by less than this part of what masses alone would is held by others.
static const double UNMOVED = 1e-12;
// A speed that an impulse takes away which nobody would notice.
static const double SLOW = 1e-6;

bool contacts_rub(const Contacts *c) {
  const Machine *m = c->machine;
  for (int i = 0; m->rubs && i < m->slip_count; i++)
    if (c->touching[machine_slip_contact(m, i)] && m->plan->slips[i].rubs) return true;
  return false;
}

bool contacts_may_rub(const Contacts *c) { return c->joints.rubs || c->machine->rubs; }

static int slip_count(const Contacts *c) { return c->machine->slip_count + c->machine->presses; }

Status contacts_open_rubs(Contacts *c, Arena *arena) {
  Machine *m = c->machine;
  size_t n = (size_t)m->n, count = (size_t)slip_count(c), all = (size_t)c->count + count;
  c->slip_rows = arena_array(arena, double, count *n);
  c->slip_response = arena_array(arena, double, count *n);
  c->slip_lambdas = arena_array(arena, double, count *(size_t)m->rows);
  c->B = arena_array(arena, double, all *all);
  c->slip = arena_array(arena, double, count), c->slip_gamma = arena_array(arena, double, count);
  c->apart = arena_array(arena, double, all);
  c->found = cone_solution_new(arena, (int)all);
  c->p = c->found.z;
  c->row = arena_array(arena, ConeRow, all);
  c->stops = arena_array(arena, bool, count);
  c->yields = arena_array(arena, bool, count);
  c->goes = arena_array(arena, int, count);
  c->starts = arena_array(arena, bool, count);
  c->slip_index = arena_array(arena, int, count);
  c->slip_of = arena_array(arena, int, count);
  c->press = arena_array(arena, double, m->presses);
  c->joint_rests = arena_array(arena, bool, m->presses);
  c->joint_island = arena_array(arena, int, m->presses);
  press_impulses_open(&c->joints, arena, m);
  return QDOT_OK;
}

void contacts_stop(Contacts *c, int slip) { c->stops[slip] = true; }

void contacts_yield(Contacts *c, int slip) { c->yields[slip] = true; }

// ---- Responses

void contacts_read_slips(Contacts *c, double t, const double *q, const double *qd) {
  Machine *m = c->machine;
  size_t n = (size_t)m->n, count = (size_t)m->slip_count, joints = (size_t)m->presses;
  if (m->rubs) {
    machine_need(m, PART_SLIPS);
    SlipsBlocks at = machine_run_slips(m, t, q, qd);
    memcpy(c->slip, at.v, count * sizeof *at.v);
    memcpy(c->slip_rows, at.v_q, count * n * sizeof *at.v_q);
    memcpy(c->slip_gamma, at.gamma, count * sizeof *at.gamma);
  }
  if (!c->joints.rubs) return;
  press_impulses_read(&c->joints, t, q, qd);
  memcpy(c->slip + count, c->joints.v, joints * sizeof *c->slip);
  memcpy(c->slip_rows + count * n, c->joints.v_q, joints * n * sizeof *c->slip_rows);
}

// A joint whose friction can move it: by more than rounding beside what masses alone would.
static bool joint_moves(const Contacts *c, int slip) {
  size_t n = (size_t)c->machine->n, at = (size_t)slip * n;
  double alone = 0, own = dense_dot((int)n, c->slip_rows + at, c->slip_response + at);
  for (size_t j = 0; j < n; j++)
    if (c->M[j * n + j] > 0) alone += c->slip_rows[at + j] * c->slip_rows[at + j] / c->M[j * n + j];
  return own > UNMOVED * alone;
}

void contacts_respond_to_rubs(Contacts *c, double t, const double *q, const double *qd) {
  const Machine *m = c->machine;
  size_t n = (size_t)m->n;
  contacts_read_slips(c, t, q, qd);
  int first = m->rubs ? 0 : m->slip_count, end = c->joints.rubs ? slip_count(c) : m->slip_count;
  for (int i = first; i < end; i++)
    kkt_solve(&c->kkt, c->Phi_q, c->slip_rows + (size_t)i * n, c->zero,
              c->slip_response + (size_t)i * n, c->slip_lambdas + (size_t)i * (size_t)m->rows);
}

double contacts_slip_sensitivity(const Contacts *c, int i) {
  size_t at = (size_t)i * (size_t)c->machine->n;
  double own = dense_dot(c->machine->n, c->slip_rows + at, c->slip_response + at);
  return own > 0 ? sqrt(own) : 0;
}

// The contacts in index[0 .. k), then all ways in which they rub, in the same order; those
// that roll stand behind those that slide, then come the joints of an island, if these strike, too.
static void gather_rubs(Contacts *c, int k, RubSet rubs, int island) {
  const Machine *m = c->machine;
  c->struck_count = k;
  c->r = c->p + k, c->along = c->apart + k, c->rub = c->row + k;
  c->rub_count = rubs == RUB_NOTHING ? 0 : k;
  for (int i = 0; i < c->rub_count; i++) c->slip_index[i] = c->index[i];
  if (rubs == RUB_NOTHING) return;
  for (int i = m->contacts; i < m->slip_count; i++)
    for (int j = 0; j < k; j++) {
      if (machine_slip_contact(m, i) != c->index[j]) continue;
      c->slip_of[c->rub_count - k] = j;
      c->slip_index[c->rub_count++] = i;
    }
  for (int i = 0; rubs == RUB_ALL && c->joints.rubs && i < m->presses; i++) {
    int slip = m->slip_count + i;
    bool can = c->joint_island[i] == island && c->joints.grip[i] > 0;
    if (!can || !joint_moves(c, slip)) continue;
    c->slip_of[c->rub_count - k] = -1;
    c->slip_index[c->rub_count++] = slip;
  }
}

int contacts_rub_count(const Contacts *c) { return c->rub_count; }
static int unknown_count(const Contacts *c) { return c->struck_count + contacts_rub_count(c); }
int contacts_owner(const Contacts *c, int rub) {
  return rub < c->struck_count ? rub : c->slip_of[rub - c->struck_count];
}

double contacts_coefficient(const Contacts *c, int rub) {
  int slip = c->slip_index[rub], joint = slip - c->machine->slip_count;
  return joint >= 0 ? c->joints.grip[joint] : c->machine->slips[slip].mu;
}

ConeProblem contacts_problem(const Contacts *c, const double *y_0) {
  return (ConeProblem){.n = unknown_count(c), .W = c->B, .y_0 = y_0, .row = c->row};
}

// Friction by the load of its contact; with a limit of its own, which is filled in later, of
// joints.
static ConeRow friction_row(const Contacts *c, int rub, double mu, int way) {
  int owner = contacts_owner(c, rub);
  bool rolls = rub >= c->struck_count && owner >= 0;
  return (ConeRow){.kind = owner < 0 ? CONE_LIMITED : CONE_RUBS,
                   .of = owner,
                   .way = way,
                   .mu = mu,
                   .unit = rolls ? mu : 1};
}

void contacts_put_friction(Contacts *c, int rub, double mu, int way) {
  c->rub[rub] = friction_row(c, rub, mu, way);
}

// W of the problem: p pushes against phi_q, r along v.
void contacts_fill_matrix(Contacts *c, int k, RubSet rubs, int island) {
  gather_rubs(c, k, rubs, island);
  int n = c->machine->n, all = unknown_count(c);
  for (int i = 0; i < k; i++) c->row[i] = (ConeRow){.kind = CONE_PUSHES};
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) c->B[i * all + j] = c->A[c->index[i] * c->count + c->index[j]];
  for (int j = 0; j < contacts_rub_count(c); j++) {
    const double *response = c->slip_response + (size_t)c->slip_index[j] * (size_t)n;
    for (int i = 0; i < k; i++) {
      double cross = -dense_dot(n, c->rows + (size_t)c->index[i] * (size_t)n, response);
      c->B[i * all + k + j] = cross;
      c->B[(k + j) * all + i] = cross;
    }
    for (int i = 0; i < contacts_rub_count(c); i++)
      c->B[(k + i) * all + k + j] =
          dense_dot(n, c->slip_rows + (size_t)c->slip_index[i] * (size_t)n, response);
  }
}

double contacts_after(const Contacts *c, int row, double before, const double *z) {
  int all = unknown_count(c);
  return before + dense_dot(all, c->B + (size_t)row * (size_t)all, z);
}

// ---- Who holds, rests and slides

// Those that slide and may not stop now keep their direction.
static void choose_rubs(Contacts *c) {
  for (int i = 0; i < contacts_rub_count(c); i++) {
    int a = c->slip_index[i];
    const Slip *slip = &c->machine->slips[a];
    bool is_fast =
        fabs(c->slip[a]) > CONTACT_RESTING * contacts_speed(c) * contacts_slip_sensitivity(c, a);
    bool starts = c->starts[a] && !c->struck[machine_slip_contact(c->machine, a)]; // no speed yet
    bool slides = !c->stops[a] && (is_fast || starts);
    double way = is_fast ? c->slip[a] : slip->direction;
    int direction = !slides || slip->mu == 0 ? 0 : way > 0 ? 1 : -1;
    contacts_put_friction(c, i, slides ? slip->mu : slip->mu_rest, direction);
  }
}

// Contacts of one part yield together.
static bool any_yields(const Contacts *c) {
  for (int i = 0; i < c->machine->slip_count; i++)
    if (c->yields[i]) return true;
  return false;
}

// Where something at rest goes by its acceleration, beside so much of what is usual.
static int way_by_rate(const Contacts *c, int i, double still) {
  double rate = contacts_after(c, c->struck_count + i, c->along[i], c->p);
  double least = still * c->acceleration * contacts_slip_sensitivity(c, c->slip_index[i]);
  return fabs(rate) > least ? (rate > 0 ? 1 : -1) : 0;
}

// What the friction that is left may accelerate, beside what is usual: next to nothing where the
// contacts are next to unloaded.
static double reach_of_friction(const Contacts *c) {
  double most = 0;
  for (int i = 0; i < contacts_rub_count(c); i++) {
    double s = contacts_slip_sensitivity(c, c->slip_index[i]);
    most = fmax(most, c->rub[i].mu * c->p[contacts_owner(c, i)] * s);
  }
  return most < c->acceleration ? most / c->acceleration : 1;
}

// A load that has just become too much gives next to no acceleration: where it goes is seen with
// next to no less friction.
static void find_yielding(Contacts *c) {
  memset(c->goes, 0, (size_t)c->machine->slip_count * sizeof *c->goes);
  if (!any_yields(c)) return;
  for (int i = 0; i < contacts_rub_count(c); i++)
    if (c->rub[i].way == 0) c->rub[i].mu *= 1 - LESS;
  bool is_solved = contacts_solve_least(c);
  double least = fmax(SEEN * LESS * reach_of_friction(c), ROUNDED);
  for (int i = 0; is_solved && i < contacts_rub_count(c); i++)
    if (c->rub[i].way == 0) c->goes[c->slip_index[i]] = way_by_rate(c, i, least);
  choose_rubs(c);
}

// Where a contact at rest goes now: -1 or +1, 0 when it stays.
static int start_of(const Contacts *c, int i) {
  int way = way_by_rate(c, i, STILL);
  return way != 0 ? way : c->goes[c->slip_index[i]];
}

// Those at rest that start to slide do so with the friction of sliding; true when any does.
static bool start_slides(Contacts *c) {
  bool any = false;
  for (int i = 0; i < contacts_rub_count(c); i++) {
    const Slip *slip = &c->machine->slips[c->slip_index[i]];
    int start = c->rub[i].way || !(c->p[contacts_owner(c, i)] > 0) ? 0 : start_of(c, i);
    if (start == 0 || slip->mu == slip->mu_rest) continue;
    contacts_put_friction(c, i, slip->mu, start);
    any = true;
  }
  return any;
}

static Status jammed(Contacts *c) {
  int worst = 0, k = c->struck_count;
  double least = INFINITY;
  for (int i = 0; i < k; i++) {
    const double *B = c->B + i * unknown_count(c);
    double own = B[i], with = own;
    for (int j = 0; j < contacts_rub_count(c); j++)
      if (contacts_owner(c, j) == i) with -= c->rub[j].way * c->rub[j].mu * B[k + j];
    if (own > 0 && with / own < least) least = with / own, worst = i;
  }
  c->why = text_format(&c->machine->cx->keep,
                       "contact '%s' jams: no pressing force goes with its friction (Painlevé's "
                       "paradox)",
                       contact_name(c, c->index[worst]));
  c->why_note = "the part would be stopped at once, by an impact without approach; a smaller "
                "coefficient of friction, or elasticity at the contact, gives a motion";
  return QDOT_STEP_LIMIT;
}

static void tell_ambiguity(Contacts *c, double t) {
  Machine *m = c->machine;
  if (c->told_ambiguity) return;
  c->told_ambiguity = true;
  diag_warning_plain(m->cx,
                     "at t = %.6g s friction allows more than one motion (Painlevé's paradox); the "
                     "run continues with one of them",
                     t);
}

// What jams is stopped at once, by an impact without approach: where its speed is next to nothing,
// so is the impulse, and it rests. True where any was stopped.
static bool stop_slow_slides(Contacts *c) {
  bool any = false;
  for (int i = 0; i < contacts_rub_count(c); i++) {
    int a = c->slip_index[i];
    const Slip *slip = &c->machine->slips[a];
    bool is_slow = fabs(c->slip[a]) <= SLOW * c->speed * contacts_slip_sensitivity(c, a);
    if (c->rub[i].way == 0 || !is_slow || c->stops[a]) continue;
    contacts_put_friction(c, i, slip->mu_rest, 0);
    any = c->stops[a] = true;
  }
  return any;
}

static Status solve_rubs(Contacts *c, double t) {
  bool is_solved;
  if (c->rub_count == 0) { // what is smooth always has loads, but for rounding
    ConeProblem smooth = contacts_problem(c, c->apart);
    Arena *scratch = &c->machine->cx->scratch;
    if (cone_solve(scratch, &smooth, &c->found)) cone_share(scratch, &smooth, &c->found);
    return QDOT_OK;
  }
  do {
    is_solved = contacts_solve_least(c);
    if (!is_solved && !stop_slow_slides(c)) return jammed(c);
  } while (!is_solved || start_slides(c));
  ConeProblem problem = contacts_problem(c, c->apart);
  if (cone_is_ambiguous(&c->machine->cx->scratch, &problem, &c->found)) tell_ambiguity(c, t);
  return QDOT_OK;
}

// What is to be known of a contact's friction until the next event.
static void set_slip(Contacts *c, int i) {
  Machine *m = c->machine;
  int a = c->slip_index[i];
  Slip *slip = &m->slips[a];
  int direction = c->rub[i].way ? c->rub[i].way : start_of(c, i);
  double s = contacts_slip_sensitivity(c, a), usual = s > 0 ? c->acceleration / s : 1;
  slip->state = direction == 0 && slip->mu_rest > 0 ? SLIP_RESTS : SLIP_SLIDES;
  slip->direction = direction < 0 ? -1 : 1;
  slip->force = c->r[i];
  // what has rested moves by the error of the method, maybe the other way
  slip->slack = c->stops[a] ? 2 * fabs(c->slip[a]) : 0;
  // where loads are shared, one of them may carry nothing here and much a moment later
  double heaviest = 0;
  for (int k = 0; k < c->struck_count; k++) heaviest = fmax(heaviest, c->p[k]);
  slip->unit = fmax(slip->mu_rest * heaviest, CONTACT_RESTING * usual);
  if (!(slip->unit > 0)) slip->unit = 1;
  slip->moves = s * s * slip->unit;
}

// Accelerations of the contacts without their forces; false: all are zero.
static bool find_loads(Contacts *c) {
  int n = c->machine->n;
  bool any = false;
  for (int i = 0; i < c->struck_count; i++) {
    c->apart[i] = -contact_free_bend(c, c->index[i]);
    any |= c->apart[i] != 0;
  }
  for (int i = 0; i < contacts_rub_count(c); i++) {
    size_t a = (size_t)c->slip_index[i];
    c->along[i] = dense_dot(n, c->slip_rows + a * (size_t)n, c->qdd) - c->slip_gamma[a];
    any |= c->along[i] != 0;
  }
  return any;
}

Status contacts_choose(Contacts *c, double t, const double *q, const double *qd,
                       const bool *released) {
  Machine *m = c->machine;
  bool any_rubs = contacts_rub(c);
  int k = 0;
  contacts_free(c, t, q, qd);
  if (any_rubs) contacts_read_slips(c, t, q, qd);
  for (int i = 0; i < c->count; i++) {
    bool rests = c->touching[i] && fabs(c->u[i]) <= contact_resting_speed(c, i);
    m->closed[i] = c->presses[i] = false;
    c->force[i] = 0;
    if (rests && contact_sensitivity(c, i) > 0) c->index[k++] = i;
  }
  for (int i = 0; any_rubs && i < m->slip_count; i++) {
    // what has rested and was not struck has the speed of rounding
    c->stops[i] |= m->slips[i].state == SLIP_RESTS && !c->struck[machine_slip_contact(m, i)];
    c->starts[i] = m->slips[i].state == SLIP_SLIDES;
    m->slips[i].state = SLIP_FREE;
  }
  contacts_fill_matrix(c, k, any_rubs ? RUB_CONTACTS : RUB_NOTHING, NO_ISLAND);
  choose_rubs(c);
  if (!find_loads(c) && any_rubs) { // none yet: where they will go is seen a moment later
    contacts_free(c, t + c->moment, q, qd);
    find_loads(c);
  }
  if (any_rubs) find_yielding(c);
  Status status = solve_rubs(c, t);
  for (int i = 0; status == QDOT_OK && i < k; i++) {
    double apart = contacts_after(c, i, c->apart[i], c->p);
    m->closed[c->index[i]] = contact_holds(c, c->index[i], c->p[i], apart, released);
  }
  if (status == QDOT_OK && any_rubs) contacts_part_squeezed(c);
  for (int i = 0; status == QDOT_OK && i < contacts_rub_count(c); i++)
    if (m->closed[c->index[contacts_owner(c, i)]] && m->plan->slips[c->slip_index[i]].rubs)
      set_slip(c, i);
  if (!any_rubs) return status;
  memset(c->stops, 0, (size_t)m->slip_count * sizeof *c->stops);
  memset(c->yields, 0, (size_t)m->slip_count * sizeof *c->yields);
  memset(c->struck, 0, (size_t)c->count * sizeof *c->struck);
  return status;
}
