// Newton's iteration from many starts; what was found before is recognized.
#include "analyse/equilibrium/many_starts.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/apex.h"
#include "analyse/equilibrium/polynomials.h"
#include "base/random.h"
#include "expr/print.h"
#include "solve/algebra/dense.h"

#define MOST_ANGLES 5 // whose 0 and pi are combined
#define RESCUE_STARTS 48
#define NEAREST (-2) // powers of ten of the scales
#define FURTHEST 5
#define ITSELF 1e-6 // a root leads to a state as near as that

// ---- Coordinates

static bool matters(const Balance *b, Expr q) {
  const Context *cx = b->cx;
  for (uint32_t i = 0; i < b->n; i++)
    if (expr_depends(cx, b->applied[i], q) || expr_depends(cx, b->reaction[i], q)) return true;
  for (uint32_t k = 0; k < b->m; k++)
    if (expr_depends(cx, b->rows[k]->phi, q)) return true;
  return false;
}

// Do the forces and rows repeat when the coordinate turns once? Asked at the start and beside it.
static bool turns(Balance *b, const Steady *start, uint32_t i) {
  const Measure *measure = &b->system->model->coordinates.at[i].measure;
  if (measure->is_known && !dimension_is_pure(measure->dimension)) return false;
  Mark mark = arena_mark(&b->cx->scratch);
  size_t n = b->n, count = n + n * n + b->m;
  Steady *s = steady_new(&b->cx->scratch, b);
  double *before = arena_array(&b->cx->scratch, double, count);
  double *after = arena_array(&b->cx->scratch, double, count);
  bool same = true;
  for (int round = 0; round < 4 && same; round++) {
    if (round % 2 == 0) {
      steady_copy(b, start, s);
      for (uint32_t j = 0; j < n; j++) s->q[j] += 0.1 * (1 + round) * sin(3.0 * j + round);
      for (uint32_t k = 0; k < b->m; k++) s->lambda[k] = cos(2.0 * k + round);
    } else {
      s->q[i] += 2 * M_PI;
    }
    same = balance_evaluate(b, s->q, s->qd, s->lambda);
    double *to = round % 2 ? after : before;
    memcpy(to, b->force, n * sizeof *to);
    memcpy(to + n, b->K, n * n * sizeof *to);
    memcpy(to + n + n * n, b->phi, b->m * sizeof *to);
    for (size_t k = 0; k < count && same && round % 2; k++)
      same = fabs(after[k] - before[k]) <= 1e-9 * (1 + fabs(before[k]));
  }
  arena_release(&b->cx->scratch, mark);
  return same;
}

// Angles into (-pi, pi].
static void unwind(const ManyStarts *h, Steady *s) {
  for (uint32_t i = 0; i < h->b->n; i++) {
    if (!h->is_angle[i] || (h->free.q_fixed && h->free.q_fixed[i])) continue;
    double turn = round(s->q[i] / (2 * M_PI));
    s->q[i] -= 2 * M_PI * turn;
    if (s->q[i] <= -M_PI + 1e-9) s->q[i] += 2 * M_PI;
  }
}

// ---- Recognition

static double angle_difference(double a, double b) {
  double d = fmod(a - b, 2 * M_PI);
  return d > M_PI ? d - 2 * M_PI : d < -M_PI ? d + 2 * M_PI : d;
}

// Do the forces balance all the way from a along d? A stiffness that vanishes at one state alone
// makes no family.
static bool is_balanced_between(ManyStarts *h, const Steady *a, const double *d,
                                const double *lambda) {
  Balance *b = h->b;
  Mark mark = arena_mark(&h->cx->scratch);
  Steady *s = steady_new(&h->cx->scratch, b);
  bool balanced = true;
  for (int part = 1; part < 4 && balanced; part++) {
    steady_copy(b, a, s);
    for (uint32_t i = 0; i < b->n; i++) s->q[i] = a->q[i] - 0.25 * part * d[i];
    for (uint32_t k = 0; k < b->m; k++) s->lambda[k] += 0.25 * part * (lambda[k] - a->lambda[k]);
    balanced = balance_evaluate(b, s->q, s->qd, s->lambda);
    double largest = 0, worst = 0;
    for (uint32_t i = 0; i < b->n; i++) {
      double size = b->size[i];
      for (uint32_t j = 0; j < b->n; j++) size += fabs(b->K[(size_t)i * b->n + j]) * h->scale[j];
      largest = fmax(largest, size), worst = fmax(worst, fabs(b->force[i]));
    }
    balanced = balanced && worst <= 1e-7 * largest;
  }
  arena_release(&h->cx->scratch, mark);
  return balanced;
}

