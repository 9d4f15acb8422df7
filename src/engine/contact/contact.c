// Contacts: impact, closing, release.
#include "engine/contact/contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/machine.h"
#include "solve/algebra/dense.h"

enum { MOST_ROUNDS = 100 };
// A gap that joints let move by less than this part of what masses alone would is theirs.
static const double UNLOADED = 1e-12;
// Relative to what is large in the run.
static const double TOGETHER = 1e-9, SETTLED = 1e-12;
// An overlap beyond this part of the size of its gap means that the contact was not felt; where
// steps go over contacts, they may overlap by more.
static const double OVERLAP = 1e-3, OVERLAP_STEPPED = 0.1;
// How many roundings a gap may collect; those that a bounce must rise above, or a gap may be from
// zero and touch; and those of time that a flight must last.
static const double ROUNDINGS = 8, LOWEST_BOUNCE = 4, TOUCH = 512, SHORTEST_FLIGHT = 1000;
// The same of what a method with errors within its steps can see of a gap.
static const double SEEN_BOUNCE = 2;

static const PlanContact *definition_of(const Contacts *c, int i) {
  return &c->machine->plan->contacts[i];
}

const char *contact_name(const Contacts *c, int i) { return definition_of(c, i)->name; }

// What is needed of contacts that the method steps over.
static Status open_stepped(Contacts *c, Arena *arena, Machine *m) {
  size_t count = (size_t)m->contacts;
  *c = (Contacts){.machine = m, .count = m->contacts, .is_stepped = true};
  double **vectors[] = {&c->restitution, &c->friction, &c->phi,      &c->u,    &c->right,
                        &c->last_impact, &c->parted,   &c->rounding, &c->bend, &c->most_overlap};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, count);
  c->touching = arena_array(arena, bool, count);
  c->largest = arena_array(arena, double, m->n);
  return contacts_take_values(c);
}

Status contacts_open(Contacts *c, Arena *arena, Machine *m, bool is_stepped) {
  if (is_stepped) return open_stepped(c, arena, m);
  size_t n = (size_t)m->n, count = (size_t)m->contacts, rows = (size_t)m->rows;
  *c = (Contacts){.machine = m, .count = m->contacts, .arena = arena};
  c->restitution = arena_array(arena, double, count);
  c->friction = arena_array(arena, double, count);
  c->touching = arena_array(arena, bool, count);
  c->presses = arena_array(arena, bool, count);
  c->opens = arena_array(arena, bool, count);
  c->force = arena_array(arena, double, count);
  c->let_go = arena_array(arena, double, count);
  c->last_impact = arena_array(arena, double, count);
  c->parted = arena_array(arena, double, count);
  c->rounding = arena_array(arena, double, count);
  c->most_overlap = arena_array(arena, double, count);
  c->lacks_slope = arena_array(arena, bool, count);
  c->bend = arena_array(arena, double, count);
  c->largest = arena_array(arena, double, n);
  kkt_open(&c->kkt, arena, m->n, m->rows, false);
  c->M = arena_array(arena, double, n *n);
  c->Phi_q = arena_array(arena, double, (rows + count) * n);
  c->rows = arena_array(arena, double, count *n);
  c->response = arena_array(arena, double, count *n);
  c->lambdas = arena_array(arena, double, count *rows);
  c->A = arena_array(arena, double, count *count);
  double **vectors[] = {&c->gamma, &c->u, &c->phi, &c->right, &c->zero_restitution};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, count);
  c->qdd = arena_array(arena, double, n);
  c->f = arena_array(arena, double, n);
  c->lambda = arena_array(arena, double, rows);
  c->zero = arena_array(arena, double, rows);
  c->index = arena_array(arena, int, count);
  c->island = arena_array(arena, int, count);
  c->struck = arena_array(arena, bool, count);
  for (int i = 0; i < c->count; i++) c->last_impact[i] = c->let_go[i] = -INFINITY;
  Status status = contacts_take_values(c);
  return status == QDOT_OK ? contacts_open_rubs(c, arena) : status;
}

