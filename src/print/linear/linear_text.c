// Linearizations for a terminal.
#include "print/linear/linear_text.h"

#include <math.h>
#include <string.h>

#include "analyse/linear/sampled.h"
#include "base/degrees.h"
#include "base/rounding.h"
#include "base/utf8.h"
#include "base/words/digits.h"
#include "print/abbreviations.h"
#include "print/quantity.h"

typedef struct Printer {
  Context *cx;
  const System *system;
  TerminalPage page;
} Printer;

static Printer printer_open(const System *system, const TextStyle *style, const PartNames *names,
                            Text *out) {
  Printer p = {.cx = system->cx, .system = system};
  p.page = terminal_open(p.cx, style, names, out);
  return p;
}

static const char *title_of(const System *system) {
  return system->model->title[0] ? system->model->title : "Untitled model";
}

static const char *name_of(Printer *p, uint32_t coordinate) {
  return terminal_name(&p->page,
                       symbol_text(p->cx, p->system->model->coordinates.at[coordinate].name));
}

// ---- The point

static bool is_name(const ClosedForm *form, Expr e) {
  for (uint32_t i = 0; i < form->names.n; i++)
    if (form->names.at[i].symbol == e) return true;
  return false;
}

// "y_2 = -L_1 = -1", or the number alone.
static void add_value(Printer *p, Text *out, const ClosedForm *form, uint32_t coordinate,
                      const char *prime, Expr exact, double number) {
  text_addf(out, "%s%s = ", name_of(p, coordinate), prime);
  const char *text = terminal_set(&p->page, exact);
  if (expr_is_number(p->cx, exact))
    text_add(out, text);
  else if (is_name(form, exact) || strlen(text) > 48)
    text_addf(out, "%.6g", digits_rounded(number, 6));
  else
    text_addf(out, "%s = %.6g", text, digits_rounded(number, 6));
}

static void add_point(Printer *p, Text *out, const Steady *s, const ClosedForm *form) {
  double largest = 0;
  for (uint32_t i = 0; i < p->system->n; i++) largest = fmax(largest, fabs(s->q[i]));
  for (uint32_t i = 0; i < p->system->n; i++) {
    if (i) text_add(out, ", ");
    add_value(p, out, form, i, "", form->q[i], without_noise(s->q[i], largest));
  }
  for (uint32_t i = 0; i < p->system->n; i++) {
    if (s->qd[i] == 0) continue;
    text_add(out, ", ");
    add_value(p, out, form, i, "'", form->qd[i], s->qd[i]);
  }
}

// What the closed forms rest on: parameters taken as 0, and what the names in them mean.
static void print_terms_of_form(Printer *p, const ClosedForm *form) {
  Text out = text_new(&p->cx->scratch);
  for (uint32_t i = 0; i < form->zeros.n; i++)
    text_addf(&out, "%s%s = 0", i ? ", " : "for ", terminal_set(&p->page, form->zeros.at[i]));
  if (form->names.n) {
    text_addf(&out, "%swith ", out.n ? "; " : "");
    for (uint32_t i = 0; i < form->names.n; i++)
      text_addf(&out, "%s%s", i ? ", " : "", terminal_set(&p->page, form->names.at[i].symbol));
    text_add(&out, " for values found numerically");
  }
  if (out.n) terminal_sentence(&p->page, out.at);
}

static bool moves(const System *system, const Steady *s) {
  for (uint32_t i = 0; i < system->n; i++)
    if (s->qd[i] != 0) return true;
  return false;
}

// A sentence of a contact's name, its force and the unit of that.
static void print_load(Printer *p, const char *sentence, uint32_t contact, double force) {
  const Contact *c = &p->system->model->contacts.at[contact];
  Quantity quantity = quantity_of_measure(&c->measure);
  quantity.is_angle = false;
  const char *unit = quantity_unit(&p->cx->scratch, quantity);
  const char *load = text_format(&p->cx->scratch, "%.6g%s%s", force, *unit ? " " : "", unit);
  const char *name = symbol_text(p->cx, p->system->contacts[contact].name);
  terminal_sentence(&p->page, text_format(&p->cx->scratch, sentence, name, load));
}

