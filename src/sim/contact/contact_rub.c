// Contacts with friction: impacts with impulses along the surface, and who rests or slides; in the
// same way, who rolls against a resistance.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/contact/contact.h"
#include "solve/algebra/dense.h"

// Relative to what is large in the run, see contact.c; what rounding leaves of an acceleration
// along a contact that rests; and how near to all that friction holds a load is too much.
static const double RESTING = 1e-9, PULL = 1e-12, STILL = 1e-10, NEARLY = 1e-6;
// A speed that an impulse takes away which nobody would notice.
static const double SLOW = 1e-6;

bool contacts_rub(const Contacts *c) {
  const Machine *m = c->machine;
  for (int i = 0; m->rubs && i < m->slip_count; i++)
    if (c->touching[machine_slip_contact(m, i)] && m->system->slips[i].phi) return true;
  return false;
}

Status contacts_open_rubs(Contacts *c, Arena *arena) {
  size_t n = (size_t)c->machine->n, count = (size_t)c->machine->slip_count;
  size_t all = (size_t)c->count + count;
  c->slip_rows = arena_array(arena, double, count *n);
  c->slip_response = arena_array(arena, double, count *n);
  c->B = arena_array(arena, double, all *all);
  double **vectors[] = {&c->slip, &c->slip_gamma, &c->r, &c->apart, &c->along};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, count);
  c->rub = arena_array(arena, Rub, count);
  c->stops = arena_array(arena, bool, count);
  c->yields = arena_array(arena, bool, count);
  c->starts = arena_array(arena, bool, count);
  c->slip_index = arena_array(arena, int, count);
  c->slip_of = arena_array(arena, int, count);
  return QDOT_OK;
}

void contacts_stop(Contacts *c, int slip) { c->stops[slip] = true; }

void contacts_yield(Contacts *c, int slip) { c->yields[slip] = true; }

// ---- Responses

static void read_slips(Contacts *c, double t, const double *q, const double *qd) {
  size_t n = (size_t)c->machine->n, count = (size_t)c->machine->slip_count;
  machine_need(c->machine, PART_SLIPS);
  SlipsBlocks at = machine_run_slips(c->machine, t, q, qd);
  memcpy(c->slip, at.v, count * sizeof *at.v);
  memcpy(c->slip_rows, at.v_q, count * n * sizeof *at.v_q);
  memcpy(c->slip_gamma, at.gamma, count * sizeof *at.gamma);
}

void contacts_respond_to_rubs(Contacts *c, double t, const double *q, const double *qd) {
  size_t n = (size_t)c->machine->n;
  read_slips(c, t, q, qd);
  for (int i = 0; i < c->machine->slip_count; i++)
    kkt_solve(&c->kkt, c->Phi_q, c->slip_rows + (size_t)i * n, c->zero,
              c->slip_response + (size_t)i * n, c->lambda);
}

// How much a force along a contact moves it, in the metric of the masses.
static double slip_sensitivity(const Contacts *c, int i) {
  size_t at = (size_t)i * (size_t)c->machine->n;
  double own = dense_dot(c->machine->n, c->slip_rows + at, c->slip_response + at);
  return own > 0 ? sqrt(own) : 0;
}

// The contacts in index[0 .. k) and all ways in which they rub, as coulomb.h numbers them; those
// that roll stand behind those that slide.
static void gather_rubs(Contacts *c, int k) {
  const Machine *m = c->machine;
  c->struck_count = k;
  c->more = 0;
  for (int i = 0; i < k; i++) c->slip_index[i] = c->index[i];
  for (int i = m->contacts; i < m->slip_count; i++)
    for (int j = 0; j < k; j++) {
      if (machine_slip_contact(m, i) != c->index[j]) continue;
      c->slip_of[c->more] = j;
      c->slip_index[k + c->more++] = i;
    }
}

static int rub_count(const Contacts *c) { return c->struck_count + c->more; }
static int unknown_count(const Contacts *c) { return c->struck_count + rub_count(c); }
static int contact_of(const Contacts *c, int rub) {
  return rub < c->struck_count ? rub : c->slip_of[rub - c->struck_count];
}

static Coulomb problem_of(const Contacts *c, const double *w, const double *v) {
  return (Coulomb){c->struck_count, c->B, w, v, c->rub, c->more, c->slip_of};
}

