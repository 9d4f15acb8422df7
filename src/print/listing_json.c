// The JSON of `qdot derive`.
#include "print/listing_json.h"

#include "model/values.h"
#include "print/road_print.h"

// A scalar as text, a vector as a list, a matrix as a list of rows.
static void add_equation(ListingWriter *w, ListedKey key) {
  const Listed *e = &w->listing->at[key];
  if (!e->is_wanted) return;
  JsonValue *root = w->json.root;
  if (key <= LISTED_R) {
    writer_add_expr(w, root, e->name, e->values[0]);
  } else if (key == LISTED_M || key == LISTED_PHI_Q || e->columns > 1) {
    JsonValue *rows = json_add_array(&w->json, root, e->name);
    for (uint32_t i = 0; i < e->rows; i++)
      writer_add_vector(w, rows, NULL, e->values + i * e->columns, e->columns);
  } else {
    writer_add_vector(w, root, e->name, e->values, e->rows);
  }
}

static void add_values(ListingWriter *w, const Model *model, const double *values) {
  Context *cx = w->cx;
  JsonValue *parameters = json_add_object(&w->json, w->json.root, "parameters");
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    json_add_number(&w->json, parameters, symbol_text(cx, p->name),
                    values[symbol_variable(cx, p->symbol)]);
  }
  JsonValue *inputs = json_add_object(&w->json, w->json.root, "inputs"), *memories = NULL;
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    if (input->is_memory && !memories)
      memories = json_add_object(&w->json, w->json.root, "memories");
    json_add_number(&w->json, input->is_memory ? memories : inputs, symbol_text(cx, input->name),
                    values[symbol_variable(cx, input->symbol)]);
  }
}

static void add_outputs(ListingWriter *w, const Model *model) {
  const Listed *e = &w->listing->at[LISTED_OUTPUTS];
  if (!e->is_wanted) return;
  JsonValue *outputs = json_add_object(&w->json, w->json.root, "outputs");
  for (uint32_t i = 0; i < e->rows; i++)
    writer_add_expr(w, outputs, symbol_text(w->cx, model->outputs.at[i].name), e->values[i]);
}

// Where the states begin, and what their rates are.
static void add_states(ListingWriter *w, const Model *model, const double *values) {
  const Listed *e = &w->listing->at[LISTED_RATES];
  if (model->states.n == 0) return;
  JsonValue *states = json_add_object(&w->json, w->json.root, "states");
  for (uint32_t i = 0; i < model->states.n; i++)
    json_add_number(&w->json, states, symbol_text(w->cx, model->states.at[i].name),
                    values[symbol_variable(w->cx, model->states.at[i].s)]);
  if (!e->is_wanted) return;
  JsonValue *rates = json_add_object(&w->json, w->json.root, "rates");
  for (uint32_t i = 0; i < e->rows; i++)
    writer_add_expr(w, rates, symbol_text(w->cx, model->states.at[i].name), e->values[i]);
}

static void add_parts(ListingWriter *w) {
  if (w->parts.list.n == 0) return;
  JsonValue *lets = json_add_array(&w->json, w->json.root, "let");
  for (uint32_t i = 0; i < w->parts.list.n; i++) {
    Mark mark = arena_mark(&w->cx->scratch);
    Text body = text_new(&w->cx->scratch);
    parts_print_body(&w->parts, i, &body);
    JsonValue *pair = json_add_array(&w->json, lets, NULL);
    json_add_text(&w->json, pair, NULL, w->parts.names[i]);
    json_add_text(&w->json, pair, NULL, body.at);
    arena_release(&w->cx->scratch, mark);
  }
}

static void add_constraints(ListingWriter *w) {
  const System *s = w->listing->system;
  JsonValue *list = json_add_array(&w->json, w->json.root, "constraints");
  for (uint32_t i = 0; i < s->row_count; i++) {
    JsonValue *row = json_add_object(&w->json, list, NULL);
    json_add_text(&w->json, row, "name", symbol_text(w->cx, s->rows[i].name));
    json_add_text(&w->json, row, "kind", s->rows[i].is_nonholonomic ? "nonholonomic" : "holonomic");
  }
}

