// The chapter on energies.
#include <math.h>

#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/walk.h"
#include "report/degree.h"
#include "report/indexed_matrix.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

static uint32_t count_energies(const Model *model, EnergyKind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->energies.n; i++) count += model->energies.at[i].kind == kind;
  return count;
}

static bool is_like(const Energy *a, const Energy *b) {
  return a->kind == b->kind && a->name == b->name;
}

// What all lines of this name add up to; 0 where an earlier line has said it, or one is not shown.
static Expr sum_of_name(const Story *s, uint32_t first) {
  const Model *model = system_of(s)->model;
  Expr sum = expr_int(doc(s)->cx, 0);
  for (uint32_t i = 0; i < model->energies.n; i++) {
    if (!is_like(&model->energies.at[i], &model->energies.at[first])) continue;
    const ShownStep *step = steps_find(&s->steps, SHOWN_ENERGY, i);
    if (i < first || !step) return 0;
    sum = expr_add(doc(s)->cx, sum, step->value);
  }
  return sum;
}

// What the lines of the model add to an energy, name by name, where there are several.
static void energy_parts(Story *s, EnergyKind kind, const char *letter, Sentence sentence) {
  const Model *model = system_of(s)->model;
  Arena *scratch = &doc(s)->cx->scratch;
  if (count_energies(model, kind) < 2) return;
  for (uint32_t i = 0; i < model->energies.n; i++) {
    const Energy *energy = &model->energies.at[i];
    Expr value = energy->name && energy->kind == kind ? sum_of_name(s, i) : 0;
    if (!value || expr_is_zero(doc(s)->cx, value)) continue;
    const char *name = symbol_text(doc(s)->cx, energy->name);
    Insert inserts[] = {insert_name(doc(s), name)};
    document_paragraph(doc(s), sentence, inserts);
    const char *own = own_name(doc(s)->cx, text_format(scratch, "%s_%s", letter, name), false);
    document_equation(doc(s), own, value);
  }
}

// Names that will be explained later only.
static void announce_parts(Story *s) {
  for (uint32_t i = 0; i < s->parts.list.n; i++) {
    if (op_of(doc(s)->cx, s->parts.list.at[i]) == OP_DEFINITION) continue;
    Insert inserts[] = {insert_name(doc(s), s->parts.names[i])};
    document_paragraph(doc(s), SAY_PARTS_AHEAD, inserts);
    return;
  }
}

// ---- Energies that `for` made

// What one line of the model gave an energy, number by number; nothing unless `first` is its first.
static ExprList copies_of(const Story *s, uint32_t first) {
  const Model *model = system_of(s)->model;
  const Energy *energy = &model->energies.at[first];
  ExprList copies = {0};
  for (uint32_t i = 0; i < model->energies.n; i++) {
    const Energy *other = &model->energies.at[i];
    if (other->kind != energy->kind || other->span.begin != energy->span.begin ||
        other->span.source != energy->span.source)
      continue;
    if (i < first) return (ExprList){0};
    vec_push(&doc(s)->cx->scratch, &copies, other->value);
  }
  return copies;
}

// Adds the copies, those that are alike as one sum; true where there were such.
static bool add_copies(const Story *s, ExprList copies, Formula *f) {
  Context *cx = doc(s)->cx;
  const char *letter = index_letter(system_of(s)->model);
  long last = largest_index(cx, copies.at[copies.n - 1]), first = last + 1 - (long)copies.n;
  Expr general = 0;
  uint32_t alike = first < 0 || copies.n < LEAST_COPIES
                       ? 0
                       : equal_copies(cx, copies.at, copies.n, letter, first, &general);
  if (alike < LEAST_COPIES - 1 || copies.n - alike > MOST_ALONE) alike = 0;
  for (uint32_t i = 0; i + alike < copies.n; i++) formula_add_expr(f, copies.at[i]);
  if (!alike) return false;
  if (f->pieces.n) formula_sign(f, doc(s)->medium->face->plus);
  formula_sum_over(f, letter, last + 1 - (long)alike, last, general);
  return true;
}

// T = sum over i of what its lines add for each number; false where no line did so.
static bool show_sum(const Story *s, EnergyKind kind, const char *letter) {
  const Model *model = system_of(s)->model;
  Formula right = formula_open(doc(s)), f = formula_open(doc(s));
  bool is_indexed = false;
  for (uint32_t i = 0; doc(s)->most_entries && i < model->energies.n; i++) {
    ExprList copies = model->energies.at[i].kind == kind ? copies_of(s, i) : (ExprList){0};
    if (copies.n && add_copies(s, copies, &right)) is_indexed = true;
  }
  if (!is_indexed) return false;
  formula_own(&f, letter);
  formula_equals(&f);
  formula_append(&f, &right);
  document_display(doc(s), &f, true);
  return true;
}

// ---- The chapter

