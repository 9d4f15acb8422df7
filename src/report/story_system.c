// The chapter on the system: its coordinates, parameters, inputs and definitions.
#include <string.h>

#include "analyse/mobility/freedom.h"
#include "base/rounding.h"
#include "expr/define.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "print/quantity.h"
#include "print/units.h"
#include "report/indexed.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }

static const Model *model_of(const Story *story) { return story->listing->system->model; }

static const char *constraint_count(const Story *s, uint32_t n) {
  if (n == 1) return language_say(doc(s)->language, SAY_CONSTRAINT_ONE);
  const char *text = language_say(doc(s)->language, SAY_CONSTRAINT_MANY);
  // {0} stands in front in every language
  const char *rest = strstr(text, "{0}") == text ? text + 3 : text;
  return text_format(&doc(s)->cx->scratch, "%u%s", n, rest);
}

static void say_more(const Story *s, Sentence sentence, unsigned count) {
  Insert inserts[] = {insert_count(doc(s), count)};
  doc(s)->medium->text(doc(s), " ", 1);
  document_say(doc(s), sentence, inserts);
}

// What the coordinates of space are components of: points, or unit vectors.
static void say_space(const Story *s, bool vectors) {
  Document *d = doc(s);
  const Space *space = &model_of(s)->space;
  Formula names = formula_open(d);
  for (uint32_t i = 0; i < space->names.n; i++) {
    const SpaceName *it = &space->names.at[i];
    if (it->is_vector == vectors && !it->is_fixed)
      formula_markup(&names, insert_name(d, symbol_text(d->cx, it->name)).markup, 3);
  }
  if (names.pieces.n == 0) return;
  Insert inserts[] = {{.list = &names}};
  d->medium->text(d, " ", 1);
  document_say(d, vectors ? SAY_SPACE_VECTORS : SAY_SPACE_POINTS, inserts);
}

static void describe(const Story *s) {
  Document *d = doc(s);
  const System *system = s->listing->system;
  uint32_t n = system->n, rows = system->row_count, contacts = system->contact_count;
  document_open_paragraph(d);
  Insert inserts[] = {insert_count(d, n), insert_list(d, system->q, n),
                      insert_text(constraint_count(s, rows))};
  if (n == 0) {
    uint32_t states = system->states;
    Insert listed[] = {insert_count(d, states), insert_list(d, system->s, states)};
    document_say(d, states == 1 ? SAY_SYSTEM_STATE : SAY_SYSTEM_STATES, listed);
  } else if (rows) {
    document_say(d, n == 1 ? SAY_SYSTEM_CONSTRAINED_ONE : SAY_SYSTEM_CONSTRAINED, inserts);
    uint32_t freedoms = model_freedom(system->model);
    say_more(s,
             freedoms == 0   ? SAY_FREEDOM_NONE
             : freedoms == 1 ? SAY_FREEDOM_ONE
                             : SAY_FREEDOM_MANY,
             freedoms);
  } else {
    document_say(d, n == 1 ? SAY_SYSTEM_ONE : SAY_SYSTEM_MANY, n == 1 ? inserts + 1 : inserts);
  }
  say_space(s, false);
  say_space(s, true);
  if (contacts) say_more(s, contacts == 1 ? SAY_CONTACTS_ONE : SAY_CONTACTS_MANY, contacts);
  document_close_paragraph(d);
}

// ---- Tables

#define NO_WORD SENTENCE_COUNT

static void head(const Story *s, Table *table, const Sentence *words, size_t n, bool meanings) {
  for (size_t i = 0; i < n; i++)
    if (meanings || words[i] != SAY_WORD_MEANING)
      table_text(doc(s), table,
                 words[i] == NO_WORD ? "" : language_say(doc(s)->language, words[i]));
}

// As it was written in the model, else in SI units.
static UnitScale scale_of(const Story *s, Expr symbol, const Measure *measure) {
  Context *cx = doc(s)->cx;
  return unit_scale(cx, &cx->scratch, measure, quantity_of(cx, model_of(s), symbol));
}

// One row for all numbers of an index that have the same values.
static void join_rows(const Story *s, Table *table, const char *const *names) {
  if (doc(s)->most_entries) table_join_copies(doc(s), table, names, index_letter(model_of(s)));
}

