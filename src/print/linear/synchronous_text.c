// What is out of balance, over the speed.
#include "print/linear/synchronous_text.h"

#include <math.h>

#include "print/quantity.h"
#include "result/csv.h"
#include "result/json.h"

static const char *unit_of(const System *system, const SynchronousOutput *output) {
  Context *cx = system->cx;
  return quantity_unit(&cx->scratch,
                       quantity_of_named(cx, system->model, output->name, output->value));
}

static void add_speed(Text *out, double speed) {
  text_addf(out, "%.6g rpm (%.6g rad/s)", speed * 30 / M_PI, speed);
}

void synchronous_text(const System *system, const Synchronous *s, Text *out) {
  const char *title = system->model->title[0] ? system->model->title : "Untitled model";
  text_addf(out, "%s: response to unbalance, %s from ", title, symbol_text(system->cx, s->speed));
  add_speed(out, s->speeds[0]), text_add(out, " to ");
  add_speed(out, s->speeds[s->n - 1]), text_add(out, "\n");
  for (uint32_t i = 0; i < s->critical_speeds.n; i++) {
    text_add(out, "critical speed ");
    add_speed(out, s->critical_speeds.at[i]), text_add(out, "\n");
  }
  if (!isnan(s->unstable_from)) {
    text_add(out, "no steady response at ");
    add_speed(out, s->unstable_from), text_add(out, ": unstable there\n");
  }
  for (uint32_t o = 0; o < s->output_count; o++) {
    const SynchronousOutput *output = &s->outputs[o];
    const char *unit = unit_of(system, output);
    text_addf(out, "\n%s\n", output->name);
    for (uint32_t i = 0; i < output->peaks.n; i++) {
      const SynchronousPeak *peak = &output->peaks.at[i];
      if (isfinite(peak->amplitude))
        text_addf(out, "  peak        %12.6g %s at ", peak->amplitude, unit);
      else
        text_add(out, "  peak        unbounded at ");
      add_speed(out, peak->speed);
      text_addf(out, isfinite(peak->amplitude) ? ", phase %.4g deg\n" : ": undamped\n",
                peak->phase_deg);
    }
    text_addf(out, "  at the end  %12.6g %s, phase %.4g deg\n",
              synchronous_amplitude(s, s->n - 1, o), unit, synchronous_phase(s, s->n - 1, o));
  }
}

static void add_output(Json *json, JsonValue *list, const System *system, const Synchronous *s,
                       uint32_t o) {
  const SynchronousOutput *output = &s->outputs[o];
  JsonValue *one = json_add_object(json, list, NULL);
  json_add_text(json, one, "output", output->name);
  json_add_text(json, one, "unit", unit_of(system, output));
  JsonValue *peaks = json_add_array(json, one, "peaks");
  for (uint32_t i = 0; i < output->peaks.n; i++) {
    JsonValue *peak = json_add_object(json, peaks, NULL);
    json_add_number(json, peak, "speed", output->peaks.at[i].speed);
    json_add_number(json, peak, "amplitude", output->peaks.at[i].amplitude);
    json_add_number(json, peak, "phase_deg", output->peaks.at[i].phase_deg);
  }
  JsonValue *amplitude = json_add_array(json, one, "amplitude");
  JsonValue *phase = json_add_array(json, one, "phase_deg");
  for (uint32_t k = 0; k < s->n; k++) {
    json_add_number(json, amplitude, NULL, synchronous_amplitude(s, k, o));
    json_add_number(json, phase, NULL, synchronous_phase(s, k, o));
  }
}

void synchronous_json(const System *system, const Synchronous *s, Text *out) {
  Json json;
  json_open(system->cx, &json);
  json_add_text(&json, json.root, "parameter", symbol_text(system->cx, s->speed));
  JsonValue *speeds = json_add_array(&json, json.root, "speed");
  for (uint32_t k = 0; k < s->n; k++) json_add_number(&json, speeds, NULL, s->speeds[k]);
  JsonValue *critical = json_add_array(&json, json.root, "critical_speeds");
  for (uint32_t i = 0; i < s->critical_speeds.n; i++)
    json_add_number(&json, critical, NULL, s->critical_speeds.at[i]);
  json_add_number(&json, json.root, "unstable_from", s->unstable_from);
  JsonValue *list = json_add_array(&json, json.root, "outputs");
  for (uint32_t o = 0; o < s->output_count; o++) add_output(&json, list, system, s, o);
  json_print(&json, out);
  json_close(&json);
}

Status synchronous_csv(Context *cx, const Synchronous *s, const char *path) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t columns = 1 + 2 * s->output_count;
  const char **names = arena_array(&cx->scratch, const char *, columns);
  double *row = arena_array(&cx->scratch, double, columns);
  names[0] = symbol_text(cx, s->speed);
  for (uint32_t o = 0; o < s->output_count; o++) {
    names[1 + 2 * o] = text_format(&cx->scratch, "amplitude(%s)", s->outputs[o].name);
    names[2 + 2 * o] = text_format(&cx->scratch, "phase_deg(%s)", s->outputs[o].name);
  }
  CsvWriter writer;
  Status status = csv_writer_open(cx, path, names, columns, &writer);
  if (status == QDOT_OK) {
    for (uint32_t k = 0; k < s->n && status == QDOT_OK; k++) {
      row[0] = s->speeds[k];
      for (uint32_t o = 0; o < s->output_count; o++) {
        row[1 + 2 * o] = synchronous_amplitude(s, k, o);
        row[2 + 2 * o] = synchronous_phase(s, k, o);
      }
      status = csv_writer_row(&writer, row);
    }
    Status finished = csv_writer_finish(&writer);
    if (status == QDOT_OK) status = finished;
  }
  arena_release(&cx->scratch, mark);
  return status;
}
