// Sweeps as people and programs read them.
#ifndef QDOT_PRINT_ASK_SWEEP_TEXT_H
#define QDOT_PRINT_ASK_SWEEP_TEXT_H

#include "ask/sweep.h"
#include "base/text.h"

// How a sweep went.
typedef struct SweepStory {
  uint64_t done, failed, kept;
  double seconds;
  const char *backend, *table; // table: its path, or NULL for none
  double *percentiles;         // by measure, of drawn values; NULL for none
} SweepStory;

enum { SWEEP_PERCENTILES = 5 };
extern const double sweep_percentiles[SWEEP_PERCENTILES]; // 1, 5, 50 ...

void sweep_text(const Sweep *sweep, const SweepStory *story, Text *out);
void sweep_json(const Sweep *sweep, const SweepStory *story, Text *out);
// Beside the table: what its columns are, the seed, the model and the version, how many failed;
// nothing that tells when or where it was made.
void sweep_about(const Sweep *sweep, const SweepStory *story, Text *out);
// The units of an axis and of a measure; "" where there is none.
const char *sweep_axis_unit(const Sweep *sweep, uint32_t axis);
const char *sweep_measure_unit(const Sweep *sweep, uint32_t measure);

#endif
