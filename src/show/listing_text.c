// The text of `qdot derive`: matrices where they fit, else entry by entry.
#include "show/listing_text.h"

#include <string.h>

#include "show/block.h"
#include "show/parts.h"

typedef struct Printer {
  Context *cx;
  const Listing *listing;
  const TextStyle *style;
  const Typeface *face;
  Parts parts;
  PartNames names;
  Text *out;
} Printer;

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static const char *cell(Printer *p, Expr e) {
  Text text = text_new(&p->cx->scratch);
  typeset(p->cx, e, p->face, &p->names, &text);
  return text.at;
}

static const char *name_of(Printer *p, const char *name) {
  Text text = text_new(&p->cx->scratch);
  typeset_name(p->cx, name, 0, p->face, &text);
  return text.at;
}

// ---- The head

static void print_title(Printer *p) {
  const System *s = p->listing->system;
  const Model *model = s->model;
  text_add(p->out, model->title[0] ? model->title : "A model without title");
  text_addf(p->out, ": %u coordinate%s, ", s->n, plural(s->n));
  if (s->row_count) text_addf(p->out, "%u constraint%s, ", s->row_count, plural(s->row_count));
  uint32_t freedom = s->n > s->row_count ? s->n - s->row_count : 0;
  text_addf(p->out, "%u degree%s of freedom\n", freedom, plural(freedom));
}

// ---- The equation of motion, with the terms that it has

static bool any_has_kind(const Context *cx, const Listed *e, SymbolKind kind) {
  for (uint32_t i = 0; i < e->rows * e->columns; i++)
    if (expr_has_kind(cx, e->values[i], KIND_BIT(kind))) return true;
  return false;
}

// "h(q, q', t)" with what h depends on.
static void add_term(Printer *p, ListedKey key) {
  static const struct {
    SymbolKind kind;
    const char *text;
  } arguments[] = {
      {SYMBOL_COORDINATE, "q"}, {SYMBOL_VELOCITY, "q'"}, {SYMBOL_INPUT, "u"}, {SYMBOL_TIME, "t"}};
  const Listed *e = &p->listing->at[key];
  text_add(p->out, e->name);
  int shown = 0;
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    if (!any_has_kind(p->cx, e, arguments[i].kind)) continue;
    text_addf(p->out, "%s%s", shown++ ? ", " : "(", arguments[i].text);
  }
  if (shown) text_add_char(p->out, ')');
}

static void print_equation_of_motion(Printer *p) {
  const Listed *at = p->listing->at;
  const System *s = p->listing->system;
  bool unicode = p->style->unicode;
  text_add_char(p->out, '\n');
  add_term(p, LISTED_M);
  text_add(p->out, " q''");
  for (ListedKey key = LISTED_H; key <= LISTED_G; key++) {
    if (listed_is_zero(p->cx, &at[key])) continue;
    text_add(p->out, " + ");
    add_term(p, key);
  }
  text_add(p->out, " = ");
  bool forced = !listed_is_zero(p->cx, &at[LISTED_Q]);
  if (forced) add_term(p, LISTED_Q);
  if (s->row_count) {
    const char *minus = unicode ? "−" : "-";
    text_addf(p->out, forced ? " %s " : "%s", minus);
    text_add(p->out, unicode ? "Φ_qᵀ λ,   Φ_q q'' = γ" : "Phi_q^T lambda,   Phi_q q'' = gamma");
  } else if (!forced) {
    text_add_char(p->out, '0');
  }
  text_add_char(p->out, '\n');
}

// ---- The tables

static Block block_of_equation(Printer *p, const Listed *e) {
  Arena *arena = &p->cx->scratch;
  uint32_t count = e->rows * e->columns;
  const char **cells = arena_array(arena, const char *, count);
  for (uint32_t i = 0; i < count; i++) cells[i] = cell(p, e->values[i]);
  const char *label = text_format(arena, "%s = ", name_of(p, e->name));
  return block_labelled(arena, label,
                        block_matrix(arena, cells, e->rows, e->columns, p->style->unicode));
}

// name[i,j] = entry, one per line; zeros are left out, and the lower half of a symmetric matrix.
static void print_entries(Printer *p, ListedKey key, const Listed *e) {
  const char *name = name_of(p, e->name);
  bool symmetric = key == LISTED_M;
  for (uint32_t r = 0; r < e->rows; r++) {
    for (uint32_t c = symmetric ? r : 0; c < e->columns; c++) {
      Expr value = e->values[r * e->columns + c];
      if (expr_is_zero(p->cx, value)) continue;
      Text line = text_new(&p->cx->scratch);
      if (e->columns > 1)
        text_addf(&line, "%s[%u,%u] = ", name, r + 1, c + 1);
      else
        text_addf(&line, "%s[%u] = ", name, r + 1);
      text_add(&line, cell(p, value));
      print_wrapped(p->out, line.at, p->style->width, 4);
    }
  }
  text_addf(p->out, "(%sentries not listed are 0)\n",
            symmetric && e->rows > 1 ? "symmetric; " : "");
}

