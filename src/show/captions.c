// Words for pictures from the tables of sentences.
#include "show/captions.h"

#include <string.h>

#include "base/text.h"

const char *picture_caption(const Language *language, const Picture *picture, Arena *arena) {
  static const Sentence kinds[CHART_KINDS] = {[CHART_ENERGY] = SAY_CAPTION_ENERGY,
                                              [CHART_MULTIPLIERS] = SAY_CAPTION_MULTIPLIERS,
                                              [CHART_OUTPUTS] = SAY_CAPTION_OUTPUTS,
                                              [CHART_RESIDUAL] = SAY_CAPTION_RESIDUAL};
  if (kinds[picture->kind]) return language_say(language, kinds[picture->kind]);
  char *text = text_format(arena, "%s.", picture->description);
  // A caption begins with a capital letter, but names stay as they are.
  size_t word = strcspn(text, " ");
  bool is_word = word > 2 && strcspn(text, "_'[0123456789") > word;
  if (is_word && text[0] >= 'a' && text[0] <= 'z') text[0] = (char)(text[0] - 'a' + 'A');
  return text;
}

PlotWords plot_words(const Language *language) {
  const char *const *say_it = language->sentences;
  return (PlotWords){.amplitude = say_it[SAY_PLOT_AMPLITUDE],
                     .start = say_it[SAY_PLOT_START],
                     .end = say_it[SAY_PLOT_END],
                     .impact = say_it[SAY_PLOT_IMPACT],
                     .contact = say_it[SAY_PLOT_CONTACT],
                     .free = say_it[SAY_PLOT_FREE],
                     .gap = say_it[SAY_PLOT_GAP],
                     .wrapped = say_it[SAY_PLOT_WRAPPED],
                     .residual = say_it[SAY_PLOT_RESIDUAL],
                     .residual_position = say_it[SAY_PLOT_RESIDUAL_POSITION],
                     .residual_velocity = say_it[SAY_PLOT_RESIDUAL_VELOCITY],
                     .natural = say_it[SAY_PLOT_NATURAL],
                     .over_time = say_it[SAY_PLOT_OVER_TIME],
                     .spectrum = say_it[SAY_PLOT_SPECTRUM],
                     .phase = say_it[SAY_PLOT_PHASE],
                     .path = say_it[SAY_PLOT_PATH]};
}
