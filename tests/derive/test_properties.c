// Nothing is read and then forgotten: each kind of part with each word for a property either
// refuses it by that word, or what it says is found again in the equations, the start or the
// picture.
#include <string.h>

#include "derive/formulate.h"
#include "derive/system.h"
#include "lang/read.h"
#include "support/check.h"

// ---- Parts: '@' is where one more property goes

typedef struct Part {
  const char *text;
  const char *needs, *needed; // what it cannot do without, unless that is the word at hand
} Part;

#define PIN " (0.1 [m], 0)"

static const Part parts[] = {
    {"joint J: revolute ground (0, 0), c" PIN "@", "", ""},
    {"joint J: prismatic ground (0, 0), c (0, 0)@", "", ""},
    {"joint J: weld ground (0, 0), c" PIN "@", "", ""},
    {"joint J: slot ground (0, 0), c" PIN "@", "", ""},
    {"joint J: distance ground (0, 0), c" PIN "@", "length", ", length L"},
    {"joint J: rolling ground (0, 0), c (0, 0)@", "radius", ", radius L"},
    {"joint J: gear a, b@", "ratio", ", ratio -1"},
    {"joint J: belt a, b@", "ratio", ", ratio 1"},
    {"joint J: rack a, s@", "radius", ", radius L"},
    {"gear: a, b@", "ratio", ", ratio -1"},
    {"belt: a, b@", "ratio", ", ratio 1"},
    {"rack: a, s@", "radius", ", radius L"},
    {"spring S: ground (0, 1 [m]), c" PIN "@", "stiffness", ", stiffness 1 [N/m]"},
    {"spring S: torsional ground, c@", "stiffness", ", stiffness 1 [N*m]"},
    {"damper S: ground (0, 1 [m]), c" PIN "@", "damping", ", damping 1 [N*s/m]"},
    {"damper S: torsional ground, c@", "damping", ", damping 1 [N*m*s]"},
    {"spring S: ground (0, 1 [m]), c" PIN "@", "preload", ", preload 1 [N]"},
    {"body n: mass 1 [kg]@", "inertia", ", inertia 1 [kg*m^2]"},
    {"body n: rod L@", "mass", ", mass 1 [kg]"},
    {"body n: disc L@", "mass", ", mass 1 [kg]"},
    {"body n: plate (L, L)@", "mass", ", mass 1 [kg]"},
    {"body n: point@\njoint pn: slot ground (0, 0), n" PIN, "mass", ", mass 1 [kg]"},
    {"contact C: c (0, 0), line (0, -9 [m])@", "", ""},
    {"contact C: c (0, 0), circle (0, -9 [m])@", "", ""},
    {"draw line (0, 0) (c.x, c.y)@", "", ""},
    {"draw polygon (0, 0) (c.x, c.y) (L, 0)@", "", ""},
    {"draw disc (c.x, c.y)@", "", ""},
    {"draw box (c.x, c.y)@", "", ""},
    {"draw spring (0, 0) (c.x, c.y)@", "", ""},
    {"draw damper (0, 0) (c.x, c.y)@", "", ""},
    {"draw ground (0, 0)@", "", ""},
    {"draw ground (0, 0) (c.x, c.y)@", "", ""},
    {"draw trail (c.x, c.y)@", "", ""},
    {"draw arrow (0, 0) (c.x, c.y)@", "", ""},
    {"draw label (c.x, c.y) \"here\"@", "", ""},
    {"solid n: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), mass 1 [kg]@", "inertia",
     ", inertia (1 [kg*m^2], 1 [kg*m^2], 1 [kg*m^2])"},
    {"solid n: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), ball 1 [m]@", "mass",
     ", mass 1 [kg]"},
};

static const char *const words[] = {
    "axis",   "friction", "length",      "radius",  "ratio",   "carrier", "pressure", "stiffness",
    "angle",  "damping",  "preload",     "mass",    "inertia", "at",      "velocity", "spin",
    "rod",    "disc",     "plate",       "point",   "speed",   "torque",  "force",    "line",
    "circle", "ring",     "restitution", "width",   "size",    "colour",  "color",    "products",
    "block",  "ball",     "centre",      "nonsense"};

