// System -> steps: the layout of inputs, and forward dynamics by elimination of the lifted form.
#include "sim/equations.h"

#include "code/eliminate.h"

Layout layout_of(const System *s) {
  Layout l = {.n = s->n,
              .rows = s->row_count,
              .contacts = s->contact_count,
              .inputs = s->model->inputs.n,
              .parameter_count = s->model->parameters.n};
  l.t = 0;
  l.q = 1;
  l.qd = l.q + l.n;
  l.u = l.qd + l.n;
  l.parameters = l.u + l.inputs;
  l.qdd = l.parameters + l.parameter_count;
  l.lambda = l.qdd + l.n;
  l.contact_lambda = l.lambda + l.rows;
  l.count = l.contact_lambda + l.contacts;
  return l;
}

static void bind_input(Equations *e, Expr symbol, uint32_t input) {
  flatten_bind(&e->flattener, symbol, program_input(&e->builder, input));
}

void equations_open(Equations *e, const System *s) {
  e->system = s;
  e->layout = layout_of(s);
  const Layout *l = &e->layout;
  const Model *model = s->model;
  program_open(&e->builder, s->cx, l->count);
  flatten_open(&e->flattener, &e->builder);
  for (uint32_t i = 0; i < l->parameter_count; i++) {
    program_fix_input(&e->builder, l->parameters + i);
    bind_input(e, model->parameters.at[i].symbol, l->parameters + i);
  }
  bind_input(e, s->t, l->t);
  for (uint32_t i = 0; i < l->n; i++) {
    bind_input(e, s->q[i], l->q + i);
    bind_input(e, s->qd[i], l->qd + i);
    bind_input(e, s->qdd[i], l->qdd + i);
  }
  for (uint32_t i = 0; i < l->inputs; i++) bind_input(e, model->inputs.at[i].symbol, l->u + i);
  for (uint32_t i = 0; i < l->rows; i++)
    if (s->rows[i].multiplier) bind_input(e, s->rows[i].multiplier, l->lambda + i);
  for (uint32_t i = 0; i < l->contacts; i++)
    if (s->contacts[i].multiplier) bind_input(e, s->contacts[i].multiplier, l->contact_lambda + i);
}

void equations_close(Equations *e) {
  flatten_close(&e->flattener);
  program_close(&e->builder);
}

// ---- forward dynamics
//
// Unknowns of the elimination: z'' (n + m), the definitions' multipliers (m), lambda of the rows,
// lambda of the active contacts.

typedef struct Assembly {
  Equations *e;
  const Lifted *l;
  Elimination *elimination;
  uint32_t definitions, rows, contacts, count; // first places and the number of unknowns
  uint32_t *contact_place;                     // of each contact; NO_SLOT when it is open
  Slot *rhs;
} Assembly;

static void place_unknowns(Assembly *a, const bool *active) {
  const System *s = a->e->system;
  Arena *arena = &a->e->builder.arena;
  a->definitions = a->l->n + a->l->m;
  a->rows = a->definitions + a->l->m;
  a->contacts = a->count = a->rows + s->row_count;
  a->contact_place = arena_array(arena, uint32_t, s->contact_count + 1);
  for (uint32_t i = 0; i < s->contact_count; i++)
    a->contact_place[i] = active && active[i] ? a->count++ : NO_SLOT;
  a->elimination = elimination_new(&a->e->builder, a->count);
  a->rhs = arena_array(arena, Slot, a->count + 1);
  for (uint32_t k = 0; k < a->l->m; k++)
    elimination_define(a->elimination, a->l->n + k, a->definitions + k);
  for (uint32_t i = a->rows; i < a->count; i++) elimination_constrain(a->elimination, i);
}

// All expressions of the system are flattened together, so that what they share is seen.
typedef struct Batch {
  ExprList exprs;
  Slot *slots;
} Batch;

static void batch_entries(Assembly *a, Batch *batch, const Entries *entries) {
  for (uint32_t i = 0; i < entries->n; i++)
    vec_push(&a->e->builder.arena, &batch->exprs, entries->at[i].value);
}

