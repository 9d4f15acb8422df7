// English words, and what is drawn when nobody says otherwise.
#include "chart/picture.h"

PlotWords plot_words_english(void) {
  return (PlotWords){
#define WORD(name, sentence, english) .name = english,
#include "chart/words.def"
#undef WORD
  };
}

const char *chart_kind_word(ChartKind kind) {
  static const char *const words[CHART_KINDS] = {
#define CHART(KEY, file, caption) [CHART_##KEY] = file,
#define PLOT(KEY, name, word, takes, of_rows, file, caption) [CHART_##KEY] = file,
#include "model/plots.def"
#undef PLOT
#undef CHART
  };
  return words[kind];
}

PlotOptions plot_defaults(void) {
  return (PlotOptions){
      .folder = ".", .formats = PICTURE_SVG, .decimal_sign = '.', .words = plot_words_english()};
}
