// The chapters on constraints and contacts.
#include "expr/build.h"
#include "print/quantity.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

// name_k = value or a relation to 0: Phi_1 = x - L cos(theta) = 0.
static void show_row(const Story *s, const char *name, Expr value, const char *relation) {
  Formula f = formula_open(doc(s));
  formula_own(&f, name);
  formula_equals(&f);
  formula_expr(&f, value);
  if (relation) {
    formula_sign(&f, relation);
    formula_expr(&f, expr_int(doc(s)->cx, 0));
  }
  document_display(doc(s), &f, true);
}

// Phi with the constraint's name, as its multiplier has it.
static const char *row_name(const Story *s, uint32_t i, const char *primes) {
  const char *name = symbol_text(doc(s)->cx, s->listing->system->rows[i].name);
  return text_format(&doc(s)->cx->scratch, "Phi_%s%s", name, primes);
}

static void show_rates(Story *s) {
  const ShownStep *rate = steps_find(&s->steps, SHOWN_PHI_RATE, 0);
  const ShownStep *second = steps_find(&s->steps, SHOWN_PHI_SECOND, 0);
  if (!rate || !second) return;
  const char *equals = doc(s)->medium->face->equals;
  Insert inserts[] = {
      insert_name(doc(s), symbol_text(doc(s)->cx, s->listing->system->rows[0].name))};
  document_paragraph(doc(s), SAY_CONSTRAINT_RATE, inserts);
  show_row(s, row_name(s, 0, "'"), rate->value, equals);
  document_paragraph(doc(s), SAY_CONSTRAINT_SECOND, NULL);
  show_row(s, row_name(s, 0, "''"), second->value, equals);
}

static void tell_multipliers(Story *s) {
  static const Sentence sentences[] = {[ROWS_OF_POSITIONS] = SAY_CONSTRAINT_FORCES,
                                       [ROWS_OF_VELOCITIES] = SAY_CONSTRAINT_FORCES_RATE,
                                       [ROWS_OF_BOTH] = SAY_CONSTRAINT_FORCES_BOTH};
  document_open_paragraph(doc(s));
  document_say(doc(s), sentences[story_rows_of(s->listing->system)], NULL);
  doc(s)->medium->text(doc(s), " ", 1);
  document_say(doc(s), SAY_CONSTRAINT_UNITS, NULL);
  document_close_paragraph(doc(s));
}

void story_constraints(Story *s) {
  const System *system = s->listing->system;
  const Listed *at = s->listing->at;
  Context *cx = doc(s)->cx;
  if (system->row_count == 0) return;
  const char *equals = doc(s)->medium->face->equals;
  document_heading(doc(s), 1, SAY_H_CONSTRAINTS, NULL);
  document_paragraph(doc(s), SAY_CONSTRAINTS, NULL);
  bool is_chain = story_copied_rows(s, ROWS_PHI);
  for (uint32_t i = 0; !is_chain && i < system->row_count; i++) {
    show_row(s, row_name(s, i, ""), at[LISTED_PHI].values[i], equals);
    if (!system->rows[i].is_nonholonomic) continue;
    Insert inserts[] = {insert_name(doc(s), symbol_text(cx, system->rows[i].name))};
    document_paragraph(doc(s),
                       row_is_integrable(cx, system, &system->rows[i])
                           ? SAY_CONSTRAINT_INTEGRABLE
                           : SAY_CONSTRAINT_NONHOLONOMIC,
                       inserts);
  }
  if (s->detail != DETAIL_RESULT) show_rates(s);
  document_paragraph(doc(s), SAY_CONSTRAINT_JACOBIAN, NULL);
  if (!story_copied_rows(s, ROWS_SLOPES))
    document_grid(doc(s), "Phi_q", at[LISTED_PHI_Q].values, system->row_count, system->n, false);
  Formula law = formula_open(doc(s));
  formula_product(&law, own_name(cx, "Phi_q", false), own_name(cx, "q''", false));
  formula_equals(&law);
  formula_own(&law, "gamma");
  Insert inserts[] = {insert_formula(&law)};
  document_paragraph(doc(s), SAY_CONSTRAINT_GAMMA, inserts);
  if (!story_copied_rows(s, ROWS_GAMMA))
    document_grid(doc(s), "gamma", at[LISTED_GAMMA].values, system->row_count, 1, false);
  tell_multipliers(s);
  story_accelerations(s);
}

// ---- Contacts

