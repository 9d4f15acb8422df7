// Forms and their solution by substitution, one equation at a time.
#include "model/infer.h"

#include <assert.h>

Inference inference_new(Context *cx, Arena *arena) { return (Inference){.cx = cx, .arena = arena}; }

Form form_bare(void) { return (Form){.kind = FORM_BARE, .known = dimension_pure()}; }

Form form_wrong(void) { return (Form){.kind = FORM_WRONG, .known = dimension_pure()}; }

Form form_known(Dimension dimension) {
  if (!dimension_is_valid(dimension)) return form_wrong();
  return (Form){.kind = FORM_FIXED, .known = dimension};
}

Form form_pure(void) { return form_known(dimension_pure()); }

Form inference_unknown(Inference *inference, Symbol name) {
  FormTerm *term = arena_new(inference->arena, FormTerm);
  *term = (FormTerm){inference->unknowns.n, {1, 1}};
  vec_push(inference->arena, &inference->unknowns, ((Unknown){.name = name}));
  return (Form){.kind = FORM_FIXED, .n = 1, .known = dimension_pure(), .terms = term};
}

// The name whose dimension this is, and nothing else; or -1.
static int only_unknown(Form form) {
  bool is_one = form.kind == FORM_FIXED && form.n == 1 && dimension_is_pure(form.known) &&
                form.terms[0].power.over == 1 && form.terms[0].power.under == 1;
  return is_one ? (int)form.terms[0].unknown : -1;
}

void inference_beside_one(Inference *inference, Form form) {
  int unknown = only_unknown(form);
  if (unknown >= 0) inference->unknowns.at[unknown].is_beside_one = true;
}

// a * b^power, merged by unknown.
static Form combine(Inference *inference, Form a, Form b, Ratio power) {
  if (a.kind == FORM_WRONG || b.kind == FORM_WRONG) return form_wrong();
  Dimension known = dimension_mul(a.known, dimension_pow(b.known, power));
  if (!dimension_is_valid(known)) return form_wrong();
  Form result = {.kind = FORM_FIXED, .known = known};
  if (a.kind == FORM_BARE && b.kind == FORM_BARE) return form_bare();
  if (a.n + b.n == 0) return result;
  FormTerm *terms = arena_array(inference->arena, FormTerm, a.n + b.n);
  uint32_t i = 0, j = 0, n = 0;
  while (i < a.n || j < b.n) {
    FormTerm term;
    if (j == b.n || (i < a.n && a.terms[i].unknown < b.terms[j].unknown)) {
      term = a.terms[i++];
    } else {
      term = (FormTerm){b.terms[j].unknown, ratio_mul(b.terms[j].power, power)};
      if (i < a.n && a.terms[i].unknown == term.unknown)
        term.power = ratio_add(a.terms[i++].power, term.power);
      j++;
    }
    if (term.power.under == 0) return form_wrong();
    if (term.power.over != 0) terms[n++] = term;
  }
  result.n = n, result.terms = terms;
  return result;
}

Form form_mul(Inference *inference, Form a, Form b) {
  return combine(inference, a, b, (Ratio){1, 1});
}

Form form_div(Inference *inference, Form a, Form b) {
  return combine(inference, a, b, (Ratio){-1, 1});
}

Form form_pow(Inference *inference, Form a, Ratio exponent) {
  if (a.kind != FORM_FIXED) return a;
  if (exponent.over == 0) return exponent.under ? form_pure() : form_wrong();
  return combine(inference, form_pure(), a, exponent);
}

// The first solved unknown of a form, or -1.
static int solved_term(const Inference *inference, Form a) {
  for (uint32_t i = 0; i < a.n; i++)
    if (inference->unknowns.at[a.terms[i].unknown].is_solved) return (int)i;
  return -1;
}

Form form_resolve(Inference *inference, Form a) {
  if (a.kind != FORM_FIXED) return a;
  for (int i; (i = solved_term(inference, a)) >= 0;) {
    FormTerm term = a.terms[i];
    FormTerm only = {term.unknown, {1, 1}};
    Form unknown = {.kind = FORM_FIXED, .n = 1, .known = dimension_pure(), .terms = &only};
    Form value = inference->unknowns.at[term.unknown].value;
    a = combine(inference, a, unknown, (Ratio){-term.power.over, term.power.under});
    a = combine(inference, a, value, term.power);
    if (a.kind == FORM_WRONG) return a;
  }
  return a;
}

