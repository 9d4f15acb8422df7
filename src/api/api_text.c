// Texts under an editor's cursor.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "base/room.h"
#include "expr/build.h"
#include "lang/service.h"
#include "model/values.h"
#include "print/quantity.h"
#include "qdot/qdot.h"

struct qdot_text {
  TextService service;
  // answers to the last questions
  qdot_name name;
  VEC(qdot_span) uses;
  VEC(qdot_completion) completions;
};

typedef struct TextCall {
  Context *cx;
  const char *name, *text;
  size_t length, offset;
  qdot_text *service;
  bool is_found;
  size_t begin;
} TextCall;

static Status open_text(void *argument) {
  TextCall *c = argument;
  c->service = arena_new(&c->cx->keep, qdot_text);
  *c->service = (qdot_text){0};
  service_open(c->cx, c->name, c->text, c->length, &c->service->service);
  return QDOT_OK;
}

qdot_status qdot_text_open(qdot_context *cx, const char *name, const char *text, size_t length,
                           qdot_text **out) {
  if (out) *out = NULL;
  if (!cx || !out) return QDOT_BAD_ARGUMENT;
  TextCall call = {.cx = api_room(cx), .name = name, .text = text, .length = length};
  if (!call.cx) return cx->guard.status;
  Status status = api_call(call.cx, open_text, &call);
  if (status == QDOT_OK) *out = call.service;
  return status;
}

void qdot_text_close(qdot_text *text) {
  if (text) room_close(text->service.cx);
}

// ---- Names

// NULL where the kind of name has none.
static const Measure *measure_of(const Model *m, const NameEntry *entry) {
  switch (entry->kind) {
  case NAME_PARAMETER: return &m->parameters.at[entry->number].measure;
  case NAME_COORDINATE: return &m->coordinates.at[entry->number].measure;
  case NAME_STATE: return &m->states.at[entry->number].measure;
  case NAME_DEFINITION: return &m->definitions.at[entry->number].measure;
  case NAME_INPUT: return &m->inputs.at[entry->number].measure;
  case NAME_OUTPUT: return &m->outputs.at[entry->number].measure;
  default: return NULL;
  }
}

static double value_of(Context *cx, Model *m, const NameEntry *entry) {
  if (entry->kind == NAME_COUNT) return (double)m->counts.at[entry->number].value;
  bool has_value = entry->kind == NAME_PARAMETER || entry->kind == NAME_INPUT;
  if (!has_value) return NAN;
  Diagnostics before = diag_mark(cx);
  double *values;
  Status status = model_values(cx, m, &cx->scratch, &values);
  diag_rollback(cx, before);
  if (status != QDOT_OK) return NAN;
  Expr symbol = entry->kind == NAME_PARAMETER ? m->parameters.at[entry->number].symbol
                                              : m->inputs.at[entry->number].symbol;
  return values[symbol_variable(cx, symbol)];
}

static qdot_span span_of(uint32_t begin, uint32_t end) { return (qdot_span){begin, end}; }

static Status find_name(void *argument) {
  TextCall *c = argument;
  TextService *s = &c->service->service;
  NameUse use = service_name_at(s, c->offset);
  if (!use.is_there) return QDOT_OK;
  c->is_found = true;
  qdot_name *found = &c->service->name;
  *found = (qdot_name){
      .text = symbol_text(s->cx, use.name), .span = span_of(use.begin, use.end), .value = NAN};
  if (!use.entry) return QDOT_OK;
  found->kind = name_kind_text(use.entry->kind);
  Span defined = service_definition(s, use.entry);
  found->defined = span_of(defined.begin, defined.end);
  const Measure *measure = measure_of(s->model, use.entry);
  if (measure) found->unit = quantity_unit(&s->cx->keep, quantity_of_measure(measure));
  found->value = value_of(s->cx, s->model, use.entry);
  return QDOT_OK;
}

const qdot_name *qdot_text_name_at(qdot_text *text, size_t offset) {
  if (!text) return NULL;
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset};
  Status status = api_call(call.cx, find_name, &call);
  return status == QDOT_OK && call.is_found ? &text->name : NULL;
}

static Status find_uses(void *argument) {
  TextCall *c = argument;
  TextService *s = &c->service->service;
  SpanList found = service_uses(s, service_name_at(s, c->offset), &s->cx->scratch);
  for (uint32_t i = 0; i < found.n; i++) {
    qdot_span span = span_of(found.at[i].begin, found.at[i].end);
    vec_push(&s->cx->keep, &c->service->uses, span);
  }
  return QDOT_OK;
}

size_t qdot_text_use_count(qdot_text *text, size_t offset) {
  if (!text) return 0;
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset};
  text->uses.n = 0;
  api_call(call.cx, find_uses, &call);
  return text->uses.n;
}

const qdot_span *qdot_text_use_at(const qdot_text *text, size_t i) {
  if (!text) return NULL;
  return i < text->uses.n ? &text->uses.at[i] : NULL;
}

// ---- Completions

static Status complete(void *argument) {
  static const qdot_completion_kind kinds[] = {[COMPLETION_STATEMENT] = QDOT_COMPLETION_STATEMENT,
                                               [COMPLETION_NAME] = QDOT_COMPLETION_NAME,
                                               [COMPLETION_MEMBER] = QDOT_COMPLETION_MEMBER,
                                               [COMPLETION_FUNCTION] = QDOT_COMPLETION_FUNCTION,
                                               [COMPLETION_UNIT] = QDOT_COMPLETION_UNIT,
                                               [COMPLETION_WORD] = QDOT_COMPLETION_WORD};
  TextCall *c = argument;
  TextService *s = &c->service->service;
  CompletionList found = service_complete(s, c->offset, &s->cx->keep, &c->begin);
  for (uint32_t i = 0; i < found.n; i++) {
    const Completion *one = &found.at[i];
    qdot_completion completion = {one->text, kinds[one->kind], one->detail};
    vec_push(&s->cx->keep, &c->service->completions, completion);
  }
  return QDOT_OK;
}

size_t qdot_text_completion_count(qdot_text *text, size_t offset, size_t *begin) {
  if (!text) return 0;
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset, .begin = offset};
  text->completions.n = 0;
  api_call(call.cx, complete, &call);
  *begin = call.begin;
  return text->completions.n;
}

const qdot_completion *qdot_text_completion_at(const qdot_text *text, size_t i) {
  if (!text) return NULL;
  return i < text->completions.n ? &text->completions.at[i] : NULL;
}
