// JavaScript: the model as functions and a record, followed by what integrates it (js/*.js).
#include "export/js.h"

#include "code/eliminate.h"
#include "export/js_main.inc"
#include "export/js_runtime.inc"
#include "export/js_start.h"
#include "export/tables.h"
#include "expr/build.h"
#include "qdot/qdot.h"
#include "sim/sim.h"
#include "sim/switches.h"
#include "solve/algebra/kkt.h"
#include "solve/dead_position.h"

typedef struct Writer {
  const ExportContent *c;
  Arena *arena;
  Text *out;
  VEC(const char *) names; // of the functions of quantities
} Writer;

void js_string(Text *out, const char *text) {
  text_add_char(out, '"');
  for (; *text; text++) {
    // nothing in it may end the string, or the script of a page
    if (*text == '<' || (unsigned char)*text < ' ') {
      text_addf(out, "\\u%04x", (unsigned char)*text);
      continue;
    }
    if (*text == '"' || *text == '\\') text_add_char(out, '\\');
    text_add_char(out, *text);
  }
  text_add_char(out, '"');
}

static void add_numbers(Text *out, const double *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    text_add(out, i ? ", " : "");
    emit_number(DIALECT_JS, values[i], out);
  }
}

static void write_head(Writer *w) {
  const ExportContent *c = w->c;
  text_addf(w->out,
            "// Equations of motion of \"%s\".\n//\n"
            "//   M(q) q'' + h(q, q', t) + D + G = Q - Phi_q^T lam,  Phi_q q'' = gamma\n//\n"
            "// Written by Qdot %s%s%s. SI units, angles in radians.\n",
            c->title, QDOT_VERSION, c->source ? " from " : "", c->source ? c->source : "");
}

// ---- parameters

// A parameter that is given replaces its default; those made of it follow.
static void write_parameters(Writer *w) {
  const ExportContent *c = w->c;
  uint32_t n = c->system->model->parameters.n;
  const char **targets = arena_array(w->arena, const char *, n + 1);
  text_add(w->out, "// The parameters, with the model's values unless they are given:\n");
  for (uint32_t i = 0; i < n; i++) {
    text_addf(w->out, "//   %s\n", parameter_text(c, i));
    targets[i] = text_format(w->arena, "p.%s", c->parameters[i]);
  }
  text_add(w->out, "function parameters(given = {}) {\n  const p = {};\n");
  Identifiers scope;
  identifiers_open(&scope, w->arena, DIALECT_JS, (const char *const[]){"p", "given", NULL});
  for (uint32_t i = 0; i < n; i++) {
    content_write_default(c, DIALECT_JS, "  ", targets, i, &scope, w->out);
    text_addf(w->out, "  if (given.%s !== undefined) %s = given.%s;\n", c->parameters[i],
              targets[i], c->parameters[i]);
  }
  text_add(w->out, "  return p;\n}\n\n");
}

static void write_inputs(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  uint32_t n = model->inputs.n;
  Expr *values = arena_array(w->arena, Expr, n + 1);
  const char **targets = arena_array(w->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    values[i] = model->inputs.at[i].value;
    targets[i] = entry_text(w->arena, DIALECT_JS, "value", i, -1);
  }
  FunctionBody body = content_body(c, DIALECT_JS, (const char *const[]){"p", "value", NULL}, 0);
  text_addf(w->out,
            "// The inputs, as the model gives them\n"
            "function usual_inputs(p) {\n  const value = new Float64Array(%u);\n",
            n);
  content_write_program(c, DIALECT_JS, content_program(c, values, n), "  ", &body, targets, w->out);
  text_add(w->out, "  return value;\n}\n\n");
}

// ---- quantities

static void write_quantity(Writer *w, const ExportQuantity *quantity) {
  const ExportContent *c = w->c;
  static const char *const taken[] = {"p", "t", "q", "qd", "inputs", "qdd", "lam", "value", NULL};
  FunctionBody body = content_body(c, DIALECT_JS, taken, quantity->takes);
  uint32_t n = quantity->rows * (quantity->columns ? quantity->columns : 1);
  const char **targets = arena_array(w->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) targets[i] = entry_text(w->arena, DIALECT_JS, "value", i, -1);
  text_addf(w->out, "// %s%s\nfunction %s(t, q%s%s%s%s, p, value = new Float64Array(%u)) {\n",
            quantity->meaning, quantity->columns ? ", by rows" : "", quantity->name,
            quantity->takes & TAKES_QD ? ", qd" : "", quantity->takes & TAKES_U ? ", inputs" : "",
            quantity->takes & TAKES_QDD ? ", qdd" : "",
            quantity->takes & TAKES_LAMBDA ? ", lam" : "", n);
  content_write_program(c, DIALECT_JS, quantity->program, "  ", &body, targets, w->out);
  text_add(w->out, "  return value;\n}\n\n");
  vec_push(w->arena, &w->names, quantity->name);
}

