// Values that a caller gives to a plan.
#include <math.h>
#include <string.h>

#include "api/api_plan.h"
#include "base/text.h"
#include "base/words/suggest.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"

// ---- Places

static const char *name_at(const qdot_plan *plan, uint32_t place) {
  uint32_t parameters = plan->stored.plan.parameter_count;
  return place < parameters ? plan->parameters[place].name : plan->inputs[place - parameters].name;
}

static uint32_t place_count(const qdot_plan *plan) {
  return plan->stored.plan.parameter_count + plan->stored.plan.input_count;
}

static const StoredFixed *fixed_of(const qdot_plan *plan, const char *name) {
  for (uint32_t i = 0; i < plan->about.fixed_count; i++)
    if (strcmp(plan->about.fixed[i].name, name) == 0) return &plan->about.fixed[i];
  return NULL;
}

static int refuse_fixed(Context *cx, const StoredFixed *fixed) {
  static const char *const why[FIXED_KINDS] = {
      [FIXED_COUNT] = "is a count, by which the equations were made",
      [FIXED_METHOD] = "decides an option of the method, a number in the plan",
      [FIXED_START] = "is not a parameter or input: its start is the model's",
      [FIXED_NUMBER] = "is a number of a part, which stands in the equations"};
  diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' %s; a plan cannot change it", fixed->name,
                   why[fixed->why]);
  diag_note(cx, "make another plan, of the model with this setting");
  return -1;
}

static int unknown_name(const qdot_plan *plan, const char *name) {
  Nearest nearest = nearest_to(name);
  for (uint32_t i = 0; i < place_count(plan); i++) nearest_offer(&nearest, name_at(plan, i));
  diag_error_plain(plan->cx, QDOT_UNKNOWN_NAME, "the plan has no parameter or input '%s'", name);
  diag_suggest(plan->cx, nearest.best);
  return -1;
}

int plan_place(qdot_plan *plan, const char *name) {
  const StoredFixed *fixed = fixed_of(plan, name);
  if (fixed) return refuse_fixed(plan->cx, fixed);
  for (uint32_t i = 0; i < place_count(plan); i++)
    if (strcmp(name_at(plan, i), name) == 0) return (int)i;
  return unknown_name(plan, name);
}

// ---- Values

const double *plan_values(const qdot_plan *plan) {
  Arena *arena = &plan->cx->scratch;
  const Plan *p = &plan->stored.plan;
  double *values = arena_array(arena, double, p->variables.count + 1);
  double *room = arena_array(arena, double, p->variables.room + 1);
  for (uint32_t i = 0; i < p->parameter_count; i++)
    values[p->variables.parameters[i]] = plan_value(&p->parameters[i].value, values, room);
  for (uint32_t i = 0; i < p->input_count; i++)
    values[p->variables.inputs[i]] = plan_value(&p->inputs[i].value, values, room);
  return values;
}

// The settings of the summary: those with which the plan was made, then the last of each name.
static void remember(qdot_plan *plan, const char *name, const char *text) {
  Arena *keep = &plan->cx->keep;
  StoredAbout *about = &plan->about;
  size_t length = strlen(name);
  StoredText *all = arena_array(keep, StoredText, about->setting_count + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < about->setting_count; i++) {
    const char *old = about->settings[i].text;
    bool is_same = strncmp(old, name, length) == 0 && old[length] == '=';
    if (!is_same) all[n++] = about->settings[i];
  }
  all[n++].text = arena_copy(keep, text, strlen(text));
  about->settings = all, about->setting_count = n;
}

void plan_put_value(qdot_plan *plan, uint32_t place, double value, const char *text) {
  PlanValue is = {.is_said = true, .number = value};
  uint32_t parameters = plan->stored.plan.parameter_count;
  if (place < parameters)
    plan->parameters[place].value = is, plan->parameters[place].text = NULL;
  else
    plan->inputs[place - parameters].value = is;
  remember(plan, name_at(plan, place), text);
}

