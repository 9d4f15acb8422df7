// Closed forms of a point, guided by its numbers.
#include "analyse/equilibrium/closed_form.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/closed_finder.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "solve/algebra/svd.h"

#define MOST_ATTEMPTS 4

// ---- Equations

static Expr *starting_equations(Finder *f) {
  Context *cx = f->cx;
  const Balance *b = f->b;
  Expr *e = arena_array(&cx->scratch, Expr, f->n + 2 * f->m);
  f->row = arena_array(&cx->scratch, uint32_t, f->n + 2 * f->m);
  for (uint32_t i = 0; i < f->n && steady_is_balanced(f->s); i++) {
    f->row[f->equations] = i;
    e[f->equations++] = expr_add(cx, b->applied[i], b->reaction[i]);
  }
  for (uint32_t k = 0; k < f->m; k++) {
    if (!f->s->is_active[k]) continue;
    if (!b->rows[k]->is_nonholonomic) {
      f->row[f->equations] = f->n + k;
      e[f->equations++] = b->rows[k]->phi;
    }
    f->row[f->equations] = UINT32_MAX;
    e[f->equations++] = b->rates[k];
  }
  return e;
}

static void put_in_what_is_known(Finder *f) {
  Mark mark = arena_mark(&f->cx->scratch);
  Substitution *list = arena_array(&f->cx->scratch, Substitution, f->count);
  uint32_t n = 0;
  for (uint32_t u = 0; u < f->count; u++)
    if (f->known[u] != OPEN) list[n++] = (Substitution){f->symbol[u], f->value[u]};
  expr_subst_many(f->cx, f->equation, f->equations, list, n, f->current);
  arena_release(&f->cx->scratch, mark);
}

uint32_t finder_open_unknowns(const Finder *f, Expr e, uint32_t *which) {
  uint32_t count = 0;
  for (uint32_t u = 0; u < f->count; u++)
    if (f->known[u] == OPEN && expr_depends(f->cx, e, f->symbol[u])) *which = u, count++;
  return count;
}

// ---- Proof

// Guesses inside an equation that is not met are wrong.
static bool ban_guesses_in(Finder *f, Expr equation) {
  bool banned = false;
  for (uint32_t u = 0; u < 2 * f->n; u++) {
    if (f->known[u] != GUESSED || !expr_depends(f->cx, equation, f->symbol[u])) continue;
    f->banned[u] = true;
    banned = true;
  }
  return banned;
}

static bool is_complete(const Finder *f, uint32_t i, bool *named) {
  for (uint32_t u = 0; u < f->count; u++) {
    if (f->known[u] != OPEN && f->known[u] != NAMED) continue;
    if (!expr_depends(f->cx, f->equation[i], f->symbol[u])) continue;
    *named = true;
    return false;
  }
  return true;
}

// The derivative of an equation by an unknown, as a number.
double finder_slope(const Finder *f, uint32_t i, uint32_t u) {
  const Balance *b = f->b;
  uint32_t n = f->n, row = f->row[i];
  if (row == UINT32_MAX || (u >= n && u < 2 * n)) return 0;
  if (row >= n) return u < n ? b->Phi_q[(size_t)(row - n) * n + u] : 0;
  return u < n ? b->K[(size_t)row * n + u] : b->Phi_q[(size_t)(u - 2 * n) * n + row];
}

// Where names are left, guesses must follow from the equations without names alone: an unknown that
// those leave free may be 0 only for these numbers.
static bool ban_undetermined(Finder *f, const bool *proved) {
  Mark mark = arena_mark(&f->cx->scratch);
  Arena *a = &f->cx->scratch;
  uint32_t rows = 0, columns = 0;
  uint32_t *unknown = arena_array(a, uint32_t, f->count + 1);
  for (uint32_t u = 0; u < f->count; u++)
    if (f->known[u] == SOLVED || f->known[u] == GUESSED) unknown[columns++] = u;
  double *J = arena_array(a, double, (size_t)(f->equations + columns) * columns + 1);
  for (uint32_t i = 0; i < f->equations; i++) {
    if (!proved[i]) continue;
    for (uint32_t c = 0; c < columns; c++)
      J[(size_t)rows * columns + c] = finder_slope(f, i, unknown[c]);
    rows++;
  }
  // rows of zeros make the decomposition give every direction
  uint32_t all = rows < columns ? columns : rows;
  Svd *svd = svd_new(a, (int)all, (int)columns);
  bool banned = false;
  if (columns > 0 && svd_compute(svd, (int)all, J) == QDOT_OK) {
    for (int k = 0; k < svd->k; k++) {
      if (svd->sigma[k] > 1e-9 * svd->sigma[0]) continue;
      for (uint32_t c = 0; c < columns; c++) {
        uint32_t u = unknown[c];
        if (fabs(svd->Vt[(size_t)k * columns + c]) < 1e-6 || f->known[u] != GUESSED) continue;
        banned = f->banned[u] = true;
      }
    }
  }
  arena_release(a, mark);
  return banned;
}