// The matrix of coulomb.h: p pushes against phi_q, r along v.
static void fill_matrix(Contacts *c, int k) {
  gather_rubs(c, k);
  int n = c->machine->n, all = unknown_count(c);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) c->B[i * all + j] = c->A[c->index[i] * c->count + c->index[j]];
  for (int j = 0; j < rub_count(c); j++) {
    const double *response = c->slip_response + (size_t)c->slip_index[j] * (size_t)n;
    for (int i = 0; i < k; i++) {
      double cross = -dense_dot(n, c->rows + (size_t)c->index[i] * (size_t)n, response);
      c->B[i * all + k + j] = cross;
      c->B[(k + j) * all + i] = cross;
    }
    for (int i = 0; i < rub_count(c); i++)
      c->B[(k + i) * all + k + j] =
          dense_dot(n, c->slip_rows + (size_t)c->slip_index[i] * (size_t)n, response);
  }
}

static double after(const Contacts *c, int row, double before, const double *p, const double *r) {
  const double *B = c->B + row * unknown_count(c);
  for (int j = 0; j < c->struck_count; j++) before += B[j] * p[j];
  for (int j = 0; j < rub_count(c); j++) before += B[c->struck_count + j] * r[j];
  return before;
}

// ---- Impact

typedef struct Strike {
  int k;
  double *w, *v, *aim; // before; w that restitution asks for
  double *p, *r;
} Strike;

// Impulses with so much of the restitution; the energy that they add. False: no solution.
static bool strike_with(Contacts *c, const Strike *s, const double *e, double share,
                        double *energy) {
  for (int i = 0; i < s->k; i++) {
    int a = c->index[i];
    bool bounces = s->w[i] < 0 && -share * e[a] * s->w[i] > contact_resting_speed(c, a);
    s->aim[i] = (1 + (bounces ? share * e[a] : 0)) * s->w[i];
  }
  for (int i = 0; i < rub_count(c); i++)
    c->rub[i] = (Rub){.mu = c->machine->slips[c->slip_index[i]].mu};
  Coulomb problem = problem_of(c, s->aim, s->v);
  if (!coulomb_solve(&c->machine->cx->scratch, &problem, s->p, s->r)) return false;
  *energy = 0;
  for (int i = 0; i < s->k; i++)
    *energy += s->p[i] * (s->w[i] + after(c, i, s->w[i], s->p, s->r)) / 2;
  for (int i = 0; i < rub_count(c); i++)
    *energy += s->r[i] * (s->v[i] + after(c, s->k + i, s->v[i], s->p, s->r)) / 2;
  return true;
}

static Status no_impact(Contacts *c) {
  c->why = "an impact with friction has no solution";
  c->why_note = "masses or coefficients of friction may be out of all proportion";
  return QDOT_STEP_LIMIT;
}

// The most restitution by which no energy is made.
static Status strike(Contacts *c, const Strike *s, const double *e, SimSummary *summary) {
  enum { HALVINGS = 40 };
  double energy = 0, least = c->speed * c->speed * 1e-14, low = 0, high = 1;
  if (!strike_with(c, s, e, 1, &energy)) return no_impact(c);
  if (energy <= least) return QDOT_OK;
  summary->impacts_softened++;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = (low + high) / 2;
    if (!strike_with(c, s, e, middle, &energy)) return no_impact(c);
    if (energy <= least)
      low = middle;
    else
      high = middle;
  }
  return strike_with(c, s, e, low, &energy) ? QDOT_OK : no_impact(c);
}

// Where something that rubs goes from an impact: -1 or +1, by all that it can; 0 where less has
// brought it to rest.
static int way_of(const Contacts *c, const Strike *s, int i) {
  double most = c->rub[i].mu * s->p[contact_of(c, i)];
  if (!(most > 0)) return after(c, s->k + i, s->v[i], s->p, s->r) < 0 ? -1 : 1;
  return fabs(s->r[i]) < most * (1 - NEARLY) ? 0 : s->r[i] < 0 ? 1 : -1;
}

static void note_pushes(Contacts *c, const Strike *s) {
  for (int i = 0; i < s->k; i++) {
    Thrust push = {.contact = c->index[i], .slip = -1, .bounces = s->aim[i] != s->w[i]};
    if (s->p[i] > 0) vec_push(c->arena, &c->pushes, push);
  }
  for (int i = 0; i < rub_count(c); i++) {
    int a = c->slip_index[i], of = contact_of(c, i);
    Thrust push = {.contact = c->index[of], .slip = a, .way = way_of(c, s, i)};
    if (s->p[of] > 0 && c->machine->system->slips[a].phi) vec_push(c->arena, &c->pushes, push);
  }
}

