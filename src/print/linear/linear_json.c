// Linearizations, modes and equilibria as JSON.
#include "print/linear/linear_json.h"

#include <string.h>

#include "analyse/linear/sampled.h"
#include "print/abbreviations.h"
#include "result/json.h"

typedef struct Writer {
  Context *cx;
  const Model *model;
  Parts *parts; // NULL where no expressions are written
  Json json;
} Writer;

static const char *coordinate_name(const Writer *w, uint32_t i) {
  return symbol_text(w->cx, w->model->coordinates.at[i].name);
}

// ---- Numbers

static void add_numbers(Writer *w, JsonValue *parent, const char *key, const double *x,
                        uint32_t n) {
  JsonValue *list = json_add_array(&w->json, parent, key);
  // -0 becomes 0
  for (uint32_t i = 0; i < n; i++) json_add_number(&w->json, list, NULL, x[i] + 0.0);
}

// null where there is no such matrix.
static void add_matrix(Writer *w, const char *key, const double *A, uint32_t rows,
                       uint32_t columns) {
  if (!A) {
    json_add_null(&w->json, w->json.root, key);
    return;
  }
  JsonValue *list = json_add_array(&w->json, w->json.root, key);
  for (uint32_t i = 0; i < rows; i++) add_numbers(w, list, NULL, A + (size_t)i * columns, columns);
}

static void add_names(Writer *w, const char *key, const uint32_t *list, uint32_t n) {
  JsonValue *names = json_add_array(&w->json, w->json.root, key);
  for (uint32_t i = 0; i < n; i++)
    json_add_text(&w->json, names, NULL, coordinate_name(w, list[i]));
}

// The states that stand behind coordinates and velocities, and all rows of A.
static void add_states(Writer *w, const Linearized *l) {
  JsonValue *states = json_add_array(&w->json, w->json.root, "states");
  for (uint32_t i = l->moving; i < l->n; i++)
    json_add_text(&w->json, states, NULL, coordinate_name(w, i));
  if (!l->has_state_space) return;
  JsonValue *all = json_add_array(&w->json, w->json.root, "state_vector");
  for (uint32_t i = 0; i < l->state.size; i++) {
    StateName name = linearized_state(l, i);
    json_add_text(&w->json, all, NULL,
                  text_format(&w->cx->scratch, "%s%s", coordinate_name(w, name.coordinate),
                              name.is_rate ? "'" : ""));
  }
  for (uint32_t i = 0; l->sampled && i < l->sampled->waiting; i++)
    json_add_text(&w->json, all, NULL, l->sampled->waiting_names[i]);
}

static void add_sample_time(Writer *w, double period) {
  if (period > 0)
    json_add_number(&w->json, w->json.root, "sample_time", period);
  else
    json_add_null(&w->json, w->json.root, "sample_time");
}

// x' = A x + B u; or, of a sampled loop, x[k+1] = A x[k] + B u[k].
static void add_state_space(Writer *w, const Linearized *l) {
  bool has = l->has_state_space;
  uint32_t size = l->sampled ? l->sampled->size : l->state.size;
  add_sample_time(w, l->sampled ? l->sampled->period : 0);
  add_matrix(w, "A", l->sampled ? l->sampled->A : has ? l->state.A : NULL, size, size);
  add_matrix(w, "B", l->sampled ? l->sampled->B : has ? l->state.B : NULL, size, l->inputs);
  double *C = NULL;
  if (has) {
    C = arena_array(&w->cx->scratch, double, (size_t)l->outputs *size + 1);
    for (uint32_t k = 0; k < l->outputs; k++) // values on their way show in no output
      memcpy(C + (size_t)k * size, l->C_out + (size_t)k * l->state.size, l->state.size * sizeof *C);
  }
  add_matrix(w, "C_out", C, l->outputs, size);
  add_matrix(w, "D_out", has ? l->D_out : NULL, l->outputs, l->inputs);
}

// ---- The point