// ---- As texts

// "N m/s²" as the language writes it, "N*m/s^2"; NULL where it cannot.
static const char *unit_as_written(Arena *arena, const char *unit) {
  static const struct {
    const char *raised, *written;
  } powers[] = {{"²", "^2"}, {"³", "^3"}, {"⁴", "^4"}, {"⁵", "^5"}, {"⁶", "^6"}};
  Text text = text_new(arena);
  while (*unit) {
    bool is_power = false;
    for (size_t i = 0; i < sizeof powers / sizeof *powers && !is_power; i++) {
      size_t length = strlen(powers[i].raised);
      if (strncmp(unit, powers[i].raised, length) != 0) continue;
      text_add(&text, powers[i].written);
      unit += length;
      is_power = true;
    }
    if (is_power) continue;
    if (*unit & 0x80) return NULL;
    text_add_char(&text, *unit == ' ' ? '*' : *unit);
    unit++;
  }
  return text.at;
}

static bool is_plain(const char *name) { return !strpbrk(name, "[]., '"); }

// The value as the language reads it for a parameter in that unit.
static Status read_value(qdot_plan *plan, const char *as, const char *name, const char *unit,
                         const char *value, double *out) {
  Context *cx = plan->cx;
  const char *called = is_plain(name) ? name : "value";
  const char *written = unit_as_written(&cx->scratch, unit);
  bool has_unit = written && written[0];
  const char *text = text_format(
      &cx->scratch, "param %s = 1%s%s%s\ncoord plan_q = 0 [m]\nkinetic = (1 [kg])*plan_q'^2\n",
      called, has_unit ? " [" : "", has_unit ? written : "", has_unit ? "]" : "");
  const char *setting = text_format(&cx->scratch, "%s=%s", called, value);
  ReadOptions options = {.overrides = &setting, .override_count = 1, .overrides_name = as};
  Diagnostics before = diag_mark(cx);
  Model *model;
  double *values;
  Status status = model_read(cx, "plan", text, strlen(text), &options, &model);
  if (status == QDOT_OK) status = model_values(cx, model, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  diag_rollback(cx, before);
  *out = expr_eval(cx, model->parameters.at[0].value, values);
  return QDOT_OK;
}

static const char *unit_at(const qdot_plan *plan, uint32_t place) {
  uint32_t parameters = plan->stored.plan.parameter_count;
  if (!plan->about.units) return "";
  return place < parameters ? plan->about.units[place].text
                            : plan->about.input_units[place - parameters].text;
}

// "m[3] = 2 [kg]": what stands before the sign, without blanks; NULL where there is none.
static const char *name_in(Arena *arena, const char *text, const char **value) {
  const char *sign = strchr(text, '=');
  if (!sign) return NULL;
  Text name = text_new(arena);
  for (const char *c = text; c < sign; c++)
    if (*c != ' ' && *c != '\t') text_add_char(&name, *c);
  *value = sign + 1;
  return name.n > 0 ? name.at : NULL;
}

Status plan_take_setting(qdot_plan *plan, const char *as, const char *text) {
  Context *cx = plan->cx;
  const char *said, *name = name_in(&cx->scratch, text, &said);
  if (!as) as = "setting";
  if (!name)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "expected %s NAME=VALUE, not '%s'", as, text);
  if (strchr(name, '\'')) {
    refuse_fixed(cx, &(StoredFixed){name, FIXED_START});
    return QDOT_BAD_ARGUMENT;
  }
  int place = plan_place(plan, name);
  if (place < 0) return QDOT_BAD_ARGUMENT;
  double value;
  Status status = read_value(plan, as, name, unit_at(plan, (uint32_t)place), said, &value);
  if (status != QDOT_OK) return status;
  if (!isfinite(value))
    return diag_error_plain(cx, QDOT_BAD_VALUE, "%s %s: '%s' has no finite value", as, text, name);
  plan_put_value(plan, (uint32_t)place, value, text);
  return QDOT_OK;
}