static void unit_cell(const Story *s, Table *table, const char *unit) {
  Text text = text_new(&doc(s)->cx->scratch);
  unit_add_pretty(&text, unit);
  table_text(doc(s), table, text.at);
}

static void symbol_cell(const Story *s, Table *table, Expr symbol) {
  table_formula(doc(s), table, insert_expr(doc(s), symbol).markup);
}

// A start: its value, in front of which ~ marks what the model guessed or left open, after a run
// only what became different from that; and its unit. found: where a run began, or NULL.
static bool start_cells(const Story *s, Table *table, const Initial *initial, const double *values,
                        const double *found, UnitScale scale, bool tied, const char *name) {
  Document *d = doc(s);
  bool guess = tied && initial->kind != INITIAL_GIVEN;
  double value = initial->value ? expr_eval(d->cx, initial->value, values) : 0;
  const char *number = document_rounded(d, value / scale.factor, 6);
  if (guess && found) {
    const char *moved = document_rounded(d, without_noise(*found, 1) / scale.factor, 6);
    guess = strcmp(moved, number) != 0;
    number = moved;
  }
  const char *mark = d->medium->face->approximately;
  table_formula(d, table, text_format(&d->cx->scratch, "%s%s", guess ? mark : "", number));
  table_follows(d, table, "start", name, scale.factor);
  unit_cell(s, table, scale.unit);
  return guess;
}

// Only such a value may be adjusted.
static bool is_constrained(const Model *model, const Coordinate *c) {
  for (uint32_t i = 0; i < model->constraints.n; i++) {
    Expr phi = model->constraints.at[i].phi;
    if (expr_depends(model->cx, phi, c->q) || expr_depends(model->cx, phi, c->qd)) return true;
  }
  return false;
}

static void coordinates(const Story *s, const double *values) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_MEANING,    SAY_WORD_START,
                                   NO_WORD,         SAY_WORD_START_RATE, NO_WORD};
  const Model *model = model_of(s);
  const System *system = s->listing->system;
  bool meanings = false, marked = false;
  if (system->n == 0) return;
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    if (model->coordinates.at[i].description) meanings = true;
  Table table = {.alignment = meanings ? "lwrlrl" : "lrlrl"};
  head(s, &table, words, 6, meanings);
  const char **names = arena_array(&doc(s)->cx->scratch, const char *, model->coordinates.n + 1);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    names[i] = symbol_text(doc(s)->cx, c->name);
    symbol_cell(s, &table, c->q);
    if (meanings) table_text(doc(s), &table, c->description);
    bool tied = is_constrained(model, c);
    const double *q = s->starts ? s->starts + i : NULL, *qd = q ? q + system->n : NULL;
    UnitScale unit = scale_of(s, c->q, &c->measure), rate = scale_of(s, system->qd[i], NULL);
    const char *primed = text_format(&doc(s)->cx->scratch, "%s'", names[i]);
    marked |= start_cells(s, &table, &c->position, values, q, unit, tied, names[i]);
    marked |= start_cells(s, &table, &c->velocity, values, qd, rate, tied, primed);
  }
  join_rows(s, &table, names);
  document_paragraph(doc(s), SAY_COORDINATES, NULL);
  document_table(doc(s), &table);
  if (marked) document_paragraph(doc(s), s->starts ? SAY_FOUND_STARTS : SAY_GUESSES, NULL);
}

typedef enum ValuedKind { PARAMETERS, INPUTS, STATES } ValuedKind;

// A parameter, an input, or a state with its start.
typedef struct Valued {
  Expr symbol;
  const char *description;
  const Measure *measure;
} Valued;

// "mass of rod" of rod.mass; NULL for what is no number of a part.
static const char *number_meaning(const Story *s, const Parameter *p) {
  Context *cx = doc(s)->cx;
  const char *name = symbol_text(cx, p->name), *word = strrchr(name, '.');
  Sentence sentence = p->is_number && word ? sentence_named("NUMBER_", word + 1) : SENTENCE_COUNT;
  if (sentence == SENTENCE_COUNT) return NULL;
  const char *text = language_say(doc(s)->language, sentence), *gap = strstr(text, "{0}");
  if (!gap) return text;
  return text_format(&cx->scratch, "%.*s%.*s%s", (int)(gap - text), text, (int)(word - name), name,
                     gap + 3);
}

