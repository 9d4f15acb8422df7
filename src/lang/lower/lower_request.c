// The statements that say what to do with a system.
#include <math.h>
#include <string.h>

#include "base/words/suggest.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/lower/property.h"

#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

static const Rules number_rules = {(EVERYTHING & ~KIND_BIT(SYMBOL_PARAMETER)) | PLACE_APART,
                                   "this place"};
static const Rules free_rules = {PLACE_OF_RESULTS, "a plot"};

// ---- Simulate

static void clause_twice(Lowering *l, const Clause *clause) {
  lower_error(l, QDOT_SYNTAX, clause->span, "'%s' is given twice",
              symbol_text(l->cx, clause->word));
}

// A positive time.
static bool lower_seconds(Lowering *l, const Clause *clause, Expr *out) {
  Value v = lower_scalar(l, clause->value, &number_rules);
  if (!has_value(v)) return false;
  const char *what = text_format(l->arena, "the time after '%s'", symbol_text(l->cx, clause->word));
  if (!need_dimension(l, clause->value, v.form[0], form_known(dimension_base(0, 0, 1)), what))
    return false;
  if (v.number <= 0) {
    if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "the time after '%s' must be positive",
                    symbol_text(l->cx, clause->word)))
      diag_label(l->cx, "this is %g s", v.number);
    return false;
  }
  *out = v.at[0];
  return true;
}

static Choice lower_choice(Lowering *l, const Clause *clause, bool *good) {
  Choice choice = {.name = clause->choice, .span = clause->choice_span};
  for (uint32_t i = 0; i < clause->options.n; i++) {
    const Item *item = &clause->options.at[i];
    Value v = lower_scalar(l, item->value, &number_rules);
    *good = *good && has_value(v);
    if (!has_value(v)) continue;
    Option option = {.name = item->name, .value = v.at[0], .span = item->span};
    option.is_measured =
        form_is_known(&l->inference, v.form[0], &option.dimension) && v.form[0].kind == FORM_FIXED;
    for (uint32_t k = 0; k < choice.options.n; k++)
      if (choice.options.at[k].name == option.name)
        lower_error(l, QDOT_SYNTAX, item->span, "'%s' is given twice",
                    symbol_text(l->cx, item->name));
    vec_push(&l->cx->keep, &choice.options, option);
  }
  return choice;
}

static void warn_few_rows(Lowering *l, const SimulateRequest *r) {
  Context *cx = l->cx;
  if (!r->end || !r->every || !expr_is_number(cx, r->end) || !expr_is_number(cx, r->every)) return;
  double end = expr_eval(cx, r->end, NULL), every = expr_eval(cx, r->every, NULL);
  if (every > end)
    lower_warning(l, r->every_span,
                  "only the beginning and the end are kept: %g s are longer than %g s", every, end);
}

bool lower_simulate(Lowering *l, const Statement *s) {
  SimulateRequest *request = &l->model->requests.simulate;
  if (request->is_given) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is already a 'simulate'"))
      diag_second(l->cx, request->span, "it is here");
    return false;
  }
  *request = (SimulateRequest){.is_given = true, .span = s->span};
  bool good = true;
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    const Clause *clause = &s->clauses.at[i];
    bool to = symbol_is(l, clause->word, "to"), every = symbol_is(l, clause->word, "every");
    bool stabilize = symbol_is(l, clause->word, "stabilize");
    if (to || every) {
      Expr *time = to ? &request->end : &request->every;
      if (*time) clause_twice(l, clause);
      good = lower_seconds(l, clause, time) && good;
      *(to ? &request->end_span : &request->every_span) = clause->value->span;
    } else {
      Choice *choice = stabilize ? &request->stabilize : &request->method;
      if (choice->name) clause_twice(l, clause);
      *choice = lower_choice(l, clause, &good);
    }
  }
  warn_few_rows(l, request);
  return good;
}

bool lower_derive(Lowering *l, const Statement *s) {
  DeriveRequest *request = &l->model->requests.derive;
  if (request->formulation) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "there is already a 'derive'"))
      diag_second(l->cx, request->span, "it is here");
    return false;
  }
  const Clause *using = &s->clauses.at[0];
  if (using->options.n > 0) {
    lower_error(l, QDOT_SYNTAX, using->options.at[0].span, "a formulation has no options");
    return false;
  }
  *request = (DeriveRequest){s->clauses.at[0].choice, s->clauses.at[0].choice_span};
  return true;
}

// ---- Linearize

