// The data of a live page: the motion thinned to what the eye needs, events, words.
#include "report/live.h"

#include <math.h>
#include <string.h>

#include "model/values.h"
#include "print/quantity.h"
#include "report/page_script.inc"
#include "sim/switches.h"

#define MOST_BYTES 180000 // of the motion, before they are spelled
#define MOST_SAMPLES 2400
#define LARGEST_MODEL 400000 // bytes of equations; larger ones are played only
#define MOST_EVENTS 400
#define MOST_POSES 400 // by which it is decided what the parts of a drawing are

// ---- The motion

// Columns from q on that the page reads: positions, velocities, then accelerations and forces.
static uint32_t state_width(const Live *live) {
  const System *s = live->system;
  return 3 * s->n + s->row_count + s->contact_count;
}

static bool is_kept(const double *before, const double *row, const double *after, uint64_t i,
                    uint64_t stride, int time) {
  if (i % stride == 0 || !after || !before) return true;
  // both sides of a jump
  return row[time] == before[time] || row[time] == after[time];
}

// Every stride-th row, and both sides of jumps, at most `most` of them; how many there were.
typedef void TakeRow(void *user, uint32_t n, const double *row);
static uint32_t thin_rows(Live *live, uint32_t most, uint64_t stride, TakeRow *take, void *user) {
  const RowSource *rows = &live->result->motion;
  uint32_t width = live->result->column_count, n = 0;
  double *three[3];
  for (int i = 0; i < 3; i++) three[i] = arena_array(live->arena, double, width);
  uint64_t count = 0;
  rows->rewind(rows->user);
  const double *next = rows->next(rows->user);
  if (next) memcpy(three[2], next, width * sizeof *next);
  while (next && n < most) {
    double *first = three[0];
    three[0] = three[1], three[1] = three[2], three[2] = first;
    next = rows->next(rows->user);
    if (next) memcpy(three[2], next, width * sizeof *next);
    if (is_kept(count ? three[0] : NULL, three[1], next ? three[2] : NULL, count, stride, 0))
      take(user, n++, three[1]);
    count++;
  }
  return n;
}

static uint64_t count_rows(const Live *live) {
  const RowSource *rows = &live->result->motion;
  uint64_t n = 0;
  rows->rewind(rows->user);
  for (double t; rows_pass(rows, 0, &t);) {
    if (++n % 65536 == 0) context_poll(live->cx);
  }
  return n;
}

// The start of a row, t and the state, as floats.
typedef struct Floats {
  float *at;
  uint32_t width;
} Floats;

static void take_floats(void *user, uint32_t n, const double *row) {
  const Floats *floats = user;
  for (uint32_t k = 0; k < floats->width; k++)
    floats->at[(size_t)n * floats->width + k] = (float)row[k];
}

static void write_motion(Live *live, Text *out) {
  uint32_t width = state_width(live) + 1;
  uint64_t rows = count_rows(live), fit = MOST_BYTES / (width * sizeof(float));
  uint64_t wanted = fit < 100 ? 100 : fit < MOST_SAMPLES ? fit : MOST_SAMPLES;
  uint64_t stride = (rows + wanted - 1) / wanted;
  uint32_t most = (uint32_t)(2 * wanted + 2);
  Floats floats = {arena_array(live->arena, float, (size_t)most *width), width};
  uint32_t n = rows ? thin_rows(live, most, stride ? stride : 1, take_floats, &floats) : 0;
  live_key(out, "motion");
  text_addf(out, "{\"count\": %u, \"width\": %u, \"samples\": \"", n, width);
  live_add_base64(out, (const unsigned char *)floats.at, (size_t)n * width * sizeof(float));
  text_add(out, "\"}");
}

// ---- The motion as numbers

typedef struct Numbers {
  Sampler sampler;
  double *at;
  uint32_t width;
} Numbers;

static void take_numbers(void *user, uint32_t n, const double *row) {
  const Numbers *numbers = user;
  sampler_read(&numbers->sampler, row, numbers->at + (size_t)n * numbers->width);
}

const double *live_numbers(Live *live, uint32_t samples, uint32_t *count, uint32_t *width) {
  uint32_t drawn = live->scene.signals.n, wide = 1 + drawn + live->curves.n;
  uint64_t rows = count_rows(live), stride = (rows + samples - 1) / samples;
  uint32_t most = (uint32_t)(2 * (rows < samples ? rows : samples) + 2);
  Numbers numbers = {.at = arena_array(live->arena, double, (size_t)most *wide), .width = wide};
  Signal *signals = arena_array(live->arena, Signal, wide);
  signals[0] = signal_from_column(live->result, "t");
  for (uint32_t i = 0; i < drawn; i++) signals[1 + i] = live->scene.signals.at[i];
  for (uint32_t i = 0; i < live->curves.n; i++)
    signals[1 + drawn + i] = signal_from_expr(live->curves.at[i]);
  sampler_open(&numbers.sampler, live->cx, live->result, signals, wide);
  *count = thin_rows(live, most, stride ? stride : 1, take_numbers, &numbers);
  *width = wide;
  sampler_close(&numbers.sampler);
  return numbers.at;
}

