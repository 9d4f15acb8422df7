// The curves of a live page: those of the model's plot lines over time, else its coordinates and
// outputs, then the energies; in the colours of the parts that they belong to.
#include "report/live.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "print/gnuplot_text.h"
#include "print/quantity.h"
#include "print/units.h"
#include "report/document/document.h"

enum { LONGEST_FORMULA = 40 }; // bytes of a label; what is longer is shown as it was written
enum { MOST_COORDINATES = 12, MOST_PANELS = 8, MOST_LIVE_CURVES = 40 };

static const char *const JACOBI = "T_2 - T_0 + V";

typedef struct LiveCurve {
  Expr value;
  const char *name; // as it is written, or NULL
  const char *unit;
  double si;      // what one of that unit is in SI units
  Expr shown;     // its value in that unit
  int coordinate; // that it is, or a rate of; -1: something else
  uint32_t role;  // 0, or the place in the palette that is kept for it
  Quantity quantity;
  UnitScale scale;
  uint32_t panel;
} LiveCurve;

typedef struct Curves {
  Live *live;
  VEC(LiveCurve) all;
  uint32_t panels;
} Curves;

static void add_curve(Curves *curves, LiveCurve curve) {
  if (curves->all.n >= MOST_LIVE_CURVES) return;
  for (uint32_t i = 0; i < curves->all.n; i++)
    if (curves->all.at[i].value == curve.value) return;
  curve.coordinate = model_coordinate_of(curves->live->system->model, curve.value);
  curve.panel = curves->panels;
  // those of one unit share a panel
  for (uint32_t i = 0; i < curves->all.n; i++) {
    const LiveCurve *other = &curves->all.at[i];
    if (strcmp(other->unit, curve.unit) == 0 && !other->role == !curve.role)
      curve.panel = other->panel;
  }
  if (curve.panel == curves->panels && curves->panels == MOST_PANELS) return;
  if (curve.panel == curves->panels) curves->panels++;
  vec_push(curves->live->arena, &curves->all, curve);
}

static void take_scale(const Live *live, LiveCurve *curve, UnitScale scale) {
  Text unit = text_new(live->arena);
  unit_add_pretty(&unit, scale.unit);
  curve->scale = scale, curve->unit = unit.at, curve->si = scale.factor;
  curve->shown = unit_number(live->cx, curve->value, scale);
}

static bool are_of_one_kind(const LiveCurve *a, const LiveCurve *b) {
  const double farthest = 1000; // times: of units that one axis can have
  bool is_near = a->si < farthest * b->si && b->si < farthest * a->si;
  return !a->role && !b->role && is_near && a->quantity.is_known && b->quantity.is_known &&
         a->quantity.is_angle == b->quantity.is_angle &&
         dimension_is_equal(a->quantity.dimension, b->quantity.dimension);
}

// What is of one kind has one axis, whatever its unit: that of the first, or degrees where some
// have them.
static void share_unit(Curves *curves, LiveCurve *curve) {
  for (uint32_t i = 0; i < curves->all.n; i++) {
    LiveCurve *other = &curves->all.at[i];
    if (!are_of_one_kind(other, curve) || other->si == curve->si) continue;
    if (strcmp(curve->scale.unit, "deg") == 0)
      take_scale(curves->live, other, curve->scale);
    else
      take_scale(curves->live, curve, other->scale);
  }
}

static void add_expr(Curves *curves, Expr value, const char *name, Quantity quantity) {
  const Live *live = curves->live;
  LiveCurve curve = {.value = value, .name = name, .quantity = quantity};
  take_scale(live, &curve,
             unit_of_expr(live->cx, live->arena, live->system->model, value, quantity));
  share_unit(curves, &curve);
  add_curve(curves, curve);
}

static void add_requests(Curves *curves) {
  const Live *live = curves->live;
  const Model *model = live->system->model;
  for (uint32_t i = 0; i < model->requests.plots.n; i++) {
    const PlotRequest *plot = &model->requests.plots.at[i];
    for (uint32_t k = 0; plot->kind == PLOT_TIME && k < plot->curves.n; k++) {
      const Curve *c = &plot->curves.at[k];
      add_expr(
          curves, c->value, c->label,
          quantity_measured(live->cx, model, c->value, c->measure.dimension, c->measure.is_known));
    }
  }
}

