// Records as text.
#include "support/describe.h"

#include "expr/define.h"
#include "expr/print.h"

static void add_expr(Text *out, Context *cx, Expr e) {
  if (e)
    expr_print(cx, e, NULL, out);
  else
    text_add(out, "-");
}

static void add_width(Text *out, Context *cx, const Width *width) {
  add_expr(out, cx, width->value);
  if (width->is_relative) text_add(out, " of the value");
}

static void add_measure(Text *out, Measure measure) {
  text_add(out, " [");
  if (measure.is_known)
    dimension_print(measure.dimension, out);
  else
    text_add(out, "?");
  text_addf(out, "%s]", measure.is_given ? "" : " inferred");
}

static void describe_initial(Text *out, Context *cx, const Initial *initial, const char *name) {
  if (initial->kind == INITIAL_NONE) return;
  text_addf(out, ", %s %s ", name, initial->kind == INITIAL_GIVEN ? "=" : "~");
  add_expr(out, cx, initial->value);
}

static void describe_names(Text *out, const Model *m) {
  Context *cx = m->cx;
  for (uint32_t i = 0; i < m->counts.n; i++)
    text_addf(out, "count %s = %lld\n", symbol_text(cx, m->counts.at[i].name),
              (long long)m->counts.at[i].value);
  for (uint32_t i = 0; i < m->parameters.n; i++) {
    const Parameter *p = &m->parameters.at[i];
    text_addf(out, "param %s = ", symbol_text(cx, p->name));
    add_expr(out, cx, p->value);
    add_measure(out, p->measure);
    text_addf(out, p->description ? " \"%s\"\n" : "\n", p->description);
  }
  for (uint32_t i = 0; i < m->inputs.n; i++) {
    text_addf(out, "input %s = ", symbol_text(cx, m->inputs.at[i].name));
    add_expr(out, cx, m->inputs.at[i].value);
    add_measure(out, m->inputs.at[i].measure);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->coordinates.n; i++) {
    const Coordinate *c = &m->coordinates.at[i];
    text_addf(out, "coord %s", symbol_text(cx, c->name));
    add_measure(out, c->measure);
    describe_initial(out, cx, &c->position, "q");
    describe_initial(out, cx, &c->velocity, "q'");
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->definitions.n; i++) {
    const Definition *d = &m->definitions.at[i];
    text_addf(out, "let %s = ", symbol_text(cx, d->name));
    add_expr(out, cx, expr_is_definition(cx, d->value) ? definition_body(cx, d->value) : d->value);
    add_measure(out, d->measure);
    text_add_char(out, '\n');
  }
}

static void describe_laws(Text *out, const Model *m) {
  static const char *const kinds[] = {"kinetic", "potential", "dissipation", "lagrangian"};
  Context *cx = m->cx;
  for (uint32_t i = 0; i < m->energies.n; i++) {
    const Energy *e = &m->energies.at[i];
    text_addf(out, "%s%s%s = ", kinds[e->kind], e->name ? " " : "", symbol_text(cx, e->name));
    add_expr(out, cx, e->value);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->forces.n; i++) {
    text_addf(out,
              "force %s = ", symbol_text(cx, m->coordinates.at[m->forces.at[i].coordinate].name));
    add_expr(out, cx, m->forces.at[i].value);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->point_forces.n; i++) {
    const PointForce *f = &m->point_forces.at[i];
    for (uint32_t k = 0; k < f->n; k++) {
      text_add(out, k ? ", " : "force ");
      add_expr(out, cx, f->point[k]);
      text_add(out, " = ");
      add_expr(out, cx, f->force[k]);
    }
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->constraints.n; i++) {
    const Constraint *c = &m->constraints.at[i];
    text_addf(out, "constraint %s%s: ", symbol_text(cx, c->name),
              c->is_nonholonomic ? " (nonholonomic)" : "");
    add_expr(out, cx, c->phi);
    text_add(out, " = 0\n");
  }
  for (uint32_t i = 0; i < m->contacts.n; i++) {
    const Contact *c = &m->contacts.at[i];
    text_addf(out, "contact %s: ", symbol_text(cx, c->name));
    add_expr(out, cx, c->phi);
    text_add(out, " <= 0, restitution ");
    add_expr(out, cx, c->restitution);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->outputs.n; i++) {
    text_addf(out, "output %s = ", symbol_text(cx, m->outputs.at[i].name));
    add_expr(out, cx, m->outputs.at[i].value);
    add_measure(out, m->outputs.at[i].measure);
    text_add_char(out, '\n');
  }
}