Status contacts_strike(Contacts *c, double t, const double *q, double *qd, const double *e,
                       double *impulse, SimSummary *summary) {
  Arena *scratch = &c->machine->cx->scratch;
  int n = c->machine->n;
  Strike s = {0};
  for (int i = 0; i < c->count; i++)
    if (c->touching[i] && contact_sensitivity(c, i) > 0) c->index[s.k++] = i;
  fill_matrix(c, s.k);
  double **vectors[] = {&s.w, &s.v, &s.aim, &s.p, &s.r};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(scratch, double, rub_count(c));
  for (int i = 0; i < s.k; i++) s.w[i] = -c->u[c->index[i]];
  for (int i = 0; i < rub_count(c); i++) s.v[i] = c->slip[c->slip_index[i]];
  Status status = strike(c, &s, e, summary);
  c->struck = true;
  if (status == QDOT_OK) note_pushes(c, &s);
  for (int i = 0; status == QDOT_OK && i < s.k; i++) {
    size_t at = (size_t)c->index[i] * (size_t)n;
    dense_add(n, -s.p[i], c->response + at, qd);
    impulse[c->index[i]] = s.p[i];
  }
  for (int i = 0; status == QDOT_OK && i < rub_count(c); i++)
    dense_add(n, s.r[i], c->slip_response + (size_t)c->slip_index[i] * (size_t)n, qd);
  contacts_read(c, t, q, qd);
  read_slips(c, t, q, qd);
  return status;
}

// ---- Who holds, rests and slides

// Those that slide and may not stop now keep their direction.
static void choose_rubs(Contacts *c) {
  for (int i = 0; i < rub_count(c); i++) {
    int a = c->slip_index[i];
    const Slip *slip = &c->machine->slips[a];
    bool is_fast = fabs(c->slip[a]) > RESTING * c->speed * slip_sensitivity(c, a);
    bool starts = c->starts[a] && !c->struck; // and has no speed yet
    bool slides = !c->stops[a] && (is_fast || starts);
    double way = is_fast ? c->slip[a] : slip->direction;
    c->rub[i] = (Rub){slides ? slip->mu : slip->mu_rest, !slides || slip->mu == 0 ? 0
                                                         : way > 0                ? 1
                                                                                  : -1};
  }
}

// Contacts of one part yield together.
static bool any_yields(const Contacts *c) {
  for (int i = 0; i < c->machine->slip_count; i++)
    if (c->yields[i]) return true;
  return false;
}

// Where a contact at rest goes now: -1 or +1, 0 when it stays.
static int start_of(const Contacts *c, int i) {
  int a = c->slip_index[i];
  const Slip *slip = &c->machine->slips[a];
  double pressed = c->p[contact_of(c, i)];
  double rate = after(c, c->struck_count + i, c->along[i], c->p, c->r);
  if (fabs(rate) > STILL * c->acceleration * slip_sensitivity(c, a)) return rate > 0 ? 1 : -1;
  // a load that has just become too much gives next to no acceleration
  bool is_full = fabs(c->r[i]) >= slip->mu_rest * pressed * (1 - NEARLY);
  return c->yields[a] && is_full && pressed > 0 ? (c->r[i] < 0 ? 1 : -1) : 0;
}

// A contact that shares its load and carries none of it here goes with one that moves as it does.
static int follow_of(const Contacts *c, int i) {
  int k = c->struck_count, all = unknown_count(c);
  if (!any_yields(c) || c->p[contact_of(c, i)] > 0) return 0;
  for (int j = 0; j < rub_count(c); j++) {
    double cross = c->B[(k + i) * all + k + j];
    double own = c->B[(k + i) * all + k + i] * c->B[(k + j) * all + k + j];
    if (j == i || !(cross * cross >= own * (1 - NEARLY)) || !(own > 0)) continue;
    int start = c->p[contact_of(c, j)] > 0 ? start_of(c, j) : 0;
    if (start != 0) return cross > 0 ? start : -start;
  }
  return 0;
}

