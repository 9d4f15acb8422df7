// Constraints of a chain: each line of the model once, with an index.
#include "expr/build.h"
#include "expr/diff.h"
#include "report/indexed_matrix.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

// The rows that one line gave, number by number, in the three ways in which they are shown.
typedef struct RowFamily {
  const char *name; // of the first
  long first;
  uint32_t n, *places;
  IndexedRows phi, slopes, gamma;
} RowFamily;

typedef struct StoryRows {
  Families families; // of the coordinates
  VEC(RowFamily) list;
} StoryRows;

static bool join_rows(const Story *s, StoryRows *all, uint32_t place) {
  const System *system = s->listing->system;
  const char *name = symbol_text(system->cx, system->rows[place].name);
  IndexedName parts, head;
  if (system->rows[place].is_nonholonomic || !name_is_indexed(name, &parts)) return false;
  for (uint32_t i = 0; i < all->list.n; i++) {
    RowFamily *f = &all->list.at[i];
    name_is_indexed(f->name, &head);
    if (!names_are_kin(&head, &parts)) continue;
    if (parts.index != f->first + (long)f->n) return false;
    f->places[f->n++] = place;
    return true;
  }
  Arena *arena = &system->cx->scratch;
  RowFamily family = {.name = name,
                      .first = parts.index,
                      .n = 1,
                      .places = arena_array(arena, uint32_t, system->row_count)};
  family.places[0] = place;
  vec_push(arena, &all->list, family);
  return true;
}

// ---- Columns of the Jacobian, marked by a symbol for each coordinate

static Expr column(Context *cx, uint32_t family, const char *index) {
  const char *name = text_format(&cx->scratch, "@%u[%s]", family, index);
  return expr_symbol(cx, SYMBOL_ACCELERATION, symbol_from_text(cx, name));
}

static Expr marked_row(const Story *s, const Families *families, uint32_t place) {
  const System *system = s->listing->system;
  Context *cx = system->cx;
  const Expr *slopes = s->listing->at[LISTED_PHI_Q].values + (size_t)place * system->n;
  Expr sum = expr_int(cx, 0);
  for (uint32_t f = 0; f < families->list.n; f++) {
    const Family *family = &families->list.at[f];
    for (uint32_t k = 0; k < family->n; k++) {
      const char *index = text_format(&cx->scratch, "%ld", family->first + (long)k);
      Expr mark = column(cx, f, index);
      sum = expr_add(cx, sum, expr_mul(cx, slopes[family->places[k]], mark));
    }
  }
  return sum;
}

static bool read_rows(const Story *s, const StoryRows *all, RowFamily *f) {
  Context *cx = doc(s)->cx;
  const Listed *at = s->listing->at;
  Expr *phi = arena_array(&cx->scratch, Expr, f->n),
       *slopes = arena_array(&cx->scratch, Expr, f->n),
       *gamma = arena_array(&cx->scratch, Expr, f->n);
  for (uint32_t i = 0; i < f->n; i++) {
    phi[i] = at[LISTED_PHI].values[f->places[i]];
    gamma[i] = at[LISTED_GAMMA].values[f->places[i]];
    slopes[i] = marked_row(s, &all->families, f->places[i]);
  }
  IndexedRows rows = {.first = f->first, .last = f->first + (long)f->n - 1};
  for (int k = 0; k < 3; k++) rows.letters[k] = all->families.letters[k];
  f->phi = f->slopes = f->gamma = rows;
  if (f->n < LEAST_ROWS || !indexed_rows(cx, phi, f->n, &f->phi) ||
      !indexed_rows(cx, gamma, f->n, &f->gamma) || !indexed_rows(cx, slopes, f->n, &f->slopes))
    return false;
  for (uint32_t i = 0; i < f->slopes.forms.n; i++) // a band of columns
    if (f->slopes.forms.at[i].shape != SHAPE_OWN && !f->slopes.forms.at[i].is_near) return false;
  return true;
}

void story_open_rows(Story *s) {
  const System *system = s->listing->system;
  if (!doc(s)->most_entries || s->detail == DETAIL_EVERY || system->row_count == 0) return;
  StoryRows *all = arena_new(&doc(s)->cx->scratch, StoryRows);
  *all = (StoryRows){.list = {0}};
  if (!model_families(system->model, &all->families)) return;
  for (uint32_t i = 0; i < all->families.list.n; i++)
    if (all->families.list.at[i].first < 0) return;
  for (uint32_t i = 0; i < system->row_count; i++)
    if (!join_rows(s, all, i)) return;
  for (uint32_t i = 0; i < all->list.n; i++)
    if (!read_rows(s, all, &all->list.at[i])) return;
  s->rows = all;
}

