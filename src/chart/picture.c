// English words, and what is drawn when nobody says otherwise.
#include "chart/picture.h"

PlotWords plot_words_english(void) {
  return (PlotWords){.amplitude = "amplitude",
                     .start = "start",
                     .end = "end",
                     .impact = "impact",
                     .contact = "contact",
                     .free = "free",
                     .gap = "gap",
                     .wrapped = "wrapped",
                     .residual = "constraint residual",
                     .residual_position = "position",
                     .residual_velocity = "velocity",
                     .natural = "natural frequencies",
                     .over_time = "over time",
                     .spectrum = "spectrum of",
                     .phase = "phase portrait of",
                     .path = "path of"};
}

PlotOptions plot_defaults(void) {
  return (PlotOptions){
      .folder = ".", .formats = PICTURE_SVG, .decimal_sign = '.', .words = plot_words_english()};
}
