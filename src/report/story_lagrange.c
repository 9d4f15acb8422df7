// The chapter on Lagrange's equations, or on the balances of Newton and Euler.
#include "report/story.h"

#include "derive/balances.h"
#include "expr/build.h"
#include "report/indexed.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

// d/dt dT/dq' - dT/dq + dV/dq + dR/dq' = Q - ..., in general or for one coordinate.
static void show_rule(Story *s, Expr q, Expr qd, const char *force) {
  Document *d = doc(s);
  const Typeface *face = d->medium->face;
  Formula f = formula_open(d);
  formula_partial(&f, "T", qd, true);
  formula_sign(&f, face->minus);
  formula_partial(&f, "T", q, false);
  formula_sign(&f, face->plus);
  formula_partial(&f, "V", q, false);
  if (steps_find(&s->steps, SHOWN_R, 0)) {
    formula_sign(&f, face->plus);
    formula_partial(&f, "R", qd, false);
  }
  formula_equals(&f);
  formula_own(&f, force);
  if (system_of(s)->row_count) {
    formula_sign(&f, face->minus);
    story_add_multipliers(s, &f, q, qd, face->minus);
  }
  if (system_of(s)->contact_count) {
    formula_sign(&f, face->minus);
    story_add_contacts(&f, q);
  }
  document_display(d, &f, true);
}

static Expr general(Context *cx, SymbolKind kind) {
  return expr_symbol(cx, kind, symbol_from_text(cx, own_name(cx, "q_i", false)));
}

static void state_rule(Story *s) {
  Context *cx = doc(s)->cx;
  document_paragraph(doc(s), SAY_RULE, NULL);
  Expr position = general(cx, SYMBOL_COORDINATE);
  Expr velocity = general(cx, SYMBOL_VELOCITY);
  show_rule(s, position, velocity, "Q_i");
  document_open_paragraph(doc(s));
  document_say(doc(s), steps_find(&s->steps, SHOWN_R, 0) ? SAY_RULE_WHY_R : SAY_RULE_WHY, NULL);
  story_say_reactions(s);
  document_close_paragraph(doc(s));
}

static const char *coordinate_name(const Story *s, uint32_t i) {
  return symbol_text(doc(s)->cx, system_of(s)->model->coordinates.at[i].name);
}

void story_add_left_side(const Story *s, Formula *f, ShownKind kind, Expr q, Expr qd,
                         const char *name) {
  const Typeface *face = f->document->medium->face;
  switch (kind) {
  case SHOWN_MOMENTUM: formula_partial(f, "T", qd, false); break;
  case SHOWN_MOMENTUM_RATE: formula_partial(f, "T", qd, true); break;
  case SHOWN_T_SLOPE: formula_partial(f, "T", q, false); break;
  case SHOWN_T_TERM:
    formula_partial(f, "T", qd, true);
    formula_sign(f, face->minus);
    formula_partial(f, "T", q, false);
    break;
  case SHOWN_V_SLOPE: formula_partial(f, "V", q, false); break;
  case SHOWN_R_SLOPE: formula_partial(f, "R", qd, false); break;
  case SHOWN_MULTIPLIERS: story_add_multipliers(s, f, q, qd, face->plus); break;
  case SHOWN_CONTACTS: story_add_contacts(f, q); break;
  default: formula_own(f, text_format(&f->document->cx->scratch, "Q_%s", name));
  }
}

static void show_step(const Story *s, const ShownStep *step) {
  Formula f = formula_open(doc(s));
  const System *system = system_of(s);
  uint32_t i = step->index;
  story_add_left_side(s, &f, step->kind, system->q[i], system->qd[i], coordinate_name(s, i));
  formula_equals(&f);
  formula_expr(&f, step->value);
  document_display(doc(s), &f, true);
}

// M q'' + ... = Q - Phi_q^T lambda - phi_q^T lambda for one coordinate.
void story_equation(const Story *s, uint32_t i) {
  Document *d = doc(s);
  const ShownStep *force = steps_find(&s->steps, SHOWN_FORCE, i);
  const ShownStep *multipliers = steps_find(&s->steps, SHOWN_MULTIPLIERS, i);
  const ShownStep *contacts = steps_find(&s->steps, SHOWN_CONTACTS, i);
  const Listed *at = s->listing->at;
  const System *system = system_of(s);
  Expr right = force ? force->value : expr_int(d->cx, 0);
  if (multipliers) right = expr_sub(d->cx, right, multipliers->value);
  if (contacts) right = expr_sub(d->cx, right, contacts->value);
  Formula f = formula_open(d);
  for (uint32_t j = 0; j < system->n; j++)
    formula_add_expr(&f, expr_mul(d->cx, at[LISTED_M].values[i * system->n + j], system->qdd[j]));
  for (ListedKey key = LISTED_H; key <= LISTED_G; key++) formula_add_expr(&f, at[key].values[i]);
  if (f.pieces.n == 0) formula_expr(&f, expr_int(d->cx, 0));
  formula_equals(&f);
  formula_expr(&f, right);
  document_display(d, &f, true);
}