// The same state, or one of the same family: apart along a direction that nothing resists.
static bool is_same(ManyStarts *h, const Steady *a, const Steady *b) {
  Balance *balance = h->b;
  uint32_t n = balance->n;
  Mark mark = arena_mark(&h->cx->scratch);
  double *d = arena_array(&h->cx->scratch, double, n + balance->m + 1);
  double most = 0;
  for (uint32_t i = 0; i < n; i++) {
    d[i] = h->is_angle[i] ? angle_difference(a->q[i], b->q[i]) : a->q[i] - b->q[i];
    most = fmax(most, fabs(d[i]) / h->scale[i]);
  }
  bool same = most < 1e-6;
  if (!same && balance_evaluate(balance, a->q, a->qd, a->lambda)) {
    same = true;
    for (uint32_t i = 0; i < n && same; i++) {
      double force = 0, size = 0;
      for (uint32_t j = 0; j < n; j++) {
        double part = balance->K[(size_t)i * n + j] * d[j];
        force += part, size += fabs(balance->K[(size_t)i * n + j]) * h->scale[j];
      }
      for (uint32_t k = 0; k < balance->m; k++) {
        double part = balance->Phi_q[(size_t)k * n + i] * (b->lambda[k] - a->lambda[k]);
        force -= part, size += fabs(part);
      }
      same = fabs(force) <= 1e-7 * most * size;
    }
    for (uint32_t k = 0; k < balance->m && same; k++) {
      double *row = balance->Phi_q + (size_t)k * n, size = 0;
      for (uint32_t j = 0; j < n; j++) size += fabs(row[j]) * h->scale[j];
      same = !a->is_active[k] || fabs(dense_dot((int)n, row, d)) <= 1e-7 * most * size;
    }
  }
  if (same && most >= 1e-6) same = is_balanced_between(h, a, d, b->lambda);
  arena_release(&h->cx->scratch, mark);
  return same;
}

static void remember(ManyStarts *h, const Steady *s) {
  for (uint32_t i = 0; i < h->found.n; i++)
    if (is_same(h, h->found.at[i], s)) return;
  Steady *kept = steady_new(h->cx->results, h->b);
  steady_copy(h->b, s, kept);
  vec_push(h->cx->results, &h->found, kept);
}

// ---- Starts

// First every combination of 0 and pi for the angles, slightly off; then anywhere.
static void make_start(ManyStarts *h, uint32_t number, Steady *s) {
  uint32_t angles = 0;
  steady_copy(h->b, h->start, s);
  for (uint32_t i = 0; i < h->b->n; i++) angles += h->is_angle[i];
  uint32_t combinations = angles > 0 && angles <= MOST_ANGLES ? 1u << angles : 0, bit = 0;
  for (uint32_t i = 0; i < h->b->n; i++) {
    if (h->is_free[i] || (h->free.q_fixed && h->free.q_fixed[i])) continue;
    double x = 2 * random_mixed_fraction(&h->seed) - 1;
    if (number < combinations) {
      if (h->is_angle[i]) s->q[i] = (number >> bit++ & 1 ? M_PI : 0) + 0.01 * x;
    } else {
      double middle = number % 2 ? s->q[i] : 0;
      s->q[i] = h->is_angle[i] ? M_PI * x : middle + 2 * x * h->scale[i];
    }
  }
}

// True where it leads to a state.
static bool starts_from(ManyStarts *h, Steady *s) {
  uint32_t row;
  if (operating_point_solve(h->b, &h->free, s, &row) != QDOT_OK) return false;
  unwind(h, s);
  steady_multipliers(h->b, s);
  if (!steady_is_balanced(s) || apex_at(h->b, s, h->scale)) return false;
  remember(h, s);
  return true;
}

