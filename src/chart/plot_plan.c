// Charts from plot lines: which signals they need, and what stands on their axes.
#include "chart/plot_plan.h"

#include <math.h>
#include <string.h>

#include "chart/palette.h"
#include "derive/system.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "print/gnuplot_text.h"
#include "print/units.h"

#define COLUMNS 1100      // of a curve over time: two a pixel
#define PATH_POINTS 20000 // of a path
#define PANELS_A_PAGE 12  // of phase portraits
#define MOST_WRAPPED 7    // curves that are also shown wrapped

// ---- Parts

static uint32_t add_signal(PlotPlan *plan, Signal signal) {
  vec_push(plan->arena, &plan->signals, signal);
  return plan->signals.n - 1;
}

static PlannedChart *add_chart(PlotPlan *plan, ChartKind kind, const char *description,
                               const char *names) {
  PlannedChart chart = {
      .kind = kind, .description = description, .names = names, .columns = 1, .contact = -1};
  vec_push(plan->arena, &plan->charts, chart);
  return &plan->charts.at[plan->charts.n - 1];
}

static PlannedPanel *add_panel(PlotPlan *plan, PlannedChart *chart, ChartPanel panel) {
  PlannedPanel planned = {.panel = panel};
  vec_push(plan->arena, &chart->panels, planned);
  return &chart->panels.at[chart->panels.n - 1];
}

static PlannedCurve *add_curve(PlotPlan *plan, PlannedPanel *panel, PlannedCurve curve) {
  curve.coordinate = -1;
  if (curve.kind == COLLECT_TIME) curve.thinner = thinner_new(plan->arena, COLUMNS);
  if (curve.kind == COLLECT_PATH) curve.path = path_thinner_new(plan->arena, PATH_POINTS);
  if (curve.kind == COLLECT_SPECTRUM) curve.samples = samples_new(plan->arena);
  vec_push(plan->arena, &panel->curves, curve);
  return &panel->curves.at[panel->curves.n - 1];
}

static PlannedCurve *add_time_curve(PlotPlan *plan, PlannedPanel *panel, Signal signal,
                                    const char *label) {
  PlannedCurve curve = {.kind = COLLECT_TIME, .y = add_signal(plan, signal), .label = label};
  return add_curve(plan, panel, curve);
}

static ChartPanel panel_over_time(PlotPlan *plan, const char *y_label, const char *y_unit) {
  return (ChartPanel){.x_label = markup_from_name(plan->cx, plan->arena, "t"),
                      .x_unit = "s",
                      .y_label = y_label,
                      .y_unit = y_unit,
                      .is_over_time = true};
}

static const char *plain_words(PlotPlan *plan, const char *text) {
  return markup_from_text(plan->arena, text);
}

static Quantity curve_quantity(PlotPlan *plan, const Curve *curve) {
  return quantity_measured(plan->cx, plan->result->model, curve->value, curve->measure.dimension,
                           curve->measure.is_known);
}

// As the model writes it; where that is the SI unit, the axis chooses a prefix.
static UnitScale curve_scale(PlotPlan *plan, const Curve *curve) {
  return unit_of_expr(plan->cx, plan->arena, plan->result->model, curve->value,
                      curve_quantity(plan, curve));
}

static const char *scale_text(PlotPlan *plan, UnitScale scale) {
  Text text = text_new(plan->arena);
  unit_add_pretty(&text, scale.unit);
  return text.at;
}

static const char *curve_unit(PlotPlan *plan, const Curve *curve) {
  return scale_text(plan, curve_scale(plan, curve));
}

static Signal signal_in(PlotPlan *plan, Expr value, UnitScale scale) {
  return signal_from_expr(unit_number(plan->cx, value, scale));
}

static Signal curve_signal(PlotPlan *plan, const Curve *curve) {
  return signal_in(plan, curve->value, curve_scale(plan, curve));
}

static const char *curve_markup(PlotPlan *plan, const Curve *curve) {
  return markup_from_expr(plan->cx, plan->arena, curve->value, curve->label);
}

// ---- Curves over time

static bool is_plain_angle(Quantity q) {
  return q.is_known && q.is_angle && dimension_is_pure(q.dimension);
}

