// Dimensions of what was written: like is added to like, energies are energies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/build.h"
#include "lang/lower/lower.h"

const char *form_text(Lowering *l, Form form) {
  Text text = text_new(&l->cx->keep);
  form_print(&l->inference, form, &text);
  return text.at;
}

Form form_of_name(Lowering *l, Form form, Symbol name) {
  return form.kind == FORM_BARE ? inference_unknown(&l->inference, name) : form;
}

// The unit that was written behind the number that is the whole value.
const char *unit_written(const Ast *value) {
  while (value && value->kind == AST_NEGATE) value = value->args[0];
  return value && value->kind == AST_NUMBER && value->unit ? value->unit->text : NULL;
}

Measure measure_of(Lowering *l, Form form, const Ast *value) {
  Measure measure = {.unit = value ? unit_written(value) : NULL};
  measure.is_given = measure.unit != NULL;
  measure.is_known = form_is_known(&l->inference, form, &measure.dimension);
  Form *open = arena_new(l->arena, Form);
  *open = form;
  measure.form = open;
  return measure;
}

Form multiplier_form(const Lowering *l, Measure measure) {
  return l->text ? measure_form(measure) : form_wrong();
}

// A parameter whose dimension is the quotient of what is wanted and what is there.
static const char *missing_factor(Lowering *l, Form wanted, Form found) {
  Dimension quotient, dimension;
  if (!form_is_known(&l->inference, form_div(&l->inference, wanted, found), &quotient) ||
      dimension_is_pure(quotient))
    return NULL;
  for (uint32_t i = 0; i < l->model->parameters.n; i++)
    if (form_is_known(&l->inference, measure_form(l->model->parameters.at[i].measure),
                      &dimension) &&
        dimension_is_equal(dimension, quotient))
      return symbol_text(l->cx, l->model->parameters.at[i].name);
  return NULL;
}

Form energy_form(EnergyKind kind) {
  return form_known(dimension_base(1, 2, kind == ENERGY_DISSIPATION ? -3 : -2));
}

const char *energy_text(EnergyKind kind) {
  static const char *const texts[] = {"a kinetic energy", "a potential", "a dissipation",
                                      "a Lagrangian", "a Hamiltonian"};
  return texts[kind];
}

// ---- Two lines that disagree

// How many units a dimension is made of.
static int complexity(Dimension d) {
  int sum = 0;
  for (int i = 0; i < BASE_UNITS; i++) sum += abs(d.exponent[i]);
  return sum;
}

// A name whose unit another line has told, and whose unit this line would have otherwise.
typedef struct Disagreement {
  const Unknown *unknown;
  Dimension there, here;
} Disagreement;

static bool find_disagreement(Lowering *l, Form form, Form wanted, Disagreement *out) {
  Dimension lacking;
  if (!form_is_known(&l->inference, form_div(&l->inference, wanted, form), &lacking)) return false;
  for (uint32_t i = 0; i < form.n; i++) {
    FormTerm term = form.terms[i];
    const Unknown *unknown = &l->inference.unknowns.at[term.unknown];
    bool elsewhere = unknown->is_solved && unknown->by.end > 0 &&
                     (unknown->by.begin != l->inference.where.begin ||
                      unknown->by.source != l->inference.where.source);
    if (!elsewhere || !form_is_known(&l->inference, unknown->value, &out->there)) continue;
    Dimension share = dimension_pow(lacking, ratio_from(term.power.under, term.power.over));
    out->here = dimension_mul(out->there, share);
    out->unknown = unknown;
    return dimension_is_valid(out->here);
  }
  return false;
}

static const char *dimension_text(Lowering *l, Dimension d) { return form_text(l, form_known(d)); }

// Both lines are shown; the one whose unit is the stranger comes first.
static bool tell_disagreement(Lowering *l, Span here, const Disagreement *d) {
  bool there_is_strange = complexity(d->there) > complexity(d->here);
  Span by = d->unknown->by, first = there_is_strange ? by : here;
  const char *name = symbol_text(l->cx, d->unknown->name);
  if (!lower_error(l, QDOT_BAD_UNIT, first, "this line and another disagree about the unit of '%s'",
                   name))
    return false;
  diag_label(l->cx, "'%s' in %s", name, dimension_text(l, there_is_strange ? d->there : d->here));
  diag_second(l->cx, there_is_strange ? here : by,
              text_format(&l->cx->keep, "'%s' in %s", name,
                          dimension_text(l, there_is_strange ? d->here : d->there)));
  diag_note(l->cx, "give '%s' its unit to find the line that is wrong", name);
  return false;
}

