// Where an exported motion starts, in JavaScript: what the model says of it, and how its bodies are
// put together (js/start.js).
#include "export/js_start.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

static void add_flags(Text *out, const char *name, const bool *flags, uint32_t n) {
  text_addf(out, "%s: [", name);
  for (uint32_t i = 0; i < n; i++) text_addf(out, "%s%d", i ? ", " : "", flags[i] ? 1 : 0);
  text_add(out, "]");
}

// ---- What the model says

static Expr said(Context *cx, const Initial *initial) {
  return initial->kind == INITIAL_NONE || !initial->value ? expr_int(cx, 0) : initial->value;
}

static void write_initial(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  uint32_t n = c->system->n, count = 2 * n + c->system->states;
  Expr *values = arena_array(c->arena, Expr, count + 1);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = said(c->cx, &model->coordinates.at[i].position);
    values[n + i] = said(c->cx, &model->coordinates.at[i].velocity);
  }
  for (uint32_t i = 2 * n; i < count; i++) values[i] = model->states.at[i - 2 * n].value;
  const char **targets = arena_array(c->arena, const char *, count + 1);
  for (uint32_t i = 0; i < count; i++)
    targets[i] = entry_text(c->arena, DIALECT_JS, "value", i, -1);
  FunctionBody body = content_body(c, DIALECT_JS, (const char *const[]){"p", "value", NULL}, 0);
  text_addf(out,
            "// What the model says of q and q'%s at t = 0\n"
            "function initial(p) {\n  const value = new Float64Array(%u);\n",
            c->system->states ? ", and of its states," : "", count);
  content_write_program(c, DIALECT_JS, content_program(c, values, count), "  ", &body, targets,
                        out);
  text_add(out, "  return value;\n}\n\n");
}

// ---- Bodies in their poses

typedef struct Cell {
  Expr value;
  uint32_t place; // in the array
} Cell;
typedef VEC(Cell) Cells;

static void put(const ExportContent *c, Cells *cells, uint32_t place, Expr value) {
  if (expr_is_zero(c->cx, value)) return;
  for (uint32_t i = 0; i < cells->n; i++)
    if (cells->at[i].place == place) {
      cells->at[i].value = expr_add(c->cx, cells->at[i].value, value);
      return;
    }
  vec_push(c->arena, cells, ((Cell){value, place}));
}

typedef struct Symbols {
  ProgramBuilder builder;
  Flattener flattener;
  FunctionBody body;
  uint32_t count;
} Symbols;

static void bind(const ExportContent *c, Symbols *s, Expr symbol, const char *text) {
  flatten_bind(&s->flattener, symbol, program_input(&s->builder, s->count));
  s->body.inputs[s->count++] = arena_copy(c->arena, text, strlen(text));
}

static void bind_all(const ExportContent *c, Symbols *s) {
  const Model *model = c->system->model;
  const Assembly *a = model->assembly;
  for (uint32_t i = 0; i < a->n; i++) {
    bind(c, s, a->z[i], entry_text(c->arena, DIALECT_JS, "z", i, -1));
    bind(c, s, a->zd[i], entry_text(c->arena, DIALECT_JS, "zd", i, -1));
  }
  for (uint32_t i = 0; i < model->inputs.n; i++)
    bind(c, s, model->inputs.at[i].symbol, entry_text(c->arena, DIALECT_JS, "inputs", i, -1));
  for (uint32_t i = 0; i < model->parameters.n; i++)
    bind(c, s, model->parameters.at[i].symbol, text_format(c->arena, "p.%s", c->parameters[i]));
  Expr time = expr_symbol(c->cx, SYMBOL_TIME, symbol_from_text(c->cx, "t"));
  flatten_bind(&s->flattener, time, program_constant(&s->builder, 0));
}

