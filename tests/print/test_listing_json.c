// The JSON of derivations: it has every key, and its strings read back to the same values.
#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "print/listing_json.h"
#include "result/json.h"
#include "support/check.h"

typedef struct Reading {
  Context *cx;
  Model *model;
  const System *system;
  Json json;
  double *values;
} Reading;

static Expr read_back(Reading *r, const char *text) {
  Expr e = 0;
  assert_non_null(text);
  assert_int_equal(expression_read(r->cx, r->model, "json", text, strlen(text), &e), QDOT_OK);
  return e;
}

static void check_same(Reading *r, const JsonValue *value, Expr expected) {
  Expr e = read_back(r, json_text(value));
  double a = expr_eval(r->cx, e, r->values), b = expr_eval(r->cx, expected, r->values);
  if (isfinite(b)) CHECK_NEAR(a, b, 1e-11);
}

static void check_vector(Reading *r, const JsonValue *list, const Expr *expected, uint32_t n) {
  assert_int_equal(json_count(list), n);
  for (uint32_t i = 0; i < n; i++) check_same(r, json_at(list, i), expected[i]);
}

// What the user did not name becomes a definition of the model, so that later lines know it.
static void learn_parts(Reading *r) {
  Context *cx = r->cx;
  const JsonValue *list = json_get(r->json.root, "let");
  for (size_t i = 0; i < json_count(list); i++) {
    Symbol name = symbol_from_text(cx, json_text(json_at(json_at(list, i), 0)));
    Expr body = read_back(r, json_text(json_at(json_at(list, i), 1)));
    const NameEntry *known = model_find(r->model, name);
    if (known) {
      check_same(r, json_at(json_at(list, i), 1), r->model->definitions.at[known->number].value);
      continue;
    }
    Definition d = {.name = name, .value = expr_define(cx, name, body)};
    model_add_name(r->model, name, NAME_DEFINITION, r->model->definitions.n, (Span){0});
    vec_push(&cx->keep, &r->model->definitions, d);
  }
}

static void check_rows(Reading *r) {
  const System *s = r->system;
  const JsonValue *root = r->json.root;
  assert_int_equal(json_count(json_get(root, "constraints")), s->row_count);
  for (uint32_t i = 0; i < s->row_count; i++) {
    const Row *row = &s->rows[i];
    const JsonValue *head = json_at(json_get(root, "constraints"), i);
    assert_string_equal(json_text(json_get(head, "name")), symbol_text(r->cx, row->name));
    assert_string_equal(json_text(json_get(head, "kind")),
                        row->is_nonholonomic ? "nonholonomic" : "holonomic");
    check_same(r, json_at(json_get(root, "Phi"), i), row->phi);
    check_same(r, json_at(json_get(root, "Phi_t"), i), row->phi_t);
    check_same(r, json_at(json_get(root, "gamma"), i), row->gamma);
    check_vector(r, json_at(json_get(root, "Phi_q"), i), row->phi_q, s->n);
  }
  assert_int_equal(json_count(json_get(root, "contacts")), s->contact_count);
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const JsonValue *contact = json_at(json_get(root, "contacts"), i);
    check_same(r, json_get(contact, "phi"), s->contacts[i].phi);
    check_vector(r, json_get(contact, "phi_q"), s->contacts[i].phi_q, s->n);
    check_same(r, json_get(contact, "restitution"), s->model->contacts.at[i].restitution);
  }
}

static void check_record(Reading *r) {
  const System *s = r->system;
  const JsonValue *root = r->json.root;
  assert_int_equal(json_count(json_get(root, "coordinates")), s->n);
  check_same(r, json_get(root, "T"), s->T);
  check_same(r, json_get(root, "V"), s->V);
  check_same(r, json_get(root, "R"), s->R);
  assert_int_equal(json_count(json_get(root, "M")), s->n);
  for (uint32_t i = 0; i < s->n; i++)
    check_vector(r, json_at(json_get(root, "M"), i), s->M + i * s->n, s->n);
  check_vector(r, json_get(root, "h"), s->h, s->n);
  check_vector(r, json_get(root, "D"), s->D, s->n);
  check_vector(r, json_get(root, "G"), s->G, s->n);
  check_vector(r, json_get(root, "Q"), s->Q, s->n);
  check_rows(r);
  const JsonValue *outputs = json_get(root, "outputs");
  for (uint32_t i = 0; i < s->model->outputs.n; i++) {
    const Output *output = &s->model->outputs.at[i];
    check_same(r, json_get(outputs, symbol_text(r->cx, output->name)), output->value);
  }
}

static Text written(Context *cx, System *system, SimplifyLevel simplify, const char *only) {
  Mark mark = arena_mark(&cx->scratch);
  Text out = text_new(&cx->keep);
  Listing listing;
  ListingOptions options = {simplify, only, false};
  assert_int_equal(listing_open(system, &options, &listing), QDOT_OK);
  assert_int_equal(listing_json(&listing, &out), QDOT_OK);
  arena_release(&cx->scratch, mark);
  return out;
}

