// The chapter on friction in joints: its law, and what presses each of them.
#include "print/press_form.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static uint32_t count(const Story *s) { return s->listing->system->model->presses.n; }

void story_rub_values(const Story *s, ExprList *out) {
  for (uint32_t i = 0; i < count(s); i++) {
    Expr value = press_form(s->listing, i).value;
    if (value) vec_push(&doc(s)->cx->scratch, out, value);
  }
}

static void tell_press(const Story *s, uint32_t i) {
  Document *d = doc(s);
  const Press *p = &s->listing->system->model->presses.at[i];
  PressForm form = press_form(s->listing, i);
  Insert inserts[] = {insert_name(d, symbol_text(d->cx, p->name)), insert_expr(d, form.slip),
                      insert_expr(d, form.force), insert_expr(d, p->symbol)};
  document_paragraph(d, SAY_FRICTION_JOINT, inserts);
  document_paragraph(d, form.value ? SAY_FRICTION_PRESSED_BY : SAY_FRICTION_PRESSED, inserts);
  if (!form.value) return;
  Formula f = formula_open(d);
  formula_expr(&f, p->symbol);
  formula_equals(&f);
  formula_expr(&f, form.value);
  document_display(d, &f, true);
}

void story_rubs(const Story *s) {
  if (count(s) == 0) return;
  document_heading(doc(s), 1, SAY_H_RUBS, NULL);
  for (uint32_t i = 0; i < count(s); i++) tell_press(s, i);
}
