// Any text as a model: read it, derive it, write it; whatever it says, within the limits.
#include <stdint.h>

#include "room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qdot_context *cx = room_context();
  qdot_sink nowhere = room_sink();
  qdot_model *model;
  qdot_system *system;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK) {
    qdot_model_write(model, NULL, nowhere);
    if (qdot_system_derive(model, &system) == QDOT_OK) {
      qdot_system_write_options options = qdot_system_write_defaults();
      qdot_system_write(system, &options, nowhere);
      options.format = QDOT_FORMAT_JSON;
      options.simplify = QDOT_SIMPLIFY_NONE;
      qdot_system_write(system, &options, nowhere);
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
