// Contacts and joints at rest that share their load.
#include "engine/event/stick.h"

#include <math.h>
#include <string.h>

#include "cone/shares.h"
#include "solve/algebra/dense.h"

// What rests, and the directions that its shares are made of.
typedef struct Share {
  Shares shares;
  int *which;           // of the modes: those that rest
  double *loads, *ways; // open_count rows: of all rows of the problem, of all modes
  int open_count;
} Share;

// A contact that uses less than this of what it holds is far from slipping.
static const double FAR = 0.9;

// What a mode carries in units of its own weight's change.
static double carried(const Sticking *s, int i) {
  const StickMode *mode = &s->mode[i];
  const Slip *slip = &s->machine->slips[mode->number];
  return mode_is_switch(mode) ? s->share[mode->number] / 2 : slip->force / slip->unit;
}

// What it holds at most under a load, in the same units; what presses joints is found elsewhere.
static double holds_under(const Sticking *s, int i, double load) {
  const StickMode *mode = &s->mode[i];
  if (mode_is_switch(mode)) return s->hold[mode->number] / 2;
  const Slip *slip = &s->machine->slips[mode->number];
  return slip->mu_rest * load / slip->unit;
}

static bool rests_on_contact(const Sticking *s, int i) {
  return s->mode[i].is_rub && mode_rests(s, &s->mode[i]);
}

// Generalized forces of a unit of every load, with the friction of what slides under it, and of the
// friction of every contact that rests: rows, then count of them, n wide.
static double *unit_forces(Sticking *s, Arena *arena) {
  Machine *m = s->machine;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  double *forces = arena_array(arena, double, (rows + (size_t)s->count) * n);
  const InputLayout *at = &m->set->equations->layout;
  double t = m->in[at->t], *q = arena_array(arena, double, n);
  double *qd = arena_array(arena, double, n + (size_t)m->states);
  memcpy(q, m->in + at->q, n * sizeof *q);
  memcpy(qd, m->in + at->qd, (n + (size_t)m->states) * sizeof *qd);
  machine_need(m, PART_GEOMETRY);
  memcpy(forces, machine_run_geometry(m, t, q, NULL).Phi_q, rows * n * sizeof *forces);
  const double *v_q = machine_run_slips(m, t, q, qd).v_q;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!mode->is_rub) continue;
    const Slip *slip = &m->slips[mode->number];
    bool rests = rests_on_contact(s, i);
    double *to = forces + (rests ? rows + (size_t)i : (size_t)mode->row) * n;
    double factor = rests ? -slip->unit : slip->direction * slip->mu;
    dense_add(m->n, factor, v_q + (size_t)mode->number * n, to);
  }
  return forces;
}

// Loads and friction of contacts that balance each other: into `loads`, rows wide, and `open`,
// count wide. Returns how many there are.
static int find_balances(Sticking *s, Arena *arena, double *loads, double *open) {
  int n = s->machine->n, rows = s->sides.m, all = rows;
  double *forces = unit_forces(s, arena), *found;
  int *mode = arena_array(arena, int, s->count);
  for (int i = 0; i < s->count; i++) {
    if (!rests_on_contact(s, i)) continue;
    mode[all - rows] = i;
    memmove(forces + (size_t)all++ * (size_t)n, forces + (size_t)(rows + i) * (size_t)n,
            (size_t)n * sizeof *forces);
  }
  int count = shares_find_balances(arena, all, n, forces, &found);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < all; i++) {
      double part = found[(size_t)k * (size_t)all + (size_t)i];
      *(i < rows ? &loads[k * rows + i] : &open[k * s->count + mode[i - rows]]) = part;
    }
  return count;
}

static int count_contacts(const Sticking *s) {
  int count = 0;
  for (int r = 0; r < s->sides.m; r++) count += machine_place(s->machine, r) >= s->machine->rows;
  return count;
}

// What is left open: by friction, as the mixture has found; everything by which contacts carry each
// other; both.
typedef enum Openness { OPEN_FRICTION, OPEN_ALL, OPEN_WEDGED } Openness;

