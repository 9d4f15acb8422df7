// Any text as a model: read it, derive it, write it in every form; whatever it says, within the
// limits.
#include <stdint.h>

#include "room.h"

static int forget_file(void *user, const char *name, const char *bytes, size_t n) {
  (void)user, (void)name, (void)bytes, (void)n;
  return 0;
}

static void print(qdot_system *system) {
  static const qdot_format formats[] = {QDOT_FORMAT_TEXT, QDOT_FORMAT_JSON, QDOT_FORMAT_LATEX,
                                        QDOT_FORMAT_HTML};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    qdot_system_write_options options = qdot_system_write_defaults();
    options.format = formats[i];
    qdot_system_write(system, &options, room_sink());
    options.ascii = 1;
    options.simplify = QDOT_SIMPLIFY_NONE;
    qdot_system_write(system, &options, room_sink());
    options.simplify = QDOT_SIMPLIFY_NORMAL;
    options.steps = 1;
    if (formats[i] != QDOT_FORMAT_JSON) qdot_system_write(system, &options, room_sink());
  }
  qdot_export_options files = qdot_export_defaults();
  files.files.write = forget_file;
  for (size_t i = 0; i < qdot_word_count(QDOT_WORDS_EXPORT_LANGUAGES); i++)
    qdot_system_export(system, qdot_word_at(QDOT_WORDS_EXPORT_LANGUAGES, i), &files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qdot_context *cx = room_context();
  qdot_sink nowhere = room_sink();
  qdot_model *model;
  qdot_system *system;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK) {
    qdot_model_write(model, NULL, nowhere);
    if (qdot_system_derive(model, &system) == QDOT_OK) {
      print(system);
      const qdot_selfcheck *check;
      qdot_system_check(system, &check);
    }
  }
  qdot_write_options style = qdot_write_defaults();
  style.colour = 1;
  qdot_diagnostics_write(cx, &style, nowhere);
  qdot_context_close(cx);
  return 0;
}
