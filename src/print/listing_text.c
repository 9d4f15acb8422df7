// The text of `qdot derive`.
#include "print/listing_text.h"

#include "analyse/mobility/freedom.h"
#include "expr/build.h"
#include "model/momentum.h"
#include "print/abbreviations.h"
#include "print/counts.h"
#include "print/press_form.h"
#include "print/road_print.h"

typedef struct Printer {
  Context *cx;
  const Listing *listing;
  Parts parts;
  PartNames names;
  TerminalPage page;
} Printer;

// ---- The head

static void print_title(Printer *p) {
  const System *s = p->listing->system;
  Text out = text_new(&p->cx->scratch);
  counts_add(&out, s->model->title[0] ? s->model->title : "Untitled model",
             (Counts){s->n, s->row_count, s->contact_count, model_freedom(s->model), s->states});
  terminal_sentence(&p->page, out.at);
}

static const char *own(const Printer *p, const char *name) {
  return own_name(p->cx, name, !p->page.style->unicode);
}

// p_φ, or the name that the model states.
static const char *momentum_text(Printer *p, uint32_t coordinate) {
  const System *s = p->listing->system;
  if (s->model->coordinates.at[coordinate].momentum)
    return terminal_set(&p->page, momentum_symbol(s->model, coordinate));
  return text_format(&p->cx->scratch, "p_%s", terminal_set(&p->page, s->q[coordinate]));
}

static void print_conserved(Printer *p) {
  for (uint32_t i = 0; i < p->listing->conserved_count; i++) {
    const Conserved *it = &p->listing->conserved[i];
    Text out = text_new(&p->cx->scratch);
    switch (it->kind) {
    case CONSERVED_ENERGY:
      text_addf(&out, "Conserved: energy %s = %s + %s", own(p, "E"), own(p, "T"), own(p, "V"));
      break;
    case CONSERVED_JACOBI:
      text_addf(&out, "Conserved: Jacobi integral %s = %s", own(p, "E"),
                terminal_set(&p->page, it->value));
      break;
    case CONSERVED_MOMENTUM:
      text_addf(&out, "Conserved: momentum %s = ", momentum_text(p, it->coordinate));
      text_add(&out, terminal_set(&p->page, it->value));
    }
    terminal_sentence(&p->page, out.at);
  }
}

// ---- The equation of motion, with the terms that it has

// "h(q, q', t)" with what h depends on.
static void add_term(Printer *p, Text *out, ListedKey key) {
  static const struct {
    SymbolKind kind;
    const char *text;
  } arguments[] = {{SYMBOL_COORDINATE, "q"},
                   {SYMBOL_VELOCITY, "q'"},
                   {SYMBOL_STATE, "s"},
                   {SYMBOL_INPUT, "u"},
                   {SYMBOL_TIME, "t"}};
  const Listed *e = &p->listing->at[key];
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < e->rows * e->columns; i++) kinds |= node_of(p->cx, e->values[i])->kinds;
  text_add(out, terminal_name(&p->page, own(p, e->name)));
  const char *before = "(";
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    if (!(kinds & KIND_BIT(arguments[i].kind))) continue;
    text_addf(out, "%s%s", before, arguments[i].text);
    before = ", ";
  }
  if (*before == ',') text_add_char(out, ')');
}

