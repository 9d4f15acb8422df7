// Solids: points and vectors with their places in a frame become one rigid body.
//
//   d = (d_1 d_2 d_3), D = (D_1 D_2 D_3): three directions in the solid's frame and in the world
//   x in the frame is at P + D b, b = d^-1 (x - x_P)
//   T = m/2 |r'|^2 + 1/2 sum z_ij D_i' . D_j',  z = d^-1 S d^-T,  S = integral of x x^T dm
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "lang/lower/lower_space.h"
#include "lang/lower/property.h"

// A point or vector of the solid.
typedef struct Mark3 {
  uint32_t name; // in the model's list of space names, or NO_NAME for a let
  bool is_vector, is_fixed;
  Expr world[3], local[3], start[3];
  const Item *item;
} Mark3;

#define NO_NAME UINT32_MAX

typedef struct Building {
  Lowering *l;
  const Statement *s;
  Symbol name;
  VEC(Mark3) marks;
  uint32_t origin;               // the first point
  uint32_t chosen[3];            // directions of the frame
  Expr world[3][3], local[3][3]; // D and d, a direction a row
  Expr start[3][3];              // D at the start
  Expr inverse[3][3];            // b = inverse (x - x_P)
  double size;                   // the greatest distance of a point from the first
  Solid solid;
} Building;

// ---- Properties

static const Clause *clause_named(const Building *b, const char *word) {
  return property_find(b->l, b->s, word);
}

const Clause *need_solid_clause(Lowering *l, const Statement *s, Symbol name, const char *word) {
  const Clause *clause = property_find(l, s, word);
  if (!clause && lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "solid '%s' has no %s",
                             symbol_text(l->cx, name), word))
    diag_label(l->cx, strcmp(word, "mass") == 0
                          ? "add ', mass m'"
                          : "add ', inertia (J_x, J_y, J_z)', or a shape: block (a, b, c), ball r");
  return clause;
}

double parameter_value(Lowering *l, Expr e) {
  Mark mark = arena_mark(&l->cx->scratch);
  double *values = arena_array(&l->cx->scratch, double, l->cx->exprs->symbols.n);
  for (uint32_t i = 0; i < l->model->parameters.n; i++)
    values[symbol_variable(l->cx, l->model->parameters.at[i].symbol)] = l->parameter_numbers.at[i];
  double number = expr_eval(l->cx, e, values);
  arena_release(&l->cx->scratch, mark);
  return number;
}

static double number_of(const Building *b, Expr e) { return parameter_value(b->l, e); }

// With coordinates where they start, and t = 0.
static double start_value(const Building *b, Expr e) {
  Context *cx = b->l->cx;
  Mark mark = arena_mark(&cx->scratch);
  const Model *model = b->l->model;
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    values[symbol_variable(cx, model->parameters.at[i].symbol)] = b->l->parameter_numbers.at[i];
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    Expr start = model->coordinates.at[i].position.value;
    values[symbol_variable(cx, model->coordinates.at[i].q)] = start ? number_of(b, start) : 0;
  }
  double number = expr_eval(cx, e, values);
  arena_release(&cx->scratch, mark);
  return number;
}

static bool lower_solid_mass(Building *b) {
  Lowering *l = b->l;
  const Clause *clause = need_solid_clause(l, b->s, b->name, "mass");
  if (!clause) return false;
  Value v = lower_scalar(l, clause->value, space_fixed_rules());
  if (!has_value(v) ||
      !need_dimension(l, clause->value, v.form[0], form_known(dimension_base(1, 0, 0)), "'mass'"))
    return false;
  b->solid.mass = v.at[0];
  if (!(number_of(b, v.at[0]) < 0)) return true;
  lower_error(l, QDOT_BAD_VALUE, clause->value->span, "solid '%s' has a negative mass",
              symbol_text(l->cx, b->name));
  return false;
}

// ---- Points and vectors

static uint32_t space_name(const Model *model, Symbol name) {
  for (uint32_t i = 0; i < model->space.names.n; i++)
    if (model->space.names.at[i].name == name) return i;
  return NO_NAME;
}

// Where it starts: the initial values of its coordinates, or what it is when it does not move.
static void find_start(Building *b, const Vector *vector, Mark3 *mark) {
  Context *cx = b->l->cx;
  for (uint32_t i = 0; i < 3; i++) {
    mark->start[i] = vector->at[i];
    if (!vector->moves) continue;
    Expr value = b->l->model->coordinates.at[vector->first + i].position.value;
    mark->start[i] = value ? value : expr_int(cx, 0);
  }
}

