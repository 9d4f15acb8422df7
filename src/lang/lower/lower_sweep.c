// Sweeps: what many runs vary, and what they keep.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/lower/lower_data.h"

static const int64_t MOST_CASES = 1000000000000;
enum { MOST_SOBOL = 21 };

static const Rules axis_rules = {~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1),
                                 "a range of a sweep"};
static const Rules keep_rules = {0, "what decides whose rows are kept"};

// ---- Axes

// A value of the axis, in its dimension.
static bool lower_bound(Lowering *l, const Ast *ast, Form form, const char *what, Value *out) {
  *out = lower_scalar(l, ast, &axis_rules);
  return has_value(*out) && need_dimension(l, ast, out->form[0], form, what);
}

static bool lower_range(Lowering *l, const Item *item, Form form, const char *what,
                        SweepAxis *axis) {
  Value low, high;
  if (!lower_bound(l, item->high, form, what, &high) ||
      !lower_bound(l, item->value, form, what, &low))
    return false;
  axis->low = low.at[0], axis->high = high.at[0];
  if (axis->kind != AXIS_UNIFORM || !(high.number < low.number)) return true;
  lower_error(l, QDOT_BAD_VALUE, item->value_span, "the range ends before it begins");
  return false;
}

static bool lower_steps(Lowering *l, const Item *item, SweepAxis *axis) {
  int64_t steps;
  if (!lower_whole(l, item->steps, "the number of values", &steps)) return false;
  if (steps >= 2 && steps <= MOST_CASES) {
    axis->steps = (uint64_t)steps;
    return true;
  }
  lower_error(l, QDOT_BAD_VALUE, item->steps->span,
              "the number of values of a range, with both its ends, is from 2 to 10^12");
  if (steps == 1) diag_label(l->cx, "a single value is a list: '= (20)'");
  return false;
}

static bool lower_list(Lowering *l, const Item *item, Form form, const char *what,
                       SweepAxis *axis) {
  for (uint32_t i = 0; i < item->list.n; i++) {
    Value v;
    if (!lower_bound(l, item->list.at[i], form, what, &v)) return false;
    vec_push(&l->cx->keep, &axis->values, v.at[0]);
  }
  axis->steps = axis->values.n;
  return true;
}

static AxisKind kind_of(const Item *item) {
  if (item->relation == TOKEN_RANGE) return AXIS_UNIFORM;
  if (item->list.n > 0) return AXIS_LIST;
  return item->high ? AXIS_GRID : AXIS_NORMAL;
}

static bool lower_axis(Lowering *l, const Item *item, SweepRequest *request) {
  SweepAxis axis = {.kind = kind_of(item)};
  if (!lower_varied(l, item, &axis.varied, &axis.measure)) return false;
  for (uint32_t i = 0; i < request->axes.n; i++)
    if (!is_new_varied(l, &axis.varied, &request->axes.at[i].varied)) return false;
  Form form = varied_form(l, &axis.varied, axis.measure);
  const char *what =
      text_format(l->arena, "the sweep of '%s'", symbol_text(l->cx, item_symbol(l, item)));
  bool good = false;
  switch (axis.kind) {
  case AXIS_GRID:
    good = lower_range(l, item, form, what, &axis) && lower_steps(l, item, &axis);
    break;
  case AXIS_UNIFORM: good = lower_range(l, item, form, what, &axis); break;
  case AXIS_LIST: good = lower_list(l, item, form, what, &axis); break;
  case AXIS_NORMAL:
    good = lower_width(l, item, form, what, "a standard deviation", &axis.width);
    break;
  case AXIS_CASES: break;
  }
  if (good) vec_push(&l->cx->keep, &request->axes, axis);
  return good;
}

// ---- Cases from a file

// theta'(0) of a heading: its name, primes and whether it is a start. The item has the place of the
// file in the model.
static Item item_of_heading(Lowering *l, const char *heading, Span span) {
  size_t n = strlen(heading);
  Item item = {.span = span, .base_span = span, .relation = TOKEN_EQUAL};
  if (n > 3 && strcmp(heading + n - 3, "(0)") == 0) item.is_start = true, n -= 3;
  while (n > 0 && heading[n - 1] == '\'') item.primes++, n--;
  item.name = intern_bytes(&l->cx->names, heading, n);
  return item;
}

