// Texts under an editor's cursor.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "expr/build.h"
#include "lang/service.h"
#include "model/values.h"
#include "print/quantity.h"
#include "qdot/qdot.h"

struct qdot_text {
  TextService service;
  CompletionList completions; // of the last question
  SpanList uses;
};

typedef struct TextCall {
  Context *cx;
  const char *name, *text;
  size_t length, offset;
  qdot_text *service;
  qdot_name found;
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
  TextCall call = {.cx = cx, .name = name, .text = text, .length = length};
  Status status = api_call(cx, open_text, &call);
  *out = status == QDOT_OK ? call.service : NULL;
  return status;
}

// ---- Names

// NULL where the kind of name has none.
static const Measure *measure_of(const Model *m, const NameEntry *entry) {
  switch (entry->kind) {
  case NAME_PARAMETER: return &m->parameters.at[entry->number].measure;
  case NAME_COORDINATE: return &m->coordinates.at[entry->number].measure;
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

static Status find_name(void *argument) {
  TextCall *c = argument;
  TextService *s = &c->service->service;
  NameUse use = service_name_at(s, c->offset);
  if (!use.is_there) return QDOT_OK;
  c->found = (qdot_name){
      .text = symbol_text(s->cx, use.name), .begin = use.begin, .end = use.end, .value = NAN};
  if (!use.entry) return QDOT_OK;
  c->found.kind = name_kind_text(use.entry->kind);
  c->found.defined_begin = use.entry->span.begin;
  c->found.defined_end = use.entry->span.end;
  const Measure *measure = measure_of(s->model, use.entry);
  if (measure) c->found.unit = quantity_unit(&s->cx->keep, quantity_of_measure(measure));
  c->found.value = value_of(s->cx, s->model, use.entry);
  return QDOT_OK;
}

qdot_name qdot_text_name_at(qdot_text *text, size_t offset) {
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset};
  call.found.value = NAN;
  api_call(call.cx, find_name, &call);
  return call.found;
}

static Status find_uses(void *argument) {
  TextCall *c = argument;
  TextService *s = &c->service->service;
  c->service->uses = service_uses(s, service_name_at(s, c->offset), &s->cx->keep);
  return QDOT_OK;
}

size_t qdot_text_uses(qdot_text *text, size_t offset) {
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset};
  text->uses.n = 0;
  api_call(call.cx, find_uses, &call);
  return text->uses.n;
}

qdot_span qdot_text_use(const qdot_text *text, size_t i) {
  if (i >= text->uses.n) return (qdot_span){0};
  return (qdot_span){text->uses.at[i].begin, text->uses.at[i].end};
}

// ---- Completions

static Status complete(void *argument) {
  TextCall *c = argument;
  TextService *s = &c->service->service;
  c->service->completions = service_complete(s, c->offset, &s->cx->keep, &c->begin);
  return QDOT_OK;
}

size_t qdot_text_complete(qdot_text *text, size_t offset, size_t *begin) {
  TextCall call = {.cx = text->service.cx, .service = text, .offset = offset, .begin = offset};
  text->completions.n = 0;
  api_call(call.cx, complete, &call);
  *begin = call.begin;
  return text->completions.n;
}

qdot_completion qdot_text_completion(const qdot_text *text, size_t i) {
  static const char *const kinds[] = {
      [COMPLETION_STATEMENT] = "statement", [COMPLETION_NAME] = "name",
      [COMPLETION_MEMBER] = "member",       [COMPLETION_FUNCTION] = "function",
      [COMPLETION_UNIT] = "unit",           [COMPLETION_WORD] = "word"};
  if (i >= text->completions.n) return (qdot_completion){0};
  const Completion *c = &text->completions.at[i];
  return (qdot_completion){c->text, kinds[c->kind], c->detail};
}