// Of loads and friction, as forces: the product of two directions.
static double force_product(const Sticking *s, const double *loads, const double *ways,
                            const double *other_loads, const double *other_ways) {
  double sum = 0;
  for (int r = 0; r < s->sides.m; r++)
    if (machine_place(s->machine, r) >= s->machine->rows) sum += loads[r] * other_loads[r];
  for (int i = 0; i < s->count; i++) {
    if (!rests_on_contact(s, i)) continue;
    double unit = s->machine->slips[s->mode[i].number].unit;
    sum += unit * ways[i] * unit * other_ways[i];
  }
  return sum;
}

// Directions that are orthogonal as forces and as long as the heaviest load; those of joints alone
// are left out. Returns how many are left.
static int straighten(const Sticking *s, int count, double heaviest, double *loads, double *ways) {
  int rows = s->sides.m, modes = s->count, kept = 0;
  for (int k = 0; k < count; k++) {
    double *N = loads + (size_t)kept * (size_t)rows, *R = ways + (size_t)kept * (size_t)modes;
    memmove(N, loads + (size_t)k * (size_t)rows, (size_t)rows * sizeof *N);
    memmove(R, ways + (size_t)k * (size_t)modes, (size_t)modes * sizeof *R);
    double before = sqrt(force_product(s, N, R, N, R)), left = before;
    for (int round = 0; round < 2; round++)
      for (int j = 0; j < kept; j++) {
        const double *N_j = loads + (size_t)j * (size_t)rows,
                     *R_j = ways + (size_t)j * (size_t)modes;
        double part = force_product(s, N, R, N_j, R_j) / (heaviest * heaviest);
        dense_add(rows, -part, N_j, N);
        dense_add(modes, -part, R_j, R);
      }
    left = sqrt(force_product(s, N, R, N, R));
    if (!(left > SHARE_BALANCED * before)) continue;
    // a load that is rounding would let friction without bound press
    for (int r = 0; r < rows; r++)
      N[r] = fabs(N[r]) > SHARE_NO_LOAD * left ? N[r] * heaviest / left : 0;
    for (int i = 0; i < modes; i++) R[i] *= heaviest / left;
    kept++;
  }
  return kept;
}

static double heaviest_load(const Sticking *s, const double *lambda) {
  double most = 0;
  for (int r = 0; r < s->sides.m; r++)
    if (machine_place(s->machine, r) >= s->machine->rows) most = fmax(most, fabs(lambda[r]));
  return most;
}

static void find_open(Share *share, Arena *arena, Sticking *s, double heaviest, Openness openness) {
  size_t rows = (size_t)s->sides.m, n = (size_t)s->machine->n, count = (size_t)s->count;
  size_t known = openness == OPEN_ALL ? 0 : (size_t)s->open_count, most = known + rows + count;
  share->loads = arena_array(arena, double, most *rows);
  share->ways = arena_array(arena, double, most *count);
  for (size_t k = 0; k < known; k++) {
    memcpy(share->ways + k * count, s->open + k * count, count * sizeof(double));
    for (size_t i = 0; i < count; i++)
      dense_add((int)rows, s->open[k * count + i], s->mixed + (i + 1) * s->width + n,
                share->loads + k * rows);
  }
  share->open_count = (int)known;
  if (openness != OPEN_FRICTION)
    share->open_count +=
        find_balances(s, arena, share->loads + known * rows, share->ways + known * count);
  if (openness == OPEN_ALL && share->open_count > 0)
    share->open_count = straighten(s, share->open_count, heaviest, share->loads, share->ways);
}

// How the size of all forces grows with z, beside z^2/2 of its own.
static void find_pull(Share *share, Arena *arena, const Sticking *s, const double *lambda,
                      double heaviest) {
  double *x = arena_array(arena, double, s->count);
  for (int i = 0; i < share->shares.n; i++) x[share->which[i]] = share->shares.x_0[i];
  for (int k = 0; k < share->open_count; k++)
    share->shares.pull[k] =
        force_product(s, lambda, x, share->loads + (size_t)k * (size_t)s->sides.m,
                      share->ways + (size_t)k * (size_t)s->count) /
        (heaviest * heaviest);
}

static void take_loads(Share *share, const Sticking *s, const double *lambda) {
  Shares *to = &share->shares;
  for (int r = 0, at = 0; r < s->sides.m; r++) {
    if (machine_place(s->machine, r) < s->machine->rows) continue;
    to->N_0[at] = lambda[r];
    for (int k = 0; k < share->open_count; k++)
      to->press[k * to->contacts + at] = share->loads[k * s->sides.m + r];
    at++;
  }
}

