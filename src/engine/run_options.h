// What a run is asked for, and where its rows go.
#ifndef QDOT_ENGINE_RUN_OPTIONS_H
#define QDOT_ENGINE_RUN_OPTIONS_H

#include <stdint.h>

#include "engine/directions.h"
#include "engine/stretch.h"
#include "engine/summary.h"
#include "native/compiled.h"
#include "solve/method.h"

// Who looks at slopes at certain times, ascending; see engine/directions.h. signals: of every
// reduction of the model the value, signal_slopes: reductions x directions. x: q, q', states; S:
// directions x these. What has no slopes is NAN.
typedef struct SlopeLook {
  const double *times;
  uint32_t count;
  void *user;
  void (*take)(void *user, uint32_t number, const double *x, const double *S, const double *signals,
               const double *signal_slopes);
} SlopeLook;

typedef struct SimOptions {
  double t_end, every;  // rows at 0, every, 2 every ... and the end
  MethodOptions method; // step is `every` unless somebody says otherwise
  bool has_step;        // somebody did
  bool event_rows;      // rows at events too
  // A rough run: only the first of so many rows is written, and the last of all, and no step is cut
  // into parts where the motion within it bends. 0: not rough.
  int64_t row_stride;
  Backend backend;
  const volatile int *stop; // polled between and within steps; NULL for none
  void (*progress)(void *user, double t, double t_end, int64_t steps);
  void *progress_user;
  const char *checkpoint; // file to keep the state in, or NULL
  bool resume;            // from that file, where it exists
  // Angular frequencies of small vibrations, ascending, that a fixed step is measured against;
  // those of the initial state when there are none.
  const double *natural;
  uint32_t natural_count;
  int64_t most_steps; // tries that are worth the while of a run among many; 0: as many as it takes
  bool is_bare;       // of the summary nobody looks at more than the measures
  bool is_repeated;   // what is to be said of the start has been said
  const Directions *directions; // along which slopes are taken; NULL for none
  const SlopeLook *look;        // NULL for nobody
} SimOptions;

const char *sim_stabilize_name(Stabilize stabilize);
// The values make sense together.
Status sim_check_options(Context *cx, const SimOptions *options);

// How many bytes of rows and of stretches a checkpoint comes after.
typedef struct SinkPosition {
  double rows, stretches;
} SinkPosition;

// Where the rows go. A status other than QDOT_OK ends the run with it.
typedef struct RowSink {
  void *user;
  // NULL where only the summary counts.
  Status (*row)(void *user, const double *values, uint32_t n);
  // The motion between the rows, stretch by stretch; NULL where nobody wants it.
  Status (*stretch)(void *user, const Stretch *stretch);
  // Puts on disk what has been written, and says how far that is; NULL where it has no meaning.
  Status (*keep)(void *user, SinkPosition *position);
} RowSink;

// The result is stored: there is nothing to be resumed any more.
void sim_forget(const SimOptions *options);

#endif