static void add_point(Writer *w, JsonValue *parent, const Steady *s, const double *u) {
  JsonValue *point = json_add_object(&w->json, parent, "point");
  for (uint32_t i = 0; i < w->model->coordinates.n; i++)
    json_add_number(&w->json, point, coordinate_name(w, i), s->q[i]);
  for (uint32_t i = 0; i < w->model->coordinates.n; i++)
    if (s->qd[i] != 0)
      json_add_number(&w->json, point, text_format(&w->cx->scratch, "%s'", coordinate_name(w, i)),
                      s->qd[i]);
  for (uint32_t i = 0; u && i < w->model->inputs.n; i++)
    json_add_number(&w->json, point, symbol_text(w->cx, w->model->inputs.at[i].name), u[i]);
}

static void add_expr(Writer *w, JsonValue *parent, const char *key, Expr e) {
  Mark mark = arena_mark(&w->cx->scratch);
  Text text = text_new(&w->cx->scratch);
  if (w->parts)
    parts_print(w->parts, e, &text);
  else
    expr_print(w->cx, e, NULL, &text);
  json_add_text(&w->json, parent, key, text.at);
  arena_release(&w->cx->scratch, mark);
}

// What closed forms rest on: parameters taken as 0, and the values of the names in them.
static void add_terms_of_form(Writer *w, JsonValue *parent, const ClosedForm *form) {
  JsonValue *zeros = json_add_array(&w->json, parent, "parameters_taken_as_zero");
  for (uint32_t i = 0; i < form->zeros.n; i++)
    json_add_text(&w->json, zeros, NULL, symbol_text(w->cx, symbol_name(w->cx, form->zeros.at[i])));
  JsonValue *symbols = json_add_object(&w->json, parent, "symbols");
  for (uint32_t i = 0; i < form->names.n; i++) {
    const PointName *name = &form->names.at[i];
    json_add_number(&w->json, symbols, symbol_text(w->cx, symbol_name(w->cx, name->symbol)),
                    name->value);
  }
}

static void add_closed_form(Writer *w, JsonValue *parent, const ClosedForm *form) {
  JsonValue *exact = json_add_object(&w->json, parent, "point_exact");
  for (uint32_t i = 0; i < w->model->coordinates.n; i++) {
    add_expr(w, exact, coordinate_name(w, i), form->q[i]);
    if (!expr_is_zero(w->cx, form->qd[i]))
      add_expr(w, exact, text_format(&w->cx->scratch, "%s'", coordinate_name(w, i)), form->qd[i]);
  }
  add_terms_of_form(w, parent, form);
}

static void add_multipliers(Writer *w, JsonValue *parent, const System *system, const Steady *s) {
  JsonValue *lambda = json_add_object(&w->json, parent, "lambda");
  for (uint32_t k = 0; k < system->row_count; k++)
    json_add_number(&w->json, lambda, symbol_text(w->cx, system->rows[k].name), s->lambda[k] + 0.0);
  for (uint32_t k = 0; k < system->contact_count; k++)
    json_add_number(&w->json, lambda, symbol_text(w->cx, system->contacts[k].name),
                    s->lambda[system->row_count + k]);
}

// ---- Modes

static void add_eigenvalues(Writer *w, JsonValue *parent, const Modes *m, bool is_balanced) {
  JsonValue *list = json_add_array(&w->json, parent, "eigenvalues");
  for (uint32_t k = 0; m && k < m->eigenvalue_count; k++)
    add_numbers(w, list, NULL, m->eigenvalue[k], 2);
  JsonValue *hz = json_add_array(&w->json, parent, "frequencies_hz");
  for (uint32_t k = 0; m && k < m->count; k++)
    if (m->mode[k].kind != MODE_EXPONENTIAL) json_add_number(&w->json, hz, NULL, m->mode[k].hz);
  JsonValue *damped = json_add_array(&w->json, parent, "damped_frequencies_hz");
  for (uint32_t k = 0; m && k < m->count; k++)
    if (m->mode[k].kind != MODE_EXPONENTIAL)
      json_add_number(&w->json, damped, NULL, m->mode[k].damped_hz);
  JsonValue *damping = json_add_array(&w->json, parent, "damping_ratios");
  for (uint32_t k = 0; m && k < m->count; k++)
    if (m->mode[k].kind != MODE_EXPONENTIAL)
      json_add_number(&w->json, damping, NULL, m->mode[k].damping);
  if (m && m->infinite) json_add_integer(&w->json, parent, "infinite_eigenvalues", m->infinite);
  if (m && is_balanced)
    json_add_text(&w->json, parent, "stability", stability_text(m));
  else
    json_add_null(&w->json, parent, "stability");
}

