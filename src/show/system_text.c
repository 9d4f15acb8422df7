// The text of `qdot derive`: matrices where they fit, else entry by entry.
#include "show/system_text.h"

#include <string.h>

#include "show/block.h"
#include "show/parts.h"

typedef struct Printer {
  Context *cx;
  const Equations *equations;
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
  const System *s = p->equations->system;
  const Model *model = s->model;
  text_add(p->out, model->title[0] ? model->title : "A model without title");
  text_addf(p->out, ": %u coordinate%s, ", s->n, plural(s->n));
  if (s->row_count) text_addf(p->out, "%u constraint%s, ", s->row_count, plural(s->row_count));
  uint32_t freedom = s->n > s->row_count ? s->n - s->row_count : 0;
  text_addf(p->out, "%u degree%s of freedom\n", freedom, plural(freedom));
}

static void print_conserved(Printer *p) {
  Conserved *list;
  uint32_t n = system_conserved(p->cx, p->equations->system, &list);
  for (uint32_t i = 0; i < n; i++) {
    text_add(p->out, i ? ", " : "Conserved: ");
    switch (list[i].kind) {
    case CONSERVED_ENERGY: text_add(p->out, "energy E = T + V"); break;
    case CONSERVED_JACOBI: text_add(p->out, "Jacobi integral q' dL/dq' - L"); break;
    case CONSERVED_MOMENTUM:
      text_addf(p->out, "momentum of %s", cell(p, p->equations->system->q[list[i].coordinate]));
    }
  }
  if (n) text_add_char(p->out, '\n');
}

// ---- The equation of motion, with the terms that it has

static bool any_has_kind(const Context *cx, const Equation *e, SymbolKind kind) {
  for (uint32_t i = 0; i < e->rows * e->columns; i++)
    if (expr_has_kind(cx, e->values[i], KIND_BIT(kind))) return true;
  return false;
}

// "h(q, q', t)" with what h depends on.
static void add_term(Printer *p, EquationKey key) {
  static const struct {
    SymbolKind kind;
    const char *text;
  } arguments[] = {
      {SYMBOL_COORDINATE, "q"}, {SYMBOL_VELOCITY, "q'"}, {SYMBOL_INPUT, "u"}, {SYMBOL_TIME, "t"}};
  const Equation *e = &p->equations->at[key];
  text_add(p->out, e->name);
  int shown = 0;
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    if (!any_has_kind(p->cx, e, arguments[i].kind)) continue;
    text_addf(p->out, "%s%s", shown++ ? ", " : "(", arguments[i].text);
  }
  if (shown) text_add_char(p->out, ')');
}

static void print_equation_of_motion(Printer *p) {
  const Equation *at = p->equations->at;
  const System *s = p->equations->system;
  bool unicode = p->style->unicode;
  text_add_char(p->out, '\n');
  add_term(p, EQUATION_M);
  text_add(p->out, " q''");
  for (EquationKey key = EQUATION_H; key <= EQUATION_G; key++) {
    if (equation_is_zero(p->cx, &at[key])) continue;
    text_add(p->out, " + ");
    add_term(p, key);
  }
  text_add(p->out, " = ");
  bool forced = !equation_is_zero(p->cx, &at[EQUATION_Q]);
  if (forced) add_term(p, EQUATION_Q);
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

static Block block_of_equation(Printer *p, const Equation *e) {
  Arena *arena = &p->cx->scratch;
  uint32_t count = e->rows * e->columns;
  const char **cells = arena_array(arena, const char *, count);
  for (uint32_t i = 0; i < count; i++) cells[i] = cell(p, e->values[i]);
  const char *label = text_format(arena, "%s = ", name_of(p, e->name));
  return block_labelled(arena, label,
                        block_matrix(arena, cells, e->rows, e->columns, p->style->unicode));
}

// name[i,j] = entry, one per line; zeros are left out, and the lower half of a symmetric matrix.
static void print_entries(Printer *p, EquationKey key, const Equation *e) {
  const char *name = name_of(p, e->name);
  bool symmetric = key == EQUATION_M;
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

static void print_scalar(Printer *p, const Equation *e) {
  Text line = text_new(&p->cx->scratch);
  text_addf(&line, "%s = %s", e->name, cell(p, e->values[0]));
  print_wrapped(p->out, line.at, p->style->width, 4);
}

static bool is_shown(Printer *p, EquationKey key) {
  const Equation *e = &p->equations->at[key];
  if (!e->is_wanted || e->rows == 0) return false;
  // What is 0 is shown only where somebody asked for it by name.
  bool asked = !p->equations->at[EQUATION_T].is_wanted || !p->equations->at[EQUATION_M].is_wanted;
  return asked || !equation_is_zero(p->cx, e);
}

// Tables stand beside each other while they fit.
static void print_tables(Printer *p, const EquationKey *keys, size_t count) {
  Block line = {0};
  for (size_t i = 0; i < count; i++) {
    const Equation *e = &p->equations->at[keys[i]];
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

static void print_rows(Printer *p, EquationKey key, const char *relation) {
  const System *s = p->equations->system;
  const Equation *e = &p->equations->at[key];
  bool contacts = key == EQUATION_CONTACT_PHI;
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
  const Equation *e = &p->equations->at[EQUATION_OUTPUTS];
  if (!e->is_wanted || e->rows == 0) return;
  text_add_char(p->out, '\n');
  for (uint32_t i = 0; i < e->rows; i++) {
    Text line = text_new(&p->cx->scratch);
    Symbol name = p->equations->system->model->outputs.at[i].name;
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

void system_text(const Equations *equations, const TextStyle *style, Text *out) {
  Printer p = {.cx = equations->system->cx,
               .equations = equations,
               .style = style,
               .face = style->unicode ? &terminal_face : &ascii_face,
               .out = out};
  ExprList shown = equations_wanted(equations);
  parts_open(p.cx, shown.at, shown.n,
             equations->simplify == SIMPLIFY_NONE ? PARTS_ALWAYS : PARTS_WHERE_SWELLING, &p.parts);
  p.names = parts_names(&p.parts);
  print_title(&p);
  print_conserved(&p);
  print_equation_of_motion(&p);
  print_parts(&p);
  static const EquationKey matrices[] = {EQUATION_M, EQUATION_H, EQUATION_D, EQUATION_G,
                                         EQUATION_Q};
  static const EquationKey jacobians[] = {EQUATION_PHI_Q, EQUATION_PHI_T, EQUATION_GAMMA};
  text_add(out, equations->at[EQUATION_T].is_wanted ? "\n" : "");
  for (EquationKey key = EQUATION_T; key <= EQUATION_R; key++)
    if (is_shown(&p, key)) print_scalar(&p, &equations->at[key]);
  print_tables(&p, matrices, sizeof matrices / sizeof *matrices);
  print_rows(&p, EQUATION_PHI, "=");
  print_tables(&p, jacobians, sizeof jacobians / sizeof *jacobians);
  print_rows(&p, EQUATION_CONTACT_PHI, style->unicode ? "≤" : "<=");
  print_outputs(&p);
  parts_close(&p.parts);
}
