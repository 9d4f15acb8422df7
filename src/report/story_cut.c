// Every body cut free, and how virtual displacements take the reactions away.
#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "report/story.h"

enum { MOST_BODIES = 5 };

static Document *doc(const Story *story) { return story->document; }
static const System *system_of(const Story *story) { return story->listing->system; }

// In x, y, theta of every body; false where these do not apply.
static bool derive_cut(const Story *s, System **out) {
  Context *cx = doc(s)->cx;
  Model *model;
  Diagnostics before = diag_mark(cx);
  Status status =
      model_formulate_named(cx, system_of(s)->model->origin, FORMULATION_MAXIMAL, &model);
  if (status == QDOT_OK) status = model_system(model, DERIVE_MATRICES, out);
  if (status == QDOT_OK) derive_inertia(cx, *out);
  diag_rollback(cx, before);
  return status == QDOT_OK;
}

// Q - D - G - sum of lambda phi_q: all that acts, reactions among it.
static Expr load_on(Context *cx, const System *cut, uint32_t i) {
  Expr sum = expr_sub(cx, cut->Q[i], expr_add(cx, cut->D[i], cut->G[i]));
  for (uint32_t k = 0; k < cut->row_count; k++)
    sum = expr_sub(cx, sum, expr_mul(cx, cut->rows[k].multiplier, cut->rows[k].phi_q[i]));
  for (uint32_t k = 0; k < cut->contact_count; k++)
    sum = expr_sub(cx, sum, expr_mul(cx, cut->contacts[k].multiplier, cut->contacts[k].phi_q[i]));
  return expr_simplify(cx, sum, SIMPLIFY_NORMAL);
}

static void show_body(const Story *s, System *cut, uint32_t body) {
  Context *cx = doc(s)->cx;
  const Body *of = &system_of(s)->model->origin->mechanism.bodies.at[body];
  Insert inserts[] = {insert_name(doc(s), symbol_text(cx, of->name))};
  document_paragraph(doc(s), SAY_CUT_BODY, inserts);
  for (uint32_t i = 3 * body; i < 3 * body + 3 && i < cut->n; i++) {
    Expr rate = expr_simplify(cx, cut->inertia[i], SIMPLIFY_NORMAL);
    story_line(s, rate, load_on(cx, cut, i));
  }
}

// How the bodies move with each coordinate.
static void show_displacements(const Story *s, const System *cut) {
  Context *cx = doc(s)->cx;
  const System *system = system_of(s);
  for (uint32_t i = 0; i < cut->n; i++)
    for (uint32_t k = 0; k < system->n; k++) {
      Expr slope = expr_diff(cx, system->model->poses[i], system->q[k]);
      slope = expr_simplify(cx, slope, SIMPLIFY_NORMAL);
      if (expr_is_zero(cx, slope)) continue;
      Formula f = formula_open(doc(s));
      formula_partial(&f, symbol_text(cx, symbol_name(cx, cut->q[i])), system->q[k], false);
      formula_equals(&f);
      formula_expr(&f, slope);
      document_display(doc(s), &f, false);
    }
}

void story_cut(Story *s) {
  const Model *model = system_of(s)->model;
  System *cut;
  uint32_t bodies = model->origin ? model->origin->mechanism.bodies.n : 0;
  if (bodies == 0 || bodies > MOST_BODIES || !model->poses || !derive_cut(s, &cut)) return;
  if (cut->n != 3 * bodies) return; // coordinates of the author's own beside the bodies
  document_heading(doc(s), 1, SAY_H_CUT, NULL);
  document_paragraph(doc(s), SAY_CUT_FREE, NULL);
  for (uint32_t i = 0; i < bodies; i++) show_body(s, cut, i);
  document_paragraph(doc(s), SAY_CUT_DISPLACEMENTS, NULL);
  show_displacements(s, cut);
  document_paragraph(doc(s), system_of(s)->row_count ? SAY_CUT_WORK_LOOPS : SAY_CUT_WORK, NULL);
}
