// A Program that is evaluated for several sets of inputs at once, each in a lane of its own.
//
// Inputs, outputs and places of work are rows of `lanes` doubles, at addresses that are multiples
// of a row's size. A lane has the bits that compiled_run gives for its inputs.
#ifndef QDOT_NATIVE_PACKED_H
#define QDOT_NATIVE_PACKED_H

#include "native/compiled.h"

enum { MOST_LANES = 8 };

typedef struct Packed {
  const Program *program;
  JitCode jit;
  uint32_t lanes;
  const uint32_t *moving, *fixed; // the inputs that a run reads, by what program_fix_input said
  uint32_t moving_count, fixed_count;
} Packed;

// How many lanes there are at most on this machine: 8, 4, or 1, which no program can be packed for.
// QDOT_LANES=4|1 makes it less.
uint32_t packed_most_lanes(void);

// False where there is no such machine code. The program must live as long as the result.
bool pack_program(Context *cx, const Program *program, uint32_t lanes, Arena *into, Packed *out);
void packed_close(Packed *packed);

// n rows, zeroed and aligned.
double *packed_rows(Arena *arena, uint32_t lanes, size_t n);
// So many rows a run works in.
size_t packed_work_rows(const Packed *packed);

// What compiled_prepare has done in `work_of` with the inputs `in`, for a lane.
void packed_prepare(const Packed *packed, uint32_t lane, const Compiled *compiled, const double *in,
                    const double *work_of, double *in_rows, double *work_rows);
// The same for all lanes.
void packed_prepare_all(const Packed *packed, const Compiled *compiled, const double *in,
                        const double *work_of, double *in_rows, double *work_rows);
// The inputs that move, of a lane.
void packed_take(const Packed *packed, uint32_t lane, const double *in, double *in_rows);

static inline void packed_run(const Packed *packed, const double *in, double *out, double *work) {
  packed->jit.run(in, out, work);
}

#endif
