// Contacts of a step: Gauss-Seidel sweeps and Newton's method.
#include "solve/touch.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/coulomb.h"
#include "solve/algebra/dense.h"

enum {
  FIRST_SWEEPS = 12,
  MORE_SWEEPS = 40,
  MOST_ROUNDS = 5,
  MOST_CHANGES = 8,
  MOST_UNKNOWNS = 64,
  MOST_PIVOTED = 24
};

// Speeds that differ by this part of the largest are the same; an answer that is good, and one that
// has to do where there are too many contacts for Newton's method.
static const double SAME = 1e-13, GOOD = 1e-10, FAIR = 1e-6;
// Contacts may share a load in many ways: a part of their own masses is added, and what that does
// is taken back by repeating.
static const double SOFT = 1e-9;

SparseRow sparse_row(Arena *arena, int n, const double *row) {
  SparseRow out = {0};
  for (int i = 0; i < n; i++) out.n += row[i] != 0;
  out.index = arena_array(arena, int, out.n);
  out.value = arena_array(arena, double, out.n);
  for (int i = 0, k = 0; i < n; i++)
    if (row[i] != 0) out.index[k] = i, out.value[k++] = row[i];
  return out;
}

double sparse_dot(const SparseRow *row, const double *v) {
  double sum = 0;
  for (int k = 0; k < row->n; k++) sum += row->value[k] * v[row->index[k]];
  return sum;
}

void sparse_add(const SparseRow *row, double s, double *v) {
  for (int k = 0; k < row->n; k++) v[row->index[k]] += s * row->value[k];
}

static double apart(const Touch *c, const double *v) {
  return sparse_dot(&c->normal, v) + c->normal_offset;
}

static double along(const Touch *c, const double *v) {
  return sparse_dot(&c->along, v) + c->along_offset;
}

static bool rubs(const Touch *c) { return c->mu > 0 && c->own_rub > 0; }

// ---- Sweeps

// Each contact in turn; returns the largest change, as a speed in the metric of the masses.
static double sweep(Touches *t, bool back) {
  double largest = 0;
  for (int k = 0; k < t->count; k++) {
    Touch *c = &t->at[back ? t->count - 1 - k : k];
    if (!(c->own_push > 0)) continue;
    double p = c->p - (apart(c, t->v) - c->aim) / c->own_push;
    if (p < 0) p = 0;
    double change = fabs(p - c->p) * c->size_push;
    if (p != c->p) sparse_add(&c->push, p - c->p, t->v);
    if (change > largest) largest = change;
    c->p = p;
    if (!rubs(c)) continue;
    double most = c->mu * p, r = c->r - along(c, t->v) / c->own_rub;
    if (r > most) r = most;
    if (r < -most) r = -most;
    change = fabs(r - c->r) * c->size_rub;
    if (r != c->r) sparse_add(&c->rub, r - c->r, t->v);
    if (change > largest) largest = change;
    c->r = r;
  }
  return largest;
}

// By how much the law is missed, and the largest speed, in the same metric.
static double miss_of(const Touches *t, double *scale) {
  double worst = 0;
  *scale = t->speed;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!(c->own_push > 0)) continue;
    double root = sqrt(c->own_push), w = apart(c, t->v) - c->aim;
    double step = c->p - fmax(0, c->p - w / c->own_push);
    worst = fmax(worst, fabs(step) * root);
    *scale = fmax(*scale, fmax(c->p * root, fabs(c->aim) / root));
    if (!rubs(c)) continue;
    double most = c->mu * c->p, r = c->r - along(c, t->v) / c->own_rub;
    worst = fmax(worst, fabs(c->r - fmin(fmax(r, -most), most)) * sqrt(c->own_rub));
  }
  return worst;
}

// ---- Newton's method

typedef enum State { OPEN, RESTS, SLIDES_UP, SLIDES_DOWN, SMOOTH } State;

typedef struct Guess {
  State *state;
  int unknowns;
  int *contact; // of each unknown,
  bool *is_rub; // and whether it is r of one that rests
  double *A, *x, *column, *v_free;
  int *pivot;
} Guess;

static State state_of(const Touch *c, const double *v, double least) {
  if (!(c->p > 0)) return OPEN;
  if (!rubs(c)) return SMOOTH;
  double u = along(c, v);
  bool is_full = fabs(c->r) >= c->mu * c->p * (1 - 1e-9);
  return !is_full || fabs(u) <= least ? RESTS : c->r < 0 ? SLIDES_UP : SLIDES_DOWN;
}

// r of one that slides, by its p.
static double share_of(const Guess *g, const Touch *c, int i) {
  return g->state[i] == SLIDES_UP ? -c->mu : g->state[i] == SLIDES_DOWN ? c->mu : 0;
}

static void list_unknowns(const Touches *t, Guess *g) {
  g->unknowns = 0;
  for (int i = 0; i < t->count; i++) {
    if (g->state[i] == OPEN) continue;
    g->contact[g->unknowns] = i, g->is_rub[g->unknowns++] = false;
    if (g->state[i] == RESTS) g->contact[g->unknowns] = i, g->is_rub[g->unknowns++] = true;
  }
}