// rod.theta or rail.s, which formulations make coordinates; its value is its form and expression.
static bool is_part(Lowering *l, const Item *item, Value *v) {
  Symbol owner = item->member ? indexed_symbol(l, item->name, item->index_count, item->indices) : 0;
  const NameEntry *entry = owner ? model_find(l->model, owner) : NULL;
  if (!entry || (entry->kind != NAME_BODY && entry->kind != NAME_JOINT)) return false;
  static const Rules rules = {~KIND_BIT(SYMBOL_POSE) & ~KIND_BIT(SYMBOL_PARAMETER) &
                                  ~KIND_BIT(SYMBOL_TIME) & EVERYTHING,
                              "the name of a coordinate"};
  *v = lower_item_name(l, item, &rules);
  return true;
}

// A coordinate, a velocity or an input, and the dimension of its value; false after a message.
static bool point_name(Lowering *l, const Item *item, PointValue *point, Form *form) {
  Symbol name = item_symbol(l, item);
  NameEntry *entry = name ? model_find(l->model, name) : NULL;
  Value part;
  *point = (PointValue){.name = name, .primes = item->primes, .span = item->span};
  if (entry && entry->kind == NAME_INPUT && item->primes == 0) {
    const Input *input = &l->model->inputs.at[entry->number];
    *form = measure_form(input->measure);
    point->symbol = input->symbol;
    return true;
  }
  if (entry && entry->kind == NAME_STATE && item->primes == 0) {
    *form = measure_form(l->model->states.at[entry->number].measure);
    point->symbol = l->model->states.at[entry->number].s;
    return true;
  }
  if (item->primes > 1) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "a point has coordinates and velocities only");
    return false;
  }
  if (is_part(l, item, &part)) {
    if (!has_value(part)) return false;
    *form = part.form[0];
  } else {
    entry = need_name(l, name, item->base_span, NAME_COORDINATE);
    if (!entry) return false;
    const Coordinate *c = &l->model->coordinates.at[entry->number];
    *form = measure_form(c->measure);
    point->symbol = item->primes ? c->qd : c->q;
  }
  if (item->primes) *form = form_mul(&l->inference, *form, form_known(dimension_base(0, 0, -1)));
  return true;
}

static bool add_independent(Lowering *l, const Item *item, Span span) {
  Requests *requests = &l->model->requests;
  requests->independent_span = span;
  Value part;
  if (is_part(l, item, &part)) {
    PartName name = {.name = item_symbol(l, item), .span = item->span};
    vec_push(&l->cx->keep, &requests->independent_parts, name);
    return has_value(part);
  }
  NameEntry *entry = need_name(l, item_symbol(l, item), item->span, NAME_COORDINATE);
  if (!entry) return false;
  for (uint32_t k = 0; k < requests->independent.n; k++)
    if (requests->independent.at[k] == entry->number)
      lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' is listed twice",
                  symbol_text(l->cx, entry->name));
  vec_push(&l->cx->keep, &requests->independent, entry->number);
  return true;
}

bool lower_linearize(Lowering *l, const Statement *s) {
  LinearizeRequest request = {.span = s->span};
  request.kind = symbol_is(l, s->kind, "motion")        ? LINEARIZE_MOTION
                 : symbol_is(l, s->kind, "equilibrium") ? LINEARIZE_EQUILIBRIUM
                                                        : LINEARIZE_POINT;
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) {
    const Item *item = &s->items.at[i];
    Form form;
    PointValue value;
    bool named = point_name(l, item, &value, &form);
    Value v = lower_scalar(l, item->value, &number_rules);
    const char *what = text_format(l->arena, "the value of '%s'", symbol_text(l->cx, value.name));
    if (!named || !has_value(v) || !need_dimension(l, item->value, v.form[0], form, what)) {
      good = false;
      continue;
    }
    for (uint32_t k = 0; k < request.point.n; k++) {
      const PointValue *other = &request.point.at[k];
      if (other->name != value.name || other->primes != value.primes) continue;
      if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' is given twice",
                      source_text(l, item->span)))
        diag_second(l->cx, other->span, "it is given here");
      good = false;
    }
    value.value = v.at[0];
    vec_push(&l->cx->keep, &request.point, value);
  }
  vec_push(&l->cx->keep, &l->model->requests.linearizations, request);
  for (uint32_t k = 0; k < s->clauses.n; k++)
    for (uint32_t i = 0; i < s->clauses.at[k].options.n; i++)
      good = add_independent(l, &s->clauses.at[k].options.at[i], s->span) && good;
  return good;
}

bool lower_independent(Lowering *l, const Statement *s) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++)
    good = add_independent(l, &s->items.at[i], s->span) && good;
  return good;
}

// ---- Plot

static void add_curve(Lowering *l, PlotRequest *plot, const Ast *ast, Expr value, Form form,
                      const char *label) {
  Curve curve = {
      .value = value, .label = label, .measure = measure_of(l, form, NULL), .span = ast->span};
  vec_push(&l->cx->keep, &plot->curves, curve);
}