static void add_what_suits(Curves *curves) {
  const Live *live = curves->live;
  const Model *model = live->system->model;
  bool silent = curves->all.n == 0;
  for (uint32_t i = 0; silent && i < model->coordinates.n && i < MOST_COORDINATES; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    add_expr(curves, c->q, symbol_text(live->cx, c->name), quantity_of_coordinate(c, 0));
  }
  for (uint32_t i = 0; silent && i < model->states.n && i < MOST_COORDINATES; i++) {
    const ModelState *state = &model->states.at[i];
    add_expr(curves, state->s, symbol_text(live->cx, state->name),
             quantity_of_measure(&state->measure));
  }
  for (uint32_t i = 0; i < model->outputs.n && i < MOST_COORDINATES; i++) {
    const Output *output = &model->outputs.at[i];
    add_expr(curves, output->value, symbol_text(live->cx, output->name),
             quantity_of_output(live->cx, model, output));
  }
  const System *s = live->system;
  Expr values[] = {system_kinetic(live->cx, s), s->V, s->energy};
  const char *names[] = {"E_kin", "E_pot", system_is_natural(live->cx, s) ? "E_tot" : JACOBI};
  for (uint32_t i = 0; i < 3; i++) {
    LiveCurve energy = {.value = values[i],
                        .shown = values[i],
                        .name = names[i],
                        .unit = "J",
                        .si = 1,
                        .role = ENERGY_PLACE + i};
    if (!expr_is_zero(live->cx, values[i])) add_curve(curves, energy);
  }
}

// ---- Colours

static const char *colour_code(const Live *live, Colour c) {
  return text_format(live->arena, "#%02x%02x%02x", c.red, c.green, c.blue);
}

static const char *colour_of_coordinate(const Live *live, uint32_t i) {
  return colour_code(live, scene_coordinate_colour(&live->scene, &live->pieces, &live->angles, i,
                                                   live->places[i]));
}

// Does a coordinate of the panel have it?
static bool is_of_coordinate(const Curves *curves, uint32_t panel, const char *colour) {
  for (uint32_t i = 0; i < curves->all.n; i++) {
    const LiveCurve *other = &curves->all.at[i];
    if (other->panel == panel && other->coordinate >= 0 &&
        strcmp(colour_of_coordinate(curves->live, (uint32_t)other->coordinate), colour) == 0)
      return true;
  }
  return false;
}

// That of its role or coordinate, which all curves of one part share; else one that few have.
static const char *choose_colour(const Curves *curves, const char **taken, uint32_t number) {
  const Live *live = curves->live;
  const LiveCurve *curve = &curves->all.at[number];
  if (curve->role) return colour_code(live, place_colour(curve->role));
  if (curve->coordinate >= 0 && live->system->model->coordinates.n <= MOST_TOLD_APART)
    return colour_of_coordinate(live, (uint32_t)curve->coordinate);
  const char *best = NULL;
  uint32_t fewest = UINT32_MAX;
  for (uint32_t i = 0; i < CURVE_COLOURS; i++) {
    const char *one = colour_code(live, place_colour(i));
    uint32_t users = is_of_coordinate(curves, curve->panel, one);
    for (uint32_t k = 0; k < number; k++)
      if (curves->all.at[k].panel == curve->panel && strcmp(taken[k], one) == 0) users++;
    if (users < fewest) best = one, fewest = users;
  }
  return best;
}

static uint32_t same_before(const Curves *curves, const char **colours, uint32_t number) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < number; k++)
    if (curves->all.at[k].panel == curves->all.at[number].panel &&
        strcmp(colours[k], colours[number]) == 0)
      n++;
  return n;
}

// ---- Writing

static const char *label_of_jacobi(const Live *live) {
  static const char *const parts[] = {"T_2", "T_0", "V"}, *const signs[] = {"", "−", "+"};
  Text text = text_new(live->arena);
  for (int i = 0; i < 3; i++) {
    if (i > 0) text_addf(&text, "<mo>%s</mo>", signs[i]);
    typeset_name(live->cx, parts[i], 0, &mathml_face, &text);
  }
  return text.at;
}