static void print_point(Printer *p, const Linearized *l) {
  Text out = text_new(&p->cx->scratch);
  text_addf(&out, "about the %s ",
            !l->is_balanced              ? "point"
            : moves(l->system, l->point) ? "steady motion"
                                         : "equilibrium");
  add_point(p, &out, l->point, &l->form);
  terminal_sentence(&p->page, out.at);
  for (uint32_t k = l->system->row_count; k < l->m; k++)
    if (l->point->is_active[k])
      print_load(p, "while contact %s lasts, with a force of %s", k - l->system->row_count,
                 l->point->lambda[k]);
}

// A function that switches just here: which branch the linear equations follow.
static void print_kinks(Printer *p, const Linearized *l) {
  for (uint32_t i = 0; i < l->kinks.n; i++) {
    const Kink *kink = &l->kinks.at[i];
    const char *way = "";
    switch (op_of(p->cx, kink->function)) {
    case OP_ABS: way = "its slope is taken as 0, between both branches"; break;
    case OP_SIGN: way = "it is taken as 0, without a slope"; break;
    case OP_MIN: way = "the slope of its second part is taken"; break;
    case OP_MAX: way = "the slope of its first part is taken"; break;
    case OP_TABLE: way = "the slope after its knot is taken"; break;
    default: way = kink->is_true ? "it is taken as true" : "it is taken as false";
    }
    terminal_sentence(&p->page, text_format(&p->cx->scratch, "%s switches here: %s",
                                            terminal_set(&p->page, kink->function), way));
  }
}

static void print_choice(Printer *p, const Linearized *l) {
  Text out = text_new(&p->cx->scratch);
  text_add(&out, "independent: ");
  for (uint32_t i = 0; i < l->p; i++)
    text_addf(&out, "%s%s", i ? ", " : "", name_of(p, l->choice.z[i]));
  if (l->f < l->p) {
    text_add(&out, "; of the velocities: ");
    for (uint32_t i = 0; i < l->f; i++)
      text_addf(&out, "%s%s'", i ? ", " : "", name_of(p, l->choice.z[i]));
  }
  terminal_sentence(&p->page, out.at);
}

// ---- Matrices

static bool is_zero(const Context *cx, const Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!expr_is_zero(cx, e[i])) return false;
  return true;
}

static void print_form(Printer *p, const Linearized *l) {
  const Context *cx = p->cx;
  Text out = text_new(&p->cx->scratch);
  bool rolls = l->f < l->p;
  const struct {
    const Expr *at;
    size_t n;
    const char *rolling, *plain;
  } terms[] = {{l->M, (size_t)l->f * l->f, "M^ s'", "M^ x''"},
               {l->C, (size_t)l->f * l->f, "C^ s", "C^ x'"},
               {l->K, (size_t)l->f * l->p, "K^ z", "K^ x"}};
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
    if (!is_zero(cx, terms[i].at, terms[i].n))
      text_addf(&out, "%s%s", out.n ? " + " : "", rolls ? terms[i].rolling : terms[i].plain);
  text_addf(&out, " = %s%s%s", l->is_balanced ? "" : "Q^",
            !l->is_balanced && l->inputs ? " + " : "",
            l->inputs        ? "B^ u"
            : l->is_balanced ? "0"
                             : "");
  terminal_gap(&p->page);
  terminal_sentence(&p->page, out.at);
  terminal_gap(&p->page);
}

static void print_matrix(Printer *p, const char *name, const Expr *e, uint32_t rows,
                         uint32_t columns) {
  if (rows == 0 || columns == 0 || is_zero(p->cx, e, (size_t)rows * columns)) return;
  Grid grid = {.name = name, .rows = rows, .columns = columns, .values = e};
  terminal_grid(&p->page, &grid);
}

