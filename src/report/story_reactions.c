// What constraints and contacts add to Lagrange's equations, in general and for one coordinate.
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static uint32_t count_rows(const System *system, bool for_velocities) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < system->row_count; i++)
    count += system->rows[i].is_nonholonomic == for_velocities;
  return count;
}

RowsOf story_rows_of(const System *system) {
  return (count_rows(system, false) ? ROWS_OF_POSITIONS : ROWS_NONE) |
         (count_rows(system, true) ? ROWS_OF_VELOCITIES : ROWS_NONE);
}

// sum over k of lambda_k df_k/dq
static void add_sum(Formula *f, const char *index, const char *function, Expr by) {
  Arena *arena = &f->document->cx->scratch;
  formula_sum_sign(f, index);
  formula_name(f, text_format(arena, "lambda_%s", index));
  formula_sign(f, f->document->medium->face->times);
  formula_partial(f, text_format(arena, "%s_%s", function, index), by, false);
}

void story_add_multipliers(const Story *s, Formula *f, Expr q, Expr qd, const char *sign) {
  RowsOf rows = story_rows_of(s->listing->system);
  if (rows & ROWS_OF_POSITIONS) add_sum(f, "k", "Phi", q);
  if (rows == ROWS_OF_BOTH) formula_sign(f, sign);
  if (rows & ROWS_OF_VELOCITIES) add_sum(f, rows == ROWS_OF_BOTH ? "l" : "k", "Phi", qd);
}

void story_add_contacts(Formula *f, Expr q) { add_sum(f, "j", "phi", q); }

static void say_more(const Story *s, Sentence sentence) {
  doc(s)->medium->text(doc(s), " ", 1);
  document_say(doc(s), sentence, NULL);
}

static bool has_friction(const System *system) {
  for (uint32_t i = 0; i < system->contact_count; i++)
    if (system->slips[i].phi) return true;
  return system->slip_count > system->contact_count;
}

void story_say_reactions(const Story *s) {
  const System *system = s->listing->system;
  if (system->row_count) say_more(s, SAY_RULE_MULTIPLIERS);
  if (story_rows_of(system) == ROWS_OF_BOTH) say_more(s, SAY_RULE_RATES);
  if (system->contact_count) say_more(s, SAY_RULE_CONTACTS);
  if (has_friction(system)) say_more(s, SAY_RULE_CONTACT_FRICTION);
}

void story_tell_contact_forces(const Story *s) {
  const System *system = s->listing->system;
  ExprList forces = {0};
  Arena *arena = &doc(s)->cx->scratch;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    const Contact *c = &system->model->contacts.at[i];
    vec_push(arena, &forces, system->contacts[i].multiplier);
    if (c->friction) vec_push(arena, &forces, c->friction);
    if (c->torque) vec_push(arena, &forces, c->torque);
  }
  if (forces.n == 0) return;
  Insert inserts[] = {insert_list(doc(s), forces.at, forces.n)};
  document_paragraph(doc(s), SAY_CONTACTS_ACT, inserts);
}