static void print_equation_of_motion(Printer *p) {
  const Listed *at = p->listing->at;
  bool unicode = p->page.style->unicode, constrained = p->listing->system->row_count > 0;
  Text out = text_new(&p->cx->scratch);
  add_term(p, &out, LISTED_M);
  text_add(&out, " q''");
  if (p->listing->is_linear) {
    if (!listed_is_zero(p->cx, &at[LISTED_C])) text_addf(&out, " + %s q'", own(p, "C"));
    if (!listed_is_zero(p->cx, &at[LISTED_K])) text_addf(&out, " + %s q", own(p, "K"));
    if (!listed_is_zero(p->cx, &at[LISTED_REST])) text_add(&out, " + rest");
  }
  for (ListedKey key = LISTED_H; !p->listing->is_linear && key <= LISTED_G; key++) {
    if (listed_is_zero(p->cx, &at[key])) continue;
    text_add(&out, " + ");
    add_term(p, &out, key);
  }
  text_add(&out, " = ");
  bool forced = !listed_is_zero(p->cx, &at[LISTED_Q]);
  if (forced) add_term(p, &out, LISTED_Q);
  if (constrained) {
    text_add(&out, forced ? p->page.face->minus : p->page.face->negative);
    text_add(&out, unicode ? "Φ_qᵀ λ" : "Phi_q^T lambda");
  } else if (!forced) {
    text_add(&out, "0");
  }
  terminal_gap(&p->page);
  terminal_sentence(&p->page, out.at);
  if (constrained) terminal_sentence(&p->page, unicode ? "Φ_q q'' = γ" : "Phi_q q'' = gamma");
}

// ---- Another road than Lagrange's

static void show_road(Printer *p) {
  const RoadTaken *taken = &p->listing->road;
  road_print(taken->road)->text(&p->page, p->listing->system, taken->result);
}

// ---- The tables

// What is 0 is shown only where somebody asked for it by name; energies only then.
static bool is_shown(const Printer *p, ListedKey key) {
  const Listed *e = &p->listing->at[key];
  if (!e->is_wanted || e->rows == 0) return false;
  if (p->listing->is_chosen) return true;
  if (listing_by_road(p->listing) && !listed_beside_road(key)) return false;
  // A linear system has C, K and rest instead.
  if (p->listing->is_linear && key >= LISTED_H && key <= LISTED_G) return false;
  return key > LISTED_R && !listed_is_zero(p->cx, e);
}

static void show_table(Printer *p, ListedKey key) {
  const Listed *e = &p->listing->at[key];
  const System *s = p->listing->system;
  if (!is_shown(p, key)) return;
  Grid grid = {own(p, e->name), e->rows, e->columns, e->values, key == LISTED_M, NULL};
  if (key == LISTED_PHI) {
    const char **names = arena_array(&p->cx->scratch, const char *, e->rows);
    for (uint32_t i = 0; i < e->rows; i++) names[i] = symbol_text(p->cx, s->rows[i].name);
    grid.row_names = names;
  }
  terminal_grid(&p->page, &grid);
}

static void show_energies(Printer *p) {
  if (listing_by_road(p->listing)) return;
  terminal_gap(&p->page);
  for (ListedKey key = LISTED_T; key <= LISTED_R; key++) {
    const Listed *e = &p->listing->at[key];
    if (!is_shown(p, key)) continue;
    terminal_equation(&p->page, own(p, e->name), terminal_set(&p->page, e->values[0]));
  }
}

static void show_tables(Printer *p) {
  show_table(p, LISTED_M);
  for (ListedKey key = LISTED_C; key < LISTED_COUNT; key++) show_table(p, key);
  terminal_end_line(&p->page);
  for (ListedKey key = LISTED_H; key <= LISTED_Q; key++) show_table(p, key);
  terminal_end_line(&p->page);
  for (ListedKey key = LISTED_PHI; key <= LISTED_GAMMA; key++) show_table(p, key);
  terminal_end_line(&p->page);
}

static void show_friction(Printer *p, uint32_t i) {
  const System *s = p->listing->system;
  const Contact *c = &s->model->contacts.at[i];
  bool unicode = p->page.style->unicode;
  Arena *arena = &p->cx->scratch;
  const char *v = own(p, "v"), *force = terminal_set(&p->page, c->friction);
  const char *slides = terminal_set(&p->page, expr_mul(p->cx, c->mu, c->multiplier));
  const char *rests = terminal_set(&p->page, expr_mul(p->cx, c->mu_rest, c->multiplier));
  terminal_sentence(&p->page,
                    text_format(arena,
                                "friction along it: %s = %s%s sign %s while it slides, |%s| %s "
                                "%s while %s = 0",
                                force, unicode ? "−" : "-", slides, v, force,
                                unicode ? "≤" : "<=", rests, v));
  Grid slip = {.name = v, .rows = 1, .columns = 1};
  slip.values = p->listing->at[LISTED_SLIP].values + i;
  terminal_grid(&p->page, &slip);
  terminal_end_line(&p->page);
}