// Up to three names stand at the axis; a single one needs no legend.
static void name_ordinate(PlotPlan *plan, PlannedPanel *panel) {
  Text label = text_new(plan->arena);
  for (uint32_t i = 0; i < panel->curves.n && panel->curves.n <= 3; i++)
    text_addf(&label, "%s%s", i ? ", " : "", panel->curves.at[i].label);
  panel->panel.y_label = panel->curves.n > 1 && label.n > 160 ? "" : label.at;
  if (panel->curves.n == 1) panel->curves.at[0].label = NULL;
}

// In what unit those of one quantity are written, if in one.
static UnitScale common_scale(PlotPlan *plan, const TimeCurve *curves, uint32_t n,
                              Quantity quantity) {
  UnitScale common = {NULL, 1}, si = {quantity_unit(plan->arena, quantity), 1};
  for (uint32_t i = 0; i < n; i++) {
    if (!quantity_is_equal(curves[i].quantity, quantity)) continue;
    UnitScale one =
        unit_of_expr(plan->cx, plan->arena, plan->result->model, curves[i].value, quantity);
    if (common.unit && strcmp(common.unit, one.unit) != 0) return si;
    common = one;
  }
  return common;
}

static void add_time_panel(PlotPlan *plan, PlannedChart *chart, const TimeCurve *curves, uint32_t n,
                           Quantity quantity, bool wrapped) {
  UnitScale scale = common_scale(plan, curves, n, quantity);
  const char *unit = scale_text(plan, scale);
  if (wrapped) unit = text_format(plan->arena, "%s, %s", unit, plan->options->words.wrapped);
  PlannedPanel *panel = add_panel(plan, chart, panel_over_time(plan, "", unit));
  panel->panel.turn = wrapped ? 2 * M_PI / scale.factor : 0;
  panel->panel.has_degrees = !wrapped && strcmp(scale.unit, "deg") == 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!quantity_is_equal(curves[i].quantity, quantity)) continue;
    const char *label = markup_from_expr(plan->cx, plan->arena, curves[i].value, curves[i].name);
    PlannedCurve *curve =
        add_time_curve(plan, panel, signal_in(plan, curves[i].value, scale), label);
    curve->turn = panel->panel.turn;
    curve->coordinate = model_coordinate_of(plan->result->model, curves[i].value);
  }
  name_ordinate(plan, panel);
  if (wrapped && panel->curves.n > MOST_WRAPPED) chart->panels.n--;
}

static const char *names_of(PlotPlan *plan, const TimeCurve *curves, uint32_t n) {
  Text names = text_new(plan->arena);
  for (uint32_t i = 0; i < n && i < 4; i++)
    text_addf(&names, "%s%s", i ? ", " : "", curves[i].name);
  if (n > 4) text_addf(&names, "%s %s", n > 5 ? ", ..." : ",", curves[n - 1].name);
  return names.at;
}

TimeCurve time_curve(PlotPlan *plan, Expr value, const char *name) {
  return (TimeCurve){value, name, quantity_of(plan->cx, plan->result->model, value)};
}

void plan_time(PlotPlan *plan, ChartKind kind, const TimeCurve *curves, uint32_t n) {
  if (n == 0) return;
  const char *names = names_of(plan, curves, n);
  const char *description =
      text_format(plan->arena, "%s %s", names, plan->options->words.over_time);
  PlannedChart *chart = add_chart(plan, kind, description, names);
  for (uint32_t i = 0; i < n; i++) {
    bool seen = false;
    for (uint32_t k = 0; k < i; k++)
      seen = seen || quantity_is_equal(curves[k].quantity, curves[i].quantity);
    if (seen) continue;
    add_time_panel(plan, chart, curves, n, curves[i].quantity, false);
    if (is_plain_angle(curves[i].quantity))
      add_time_panel(plan, chart, curves, n, curves[i].quantity, true);
  }
}

void plan_time_request(PlotPlan *plan, const PlotRequest *request) {
  TimeCurve *curves = arena_array(plan->arena, TimeCurve, request->curves.n);
  for (uint32_t i = 0; i < request->curves.n; i++) {
    const Curve *curve = &request->curves.at[i];
    curves[i] = (TimeCurve){curve->value, curve->label, curve_quantity(plan, curve)};
  }
  plan_time(plan, CHART_TIME, curves, request->curves.n);
}

// ---- Spectra

