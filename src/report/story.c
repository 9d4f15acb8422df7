// The chapters on Lagrange's equations and their matrices.
#include "report/story.h"

#include "base/utf8.h"
#include "derive/balances.h"
#include "expr/build.h"
#include "expr/order.h"
#include "report/indexed_matrix.h"
#include "sim/switches.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

enum { MOST_SUMMARIZED = 2 };
enum { LARGEST_MATRIX = 150, MOST_PARTS = 60 }; // where a document does not show everything

// Every expression that the chapters show.
static ExprList shown(const Story *story, Context *cx) {
  uint32_t most_entries = story->document->most_entries;
  ExprList list = {0};
  // The energies are shown as steps.
  for (ListedKey key = LISTED_M; key < LISTED_COUNT; key++) {
    const Listed *e = &story->listing->at[key];
    uint32_t n = e->rows * e->columns;
    if (most_entries && n > LARGEST_MATRIX) n = LARGEST_MATRIX;
    for (uint32_t i = 0; e->is_wanted && i < n; i++) vec_push(&cx->scratch, &list, e->values[i]);
  }
  for (uint32_t i = 0; i < story->steps.list.n; i++)
    vec_push(&cx->scratch, &list, story->steps.list.at[i].value);
  for (uint32_t i = 0; i < story->listing->conserved_count; i++)
    vec_push(&cx->scratch, &list, story->listing->conserved[i].value);
  story_action_values(story, &list);
  story_rub_values(story, &list);
  return list;
}

// A factor in front of a long sum goes to its terms, between which the line can break.
static void spread_wide_steps(Story *story) {
  Context *cx = story->document->cx;
  double widest = story->document->medium->widest;
  for (uint32_t i = 0; widest > 0 && i < story->steps.list.n; i++) {
    ShownStep *step = &story->steps.list.at[i];
    Mark mark = arena_mark(&cx->scratch);
    Text text = text_new(&cx->scratch);
    typeset(cx, step->value, &terminal_face, NULL, &text);
    double width = (double)utf8_width(text.at, text.n);
    arena_release(&cx->scratch, mark);
    if (width > 0.7 * widest) step->value = steps_spread(cx, step->value, 0);
  }
}

void story_open(Document *document, const Listing *listing, Detail detail, ExprList more,
                Story *out) {
  Context *cx = document->cx;
  *out = (Story){.document = document, .listing = listing, .detail = detail};
  steps_of(cx, listing->system, detail, listing->simplify, &out->steps);
  spread_wide_steps(out);
  if (!listing_accelerations(listing, &out->accelerations)) out->accelerations.n = 0;
  ExprList list = shown(out, cx);
  for (uint32_t i = 0; i < more.n; i++) vec_push(&cx->scratch, &list, more.at[i]);
  unsigned wish = PARTS_WITH_PRIMES | (document->most_entries ? PARTS_FOR_READERS : 0);
  parts_open_narrow(cx, list.at, list.n, wish, document->medium->widest, &out->parts);
  out->names = parts_names(&out->parts);
  document->names = &out->names;
  story_open_copies(out);
}

void story_close(Story *story) {
  story->document->names = NULL;
  parts_close(&story->parts);
}

// Parts use earlier ones.
static void use_parts_of_parts(Story *s) {
  Text text = text_new(&doc(s)->cx->scratch);
  for (uint32_t i = s->parts.list.n; i-- > 0;) {
    if (!s->parts.used[i]) continue;
    typeset(doc(s)->cx, parts_body(&s->parts, i), doc(s)->medium->face, &s->names, &text);
    parts_body_end(&s->parts);
  }
}

void story_settle(Story *s, void (*tell)(Story *story, const void *argument),
                  const void *argument) {
  Document *kept = s->document, unread = *kept;
  Mark mark = arena_mark(&kept->cx->scratch);
  Text text = text_new(&kept->cx->scratch);
  unread.out = &text;
  s->document = &unread;
  tell(s, argument);
  use_parts_of_parts(s);
  s->document = kept;
  s->told = (ExprList){0};
  arena_release(&kept->cx->scratch, mark);
  parts_keep_used(&s->parts);
}

