// The result: equations in matrices, solved for accelerations, and what stays constant.
#include "report/story.h"

#include "expr/build.h"
#include "report/degree.h"
#include "report/indexed_matrix.h"
#include "report/road_story.h"
#include "sim/switches.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

enum { MOST_SUMMARIZED = 2 };

// M q'' + h + D + G = Q - Phi_q^T lambda + Q_c with the terms that there are.
void story_matrix_equation(const Story *s) {
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
void story_contact_forces(const Story *s, bool in_words) {
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

void story_conserved(Story *s) {
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
      const char *name =
          symbol_text(system->cx, system->model->coordinates.at[it->coordinate].name);
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
  bool by_road = listing_by_road(s->listing);
  if (system->n == 0 || (by_road && system->n > MOST_SUMMARIZED)) return;
  bool solved = listing_solved(s->listing, &left, &right), all = s->accelerations.n > 0;
  if (!by_road && !solved && !all && (system->n > MOST_SUMMARIZED || system->row_count)) return;
  document_open_box(doc(s));
  document_paragraph(doc(s), system->n == 1 && !by_road ? SAY_SUMMARY_ONE : SAY_SUMMARY_MANY, NULL);
  if (by_road)
    road_story(s->listing->road.road)->equations(s);
  else if (solved)
    show_solved(s);
  else if (all)
    show_accelerations(s);
  else
    for (uint32_t i = 0; i < system->n; i++) story_equation(s, i);
  if (!by_road) story_rates(s);
  tell_limits(s);
  document_close_box(doc(s));
}

// Supports that are moved and frames that turn add terms of other degrees.
static Sentence h_sentence(const Story *s) {
  const Listed *h = &s->listing->at[LISTED_H];
  Context *cx = doc(s)->cx;
  for (uint32_t i = 0; i < h->rows; i++) {
    if (!expr_is_zero(cx, h->values[i]) && velocity_degree(cx, system_of(s), h->values[i]) != 2)
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
    story_conserved(s);
    return;
  }
  if (system_of(s)->n == 1 && system_of(s)->row_count == 0) { // the equation says it all
    story_conserved(s);
    return;
  }
  bool linear = s->listing->is_linear;
  document_heading(doc(s), 1, SAY_H_MATRICES, NULL);
  document_paragraph(doc(s), linear ? SAY_LINEAR_FORM : SAY_MATRIX_FORM, NULL);
  story_matrix_equation(s);
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
  story_contact_forces(s, true);
  if (system_of(s)->row_count == 0) story_accelerations(s);
  story_conserved(s);
}
