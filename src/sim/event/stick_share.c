// Contacts and joints at rest that share their load.
#include "sim/event/stick.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/lemke.h"

// What several hold together. x = x_0 + z open says what each carries, c = c_0 + z grip what it
// holds at most, N = N_0 + z press what presses the contacts.
typedef struct Share {
  int n, contacts, open_count;
  int *which;                  // of the modes: those that rest
  double *x_0, *c_0, *N_0;     //
  double *open, *grip, *press; // open_count rows each
  double *x, *c, *z, *best;    // best: of the z that were found
  double *most, *by;           // what c could be under the heaviest load, what it is measured by
  double *loads, *ways;        // open_count rows: of all rows of the problem, of all modes
  double *pull;                // by z: what the size of all forces gains
  double sigma;                // of the last linear program
} Share;

enum { MOST_TRIES = 12 };
// One that holds so little of what others do has nothing to hold with.
static const double EMPTY = 1e-12;
// The least load by which friction is measured.
static const double LIGHTEST = 1e-9;
// Forces balance each other where so little of them is left.
static const double BALANCED = 1e-10;
// A load that is so small beside what it balances is none.
static const double NO_LOAD = 1e-12;
// The price of z^2 beside sigma: so small that it only decides between shares that are as good.
static const double UNIQUE = 1e-4;
// A contact that uses less than this of what it holds is far from slipping.
static const double FAR = 0.9;

// A linear program over (z+, z-, sigma >= 0): the least sigma with |x| <= sigma by + tau (c - by),
// or, where the loads are to be least, their least sum with |x| <= c; N >= 0 in both. With a price
// the solution is the only one, and changes as little as what it is made of.
static bool solve_shares(Arena *scratch, Share *s, double tau, double price, bool loads_are_least) {
  int n = s->n, open_count = s->open_count, unknowns = 2 * open_count + 1;
  int rows = 2 * n + s->contacts, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  q[unknowns - 1] = 1;
  for (int k = 0; k < open_count; k++) {
    M[k * size + k] = M[(open_count + k) * size + open_count + k] = price;
    q[k] = price * s->pull[k], q[open_count + k] = -price * s->pull[k];
  }
  for (int k = 0; loads_are_least && k < open_count; k++)
    for (int r = 0; r < s->contacts; r++) {
      q[k] += s->press[k * s->contacts + r];
      q[open_count + k] -= s->press[k * s->contacts + r];
    }
  for (int i = 0; i < rows; i++) {
    bool is_load = i >= 2 * n;
    int row = unknowns + i, own = is_load ? i - 2 * n : i / 2;
    double sign = i % 2 ? -1 : 1, by = loads_are_least || is_load ? 0 : s->by[own];
    q[row] = is_load ? s->N_0[own] : sign * s->x_0[own] + tau * (s->c_0[own] - by);
    for (int k = 0; k < open_count; k++) {
      double entry = is_load ? s->press[k * s->contacts + own]
                             : sign * s->open[k * n + own] + tau * s->grip[k * n + own];
      M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
      M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
    }
    M[row * size + unknowns - 1] = by;
    M[(unknowns - 1) * size + row] = -by;
  }
  if (!lemke_solve(scratch, size, M, q, solution)) return false;
  for (int k = 0; k < open_count; k++) s->z[k] = solution[k] - solution[open_count + k];
  s->sigma = solution[unknowns - 1];
  return true;
}

// The use of the one that is used most, with the shares of z.
static double most_use(Share *s) {
  double use = 0;
  for (int i = 0; i < s->n; i++) {
    s->x[i] = s->x_0[i], s->c[i] = s->c_0[i];
    for (int k = 0; k < s->open_count; k++) {
      s->x[i] += s->z[k] * s->open[k * s->n + i];
      s->c[i] += s->z[k] * s->grip[k * s->n + i];
    }
    double least = EMPTY * s->most[i];
    if (fabs(s->x[i]) > least) use = fmax(use, fabs(s->x[i]) / fmax(s->c[i], least));
  }
  return use;
}

// Does every contact rest without friction, but for rounding?
static bool needs_none(const Share *s) {
  for (int i = 0; i < s->n; i++)
    if (fabs(s->x_0[i]) > EMPTY * s->most[i]) return false;
  for (int r = 0; r < s->contacts; r++)
    if (s->N_0[r] < 0) return false;
  return true;
}

