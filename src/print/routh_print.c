// Routh's reduction on a terminal and in JSON.
#include "derive/roads/routh.h"
#include "derive/solve_linear.h"
#include "expr/build.h"
#include "print/road_print.h"

static const char *own(const TerminalPage *page, const char *name) {
  return own_name(page->cx, name, !page->style->unicode);
}

static Expr *symbols_of(Context *cx, const Expr *symbols, const uint32_t *at, uint32_t n) {
  Expr *out = arena_array(&cx->scratch, Expr, n + 1);
  for (uint32_t k = 0; k < n; k++) out[k] = symbols[at[k]];
  return out;
}

static void show_text(TerminalPage *page, const System *s, const void *road) {
  const Routh *r = road;
  Context *cx = page->cx;
  terminal_gap(page);
  road_print_equations(page, r->p, r->momentum, r->cyclic);
  road_print_equations(page, symbols_of(cx, s->qd, r->cyclic_at, r->cyclic), r->velocity,
                       r->cyclic);
  terminal_gap(page);
  terminal_equation(page, own(page, "R"), terminal_set(page, r->function));
  terminal_equation(page, own(page, "V_eff"), terminal_set(page, r->effective));
  terminal_gap(page);
  for (uint32_t k = 0; k < r->rest; k++) {
    const char *left = terminal_set(page, routh_left(cx, s, r, k));
    terminal_equation(page, left, terminal_set(page, r->right[k]));
  }
  road_print_equations(page, s->sd, r->state_rate, r->states);
}

static void write_names(ListingWriter *w, const System *s, const Routh *r) {
  JsonValue *list = json_add_array(&w->json, w->json.root, "cyclic");
  for (uint32_t k = 0; k < r->cyclic; k++)
    json_add_text(&w->json, list, NULL, expr_text(w->cx, &w->cx->scratch, s->q[r->cyclic_at[k]]));
}

// Accelerations of the other coordinates, velocities of the cyclic ones.
static void write_json(ListingWriter *w, const System *s, const void *road) {
  const Routh *r = road;
  Context *cx = w->cx;
  JsonValue *root = w->json.root;
  Expr *acceleration = arena_array(&cx->scratch, Expr, r->rest + 1), relation;
  Expr *below = arena_array(&cx->scratch, Expr, r->rest + 1);
  write_names(w, s, r);
  writer_add_expr(w, root, "routhian", r->function);
  writer_add_expr(w, root, "effective_potential", r->effective);
  JsonValue *momenta = json_add_object(&w->json, root, "momenta");
  writer_add_equations(w, momenta, symbols_of(cx, s->q, r->cyclic_at, r->cyclic), r->momentum,
                       r->cyclic);
  JsonValue *kinematics = json_add_object(&w->json, root, "kinematics");
  writer_add_equations(w, kinematics, symbols_of(cx, s->qd, r->cyclic_at, r->cyclic), r->velocity,
                       r->cyclic);
  JsonValue *equations = json_add_object(&w->json, root, "equations");
  if (solve_linear(cx, r->m, r->right, r->rest, acceleration, below, &relation))
    writer_add_equations(w, equations, symbols_of(cx, s->qdd, r->rest_at, r->rest), acceleration,
                         r->rest);
  writer_add_equations(w, equations, s->sd, r->state_rate, r->states);
}

const RoadPrint routh_print = {show_text, write_json};
