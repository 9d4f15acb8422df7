// Units of expressions, as they stand beside axes.
#include "print/quantity.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "model/unit.h"

typedef struct QuantityWalk {
  Context *cx;
  const Model *model;
  ExprMemo *places; // place in found + 1
  Quantity *found;
  int depth; // of parameters that follow from parameters
} QuantityWalk;

enum { DEEPEST = 4 };

static Quantity pure(bool is_angle) {
  return (Quantity){.dimension = dimension_pure(), .is_known = true, .is_angle = is_angle};
}

Quantity quantity_of_measure(const Measure *measure) {
  return (Quantity){.dimension = measure->is_known ? measure->dimension : dimension_pure(),
                    .is_known = measure->is_known,
                    .is_angle = measure->unit && unit_names_angle(measure->unit)};
}

static Quantity rate_of(Quantity q, int order) {
  q.dimension = dimension_mul(q.dimension, dimension_base(0, 0, -order));
  return q;
}

Quantity quantity_of_coordinate(const Coordinate *c, int order) {
  Quantity q = quantity_of_measure(&c->measure);
  q.is_angle = q.is_known && dimension_is_pure(q.dimension) && !c->measure.is_cosine;
  return rate_of(q, order);
}

static bool is_rate_of_angle(Dimension d) {
  for (int order = 0; order < 3; order++)
    if (dimension_is_equal(d, dimension_base(0, 0, -order))) return true;
  return false;
}

// What the language knows about the dimension counts; the expression tells whether it is an angle.
static Quantity with_dimension(Quantity q, Dimension dimension) {
  // theta'/(1 [rad/s]) is a number: its unit divided it
  bool angle = q.is_angle && is_rate_of_angle(dimension) &&
               !(dimension_is_pure(dimension) && !dimension_is_pure(q.dimension));
  return (Quantity){.dimension = dimension,
                    .is_known = true,
                    .is_angle = angle,
                    .is_counted = q.is_counted,
                    .is_energy = q.is_energy};
}

// lambda times phi (or its rate) is an energy (a power); never an angle.
static Quantity multiplier_quantity(const Measure *measure) {
  Quantity q = quantity_of_measure(measure);
  q.is_angle = false;
  return q;
}

static Quantity quantity_at(Context *cx, const Model *model, Expr e, int depth);

// One without a unit of its own is an angle where what it follows from is one.
static Quantity parameter_quantity(const QuantityWalk *w, const Parameter *p) {
  Quantity q = quantity_of_measure(&p->measure);
  if (p->measure.unit || !p->value || w->depth == DEEPEST) return q;
  q.is_angle = is_rate_of_angle(q.dimension) &&
               quantity_at(w->cx, w->model, p->value, w->depth + 1).is_angle;
  return q;
}

static Quantity symbol_quantity(QuantityWalk *w, Expr e) {
  SymbolKind kind = symbol_kind(w->cx, e);
  if (kind == SYMBOL_TIME) return rate_of(pure(false), -1);
  const NameEntry *entry = model_find(w->model, symbol_name(w->cx, e));
  int order = kind == SYMBOL_VELOCITY ? 1 : kind == SYMBOL_ACCELERATION ? 2 : 0;
  switch (entry ? entry->kind : NAME_NONE) {
  case NAME_PARAMETER: return parameter_quantity(w, &w->model->parameters.at[entry->number]);
  case NAME_INPUT: return quantity_of_measure(&w->model->inputs.at[entry->number].measure);
  case NAME_COORDINATE:
    return quantity_of_coordinate(&w->model->coordinates.at[entry->number], order);
  case NAME_STATE: {
    Quantity q = quantity_of_measure(&w->model->states.at[entry->number].measure);
    return kind == SYMBOL_STATE_RATE ? rate_of(q, 1) : q;
  }
  case NAME_CONSTRAINT_FORCE:
    return multiplier_quantity(&w->model->constraints.at[entry->number].measure);
  case NAME_CONTACT_FORCE:
    return multiplier_quantity(&w->model->contacts.at[entry->number].measure);
  default: return (Quantity){.dimension = dimension_pure()};
  }
}