static void share_open(Share *share, Arena *arena, Sticking *s, const double *lambda,
                       Openness openness) {
  int count = s->count, rows = s->sides.m, n = 0;
  *share = (Share){.which = arena_array(arena, int, count)};
  double heaviest = heaviest_load(s, lambda);
  find_open(share, arena, s, heaviest, openness);
  for (int i = 0; i < count; i++)
    if (mode_rests(s, &s->mode[i])) share->which[n++] = i;
  share->shares = shares_new(arena, n, count_contacts(s), share->open_count);
  take_loads(share, s, lambda);
  Shares *to = &share->shares;
  for (int i = 0; i < n; i++) {
    int own = share->which[i];
    const StickMode *mode = &s->mode[own];
    bool is_joint = mode_is_switch(mode);
    to->x_0[i] = carried(s, own);
    to->c_0[i] = holds_under(s, own, is_joint ? 0 : lambda[mode->row]);
    to->most[i] = to->by[i] = fmax(holds_under(s, own, heaviest), SHARE_EMPTY);
    for (int k = 0; k < share->open_count; k++) {
      to->open[k * n + i] = share->ways[k * count + own];
      if (!is_joint) to->grip[k * n + i] = holds_under(s, own, share->loads[k * rows + mode->row]);
    }
  }
  if (openness == OPEN_ALL) find_pull(share, arena, s, lambda, heaviest);
}

static void take_share(Sticking *s, const Share *share, double *lambda) {
  for (int i = 0; i < share->shares.n; i++) {
    const StickMode *mode = &s->mode[share->which[i]];
    if (mode_is_switch(mode))
      s->share[mode->number] = 2 * share->shares.x[i];
    else
      s->machine->slips[mode->number].force =
          s->machine->slips[mode->number].unit * share->shares.x[i];
  }
  for (int k = 0; s->wedge == WEDGED && k < s->open_count; k++)
    dense_add(s->count, share->shares.z[k], s->open + (size_t)k * (size_t)s->count, s->shared);
  for (int k = 0; k < share->open_count; k++)
    dense_add(s->sides.m, share->shares.z[k], share->loads + (size_t)k * (size_t)s->sides.m,
              lambda);
  for (int i = 0; i < s->count; i++) {
    if (!s->mode[i].is_rub || rests_on_contact(s, i)) continue;
    Slip *slip = &s->machine->slips[s->mode[i].number];
    slip->force = -slip->direction * slip->mu * lambda[s->mode[i].row];
  }
}

// Do loads push, and is friction enough?
static bool is_carried(const Sticking *s, const double *lambda) {
  const Machine *m = s->machine;
  for (int r = 0; r < s->sides.m; r++)
    if (machine_place(m, r) >= m->rows && lambda[r] < 0) return false;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    const Slip *slip = &m->slips[mode->number];
    if (rests_on_contact(s, i) && fabs(slip->force) > slip->mu_rest * lambda[mode->row])
      return false;
  }
  return true;
}

// Everything is open to those that stand on each other. What is wedged, or held by joints that
// rub, shares its friction alone.
static void open_share(Sticking *s, Share *share, const double *lambda) {
  Arena *scratch = &s->machine->cx->scratch;
  if (s->wedge == WEDGE_UNKNOWN) {
    s->wedge = WEDGED;
    bool any_joint = false;
    for (int i = 0; i < s->count; i++)
      any_joint |= mode_is_switch(&s->mode[i]) && mode_rests(s, &s->mode[i]);
    if (!any_joint && heaviest_load(s, lambda) > 0) {
      share_open(share, scratch, s, lambda, OPEN_ALL);
      if (share->open_count == 0 || !shares_are_wedged(scratch, &share->shares))
        s->wedge = NOT_WEDGED;
    }
  }
  share_open(share, scratch, s, lambda, s->wedge == NOT_WEDGED ? OPEN_ALL : OPEN_FRICTION);
}

