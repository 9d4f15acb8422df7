// Forces that jump where a velocity changes its sign, and what they do where it is zero; friction
// in joints.
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "print/press_form.h"
#include "print/quantity.h"
#include "report/degree.h"
#include "report/story.h"
#include "sim/switches.h"

static Document *doc(const Story *story) { return story->document; }

static bool is_slip_of_joint(const Model *model, Expr e) {
  for (uint32_t i = 0; i < model->presses.n; i++)
    if (model->presses.at[i].slip == e) return true;
  return false;
}

// What opposes an angular velocity is a torque.
static bool is_angular(const Story *s, Expr slip) {
  return quantity_of(doc(s)->cx, s->listing->system->model, slip).is_angle;
}

static bool is_comparison(Op op) { return op == OP_LT || op == OP_LE; }

// -c*sign(v)*v^2 does not.
static bool loads_jump(const Story *s, Expr atom, Expr slip, bool is_comparison) {
  const System *system = s->listing->system;
  int low = is_comparison ? 0 : -1;
  return jumps_at(doc(s)->cx, system, system->Q, system->n, atom, slip, low, 1) ||
         jumps_at(doc(s)->cx, system, system->D, system->n, atom, slip, low, 1);
}

// What acts on the motion and jumps with a velocity, as sign(v) or as v < 0.
static ExprList jumps_of(const Story *s, bool comparisons) {
  Context *cx = doc(s)->cx;
  const System *system = s->listing->system;
  ExprList atoms = system_switches(cx, system).atoms, out = {0};
  for (uint32_t i = 0; i < atoms.n; i++) {
    Op op = op_of(cx, atoms.at[i]);
    if (comparisons ? !is_comparison(op) : op != OP_SIGN) continue;
    Expr slip = comparisons ? switch_guard(cx, atoms.at[i]) : expr_child(cx, atoms.at[i], 0);
    if (expr_has_kind(cx, slip, KIND_BIT(SYMBOL_VELOCITY)) &&
        !is_slip_of_joint(system->model, slip) && loads_jump(s, atoms.at[i], slip, comparisons))
      vec_push(&cx->scratch, &out, atoms.at[i]);
  }
  return out;
}

ExprList story_dry_friction(const Story *s) { return jumps_of(s, false); }

ExprList story_cases(const Story *s) {
  const System *system = s->listing->system;
  return system_may_stick(doc(s)->cx, system) ? jumps_of(s, true) : (ExprList){0};
}

// ---- Forces by cases

typedef struct Decision {
  Expr condition, as;
} Decision;

static Rewrite decide(Context *cx, Expr e, void *argument) {
  (void)cx;
  const Decision *it = argument;
  return e == it->condition ? (Rewrite){REWRITE_TO, it->as} : (Rewrite){.kind = REWRITE_INSIDE};
}

// Q_x = ... for every force that the condition decides, with that decided.
static void add_forces(const Story *s, Formula *f, Expr condition, bool holds) {
  Context *cx = doc(s)->cx;
  const System *system = s->listing->system;
  Decision decision = {condition, expr_int(cx, holds)};
  for (uint32_t i = 0; i < system->n; i++) {
    Expr open = expr_open(cx, system->Q[i]), decided;
    expr_rewrite(cx, &open, 1, decide, &decision, &decided);
    if (decided == open) continue;
    if (f->pieces.n) {
      formula_sign(f, f->document->medium->face->comma);
      formula_sign(f, f->document->medium->face->gap);
    }
    const char *name = symbol_text(cx, system->model->coordinates.at[i].name);
    formula_own(f, text_format(&cx->scratch, "Q_%s", name));
    formula_equals(f);
    formula_expr(f, expr_simplify(cx, decided, s->listing->simplify));
  }
}

// side: of the guard, 0 where it is zero.
static void add_case(const Story *s, Table *table, Expr condition, int side) {
  Document *d = doc(s);
  Context *cx = d->cx;
  Expr a = expr_child(cx, condition, 0), b = expr_child(cx, condition, 1);
  Formula when = formula_open(d), law = formula_open(d);
  formula_expr(&when, side > 0 ? b : a);
  if (side)
    formula_sign(&when, d->medium->face->less);
  else
    formula_equals(&when);
  formula_expr(&when, side > 0 ? a : b);
  if (side) {
    add_forces(s, &law, condition, side < 0);
  } else {
    Expr rate = expr_time_derivative(cx, expr_open(cx, switch_guard(cx, condition)));
    formula_expr(&law, expr_simplify(cx, rate, s->listing->simplify));
    formula_equals(&law);
    formula_expr(&law, expr_int(cx, 0));
  }
  table_text(d, table, language_say(d->language, side ? SAY_CASE_SLIDES : SAY_CASE_STICKS));
  table_formula(d, table, insert_formula(&when).markup);
  table_formula(d, table, insert_formula(&law).markup);
}

static void show_cases(Story *s, Expr condition) {
  Document *d = doc(s);
  Expr slip = switch_guard(d->cx, condition);
  Insert inserts[] = {insert_expr(d, slip)};
  document_paragraph(d, is_angular(s, slip) ? SAY_FRICTION_CASES_TORQUE : SAY_FRICTION_CASES,
                     inserts);
  static const Sentence heads[] = {SAY_WORD_CASE, SAY_WORD_WHILE, SAY_WORD_LAWS};
  Table table = {.alignment = "lll"};
  for (size_t k = 0; k < 3; k++) table_text(d, &table, language_say(d->language, heads[k]));
  for (int side = -1; side <= 1; side += 2) add_case(s, &table, condition, side);
  add_case(s, &table, condition, 0);
  document_table(d, &table);
}

void story_friction(Story *s) {
  Document *d = doc(s);
  ExprList signs = story_dry_friction(s), cases = story_cases(s);
  if (signs.n + cases.n) document_heading(d, 1, SAY_H_DRY, NULL);
  for (uint32_t i = 0; i < signs.n; i++) {
    Expr slip = expr_child(d->cx, signs.at[i], 0);
    Insert inserts[] = {insert_expr(d, slip), insert_expr(d, signs.at[i])};
    document_paragraph(d, is_angular(s, slip) ? SAY_FRICTION_SIGN_TORQUE : SAY_FRICTION_SIGN,
                       inserts);
  }
  for (uint32_t i = 0; i < cases.n; i++) show_cases(s, cases.at[i]);
}

// ---- In joints: its law, and what presses each of them

static uint32_t rubs_of(const Story *s) { return s->listing->system->model->presses.n; }

void story_rub_values(const Story *s, ExprList *out) {
  for (uint32_t i = 0; i < rubs_of(s); i++) {
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
  document_paragraph(d, is_angular(s, p->slip) ? SAY_FRICTION_JOINT_TORQUE : SAY_FRICTION_JOINT,
                     inserts);
  document_paragraph(d, form.value ? SAY_FRICTION_PRESSED_BY : SAY_FRICTION_PRESSED, inserts);
  if (!form.value) return;
  Formula f = formula_open(d);
  formula_expr(&f, p->symbol);
  formula_equals(&f);
  formula_expr(&f, form.value);
  document_display(d, &f, true);
}

void story_rubs(const Story *s) {
  if (rubs_of(s) == 0) return;
  document_heading(doc(s), 1, SAY_H_RUBS, NULL);
  for (uint32_t i = 0; i < rubs_of(s); i++) tell_press(s, i);
}