static Quantity child_quantity(const QuantityWalk *w, Expr e) {
  return w->found[memo_get(w->places, e) - 1];
}

// Terms are alike; a bare number takes the dimension of its neighbours.
static Quantity sum_quantity(const QuantityWalk *w, const Node *node) {
  Quantity sum = {.dimension = dimension_pure()};
  bool mixes = false;
  for (uint32_t i = 0; i < node->count; i++) {
    Quantity term = child_quantity(w, pairs_of(node)[i].expr);
    bool angle = sum.is_angle || term.is_angle, counted = sum.is_counted || term.is_counted,
         energy = sum.is_energy || term.is_energy;
    if (!sum.is_known && term.is_known) sum = term;
    sum.is_energy = energy;
    sum.is_angle = angle && !counted;
    sum.is_counted = counted;
    mixes |= term.is_known && !term.is_angle;
  }
  // x' - r*theta' is a velocity, whichever of its terms an angle enters
  if (mixes && sum.is_known && !is_rate_of_angle(sum.dimension)) sum.is_angle = false;
  return sum;
}

// A component of a unit vector (order 0) or its rate (1); -1 is something else.
static int order_of_cosine(const QuantityWalk *w, Expr e) {
  if (op_of(w->cx, e) != OP_SYMBOL) return -1;
  const NameEntry *entry = model_find(w->model, symbol_name(w->cx, e));
  if (!entry || entry->kind != NAME_COORDINATE) return -1;
  if (!w->model->coordinates.at[entry->number].measure.is_cosine) return -1;
  SymbolKind kind = symbol_kind(w->cx, e);
  return kind == SYMBOL_COORDINATE ? 0 : kind == SYMBOL_VELOCITY ? 1 : -1;
}

// u_x' v_x is part of u' . v, by which u turns towards v.
static bool is_part_of_turning(const QuantityWalk *w, const Node *node) {
  int counts[2] = {0, 0};
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    int order = order_of_cosine(w, pair.expr);
    if (order >= 0) counts[order] += pair.number == NUMBER_ONE ? 1 : 2;
  }
  return counts[0] == 1 && counts[1] == 1;
}

// Does the factor, of a product that is an energy or a torque, tell that it is an energy? The
// square of a velocity does; of a position or an angular velocity beside parameters alone: k x^2, J
// w^2.
static bool tells_energy(const QuantityWalk *w, Pair pair, Quantity factor, bool is_of_parameters) {
  const uint32_t rates = KIND_BIT(SYMBOL_VELOCITY), places = KIND_BIT(SYMBOL_COORDINATE);
  uint32_t kinds = node_of(w->cx, pair.expr)->kinds;
  Ratio exponent;
  if (!factor.is_known || !ratio_from_double(number_to_double(w->cx, pair.number), &exponent))
    return false;
  Dimension d = dimension_pow(factor.dimension, exponent);
  if (kinds & rates && dimension_is_equal(d, dimension_base(0, 2, -2))) return true;
  if (!is_of_parameters || pair.number != NUMBER_TWO) return false;
  if (kinds & rates) return dimension_is_equal(d, dimension_base(0, 0, -2));
  return kinds & places && (factor.is_angle || dimension_is_equal(d, dimension_base(0, 2, 0)));
}

static bool is_energy(const QuantityWalk *w, const Node *node) {
  const uint32_t constant = KIND_BIT(SYMBOL_PARAMETER);
  int moving = 0;
  for (uint32_t i = 0; i < node->count; i++)
    if (node_of(w->cx, pairs_of(node)[i].expr)->kinds & ~constant) moving++;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    if (tells_energy(w, pair, child_quantity(w, pair.expr), moving == 1)) return true;
  }
  return false;
}

// A position, a velocity or the like, which has a unit and is no angle; u_x' of a unit vector has
// none but that of time.
static bool is_moving_measure(const QuantityWalk *w, Expr e, Quantity q) {
  const uint32_t kinds =
      KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION);
  return q.is_known && !is_rate_of_angle(q.dimension) && node_of(w->cx, e)->kinds & kinds;
}

