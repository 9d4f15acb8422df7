// Any text as a model, read only: many more texts a second than with the derivation.
#include <stdint.h>

#include "room.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qdot_context *cx = room_context();
  qdot_sink nowhere = room_sink();
  qdot_model *model;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK)
    qdot_model_write(model, 1, nowhere);
  qdot_diagnostics_write(cx, 1, nowhere);
  qdot_context_close(cx);
  return 0;
}
