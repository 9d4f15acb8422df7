// A scene's numbers at equally spaced times, read from the rows of a result.
#include "scene/poses.h"

#include <math.h>
#include <string.h>

bool result_times(Context *cx, const Result *result, double *begin, double *end) {
  int column = result_column(result, "t");
  *begin = INFINITY, *end = -INFINITY;
  if (column < 0) return false;
  uint64_t count = 0;
  result->motion.rewind(result->motion.user);
  for (double t; rows_pass(&result->motion, column, &t);) {
    if (++count % 65536 == 0) context_poll(cx);
    *begin = fmin(*begin, t), *end = fmax(*end, t);
  }
  return *begin <= *end && isfinite(*end - *begin);
}

// Two neighbouring rows and where velocities stand.
typedef struct RowPair {
  uint32_t width;
  int time;
  int *velocity; // column of a position's velocity, or -1
  double *before, *after, *between;
} RowPair;

static RowPair row_pair(Context *cx, Arena *arena, const Result *result) {
  uint32_t n = result->column_count;
  RowPair pair = {.width = n,
                  .time = result_column(result, "t"),
                  .velocity = arena_array(arena, int, n),
                  .before = arena_array(arena, double, n),
                  .after = arena_array(arena, double, n),
                  .between = arena_array(arena, double, n)};
  for (uint32_t i = 0; i < n; i++) pair.velocity[i] = -1;
  for (uint32_t i = 0; i < result->model->coordinates.n; i++) {
    const char *name = symbol_text(cx, result->model->coordinates.at[i].name);
    int position = result_column(result, name);
    if (position >= 0)
      pair.velocity[position] = result_column(result, text_format(arena, "%s'", name));
  }
  return pair;
}

// Hermite's cubic through positions a, b and velocities da, db a time h apart.
static double cubic(double a, double b, double da, double db, double h, double part) {
  double rest = 1 - part;
  return a * rest * rest * (1 + 2 * part) + b * part * part * (1 + 2 * rest) +
         h * part * rest * (da * rest - db * part);
}

static const double *row_between(RowPair *pair, double t) {
  const double *a = pair->before, *b = pair->after;
  double h = b[pair->time] - a[pair->time];
  double part = h > 0 ? (t - a[pair->time]) / h : 1;
  if (part >= 1) return b;
  if (part <= 0) return a;
  for (uint32_t i = 0; i < pair->width; i++) {
    int v = pair->velocity[i];
    pair->between[i] =
        v >= 0 ? cubic(a[i], b[i], a[v], b[v], h, part) : a[i] + part * (b[i] - a[i]);
  }
  pair->between[pair->time] = t;
  return pair->between;
}

Poses poses_read(const Scene *scene, Arena *into, double begin, double end, double step,
                 uint32_t most) {
  Context *cx = scene->cx;
  const RowSource *rows = &scene->result->motion;
  double whole = step > 0 ? floor((end - begin) / step + 1e-6) + 1 : 1;
  uint32_t count = whole < most ? (uint32_t)whole : most;
  Poses poses = {.width = scene->signals.n, .begin = begin, .step = step};
  poses.values = arena_array(into, double, (size_t)count *poses.width);
  RowPair pair = row_pair(cx, into, scene->result);
  Sampler sampler;
  sampler_open(&sampler, cx, scene->result, scene->signals.at, scene->signals.n);
  rows->rewind(rows->user);
  bool first = true;
  for (const double *row; poses.count < count && (row = rows->next(rows->user)); first = false) {
    double *swap = pair.before;
    pair.before = pair.after, pair.after = swap;
    memcpy(pair.after, row, pair.width * sizeof *row);
    if (first) memcpy(pair.before, row, pair.width * sizeof *row);
    double now = row[pair.time] + 1e-9 * step;
    for (; poses.count < count && begin + poses.count * step <= now; poses.count++)
      sampler_read(&sampler, row_between(&pair, begin + poses.count * step),
                   poses.values + (size_t)poses.width * poses.count);
  }
  sampler_close(&sampler);
  return poses;
}

Poses poses_of_rows(const Scene *scene, Arena *into, uint32_t most) {
  const RowSource *rows = &scene->result->motion;
  int time = result_column(scene->result, "t");
  uint64_t count = 0;
  rows->rewind(rows->user);
  for (double t; rows_pass(rows, time, &t);)
    if (++count % 65536 == 0) context_poll(scene->cx);
  uint64_t stride = count / most + 1;
  Poses poses = {.width = scene->signals.n};
  poses.values = arena_array(into, double, (size_t)most *poses.width);
  Sampler sampler;
  sampler_open(&sampler, scene->cx, scene->result, scene->signals.at, scene->signals.n);
  rows->rewind(rows->user);
  double t;
  for (const double *row; poses.count < most && (row = rows->next(rows->user)); poses.count++) {
    sampler_read(&sampler, row, poses.values + (size_t)poses.width * poses.count);
    for (uint64_t i = 1; i < stride; i++) rows_pass(rows, time, &t);
  }
  sampler_close(&sampler);
  return poses;
}