static Status take_resistances(Contacts *c) {
  Machine *m = c->machine;
  for (int i = m->contacts; i < m->slip_count; i++) {
    int contact = machine_slip_contact(m, i);
    double f = machine_number(m, &definition_of(c, contact)->rolling);
    if (!(f >= 0))
      return diag_error(m->cx, QDOT_BAD_VALUE, definition_of(c, contact)->span,
                        "the resistance of contact '%s' to rolling is 0 or more, not %g m",
                        contact_name(c, contact), f);
    m->slips[i].mu_rest = m->slips[i].mu = f;
  }
  return QDOT_OK;
}

Status contacts_take_values(Contacts *c) {
  Machine *m = c->machine;
  for (int i = 0; i < c->count; i++) {
    const PlanContact *contact = definition_of(c, i);
    double e = machine_number(m, &contact->restitution);
    c->restitution[i] = e;
    if (!(e >= 0 && e <= 1))
      return diag_error(m->cx, QDOT_BAD_VALUE, contact->span,
                        "the restitution of contact '%s' must lie between 0 and 1, not %g",
                        contact_name(c, i), e);
    if (!m->plan->slips[i].rubs) continue;
    Slip *slip = &m->slips[i];
    slip->mu_rest = machine_number(m, &contact->mu_rest),
    slip->mu = machine_number(m, &contact->mu);
    if (slip->mu == slip->mu_rest && !(slip->mu >= 0))
      return diag_error(m->cx, QDOT_BAD_VALUE, contact->span,
                        "the friction of contact '%s' is 0 or more, not %g", contact_name(c, i),
                        slip->mu);
    if (!(slip->mu >= 0 && slip->mu_rest >= slip->mu))
      return diag_error(m->cx, QDOT_BAD_VALUE, contact->span,
                        "the friction of contact '%s' is 0 or more, and no larger while sliding "
                        "than at rest: not %g at rest and %g while sliding",
                        contact_name(c, i), slip->mu_rest, slip->mu);
    c->friction[i] = slip->mu;
  }
  return take_resistances(c);
}

void contacts_renew_friction(Contacts *c) {
  Machine *m = c->machine;
  for (int i = 0; m->rubs && i < m->slip_count; i++) {
    const PlanContact *contact = definition_of(c, machine_slip_contact(m, i));
    bool rolls = i >= m->contacts;
    if (!rolls && !m->plan->slips[i].rubs) continue;
    m->slips[i].mu_rest = machine_number(m, rolls ? &contact->rolling : &contact->mu_rest);
    m->slips[i].mu = machine_number(m, rolls ? &contact->rolling : &contact->mu);
  }
  press_impulses_renew(&c->joints);
}

// ---- The response of the mechanism to a unit impulse at each contact

// M and the constraint rows without closed contacts.
static Status factor_constraints(Contacts *c, double t, const double *q) {
  Machine *m = c->machine;
  const Problem *p = &m->problem;
  size_t n = (size_t)m->n;
  Status status = p->geometry(p->user, t, q, c->M, c->Phi_q);
  if (status != QDOT_OK) return status;
  int kept = 0;
  for (int r = 0; r < p->m; r++) {
    if (machine_place(m, r) >= m->rows) continue;
    memmove(c->Phi_q + (size_t)kept * n, c->Phi_q + (size_t)r * n, n * sizeof *c->Phi_q);
    kept++;
  }
  return kkt_factor(&c->kkt, c->M, c->Phi_q, kept);
}

// Of a gap: what it is the sum of, and what its coordinates carry, each by its largest value.
static double size_of_gap(const Contacts *c, const double *row, double terms) {
  double size = isfinite(terms) ? terms : 0;
  for (int j = 0; j < c->machine->n; j++) size += fabs(row[j]) * c->largest[j];
  return size;
}

// A gap may have no slope where it is open, as a distance where its ends meet: nothing pushes along
// it there, and its row is zero until it has one.
static bool row_has_value(const Contacts *c, int i) {
  size_t n = (size_t)c->machine->n;
  bool has_value = isfinite(c->gamma[i]);
  for (size_t j = 0; j < n; j++) has_value &= isfinite(c->rows[(size_t)i * n + j]);
  return has_value;
}