static void add_contacts(ListingWriter *w) {
  const Listed *at = w->listing->at;
  const System *s = w->listing->system;
  if (!at[LISTED_CONTACT_PHI].is_wanted) return;
  JsonValue *list = json_add_array(&w->json, w->json.root, "contacts");
  for (uint32_t i = 0; i < s->contact_count; i++) {
    JsonValue *contact = json_add_object(&w->json, list, NULL);
    json_add_text(&w->json, contact, "name", symbol_text(w->cx, s->contacts[i].name));
    writer_add_expr(w, contact, "phi", at[LISTED_CONTACT_PHI].values[i]);
    writer_add_vector(w, contact, "phi_q", at[LISTED_CONTACT_PHI_Q].values + i * s->n, s->n);
    writer_add_expr(w, contact, "restitution", at[LISTED_RESTITUTION].values[i]);
    const Contact *c = &s->model->contacts.at[i];
    if (c->friction) {
      writer_add_expr(w, contact, "slip", at[LISTED_SLIP].values[i]);
      writer_add_expr(w, contact, "friction", c->friction);
      writer_add_vector(w, contact, "mu", (Expr[]){c->mu_rest, c->mu}, 2);
    }
    if (!c->spin) continue;
    writer_add_expr(w, contact, "spin", at[LISTED_SLIP].values[system_spin(s, i)]);
    writer_add_expr(w, contact, "torque", c->torque);
    writer_add_expr(w, contact, "rolling", c->rolling);
  }
}

static void add_numbers(ListingWriter *w, JsonValue *parent, const char *key,
                        const TableData *table, bool places) {
  JsonValue *list = json_add_array(&w->json, parent, key);
  for (uint32_t i = 0; i < table->n; i++)
    json_add_number(&w->json, list, NULL, places ? table->x[i] : table_at_knot(table, i));
}

// Tables that formulas call by a name: table_1(x), and slope_1(x) for its derivative.
static void add_tables(ListingWriter *w, const ExprList *shown) {
  JsonValue *tables = NULL;
  ExprList all = expr_walk(w->cx, shown->at, shown->n, visit_all, NULL);
  bool *seen = arena_array(&w->cx->scratch, bool, table_count(w->cx) + 1);
  for (uint32_t i = 0; i < all.n; i++) {
    const Node *node = node_of(w->cx, all.at[i]);
    if (node->op != OP_TABLE || seen[node_table(node)]) continue;
    TableId id = node_table(node);
    seen[id] = true;
    if (table_is_short(table_get(w->cx, id))) continue;
    if (!tables) tables = json_add_object(&w->json, w->json.root, "tables");
    const char *name = table_name(w->cx, &w->cx->scratch, id, TABLE_VALUE);
    JsonValue *table = json_add_object(&w->json, tables, name);
    const TableData *data = table_get(w->cx, id);
    if (data->origin) {
      json_add_text(&w->json, table, "file", data->origin);
      json_add_text(&w->json, table, "kind", data->degree == 1 ? "linear" : "cubic");
      json_add_number(&w->json, table, "period", data->period);
    }
    add_numbers(w, table, "x", data, true);
    add_numbers(w, table, "y", data, false);
  }
}

Status listing_json(const Listing *listing, Text *out) {
  const Model *model = listing->system->model;
  Context *cx = listing->system->cx;
  double *values;
  Status status = model_values(cx, model, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  ListingWriter w = {.cx = cx, .listing = listing};
  ExprList shown = listing_wanted(listing);
  listing_add_road(listing, &shown);
  parts_open(cx, shown.at, shown.n,
             listing->simplify == SIMPLIFY_NONE ? PARTS_ALWAYS : PARTS_WHERE_SWELLING, &w.parts);
  json_open(cx, &w.json);
  const char *formulation = model_formulation(model);
  json_add_text(&w.json, w.json.root, "formulation", formulation ? formulation : "lagrange");
  JsonValue *coordinates = json_add_array(&w.json, w.json.root, "coordinates");
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    json_add_text(&w.json, coordinates, NULL, symbol_text(cx, model->coordinates.at[i].name));
  add_values(&w, model, values);
  add_tables(&w, &shown);
  add_parts(&w);
  add_states(&w, model, values);
  add_outputs(&w, model);
  for (ListedKey key = LISTED_T; key <= LISTED_Q; key++) add_equation(&w, key);
  if (listing_by_road(listing))
    road_print(listing->road.road)->json(&w, listing->system, listing->road.result);
  add_constraints(&w);
  for (ListedKey key = LISTED_PHI; key <= LISTED_GAMMA; key++) add_equation(&w, key);
  add_contacts(&w);
  for (ListedKey key = LISTED_C; key < LISTED_COUNT; key++) add_equation(&w, key);
  json_print(&w.json, out);
  json_close(&w.json);
  parts_close(&w.parts);
  return QDOT_OK;
}
