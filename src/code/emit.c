// Writes a program as assignments. A value that is used once and has no name is written where it is
// used, as long as the line stays readable.
#include "code/emit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LONGEST_INLINE = 56 };

// How tightly a text binds: what stands inside an operation of higher rank needs brackets.
typedef enum Rank { RANK_SUM, RANK_PRODUCT, RANK_SIGN, RANK_ATOM } Rank;

typedef struct Piece {
  const char *text;
  Rank rank;
} Piece;

static const char *const spellings[STEP_COUNT][DIALECT_COUNT] = {
#define STEP(name, arity, kind, latency, c, octave, python, js)                                    \
  [STEP_##name] = {c, octave, python, js},
#include "program/steps.def"
#undef STEP
};

static const struct {
  const char *declare; // before the name of a value
  const char *end;     // of a statement
  const char *nan, *inf;
} dialects[DIALECT_COUNT] = {
    [DIALECT_C] = {"const double ", ";", "(0.0/0.0)", "HUGE_VAL"},
    [DIALECT_OCTAVE] = {"", ";", "NaN", "Inf"},
    [DIALECT_PYTHON] = {"", "", "np.nan", "np.inf"},
    [DIALECT_JS] = {"const ", ";", "NaN", "Infinity"},
};

void emit_number(Dialect dialect, double value, Text *out) {
  if (!isfinite(value)) {
    text_add(out, value < 0 ? "-" : "");
    text_add(out, isnan(value) ? dialects[dialect].nan : dialects[dialect].inf);
    return;
  }
  size_t start = out->n;
  text_add_double(out, value);
  // an integer would divide as one
  if (dialect != DIALECT_OCTAVE && !strpbrk(out->at + start, ".e")) text_add(out, ".0");
}

typedef struct Writer {
  Context *cx;
  const Program *p;
  const Emission *emission;
  Text *out;
  Piece *pieces;  // of each value
  uint32_t *uses; // by steps; 0 for what is not needed
  bool *is_shown; // an output shows it
  uint32_t terms; // values named by number so far
} Writer;

// ---- one value as text

static void add_operand(Text *text, const Piece *piece, bool brackets) {
  if (brackets) text_add_char(text, '(');
  text_add(text, piece->text);
  if (brackets) text_add_char(text, ')');
}

static Piece infix(Writer *w, const Piece *a, const char *sign, const Piece *b, Rank rank) {
  assert(a && b);
  Text text = text_new(&w->cx->scratch);
  add_operand(&text, a, a->rank < rank);
  text_add(&text, sign);
  // the right one is bracketed at equal rank too: the order of operations is kept
  add_operand(&text, b, b->rank <= rank || b->text[0] == '-');
  return (Piece){text.at, rank};
}

static Piece negation(Writer *w, const Piece *a) {
  Text text = text_new(&w->cx->scratch);
  text_add_char(&text, '-');
  add_operand(&text, a, a->rank < RANK_ATOM || a->text[0] == '-');
  return (Piece){text.at, RANK_SIGN};
}

// A spelling with its operands filled in.
static Piece filled(Writer *w, const char *spelling, const Piece *const operands[3]) {
  Text text = text_new(&w->cx->scratch);
  for (const char *at = spelling; *at; at++) {
    if (*at != '%') {
      text_add_char(&text, *at);
      continue;
    }
    bool argument = *++at < 'a';
    const Piece *operand = operands[*at - (argument ? 'A' : 'a')];
    add_operand(&text, operand, !argument && operand->rank < RANK_ATOM);
  }
  return (Piece){text.at, RANK_ATOM};
}

// Tables are counted from 1.
static Piece looked_up(Writer *w, const Step *step) {
  Text text = text_new(&w->cx->scratch);
  double code = w->p->constants[step->b];
  text_addf(&text, "table_value(%u, %d, ", table_code_id(code) + 1, (int)table_code_aspect(code));
  text_add(&text, w->pieces[step->a].text);
  text_add_char(&text, ')');
  return (Piece){text.at, RANK_ATOM};
}

static Piece piece_of_step(Writer *w, const Step *step) {
  const Piece *operands[3] = {&w->pieces[step->a], step->b == NO_SLOT ? NULL : &w->pieces[step->b],
                              step->c == NO_SLOT ? NULL : &w->pieces[step->c]};
  switch (step->op) {
  case STEP_ADD: return infix(w, operands[0], " + ", operands[1], RANK_SUM);
  case STEP_SUB: return infix(w, operands[0], " - ", operands[1], RANK_SUM);
  case STEP_MUL: return infix(w, operands[0], "*", operands[1], RANK_PRODUCT);
  case STEP_DIV: return infix(w, operands[0], "/", operands[1], RANK_PRODUCT);
  case STEP_NEG: return negation(w, operands[0]);
  case STEP_TABLE: return looked_up(w, step);
  default: break;
  }
  return filled(w, spellings[step->op][w->emission->dialect], operands);
}

// ---- statements

static void begin_line(Writer *w) { text_add(w->out, w->emission->indent); }
static void end_line(Writer *w) {
  text_add(w->out, dialects[w->emission->dialect].end);
  text_add_char(w->out, '\n');
}

static bool is_identifier(const char *text) {
  for (; *text; text++)
    if (!(*text == '_' || (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'z') ||
          (*text >= 'A' && *text <= 'Z')))
      return false;
  return true;
}

// What to call a value that has no name: after its function and argument, else by number.
static const char *wish_for(Writer *w, const Step *step) {
  Arena *arena = &w->cx->scratch;
  const char *argument = step->a == NO_SLOT ? "" : w->pieces[step->a].text;
  const char *dot = strrchr(argument, '>') ? strrchr(argument, '>') : strrchr(argument, '.');
  if (dot) argument = dot + 1;
  bool plain = is_identifier(argument) && *argument && (*argument < '0' || *argument > '9');
  const char *function = spellings[step->op][DIALECT_C];
  size_t length = strcspn(function, "(");
  if (plain && step_arity(step->op) == 1 && length && function[length])
    return text_format(arena, "%.*s_%s", (int)length, function, argument);
  if (plain && step->op == STEP_MUL && step->a == step->b)
    return text_format(arena, "%s_squared", argument);
  return text_format(arena, "term_%u", ++w->terms);
}

static void assign(Writer *w, uint32_t value, const char *wanted) {
  const char *name = w->emission->identifier(w->emission->user, wanted);
  begin_line(w);
  text_add(w->out, dialects[w->emission->dialect].declare);
  text_add(w->out, name);
  text_add(w->out, " = ");
  text_add(w->out, w->pieces[value].text);
  end_line(w);
  w->pieces[value] = (Piece){name, RANK_ATOM};
}

static void write_steps(Writer *w) {
  const Program *p = w->p;
  for (uint32_t i = 0; i < p->prologue_count + p->main_count; i++) {
    const Step *step = &p->steps[i];
    uint32_t value = program_first_step(p) + i;
    if (!w->uses[value] && !w->is_shown[value]) continue;
    w->pieces[value] = piece_of_step(w, step);
    if (!w->uses[value]) continue; // stands in its output alone
    bool is_long = strlen(w->pieces[value].text) > LONGEST_INLINE;
    if (p->names[i])
      assign(w, value, symbol_text(w->cx, p->names[i]));
    else if (w->uses[value] > 1 || w->is_shown[value] || is_long)
      assign(w, value, wish_for(w, step));
  }
}

static void count_uses(Writer *w) {
  const Program *p = w->p;
  for (uint32_t i = 0; i < p->output_count; i++)
    if (w->emission->outputs[i]) w->is_shown[p->outputs[i]] = true;
  // from the end, so that what only unwanted values use is not counted
  for (uint32_t i = p->prologue_count + p->main_count; i-- > 0;) {
    const Step *step = &p->steps[i];
    uint32_t value = program_first_step(p) + i;
    if (!w->uses[value] && !w->is_shown[value]) continue;
    const Slot operands[3] = {step->a, step->b, step->c};
    // choices write an operand more than once
    bool choice = step->op == STEP_SIGN || step->op == STEP_MIN || step->op == STEP_MAX;
    for (int k = 0; k < step_arity(step->op); k++) w->uses[operands[k]] += 1 + choice;
  }
}

static void name_sources(Writer *w) {
  const Program *p = w->p;
  for (uint32_t i = 0; i < p->constant_count; i++) {
    Text text = text_new(&w->cx->scratch);
    emit_number(w->emission->dialect, p->constants[i], &text);
    bool negative = text.at[0] == '-';
    w->pieces[i] = (Piece){text.at, negative ? RANK_SIGN : RANK_ATOM};
  }
  for (uint32_t i = 0; i < p->input_count; i++)
    w->pieces[p->constant_count + i] = (Piece){w->emission->inputs[i], RANK_ATOM};
}

bool *program_needed(const Program *p, const char *const *outputs, Arena *arena) {
  bool *needed = arena_array(arena, bool, program_value_count(p) + 1);
  for (uint32_t i = 0; i < p->output_count; i++)
    if (outputs[i]) needed[p->outputs[i]] = true;
  for (uint32_t i = p->prologue_count + p->main_count; i-- > 0;) {
    const Step *step = &p->steps[i];
    const Slot operands[3] = {step->a, step->b, step->c};
    for (int k = 0; needed[program_first_step(p) + i] && k < step_arity(step->op); k++)
      needed[operands[k]] = true;
  }
  return needed;
}

// A value that several outputs show is written once and then copied.
static void write_outputs(Writer *w) {
  for (uint32_t i = 0; i < w->p->output_count; i++) {
    const char *target = w->emission->outputs[i];
    if (!target) continue;
    Piece *piece = &w->pieces[w->p->outputs[i]];
    begin_line(w);
    text_add(w->out, target);
    text_add(w->out, " = ");
    text_add(w->out, piece->text);
    end_line(w);
    if (piece->rank < RANK_ATOM || strlen(piece->text) > strlen(target))
      *piece = (Piece){target, RANK_ATOM};
  }
}

void program_emit(Context *cx, const Program *p, const Emission *emission, Text *out) {
  assert(out->arena != &cx->scratch);
  Mark mark = arena_mark(&cx->scratch);
  Writer w = {.cx = cx, .p = p, .emission = emission, .out = out};
  w.pieces = arena_array(&cx->scratch, Piece, program_value_count(p) + 1);
  w.uses = arena_array(&cx->scratch, uint32_t, program_value_count(p) + 1);
  w.is_shown = arena_array(&cx->scratch, bool, program_value_count(p) + 1);
  count_uses(&w);
  name_sources(&w);
  write_steps(&w);
  write_outputs(&w);
  arena_release(&cx->scratch, mark);
}
