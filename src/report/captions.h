// The words of a language in and under pictures.
#ifndef QDOT_REPORT_CAPTIONS_H
#define QDOT_REPORT_CAPTIONS_H

#include "chart/picture.h"
#include "report/language.h"

PlotWords plot_words(const Language *language);
// What a picture shows, as a sentence; in the arena.
const char *picture_caption(const Language *language, const Picture *picture, Arena *arena);

#endif
