// What a run is asked for: the model's simulate line and the command's options.
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "base/words/suggest.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "sim/sim.h"

// Which options belong to a method or a way to stabilize.
typedef struct Slotted {
  const char *name;
  double *value;
  bool positive; // must be > 0, else >= 0
} Slotted;

typedef struct Reader {
  Context *cx;
  const double *values;
  SimOptions *out;
} Reader;

static Status read_value(Reader *r, const Option *option, const Slotted *slot) {
  double value = expr_eval(r->cx, option->value, r->values);
  if (!isfinite(value) || value < 0 || (slot->positive && value == 0))
    return diag_error(r->cx, QDOT_BAD_VALUE, option->span, "%s must be %s, not %g", slot->name,
                      slot->positive ? "greater than 0" : "0 or greater", value);
  *slot->value = value;
  if (strcmp(slot->name, "step") == 0) r->out->has_step = true;
  return QDOT_OK;
}

static const char *nearest_name(const char *word, const char *const *names, size_t count) {
  Nearest nearest = nearest_to(word);
  for (size_t i = 0; i < count; i++) nearest_offer(&nearest, names[i]);
  return nearest.best;
}

// The method that other programs call so, or NULL.
static const char *method_called(const char *word) {
  for (int i = 0; i < METHOD_COUNT; i++) {
    const Method *method = method_get((MethodId)i);
    for (int k = 0; k < 4 && method->others[k]; k++)
      if (strcmp(method->others[k], word) == 0) return method->name;
  }
  return NULL;
}

static const char *nearest_method(const char *word) {
  if (method_called(word)) return method_called(word);
  const char *names[METHOD_COUNT];
  for (int i = 0; i < METHOD_COUNT; i++) names[i] = method_name((MethodId)i);
  return nearest_name(word, names, METHOD_COUNT);
}

// What may be meant, or else all there are: "rk853, rk45 ... or auto".
static void suggest_method(Context *cx, const char *word) {
  const char *nearest = nearest_method(word);
  diag_suggest(cx, nearest);
  if (nearest) return;
  Text all = text_new(&cx->keep);
  const char *names[METHOD_COUNT];
  for (int i = 0; i < METHOD_COUNT; i++) names[i] = method_name((MethodId)i);
  phrase_list(&all, names, METHOD_COUNT, "or");
  diag_note(cx, "%s", all.at);
}

static Status unknown_option(Reader *r, const Choice *choice, const Option *option,
                             const Slotted *slots, size_t count) {
  const char *names[8];
  for (size_t i = 0; i < count; i++) names[i] = slots[i].name;
  const char *name = symbol_text(r->cx, option->name);
  Status status = diag_error(r->cx, QDOT_UNKNOWN_NAME, option->span, "%s has no option '%s'",
                             symbol_text(r->cx, choice->name), name);
  diag_suggest(r->cx, nearest_name(name, names, count));
  return status;
}

static Status read_options(Reader *r, const Choice *choice, const Slotted *slots, size_t count) {
  Status result = QDOT_OK;
  for (uint32_t i = 0; i < choice->options.n; i++) {
    const Option *option = &choice->options.at[i];
    const Slotted *found = NULL;
    for (size_t k = 0; k < count && !found; k++)
      if (strcmp(slots[k].name, symbol_text(r->cx, option->name)) == 0) found = &slots[k];
    Status status =
        found ? read_value(r, option, found) : unknown_option(r, choice, option, slots, count);
    if (status != QDOT_OK) result = status;
  }
  return result;
}

static Status read_method(Reader *r, const Choice *choice) {
  MethodOptions *o = &r->out->method;
  const char *name = symbol_text(r->cx, choice->name);
  o->method = method_from_name(name);
  if (o->method == METHOD_COUNT) {
    Status status = diag_error(r->cx, QDOT_UNKNOWN_NAME, choice->span, "unknown method '%s'", name);
    suggest_method(r->cx, name);
    return status;
  }
  const Slotted all[] = {{"rtol", &o->rtol, true}, {"atol", &o->atol, true},
                         {"beta", &o->beta, true}, {"gamma", &o->gamma, true},
                         {"rho", &o->rho, false},  {"order", &o->order, true},
                         {"step", &o->step, true}};
  Slotted taken[sizeof all / sizeof *all];
  size_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (method_takes(method_get(o->method), all[i].name)) taken[count++] = all[i];
  return read_options(r, choice, taken, count);
}

