// The chapter on what the model asks: sensitivities, fits, searches, tolerances, sweeps, orbits,
// vibrations.
#include <math.h>
#include <string.h>

#include "print/ask/asked_unit.h"
#include "print/measure_text.h"
#include "report/report.h"
#include "result/answer_store.h"

// Of a part: what runs do not know.
static const double ROUNDING = 1e-7;

static const char *say(const Document *d, Sentence sentence) {
  return language_say(d->language, sentence);
}

static double number_at(const JsonValue *object, const char *key) {
  return json_number(json_get(object, key));
}

static void heads(Document *d, Table *table, const Sentence *words, size_t n) {
  for (size_t i = 0; i < n; i++) table_text(d, table, say(d, words[i]));
}

static void value_cell(Document *d, Table *table, double value, const char *unit) {
  if (isfinite(value))
    table_formula(d, table, document_quantity(d, value, unit));
  else
    table_text(d, table, say(d, SAY_WORD_NO_VALUE));
}

static void percent_cell(Document *d, Table *table, double percent) {
  if (isfinite(percent))
    table_formula(d, table, document_rounded(d, percent, 3));
  else
    table_text(d, table, "");
}

// Plain names as in formulas; theta(0) and rod.mass as they are written.
static void name_cell(Document *d, Table *table, const char *name) {
  if (strpbrk(name, "().[' "))
    table_text(d, table, name);
  else
    table_formula(d, table, insert_name(d, name).markup);
}

static const Measurement *measurement(const Model *model, uint32_t number) {
  return &model->requests.measurements.at[number];
}

static const char *unit_of(Document *d, const Model *model, const Measurement *m) {
  return quantity_unit(&d->cx->scratch, quantity_of_measurement(d->cx, model, m));
}

static void picture(Document *d, const ReportContent *content, const char *name, Sentence caption) {
  report_figure(d, content, name, say(d, caption));
}

// ---- Sensitivity

static void tell_measure(Document *d, const Model *model, const Measurement *m,
                         const JsonValue *one) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_DERIVATIVE, SAY_WORD_PERCENT};
  const SensitivityRequest *request = &model->requests.sensitivity;
  Insert inserts[] = {
      insert_text(symbol_text(d->cx, m->name)),
      {.markup = document_quantity(d, number_at(one, "value"), unit_of(d, model, m))}};
  const char *why = json_text(json_get(one, "undefined"));
  document_paragraph(d, SAY_ANSWER_SENSITIVITY, inserts);
  if (why) {
    Insert reason[] = {insert_text(why)};
    document_paragraph(d, SAY_ANSWER_UNDEFINED, reason);
    return;
  }
  Table table = {.alignment = "lrr"};
  heads(d, &table, words, sizeof words / sizeof *words);
  for (uint32_t j = 0; j < request->by.n; j++) {
    const char *name = varied_text(d->cx, &request->by.at[j].varied);
    double relative = number_at(json_get(one, "relative"), name);
    bool is_rounding = fabs(relative) < ROUNDING;
    name_cell(d, &table, name);
    value_cell(d, &table, is_rounding ? 0 : number_at(json_get(one, "derivative"), name), "");
    percent_cell(d, &table, is_rounding ? 0 : relative);
  }
  document_table(d, &table);
}

static void tell_sensitivity(Document *d, const ReportContent *content, const JsonValue *answer) {
  const SensitivityRequest *request = &content->model->requests.sensitivity;
  for (uint32_t i = 0; i < request->measures.n; i++) {
    const Measurement *m = measurement(content->model, request->measures.at[i]);
    tell_measure(d, content->model, m,
                 json_get(json_get(answer, "measures"), symbol_text(d->cx, m->name)));
  }
  picture(d, content, "sensitivity", SAY_CAPTION_SENSITIVITY);
}

// ---- Fits

static void tell_rank(Document *d, const JsonValue *answer, unsigned unknowns) {
  unsigned rank = (unsigned)number_at(answer, "rank");
  const JsonValue *only = json_get(answer, "determined");
  if (rank >= unknowns) return;
  Insert inserts[] = {insert_count(d, unknowns), insert_count(d, rank)};
  document_open_paragraph(d);
  document_say(d, SAY_ANSWER_RANK, inserts);
  for (size_t i = 0; i < json_count(only); i++) {
    Insert one[] = {insert_text(json_text(json_at(only, i)))};
    d->medium->text(d, " ", 1);
    document_say(d, SAY_ANSWER_ONLY, one);
  }
  document_close_paragraph(d);
}

