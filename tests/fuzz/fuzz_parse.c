// Any text as a model, read only: many more texts a second than with the derivation.
#include <stdint.h>

#include "room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qdot_context *cx = room_context();
  qdot_sink nowhere = room_sink();
  qdot_model *model;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK)
    qdot_model_write(model, NULL, nowhere);
  qdot_write_options style = qdot_write_defaults();
  style.colour = 1;
  qdot_diagnostics_write(cx, &style, nowhere);
  qdot_context_close(cx);
  return 0;
}