static PlannedPanel *spectrum_panel(PlotPlan *plan, PlannedChart *chart, const char *unit) {
  for (uint32_t i = 0; i < chart->panels.n; i++)
    if (strcmp(chart->panels.at[i].panel.y_unit, unit) == 0) return &chart->panels.at[i];
  ChartPanel empty = {.x_label = markup_from_name(plan->cx, plan->arena, "f"),
                      .x_unit = "Hz",
                      .y_label = plain_words(plan, plan->options->words.amplitude),
                      .y_unit = unit,
                      .starts_at_zero = true};
  return add_panel(plan, chart, empty);
}

void plan_spectrum_request(PlotPlan *plan, const PlotRequest *request) {
  if (request->curves.n == 0) return;
  PlannedChart *chart = add_chart(plan, CHART_SPECTRUM, "", "");
  Text names = text_new(plan->arena);
  for (uint32_t i = 0; i < request->curves.n; i++) {
    const Curve *curve = &request->curves.at[i];
    text_addf(&names, "%s%s", i ? ", " : "", curve->label);
    PlannedPanel *panel = spectrum_panel(plan, chart, curve_unit(plan, curve));
    PlannedCurve planned = {.kind = COLLECT_SPECTRUM, .label = curve_markup(plan, curve)};
    planned.y = add_signal(plan, curve_signal(plan, curve));
    add_curve(plan, panel, planned)->coordinate =
        model_coordinate_of(plan->result->model, curve->value);
  }
  // A single curve is named at the axis.
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    PlannedPanel *panel = &chart->panels.at[i];
    if (panel->curves.n > 1) continue;
    panel->panel.y_label =
        text_format(plan->arena, "%s %s", panel->panel.y_label, panel->curves.at[0].label);
    panel->curves.at[0].label = NULL;
  }
  chart->names = names.at;
  chart->description = text_format(plan->arena, "%s %s", plan->options->words.spectrum, names.at);
}

// ---- One quantity over another

static void add_path(PlotPlan *plan, PlannedPanel *panel, Signal x, Signal y, const char *label,
                     int coordinate) {
  PlannedCurve curve = {.kind = COLLECT_PATH, .label = label};
  curve.x = add_signal(plan, x);
  curve.y = add_signal(plan, y);
  add_curve(plan, panel, curve)->coordinate = coordinate;
}

static ChartPanel panel_of_pair(PlotPlan *plan, const Curve *x, const Curve *y) {
  return (ChartPanel){.x_label = curve_markup(plan, x),
                      .x_unit = curve_unit(plan, x),
                      .y_label = curve_markup(plan, y),
                      .y_unit = curve_unit(plan, y)};
}

void plan_phase(PlotPlan *plan, const Curve *curves, uint32_t n) {
  for (uint32_t begin = 0; begin + 1 < n; begin += 2 * PANELS_A_PAGE) {
    uint32_t end = begin + 2 * PANELS_A_PAGE < n ? begin + 2 * PANELS_A_PAGE : n;
    Text names = text_new(plan->arena);
    for (uint32_t i = begin; i + 1 < end; i += 2)
      text_addf(&names, "%s%s", i > begin ? ", " : "", curves[i].label);
    const char *description =
        text_format(plan->arena, "%s %s", plan->options->words.phase, names.at);
    PlannedChart *chart = add_chart(plan, CHART_PHASE, description, names.at);
    chart->columns = end - begin > 2 ? 2 : 1;
    for (uint32_t i = begin; i + 1 < end; i += 2) {
      PlannedPanel *panel = add_panel(plan, chart, panel_of_pair(plan, &curves[i], &curves[i + 1]));
      Signal x = curve_signal(plan, &curves[i]);
      Signal y = curve_signal(plan, &curves[i + 1]);
      int coordinate = model_coordinate_of(plan->result->model, curves[i].value);
      add_path(plan, panel, x, y, NULL, coordinate);
    }
  }
}

void plan_phase_request(PlotPlan *plan, const PlotRequest *request) {
  plan_phase(plan, request->curves.at, request->curves.n);
  if (request->is_all) plan_all_phases(plan);
}

// Of points in one unit, where all their components are of one quantity; else no unit.
static UnitScale common_of_path(PlotPlan *plan, const Curve *c, uint32_t n) {
  Quantity first = curve_quantity(plan, &c[0]);
  UnitScale common = curve_scale(plan, &c[0]), si = {quantity_unit(plan->arena, first), 1};
  bool agree = true;
  for (uint32_t i = 1; i < n; i++) {
    if (!quantity_is_equal(curve_quantity(plan, &c[i]), first)) return (UnitScale){NULL, 1};
    agree = agree && strcmp(curve_scale(plan, &c[i]).unit, common.unit) == 0;
  }
  return agree ? common : si;
}