static bool has_unit_length(const Building *b, const Expr at[3], Span span) {
  double square = number_of(b, space_dot(b->l->cx, at, at));
  if (!(fabs(square - 1) > 1e-9)) return true;
  if (lower_error(b->l, QDOT_BAD_VALUE, span, "a unit vector has the length 1"))
    diag_label(b->l->cx, "%g", sqrt(square));
  return false;
}

static bool lower_mark(Building *b, const Item *item) {
  Lowering *l = b->l;
  NameEntry *entry = need_name(l, item_symbol(l, item), item->base_span, NAME_VECTOR);
  if (!entry) return false;
  entry->is_used = true;
  for (uint32_t i = 1; &b->s->items.at[i] < item; i++) {
    const Item *other = &b->s->items.at[i];
    if (item_symbol(l, other) != item_symbol(l, item)) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'%s' is placed twice in this solid",
                    symbol_text(l->cx, item_symbol(l, item))))
      diag_second(l->cx, other->span, "it is placed here");
    return false;
  }
  const Vector *vector = &l->model->vectors.at[entry->number];
  Mark3 mark = {.item = item, .name = space_name(l->model, vector->name), .is_fixed = true};
  if (vector->n != 3) {
    lower_error(l, QDOT_BAD_VALUE, item->span, "a solid's points have three components");
    return false;
  }
  if (mark.name != NO_NAME) {
    mark.is_vector = l->model->space.names.at[mark.name].is_vector;
    mark.is_fixed = l->model->space.names.at[mark.name].is_fixed;
  }
  for (int i = 0; i < 3; i++) mark.world[i] = vector->at[i];
  if (mark.is_vector && mark.is_fixed && !has_unit_length(b, mark.world, vector->span))
    return false;
  find_start(b, vector, &mark);
  const char *what = mark.is_vector ? "a direction of a solid" : "a point of a solid";
  if (!lower_components(l, item->value, dimension_base(0, !mark.is_vector, 0), space_fixed_rules(),
                        what, mark.local))
    return false;
  vec_push(l->arena, &b->marks, mark);
  return !mark.is_vector || has_unit_length(b, mark.local, item->value->span);
}

static bool lower_marks(Building *b) {
  bool good = true;
  b->origin = NO_NAME;
  for (uint32_t i = 1; i < b->s->items.n; i++) good = lower_mark(b, &b->s->items.at[i]) && good;
  for (uint32_t i = b->marks.n; i-- > 0;)
    if (!b->marks.at[i].is_vector) b->origin = i;
  if (!good || b->origin != NO_NAME) return good;
  if (lower_error(b->l, QDOT_BAD_MODEL, b->s->items.at[0].span, "solid '%s' has no point",
                  symbol_text(b->l->cx, b->name)))
    diag_label(b->l->cx, "add one, such as 'A (0, 0, 0)'");
  return false;
}

// ---- The frame

static void direction_of(const Building *b, uint32_t mark, Expr world[3], Expr local[3],
                         Expr start[3]) {
  Context *cx = b->l->cx;
  const Mark3 *m = &b->marks.at[mark], *P = &b->marks.at[b->origin];
  for (int i = 0; i < 3; i++) {
    world[i] = m->is_vector ? m->world[i] : expr_sub(cx, m->world[i], P->world[i]);
    local[i] = m->is_vector ? m->local[i] : expr_sub(cx, m->local[i], P->local[i]);
    start[i] = m->is_vector ? m->start[i] : expr_sub(cx, m->start[i], P->start[i]);
  }
}

