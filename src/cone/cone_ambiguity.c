// Other solutions, by trying all states: friction allows several where it is large (Painleve).
#include <math.h>
#include <string.h>

#include "cone/cone.h"

// By so much a solution must keep away from the corners of its laws, to be one beyond rounding.
static const double CLEARLY = 1e-9;

typedef struct Search {
  Arena *scratch;
  const ConeProblem *c;
  const ConeState *known;
  ConeState *tried;
  double *z, *y;
  bool found;
} Search;

// Is there a solution in the states that are tried, clearly so?
static bool is_consistent(const Search *s) {
  const ConeProblem *c = s->c;
  int open;
  double largest = 0;
  if (!cone_solve_states(s->scratch, c, s->tried, s->z, &open) || open > 0) return false;
  cone_residual(c, s->z, s->y);
  for (int i = 0; i < c->n; i++)
    if (cone_size(c, i) > 0) largest = fmax(largest, fabs(c->y_0[i]) / cone_size(c, i));
  for (int i = 0; i < c->n; i++) {
    const ConeRow *row = &c->row[i];
    double speed = cone_size(c, i) > 0 ? s->y[i] / cone_size(c, i) : 0;
    ConeState state = s->tried[i];
    if (row->kind == CONE_PUSHES && state == CONE_OPEN && !(speed > CLEARLY * largest))
      return false;
    if (row->kind == CONE_PUSHES && state == CONE_CLOSED && !(s->z[i] > 0)) return false;
    if (row->kind != CONE_RUBS || state == CONE_OPEN) continue;
    double most = row->mu * s->z[row->of];
    if (state == CONE_CLOSED && !(fabs(s->z[i]) < most * (1 - CLEARLY))) return false;
    if (state == CONE_CLOSED || row->way != 0 || !(row->mu > 0)) continue;
    if (!((state == CONE_SLIPS_UP ? speed : -speed) > CLEARLY * largest)) return false;
  }
  return true;
}

static bool differs(const Search *s) {
  for (int i = 0; i < s->c->n; i++) {
    bool is_smooth = s->c->row[i].kind == CONE_RUBS && !(s->c->row[i].mu > 0);
    if (s->tried[i] != s->known[i] && !is_smooth) return true;
  }
  return false;
}

static bool is_allowed(const Search *s, int i, ConeState state) {
  const ConeRow *row = &s->c->row[i];
  if (row->kind == CONE_ABSENT || !(cone_size(s->c, i) > 0)) return state == CONE_OPEN;
  if (row->kind == CONE_HOLDS) return state == CONE_CLOSED;
  if (row->kind == CONE_PUSHES) return state <= CONE_CLOSED;
  if (s->tried[row->of] == CONE_OPEN) return state == CONE_OPEN;
  if (state == CONE_OPEN) return false;
  if (!(row->mu > 0)) return state == CONE_SLIPS_UP;
  return row->way == 0 || state == (row->way > 0 ? CONE_SLIPS_UP : CONE_SLIPS_DOWN);
}

// All states of row number k of `order` and those behind it.
static void try_rows(Search *s, const int *order, int k) {
  if (k == s->c->n) {
    s->found = s->found || (differs(s) && is_consistent(s));
    return;
  }
  for (int state = CONE_OPEN; state <= CONE_SLIPS_DOWN && !s->found; state++) {
    if (!is_allowed(s, order[k], (ConeState)state)) continue;
    s->tried[order[k]] = (ConeState)state;
    try_rows(s, order, k + 1);
  }
}

bool cone_is_ambiguous(Arena *scratch, const ConeProblem *c, const ConeSolution *known) {
  int push = 0, rub = 0, n = 0;
  for (int i = 0; i < c->n; i++) {
    if (c->row[i].kind == CONE_LIMITED) return false;
    push += c->row[i].kind == CONE_PUSHES, rub += c->row[i].kind == CONE_RUBS;
  }
  if (push > CONE_MOST_TRIED || rub > push + CONE_MOST_TRIED) return false;
  Mark mark = arena_mark(scratch);
  Search s = {.scratch = scratch, .c = c, .known = known->state};
  s.tried = arena_array(scratch, ConeState, c->n);
  s.z = arena_array(scratch, double, c->n), s.y = arena_array(scratch, double, c->n);
  int *order = arena_array(scratch, int, c->n); // loads before their friction
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < c->n; i++)
      if ((c->row[i].kind == CONE_RUBS) == (pass == 1)) order[n++] = i;
  try_rows(&s, order, 0);
  arena_release(scratch, mark);
  return s.found;
}