// What was written from *at on up to the end of ast, with the numbers of its indices. Those of a
// sum have none.
static void add_with_numbers(Lowering *l, const Ast *ast, uint32_t *at, Text *out) {
  if (ast->kind == AST_SUMMATION) return;
  Symbol symbol = ast->kind == AST_NAME && ast->n ? ast_symbol(l, ast) : 0;
  if (symbol) {
    Span before = {ast->span.source, *at, ast->span.begin};
    text_addf(out, "%s%s", source_text(l, before), symbol_text(l->cx, symbol));
    *at = ast->span.end;
    return;
  }
  for (uint32_t i = 0; i < ast->n; i++) add_with_numbers(l, ast->args[i], at, out);
}

const char *lower_label(Lowering *l, const Ast *ast) {
  Text out = text_new(&l->cx->keep);
  uint32_t at = ast->span.begin;
  add_with_numbers(l, ast, &at, &out);
  text_add(&out, source_text(l, (Span){ast->span.source, at, ast->span.end}));
  return out.at;
}

static bool lower_curve(Lowering *l, PlotRequest *plot, const Ast *ast) {
  Value v = lower_ruled(l, ast, &free_rules);
  if (!has_value(v)) return false;
  const char *label = lower_label(l, ast);
  if (v.n == 1) add_curve(l, plot, ast, v.at[0], v.form[0], label);
  for (uint32_t i = 0; v.n > 1 && i < v.n; i++)
    add_curve(l, plot, ast, v.at[i], v.form[i],
              text_format(&l->cx->keep, "%s.%c", label, "xyz"[i]));
  return true;
}

// A single quantity is plotted against itself: its rate over its value.
static bool lower_phase(Lowering *l, PlotRequest *plot, const Ast *ast) {
  Ast prime = {
      .kind = AST_PRIME, .span = ast->span, .n = 1, .args = (Ast *[]){(Ast *)ast}, .count = 1};
  Value v = lower_scalar(l, ast, &free_rules);
  if (!has_value(v)) return false;
  Value rate = lower_scalar(l, &prime, &free_rules);
  if (!has_value(rate)) return false;
  const char *label = lower_label(l, ast);
  add_curve(l, plot, ast, v.at[0], v.form[0], label);
  add_curve(l, plot, ast, rate.at[0], rate.form[0], text_format(&l->cx->keep, "%s'", label));
  return true;
}

static bool lower_contact_name(Lowering *l, PlotRequest *plot, const Ast *ast) {
  Symbol name = ast->kind == AST_NAME ? ast_symbol(l, ast) : 0;
  int contact = name ? model_contact(l->model, name) : -1;
  if (contact >= 0) {
    vec_push(&l->cx->keep, &plot->contacts, (uint32_t)contact);
    return true;
  }
  const NameEntry *entry = name ? model_find(l->model, name) : NULL;
  if (entry && entry->kind == NAME_BROKEN) return false; // reported where it went wrong
  if (!name) {
    lower_error(l, QDOT_SYNTAX, ast->span, "expected the name of a contact");
    return false;
  }
  if (!lower_error(l, QDOT_UNKNOWN_NAME, ast->span, "unknown contact '%s'",
                   symbol_text(l->cx, name)))
    return false;
  Nearest nearest = nearest_to(symbol_text(l->cx, name));
  for (uint32_t i = 0; i < l->model->contacts.n; i++)
    nearest_offer(&nearest, symbol_text(l->cx, l->model->contacts.at[i].name));
  if (nearest.best)
    diag_suggest(l->cx, nearest.best);
  else if (l->model->contacts.n)
    diag_label(l->cx, "there is '%s'", symbol_text(l->cx, l->model->contacts.at[0].name));
  else
    diag_label(l->cx, "there is none; it would read 'contact %s: left <= right'",
               symbol_text(l->cx, name));
  return false;
}

// plot phase all: the coordinates of bodies are not known yet.
static bool is_all(Lowering *l, const Ast *ast) {
  return ast->kind == AST_NAME && ast->n == 0 && symbol_is(l, ast->name, "all") &&
         !model_find(l->model, ast->name);
}

static PlotKind plot_kind_of(Lowering *l, Symbol word) {
  for (int kind = 0; kind < PLOT_KINDS; kind++)
    if (plot_type((PlotKind)kind)->word[0] && symbol_is(l, word, plot_type((PlotKind)kind)->word))
      return (PlotKind)kind;
  return PLOT_TIME;
}