static void cross_numbers(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double length_of(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// How much of a direction is new beside those chosen, from 0 to 1.
static double novelty(double known[3][3], uint32_t count, const double new_one[3]) {
  double size = length_of(new_one), normal[3], sum = 0;
  if (!(size > 0)) return 0;
  if (count == 0) return 1;
  if (count == 1) {
    cross_numbers(known[0], new_one, normal);
    return length_of(normal) / (size * length_of(known[0]));
  }
  cross_numbers(known[0], known[1], normal);
  for (int i = 0; i < 3; i++) sum += normal[i] * new_one[i];
  return fabs(sum) / (size * length_of(normal));
}

static bool choose_directions(Building *b) {
  double known[3][3];
  uint32_t count = 0;
  for (uint32_t k = 0; k < b->marks.n && count < 3; k++) {
    if (k == b->origin) continue;
    double numbers[3];
    direction_of(b, k, b->world[count], b->local[count], b->start[count]);
    for (int i = 0; i < 3; i++) numbers[i] = number_of(b, b->local[count][i]);
    if (!(novelty(known, count, numbers) > 1e-6)) continue;
    memcpy(known[count], numbers, sizeof numbers);
    b->chosen[count++] = k;
  }
  if (count == 3) return true;
  if (lower_error(b->l, QDOT_BAD_MODEL, b->s->items.at[0].span,
                  "the points and vectors of solid '%s' do not fix its attitude",
                  symbol_text(b->l->cx, b->name)))
    diag_note(b->l->cx, "besides its first point it needs three that do not lie in one plane with "
                        "it: further points, or vectors such as 'u (1, 0, 0)'");
  return false;
}

// The volume that three directions of length 1 span, negative for a left-handed frame.
static double volume(double a[3][3]) {
  double normal[3], sum = 0;
  cross_numbers(a[0], a[1], normal);
  for (int i = 0; i < 3; i++) sum += normal[i] * a[2][i];
  return sum / (length_of(a[0]) * length_of(a[1]) * length_of(a[2]));
}

// Lengths and angles do not tell a solid from its mirror image; where it starts does. Guesses that
// are far from both are left to the assembly.
static bool is_no_mirror_image(Building *b) {
  double local[3][3], start[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      local[i][k] = number_of(b, b->local[i][k]);
      start[i][k] = start_value(b, b->start[i][k]);
    }
  if (!(volume(start) / volume(local) < -0.5)) return true;
  if (lower_error(b->l, QDOT_BAD_VALUE, b->s->items.at[0].span,
                  "solid '%s' starts as its own mirror image", symbol_text(b->l->cx, b->name)))
    diag_note(b->l->cx, "its points and vectors, as they start, are mirrored against their places "
                        "in its frame: reverse one of them, or exchange two");
  return false;
}

// d^-1 for the columns d_1, d_2, d_3: row i is d_j x d_k / det.
static void invert(Building *b) {
  Context *cx = b->l->cx;
  Expr cofactor[3][3];
  for (int i = 0; i < 3; i++) {
    const Expr *u = b->local[(i + 1) % 3], *v = b->local[(i + 2) % 3];
    space_cross(cx, u, v, cofactor[i]);
  }
  Expr det = space_dot(cx, b->local[0], cofactor[0]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) b->inverse[i][k] = expr_div(cx, cofactor[i][k], det);
}

// A vector of the solid's frame in the world: D d^-1 v.
static void to_world(const Building *b, const Expr D[3][3], const Expr v[3], Expr out[3]) {
  Context *cx = b->l->cx;
  Expr share[3], terms[3];
  for (int i = 0; i < 3; i++) share[i] = space_dot(cx, b->inverse[i], v);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) terms[i] = expr_mul(cx, share[i], D[i][k]);
    out[k] = expr_sum(cx, terms, 3);
  }
}

static void place(const Building *b, const Expr local[3], Expr out[3]) {
  Context *cx = b->l->cx;
  const Mark3 *P = &b->marks.at[b->origin];
  Expr arm[3];
  for (int i = 0; i < 3; i++) arm[i] = expr_sub(cx, local[i], P->local[i]);
  to_world(b, b->world, arm, out);
  for (int i = 0; i < 3; i++) out[i] = expr_add(cx, P->world[i], out[i]);
}

// ---- Constraints

static Symbol row_name(const Building *b, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  Text text = text_new(b->l->arena);
  text_addf(&text, "%s.", symbol_text(b->l->cx, b->name));
  text_addv(&text, format, arguments);
  va_end(arguments);
  return symbol_from_text(b->l->cx, text.at);
}

static bool is_kept_already(Building *b, Expr product) {
  Space *space = &b->l->model->space;
  for (uint32_t i = 0; i < space->products.n; i++)
    if (space->products.at[i] == product) return true;
  vec_push(&b->l->cx->keep, &space->products, product);
  return false;
}

// Lengths of the three directions and angles between them; vectors keep their own lengths.
static void add_rigid_rows(Building *b) {
  Context *cx = b->l->cx;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j <= i; j++) {
      bool of_vector = b->marks.at[b->chosen[i]].is_vector,
           other = b->marks.at[b->chosen[j]].is_vector;
      if (i == j && of_vector) continue;
      Expr product = space_dot(cx, b->world[i], b->world[j]);
      if (is_kept_already(b, product)) continue;
      SpaceRow row = {.name = row_name(b, "rigid_%d%d", j + 1, i + 1),
                      .phi = expr_sub(cx, product, space_dot(cx, b->local[i], b->local[j])),
                      .length_power = !of_vector + !other,
                      .span = b->s->items.at[0].span};
      row.size = (of_vector ? 1 : b->size) * (other ? 1 : b->size);
      add_space_row(b->l, &row);
    }
  }
}

