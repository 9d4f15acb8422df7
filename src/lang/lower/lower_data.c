// Tables whose points are in data files.
#include "lang/lower/lower_data.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/host/text_file.h"
#include "expr/build.h"
#include "expr/spline.h"
#include "expr/value/eval.h"

// ---- Files

static void list_data(Lowering *l, const DataFile *f, const char *stored) {
  Context *cx = l->cx;
  ModelData data = {.name = arena_copy(&cx->keep, f->name, strlen(f->name)),
                    .path = arena_copy(&cx->keep, f->path, strlen(f->path)),
                    .stored = stored,
                    .rows = f->rows,
                    .columns = f->columns,
                    .hash = hash_bytes(f->text, f->length)};
  vec_push(&cx->keep, &l->model->data, data);
}

// The same file with messages that point at another place.
static const DataFile *asked_at(Lowering *l, const DataFile *f, Span span) {
  DataFile *copy = arena_new(l->arena, DataFile);
  *copy = *f;
  copy->is_asked_at = true, copy->asked = span;
  return copy;
}

const DataFile *lower_data_file(Lowering *l, const Ast *file) {
  const Sources *sources = &l->cx->sources;
  const char *folder = text_file_folder(l->arena, sources->at[file->span.source].name);
  const char *named = text_file_path(l->arena, folder, file->text), *path = named;
  for (uint32_t i = 0; i < l->data.n; i++)
    if (strcmp(l->data.at[i].named, named) == 0) return asked_at(l, l->data.at[i].file, file->span);
  const DataFile *f;
  const char *stored = data_stored_name(&l->cx->keep, l->data.n + 1);
  if (l->data_is_stored)
    path = text_file_path(l->arena, text_file_folder(l->arena, sources->at[l->model->source].name),
                          stored);
  if (data_read_at(l->cx, l->arena, path, file->text, &file->span, &f) != QDOT_OK) return NULL;
  vec_push(l->arena, &l->data, ((NamedData){named, f}));
  list_data(l, f, stored);
  return f;
}

// ---- Columns

static bool find_column(Lowering *l, const DataFile *f, const Ast *ast, uint32_t *out) {
  DataFile asked = *f; // messages point at the column
  asked.is_asked_at = true, asked.asked = ast->span;
  Status status = ast->text
                      ? data_column_named(l->cx, &asked, ast->text, out)
                      : data_column_number(l->cx, f, number_to_double(l->cx, ast->number), out);
  return status == QDOT_OK;
}

// The unit of a heading; false when its text is none.
static bool heading_unit(Lowering *l, const char *text, Span span, Unit *out) {
  Diagnostics mark = diag_mark(l->cx);
  bool good = unit_parse(l->cx, arena_copy(&l->cx->keep, text, strlen(text)), strlen(text), span,
                         out) == QDOT_OK;
  diag_rollback(l->cx, mark);
  return good;
}

static double factor_of(Lowering *l, const Unit *unit) {
  return expr_eval(l->cx, unit->factor, NULL);
}

// The unit behind the column, that of its heading, or none; false where the two disagree.
static bool column_unit(Lowering *l, const DataFile *f, const Ast *ast, DataColumn *out) {
  const char *text = f->headings[out->number].unit;
  Unit heading;
  bool has_heading = text && heading_unit(l, text, ast->span, &heading);
  const Unit *unit = ast->unit ? ast->unit : has_heading ? &heading : NULL;
  if (ast->unit && has_heading &&
      (factor_of(l, ast->unit) != factor_of(l, &heading) ||
       !dimension_is_equal(ast->unit->dimension, heading.dimension))) {
    if (lower_error(l, QDOT_BAD_UNIT, ast->span, "the heading of this column of '%s' says [%s]",
                    f->name, text))
      diag_label(l->cx, "leave the unit out, or write [%s]", text);
    return false;
  }
  if (!ast->unit && text && !has_heading) {
    if (lower_error(l, QDOT_BAD_UNIT, ast->span,
                    "the heading of this column of '%s' says [%s], which is not a unit", f->name,
                    text))
      diag_label(l->cx, "write the unit behind the column");
    return false;
  }
  out->form = unit ? form_known(unit->dimension) : form_bare();
  out->factor = unit ? factor_of(l, unit) : 1;
  out->unit = unit ? arena_copy(&l->cx->keep, unit->text, strlen(unit->text)) : NULL;
  return true;
}

