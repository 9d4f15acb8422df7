// Collects what every export needs from a system.
#include "export/content.h"

#include <math.h>
#include <string.h>

#include "engine/start/initial.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/value/eval.h"
#include "model/unit.h"
#include "sim/run_source.h"
#include "sim/sim.h"

ExportOptions export_defaults(void) { return (ExportOptions){0}; }

// ---- numbers

// Values of all symbols that have one: parameters, then inputs and initial values made of them.
static double *symbol_values(ExportContent *c) {
  Context *cx = c->cx;
  const Model *model = c->system->model;
  double *values = arena_array(c->arena, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    values[symbol_variable(cx, p->symbol)] = expr_eval(cx, p->value, values);
  }
  return values;
}

// The exported functions know open contacts only.
static void warn_of_closed(ExportContent *c, Machine *machine) {
  const System *s = c->system;
  uint32_t count = s->contact_count;
  if (count == 0) return;
  double *values = symbol_values(c), *size = arena_array(c->arena, double, count);
  for (uint32_t i = 0; i < s->n; i++) values[symbol_variable(c->cx, s->q[i])] = c->q[i];
  machine_gap_sizes(machine, 0, c->q, size);
  for (uint32_t i = 0; i < count; i++) {
    if (!(expr_eval(c->cx, s->contacts[i].phi, values) >= -1e-9 * size[i])) continue;
    const char *name = symbol_text(c->cx, s->contacts[i].name);
    diag_warning_plain(c->cx, "contact '%s' is closed at the start", name);
    diag_note(c->cx, "exported functions know open contacts only: unless it opens at once, the "
                     "program ends where it starts; 'simulate' and 'export c' treat contacts");
  }
}

// How large the coordinates are, and where the motion starts: given, or found from the model's
// values and guesses. options: NULL where the engine finds it.
static Status settle_sizes(ExportContent *c, System *system, const ExportOptions *options) {
  uint32_t n = system->n;
  double *q = arena_array(c->arena, double, n + 1);
  double *qd = arena_array(c->arena, double, n + system->states + 1); // states stand behind it
  bool starts = options != NULL, is_given = starts && options->q && options->qd;
  c->q = starts && options->q ? options->q : q;
  c->qd = starts && options->qd ? options->qd : qd;
  double *unit = arena_array(c->arena, double, n + 1), *size = arena_array(c->arena, double, n + 1);
  int *kind = arena_array(c->arena, int, n + 1);
  c->unit = unit, c->size = size, c->kind = kind;
  Machine machine;
  SimSummary summary = {0};
  Status status = machine_open(&machine, system, BACKEND_INTERP);
  for (uint32_t i = 0; status == QDOT_OK && i < n; i++) {
    kind[i] = machine.kind[i], unit[i] = machine.kind_scale[kind[i]];
    size[i] = machine_coordinate_size(&machine, (int)i);
  }
  if (status == QDOT_OK && starts && !is_given)
    status = initial_switched_state(&machine, q, qd, &summary);
  double *states = arena_array(c->arena, double, system->states + 1);
  if (status == QDOT_OK && starts) machine_start_states(&machine, states);
  c->states = states;
  if (status == QDOT_OK && starts) warn_of_closed(c, &machine);
  machine_close(&machine);
  return status;
}

static double requested(ExportContent *c, double given, Expr asked, double silent,
                        const double *values) {
  if (given > 0) return given;
  return asked ? expr_eval(c->cx, asked, values) : silent;
}

static void settle_numbers(ExportContent *c, const ExportOptions *options) {
  const Model *model = c->system->model;
  double *values = symbol_values(c);
  double *u = arena_array(c->arena, double, model->inputs.n + 1);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    u[i] = expr_eval(c->cx, model->inputs.at[i].value, values);
  c->u = u;
  const SimulateRequest *simulate = &model->requests.simulate;
  c->end = requested(c, options->end, simulate->end, 10, values);
  c->every = requested(c, options->every, simulate->every, 0.01, values);
  c->rtol = options->rtol > 0 ? options->rtol : 1e-9;
  double least = 1; // as a power of ten, to be read
  for (uint32_t i = 0; i < c->system->n; i++) least = i == 0 ? c->unit[i] : fmin(least, c->unit[i]);
  c->nothing = pow(10, floor(log10(least)) - 9);
  c->atol = options->atol > 0 ? options->atol : c->nothing;
}

// ---- quantities