// In the unit of all, or in that of the axis.
static Signal path_signal(PlotPlan *plan, const Curve *curve, const Curve *axis, UnitScale scale) {
  return signal_in(plan, curve->value, scale.unit ? scale : curve_scale(plan, axis));
}

void plan_path_request(PlotPlan *plan, const PlotRequest *request) {
  const Curve *c = request->curves.at;
  if (request->curves.n < 2) return;
  bool one = request->curves.n == 2;
  UnitScale scale = common_of_path(plan, c, request->curves.n);
  ChartPanel empty = panel_of_pair(plan, &c[0], &c[1]);
  if (scale.unit) empty.x_unit = empty.y_unit = scale_text(plan, scale);
  empty.has_equal_scales = strcmp(empty.x_unit, empty.y_unit) == 0;
  if (!one) empty.x_label = empty.y_label = "";
  const char *names =
      text_format(plan->arena, "(%s, %s)%s", c[0].label, c[1].label, one ? "" : ", ...");
  const char *description = text_format(plan->arena, "%s %s", plan->options->words.path, names);
  PlannedPanel *panel = add_panel(plan, add_chart(plan, CHART_PATH, description, names), empty);
  for (uint32_t i = 0; i + 1 < request->curves.n; i += 2) {
    const char *x_name = curve_markup(plan, &c[i]);
    const char *y_name = curve_markup(plan, &c[i + 1]);
    const char *label = text_format(plan->arena, "(%s, %s)", x_name, y_name);
    Signal x = path_signal(plan, &c[i], &c[0], scale);
    Signal y = path_signal(plan, &c[i + 1], &c[1], scale);
    add_path(plan, panel, x, y, one ? NULL : label, -1);
  }
}

// ---- Energies, contacts, residuals

// E_tot, or what it is where points move with time: Jacobi's integral.
static const char *total_energy(PlotPlan *plan, const char **plain) {
  System *system;
  Model *model = (Model *)plan->result->model; // whose equations are made once for all
  bool is_known = model_system(model, DERIVE_BASIC, &system) == QDOT_OK;
  bool is_total = !is_known || system_is_natural(plan->cx, system);
  *plain = is_total ? "E_tot" : "T_2 - T_0 + V";
  if (is_total) return markup_from_name(plan->cx, plan->arena, "E_tot");
  return text_format(plan->arena, "%s − %s + %s", markup_from_name(plan->cx, plan->arena, "T_2"),
                     markup_from_name(plan->cx, plan->arena, "T_0"),
                     markup_from_name(plan->cx, plan->arena, "V"));
}

void plan_energy(PlotPlan *plan) {
  static const char *const names[] = {"E_kin", "E_pot", "E_tot"};
  const char *plain, *total = total_energy(plan, &plain);
  PlannedChart *chart =
      add_chart(plan, CHART_ENERGY, text_format(plan->arena, "E_kin, E_pot, %s", plain), "");
  ChartPanel empty = panel_over_time(plan, markup_from_name(plan->cx, plan->arena, "E"), "J");
  empty.has_roles = true;
  PlannedPanel *panel = add_panel(plan, chart, empty);
  for (uint32_t i = 0; i < 3; i++)
    add_time_curve(plan, panel, signal_from_column(plan->result, names[i]),
                   i == 2 ? total : markup_from_name(plan->cx, plan->arena, names[i]))
        ->role = ENERGY_PLACE + i;
  empty.y_label = strcmp(plain, "E_tot") == 0 ? text_format(plan->arena, "%s − %s(0)", total, total)
                                              : text_format(plan->arena, "Δ(%s)", total);
  empty.height = 0.75;
  PlannedPanel *drift = add_panel(plan, chart, empty);
  Signal signal = signal_from_column(plan->result, "E_tot");
  PlannedCurve *from_start = add_time_curve(plan, drift, signal, NULL);
  from_start->is_from_start = true, from_start->role = ENERGY_PLACE + 2;
}

static void add_state_ticks(PlotPlan *plan, ChartPanel *panel) {
  const PlotWords *words = &plan->options->words;
  ChartTick free_tick = {0, plain_words(plan, words->free)};
  ChartTick contact = {1, plain_words(plan, words->contact)};
  vec_push(plan->arena, &panel->y_ticks, free_tick);
  vec_push(plan->arena, &panel->y_ticks, contact);
}