static const Sought *sought_by_name(Document *d, const FitRequest *request, const char *name) {
  for (uint32_t j = 0; j < request->unknowns.n; j++)
    if (strcmp(varied_text(d->cx, &request->unknowns.at[j].by.varied), name) == 0)
      return &request->unknowns.at[j];
  return NULL;
}

// What may be wrong with the data.
static void tell_doubts(Document *d, const JsonValue *answer) {
  const JsonValue *signals = json_get(answer, "signals");
  for (size_t i = 0; i < json_count(signals); i++) {
    const JsonValue *one = json_at(signals, i);
    Insert what[] = {insert_name(d, json_text(json_get(one, "name")))};
    if (json_get(one, "noise") && !json_flag(json_get(one, "noise")))
      document_paragraph(d, SAY_ANSWER_NO_NOISE, what);
    double times = number_at(one, "times_the_motion");
    if (!isfinite(times)) continue;
    Insert inserts[] = {insert_name(d, json_text(json_get(one, "name"))),
                        {.markup = document_rounded(d, times, 3)}};
    document_paragraph(d, SAY_ANSWER_NO_UNIT, inserts);
  }
  double begins = number_at(answer, "begins");
  Insert late[] = {{.markup = document_quantity(d, begins, "s")}};
  if (isfinite(begins)) document_paragraph(d, SAY_ANSWER_LATE, late);
}

static void tell_fit(Document *d, const ReportContent *content, const JsonValue *answer) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_VALUE, SAY_WORD_FROM, SAY_WORD_TO};
  const FitRequest *request = &content->model->requests.fit;
  const JsonValue *list = json_get(answer, "parameters");
  Insert inserts[] = {insert_count(d, (unsigned)number_at(answer, "values")),
                      {.markup = document_rounded(d, number_at(answer, "rms"), 3)}};
  document_paragraph(d, SAY_ANSWER_FIT, inserts);
  if (!json_flag(json_get(answer, "converged"))) document_paragraph(d, SAY_ANSWER_UNSETTLED, NULL);
  Table table = {.alignment = "lrrr"};
  heads(d, &table, words, sizeof words / sizeof *words);
  for (size_t i = 0; i < json_count(list); i++) {
    const JsonValue *one = json_at(list, i), *file = json_get(one, "file");
    const char *name = json_text(json_get(one, "name"));
    const Sought *sought = sought_by_name(d, request, name);
    if (!sought) continue; // of an older model
    UnitScale in = varied_scale(d->cx, &sought->by);
    name_cell(d, &table,
              file ? text_format(&d->cx->scratch, "%s (%s)", name, json_text(file)) : name);
    value_cell(d, &table, number_at(one, "value") / in.factor, in.unit);
    value_cell(d, &table, number_at(one, "low") / in.factor, in.unit);
    value_cell(d, &table, number_at(one, "high") / in.factor, in.unit);
  }
  document_table(d, &table);
  tell_rank(d, answer, (unsigned)json_count(list));
  tell_doubts(d, answer);
  for (uint32_t i = 0; i < request->signals.n; i++)
    picture(d, content, i == 0 ? "fit" : text_format(&d->cx->scratch, "fit-%u", i + 1),
            SAY_CAPTION_FIT);
}

// ---- Searches

static void place_row(Document *d, const Model *model, const JsonValue *found, Table *table) {
  const FindRequest *request = &model->requests.find;
  for (uint32_t j = 0; j < request->unknowns.n; j++) {
    const VariedBy *by = &request->unknowns.at[j].by;
    UnitScale in = varied_scale(d->cx, by);
    double value = number_at(json_get(found, "parameters"), varied_text(d->cx, &by->varied));
    value_cell(d, table, value / in.factor, in.unit);
  }
  for (uint32_t i = 0; i < request->aims.n; i++) {
    const Measurement *m = measurement(model, request->aims.at[i].measure);
    UnitScale in = aim_scale(d->cx, model, &request->aims.at[i]);
    double value = number_at(json_get(found, "measures"), symbol_text(d->cx, m->name));
    value_cell(d, table, value / in.factor, in.unit);
  }
  if (request->points.n > 0) value_cell(d, table, number_at(found, "residual"), "m");
}

