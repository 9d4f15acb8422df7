// Program -> statements of another language, one line for each value worth a name.
//
// The operations and their order are those of the backends, so a language that rounds each
// operation once gives the same digits but for its sine and cosine.
#ifndef QDOT_CODE_EMIT_H
#define QDOT_CODE_EMIT_H

#include "base/text.h"
#include "program/program.h"

typedef enum Dialect {
  DIALECT_C,
  DIALECT_OCTAVE,
  DIALECT_PYTHON,
  DIALECT_JS,
  DIALECT_COUNT
} Dialect;

typedef struct Emission {
  Dialect dialect;
  const char *indent;
  const char *const *inputs;  // what stands for each input: "theta_1", "p->L_2"
  const char *const *outputs; // what each output is assigned to: "M[0][1]"; NULL: not wanted
  // An identifier that nobody uses yet, made from what is wanted: a definition's name,
  // "sin_theta_1".
  const char *(*identifier)(void *user, const char *wanted);
  void *user;
} Emission;

void program_emit(Context *cx, const Program *program, const Emission *emission, Text *out);

// Which values (by number) the wanted outputs need; outputs as in an Emission.
bool *program_needed(const Program *program, const char *const *outputs, Arena *arena);

// A number as the language writes a real one.
void emit_number(Dialect dialect, double value, Text *out);

#endif