// The coefficient of restitution: its own name where it has one, else e.
static void show_impact(Story *s, uint32_t i) {
  Document *d = doc(s);
  Expr value = s->listing->at[LISTED_RESTITUTION].values[i];
  bool has_name = op_of(d->cx, value) == OP_SYMBOL;
  const char *name =
      has_name ? symbol_text(d->cx, symbol_name(d->cx, value)) : own_name(d->cx, "e", false);
  Formula before = formula_open(d), after = formula_open(d), along = formula_open(d);
  formula_own(&before, "phi'");
  formula_sign(&after, d->medium->face->negative);
  formula_product(&after, name, own_name(d->cx, "phi'", false));
  formula_sign(&along, d->medium->face->negative);
  formula_own(&along, "phi_q");
  Formula restitution = formula_open(d);
  formula_name(&restitution, name);
  if (!has_name) {
    formula_equals(&restitution);
    formula_expr(&restitution, value);
  }
  Insert inserts[] = {insert_formula(&before), insert_formula(&after), insert_formula(&restitution),
                      insert_formula(&along)};
  bool in_full = i == 0 || s->detail == DETAIL_EVERY;
  document_open_paragraph(d);
  document_say(d, in_full ? SAY_CONTACT_IMPACT : SAY_CONTACT_IMPACT_TOO, inserts);
  if (s->listing->system->slips[i].phi) {
    d->medium->text(d, " ", 1);
    document_say(d, SAY_CONTACT_IMPACT_RUBS, NULL);
  }
  document_close_paragraph(d);
}

// A stop of an angle acts with a torque.
static bool acts_with_torque(const Story *s, uint32_t i) {
  const Model *model = s->listing->system->model;
  return quantity_of_contact(doc(s)->cx, model, &model->contacts.at[i], 0).is_angle;
}

static void show_lasting(Story *s, uint32_t i) {
  Document *d = doc(s);
  const ShownStep *rate = steps_find(&s->steps, SHOWN_CONTACT_RATE, i);
  const ShownStep *second = steps_find(&s->steps, SHOWN_CONTACT_SECOND, i);
  const ShownStep *force = steps_find(&s->steps, SHOWN_CONTACT_FORCE, i);
  bool has_rates = rate && second;
  if (has_rates) {
    document_paragraph(d, SAY_CONTACT_LASTS, NULL);
    show_row(s, "phi'", rate->value, d->medium->face->equals);
    show_row(s, "phi''", second->value, d->medium->face->equals);
  }
  if (!force) return;
  Symbol name = symbol_name(d->cx, s->listing->system->contacts[i].multiplier);
  static const Sentence sentences[2][2] = {{SAY_CONTACT_FORCE_ALONE, SAY_CONTACT_FORCE},
                                           {SAY_CONTACT_MOMENT_ALONE, SAY_CONTACT_MOMENT}};
  document_paragraph(d, sentences[acts_with_torque(s, i)][has_rates], NULL);
  show_row(s, symbol_text(d->cx, name), force->value, NULL);
}

// name = 0 behind what is there.
static void add_zero(Formula *f, const char *name) {
  formula_own(f, name);
  formula_equals(f);
  formula_expr(f, expr_int(f->document->cx, 0));
}

static void add_value(Formula *f, Expr name, Expr value) {
  formula_expr(f, name);
  formula_equals(f);
  formula_expr(f, value);
}

static void add_comma(Formula *f) {
  formula_sign(f, f->document->medium->face->comma);
  formula_sign(f, f->document->medium->face->gap);
}

// One row: what the contact does, while which condition holds, by which laws. A side is the sign of
// the sliding velocity, 0 for rest.
static void add_case(Story *s, Table *table, uint32_t i, Sentence name, int side) {
  Document *d = doc(s);
  Context *cx = d->cx;
  const Contact *c = &s->listing->system->model->contacts.at[i];
  Expr pressing = s->listing->system->contacts[i].multiplier, zero = expr_int(cx, 0);
  Formula when = formula_open(d), law = formula_open(d);
  if (side > 0) {
    formula_expr(&when, zero);
    formula_sign(&when, d->medium->face->less);
    formula_own(&when, "v");
  } else if (side < 0) {
    formula_own(&when, "v");
    formula_sign(&when, d->medium->face->less);
    formula_expr(&when, zero);
  } else {
    add_zero(&when, "v");
  }
  if (side == 0) {
    add_zero(&law, "v'");
    add_comma(&law);
    Expr force = expr_function1(cx, OP_ABS, c->friction);
    Expr most = expr_mul(cx, c->mu_rest, pressing);
    formula_expr(&law, expr_function2(cx, OP_LE, force, most));
  } else {
    Expr force = expr_mul(cx, c->mu, pressing);
    add_value(&law, c->friction, side > 0 ? expr_neg(cx, force) : force);
  }
  table_text(d, table, language_say(d->language, name));
  table_formula(d, table, insert_formula(&when).markup);
  table_formula(d, table, insert_formula(&law).markup);
}