static void show_places(Document *d, const Model *model, const JsonValue *const *found, size_t n) {
  const FindRequest *request = &model->requests.find;
  uint32_t columns = request->unknowns.n + request->aims.n + (request->points.n > 0);
  char *alignment = arena_array(&d->cx->scratch, char, columns + 1);
  memset(alignment, 'r', columns);
  Table table = {.alignment = alignment};
  for (uint32_t j = 0; j < request->unknowns.n; j++)
    name_cell(d, &table, varied_text(d->cx, &request->unknowns.at[j].by.varied));
  for (uint32_t i = 0; i < request->aims.n; i++)
    name_cell(d, &table, symbol_text(d->cx, measurement(model, request->aims.at[i].measure)->name));
  if (request->points.n > 0) table_text(d, &table, say(d, SAY_WORD_MISSED));
  for (size_t i = 0; i < n; i++) place_row(d, model, found[i], &table);
  document_table(d, &table);
}

static void tell_list(Document *d, const Model *model, const JsonValue *list, Sentence sentence) {
  size_t n = json_count(list);
  if (n == 0) return;
  const JsonValue **found = arena_array(&d->cx->scratch, const JsonValue *, n);
  for (size_t i = 0; i < n; i++) found[i] = json_at(list, i);
  document_paragraph(d, sentence, NULL);
  show_places(d, model, found, n);
}

static void tell_jump(Document *d, const Model *model, const JsonValue *answer) {
  const FindRequest *request = &model->requests.find;
  double beside = number_at(answer, "beside");
  for (uint32_t i = 0; isfinite(beside) && i < request->aims.n; i++) {
    const FindAim *aim = &request->aims.at[i];
    if (aim->kind != AIM_LEAST && aim->kind != AIM_MOST) continue;
    UnitScale in = aim_scale(d->cx, model, aim);
    Insert inserts[] = {{.markup = document_quantity(d, beside / in.factor, in.unit)}};
    document_paragraph(d, SAY_ANSWER_JUMPS, inserts);
    return;
  }
}

static void tell_find(Document *d, const ReportContent *content, const JsonValue *answer) {
  bool is_found = json_flag(json_get(answer, "found"));
  document_paragraph(d, is_found ? SAY_ANSWER_FOUND : SAY_ANSWER_NOT_FOUND, NULL);
  show_places(d, content->model, &answer, 1);
  tell_jump(d, content->model, answer);
  tell_list(d, content->model, json_get(answer, "alternatives"), SAY_ANSWER_ALTERNATIVES);
  tell_list(d, content->model, json_get(answer, "tradeoff"), SAY_ANSWER_TRADE);
  picture(d, content, "find", SAY_CAPTION_FIND);
}

// ---- Tolerances

static void tell_shares(Document *d, const Model *model, const JsonValue *measures) {
  const ToleranceRequest *request = &model->requests.tolerance;
  char *alignment = arena_array(&d->cx->scratch, char, request->spreads.n + 2);
  memset(alignment, 'r', request->spreads.n + 1);
  alignment[0] = 'l';
  Table table = {.alignment = alignment};
  table_text(d, &table, "");
  for (uint32_t j = 0; j < request->spreads.n; j++)
    name_cell(d, &table, varied_text(d->cx, &request->spreads.at[j].varied));
  for (uint32_t i = 0; i < request->measures.n; i++) {
    const char *name = symbol_text(d->cx, measurement(model, request->measures.at[i])->name);
    const JsonValue *shares = json_get(json_get(measures, name), "contribution");
    name_cell(d, &table, name);
    for (uint32_t j = 0; j < request->spreads.n; j++) {
      double share = number_at(shares, varied_text(d->cx, &request->spreads.at[j].varied));
      percent_cell(d, &table, share < ROUNDING ? 0 : 100 * share);
    }
  }
  document_paragraph(d, SAY_ANSWER_SHARES, NULL);
  document_table(d, &table);
}

// A row of what the runs of every measure have in common; percentile: NULL, or which one it is.
static void distribution_row(Document *d, Table *table, const Model *model,
                             const JsonValue *measures, Sentence word, const char *key,
                             const char *percentile) {
  const ToleranceRequest *request = &model->requests.tolerance;
  table_text(d, table, say(d, word));
  for (uint32_t i = 0; i < request->measures.n; i++) {
    const Measurement *m = measurement(model, request->measures.at[i]);
    const JsonValue *one = json_get(measures, symbol_text(d->cx, m->name));
    double value = number_at(one, key);
    if (percentile) value = number_at(json_get(one, key), percentile);
    value_cell(d, table, value, unit_of(d, model, m));
  }
}

