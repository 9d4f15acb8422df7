// The kinds of plots that a model can ask for.
#ifndef QDOT_MODEL_PLOT_KIND_H
#define QDOT_MODEL_PLOT_KIND_H

#include <stdbool.h>

typedef enum PlotKind {
#define CHART(KEY, file, caption)
#define PLOT(KEY, name, word, takes, of_rows, file, caption) PLOT_##KEY,
#include "model/plots.def"
#undef PLOT
#undef CHART
  PLOT_KINDS
} PlotKind;

typedef enum PlotTakes {
  PLOT_TAKES_VALUES,
  PLOT_TAKES_PAIRS,
  PLOT_TAKES_RATES,
  PLOT_TAKES_CONTACTS,
  PLOT_TAKES_NOTHING
} PlotTakes;

typedef struct PlotType {
  const char *word; // behind `plot`; "" for the kind that needs none
  PlotTakes takes;
  bool is_of_rows; // shows constraints: nothing where there are none
} PlotType;

const PlotType *plot_type(PlotKind kind);

#endif