enum { MOST_OPERATIONS = 4000, LONGEST_WRITTEN_OUT = 200 };
enum { MOST_EXPANDED = 8 }; // terms beside a sum that says the same

static Visit look_for_definition(const Context *cx, Expr e, void *argument) {
  bool *found = argument;
  if (expr_is_definition(cx, e) && definition_name(cx, e)) *found = true;
  return *found ? VISIT_SKIP : VISIT_ENTER;
}

// What was shorter with the names of definitions, written out; 0 where there are none or it is
// long.
static Expr without_definitions(Context *cx, Expr e) {
  bool has_names = false;
  expr_walk(cx, &e, 1, look_for_definition, &has_names);
  if (!has_names) return 0;
  // from what is multiplied out: brackets would lead back
  Expr open =
      expr_simplify(cx, expr_expand(cx, expr_open(cx, e), MOST_OPERATIONS), SIMPLIFY_NORMAL);
  return expr_cost_with_definitions(cx, open) <= LONGEST_WRITTEN_OUT ? open : 0;
}

// The energy as a sum with an index, in the coordinates, or both where that is short.
static void show_energy(const Story *s, EnergyKind kind, const char *letter, Sentence sentence,
                        Expr value) {
  Document *d = doc(s);
  document_paragraph(d, sentence, NULL);
  Families families;
  bool is_chain = model_families(system_of(s)->model, &families);
  if (show_sum(s, kind, letter) && (is_chain || expr_terms(d->cx, value).n > MOST_EXPANDED)) return;
  document_equation(d, own_name(d->cx, letter, false), value);
  Expr in_coordinates = kind == ENERGY_KINETIC ? without_definitions(d->cx, value) : 0;
  if (in_coordinates) document_equation(d, own_name(d->cx, letter, false), in_coordinates);
}

// As it was given; T and V are its parts.
static void show_lagrangian(const Story *s) {
  const Model *model = system_of(s)->model;
  if (!model_has_energy(model, ENERGY_LAGRANGIAN)) return;
  bool of_hamiltonian = model_has_energy(model, ENERGY_HAMILTONIAN);
  if (of_hamiltonian) {
    document_paragraph(doc(s), SAY_PART_HAMILTONIAN, NULL);
    document_equation(doc(s), own_name(doc(s)->cx, "H", false),
                      model_energy(model, ENERGY_HAMILTONIAN));
  }
  document_paragraph(doc(s), of_hamiltonian ? SAY_PART_LAGRANGIAN_OF_H : SAY_PART_LAGRANGIAN, NULL);
  document_equation(doc(s), own_name(doc(s)->cx, "L", false),
                    model_energy(model, ENERGY_LAGRANGIAN));
}

// Of a function of degree k in the velocities, sum q_i' dR/dq_i' = k R (Euler).
static void tell_power(const Story *s, Expr R) {
  double degree = velocity_degree(doc(s)->cx, system_of(s), R);
  if (isnan(degree)) return;
  Formula power = formula_open(doc(s));
  if (degree != 1) {
    formula_markup(&power, document_number(doc(s), degree), 1);
    formula_sign(&power, doc(s)->medium->face->times);
  }
  formula_own(&power, "R");
  Insert inserts[] = {{.list = &power}};
  document_paragraph(doc(s), SAY_ENERGY_R_POWER, inserts);
}

void story_energies(Story *s) {
  const System *system = system_of(s);
  document_heading(doc(s), 1, SAY_H_ENERGIES, NULL);
  announce_parts(s);
  if (s->detail != DETAIL_RESULT) story_velocities(s);
  show_lagrangian(s);
  bool given = model_has_energy(system->model, ENERGY_LAGRANGIAN);
  energy_parts(s, ENERGY_KINETIC, "T", SAY_PART_KINETIC);
  show_energy(s, ENERGY_KINETIC, "T", given ? SAY_ENERGY_T_OF_L : SAY_ENERGY_T,
              steps_find(&s->steps, SHOWN_T, 0)->value);
  const ShownStep *V = steps_find(&s->steps, SHOWN_V, 0), *R = steps_find(&s->steps, SHOWN_R, 0);
  if (expr_is_zero(system->cx, V->value)) {
    document_paragraph(doc(s), SAY_NO_POTENTIAL, NULL);
  } else {
    bool timed = expr_has_kind(system->cx, V->value, KIND_BIT(SYMBOL_TIME));
    energy_parts(s, ENERGY_POTENTIAL, "V", SAY_PART_POTENTIAL);
    show_energy(s, ENERGY_POTENTIAL, "V",
                given   ? SAY_ENERGY_V_OF_L
                : timed ? SAY_ENERGY_V_TIME
                        : SAY_ENERGY_V,
                V->value);
  }
  if (!R) return;
  energy_parts(s, ENERGY_DISSIPATION, "R", SAY_PART_DISSIPATION);
  show_energy(s, ENERGY_DISSIPATION, "R", SAY_ENERGY_R, R->value);
  tell_power(s, R->value);
}