static bool is_chosen(const Building *b, uint32_t mark) {
  return mark == b->origin || mark == b->chosen[0] || mark == b->chosen[1] || mark == b->chosen[2];
}

// Further points and vectors move with the frame.
static void add_ties(Building *b) {
  Context *cx = b->l->cx;
  for (uint32_t k = 0; k < b->marks.n; k++) {
    const Mark3 *m = &b->marks.at[k];
    if (is_chosen(b, k)) continue;
    Expr at[3];
    if (m->is_vector)
      to_world(b, b->world, m->local, at);
    else
      place(b, m->local, at);
    if (m->is_vector && m->name != NO_NAME) b->l->model->space.names.at[m->name].is_tied = true;
    const char *name = symbol_text(cx, item_symbol(b->l, m->item));
    for (int i = 0; i < 3; i++) {
      SpaceRow row = {.name = row_name(b, "%s_%c", name, "xyz"[i]),
                      .phi = expr_sub(cx, m->world[i], at[i]),
                      .length_power = !m->is_vector,
                      .size = m->is_vector ? 1 : b->size,
                      .span = m->item->span};
      add_space_row(b->l, &row);
    }
  }
}

// ---- Energy

static Expr kinetic_energy(const Building *b) {
  Context *cx = b->l->cx;
  Expr rate[3], turn[3][3], terms[10];
  for (int k = 0; k < 3; k++) rate[k] = expr_time_derivative(cx, b->solid.centre[k]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) turn[i][k] = expr_time_derivative(cx, b->world[i][k]);
  int n = 0;
  terms[n++] = expr_mul(cx, b->solid.mass, space_dot(cx, rate, rate));
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      Expr z[9];
      for (int k = 0; k < 9; k++)
        z[k] = expr_mul3(cx, b->inverse[i][k / 3], b->solid.moment[k / 3][k % 3],
                         b->inverse[j][k % 3]);
      Expr moment = expr_sum(cx, z, 9);
      terms[n++] = expr_mul(cx, moment, space_dot(cx, turn[i], turn[j]));
    }
  }
  return expr_scale(cx, NUMBER_HALF, expr_sum(cx, terms, (size_t)n));
}

// The centre as a vector NAME.r.
static void define_centre(Building *b, const Expr at[3]) {
  Lowering *l = b->l;
  Context *cx = l->cx;
  Model *model = l->model;
  Vector vector = {.name = row_name(b, "r"), .n = 3, .first = model->definitions.n};
  vector.span = b->s->items.at[0].span;
  for (uint32_t i = 0; i < 3; i++) {
    Symbol name = row_name(b, "r.%c", "xyz"[i]);
    Definition d = {.name = name,
                    .value = expr_define(cx, name, at[i]),
                    .measure = {.dimension = dimension_base(0, 1, 0), .is_known = true},
                    .span = vector.span};
    model_add_name(model, name, NAME_DEFINITION, model->definitions.n, vector.span);
    vec_push(&cx->keep, &model->definitions, d);
    vec_push(l->arena, &l->definition_numbers, NAN);
    vector.at[i] = d.value;
    // energies see the coordinates themselves, so that chains of solids stay sparse
    b->solid.centre[i] = at[i];
  }
  model_add_name(model, vector.name, NAME_VECTOR, model->vectors.n, vector.span);
  vec_push(&cx->keep, &model->vectors, vector);
}

static bool lower_centre(Building *b, Expr local[3]) {
  const Clause *clause = clause_named(b, "centre");
  for (int i = 0; i < 3; i++) local[i] = expr_int(b->l->cx, 0);
  return !clause || lower_components(b->l, clause->value, dimension_base(0, 1, 0),
                                     space_fixed_rules(), "the centre of a solid", local);
}

// ---- How it starts to move

typedef struct Motion3 {
  Expr spin[3];     // in the solid's frame
  Expr velocity[3]; // of its centre, in the world
  bool has_velocity;
  InitialKind kind;
  Span span;
} Motion3;

// The velocity of a point or vector in a turning solid: w x arm, and the centre's velocity.
static void start_rate(const Building *b, const Motion3 *m, const Mark3 *mark, const Expr centre[3],
                       Expr out[3]) {
  Context *cx = b->l->cx;
  Expr arm[3], turned[3];
  // what does not move carries a solid whose centre has no velocity of its own
  const Expr *from = m->has_velocity ? centre : b->marks.at[b->origin].local;
  for (int i = 0; i < 3; i++)
    arm[i] = mark->is_vector ? mark->local[i] : expr_sub(cx, mark->local[i], from[i]);
  space_cross(cx, m->spin, arm, turned);
  to_world(b, b->start, turned, out);
  for (int i = 0; !mark->is_vector && m->has_velocity && i < 3; i++)
    out[i] = expr_add(cx, out[i], m->velocity[i]);
}

