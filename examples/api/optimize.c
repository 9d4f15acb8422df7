// Optimizes a parameter with exact derivatives: how long is a pendulum that swings for two seconds?
//
//   optimize pendulum.qdot
//
// Released at rest it must stand still again after one second, half a swing. Newton's method finds
// the length L with theta'(1 s) = 0. The derivative of theta'(1 s) by L comes from the variational
// equations, whose coefficients the evaluator gives exactly:
//
//   (dq/dL)'' = (dq''/dq) dq/dL + (dq''/dq') dq'/dL + dq''/dL
#include <math.h>
#include <qdot/qdot.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 4 }; // theta, theta', and their derivatives by L

typedef struct Task {
  qdot_evaluator *evaluator;
  size_t parameters, length; // how many there are, and which one is L
} Task;

static qdot_status rates(const Task *task, double t, const double *y, double *dy) {
  double acceleration, by_state[2], by_parameters[16];
  qdot_status status =
      qdot_evaluator_accelerations(task->evaluator, t, &y[0], &y[1], &acceleration, NULL);
  if (status == QDOT_OK)
    status = qdot_evaluator_slopes(task->evaluator, t, &y[0], &y[1], by_state, NULL, by_parameters);
  dy[0] = y[1];
  dy[1] = acceleration;
  dy[2] = y[3];
  dy[3] = by_state[0] * y[2] + by_state[1] * y[3] + by_parameters[task->length];
  return status;
}

// The classical Runge-Kutta method.
static qdot_status integrate(const Task *task, double t_end, int steps, double *y) {
  static const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
  double h = t_end / steps;
  qdot_status status = QDOT_OK;
  for (int k = 0; k < steps && status == QDOT_OK; k++) {
    double slope[STATES] = {0}, sum[STATES] = {0}, at[STATES];
    for (int stage = 0; stage < 4 && status == QDOT_OK; stage++) {
      for (int i = 0; i < STATES; i++) at[i] = y[i] + nodes[stage] * h * slope[i];
      status = rates(task, h * (k + nodes[stage]), at, slope);
      for (int i = 0; i < STATES; i++) sum[i] += weights[stage] / 6 * slope[i];
    }
    for (int i = 0; i < STATES; i++) y[i] += h * sum[i];
  }
  return status;
}

static qdot_status optimize(Task *task) {
  double length, change = 1;
  qdot_status status = qdot_evaluator_get(task->evaluator, "L", &length);
  for (int k = 0; status == QDOT_OK && fabs(change) > 1e-12 && k < 20; k++) {
    double y[STATES] = {0};
    status = qdot_evaluator_set(task->evaluator, "L", length);
    if (status == QDOT_OK) status = qdot_evaluator_initial(task->evaluator, &y[0], &y[1]);
    if (status == QDOT_OK) status = integrate(task, 1, 500, y);
    if (status != QDOT_OK) break;
    printf("L = %.9f m   theta'(1 s) = %10.2e rad/s   by L: %.4f\n", length, y[1], y[3]);
    change = -y[1] / y[3];
    length += change;
  }
  return status;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: %s pendulum.qdot\n", words[0]);
    return 2;
  }
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  Task task = {0};
  qdot_status status = cx ? qdot_model_load(cx, words[1], NULL, &model) : QDOT_NO_MEMORY;
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK)
    status = qdot_evaluator_open(
        system, QDOT_EVALUATE_STATE_SLOPES | QDOT_EVALUATE_PARAMETER_SLOPES, &task.evaluator);
  if (status == QDOT_OK) {
    task.parameters = qdot_system_name_count(system, QDOT_PART_PARAMETERS);
    while (task.length < task.parameters &&
           strcmp(qdot_system_name_at(system, QDOT_PART_PARAMETERS, task.length), "L") != 0)
      task.length++;
    if (task.length == task.parameters ||
        qdot_system_name_count(system, QDOT_PART_COORDINATES) != 1 || task.parameters > 16)
      status = QDOT_BAD_ARGUMENT;
  }
  if (status == QDOT_OK) status = optimize(&task);
  if (cx) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  if (status != QDOT_OK) fprintf(stderr, "%s\n", qdot_status_text(status));
  qdot_context_close(cx);
  return status == QDOT_OK ? 0 : 1;
}
