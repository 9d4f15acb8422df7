// The table of the kinds of plots.
#include "model/plot_kind.h"

static const PlotType types[PLOT_KINDS] = {
#define CHART(KEY, file, caption)
#define PLOT(KEY, name, word, takes, of_rows, file, caption)                                       \
  [PLOT_##KEY] = {word, PLOT_TAKES_##takes, of_rows},
#include "model/plots.def"
#undef PLOT
#undef CHART
};

const PlotType *plot_type(PlotKind kind) { return &types[kind]; }