// q'' and lambda by a fixed order of elimination; the result tells how far that can be trusted.
static void write_elimination(Writer *w) {
  const ExportContent *c = w->c;
  const System *s = c->system;
  const Program *program = c->forward;
  if (!program) return;
  static const char *const taken[] = {"p", "t", "q", "qd", "inputs", "qdd", "lam", "trust", NULL};
  FunctionBody body = content_body(c, DIALECT_JS, taken, TAKES_QD | TAKES_U);
  const char **targets = arena_array(w->arena, const char *, program->output_count + 1);
  for (uint32_t i = 0; i < s->n; i++) targets[i] = entry_text(w->arena, DIALECT_JS, "qdd", i, -1);
  for (uint32_t r = 0; r < c->equations->m; r++) {
    uint32_t place = c->equations->lambda[r];
    targets[s->n + r] = entry_text(w->arena, DIALECT_JS, "lam", place, -1);
    targets[c->loss + 1 + r] = entry_text(w->arena, DIALECT_JS, "trust", 1 + place, -1);
  }
  targets[c->loss] = "trust[0]";
  text_addf(
      w->out,
      "// q'' and lam by elimination; what was lost at the pivots, and the inverse pivots of\n"
      "// the constraints\n"
      "function eliminate(t, q, qd, inputs, p, qdd, lam) {\n"
      "  const trust = new Float64Array(%u);\n",
      1 + c->equations->m);
  content_write_program(c, DIALECT_JS, program, "  ", &body, targets, w->out);
  text_add(w->out, "  return trust;\n}\n\n");
  vec_push(w->arena, &w->names, "eliminate");
}

static void write_quantities(Writer *w) {
  const ExportContent *c = w->c;
  for (uint32_t i = 0; i < c->quantities.n; i++) write_quantity(w, &c->quantities.at[i]);
  bool states = c->system->states > 0;
  const ExportQuantity powers = {"powers",
                                 states ? "rates of the states, then power of forces, of "
                                          "dissipation, of friction and of drives"
                                        : "power of forces, of dissipation, of friction and of "
                                          "drives",
                                 c->system->states + POWER_KINDS,
                                 0,
                                 TAKES_QD | TAKES_U | TAKES_LAMBDA,
                                 equations_part(c->equations, PART_POWER)->program};
  write_quantity(w, &powers);
  write_elimination(w);
}

// ---- the record of the model

static void write_columns(Writer *w) {
  Columns columns = sim_columns(w->c->cx, w->c->system);
  text_add(w->out, "  columns: [");
  for (uint32_t i = 0; i < columns.n; i++) {
    text_add(w->out, i ? ", " : "");
    js_string(w->out, columns.at[i].name);
  }
  text_add(w->out, "],\n");
}

static void write_parameter_list(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_add(w->out, "  parameters: [\n");
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    text_addf(w->out, "    {key: \"%s\", name: ", c->parameters[i]);
    js_string(w->out, symbol_text(c->cx, p->name));
    text_add(w->out, ", unit: ");
    js_string(w->out, measure_text(c, &p->measure));
    text_add(w->out, ", about: ");
    js_string(w->out, p->description ? p->description : "");
    text_add(w->out, "},\n");
  }
  text_add(w->out, "  ],\n");
}

static void write_coordinate_list(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_add(w->out, "  coordinates: [");
  for (uint32_t i = 0; i < c->system->n; i++) {
    text_add(w->out, i ? ", " : "");
    js_string(w->out, symbol_text(c->cx, model->coordinates.at[i].name));
  }
  text_add(w->out, "],\n  units: [");
  for (uint32_t i = 0; i < c->system->n; i++) {
    text_add(w->out, i ? ", " : "");
    js_string(w->out, measure_text(c, &model->coordinates.at[i].measure));
  }
  text_add(w->out, "],\n");
}

static void write_states_and_samples(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_add(w->out, "  states: [");
  for (uint32_t i = 0; i < c->system->states; i++) {
    text_add(w->out, i ? ", " : "");
    js_string(w->out, symbol_text(c->cx, model->states.at[i].name));
  }
  text_add(w->out, "],\n");
  if (!content_samples(c)) return;
  text_add(w->out, "  lines: [");
  for (uint32_t i = 0; i < model->samplings.n; i++)
    text_addf(w->out, "%s[%u, %u]", i ? ", " : "", model->samplings.at[i].first,
              model->samplings.at[i].count);
  text_add(w->out, "], targets: [");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(w->out, "%s%u", i ? ", " : "", c->sample_target[i]);
  text_add(w->out, "],\n");
}

static void write_events(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_add(w->out, "  occasions: [\n");
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    const Occasion *o = &model->occasions.at[i];
    text_addf(
        w->out,
        "    {direction: %d, is_condition: %s, stops: %s, moves: %s, is_moving: %s, first: %u, "
        "count: %u, text: ",
        o->direction, o->is_condition ? "true" : "false", o->stops ? "true" : "false",
        content_event_moves(c, i) ? "true" : "false",
        content_event_is_moving(c, i) ? "true" : "false", o->first, o->count);
    js_string(w->out, o->text);
    text_add(w->out, "},\n");
  }
  text_add(w->out, "  ], reset_targets: [");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(w->out, "%s%d", i ? ", " : "", c->reset_target[i]);
  text_add(w->out, "],\n");
}

