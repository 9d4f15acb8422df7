// Modes drawn on the mechanism: an animation and a still picture of each.
#ifndef QDOT_REPORT_MODE_PICTURE_H
#define QDOT_REPORT_MODE_PICTURE_H

#include "analyse/vibration/modes.h"
#include "report/document/language.h"
#include "scene/animate.h"

typedef struct ModePictureOptions {
  AnimateOptions animate; // folder, formats, width ...; name and speed are ours
  unsigned stills;        // STILL_SVG | STILL_PNG ...
  const Language *language;
} ModePictureOptions;

// Draws mode number k as mode-K+1.gif and its like: the mechanism at the point, moved along the
// shape by as much as can be seen well, with the constraints kept. An oscillation shows one period,
// slowed down or sped up; its frequency stands beside. values: as model_values gives them.
// The status is that of animate_result; *name is the file's name without ending.
Status mode_picture(Context *cx, const Linearized *l, const Modes *modes, const double *values,
                    uint32_t k, const ModePictureOptions *options, const char **name);

// The same motion as rows of t and the coordinates, from 0 to 1.6 s with the last as the first.
// *all: rows that show every mode, by which the drawing decides what is a spring.
Status mode_rows(Context *cx, const Linearized *l, const Modes *modes, const double *values,
                 uint32_t k, const Result **out, const Result **all);

#endif
