// The chapters on vibrations, the computation and trust in it.
#include <math.h>

#include "show/report.h"

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

static Insert number(Document *d, double value) {
  return (Insert){.markup = document_number(d, value)};
}

static Insert one_digit(Document *d, double value) {
  // An error is known to one digit only.
  if (value > 0 && isfinite(value)) {
    double power = pow(10, floor(log10(value)));
    value = round(value / power) * power;
  }
  return number(d, value);
}

// ---- Vibrations

// theta_1 = 0, theta_2 = pi
static Insert point_of(Document *d, const Linearized *l) {
  Formula f = formula_open(d);
  for (uint32_t i = 0; i < l->n; i++) {
    if (i) formula_sign(&f, d->medium->face->comma);
    formula_expr(&f, l->system->q[i]);
    formula_sign(&f, d->medium->face->equals);
    if (l->form.q && l->form.q[i])
      formula_expr(&f, l->form.q[i]);
    else
      formula_sign(&f, document_number(d, l->point->q[i]));
  }
  return insert_formula(&f);
}

static Insert independent_of(Document *d, const Linearized *l) {
  Formula f = formula_open(d);
  for (uint32_t i = 0; i < l->p; i++) {
    if (i) formula_sign(&f, d->medium->face->comma);
    formula_expr(&f, l->system->q[l->choice.z[i]]);
  }
  return insert_formula(&f);
}

static void show_linear_equation(Document *d) {
  const Typeface *face = d->medium->face;
  Formula f = formula_open(d);
  formula_product(&f, "M", "z''");
  formula_sign(&f, face->plus);
  formula_product(&f, "C", "z'");
  formula_sign(&f, face->plus);
  formula_product(&f, "K", "z");
  formula_equals(&f);
  formula_expr(&f, d->cx->exprs->zero);
  document_display(d, &f, true);
}

static Sentence word_of(const Mode *mode) {
  if (mode->kind == MODE_RIGID) return SAY_MODE_RIGID;
  if (mode->kind == MODE_OSCILLATION) return SAY_MODE_OSCILLATION;
  return mode->re > 0 ? SAY_MODE_GROWTH : SAY_MODE_DECAY;
}

static const char *eigenvalue(Document *d, const Mode *mode) {
  const char *re = document_number(d, mode->re);
  if (mode->kind != MODE_OSCILLATION) return re;
  Typesetter t = {.cx = d->cx, .face = d->medium->face};
  Text out = text_new(&d->cx->scratch);
  t.out = &out;
  if (mode->re != 0) text_add(&out, re);
  text_add(&out, d->medium->face->plus_minus);
  text_add(&out, document_number(d, mode->im));
  text_add(&out, d->medium->face->times);
  typeset_symbol(&t, "i", 0);
  return out.at;
}

static void show_modes(Document *d, const Modes *modes) {
  static const Sentence heads[] = {SAY_WORD_MODE, SAY_WORD_EIGENVALUE, SAY_WORD_FREQUENCY,
                                   SAY_WORD_DAMPING};
  static const Sentence stabilities[] = {[STABILITY_ASYMPTOTIC] = SAY_STABLE,
                                         [STABILITY_OSCILLATORY] = SAY_STABLE_NEUTRAL,
                                         [STABILITY_INDIFFERENT] = SAY_STABLE_INDIFFERENT,
                                         [STABILITY_UNSTABLE] = SAY_UNSTABLE};
  Table table = {.alignment = "lrrr"};
  for (size_t i = 0; i < 4; i++) table_text(d, &table, say(d, heads[i]));
  for (uint32_t i = 0; i < modes->count; i++) {
    const Mode *mode = &modes->mode[i];
    bool vibrates = mode->kind == MODE_OSCILLATION;
    table_text(d, &table, say(d, word_of(mode)));
    table_formula(d, &table, eigenvalue(d, mode));
    table_formula(d, &table, vibrates ? document_number(d, mode->hz) : "");
    table_formula(d, &table, vibrates ? document_number(d, mode->damping) : "");
  }
  document_paragraph(d, SAY_MODES, NULL);
  document_table(d, &table);
  document_paragraph(d, stabilities[modes->stability], NULL);
}