static void read_rows(Contacts *c, double t, const double *q, const double *qd) {
  size_t n = (size_t)c->machine->n;
  ContactRowsBlocks at = machine_run_contact_rows(c->machine, t, q, qd);
  memcpy(c->rows, at.phi_q, (size_t)c->count * n * sizeof *at.phi_q);
  memcpy(c->gamma, at.gamma, (size_t)c->count * sizeof *at.gamma);
  c->any_lacks_slope = false;
  for (int i = 0; i < c->count; i++) {
    c->any_lacks_slope |= c->lacks_slope[i] = !row_has_value(c, i);
    if (c->lacks_slope[i]) memset(c->rows + (size_t)i * n, 0, n * sizeof *c->rows);
    if (c->lacks_slope[i]) c->gamma[i] = 0;
    double size = size_of_gap(c, c->rows + (size_t)i * n, at.size[i]);
    c->rounding[i] = ROUNDINGS * DBL_EPSILON * size;
    c->most_overlap[i] = fmax(c->most_overlap[i], OVERLAP * size);
  }
}

Status contacts_respond(Contacts *c, double t, const double *q, const double *qd) {
  Machine *m = c->machine;
  int n = m->n;
  Status status = factor_constraints(c, t, q);
  if (status != QDOT_OK) return status;
  read_rows(c, t, q, qd);
  for (int i = 0; i < c->count; i++)
    kkt_solve(&c->kkt, c->Phi_q, c->rows + (size_t)i * n, c->zero, c->response + (size_t)i * n,
              c->lambdas + (size_t)i * (size_t)m->rows);
  for (int i = 0; i < c->count; i++)
    for (int j = 0; j < c->count; j++)
      c->A[i * c->count + j] = dense_dot(n, c->rows + (size_t)i * n, c->response + (size_t)j * n);
  contacts_respond_to_rubs(c, t, q, qd);
  return QDOT_OK;
}

double contact_sensitivity(const Contacts *c, int i) {
  double a = c->A[i * c->count + i];
  return a > 0 ? sqrt(a) : 0;
}

void contacts_read(Contacts *c, double t, const double *q, const double *qd) {
  ContactsBlocks at = machine_run_contacts(c->machine, t, q, qd);
  memcpy(c->phi, at.phi, (size_t)c->count * sizeof *at.phi);
  memcpy(c->u, at.phi_dot, (size_t)c->count * sizeof *at.phi_dot);
}

Status contacts_watch(Contacts *c, double t, const double *q, const double *qd) {
  const Problem *p = &c->machine->problem;
  int n = c->machine->n;
  Status status = p->geometry(p->user, t, q, c->M, c->Phi_q);
  if (status != QDOT_OK) return status;
  dense_multiply(n, n, c->M, qd, c->f);
  c->speed = fmax(c->speed, sqrt(fabs(dense_dot(n, qd, c->f))));
  for (int j = 0; j < n; j++) c->largest[j] = fmax(c->largest[j], fabs(q[j]));
  if (c->any_lacks_slope) read_rows(c, t, q, qd);
  return QDOT_OK;
}

double contact_force_tolerance(const Contacts *c, int i) {
  double s = contact_sensitivity(c, i);
  return s > 0 ? CONTACT_PULL * c->acceleration / s : 0;
}

double contact_gap_tolerance(const Contacts *c, int i) {
  return c->rounding[i] * (1 + c->method_error / (ROUNDINGS * DBL_EPSILON));
}

// A bounce that does not rise above the rounding of the gap, or above what a method with errors
// within its steps can see of it, is none.
static double lowest_bounce(const Contacts *c, int i) {
  double seen = c->method_error > 0 ? SEEN_BOUNCE * contact_gap_tolerance(c, i) : 0;
  return fmax(LOWEST_BOUNCE * c->rounding[i], seen);
}

// So many moments make a speed of accelerations that is one of the run, also where all still rests.
static const double MOMENTS = 100;

