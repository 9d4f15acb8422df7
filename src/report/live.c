// The data of a live page: events, words, what can be changed, the equations.
#include "report/live.h"

#include <math.h>
#include <string.h>

#include "expr/value/eval.h"
#include "model/values.h"
#include "print/quantity.h"
#include "report/page_script.inc"
#include "scene/magnify.h"
#include "sim/switches.h"

#define LARGEST_MODEL 400000 // bytes of equations; larger ones are played only
#define MOST_EVENTS 400
#define MOST_POSES 400 // by which it is decided what the parts of a drawing are

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

// Every sentence whose key begins with PAGE_, and the kinds of events.
static void write_words(const Live *live, Text *out) {
  live_key(out, "words");
  text_add(out, "{");
  for (int i = 0; i < SENTENCE_COUNT; i++) {
    const char *key = sentence_key((Sentence)i);
    bool is_page = strncmp(key, "PAGE_", 5) == 0;
    if (!is_page && strncmp(key, "EVENT_", 6)) continue;
    live_text(out, is_page ? key + 5 : key, language_say(live->language, (Sentence)i));
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
  bool is_computed; // from other parameters, unless somebody sets it
  uint32_t input;   // 1 + the number of an input, whose value is
  double value;
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
  if (knob->is_computed) text_add(out, ", \"computed\": true");
  if (knob->input) {
    live_number(out, "number", knob->input - 1);
    live_number(out, "value", knob->value);
  }
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

// Those that nothing else changes: a course of time, a sample or an event is in the model.
static void write_inputs(const Live *live, Text *out) {
  const Model *model = live->system->model;
  double *values;
  bool known = model_values(live->cx, model, live->arena, &values) == QDOT_OK;
  live_key(out, "inputs");
  text_add(out, "[");
  for (uint32_t i = 0; known && i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    const char *name = symbol_text(live->cx, input->name);
    if (input->course || input->is_assigned) continue;
    Knob knob = {.key = name,
                 .name = name,
                 .measure = &input->measure,
                 .quantity = quantity_of_measure(&input->measure),
                 .about = input->description};
    knob.input = i + 1, knob.value = expr_eval(live->cx, input->value, values);
    write_knob(live, &knob, out);
  }
  text_add(out, "]");
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
                 .about = p->description,
                 .is_computed = expr_has_kind(live->cx, p->value, KIND_BIT(SYMBOL_PARAMETER))};
    write_knob(live, &knob, out);
  }
  text_add(out, "]");
  write_inputs(live, out);
  live_key(out, "starts");
  text_add(out, "[");
  for (uint32_t i = 0; i < live->system->n; i++)
    for (int primes = 0; primes < 2; primes++) write_start(live, i, primes, out);
  text_add(out, "]");
}

// ---- The whole

// Where a drive moves everything, nothing is left that could stick.
static bool may_stick(const Live *live) {
  const System *s = live->system;
  bool is_driven = s->row_count > 0 && live->result->summary.freedom == 0;
  return s->model->presses.n > 0 || (!is_driven && system_may_stick(live->cx, s));
}