static void print_matrices(Printer *p, const Linearized *l) {
  print_matrix(p, "M^", l->M, l->f, l->f);
  print_matrix(p, "C^", l->C, l->f, l->f);
  print_matrix(p, "K^", l->K, l->f, l->p);
  print_matrix(p, "Q^", l->Q, l->f, 1);
  print_matrix(p, "B^", l->B, l->f, l->inputs);
  terminal_end_line(&p->page);
  if (is_zero(p->cx, l->K_constraint, (size_t)l->f * l->p)) return;
  terminal_gap(&p->page);
  bool all = memcmp(l->K, l->K_constraint, (size_t)l->f * l->p * sizeof *l->K) == 0;
  terminal_sentence(&p->page, all ? "all of K^ is the stiffness of the loaded constraints"
                                  : "of which the loaded constraints contribute");
  if (!all) {
    terminal_gap(&p->page);
    print_matrix(p, "K_c", l->K_constraint, l->f, l->p);
    terminal_end_line(&p->page);
  }
}

static void print_parts(Printer *p, Parts *parts) {
  if (parts->list.n == 0) return;
  terminal_gap(&p->page);
  text_add(p->page.out, "where\n\n");
  for (uint32_t i = 0; i < parts->list.n; i++) {
    const char *body = terminal_set(&p->page, parts_body(parts, i));
    parts_body_end(parts);
    terminal_equation(&p->page, terminal_name(&p->page, parts->names[i]), body);
  }
}

// ---- Modes

// The parts of a shape that are worth a word.
static void add_shape(Printer *p, Text *out, const Mode *mode) {
  bool first = true;
  for (uint32_t i = 0; i < p->system->n; i++) {
    double re = mode->shape_re[i], im = mode->shape_im[i];
    if (hypot(re, im) < 5e-4) continue;
    text_addf(out, "%s%s ", first ? "" : ", ", name_of(p, i));
    first = false;
    if (fabs(im) < 5e-4)
      text_addf(out, "%.4g", re);
    else
      text_addf(out, "%.4g at %.0f deg", hypot(re, im), whole_degrees(re, im));
  }
}

static bool is_damped(const Mode *mode) {
  return mode->kind == MODE_OSCILLATION && without_noise(mode->damping, 1) != 0;
}

// An eigenvalue of the map of a period, and the motion that it samples.
static void add_sampled_mode(Printer *p, Text *out, const Mode *mode) {
  double size = hypot(mode->re, mode->im);
  text_addf(out, "|z| %-8.6g ", without_noise(size, 1));
  if (mode->im != 0)
    text_addf(out, "z = %.6g +- %.6g i", without_noise(mode->re, size), mode->im);
  else
    text_addf(out, "z = %.6g", without_noise(mode->re, 1));
  if (mode->kind == MODE_RIGID)
    text_add(out, ", stays");
  else if (size == 0)
    text_add(out, ", gone after one period");
  else if (mode->kind == MODE_OSCILLATION)
    text_addf(out, ", %.5g Hz, damping %.4g", mode->damped_hz, mode->damping);
  else
    text_addf(out, ", %s in %.4g s", size > 1 ? "doubles" : "halves", M_LN2 / mode->omega);
  text_add(out, "  ");
  add_shape(p, out, mode);
}

static void add_mode(Printer *p, Text *out, const Mode *mode) {
  switch (mode->kind) {
  case MODE_RIGID: text_add(out, "       0 Hz  rigid                            "); break;
  case MODE_OSCILLATION:
    if (is_damped(mode))
      text_addf(out, "%8.5g Hz  %10.6g rad/s natural, %.6g Hz damped, damping %.4g", mode->hz,
                mode->omega, mode->damped_hz, mode->damping);
    else
      text_addf(out, "%8.5g Hz  %10.6g rad/s  damping %-10g", mode->hz, mode->omega, 0.0);
    break;
  case MODE_EXPONENTIAL:
    text_addf(out, "%s exp(%.6g t), %s in %.4g s %*s", mode->re > 0 ? "   grows" : "  decays",
              mode->re, mode->re > 0 ? "doubles" : "halves", M_LN2 / fabs(mode->re), 1, "");
  }
  text_add(out, "  ");
  add_shape(p, out, mode);
}