static void set_start(Building *b, const Motion3 *m, const Expr centre[3]) {
  Model *model = b->l->model;
  for (uint32_t k = 0; k < b->marks.n; k++) {
    const Mark3 *mark = &b->marks.at[k];
    if (mark->is_fixed) continue;
    Expr rate[3];
    start_rate(b, m, mark, centre, rate);
    const Vector *vector = &model->vectors.at[model->space.names.at[mark->name].vector];
    for (uint32_t i = 0; i < 3; i++) {
      Initial *velocity = &model->coordinates.at[vector->first + i].velocity;
      if (velocity->kind == INITIAL_NONE) *velocity = (Initial){m->kind, rate[i], m->span};
    }
  }
}

static bool lower_motion(Building *b, const Expr centre[3]) {
  Lowering *l = b->l;
  const Clause *spin = clause_named(b, "spin"), *velocity = clause_named(b, "velocity");
  if (!spin && !velocity) return true;
  Motion3 m = {.has_velocity = velocity != NULL, .kind = INITIAL_GUESS};
  m.span = (spin ? spin : velocity)->span;
  if ((spin && spin->is_given) || (velocity && velocity->is_given)) m.kind = INITIAL_GIVEN;
  for (int i = 0; i < 3; i++) m.spin[i] = expr_int(l->cx, 0);
  bool good = !spin || lower_components(l, spin->value, dimension_base(0, 0, -1),
                                        space_fixed_rules(), "a spin", m.spin);
  if (velocity)
    good = lower_components(l, velocity->value, dimension_base(0, 1, -1), space_fixed_rules(),
                            "a velocity", m.velocity) &&
           good;
  if (good) set_start(b, &m, centre);
  return good;
}

// ---- The whole

static void find_size(Building *b) {
  const Mark3 *P = &b->marks.at[b->origin];
  for (uint32_t k = 0; k < b->marks.n; k++) {
    double arm[3];
    if (b->marks.at[k].is_vector) continue;
    for (int i = 0; i < 3; i++)
      arm[i] = number_of(b, expr_sub(b->l->cx, b->marks.at[k].local[i], P->local[i]));
    b->size = fmax(b->size, length_of(arm));
  }
}

static void finish(Building *b, const Expr local_centre[3]) {
  Context *cx = b->l->cx;
  Model *model = b->l->model;
  Expr centre[3];
  find_size(b);
  invert(b);
  place(b, local_centre, centre);
  define_centre(b, centre);
  for (int i = 0; i < 3; i++) {
    Expr unit[3];
    for (int k = 0; k < 3; k++) unit[k] = expr_int(cx, i == k);
    to_world(b, b->world, unit, b->solid.axes[i]);
  }
  for (uint32_t k = 0; k < b->marks.n; k++) {
    const Mark3 *mark = &b->marks.at[k];
    if (mark->is_vector) continue;
    for (int i = 0; i < 3; i++) vec_push(&cx->keep, &b->solid.points, mark->world[i]);
    vec_push(&cx->keep, &b->solid.is_fixed, mark->is_fixed);
  }
  add_rigid_rows(b);
  add_ties(b);
  Energy energy = {ENERGY_KINETIC, b->name, kinetic_energy(b), b->s->items.at[0].span};
  vec_push(&cx->keep, &model->energies, energy);
  vec_push(&cx->keep, &model->space.solids, b->solid);
}

bool lower_solid(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  Building b = {.l = l, .s = s, .name = item_symbol(l, item)};
  b.solid = (Solid){.name = b.name, .span = item->span};
  Expr centre[3];
  bool good = properties_fit(l, s, "a solid", NULL);
  good = b.name && lower_solid_mass(&b) && good;
  good = lower_moments(l, s, b.name, b.solid.mass, b.solid.moment) && good;
  good = lower_centre(&b, centre) && good;
  good = lower_marks(&b) && good;
  good = good && choose_directions(&b) && is_no_mirror_image(&b);
  if (!good || !define_name(l, b.name, item, NAME_SOLID, l->model->space.solids.n)) {
    break_name(l, item);
    return false;
  }
  finish(&b, centre);
  return lower_motion(&b, centre);
}
