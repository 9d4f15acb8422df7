// Contacts that stand against each other, as the two sides of a guide without play.
#include "engine/contact/contact.h"

#include <string.h>

// Pushes that move nothing by more than this part of what one of them alone would.
static const double BALANCED = 1e-10;
// A push of less than this beside another, which is 1.
static const double NO_PUSH = 1e-6;

static bool rubs(const Contacts *c, int i) {
  const Machine *m = c->machine;
  return m->plan->slips[i].rubs && m->slips[i].mu_rest > 0;
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
  if (k > 0) cone_push(scratch, k, A, b, N);
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
static bool absent_part(const Contacts *c) {
  for (int i = 0; i < c->struck_count; i++) {
    double least = -CONTACT_PULL / 2 * c->acceleration * contact_sensitivity(c, c->index[i]);
    if (c->row[i].kind == CONE_ABSENT && contacts_after(c, i, c->apart[i], c->p) < least)
      return false;
  }
  return true;
}

bool contacts_solve_least(Contacts *c) {
  Arena *scratch = &c->machine->cx->scratch;
  Mark mark = arena_mark(scratch);
  ConeProblem problem = contacts_problem(c, c->apart);
  bool *tried = arena_array(scratch, bool, c->struck_count);
  bool is_solved = cone_solve(scratch, &problem, &c->found);
  for (int i; is_solved && (i = find_squeezed(c, tried)) >= 0;) {
    ConeSolution known = cone_solution_copy(scratch, &c->found, problem.n);
    tried[i] = true;
    c->row[i].kind = CONE_ABSENT;
    if (cone_solve(scratch, &problem, &c->found) && absent_part(c)) continue;
    c->row[i].kind = CONE_PUSHES;
    cone_solution_put(&known, problem.n, &c->found);
  }
  for (int i = 0; i < c->struck_count; i++) c->row[i].kind = CONE_PUSHES;
  arena_release(scratch, mark);
  return is_solved;
}

void contacts_part_squeezed(Contacts *c) {
  bool *closed = c->machine->closed;
  for (int i = 0; i < c->count; i++)
    if (closed[i] && !c->presses[i] && is_squeezed(c, i, closed)) closed[i] = false;
}