static void tell_linear(Document *d, const ReportLinear *linear) {
  const Linearized *l = &linear->linearized;
  Insert inserts[] = {point_of(d, l), independent_of(d, l)};
  document_paragraph(d, SAY_LINEARIZED, inserts);
  show_linear_equation(d);
  if (l->M) {
    document_paragraph(d, SAY_LINEAR_MATRICES, NULL);
    document_grid(d, "M", l->M, l->f, l->f, true);
    document_grid(d, "C", l->C, l->f, l->f, false);
    document_grid(d, "K", l->K, l->f, l->p, false);
  }
  if (linear->has_modes) show_modes(d, &linear->modes);
}

void report_vibrations(Document *d, const ReportContent *content) {
  if (content->linear_count == 0) return;
  document_heading(d, 1, SAY_H_LINEAR, NULL);
  for (uint32_t i = 0; i < content->linear_count; i++) tell_linear(d, &content->linear[i]);
}

// ---- The computation

static void say_more(Document *d, Sentence sentence, const Insert *inserts) {
  d->medium->text(d, " ", 1);
  document_say(d, sentence, inserts);
}

static void tell_end(Document *d, const SimSummary *summary) {
  Insert inserts[] = {number(d, summary->t_end)};
  switch (summary->stopped) {
  case STOPPED_USER: say_more(d, SAY_STOPPED_USER, inserts); break;
  case STOPPED_LIMIT: say_more(d, SAY_STOPPED_LIMIT, inserts); break;
  case STOPPED_BLOW_UP: say_more(d, SAY_STOPPED_BLOW_UP, inserts); break;
  default: break;
  }
}

static Insert count(Document *d, long n) {
  return insert_text(text_format(&d->cx->scratch, "%ld", n));
}

void report_computation(Document *d, const ReportContent *content) {
  const SimSummary *summary = content->summary;
  if (!summary) return;
  document_heading(d, 1, SAY_H_METHOD, NULL);
  bool fixed = summary->fixed_step;
  Insert method[] = {number(d, summary->t_end), insert_text(summary->method),
                     fixed ? number(d, summary->step) : number(d, summary->rtol)};
  document_open_paragraph(d);
  document_say(d, fixed ? SAY_METHOD_FIXED : SAY_METHOD_ADAPTIVE, method);
  Insert steps[] = {count(d, summary->steps), count(d, summary->rejected),
                    count(d, summary->evaluations)};
  say_more(d, SAY_METHOD_STEPS, steps);
  if (content->system->row_count) say_more(d, SAY_METHOD_PROJECTION, NULL);
  tell_end(d, summary);
  document_close_paragraph(d);
  if (summary->moved == 0) return;
  Insert moved[] = {insert_count(d, summary->moved), insert_count(d, summary->guesses),
                    insert_expr(d, content->system->q[summary->moved_coordinate]),
                    number(d, summary->most_moved)};
  document_paragraph(d, SAY_METHOD_MOVED, moved);
}

// ---- Trust

void report_trust(Document *d, const ReportContent *content) {
  const SimSummary *summary = content->summary;
  if (!summary && !content->check) return;
  document_heading(d, 1, SAY_H_TRUST, NULL);
  if (summary && summary->distrust) document_paragraph(d, SAY_TRUST_BAD, NULL);
  if (content->check && content->check->states) {
    const Selfcheck *check = content->check;
    Insert inserts[] = {insert_count(d, (unsigned)check->states),
                        one_digit(d, fmax(check->mass_error, check->power_error))};
    document_paragraph(d, SAY_TRUST_SELFCHECK, inserts);
  }
  if (!summary) return;
  Insert energy[] = {one_digit(d, summary->energy_drift)};
  document_paragraph(d, SAY_TRUST_ENERGY, energy);
  if (content->system->row_count + content->system->contact_count) {
    Insert residual[] = {one_digit(d, summary->position.value),
                         one_digit(d, summary->velocity.value)};
    document_paragraph(d, SAY_TRUST_RESIDUAL, residual);
  }
  if (!isnan(summary->verified)) {
    Insert verified[] = {one_digit(d, summary->verified)};
    document_paragraph(d, SAY_TRUST_VERIFIED, verified);
  }
}