static void batch_exprs(Assembly *a, Batch *batch, const Expr *exprs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) vec_push(&a->e->builder.arena, &batch->exprs, exprs[i]);
}

static const Slot *add_entries(Assembly *a, const Slot *slots, const Entries *entries,
                               uint32_t first_row) {
  for (uint32_t i = 0; i < entries->n; i++)
    elimination_add(a->elimination, first_row + entries->at[i].row, entries->at[i].column,
                    *slots++);
  return slots;
}

static const Slot *add_contact_entries(Assembly *a, const Slot *slots) {
  const Entries *entries = &a->l->contacts;
  for (uint32_t i = 0; i < entries->n; i++, slots++) {
    uint32_t place = a->contact_place[entries->at[i].row];
    if (place != NO_SLOT) elimination_add(a->elimination, place, entries->at[i].column, *slots);
  }
  return slots;
}

static void assemble(Assembly *a) {
  const System *s = a->e->system;
  const Lifted *l = a->l;
  Batch batch = {0};
  batch_entries(a, &batch, &l->H);
  batch_entries(a, &batch, &l->J);
  batch_entries(a, &batch, &l->constraints);
  batch_entries(a, &batch, &l->contacts);
  batch_exprs(a, &batch, l->f, l->n + l->m);
  batch_exprs(a, &batch, l->b, l->m);
  batch_exprs(a, &batch, l->gamma, s->row_count);
  batch_exprs(a, &batch, l->contact_gamma, s->contact_count);
  batch.slots = arena_array(&a->e->builder.arena, Slot, batch.exprs.n + 1);
  flatten_many(&a->e->flattener, batch.exprs.at, batch.exprs.n, batch.slots);

  const Slot *at = add_entries(a, batch.slots, &l->H, 0);
  at = add_entries(a, at, &l->J, a->definitions);
  at = add_entries(a, at, &l->constraints, a->rows);
  at = add_contact_entries(a, at);
  for (uint32_t i = 0; i < a->contacts; i++) a->rhs[i] = *at++;
  for (uint32_t i = 0; i < s->contact_count; i++, at++)
    if (a->contact_place[i] != NO_SLOT) a->rhs[a->contact_place[i]] = *at;
}

static void bind_results(const Assembly *a, const Forward *out) {
  const System *s = a->e->system;
  Flattener *f = &a->e->flattener;
  for (uint32_t i = 0; i < a->l->n + a->l->m; i++) {
    // a definition's second derivative may be a plain expression, even a number
    Op op = op_of(s->cx, a->l->zdd[i]);
    if (op == OP_SYMBOL || op == OP_DEFINITION) flatten_bind(f, a->l->zdd[i], out->zdd[i]);
  }
  for (uint32_t i = 0; i < s->row_count; i++)
    if (s->rows[i].multiplier) flatten_bind(f, s->rows[i].multiplier, out->lambda[i]);
  for (uint32_t i = 0; i < s->contact_count; i++)
    if (s->contacts[i].multiplier)
      flatten_bind(f, s->contacts[i].multiplier, out->contact_lambda[i]);
}

bool equations_forward(Equations *e, const bool *active, Forward *out) {
  const System *s = e->system;
  Assembly a = {.e = e, .l = s->lifted};
  place_unknowns(&a, active);
  assemble(&a);
  Slot *x = arena_array(&e->builder.arena, Slot, a.count + 1);
  if (!elimination_solve_first(a.elimination, a.rhs, x)) return false;
  *out = (Forward){.zdd = x, .lambda = x + a.rows, .loss = elimination_loss(a.elimination)};
  out->contact_lambda = arena_array(&e->builder.arena, Slot, s->contact_count + 1);
  for (uint32_t i = 0; i < s->contact_count; i++)
    out->contact_lambda[i] =
        a.contact_place[i] == NO_SLOT ? program_constant(&e->builder, 0) : x[a.contact_place[i]];
  bind_results(&a, out);
  return true;
}
