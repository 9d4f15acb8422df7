// Recordings: a model's text and a motion given as functions of time, or its own run.
#ifndef QDOT_TESTS_RECORDINGS_H
#define QDOT_TESTS_RECORDINGS_H

#include "result/result.h"

// Position, velocity and acceleration of coordinate number i at t.
typedef void Motion(double t, uint32_t i, double out[3]);

// rows rows from t = 0, step apart; multipliers grow with time and energies follow sines. Reads the
// model's text, which must be without mistakes.
Result *recording_of_motion(Context *cx, const char *model, Motion *motion, uint64_t rows,
                            double step);

// A run of the model, of its own line `simulate` and not beyond `end`.
Result *recording_of_run(Context *cx, const char *name, const char *model, double end);

// (1 + i) sin((1 + i) t) and its derivatives.
void motion_of_sines(double t, uint32_t i, double out[3]);

// A fresh folder for a test's files, and its end with all that is in it.
const char *scratch_folder(Context *cx, const char *name);
void remove_folder(const char *folder);

#endif