void plan_contact(PlotPlan *plan, uint32_t number) {
  Context *cx = plan->cx;
  const Model *model = plan->result->model;
  const Contact *contact = &model->contacts.at[number];
  const PlotWords *words = &plan->options->words;
  const char *name = symbol_text(cx, contact->name);
  PlannedChart *chart =
      add_chart(plan, CHART_CONTACT, text_format(plan->arena, "%s %s", words->contact, name), name);
  chart->contact = (int)number;

  const char *unit = quantity_unit(plan->arena, quantity_of_contact(cx, model, contact, 0));
  ChartPanel gap = panel_over_time(plan, plain_words(plan, words->gap), unit);
  Signal distance = signal_from_expr(expr_neg(cx, contact->phi));
  PlannedPanel *gap_panel = add_panel(plan, chart, gap);
  gap_panel->is_gap = true;
  add_time_curve(plan, gap_panel, distance, NULL);

  unit = quantity_unit(plan->arena, quantity_of(cx, model, contact->multiplier));
  const char *lambda = symbol_text(cx, symbol_name(cx, contact->multiplier));
  ChartPanel force = panel_over_time(plan, markup_from_name(plan->cx, plan->arena, lambda), unit);
  add_time_curve(plan, add_panel(plan, chart, force), signal_from_expr(contact->multiplier), NULL);

  ChartPanel state = panel_over_time(plan, "", "");
  state.height = 0.4;
  add_state_ticks(plan, &state);
  add_panel(plan, chart, state);
}

static Expr larger(Context *cx, Expr so_far, Expr e) {
  Expr size = expr_function1(cx, OP_ABS, e);
  return so_far ? expr_function2(cx, OP_MAX, so_far, size) : size;
}

void plan_residual(PlotPlan *plan) {
  Context *cx = plan->cx;
  const Model *model = plan->result->model;
  const PlotWords *words = &plan->options->words;
  Expr position = 0, velocity = 0;
  for (uint32_t i = 0; i < model->constraints.n; i++) {
    const Constraint *c = &model->constraints.at[i];
    Expr rate = c->is_nonholonomic ? c->phi : expr_time_derivative(cx, c->phi);
    if (!c->is_nonholonomic) position = larger(cx, position, c->phi);
    velocity = larger(cx, velocity, rate);
  }
  if (!velocity) return;
  ChartPanel empty = panel_over_time(plan, plain_words(plan, words->residual), "");
  empty.is_log = true;
  PlannedChart *chart = add_chart(plan, CHART_RESIDUAL, words->residual, "");
  PlannedPanel *panel = add_panel(plan, chart, empty);
  if (position)
    add_time_curve(plan, panel, signal_from_expr(position),
                   plain_words(plan, words->residual_position));
  add_time_curve(plan, panel, signal_from_expr(velocity),
                 plain_words(plan, words->residual_velocity));
}

// ---- The plan

void plan_energy_request(PlotPlan *plan, const PlotRequest *request) {
  (void)request;
  plan_energy(plan);
}

void plan_multipliers_request(PlotPlan *plan, const PlotRequest *request) {
  (void)request;
  plan_multipliers(plan);
}

void plan_residual_request(PlotPlan *plan, const PlotRequest *request) {
  (void)request;
  plan_residual(plan);
}

void plan_contact_request(PlotPlan *plan, const PlotRequest *request) {
  for (uint32_t i = 0; i < request->contacts.n; i++) plan_contact(plan, request->contacts.at[i]);
}

static void plan_request(PlotPlan *plan, const PlotRequest *request) {
  static void (*const kinds[PLOT_KINDS])(PlotPlan *, const PlotRequest *) = {
#define CHART(KEY, file, caption)
#define PLOT(KEY, name, word, takes, of_rows, file, caption) [PLOT_##KEY] = plan_##name##_request,
#include "model/plots.def"
#undef PLOT
#undef CHART
  };
  kinds[request->kind](plan, request);
}

PlotPlan plan_plots(Context *cx, Arena *arena, const Result *result, const PlotOptions *options) {
  PlotPlan plan = {.cx = cx, .arena = arena, .result = result, .options = options};
  add_signal(&plan, signal_from_column(result, "t"));
  const Requests *requests = &result->model->requests;
  for (uint32_t i = 0; i < requests->plots.n; i++) plan_request(&plan, &requests->plots.at[i]);
  if (plan.charts.n == 0 || options->with_everything) plan_what_suits(&plan);
  return plan;
}
