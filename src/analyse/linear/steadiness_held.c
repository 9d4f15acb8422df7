// Does friction hold what is taken as held?
#include <math.h>
#include <string.h>

#include "analyse/linear/steadiness.h"
#include "cone/shares.h"
#include "expr/value/eval.h"

// Contacts that have come to touch only here.
static Status check_new_contacts(Balance *b, const Steady *s) {
  Context *cx = b->cx;
  const Model *model = b->system->model;
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *c = &model->contacts.at[i];
    if (!(c->friction || c->torque) || !s->is_active[b->system->row_count + i]) continue;
    Status status =
        diag_error(cx, QDOT_UNSUPPORTED, c->span,
                   "contact '%s' has friction and is closed here, but open at the start",
                   symbol_text(cx, c->name));
    diag_label(cx, "start with the contact closed: it is then linearized as a constraint");
    return status;
  }
  return QDOT_OK;
}

// What each holds and is pressed by; several may share their load in more than one way.
typedef struct Holding {
  double *use;    // by what is held: the part of friction that it needs; infinite: it would pull
  bool is_wedged; // any force may press them against each other
} Holding;

// Forces of rows that balance each other: open_count rows of all multipliers.
static double *find_balances(Balance *b, const Steady *s, Arena *arena, int *open_count) {
  int n = (int)b->n, m = (int)b->m, all = 0;
  double *rows = arena_array(arena, double, (size_t)m *(size_t)n), *found;
  int *which = arena_array(arena, int, m);
  for (int r = 0; r < m; r++) {
    if (!s->is_active[r]) continue;
    memcpy(rows + (size_t)all * (size_t)n, b->Phi_q + (size_t)r * (size_t)n,
           (size_t)n * sizeof *rows);
    which[all++] = r;
  }
  *open_count = shares_find_balances(arena, all, n, rows, &found);
  double *out = arena_array(arena, double, (size_t)*open_count *(size_t)m);
  for (int k = 0; k < *open_count; k++)
    for (int i = 0; i < all; i++) out[k * m + which[i]] = found[k * all + i];
  return out;
}

// As the law of contacts has it in a run: the one that is used most is used least.
static Holding find_holding(Balance *b, const Steady *s, Arena *arena) {
  const Model *model = b->system->model;
  int n = (int)model->held.n, m = (int)b->m, open_count = 0;
  Holding out = {.use = arena_array(arena, double, n)};
  balance_evaluate(b, s->q, s->qd, s->lambda);
  const double *open = find_balances(b, s, arena, &open_count);
  Shares shares = shares_new(arena, n, n, open_count);
  double heaviest = 0, use = 0;
  for (int i = 0; i < n; i++) heaviest = fmax(heaviest, fabs(s->lambda[model->held.at[i].normal]));
  for (int i = 0; i < n; i++) {
    const Held *held = &model->held.at[i];
    double mu = expr_eval(b->cx, held->most, b->values);
    shares.N_0[i] = s->lambda[held->normal];
    shares.x_0[i] = s->lambda[held->row];
    shares.c_0[i] = mu * shares.N_0[i];
    shares.most[i] = fmax(mu * heaviest, SHARE_EMPTY);
    for (int k = 0; k < open_count; k++) {
      shares.press[k * n + i] = open[k * m + (int)held->normal];
      shares.open[k * n + i] = open[k * m + (int)held->row];
      shares.grip[k * n + i] = mu * shares.press[k * n + i];
    }
  }
  out.is_wedged = open_count > 0 && shares_are_wedged(arena, &shares);
  bool found = open_count > 0 && !out.is_wedged && shares_find(arena, &shares, 0, &use);
  if (!found || use > 1) {
    memset(shares.z, 0, (size_t)open_count * sizeof *shares.z);
    shares_use(&shares);
  }
  for (int i = 0; i < n; i++) {
    double least = SHARE_EMPTY * shares.most[i], x = fabs(shares.x[i]);
    bool pulls = !found && shares.N_0[i] < 0;
    out.use[i] = pulls ? INFINITY : x <= least ? 0 : x / fmax(shares.c[i], least);
  }
  return out;
}

static Status tell_held(Balance *b, const Steady *s, const Held *held, double use, bool is_sure) {
  Context *cx = b->cx;
  const Model *model = b->system->model;
  const Constraint *c = &model->constraints.at[held->normal];
  const char *name = symbol_text(cx, model->constraints.at[held->row].name);
  bool holds = use <= 1 + 1e-9;
  if (!holds && is_sure && isinf(use))
    return diag_error(cx, QDOT_UNSUPPORTED, c->span,
                      "contact '%s' would have to pull here, with %.6g N", symbol_text(cx, c->name),
                      -s->lambda[held->normal]);
  if (!holds && is_sure) {
    Status status =
        diag_error(cx, QDOT_UNSUPPORTED, c->span, "friction does not hold '%s' here", name);
    double R = fabs(s->lambda[held->row]);
    diag_label(cx, "it takes %.6g, and has at most %.6g (SI)", R, R / use);
    return status;
  }
  if (holds)
    diag_warning_plain(cx,
                       "'%s' is held by friction and taken as a constraint; it uses %.3g of what "
                       "holds it",
                       name, use);
  else
    diag_warning_plain(cx,
                       "'%s' is taken as a constraint, and would slip or open if the load were "
                       "shared by the least forces",
                       name);
  return QDOT_OK;
}

Status steadiness_check_held(Balance *b, const Steady *s) {
  const Model *model = b->system->model;
  if (model->held.n == 0) return check_new_contacts(b, s);
  Arena *scratch = &b->cx->scratch;
  Mark mark = arena_mark(scratch);
  Holding holding = find_holding(b, s, scratch);
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < model->held.n && status == QDOT_OK; i++)
    status = tell_held(b, s, &model->held.at[i], holding.use[i], !holding.is_wedged);
  arena_release(scratch, mark);
  return status == QDOT_OK ? check_new_contacts(b, s) : status;
}