// Below each other, so that long words have room on a telephone.
static void tell_distributions(Document *d, const Model *model, const JsonValue *measures) {
  const ToleranceRequest *request = &model->requests.tolerance;
  char *alignment = arena_array(&d->cx->scratch, char, request->measures.n + 2);
  memset(alignment, 'r', request->measures.n + 1);
  alignment[0] = 'l';
  Table table = {.alignment = alignment};
  table_text(d, &table, "");
  for (uint32_t i = 0; i < request->measures.n; i++)
    name_cell(d, &table, symbol_text(d->cx, measurement(model, request->measures.at[i])->name));
  distribution_row(d, &table, model, measures, SAY_WORD_NOMINAL, "nominal", NULL);
  distribution_row(d, &table, model, measures, SAY_WORD_MEAN, "mean", NULL);
  distribution_row(d, &table, model, measures, SAY_WORD_DEVIATION, "std", NULL);
  distribution_row(d, &table, model, measures, SAY_WORD_PERCENTILE_5, "percentiles", "5");
  distribution_row(d, &table, model, measures, SAY_WORD_PERCENTILE_95, "percentiles", "95");
  document_table(d, &table);
}

static void tell_tolerance(Document *d, const ReportContent *content, const JsonValue *answer) {
  const ToleranceRequest *request = &content->model->requests.tolerance;
  const JsonValue *measures = json_get(answer, "measures");
  Insert runs[] = {insert_count(d, (unsigned)number_at(answer, "runs"))};
  Insert failed[] = {insert_count(d, (unsigned)number_at(answer, "failed"))};
  document_paragraph(d, SAY_ANSWER_TOLERANCE, runs);
  if (number_at(answer, "failed") > 0) document_paragraph(d, SAY_ANSWER_FAILED, failed);
  for (uint32_t i = 0; i < request->spreads.n; i++) {
    const char *name = varied_text(d->cx, &request->spreads.at[i].varied);
    double turned = number_at(json_get(answer, "changed_sign"), name);
    Insert sign[] = {insert_name(d, name), insert_count(d, (unsigned)fmax(turned, 0))};
    if (turned > 0) document_paragraph(d, SAY_ANSWER_SIGN, sign);
  }
  tell_distributions(d, content->model, measures);
  tell_shares(d, content->model, measures);
  picture(d, content, "tolerance", SAY_CAPTION_TOLERANCE);
}

// ---- Orbits

static Sentence stability_of(const JsonValue *answer) {
  if (json_flag(json_get(answer, "stable"))) return SAY_ANSWER_STABLE;
  bool is_neutral = json_flag(json_get(answer, "neutral"));
  if (is_neutral && number_at(answer, "family") > 0) return SAY_ANSWER_FAMILY;
  return is_neutral ? SAY_ANSWER_NEUTRAL : SAY_ANSWER_UNSTABLE;
}

static void tell_orbit(Document *d, const ReportContent *content, const JsonValue *answer) {
  (void)content;
  if (!json_flag(json_get(answer, "found"))) {
    document_paragraph(d, SAY_ANSWER_NO_ORBIT, NULL);
    return;
  }
  const JsonValue *list = json_get(answer, "multipliers"), *along = json_get(answer, "along");
  double largest = 0;
  for (size_t i = 0; i < json_count(list); i++) {
    const JsonValue *one = json_at(list, i);
    if ((double)i != json_number(along))
      largest = fmax(largest, hypot(json_number(json_at(one, 0)), json_number(json_at(one, 1))));
  }
  Insert inserts[] = {{.markup = document_quantity(d, number_at(answer, "period"), "s")},
                      {.markup = document_number(d, largest)}};
  document_open_paragraph(d);
  document_say(d, SAY_ANSWER_ORBIT, inserts);
  d->medium->text(d, " ", 1);
  document_say(d, stability_of(answer), NULL);
  document_close_paragraph(d);
}

// ---- Vibrations

