// Contacts that stand against each other, as the two sides of a guide without play.
#include "sim/contact/contact.h"

#include <string.h>

#include "sim/contact/complementarity.h"

// Pushes that move nothing by more than this part of what one of them alone would.
static const double BALANCED = 1e-10;
// A push of less than this beside another, which is 1.
static const double NO_PUSH = 1e-6;

static bool rubs(const Contacts *c, int i) {
  const Machine *m = c->machine;
  return m->system->slips[i].phi && m->slips[i].mu_rest > 0;
}

// Could the marked contacts push against contact i, and all of them together move nothing? The
// least that a unit push of i and any of theirs move, A_ii + 2 A_ir N + N A_rr N, is nothing then.
static bool is_squeezed(Contacts *c, int i, const bool *marked) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  size_t count = (size_t)c->count;
  int *others = arena_array(scratch, int, count), k = 0;
  double *A = arena_array(scratch, double, count *count), *N = arena_array(scratch, double, count);
  double *b = arena_array(scratch, double, count);
  for (int j = 0; j < c->count; j++)
    if (j != i && marked[j]) others[k++] = j;
  const double *row = c->A + (size_t)i * count;
  for (int r = 0; r < k; r++) {
    b[r] = row[others[r]];
    for (int j = 0; j < k; j++) A[r * k + j] = c->A[(size_t)others[r] * count + (size_t)others[j]];
  }
  if (k > 0) complementarity_solve(scratch, k, A, b, N);
  double left = row[i];
  bool any_rubs = rubs(c, i);
  for (int r = 0; r < k; r++) {
    left += b[r] * N[r];
    any_rubs |= N[r] * contact_sensitivity(c, others[r]) > NO_PUSH * contact_sensitivity(c, i) &&
                rubs(c, others[r]);
  }
  arena_release(scratch, mark);
  return any_rubs && left <= BALANCED * row[i];
}

// Of the contacts that press, those that could do it without any load; the least pressed one first
// that has not been tried, as a number of the problem; -1: none.
static int find_squeezed(Contacts *c, const bool *tried) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  bool *presses = arena_array(scratch, bool, c->count);
  int least = -1;
  for (int i = 0; i < c->struck_count; i++) presses[c->index[i]] = c->p[i] > 0;
  for (int i = 0; i < c->struck_count; i++)
    if (c->p[i] > 0 && !tried[i] && (least < 0 || c->p[i] < c->p[least]) &&
        is_squeezed(c, c->index[i], presses))
      least = i;
  arena_release(scratch, mark);
  return least;
}

// Do contacts that take no part stay apart, or at least together?
static bool absent_part(const Contacts *c, const bool *absent) {
  for (int i = 0; i < c->struck_count; i++) {
    double least = -CONTACT_PULL / 2 * c->acceleration * contact_sensitivity(c, c->index[i]);
    if (absent[i] && contacts_after(c, i, c->apart[i], c->p, c->r) < least) return false;
  }
  return true;
}

bool contacts_solve_least(Contacts *c, Coulomb problem) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  size_t k = (size_t)c->struck_count, all = (size_t)contacts_rub_count(c);
  bool *absent = arena_array(scratch, bool, k), *tried = arena_array(scratch, bool, k);
  double *p = arena_array(scratch, double, k), *r = arena_array(scratch, double, all);
  bool is_solved = coulomb_solve(scratch, &problem, c->p, c->r);
  problem.absent = absent;
  for (int i; is_solved && (i = find_squeezed(c, tried)) >= 0;) {
    memcpy(p, c->p, k * sizeof *p);
    memcpy(r, c->r, all * sizeof *r);
    absent[i] = tried[i] = true;
    if (coulomb_solve(scratch, &problem, c->p, c->r) && absent_part(c, absent)) continue;
    absent[i] = false;
    memcpy(c->p, p, k * sizeof *p);
    memcpy(c->r, r, all * sizeof *r);
  }
  arena_release(scratch, mark);
  return is_solved;
}

void contacts_part_squeezed(Contacts *c) {
  bool *closed = c->machine->closed;
  for (int i = 0; i < c->count; i++)
    if (closed[i] && !c->presses[i] && is_squeezed(c, i, closed)) closed[i] = false;
}
