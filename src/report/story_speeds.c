// The chapters on equations in quasi-velocities: Kane, Gibbs and Appell, Boltzmann and Hamel,
// Maggi.
#include "derive/speeds/boltzmann.h"
#include "derive/speeds/kane.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "report/road_story.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }
static const System *system_of(const Story *story) { return story->listing->system; }
static const void *result_of(const Story *story) { return story->listing->road.result; }
static const Kane *kane_of(const Story *story) { return result_of(story); }
static const Boltzmann *boltzmann_of(const Story *story) { return result_of(story); }
// Each road begins with its equations.
static const SpeedEquations *equations_of(const Story *story) { return result_of(story); }

static const char *own(const Story *s, const char *name) {
  return own_name(doc(s)->cx, name, false);
}

// ---- What all of them tell

static void show_speeds(const Story *s) {
  const Speeds *sp = &equations_of(s)->speeds;
  for (uint32_t r = 0; r < sp->count; r++) story_line(s, sp->u[r], sp->meaning[r]);
}

static void show_velocities(const Story *s) {
  const Speeds *sp = &equations_of(s)->speeds;
  for (uint32_t i = 0; i < sp->n; i++) story_line(s, system_of(s)->qd[i], sp->velocity[i]);
}

static void show_balances(const Story *s) {
  const SpeedEquations *e = equations_of(s);
  for (uint32_t r = 0; r < e->speeds.count; r++)
    story_line(s, speed_equations_inertia(doc(s)->cx, e, r), e->force[r]);
}

static void show_rates(const Story *s) {
  const SpeedEquations *e = equations_of(s);
  for (uint32_t r = 0; !e->is_implicit && r < e->speeds.count; r++)
    story_line(s, e->speeds.ud[r], e->rate[r]);
  for (uint32_t i = 0; i < e->states; i++) story_line(s, system_of(s)->sd[i], e->state_rate[i]);
}

static void show_motion(const Story *s) {
  show_velocities(s);
  if (equations_of(s)->is_implicit) show_balances(s);
  show_rates(s);
}

static Insert insert_replaced(const Story *s) {
  const Speeds *sp = &equations_of(s)->speeds;
  Text names = text_new(&doc(s)->cx->scratch);
  for (uint32_t k = 0; k < system_of(s)->row_count; k++)
    if (sp->is_replaced[k])
      text_addf(&names, "%s%s", names.n ? ", " : "",
                symbol_text(doc(s)->cx, system_of(s)->rows[k].name));
  return insert_text(names.at);
}

static void tell_speeds(Story *s) {
  const Speeds *sp = &equations_of(s)->speeds;
  document_paragraph(doc(s), sp->is_stated ? SAY_SPEEDS_STATED : SAY_SPEEDS_CHOSEN, NULL);
  show_speeds(s);
  Insert inserts[] = {insert_replaced(s)};
  document_paragraph(doc(s), sp->replaced ? SAY_SPEEDS_REPLACE : SAY_SPEEDS_SOLVED, inserts);
  show_velocities(s);
}

// F_u = ...
static void show_forces(const Story *s) {
  const SpeedEquations *e = equations_of(s);
  for (uint32_t r = 0; r < e->speeds.count; r++) {
    const char *speed = symbol_text(doc(s)->cx, symbol_name(doc(s)->cx, e->speeds.u[r]));
    document_equation(doc(s), text_format(&doc(s)->cx->scratch, "%s_%s", own(s, "F"), speed),
                      e->force[r]);
  }
}

static void tell_result(Story *s) {
  const SpeedEquations *e = equations_of(s);
  document_paragraph(doc(s), SAY_SPEEDS_FORCES, NULL);
  show_forces(s);
  if (e->speeds.replaced) document_paragraph(doc(s), SAY_SPEEDS_NO_WORK, NULL);
  document_paragraph(doc(s), SAY_SPEEDS_BALANCE, NULL);
  show_balances(s);
  if (!e->is_implicit) document_paragraph(doc(s), SAY_SPEEDS_RATES, NULL);
  show_rates(s);
  story_conserved(s);
}

// ---- Kane, Gibbs and Appell

// Of each velocity its mass, its derivatives by the speeds and its acceleration.
static void show_table(const Story *s) {
  const Motions *m = &kane_of(s)->motions;
  const Speeds *sp = &equations_of(s)->speeds;
  Document *d = doc(s);
  for (uint32_t k = 0; k < m->count; k++) {
    Formula f = formula_open(d);
    formula_expr(&f, m->squares[k].velocity);
    formula_equals(&f);
    formula_expr(&f, m->velocity[k]);
    document_display(d, &f, false);
    const char *name = expr_text(d->cx, &d->cx->scratch, m->squares[k].velocity);
    for (uint32_t r = 0; r < sp->count; r++) {
      Expr value = m->partial[k * sp->count + r];
      if (expr_is_zero(d->cx, value)) continue;
      f = formula_open(d);
      if (op_of(d->cx, m->squares[k].velocity) == OP_SUM)
        formula_partial(&f, "v", sp->u[r], false);
      else
        formula_partial(&f, name, sp->u[r], false);
      formula_equals(&f);
      formula_expr(&f, value);
      document_display(d, &f, false);
    }
  }
}

