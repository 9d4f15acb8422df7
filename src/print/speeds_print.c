// Equations in quasi-velocities on a terminal and in JSON.
#include "derive/speeds/boltzmann.h"
#include "derive/speeds/kane.h"
#include "expr/build.h"
#include "print/road_print.h"

static const char *own(const TerminalPage *page, const char *name) {
  return own_name(page->cx, name, !page->style->unicode);
}

// ---- What all of them show

static Expr *inertias_of(Context *cx, const SpeedEquations *e) {
  Expr *all = arena_array(&cx->scratch, Expr, e->speeds.count + 1);
  for (uint32_t r = 0; r < e->speeds.count; r++) all[r] = speed_equations_inertia(cx, e, r);
  return all;
}

static void show_speeds(TerminalPage *page, const SpeedEquations *e) {
  terminal_gap(page);
  road_print_equations(page, e->speeds.u, e->speeds.meaning, e->speeds.count);
}

static void show_equations(TerminalPage *page, const System *s, const SpeedEquations *e) {
  const Speeds *sp = &e->speeds;
  terminal_gap(page);
  road_print_equations(page, s->qd, sp->velocity, sp->n);
  if (e->is_implicit)
    road_print_equations(page, inertias_of(page->cx, e), e->force, sp->count);
  else
    road_print_equations(page, sp->ud, e->rate, sp->count);
  road_print_equations(page, s->sd, e->state_rate, e->states);
}

static void write_equations(ListingWriter *w, const System *s, const SpeedEquations *e) {
  const Speeds *sp = &e->speeds;
  JsonValue *root = w->json.root;
  writer_add_equations(w, json_add_object(&w->json, root, "speeds"), sp->u, sp->meaning, sp->count);
  JsonValue *kinematics = json_add_object(&w->json, root, "kinematics");
  writer_add_equations(w, kinematics, s->qd, sp->velocity, sp->n);
  JsonValue *equations = json_add_object(&w->json, root, "equations");
  writer_add_equations(w, equations, sp->ud, e->rate, sp->count);
  writer_add_equations(w, equations, s->sd, e->state_rate, e->states);
}

// ---- Kane, Gibbs and Appell

// dG.x'/du_1 = ...
static void show_partial(TerminalPage *page, Expr velocity, Expr u, Expr value) {
  Context *cx = page->cx;
  if (expr_is_zero(cx, value)) return;
  bool is_sum = op_of(cx, velocity) == OP_SUM;
  const char *d = page->face->partial, *name = terminal_set(page, velocity);
  const char *left = text_format(&cx->scratch, is_sum ? "%s(%s)/%s%s" : "%s%s/%s%s", d, name, d,
                                 terminal_set(page, u));
  terminal_equation(page, left, terminal_set(page, value));
}

static void show_kane(TerminalPage *page, const System *s, const void *road) {
  const Kane *kane = road;
  const Motions *m = &kane->motions;
  const Speeds *sp = &kane->equations.speeds;
  show_speeds(page, &kane->equations);
  terminal_gap(page);
  for (uint32_t k = 0; k < m->count; k++)
    for (uint32_t r = 0; r < sp->count; r++)
      show_partial(page, m->squares[k].velocity, sp->u[r], m->partial[k * sp->count + r]);
  show_equations(page, s, &kane->equations);
}

static void show_gibbs(TerminalPage *page, const System *s, const void *road) {
  const Kane *kane = road;
  show_speeds(page, &kane->equations);
  terminal_gap(page);
  terminal_equation(page, own(page, "S"), terminal_set(page, kane->S));
  show_equations(page, s, &kane->equations);
}

// The table of partial velocities: for each velocity in T its derivatives by the speeds.
static void write_kane(ListingWriter *w, const System *s, const void *road) {
  const Kane *kane = road;
  const Motions *m = &kane->motions;
  const Speeds *sp = &kane->equations.speeds;
  JsonValue *table = json_add_object(&w->json, w->json.root, "partial_velocities");
  for (uint32_t k = 0; k < m->count; k++) {
    const char *name = expr_text(w->cx, &w->cx->scratch, m->squares[k].velocity);
    JsonValue *row = json_add_object(&w->json, table, name);
    writer_add_equations(w, row, sp->u, m->partial + (size_t)k * sp->count, sp->count);
  }
  if (kane->S) writer_add_expr(w, w->json.root, "S", kane->S);
  write_equations(w, s, &kane->equations);
}

const RoadPrint kane_print = {show_kane, write_kane};
const RoadPrint gibbs_appell_print = {show_gibbs, write_kane};

// ---- Boltzmann and Hamel

static void show_coefficient(TerminalPage *page, const Boltzmann *b, uint32_t s, uint32_t r,
                             uint32_t t) {
  const Speeds *sp = &b->equations.speeds;
  Context *cx = page->cx;
  Expr value = boltzmann_gamma(b, s, r, t);
  if (expr_is_zero(cx, value)) return;
  const char *first = terminal_set(page, b->u[s]), *second = terminal_set(page, sp->u[r]);
  const char *last = t < sp->count ? terminal_set(page, sp->u[t]) : "t";
  const char *gamma = terminal_name(page, own(page, "gamma"));
  const char *left = text_format(&cx->scratch, "%s(%s; %s, %s)", gamma, first, second, last);
  terminal_equation(page, left, terminal_set(page, value));
}

static void show_boltzmann(TerminalPage *page, const System *s, const void *road) {
  const Boltzmann *b = road;
  const Speeds *sp = &b->equations.speeds;
  show_speeds(page, &b->equations);
  terminal_gap(page);
  terminal_equation(page, own(page, "T"), terminal_set(page, b->T));
  for (uint32_t i = 0; i < sp->n; i++)
    for (uint32_t r = 0; r < sp->count; r++)
      for (uint32_t t = 0; t <= sp->count; t++) show_coefficient(page, b, i, r, t);
  show_equations(page, s, &b->equations);
}

// {"of", "speed", "with", "value"}: gamma^of_speed,with; "with" is t where no speed stands.
static void write_boltzmann(ListingWriter *w, const System *s, const void *road) {
  const Boltzmann *b = road;
  const Speeds *sp = &b->equations.speeds;
  Arena *arena = &w->cx->scratch;
  writer_add_expr(w, w->json.root, "T_speeds", b->T);
  JsonValue *list = json_add_array(&w->json, w->json.root, "coefficients");
  for (uint32_t i = 0; i < sp->n; i++)
    for (uint32_t r = 0; r < sp->count; r++)
      for (uint32_t t = 0; t <= sp->count; t++) {
        Expr value = boltzmann_gamma(b, i, r, t);
        if (expr_is_zero(w->cx, value)) continue;
        JsonValue *entry = json_add_object(&w->json, list, NULL);
        json_add_text(&w->json, entry, "of", expr_text(w->cx, arena, b->u[i]));
        json_add_text(&w->json, entry, "speed", expr_text(w->cx, arena, sp->u[r]));
        const char *with = t < sp->count ? expr_text(w->cx, arena, sp->u[t]) : "t";
        json_add_text(&w->json, entry, "with", with);
        writer_add_expr(w, entry, "value", value);
      }
  write_equations(w, s, &b->equations);
}

const RoadPrint boltzmann_hamel_print = {show_boltzmann, write_boltzmann};

// ---- Maggi

static void show_maggi(TerminalPage *page, const System *s, const void *road) {
  show_speeds(page, road);
  show_equations(page, s, road);
}

static void write_maggi(ListingWriter *w, const System *s, const void *road) {
  write_equations(w, s, road);
}

const RoadPrint maggi_print = {show_maggi, write_maggi};
