// The phases of reading: text -> tokens -> statements -> records -> checks.
#include "lang/read.h"

#include <math.h>
#include <string.h>

#include "lang/check.h"
#include "lang/held.h"
#include "lang/lower/lower_space.h"
#include "lang/parse/parse.h"

// ---- Dimensions at the end

static bool is_parameter(const void *model, Symbol name) {
  const NameEntry *entry = model_find(model, name);
  return entry && entry->kind == NAME_PARAMETER;
}

static void settle_sought(Lowering *l, SoughtList *list) {
  for (uint32_t i = 0; i < list->n; i++) measure_settle(&l->inference, &list->at[i].by.measure);
}

// What was inferred is only known when all lines are read.
static void settle_measures(Lowering *l) {
  Model *m = l->model;
#define SETTLE(list)                                                                               \
  for (uint32_t i = 0; i < (list).n; i++) measure_settle(&l->inference, &(list).at[i].measure)
  for (uint32_t i = 0; i < m->parameters.n; i++)
    measure_settle_number(&l->inference, &m->parameters.at[i].measure);
  SETTLE(m->coordinates);
  SETTLE(m->states);
  SETTLE(m->definitions);
  SETTLE(m->inputs);
  SETTLE(m->outputs);
  SETTLE(m->members);
  SETTLE(m->requests.measurements);
  for (uint32_t i = 0; i < m->requests.sensitivity.by.n; i++)
    measure_settle(&l->inference, &m->requests.sensitivity.by.at[i].measure);
  settle_sought(l, &m->requests.fit.unknowns);
  settle_sought(l, &m->requests.find.unknowns);
  for (uint32_t k = 0; k < m->requests.plots.n; k++) SETTLE(m->requests.plots.at[k].curves);
  // Teeth in n_1*phi_1 = n_2*phi_2 have no unit: the multiplier is a torque.
  if (m->constraints.n + m->contacts.n) inference_suppose_pure(&l->inference, is_parameter, m);
  SETTLE(m->constraints);
  SETTLE(m->contacts);
#undef SETTLE
}

// ---- Reading a model

typedef struct Reading {
  Context *cx;
  Arena arena; // tokens, statements, forms: as long as the reading
  const char *name, *text;
  size_t length;
  uint32_t errors; // before it
  const ReadOptions *options;
  const Model *again; // reads this model once more, with its units; NULL: the first time
  Model **out;
} Reading;

static void close_arena(void *arena) { arena_close(arena); }

static Status first_error(const Context *cx, uint32_t from) {
  for (uint32_t i = from; i < cx->diagnostics.list.n; i++)
    if (cx->diagnostics.list.at[i].severity == SEVERITY_ERROR)
      return cx->diagnostics.list.at[i].status;
  return QDOT_BAD_MODEL;
}

// In the order of the text, whichever phase found them; those of overrides come first.
static void sort_diagnostics(Context *cx, uint32_t from) {
  Diagnostic *list = cx->diagnostics.list.at;
  for (uint32_t i = from + 1; i < cx->diagnostics.list.n; i++) {
    Diagnostic moving = list[i];
    uint32_t k = i;
    for (; k > from && list[k - 1].has_span && moving.has_span &&
           list[k - 1].span.source == moving.span.source &&
           list[k - 1].span.begin > moving.span.begin;
         k--)
      list[k] = list[k - 1];
    list[k] = moving;
  }
}

static Model *read_quantities(const Model *model);

static const char *kept(Arena *keep, const char *text) {
  return text ? arena_copy(keep, text, strlen(text)) : NULL;
}

static const ReadOptions *kept_options(Arena *keep, const ReadOptions *options) {
  if (!options) return NULL;
  const char **overrides = arena_array(keep, const char *, options->override_count);
  for (size_t i = 0; i < options->override_count; i++)
    overrides[i] = kept(keep, options->overrides[i]);
  ReadOptions *copy = arena_new(keep, ReadOptions);
  *copy = *options;
  copy->overrides = overrides;
  copy->overrides_name = kept(keep, options->overrides_name);
  return copy;
}

