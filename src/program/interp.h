// The interpreter: the oracle of the other backends, and the one that runs on every CPU.
#ifndef QDOT_PROGRAM_INTERP_H
#define QDOT_PROGRAM_INTERP_H

#include "program/program.h"

typedef struct InterpCode InterpCode;

const InterpCode *interp_lower(Context *cx, const Program *program, Arena *into);
// Doubles that a run needs beside inputs and outputs.
uint32_t interp_work_size(const InterpCode *code);
void interp_prepare(const InterpCode *code, const double *in, double *work);
// Where interp_prepare has left the prologue's values.
const double *interp_prologue(const InterpCode *code, const double *work);
void interp_run(const InterpCode *code, const double *in, double *out, double *work);

// The prologue, step by step: values[i] is the i-th prologue value.
void program_run_prologue(const Program *program, const double *in, double *values);

#endif
