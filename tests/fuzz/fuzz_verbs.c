// Any text as a model, through all that the command does with one: a short run, equilibria,
// linearization and modes, and one of the verbs that write files, chosen by the text.
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "room.h"

#define MOST_ROWS 40
#define MOST_STEPS 2000

typedef struct Watch {
  volatile int stop;
  int rows;
} Watch;

static int take_row(void *user, const double *values, size_t n) {
  Watch *watch = user;
  (void)values, (void)n;
  if (++watch->rows >= MOST_ROWS) watch->stop = 1;
  return 0;
}

static void see_step(void *user, double t, double t_end, long steps) {
  Watch *watch = user;
  (void)t, (void)t_end;
  if (steps > MOST_STEPS) watch->stop = 1;
}

static qdot_run_options short_run(Watch *watch) {
  qdot_run_options options = qdot_run_defaults();
  options.stop = &watch->stop;
  options.row = take_row, options.row_user = watch;
  options.progress = see_step, options.progress_user = watch;
  return options;
}

static void simulate(qdot_model *model, const char *folder) {
  Watch watch = {0};
  qdot_run_options options = short_run(&watch);
  options.folder = folder;
  options.event_rows = 1;
  qdot_result *run;
  if (qdot_model_simulate(model, &options, &run) != QDOT_OK) return;
  qdot_write_options style = qdot_write_defaults();
  qdot_result_write(run, &style, room_sink());
  style.format = QDOT_FORMAT_JSON;
  qdot_result_write(run, &style, room_sink());
}

static void linearize(qdot_system *system) {
  qdot_write_options style = qdot_write_defaults();
  qdot_equilibria_options few = qdot_equilibria_defaults();
  few.starts = 2;
  qdot_equilibria *equilibria;
  if (qdot_system_equilibria(system, &few, &equilibria) == QDOT_OK)
    qdot_equilibria_write(equilibria, &style, room_sink());
  qdot_linear *linear;
  if (qdot_system_linearize(system, 0, &linear) != QDOT_OK) return;
  qdot_linear_write(linear, &style, room_sink());
  qdot_modes_write(linear, &style, room_sink());
  style.format = QDOT_FORMAT_JSON;
  qdot_linear_write(linear, &style, room_sink());
  qdot_response_options response = qdot_response_defaults();
  response.points = 5;
  qdot_response *answer;
  if (qdot_linear_response(linear, &response, &answer) == QDOT_OK)
    qdot_response_write(answer, &style, room_sink());
}

static void draw_modes(qdot_system *system) {
  qdot_linear *linear;
  if (qdot_system_linearize(system, 0, &linear) != QDOT_OK) return;
  qdot_mode_picture_options options = qdot_mode_picture_defaults();
  options.folder = room_folder();
  options.formats = QDOT_FILE_SVG | QDOT_FILE_GIF;
  options.width = 40;
  qdot_mode_draw(linear, 0, &options);
}

static void sweep(qdot_system *system) {
  const char *name = qdot_system_name_at(system, QDOT_PART_PARAMETERS, 0);
  if (!name || strlen(name) > 100) return;
  char range[120];
  snprintf(range, sizeof range, "%s=1..100", name);
  qdot_locus_options options = qdot_locus_defaults();
  options.range = range;
  options.steps = 4;
  qdot_write_options style = qdot_write_defaults();
  qdot_locus *swept;
  if (qdot_system_locus(system, &options, &swept) == QDOT_OK)
    qdot_locus_write(swept, &style, room_sink());
}

static void export_code(qdot_system *system, uint64_t chosen) {
  qdot_export_options options = qdot_export_defaults();
  options.folder = room_folder();
  options.name = "model";
  size_t count = qdot_word_count(QDOT_WORDS_EXPORT_LANGUAGES);
  qdot_system_export(system, qdot_word_at(QDOT_WORDS_EXPORT_LANGUAGES, chosen % count), &options);
}

static void tell(qdot_system *system, uint64_t chosen) {
  static const char *const languages[] = {"en", "de", "es", "pt"};
  qdot_system_write_options options = qdot_system_write_defaults();
  options.steps = 1;
  options.format = chosen % 2 ? QDOT_FORMAT_LATEX : QDOT_FORMAT_TEXT;
  options.detail = (qdot_detail)(chosen / 2 % 3);
  options.language = languages[chosen / 6 % 4];
  qdot_system_write(system, &options, room_sink());
}

static void step_by_step(qdot_model *model) {
  Watch watch = {0};
  qdot_run_options options = short_run(&watch);
  qdot_simulation *simulation;
  if (qdot_simulation_open(model, &options, &simulation) != QDOT_OK) return;
  for (int i = 1; i <= 5; i++)
    if (qdot_simulation_advance(simulation, 0.001 * i) != QDOT_OK) break;
  qdot_simulation_values(simulation);
  qdot_simulation_close(simulation);
}

static void compare(qdot_model *model) {
  Watch watch = {0};
  qdot_compare_options options = qdot_compare_defaults();
  qdot_run_options run = short_run(&watch);
  run.t_end = 0.02, run.every = 0.01;
  options.run = &run;
  qdot_comparison *comparison;
  qdot_write_options style = qdot_write_defaults();
  if (qdot_model_compare(model, &options, &comparison) == QDOT_OK)
    qdot_comparison_write(comparison, &style, room_sink());
}

static void write_report(qdot_context *cx, qdot_model *model, uint64_t chosen) {
  simulate(model, room_folder());
  qdot_result *result;
  if (qdot_result_open(cx, room_folder(), NULL, &result) != QDOT_OK) return;
  if (chosen % 2) {
    qdot_animate_options pictures = qdot_animate_defaults();
    pictures.formats = QDOT_FILE_SVG | QDOT_FILE_GIF;
    pictures.width = 40;
    qdot_result_animate(result, &pictures);
    return;
  }
  qdot_report_options report = qdot_report_defaults();
  report.formats = QDOT_FILE_TEX;
  report.gnuplot = report.pdflatex = "/nowhere/program";
  qdot_result_report(result, &report);
}

static void use_system(qdot_system *system, uint64_t chosen) {
  linearize(system);
  switch (chosen % 5) {
  case 0: draw_modes(system); break;
  case 1: sweep(system); break;
  case 2: export_code(system, chosen / 5); break;
  default: tell(system, chosen / 5); break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t chosen = hash_bytes(data, size) % 1000003;
  qdot_context *cx = room_context();
  qdot_model *model;
  qdot_system *system;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK) {
    qdot_write_options json = qdot_write_defaults();
    json.format = QDOT_FORMAT_JSON;
    qdot_model_write(model, &json, room_sink());
    switch (chosen % 6) {
    case 0: compare(model); break;
    case 1: step_by_step(model); break;
    case 2: write_report(cx, model, chosen / 6); break;
    default:
      simulate(model, NULL);
      if (qdot_system_derive(model, &system) == QDOT_OK) use_system(system, chosen / 6);
      break;
    }
  }
  qdot_write_options style = qdot_write_defaults();
  style.colour = 1;
  qdot_diagnostics_write(cx, &style, room_sink());
  qdot_context_close(cx);
  return 0;
}