static const struct {
  ShownKind kind;
  Sentence sentence;
  bool names_velocity;
} order_of_steps[] = {
    {SHOWN_MOMENTUM, SAY_STEP_MOMENTUM, true}, {SHOWN_MOMENTUM_RATE, SAY_STEP_RATE, false},
    {SHOWN_T_SLOPE, SAY_STEP_T_SLOPE, false},  {SHOWN_T_TERM, SAY_STEP_T_TERM, false},
    {SHOWN_V_SLOPE, SAY_STEP_V_SLOPE, false},  {SHOWN_R_SLOPE, SAY_STEP_R_SLOPE, false},
    {SHOWN_FORCE, SAY_STEP_FORCE, false},      {SHOWN_MULTIPLIERS, SAY_STEP_MULTIPLIERS, false},
    {SHOWN_CONTACTS, SAY_STEP_CONTACTS, false}};

// Each rule with the term that it acts on; words and what is zero only where the reader learns.
static void apply_rule(Story *s, uint32_t i) {
  const System *system = system_of(s);
  bool in_words = i == 0 || s->detail == DETAIL_EVERY;
  for (size_t k = 0; k < sizeof order_of_steps / sizeof *order_of_steps; k++) {
    const ShownStep *step = steps_find(&s->steps, order_of_steps[k].kind, i);
    if (!step || (!in_words && expr_is_zero(system->cx, step->value))) continue;
    Expr named = order_of_steps[k].names_velocity ? system->qd[i] : system->q[i];
    Insert inserts[] = {insert_expr(doc(s), named)};
    if (in_words) document_paragraph(doc(s), order_of_steps[k].sentence, inserts);
    show_step(s, step);
  }
  Insert inserts[] = {insert_expr(doc(s), system->q[i])};
  document_paragraph(doc(s), SAY_STEP_EQUATION, inserts);
  story_equation(s, i);
}

// Newton's and Euler's way: each part is cut free at its joint and its momentum balanced.
static void tell_balances(Story *s) {
  const System *system = system_of(s);
  const Balances *all = system->model->balances;
  document_heading(doc(s), 1, SAY_H_BALANCES, NULL);
  document_paragraph(doc(s), SAY_BALANCES, NULL);
  if (system->contact_count) document_paragraph(doc(s), SAY_BALANCES_CONTACTS, NULL);
  for (uint32_t i = 0; i < all->n; i++) {
    const MomentumBalance *b = &all->at[i];
    const ShownStep *rate = steps_find(&s->steps, SHOWN_BALANCE_RATE, i);
    const ShownStep *load = steps_find(&s->steps, SHOWN_BALANCE_LOAD, i);
    if (!rate || !load) break;
    const char *joint = b->joint ? symbol_text(system->cx, b->joint) : "";
    Insert inserts[] = {insert_name(doc(s), symbol_text(system->cx, b->body)),
                        insert_name(doc(s), joint)};
    bool turns = b->kind == BALANCE_MOMENT;
    Sentence sentence = b->joint ? (turns ? SAY_BALANCE_MOMENT : SAY_BALANCE_FORCE)
                                 : (turns ? SAY_BALANCE_FREE_MOMENT : SAY_BALANCE_FREE_FORCE);
    document_paragraph(doc(s), sentence, inserts);
    Formula f = formula_open(doc(s));
    formula_expr(&f, rate->value);
    formula_equals(&f);
    formula_expr(&f, load->value);
    document_display(doc(s), &f, true);
  }
  document_paragraph(doc(s), SAY_BALANCES_COMBINED, NULL);
  for (uint32_t i = 0; i < system->n; i++) story_equation(s, i);
}

enum { FEW_COPIES = 4 }; // equations of the same make that are all worked out

// Are all coordinates one line of the model, number by number?
static bool are_copies(const System *system) {
  IndexedName first, other;
  const Model *model = system->model;
  if (!name_is_indexed(symbol_text(system->cx, model->coordinates.at[0].name), &first))
    return false;
  for (uint32_t i = 1; i < model->coordinates.n; i++)
    if (!name_is_indexed(symbol_text(system->cx, model->coordinates.at[i].name), &other) ||
        !names_are_kin(&first, &other))
      return false;
  return true;
}

void story_lagrange(Story *s) {
  const System *system = system_of(s);
  if (system->model->balances && s->detail != DETAIL_RESULT) {
    story_cut(s);
    tell_balances(s);
    return;
  }
  Sentence title = s->detail == DETAIL_RESULT ? SAY_H_EQUATIONS : SAY_H_LAGRANGE;
  document_heading(doc(s), 1, title, NULL);
  if (s->detail == DETAIL_RESULT) {
    document_paragraph(doc(s), SAY_RESULT_EQUATIONS, NULL);
    if (story_copies(s)) return;
    for (uint32_t i = 0; i < system->n; i++) story_equation(s, i);
    return;
  }
  state_rule(s);
  if (story_copies(s)) return;
  uint32_t most = are_copies(system) ? FEW_COPIES : TEXTBOOK_COORDINATES;
  uint32_t worked_out = system->n > most ? 3 : system->n;
  for (uint32_t i = 0; i < system->n; i++) {
    if (doc(s)->most_entries && i == worked_out && s->detail == DETAIL_TEXTBOOK) {
      Insert inserts[] = {insert_count(doc(s), system->n - i)};
      document_paragraph(doc(s), SAY_EQUATIONS_MORE, inserts);
      return;
    }
    Insert inserts[] = {insert_expr(doc(s), system->q[i])};
    if (system->n > 1) document_heading(doc(s), 2, SAY_H_EQUATION, inserts);
    if (i < 2 && system->n > 1)
      document_paragraph(doc(s), i ? SAY_STEP_OTHERS : SAY_STEP_FIRST, inserts);
    apply_rule(s, i);
  }
}