// One angle times pure numbers is an angle, as is its rate; over pi it is counted in degrees, turns
// or the like, and no unit of ours fits.
static Quantity product_quantity(const QuantityWalk *w, const Node *node) {
  Quantity product = pure(false);
  int angles = 0, moving = 0;
  bool is_over_pi = false;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    Quantity factor = child_quantity(w, pair.expr);
    Ratio exponent;
    if (!ratio_from_double(number_to_double(w->cx, pair.number), &exponent))
      product.is_known = false;
    else
      product.dimension =
          dimension_mul(product.dimension, dimension_pow(factor.dimension, exponent));
    product.is_known = product.is_known && factor.is_known;
    if (factor.is_angle) angles += pair.number == NUMBER_ONE ? 1 : 2;
    if (!factor.is_angle && is_moving_measure(w, pair.expr, factor)) moving++;
    product.is_counted |= factor.is_counted;
    is_over_pi |= op_of(w->cx, pair.expr) == OP_PI && number_to_double(w->cx, pair.number) < 0;
  }
  if (is_part_of_turning(w, node)) angles++;
  // r*theta'/x' is a ratio of velocities
  bool is_ratio = moving > 0 && is_rate_of_angle(product.dimension);
  product.is_angle = angles == 1 && !is_over_pi && !is_ratio;
  product.is_counted |= angles == 1 && is_over_pi;
  product.is_energy =
      dimension_is_equal(product.dimension, dimension_base(1, 2, -2)) && is_energy(w, node);
  return product;
}

static Quantity function_quantity(const QuantityWalk *w, const Node *node) {
  switch (node->op) {
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2: return pure(true);
  case OP_ABS: return child_quantity(w, node->args[0]);
  case OP_MIN:
  case OP_MAX: {
    Quantity first = child_quantity(w, node->args[0]);
    bool bare = !first.is_known || op_of(w->cx, node->args[0]) == OP_NUMBER;
    return bare ? child_quantity(w, node->args[1]) : first;
  }
  case OP_IF:
    return child_quantity(w, node->args[op_of(w->cx, node->args[1]) == OP_NUMBER ? 2 : 1]);
  case OP_TABLE: return (Quantity){.dimension = dimension_pure()}; // its numbers have lost theirs
  default: return pure(false);
  }
}

// A definition has the dimension that its line has.
static Quantity definition_quantity(const QuantityWalk *w, Expr e, const Node *node) {
  Quantity body = child_quantity(w, node->args[0]);
  Symbol name = definition_name(w->cx, e);
  const NameEntry *entry = name ? model_find(w->model, name) : NULL;
  if (!entry || entry->kind != NAME_DEFINITION) return body;
  const Definition *definition = &w->model->definitions.at[entry->number];
  if (definition->value != e || !definition->measure.is_known) return body;
  return with_dimension(body, definition->measure.dimension);
}

// A factor such as 2 [kg] is a mere number by now, and 1 [kg] is gone.
static Quantity unless_hidden(const QuantityWalk *w, Quantity q) {
  if (w->model->hides_units) q.is_known = false;
  return q;
}

static Quantity node_quantity(QuantityWalk *w, Expr e) {
  const Node *node = node_of(w->cx, e);
  switch (node->op) {
  case OP_SYMBOL: return symbol_quantity(w, e);
  case OP_DEFINITION: return definition_quantity(w, e, node);
  case OP_SUM: return unless_hidden(w, sum_quantity(w, node));
  case OP_PRODUCT: return unless_hidden(w, product_quantity(w, node));
  default: return op_is_function((Op)node->op) ? function_quantity(w, node) : pure(false);
  }
}

static Quantity quantity_at(Context *cx, const Model *model, Expr e, int depth) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
  QuantityWalk w = {cx, model, memo_take(cx), arena_array(&cx->scratch, Quantity, list.n), depth};
  for (uint32_t i = 0; i < list.n; i++) {
    w.found[i] = node_quantity(&w, list.at[i]);
    memo_set(cx, w.places, list.at[i], i + 1);
  }
  Quantity result = child_quantity(&w, e);
  memo_give(cx, w.places);
  arena_release(&cx->scratch, mark);
  if (!dimension_is_valid(result.dimension)) result = (Quantity){.dimension = dimension_pure()};
  return result;
}