// What unknown b adds to the velocities.
static void add_unknown(const Touches *t, const Guess *g, int b, double s, double *v) {
  const Touch *c = &t->at[g->contact[b]];
  if (g->is_rub[b]) {
    sparse_add(&c->rub, s, v);
    return;
  }
  double share = share_of(g, c, g->contact[b]);
  sparse_add(&c->push, s, v);
  if (share != 0) sparse_add(&c->rub, s * share, v);
}

static void fill_matrix(const Touches *t, Guess *g) {
  int n = g->unknowns;
  for (int b = 0; b < n; b++) {
    memset(g->column, 0, (size_t)t->n * sizeof *g->column);
    add_unknown(t, g, b, 1, g->column);
    for (int a = 0; a < n; a++) {
      const Touch *c = &t->at[g->contact[a]];
      g->A[a * n + b] = sparse_dot(g->is_rub[a] ? &c->along : &c->normal, g->column);
    }
  }
  for (int a = 0; a < n; a++) {
    const Touch *c = &t->at[g->contact[a]];
    g->A[a * n + a] += SOFT * (g->is_rub[a] ? c->own_rub : c->own_push);
  }
}

static double missing(const Touches *t, const Guess *g, int a, const double *v) {
  const Touch *c = &t->at[g->contact[a]];
  return g->is_rub[a] ? -along(c, v) : c->aim - apart(c, v);
}

// Velocities by the impulses as they are.
static void renew_velocities(Touches *t, const double *v_free) {
  memcpy(t->v, v_free, (size_t)t->n * sizeof *t->v);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (c->p != 0) sparse_add(&c->push, c->p, t->v);
    if (c->r != 0) sparse_add(&c->rub, c->r, t->v);
  }
}

// The impulses in the states that are taken as known.
static bool solve_states(Touches *t, Guess *g) {
  enum { REPEATS = 4 };
  list_unknowns(t, g);
  if (g->unknowns > MOST_UNKNOWNS) return false;
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    if (g->state[i] == OPEN) c->p = c->r = 0;
    if (g->state[i] != RESTS) c->r = share_of(g, c, i) * c->p;
  }
  renew_velocities(t, g->v_free);
  if (g->unknowns == 0) return true;
  fill_matrix(t, g);
  if (!(dense_lu(g->unknowns, g->A, g->pivot) > 0)) return false;
  for (int round = 0; round < REPEATS; round++) {
    for (int a = 0; a < g->unknowns; a++) g->x[a] = missing(t, g, a, t->v);
    dense_lu_solve(g->unknowns, g->A, g->pivot, g->x);
    for (int a = 0; a < g->unknowns; a++) {
      Touch *c = &t->at[g->contact[a]];
      if (!isfinite(g->x[a])) return false;
      if (g->is_rub[a]) c->r += g->x[a];
      if (!g->is_rub[a]) c->p += g->x[a], c->r += share_of(g, c, g->contact[a]) * g->x[a];
    }
    renew_velocities(t, g->v_free);
  }
  return true;
}

// Those that do not agree with what was found change their state; true when none has to.
static bool change_states(const Touches *t, Guess *g, double scale) {
  bool agree = true;
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (!(c->own_push > 0)) continue;
    double root = sqrt(c->own_push), slow = SAME * scale * sqrt(c->own_rub);
    State now = g->state[i];
    if (now == OPEN && apart(c, t->v) - c->aim < -SAME * scale * root)
      now = rubs(c) ? RESTS : SMOOTH;
    if (g->state[i] != OPEN && c->p * root < -SAME * scale) now = OPEN;
    double u = rubs(c) ? along(c, t->v) : 0;
    bool is_over = fabs(c->r) > c->mu * c->p + SAME * scale / root;
    if (now == RESTS && g->state[i] == RESTS && is_over) now = c->r < 0 ? SLIDES_UP : SLIDES_DOWN;
    if (g->state[i] == SLIDES_UP && now != OPEN && u < -slow) now = RESTS;
    if (g->state[i] == SLIDES_DOWN && now != OPEN && u > slow) now = RESTS;
    agree = agree && now == g->state[i];
    g->state[i] = now;
  }
  return agree;
}

static bool newton(Touches *t, Guess *g, double scale) {
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    g->state[i] = state_of(c, t->v, SAME * scale * sqrt(c->own_rub));
  }
  for (int k = 0; k < MOST_CHANGES; k++) {
    if (!solve_states(t, g)) return false;
    if (change_states(t, g, scale)) return true;
  }
  return false;
}