static void show_accelerations(const Story *s) {
  const Motions *m = &kane_of(s)->motions;
  for (uint32_t k = 0; k < m->count; k++) {
    Expr rate = m->squares[k].velocity;
    if (op_of(doc(s)->cx, rate) == OP_SUM) continue;
    story_line(s, expr_time_derivative(doc(s)->cx, rate), m->acceleration[k]);
  }
}

static void tell_rest(Story *s) {
  const Motions *m = &kane_of(s)->motions;
  if (expr_is_zero(doc(s)->cx, m->rest)) return;
  document_paragraph(doc(s), SAY_KANE_REST, NULL);
  document_equation(doc(s), text_format(&doc(s)->cx->scratch, "%s_0", own(s, "T")), m->rest);
}

static void tell_motions(Story *s) {
  if (kane_of(s)->motions.count) {
    document_paragraph(doc(s), SAY_KANE_PARTIAL, NULL);
    show_table(s);
    document_paragraph(doc(s), SAY_KANE_ACCELERATIONS, NULL);
    show_accelerations(s);
  }
  tell_rest(s);
}

static void tell_kane(Story *s) {
  document_heading(doc(s), 1, SAY_H_KANE, NULL);
  tell_speeds(s);
  tell_motions(s);
  document_paragraph(doc(s), SAY_KANE_INERTIA, NULL);
  tell_result(s);
}

static void tell_gibbs(Story *s) {
  document_heading(doc(s), 1, SAY_H_GIBBS_APPELL, NULL);
  tell_speeds(s);
  tell_motions(s);
  document_paragraph(doc(s), SAY_GIBBS_FUNCTION, NULL);
  document_equation(doc(s), own(s, "S"), kane_of(s)->S);
  document_paragraph(doc(s), SAY_GIBBS_INERTIA, NULL);
  tell_result(s);
}

static void show_kane(Story *s) {
  show_speeds(s);
  show_table(s);
  show_motion(s);
}

static void show_gibbs(Story *s) {
  show_speeds(s);
  document_equation(doc(s), own(s, "S"), kane_of(s)->S);
  show_motion(s);
}

const RoadStory kane_story = {tell_kane, show_kane, show_motion};
const RoadStory gibbs_appell_story = {tell_gibbs, show_gibbs, show_motion};

// ---- Boltzmann and Hamel, Maggi

static bool show_coefficients(const Story *s, bool only_asks) {
  const Boltzmann *b = boltzmann_of(s);
  const Speeds *sp = &b->equations.speeds;
  Document *d = doc(s);
  for (uint32_t i = 0; i < sp->n; i++)
    for (uint32_t k = 0; k < sp->count * (sp->count + 1); k++) {
      uint32_t r = k / (sp->count + 1), t = k % (sp->count + 1);
      Expr value = boltzmann_gamma(b, i, r, t);
      if (expr_is_zero(d->cx, value)) continue;
      if (only_asks) return true;
      const char *of = symbol_text(d->cx, symbol_name(d->cx, b->u[i]));
      const char *speed = symbol_text(d->cx, symbol_name(d->cx, sp->u[r]));
      const char *with = t < sp->count ? symbol_text(d->cx, symbol_name(d->cx, sp->u[t])) : "t";
      document_equation(
          d, text_format(&d->cx->scratch, "%s[%s,%s,%s]", own(s, "gamma"), of, speed, with), value);
    }
  return false;
}

static void tell_boltzmann(Story *s) {
  document_heading(doc(s), 1, SAY_H_BOLTZMANN_HAMEL, NULL);
  tell_speeds(s);
  document_paragraph(doc(s), SAY_BOLTZMANN_ENERGY, NULL);
  document_equation(doc(s), own(s, "T"), boltzmann_of(s)->T);
  document_paragraph(doc(s), SAY_BOLTZMANN_INERTIA, NULL);
  bool are_there = show_coefficients(s, true);
  document_paragraph(doc(s), are_there ? SAY_BOLTZMANN_GAMMA : SAY_BOLTZMANN_NO_GAMMA, NULL);
  show_coefficients(s, false);
  tell_result(s);
}

static void show_boltzmann(Story *s) {
  show_speeds(s);
  document_equation(doc(s), own(s, "T"), boltzmann_of(s)->T);
  show_coefficients(s, false);
  show_motion(s);
}

static void tell_maggi(Story *s) {
  document_heading(doc(s), 1, SAY_H_MAGGI, NULL);
  tell_speeds(s);
  document_paragraph(doc(s), SAY_MAGGI_INERTIA, NULL);
  tell_result(s);
}

static void show_maggi(Story *s) {
  show_speeds(s);
  show_motion(s);
}

const RoadStory boltzmann_hamel_story = {tell_boltzmann, show_boltzmann, show_motion};
const RoadStory maggi_story = {tell_maggi, show_maggi, show_motion};
