// Derives a model and prints its equations: derive MODEL.qdot
#include <qdot/qdot.h>
#include <stdio.h>

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: %s MODEL.qdot\n", words[0]);
    return 2;
  }
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = NULL;
  qdot_system *system = NULL;
  qdot_status status = qdot_model_load(cx, words[1], NULL, &model);
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) {
    qdot_system_write_options options = qdot_system_write_defaults();
    options.only = "M,h,G";
    status = qdot_system_write(system, &options, qdot_sink_stream(stdout));
  }
  // Everything that went wrong, in the user's words.
  qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  qdot_context_close(cx);
  return status == QDOT_OK ? 0 : 1;
}