// ---- Energies

static void note_energy(Lowering *l, Form wrong, const char *which) {
  Form energy = energy_form(l->energy);
  const char *missing = missing_factor(l, energy, wrong);
  Text note = text_new(&l->cx->keep);
  text_addf(&note, "every term of %s is %s (%s)", energy_text(l->energy),
            l->energy == ENERGY_DISSIPATION ? "a power" : "an energy", form_text(l, energy));
  if (missing) text_addf(&note, "; is '%s' missing in the %s?", missing, which);
  diag_note(l->cx, "%s", note.at);
}

bool are_energies(Lowering *l, const Ast *sum, const Form *forms) {
  Form energy = energy_form(l->energy);
  int good = -1, wrong = -1;
  for (uint32_t i = 0; i < sum->n; i++) {
    bool fits = form_equate(&l->inference, forms[i], energy);
    if (fits && good < 0 && forms[i].kind == FORM_FIXED) good = (int)i;
    if (!fits && wrong < 0) wrong = (int)i;
  }
  if (wrong < 0) return true;
  Disagreement disagreement;
  if (find_disagreement(l, forms[wrong], energy, &disagreement))
    return tell_disagreement(l, sum->args[wrong]->span, &disagreement);
  if (good < 0)
    return need_dimension(l, sum->args[wrong], forms[wrong], energy, energy_text(l->energy));
  // Beside one that is right, in the order of the line.
  int first = wrong < good ? wrong : good, second = wrong < good ? good : wrong;
  if (!lower_error(l, QDOT_BAD_UNIT, sum->args[first]->span, "these two terms cannot be added"))
    return false;
  diag_label(l->cx, "%s", form_text(l, forms[first]));
  diag_second(l->cx, sum->args[second]->span, form_text(l, forms[second]));
  note_energy(l, forms[wrong], wrong == first ? "first" : "second");
  return false;
}

bool equate_values(Lowering *l, const Ast *a, Form fa, const Ast *b, Form fb, const char *message) {
  if (form_equate(&l->inference, fa, fb)) return true;
  if (!lower_error(l, QDOT_BAD_UNIT, a->span, "%s", message)) return false;
  if (a == b) { // one text, in two rounds of a loop
    diag_label(l->cx, "%s and %s", form_text(l, fa), form_text(l, fb));
    return false;
  }
  diag_label(l->cx, "%s", form_text(l, fa));
  diag_second(l->cx, b->span, form_text(l, fb));
  return false;
}

// The units that everybody knows by name.
static const char *unit_word(Dimension dimension, bool is_energy) {
  if (dimension_is_equal(dimension, dimension_base(1, 2, -2))) return is_energy ? " (J)" : " (N m)";
  if (dimension_is_equal(dimension, dimension_base(1, 2, -3))) return " (W)";
  if (dimension_is_equal(dimension, dimension_base(1, 1, -2))) return " (N)";
  return "";
}

// ---- Readings that another reader would not expect

// A number without a unit, or a parameter that is one.
static bool is_bare(const Lowering *l, const Ast *ast, double *value) {
  double sign = 1;
  for (; ast->kind == AST_NEGATE; ast = ast->args[0]) sign = -sign;
  if (ast->kind == AST_NUMBER) {
    *value = sign * number_to_double(l->cx, ast->number);
    return !ast->unit;
  }
  const NameEntry *entry =
      ast->kind == AST_NAME && ast->n == 0 ? model_find(l->model, ast->name) : NULL;
  if (!entry || entry->kind != NAME_PARAMETER) return false;
  *value = sign * l->parameter_numbers.at[entry->number];
  Measure measure = l->model->parameters.at[entry->number].measure;
  return measure_form(measure).n > 0; // its dimension is inferred
}