static void add_mode(Writer *w, JsonValue *list, const Mode *mode) {
  static const char *const kinds[] = {"rigid", "oscillation", "exponential"};
  JsonValue *object = json_add_object(&w->json, list, NULL);
  json_add_text(&w->json, object, "kind", kinds[mode->kind]);
  add_numbers(w, object, "eigenvalue", (double[]){mode->re, mode->im}, 2);
  json_add_number(&w->json, object, "frequency_hz", mode->hz);
  json_add_number(&w->json, object, "damped_frequency_hz", mode->damped_hz);
  json_add_number(&w->json, object, "omega", mode->omega);
  json_add_number(&w->json, object, "damping_ratio", mode->damping);
  JsonValue *shape = json_add_object(&w->json, object, "shape");
  for (uint32_t i = 0; i < w->model->coordinates.n; i++)
    add_numbers(w, shape, coordinate_name(w, i), (double[]){mode->shape_re[i], mode->shape_im[i]},
                2);
}

static void add_modes(Writer *w, JsonValue *parent, const Modes *m) {
  JsonValue *list = json_add_array(&w->json, parent, "modes");
  for (uint32_t k = 0; m && k < m->count; k++) add_mode(w, list, &m->mode[k]);
}

// ---- Expressions

static void add_expr_matrix(Writer *w, const char *key, const Expr *e, uint32_t rows,
                            uint32_t columns) {
  if (!e) {
    json_add_null(&w->json, w->json.root, key);
    return;
  }
  JsonValue *list = json_add_array(&w->json, w->json.root, key);
  for (uint32_t i = 0; i < rows; i++) {
    JsonValue *row = json_add_array(&w->json, list, NULL);
    for (uint32_t j = 0; j < columns; j++) add_expr(w, row, NULL, e[i * columns + j]);
  }
}

static void add_parts(Writer *w) {
  if (w->parts->list.n == 0) return;
  JsonValue *lets = json_add_array(&w->json, w->json.root, "let");
  for (uint32_t i = 0; i < w->parts->list.n; i++) {
    Mark mark = arena_mark(&w->cx->scratch);
    Text body = text_new(&w->cx->scratch);
    parts_print_body(w->parts, i, &body);
    JsonValue *pair = json_add_array(&w->json, lets, NULL);
    json_add_text(&w->json, pair, NULL, w->parts->names[i]);
    json_add_text(&w->json, pair, NULL, body.at);
    arena_release(&w->cx->scratch, mark);
  }
}

static void push_all(Context *cx, ExprList *list, const Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++) vec_push(&cx->scratch, list, e[i]);
}

static ExprList shown_exprs(const Linearized *l) {
  ExprList list = {0};
  push_all(l->cx, &list, l->form.q, l->n);
  push_all(l->cx, &list, l->form.qd, l->n);
  if (!l->M) return list;
  push_all(l->cx, &list, l->M, (size_t)l->f * l->f);
  push_all(l->cx, &list, l->C, (size_t)l->f * l->f);
  push_all(l->cx, &list, l->K, (size_t)l->f * l->p);
  push_all(l->cx, &list, l->K_constraint, (size_t)l->f * l->p);
  push_all(l->cx, &list, l->B, (size_t)l->f * l->inputs);
  push_all(l->cx, &list, l->Q, l->f);
  return list;
}

// null where exact entries would be too large.
static void add_equations(Writer *w, const Linearized *l) {
  add_expr_matrix(w, "M", l->M, l->f, l->f);
  add_expr_matrix(w, "C", l->C, l->f, l->f);
  add_expr_matrix(w, "K", l->K, l->f, l->p);
  if (l->Q) {
    JsonValue *Q = json_add_array(&w->json, w->json.root, "Q");
    for (uint32_t i = 0; i < l->f; i++) add_expr(w, Q, NULL, l->Q[i]);
  } else {
    json_add_null(&w->json, w->json.root, "Q");
  }
  add_expr_matrix(w, "K_constraint", l->K_constraint, l->f, l->p);
  add_expr_matrix(w, "B_force", l->B, l->f, l->inputs);
}

// ---- Documents

