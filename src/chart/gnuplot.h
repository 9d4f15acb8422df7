// The one place that runs gnuplot.
#ifndef QDOT_CHART_GNUPLOT_H
#define QDOT_CHART_GNUPLOT_H

#include "base/context.h"

typedef struct GnuplotOptions {
  const char *program; // "gnuplot", found by PATH, unless given
  double seconds;      // after which it is ended; 60 unless given
} GnuplotOptions;

bool gnuplot_exists(const GnuplotOptions *options);

// Runs one gnuplot process in the folder with these commands, without the user's own settings. It
// reads no terminal and cannot block. Fails with QDOT_NO_PROGRAM, explained by a warning, when
// gnuplot is missing, takes too long or complains.
Status gnuplot_run(Context *cx, const GnuplotOptions *options, const char *folder,
                   const char *commands);

#endif