// Where no friction is needed: the least of all forces, if these need none either, and none pulls.
static bool share_loads(Sticking *s, Share *share, double *lambda) {
  for (int k = 0; k < share->open_count; k++) share->shares.z[k] = -share->shares.pull[k];
  if (shares_use(&share->shares) > 0) return false;
  for (int r = 0; r < share->shares.contacts; r++) {
    double N = share->shares.N_0[r];
    for (int k = 0; k < share->open_count; k++)
      N += share->shares.z[k] * share->shares.press[k * share->shares.contacts + r];
    if (N < 0) return false;
  }
  take_share(s, share, lambda);
  return true;
}

// Shares of what is left open; the use of the one that is used most.
static bool share_friction(Sticking *s, Share *share, double *lambda, double price, double *use) {
  Arena *scratch = &s->machine->cx->scratch;
  open_share(s, share, lambda);
  *use = 0;
  if (share->open_count == 0) return false;
  if (shares_need_none(&share->shares) && share_loads(s, share, lambda)) return true;
  bool found = shares_find(scratch, &share->shares, price, use);
  // what is just enough may need the best share of all
  if (found && price > 0 && *use > 1) found = shares_find(scratch, &share->shares, 0, use);
  // rounding may hide the best share where many are as good; then any that holds will do
  if (!found && price == 0)
    found = shares_find(scratch, &share->shares, SHARE_PRICE, use) && *use <= 1;
  if (found) take_share(s, share, lambda);
  return found;
}

// The least loads by which contacts hold what is wedged between them.
static bool share_wedge(Sticking *s, Share *share, double *lambda) {
  if (count_contacts(s) <= 2 || s->wedge == NOT_WEDGED) return false;
  Arena *scratch = &s->machine->cx->scratch;
  share_open(share, scratch, s, lambda, OPEN_WEDGED);
  if (share->open_count == 0 || !shares_find_least(scratch, &share->shares)) return false;
  take_share(s, share, lambda);
  return true;
}

// Several that rest may share friction; three on which something stands or slides, their loads.
static bool may_share(const Sticking *s) {
  return sticking_may_share(s) || (s->count > 0 && count_contacts(s) > 2);
}

void sticking_share(Sticking *s, double *lambda) {
  if (!may_share(s)) return;
  Mark mark = arena_mark(&s->machine->cx->scratch);
  Share share;
  double use;
  memset(s->shared, 0, (size_t)s->count * sizeof *s->shared);
  share_friction(s, &share, lambda, SHARE_PRICE, &use);
  if (!is_carried(s, lambda)) share_wedge(s, &share, lambda);
  arena_release(&s->machine->cx->scratch, mark);
}

// ---- What is left until something slips

// The use of the one that is used most, as the shares of least size have it; none presses: 0.
static double use_of_most(const Sticking *s, const double *lambda) {
  double most = 0;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!mode_rests(s, mode)) continue;
    const Slip *slip = &s->machine->slips[mode->number];
    double use = mode_is_switch(mode) ? fabs(sticking_use(s, mode->number))
                                      : fabs(slip->force) / (slip->mu_rest * lambda[mode->row]);
    if (use > most || (use < 0 && slip->force != 0)) most = use < 0 ? INFINITY : use;
  }
  return most;
}

static bool any_pulls(const Sticking *s, const double *lambda) {
  for (int r = 0; r < s->sides.m; r++)
    if (machine_place(s->machine, r) >= s->machine->rows && lambda[r] < 0) return true;
  return false;
}

void sticking_share_if_needed(Sticking *s, double *lambda) {
  double use = use_of_most(s, lambda);
  bool pulls = any_pulls(s, lambda), is_far = use <= FAR && !pulls;
  s->left = 1 - FAR;
  s->holds_together = true;
  if (!may_share(s) || (is_far && s->wedge != WEDGE_UNKNOWN)) return;
  Mark mark = arena_mark(&s->machine->cx->scratch);
  Share share;
  memset(s->shared, 0, (size_t)s->count * sizeof *s->shared);
  bool found = share_friction(s, &share, lambda, 0, &use);
  s->shares = share.open_count > 0;
  // what no share presses together is released, whatever its friction
  if (!found && pulls) use = 0;
  bool is_wedged = !is_far && !is_carried(s, lambda) && share_wedge(s, &share, lambda);
  if (is_wedged) s->shares = true, use = 0;
  s->left = fmin(1 - use, s->left);
  s->holds_together = found || is_wedged || !pulls;
  arena_release(&s->machine->cx->scratch, mark);
}