static void guess_open(Guess *g, Arena *arena, const Touches *t) {
  size_t count = (size_t)t->count, most = 2 * count < MOST_UNKNOWNS ? 2 * count : MOST_UNKNOWNS;
  g->state = arena_array(arena, State, count);
  g->contact = arena_array(arena, int, 2 * count);
  g->is_rub = arena_array(arena, bool, 2 * count);
  g->A = arena_array(arena, double, most *most);
  g->x = arena_array(arena, double, most);
  g->pivot = arena_array(arena, int, most);
  g->column = arena_array(arena, double, t->n);
  g->v_free = arena_array(arena, double, t->n);
  memcpy(g->v_free, t->v, (size_t)t->n * sizeof *t->v);
}

static void keep_impulses(const Touches *t, double *kept) {
  for (int i = 0; i < t->count; i++) kept[2 * i] = t->at[i].p, kept[2 * i + 1] = t->at[i].r;
}

static void take_impulses(Touches *t, const double *kept, const double *v_free) {
  for (int i = 0; i < t->count; i++) t->at[i].p = kept[2 * i], t->at[i].r = kept[2 * i + 1];
  renew_velocities(t, v_free);
}

// Sweeps until they change no more than a part of the largest speed, or that many; the miss.
static double sweep_until(Touches *t, double part, int most, double *scale) {
  double miss = miss_of(t, scale), change = miss;
  for (int k = 0; k < most && change > part * *scale; k++) {
    change = sweep(t, t->sweeps++ % 2);
    if (k % 8 == 7) miss_of(t, scale);
  }
  return miss_of(t, scale);
}

// ---- Lemke's method

static double entry(const Touches *t, int row, const double *change) {
  const Touch *c = &t->at[row < t->count ? row : row - t->count];
  return sparse_dot(row < t->count ? &c->normal : &c->along, change);
}

// All of them at once as a linear complementarity problem, which always ends.
static bool pivot(Touches *t, const Guess *g, Arena *arena) {
  int k = t->count, all = 2 * k;
  double *B = arena_array(arena, double, (size_t)all *(size_t)all);
  double *w = arena_array(arena, double, k), *u = arena_array(arena, double, k);
  double *p = arena_array(arena, double, k), *r = arena_array(arena, double, k);
  Rub *rub = arena_array(arena, Rub, k);
  for (int j = 0; j < all; j++) {
    const Touch *c = &t->at[j < k ? j : j - k];
    memset(g->column, 0, (size_t)t->n * sizeof *g->column);
    sparse_add(j < k ? &c->push : &c->rub, 1, g->column);
    for (int i = 0; i < all; i++) B[i * all + j] = entry(t, i, g->column);
  }
  for (int i = 0; i < k; i++) {
    const Touch *c = &t->at[i];
    w[i] = apart(c, g->v_free) - c->aim, u[i] = rubs(c) ? along(c, g->v_free) : 0;
    rub[i].mu = rubs(c) ? c->mu : 0;
  }
  if (!coulomb_solve(arena, &(Coulomb){k, B, w, u, rub, 0, NULL}, p, r)) return false;
  for (int i = 0; i < k; i++) t->at[i].p = p[i], t->at[i].r = r[i];
  renew_velocities(t, g->v_free);
  return true;
}

// How many unknowns Newton's method would have.
static int count_unknowns(const Touches *t) {
  int count = 0;
  for (int i = 0; i < t->count; i++)
    if (t->at[i].p > 0) count += rubs(&t->at[i]) ? 2 : 1;
  return count;
}

void touches_solve(Touches *t, Arena *arena) {
  Mark mark = arena_mark(arena);
  Guess g = {0};
  guess_open(&g, arena, t);
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    c->size_push = sqrt(c->own_push), c->size_rub = sqrt(c->own_rub);
    if (c->own_push > 0)
      t->speed = fmax(t->speed, fabs(sparse_dot(&c->normal, t->v)) / c->size_push);
    if (rubs(c)) t->speed = fmax(t->speed, fabs(sparse_dot(&c->along, t->v)) / c->size_rub);
  }
  double *kept = arena_array(arena, double, 2 * (size_t)t->count), scale = 0, miss = 0;
  renew_velocities(t, g.v_free);
  t->sweeps = 0;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    bool is_many = count_unknowns(t) > MOST_UNKNOWNS;
    miss = sweep_until(t, is_many ? FAIR : SAME, round == 0 ? FIRST_SWEEPS : MORE_SWEEPS, &scale);
    if (miss <= (is_many ? FAIR : SAME) * scale) break;
    if (is_many) continue;
    keep_impulses(t, kept);
    double left = newton(t, &g, scale) ? miss_of(t, &scale) : INFINITY;
    if (left < miss)
      miss = left;
    else
      take_impulses(t, kept, g.v_free);
    if (miss <= GOOD * scale) break;
  }
  if (miss > GOOD * scale && t->count <= MOST_PIVOTED) {
    keep_impulses(t, kept);
    double left = pivot(t, &g, arena) ? miss_of(t, &scale) : INFINITY;
    if (left < miss)
      miss = left;
    else
      take_impulses(t, kept, g.v_free);
  }
  t->residual = scale > 0 ? miss / scale : 0;
  arena_release(arena, mark);
}