// Where a line of this room breaks: behind the last comma that fits, else behind the first.
static size_t break_of(const char *line, size_t room) {
  size_t fits = 0, width = 0, measured = 0;
  for (size_t i = 1; line[i]; i++) {
    if (line[i] != ' ' || line[i - 1] != ',') continue;
    width += utf8_width(line + measured, i - measured), measured = i;
    if (fits && width > room) return fits;
    fits = i;
  }
  width += utf8_width(line + measured, strlen(line + measured));
  return width > room && fits ? fits : strlen(line);
}

// A line of a table: broken behind commas where it is longer than the page is wide.
static void print_line(Printer *p, const char *line) {
  for (size_t indent = 0;; indent = 6) {
    size_t end = break_of(line, p->page.style->width - indent);
    text_addf(p->page.out, "%*s%.*s\n", (int)indent, "", (int)end, line);
    line += end;
    if (!*line) return;
    line++;
  }
}

static void print_modes(Printer *p, const Modes *modes) {
  for (uint32_t k = 0; k < modes->count; k++) {
    Text out = text_new(&p->cx->scratch);
    text_addf(&out, "%2u  ", k + 1);
    if (modes->period > 0)
      add_sampled_mode(p, &out, &modes->mode[k]);
    else
      add_mode(p, &out, &modes->mode[k]);
    print_line(p, out.at);
  }
}

static void add_stability(Printer *p, Text *out, const Modes *modes) {
  text_add(out, stability_text(modes));
  if (modes->by_energy == ENERGY_FALLS) {
    text_add(out, "; along ");
    add_shape(p, out, &modes->mode[modes->growing]);
  }
  if (modes->stability != STABILITY_UNSTABLE) return;
  const Mode *mode = &modes->mode[modes->growing];
  if (modes->period > 0) {
    text_addf(out, ": grows %sby a factor of %.6g each %.6g s along ",
              mode->im != 0 ? "oscillating " : "", hypot(mode->re, mode->im), modes->period);
    add_shape(p, out, mode);
    return;
  }
  text_addf(out, ": grows %sas exp(%.6g t) along ", mode->im != 0 ? "oscillating " : "", mode->re);
  add_shape(p, out, mode);
}

static void print_stability(Printer *p, const Linearized *l, const Modes *modes) {
  if (!l->is_balanced) return;
  Text out = text_new(&p->cx->scratch);
  add_stability(p, &out, modes);
  terminal_gap(&p->page);
  terminal_sentence(&p->page, out.at);
}

// What a singular mass matrix takes away.
static void print_infinite(Printer *p, const Linearized *l, const Modes *modes) {
  if (modes->infinite == 0) return;
  terminal_gap(&p->page);
  terminal_sentence(&p->page,
                    text_format(&p->cx->scratch,
                                "and %u infinite eigenvalue%s: M^ is singular, %s has no mass here",
                                modes->infinite, modes->infinite == 1 ? "" : "s",
                                name_of(p, l->massless)));
}

// ---- Documents

static ExprList shown_exprs(const Linearized *l) {
  ExprList list = {0};
  if (!l->M) return list;
  const Expr *matrices[] = {l->M, l->C, l->K, l->K_constraint, l->B, l->Q};
  const size_t sizes[] = {(size_t)l->f * l->f, (size_t)l->f * l->f,      (size_t)l->f * l->p,
                          (size_t)l->f * l->p, (size_t)l->f * l->inputs, l->f};
  for (int k = 0; k < 6; k++)
    for (size_t i = 0; i < sizes[k]; i++) vec_push(&l->cx->scratch, &list, matrices[k][i]);
  return list;
}

// ---- Sampled loops

// Rows of numbers, each with its name.
static void print_rows(Printer *p, const char *name, const double *A, uint32_t rows,
                       uint32_t columns, const char *const *names) {
  if (rows == 0 || columns == 0) return;
  double most = 0;
  for (size_t i = 0; i < (size_t)rows * columns; i++) most = fmax(most, fabs(A[i]));
  for (uint32_t i = 0; i < rows; i++) {
    Text out = text_new(&p->cx->scratch);
    text_addf(&out, "  %-3s %-12s", i ? "" : name, names[i]);
    for (uint32_t j = 0; j < columns; j++)
      text_addf(&out, " %12.6g", without_noise(A[(size_t)i * columns + j], most));
    text_addf(p->page.out, "%s\n", out.at);
  }
}