// True when every guess is proved; else the wrong ones are banned.
static bool prove(Finder *f) {
  bool good = true, named = false;
  bool *proved = arena_array(&f->cx->scratch, bool, f->equations + 1);
  put_in_what_is_known(f);
  for (uint32_t i = 0; i < f->equations; i++) {
    if (!is_complete(f, i, &named)) continue;
    proved[i] = finder_is_zero(f, f->current[i]);
    if (!proved[i] && ban_guesses_in(f, f->equation[i])) good = false;
  }
  if (good && named) good = !ban_undetermined(f, proved);
  return good;
}

// ---- Names

static Symbol free_name(Context *cx, const Model *model, const char *name, bool velocity) {
  const char *index = strchr(name, '[');
  int stem = index ? (int)(index - name) : (int)strlen(name);
  const char *joint = memchr(name, '_', (size_t)stem) ? "" : "_";
  const char *mark = velocity ? "v" : "e";
  for (int more = 0;; more++) {
    Text text = text_new(cx->results);
    text_addf(&text, "%.*s%s%s", stem, name, joint, mark);
    for (int i = 0; i < more; i++) text_add(&text, "e");
    if (index) text_add(&text, index);
    Symbol symbol = symbol_from_text(cx, text.at);
    if (!model_find(model, symbol)) return symbol;
  }
}

static void name_what_is_left(Finder *f, ClosedForm *out) {
  const Model *model = f->b->system->model;
  for (uint32_t u = 0; u < 2 * f->n; u++) {
    if (f->known[u] != NAMED) continue;
    const char *name = symbol_text(f->cx, model->coordinates.at[u % f->n].name);
    PointName point = {.of = f->symbol[u], .value = f->number[u]};
    point.symbol = expr_symbol(f->cx, SYMBOL_PARAMETER, free_name(f->cx, model, name, u >= f->n));
    vec_push(f->cx->results, &out->names, point);
    f->value[u] = point.symbol;
  }
}

// ---- The whole

// A coordinate that no equation contains stays where it starts.
static Expr free_value(Finder *f, uint32_t u) {
  if (u >= f->n) return 0;
  for (uint32_t i = 0; i < f->equations; i++)
    if (expr_depends(f->cx, f->equation[i], f->symbol[u])) return 0;
  Expr start = f->b->system->model->coordinates.at[u].position.value;
  if (start && fabs(expr_eval(f->cx, start, f->b->values) - f->number[u]) < 1e-12) return start;
  return expr_number(f->cx, number_from_double(f->cx, f->number[u]));
}

static void attempt(Finder *f, const Expr *given) {
  Context *cx = f->cx;
  for (uint32_t u = 0; u < f->count; u++) {
    f->known[u] = OPEN;
    bool at_rest = u >= f->n && u < 2 * f->n && f->number[u] == 0;
    bool idle = u >= 2 * f->n && !f->carries[u - 2 * f->n];
    if (u < 2 * f->n && given[u])
      f->known[u] = GIVEN, f->value[u] = given[u];
    else if (free_value(f, u))
      f->known[u] = GIVEN, f->value[u] = free_value(f, u);
    else if (at_rest || idle)
      f->known[u] = GIVEN, f->value[u] = expr_int(cx, 0);
  }
  bool guessed = false;
  f->zeros.n = 0;
  for (uint32_t i = 0; i < f->b->zeros.n; i++) vec_push(cx->results, &f->zeros, f->b->zeros.at[i]);
  for (;;) {
    context_poll(cx);
    put_in_what_is_known(f);
    if (finder_solve_single(f) || finder_solve_linear(f)) continue;
    if (guessed || !finder_guess(f)) break;
    guessed = true;
  }
  for (uint32_t u = 0; u < 2 * f->n; u++)
    if (f->known[u] == OPEN) f->known[u] = NAMED, f->value[u] = f->symbol[u];
}

