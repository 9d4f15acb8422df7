// The chapter on Hamilton's equations: momenta, the Legendre transformation, canonical equations.
#include "derive/roads/hamilton.h"
#include "derive/vanishes.h"
#include "expr/build.h"
#include "report/road_story.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }
static const System *system_of(const Story *story) { return story->listing->system; }
static const Hamilton *hamilton_of(const Story *story) { return story->listing->road.result; }

// ---- Inside a formula

static Expr indexed(const Story *s, SymbolKind kind, const char *name) {
  Context *cx = doc(s)->cx;
  return expr_symbol(cx, kind, symbol_from_text(cx, own_name(cx, name, false)));
}

// p_x = dL/dx' = ...
static void show_momentum(const Story *s, uint32_t i) {
  Formula f = formula_open(doc(s));
  formula_expr(&f, hamilton_of(s)->p[i]);
  formula_equals(&f);
  formula_partial(&f, "L", system_of(s)->qd[i], false);
  formula_equals(&f);
  formula_expr(&f, hamilton_of(s)->momentum[i]);
  document_display(doc(s), &f, true);
}

// H = sum of p_i q_i' - L
static void show_transformation(const Story *s) {
  Formula f = formula_open(doc(s));
  formula_own(&f, "H");
  formula_equals(&f);
  formula_sum_sign(&f, "i");
  formula_product(&f, own_name(doc(s)->cx, "p_i", false), own_name(doc(s)->cx, "q_i'", false));
  formula_sign(&f, doc(s)->medium->face->minus);
  formula_own(&f, "L");
  document_display(doc(s), &f, true);
}

static bool all_zero(const Story *s, const Expr *at, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!expr_is_zero(doc(s)->cx, at[i])) return false;
  return true;
}

// Multipliers, and forces Q - dR/dq'.
typedef struct Forces {
  bool given, damped;
} Forces;

static Forces forces_of(const Story *s) {
  const Listed *at = s->listing->at;
  return (Forces){!all_zero(s, at[LISTED_Q].values, system_of(s)->n),
                  !all_zero(s, at[LISTED_D].values, system_of(s)->n)};
}

// q_i' = dH/dp_i and p_i' = -dH/dq_i + Q_i - dR/dq_i' - ...
static void show_general(const Story *s) {
  Document *d = doc(s);
  const Typeface *face = d->medium->face;
  Expr q = indexed(s, SYMBOL_COORDINATE, "q_i"), qd = indexed(s, SYMBOL_VELOCITY, "q_i");
  Expr p = indexed(s, SYMBOL_STATE, "p_i"), pd = indexed(s, SYMBOL_STATE_RATE, "p_i");
  Formula f = formula_open(d);
  formula_expr(&f, qd);
  formula_equals(&f);
  formula_partial(&f, "H", p, false);
  document_display(d, &f, true);
  f = formula_open(d);
  formula_expr(&f, pd);
  formula_equals(&f);
  formula_sign(&f, face->negative);
  formula_partial(&f, "H", q, false);
  Forces forces = forces_of(s);
  if (forces.given) {
    formula_sign(&f, face->plus);
    formula_own(&f, "Q_i");
  }
  if (forces.damped) {
    formula_sign(&f, face->minus);
    formula_partial(&f, "R", qd, false);
  }
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

// ---- The equations

// p = M q' + b
static void show_momenta(const Story *s) {
  Document *d = doc(s);
  Formula f = formula_open(d);
  formula_own(&f, "p");
  formula_equals(&f);
  formula_product(&f, own_name(d->cx, "M", false), own_name(d->cx, "q'", false));
  if (hamilton_moves(d->cx, hamilton_of(s))) {
    formula_sign(&f, d->medium->face->plus);
    formula_own(&f, "b");
  }
  document_display(d, &f, true);
}

static void show_canonical(const Story *s) {
  const Hamilton *h = hamilton_of(s);
  const System *system = system_of(s);
  if (h->is_implicit)
    show_momenta(s);
  else
    for (uint32_t i = 0; i < h->n; i++) story_line(s, system->qd[i], h->velocity[i]);
  for (uint32_t i = 0; i < h->n; i++) story_line(s, h->pd[i], hamilton_rate(doc(s)->cx, h, i));
  for (uint32_t i = 0; i < h->states; i++) story_line(s, system->sd[i], h->state_rate[i]);
}

static void show_result(Story *s) {
  const Hamilton *h = hamilton_of(s);
  for (uint32_t i = 0; i < h->n; i++) show_momentum(s, i);
  document_equation(doc(s), own_name(doc(s)->cx, "H", false), h->H);
  show_canonical(s);
}

// p = M q' + b, where that says more than the momenta did.
static void tell_velocities(Story *s) {
  const Hamilton *h = hamilton_of(s);
  Document *d = doc(s);
  if (h->n > 1) {
    document_paragraph(d, SAY_HAMILTON_LINEAR, NULL);
    show_momenta(s);
    document_grid(d, "M", h->M, h->n, h->n, true);
    if (hamilton_moves(d->cx, h)) document_grid(d, "b", h->b, h->n, 1, false);
  }
  if (h->is_implicit) {
    document_paragraph(d, SAY_HAMILTON_IMPLICIT, NULL);
    return;
  }
  document_paragraph(d, h->n > 1 ? SAY_HAMILTON_SOLVED : SAY_HAMILTON_SOLVED_ONE, NULL);
  for (uint32_t i = 0; i < h->n; i++) story_line(s, system_of(s)->qd[i], h->velocity[i]);
}

static void tell_function(Story *s) {
  const System *system = system_of(s);
  Context *cx = doc(s)->cx;
  document_paragraph(doc(s), SAY_HAMILTON_FUNCTION, NULL);
  show_transformation(s);
  document_paragraph(doc(s),
                     hamilton_of(s)->is_implicit ? SAY_HAMILTON_KEPT : SAY_HAMILTON_INSERTED, NULL);
  document_equation(doc(s), own_name(cx, "H", false), hamilton_of(s)->H);
  bool natural = vanishes(cx, expr_sub(cx, system->energy, expr_add(cx, system->T, system->V)));
  document_paragraph(doc(s), natural ? SAY_HAMILTON_ENERGY : SAY_HAMILTON_NO_ENERGY, NULL);
}

static void tell_chapter(Story *s) {
  document_heading(doc(s), 1, SAY_H_HAMILTON, NULL);
  document_paragraph(doc(s), SAY_HAMILTON_MOMENTA, NULL);
  for (uint32_t i = 0; i < hamilton_of(s)->n; i++) show_momentum(s, i);
  tell_velocities(s);
  tell_function(s);
  document_open_paragraph(doc(s));
  document_say(doc(s), SAY_HAMILTON_EQUATIONS, NULL);
  Forces forces = forces_of(s);
  if (forces.given || forces.damped) document_say(doc(s), SAY_HAMILTON_FORCES, NULL);
  if (hamilton_of(s)->is_implicit) document_say(doc(s), SAY_HAMILTON_SLOPES, NULL);
  story_say_reactions(s);
  document_close_paragraph(doc(s));
  show_general(s);
  document_paragraph(doc(s), SAY_HAMILTON_RESULT, NULL);
  show_canonical(s);
  story_conserved(s);
}

const RoadStory hamilton_story = {tell_chapter, show_result, show_canonical};