static void check_model(Context *cx, Random *random, const char *text, size_t length, bool shared) {
  Reading r = {.cx = cx};
  assert_int_equal(model_read(cx, "model", text, length, NULL, &r.model), QDOT_OK);
  assert_int_equal(model_formulate(cx, r.model, FORMULATION_LAGRANGE, &r.model), QDOT_OK);
  System system;
  assert_int_equal(derive_system(cx, r.model, DERIVE_MATRICES, &system), QDOT_OK);
  r.system = &system;
  Text out = written(cx, &system, shared ? SIMPLIFY_NONE : SIMPLIFY_NORMAL, NULL);
  assert_int_equal(json_read(cx, "json", out.at, out.n, &r.json), QDOT_OK);
  assert_int_equal(model_values(cx, r.model, &cx->keep, &r.values), QDOT_OK);
  const JsonValue *parameters = json_get(r.json.root, "parameters");
  for (uint32_t i = 0; i < r.model->parameters.n; i++) {
    const Parameter *p = &r.model->parameters.at[i];
    assert_true(json_number(json_get(parameters, symbol_text(cx, p->name))) ==
                r.values[symbol_variable(cx, p->symbol)]);
  }
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) r.values[i] = random_real(random, 0.2, 1.5);
  learn_parts(&r);
  check_record(&r);
  json_close(&r.json);
}

// Every construct of a record: time, dissipation, forces, constraints of both kinds, a contact,
// inputs, outputs, vectors, loops, a piecewise force.
static const char everything[] =
    "model \"Everything\"\n"
    "param m = 2 [kg], g = 9.81 [m/s^2], L = 1 [m], k = 3 [N/m], c = 0.1 [N*s/m], w = 2 [rad/s]\n"
    "count N = 3\n"
    "input F = 0 [N]\n"
    "coord x = 0.1 [m], y ~ 0.2 [m], theta = 10 [deg]\n"
    "for i in 1..N\n"
    "  coord q[i] = i*0.1 [m]\n"
    "  let z[i] = if(i == 1, x, z[max(i-1,1)]) + q[i]*sin(theta)\n"
    "end\n"
    "let r = (x + L*sin(theta), y - L*cos(theta))\n"
    "kinetic = 1/2*m*dot(r', r') + sum(i in 1..N: 1/2*m*(q[i]'^2 + z[i]'^2)) + 1/2*m*x'^2\n"
    "potential = m*g*r.y + 1/2*k*(sqrt(x^2 + y^2) - L)^2\n"
    "dissipation = 1/2*c*(x'^2 + y'^2)\n"
    "force x = F*cos(w*t) + if(x > L, -k*x, 0 [N])\n"
    "force (r.x, r.y) = (0, -k*abs(y))\n"
    "constraint a: x^2 + y^2 = L^2*(1 + sin(w*t)/3)\n"
    "constraint roll: sin(theta)*x' = cos(theta)*y'\n"
    "contact wall: q[1] <= L + x restitution 1/2\n"
    "output v = r.x' + lambda_a*L/m*1 [s]\n";

TEST(every_string_reads_back) {
  Random random = random_start("every_string_reads_back");
  check_model(cx, &random, everything, strlen(everything), false);
}

TEST(shared_parts_read_back) {
  Random random = random_start("shared_parts_read_back");
  check_model(cx, &random, everything, strlen(everything), true);
}

static const char *chain(Context *cx, int links) {
  return text_format(&cx->keep,
                     "model \"Chain\"\ncount N = %d\nparam g = 9.81\nlet x[0] = 0\nlet y[0] = 0\n"
                     "for i in 1..N\n  param m[i] = 1, L[i] = 1\n  coord theta[i] = 1\n"
                     "  let x[i] = x[i-1] + L[i]*sin(theta[i])\n"
                     "  let y[i] = y[i-1] - L[i]*cos(theta[i])\n"
                     "  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2)\n"
                     "  potential = m[i]*g*y[i]\nend\n",
                     links);
}

static uint32_t nodes_of_chain, bytes_of_chain;

static void measure_chain(Context *cx, int links) {
  const char *text = chain(cx, links);
  Model *model;
  System system;
  assert_int_equal(model_read(cx, "chain", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  nodes_of_chain = expr_count(cx);
  bytes_of_chain = (uint32_t)written(cx, &system, SIMPLIFY_NONE, NULL).n;
}

// The bytes per node of the graph do not grow with the system.
TEST(size_is_linear_in_the_graph) {
  measure_chain(cx, 10);
  double small = (double)bytes_of_chain / nodes_of_chain;
  nodes_of_chain = expr_count(cx);
  uint32_t before = nodes_of_chain;
  measure_chain(cx, 40);
  double large = (double)bytes_of_chain / (nodes_of_chain - before);
  print_message("bytes per node: %.1f with 10 links, %.1f with 40\n", small, large);
  assert_true(large < 2 * small);
}

TEST(parts_can_be_chosen) {
  Model *model;
  System system;
  const char text[] = "coord x = 1\nkinetic = 1/2*x'^2\n";
  assert_int_equal(model_read(cx, "m", text, sizeof text - 1, NULL, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  Text out = written(cx, &system, SIMPLIFY_NORMAL, "M,Phi_q");
  assert_non_null(strstr(out.at, "\"M\""));
  assert_non_null(strstr(out.at, "\"Phi_q\""));
  assert_null(strstr(out.at, "\"T\""));
  Listing listing;
  ListingOptions options = {SIMPLIFY_NORMAL, "M,Phi_x", false};
  assert_int_equal(listing_open(&system, &options, &listing), QDOT_BAD_ARGUMENT);
}

RUN_TESTS(cmocka_unit_test(every_string_reads_back), cmocka_unit_test(shared_parts_read_back),
          cmocka_unit_test(size_is_linear_in_the_graph), cmocka_unit_test(parts_can_be_chosen))