static Status read_stabilize(Reader *r, const Choice *choice) {
  MethodOptions *o = &r->out->method;
  const char *name = symbol_text(r->cx, choice->name);
  const Slotted slots[] = {{"alpha", &o->baumgarte_alpha, false},
                           {"beta", &o->baumgarte_beta, false}};
  const char *names[STABILIZE_NONE + 1];
  for (int i = 0; i <= STABILIZE_NONE; i++) {
    names[i] = sim_stabilize_name((Stabilize)i);
    if (strcmp(names[i], name) != 0) continue;
    o->stabilize = (Stabilize)i;
    return read_options(r, choice, slots, i == STABILIZE_BAUMGARTE ? 2 : 0);
  }
  Status status =
      diag_error(r->cx, QDOT_UNKNOWN_NAME, choice->span, "unknown way to stabilize '%s'", name);
  diag_suggest(r->cx, nearest_name(name, names, STABILIZE_NONE + 1));
  return status;
}

// Positive, as the language has seen to.
static void read_time(Reader *r, Expr e, double *out) {
  if (e) *out = expr_eval(r->cx, e, r->values);
}

Status sim_options(Context *cx, const Model *model, SimOptions *out) {
  *out = (SimOptions){.t_end = 10, .method = method_defaults()};
  out->backend = backend_from_environment();
  const SimulateRequest *request = &model->requests.simulate;
  // radau cannot treat dry friction in joints
  out->method.may_change = !request->method.name && model->presses.n == 0;
  Mark mark = arena_mark(&cx->scratch);
  Reader reader = {.cx = cx, .out = out};
  double *values;
  Status status = model_values(cx, model, &cx->scratch, &values);
  reader.values = values;
  if (status == QDOT_OK) {
    read_time(&reader, request->end, &out->t_end);
    read_time(&reader, request->every, &out->every);
    // both are looked at, the first mistake counts
    Status method = request->method.name ? read_method(&reader, &request->method) : QDOT_OK;
    Status way = request->stabilize.name ? read_stabilize(&reader, &request->stabilize) : QDOT_OK;
    status = method != QDOT_OK ? method : way;
  }
  arena_release(&cx->scratch, mark);
  if (out->every == 0) out->every = out->t_end / 1000;
  if (!out->has_step) out->method.step = out->every;
  return status;
}

SimOverrides sim_overrides(void) {
  return (SimOverrides){.t_end = NAN, .every = NAN, .rtol = NAN, .atol = NAN, .step = NAN};
}

// An option that the method would not look at, with those methods that do.
static Status refuse_option(Context *cx, const Method *method, const char *option) {
  const char *able[METHOD_COUNT];
  size_t count = 0;
  for (int i = 0; i < METHOD_COUNT; i++)
    if (method_takes(method_get((MethodId)i), option)) able[count++] = method_name((MethodId)i);
  Text text = text_new(&cx->scratch);
  phrase_list(&text, able, count, "and");
  return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "%s has no option '%s'; %s have", method->name,
                          option, text.at);
}

static Status override_number(Context *cx, double given, const char *option, double *value,
                              const SimOptions *o) {
  if (isnan(given)) return QDOT_OK;
  const Method *method = method_get(o->method.method);
  if (!method_takes(method, option)) return refuse_option(cx, method, option);
  *value = given;
  return QDOT_OK;
}

Status sim_override(Context *cx, const SimOverrides *given, SimOptions *out) {
  if (given->method) {
    out->method.may_change = false;
    out->method.method = method_from_name(given->method);
    if (out->method.method == METHOD_COUNT) {
      Status status = diag_error_plain(cx, QDOT_UNKNOWN_NAME, "unknown method '%s'", given->method);
      suggest_method(cx, given->method);
      return status;
    }
  }
  if (!isnan(given->t_end)) out->t_end = given->t_end;
  if (!isnan(given->every)) out->every = given->every;
  MethodOptions *o = &out->method;
  Status status = override_number(cx, given->rtol, "rtol", &o->rtol, out);
  if (status == QDOT_OK) status = override_number(cx, given->atol, "atol", &o->atol, out);
  if (status == QDOT_OK) status = override_number(cx, given->step, "step", &o->step, out);
  if (status != QDOT_OK) return status;
  if (!isnan(given->step)) out->has_step = true;
  if (!out->has_step) out->method.step = out->every;
  if ((!isnan(given->t_end) || !isnan(given->every)) && out->every > out->t_end)
    diag_warning_plain(cx,
                       "only the beginning and the end are kept: a row every %g s in a run of %g s",
                       out->every, out->t_end);
  return QDOT_OK;
}
