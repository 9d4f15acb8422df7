// What pictures are asked for: their words, formats and kinds.
#ifndef QDOT_CHART_PICTURE_H
#define QDOT_CHART_PICTURE_H

#include "chart/gnuplot.h"

// What a line asks for, and what is drawn without one.
typedef enum ChartKind {
#define CHART(KEY, file, caption) CHART_##KEY,
#define PLOT(KEY, name, word, takes, of_rows, file, caption) CHART_##KEY,
#include "model/plots.def"
#undef PLOT
#undef CHART
  CHART_KINDS
} ChartKind;

// What a kind is called in the names of files: plot-1-time.svg.
const char *chart_kind_word(ChartKind kind);

// The words in pictures; plain text in any language.
typedef struct PlotWords {
#define WORD(name, sentence, english) const char *name;
#include "chart/words.def"
#undef WORD
} PlotWords;
PlotWords plot_words_english(void);

enum { PICTURE_SVG = 1, PICTURE_PNG = 2, PICTURE_PDF = 4 };

// Another result in the same pictures, under its own name.
typedef struct PlotOverlay {
  const char *name;
  const struct Chart *charts;
  uint32_t n;
} PlotOverlay;

typedef struct PlotOptions {
  const char *folder; // exists
  unsigned formats;   // PICTURE_SVG | PICTURE_PNG ...
  char decimal_sign;  // '.' or ','
  PlotWords words;
  bool with_everything; // every kind of plot that makes sense, beside the model's plot lines
  uint32_t frequency_count;
  const double *frequencies;     // natural frequencies in Hz, marked in spectra
  const int *coordinate_colours; // of their parts, places in the palette or -1; or NULL
  const char *own_name;          // of the result, where others are drawn with it
  const PlotOverlay *others;
  uint32_t other_count;
  GnuplotOptions gnuplot;
} PlotOptions;
PlotOptions plot_defaults(void);

// One picture: NAME.svg (.png, .pdf) beside NAME.gp and NAME.dat, which draw it again.
typedef struct Picture {
  const char *name;
  ChartKind kind;
  const char *description; // plain words
  const char *names;       // of what is drawn, as the user writes them; "" where the kind says it
} Picture;

typedef VEC(Picture) PictureList;

#endif