static void show_rolling(Printer *p, uint32_t i) {
  const System *s = p->listing->system;
  const Contact *c = &s->model->contacts.at[i];
  bool unicode = p->page.style->unicode;
  const char *torque = terminal_set(&p->page, c->torque);
  const char *most = terminal_set(&p->page, expr_mul(p->cx, c->rolling, c->multiplier));
  const char *spin = unicode ? "ω" : "omega";
  terminal_sentence(&p->page, text_format(&p->cx->scratch,
                                          "resistance to rolling: %s = %s%s sign %s while it "
                                          "rolls, |%s| %s %s while %s = 0",
                                          torque, unicode ? "−" : "-", most, spin, torque,
                                          unicode ? "≤" : "<=", most, spin));
  Grid rate = {.name = spin, .rows = 1, .columns = 1};
  rate.values = p->listing->at[LISTED_SLIP].values + system_spin(s, i);
  terminal_grid(&p->page, &rate);
  terminal_end_line(&p->page);
}

// θ'' + g sin(θ)/L = 0
static void show_solved(Printer *p) {
  Expr left, right;
  if (p->listing->is_chosen || listing_by_road(p->listing) ||
      !listing_solved(p->listing, &left, &right))
    return;
  terminal_gap(&p->page);
  Text out = text_new(&p->cx->scratch);
  text_add(&out, terminal_set(&p->page, p->listing->system->qdd[0]));
  TermList terms = expr_terms(p->cx, left);
  Typesetter t = {.cx = p->cx, .face = p->page.face, .out = &out};
  for (uint32_t i = 0; !expr_is_zero(p->cx, left) && i < terms.n; i++)
    typeset_term(&t, terms.at[i], false);
  terminal_equation(&p->page, out.at, terminal_set(&p->page, right));
}

static void show_joints_that_rub(Printer *p) {
  const Model *model = p->listing->system->model;
  for (uint32_t i = 0; i < model->presses.n; i++) {
    const Press *press = &model->presses.at[i];
    PressForm form = press_form(p->listing, i);
    terminal_gap(&p->page);
    const char *force = terminal_set(&p->page, form.force);
    const char *pressing = terminal_set(&p->page, press->symbol);
    terminal_sentence(&p->page,
                      text_format(&p->cx->scratch,
                                  "joint %s: friction %s while it moves, at most as much while it "
                                  "rests; %s, what presses it, follows from its own reaction",
                                  symbol_text(p->cx, press->name), force, pressing));
    if (form.value) {
      Grid value = {.name = symbol_text(p->cx, symbol_name(p->cx, press->symbol)),
                    .rows = 1,
                    .columns = 1,
                    .values = &form.value};
      terminal_grid(&p->page, &value);
    }
    terminal_end_line(&p->page);
  }
}