const Program *content_program(const ExportContent *c, const Expr *exprs, size_t n) {
  ProgramBuilder builder;
  Flattener flattener;
  program_open(&builder, c->cx, c->equations->layout.count);
  flatten_open(&flattener, &builder);
  equations_bind(c->system, c->equations, &builder, &flattener);
  for (uint32_t i = 0; i < c->system->states; i++)
    flatten_bind(&flattener, c->system->sd[i], flatten_expr(&flattener, c->system->rates[i]));
  Slot *slots = arena_array(&builder.arena, Slot, n + 1);
  flatten_many(&flattener, exprs, n, slots);
  for (size_t i = 0; i < n; i++) program_output(&builder, slots[i]);
  const Program *program = program_finish(&builder, c->arena);
  flatten_close(&flattener);
  program_close(&builder);
  return program;
}

static void collect_quantities(ExportContent *c) {
  for (QuantityKey key = 0; key < QUANTITY_COUNT; key++) {
    const QuantityType *type = quantity_type(key);
    QuantityShape shape = quantity_shape(c->system, key);
    size_t size = quantity_size(shape);
    if (!type->code || size == 0) continue;
    Mark mark = arena_mark(&c->cx->scratch);
    Expr *values = arena_array(&c->cx->scratch, Expr, size);
    quantity_values(c->system, key, values);
    ExportQuantity quantity = {type->code,    type->meaning, shape.rows,
                               shape.columns, type->takes,   content_program(c, values, size)};
    vec_push(c->arena, &c->quantities, quantity);
    arena_release(&c->cx->scratch, mark);
  }
}

bool content_samples(const ExportContent *c) { return c->system->model->samplings.n > 0; }

static void collect_samples(ExportContent *c) {
  const Model *model = c->system->model;
  uint32_t n = model->assignments.n, lines = model->samplings.n;
  if (lines == 0) return;
  Expr *values = arena_array(c->arena, Expr, n + 1);
  Expr *times = arena_array(c->arena, Expr, 2 * lines);
  c->sample_target = arena_array(c->arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = model->assignments.at[i].value;
    for (uint32_t k = 0; k < model->inputs.n; k++)
      if (model->inputs.at[k].symbol == model->assignments.at[i].target) c->sample_target[i] = k;
  }
  for (uint32_t i = 0; i < lines; i++) {
    Expr delay = model->samplings.at[i].delay;
    times[2 * i] = model->samplings.at[i].period;
    times[2 * i + 1] = delay ? delay : expr_int(c->cx, 0);
  }
  ExportQuantity next = {"samples",          "what samples assign, line by line", n, 0,
                         TAKES_QD | TAKES_U, content_program(c, values, n)};
  ExportQuantity every = {"sample_times",
                          "period and delay of every line that samples",
                          2 * lines,
                          0,
                          0,
                          content_program(c, times, 2 * lines)};
  vec_push(c->arena, &c->quantities, next);
  vec_push(c->arena, &c->quantities, every);
}

// ---- names

static const char **identifiers_of(ExportContent *c, Dialect dialect, uint32_t n,
                                   Symbol (*name)(const Model *model, uint32_t i)) {
  const char **names = arena_array(c->arena, const char *, n + 1);
  Identifiers scope;
  identifiers_open(&scope, c->arena, dialect, NULL);
  for (uint32_t i = 0; i < n; i++)
    names[i] = identifier_new(&scope, symbol_text(c->cx, name(c->system->model, i)));
  return names;
}

static Symbol parameter_name(const Model *model, uint32_t i) {
  return model->parameters.at[i].name;
}
static Symbol input_name(const Model *model, uint32_t i) { return model->inputs.at[i].name; }

// Parameters from the parameters before them, one output each.
static const Program *program_of_defaults(ExportContent *c) {
  const Model *model = c->system->model;
  ProgramBuilder builder;
  Flattener flattener;
  program_open(&builder, c->cx, model->parameters.n);
  flatten_open(&flattener, &builder);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    flatten_bind(&flattener, model->parameters.at[i].symbol, program_input(&builder, i));
  for (uint32_t i = 0; i < model->parameters.n; i++)
    program_output(&builder, flatten_expr(&flattener, model->parameters.at[i].value));
  const Program *program = program_finish(&builder, c->arena);
  flatten_close(&flattener);
  program_close(&builder);
  return program;
}

// ---- Words of the user in somebody else's syntax