double contacts_speed(const Contacts *c) {
  return fmax(c->speed, MOMENTS * c->moment * c->acceleration);
}

// A speed below which a contact rests: nothing beside the speeds of the run, or a bounce that stays
// within the rounding of the gap.
double contact_resting_speed(const Contacts *c, int i) {
  double highest = lowest_bounce(c, i);
  return fmax(CONTACT_RESTING * contacts_speed(c) * contact_sensitivity(c, i),
              sqrt(2 * c->bend[i] * highest));
}

// ---- Accelerations

// d2(phi)/dt2 of a contact by the free accelerations.
double contact_free_bend(const Contacts *c, int i) {
  size_t n = (size_t)c->machine->n;
  return dense_dot((int)n, c->rows + (size_t)i * n, c->qdd) - c->gamma[i];
}

// Free accelerations (all contacts open) at the state, and how they bend the gaps; the constraints
// hold.
void contacts_free(Contacts *c, double t, const double *q, const double *qd) {
  Machine *m = c->machine;
  size_t n = (size_t)m->n;
  machine_need(m, PART_TERMS);
  if (m->rubs) machine_clear_friction(m);
  TermsBlocks terms = machine_run_terms(m, t, q, qd);
  memcpy(c->f, terms.f, n * sizeof *terms.f);
  int kept = 0;
  Mark mark = arena_mark(&m->cx->scratch);
  double *right = arena_array(&m->cx->scratch, double, m->rows);
  for (int r = 0; r < m->problem.m; r++)
    if (machine_place(m, r) < m->rows) right[kept++] = terms.gamma[r];
  kkt_solve(&c->kkt, c->Phi_q, c->f, right, c->qdd, c->lambda);
  arena_release(&m->cx->scratch, mark);
  dense_multiply(m->n, m->n, c->M, c->qdd, c->f);
  double most = sqrt(fabs(dense_dot(m->n, c->qdd, c->f)));
  c->acceleration = fmax(c->acceleration, most);
  for (int i = 0; i < c->count; i++) {
    // a gap may be bent by the velocities alone, as on a body that turns, or by its surface
    double s = contact_sensitivity(c, i), bend = fabs(contact_free_bend(c, i));
    if (c->touching[i] && s > 0) c->acceleration = fmax(c->acceleration, bend / s);
    c->bend[i] = fmax(bend, s * most);
  }
}

// ---- Impact

static void add_event(Contacts *c, SimSummary *summary, double t, int i, SimEventKind kind,
                      double before, double after) {
  SimEvent event = {.t = t, .number = (uint32_t)i, .kind = kind, .before = before, .after = after};
  vec_push(&c->machine->cx->keep, &summary->events, event);
}

// In the metric of the masses.
static double fastest_approach(const Contacts *c, int island) {
  double fastest = 0;
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == island) fastest = fmax(fastest, c->u[i] / contact_sensitivity(c, i));
  return fastest;
}

// The contacts of an island whose approach is fastest; 0 when none exceeds `least`.
static int fastest_group(Contacts *c, int island, double least) {
  double fastest = fastest_approach(c, island);
  if (!(fastest > least)) return 0;
  int k = 0;
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == island && c->u[i] / contact_sensitivity(c, i) >= fastest * (1 - TOGETHER))
      c->index[k++] = i;
  return k;
}

static int list_island(Contacts *c, int island) {
  int k = 0;
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == island) c->index[k++] = i;
  return k;
}

// Bounces that pile up end in contact: the last flight, whoever ended it, stayed within the
// rounding of the gap or of time.
double contact_restitution_now(const Contacts *c, int i, double t) {
  double flight = t - c->last_impact[i], height = fmax(c->parted[i], c->u[i]) * flight / 4;
  bool flew = c->parted[i] > 0 && c->u[i] > 0;
  bool low = flight <= SHORTEST_FLIGHT * DBL_EPSILON * t || height <= lowest_bounce(c, i);
  return flew && low ? 0 : c->restitution[i];
}

