// Hamilton's equations on a terminal and in JSON.
#include "derive/roads/hamilton.h"
#include "print/road_print.h"

static const char *own(const TerminalPage *page, const char *name) {
  return own_name(page->cx, name, !page->style->unicode);
}

static Expr *rates_of(Context *cx, const Hamilton *h) {
  Expr *rates = arena_array(&cx->scratch, Expr, h->n + 1);
  for (uint32_t i = 0; i < h->n; i++) rates[i] = hamilton_rate(cx, h, i);
  return rates;
}

static void show_text(TerminalPage *page, const System *s, const void *road) {
  const Hamilton *h = road;
  Context *cx = page->cx;
  terminal_gap(page);
  road_print_equations(page, h->p, h->momentum, h->n);
  terminal_gap(page);
  terminal_equation(page, own(page, "H"), terminal_set(page, h->H));
  terminal_gap(page);
  if (h->is_implicit)
    terminal_sentence(page, text_format(&cx->scratch, "%s from %s = %s %s%s", own(page, "q'"),
                                        own(page, "p"), own(page, "M"), own(page, "q'"),
                                        hamilton_moves(cx, h) ? " + b" : ""));
  else
    road_print_equations(page, s->qd, h->velocity, h->n);
  road_print_equations(page, h->pd, rates_of(cx, h), h->n);
  road_print_equations(page, s->sd, h->state_rate, h->states);
}

// H, the momenta in velocities, the canonical equations in coordinates and momenta.
static void write_json(ListingWriter *w, const System *s, const void *road) {
  const Hamilton *h = road;
  writer_add_expr(w, w->json.root, "H", h->H);
  JsonValue *momenta = json_add_object(&w->json, w->json.root, "momenta");
  writer_add_equations(w, momenta, s->q, h->momentum, h->n);
  JsonValue *equations = json_add_object(&w->json, w->json.root, "equations");
  writer_add_equations(w, equations, s->qd, h->velocity, h->n);
  writer_add_equations(w, equations, h->pd, rates_of(w->cx, h), h->n);
  writer_add_equations(w, equations, s->sd, h->state_rate, h->states);
}

const RoadPrint hamilton_print = {show_text, write_json};
