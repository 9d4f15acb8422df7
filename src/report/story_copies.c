// Lagrange's equations of a chain: the rule applied once, to the coordinate with an index.
#include "derive/balances.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "report/indexed_matrix.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

enum { MOST_COPIES = 24 }; // rows that are worth the time to look for what they have in common

// One rule and what it gives for every coordinate.
typedef struct CopiedStep {
  ShownKind kind;
  Sentence sentence;
  bool names_velocity, is_zero;
  Expr *values;      // by coordinate
  IndexedRows *rows; // by family
} CopiedStep;

enum { STEP_MOMENTUM, STEP_RATE, STEP_T_SLOPE, STEP_COUNT = 9, LEFT_COUNT = 4 };

typedef struct StoryCopies {
  const Story *story;
  Families families;
  CopiedStep steps[STEP_COUNT];
  IndexedRows *left[LEFT_COUNT], *right; // of the equations of motion
} StoryCopies;

static Expr kinetic(const Story *s) { return steps_find(&s->steps, SHOWN_T, 0)->value; }

static Expr simple(const Story *s, Expr e) {
  return expr_simplify(doc(s)->cx, e, s->listing->simplify);
}

// What a rule gives, from what the rules before it gave.
static Expr step_value(const StoryCopies *c, ShownKind kind, uint32_t i) {
  const Story *s = c->story;
  Context *cx = doc(s)->cx;
  const System *system = system_of(s);
  const ShownStep *known;
  switch (kind) {
  case SHOWN_MOMENTUM: return simple(s, expr_diff(cx, kinetic(s), system->qd[i]));
  case SHOWN_MOMENTUM_RATE:
    return simple(s, expr_time_derivative(cx, c->steps[STEP_MOMENTUM].values[i]));
  case SHOWN_T_SLOPE: return simple(s, expr_diff(cx, kinetic(s), system->q[i]));
  case SHOWN_T_TERM:
    return expr_sub(cx, c->steps[STEP_RATE].values[i], c->steps[STEP_T_SLOPE].values[i]);
  case SHOWN_V_SLOPE: return s->listing->at[LISTED_G].values[i];
  case SHOWN_R_SLOPE: return s->listing->at[LISTED_D].values[i];
  default: known = steps_find(&s->steps, kind, i); return known ? known->value : expr_int(cx, 0);
  }
}

// One of the parts on the left: M q'', h, D, G.
static Expr left_of_equation(const Story *s, int part, uint32_t i) {
  Context *cx = doc(s)->cx;
  const System *system = system_of(s);
  Expr sum = expr_int(cx, 0);
  const Listed *at = s->listing->at;
  if (part > 0) return at[LISTED_H + part - 1].values[i];
  for (uint32_t j = 0; j < system->n; j++)
    sum = expr_add(cx, sum, expr_mul(cx, at[LISTED_M].values[i * system->n + j], system->qdd[j]));
  return sum;
}

static bool read_rows(StoryCopies *c, const Expr *values, IndexedRows **out) {
  Context *cx = doc(c->story)->cx;
  *out = arena_array(&cx->scratch, IndexedRows, c->families.list.n);
  for (uint32_t i = 0; i < c->families.list.n; i++)
    if (!family_rows(cx, &c->families, i, values, &(*out)[i])) return false;
  return true;
}

static bool read_step(StoryCopies *c, CopiedStep *step) {
  const System *system = system_of(c->story);
  step->values = arena_array(&system->cx->scratch, Expr, system->n);
  step->is_zero = true;
  for (uint32_t i = 0; i < system->n; i++) {
    step->values[i] = step_value(c, step->kind, i);
    if (!expr_is_zero(system->cx, step->values[i])) step->is_zero = false;
  }
  return read_rows(c, step->values, &step->rows);
}

static bool read_equations(StoryCopies *c) {
  const Story *s = c->story;
  const System *system = system_of(s);
  Expr *values = arena_array(&system->cx->scratch, Expr, system->n);
  for (int part = 0; part < LEFT_COUNT; part++) {
    for (uint32_t i = 0; i < system->n; i++) values[i] = left_of_equation(s, part, i);
    if (!read_rows(c, values, &c->left[part])) return false;
  }
  for (uint32_t i = 0; i < system->n; i++) {
    Expr joints = step_value(c, SHOWN_MULTIPLIERS, i), contacts = step_value(c, SHOWN_CONTACTS, i);
    Expr held = expr_add(system->cx, joints, contacts);
    values[i] = expr_sub(system->cx, step_value(c, SHOWN_FORCE, i), held);
  }
  return read_rows(c, values, &c->right);
}

// ---- Shown

typedef struct StepOf {
  const StoryCopies *copying;
  const CopiedStep *step;
  const Family *family;
} StepOf;

static Expr numbered(const StoryCopies *c, const Family *f, const char *row, SymbolKind kind) {
  Context *cx = doc(c->story)->cx;
  return expr_symbol(cx, kind, symbol_from_text(cx, numbered_name(cx, f->name, row)));
}

static void add_left_side(Formula *f, const void *argument, const char *row) {
  const StepOf *it = argument;
  const char *name = numbered_name(f->document->cx, it->family->name, row);
  Expr q = numbered(it->copying, it->family, row, SYMBOL_COORDINATE),
       qd = numbered(it->copying, it->family, row, SYMBOL_VELOCITY);
  story_add_left_side(it->copying->story, f, it->step->kind, q, qd, name);
}