static void read_statements(Reading *r, Model *model, Overrides *overrides) {
  Context *cx = r->cx;
  PartFiles parts = {.are_stored = model->data_is_stored, .root = model->source};
  ModelText text = parse_model(cx, model->source, &parts, &r->arena);
  Lowering l = {.cx = cx,
                .arena = &r->arena,
                .model = model,
                .text = &text,
                .inference = inference_new(cx, &r->arena),
                .overrides = overrides,
                .data_is_stored = model->data_is_stored,
                .kinematics = r->options && r->options->kinematics,
                .keeps_units = r->again != NULL,
                .errors = r->errors};
  for (uint32_t i = 0; i < text.statements.n && !l.stopped; i++)
    lower_statement(&l, text.statements.at[i]);
  lower_use_finish(&l);
  lower_weigh_elements(&l);
  if (r->options && r->options->all_columns) lower_all_members(&l);
  if (l.kinematics) lower_drive_members(&l);
  lower_space_finish(&l);
  settle_measures(&l);
  lower_assigned_members(&l);
  held_add_switches(cx, model);
  lower_reading_order(&l);
  if (!l.stopped) check_overrides(model, overrides);
  if (l.has_quantities && !r->again) {
    model->read_quantities = read_quantities;
    model->options = kept_options(&cx->keep, r->options);
  }
}

// A model without title is called after its file: n_link.qdot is "N link".
static const char *title_from_name(Context *cx, const char *name) {
  const char *slash = strrchr(name, '/');
  const char *base = slash ? slash + 1 : name;
  const char *dot = strrchr(base, '.');
  size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  char *title = arena_copy(&cx->keep, base, n);
  for (char *c = title; *c; c++)
    if (*c == '_') *c = ' ';
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = (char)(title[0] - 'a' + 'A');
  return title;
}

static Status read_model(Reading *r) {
  Context *cx = r->cx;
  uint32_t errors = r->errors = cx->diagnostics.errors, from = cx->diagnostics.list.n;
  Model *model = model_new(cx);
  model->source = r->again ? r->again->source
                           : source_add(&cx->keep, &cx->sources, r->name, r->text, r->length);
  model->title = title_from_name(cx, r->name);
  Overrides overrides = {0};
  model->data_is_stored = r->options && r->options->data_is_stored;
  if (r->options)
    overrides_read(cx, &r->arena, r->options->overrides_name, r->options->overrides,
                   r->options->override_count, &overrides);
  read_statements(r, model, &overrides);
  if (cx->diagnostics.errors == errors) check_model(model);
  sort_diagnostics(cx, from);
  bool good = cx->diagnostics.errors == errors;
  if (good || (r->options && r->options->keeps_mistakes)) *r->out = model;
  return good ? QDOT_OK : first_error(cx, from);
}

static Status read_in_arena(Reading *reading) {
  Context *cx = reading->cx;
  WorkStage outer = context_enter_stage(cx, STAGE_READ);
  *reading->out = NULL;
  expr_store(cx);
  arena_open(&reading->arena, &cx->memory, &cx->guard);
  Handle handle;
  guard_register(&cx->guard, &handle, &reading->arena, close_arena);
  Status status = read_model(reading);
  guard_close(&cx->guard, &handle);
  context_leave_stage(cx, outer);
  return status;
}

Status model_read(Context *cx, const char *name, const char *text, size_t length,
                  const ReadOptions *options, Model **out) {
  Reading reading = {
      .cx = cx, .name = name, .text = text, .length = length, .options = options, .out = out};
  return read_in_arena(&reading);
}

static Model *read_quantities(const Model *model) {
  Context *cx = model->cx;
  const Source *source = &cx->sources.at[model->source];
  Model *out;
  Reading reading = {.cx = cx,
                     .name = source->name,
                     .text = source->text,
                     .length = source->length,
                     .options = model->options,
                     .again = model,
                     .out = &out};
  return read_in_arena(&reading) == QDOT_OK ? out : NULL;
}

// ---- Reading an expression

// A lowering that continues where the reading of the model ended.
static Lowering lowering_for(Context *cx, Arena *arena, Model *m) {
  Lowering l = {.cx = cx,
                .arena = arena,
                .model = m,
                .data_is_stored = m->data_is_stored,
                .inference = inference_new(cx, arena),
                .errors = cx->diagnostics.errors};
  for (uint32_t i = 0; i < m->parameters.n; i++) vec_push(arena, &l.parameter_numbers, NAN);
  for (uint32_t i = 0; i < m->definitions.n; i++) vec_push(arena, &l.definition_numbers, NAN);
  return l;
}

