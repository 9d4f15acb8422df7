// A motion that repeats.
#include "print/ask/orbit_text.h"

#include <math.h>

#include "result/json.h"

static const char *word_of_stability(const Orbit *o) {
  if (o->is_stable) return "stable";
  if (!o->is_neutral) return o->family > 0 ? "not stable, one of a family of orbits" : "not stable";
  return o->family > 0 ? "neutral: one of a family of orbits"
                       : "neutral: a push neither grows nor dies away";
}

// Where a search ended that has not come to an orbit.
static void tell_unfinished(const Orbit *o, Text *out) {
  text_addf(out, "%s after %u runs: off by %.3g of its size\nperiod near %.6g s\n",
            o->is_stopped ? "stopped" : "not closed", o->runs, o->residual, o->period);
}

static void tell_period(const Orbit *o, Text *out) {
  text_addf(out, "period %.9g s", o->period);
  if (o->is_forced && o->periods > 1) text_addf(out, ", %u times", o->periods);
  if (o->is_forced)
    text_addf(out, "%s that of the %s", o->periods > 1 ? "" : ",",
              !o->is_sampled ? "forces"
              : o->has_waves ? "forces and samples"
                             : "samples");
  text_addf(out, "%s, %s\n", o->is_rest ? ", at rest" : "", word_of_stability(o));
}

void orbit_text(const Orbit *o, Text *out) {
  if (o->is_found && !o->is_stopped)
    tell_period(o, out);
  else
    tell_unfinished(o, out);
  text_add(out, o->is_found ? "start " : "start near ");
  for (uint32_t i = 0; i < o->state; i++)
    text_addf(out, "%s%s = %.9g", i ? ", " : "", orbit_name(o, i), o->start[i]);
  text_add(out, o->multipliers > 0 ? "\nmultipliers\n" : "\n");
  for (uint32_t i = 0; i < o->multipliers; i++) {
    text_addf(out, "  %12.6g", o->re[i]);
    if (o->im[i] != 0) text_addf(out, " %+.6g i", o->im[i]);
    text_addf(out, ", modulus %.6g%s\n", hypot(o->re[i], o->im[i]),
              i == o->trivial ? ", along the motion" : "");
  }
}

void orbit_json(const Orbit *o, Text *out) {
  Json json;
  json_open(o->cx, &json);
  json_add_number(&json, json.root, "period", o->period);
  JsonValue *start = json_add_object(&json, json.root, "start");
  for (uint32_t i = 0; i < o->state; i++)
    json_add_number(&json, start, orbit_name(o, i), o->start[i]);
  JsonValue *all = json_add_array(&json, json.root, "multipliers");
  for (uint32_t i = 0; i < o->multipliers; i++) {
    JsonValue *one = json_add_array(&json, all, NULL);
    json_add_number(&json, one, NULL, o->re[i]);
    json_add_number(&json, one, NULL, o->im[i]);
  }
  if (o->trivial < o->multipliers)
    json_add_integer(&json, json.root, "along", o->trivial);
  else
    json_add_null(&json, json.root, "along");
  json_add_bool(&json, json.root, "rest", o->is_rest);
  json_add_bool(&json, json.root, "stable", o->is_stable);
  json_add_bool(&json, json.root, "neutral", o->is_neutral);
  json_add_integer(&json, json.root, "family", o->family);
  json_add_number(&json, json.root, "residual", o->residual);
  json_add_bool(&json, json.root, "found", o->is_found);
  json_add_integer(&json, json.root, "runs", o->runs);
  json_print(&json, out);
  json_close(&json);
}