// What may stand behind a word: the value that is looked for has any unit.
static const char *const units[] = {"",    "[m]",   "[kg]",  "[kg*m^2]", "[m/s]",  "[1/s]",
                                    "[N]", "[N*m]", "[N/m]", "[N*s/m]",  "[N*m*s]"};
static const char *const shapes[] = {"probe", "(probe, probe)", "(probe, probe, probe)", "arm",
                                     "",      "\"red\""};

static bool is_draw(const Part *part) { return strncmp(part->text, "draw", 4) == 0; }

// In a drawing any other word is the name of a point.
static bool is_look(const char *word) {
  static const char *const looks[] = {"radius", "width", "angle", "size", "colour", "color"};
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
    if (strcmp(looks[i], word) == 0) return true;
  return false;
}

static bool is_space(const Part *part) { return strncmp(part->text, "solid", 5) == 0; }

static const char *compose(Context *cx, const Part *part, const char *word, const char *value,
                           const char *unit, int times) {
  Text text = text_new(&cx->keep);
  text_addf(&text, "param probe = 0.25 %s, L = 1 [m]\n", unit);
  if (is_space(part))
    text_addf(&text, "point G ~ (0, 0, 0)\nvector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n");
  else
    text_addf(&text, "body a: mass 1 [kg], disc L\nbody b: mass 1 [kg], disc L\n"
                     "body c: mass 1 [kg], disc L, at (0, 1 [m])\nbody s: mass 1 [kg], rod L\n"
                     "body arm: mass 1 [kg], rod L\n"
                     "joint pa: revolute ground (0, 0), a (0, 0)\n"
                     "joint pb: revolute ground (2 [m], 0), b (0, 0)\n"
                     "joint pm: revolute ground (0, 0), arm (0, 0)\n"
                     "joint ps: prismatic ground (0, 1 [m]), s (0, 0)\n");
  const char *at = strchr(part->text, '@');
  text_addf(&text, "%.*s", (int)(at - part->text), part->text);
  if (strcmp(part->needs, word) != 0) text_addf(&text, "%s", part->needed);
  for (int i = 0; i < times; i++)
    text_addf(&text, "%s %s %s", is_draw(part) ? "" : ",", word, value);
  text_addf(&text, "%s\n", at + 1);
  return text.at;
}

// ---- Whether the probe is found again

static bool has(const Context *cx, Expr e, Expr probe) { return e && expr_depends(cx, e, probe); }

static bool drawings_have(const Context *cx, const Model *model, Expr probe) {
  bool found = false;
  for (uint32_t i = 0; i < model->requests.draws.n; i++) {
    const DrawRequest *draw = &model->requests.draws.at[i];
    found = found || has(cx, draw->radius, probe) || has(cx, draw->width, probe) ||
            has(cx, draw->angle, probe) || has(cx, draw->size[0], probe);
    for (uint32_t k = 0; k < draw->point_count; k++)
      found = found || has(cx, draw->points[k][0], probe) || has(cx, draw->points[k][1], probe);
  }
  return found;
}

static bool system_has(const Context *cx, const System *s, Expr probe) {
  bool found = has(cx, s->T, probe) || has(cx, s->V, probe) || has(cx, s->R, probe);
  for (uint32_t i = 0; i < s->n; i++)
    found = found || has(cx, s->Q[i], probe) ||
            has(cx, s->model->coordinates.at[i].position.value, probe) ||
            has(cx, s->model->coordinates.at[i].velocity.value, probe);
  for (uint32_t i = 0; i < s->row_count; i++) found = found || has(cx, s->rows[i].phi, probe);
  for (uint32_t i = 0; i < s->contact_count; i++)
    found = found || has(cx, s->contacts[i].phi, probe) ||
            has(cx, s->model->contacts.at[i].restitution, probe) ||
            has(cx, s->model->contacts.at[i].mu, probe);
  return found;
}