static const char *label_of(const Curves *curves, const LiveCurve *curve) {
  const Live *live = curves->live;
  if (curve->role && strcmp(curve->name, JACOBI) == 0) return label_of_jacobi(live);
  Text text = text_new(live->arena), plain = text_new(live->arena);
  if (curve->name && (curve->role || written_is_name(live->cx, curve->name))) {
    size_t length = strlen(curve->name);
    int primes = 0;
    while (length > 1 && curve->name[length - 1] == '\'') length--, primes++;
    typeset_name(live->cx, arena_copy(live->arena, curve->name, length), primes, &mathml_face,
                 &text);
    return text.at;
  }
  typeset(live->cx, curve->value, &terminal_face, NULL, &plain);
  if (curve->name && plain.n > LONGEST_FORMULA) {
    text_add(&text, "<mtext>");
    html_add_escaped(&text, curve->name, strlen(curve->name));
    text_add(&text, "</mtext>");
  } else {
    typeset(live->cx, curve->value, &mathml_face, NULL, &text);
  }
  return text.at;
}

// The colours of coordinates, also of those without a curve; none where there are too many to be
// told apart by them.
static void write_colours(const Live *live, Text *out) {
  const Model *model = live->system->model;
  live_key(out, "colours");
  text_add(out, "{");
  bool are_few = model->coordinates.n <= MOST_TOLD_APART;
  for (uint32_t i = 0; are_few && i < model->coordinates.n; i++) {
    live_text(out, symbol_text(live->cx, model->coordinates.at[i].name),
              colour_of_coordinate(live, i));
  }
  text_add(out, "}");
}

// What was measured of it, where the model is fitted to files: times and values in its unit.
static void write_measured(const Live *live, const LiveCurve *curve, Text *out) {
  enum { MOST_DOTS = 400 };
  const Requests *r = &live->system->model->requests;
  bool is_first = true;
  for (uint32_t i = 0; i < r->fit.signals.n; i++) {
    const FitSignal *signal = &r->fit.signals.at[i];
    const FitFile *file = &r->fit.files.at[signal->file];
    if (r->reductions.at[signal->reduction].value != curve->value) continue;
    if (is_first) live_key(out, "measured"), text_add(out, "[");
    for (uint32_t k = 0; k < file->rows; k += file->rows / MOST_DOTS + 1) {
      if (!isfinite(signal->values[k])) continue;
      text_addf(out, "%s[%.7g, %.7g]", is_first ? "" : ", ", file->times[k],
                signal->values[k] / curve->si);
      is_first = false;
    }
  }
  if (!is_first) text_add(out, "]");
}

void live_write_curves(Live *live, Text *out) {
  Curves curves = {.live = live};
  if (!live->has_no_curves) {
    add_requests(&curves);
    add_what_suits(&curves);
  }
  const char **colours = arena_array(live->arena, const char *, curves.all.n + 1);
  live_number(out, "panels", curves.panels);
  live_key(out, "curves");
  text_add(out, "[");
  for (uint32_t i = 0; i < curves.all.n; i++) {
    const LiveCurve *curve = &curves.all.at[i];
    vec_push(live->arena, &live->curves, curve->shown);
    colours[i] = choose_colour(&curves, colours, i);
    live_item(out);
    text_add(out, "{");
    live_text(out, "name", curve->name ? curve->name : "");
    live_text(out, "label", label_of(&curves, curve));
    text_addf(out, ", \"panel\": %u, \"dash\": %u", curve->panel, same_before(&curves, colours, i));
    live_text(out, "colour", colours[i]);
    live_text(out, "unit", curve->unit);
    if (curve->si != 1) live_number(out, "si", curve->si);
    write_measured(live, curve, out);
    if (curve->coordinate >= 0)
      live_text(out, "symbol",
                symbol_text(live->cx, live->system->model->coordinates.at[curve->coordinate].name));
    text_add(out, "}");
  }
  text_add(out, "]");
  write_colours(live, out);
}
