// The chapters on the computation and trust in it.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "analyse/mobility/freedom.h"
#include "base/rounding.h"
#include "base/words/digits.h"
#include "print/quantity.h"
#include "report/report.h"
#include "report/story.h"
#include "result/works.h"

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

// For "at most" and its like: one digit that is not below the value.
static Insert upper_digit(Document *d, double value) {
  return one_digit(d, digits_bound(value, 1, 1, 0));
}

static Insert count(Document *d, int64_t n) {
  return insert_text(text_format(&d->cx->scratch, "%" PRId64, n));
}

static const char *remark_of(const Document *d, const Remark *remark) {
  return language_remark(d->language, &d->cx->scratch, remark);
}

// The sentence that tells a field of the summary.
static const Sentence sentence_of[SUMMARY_FIELDS] = {
#define SAY_NONE SENTENCE_COUNT
#define FIELD(kind, name, key, said, unit, sentence) [FIELD_##name] = SAY_##sentence,
#include "engine/summary.def"
#undef FIELD
#undef SAY_NONE
};

static Insert value_of(Document *d, const SimSummary *summary, SummaryFieldId id) {
  const void *at = summary_get(summary, &summary_fields[id]);
  switch (summary_fields[id].kind) {
  case SUMMARY_TEXT: return insert_text(*(const char *const *)at);
  case SUMMARY_REMARK: return insert_text(remark_of(d, at));
  case SUMMARY_WHOLE: return count(d, *(const int64_t *)at);
  default: return one_digit(d, *(const double *)at);
  }
}

// Does it have something to say?
static bool is_told(const SimSummary *summary, SummaryFieldId id) {
  const void *at = summary_get(summary, &summary_fields[id]);
  switch (summary_fields[id].kind) {
  case SUMMARY_TEXT: return *(const char *const *)at;
  case SUMMARY_REMARK: return remark_is_made(at);
  case SUMMARY_WHOLE: return *(const int64_t *)at > 0;
  case SUMMARY_FLAG: return *(const bool *)at;
  default: return isfinite(*(const double *)at);
  }
}

// A field as a paragraph of its own.
static void tell(Document *d, const SimSummary *summary, SummaryFieldId id) {
  if (!is_told(summary, id)) return;
  Insert inserts[] = {value_of(d, summary, id)};
  document_paragraph(d, sentence_of[id], inserts);
}

static void say_more(Document *d, Sentence sentence, const Insert *inserts) {
  d->medium->text(d, " ", 1);
  document_say(d, sentence, inserts);
}

// A field within a paragraph.
static void tell_more(Document *d, const SimSummary *summary, SummaryFieldId id) {
  if (!is_told(summary, id)) return;
  Insert inserts[] = {value_of(d, summary, id)};
  say_more(d, sentence_of[id], inserts);
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
  say_more(d,
           summary->rejected == 0   ? SAY_METHOD_STEPS
           : summary->rejected == 1 ? SAY_METHOD_STEPS_REJECTED_ONE
                                    : SAY_METHOD_STEPS_REJECTED,
           all);
  tell_more(d, summary, FIELD_rows);
  if (is_told(summary, FIELD_motion_left_out)) say_more(d, SAY_RUN_MOTION_LEFT_OUT, NULL);
  tell_more(d, summary, FIELD_never);
}

typedef struct Moves {
  uint32_t moved, guesses;
  Expr q; // which moved by the most
  double most;
} Moves;

// Guesses that were moved at the start: which by the most, and by how much. The sentences are for
// several, for one of them, and for the only one.
static void tell_moves(Document *d, const Model *model, const Sentence sentences[3], Moves moves) {
  Quantity quantity = quantity_of(d->cx, model, moves.q);
  const char *unit = quantity_unit(&d->cx->scratch, quantity);
  double digits = moves.most > 0 ? pow(10, 1 - floor(log10(moves.most))) : 1;
  Insert inserts[] = {insert_count(d, moves.moved),
                      insert_count(d, moves.guesses),
                      insert_expr(d, moves.q),
                      {.markup = document_quantity(d, round(moves.most * digits) / digits, unit)}};
  document_paragraph(d, sentences[moves.guesses == 1 ? 2 : moves.moved == 1], inserts);
}

static void tell_moved(Document *d, const ReportContent *content) {
  static const Sentence positions[] = {SAY_METHOD_MOVED, SAY_METHOD_MOVED_ONE,
                                       SAY_METHOD_MOVED_ONLY};
  static const Sentence velocities[] = {SAY_METHOD_MOVED_VELOCITY, SAY_METHOD_MOVED_VELOCITY_ONE,
                                        SAY_METHOD_MOVED_VELOCITY_ONLY};
  const SimSummary *summary = report_summary(content);
  const System *s = content->system;
  if (summary->moved > 0 && summary->moved_coordinate < s->n)
    tell_moves(d, s->model, positions,
               (Moves){summary->moved, summary->guesses, s->q[summary->moved_coordinate],
                       summary->most_moved});
  if (summary->velocities_moved > 0 && summary->moved_velocity < s->n)
    tell_moves(d, s->model, velocities,
               (Moves){summary->velocities_moved, summary->velocity_guesses,
                       s->qd[summary->moved_velocity], summary->most_velocity_moved});
}

void report_computation(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  if (!summary) return;
  document_heading(d, 1, SAY_H_METHOD, NULL);
  d->is_of_run = true;
  bool fixed = summary->fixed_step;
  Insert method[] = {number(d, summary->t_end), insert_text(name_of_method(d, summary->method)),
                     fixed ? number(d, summary->step) : number(d, summary->rtol)};
  document_open_paragraph(d);
  document_say(d, fixed ? SAY_METHOD_FIXED : SAY_METHOD_ADAPTIVE, method);
  tell_more(d, summary, FIELD_reason);
  tell_steps(d, summary);
  tell_stabilization(d, content);
  tell_end(d, summary);
  document_close_paragraph(d);
  tell_moved(d, content);
  d->is_of_run = false;
}