// The fastest group first, again and again; Newton's cradle comes out right.
static Status strike_in_turn(Contacts *c, int island, Impact *at, SimSummary *summary) {
  double first = fastest_approach(c, island);
  int k, end = at->rounds + MOST_ROUNDS;
  Status status = QDOT_OK;
  while (status == QDOT_OK && (k = fastest_group(c, island, SETTLED * first)) > 0) {
    if (at->rounds == end) { // what is left does not bounce
      Impact last = *at;
      last.e = c->zero_restitution;
      summary->impact_rounds_exceeded++;
      status = contacts_strike(c, list_island(c, island), RUB_NOTHING, island, &last, summary);
      at->rounds = last.rounds;
      return status;
    }
    for (int i = 0; i < k; i++) {
      int a = c->index[i];
      at->took_part[a] = true;
      at->before[a] = fmax(at->before[a], c->u[a]);
    }
    status = contacts_strike(c, k, RUB_NOTHING, island, at, summary);
  }
  return status;
}

// With friction all that touches strikes at once.
static Status strike_at_once(Contacts *c, int island, Impact *at, SimSummary *summary) {
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == island) at->before[i] = fmax(c->u[i], 0);
  Status status = contacts_strike(c, list_island(c, island), RUB_ALL, island, at, summary);
  for (int i = 0; i < c->count; i++)
    if (c->island[i] == island) at->took_part[i] = at->impulse[i] > 0;
  return status;
}

static Status strike_island(Contacts *c, int island, Impact *at, SimSummary *summary) {
  if (!(fastest_approach(c, island) > 0)) return QDOT_OK;
  bool rubs = contacts_island_rubs(c, island);
  Status status =
      rubs ? strike_at_once(c, island, at, summary) : strike_in_turn(c, island, at, summary);
  int struck = 0;
  for (int i = 0; i < c->count; i++) {
    if (c->island[i] != island) continue;
    c->struck[i] = true;
    struck += at->took_part[i];
  }
  if (struck > 1) *(rubs ? &summary->impacts_at_once : &summary->impacts_in_turn) += 1;
  return status;
}

static Status impact(Contacts *c, double t, const double *q, double *qd, SimSummary *summary) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  size_t count = (size_t)c->count;
  double *e = arena_array(scratch, double, count);
  Impact at = {.t = t, .q = q, .e = e, .qd = qd};
  at.before = arena_array(scratch, double, count);
  at.impulse = arena_array(scratch, double, count);
  at.rubbed = arena_array(scratch, double, c->machine->slip_count + c->machine->presses);
  at.took_part = arena_array(scratch, bool, count);
  for (int i = 0; i < c->count; i++) e[i] = contact_restitution_now(c, i, t);
  contacts_find_islands(c, t, q, qd);
  Status status = QDOT_OK;
  for (int i = 0; i < c->islands && status == QDOT_OK; i++)
    status = strike_island(c, i, &at, summary);
  contacts_find_driven(c, t, q, qd, at.impulse, at.rubbed);
  for (int i = 0; i < c->count; i++) {
    if (!at.took_part[i]) continue;
    bool gentle = at.before[i] <= contact_resting_speed(c, i);
    if (!gentle && e[i] == c->restitution[i])
      add_event(c, summary, t, i, SIM_IMPACT, at.before[i], c->u[i]);
    c->last_impact[i] = t;
    c->parted[i] = fmax(-c->u[i], 0);
  }
  arena_release(scratch, mark);
  return status;
}

// ---- Which contacts hold from here on

// Closed where a force, or the lack of any acceleration apart, keeps it together. One whose force
// has just fallen to zero, or that opens a moment later, stays only if it is pressed.
bool contact_holds(Contacts *c, int i, double force, double apart, const bool *released) {
  double s = contact_sensitivity(c, i);
  c->force[i] = force;
  c->presses[i] = force * s > CONTACT_RESTING * c->acceleration;
  bool lets_go = (released && released[i]) || c->opens[i];
  // what presses does not part: rounding of forces far above all others may say so
  return c->presses[i] || (!lets_go && apart <= CONTACT_PULL / 2 * c->acceleration * s);
}