Quantity quantity_of(Context *cx, const Model *model, Expr e) {
  return quantity_at(cx, model, e, 0);
}

Quantity quantity_measured(Context *cx, const Model *model, Expr e, Dimension dimension,
                           bool is_known) {
  Quantity q = quantity_of(cx, model, e);
  return is_known ? with_dimension(q, dimension) : q;
}

Quantity quantity_of_output(Context *cx, const Model *model, const Output *output) {
  return quantity_measured(cx, model, output->value, output->measure.dimension,
                           output->measure.is_known);
}

// lambda times phi is a work where phi is a position, a power where it is a rate.
static Quantity row_quantity(Quantity phi, bool is_rate, const Measure *force, int order) {
  if (!force->is_known) return rate_of(phi, order - is_rate);
  Dimension position = dimension_div(dimension_base(1, 2, -2), force->dimension);
  return with_dimension(phi, dimension_mul(position, dimension_base(0, 0, -order)));
}

Quantity quantity_of_constraint(Context *cx, const Model *model, const Constraint *c, int order) {
  return row_quantity(quantity_of(cx, model, c->phi), c->is_nonholonomic, &c->measure, order);
}

Quantity quantity_of_contact(Context *cx, const Model *model, const Contact *c, int order) {
  return row_quantity(quantity_of(cx, model, c->phi), false, &c->measure, order);
}

Quantity quantity_of_named(Context *cx, const Model *model, const char *name, Expr e) {
  const NameEntry *entry = model_find_text(model, name);
  if (entry && entry->kind == NAME_OUTPUT)
    return quantity_of_output(cx, model, &model->outputs.at[entry->number]);
  return quantity_of(cx, model, e);
}

bool quantity_is_equal(Quantity a, Quantity b) {
  return a.is_known == b.is_known && dimension_is_equal(a.dimension, b.dimension) &&
         a.is_angle == b.is_angle && a.is_counted == b.is_counted;
}

// Units that people write with a name of their own.
static const struct {
  Dimension dimension; // kg, m, s, A, K
  bool is_angle;
  const char *text;
} known_units[] = {
    {{{0, 0, 0}, 1}, true, "rad"},       {{{0, 0, -1}, 1}, true, "rad/s"},
    {{{0, 0, -2}, 1}, true, "rad/s²"},   {{{1, 1, -2}, 1}, false, "N"},
    {{{1, 2, -2}, 1}, false, "N m"},     {{{1, 2, -3}, 1}, false, "W"},
    {{{1, 0, -2}, 1}, false, "N/m"},     {{{1, 0, -1}, 1}, false, "N s/m"},
    {{{1, 2, -1}, 1}, false, "N m s"},   {{{1, -1, -2}, 1}, false, "Pa"},
    {{{1, 1, -1}, 1}, false, "N s"},     {{{1, 1, -3}, 1}, false, "N/s"},
    {{{1, 2, -3, -1}, 1}, false, "V"},   {{{1, 2, -2, -1}, 1}, false, "V s"},
    {{{1, 2, -3, -2}, 1}, false, "ohm"}, {{{1, 2, -2, -2}, 1}, false, "H"},
    {{{-1, -2, 4, 2}, 1}, false, "F"},   {{{0, 0, 1, 1}, 1}, false, "C"},
    {{{1, 2, -4, -1}, 1}, false, "V/s"}, {{{1, 1, -2, -1}, 1}, false, "N/A"},
};

// NULL where people write it by those it consists of.
static const char *unit_name(Quantity q) {
  if (q.is_energy && dimension_is_equal(q.dimension, dimension_base(1, 2, -2))) return "J";
  for (size_t i = 0; i < sizeof known_units / sizeof *known_units; i++) {
    if (dimension_is_equal(known_units[i].dimension, q.dimension) &&
        (!known_units[i].is_angle || q.is_angle))
      return known_units[i].text;
  }
  return dimension_is_pure(q.dimension) ? "" : NULL;
}

const char *quantity_unit(Arena *arena, Quantity q) {
  if (!q.is_known || (q.is_counted && is_rate_of_angle(q.dimension))) return "";
  const char *name = unit_name(q);
  if (name) return name;
  Text text = text_new(arena);
  dimension_print(q.dimension, &text);
  return text.at;
}