static void write_record(Writer *w, bool with_equations) {
  const ExportContent *c = w->c;
  const System *s = c->system;
  text_addf(w->out,
            "const model = {\n  n: %u, m: %u, contact_count: %u, state_count: %u,\n  title: ", s->n,
            s->row_count, s->contact_count, s->states);
  js_string(w->out, s->model->title && *s->model->title ? s->model->title : "Model");
  text_add(w->out, ",\n");
  write_columns(w);
  write_parameter_list(w);
  write_coordinate_list(w);
  if (s->states || content_samples(c)) write_states_and_samples(w);
  if (content_has_events(c)) write_events(w);
  text_add(w->out, "  start: [");
  add_numbers(w->out, c->q, s->n);
  if (s->n > 0) text_add(w->out, ", ");
  add_numbers(w->out, c->qd, s->n);
  text_add(w->out, "],\n");
  js_write_start_record(c, with_equations, w->out);
  text_add(w->out, "  inputs: [");
  add_numbers(w->out, c->u, s->model->inputs.n);
  text_add(w->out, "],\n  end: ");
  add_numbers(w->out, &c->end, 1);
  text_add(w->out, ", every: ");
  add_numbers(w->out, &c->every, 1);
  text_add(w->out, ", rtol: ");
  add_numbers(w->out, &c->rtol, 1);
  text_add(w->out, ", atol: ");
  add_numbers(w->out, &c->atol, 1);
  text_add(w->out, ", no_gap: ");
  add_numbers(w->out, &c->nothing, 1);
  text_addf(w->out, ", most_loss: %g, may_stick: %s,\n  ", ELIMINATION_MOST_LOSS,
            system_may_stick(c->cx, s) ? "true" : "false");
  for (uint32_t i = 0; i < w->names.n; i++)
    text_addf(w->out, "%s%s", i ? ", " : "", w->names.at[i]);
  text_add(w->out, ",\n};\n\n");
}

// ---- module and expression

static const char *const exported =
    "model, parameters, usual_inputs, start, simulate, simulate_in_parts, Motion, row_at";

// The numbers by which the runtime decides, as the simulator has them.
static void write_runtime(Text *out) {
  text_addf(out, "const TRUSTED = %g, CUT = %g, GAP = %g, MASS_PIVOT = %g, NEAR_DEAD = 1 / %d;\n",
            KKT_TRUSTED, KKT_CUT_BELOW, KKT_CUT_BEHIND, KKT_MASS_PIVOT, DEAD_NEAR);
  text_addf(out,
            "const MOST_EVASIONS = %d, MOST_TAKEN_AWAY = %d, LEFT_OVER = %g, OTHER_STAGES = %g, "
            "OTHER_END = %g;\n\n%s",
            DEAD_EVASIONS, DEAD_TAKEN_AWAY, DEAD_LEFT_OVER, DEAD_OTHER_STAGES, DEAD_OTHER_END,
            js_runtime);
}

void export_js(const ExportContent *c, Arena *arena, ExportFiles *out) {
  Text text = text_new(arena);
  Writer w = {.c = c, .arena = arena, .out = &text};
  write_head(&w);
  text_addf(&text,
            "// An ES module without dependencies; `node %s.mjs` prints the motion as CSV.\n\n",
            c->name);
  if (content_has_tables(c)) write_tables(c, DIALECT_JS, &text);
  write_parameters(&w);
  write_inputs(&w);
  write_quantities(&w);
  js_write_start(c, &text);
  write_record(&w, true);
  write_runtime(&text);
  text_addf(&text, "export {%s};\n\n%s", exported, js_main);
  ExportFile file = {text_format(arena, "%s.mjs", c->name), text.at};
  vec_push(arena, out, file);
}

void js_expression(const ExportContent *c, Arena *arena, const JsExtra *extras, size_t n,
                   bool with_equations, Text *out) {
  Writer w = {.c = c, .arena = arena, .out = out};
  text_add(out, "(() => {\n");
  if (content_has_tables(c)) write_tables(c, DIALECT_JS, out);
  write_parameters(&w);
  write_inputs(&w);
  if (with_equations) write_quantities(&w);
  for (size_t i = 0; i < n; i++) {
    const ExportQuantity quantity = {extras[i].name,
                                     extras[i].meaning,
                                     extras[i].count,
                                     0,
                                     TAKES_QD | TAKES_U | TAKES_QDD | TAKES_LAMBDA,
                                     content_program(c, extras[i].values, extras[i].count)};
    write_quantity(&w, &quantity);
  }
  if (with_equations) js_write_start(c, out);
  write_record(&w, with_equations);
  if (with_equations) write_runtime(out);
  if (with_equations)
    text_addf(out, "return {%s};\n})()", exported);
  else
    text_add(out, "return {model, parameters, usual_inputs};\n})()");
}