static void add_ports(Writer *w) {
  JsonValue *inputs = json_add_array(&w->json, w->json.root, "inputs");
  for (uint32_t i = 0; i < w->model->inputs.n; i++)
    json_add_text(&w->json, inputs, NULL, symbol_text(w->cx, w->model->inputs.at[i].name));
  JsonValue *outputs = json_add_array(&w->json, w->json.root, "outputs");
  for (uint32_t i = 0; i < w->model->outputs.n; i++)
    json_add_text(&w->json, outputs, NULL, symbol_text(w->cx, w->model->outputs.at[i].name));
}

static void begin(Writer *w, const System *system) {
  *w = (Writer){.cx = system->cx, .model = system->model};
  json_open(w->cx, &w->json);
}

static void finish(Writer *w, Text *out) {
  json_print(&w->json, out);
  json_close(&w->json);
}

void linear_json(const Linearized *l, const Modes *modes, Text *out) {
  ExprList shown = shown_exprs(l);
  Parts parts;
  parts_open(l->cx, shown.at, shown.n, PARTS_WHERE_SWELLING, &parts);
  Writer w;
  begin(&w, l->system);
  w.parts = &parts;
  bool is_motion = !l->sampled; // of a sampled loop the map of a period is what counts
  add_names(&w, "independent", l->choice.z, l->p);
  if (l->f < l->p) add_names(&w, "independent_velocities", l->choice.z, l->f);
  add_states(&w, l);
  add_point(&w, w.json.root, l->point, l->u);
  add_closed_form(&w, w.json.root, &l->form);
  add_parts(&w);
  add_equations(&w, l);
  add_matrix(&w, "Mnum", is_motion ? l->number.M : NULL, l->f, l->f);
  add_matrix(&w, "Cnum", is_motion ? l->number.C : NULL, l->f, l->f);
  add_matrix(&w, "Knum", is_motion ? l->number.K : NULL, l->f, l->p);
  add_state_space(&w, l);
  add_ports(&w);
  add_eigenvalues(&w, w.json.root, modes, l->is_balanced);
  add_multipliers(&w, w.json.root, l->system, l->point);
  finish(&w, out);
  parts_close(&parts);
}

void modes_json(const Linearized *l, const Modes *modes, const FrequencyForms *forms, Text *out) {
  Writer w;
  begin(&w, l->system);
  add_point(&w, w.json.root, l->point, l->u);
  add_sample_time(&w, modes->period);
  add_eigenvalues(&w, w.json.root, modes, l->is_balanced);
  add_modes(&w, w.json.root, modes);
  JsonValue *squares = json_add_array(&w.json, w.json.root, "omega_squared");
  for (uint32_t i = 0; forms && i < forms->n; i++) add_expr(&w, squares, NULL, forms->at[i].square);
  add_terms_of_form(&w, w.json.root, &l->form);
  finish(&w, out);
}

// {"phi'": 5}: of cyclic coordinates in a stationary motion.
static void add_rates(Writer *w, JsonValue *object, const Stationary *s, uint32_t i) {
  JsonValue *rates = json_add_object(&w->json, object, "cyclic");
  for (uint32_t k = 0; k < s->cyclic; k++)
    json_add_number(&w->json, rates, expr_text(w->json.cx, &w->json.cx->scratch, s->qd[k]),
                    s->rate[i * s->cyclic + k]);
}

void equilibria_json(const System *system, const Equilibria *e, const Stationary *stationary,
                     Text *out) {
  Writer w;
  begin(&w, system);
  json_add_bool(&w.json, w.json.root, "complete", e->is_complete);
  JsonValue *list = json_add_array(&w.json, w.json.root, "equilibria");
  for (uint32_t i = 0; i < e->n; i++) {
    const Equilibrium *it = &e->at[i];
    JsonValue *object = json_add_object(&w.json, list, NULL);
    add_point(&w, object, it->state, NULL);
    if (stationary) add_rates(&w, object, stationary, i);
    add_closed_form(&w, object, &it->form);
    add_multipliers(&w, object, system, it->state);
    add_eigenvalues(&w, object, it->has_modes ? &it->modes : NULL, true);
    if (it->has_modes && it->modes.stability == STABILITY_UNSTABLE) {
      JsonValue *growing = json_add_array(&w.json, object, "growing");
      add_mode(&w, growing, &it->modes.mode[it->modes.growing]);
    }
  }
  finish(&w, out);
}