static bool any_approaches(const Contacts *c) {
  for (int i = 0; i < c->count; i++)
    if (c->touching[i] && contact_sensitivity(c, i) > 0 && c->u[i] > 0) return true;
  return false;
}

// What is drawn back onto closed contacts, by the error of the method, may overlap with others: it
// is moved apart, or the way to a gap would be seen as the way into it.
static void move_apart(Contacts *c, double *q) {
  int n = c->machine->n, k = 0;
  bool any = false;
  for (int i = 0; i < c->count; i++) {
    if (!c->touching[i] || !(contact_sensitivity(c, i) > 0)) continue;
    any |= c->phi[i] > 2 * c->rounding[i];
    c->index[k++] = i;
  }
  if (!any) return;
  for (int i = 0; i < k; i++) {
    int a = c->index[i];
    bool overlaps = c->phi[a] > 2 * c->rounding[a];
    c->right[i] = overlaps ? -c->phi[a] : fmax(c->rounding[a] - c->phi[a], 0);
  }
  contacts_fill_matrix(c, k, RUB_NOTHING, NO_ISLAND);
  cone_push(&c->machine->cx->scratch, k, c->B, c->right, c->p);
  for (int j = 0; j < k; j++) dense_add(n, -c->p[j], c->response + (size_t)c->index[j] * n, q);
}

static Status settle(Contacts *c, double t, double *q, double *qd, const bool *hit,
                     SimSummary *summary) {
  Machine *m = c->machine;
  Mark mark = arena_mark(&m->cx->scratch);
  bool *was = arena_array(&m->cx->scratch, bool, c->count);
  bool *released = arena_array(&m->cx->scratch, bool, c->count);
  bool any_released = false;
  for (int i = 0; i < c->count; i++) {
    was[i] = m->closed[i];
    if (hit && hit[i] && was[i]) c->let_go[i] = t;
    any_released |= released[i] = c->let_go[i] == t;
    c->opens[i] = false;
  }
  uint32_t events_before = summary->events.n;
  Status status = contacts_respond(c, t, q, qd);
  if (status == QDOT_OK) {
    contacts_read(c, t, q, qd);
    contacts_free(c, t, q, qd);
    // a closed contact does not approach, whatever rounding says
    for (int i = 0; i < c->count; i++)
      if (was[i]) c->u[i] = fmin(c->u[i], 0) * (fabs(c->u[i]) > contact_resting_speed(c, i));
    move_apart(c, q);
    if (any_approaches(c)) status = impact(c, t, q, qd, summary);
    contacts_read(c, t, q, qd);
    for (int i = 0; i < c->count; i++)
      if (was[i] && fabs(c->u[i]) <= contact_resting_speed(c, i)) c->u[i] = 0;
    if (status == QDOT_OK && any_released) status = contacts_look_ahead(c, t, q, qd, released);
    if (status == QDOT_OK) status = contacts_choose(c, t, q, qd, released);
  }
  for (int i = 0; status == QDOT_OK && i < c->count; i++) {
    if (was[i] && !m->closed[i]) {
      bool struck = false;
      for (uint32_t k = events_before; k < summary->events.n; k++)
        if (summary->events.at[k].number == (uint32_t)i) struck = true;
      if (!struck) add_event(c, summary, t, i, SIM_RELEASE, 0, 0);
    }
    if (was[i] || !m->closed[i]) continue;
    // the last of many bounces is told as what it ends in
    bool by_impact = false;
    for (uint32_t k = events_before; k < summary->events.n; k++) {
      const SimEvent *event = &summary->events.at[k];
      double after = c->restitution[i] * event->before;
      bool is_last = after > 0 && after <= contact_resting_speed(c, i);
      if (event->number == (uint32_t)i && !is_last) by_impact = true;
    }
    if (!by_impact) add_event(c, summary, t, i, SIM_CONTACT, 0, 0);
  }
  arena_release(&m->cx->scratch, mark);
  return status;
}

