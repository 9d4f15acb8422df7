// How far springs and dampers run inside the parts that they hold. The page has the same in
// stems.js.
#include "scene/stems.h"

#include <math.h>

#define LEAST_LEFT 0.25 // of the way, for coils
#define EDGE 1e-6       // of a part's size: so near to its edge an end is outside

// Where the way from p along d leaves a disc or box around c, as a part of d; 0 where p is outside.
static double way_out(const SceneShape *part, const double *pose, const double *p,
                      const double d[2]) {
  const double *c = pose + part->points;
  double x = p[0] - c[0], y = p[1] - c[1];
  if (part->shape == DRAW_DISC && part->radius != NO_SIGNAL) {
    double r = fabs(pose[part->radius]), a = d[0] * d[0] + d[1] * d[1], b = x * d[0] + y * d[1];
    double inside = r * r - x * x - y * y;
    return inside > EDGE * r * r ? (sqrt(b * b + a * inside) - b) / a : 0;
  }
  if (part->shape != DRAW_BOX || part->size_a == NO_SIGNAL) return 0;
  double turn = part->angle == NO_SIGNAL ? 0 : pose[part->angle], cosine = cos(turn),
         sine = sin(turn);
  double at[2] = {x * cosine + y * sine, y * cosine - x * sine};
  double way[2] = {d[0] * cosine + d[1] * sine, d[1] * cosine - d[0] * sine};
  double half[2] = {0.5 * fabs(pose[part->size_a]), 0.5 * fabs(pose[part->size_b])}, out = INFINITY;
  for (int i = 0; i < 2; i++) {
    if (!(fabs(at[i]) < (1 - EDGE) * half[i])) return 0;
    if (way[i] != 0) out = fmin(out, ((way[i] > 0 ? half[i] : -half[i]) - at[i]) / way[i]);
  }
  return isfinite(out) ? out : 0;
}

void stems_of(const Scene *scene, const double *pose, const SceneShape *spring, double out[2]) {
  const double *ends[] = {pose + spring->points, pose + spring->points + 3};
  out[0] = out[1] = 0;
  for (int end = 0; end < 2 && !scene->is_spatial; end++) {
    double way[] = {ends[1 - end][0] - ends[end][0], ends[1 - end][1] - ends[end][1]};
    for (uint32_t i = 0; i < scene->shapes.n && (way[0] != 0 || way[1] != 0); i++)
      if (!scene->shapes.at[i].is_hidden)
        out[end] = fmax(out[end], way_out(&scene->shapes.at[i], pose, ends[end], way));
  }
  if (!(out[0] + out[1] <= 1 - LEAST_LEFT)) out[0] = out[1] = 0;
}
