// Answers to read: analyses of the equations and what lines of the model ask. Each is made of the
// model and written by a function of its own, as text and as JSON.
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diagnosis.h"
#include "exporting.h"

// ---- Making

static qdot_status make_linear(Export *e, void **out) {
  qdot_system *system;
  qdot_linear *linear = NULL;
  qdot_status status = qdot_system_derive(e->model, &system);
  if (status == QDOT_OK) status = qdot_system_linearize(system, 0, &linear);
  *out = linear;
  return status;
}

static qdot_status make_equilibria(Export *e, void **out) {
  qdot_system *system;
  qdot_equilibria *equilibria = NULL;
  qdot_status status = qdot_system_derive(e->model, &system);
  if (status == QDOT_OK) status = qdot_system_equilibria(system, NULL, &equilibria);
  *out = equilibria;
  return status;
}

static qdot_status make_locus(Export *e, void **out) {
  qdot_locus_options options = qdot_locus_defaults();
  qdot_system *system;
  qdot_locus *locus = NULL;
  qdot_status status = qdot_system_derive(e->model, &system);
  options.range = e->request->range, options.folder = e->folder;
  if (status == QDOT_OK) status = qdot_system_locus(system, &options, &locus);
  *out = locus;
  return status;
}

static qdot_status make_model(Export *e, void **out) {
  *out = e->model;
  return QDOT_OK;
}

static qdot_status make_response(Export *e, void **out) {
  qdot_response_options options = qdot_response_defaults();
  qdot_response *response = NULL;
  void *linear;
  qdot_status status = make_linear(e, &linear);
  options.folder = e->folder;
  if (status == QDOT_OK) status = qdot_linear_response(linear, &options, &response);
  *out = response;
  return status;
}

static qdot_status make_comparison(Export *e, void **out) {
  qdot_run_options run = export_run_options(e);
  qdot_compare_options options = qdot_compare_defaults();
  qdot_comparison *comparison = NULL;
  options.run = &run;
  qdot_status status = qdot_model_compare(e->model, &options, &comparison);
  *out = comparison;
  return status;
}

static qdot_status make_positions(Export *e, void **out) {
  qdot_positions *positions = NULL;
  qdot_status status = qdot_positions_open(e->model, NULL, &positions);
  *out = positions;
  return status;
}

static qdot_status make_tolerance(Export *e, void **out) {
  qdot_run_options run = export_run_options(e);
  qdot_tolerance_options options = qdot_tolerance_defaults();
  qdot_tolerance *tolerance = NULL;
  options.run = &run;
  qdot_status status = qdot_model_tolerance(e->model, &options, &tolerance);
  *out = tolerance;
  return status;
}

static qdot_status make_sweep(Export *e, void **out) {
  qdot_run_options run = export_run_options(e);
  qdot_sweep_options options = qdot_sweep_defaults();
  qdot_sweep *sweep = NULL;
  options.run = &run;
  qdot_status status = qdot_model_sweep(e->model, &options, &sweep);
  *out = sweep;
  return status;
}

// A fit and a search also give the text with what they have found.
static qdot_status make_answer(Export *e, void **out) {
  qdot_run_options run = export_run_options(e);
  qdot_question_options options = qdot_question_defaults();
  qdot_answer *answer = NULL;
  options.run = &run;
  qdot_status status = qdot_model_ask(e->model, e->request->kind, &options, &answer);
  *out = answer;
  return status;
}

static void add_found_text(Export *e, void *answer) {
  Bytes text = {0};
  if (qdot_answer_is_found(answer) && qdot_answer_rewrite(answer, bytes_sink(&text)) == QDOT_OK)
    export_take_text(e, "found.qdot", &text);
  else
    free(text.at);
}

static void add_table(Export *e, void *positions) {
  Bytes text = {0};
  qdot_write_options options = qdot_write_defaults();
  options.format = QDOT_FORMAT_CSV;
  if (qdot_positions_write(positions, &options, bytes_sink(&text)) == QDOT_OK)
    export_take_text(e, "positions.csv", &text);
  else
    free(text.at);
}

static void add_latex(Export *e, void *linear) {
  Bytes text = {0};
  qdot_write_options options = qdot_write_defaults();
  options.format = QDOT_FORMAT_LATEX;
  if (qdot_linear_write(linear, &options, bytes_sink(&text)) == QDOT_OK)
    export_take_text(e, "linearized.tex", &text);
  else
    free(text.at);
}

// Every mode on the mechanism, and the eigenvalues in their plane.
static void add_mode_pictures(Export *e, void *linear) {
  qdot_mode_picture_options options = qdot_mode_picture_defaults();
  options.files = (qdot_file_sink){export_take_file, e};
  for (size_t i = 0; i < qdot_mode_count(linear) && !e->worker->stop; i++)
    qdot_mode_draw(linear, i, &options);
  qdot_eigenvalues_draw(linear, e->folder);
}