static Status overlaps(Contacts *c, int i, double phi) {
  Arena *keep = &c->machine->cx->keep;
  if (isnan(phi)) {
    c->why = text_format(keep, "the gap of contact '%s' has no value beyond this state",
                         contact_name(c, i));
    c->why_note = "a root or logarithm of a negative number, or a division by zero";
    return QDOT_STEP_LIMIT;
  }
  c->why = text_format(keep, "contact '%s' overlaps by %.3g", contact_name(c, i), phi);
  c->why_note = "its gap jumps, or closes and opens faster than steps see: write it "
                "without jumps, or give a smaller tolerance or step";
  return QDOT_STEP_LIMIT;
}

// What all accelerations could do in so many moments is no overlap, however small a gap is so far.
static double most_overlap_of(const Contacts *c, int i) {
  if (c->is_stepped) return c->most_overlap[i] > 0 ? c->most_overlap[i] : INFINITY;
  double instant = MOMENTS * c->moment;
  return fmax(c->most_overlap[i], c->bend[i] * instant * instant);
}

Status contacts_check_overlap(Contacts *c, int i, double phi, double t, const double *q,
                              const double *qd) {
  if (!c->is_stepped) read_rows(c, t, q, qd); // the run may have become larger
  return phi <= most_overlap_of(c, i) ? QDOT_OK : overlaps(c, i, phi);
}

// One that touches is about closed, and can be pushed apart.
static Status check_touch(Contacts *c, int i) {
  double most = most_overlap_of(c, i);
  if (!(c->phi[i] <= most)) return overlaps(c, i, c->phi[i]);
  // what looks like closing may be where its values end
  if (!c->machine->closed[i] && c->phi[i] < -c->most_overlap[i]) return overlaps(c, i, NAN);
  if (!c->lacks_slope[i]) return QDOT_OK;
  c->why = text_format(&c->machine->cx->keep, "contact '%s' has no direction where it touches",
                       contact_name(c, i));
  c->why_note = "its ends meet, or its gap has a corner there";
  return QDOT_STEP_LIMIT;
}

Status contacts_resolve(Contacts *c, double t, double *q, double *qd, const bool *hit,
                        SimSummary *summary) {
  Machine *m = c->machine;
  c->pushes.n = 0;
  c->driven = c->driven_size = 0;
  memset(c->struck, 0, (size_t)c->count * sizeof *c->struck);
  if (m->presses > 0) memset(c->joint_rests, 0, (size_t)m->presses * sizeof *c->joint_rests);
  if (m->presses > 0) memset(c->press, 0, (size_t)m->presses * sizeof *c->press);
  Status status = contacts_watch(c, t, q, qd);
  read_rows(c, t, q, qd);
  contacts_read(c, t, q, qd);
  for (int i = 0; i < c->count; i++)
    c->touching[i] = hit[i] || m->closed[i] || fabs(c->phi[i]) <= TOUCH * c->rounding[i];
  uint32_t known = summary->events.n;
  for (int i = 0; i < c->count && status == QDOT_OK; i++)
    if (c->touching[i]) status = check_touch(c, i);
  if (status == QDOT_OK) status = settle(c, t, q, qd, hit, summary);
  for (uint32_t i = known; i < summary->events.n; i++)
    summary->events.at[i].closes =
        summary->events.at[i].kind == SIM_IMPACT && c->presses[summary->events.at[i].number];
  return status;
}

const char *contacts_names(const Contacts *c, const bool *which) {
  Machine *m = c->machine;
  Mark mark = arena_mark(&m->cx->scratch);
  Text names = text_new(&m->cx->scratch);
  for (int i = 0; i < c->count; i++)
    if (which[i]) text_addf(&names, "%s%s", names.n > 0 ? ", " : "", contact_name(c, i));
  const char *kept = names.n > 0 ? context_text(m->cx, names.at) : NULL;
  arena_release(&m->cx->scratch, mark);
  return kept;
}