// The same for a page whose model has no functions.
static void write_numbers(Live *live, Text *out) {
  uint32_t wide = 1 + live->scene.signals.n + live->curves.n, count, width;
  uint32_t fit = MOST_BYTES / (wide * (uint32_t)sizeof(float));
  uint32_t wanted = fit < 100 ? 100 : fit < MOST_SAMPLES ? fit : MOST_SAMPLES;
  const double *numbers = live_numbers(live, wanted, &count, &width);
  size_t n = (size_t)count * width;
  float *floats = arena_array(live->arena, float, n + 1);
  for (size_t i = 0; i < n; i++) floats[i] = (float)numbers[i];
  live_key(out, "layout");
  text_addf(out, "{\"q\": %u, \"curves\": %u}", live->drawn, live->scene.signals.n);
  live_key(out, "motion");
  text_addf(out, "{\"count\": %u, \"width\": %u, \"samples\": \"", count, width);
  live_add_base64(out, (const unsigned char *)floats, n * sizeof(float));
  text_add(out, "\"}");
}

// ---- What happens, and what the page says

static void write_events(const Live *live, Text *out) {
  static const Sentence kinds[] = {
      [SIM_IMPACT] = SAY_EVENT_IMPACT,   [SIM_CONTACT] = SAY_EVENT_CONTACT,
      [SIM_RELEASE] = SAY_EVENT_RELEASE, [SIM_JUMP] = SAY_EVENT_JUMP,
      [SIM_STICK] = SAY_EVENT_STICK,     [SIM_SLIP] = SAY_EVENT_SLIP,
      [SIM_RESET] = SAY_EVENT_RESET,     [SIM_STOP] = SAY_EVENT_STOP};
  const SimSummary *summary = &live->result->summary;
  live_key(out, "events");
  text_add(out, "[");
  for (uint32_t i = 0; i < summary->events.n && i < MOST_EVENTS; i++) {
    const SimEvent *event = &summary->events.at[i];
    live_item(out);
    text_add(out, "{");
    live_number(out, "t", event->t);
    live_text(out, "text",
              text_format(live->arena, "%s %s", language_say(live->language, kinds[event->kind]),
                          sim_event_name(live->system, event)));
    text_add(out, "}");
  }
  text_add(out, "]");
}

// Every sentence whose key begins with PAGE_.
static void write_words(const Live *live, Text *out) {
  live_key(out, "words");
  text_add(out, "{");
  for (int i = 0; i < SENTENCE_COUNT; i++) {
    const char *key = sentence_key((Sentence)i);
    if (strncmp(key, "PAGE_", 5)) continue;
    live_text(out, key + 5, language_say(live->language, (Sentence)i));
  }
  live_text(out, "decimal", (const char[]){live->language->decimal, 0});
  text_add(out, "}");
}

// ---- What can be changed

// The unit as it was written, and what one of it is in SI units.
static void write_unit(const Live *live, const Measure *measure, Quantity quantity, Text *out) {
  UnitScale scale = unit_scale(live->cx, live->arena, measure, quantity);
  live_text(out, "unit", strcmp(scale.unit, "deg") == 0 ? "°" : scale.unit);
  live_number(out, "factor", scale.factor);
}

static const char *label_of(const Live *live, const char *name, int primes) {
  Text text = text_new(live->arena);
  typeset_name(live->cx, name, primes, &mathml_face, &text);
  return text.at;
}

typedef struct Knob {
  const char *key, *name;
  int primes;
  const Measure *measure;
  Quantity quantity;
  const char *unit; // NULL: the measure's
  const char *about;
} Knob;

static void write_knob(const Live *live, const Knob *knob, Text *out) {
  live_item(out);
  text_add(out, "{");
  live_text(out, "key", knob->key);
  live_text(out, "name", knob->name);
  live_text(out, "label", label_of(live, knob->name, knob->primes));
  if (knob->unit)
    live_text(out, "unit", knob->unit);
  else
    write_unit(live, knob->measure, knob->quantity, out);
  if (knob->about) live_text(out, "about", knob->about);
  text_add(out, "}");
}

