// What parameters do, and which values serve.
#include <math.h>
#include <string.h>

#include "expr/plane.h"
#include "lang/lower/lower_data.h"

bool is_first(Lowering *l, const Statement *s, bool is_given, Span before) {
  if (!is_given) return true;
  if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is a '%s' already", s->row->word))
    diag_second(l->cx, before, "it is here");
  return false;
}

bool lower_sensitivity(Lowering *l, const Statement *s) {
  SensitivityRequest *request = &l->model->requests.sensitivity;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (SensitivityRequest){.is_given = true, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->values.n; i++) {
    uint32_t measure;
    bool is_one =
        lower_measure_name(l, s->values.at[i], request->measures.at, request->measures.n, &measure);
    if (is_one) vec_push(&l->cx->keep, &request->measures, measure);
    good = good && is_one;
  }
  for (uint32_t i = 0; i < s->items.n; i++) {
    VariedBy by = {0};
    bool is_one = lower_varied(l, &s->items.at[i], &by.varied, &by.measure);
    for (uint32_t k = 0; is_one && k < request->by.n; k++)
      is_one = is_new_varied(l, &by.varied, &request->by.at[k].varied);
    if (is_one) vec_push(&l->cx->keep, &request->by, by);
    good = good && is_one;
  }
  return good;
}

// ---- What is sought

static const Rules bound_rules = {~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1),
                                  "a bound"};

bool lower_range_end(Lowering *l, const Ast *ast, Form form, const char *what, Expr *out,
                     double *number) {
  Value v = lower_scalar(l, ast, &bound_rules);
  if (!has_value(v) || !need_dimension(l, ast, v.form[0], form, what)) return false;
  *out = v.at[0];
  *number = v.number;
  return true;
}

static bool lower_unknown(Lowering *l, const Item *item, SoughtList *unknowns) {
  Sought u = {.is_each = item->is_each};
  if (!lower_varied(l, item, &u.by.varied, &u.by.measure)) return false;
  for (uint32_t i = 0; i < unknowns->n; i++)
    if (!is_new_varied(l, &u.by.varied, &unknowns->at[i].by.varied)) return false;
  if (item->value) {
    Form form = varied_form(l, &u.by.varied, u.by.measure);
    const char *what = text_format(l->arena, "the range of '%s'", varied_text(l->cx, &u.by.varied));
    double low, high;
    if (!lower_range_end(l, item->high, form, what, &u.high, &high) ||
        !lower_range_end(l, item->value, form, what, &u.low, &low))
      return false;
    if (!(low < high)) {
      lower_error(l, QDOT_BAD_VALUE, item->value_span, "the range ends before it begins");
      return false;
    }
  }
  vec_push(&l->cx->keep, unknowns, u);
  return true;
}

static bool lower_unknowns(Lowering *l, const Statement *s, SoughtList *unknowns) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++)
    good = lower_unknown(l, &s->items.at[i], unknowns) && good;
  return good;
}

// ---- fit

static const Rules signal_rules = {0, "a signal of a fit"};

static bool is_time(Lowering *l, const Ast *ast) {
  return ast->kind == AST_NAME && ast->n == 0 && strcmp(symbol_text(l->cx, ast->name), "t") == 0;
}

// The column t or time, else the first.
static uint32_t time_column(const DataFile *f) {
  static const char *const words[] = {"t", "time", "T", "Time", "TIME"};
  for (size_t w = 0; f->has_headings && w < sizeof words / sizeof *words; w++)
    for (uint32_t i = 0; i < f->columns; i++)
      if (strcmp(f->headings[i].name, words[w]) == 0) return i;
  return 0;
}

static bool take_times(Lowering *l, const DataFile *f, const Ast *ast, FitFile *file) {
  Ast own = {.kind = AST_COLUMN, .span = f->asked};
  if (!ast) own.number = number_int(l->cx, (int64_t)time_column(f) + 1), ast = &own;
  DataColumn column;
  if (!lower_column(l, f, ast, false, &column)) return false;
  Form seconds = form_known(dimension_base(0, 0, 1));
  if (column.form.kind != FORM_BARE && !need_dimension(l, ast, column.form, seconds, "the time"))
    return false;
  if (data_need_ascending(l->cx, f, column.number) != QDOT_OK) return false;
  file->times = arena_array(&l->cx->keep, double, f->rows);
  memcpy(file->times, column.values, f->rows * sizeof *file->times);
  double first = f->rows ? file->times[0] : 0, last = f->rows ? file->times[f->rows - 1] : 0;
  if (first >= 0 && last > 0) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span,
                  "data must lie behind t = 0, where the motion begins"))
    diag_label(l->cx, "these times are from %g s to %g s", first, last);
  return false;
}