static const char *refusal(const Live *live, size_t model_bytes) {
  const System *s = live->system;
  Sentence why = s->contact_count              ? SAY_PAGE_NO_CONTACTS
                 : may_stick(live)             ? SAY_PAGE_NO_STICKING
                 : model_bytes > LARGEST_MODEL ? SAY_PAGE_NO_LARGE
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

// By poses at equal times: the same places whichever rows were written.
static void place_labels(Live *live) {
  enum { SIGHTS = 16 };
  double begin, end;
  if (!result_times(live->cx, live->result, &begin, &end)) return;
  Poses sights =
      poses_read(&live->scene, live->arena, begin, end, (end - begin) / (SIGHTS - 1), SIGHTS);
  if (live->magnified > 0) magnify_poses(&live->scene, &sights, live->magnified);
  labels_place(&live->scene, &live->view, &sights, &live->labels);
}

static void open_scene(Live *live) {
  live->scene = scene_from_result(live->cx, live->arena, live->result);
  live->drawn = live->scene.signals.n;
  uint32_t first = scene_add_coordinates(&live->scene);
  live->poses = poses_of_rows(&live->scene, live->arena, MOST_POSES);
  settle(live);
  live->pieces = scene_pieces(&live->scene);
  live->angles = scene_angles(&live->scene, &live->poses, &live->pieces, first);
  live->places = scene_coordinate_places(&live->scene, &live->pieces, &live->angles);
  live->labels = scene_labels(&live->scene, &live->poses, first);
  live->magnified = live->magnify;
  if (live->magnify == 0) live->magnified = magnify_factor(&live->scene, &live->poses);
  if (live->magnified > 0) magnify_poses(&live->scene, &live->poses, live->magnified);
  live->view = view_of_motion(&live->scene, &live->poses, 560);
  place_labels(live);
}

static void write_model(Live *live, const ExportContent *content, bool with_equations, Text *out) {
  Expr *signals = arena_array(live->arena, Expr, live->drawn + 1);
  for (uint32_t i = 0; i < live->drawn; i++) signals[i] = live->scene.signals.at[i].value;
  const JsExtra extras[] = {
      {"scene", "the numbers of the drawing", signals, live->drawn},
      {"curves", "the curves", live->curves.at, live->curves.n},
      {"forces", "places and forces of the joints", live->forces.at, live->forces.n},
  };
  js_expression(content, live->arena, extras, live->forces.n ? 3 : 2, with_equations, out);
}

// The factor of this motion, and by what a page chooses that of another one.
static void write_magnification(const Live *live, Text *out) {
  live_key(out, "magnify");
  text_addf(out, "{\"is_given\": %s", live->magnify > 0 ? "true" : "false");
  live_number(out, "factor", live->magnified);
  live_number(out, "visible", MAGNIFY_VISIBLE);
  live_number(out, "real", MAGNIFY_REAL);
  live_number(out, "shift", MAGNIFY_SHIFT);
  live_number(out, "turn", MAGNIFY_TURN);
  live_number(out, "piece", MAGNIFY_PIECE);
  live_number(out, "dot", MAGNIFY_DOT);
  live_number(out, "box", MAGNIFY_BOX);
  text_add(out, "}");
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
  write_magnification(live, out);
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
  live_write_forces(live, out);
  write_knobs(live, content, out);
  if (content)
    live_write_motion(live, out);
  else
    live_write_numbers(live, out);
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

static bool is_among(const ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return true;
  return false;
}

// Does one show what holds or rubs? Then rows know its value and the state alone does not.
static bool shows_what_holds(const Live *live, const Expr *values, uint32_t n) {
  Context *cx = live->cx;
  const System *s = live->system;
  const Model *model = s->model;
  Mark mark = arena_mark(&cx->scratch);
  ExprList held = {0}, all = expr_walk(cx, values, n, visit_all, NULL);
  if (may_stick(live)) held = system_switches(cx, s).atoms;
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

static bool is_of_state(const Live *live, const Expr *values, uint32_t n) {
  return !shows_what_holds(live, values, n);
}

void live_write(Live *live, Text *out) {
  Context *cx = live->cx;
  const Result *result = live->result;
  live->arena = &cx->keep;
  if (!result || !result_times(cx, result, &live->begin, &live->end) || !(live->end > live->begin))
    return;
  Diagnostics before = diag_mark(cx);
  ExportOptions options = export_defaults();
  options.end = live->end;
  options.every = (live->end - live->begin) / 500;
  if (result->summary.rtol > 0) options.rtol = result->summary.rtol;
  ExportContent content;
  bool is_open =
      content_open(&content, cx, live->system, &options, DIALECT_JS, live->arena) == QDOT_OK;
  diag_rollback(cx, before); // the page says itself what cannot be changed there
  open_scene(live);
  Text text = text_new(live->arena), curves = text_new(live->arena), model = text_new(live->arena);
  live_write_curves(live, &curves);
  live_find_forces(live);
  live_keep_forces(live, is_of_state); // what holds has columns where the model's own lines show it
  bool can_export = is_open && is_of_state(live, live->curves.at, live->curves.n);
  if (can_export)
    write_model(live, &content, true, &model);
  else
    write_stub(live, &model);
  const char *why = refusal(live, model.n);
  if (why && can_export) {
    model = text_new(live->arena);
    write_model(live, &content, false, &model);
  }
  if (!can_export && !why) why = language_say(live->language, SAY_PAGE_NO_EXPORT);
  text_add(&text, "<script>//<![CDATA[\n\"use strict\";\n{\nconst engine = ");
  text_add_bytes(&text, model.at, model.n);
  text_add(&text, ";\n");
  write_data(live, can_export ? &content : NULL, why, &curves, &text);
  text_add(&text, page_script);
  text_add(&text, "}\n//]]>\n</script>\n");
  if (is_open) content_close(&content);
  text_add_bytes(out, text.at, text.n);
}