// 1.7 mm are the double nearest to 0.0017, which 1.7*0.001 need not be.
static double in_si(double value, double factor) {
  double inverse = factor < 1 ? nearbyint(1 / factor) : 0;
  return inverse > 1 && inverse < 1e15 && 1 / inverse == factor ? value / inverse : value * factor;
}

bool lower_column(Lowering *l, const DataFile *f, const Ast *ast, bool allows_gaps,
                  DataColumn *out) {
  *out = (DataColumn){.ast = ast};
  if (ast->kind != AST_COLUMN || !find_column(l, f, ast, &out->number)) return false;
  if (!column_unit(l, f, ast, out)) return false;
  const double *raw;
  if (data_values(l->cx, l->arena, f, out->number, allows_gaps, &raw) != QDOT_OK) return false;
  double *values = arena_array(l->arena, double, f->rows);
  for (uint32_t i = 0; i < f->rows; i++) values[i] = in_si(raw[i], out->factor);
  out->values = values;
  return true;
}

// ---- Tables

static bool has_word(const Ast *ast, const char *word) {
  for (uint32_t i = 4; i < ast->n; i++)
    if (strcmp(ast->args[i]->text, word) == 0) return true;
  return false;
}

static bool words_agree(Lowering *l, const Ast *ast) {
  for (uint32_t i = 5; i < ast->n; i++)
    for (uint32_t k = 4; k < i; k++)
      if (strcmp(ast->args[i]->text, ast->args[k]->text) == 0) {
        lower_error(l, QDOT_BAD_VALUE, ast->args[i]->span, "'%s' stands here twice",
                    ast->args[i]->text);
        return false;
      }
  if (!has_word(ast, "linear") || !has_word(ast, "cubic")) return true;
  lower_error(l, QDOT_BAD_VALUE, ast->span, "a table is either linear or cubic");
  return false;
}

// The last row of a periodic table repeats the first, but for rounding in the file.
static bool closes(Lowering *l, const DataFile *f, const DataColumn *y, double *values) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < f->rows; i++) {
    low = fmin(low, y->values[i]), high = fmax(high, y->values[i]);
    values[i] = y->values[i];
  }
  uint32_t last = f->rows - 1;
  if (fabs(values[last] - values[0]) > 1e-6 * (high - low)) {
    data_error(l->cx, f, last, y->number,
               "the last value of a periodic table repeats the first, which is %g",
               values[0] / y->factor);
    return false;
  }
  values[last] = values[0];
  return true;
}

Value lower_file_table(Lowering *l, const Ast *ast) {
  Value x = lower_value(l, ast->args[0]);
  bool good = need_scalar(l, ast->args[0], x) && words_agree(l, ast);
  const DataFile *f = lower_data_file(l, ast->args[1]);
  if (!f) return value_none();
  DataColumn places, values;
  good = lower_column(l, f, ast->args[2], false, &places) && good;
  good = lower_column(l, f, ast->args[3], false, &values) && good;
  if (!good || !equate_values(l, ast->args[0], x.form[0], ast->args[2], places.form,
                              "the places of a table must have the dimension of what is looked up "
                              "in it"))
    return value_none();
  if (data_need_ascending(l->cx, f, places.number) != QDOT_OK) return value_none();
  if (f->rows < 2) {
    lower_error(l, QDOT_BAD_FILE, ast->args[1]->span, "a table has at least two rows");
    return value_none();
  }
  Spline kind = {has_word(ast, "cubic"), has_word(ast, "periodic")};
  Mark mark = arena_mark(&l->cx->scratch);
  double *y = arena_array(&l->cx->scratch, double, f->rows);
  if (kind.is_periodic && !closes(l, f, &values, y)) return value_none();
  TableId id =
      table_through(l->cx, f->rows, places.values, kind.is_periodic ? y : values.values, kind);
  arena_release(&l->cx->scratch, mark);
  table_set_origin(l->cx, id, arena_copy(&l->cx->keep, f->name, strlen(f->name)));
  return value_scalar(expr_table(l->cx, id, TABLE_VALUE, x.at[0]), values.form, NAN);
}