static void tell_random(Document *d, const ReportContent *content, const JsonValue *answer) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_WEIGHTING, SAY_WORD_RMS};
  const JsonValue *list = json_get(answer, "outputs");
  document_paragraph(d, SAY_ANSWER_RANDOM, NULL);
  Table table = {.alignment = "llr"};
  heads(d, &table, words, sizeof words / sizeof *words);
  for (size_t i = 0; i < json_count(list); i++) {
    const JsonValue *one = json_at(list, i);
    const char *weight = json_text(json_get(one, "weighting"));
    name_cell(d, &table, json_text(json_get(one, "output")));
    name_cell(d, &table, weight ? weight : "");
    value_cell(d, &table, number_at(one, "rms"), json_text(json_get(one, "unit")));
  }
  document_table(d, &table);
  picture(d, content, "density", SAY_CAPTION_DENSITY);
}

static void tell_synchronous(Document *d, const ReportContent *content, const JsonValue *answer) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_SPEED, SAY_WORD_AMPLITUDE};
  const JsonValue *list = json_get(answer, "outputs");
  document_paragraph(d, SAY_ANSWER_SYNCHRONOUS, NULL);
  Table table = {.alignment = "lrr"};
  heads(d, &table, words, sizeof words / sizeof *words);
  for (size_t i = 0; i < json_count(list); i++) {
    const JsonValue *one = json_at(list, i), *peaks = json_get(one, "peaks");
    for (size_t k = 0; k < json_count(peaks); k++) {
      const JsonValue *peak = json_at(peaks, k);
      name_cell(d, &table, json_text(json_get(one, "output")));
      value_cell(d, &table, number_at(peak, "speed"), "rad/s");
      value_cell(d, &table, number_at(peak, "amplitude"), json_text(json_get(one, "unit")));
    }
  }
  document_table(d, &table);
  picture(d, content, "synchronous", SAY_CAPTION_SYNCHRONOUS);
}

// ---- The chapter

typedef struct Chapter {
  const char *name, *verb; // of what answers it
  Sentence heading;
  bool (*load)(Context *cx, const Model *model, const char *folder, const char *question, Json *out,
               const JsonValue **answer);
  void (*tell)(Document *d, const ReportContent *content, const JsonValue *answer);
} Chapter;

static const Chapter chapters[] = {
    {"sensitivity", "sensitivity", SAY_H_SENSITIVITY, answer_load, tell_sensitivity},
    {"fit", "fit", SAY_H_FIT, answer_load, tell_fit},
    {"find", "find", SAY_H_FIND, answer_load, tell_find},
    {"tolerance", "tolerance", SAY_H_TOLERANCE, answer_load, tell_tolerance},
    {"sweep", "sweep", SAY_H_SWEEP, report_sweep_load, report_sweep_tell},
    {"orbit", "orbit", SAY_H_ORBIT, answer_load, tell_orbit},
    {"random", "response", SAY_H_RANDOM, answer_load, tell_random},
    {"synchronous", "response", SAY_H_SYNCHRONOUS, answer_load, tell_synchronous}};

static bool is_asked(const Model *model, const char *name) {
  const Requests *r = &model->requests;
  const struct {
    const char *name;
    bool is_given;
  } all[] = {{"sensitivity", r->sensitivity.is_given},
             {"fit", r->fit.is_given},
             {"find", r->find.is_given},
             {"tolerance", r->tolerance.is_given},
             {"sweep", r->sweep.is_given},
             {"orbit", r->orbit.is_given},
             {"random", r->randoms.n > 0},
             {"synchronous", r->synchronous.is_given}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].name, name) == 0) return all[i].is_given;
  return false;
}

void report_answers(Document *d, const ReportContent *content) {
  bool has_heading = false;
  d->has_sections = true; // an answer is not folded
  for (size_t i = 0; content->model && i < sizeof chapters / sizeof *chapters; i++) {
    const Chapter *chapter = &chapters[i];
    if (!is_asked(content->model, chapter->name)) continue;
    if (!has_heading) document_heading(d, 1, SAY_H_ANSWERS, NULL);
    has_heading = true;
    Json json;
    const JsonValue *answer;
    bool is_answered =
        chapter->load(d->cx, content->model, content->folder, chapter->name, &json, &answer);
    document_heading(d, 2, chapter->heading, NULL);
    if (is_answered) {
      d->is_of_run = true;
      chapter->tell(d, content, answer);
      d->is_of_run = false;
      json_close(&json);
    } else {
      Insert inserts[] = {insert_text(text_format(&d->cx->scratch, "qdot %s", chapter->verb)),
                          insert_text("qdot report")};
      document_paragraph(d, SAY_ANSWER_WAITS, inserts);
    }
  }
  d->has_sections = false;
}
