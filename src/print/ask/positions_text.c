// What a driven mechanism does over its drive.
#include "print/ask/positions_text.h"

#include <math.h>
#include <string.h>

#include "base/words/digits.h"
#include "print/quantity.h"
#include "print/units.h"
#include "result/json.h"

static const char *unit_of(const Positions *p, const Column *c) {
  const Output *output = c->kind == COLUMN_OUTPUT ? &p->model->outputs.at[c->number]
                                                  : &p->model->members.at[c->number];
  return quantity_unit(&p->cx->scratch, quantity_of_output(p->cx, p->model, output));
}

// What the drive has turned by then, in degrees; else the time.
static double where(const Positions *p, double t) { return p->motor ? 360 * t / p->turn : t; }

static double without_rounding(double value, double size) {
  return fabs(value) < 1e-9 * size ? 0 : value;
}

static const char *drive_name(const Positions *p) {
  const Model *model = p->model->origin ? p->model->origin : p->model;
  return symbol_text(p->cx, model->mechanism.joints.at[p->motor->joint].name);
}

void positions_text(const Positions *p, Text *out) {
  const char *at = p->motor ? "at deg" : "at s";
  text_addf(out, "%u positions in %.6g s", p->rows, p->end);
  double turns = p->motor ? p->end / p->turn : 0;
  if (turns == 1)
    text_addf(out, ", one turn of %s", drive_name(p));
  else if (p->motor)
    text_addf(out, ", %.6g turns of %s", turns, drive_name(p));
  text_addf(out, "\n\n%-18s %11s %7s %11s %7s %11s %11s\n", "", "least", at, "most", at, "mean",
            "rms");
  for (uint32_t i = 0; i < p->columns.n; i++) {
    const Column *c = &p->columns.at[i];
    const PositionExtent *e = &p->extents[i];
    if (c->kind != COLUMN_OUTPUT && c->kind != COLUMN_MEMBER) continue;
    double size = fmax(fabs(e->least), fabs(e->most));
    text_addf(out, "%-18s %11.5g %7.4g %11.5g %7.4g %11.5g %11.5g  ", c->name,
              without_rounding(e->least, size), where(p, e->t_least),
              without_rounding(e->most, size), where(p, e->t_most), without_rounding(e->mean, size),
              e->rms);
    unit_add_pretty(out, unit_of(p, c));
    text_add_char(out, '\n');
  }
}

static void add_rows(Json *json, const Positions *p) {
  JsonValue *columns = json_add_array(json, json->root, "columns");
  for (uint32_t i = 0; i < p->columns.n; i++)
    json_add_text(json, columns, NULL, p->columns.at[i].name);
  JsonValue *rows = json_add_array(json, json->root, "rows");
  for (uint32_t k = 0; k < p->rows; k++) {
    JsonValue *row = json_add_array(json, rows, NULL);
    for (uint32_t i = 0; i < p->columns.n; i++)
      json_add_number(json, row, NULL, p->values[(size_t)k * p->columns.n + i]);
  }
}

void positions_json(const Positions *p, Text *out) {
  Json json;
  json_open(p->cx, &json);
  json_add_text(&json, json.root, "title", p->model->title);
  if (p->motor)
    json_add_text(&json, json.root, "drive", drive_name(p));
  else
    json_add_null(&json, json.root, "drive");
  json_add_number(&json, json.root, "t_end", p->end);
  add_rows(&json, p);
  JsonValue *extents = json_add_object(&json, json.root, "extents");
  for (uint32_t i = 0; i < p->columns.n; i++) {
    const PositionExtent *e = &p->extents[i];
    JsonValue *one = json_add_object(&json, extents, p->columns.at[i].name);
    json_add_number(&json, one, "min", e->least);
    json_add_number(&json, one, "max", e->most);
    json_add_number(&json, one, "t_min", e->t_least);
    json_add_number(&json, one, "t_max", e->t_most);
    json_add_number(&json, one, "mean", e->mean);
    json_add_number(&json, one, "rms", e->rms);
  }
  json_print(&json, out);
  json_close(&json);
}

void positions_csv(const Positions *p, Text *out) {
  for (uint32_t i = 0; i < p->columns.n; i++) {
    const char *name = p->columns.at[i].name, *quote = strchr(name, ',') ? "\"" : "";
    text_addf(out, "%s%s%s%s", i ? "," : "", quote, name, quote);
  }
  text_add_char(out, '\n');
  for (uint32_t k = 0; k < p->rows; k++) {
    for (uint32_t i = 0; i < p->columns.n; i++) {
      char digits[DIGITS_ROOM + 1];
      double value = p->values[(size_t)k * p->columns.n + i];
      size_t n = isfinite(value) ? digits_write(value, digits) : 0;
      digits[n] = 0;
      text_addf(out, "%s%s", i ? "," : "", digits);
    }
    text_add_char(out, '\n');
  }
}
