// Any text as a model, read only: many more texts a second than with the derivation.
#include <stdint.h>

#include "qdot/qdot.h"

static int forget(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = (size_t)256 << 20;
  limits.nodes = 200000;
  limits.seconds = 2;
  limits.statements = 2000;
  qdot_context *cx = qdot_context_open(&limits);
  qdot_sink nowhere = {forget, NULL};
  qdot_model *model;
  if (qdot_model_parse(cx, "fuzz", (const char *)data, size, NULL, &model) == QDOT_OK)
    qdot_model_write(model, 1, nowhere);
  qdot_diagnostics_write(cx, 1, nowhere);
  qdot_context_close(cx);
  return 0;
}