void warn_degrees(Lowering *l, const Ast *ast) {
  double value = 0;
  if (!is_bare(l, ast, &value) || !(fabs(value) > 2 * M_PI)) return;
  if (!lower_warning(l, ast->span, "an angle of %g rad is %.1f turns", value,
                     fabs(value) / (2 * M_PI)))
    return;
  while (ast->kind == AST_NEGATE) ast = ast->args[0];
  if (ast->kind == AST_NUMBER)
    diag_label(l->cx, "for degrees write %g [deg]", fabs(value));
  else
    diag_label(l->cx, "for degrees write %s = %g [deg]", symbol_text(l->cx, ast->name),
               fabs(value));
}

// A rate in 1/min or 1/h that is not an angle: somebody may mean revolutions by it.
void warn_revolutions(Lowering *l, const Ast *number) {
  const Unit *unit = number->unit;
  if (!dimension_is_equal(unit->dimension, dimension_base(0, 0, -1)) || strstr(unit->text, "rad") ||
      strstr(unit->text, "Bq"))
    return;
  bool minutes = unit->factor == expr_ratio(l->cx, 1, 60);
  if (!minutes && unit->factor != expr_ratio(l->cx, 1, 3600)) return;
  double value = number_to_double(l->cx, number->number);
  const char *per = minutes ? "min" : "h";
  if (lower_warning(l, number->span, "as a speed of rotation this is %.6g rad/s",
                    value / (minutes ? 60 : 3600)))
    diag_label(l->cx, "revolutions are written %g [%s] (%.6g rad/s), this reading [rad/%s]", value,
               minutes ? "rpm" : "rev/h", 2 * M_PI * value / (minutes ? 60 : 3600), per);
}

// The speed of a rotation in hertz is taken as radians a second.
void warn_hertz(Lowering *l, const Ast *ast) {
  while (ast->kind == AST_NEGATE) ast = ast->args[0];
  const NameEntry *entry = ast->kind == AST_NAME ? model_find(l->model, ast->name) : NULL;
  const char *unit = ast->kind == AST_NUMBER && ast->unit ? ast->unit->text : NULL;
  if (entry && entry->kind == NAME_PARAMETER)
    unit = l->model->parameters.at[entry->number].measure.unit;
  if (!unit || !strstr(unit, "Hz")) return;
  if (lower_warning(l, ast->span, "a speed of rotation in [%s] is read as radians a second", unit))
    diag_label(l->cx,
               "for revolutions write [rev/s] or multiply by 2*pi, for this reading [rad/s]");
}

bool need_pure(Lowering *l, const Ast *ast, Form form, const char *what) {
  return need_dimension(l, ast, form, form_pure(), what);
}

bool need_dimension(Lowering *l, const Ast *ast, Form form, Form wanted, const char *what) {
  if (form_equate(&l->inference, form, wanted)) return true;
  Disagreement disagreement;
  if (find_disagreement(l, form, wanted, &disagreement))
    return tell_disagreement(l, ast->span, &disagreement);
  Dimension dimension;
  bool known = form_is_known(&l->inference, wanted, &dimension);
  bool pure = known && dimension_is_pure(dimension);
  if (!lower_error(l, QDOT_BAD_UNIT, ast->span, "%s is %s%s%s", what, pure ? "a " : "in ",
                   form_text(l, wanted), known ? unit_word(dimension, l->whole != NULL) : ""))
    return false;
  const char *missing = l->whole ? missing_factor(l, wanted, form) : NULL;
  Dimension found = dimension_pure();
  bool found_known = form_is_known(&l->inference, form, &found);
  if (pure && found_known && dimension_is_equal(found, dimension_base(0, 0, 1)))
    diag_label(l->cx, "this is s; is a unit such as [rad/s] missing after a number?");
  else if (known && !pure && !missing && found_known && dimension_is_pure(found))
    diag_label(l->cx, "this is a pure number; is a unit missing after a number?");
  else if (missing)
    diag_label(l->cx, "this is %s; is '%s' missing?", form_text(l, form), missing);
  else
    diag_label(l->cx, "this is %s", form_text(l, form));
  return false;
}
