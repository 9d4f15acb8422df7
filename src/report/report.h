// The report: one document that tells the whole story of a model, from its energies to how far the
// numbers can be trusted.
// Sources: report.c, report_answers.c, report_linear.c, report_model.c, report_numbers.c,
//   report_pictures.c, report_quantities.c, report_ranges.c, report_roads.c, report_sweep.c,
//   report_weakly.c
#ifndef QDOT_REPORT_REPORT_H
#define QDOT_REPORT_REPORT_H

#include "analyse/road_compare.h"
#include "analyse/vibration/frequency_form.h"
#include "analyse/vibration/stationary.h"
#include "analyse/vibration/weakly.h"
#include "derive/selfcheck.h"
#include "report/story.h"
#include "result/json.h"
#include "result/result.h"
#include "sim/sim.h"

typedef struct ReportOptions {
  const Language *language;
  Detail detail;
  SimplifyLevel simplify;
  const Notation *notation; // or NULL
} ReportOptions;
ReportOptions report_defaults(void);

typedef struct ReportPicture {
  const char *name; // NAME.svg for HTML, NAME.pdf for LaTeX
  const char *caption;
} ReportPicture;

typedef struct ReportLinear {
  Linearized linearized; // with expressions
  bool has_modes;
  Modes modes;
  FrequencyForms forms; // closed forms of natural frequencies, as far as there are any
  const char *picture;  // of the eigenvalues, without ending; NULL: none is drawn
  const Weakly *weakly; // beyond small vibrations, of one coordinate; else NULL
  const char *backbone; // its picture, or NULL
} ReportLinear;

// What there is to tell; NULL and 0 where there is nothing.
typedef struct ReportContent {
  System *system; // as it is printed
  System *played; // the same without units of numbers, for what moves; NULL: that
  const Selfcheck *check;
  const ReportLinear *linear; // in the order of the model's linearize lines
  uint32_t linear_count;
  const Equilibria *equilibria;  // where a linearize line is about one; NULL: none is
  const Stationary *stationary;  // by Routh's road, else NULL
  const char *potential_picture; // of its effective potential, or NULL
  const RoadComparison *roads;   // NULL where there are too many coordinates to compare
  Stabilize stabilize;           // how the run kept its constraints
  const Result *result;          // of the run
  const ReportPicture *pictures;
  uint32_t picture_count;
  const char *folder; // of the pictures
  const char *still;  // a picture in the folder, without ending
  bool is_labelled;   // which names the symbols
  bool has_ghosts;    // which shows earlier positions
  double magnify;     // how many times larger the motion is drawn; 0 chooses
  const Model *model; // who asks questions, as it was read; NULL: nobody
  const char *text;   // the model's own text
  size_t text_length;
} ReportContent;

// NULL where there was no run.
static inline const SimSummary *report_summary(const ReportContent *content) {
  return content->result ? &content->result->summary : NULL;
}

// Appends the whole document in HTML or LaTeX. Pictures that cannot be read are left out.
Status report_write(Context *cx, const ReportContent *content, const ReportOptions *options,
                    const Medium *medium, Text *out);

// The chapters on numbers, for report.c.
void report_vibrations(Document *d, const ReportContent *content);
// Stationary motions, and which road to the equations is the shortest.
void report_roads(Document *d, const ReportContent *content);
// Inside of vibrations: how the frequency depends on the amplitude.
void report_weakly(Document *d, const ReportContent *content, const ReportLinear *linear);
// What becomes of small disturbances.
Sentence report_verdict(const Modes *modes);
void report_computation(Document *d, const ReportContent *content);
void report_results(Story *story, const ReportContent *content);
// Inside of it: the formulas of what curves and tables show beside coordinates; all of them.
void report_quantities(Story *story, const ReportContent *content);
void report_quantities_shown(Context *cx, const ReportContent *content, ExprList *out);
void report_answers(Document *d, const ReportContent *content);
// Of a sweep: its table's own description, and what is told of it.
bool report_sweep_load(Context *cx, const Model *model, const char *folder, const char *question,
                       Json *out, const JsonValue **answer);
void report_sweep_tell(Document *d, const ReportContent *content, const JsonValue *answer);
// A picture of the folder; nothing where there is none.
void report_figure(Document *d, const ReportContent *content, const char *name,
                   const char *caption);
void report_ranges(Document *d, const ReportContent *content);
void report_trust(Document *d, const ReportContent *content);
// Until when the motion holds, in a sentence with the time; nothing where it holds throughout.
void report_until(Document *d, const ReportContent *content, Sentence sentence);
void report_opening(Document *d, const ReportContent *content);
void report_model(Document *d, const ReportContent *content);
// What the chapter on vibrations shows; in the scratch arena.
ExprList report_linear_shown(Context *cx, const ReportContent *content);

#endif
