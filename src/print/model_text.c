// The text of `qdot check`.
#include "print/model_text.h"

#include <math.h>
#include <string.h>

#include "analyse/mobility/doctor.h"
#include "analyse/mobility/freedom.h"
#include "base/utf8.h"
#include "base/words/digits.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "print/counts.h"
#include "print/quantity.h"
#include "print/typeset.h"
#include "result/json.h"

typedef struct Printer {
  Context *cx;
  const Typeface *face;
  const double *values;
  Text *out;
} Printer;

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static void add_name(Printer *p, Symbol name, int primes) {
  typeset_name(p->cx, symbol_text(p->cx, name), primes, p->face, p->out);
}

// The name of one thing, in a column of its own.
static void begin_line(Printer *p, const char *kind, Symbol name, int primes) {
  size_t begin = p->out->n;
  text_addf(p->out, "  %-10s ", kind);
  add_name(p, name, primes);
  size_t width = utf8_width(p->out->at + begin, p->out->n - begin);
  for (; width < 26; width++) text_add_char(p->out, ' ');
  text_add_char(p->out, ' ');
}

// A value with its unit; an angle also in degrees.
static void add_value(Printer *p, double value, Quantity quantity) {
  const char *unit = quantity_unit(&p->cx->keep, quantity);
  text_addf(p->out, "%.10g%s%s", digits_rounded(value, 10) + 0.0, *unit ? " " : "",
            unit); // -0 becomes 0
  bool is_angle = quantity.is_known && quantity.is_angle && dimension_is_pure(quantity.dimension);
  if (is_angle && value != 0)
    text_addf(p->out, " = %.6g%s", digits_rounded(value * 180 / M_PI, 6),
              p->face == &ascii_face ? " deg" : "°");
}

static void add_measure(Printer *p, double value, Quantity quantity, const Measure *measure) {
  add_value(p, value, quantity);
  if (!measure->is_known)
    text_add(p->out, " (unit unknown)");
  else if (!measure->is_given)
    text_add(p->out, " (inferred)");
}

static void end_line(Printer *p, const char *description) {
  if (description) text_addf(p->out, "  %s", description);
  text_add_char(p->out, '\n');
}

static void print_coordinate(Printer *p, const Coordinate *c) {
  static const char *const starts[] = {"~", "=", "~"};
  begin_line(p, "coordinate", c->name, 0);
  double start = c->position.value ? expr_eval(p->cx, c->position.value, p->values) : 0;
  text_addf(p->out, "%s ", starts[c->position.kind]);
  add_measure(p, start, quantity_of_coordinate(c, 0), &c->measure);
  end_line(p, c->description);
  if (c->velocity.kind == INITIAL_NONE) return;
  begin_line(p, "", c->name, 1);
  text_addf(p->out, "%s ", starts[c->velocity.kind]);
  add_value(p, expr_eval(p->cx, c->velocity.value, p->values), quantity_of_coordinate(c, 1));
  text_add_char(p->out, '\n');
}

static void print_valued(Printer *p, const char *kind, Symbol name, Expr symbol,
                         const Measure *measure, const char *description) {
  begin_line(p, kind, name, 0);
  text_add(p->out, "= ");
  add_measure(p, p->values[symbol_variable(p->cx, symbol)], quantity_of_measure(measure), measure);
  end_line(p, description);
}

static void print_head(Printer *p, const Model *model) {
  uint32_t freedom = model_freedom(model), rows = model->constraints.n;
  counts_add(p->out, model->title[0] ? model->title : "Untitled model",
             (Counts){model->coordinates.n, rows, model->contacts.n, freedom, model->states.n});
  text_add_char(p->out, '\n');
  uint32_t independent = model->coordinates.n - freedom;
  bool has_bodies = model->origin && model->origin->mechanism.bodies.n > 0; // print_mechanism
  if (independent < rows && !has_bodies)
    text_addf(p->out, "  constraints  %u, of which %u %s independent along the motion\n", rows,
              independent, independent == 1 ? "is" : "are");
}

static void print_names(Printer *p, const SymbolList *names) {
  for (uint32_t i = 0; i < names->n; i++) {
    if (i) text_add(p->out, ", ");
    text_add(p->out, symbol_text(p->cx, names->at[i]));
  }
}