// NAME(z, inputs, p), or NAME(z, zd, inputs, p): `size` numbers, of which these are not zero.
static void write_function(const ExportContent *c, const char *head, uint32_t size,
                           const Cells *cells, Text *out) {
  const Model *model = c->system->model;
  uint32_t most = 2 * model->assembly->n + model->inputs.n + model->parameters.n;
  Symbols s = {.body = {.inputs = arena_array(c->arena, const char *, most + 1)}};
  static const char *const taken[] = {"p", "z", "zd", "inputs", "value", NULL};
  identifiers_open(&s.body.scope, c->arena, DIALECT_JS, taken);
  program_open(&s.builder, c->cx, most);
  flatten_open(&s.flattener, &s.builder);
  bind_all(c, &s);
  const char **targets = arena_array(c->arena, const char *, cells->n + 1);
  for (uint32_t i = 0; i < cells->n; i++) {
    program_output(&s.builder, flatten_expr(&s.flattener, cells->at[i].value));
    targets[i] = entry_text(c->arena, DIALECT_JS, "value", cells->at[i].place, -1);
  }
  const Program *program = program_finish(&s.builder, c->arena);
  flatten_close(&s.flattener);
  program_close(&s.builder);
  text_addf(out, "function %s {\n  const value = new Float64Array(%u);\n", head, size);
  content_emit(c, DIALECT_JS, program, "  ", &s.body, targets, out);
  text_add(out, "  return value;\n}\n");
}

static void write_guesses(const ExportContent *c, const Assembly *a, Text *out) {
  const Mechanism *mechanism = &c->system->model->origin->mechanism;
  Cells cells = {0};
  uint32_t size = 2 * a->n;
  for (uint32_t i = 0; i < a->n; i++) {
    put(c, &cells, i, said(c->cx, &a->position[i]));
    put(c, &cells, a->n + i, said(c->cx, &a->velocity[i]));
  }
  for (uint32_t i = 0; i < 2 * mechanism->joints.n; i++) {
    const Joint *joint = &mechanism->joints.at[i / 2];
    const Anchor *anchor = i % 2 ? &joint->second : &joint->first;
    if (anchor->body == GROUND || !anchor->at[0]) continue;
    for (int k = 0; k < 2; k++) put(c, &cells, size++, anchor->at[k]);
  }
  text_add(out,
           "// What is said of x, y and theta of every body, and of their rates; then where its "
           "joints are\n");
  write_function(c, "assembly_said(inputs, p)", size, &cells, out);
}

static void write_masses(const ExportContent *c, const Assembly *a, Text *out) {
  Context *cx = c->cx;
  Cells cells = {0};
  for (uint32_t i = 0; i < a->n; i++) {
    if (a->mass[i]) put(c, &cells, i * a->n + i, a->mass[i]);
    if (!expr_depends(cx, a->energy, a->zd[i])) continue;
    Expr momentum = expr_diff(cx, a->energy, a->zd[i]);
    for (uint32_t k = 0; k < a->n; k++)
      if (expr_depends(cx, momentum, a->zd[k]))
        put(c, &cells, i * a->n + k, expr_diff(cx, momentum, a->zd[k]));
  }
  write_function(c, "assembly_mass(z, inputs, p)", a->n * a->n, &cells, out);
}

static void write_rows(const ExportContent *c, const Assembly *a, Text *out) {
  Context *cx = c->cx;
  Cells rows = {0}, rates = {0}, slopes = {0};
  for (uint32_t r = 0; r < a->row_count; r++) {
    bool is_place = r < a->holonomic;
    const Expr *by = is_place ? a->z : a->zd;
    if (is_place) put(c, &rows, r, a->rows[r]);
    put(c, &rates, r, is_place ? expr_time_derivative(cx, a->rows[r]) : a->rows[r]);
    for (uint32_t i = 0; i < a->n; i++)
      if (expr_depends(cx, a->rows[r], by[i]))
        put(c, &slopes, r * a->n + i, expr_diff(cx, a->rows[r], by[i]));
  }
  write_function(c, "assembly_rows(z, inputs, p)", a->holonomic, &rows, out);
  write_function(c, "assembly_slopes(z, inputs, p)", a->row_count * a->n, &slopes, out);
  write_function(c, "assembly_rates(z, zd, inputs, p)", a->row_count, &rates, out);
}