// Those at rest that start to slide do so with the friction of sliding; true when any does.
static bool start_slides(Contacts *c) {
  bool any = false;
  for (int i = 0; i < rub_count(c); i++) {
    const Slip *slip = &c->machine->slips[c->slip_index[i]];
    int start = c->rub[i].direction || !(c->p[contact_of(c, i)] > 0) ? 0 : start_of(c, i);
    if (start == 0 || slip->mu == slip->mu_rest) continue;
    c->rub[i] = (Rub){slip->mu, start};
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
    for (int j = 0; j < rub_count(c); j++)
      if (contact_of(c, j) == i) with -= c->rub[j].direction * c->rub[j].mu * B[k + j];
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
  for (int i = 0; i < rub_count(c); i++) {
    int a = c->slip_index[i];
    const Slip *slip = &c->machine->slips[a];
    bool is_slow = fabs(c->slip[a]) <= SLOW * c->speed * slip_sensitivity(c, a);
    if (c->rub[i].direction == 0 || !is_slow || c->stops[a]) continue;
    c->rub[i] = (Rub){slip->mu_rest, 0};
    any = c->stops[a] = true;
  }
  return any;
}

static Status solve_rubs(Contacts *c, double t) {
  Coulomb problem = problem_of(c, c->apart, c->along);
  Arena *scratch = &c->machine->cx->scratch;
  bool is_solved;
  do {
    is_solved = coulomb_solve(scratch, &problem, c->p, c->r);
    if (!is_solved && !stop_slow_slides(c)) return jammed(c);
  } while (!is_solved || start_slides(c));
  if (coulomb_is_ambiguous(&problem, c->p, c->r)) tell_ambiguity(c, t);
  return QDOT_OK;
}

// What is to be known of a contact's friction until the next event.
static void set_slip(Contacts *c, int i) {
  Machine *m = c->machine;
  int a = c->slip_index[i];
  Slip *slip = &m->slips[a];
  int direction = c->rub[i].direction ? c->rub[i].direction : start_of(c, i);
  if (direction == 0) direction = follow_of(c, i);
  double s = slip_sensitivity(c, a), usual = s > 0 ? c->acceleration / s : 1;
  slip->state = direction == 0 && slip->mu_rest > 0 ? SLIP_RESTS : SLIP_SLIDES;
  slip->direction = direction < 0 ? -1 : 1;
  slip->force = c->r[i];
  // what has rested moves by the error of the method, maybe the other way
  slip->slack = c->stops[a] ? 2 * fabs(c->slip[a]) : 0;
  // where loads are shared, one of them may carry nothing here and much a moment later
  double heaviest = 0;
  for (int k = 0; k < c->struck_count; k++) heaviest = fmax(heaviest, c->p[k]);
  slip->unit = fmax(slip->mu_rest * heaviest, RESTING * usual);
  if (!(slip->unit > 0)) slip->unit = 1;
  slip->moves = s * s * slip->unit;
}

Status contacts_settle_rubs(Contacts *c, double t, const double *q, const double *qd,
                            const bool *released) {
  Machine *m = c->machine;
  int n = m->n, k = 0;
  contacts_free(c, t, q, qd);
  read_slips(c, t, q, qd);
  for (int i = 0; i < c->count; i++) {
    bool rests = c->touching[i] && fabs(c->u[i]) <= contact_resting_speed(c, i);
    m->closed[i] = c->presses[i] = false;
    if (rests && contact_sensitivity(c, i) > 0) c->index[k++] = i;
  }
  for (int i = 0; i < m->slip_count; i++) {
    // what has rested and was not struck has the speed of rounding
    c->stops[i] |= m->slips[i].state == SLIP_RESTS && !c->struck;
    c->starts[i] = m->slips[i].state == SLIP_SLIDES;
    m->slips[i].state = SLIP_FREE;
  }
  fill_matrix(c, k);
  choose_rubs(c);
  for (int i = 0; i < k; i++) c->apart[i] = -contact_free_bend(c, c->index[i]);
  for (int i = 0; i < rub_count(c); i++) {
    size_t a = (size_t)c->slip_index[i];
    c->along[i] = dense_dot(n, c->slip_rows + a * (size_t)n, c->qdd) - c->slip_gamma[a];
  }
  Status status = solve_rubs(c, t);
  for (int i = 0; status == QDOT_OK && i < k; i++) {
    int a = c->index[i];
    double s = contact_sensitivity(c, a), apart = after(c, i, c->apart[i], c->p, c->r);
    c->presses[a] = c->p[i] * s > RESTING * c->acceleration;
    m->closed[a] =
        released && released[a] ? c->presses[a] : apart <= PULL / 2 * c->acceleration * s;
  }
  for (int i = 0; status == QDOT_OK && i < rub_count(c); i++)
    if (m->closed[c->index[contact_of(c, i)]] && m->system->slips[c->slip_index[i]].phi)
      set_slip(c, i);
  memset(c->stops, 0, (size_t)m->slip_count * sizeof *c->stops);
  memset(c->yields, 0, (size_t)m->slip_count * sizeof *c->yields);
  c->struck = false;
  return status;
}