static bool take_signal(Lowering *l, const DataFile *f, const Ast *left, const Ast *right,
                        uint32_t file, FitRequest *request) {
  Value v = lower_scalar(l, left, &signal_rules);
  DataColumn column;
  if (!has_value(v) || !lower_column(l, f, right, true, &column)) return false;
  if (column.form.kind != FORM_BARE &&
      !equate_values(l, left, v.form[0], right, column.form,
                     "the column has another dimension than the signal"))
    return false;
  FitSignal signal = {.file = file, .measure = measure_of(l, v.form[0], NULL), .span = left->span};
  signal.measure.unit = column.unit;
  signal.measure.is_given = column.unit != NULL;
  signal.label =
      arena_copy(&l->cx->keep, l->cx->sources.at[left->span.source].text + left->span.begin,
                 left->span.end - left->span.begin);
  signal.values = arena_array(&l->cx->keep, double, f->rows);
  memcpy(signal.values, column.values, f->rows * sizeof *signal.values);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->rows; i++) count += !isnan(signal.values[i]);
  if (count == 0) {
    lower_error(l, QDOT_BAD_VALUE, right->span, "this column has no values");
    return false;
  }
  signal.reduction = lower_hidden_reduction(l, REDUCE_FINAL, v.at[0], left->span);
  vec_push(&l->cx->keep, &request->signals, signal);
  return true;
}

static bool take_file(Lowering *l, const Statement *s, uint32_t *at, FitRequest *request) {
  const DataFile *f = lower_data_file(l, s->values.at[(*at)++]);
  uint32_t first = *at, file = request->files.n;
  for (; *at < s->values.n && s->values.at[*at]->kind != AST_FILE; *at += 2) continue;
  if (!f) return false;
  FitFile one = {.name = arena_copy(&l->cx->keep, f->name, strlen(f->name)), .rows = f->rows};
  const Ast *time = NULL;
  bool good = true;
  for (uint32_t i = first; i + 1 < *at; i += 2)
    if (is_time(l, s->values.at[i])) time = s->values.at[i + 1];
  good = take_times(l, f, time, &one);
  if (good) vec_push(&l->cx->keep, &request->files, one);
  for (uint32_t i = first; good && i + 1 < *at; i += 2)
    if (!is_time(l, s->values.at[i]))
      good = take_signal(l, f, s->values.at[i], s->values.at[i + 1], file, request) && good;
  return good;
}

bool lower_fit(Lowering *l, const Statement *s) {
  FitRequest *request = &l->model->requests.fit;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (FitRequest){.is_given = true, .is_global = s->kind != 0, .span = s->span};
  bool good = lower_unknowns(l, s, &request->unknowns);
  for (uint32_t at = 0; at < s->values.n;) good = take_file(l, s, &at, request) && good;
  if (!good || request->signals.n > 0) return good;
  lower_error(l, QDOT_BAD_VALUE, s->word, "a fit compares at least one signal with a column");
  return false;
}

// ---- find

static bool lower_aim(Lowering *l, const Clause *clause, FindRequest *request) {
  const Item *item = &clause->options.at[0];
  const NameEntry *entry = need_name(l, item_symbol(l, item), item->span, NAME_MEASURE);
  if (!entry) return false;
  FindAim aim = {.measure = entry->number, .span = item->span};
  if (!clause->value) {
    aim.kind = strcmp(symbol_text(l->cx, clause->word), "minimize") == 0 ? AIM_LEAST : AIM_MOST;
    vec_push(&l->cx->keep, &request->aims, aim);
    return true;
  }
  aim.kind = item->relation == TOKEN_EQUAL ? AIM_EQUAL
             : item->relation == TOKEN_LE  ? AIM_AT_MOST
                                           : AIM_AT_LEAST;
  const Measurement *m = &l->model->requests.measurements.at[entry->number];
  const char *what = text_format(l->arena, "the value of '%s'", symbol_text(l->cx, entry->name));
  double number;
  if (!lower_range_end(l, clause->value, measure_form(m->measure), what, &aim.value, &number))
    return false;
  aim.unit = unit_written(clause->value);
  vec_push(&l->cx->keep, &request->aims, aim);
  return true;
}

// A point that moves with a body: coupler (p, h).
static bool lower_body_point(Lowering *l, const Clause *clause, Value *p) {
  Context *cx = l->cx;
  const NameEntry *entry = need_name(l, clause->choice, clause->choice_span, NAME_BODY);
  if (!entry) return false;
  if (p->n != 2) {
    lower_error(l, QDOT_BAD_VALUE, clause->value->span, "a point of a body has two components");
    return false;
  }
  const Expr *pose = l->model->mechanism.bodies.at[entry->number].pose;
  Expr c = expr_function1(cx, OP_COS, pose[2]), s = expr_function1(cx, OP_SIN, pose[2]);
  Expr arm[2];
  plane_turn(cx, c, s, p->at, arm);
  for (int i = 0; i < 2; i++) p->at[i] = expr_add(cx, pose[i], arm[i]);
  Form length = form_known(dimension_base(0, 1, 0));
  return need_dimension(l, clause->value, p->form[0], length, "a place on a body") &&
         need_dimension(l, clause->value, p->form[1], length, "a place on a body");
}

static bool is_seconds(Lowering *l, Form form) {
  Dimension d;
  return form_is_known(&l->inference, form, &d) && dimension_is_equal(d, dimension_base(0, 0, 1));
}