// ---- Trust

static void tell_selfcheck(Document *d, const Selfcheck *check) {
  if (!check || check->states == 0) return;
  // no difference at all is one below the rounding
  double error = fmax(fmax(check->mass_error, check->power_error), DBL_EPSILON);
  Insert inserts[] = {insert_count(d, (unsigned)check->states), upper_digit(d, error)};
  document_paragraph(d, SAY_TRUST_SELFCHECK, inserts);
}

// No change at all is one below the rounding; where nothing moves there is none to measure.
static void tell_energy(Document *d, const SimSummary *summary) {
  if (!isfinite(summary->energy_drift) || summary->exchanged == 0) return;
  Insert inserts[] = {upper_digit(d, fmax(summary->energy_drift, DBL_EPSILON))};
  document_paragraph(d, SAY_TRUST_ENERGY, inserts);
}

static void tell_work(Document *d, const SimSummary *summary) {
  Table table = {.alignment = "lrl"};
  table_text(d, &table, say(d, SAY_WORD_WORK));
  table_text(d, &table, say(d, SAY_WORD_VALUE));
  table_text(d, &table, say(d, SAY_WORD_UNIT));
  bool any = false;
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    const SummaryField *field = &summary_fields[i];
    double work;
    if (!summary_tells_work(summary, field, &work)) continue;
    any = true;
    table_text(d, &table, say(d, sentence_of[i]));
    table_formula(d, &table, document_number(d, work));
    table_text(d, &table, field->unit);
  }
  if (!any) return;
  document_paragraph(d, SAY_WORK, NULL);
  document_table(d, &table);
}

// Only what the constraints are stated for can be violated.
static void tell_residuals(Document *d, const SimSummary *summary, RowsOf rows) {
  if (rows == ROWS_NONE) return;
  double position = rows & ROWS_OF_POSITIONS ? summary->position.value : 0,
         velocity = summary->velocity.value;
  Insert residual[] = {upper_digit(d, fmax(position, DBL_EPSILON)),
                       upper_digit(d, fmax(velocity, DBL_EPSILON))};
  if (position == 0 && velocity == 0)
    document_paragraph(d, SAY_TRUST_RESIDUAL_NONE, NULL);
  else if (rows == ROWS_OF_VELOCITIES)
    document_paragraph(d, SAY_TRUST_RESIDUAL_RATE, residual + 1);
  else
    document_paragraph(d, SAY_TRUST_RESIDUAL, residual);
}

static void tell_constraints(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  tell_residuals(d, summary, story_rows_of(content->system));
  Insert overlap[] = {upper_digit(d, summary->penetration)};
  if (content->system->contact_count && isfinite(summary->penetration))
    document_paragraph(d, summary->penetration > 0 ? SAY_TRUST_OVERLAP : SAY_TRUST_NO_OVERLAP,
                       overlap);
  tell(d, summary, FIELD_redundant);
}

static void tell_distrust(Document *d, const SimSummary *summary) {
  document_open_paragraph(d);
  document_say(d, SAY_TRUST_BAD, NULL);
  tell_more(d, summary, FIELD_distrust);
  document_close_paragraph(d);
}

static const double LOST = 0.1; // of the largest value: nothing of the motion is left

// Did the motion part from a more accurate one, though its steps were good?
static bool is_sensitive(const SimSummary *summary) {
  return summary && summary->distrust.id == REMARK_VERIFY_TOL && isfinite(summary->holds_until);
}

void report_until(Document *d, const ReportContent *content, Sentence sentence) {
  const SimSummary *summary = report_summary(content);
  if (!is_sensitive(summary)) return;
  double digits = digits_rounded(summary->holds_until, 3);
  Insert inserts[] = {{.markup = document_quantity(d, digits, "s")},
                      upper_digit(d, 100 * summary->verified)};
  document_paragraph(d, sentence, inserts);
}

static void tell_verified(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  bool is_prescribed = model_freedom(content->system->model) == 0;
  Insert command[] = {insert_text("qdot run --verify")};
  if (is_sensitive(summary)) return;
  if (isfinite(summary->verified)) {
    Insert inserts[] = {upper_digit(d, fmax(summary->verified, DBL_EPSILON))};
    document_paragraph(d, SAY_TRUST_VERIFIED, inserts);
  } else if (summary->stopped == STOPPED_NOT && !is_prescribed) {
    document_paragraph(d, SAY_TRUST_UNVERIFIED, command);
  }
}

static void tell_run(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  tell_energy(d, summary);
  tell_work(d, summary);
  tell_constraints(d, content);
  tell(d, summary, FIELD_hint);
  tell_verified(d, content);
}

void report_trust(Document *d, const ReportContent *content) {
  const SimSummary *summary = report_summary(content);
  if (!summary && !content->check) return;
  document_heading(d, 1, SAY_H_TRUST, NULL);
  d->is_of_run = true;
  report_until(d, content, SAY_TRUST_UNTIL);
  if (is_sensitive(summary) && summary->verified > LOST)
    document_paragraph(d, SAY_TRUST_LOST, NULL);
  bool is_bad = summary && remark_is_made(&summary->distrust);
  if (is_bad && !is_sensitive(summary)) tell_distrust(d, summary);
  tell_selfcheck(d, content->check);
  if (summary) tell_run(d, content);
  d->is_of_run = false;
}
