// What pictures are asked for: their words, formats and kinds.
#ifndef QDOT_CHART_PICTURE_H
#define QDOT_CHART_PICTURE_H

#include "chart/gnuplot.h"

typedef enum ChartKind {
  CHART_TIME,
  CHART_SPECTRUM,
  CHART_PHASE,
  CHART_PATH,
  CHART_ENERGY,
  CHART_CONTACT,
  CHART_MULTIPLIERS,
  CHART_OUTPUTS,
  CHART_RESIDUAL,
  CHART_ANALYSIS,
  CHART_KINDS
} ChartKind;

// The words in pictures; plain text in any language.
typedef struct PlotWords {
  const char *amplitude, *start, *end, *impact, *contact, *free, *gap, *wrapped, *residual,
      *residual_position, *residual_velocity, *natural, *over_time, *spectrum, *phase, *path;
} PlotWords;
PlotWords plot_words_english(void);

enum { PICTURE_SVG = 1, PICTURE_PNG = 2, PICTURE_PDF = 4 };

typedef struct PlotOptions {
  const char *folder; // exists
  unsigned formats;   // PICTURE_SVG | PICTURE_PNG ...
  char decimal_sign;  // '.' or ','
  PlotWords words;
  bool with_everything; // every kind of plot that makes sense, beside the model's plot lines
  uint32_t frequency_count;
  const double *frequencies; // natural frequencies in Hz, marked in spectra
  GnuplotOptions gnuplot;
} PlotOptions;
PlotOptions plot_defaults(void);

// One picture: NAME.svg (.png, .pdf) beside NAME.gp and NAME.dat, which draw it again.
typedef struct Picture {
  const char *name;
  ChartKind kind;
  const char *description; // plain words
} Picture;

typedef VEC(Picture) PictureList;

#endif