const char *quotient_unit(Arena *arena, Quantity of, Quantity by) {
  if (!of.is_known || !by.is_known) return "";
  Quantity ratio = {.dimension = dimension_div(of.dimension, by.dimension),
                    .is_known = true,
                    .is_angle = of.is_angle && !by.is_angle && dimension_is_pure(by.dimension)};
  bool is_same = dimension_is_pure(by.dimension) && !by.is_angle;
  if (is_same) ratio.is_energy = of.is_energy;
  const char *top = quantity_unit(arena, of), *bottom = quantity_unit(arena, by);
  // N for N m over m, but J/V, not C
  enum { AMPERE = 3 };
  bool mixes = !of.dimension.exponent[AMPERE] && by.dimension.exponent[AMPERE];
  bool has_name = unit_name(ratio) && !mixes;
  const char *plain = quantity_unit(arena, ratio);
  // s for m over m/s
  bool is_one = !mixes && (of.is_angle || !by.is_angle) && !strpbrk(plain, " /");
  if (has_name || is_one || is_same || !*bottom || !*top) return plain;
  const char *form = strpbrk(bottom, " /") ? "%s/(%s)" : "%s/%s";
  return text_format(arena, form, top, bottom);
}

static bool parse_factor(Context *cx, const char *text, Expr *factor, double *value) {
  Unit unit;
  if (unit_parse(cx, text, strlen(text), (Span){0}, &unit) != QDOT_OK) return false;
  *factor = unit.factor;
  *value = expr_eval(cx, unit.factor, NULL);
  return *value > 0 && isfinite(*value);
}

UnitScale unit_scale(Context *cx, Arena *arena, const Measure *measure, Quantity otherwise) {
  Expr factor;
  double value;
  const char *text = measure ? measure->unit : NULL;
  if (text && parse_factor(cx, text, &factor, &value)) return (UnitScale){text, value};
  return (UnitScale){quantity_unit(arena, otherwise), 1};
}

// ---- Units of expressions as the model has them

static const Measure *symbol_measure(const Model *model, const Context *cx, Expr e) {
  const NameEntry *entry = model_find(model, symbol_name(cx, e));
  switch (entry ? entry->kind : NAME_NONE) {
  case NAME_PARAMETER: return &model->parameters.at[entry->number].measure;
  case NAME_INPUT: return &model->inputs.at[entry->number].measure;
  case NAME_COORDINATE:
    return symbol_kind(cx, e) == SYMBOL_COORDINATE ? &model->coordinates.at[entry->number].measure
                                                   : NULL;
  case NAME_STATE:
    return symbol_kind(cx, e) == SYMBOL_STATE ? &model->states.at[entry->number].measure : NULL;
  default: return NULL;
  }
}

UnitScale unit_of_expr(Context *cx, Arena *arena, const Model *model, Expr e, Quantity quantity) {
  UnitScale si = {quantity_unit(arena, quantity), 1}, written = {0};
  // a fraction is none of an angle, of which degrees are told
  if (!*si.unit || (dimension_is_pure(quantity.dimension) && !quantity.is_angle)) return si;
  QuantityWalk w = {.cx = cx, .model = model};
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
  bool agree = true;
  for (uint32_t i = 0; i < list.n && agree; i++) {
    if (op_of(cx, list.at[i]) != OP_SYMBOL) continue;
    const Measure *measure = symbol_measure(model, cx, list.at[i]);
    if (!measure || !measure->unit) continue;
    if (!quantity_is_equal(symbol_quantity(&w, list.at[i]), quantity)) continue;
    UnitScale one = unit_scale(cx, arena, measure, quantity);
    agree = !written.unit || (one.factor == written.factor && strcmp(one.unit, written.unit) == 0);
    written = one;
  }
  arena_release(&cx->scratch, mark);
  return written.unit && agree && written.factor != 1 ? written : si;
}

Expr unit_number(Context *cx, Expr e, UnitScale scale) {
  Expr factor;
  double value;
  if (scale.factor == 1 || !parse_factor(cx, scale.unit, &factor, &value)) return e;
  return expr_div(cx, e, factor);
}