static void describe_choice(Text *out, Context *cx, const char *word, const Choice *choice) {
  if (!choice->name) return;
  text_addf(out, " %s %s", word, symbol_text(cx, choice->name));
  for (uint32_t i = 0; i < choice->options.n; i++) {
    text_addf(out, "%s%s = ", i ? ", " : "(", symbol_text(cx, choice->options.at[i].name));
    add_expr(out, cx, choice->options.at[i].value);
  }
  if (choice->options.n) text_add_char(out, ')');
}

static void describe_measures(Text *out, const Model *m) {
  static const char *const kinds[] = {"max",   "min",  "mean",  "rms",   "integral",
                                      "first", "last", "final", "start", "count"};
  Context *cx = m->cx;
  for (uint32_t i = 0; i < m->requests.reductions.n; i++) {
    const Reduction *r = &m->requests.reductions.at[i];
    text_addf(out, "reduction %s = %s", symbol_text(cx, symbol_name(cx, r->symbol)),
              kinds[r->kind]);
    if (r->value) text_add_char(out, ' '), add_expr(out, cx, r->value);
    if (r->condition) text_add(out, " where "), add_expr(out, cx, r->condition);
    if (r->from) text_add(out, " from "), add_expr(out, cx, r->from);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->requests.measurements.n; i++) {
    const Measurement *measurement = &m->requests.measurements.at[i];
    text_addf(out, "measure %s = ", symbol_text(cx, measurement->name));
    add_expr(out, cx, measurement->value);
    add_measure(out, measurement->measure);
    text_add_char(out, '\n');
  }
}

static void describe_tolerance(Text *out, const Model *m) {
  const ToleranceRequest *t = &m->requests.tolerance;
  Context *cx = m->cx;
  if (!t->is_given) return;
  text_addf(out, "tolerance runs %u seed %llu", t->runs, (unsigned long long)t->seed);
  for (uint32_t i = 0; i < t->spreads.n; i++) {
    const Spread *spread = &t->spreads.at[i];
    text_addf(out, ", %s %s ", varied_text(cx, &spread->varied),
              spread->is_normal ? "normal" : "within");
    add_width(out, cx, &spread->width);
  }
  for (uint32_t i = 0; i < t->measures.n; i++)
    text_addf(out, "%s %s", i ? "," : ":",
              symbol_text(cx, m->requests.measurements.at[t->measures.at[i]].name));
  text_add_char(out, '\n');
}

static void describe_axis(Text *out, const Model *m, const SweepAxis *axis) {
  static const char *const kinds[] = {"grid", "list", "uniform", "normal", "cases"};
  Context *cx = m->cx;
  text_addf(out, ", %s %s", varied_text(cx, &axis->varied), kinds[axis->kind]);
  if (axis->low) text_add_char(out, ' '), add_expr(out, cx, axis->low);
  if (axis->high) text_add(out, " to "), add_expr(out, cx, axis->high);
  if (axis->kind == AXIS_NORMAL) text_add_char(out, ' '), add_width(out, cx, &axis->width);
  for (uint32_t i = 0; i < axis->values.n; i++)
    text_add_char(out, ' '), add_expr(out, cx, axis->values.at[i]);
  for (uint64_t i = 0; axis->cells && i < axis->steps; i++) text_addf(out, " %g", axis->cells[i]);
  if (axis->kind == AXIS_GRID) text_addf(out, " steps %llu", (unsigned long long)axis->steps);
}

static void describe_sensitivity(Text *out, const Model *m) {
  const SensitivityRequest *s = &m->requests.sensitivity;
  if (!s->is_given) return;
  text_add(out, "sensitivity");
  for (uint32_t i = 0; i < s->measures.n; i++)
    text_addf(out, "%s %s", i ? "," : "",
              symbol_text(m->cx, m->requests.measurements.at[s->measures.at[i]].name));
  for (uint32_t i = 0; i < s->by.n; i++)
    text_addf(out, "%s %s", i ? "," : " to", varied_text(m->cx, &s->by.at[i].varied));
  text_add(out, "\n");
}

