// The words of a language in and under pictures.
#ifndef QDOT_REPORT_CAPTIONS_H
#define QDOT_REPORT_CAPTIONS_H

#include "chart/picture.h"
#include "report/document/language.h"

// Of the name that begins here, theta_2', r[1,2].x, in bytes; 0 where none begins.
size_t written_name_length(const char *at);

PlotWords plot_words(const Language *language);
// What a picture shows, as a sentence; in the arena.
const char *picture_caption(const Language *language, const Picture *picture, Arena *arena);

#endif