static void write_meanings(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  uint32_t n = model->coordinates.n;
  Cells cells = {0};
  for (uint32_t i = 0; i < n; i++) {
    Expr pose = model->meanings.at[i].pose;
    put(c, &cells, i, pose);
    put(c, &cells, n + i, expr_time_derivative(c->cx, pose));
  }
  text_add(out, "// q and q' of the model in these poses\n");
  write_function(c, "assembly_meaning(z, zd, inputs, p)", 2 * n, &cells, out);
}

static bool has_assembly(const ExportContent *c) {
  const Assembly *a = c->system->model->assembly;
  return a && a->row_count > 0;
}

void js_write_start(const ExportContent *c, Text *out) {
  write_initial(c, out);
  if (!has_assembly(c)) return;
  const Assembly *a = c->system->model->assembly;
  write_guesses(c, a, out);
  text_add(out, "// Masses, joints, their slopes and their rates in the poses z of the bodies\n");
  write_masses(c, a, out);
  write_rows(c, a, out);
  write_meanings(c, out);
  text_add(out, "\n");
}

// ---- The record

static void write_assembly(const ExportContent *c, Text *out) {
  const Assembly *a = c->system->model->assembly;
  bool *places = arena_array(c->arena, bool, a->n), *rates = arena_array(c->arena, bool, a->n);
  for (uint32_t i = 0; i < a->n; i++) {
    places[i] = a->position[i].kind == INITIAL_GIVEN;
    rates[i] = a->velocity[i].kind == INITIAL_GIVEN;
  }
  text_addf(out,
            "  assembly: {n: %u, own: %u, m: %u, holonomic: %u, said: assembly_said, "
            "mass: assembly_mass, rows: assembly_rows,\n"
            "    slopes: assembly_slopes, rates: assembly_rates, meaning: assembly_meaning,\n    ",
            a->n, a->own, a->row_count, a->holonomic);
  add_flags(out, "is_kept", places, a->n);
  text_add(out, ",\n    ");
  add_flags(out, "is_kept_rate", rates, a->n);
  text_add(out, "},\n");
}

void js_write_start_record(const ExportContent *c, bool with_assembly, Text *out) {
  const System *s = c->system;
  bool *given = arena_array(c->arena, bool, 2 * s->n + 1);
  bool *angles = arena_array(c->arena, bool, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    const Coordinate *q = &s->model->coordinates.at[i];
    given[i] = q->position.kind == INITIAL_GIVEN,
    given[s->n + i] = q->velocity.kind == INITIAL_GIVEN;
    angles[i] = q->measure.is_known && dimension_is_pure(q->measure.dimension);
  }
  text_add(out, "  ");
  add_flags(out, "is_given", given, 2 * s->n);
  text_add(out, ",\n");
  if (s->row_count == 0 && !has_assembly(c)) return;
  text_add(out, "  ");
  add_flags(out, "is_angle", angles, s->n);
  text_add(out, ", sizes: [");
  for (uint32_t i = 0; i < s->n; i++) {
    text_add(out, i ? ", " : "");
    emit_number(DIALECT_JS, c->size[i], out);
  }
  text_add(out, "], kinds: [");
  for (uint32_t i = 0; i < s->n; i++) text_addf(out, "%s%d", i ? ", " : "", c->kind[i]);
  text_add(out, "], holonomic: [");
  for (uint32_t r = 0, n = 0; r < s->row_count; r++)
    if (!s->rows[r].is_nonholonomic) text_addf(out, "%s%u", n++ ? ", " : "", r);
  text_add(out, "],\n");
  if (with_assembly && has_assembly(c)) write_assembly(c, out);
}