static void print_map(Printer *p, const Linearized *l) {
  const Sampled *s = l->sampled;
  const char **names = arena_array(&p->cx->scratch, const char *, s->size + 1);
  for (uint32_t i = 0; i < s->size; i++) {
    if (i >= l->state.size) {
      names[i] = s->waiting_names[i - l->state.size];
      continue;
    }
    StateName name = linearized_state(l, i);
    names[i] =
        text_format(&p->cx->scratch, "%s%s", name_of(p, name.coordinate), name.is_rate ? "'" : "");
  }
  terminal_gap(&p->page);
  terminal_sentence(&p->page,
                    text_format(&p->cx->scratch,
                                "x[k+1] = A x[k]%s from just after the samples of one moment to "
                                "those %.6g s later",
                                l->inputs ? " + B u[k]" : "", s->period));
  terminal_gap(&p->page);
  print_rows(p, "A", s->A, s->size, s->size, names);
  print_rows(p, "B", s->B, s->size, s->inputs, names);
}

static void sampled_text(Printer *p, const Linearized *l, const Modes *modes) {
  terminal_sentence(&p->page, text_format(&p->cx->scratch, "%s, linearized as a sampled loop",
                                          title_of(l->system)));
  print_point(p, l);
  print_kinks(p, l);
  print_terms_of_form(p, &l->form);
  print_map(p, l);
  terminal_gap(&p->page);
  if (modes) print_modes(p, modes);
  if (modes) print_stability(p, l, modes);
}

void linear_text(const Linearized *l, const Modes *modes, const TextStyle *style, Text *out) {
  if (l->sampled) {
    Printer sampled = printer_open(l->system, style, NULL, out);
    sampled_text(&sampled, l, modes);
    return;
  }
  ExprList shown = shown_exprs(l);
  Parts parts;
  parts_open(l->cx, shown.at, shown.n, PARTS_WITH_PRIMES, &parts);
  PartNames names = parts_names(&parts);
  Printer p = printer_open(l->system, style, &names, out);
  terminal_sentence(&p.page, text_format(&p.cx->scratch, "%s, linearized", title_of(l->system)));
  print_point(&p, l);
  print_kinks(&p, l);
  print_terms_of_form(&p, &l->form);
  if (l->p) print_choice(&p, l);
  if (l->M) {
    if (l->p) print_form(&p, l);
    print_matrices(&p, l);
  } else {
    terminal_gap(&p.page);
    terminal_sentence(&p.page, "M^, C^ and K^ are too large for exact entries; the JSON output has "
                               "their numbers");
  }
  print_parts(&p, &parts);
  terminal_gap(&p.page);
  if (modes) {
    print_modes(&p, modes);
    print_infinite(&p, l, modes);
    print_stability(&p, l, modes);
  } else {
    terminal_sentence(&p.page,
                      text_format(&p.cx->scratch,
                                  "no state space: M^ is singular, %s has no mass here and "
                                  "nothing else determines it",
                                  name_of(&p, l->massless)));
  }
  parts_close(&parts);
}

#define READABLE_LINES 6 // of a closed form