bool lower_plot(Lowering *l, const Statement *s) {
  PlotRequest plot = {.kind = plot_kind_of(l, s->kind), .span = s->span};
  PlotTakes takes = plot_type(plot.kind)->takes;
  bool good = true;
  l->asks = true;
  for (uint32_t i = 0; i < s->values.n; i++) {
    const Ast *ast = s->values.at[i];
    if (takes == PLOT_TAKES_CONTACTS)
      good = lower_contact_name(l, &plot, ast) && good;
    else if (takes == PLOT_TAKES_RATES && is_all(l, ast))
      plot.is_all = true;
    else if (takes == PLOT_TAKES_RATES)
      good = lower_phase(l, &plot, ast) && good;
    else
      good = lower_curve(l, &plot, ast) && good;
  }
  l->asks = false;
  if (good && takes == PLOT_TAKES_PAIRS && plot.curves.n % 2) {
    lower_error(l, QDOT_BAD_VALUE, s->span, "a %s needs pairs: x and y of each point",
                plot_type(plot.kind)->word);
    good = false;
  }
  vec_push(&l->cx->keep, &l->model->requests.plots, plot);
  return good;
}

// ---- Draw

typedef struct ShapeRow {
  const char *word;
  uint32_t least, most;
  const char *takes; // properties, with blanks between them
} ShapeRow;

static const ShapeRow shapes[] = {
#define SHAPE(name, word, least, most, takes) {word, least, most, takes " colour"},
#include "model/shapes.def"
#undef SHAPE
};

static bool lower_draw_clause(Lowering *l, const Clause *clause, DrawRequest *draw) {
  const char *word = symbol_text(l->cx, clause->word);
  bool colour = strcmp(word, "colour") == 0;
  if (colour != (clause->text != NULL)) {
    lower_error(l, QDOT_BAD_VALUE, clause->span, "'%s' is %s", word,
                colour ? "a text, such as \"red\" or \"#c82820\"" : "no text");
    return false;
  }
  if (colour) {
    draw->colour = clause->text;
    return true;
  }
  Value v = lower_ruled(l, clause->value, &free_rules);
  if (!has_value(v)) return false;
  bool size = strcmp(word, "size") == 0;
  if (size ? v.n != 2 : v.n != 1) {
    lower_error(l, QDOT_BAD_VALUE, clause->value->span, "'%s' is %s", word,
                size ? "two numbers: (width, height)" : "a number");
    return false;
  }
  if (size)
    draw->size[0] = v.at[0], draw->size[1] = v.at[1];
  else if (strcmp(word, "radius") == 0)
    draw->radius = v.at[0];
  else if (strcmp(word, "width") == 0)
    draw->width = v.at[0];
  else
    draw->angle = v.at[0];
  return true;
}

// A text is for labels, which have nothing else; a hatched line has the angle of its points.
static bool text_fits(Lowering *l, const Statement *s, DrawShape shape) {
  const char *word = shapes[shape].word;
  const Clause *angle = property_find(l, s, "angle");
  if (shape == DRAW_GROUND && s->values.n == 2 && angle &&
      lower_warning(l, angle->span, "'angle' has no effect between two points"))
    diag_label(l->cx, "the line goes from one to the other");
  if ((shape == DRAW_LABEL) == (s->text != NULL)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, s->kind_span,
                  s->text ? "'draw %s' shows no text" : "'draw %s' has no text", word))
    diag_label(l->cx, s->text ? "write 'draw label P \"text\"'" : "add it in quotes");
  return false;
}

bool lower_draw(Lowering *l, const Statement *s) {
  DrawRequest draw = {.span = s->span, .text = s->text, .point_count = s->values.n};
  while (!symbol_is(l, s->kind, shapes[draw.shape].word)) draw.shape++;
  const ShapeRow *row = &shapes[draw.shape];
  bool good = properties_fit(l, s, text_format(l->arena, "'draw %s'", row->word), row->takes);
  good = text_fits(l, s, draw.shape) && good;
  if (s->values.n < row->least || s->values.n > row->most) {
    lower_error(l, QDOT_BAD_VALUE, s->span, "'draw %s' needs %s%u point%s, found %u", row->word,
                row->most > row->least ? "at least " : "", row->least, row->least == 1 ? "" : "s",
                s->values.n);
    return false;
  }
  draw.points = (Expr(*)[3])arena_array(&l->cx->keep, Expr, 3 * (size_t)s->values.n);
  for (uint32_t i = 0; i < s->values.n; i++) {
    const Ast *ast = s->values.at[i];
    Value v = lower_ruled(l, ast, &free_rules);
    if (!has_value(v)) return false;
    if (v.n == 1 || (i > 0 && v.n != draw.dimensions)) {
      lower_error(l, QDOT_BAD_VALUE, ast->span, "expected a point such as (x, y)");
      return false;
    }
    draw.dimensions = v.n;
    for (uint32_t k = 0; k < v.n; k++) draw.points[i][k] = v.at[k];
  }
  for (uint32_t i = 0; i < s->clauses.n; i++)
    good = lower_draw_clause(l, &s->clauses.at[i], &draw) && good;
  vec_push(&l->cx->keep, &l->model->requests.draws, draw);
  return good;
}