static void describe_sought(Text *out, const Model *m, const Sought *list, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    text_addf(out, "%s %s", i ? "," : "", varied_text(m->cx, &list[i].by.varied));
    if (!list[i].high) continue;
    text_add(out, " in ");
    add_expr(out, m->cx, list[i].low);
    text_add(out, " to ");
    add_expr(out, m->cx, list[i].high);
  }
}

static void describe_fit(Text *out, const Model *m) {
  const FitRequest *f = &m->requests.fit;
  if (!f->is_given) return;
  text_addf(out, "fit%s", f->is_global ? " anywhere" : "");
  describe_sought(out, m, f->unknowns.at, f->unknowns.n);
  for (uint32_t i = 0; i < f->unknowns.n; i++)
    if (f->unknowns.at[i].is_each)
      text_addf(out, "; each %s", varied_text(m->cx, &f->unknowns.at[i].by.varied));
  for (uint32_t i = 0; i < f->signals.n; i++)
    text_addf(out, "; %s of %s, %u rows", f->signals.at[i].label,
              f->files.at[f->signals.at[i].file].name, f->files.at[f->signals.at[i].file].rows);
  text_add(out, "\n");
}

static void describe_find(Text *out, const Model *m) {
  static const char *const words[] = {"least", "most", "=", "<=", ">="};
  const FindRequest *f = &m->requests.find;
  if (!f->is_given) return;
  text_addf(out, "find%s", f->is_global ? " anywhere" : "");
  describe_sought(out, m, f->unknowns.at, f->unknowns.n);
  for (uint32_t i = 0; i < f->aims.n; i++) {
    text_addf(out, "; %s %s",
              symbol_text(m->cx, m->requests.measurements.at[f->aims.at[i].measure].name),
              words[f->aims.at[i].kind]);
    if (f->aims.at[i].value) text_add(out, " "), add_expr(out, m->cx, f->aims.at[i].value);
  }
  if (f->points.n > 0) text_addf(out, "; %u points", f->points.n);
  text_add(out, "\n");
}

static void describe_orbit(Text *out, const Model *m) {
  const OrbitRequest *o = &m->requests.orbit;
  if (!o->is_given) return;
  text_add(out, "orbit");
  for (uint32_t i = 0; i < o->starts.n; i++) {
    text_addf(out, "%s %s ~ ", i ? "," : "", varied_text(m->cx, &o->starts.at[i].varied));
    add_expr(out, m->cx, o->starts.at[i].value);
  }
  text_add(out, "\n");
}