static void print_forms(Printer *p, const ClosedForm *form, const FrequencyForms *forms) {
  if (!forms || forms->n == 0) return;
  terminal_gap(&p->page);
  uint32_t long_ones = 0;
  for (uint32_t i = 0; i < forms->n; i++) {
    bool unicode = p->page.style->unicode;
    const char *name = terminal_name(&p->page, own_name(p->cx, "omega", !unicode));
    const char *left = text_format(&p->cx->scratch, unicode ? "%s²" : "%s^2", name);
    const char *square = terminal_set(&p->page, forms->at[i].square);
    bool is_readable = utf8_width(square, strlen(square)) < READABLE_LINES * p->page.style->width;
    long_ones += !is_readable;
    if (is_readable)
      terminal_equation(&p->page, left,
                        text_format(&p->cx->scratch, "%s = %.6g", square, forms->at[i].value));
  }
  if (long_ones)
    terminal_sentence(&p->page,
                      text_format(&p->cx->scratch,
                                  "the closed form%s of %u more %s too long to show; "
                                  "the JSON output has %s",
                                  long_ones == 1 ? "" : "s", long_ones,
                                  long_ones == 1 ? "is" : "are", long_ones == 1 ? "it" : "them"));
  if (long_ones < forms->n) print_terms_of_form(p, form);
}

void modes_text(const Linearized *l, const Modes *modes, const FrequencyForms *forms,
                const TextStyle *style, Text *out) {
  Printer p = printer_open(l->system, style, NULL, out);
  terminal_sentence(&p.page, text_format(&p.cx->scratch, "%s: modes%s", title_of(l->system),
                                         l->sampled ? " of the sampled loop" : ""));
  print_point(&p, l);
  print_kinks(&p, l);
  terminal_gap(&p.page);
  print_modes(&p, modes);
  print_infinite(&p, l, modes);
  print_forms(&p, &l->form, forms);
  print_stability(&p, l, modes);
}

static void add_verdict(Printer *p, Text *out, const Equilibrium *it) {
  if (it->has_modes)
    add_stability(p, out, &it->modes);
  else if (it->is_singular)
    text_add(out, "singular: branches of the mechanism meet here, so small motions have no linear "
                  "equations");
  else
    text_addf(out, "stability unknown: the linearized equations leave %s open",
              name_of(p, it->modes.undetermined));
}

// φ' = 5 rad/s: of cyclic coordinates in a stationary motion.
static void print_rates(Printer *p, const Stationary *s, uint32_t i) {
  Text out = text_new(&p->cx->scratch);
  for (uint32_t k = 0; k < s->cyclic; k++) {
    double rate = s->rate[i * s->cyclic + k];
    text_addf(&out, "%s%s = %.6g", k ? ", " : "   ", terminal_set(&p->page, s->qd[k]),
              digits_rounded(rate, 6));
  }
  terminal_sentence(&p->page, out.at);
}

void equilibria_text(const System *system, const Equilibria *e, const Stationary *stationary,
                     const TextStyle *style, Text *out) {
  Printer p = printer_open(system, style, NULL, out);
  bool motion = e->n > 0 && moves(system, e->at[0].state);
  motion = motion || stationary;
  const char *what = stationary ? "stationary motion" : motion ? "steady motion" : "equilibri";
  Text head = text_new(&p.cx->scratch);
  text_addf(&head, "%s: %u %s%s", title_of(system), e->n, what,
            motion      ? e->n == 1 ? "" : "s"
            : e->n == 1 ? "um"
                        : "a");
  if (e->is_complete)
    text_addf(&head, "; %s all", e->n == 1 ? "this is" : "these are");
  else
    text_addf(&head, " from %u start%s%s", e->starts, e->starts == 1 ? "" : "s",
              e->is_truncated ? ", and more" : "; there may be more");
  terminal_sentence(&p.page, head.at);
  for (uint32_t i = 0; i < e->n; i++) {
    const Equilibrium *it = &e->at[i];
    Text point = text_new(&p.cx->scratch), verdict = text_new(&p.cx->scratch);
    text_addf(&point, "%u  ", i + 1);
    add_point(&p, &point, it->state, &it->form);
    terminal_gap(&p.page);
    terminal_sentence(&p.page, point.at);
    if (stationary) print_rates(&p, stationary, i);
    text_add(&verdict, "   ");
    add_verdict(&p, &verdict, it);
    terminal_sentence(&p.page, verdict.at);
    for (uint32_t k = 0; k < system->contact_count; k++)
      if (it->state->is_active[system->row_count + k])
        print_load(&p, "   contact %s holds with %s", k, it->state->lambda[system->row_count + k]);
  }
}