// What a dot behind does not ask for a member of.
static Prefixes part_prefixes(const Model *model, Arena *arena) {
  Prefixes list = {0};
  for (uint32_t i = 0; model && i < model->names.n; i++)
    if (model->names.at[i].kind == NAME_PART) vec_push(arena, &list, model->names.at[i].name);
  return list;
}

// A text beside the model, and what its reading needs.
typedef struct Aside {
  Context *cx;
  Model *model;
  Arena arena;
  Handle handle;
  Prefixes prefixes;
  uint32_t source, from, errors; // diagnostics before it
} Aside;

static void aside_open(Aside *a, Context *cx, Model *model, const char *name, const char *text,
                       size_t length) {
  expr_store(cx);
  *a = (Aside){.cx = cx, .model = model};
  arena_open(&a->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &a->handle, &a->arena, close_arena);
  a->from = cx->diagnostics.list.n, a->errors = cx->diagnostics.errors;
  a->source = source_add(&cx->keep, &cx->sources, name, text, length);
  a->prefixes = part_prefixes(model, &a->arena);
}

static Lowering aside_lowering(Aside *a) {
  Lowering l = lowering_for(a->cx, &a->arena, a->model ? a->model : model_new(a->cx));
  l.makes_names = !a->model;
  l.in_if = 1; // whether numbers are allowed here is for whoever evaluates it
  return l;
}

static Status aside_close(Aside *a, bool good) {
  guard_close(&a->cx->guard, &a->handle);
  good = good && a->cx->diagnostics.errors == a->errors;
  return good ? QDOT_OK : first_error(a->cx, a->from);
}

Status expression_read(Context *cx, Model *model, const char *name, const char *text, size_t length,
                       Expr *out) {
  Aside aside;
  aside_open(&aside, cx, model, name, text, length);
  const Ast *ast = parse_single_expression(cx, aside.source, &aside.prefixes, &aside.arena);
  Value v = {0};
  if (ast) {
    Lowering l = aside_lowering(&aside);
    v = lower_scalar(&l, ast, NULL);
  }
  Status status = aside_close(&aside, v.n == 1);
  *out = status == QDOT_OK ? v.at[0] : 0;
  return status;
}

// ---- Reading a range

// Turns and radians a second have the dimension of a hertz, and are none.
static bool is_in_hertz(Lowering *l, const Ast *end) {
  const Unit *unit = unit_of_number(end);
  bool is_rate = unit && dimension_is_equal(unit->dimension, dimension_base(0, 0, -1));
  if (!is_rate || strstr(unit->text, "Hz")) return true;
  lower_error(l, QDOT_BAD_UNIT, end->span, "a frequency range is in Hz");
  diag_label(l->cx, "this is in %s; 1 Hz is 2*pi rad/s", unit->text);
  return false;
}

static Status read_range(Context *cx, Model *model, const char *name, const char *text,
                         size_t length, const Measure *measure, const char *what, Expr *low,
                         Expr *high) {
  Aside aside;
  Item item;
  *low = *high = 0;
  aside_open(&aside, cx, model, name, text, length);
  bool good = parse_single_range(cx, aside.source, &aside.prefixes, &aside.arena, &item);
  if (good) {
    Lowering l = aside_lowering(&aside);
    Form form = measure ? measure_form(*measure) : form_known(dimension_base(0, 0, -1));
    double number;
    good = (measure || (is_in_hertz(&l, item.value) && is_in_hertz(&l, item.high))) &&
           lower_range_end(&l, item.value, form, what, low, &number) &&
           lower_range_end(&l, item.high, form, what, high, &number);
  }
  return aside_close(&aside, good);
}

Status range_read(Context *cx, Model *model, const char *name, const char *text, size_t length,
                  const Measure *measure, const char *what, Expr *low, Expr *high) {
  return read_range(cx, model, name, text, length, measure, what, low, high);
}

Status frequency_range_read(Context *cx, Model *model, const char *name, const char *text,
                            size_t length, Expr *low, Expr *high) {
  return read_range(cx, model, name, text, length, NULL, "a frequency range", low, high);
}
