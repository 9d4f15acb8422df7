// The words of a language in and under pictures.
#ifndef QDOT_SHOW_CAPTIONS_H
#define QDOT_SHOW_CAPTIONS_H

#include "show/language.h"
#include "show/plot.h"

PlotWords plot_words(const Language *language);
// What a picture shows, as a sentence; in the arena.
const char *picture_caption(const Language *language, const Picture *picture, Arena *arena);

#endif