// ---- Writing

#define WRITER(noun, type)                                                                         \
  static qdot_status write_##noun(void *made, const qdot_write_options *o, qdot_sink sink) {       \
    return qdot_##noun##_write((type *)made, o, sink);                                             \
  }
WRITER(model, qdot_model)
WRITER(linear, qdot_linear)
WRITER(modes, qdot_linear)
WRITER(equilibria, qdot_equilibria)
WRITER(locus, qdot_locus)
WRITER(response, qdot_response)
WRITER(comparison, qdot_comparison)
WRITER(positions, qdot_positions)
WRITER(tolerance, qdot_tolerance)
WRITER(sweep, qdot_sweep)
WRITER(answer, qdot_answer)
#undef WRITER

static const struct AnswerForm {
  const char *kind, *name; // of the request, and of the files
  qdot_status (*make)(Export *e, void **out);
  qdot_status (*write)(void *made, const qdot_write_options *options, qdot_sink sink);
  void (*add)(Export *e, void *made); // files beside them, or NULL
} forms[] = {
    {"check", "model", make_model, write_model, NULL},
    {"linearize", "linearized", make_linear, write_linear, add_latex},
    {"modes", "modes", make_linear, write_modes, NULL},
    {"mode-pictures", "modes", make_linear, write_modes, add_mode_pictures},
    {"locus", "locus", make_locus, write_locus, NULL},
    {"equilibrium", "equilibria", make_equilibria, write_equilibria, NULL},
    {"response", "response", make_response, write_response, NULL},
    {"compare", "compare", make_comparison, write_comparison, NULL},
    {"positions", "positions", make_positions, write_positions, add_table},
    {"tolerance", "tolerance", make_tolerance, write_tolerance, NULL},
    {"sweep", "sweep", make_sweep, write_sweep, NULL},
    {"sensitivity", "sensitivity", make_answer, write_answer, NULL},
    {"fit", "fit", make_answer, write_answer, add_found_text},
    {"find", "find", make_answer, write_answer, add_found_text},
    {"orbit", "orbit", make_answer, write_answer, NULL},
};

static qdot_status write_as(Export *e, const struct AnswerForm *form, void *made,
                            qdot_format format, const char *ending) {
  char name[64];
  Bytes text = {0};
  qdot_write_options options = qdot_write_defaults();
  options.format = format;
  snprintf(name, sizeof name, "%s.%s", form->name, ending);
  qdot_status status = form->write(made, &options, bytes_sink(&text));
  export_take_text(e, name, &text);
  return status;
}

// ---- What the library writes to a folder

static const off_t LARGEST_FILE = 100 << 20; // which a page can still take

bool export_take_written(Export *e, const char *name) {
  struct stat about;
  Bytes text = {0};
  char piece[65536];
  int folder = open(e->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int fd = folder < 0 ? -1 : openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (folder >= 0) close(folder);
  if (fd < 0) return false;
  bool is_file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
  if (is_file && about.st_size > LARGEST_FILE) {
    e->why = "the file is too large for a page; the command writes it";
    is_file = false;
  }
  for (ssize_t n; is_file && (n = read(fd, piece, sizeof piece)) > 0;)
    bytes_add(&text, piece, (size_t)n);
  close(fd);
  export_take_text(e, name, &text);
  return is_file;
}

static void take_all_written(Export *e) {
  struct dirent **names = NULL;
  int count = scandir(e->folder, &names, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    export_take_written(e, names[i]->d_name);
    free(names[i]);
  }
  free(names);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place) {
  (void)about, (void)type, (void)place;
  return remove(path);
}

static const struct AnswerForm *form_named(const char *kind) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].kind, kind) == 0) return &forms[i];
  return NULL;
}

static qdot_status answer_in_folder(Export *e) {
  const struct AnswerForm *form = form_named(e->request->kind);
  void *made;
  qdot_status status = form->make(e, &made);
  if (status == QDOT_OK) status = write_as(e, form, made, QDOT_FORMAT_TEXT, "txt");
  if (status == QDOT_OK) status = write_as(e, form, made, QDOT_FORMAT_JSON, "json");
  if (status == QDOT_OK && form->add) form->add(e, made);
  if (status == QDOT_OK) take_all_written(e);
  return status;
}

qdot_status export_answer_of(Export *e) {
  return form_named(e->request->kind) ? export_in_folder(e, answer_in_folder) : QDOT_BAD_ARGUMENT;
}

qdot_status export_in_folder(Export *e, qdot_status (*body)(Export *e)) {
  char path[] = "/tmp/qdot-studio-XXXXXX";
  if (!mkdtemp(path)) return QDOT_IO;
  e->folder = path;
  qdot_status status = body(e);
  nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  e->folder = NULL;
  return status;
}