static void print_scalar(Printer *p, const Listed *e) {
  Text line = text_new(&p->cx->scratch);
  text_addf(&line, "%s = %s", e->name, cell(p, e->values[0]));
  print_wrapped(p->out, line.at, p->style->width, 4);
}

static bool is_shown(Printer *p, ListedKey key) {
  const Listed *e = &p->listing->at[key];
  if (!e->is_wanted || e->rows == 0) return false;
  // What is 0 is shown only where somebody asked for it by name.
  bool asked = !p->listing->at[LISTED_T].is_wanted || !p->listing->at[LISTED_M].is_wanted;
  return asked || !listed_is_zero(p->cx, e);
}

// Tables stand beside each other while they fit.
static void print_tables(Printer *p, const ListedKey *keys, size_t count) {
  Block line = {0};
  for (size_t i = 0; i < count; i++) {
    const Listed *e = &p->listing->at[keys[i]];
    if (!is_shown(p, keys[i])) continue;
    Block block = block_of_equation(p, e);
    bool fits = block.width <= p->style->width;
    if (line.height && (!fits || line.width + 6 + block.width > p->style->width)) {
      text_add_char(p->out, '\n');
      block_print(&line, p->out);
      line = (Block){0};
    }
    if (fits) {
      line = line.height ? block_beside(&p->cx->scratch, line, 6, block) : block;
    } else {
      text_add_char(p->out, '\n');
      print_entries(p, keys[i], e);
    }
  }
  if (!line.height) return;
  text_add_char(p->out, '\n');
  block_print(&line, p->out);
}

static void print_rows(Printer *p, ListedKey key, const char *relation) {
  const System *s = p->listing->system;
  const Listed *e = &p->listing->at[key];
  bool contacts = key == LISTED_CONTACT_PHI;
  if (!e->is_wanted || e->rows == 0) return;
  text_add_char(p->out, '\n');
  for (uint32_t i = 0; i < e->rows; i++) {
    const Row *row = contacts ? &s->contacts[i] : &s->rows[i];
    Text line = text_new(&p->cx->scratch);
    text_addf(&line, "%s %s: %s %s 0", contacts ? "contact" : "constraint",
              symbol_text(p->cx, row->name), cell(p, e->values[i]), relation);
    print_wrapped(p->out, line.at, p->style->width, 4);
  }
}

static void print_outputs(Printer *p) {
  const Listed *e = &p->listing->at[LISTED_OUTPUTS];
  if (!e->is_wanted || e->rows == 0) return;
  text_add_char(p->out, '\n');
  for (uint32_t i = 0; i < e->rows; i++) {
    Text line = text_new(&p->cx->scratch);
    Symbol name = p->listing->system->model->outputs.at[i].name;
    text_addf(&line, "output %s = %s", name_of(p, symbol_text(p->cx, name)), cell(p, e->values[i]));
    print_wrapped(p->out, line.at, p->style->width, 4);
  }
}

// Shared parts, before what uses them.
static void print_parts(Printer *p) {
  if (p->parts.list.n == 0) return;
  text_add(p->out, "\nwith\n");
  for (uint32_t i = 0; i < p->parts.list.n; i++) {
    Text line = text_new(&p->cx->scratch);
    text_addf(&line, "    %s = ", name_of(p, p->parts.names[i]));
    typeset(p->cx, parts_body(&p->parts, i), p->face, &p->names, &line);
    parts_body_end(&p->parts);
    print_wrapped(p->out, line.at, p->style->width, 8);
  }
}

void listing_text(const Listing *listing, const TextStyle *style, Text *out) {
  Printer p = {.cx = listing->system->cx,
               .listing = listing,
               .style = style,
               .face = style->unicode ? &terminal_face : &ascii_face,
               .out = out};
  ExprList shown = listing_wanted(listing);
  parts_open(p.cx, shown.at, shown.n,
             listing->simplify == SIMPLIFY_NONE ? PARTS_ALWAYS : PARTS_WHERE_SWELLING, &p.parts);
  p.names = parts_names(&p.parts);
  print_title(&p);
  print_equation_of_motion(&p);
  print_parts(&p);
  static const ListedKey matrices[] = {LISTED_M, LISTED_H, LISTED_D, LISTED_G, LISTED_Q};
  static const ListedKey jacobians[] = {LISTED_PHI_Q, LISTED_PHI_T, LISTED_GAMMA};
  text_add(out, listing->at[LISTED_T].is_wanted ? "\n" : "");
  for (ListedKey key = LISTED_T; key <= LISTED_R; key++)
    if (is_shown(&p, key)) print_scalar(&p, &listing->at[key]);
  print_tables(&p, matrices, sizeof matrices / sizeof *matrices);
  print_rows(&p, LISTED_PHI, "=");
  print_tables(&p, jacobians, sizeof jacobians / sizeof *jacobians);
  print_rows(&p, LISTED_CONTACT_PHI, style->unicode ? "≤" : "<=");
  print_outputs(&p);
  parts_close(&p.parts);
}