// What the model gives, and where nothing has to be met all of it.
static void write_start(const Live *live, uint32_t i, int primes, Text *out) {
  const Coordinate *q = &live->system->model->coordinates.at[i];
  const char *name = symbol_text(live->cx, q->name);
  bool given = (primes ? &q->velocity : &q->position)->kind == INITIAL_GIVEN;
  if (!given && live->system->row_count > 0) return;
  Knob knob = {.key = text_format(live->arena, "%s%s", name, primes ? "'" : ""),
               .name = name,
               .primes = primes,
               .measure = &q->measure,
               .quantity = quantity_of_coordinate(q, 0),
               .about = q->description};
  if (primes) knob.unit = quantity_unit(live->arena, quantity_of_coordinate(q, 1));
  write_knob(live, &knob, out);
}

static void write_knobs(const Live *live, const ExportContent *content, Text *out) {
  const Model *model = live->system->model;
  live_key(out, "parameters");
  text_add(out, "[");
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    const char *name = symbol_text(live->cx, p->name);
    Knob knob = {.key = content ? content->parameters[i] : name,
                 .name = name,
                 .measure = &p->measure,
                 .quantity = quantity_of_measure(&p->measure),
                 .about = p->description};
    write_knob(live, &knob, out);
  }
  text_add(out, "]");
  live_key(out, "starts");
  text_add(out, "[");
  for (uint32_t i = 0; i < live->system->n; i++)
    for (int primes = 0; primes < 2; primes++) write_start(live, i, primes, out);
  text_add(out, "]");
}

// ---- The whole

static const char *refusal(const Live *live, size_t model_bytes) {
  const System *s = live->system;
  Sentence why = s->contact_count                ? SAY_PAGE_NO_CONTACTS
                 : system_may_stick(live->cx, s) ? SAY_PAGE_NO_STICKING
                 : model_bytes > LARGEST_MODEL   ? SAY_PAGE_NO_LARGE
                                                 : SENTENCE_COUNT;
  return why == SENTENCE_COUNT ? NULL : language_say(live->language, why);
}

static void settle(Live *live) {
  Scene other = live->scene;
  Poses poses = {0};
  other.result = live->all_motions;
  if (other.result) poses = poses_of_rows(&other, live->arena, MOST_POSES);
  scene_settle(&live->scene, poses.count > 0 ? &poses : &live->poses);
}

static void open_scene(Live *live) {
  live->scene = scene_from_result(live->cx, live->arena, live->result);
  live->drawn = live->scene.signals.n;
  uint32_t first = scene_add_coordinates(&live->scene);
  live->poses = poses_of_rows(&live->scene, live->arena, MOST_POSES);
  settle(live);
  live->view = view_of_motion(&live->scene, &live->poses, 560);
  live->pieces = scene_pieces(&live->scene);
  live->angles = scene_angles(&live->scene, &live->poses, &live->pieces, first);
  live->places = scene_coordinate_places(&live->scene, &live->pieces, &live->angles);
  live->labels = scene_labels(&live->scene, &live->poses, first);
}

static void write_model(Live *live, const ExportContent *content, bool with_equations, Text *out) {
  Expr *signals = arena_array(live->arena, Expr, live->drawn + 1);
  for (uint32_t i = 0; i < live->drawn; i++) signals[i] = live->scene.signals.at[i].value;
  const JsExtra extras[] = {
      {"scene", "the numbers of the drawing", signals, live->drawn},
      {"curves", "the curves", live->curves.at, live->curves.n},
  };
  js_expression(content, live->arena, extras, 2, with_equations, out);
}

// What both the page of a report and other programs that draw need to know.
static void write_view(Live *live, Text *out) {
  const char *title = live->system->model->title;
  live_text(out, "title", title ? title : "");
  live_number(out, "begin", live->begin);
  live_number(out, "end", live->end);
  live_text(out, "caption",
            language_say(live->language, live->scene.is_guessed ? SAY_CAPTION_GUESS_MOTION
                                                                : SAY_CAPTION_MECHANISM));
  write_words(live, out);
  write_events(live, out);
  live_write_scene(live, out);
}

bool live_open(Live *live) {
  double begin, end;
  if (!result_times(live->cx, live->result, &begin, &end) || !(end > begin)) return false;
  live->begin = begin, live->end = end;
  open_scene(live);
  return true;
}

void live_write_view(Live *live, Text *out) {
  text_add(out, "{");
  write_view(live, out);
  live_write_curves(live, out);
  live_key(out, "layout");
  text_addf(out, "{\"scene\": 1, \"q\": %u, \"n\": %u, \"curves\": %u}}\n", 1 + live->drawn,
            live->system->n, 1 + live->scene.signals.n);
}

// content: NULL where the model has no equations to export, and the motion is numbers alone.
static void write_data(Live *live, const ExportContent *content, const char *why,
                       const Text *curves, Text *out) {
  text_add(out, "const data = {");
  if (why) live_text(out, "refusal", why);
  write_view(live, out);
  write_knobs(live, content, out);
  if (content)
    write_motion(live, out);
  else
    write_numbers(live, out);
  text_addf(out, ",\n%s};\n", curves->at);
}