static void add_free_case(Story *s, Table *table, uint32_t i) {
  Document *d = doc(s);
  const Contact *c = &s->listing->system->model->contacts.at[i];
  Expr zero = expr_int(d->cx, 0);
  Formula when = formula_open(d), law = formula_open(d);
  formula_own(&when, "phi");
  formula_sign(&when, d->medium->face->less);
  formula_expr(&when, zero);
  add_value(&law, s->listing->system->contacts[i].multiplier, zero);
  add_comma(&law);
  add_value(&law, c->friction, zero);
  table_text(d, table, language_say(d->language, SAY_CASE_FREE));
  table_formula(d, table, insert_formula(&when).markup);
  table_formula(d, table, insert_formula(&law).markup);
}

static void show_friction(Story *s, uint32_t i) {
  Document *d = doc(s);
  const Contact *c = &s->listing->system->model->contacts.at[i];
  document_paragraph(d, SAY_FRICTION_SLIP, NULL);
  show_row(s, "v", s->listing->at[LISTED_SLIP].values[i], NULL);
  Formula closed = formula_open(d);
  add_zero(&closed, "phi''");
  Insert inserts[] = {insert_expr(d, c->friction), insert_formula(&closed)};
  document_paragraph(d, SAY_FRICTION_LAW, inserts);
  static const Sentence heads[] = {SAY_WORD_CASE, SAY_WORD_WHILE, SAY_WORD_LAWS};
  Table table = {.alignment = "lll"};
  for (size_t k = 0; k < 3; k++) table_text(d, &table, language_say(d->language, heads[k]));
  add_free_case(s, &table, i);
  add_case(s, &table, i, SAY_CASE_SLIDES, 1);
  add_case(s, &table, i, SAY_CASE_SLIDES, -1);
  add_case(s, &table, i, SAY_CASE_STICKS, 0);
  document_table(d, &table);
}

static void show_rolling(Story *s, uint32_t i) {
  Document *d = doc(s);
  const Contact *c = &s->listing->system->model->contacts.at[i];
  Expr most = expr_mul(d->cx, c->rolling, s->listing->system->contacts[i].multiplier);
  Expr spin = s->listing->at[LISTED_SLIP].values[system_spin(s->listing->system, i)];
  Insert inserts[] = {insert_expr(d, spin), insert_expr(d, c->torque), insert_expr(d, most)};
  document_paragraph(d, SAY_ROLLING_LAW, inserts);
}

// Words for the first of several contacts are meant for all of them.
static void show_contact(Story *s, uint32_t i) {
  Document *d = doc(s);
  const System *system = s->listing->system;
  Insert inserts[] = {insert_name(d, symbol_text(d->cx, system->contacts[i].name)),
                      insert_expr(d, system->contacts[i].multiplier)};
  document_paragraph(d, acts_with_torque(s, i) ? SAY_CONTACT_TORQUE : SAY_CONTACT, inserts);
  show_row(s, "phi", s->listing->at[LISTED_CONTACT_PHI].values[i], d->medium->face->less);
  show_impact(s, i);
  document_grid(d, "phi_q", s->listing->at[LISTED_CONTACT_PHI_Q].values + i * system->n, 1,
                system->n, false);
  show_lasting(s, i);
  if (system->slips[i].phi) show_friction(s, i);
  if (system->model->contacts.at[i].spin) show_rolling(s, i);
}

void story_contacts(Story *s) {
  const System *system = s->listing->system;
  story_friction(s);
  story_rubs(s);
  if (system->contact_count == 0) return;
  document_heading(doc(s), 1, SAY_H_CONTACTS, NULL);
  bool rubs = false;
  for (uint32_t i = 0; i < system->contact_count; i++) {
    show_contact(s, i);
    rubs |= system->slips[i].phi != 0;
  }
  if (system->contact_count > 1) document_paragraph(doc(s), SAY_IMPACTS_SEVERAL, NULL);
  if (rubs) document_paragraph(doc(s), SAY_FRICTION_IMPACT, NULL);
  if (system->model->presses.n > 0) document_paragraph(doc(s), SAY_FRICTION_JOINT_IMPACT, NULL);
  document_paragraph(doc(s), SAY_CONTACT_RELEASE, NULL);
}