// The factor that makes SI of a column's numbers; false after a message.
static bool column_factor(Lowering *l, const DataFile *file, uint32_t column, const Varied *varied,
                          Form form, Span span, double *out) {
  const char *text = file->headings[column].unit;
  *out = 1;
  if (!text) return true; // SI
  Unit unit;
  if (unit_parse(l->cx, text, strlen(text), span, &unit) != QDOT_OK) return false;
  *out = expr_eval(l->cx, unit.factor, NULL);
  Ast place = {.kind = AST_NUMBER, .span = span, .unit = &unit};
  const char *what = text_format(l->arena, "the column '%s'", varied_text(l->cx, varied));
  return need_dimension(l, &place, form_known(unit.dimension), form, what);
}

static bool lower_case_column(Lowering *l, const DataFile *file, uint32_t column, Span span,
                              SweepRequest *request) {
  Item item = item_of_heading(l, file->headings[column].name, span);
  SweepAxis axis = {.kind = AXIS_CASES, .steps = file->rows};
  const double *cells;
  double factor;
  if (!lower_varied(l, &item, &axis.varied, &axis.measure)) return false;
  for (uint32_t i = 0; i < request->axes.n; i++)
    if (!is_new_varied(l, &axis.varied, &request->axes.at[i].varied)) return false;
  Form form = varied_form(l, &axis.varied, axis.measure);
  if (!column_factor(l, file, column, &axis.varied, form, span, &factor) ||
      data_values(l->cx, l->arena, file, column, false, &cells) != QDOT_OK)
    return false;
  axis.cells = arena_array(&l->cx->keep, double, file->rows);
  for (uint32_t i = 0; i < file->rows; i++) axis.cells[i] = cells[i] * factor;
  vec_push(&l->cx->keep, &request->axes, axis);
  return true;
}

static bool lower_cases(Lowering *l, const Clause *clause, SweepRequest *request) {
  Ast named = {.kind = AST_FILE, .text = clause->text, .span = clause->span};
  const DataFile *file = lower_data_file(l, &named);
  if (!file) return false;
  if (!file->has_headings) {
    if (lower_error(l, QDOT_BAD_FILE, clause->span,
                    "the file has no line of names above its numbers"))
      diag_label(l->cx, "its columns are parameters: r [mm], w [rpm]");
    return false;
  }
  bool good = true;
  for (uint32_t i = 0; i < file->columns; i++)
    good = lower_case_column(l, file, i, clause->span, request) && good;
  return good;
}

// ---- Options

static bool lower_sweep_option(Lowering *l, const Clause *clause, SweepRequest *request) {
  if (clause_is(l, clause, "sobol")) {
    request->is_sobol = true;
    return true;
  }
  if (clause_is(l, clause, "cases")) return lower_cases(l, clause, request);
  if (clause_is(l, clause, "runs"))
    return lower_run_number(l, clause, 1, MOST_CASES, &request->runs);
  return lower_run_number(l, clause, 0, 0, &request->seed);
}

static bool lower_keep(Lowering *l, const Ast *condition, SweepRequest *request) {
  l->in_measure = true;
  Value v = lower_ruled(l, condition, &keep_rules);
  l->in_measure = false;
  if (!has_value(v)) return false;
  uint32_t motion =
      ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT) | KIND_BIT(SYMBOL_REDUCTION)) &
      ((1u << SYMBOL_KINDS) - 1);
  if (!v.is_truth || expr_has_kind(l->cx, v.at[0], motion)) {
    if (lower_error(l, QDOT_BAD_VALUE, condition->span,
                    "expected a condition of measures and parameters"))
      diag_label(l->cx, "keep rows where peak > 5 [kN]");
    return false;
  }
  request->keeps = v.at[0];
  return true;
}

// ---- The whole line

static bool is_random(const SweepAxis *axis) {
  return axis->kind == AXIS_UNIFORM || axis->kind == AXIS_NORMAL;
}

