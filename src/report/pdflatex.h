// The one place that runs pdflatex.
#ifndef QDOT_REPORT_PDFLATEX_H
#define QDOT_REPORT_PDFLATEX_H

#include "base/context.h"

typedef struct PdflatexOptions {
  const char *program;             // "pdflatex", found by PATH, unless given
  double seconds;                  // that it may take in all; 120 unless given
  Status (*meanwhile)(void *user); // work for the time of the first run; NULL: none
  void *user;
} PdflatexOptions;

// FOLDER/NAME.tex -> FOLDER/NAME.pdf, as often as its table of contents needs; nothing else is left
// behind. QDOT_NO_PROGRAM, explained by a warning, when pdflatex is missing, takes too long or
// fails; then NAME.log tells why.
Status pdflatex_run(Context *cx, const PdflatexOptions *options, const char *folder,
                    const char *name);

#endif