// How far apart two states are, in units of the coordinates' scales.
static double apart(const ManyStarts *h, const Steady *a, const Steady *b) {
  double distance = 0;
  for (uint32_t i = 0; i < h->b->n; i++) {
    double d = h->is_angle[i] ? angle_difference(a->q[i], b->q[i]) : a->q[i] - b->q[i];
    distance = hypot(distance, d / (h->scale[i] + fabs(a->q[i])));
  }
  return distance;
}

void starts_open(ManyStarts *h, Balance *b, const OperatingPoint *start,
                 const SteadyFreedom *free) {
  Arena *scratch = &b->cx->scratch;
  *h = (ManyStarts){.cx = b->cx, .b = b, .start = start->state, .free = *free, .seed = 1};
  h->scale = (double *)free->scale;
  h->is_angle = arena_array(scratch, bool, b->n + 1);
  h->is_free = arena_array(scratch, bool, b->n + 1);
  for (uint32_t i = 0; i < b->n; i++) {
    h->is_free[i] = !matters(b, b->system->q[i]);
    h->is_angle[i] = !h->is_free[i] && turns(b, start->state, i);
  }
}

bool starts_run(ManyStarts *h, uint32_t starts) {
  Mark mark = arena_mark(&h->cx->scratch);
  Steady *s = steady_new(&h->cx->scratch, h->b);
  steady_copy(h->b, h->start, s);
  starts_from(h, s);
  bool first = h->found.n > 0;
  for (uint32_t i = 0; i < starts && h->found.n <= MOST_FOUND; i++) {
    context_poll(h->cx);
    make_start(h, i, s);
    starts_from(h, s);
  }
  arena_release(&h->cx->scratch, mark);
  return first;
}

// Polynomials are those of rest: what constraints move has other forces.
static bool is_at_rest(const ManyStarts *h, const Steady *s) {
  for (uint32_t i = 0; i < h->b->n; i++)
    if (s->qd[i] != 0) return false;
  return true;
}

// What is sure leads to itself, and what other starts have found is among the roots.
static bool take_roots(ManyStarts *h, const BalanceRoots *roots) {
  Mark mark = arena_mark(&h->cx->scratch);
  Steady *s = steady_new(&h->cx->scratch, h->b);
  uint32_t found = h->found.n;
  bool all = roots->are_all;
  for (uint32_t k = 0; k < roots->at.n && h->found.n <= MOST_FOUND; k++) {
    steady_copy(h->b, roots->at.at[k], s);
    bool is_kept = starts_from(h, s) && apart(h, s, roots->at.at[k]) < ITSELF;
    all = all && roots->is_sure.at[k] && is_kept && is_at_rest(h, s);
  }
  for (uint32_t i = 0; i < found && all; i++) {
    bool is_among = false, rests = is_at_rest(h, h->found.at[i]);
    for (uint32_t k = 0; k < roots->at.n; k++)
      is_among = is_among || apart(h, h->found.at[i], roots->at.at[k]) < ITSELF;
    all = is_among && rests;
  }
  arena_release(&h->cx->scratch, mark);
  return all && h->found.n <= MOST_FOUND;
}