// A model without functions, which the page's scripts ask for its size and its start.
static void write_stub(const Live *live, Text *out) {
  const System *s = live->system;
  text_addf(out, "{model: {n: %u, m: 0, contact_count: 0, inputs: [], columns: [], start: [", s->n);
  const RowSource *rows = &live->result->motion;
  rows->rewind(rows->user);
  const double *row = rows->next(rows->user);
  for (uint32_t i = 0; row && i < 2 * s->n; i++) {
    emit_number(DIALECT_JS, row[1 + i], out);
    text_add(out, ", ");
  }
  text_add(out, "], coordinates: [");
  for (uint32_t i = 0; i < s->n; i++) {
    js_string(out, symbol_text(live->cx, s->model->coordinates.at[i].name));
    text_add(out, ", ");
  }
  text_add(out, "]}, parameters: () => ({");
  double *values;
  if (model_values(live->cx, s->model, live->arena, &values) == QDOT_OK)
    for (uint32_t i = 0; i < s->model->parameters.n; i++) {
      const Parameter *p = &s->model->parameters.at[i];
      js_string(out, symbol_text(live->cx, p->name));
      text_add(out, ": ");
      emit_number(DIALECT_JS, values[symbol_variable(live->cx, p->symbol)], out);
      text_add(out, ", ");
    }
  text_add(out, "})}");
}

// Do samples or events change inputs? Events that only move something leave nothing behind.
static bool holds_values(const Context *cx, const Model *model) {
  bool holds = model->samplings.n > 0;
  for (uint32_t i = 0; i < model->assignments.n; i++)
    holds = holds || symbol_kind(cx, model->assignments.at[i].target) == SYMBOL_INPUT;
  return holds;
}

static bool is_among(const ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return true;
  return false;
}

// Does a curve show what holds or rubs? Then rows know its value and the state alone does not.
static bool shows_what_holds(const Live *live) {
  Context *cx = live->cx;
  const System *s = live->system;
  const Model *model = s->model;
  Mark mark = arena_mark(&cx->scratch);
  ExprList held = {0}, all = expr_walk(cx, live->curves.at, live->curves.n, visit_all, NULL);
  if (system_may_stick(cx, s)) held = system_switches(cx, s).atoms;
  bool any = false;
  for (uint32_t i = 0; i < all.n && !any; i++) {
    any = is_among(&held, all.at[i]);
    for (uint32_t k = 0; k < model->contacts.n && !any; k++)
      any =
          all.at[i] == model->contacts.at[k].friction || all.at[i] == model->contacts.at[k].torque;
    for (uint32_t k = 0; k < model->presses.n && !any; k++)
      any = all.at[i] == model->presses.at[k].symbol;
  }
  arena_release(&cx->scratch, mark);
  return any;
}

void live_write(Context *cx, System *system, const Result *result, const Language *language,
                Text *out) {
  Live live = {
      .cx = cx, .arena = &cx->keep, .system = system, .result = result, .language = language};
  if (!result || !result_times(cx, result, &live.begin, &live.end) || !(live.end > live.begin))
    return;
  Diagnostics before = diag_mark(cx);
  ExportOptions options = export_defaults();
  options.end = live.end;
  options.every = (live.end - live.begin) / 500;
  if (result->summary.rtol > 0) options.rtol = result->summary.rtol;
  ExportContent content;
  // the page reads rows of coordinates and forces: states and held values are not among them
  bool is_plain = system->states == 0 && !holds_values(cx, system->model);
  bool is_open =
      is_plain && content_open(&content, cx, system, &options, DIALECT_JS, live.arena) == QDOT_OK;
  diag_rollback(cx, before); // the page says itself what cannot be changed there
  open_scene(&live);
  Text text = text_new(live.arena), curves = text_new(live.arena), model = text_new(live.arena);
  live_write_curves(&live, &curves);
  bool can_export = is_open && !shows_what_holds(&live);
  if (can_export)
    write_model(&live, &content, true, &model);
  else
    write_stub(&live, &model);
  const char *why = refusal(&live, model.n);
  if (why && can_export) {
    model = text_new(live.arena);
    write_model(&live, &content, false, &model);
  }
  if (!can_export && !why) why = language_say(language, SAY_PAGE_NO_EXPORT);
  text_add(&text, "<script>//<![CDATA[\n\"use strict\";\n{\nconst engine = ");
  text_add_bytes(&text, model.at, model.n);
  text_add(&text, ";\n");
  write_data(&live, can_export ? &content : NULL, why, &curves, &text);
  text_add(&text, page_script);
  text_add(&text, "}\n//]]>\n</script>\n");
  if (is_open) content_close(&content);
  text_add_bytes(out, text.at, text.n);
}
