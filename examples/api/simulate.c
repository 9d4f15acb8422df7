// Simulates in a loop of its own: a controller balances the cart-pole through its input.
//
//   simulate cart_pole.qdot
//
// Every 10 ms the program reads the state, decides on a force and hands it to the model, as a
// computer in the cart would.
#include <math.h>
#include <qdot/qdot.h>
#include <stdio.h>

// u = k . (x, theta, x', theta') puts the eigenvalues of the linearized cart-pole (see `qdot
// linearize cart_pole.qdot`) at -2, -2.5, -4 and -5 1/s.
static const double gains[] = {5.1, 46.09, 6.88, 10.19};

static double control(const double *values, const size_t *places) {
  double force = 0;
  for (int i = 0; i < 4; i++) force += gains[i] * values[places[i]];
  return fmax(-10, fmin(10, force)); // what the motor can give
}

static qdot_status balance(qdot_simulation *simulation) {
  static const char *const names[] = {"x", "theta", "x'", "theta'"};
  size_t places[4];
  for (int i = 0; i < 4; i++) places[i] = qdot_simulation_column_find(simulation, names[i]);
  qdot_status status = qdot_simulation_set(simulation, "F", 0); // nobody else pushes
  printf("%6s %10s %10s %10s\n", "t", "x", "theta", "u");
  for (int k = 0; k <= 400 && status == QDOT_OK; k++) {
    status = qdot_simulation_advance(simulation, 0.01 * k);
    if (status != QDOT_OK) break;
    const double *values = qdot_simulation_values(simulation);
    double force = control(values, places);
    if (k % 40 == 0)
      printf("%6.2f %10.5f %10.5f %10.5f\n", values[0], values[places[0]], values[places[1]],
             force);
    status = qdot_simulation_set(simulation, "u", force);
  }
  return status;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: %s cart_pole.qdot\n", words[0]);
    return 2;
  }
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_simulation *simulation;
  qdot_status status = cx ? qdot_model_load(cx, words[1], NULL, &model) : QDOT_NO_MEMORY;
  if (status == QDOT_OK) status = qdot_simulation_open(model, NULL, &simulation);
  if (status == QDOT_OK) status = balance(simulation);
  if (cx) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  if (status != QDOT_OK) fprintf(stderr, "%s\n", qdot_status_text(status));
  qdot_context_close(cx); // the model and the simulation go with it
  return status == QDOT_OK ? 0 : 1;
}