// What the drawing says: who hangs on whom, what can move, what does not fit.
static Status print_mechanism(Printer *p, const Model *model) {
  Doctor d;
  Status status = doctor_examine(p->cx, model, &d);
  if (status != QDOT_OK || d.bodies == 0) return status;
  text_addf(p->out, "  mechanism  %u bod%s, %u joint%s: mobility ", d.bodies,
            d.bodies == 1 ? "y" : "ies", d.joints, plural(d.joints));
  if (d.bodies > d.points) text_addf(p->out, "3*%u ", d.bodies - d.points);
  if (d.points) text_addf(p->out, "%s2*%u ", d.bodies > d.points ? "+ " : "", d.points);
  text_addf(p->out, "- %u = %d by counting", d.rows, d.gruebler);
  if (d.is_measured) text_addf(p->out, ", %d by rank", d.mobility);
  if (d.drives) text_addf(p->out, ", %u driven", d.drives);
  text_add_char(p->out, '\n');
  if (d.gaping) {
    text_addf(p->out, "             it does not close: joint %s is open by %.4g %s\n",
              symbol_text(p->cx, d.gaping),
              d.gapes_by_angle ? d.gap * 57.29577951308232 : 1e3 * d.gap,
              d.gapes_by_angle ? "degrees" : "mm");
  }
  if (d.superfluous.n) {
    text_add(p->out, "             redundant joints, forces of least norm: ");
    print_names(p, &d.superfluous);
    text_add_char(p->out, '\n');
  }
  if (d.undetermined.n) {
    text_add(p->out, "             not determined by statics: ");
    print_names(p, &d.undetermined);
    text_add_char(p->out, '\n');
  }
  if (d.loose.n) {
    text_add(p->out, "             not connected to the ground: ");
    print_names(p, &d.loose);
    text_add_char(p->out, '\n');
  }
  return QDOT_OK;
}

Status model_text(const Model *model, bool unicode, Text *out) {
  Context *cx = model->cx;
  const Model *named = model->named ? model->named : model; // numbers of parts are listed too
  double *values;
  Status status = model_values(cx, named, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  Printer p = {cx, unicode ? &terminal_face : &ascii_face, values, out};
  print_head(&p, model);
  status = print_mechanism(&p, model);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    print_coordinate(&p, &model->coordinates.at[i]);
  for (uint32_t i = 0; i < model->states.n; i++) {
    const ModelState *it = &model->states.at[i];
    print_valued(&p, "state", it->name, it->s, &it->measure, it->description);
  }
  for (uint32_t i = 0; i < named->parameters.n; i++) {
    const Parameter *it = &named->parameters.at[i];
    print_valued(&p, "parameter", it->name, it->symbol, &it->measure, it->description);
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *it = &model->inputs.at[i];
    print_valued(&p, it->is_memory ? "memory" : "input", it->name, it->symbol, &it->measure,
                 it->description);
  }
  return QDOT_OK;
}

static void add_names(Json *json, JsonValue *parent, const char *key, const SymbolList *names) {
  JsonValue *list = json_add_array(json, parent, key);
  for (uint32_t i = 0; i < names->n; i++)
    json_add_text(json, list, NULL, symbol_text(json->cx, names->at[i]));
}

static void add_mechanism(Json *json, const Doctor *d) {
  if (d->bodies == 0) {
    json_add_null(json, json->root, "mechanism");
    return;
  }
  JsonValue *m = json_add_object(json, json->root, "mechanism");
  json_add_integer(json, m, "bodies", d->bodies);
  json_add_integer(json, m, "joints", d->joints);
  json_add_integer(json, m, "drives", d->drives);
  json_add_integer(json, m, "mobility_by_counting", d->gruebler);
  if (d->is_measured)
    json_add_integer(json, m, "mobility_by_rank", d->mobility);
  else
    json_add_null(json, m, "mobility_by_rank");
  json_add_number(json, m, "gap", d->gap);
  if (d->gaping)
    json_add_text(json, m, "gaping_joint", symbol_text(json->cx, d->gaping));
  else
    json_add_null(json, m, "gaping_joint");
  add_names(json, m, "superfluous_joints", &d->superfluous);
  add_names(json, m, "undetermined_reactions", &d->undetermined);
  add_names(json, m, "loose_bodies", &d->loose);
}

static void add_optional(Json *json, JsonValue *parent, const char *key, const char *text) {
  if (text)
    json_add_text(json, parent, key, text);
  else
    json_add_null(json, parent, key);
}

static void add_problems(Json *json, const Problems *problems) {
  JsonValue *list = json_add_array(json, json->root, "requests");
  for (uint32_t i = 0; i < problems->n; i++) {
    const Diagnostic *d = &problems->at[i];
    JsonValue *one = json_add_object(json, list, NULL);
    json_add_text(json, one, "severity", d->severity == SEVERITY_ERROR ? "error" : "warning");
    Place place = {0};
    if (d->has_span) place = source_place(&json->cx->sources, d->span.source, d->span.begin);
    json_add_integer(json, one, "line", place.line);
    json_add_integer(json, one, "column", place.column);
    json_add_text(json, one, "text", d->message);
    add_optional(json, one, "label", d->label);
    add_optional(json, one, "note", d->note);
  }
}

Status model_json(const Model *model, const Problems *problems, Text *out) {
  Doctor d;
  Status status = doctor_examine(model->cx, model, &d);
  if (status != QDOT_OK) return status;
  Json json;
  json_open(model->cx, &json);
  json_add_text(&json, json.root, "title", model->title);
  json_add_integer(&json, json.root, "coordinates", model->coordinates.n);
  json_add_integer(&json, json.root, "constraints", model->constraints.n);
  json_add_integer(&json, json.root, "contacts", model->contacts.n);
  add_mechanism(&json, &d);
  if (problems) add_problems(&json, problems);
  json_print(&json, out);
  json_close(&json);
  return QDOT_OK;
}