// A gap that joints keep at zero whatever happens: they take the load, and nothing presses there.
static void tell_unloaded(const Contacts *c) {
  Machine *m = c->machine;
  int n = m->n;
  for (int i = 0; i < c->count; i++) {
    bool rubs = m->plan->slips[i].rubs && m->slips[i].mu_rest > 0;
    double alone = 0, s = contact_sensitivity(c, i);
    for (int j = 0; j < n; j++)
      if (c->M[j * n + j] > 0) alone += c->rows[i * n + j] * c->rows[i * n + j] / c->M[j * n + j];
    if (!rubs || !c->touching[i] || s * s > UNLOADED * alone) continue;
    diag_warning(m->cx, definition_of(c, i)->span,
                 "contact '%s' has no friction: joints keep its gap closed and take its load",
                 contact_name(c, i));
    diag_note(m->cx, "leave out the joint, or write 'friction' behind it instead");
  }
}

// A start that is a guess has rounding in its gaps, beside all coordinates of their kinds.
static double reach_of_guess(const Contacts *c, const double *q) {
  const Machine *m = c->machine;
  const int *kind = m->problem.kind;
  double reach = 0;
  for (int j = 0; j < m->n; j++) {
    double slope = 0;
    for (int i = 0; i < c->count; i++)
      slope = fmax(slope, fabs(c->rows[(size_t)i * (size_t)m->n + (size_t)j]));
    for (int k = 0; k < m->n; k++)
      if (!kind || kind[k] == kind[j]) reach = fmax(reach, slope * fabs(q[k]));
  }
  return reach;
}

Status contacts_start(Contacts *c, double t, double *q, double *qd, SimSummary *summary) {
  Machine *m = c->machine;
  Status status = c->is_stepped ? QDOT_OK : contacts_watch(c, t, q, qd);
  if (status != QDOT_OK) return status;
  if (!c->is_stepped) read_rows(c, t, q, qd);
  contacts_read(c, t, q, qd);
  machine_gap_sizes(m, t, q, c->right);
  c->reach = 0;
  for (int i = 0; i < c->count; i++) c->reach = fmax(c->reach, c->right[i]);
  if (m->start_is_guess && !c->is_stepped) c->reach = fmax(c->reach, reach_of_guess(c, q));
  bool any = false;
  for (int i = 0; i < c->count; i++) {
    if (isnan(c->phi[i])) {
      status = diag_error(m->cx, QDOT_UNDEFINED, definition_of(c, i)->span,
                          "the gap of contact '%s' has no value at the start", contact_name(c, i));
      diag_note(m->cx, "a root or logarithm of a negative number, or a division by zero");
      return status;
    }
    if (c->phi[i] > 1e-9 * c->reach) {
      status = diag_error(m->cx, QDOT_INCONSISTENT, definition_of(c, i)->span,
                          "contact '%s' is violated at the start by %.3g", contact_name(c, i),
                          c->phi[i]);
      diag_note(m->cx, "the condition must hold at t = 0");
      return status;
    }
    c->touching[i] = fabs(c->phi[i]) <= 1e-11 * c->reach;
    any |= c->touching[i];
    double most = (c->is_stepped ? OVERLAP_STEPPED : OVERLAP) * c->right[i];
    c->most_overlap[i] = fmax(c->most_overlap[i], most);
    if (c->touching[i] && !c->is_stepped && status == QDOT_OK) status = check_touch(c, i);
  }
  if (any && !c->is_stepped && status == QDOT_OK) status = settle(c, t, q, qd, NULL, summary);
  if (status != QDOT_OK && c->why) {
    diag_error_plain(m->cx, QDOT_INCONSISTENT, "%s", c->why);
    if (c->why_note) diag_note(m->cx, "%s", c->why_note);
    return QDOT_INCONSISTENT;
  }
  if (any && !c->is_stepped && status == QDOT_OK) tell_unloaded(c);
  // contacts that are closed from the beginning are not events
  summary->closed_at_start = contacts_names(c, m->closed);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < summary->events.n; i++)
    if (summary->events.at[i].kind == SIM_IMPACT)
      summary->events.at[kept++] = summary->events.at[i];
  summary->events.n = kept;
  return status;
}
