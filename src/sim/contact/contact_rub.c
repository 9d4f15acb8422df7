// Contacts with friction: impacts with impulses along the surface, and who rests or slides.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/contact/contact.h"
#include "solve/algebra/dense.h"

// Relative to what is large in the run, see contact.c; what rounding leaves of an acceleration
// along a contact that rests; and how near to all that friction holds a load is too much.
static const double RESTING = 1e-9, PULL = 1e-12, STILL = 1e-10, NEARLY = 1e-6;

bool contacts_rub(const Contacts *c) {
  for (int i = 0; c->machine->rubs && i < c->count; i++)
    if (c->touching[i] && c->machine->system->slips[i].phi) return true;
  return false;
}

Status contacts_open_rubs(Contacts *c, Arena *arena) {
  size_t n = (size_t)c->machine->n, count = (size_t)c->count;
  c->slip_rows = arena_array(arena, double, count *n);
  c->slip_response = arena_array(arena, double, count *n);
  c->B = arena_array(arena, double, 4 * count * count);
  double **vectors[] = {&c->slip, &c->slip_gamma, &c->r, &c->apart, &c->along};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, count);
  c->rub = arena_array(arena, Rub, count);
  c->stops = arena_array(arena, bool, count);
  c->yields = arena_array(arena, bool, count);
  c->starts = arena_array(arena, bool, count);
  return QDOT_OK;
}

void contacts_stop(Contacts *c, int contact) { c->stops[contact] = true; }

void contacts_yield(Contacts *c, int contact) { c->yields[contact] = true; }

// ---- Responses

static void read_slips(Contacts *c, double t, const double *q, const double *qd) {
  size_t n = (size_t)c->machine->n, count = (size_t)c->count;
  machine_need(c->machine, PART_SLIPS);
  SlipsBlocks at = machine_run_slips(c->machine, t, q, qd);
  memcpy(c->slip, at.v, count * sizeof *at.v);
  memcpy(c->slip_rows, at.v_q, count * n * sizeof *at.v_q);
  memcpy(c->slip_gamma, at.gamma, count * sizeof *at.gamma);
}

void contacts_respond_to_rubs(Contacts *c, double t, const double *q, const double *qd) {
  size_t n = (size_t)c->machine->n;
  read_slips(c, t, q, qd);
  for (int i = 0; i < c->count; i++)
    kkt_solve(&c->kkt, c->Phi_q, c->slip_rows + (size_t)i * n, c->zero,
              c->slip_response + (size_t)i * n, c->lambda);
}

// How much a force along a contact moves it, in the metric of the masses.
static double slip_sensitivity(const Contacts *c, int i) {
  size_t at = (size_t)i * (size_t)c->machine->n;
  double own = dense_dot(c->machine->n, c->slip_rows + at, c->slip_response + at);
  return own > 0 ? sqrt(own) : 0;
}

// The matrix of coulomb.h over the contacts in index[0 .. k): p pushes against phi_q, r along v.
static void fill_matrix(Contacts *c, int k) {
  int n = c->machine->n, all = 2 * k;
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++) {
      size_t a = (size_t)c->index[i] * (size_t)n, b = (size_t)c->index[j] * (size_t)n;
      double cross = -dense_dot(n, c->rows + a, c->slip_response + b);
      c->B[i * all + j] = c->A[c->index[i] * c->count + c->index[j]];
      c->B[i * all + k + j] = cross;
      c->B[(k + j) * all + i] = cross;
      c->B[(k + i) * all + k + j] = dense_dot(n, c->slip_rows + a, c->slip_response + b);
    }
}

static double after(const Contacts *c, int k, int row, double before, const double *p,
                    const double *r) {
  for (int j = 0; j < k; j++)
    before += c->B[row * 2 * k + j] * p[j] + c->B[row * 2 * k + k + j] * r[j];
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
    c->rub[i] = (Rub){.mu = c->machine->slips[a].mu};
  }
  Coulomb problem = {s->k, c->B, s->aim, s->v, c->rub};
  if (!coulomb_solve(&c->machine->cx->scratch, &problem, s->p, s->r)) return false;
  *energy = 0;
  for (int i = 0; i < s->k; i++)
    *energy += s->p[i] * (s->w[i] + after(c, s->k, i, s->w[i], s->p, s->r)) / 2 +
               s->r[i] * (s->v[i] + after(c, s->k, s->k + i, s->v[i], s->p, s->r)) / 2;
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

Status contacts_strike(Contacts *c, double t, const double *q, double *qd, const double *e,
                       double *impulse, SimSummary *summary) {
  Arena *scratch = &c->machine->cx->scratch;
  int n = c->machine->n;
  Strike s = {0};
  for (int i = 0; i < c->count; i++)
    if (c->touching[i] && contact_sensitivity(c, i) > 0) c->index[s.k++] = i;
  double **vectors[] = {&s.w, &s.v, &s.aim, &s.p, &s.r};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(scratch, double, s.k);
  fill_matrix(c, s.k);
  for (int i = 0; i < s.k; i++) s.w[i] = -c->u[c->index[i]], s.v[i] = c->slip[c->index[i]];
  Status status = strike(c, &s, e, summary);
  c->struck = true;
  for (int i = 0; status == QDOT_OK && i < s.k; i++) {
    size_t at = (size_t)c->index[i] * (size_t)n;
    dense_add(n, -s.p[i], c->response + at, qd);
    dense_add(n, s.r[i], c->slip_response + at, qd);
    impulse[c->index[i]] = s.p[i];
  }
  contacts_read(c, t, q, qd);
  read_slips(c, t, q, qd);
  return status;
}

