// Expressions and columns evaluated on every row of a result.
#ifndef QDOT_RESULT_SAMPLER_H
#define QDOT_RESULT_SAMPLER_H

#include "native/compiled.h"
#include "result/result.h"

// A value on each row: an expression in the model's names, or a column as it stands.
typedef struct Signal {
  Expr value; // 0: take the column
  int column; // -1: there is none, the value is not a number
} Signal;

static inline Signal signal_from_expr(Expr value) { return (Signal){.value = value, .column = -1}; }
Signal signal_from_column(const Result *result, const char *name);

typedef struct Sampler {
  Context *cx;
  Compiled compiled;
  Handle handle;
  uint32_t count;
  double *work;
} Sampler;

// Parameters and inputs have their values of the model, but inputs that samples and events assign
// those of the row; names whose column is missing are not numbers. Close in reverse order of
// opening.
void sampler_open(Sampler *sampler, Context *cx, const Result *result, const Signal *signals,
                  uint32_t count);
void sampler_close(Sampler *sampler);
// out: one value a signal.
void sampler_read(const Sampler *sampler, const double *row, double *out);

#endif