// Takes the time, the first or last component, out of a point of a timed path.
static bool take_time(Lowering *l, const Ast *ast, uint32_t components, Value *q, Expr *out) {
  bool good = q->n == components + 1;
  uint32_t last = good ? q->n - 1 : 0;
  uint32_t at = good && is_seconds(l, q->form[last]) ? last : 0;
  if (!good || !is_seconds(l, q->form[at])) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a point of a timed path has its time"))
      diag_label(l->cx, "such as (0.1 [s], 0.2 [m], 0.3 [m])");
    return false;
  }
  *out = q->at[at];
  for (uint32_t k = at; k < last; k++) q->at[k] = q->at[k + 1], q->form[k] = q->form[k + 1];
  q->n--;
  return true;
}

// The square of the distance of the curve from each point is least at some moment; it is that at
// the point's own moment where the path is timed.
static bool lower_path(Lowering *l, const Clause *clause, FindRequest *request) {
  Context *cx = l->cx;
  Value p = lower_ruled(l, clause->value, &signal_rules);
  if (!has_value(p) || (clause->choice && !lower_body_point(l, clause, &p))) return false;
  if (p.n < 2) {
    if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "a path is that of a point"))
      diag_label(l->cx, "a vector: let P = (x, y)");
    return false;
  }
  for (uint32_t i = 0; i < clause->options.n; i++) {
    const Ast *ast = clause->options.at[i].value;
    Value q = lower_ruled(l, ast, &bound_rules);
    if (!has_value(q)) return false;
    Expr time = 0;
    if (clause->is_given && !take_time(l, ast, p.n, &q, &time)) return false;
    if (q.n != p.n) {
      lower_error(l, QDOT_BAD_VALUE, ast->span, "a point of the path has %u components", p.n);
      return false;
    }
    Expr sum = expr_int(cx, 0);
    for (uint32_t k = 0; k < p.n; k++) {
      if (!equate_values(l, clause->value, p.form[k], ast, q.form[k],
                         "the path and its points have different dimensions"))
        return false;
      sum = expr_add(cx, sum, expr_square(cx, expr_sub(cx, p.at[k], q.at[k])));
    }
    FindPoint point = {.n = p.n, .time = time, .span = ast->span};
    for (uint32_t k = 0; k < p.n; k++) point.at[k] = q.at[k];
    point.reduction = lower_hidden_reduction(l, time ? REDUCE_FIRST : REDUCE_MIN, sum, ast->span);
    if (time)
      l->model->requests.reductions.at[point.reduction].condition =
          expr_function2(cx, OP_LE, time, expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t")));
    vec_push(&cx->keep, &request->points, point);
  }
  return true;
}

bool lower_find(Lowering *l, const Statement *s) {
  FindRequest *request = &l->model->requests.find;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (FindRequest){.is_given = true, .is_global = s->kind != 0, .span = s->span};
  bool good = lower_unknowns(l, s, &request->unknowns);
  uint32_t aims = 0;
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    const Clause *clause = &s->clauses.at[i];
    bool is_path = clause->word && strcmp(symbol_text(l->cx, clause->word), "path") == 0;
    good = (is_path ? lower_path(l, clause, request) : lower_aim(l, clause, request)) && good;
  }
  for (uint32_t i = 0; good && i < request->unknowns.n; i++)
    if (!request->unknowns.at[i].high) {
      if (lower_error(l, QDOT_BAD_VALUE, request->unknowns.at[i].by.varied.span,
                      "a search needs to know where to look"))
        diag_label(l->cx, "write a range: %s in low..high",
                   varied_text(l->cx, &request->unknowns.at[i].by.varied));
      good = false;
    }
  for (uint32_t i = 0; i < request->aims.n; i++)
    aims += request->aims.at[i].kind == AIM_LEAST || request->aims.at[i].kind == AIM_MOST;
  if (good && (aims > 2 || (aims > 0 && request->points.n > 0))) {
    lower_error(l, QDOT_BAD_VALUE, s->word,
                "'find' takes one aim to minimize or maximize, or two to weigh up");
    good = false;
  }
  return good;
}

// ---- orbit

bool lower_orbit(Lowering *l, const Statement *s) {
  OrbitRequest *request = &l->model->requests.orbit;
  if (!is_first(l, s, request->is_given, request->span)) return false;
  *request = (OrbitRequest){.is_given = true, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) {
    Item item = s->items.at[i];
    OrbitStart start = {0};
    Measure measure;
    double number;
    item.is_start = true;
    bool is_one = lower_varied(l, &item, &start.varied, &measure) &&
                  lower_range_end(l, item.value, varied_form(l, &start.varied, measure),
                                  "where an orbit starts", &start.value, &number);
    for (uint32_t k = 0; is_one && k < request->starts.n; k++)
      is_one = is_new_varied(l, &start.varied, &request->starts.at[k].varied);
    if (is_one) vec_push(&l->cx->keep, &request->starts, start);
    good = good && is_one;
  }
  return good;
}