// ---- Shown

// The rows that stand apart with their numbers, and the row with its letter.
static void each_row(const IndexedRows *rows,
                     void (*show)(const Story *s, const RowFamily *f, const long *number,
                                  const Copies *range),
                     const Story *s, const RowFamily *f) {
  Copies range = {rows->letters[0], rows->from, rows->to};
  for (long row = rows->first; row <= rows->last; row++) {
    bool is_given = row >= rows->from && row <= rows->to;
    if (!is_given || row == rows->from)
      show(s, f, is_given ? NULL : &row, is_given ? &range : NULL);
  }
}

static const char *index_text(const RowFamily *f, const long *number, long off, Arena *arena) {
  if (number) return text_format(arena, "%ld", *number + off);
  const char *letter = f->phi.letters[0];
  return off ? text_format(arena, "%s%+ld", letter, off) : letter;
}

static const char *name_of_row(const Story *s, const RowFamily *f, const char *own,
                               const long *number) {
  Arena *arena = &doc(s)->cx->scratch;
  const char *name = numbered_name(doc(s)->cx, f->name, index_text(f, number, 0, arena));
  return text_format(arena, "%s_%s", own, name);
}

static void show_value(const Story *s, const RowFamily *f, const IndexedRows *rows, const char *own,
                       const long *number, const Copies *range, bool is_zero) {
  Document *d = doc(s);
  IndexedSums sums = {0};
  Expr value = indexed_row(d->cx, rows, number, &sums);
  d->sums = &sums;
  Formula formula = formula_open(d);
  formula_own(&formula, name_of_row(s, f, own, number));
  formula_equals(&formula);
  formula_expr(&formula, value);
  if (is_zero) formula_equals(&formula);
  if (is_zero) formula_expr(&formula, expr_int(d->cx, 0));
  if (range) formula_range(&formula, range);
  document_display(d, &formula, true);
  d->sums = NULL;
}

static void show_phi(const Story *s, const RowFamily *f, const long *number, const Copies *range) {
  show_value(s, f, &f->phi, "Phi", number, range, true);
}

static void show_gamma(const Story *s, const RowFamily *f, const long *number,
                       const Copies *range) {
  show_value(s, f, &f->gamma, "gamma", number, range, false);
}

// dPhi_i/dx_i-1 = ..., for every column that the row has.
static void show_slopes(const Story *s, const RowFamily *f, const long *number,
                        const Copies *range) {
  enum { FARTHEST = 2 };
  Document *d = doc(s);
  Context *cx = d->cx;
  IndexedSums sums = {0};
  Expr row = indexed_row(cx, &f->slopes, number, &sums);
  const Families *families = &s->rows->families;
  for (uint32_t k = 0; k < families->list.n; k++)
    for (long off = -FARTHEST; off <= FARTHEST; off++) {
      const char *index = index_text(f, number, off, &cx->scratch);
      Expr slope = expr_diff(cx, row, column(cx, k, index));
      if (expr_is_zero(cx, slope)) continue;
      const char *name = numbered_name(cx, families->list.at[k].name, index);
      d->sums = &sums;
      Formula formula = formula_open(d);
      formula_partial(&formula, name_of_row(s, f, "Phi", number),
                      expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, name)), false);
      formula_equals(&formula);
      formula_expr(&formula, expr_simplify(cx, slope, s->listing->simplify));
      if (range) formula_range(&formula, range);
      document_display(d, &formula, true);
      d->sums = NULL;
    }
}

bool story_copied_rows(Story *s, RowsShown which) {
  for (uint32_t i = 0; s->rows && i < s->rows->list.n; i++) {
    const RowFamily *f = &s->rows->list.at[i];
    if (which == ROWS_PHI) each_row(&f->phi, show_phi, s, f);
    if (which == ROWS_SLOPES) each_row(&f->slopes, show_slopes, s, f);
    if (which == ROWS_GAMMA) each_row(&f->gamma, show_gamma, s, f);
  }
  if (s->rows && which == ROWS_SLOPES) {
    Insert inserts[] = {insert_name(doc(s), own_name(doc(s)->cx, "Phi_q", false))};
    document_paragraph(doc(s), SAY_MATRIX_ZEROS, inserts);
  }
  return s->rows;
}