// Grids and lists multiply; what is random has a number of runs.
static bool check_kinds(Lowering *l, const Statement *s, const SweepRequest *request) {
  double cases = 1;
  uint32_t columns = 0;
  for (uint32_t i = 0; i < request->axes.n; i++) columns += request->axes.at[i].kind == AXIS_CASES;
  if (columns > 0) {
    if (columns == request->axes.n && request->runs == 0) return true;
    if (lower_error(l, QDOT_BAD_VALUE, s->word, "'cases' gives all that varies"))
      diag_label(l->cx, "add what else is to vary as a column of the file");
    return false;
  }
  for (uint32_t i = 0; i < request->axes.n; i++) {
    const SweepAxis *axis = &request->axes.at[i];
    if (is_random(axis) != (request->runs > 0)) {
      if (lower_error(l, QDOT_BAD_VALUE, axis->varied.span,
                      request->runs > 0 ? "with 'runs' every value is drawn"
                                        : "it does not say how many values to draw"))
        diag_label(l->cx, request->runs > 0 ? "write 'in low..high' or '= normal width'"
                                            : "add 'runs 1000', or write '= low..high steps 20'");
      return false;
    }
    cases *= request->runs > 0 ? 1 : (double)axis->steps;
  }
  if (request->is_sobol && request->runs == 0) {
    lower_error(l, QDOT_BAD_VALUE, s->word, "'sobol' says how values are drawn; add 'runs 1000'");
    return false;
  }
  if (request->is_sobol && request->axes.n > MOST_SOBOL) {
    lower_error(l, QDOT_BAD_VALUE, s->word, "'sobol' draws at most %d values, this has %u",
                MOST_SOBOL, request->axes.n);
    return false;
  }
  if (cases <= (double)MOST_CASES) return true;
  lower_error(l, QDOT_BAD_VALUE, s->word, "a sweep has at most 10^12 cases, this has %.3g", cases);
  return false;
}

// The first and the last column of every table.
static bool is_taken(Lowering *l, const char *name, Span span) {
  if (strcmp(name, "case") != 0 && strcmp(name, "status") != 0) return false;
  if (lower_error(l, QDOT_DUPLICATE_NAME, span, "the table of a sweep has a column '%s' already",
                  name))
    diag_label(l->cx, "give this another name");
  return true;
}

static bool check_names(Lowering *l, const Statement *s, const SweepRequest *request) {
  for (uint32_t i = 0; i < request->axes.n; i++) {
    const Varied *varied = &request->axes.at[i].varied;
    if (!varied->is_start && is_taken(l, varied_text(l->cx, varied), varied->span)) return false;
  }
  for (uint32_t i = 0; i < request->measures.n; i++) {
    const Measurement *m = &l->model->requests.measurements.at[request->measures.at[i]];
    if (is_taken(l, symbol_text(l->cx, m->name), s->values.at[i]->span)) return false;
  }
  return true;
}

bool lower_sweep(Lowering *l, const Statement *s) {
  SweepRequest *request = &l->model->requests.sweep;
  if (request->is_given) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is a 'sweep' already"))
      diag_second(l->cx, request->span, "it is here");
    return false;
  }
  *request = (SweepRequest){.is_given = true, .seed = 1, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) good = lower_axis(l, &s->items.at[i], request) && good;
  for (uint32_t i = 0; i < s->clauses.n; i++)
    good = lower_sweep_option(l, &s->clauses.at[i], request) && good;
  for (uint32_t i = 0; i < s->values.n; i++) {
    uint32_t measure;
    bool is_one =
        lower_measure_name(l, s->values.at[i], request->measures.at, request->measures.n, &measure);
    if (is_one) vec_push(&l->cx->keep, &request->measures, measure);
    good = good && is_one;
  }
  if (s->right) good = lower_keep(l, s->right, request) && good;
  if (!good || !check_names(l, s, request)) return false;
  if (request->axes.n > 0) return check_kinds(l, s, request);
  lower_error(l, QDOT_BAD_VALUE, s->word, "a sweep varies at least one value");
  return false;
}
