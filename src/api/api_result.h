// What a public result consists of, and drawing from it inside of a call.
#ifndef QDOT_API_API_RESULT_H
#define QDOT_API_API_RESULT_H

#include "chart/plot.h"
#include "qdot/qdot.h"
#include "report/language.h"
#include "result/result.h"

typedef struct ResultFile {
  const char *name, *description;
} ResultFile;

struct qdot_result {
  Context *cx;
  Model *model;
  Result *result;
  VEC(ResultFile) files;
  // drawn so far from this result
  PictureList plots;
  unsigned plot_formats, animation_formats; // QDOT_SVG ...
  unsigned unlisted;                        // formats that nobody needs to be told of
  bool has_no_gnuplot;                      // it was tried
  bool has_scene;                           // the animation shows something
  const Language *plot_language, *animation_language;
};

qdot_result *api_result_new(Model *model, Result *result);
// QDOT_BAD_ARGUMENT with a message where the result has none.
Status result_needs_folder(const qdot_result *result);
// The language with this code, English for NULL; others are a mistake.
Status result_language(Context *cx, const char *code, const Language **out);
void result_add_file(qdot_result *result, const char *file, const char *description);
// As qdot_result_plot and qdot_result_animate, for those who are inside of a guarded call already.
Status result_plot(qdot_result *result, const qdot_plot_options *options);
Status result_animate(qdot_result *result, const qdot_animate_options *options);

#endif
