// Eigenvalues drawn in the complex plane.
#include "api/analyse/api_analyse.h"

#include "api/analyse/api_chart.h"
#include "api/api_call.h"
#include "base/host/folder.h"
#include "chart/eigenvalue_chart.h"
#include <math.h>

typedef struct Drawing {
  qdot_linear *linear;
  const char *folder;
} Drawing;

double qdot_linear_sample_time(const qdot_linear *linear) {
  if (!linear) return NAN;
  return linear->has_modes ? linear->modes.period : 0;
}

static Status draw(void *argument) {
  const Drawing *d = argument;
  Context *cx = d->linear->linearized.cx;
  if (!d->linear->has_modes) return api_no_modes(d->linear, "there are no eigenvalues");
  Chart chart = eigenvalue_chart(cx, &d->linear->modes);
  Status status = folder_make(cx, d->folder);
  return status == QDOT_OK ? api_draw_chart(cx, d->folder, &chart) : status;
}

qdot_status qdot_eigenvalues_draw(qdot_linear *linear, const char *folder) {
  if (!linear) return QDOT_BAD_ARGUMENT;
  Drawing drawing = {linear, folder ? folder : "."};
  return api_call(linear->linearized.cx, draw, &drawing);
}