// The shares for which the one that is used most is used least, and how much that is. Where loads
// change with them, again and again from the use that was found last (Dinkelbach), as long as it
// falls.
static bool find_shares(Arena *scratch, Share *s, double price, double *use) {
  Mark mark = arena_mark(scratch);
  double tau = 1;
  bool found = false;
  *use = INFINITY;
  for (int k = 0; k < s->n; k++) s->by[k] = fmax(s->c_0[k], 1e-3 * s->most[k]);
  for (int i = 0; i < MOST_TRIES && solve_shares(scratch, s, tau, price, false); i++) {
    arena_release(scratch, mark);
    // more than all can hold, of which each is as far beyond as it can be
    bool is_too_much = i == 0 && s->sigma > 1;
    tau = is_too_much ? s->sigma : most_use(s);
    if (!(tau < *use)) break;
    bool is_exact = is_too_much || tau - s->sigma <= 1e-13 * tau || *use - tau <= 1e-13 * tau;
    found = true;
    *use = tau;
    memcpy(s->best, s->z, (size_t)s->open_count * sizeof *s->z);
    if (is_exact) break;
    for (int k = 0; k < s->n; k++) s->by[k] = fmax(s->c[k], LIGHTEST * s->most[k]);
  }
  arena_release(scratch, mark);
  memcpy(s->z, s->best, (size_t)s->open_count * sizeof *s->z);
  if (found) most_use(s);
  return found;
}

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
  int n = s->machine->n, rows = s->sides.m, all = rows, rank = 0;
  double *forces = unit_forces(s, arena), *size = arena_array(arena, double, rows + s->count);
  int *mode = arena_array(arena, int, s->count);
  for (int i = 0; i < s->count; i++) {
    if (!rests_on_contact(s, i)) continue;
    mode[all - rows] = i;
    memmove(forces + (size_t)all++ * (size_t)n, forces + (size_t)(rows + i) * (size_t)n,
            (size_t)n * sizeof *forces);
  }
  for (int i = 0; i < all; i++) {
    double *row = forces + (size_t)i * (size_t)n, norm = dense_norm(n, row);
    size[i] = norm > 0 ? norm : 1;
    for (int k = 0; k < n; k++) row[k] /= size[i];
  }
  Svd *svd = svd_new(arena, all, n);
  if (svd_compute(svd, all, forces) != QDOT_OK) return 0;
  while (rank < svd->k && svd->sigma[rank] > BALANCED * svd->sigma[0]) rank++;
  double *found = arena_array(arena, double, (size_t)(all - rank) * (size_t)all);
  if (rank < all) dense_complement(all, svd->k, rank, svd->U, all - rank, found);
  for (int k = 0; k < all - rank; k++)
    for (int i = 0; i < all; i++) {
      double part = found[(size_t)k * (size_t)all + (size_t)i] / size[i];
      *(i < rows ? &loads[k * rows + i] : &open[k * s->count + mode[i - rows]]) = part;
    }
  return all - rank;
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
    if (!(left > BALANCED * before)) continue;
    // a load that is rounding would let friction without bound press
    for (int r = 0; r < rows; r++) N[r] = fabs(N[r]) > NO_LOAD * left ? N[r] * heaviest / left : 0;
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
  for (int i = 0; i < share->n; i++) x[share->which[i]] = share->x_0[i];
  for (int k = 0; k < share->open_count; k++)
    share->pull[k] = force_product(s, lambda, x, share->loads + (size_t)k * (size_t)s->sides.m,
                                   share->ways + (size_t)k * (size_t)s->count) /
                     (heaviest * heaviest);
}

static void share_open(Share *share, Arena *arena, Sticking *s, const double *lambda,
                       Openness openness) {
  const Machine *m = s->machine;
  int count = s->count, rows = s->sides.m;
  *share = (Share){.which = arena_array(arena, int, count)};
  double heaviest = heaviest_load(s, lambda);
  find_open(share, arena, s, heaviest, openness);
  for (int i = 0; i < count; i++)
    if (mode_rests(s, &s->mode[i])) share->which[share->n++] = i;
  int n = share->n, open_count = share->open_count;
  size_t all = (size_t)open_count * (size_t)n;
  share->open = arena_array(arena, double, all);
  share->grip = arena_array(arena, double, all);
  share->press = arena_array(arena, double, (size_t)open_count *(size_t)rows);
  double **vectors[] = {&share->x_0, &share->c_0, &share->x, &share->c, &share->most, &share->by};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, n);
  share->N_0 = arena_array(arena, double, rows);
  share->z = arena_array(arena, double, open_count);
  share->best = arena_array(arena, double, open_count);
  share->pull = arena_array(arena, double, open_count);
  share->contacts = count_contacts(s);
  for (int r = 0, at = 0; r < rows; r++) {
    if (machine_place(m, r) < m->rows) continue;
    share->N_0[at] = lambda[r];
    for (int k = 0; k < open_count; k++)
      share->press[k * share->contacts + at] = share->loads[k * rows + r];
    at++;
  }
  for (int i = 0; i < n; i++) {
    int own = share->which[i];
    const StickMode *mode = &s->mode[own];
    bool is_joint = mode_is_switch(mode);
    share->x_0[i] = carried(s, own);
    share->c_0[i] = holds_under(s, own, is_joint ? 0 : lambda[mode->row]);
    share->most[i] = share->by[i] = fmax(holds_under(s, own, heaviest), EMPTY);
    for (int k = 0; k < open_count; k++) {
      share->open[k * n + i] = share->ways[k * count + own];
      if (!is_joint)
        share->grip[k * n + i] = holds_under(s, own, share->loads[k * rows + mode->row]);
    }
  }
  if (openness == OPEN_ALL) find_pull(share, arena, s, lambda, heaviest);
}