static void describe_random(Text *out, const Model *m) {
  for (uint32_t i = 0; i < m->requests.randoms.n; i++) {
    const RandomLine *r = &m->requests.randoms.at[i];
    text_addf(out, "random %s of %u", symbol_text(m->cx, r->input), r->source);
    if (r->road) text_addf(out, " road %c%s", r->road, r->is_rate ? " rate" : "");
    const struct {
      const char *word;
      Expr value;
    } all[] = {{"density", r->density},
               {"speed", r->speed},
               {"delay", r->delay},
               {"from", r->lowest},
               {"to", r->upper}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      if (all[k].value) text_addf(out, " %s ", all[k].word), add_expr(out, m->cx, all[k].value);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < m->requests.comforts.n; i++) {
    const ComfortLine *c = &m->requests.comforts.at[i];
    text_addf(out, "comfort %s \"%s\" ", symbol_text(m->cx, c->weight), c->label);
    add_expr(out, m->cx, c->value);
    text_add_char(out, '\n');
  }
}

static void describe_synchronous(Text *out, const Model *m) {
  const SynchronousRequest *s = &m->requests.synchronous;
  if (!s->is_given) return;
  text_addf(out, "synchronous %s ", symbol_text(m->cx, s->speed));
  add_expr(out, m->cx, s->slow), text_add(out, " to "), add_expr(out, m->cx, s->fast);
  for (uint32_t i = 0; i < s->drives.n; i++)
    text_addf(out, "%s %s", i ? "," : ":", varied_text(m->cx, &s->drives.at[i]));
  text_add_char(out, '\n');
}

static void describe_sweep(Text *out, const Model *m) {
  const SweepRequest *s = &m->requests.sweep;
  if (!s->is_given) return;
  text_addf(out, "sweep runs %llu seed %llu%s", (unsigned long long)s->runs,
            (unsigned long long)s->seed, s->is_sobol ? " sobol" : "");
  for (uint32_t i = 0; i < s->axes.n; i++) describe_axis(out, m, &s->axes.at[i]);
  for (uint32_t i = 0; i < s->measures.n; i++)
    text_addf(out, "%s %s", i ? "," : ":",
              symbol_text(m->cx, m->requests.measurements.at[s->measures.at[i]].name));
  if (s->keeps) text_add(out, ", keeps "), add_expr(out, m->cx, s->keeps);
  text_add_char(out, '\n');
}

static void describe_plots(Text *out, const Model *m) {
  Context *cx = m->cx;
  for (uint32_t i = 0; i < m->requests.plots.n; i++) {
    const PlotRequest *plot = &m->requests.plots.at[i];
    const char *word = plot_type(plot->kind)->word;
    text_addf(out, "plot %s", word[0] ? word : "time");
    for (uint32_t k = 0; k < plot->curves.n; k++) {
      text_addf(out, "%s\"%s\" ", k ? ", " : " ", plot->curves.at[k].label);
      add_expr(out, cx, plot->curves.at[k].value);
    }
    for (uint32_t k = 0; k < plot->contacts.n; k++)
      text_addf(out, " %s", symbol_text(cx, m->contacts.at[plot->contacts.at[k]].name));
    text_add_char(out, '\n');
  }
}

static void describe_draws(Text *out, const Model *m) {
  static const char *const words[] = {
#define SHAPE(name, word, least, most, takes) word,
#include "model/shapes.def"
#undef SHAPE
  };
  Context *cx = m->cx;
  for (uint32_t i = 0; i < m->requests.draws.n; i++) {
    const DrawRequest *draw = &m->requests.draws.at[i];
    text_addf(out, "draw %s", words[draw->shape]);
    for (uint32_t k = 0; k < draw->point_count; k++) {
      for (uint32_t j = 0; j < draw->dimensions; j++) {
        text_add(out, j ? ", " : " (");
        add_expr(out, cx, draw->points[k][j]);
      }
      text_add_char(out, ')');
    }
    if (draw->radius) text_add(out, " radius "), add_expr(out, cx, draw->radius);
    if (draw->width) text_add(out, " width "), add_expr(out, cx, draw->width);
    if (draw->angle) text_add(out, " angle "), add_expr(out, cx, draw->angle);
    if (draw->colour) text_addf(out, " colour %s", draw->colour);
    if (draw->text) text_addf(out, " \"%s\"", draw->text);
    text_add_char(out, '\n');
  }
}

static void describe_requests(Text *out, const Model *m) {
  static const char *const kinds[] = {"equilibrium", "point", "motion"};
  Context *cx = m->cx;
  const Requests *r = &m->requests;
  if (r->derive.formulation)
    text_addf(out, "derive using %s\n", symbol_text(cx, r->derive.formulation));
  if (r->simulate.is_given) {
    text_add(out, "simulate to ");
    add_expr(out, cx, r->simulate.end);
    text_add(out, " every ");
    add_expr(out, cx, r->simulate.every);
    describe_choice(out, cx, "using", &r->simulate.method);
    describe_choice(out, cx, "stabilize", &r->simulate.stabilize);
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < r->linearizations.n; i++) {
    const LinearizeRequest *request = &r->linearizations.at[i];
    text_addf(out, "linearize at %s", kinds[request->kind]);
    for (uint32_t k = 0; k < request->point.n; k++) {
      text_add(out, k ? ", " : " ");
      add_expr(out, cx, request->point.at[k].symbol);
      text_add(out, " = ");
      add_expr(out, cx, request->point.at[k].value);
    }
    text_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < r->independent.n; i++)
    text_addf(out, "independent %s\n",
              symbol_text(cx, m->coordinates.at[r->independent.at[i]].name));
  describe_measures(out, m);
  describe_tolerance(out, m);
  describe_sensitivity(out, m);
  describe_random(out, m);
  describe_synchronous(out, m);
  describe_fit(out, m);
  describe_find(out, m);
  describe_orbit(out, m);
  describe_sweep(out, m);
  describe_plots(out, m);
  describe_draws(out, m);
}

const char *describe_model(const Model *model) {
  Text text = text_new(&model->cx->keep);
  if (model->title_span.end) text_addf(&text, "model %s\n", model->title);
  describe_names(&text, model);
  describe_laws(&text, model);
  describe_requests(&text, model);
  return text.at;
}