static void finder_open(Finder *f, Balance *b, const Steady *s, const Expr *u) {
  Context *cx = b->cx;
  *f = (Finder){.cx = cx, .b = b, .s = s, .n = b->n, .m = b->m, .count = 2 * b->n + b->m};
  f->symbol = arena_array(&cx->scratch, Expr, f->count);
  f->value = arena_array(&cx->scratch, Expr, f->count);
  f->number = arena_array(&cx->scratch, double, f->count);
  f->known = arena_array(&cx->scratch, Known, f->count);
  f->banned = arena_array(&cx->scratch, bool, f->count);
  f->is_new = arena_array(&cx->scratch, bool, f->count);
  for (uint32_t i = 0; i < f->n; i++) {
    f->symbol[i] = b->system->q[i], f->number[i] = s->q[i];
    f->symbol[f->n + i] = b->system->qd[i], f->number[f->n + i] = s->qd[i];
  }
  for (uint32_t k = 0; k < f->m; k++)
    f->symbol[2 * f->n + k] = b->rows[k]->multiplier, f->number[2 * f->n + k] = s->lambda[k];
  Expr *raw = starting_equations(f);
  f->equation = arena_array(&cx->scratch, Expr, f->equations + 1);
  f->current = arena_array(&cx->scratch, Expr, f->equations + 1);
  Substitution *list = arena_array(&cx->scratch, Substitution, b->inputs + b->zeros.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->inputs; i++)
    list[n++] = (Substitution){b->system->model->inputs.at[i].symbol, u[i]};
  for (uint32_t i = 0; i < b->zeros.n; i++)
    list[n++] = (Substitution){b->zeros.at[i], expr_int(cx, 0)};
  list[n++] = (Substitution){b->system->t, expr_int(cx, 0)};
  expr_subst_many(cx, raw, f->equations, list, n, f->equation);
}

void closed_form_find(Balance *b, const Steady *s, const bool *carries, const Expr *given,
                      const Expr *u, ClosedForm *out) {
  Context *cx = b->cx;
  Mark mark = arena_mark(&cx->scratch);
  *out = (ClosedForm){.q = arena_array(cx->results, Expr, b->n),
                      .qd = arena_array(cx->results, Expr, b->n),
                      .u = arena_array(cx->results, Expr, b->inputs + 1)};
  memcpy(out->u, u, b->inputs * sizeof *u);
  balance_evaluate(b, s->q, s->qd, s->lambda);
  Finder f;
  finder_open(&f, b, s, u);
  f.carries = carries;
  // a guess that is not proved has no place in a closed form: the last attempt makes none
  for (int i = 0; i <= MOST_ATTEMPTS; i++) {
    for (uint32_t k = 0; k < f.count && i == MOST_ATTEMPTS; k++) f.banned[k] = true;
    attempt(&f, given);
    if (prove(&f)) break;
  }
  name_what_is_left(&f, out);
  for (uint32_t i = 0; i < b->n; i++) {
    out->q[i] = f.value[i];
    out->qd[i] = f.value[b->n + i];
  }
  for (uint32_t i = 0; i < f.zeros.n; i++) vec_push(cx->results, &out->zeros, f.zeros.at[i]);
  arena_release(&cx->scratch, mark);
}

void closed_form_refine(Balance *b, const ClosedForm *form, Steady *s) {
  for (uint32_t i = 0; i < 2 * b->n; i++) {
    Expr e = i < b->n ? form->q[i] : form->qd[i - b->n];
    double *at = i < b->n ? &s->q[i] : &s->qd[i - b->n];
    bool named = false;
    for (uint32_t k = 0; k < form->names.n; k++) named = named || form->names.at[k].symbol == e;
    if (!named) *at = expr_eval(b->cx, e, b->values);
  }
}

uint32_t closed_form_substitutions(Balance *b, const ClosedForm *form, Substitution **out) {
  Context *cx = b->cx;
  const System *s = b->system;
  uint32_t n = 0;
  size_t most = 3 * b->n + b->inputs + form->zeros.n + 1;
  Substitution *list = arena_array(cx->results, Substitution, most);
  for (uint32_t i = 0; i < b->n; i++) {
    list[n++] = (Substitution){s->q[i], form->q[i]};
    list[n++] = (Substitution){s->qd[i], form->qd[i]};
    list[n++] = (Substitution){s->qdd[i], expr_int(cx, 0)};
  }
  for (uint32_t i = 0; i < b->inputs; i++)
    list[n++] = (Substitution){s->model->inputs.at[i].symbol, form->u[i]};
  for (uint32_t i = 0; i < form->zeros.n; i++)
    list[n++] = (Substitution){form->zeros.at[i], expr_int(cx, 0)};
  list[n++] = (Substitution){s->t, expr_int(cx, 0)};
  *out = list;
  return n;
}