static void show_step(const StoryCopies *c, const CopiedStep *step, uint32_t i) {
  Document *d = doc(c->story);
  const Family *family = &c->families.list.at[i];
  const char *letter = c->families.letters[0];
  SymbolKind kind = step->names_velocity ? SYMBOL_VELOCITY : SYMBOL_COORDINATE;
  Insert inserts[] = {insert_expr(d, numbered(c, family, letter, kind))};
  StepOf it = {c, step, family};
  document_paragraph(d, step->sentence, inserts);
  document_indexed_rows(d, &step->rows[i], (long)family->n, add_left_side, &it);
}

// left = right for one row, or for all that the letter gives.
static void show_row(const StoryCopies *c, uint32_t i, const long *number, const Copies *range) {
  Document *d = doc(c->story);
  IndexedSums sums = {0};
  Expr parts[LEFT_COUNT], right = indexed_row(d->cx, &c->right[i], number, &sums);
  for (int k = 0; k < LEFT_COUNT; k++) parts[k] = indexed_row(d->cx, &c->left[k][i], number, &sums);
  d->sums = &sums;
  Formula f = formula_open(d);
  for (int k = 0; k < LEFT_COUNT; k++) formula_add_expr(&f, parts[k]);
  if (f.pieces.n == 0) formula_expr(&f, expr_int(d->cx, 0));
  formula_equals(&f);
  formula_expr(&f, right);
  if (range) formula_range(&f, range);
  document_display(d, &f, true);
  d->sums = NULL;
}

static void show_equations(const StoryCopies *c, uint32_t i) {
  const IndexedRows *right = &c->right[i];
  if (right->is_single) {
    show_row(c, i, NULL, NULL);
    return;
  }
  Copies range = {c->families.letters[0], right->from, right->to};
  for (int k = 0; k < LEFT_COUNT; k++) {
    if (c->left[k][i].from > range.from) range.from = c->left[k][i].from;
    if (c->left[k][i].to < range.to) range.to = c->left[k][i].to;
  }
  for (long row = right->first; row <= right->last; row++) {
    bool is_given = row >= range.from && row <= range.to;
    if (!is_given || row == range.from)
      show_row(c, i, is_given ? NULL : &row, is_given ? &range : NULL);
  }
}

// Sums over larger or smaller numbers: the last or the first row has none.
static bool has_empty_sums(const StoryCopies *c, uint32_t family) {
  for (int k = 0; k < LEFT_COUNT; k++) {
    const IndexedRows *rows = &c->left[k][family];
    for (uint32_t i = 0; !rows->is_single && i < rows->forms.n; i++)
      if (rows->forms.at[i].shape != SHAPE_OWN && !rows->forms.at[i].is_near) return true;
  }
  return false;
}

static void apply_rule(const StoryCopies *c, uint32_t i) {
  Document *d = doc(c->story);
  Insert inserts[] = {insert_expr(
      d, numbered(c, &c->families.list.at[i], c->families.letters[0], SYMBOL_COORDINATE))};
  document_heading(d, 2, SAY_H_EQUATION, inserts);
  document_paragraph(d, SAY_STEP_FIRST, inserts);
  if (has_empty_sums(c, i)) document_paragraph(d, SAY_SUMS_EMPTY, NULL);
  for (int k = 0; k < STEP_COUNT; k++)
    if (!c->steps[k].is_zero) show_step(c, &c->steps[k], i);
  document_paragraph(d, SAY_STEP_EQUATION, inserts);
  show_equations(c, i);
}

void story_open_copies(Story *s) {
  const System *system = system_of(s);
  if (!doc(s)->most_entries || s->detail == DETAIL_EVERY || system->n > MOST_COPIES) return;
  StoryCopies *c = arena_new(&doc(s)->cx->scratch, StoryCopies);
  *c = (StoryCopies){
      .story = s,
      .steps = {{.kind = SHOWN_MOMENTUM, .sentence = SAY_STEP_MOMENTUM, .names_velocity = true},
                {.kind = SHOWN_MOMENTUM_RATE, .sentence = SAY_STEP_RATE},
                {.kind = SHOWN_T_SLOPE, .sentence = SAY_STEP_T_SLOPE},
                {.kind = SHOWN_T_TERM, .sentence = SAY_STEP_T_TERM},
                {.kind = SHOWN_V_SLOPE, .sentence = SAY_STEP_V_SLOPE},
                {.kind = SHOWN_R_SLOPE, .sentence = SAY_STEP_R_SLOPE},
                {.kind = SHOWN_FORCE, .sentence = SAY_STEP_FORCE},
                {.kind = SHOWN_MULTIPLIERS, .sentence = SAY_STEP_MULTIPLIERS},
                {.kind = SHOWN_CONTACTS, .sentence = SAY_STEP_CONTACTS}}};
  if (!model_families(system->model, &c->families) || !read_equations(c)) return;
  for (int k = 0; s->detail != DETAIL_RESULT && k < STEP_COUNT; k++)
    if (!read_step(c, &c->steps[k])) return;
  s->copies = c;
}

bool story_copies(Story *s) {
  const StoryCopies *c = s->copies;
  for (uint32_t i = 0; c && i < c->families.list.n; i++) {
    if (s->detail == DETAIL_RESULT)
      show_equations(c, i);
    else
      apply_rule(c, i);
  }
  return c;
}
