// The inside of exported functions: names of locals, unpacking, statements.
#include "export/content.h"

#include <assert.h>

const char *entry_text(Arena *arena, Dialect dialect, const char *array, uint32_t row, int column) {
  if (dialect == DIALECT_OCTAVE) {
    if (column < 0) return text_format(arena, "%s(%u)", array, row + 1);
    return text_format(arena, "%s(%u, %d)", array, row + 1, column + 1);
  }
  if (column < 0) return text_format(arena, "%s[%u]", array, row);
  const char *form = dialect == DIALECT_C ? "%s[%u][%d]" : "%s[%u, %d]";
  return text_format(arena, form, array, row, column);
}

static const char *local(const ExportContent *c, FunctionBody *body, Symbol name,
                         const char *suffix) {
  return identifier_new(&body->scope,
                        text_format(c->arena, "%s%s", symbol_text(c->cx, name), suffix));
}

static const char *force_name(const ExportContent *c, FunctionBody *body, Symbol row) {
  return identifier_new(&body->scope, multiplier_text(c->cx, c->arena, row));
}

static bool has_contact_forces(Dialect dialect, unsigned takes) {
  return dialect == DIALECT_JS && takes & TAKES_LAMBDA;
}

FunctionBody content_body(const ExportContent *c, Dialect dialect, const char *const *taken,
                          unsigned takes) {
  const System *s = c->system;
  const Model *model = s->model;
  const InputLayout *at = &c->equations->layout;
  FunctionBody body = {.inputs = arena_array(c->arena, const char *, at->count + 1)};
  identifiers_open(&body.scope, c->arena, dialect, taken);
  const char *prefix = dialect == DIALECT_C ? "p->" : "p.";
  body.inputs[at->t] = "t";
  for (uint32_t i = 0; i < s->n; i++) {
    Symbol name = model->coordinates.at[i].name;
    body.inputs[at->q + i] = local(c, &body, name, "");
    body.inputs[at->qd + i] = local(c, &body, name, "'");
    if (takes & TAKES_QDD) body.inputs[at->qdd + i] = local(c, &body, name, "''");
  }
  for (uint32_t r = 0; r < s->row_count && takes & TAKES_LAMBDA; r++)
    body.inputs[at->lambda + r] = force_name(c, &body, s->rows[r].name);
  // exported equations are those of open contacts; who shows stored motions in JavaScript has
  // forces
  for (uint32_t r = 0; r < s->contact_count; r++)
    body.inputs[at->lambda + s->row_count + r] = has_contact_forces(dialect, takes)
                                                     ? force_name(c, &body, s->contacts[r].name)
                                                 : dialect == DIALECT_OCTAVE ? "0"
                                                                             : "0.0";
  for (uint32_t i = 0; i < model->inputs.n && takes & TAKES_U; i++)
    body.inputs[at->u + i] = local(c, &body, model->inputs.at[i].name, "");
  for (uint32_t i = 0; i < s->states && takes & TAKES_U; i++)
    body.inputs[at->states + i] = local(c, &body, model->states.at[i].name, "");
  for (uint32_t i = 0; i < model->parameters.n; i++)
    body.inputs[at->parameters + i] = text_format(c->arena, "%s%s", prefix, c->parameters[i]);
  // friction of joints is not among the equations
  for (uint32_t i = at->friction; i < at->u; i++)
    body.inputs[i] = dialect == DIALECT_OCTAVE ? "0" : "0.0";
  for (uint32_t i = at->sides; i < at->count; i++) body.inputs[i] = "1";
  return body;
}

bool content_reads(const ExportContent *c, const Program *program, const char *const *outputs,
                   uint32_t first, uint32_t n) {
  Mark mark = arena_mark(&c->cx->scratch);
  const bool *needed = program_needed(program, outputs, &c->cx->scratch);
  bool reads = false;
  for (uint32_t i = first; i < first + n; i++) reads |= needed[program->constant_count + i];
  arena_release(&c->cx->scratch, mark);
  return reads;
}

static const char *declaration(Dialect dialect) {
  return dialect == DIALECT_C ? "const double " : dialect == DIALECT_JS ? "const " : "";
}

static void unpack(const ExportContent *c, Dialect dialect, const char *indent,
                   const FunctionBody *body, const bool *needed, const char *array, uint32_t first,
                   uint32_t place, uint32_t n, Text *out) {
  for (uint32_t i = 0; i < n; i++) {
    if (!needed[first + i]) continue;
    assert(body->inputs[first + i]); // else the function does not take the array
    text_addf(out, "%s%s%s = %s%s\n", indent, declaration(dialect), body->inputs[first + i],
              entry_text(c->arena, dialect, array, place + i, -1),
              dialect == DIALECT_PYTHON ? "" : ";");
  }
}

static const char *new_identifier(void *scope, const char *wanted) {
  return identifier_new(scope, wanted);
}

void content_emit(const ExportContent *c, Dialect dialect, const Program *program,
                  const char *indent, FunctionBody *body, const char *const *outputs, Text *out) {
  Emission emission = {dialect, indent, body->inputs, outputs, new_identifier, &body->scope};
  program_emit(c->cx, program, &emission, out);
}

void content_write_program(const ExportContent *c, Dialect dialect, const Program *program,
                           const char *indent, FunctionBody *body, const char *const *outputs,
                           Text *out) {
  const System *s = c->system;
  const InputLayout *at = &c->equations->layout;
  Mark mark = arena_mark(&c->cx->scratch);
  const bool *needed = program_needed(program, outputs, &c->cx->scratch) + program->constant_count;
  unpack(c, dialect, indent, body, needed, "q", at->q, 0, s->n, out);
  unpack(c, dialect, indent, body, needed, "qd", at->qd, 0, s->n, out);
  unpack(c, dialect, indent, body, needed, "qdd", at->qdd, 0, s->n, out);
  const char *forces = dialect == DIALECT_C ? "lambda" : "lam"; // a keyword in Python
  uint32_t force_count = s->row_count + (dialect == DIALECT_JS ? s->contact_count : 0);
  unpack(c, dialect, indent, body, needed, forces, at->lambda, 0, force_count, out);
  uint32_t inputs = s->model->inputs.n;
  unpack(c, dialect, indent, body, needed, "inputs", at->u, 0, inputs, out);
  unpack(c, dialect, indent, body, needed, "inputs", at->states, inputs, s->states, out);
  arena_release(&c->cx->scratch, mark);
  content_emit(c, dialect, program, indent, body, outputs, out);
}

void content_write_default(const ExportContent *c, Dialect dialect, const char *indent,
                           const char *const *targets, uint32_t i, Identifiers *scope, Text *out) {
  const char **one = arena_array(c->arena, const char *, c->system->model->parameters.n + 1);
  one[i] = targets[i];
  Emission emission = {dialect, indent, targets, one, new_identifier, scope};
  program_emit(c->cx, c->defaults, &emission, out);
}

// One at a time: each may use those before it.
void content_write_defaults(const ExportContent *c, Dialect dialect, const char *indent,
                            const char *const *targets, Text *out) {
  Identifiers scope;
  identifiers_open(&scope, c->arena, dialect, (const char *const[]){"p", NULL});
  for (uint32_t i = 0; i < c->system->model->parameters.n; i++)
    content_write_default(c, dialect, indent, targets, i, &scope, out);
}