static void show_contacts(Printer *p) {
  const Listed *at = p->listing->at;
  const System *s = p->listing->system;
  bool unicode = p->page.style->unicode;
  if (at[LISTED_Q].is_wanted) show_joints_that_rub(p);
  for (uint32_t i = 0; at[LISTED_CONTACT_PHI].is_wanted && i < s->contact_count; i++) {
    terminal_gap(&p->page);
    terminal_sentence(&p->page,
                      text_format(&p->cx->scratch, "contact %s: %s, force %s, %s",
                                  symbol_text(p->cx, s->contacts[i].name),
                                  text_format(&p->cx->scratch, unicode ? "%s ≤ 0" : "%s <= 0",
                                              terminal_name(&p->page, own(p, "phi"))),
                                  text_format(&p->cx->scratch, unicode ? "−%sᵀ λ" : "-%s^T lambda",
                                              terminal_name(&p->page, own(p, "phi_q"))),
                                  unicode ? "λ ≥ 0" : "lambda >= 0"));
    Grid phi = {.name = own(p, "phi"),
                .rows = 1,
                .columns = 1,
                .values = at[LISTED_CONTACT_PHI].values + i};
    Grid phi_q = {.name = own(p, "phi_q"), .rows = 1, .columns = s->n};
    phi_q.values = at[LISTED_CONTACT_PHI_Q].values + i * s->n;
    Grid restitution = {.name = own(p, "e"), .rows = 1, .columns = 1};
    restitution.values = at[LISTED_RESTITUTION].values + i;
    terminal_grid(&p->page, &phi);
    terminal_grid(&p->page, &phi_q);
    terminal_grid(&p->page, &restitution);
    terminal_end_line(&p->page);
    if (s->slips[i].phi) show_friction(p, i);
    if (s->model->contacts.at[i].spin) show_rolling(p, i);
  }
}

// i' = ...
static void show_rates(Printer *p) {
  const Listed *e = &p->listing->at[LISTED_RATES];
  if (!e->is_wanted || e->rows == 0 || listing_by_road(p->listing)) return;
  terminal_gap(&p->page);
  for (uint32_t i = 0; i < e->rows; i++) {
    const char *rate = terminal_set(&p->page, p->listing->system->sd[i]);
    terminal_equation(&p->page, rate, terminal_set(&p->page, e->values[i]));
  }
}

static void show_outputs(Printer *p) {
  const Listed *e = &p->listing->at[LISTED_OUTPUTS];
  if (!e->is_wanted || e->rows == 0) return;
  terminal_gap(&p->page);
  for (uint32_t i = 0; i < e->rows; i++) {
    const Output *output = &p->listing->system->model->outputs.at[i];
    terminal_equation(&p->page, terminal_name(&p->page, symbol_text(p->cx, output->name)),
                      terminal_set(&p->page, e->values[i]));
  }
}

static void show_parts(Printer *p) {
  if (p->parts.list.n == 0) return;
  terminal_gap(&p->page);
  text_add(p->page.out, "where\n\n");
  for (uint32_t i = 0; i < p->parts.list.n; i++) {
    const char *body = terminal_set(&p->page, parts_body(&p->parts, i));
    parts_body_end(&p->parts);
    terminal_equation(&p->page, terminal_name(&p->page, p->parts.names[i]), body);
  }
}

static ExprList shown_values(const Printer *p) {
  ExprList list = {0};
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    const Listed *e = &p->listing->at[key];
    for (uint32_t i = 0; is_shown(p, key) && i < e->rows * e->columns; i++)
      vec_push(&p->cx->scratch, &list, e->values[i]);
  }
  listing_add_road(p->listing, &list);
  for (uint32_t i = 0; i < p->listing->conserved_count; i++)
    if (p->listing->conserved[i].kind != CONSERVED_ENERGY)
      vec_push(&p->cx->scratch, &list, p->listing->conserved[i].value);
  return list;
}

void listing_text(const Listing *listing, const TextStyle *style, Text *out) {
  Printer p = {.cx = listing->system->cx, .listing = listing};
  ExprList shown = shown_values(&p);
  parts_open(p.cx, shown.at, shown.n, PARTS_WITH_PRIMES, &p.parts);
  p.names = parts_names(&p.parts);
  p.page = terminal_open(p.cx, style, &p.names, out);
  if (!listing->is_chosen) {
    print_title(&p);
    print_conserved(&p);
    if (listing_by_road(listing))
      show_road(&p);
    else if (listing->system->n > 0)
      print_equation_of_motion(&p);
  }
  show_energies(&p);
  show_tables(&p);
  show_solved(&p);
  show_contacts(&p);
  show_rates(&p);
  show_outputs(&p);
  show_parts(&p);
  parts_close(&p.parts);
}
