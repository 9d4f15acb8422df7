// What a public result consists of, and drawing from it inside of a call.
#ifndef QDOT_API_API_RESULT_H
#define QDOT_API_API_RESULT_H

#include "api/api_files.h"
#include "chart/plot.h"
#include "qdot/qdot.h"
#include "report/document/language.h"
#include "result/result.h"
#include "scene/animate.h"

struct qdot_result {
  Context *cx;
  Model *model;           // NULL where the run was that of a plan,
  const StoredPlan *plan; // which is then this one
  Result *result;
  bool owns_model;     // it was stored with the result
  bool has_set_values; // the run was made with values that qdot_simulation_set has set
  FileList files;
  FileTarget target; // of the present call
  // drawn so far from this result
  PictureList plots;
  unsigned plot_formats, animation_formats; // QDOT_FILE_SVG ...
  unsigned unlisted;                        // formats that nobody needs to be told of
  bool has_no_gnuplot;                      // it was tried
  Still still;                              // what mechanism.svg and its like show
  const Language *plot_language, *animation_language;
  // what callers were given
  qdot_extremes *extremes;
  qdot_measure *measures;
  qdot_event *events;
  qdot_certificate certificate;
};

qdot_result *api_result_new(Model *model, Result *result);
qdot_result *api_result_of_plan(Context *cx, const StoredPlan *plan, Result *result);
// What its run was made from: its system, or its plan.
Status result_origin(const qdot_result *result, RunOrigin *out);
// Where the files of a call go: to the sink, or to the result's folder. QDOT_BAD_ARGUMENT with a
// message if there is neither. After success result_end_files must follow, which returns so_far.
Status result_begin_files(qdot_result *result, qdot_file_sink sink);
// For what draws: fails where the run was that of a plan, or where the rows were kept neither in
// memory nor in a folder.
Status result_need_rows(const qdot_result *result);
Status result_end_files(qdot_result *result, Status so_far);
// The language with this code, English for NULL; others are a mistake.
Status result_language(Context *cx, const char *code, const Language **out);
// As qdot_result_plot and qdot_result_animate, between result_begin_files and result_end_files.
Status result_plot(qdot_result *result, const qdot_plot_options *options);
Status result_animate(qdot_result *result, const qdot_animate_options *options);
// Is it a factor by which a motion may be drawn larger, or 0?
bool result_may_magnify(double factor);
// Is it a speed at which a motion may be shown, or 0?
bool result_may_play(double speed);

#endif
