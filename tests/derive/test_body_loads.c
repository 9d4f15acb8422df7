// What acts on each body adds up to its mass times its acceleration, and its torques to its inertia
// times its angular acceleration, along the motions of all examples that are made of bodies.
#include "derive/body_loads.h"

#include <math.h>
#include <string.h>

#include "result/sampler.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

#define BALANCED 2e-6 // of the largest load: sums may differ by so much
#define LEAST 1e-4    // newtons and newton metres: what is smaller may be rounding
enum { OF_LOAD = 5, OF_BODY = 8 };

static uint32_t with_bodies, rows_seen;

static bool is_of_contact(const char *name) {
  const char *word = strrchr(name, '.');
  return word && (strcmp(word, ".R") == 0 || strcmp(word, ".M") == 0);
}

// mass, inertia, x, y, theta, accelerations
static bool is_balanced(const BodyLoads *all, uint32_t number, const double *values, double t) {
  const double *body = values + OF_LOAD * all->loads.n + OF_BODY * number;
  double sums[3] = {0}, sizes[3] = {LEAST, LEAST, LEAST};
  bool unknown = false;
  double given[3] = {body[0] * body[5], body[0] * body[6], body[1] * body[7]};
  for (uint32_t i = 0; i < all->loads.n; i++) {
    const BodyLoad *load = &all->loads.at[i];
    const double *v = values + OF_LOAD * i;
    // friction that no line asks for has no column: nobody knows it
    if (isnan(v[2] + v[3] + v[4]) && is_of_contact(load->name)) unknown = true;
    if (load->body != number) continue;
    double x = load->has_place ? v[0] - body[2] : 0, y = load->has_place ? v[1] - body[3] : 0;
    double parts[3] = {v[2], v[3], v[4] + x * v[3] - y * v[2]};
    for (int k = 0; k < 3; k++) sums[k] += parts[k], sizes[k] = fmax(sizes[k], fabs(parts[k]));
    sizes[2] = fmax(sizes[2], hypot(x, y) * hypot(v[2], v[3]));
  }
  for (int k = 0; k < 3 && !unknown; k++) {
    double size = fmax(sizes[k], fabs(given[k]));
    if (fabs(sums[k] - given[k]) <= BALANCED * size) continue;
    print_message("t = %g, body %u, part %d: %.9g instead of %.9g\n", t, number, k, sums[k],
                  given[k]);
    return false;
  }
  return true;
}

static Signal *signals_of(Context *cx, const BodyLoads *all, uint32_t *count) {
  uint32_t n = OF_LOAD * all->loads.n + OF_BODY * all->bodies.n, at = 0;
  Signal *signals = arena_array(&cx->keep, Signal, n);
  for (uint32_t i = 0; i < all->loads.n; i++) {
    const BodyLoad *l = &all->loads.at[i];
    Expr parts[OF_LOAD] = {l->place[0], l->place[1], l->force[0], l->force[1], l->torque};
    for (int k = 0; k < OF_LOAD; k++) signals[at++] = signal_from_expr(parts[k]);
  }
  for (uint32_t i = 0; i < all->bodies.n; i++) {
    const LoadedBody *b = &all->bodies.at[i];
    Expr parts[OF_BODY] = {b->mass,    b->inertia,         b->pose[0],         b->pose[1],
                           b->pose[2], b->acceleration[0], b->acceleration[1], b->acceleration[2]};
    for (int k = 0; k < OF_BODY; k++) signals[at++] = signal_from_expr(parts[k]);
  }
  *count = n;
  return signals;
}

static void check_model(Context *cx, const char *name, const char *text, double end) {
  Result *result = recording_of_run(cx, name, text, end);
  if (!result->model->origin) return;
  BodyLoads all = body_loads(result->model, &cx->keep);
  assert_true(all.is_known);
  uint32_t n;
  Signal *signals = signals_of(cx, &all, &n);
  Sampler sampler;
  double *values = arena_array(&cx->keep, double, n);
  sampler_open(&sampler, cx, result, signals, n);
  RowSource *rows = &result->motion;
  rows->rewind(rows->user);
  bool was_balanced = true;
  for (const double *row; (row = rows->next(rows->user)); rows_seen++) {
    bool are_balanced = true;
    sampler_read(&sampler, row, values);
    for (uint32_t i = 0; i < all.bodies.n; i++)
      are_balanced = is_balanced(&all, i, values, row[0]) && are_balanced;
    // the row in which a rope gets taut has the state before and the accelerations behind it
    assert_true(are_balanced || was_balanced);
    was_balanced = are_balanced;
  }
  sampler_close(&sampler);
  with_bodies++;
}

static void check_example(Context *cx, const char *path) {
  check_model(cx, path, example_text(cx, path), 0.2);
}

TEST(all_that_acts_on_a_body_moves_it) {
  with_bodies = rows_seen = 0;
  with_every_example(check_example);
  print_message("%u models, %u rows\n", with_bodies, rows_seen);
  assert_true(with_bodies >= 15);
}

RUN_TESTS(cmocka_unit_test(all_that_acts_on_a_body_moves_it))