// Starts much nearer and further than the scales, from which steps are as long; then states that
// mirror those that were found.
static void look_further(ManyStarts *h, uint32_t starts) {
  Mark mark = arena_mark(&h->cx->scratch);
  double *reach = arena_array(&h->cx->scratch, double, h->b->n + 1);
  memcpy(reach, h->scale, h->b->n * sizeof *reach);
  Steady *s = steady_new(&h->cx->scratch, h->b);
  uint32_t n = h->b->n;
  for (uint32_t k = 0; k < starts && h->found.n <= MOST_FOUND; k++) {
    context_poll(h->cx);
    steady_copy(h->b, h->start, s);
    double size = pow(10, NEAREST + (FURTHEST - NEAREST) * random_mixed_fraction(&h->seed));
    SteadyFreedom kept = h->free;
    for (uint32_t i = 0; i < n; i++) {
      double x = 2 * random_mixed_fraction(&h->seed) - 1;
      if (h->is_free[i] || (h->free.q_fixed && h->free.q_fixed[i])) continue;
      s->q[i] = h->is_angle[i] ? M_PI * x : size * x * h->scale[i];
      if (!h->is_angle[i]) reach[i] = fmax(1, size) * h->scale[i];
    }
    h->free.scale = reach;
    starts_from(h, s);
    h->free = kept;
  }
  for (uint32_t i = 0; i < h->found.n && h->found.n <= MOST_FOUND; i++)
    for (uint32_t which = 0; which <= n && h->found.n <= MOST_FOUND; which++) {
      steady_copy(h->b, h->found.at[i], s);
      for (uint32_t j = 0; j < n; j++) {
        bool moves = !h->is_free[j] && !(h->free.q_fixed && h->free.q_fixed[j]);
        if (moves && (which == n || which == j)) s->q[j] = -s->q[j];
      }
      starts_from(h, s);
    }
  arena_release(&h->cx->scratch, mark);
}

bool starts_complete(ManyStarts *h, uint32_t starts) {
  BalanceRoots roots;
  bool counted = balance_roots(h->b, h->start, &h->free, h->is_free, &h->cx->scratch, &roots);
  if (counted && take_roots(h, &roots)) return true;
  look_further(h, starts / 2);
  return false;
}

double starts_distance(const ManyStarts *h, const Steady *s) {
  double distance = 0;
  for (uint32_t i = 0; i < h->b->n; i++) {
    double d =
        h->is_angle[i] ? angle_difference(s->q[i], h->start->q[i]) : s->q[i] - h->start->q[i];
    distance = hypot(distance, d / h->scale[i]);
  }
  return distance;
}

// The nearest state from other starts; NULL when there is none.
static const Steady *rescue(Balance *b, const LinearizeRequest *request) {
  OperatingPoint start;
  SteadyFreedom free;
  ManyStarts h;
  operating_point_open(b, request, &b->cx->scratch, &start, &free);
  starts_open(&h, b, &start, &free);
  starts_run(&h, RESCUE_STARTS);
  const Steady *nearest = NULL;
  for (uint32_t i = 0; i < h.found.n; i++)
    if (!nearest || starts_distance(&h, h.found.at[i]) < starts_distance(&h, nearest))
      nearest = h.found.at[i];
  return nearest;
}

static void warn_elsewhere(Balance *b, Expr root) {
  bool vanishes = op_of(b->cx, root) == OP_PRODUCT;
  diag_warning_plain(b->cx, "the start leads to a state where %.200s %s",
                     expr_text(b->cx, b->cx->results, root),
                     vanishes ? "vanishes" : "switches and the forces jump");
  diag_note(b->cx, "the equations have no slope there; the nearest other equilibrium is taken");
}

Status starts_point(Balance *b, const LinearizeRequest *request, Arena *arena,
                    OperatingPoint *out) {
  if (request && request->kind == LINEARIZE_POINT)
    return operating_point_find(b, request, arena, out);
  Mark mark = arena_mark(&b->cx->scratch);
  SteadyFreedom free;
  uint32_t row;
  operating_point_open(b, request, arena, out, &free);
  Status status = operating_point_solve(b, &free, out->state, &row);
  Expr apex = status == QDOT_OK ? apex_at(b, out->state, free.scale) : 0;
  bool on_apex = apex != 0;
  if (on_apex || status == QDOT_NO_CONVERGENCE || status == QDOT_UNDEFINED) {
    Expr root = on_apex                         ? apex
                : status == QDOT_NO_CONVERGENCE ? 0
                                                : vanishing_root(b, out->state, free.scale);
    const Steady *found = rescue(b, request);
    if (found) steady_copy(b, found, out->state);
    if (found && root) warn_elsewhere(b, root);
    status = found ? QDOT_OK : on_apex ? QDOT_SINGULAR : status;
  }
  arena_release(&b->cx->scratch, mark);
  // once more for the explanation
  return status == QDOT_OK ? QDOT_OK : operating_point_find(b, request, arena, out);
}