// ---- Who holds, rests and slides

// Those that slide and may not stop now keep their direction.
static void choose_rubs(Contacts *c, int k) {
  for (int i = 0; i < k; i++) {
    int a = c->index[i];
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
  for (int i = 0; i < c->count; i++)
    if (c->yields[i]) return true;
  return false;
}

// Where a contact at rest goes now: -1 or +1, 0 when it stays.
static int start_of(const Contacts *c, int k, int i) {
  int a = c->index[i];
  const Slip *slip = &c->machine->slips[a];
  double rate = after(c, k, k + i, c->along[i], c->p, c->r);
  if (fabs(rate) > STILL * c->acceleration * slip_sensitivity(c, a)) return rate > 0 ? 1 : -1;
  // a load that has just become too much gives next to no acceleration
  bool is_full = fabs(c->r[i]) >= slip->mu_rest * c->p[i] * (1 - NEARLY);
  return any_yields(c) && is_full && c->p[i] > 0 ? (c->r[i] < 0 ? 1 : -1) : 0;
}

// Those at rest that start to slide do so with the friction of sliding; true when any does.
static bool start_slides(Contacts *c, int k) {
  bool any = false;
  for (int i = 0; i < k; i++) {
    const Slip *slip = &c->machine->slips[c->index[i]];
    int start = c->rub[i].direction || !(c->p[i] > 0) ? 0 : start_of(c, k, i);
    if (start == 0 || slip->mu == slip->mu_rest) continue;
    c->rub[i] = (Rub){slip->mu, start};
    any = true;
  }
  return any;
}

static Status jammed(Contacts *c, int k) {
  int worst = 0;
  double least = INFINITY;
  for (int i = 0; i < k; i++) {
    double own = c->B[i * 2 * k + i];
    double with = own - c->rub[i].direction * c->rub[i].mu * c->B[i * 2 * k + k + i];
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

static Status solve_rubs(Contacts *c, int k, double t) {
  Coulomb problem = {k, c->B, c->apart, c->along, c->rub};
  Arena *scratch = &c->machine->cx->scratch;
  do {
    if (!coulomb_solve(scratch, &problem, c->p, c->r)) return jammed(c, k);
  } while (start_slides(c, k));
  if (coulomb_is_ambiguous(&problem, c->p, c->r)) tell_ambiguity(c, t);
  return QDOT_OK;
}

// What is to be known of a contact's friction until the next event.
static void set_slip(Contacts *c, int k, int i) {
  Machine *m = c->machine;
  int a = c->index[i];
  Slip *slip = &m->slips[a];
  int direction = c->rub[i].direction ? c->rub[i].direction : start_of(c, k, i);
  double s = slip_sensitivity(c, a), usual = s > 0 ? c->acceleration / s : 1;
  slip->state = direction == 0 && slip->mu_rest > 0 ? SLIP_RESTS : SLIP_SLIDES;
  slip->direction = direction < 0 ? -1 : 1;
  slip->force = c->r[i];
  // what has rested moves by the error of the method, maybe the other way
  slip->slack = c->stops[a] ? 2 * fabs(c->slip[a]) : 0;
  slip->unit = fmax(slip->mu_rest * c->p[i], RESTING * usual);
  if (!(slip->unit > 0)) slip->unit = 1;
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
    // what has rested and was not struck has the speed of rounding
    c->stops[i] |= m->slips[i].state == SLIP_RESTS && !c->struck;
    c->starts[i] = m->slips[i].state == SLIP_SLIDES;
    m->slips[i].state = SLIP_FREE;
    if (rests && contact_sensitivity(c, i) > 0) c->index[k++] = i;
  }
  fill_matrix(c, k);
  choose_rubs(c, k);
  for (int i = 0; i < k; i++) {
    size_t a = (size_t)c->index[i];
    c->apart[i] = -contact_free_bend(c, (int)a);
    c->along[i] = dense_dot(n, c->slip_rows + a * (size_t)n, c->qdd) - c->slip_gamma[a];
  }
  Status status = solve_rubs(c, k, t);
  for (int i = 0; status == QDOT_OK && i < k; i++) {
    int a = c->index[i];
    double s = contact_sensitivity(c, a), apart = after(c, k, i, c->apart[i], c->p, c->r);
    c->presses[a] = c->p[i] * s > RESTING * c->acceleration;
    m->closed[a] =
        released && released[a] ? c->presses[a] : apart <= PULL / 2 * c->acceleration * s;
    if (m->closed[a] && m->system->slips[a].phi) set_slip(c, k, i);
  }
  memset(c->stops, 0, (size_t)c->count * sizeof *c->stops);
  memset(c->yields, 0, (size_t)c->count * sizeof *c->yields);
  c->struck = false;
  return status;
}