// ---- Lagrange's equations

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
  show_rule(s, general(cx, SYMBOL_COORDINATE), general(cx, SYMBOL_VELOCITY), "Q_i");
  document_open_paragraph(doc(s));
  document_say(doc(s), SAY_RULE_WHY, NULL);
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
static void show_equation(const Story *s, uint32_t i) {
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
  show_equation(s, i);
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
  for (uint32_t i = 0; i < system->n; i++) show_equation(s, i);
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
    tell_balances(s);
    return;
  }
  Sentence title = s->detail == DETAIL_RESULT ? SAY_H_EQUATIONS : SAY_H_LAGRANGE;
  document_heading(doc(s), 1, title, NULL);
  if (s->detail == DETAIL_RESULT) {
    document_paragraph(doc(s), SAY_RESULT_EQUATIONS, NULL);
    if (story_copies(s)) return;
    for (uint32_t i = 0; i < system->n; i++) show_equation(s, i);
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

// ---- Matrices

// M q'' + h + D + G = Q - Phi_q^T lambda + Q_c with the terms that there are.
static void show_matrix_equation(Story *s) {
  Document *d = doc(s);
  const Typeface *face = d->medium->face;
  const Listed *at = s->listing->at;
  Formula f = formula_open(d);
  formula_product(&f, own_name(d->cx, "M", false), own_name(d->cx, "q''", false));
  if (s->listing->is_linear) {
    static const char *const factors[] = {"q'", "q"};
    for (ListedKey key = LISTED_C; key <= LISTED_K; key++) {
      if (listed_is_zero(d->cx, &at[key])) continue;
      formula_sign(&f, face->plus);
      formula_product(&f, own_name(d->cx, at[key].name, false),
                      own_name(d->cx, factors[key - LISTED_C], false));
    }
    if (!listed_is_zero(d->cx, &at[LISTED_REST])) {
      formula_sign(&f, face->plus);
      formula_own(&f, "f_0");
    }
  }
  for (ListedKey key = LISTED_H; !s->listing->is_linear && key <= LISTED_G; key++) {
    if (listed_is_zero(d->cx, &at[key])) continue;
    formula_sign(&f, face->plus);
    formula_own(&f, at[key].name);
  }
  formula_equals(&f);
  bool forced = !listed_is_zero(d->cx, &at[LISTED_Q]), tied = system_of(s)->row_count > 0,
       touches = system_of(s)->contact_count > 0;
  if (forced) formula_own(&f, "Q");
  if (tied) {
    formula_sign(&f, forced ? face->minus : face->negative);
    formula_transposed(&f, own_name(d->cx, "Phi_q", false), own_name(d->cx, "lambda", false));
  }
  if (touches) {
    if (forced || tied) formula_sign(&f, face->plus);
    formula_own(&f, "Q_c");
  } else if (!forced && !tied) {
    formula_expr(&f, expr_int(d->cx, 0));
  }
  document_display(d, &f, true);
}

static bool is_symmetric(const Listed *e) {
  for (uint32_t i = 0; i < e->rows; i++)
    for (uint32_t j = 0; j < i; j++)
      if (e->values[i * e->columns + j] != e->values[j * e->columns + i]) return false;
  return true;
}

static void show_table(Story *s, ListedKey key, const char *name, Sentence sentence) {
  const Listed *e = &s->listing->at[key];
  if (e->rows == 0 || listed_is_zero(doc(s)->cx, e)) return;
  document_paragraph(doc(s), sentence, NULL);
  const Model *model = system_of(s)->model;
  bool symmetric = key == LISTED_M || is_symmetric(e);
  if (e->columns > 1 ? document_indexed_matrix(doc(s), model, name, e->values, e->rows, symmetric)
                     : document_indexed_vector(doc(s), model, name, e->values))
    return;
  document_grid(doc(s), name, e->values, e->rows, e->columns, key == LISTED_M);
}

// Q_c: what contacts add to the right side.
static void show_contact_forces(Story *s, bool in_words) {
  const System *system = system_of(s);
  Context *cx = doc(s)->cx;
  if (system->contact_count == 0) return;
  if (in_words) document_paragraph(doc(s), SAY_MATRIX_CONTACTS, NULL);
  Expr *forces = arena_array(&cx->scratch, Expr, system->n);
  for (uint32_t i = 0; i < system->n; i++) {
    const ShownStep *step = steps_find(&s->steps, SHOWN_CONTACTS, i);
    forces[i] = step ? expr_neg(cx, step->value) : expr_int(cx, 0);
  }
  document_grid(doc(s), "Q_c", forces, system->n, 1, false);
}

static void show_conserved(Story *s) {
  for (uint32_t i = 0; i < s->listing->conserved_count; i++) {
    const Conserved *it = &s->listing->conserved[i];
    const System *system = system_of(s);
    if (it->kind == CONSERVED_ENERGY) {
      document_paragraph(doc(s), SAY_CONSERVED_ENERGY, NULL);
    } else if (it->kind == CONSERVED_JACOBI) {
      bool given = model_has_energy(system->model, ENERGY_LAGRANGIAN);
      document_paragraph(doc(s), given ? SAY_CONSERVED_JACOBI_OF_L : SAY_CONSERVED_JACOBI, NULL);
      document_equation(doc(s), own_name(doc(s)->cx, "E", false), it->value);
    } else {
      Insert inserts[] = {insert_expr(doc(s), system->q[it->coordinate])};
      document_paragraph(doc(s), SAY_CONSERVED_MOMENTUM, inserts);
      const char *name = coordinate_name(s, it->coordinate);
      document_equation(doc(s), text_format(&doc(s)->cx->scratch, "p_%s", name), it->value);
    }
  }
}

// θ'' + (g/L) sin θ = 0 for one free coordinate; false where that is not short.
static bool show_solved(Story *s) {
  Expr left, right;
  if (!listing_solved(s->listing, &left, &right)) return false;
  Formula f = formula_open(doc(s));
  formula_expr(&f, system_of(s)->qdd[0]);
  formula_add_expr(&f, left);
  formula_equals(&f);
  formula_expr(&f, right);
  document_display(doc(s), &f, true);
  return true;
}

// q'' = ... for every coordinate, lambda = ... for every row, where that is short.
static void show_accelerations(Story *s) {
  const System *system = system_of(s);
  for (uint32_t i = 0; i < s->accelerations.n; i++) {
    Formula f = formula_open(doc(s));
    formula_expr(&f, i < system->n ? system->qdd[i] : system->rows[i - system->n].multiplier);
    formula_equals(&f);
    formula_expr(&f, s->accelerations.at[i]);
    document_display(doc(s), &f, true);
  }
}

void story_accelerations(Story *s) {
  if (s->accelerations.n == 0) return;
  bool tied = system_of(s)->row_count > 0;
  document_paragraph(doc(s), tied ? SAY_SOLVED_TIED : SAY_SOLVED_ALL, NULL);
  show_accelerations(s);
}

// Where the result does not hold, or holds in another way.
static void tell_limits(Story *s) {
  Document *d = doc(s);
  ExprList signs = story_dry_friction(s);
  for (uint32_t i = 0; i < signs.n; i++) {
    Insert inserts[] = {insert_expr(d, expr_child(d->cx, signs.at[i], 0)),
                        insert_expr(d, signs.at[i])};
    document_paragraph(d, SAY_WHILE_SLIDING, inserts);
  }
  ExprList cases = story_cases(s);
  for (uint32_t i = 0; i < cases.n; i++) {
    Insert inserts[] = {insert_expr(d, switch_guard(d->cx, cases.at[i]))};
    document_paragraph(d, SAY_WHILE_CASES, inserts);
  }
  story_tell_contact_forces(s);
}

void story_summary(Story *s) {
  Expr left, right;
  const System *system = system_of(s);
  bool solved = listing_solved(s->listing, &left, &right), all = s->accelerations.n > 0;
  if (!solved && !all && (system->n > MOST_SUMMARIZED || system->row_count)) return;
  document_open_box(doc(s));
  document_paragraph(doc(s), system->n == 1 ? SAY_SUMMARY_ONE : SAY_SUMMARY_MANY, NULL);
  if (solved)
    show_solved(s);
  else if (all)
    show_accelerations(s);
  else
    for (uint32_t i = 0; i < system->n; i++) show_equation(s, i);
  story_rates(s);
  tell_limits(s);
  document_close_box(doc(s));
}

// What h contains beside products of velocities comes from supports that are moved.
static Sentence h_sentence(const Story *s) {
  const Listed *h = &s->listing->at[LISTED_H];
  Context *cx = doc(s)->cx;
  for (uint32_t i = 0; i < h->rows; i++) {
    TermList terms = expr_terms(cx, h->values[i]);
    for (uint32_t k = 0; k < terms.n; k++)
      if (!expr_is_zero(cx, terms.at[k]) &&
          !expr_has_kind(cx, terms.at[k], KIND_BIT(SYMBOL_VELOCITY)))
        return SAY_MATRIX_H_MOVED;
  }
  return SAY_MATRIX_H;
}

static Sentence rest_sentence(const Story *s) {
  const Listed *rest = &s->listing->at[LISTED_REST];
  for (uint32_t i = 0; i < rest->rows; i++)
    if (expr_has_kind(doc(s)->cx, rest->values[i], KIND_BIT(SYMBOL_TIME)))
      return SAY_MATRIX_REST_FORCED;
  return SAY_MATRIX_REST;
}

void story_matrices(Story *s) {
  Expr left, right;
  if (listing_solved(s->listing, &left, &right)) {
    document_heading(doc(s), 1, SAY_H_SOLVED, NULL);
    Insert inserts[] = {insert_expr(doc(s), system_of(s)->qdd[0])};
    document_paragraph(doc(s), SAY_SOLVED, inserts);
    show_solved(s);
    show_conserved(s);
    return;
  }
  bool linear = s->listing->is_linear;
  document_heading(doc(s), 1, SAY_H_MATRICES, NULL);
  document_paragraph(doc(s), linear ? SAY_LINEAR_FORM : SAY_MATRIX_FORM, NULL);
  show_matrix_equation(s);
  show_table(s, LISTED_M, "M", SAY_MATRIX_M);
  if (linear) {
    bool damped = !listed_is_zero(doc(s)->cx, &s->listing->at[LISTED_D]);
    show_table(s, LISTED_C, "C", damped ? SAY_MATRIX_D : SAY_MATRIX_GYRO);
    show_table(s, LISTED_K, "K", SAY_MATRIX_K);
    show_table(s, LISTED_REST, "f_0", rest_sentence(s));
  } else {
    show_table(s, LISTED_H, "h", h_sentence(s));
    show_table(s, LISTED_D, "D", SAY_MATRIX_D);
    show_table(s, LISTED_G, "G", SAY_MATRIX_G);
  }
  show_table(s, LISTED_Q, "Q", SAY_MATRIX_Q);
  show_contact_forces(s, true);
  if (system_of(s)->row_count == 0) story_accelerations(s);
  show_conserved(s);
}

static void tell_chapters(Story *s, const void *unused) {
  (void)unused;
  story_system(s);
  story_energies(s);
  story_lagrange(s);
  story_matrices(s);
  story_constraints(s);
  story_contacts(s);
}

void story_tell(Story *s) {
  story_settle(s, tell_chapters, NULL);
  document_begin(doc(s), system_of(s)->model->title);
  tell_chapters(s, NULL);
}

void story_result(Story *s) {
  const Listing *listing = s->listing;
  static const char *const names[LISTED_COUNT] = {[LISTED_CONTACT_PHI] = "phi",
                                                  [LISTED_CONTACT_PHI_Q] = "phi_q",
                                                  [LISTED_RESTITUTION] = "e",
                                                  [LISTED_OUTPUTS] = "y",
                                                  [LISTED_REST] = "f_0"};
  if (!listing->is_chosen) show_matrix_equation(s);
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    const Listed *e = &listing->at[key];
    bool replaced = listing->is_linear && key >= LISTED_H && key <= LISTED_G;
    if (!e->is_wanted || (!listing->is_chosen && (replaced || listed_is_zero(doc(s)->cx, e))))
      continue;
    document_grid(doc(s), names[key] ? names[key] : e->name, e->values, e->rows, e->columns,
                  key == LISTED_M);
  }
  if (!listing->is_chosen) show_contact_forces(s, false);
}

bool story_was_told(const Story *s, Expr e) {
  for (uint32_t i = 0; i < s->told.n; i++)
    if (s->told.at[i] == e) return true;
  return false;
}

void story_parts(Story *s) {
  uint32_t shown_so_far = 0, unsaid = 0;
  for (uint32_t i = 0; i < s->parts.list.n; i++) {
    if (story_was_told(s, s->parts.list.at[i])) continue;
    // names of the model are explained by its text, ours nowhere else
    bool is_ours = op_of(doc(s)->cx, s->parts.list.at[i]) != OP_DEFINITION;
    if (!is_ours && doc(s)->most_entries && shown_so_far >= MOST_PARTS) {
      unsaid++;
      continue;
    }
    if (shown_so_far++ == 0) {
      document_heading(doc(s), 1, SAY_H_PARTS, NULL);
      document_paragraph(doc(s), SAY_PARTS, NULL);
    }
    Expr body = parts_body(&s->parts, i);
    document_equation(doc(s), s->parts.names[i], body);
    parts_body_end(&s->parts);
  }
  Insert inserts[] = {insert_count(doc(s), unsaid)};
  if (unsaid) document_paragraph(doc(s), SAY_PARTS_MORE, inserts);
}
