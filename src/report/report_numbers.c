// The chapters on the computation and trust in it.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/rounding.h"
#include "print/certificate_text.h"
#include "print/quantity.h"
#include "report/report.h"

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

static Insert number(Document *d, double value) {
  return (Insert){.markup = document_number(d, value)};
}

// An error is known to one digit only.
static Insert one_digit(Document *d, double value) {
  return (Insert){.markup = document_rounded(d, value, 1)};
}

static Insert count(Document *d, long n) {
  return insert_text(text_format(&d->cx->scratch, "%ld", n));
}

static const char *remark_of(const Document *d, const Remark *remark) {
  return language_remark(d->language, &d->cx->scratch, remark);
}

static void say_more(Document *d, Sentence sentence, const Insert *inserts) {
  d->medium->text(d, " ", 1);
  document_say(d, sentence, inserts);
}

// ---- The computation

// "rk853 (Dormand and Prince, order 8)"; the name alone where the language has no more to say.
static const char *name_of_method(const Document *d, const char *method) {
  Sentence title = sentence_named("TITLE_", method);
  if (title == SENTENCE_COUNT || strcasecmp(method, say(d, title)) == 0) return method;
  return text_format(&d->cx->scratch, "%s (%s)", method, say(d, title));
}

static void tell_stabilization(Document *d, const ReportContent *content) {
  static const Sentence ways[] = {[STABILIZE_PROJECT] = SAY_METHOD_PROJECTION,
                                  [STABILIZE_BAUMGARTE] = SAY_METHOD_BAUMGARTE,
                                  [STABILIZE_PARTITIONING] = SAY_METHOD_PARTITIONING,
                                  [STABILIZE_NONE] = SAY_METHOD_DRIFT};
  const Method *method =
      method_find(content->result->summary.method); // a stored one may be any word
  if (content->system->row_count && method && method->kind == METHOD_EXPLICIT)
    say_more(d, ways[content->stabilize], NULL);
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

static void tell_steps(Document *d, const SimSummary *summary) {
  Insert all[] = {count(d, summary->steps), count(d, summary->evaluations),
                  count(d, summary->rejected)};
  say_more(d, summary->rejected ? SAY_METHOD_STEPS_REJECTED : SAY_METHOD_STEPS, all);
  Insert rows[] = {count(d, summary->rows)};
  if (summary->rows) say_more(d, SAY_METHOD_ROWS, rows);
}

// Guesses that were moved at the start: which by the most, and by how much.
static void tell_moves(Document *d, const Model *model, Sentence sentence, uint32_t moved,
                       uint32_t guesses, Expr q, double most) {
  Quantity quantity = quantity_of(d->cx, model, q);
  const char *unit = quantity_unit(&d->cx->scratch, quantity);
  double digits = most > 0 ? pow(10, 1 - floor(log10(most))) : 1;
  Insert inserts[] = {insert_count(d, moved),
                      insert_count(d, guesses),
                      insert_expr(d, q),
                      {.markup = document_quantity(d, round(most * digits) / digits, unit)}};
  document_paragraph(d, sentence, inserts);
}

static void tell_moved(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  const System *s = content->system;
  if (summary->moved > 0 && summary->moved_coordinate < s->n)
    tell_moves(d, s->model, SAY_METHOD_MOVED, summary->moved, summary->guesses,
               s->q[summary->moved_coordinate], summary->most_moved);
  if (summary->velocities_moved > 0 && summary->moved_velocity < s->n)
    tell_moves(d, s->model, SAY_METHOD_MOVED_VELOCITY, summary->velocities_moved,
               summary->velocity_guesses, s->qd[summary->moved_velocity],
               summary->most_velocity_moved);
}

void report_computation(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  if (!summary) return;
  document_heading(d, 1, SAY_H_METHOD, NULL);
  bool fixed = summary->fixed_step;
  Insert method[] = {number(d, summary->t_end), insert_text(name_of_method(d, summary->method)),
                     fixed ? number(d, summary->step) : number(d, summary->rtol)};
  document_open_paragraph(d);
  document_say(d, fixed ? SAY_METHOD_FIXED : SAY_METHOD_ADAPTIVE, method);
  if (remark_is_made(&summary->reason)) {
    Insert reason[] = {insert_text(remark_of(d, &summary->reason))};
    say_more(d, SAY_METHOD_AUTO, reason);
  }
  tell_steps(d, summary);
  tell_stabilization(d, content);
  tell_end(d, summary);
  document_close_paragraph(d);
  tell_moved(d, content);
}

// ---- Trust

static void tell_selfcheck(Document *d, const Selfcheck *check) {
  if (!check || check->states == 0) return;
  Insert inserts[] = {insert_count(d, (unsigned)check->states),
                      one_digit(d, fmax(check->mass_error, check->power_error))};
  document_paragraph(d, SAY_TRUST_SELFCHECK, inserts);
}

static void tell_work(Document *d, const SimSummary *summary) {
  const struct {
    Sentence word;
    double work;
  } works[] = {{SAY_WORK_FORCES, summary->work_forces},
               {SAY_WORK_DISSIPATION, summary->work_dissipation},
               {SAY_WORK_DRIVES, summary->work_drives},
               {SAY_WORK_IMPACTS, summary->work_impacts}};
  Table table = {.alignment = "lrl"};
  table_text(d, &table, say(d, SAY_WORD_WORK));
  table_text(d, &table, say(d, SAY_WORD_VALUE));
  table_text(d, &table, say(d, SAY_WORD_UNIT));
  bool any = false;
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    if (without_noise(works[i].work, summary_energy(summary)) == 0) continue;
    any = true;
    table_text(d, &table, say(d, works[i].word));
    table_formula(d, &table, document_rounded(d, works[i].work, 5));
    table_text(d, &table, "J");
  }
  if (!any) return;
  document_paragraph(d, SAY_WORK, NULL);
  document_table(d, &table);
}

static void tell_constraints(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  if (content->system->row_count + content->system->contact_count == 0) return;
  Insert residual[] = {one_digit(d, summary->position.value),
                       one_digit(d, summary->velocity.value)};
  document_paragraph(d, SAY_TRUST_RESIDUAL, residual);
  Insert redundant[] = {insert_text(summary->redundant)};
  if (summary->redundant) document_paragraph(d, SAY_TRUST_REDUNDANT, redundant);
}

static void tell_distrust(Document *d, const SimSummary *summary) {
  Insert why[] = {insert_text(remark_of(d, &summary->distrust))};
  document_open_paragraph(d);
  document_say(d, SAY_TRUST_BAD, NULL);
  say_more(d, SAY_TRUST_WHY, why);
  document_close_paragraph(d);
}

void report_trust(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  if (!summary && !content->check) return;
  document_heading(d, 1, SAY_H_TRUST, NULL);
  if (summary && remark_is_made(&summary->distrust)) tell_distrust(d, summary);
  tell_selfcheck(d, content->check);
  if (!summary) return;
  Insert energy[] = {one_digit(d, summary->energy_drift)};
  if (isfinite(summary->energy_drift)) document_paragraph(d, SAY_TRUST_ENERGY, energy);
  tell_work(d, summary);
  tell_constraints(d, content);
  if (remark_is_made(&summary->hint)) {
    Insert remark[] = {insert_text(remark_of(d, &summary->hint))};
    document_paragraph(d, SAY_TRUST_REMARK, remark);
  }
  if (isnan(summary->verified)) return;
  Insert verified[] = {one_digit(d, summary->verified)};
  document_paragraph(d, SAY_TRUST_VERIFIED, verified);
}