// 1 = known * product of unknowns: the newest unknown is expressed by the others.
static void solve(Inference *inference, Form equation) {
  FormTerm term = equation.terms[equation.n - 1];
  Form rest = equation;
  rest.n--;
  Ratio power = ratio_from(-(int64_t)term.power.under, term.power.over);
  Unknown *unknown = &inference->unknowns.at[term.unknown];
  unknown->value = combine(inference, form_pure(), rest, power);
  unknown->is_solved = true;
  unknown->by = inference->where;
}

bool form_equate(Inference *inference, Form a, Form b) {
  if (a.kind != FORM_FIXED || b.kind != FORM_FIXED) return true;
  Form quotient = form_resolve(inference, form_div(inference, a, b));
  if (quotient.kind != FORM_FIXED) return true;
  if (quotient.n == 0) return dimension_is_pure(quotient.known);
  solve(inference, quotient);
  return true;
}

bool form_is_known(Inference *inference, Form a, Dimension *out) {
  a = form_resolve(inference, a);
  *out = a.known;
  return a.kind == FORM_FIXED && a.n == 0;
}

static Form form_of_unknown(Inference *inference, uint32_t i) {
  FormTerm *only = arena_new(inference->arena, FormTerm);
  *only = (FormTerm){i, {1, 1}};
  Form alone = {.kind = FORM_FIXED, .n = 1, .known = dimension_pure(), .terms = only};
  return form_resolve(inference, alone);
}

void inference_suppose_pure(Inference *inference, bool (*may_be)(const void *argument, Symbol name),
                            const void *argument) {
  uint32_t n = inference->unknowns.n;
  bool *is_barred = arena_array(inference->arena, bool, n + 1);
  for (uint32_t i = 0; i < n; i++) is_barred[i] = false;
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t i = 0; i < n; i++) {
      Form form = form_of_unknown(inference, i);
      bool bars = !may_be(argument, inference->unknowns.at[i].name) || form.kind != FORM_FIXED ||
                  !dimension_is_pure(form.known);
      for (uint32_t k = 0; k < form.n; k++) bars |= is_barred[form.terms[k].unknown];
      for (uint32_t k = 0; bars && k < form.n; k++) {
        bool *barred = &is_barred[form.terms[k].unknown];
        grows |= !*barred;
        *barred = true;
      }
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    Unknown *unknown = &inference->unknowns.at[i];
    if (unknown->is_solved || is_barred[i]) continue;
    unknown->value = form_pure();
    unknown->is_solved = true;
    unknown->by = inference->where;
  }
}

Form measure_form(Measure measure) {
  if (measure.form) return *measure.form;
  return measure.is_known ? form_known(measure.dimension) : form_wrong();
}

void measure_settle(Inference *inference, Measure *measure) {
  if (!measure->form) return;
  measure->is_known = form_is_known(inference, *measure->form, &measure->dimension);
  measure->form = NULL;
}

void measure_settle_number(Inference *inference, Measure *measure) {
  int unknown = measure->form ? only_unknown(*measure->form) : -1;
  measure_settle(inference, measure);
  if (unknown >= 0 && inference->unknowns.at[unknown].is_beside_one &&
      !dimension_is_pure(measure->dimension))
    measure->is_known = false;
}

void form_print(Inference *inference, Form a, Text *out) {
  a = form_resolve(inference, a);
  if (a.kind != FORM_FIXED || (a.n == 0 && dimension_is_pure(a.known))) {
    text_add(out, "pure number");
    return;
  }
  for (uint32_t i = 0; i < a.n; i++) {
    Ratio power = a.terms[i].power;
    text_addf(out, "[%s]",
              symbol_text(inference->cx, inference->unknowns.at[a.terms[i].unknown].name));
    if (power.under != 1)
      text_addf(out, "^(%d/%d)", power.over, power.under);
    else if (power.over != 1)
      text_addf(out, "^%d", power.over);
    if (i + 1 < a.n || !dimension_is_pure(a.known)) text_add_char(out, ' ');
  }
  if (!dimension_is_pure(a.known)) dimension_print(a.known, out);
}
