// New numbers in the text of a model.
#include "lang/rewrite.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "expr/value/eval.h"
#include "model/unit.h"

// Where a number stands, and what one of its unit is in SI.
typedef struct NumberPlace {
  uint32_t begin, end; // of the number alone
  double factor;
  double value;
} NumberPlace;

// Where what is varied is given its value: at its name, or at the number.
static Span span_of(const Model *model, const Varied *varied) {
  if (varied->is_start) {
    for (uint32_t i = 0; i < model->states.n; i++)
      if (model->states.at[i].name == varied->name) return model->states.at[i].span;
    const Coordinate *c = &model->coordinates.at[model_coordinate(model, varied->name)];
    return varied->primes ? c->velocity.span : c->position.span;
  }
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (model->parameters.at[i].name == varied->name) return model->parameters.at[i].span;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (model->inputs.at[i].name == varied->name) return model->inputs.at[i].span;
  return (Span){0};
}

static uint32_t skip_blanks(const Source *source, uint32_t at) {
  while (at < source->length && (source->text[at] == ' ' || source->text[at] == '\t')) at++;
  return at;
}

// Beyond a name, a word or nothing, and the sign that gives a value.
static uint32_t skip_to_value(const Source *source, uint32_t at) {
  const char *text = source->text;
  while (at < source->length &&
         (isalpha((unsigned char)text[at]) || (unsigned char)text[at] >= 0x80)) {
    while (at < source->length && (isalnum((unsigned char)text[at]) || strchr("_.'", text[at]) ||
                                   (unsigned char)text[at] >= 0x80))
      at++;
    at = skip_blanks(source, at);
  }
  if (at < source->length && (text[at] == '=' || text[at] == '~')) at = skip_blanks(source, at + 1);
  return at;
}

// [mm] behind a number; false where it is not a unit.
static bool read_unit(Context *cx, const Source *source, uint32_t *at, double *factor) {
  uint32_t open = skip_blanks(source, *at);
  *factor = 1;
  if (open >= source->length || source->text[open] != '[') return true;
  const char *close = memchr(source->text + open, ']', source->length - open);
  if (!close) return false;
  Unit unit;
  uint32_t length = (uint32_t)(close - source->text) - open - 1;
  if (unit_parse(cx, source->text + open + 1, length, (Span){0}, &unit) != QDOT_OK) return false;
  *factor = expr_eval(cx, unit.factor, NULL);
  *at = open + length + 2;
  return true;
}

// A number, its unit, and nothing more.
static bool find_place(Context *cx, const Source *source, Span span, NumberPlace *out) {
  uint32_t begin = skip_to_value(source, span.begin), at;
  char *end;
  if (begin >= source->length || !strchr("+-.0123456789", source->text[begin])) return false;
  strtod(source->text + begin, &end);
  at = (uint32_t)(end - source->text);
  if (at == begin) return false;
  *out = (NumberPlace){.begin = begin, .end = at};
  if (!read_unit(cx, source, &at, &out->factor)) return false;
  at = skip_blanks(source, at);
  return at >= source->length || strchr(",;\"#\n\r", source->text[at]);
}

static int by_place(const void *a, const void *b) {
  uint32_t x = ((const NumberPlace *)a)->begin, y = ((const NumberPlace *)b)->begin;
  return (x > y) - (x < y);
}

static Status not_a_number(Context *cx, const Varied *varied, Span span) {
  Status status =
      diag_error(cx, QDOT_UNSUPPORTED, span, "the new value of '%s' cannot be written here",
                 varied_text(cx, varied));
  diag_note(cx, "only a plain number of the model's own file, outside of loops, is replaced");
  return status;
}

// As few digits as say the value.
static void add_number(Text *out, double value) {
  char digits[40];
  for (int n = 6; n <= 10; n += 2) {
    snprintf(digits, sizeof digits, "%.*g", n, value);
    if (fabs(strtod(digits, NULL) - value) <= 1e-9 * fabs(value)) break;
  }
  text_add(out, digits);
}

Status model_rewrite(Context *cx, const Model *model, const NewValue *values, uint32_t count,
                     Text *out) {
  const Source *source = &cx->sources.at[model->source];
  NumberPlace *places = arena_array(&cx->scratch, NumberPlace, count);
  for (uint32_t i = 0; i < count; i++) {
    Span span = span_of(model, values[i].varied);
    bool is_here = span.end > span.begin && span.source == model->source &&
                   !strchr(symbol_text(cx, values[i].varied->name), '[');
    if (!is_here || !find_place(cx, source, span, &places[i]))
      return not_a_number(cx, values[i].varied, span);
    places[i].value = values[i].value;
  }
  qsort(places, count, sizeof *places, by_place);
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    text_add_bytes(out, source->text + at, places[i].begin - at);
    add_number(out, places[i].value / places[i].factor);
    at = places[i].end;
  }
  text_add_bytes(out, source->text + at, source->length - at);
  return QDOT_OK;
}