static Expr find_probe(Context *cx, const Model *model) {
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (strcmp(symbol_text(cx, model->parameters.at[i].name), "probe") == 0)
      return model->parameters.at[i].symbol;
  return 0;
}

static bool matters(Context *cx, Model *model) {
  Expr probe = find_probe(cx, model);
  Model *whole;
  System system;
  // what a pressure does is found when reactions are asked for
  for (uint32_t i = 0; i < model->mechanism.joints.n; i++)
    if (has(cx, model->mechanism.joints.at[i].pressure, probe)) return true;
  if (model_formulate(cx, model, FORMULATION_MAXIMAL, &whole) != QDOT_OK) return true; // refused
  if (derive_system(cx, whole, DERIVE_BASIC, &system) != QDOT_OK) return true;
  return system_has(cx, &system, probe) || drawings_have(cx, model, probe) ||
         drawings_have(cx, whole, probe);
}

// ---- The trial

typedef enum Answer { REFUSED_VALUE, REFUSED_WORD, TAKEN, FORGOTTEN } Answer;

static struct {
  const Part *part;
  const char *word, *value, *unit;
  int times;
  Answer answer;
} trial;

// A message about the word itself, not about what stands behind it.
static bool speaks_of_word(const Diagnostic *d, const char *word, const char *text) {
  char told[64];
  snprintf(told, sizeof told, "'%s' already gives it", word);
  if (strstr(d->message, told)) return true;
  return d->has_span && d->span.end - d->span.begin <= strlen(word) &&
         strncmp(text + d->span.begin, word, strlen(word)) == 0;
}

static void try_it(Context *cx) {
  const char *text = compose(cx, trial.part, trial.word, trial.value, trial.unit, trial.times);
  Model *model;
  bool good = model_read(cx, "trial", text, strlen(text), NULL, &model) == QDOT_OK;
  trial.answer = good ? TAKEN : REFUSED_VALUE;
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    if (speaks_of_word(&cx->diagnostics.list.at[i], trial.word, text)) trial.answer = REFUSED_WORD;
  if (trial.answer != TAKEN) return;
  // what is no expression is compared with its absence by the tables of cases
  bool is_probe = strstr(trial.value, "probe") != NULL;
  if (is_probe && !matters(cx, model)) {
    print_message("%s", text);
    trial.answer = FORGOTTEN;
  }
}

static Answer answer_to(const Part *part, const char *word, int times, const char **value,
                        const char **unit) {
  Answer best = REFUSED_VALUE;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (size_t k = 0; k < (i < 3 ? sizeof units / sizeof *units : 1); k++) {
      trial.part = part, trial.word = word, trial.times = times;
      trial.value = shapes[i], trial.unit = units[k];
      with_context(try_it);
      if (trial.answer == TAKEN) *value = shapes[i], *unit = units[k];
      if (trial.answer > best) best = trial.answer;
    }
  return best;
}

static void every_kind_with_every_property(void **state) {
  (void)state;
  int taken = 0, refused = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
      const char *value = "", *unit = "";
      if (is_draw(&parts[i]) && !is_look(words[k])) continue;
      Answer answer = answer_to(&parts[i], words[k], 1, &value, &unit);
      if (answer == FORGOTTEN || answer == REFUSED_VALUE)
        fail_msg("'%s' %s: %s", words[k],
                 answer == FORGOTTEN ? "is read and forgotten" : "is refused for another reason",
                 parts[i].text);
      taken += answer == TAKEN, refused += answer == REFUSED_WORD;
      if (answer != TAKEN) continue;
      trial.part = &parts[i], trial.word = words[k], trial.value = value, trial.unit = unit;
      trial.times = 2;
      with_context(try_it);
      if (trial.answer != REFUSED_WORD)
        fail_msg("'%s' may be given twice: %s", words[k], parts[i].text);
    }
  }
  print_message("%d properties taken, %d refused by name\n", taken, refused);
  assert_true(taken > 80);
}

RUN_TESTS(cmocka_unit_test(every_kind_with_every_property))