const char *comment_from_text(Arena *arena, const char *text) {
  Text out = text_new(arena);
  for (; *text; text++) {
    bool ends = (text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*');
    bool control = (unsigned char)*text < ' ' || *text == 0x7F;
    text_add_char(&out, control ? ' ' : *text == '"' ? '\'' : *text == '\\' ? '/' : *text);
    if (ends) text_add_char(&out, ' ');
  }
  return out.at;
}

static const char *with_doubled_quotes(Arena *arena, const char *text) {
  Text out = text_new(arena);
  for (; *text; text++) {
    if (*text == '\'') text_add_char(&out, '\'');
    text_add_char(&out, *text);
  }
  return out.at;
}

// What only the engine carries out; NULL: nothing.
static const char *missing_of(const Model *model) {
  if (model->occasions.n > 0 && model->contacts.n > 0) return "events of a model with contacts";
  if (model->samplings.n > 0 && model->contacts.n > 0) return "samples of a model with contacts";
  return model->presses.n > 0 ? "friction in joints" : NULL;
}

static Status refuse(Context *cx, const char *missing) {
  Status status =
      diag_error_plain(cx, QDOT_UNSUPPORTED, "exports in this language do without %s", missing);
  diag_note(cx, "'qdot export c' writes a program that runs everything that 'simulate' does");
  return status;
}

Status content_open(ExportContent *c, Context *cx, System *system, const ExportOptions *options,
                    Dialect dialect, Arena *arena) {
  bool has_engine = dialect == DIALECT_C;
  const char *missing = has_engine ? NULL : missing_of(system->model);
  if (missing) return refuse(cx, missing);
  *c = (ExportContent){.cx = cx, .arena = arena, .system = system};
  // before the matrices: the order of terms, and so rounding, is that of a run
  Status status = has_engine ? content_make_plan(c, options->run) : QDOT_OK;
  if (status != QDOT_OK) return status;
  derive_matrices(cx, system);
  const Model *model = system->model;
  const char *title = model->title && *model->title ? model->title : "Model";
  c->title = comment_from_text(arena, title);
  c->quoted = with_doubled_quotes(arena, c->title);
  c->name = options->name ? identifier_from_path(arena, options->name) : NULL;
  if (!c->name) c->name = identifier_from_title(arena, title);
  c->source = options->source ? comment_from_text(arena, options->source) : NULL;
  status = settle_sizes(c, system, has_engine ? NULL : options);
  if (status != QDOT_OK) return status;
  settle_numbers(c, options);
  c->equations = equations_open(cx, system, NULL, 0, BACKEND_INTERP, arena);
  if (c->equations->has_forward) {
    c->forward = c->equations->parts[PART_FORWARD].program;
    c->loss = c->equations->n + c->equations->m + system->states + POWER_KINDS;
    uint32_t loss = c->forward->outputs[c->loss];
    c->can_lose = loss >= c->forward->constant_count;
  }
  c->parameters = identifiers_of(c, dialect, model->parameters.n, parameter_name);
  c->inputs = identifiers_of(c, dialect, model->inputs.n, input_name);
  c->defaults = program_of_defaults(c);
  collect_quantities(c);
  if (has_engine) return QDOT_OK;
  collect_samples(c);
  return content_collect_events(c);
}

void content_close(ExportContent *c) { equations_close(c->equations); }

// Values are written in SI units, whatever unit the model used.
static bool is_si(const ExportContent *c, const char *text) {
  Unit unit;
  return text && unit_parse(c->cx, text, strlen(text), (Span){0}, &unit) == QDOT_OK &&
         expr_is_one(c->cx, unit.factor);
}

const char *measure_text(const ExportContent *c, const Measure *measure) {
  if (is_si(c, measure->unit)) return measure->unit;
  if (measure->unit && dimension_is_pure(measure->dimension)) return "rad"; // degrees, turns
  if (!measure->is_known || dimension_is_pure(measure->dimension)) return "";
  Text text = text_new(c->arena);
  dimension_print(measure->dimension, &text);
  return text.at;
}

const char *content_csv_header(const ExportContent *c, char escaped, const char *escape) {
  Columns columns = sim_columns(c->cx, c->system);
  Text raw = text_new(c->arena), out = text_new(c->arena);
  for (uint32_t i = 0; i < columns.n; i++) {
    bool quoted = strchr(columns.at[i].name, ',') != NULL;
    text_addf(&raw, "%s%s%s%s", i ? "," : "", quoted ? "\"" : "", columns.at[i].name,
              quoted ? "\"" : "");
  }
  for (const char *at = raw.at; *at; at++) {
    if (*at == escaped) text_add(&out, escape);
    text_add_char(&out, *at);
  }
  return out.at;
}

const char *parameter_text(const ExportContent *c, uint32_t parameter) {
  const Parameter *p = &c->system->model->parameters.at[parameter];
  const char *unit = measure_text(c, &p->measure);
  const char *bracketed = *unit ? text_format(c->arena, " [%s]", unit) : "";
  return text_format(c->arena, "%s%s%s%s", c->parameters[parameter], bracketed,
                     p->description ? ": " : "",
                     p->description ? comment_from_text(c->arena, p->description) : "");
}