static Valued valued_at(const Story *s, ValuedKind kind, uint32_t i) {
  const Model *model = model_of(s);
  if (kind == STATES) {
    const ModelState *state = &model->states.at[i];
    return (Valued){state->s, state->description, &state->measure};
  }
  if (kind == INPUTS) {
    const Input *input = &model->inputs.at[i];
    return (Valued){input->symbol, input->description, &input->measure};
  }
  const Parameter *p = &model->parameters.at[i];
  return (Valued){p->symbol, p->description ? p->description : number_meaning(s, p), &p->measure};
}

// listed: which of the parameters; NULL for what are none.
static void value_table(const Story *s, const double *values, ValuedKind kind, const bool *listed,
                        Sentence sentence) {
  static const Sentence words[] = {SAY_WORD_SYMBOL, SAY_WORD_MEANING, SAY_WORD_VALUE,
                                   SAY_WORD_UNIT};
  const Model *model = model_of(s);
  uint32_t all = kind == STATES   ? model->states.n
                 : kind == INPUTS ? model->inputs.n
                                  : model->parameters.n,
           n = 0;
  Valued *list = arena_array(&doc(s)->cx->scratch, Valued, all + 1);
  bool meanings = false;
  for (uint32_t i = 0; i < all; i++) {
    if (kind == PARAMETERS && (model->parameters.at[i].is_quantity || !listed[i])) continue;
    list[n] = valued_at(s, kind, i);
    if (list[n++].description) meanings = true;
  }
  Table table = {.alignment = meanings ? "lwrl" : "lrl"};
  head(s, &table, words, 4, meanings);
  const char **names = arena_array(&doc(s)->cx->scratch, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    Valued it = list[i];
    UnitScale scale = scale_of(s, it.symbol, it.measure);
    double value = values[symbol_variable(doc(s)->cx, it.symbol)] / scale.factor;
    names[i] = symbol_text(doc(s)->cx, symbol_name(doc(s)->cx, it.symbol));
    symbol_cell(s, &table, it.symbol);
    if (meanings) table_text(doc(s), &table, it.description);
    table_formula(doc(s), &table, document_number(doc(s), value));
    if (kind != STATES) table_follows(doc(s), &table, "value", names[i], scale.factor);
    unit_cell(s, &table, scale.unit);
  }
  if (n == 0) return;
  join_rows(s, &table, names);
  document_paragraph(doc(s), sentence, NULL);
  document_table(doc(s), &table);
}

// Those that act on the motion, what they follow from, and then the others.
static void parameters(const Story *s, const double *values) {
  uint32_t n = model_of(s)->parameters.n;
  bool *acting = story_acting_parameters(s);
  value_table(s, values, PARAMETERS, acting, SAY_PARAMETERS);
  story_computed_parameters(s, acting);
  for (uint32_t i = 0; i < n; i++) acting[i] = !acting[i];
  value_table(s, values, PARAMETERS, acting, SAY_PARAMETERS_IDLE);
}

void story_rates(Story *s) {
  const Listed *e = &s->listing->at[LISTED_RATES];
  const Model *model = model_of(s);
  for (uint32_t i = 0; i < e->rows && i < model->states.n; i++) {
    const char *name = symbol_text(doc(s)->cx, model->states.at[i].name);
    document_equation(doc(s), text_format(&doc(s)->cx->scratch, "%s'", name), e->values[i]);
  }
}

void story_system(Story *s) {
  Context *cx = doc(s)->cx;
  double *values;
  document_heading(doc(s), 1, SAY_H_SYSTEM, NULL);
  describe(s);
  // A parameter without a value was reported when the model was read.
  if (model_values(cx, model_of(s), &cx->scratch, &values) == QDOT_OK) {
    coordinates(s, values);
    value_table(s, values, STATES, NULL, SAY_STATES);
    story_rates(s);
    parameters(s, values);
    value_table(s, values, INPUTS, NULL, SAY_INPUTS);
  }
  if (s->detail != DETAIL_RESULT) story_definitions(s);
  story_actions(s);
}