static void take_share(Sticking *s, const Share *share, double *lambda) {
  for (int i = 0; i < share->n; i++) {
    const StickMode *mode = &s->mode[share->which[i]];
    if (mode_is_switch(mode))
      s->share[mode->number] = 2 * share->x[i];
    else
      s->machine->slips[mode->number].force = s->machine->slips[mode->number].unit * share->x[i];
  }
  for (int k = 0; s->wedge == WEDGED && k < s->open_count; k++)
    dense_add(s->count, share->z[k], s->open + (size_t)k * (size_t)s->count, s->shared);
  for (int k = 0; k < share->open_count; k++)
    dense_add(s->sides.m, share->z[k], share->loads + (size_t)k * (size_t)s->sides.m, lambda);
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

// Could contacts press each other by any force, friction being enough for it? A linear program: the
// largest sum of such loads, up to 1.
static bool find_wedge(Arena *scratch, const Share *s) {
  int n = s->n, open_count = s->open_count, unknowns = 2 * open_count;
  int rows = 2 * n + s->contacts + 1, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size), most = 0;
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  for (int i = 0; i < rows; i++) {
    bool is_load = i >= 2 * n, is_sum = i == rows - 1;
    int row = unknowns + i, own = is_load ? i - 2 * n : i / 2;
    double sign = i % 2 ? -1 : 1;
    q[row] = is_sum;
    for (int k = 0; k < open_count; k++) {
      double sum = 0;
      for (int r = 0; is_sum && r < s->contacts; r++) sum += s->press[k * s->contacts + r];
      double entry = is_sum    ? -sum
                     : is_load ? s->press[k * s->contacts + own]
                               : sign * s->open[k * n + own] + s->grip[k * n + own];
      M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
      M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
      if (is_sum) q[k] = -sum, q[open_count + k] = sum;
    }
  }
  if (!lemke_solve(scratch, size, M, q, solution)) return true;
  for (int k = 0; k < open_count; k++) most -= q[k] * (solution[k] - solution[open_count + k]);
  return most > 0.5;
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
      if (share->open_count == 0 || !find_wedge(scratch, share)) s->wedge = NOT_WEDGED;
    }
  }
  share_open(share, scratch, s, lambda, s->wedge == NOT_WEDGED ? OPEN_ALL : OPEN_FRICTION);
}

// Where no friction is needed: the least of all forces, if these need none either, and none pulls.
static bool share_loads(Sticking *s, Share *share, double *lambda) {
  for (int k = 0; k < share->open_count; k++) share->z[k] = -share->pull[k];
  if (most_use(share) > 0) return false;
  for (int r = 0; r < share->contacts; r++) {
    double N = share->N_0[r];
    for (int k = 0; k < share->open_count; k++)
      N += share->z[k] * share->press[k * share->contacts + r];
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
  if (needs_none(share) && share_loads(s, share, lambda)) return true;
  bool found = find_shares(scratch, share, price, use);
  // what is just enough may need the best share of all
  if (found && price > 0 && *use > 1) found = find_shares(scratch, share, 0, use);
  if (found) take_share(s, share, lambda);
  return found;
}

// The least loads by which contacts hold what is wedged between them.
static bool share_wedge(Sticking *s, Share *share, double *lambda) {
  if (count_contacts(s) <= 2 || s->wedge == NOT_WEDGED) return false;
  Arena *scratch = &s->machine->cx->scratch;
  share_open(share, scratch, s, lambda, OPEN_WEDGED);
  if (share->open_count == 0 || !solve_shares(scratch, share, 1, 0, true)) return false;
  most_use(share);
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
  share_friction(s, &share, lambda, UNIQUE, &use);
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
