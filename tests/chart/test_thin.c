// Thinning keeps what a reader can see.
#include "chart/thinning.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

TEST(extremes_ends_and_spikes_survive) {
  Random random = random_start("thin");
  for (int round = 0; round < test_rounds(60); round++) {
    uint32_t columns = 10 + (uint32_t)random_below(&random, 200);
    uint32_t n = 1 + (uint32_t)random_below(&random, 30000);
    Thinner thinner = thinner_new(&cx->keep, columns);
    double low = INFINITY, high = -INFINITY, first = 0, last = 0;
    uint32_t spike = (uint32_t)random_below(&random, (int)n);
    for (uint32_t i = 0; i < n; i++) {
      double y = sin(i * 0.01) + random_real(&random, -0.1, 0.1) + (i == spike ? 7 : 0);
      thinner_add(&thinner, i, y);
      low = fmin(low, y), high = fmax(high, y), last = y;
      if (i == 0) first = y;
    }
    Points points = thinner_finish(&thinner, &cx->keep);
    assert_true(points.n <= 8 * columns && points.n >= (n < columns ? n : columns));
    Extent e = extent_of(points);
    assert_true(e.low_y == low && e.high_y == high && e.low_x == 0 && e.high_x == n - 1);
    assert_true(points.at[0].y == first && points.at[points.n - 1].y == last);
    for (uint32_t i = 1; i < points.n; i++) assert_true(points.at[i].x >= points.at[i - 1].x);
  }
}

TEST(few_points_stay_as_they_are) {
  Thinner thinner = thinner_new(&cx->keep, 100);
  for (int i = 0; i < 150; i++) thinner_add(&thinner, i, i * i);
  Points points = thinner_finish(&thinner, &cx->keep);
  assert_int_equal(points.n, 150);
  for (uint32_t i = 0; i < 150; i++) assert_true(points.at[i].y == i * i);
}

TEST(gaps_stay_gaps) {
  Thinner thinner = thinner_new(&cx->keep, 10);
  for (int i = 0; i < 1000; i++) thinner_add(&thinner, i, i >= 400 && i < 600 ? NAN : i);
  Points points = thinner_finish(&thinner, &cx->keep);
  bool gap = false;
  for (uint32_t i = 0; i < points.n; i++) gap = gap || isnan(points.at[i].y);
  assert_true(gap);
  Thinner empty = thinner_new(&cx->keep, 10);
  for (int i = 0; i < 100; i++) thinner_add(&empty, i, INFINITY);
  assert_int_equal(thinner_finish(&empty, &cx->keep).n, 1);
  Thinner none = thinner_new(&cx->keep, 10);
  assert_int_equal(thinner_finish(&none, &cx->keep).n, 0);
}

// An angle that jumps from one edge to the other has no line between them.
TEST(curves_break_where_they_jump) {
  Random random = random_start("jumps");
  for (int round = 0; round < test_rounds(40); round++) {
    uint32_t n = 500 + (uint32_t)random_below(&random, 20000),
             turns = 1 + (uint32_t)random_below(&random, 9);
    Thinner thinner = thinner_new(&cx->keep, 200);
    double before = 0;
    for (uint32_t i = 0; i < n; i++) {
      double y = remainder(2 * M_PI * turns * i / n, 2 * M_PI);
      if (i && fabs(y - before) > M_PI) thinner_add(&thinner, i, NAN);
      thinner_add(&thinner, i, y);
      before = y;
    }
    Points points = thinner_finish(&thinner, &cx->keep);
    for (uint32_t i = 1; i < points.n; i++)
      if (fabs(points.at[i].y - points.at[i - 1].y) > M_PI)
        fail_msg("a line across at %g", points.at[i].x);
  }
}

static double distance_to_segment(Point p, Point a, Point b) {
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double part = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  return hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

// Every original point lies near the simplified path.
static void check_near_path(const Point *all, uint32_t n, Points kept, double tolerance) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < n; i++) {
    double nearest = INFINITY;
    for (uint32_t k = at; k + 1 < kept.n && k < at + 3; k++) {
      double distance = distance_to_segment(all[i], kept.at[k], kept.at[k + 1]);
      if (distance < nearest) nearest = distance;
    }
    assert_true(nearest <= tolerance);
    while (at + 1 < kept.n && all[i].x == kept.at[at + 1].x && all[i].y == kept.at[at + 1].y) at++;
  }
}

TEST(simplified_paths_stay_within_the_tolerance) {
  Random random = random_start("simplify");
  for (int round = 0; round < test_rounds(100); round++) {
    uint32_t n = 2 + (uint32_t)random_below(&random, 3000);
    double rate = random_real(&random, 0.001, 0.2), noise = random_below(&random, 2) * 0.01;
    Point *all = arena_array(&cx->keep, Point, n), *copy = arena_array(&cx->keep, Point, n);
    for (uint32_t i = 0; i < n; i++)
      all[i] = (Point){cos(rate * i) + random_real(&random, -noise, noise), sin(1.7 * rate * i)};
    memcpy(copy, all, n * sizeof *all);
    uint32_t kept = simplify_path(copy, n, 1, 1, 1e-3);
    check_near_path(all, n, (Points){copy, kept}, 2.1e-3);
    Extent before = extent_of((Points){all, n}), after = extent_of((Points){copy, kept});
    assert_true(before.low_y == after.low_y && before.high_y == after.high_y);
  }
}

TEST(straight_lines_become_two_points_and_gaps_stay) {
  Point line[1000];
  for (int i = 0; i < 1000; i++) line[i] = (Point){i, 2 * i};
  assert_int_equal(simplify_path(line, 1000, 1000, 2000, 1e-4), 2);
  for (int i = 0; i < 1000; i++) line[i] = (Point){i, i == 500 ? NAN : 2 * i};
  assert_int_equal(simplify_path(line, 1000, 1000, 2000, 1e-4), 5);
  assert_int_equal(simplify_path(line, 0, 1, 1, 1), 0);
  Point same[3] = {{1, 1}, {1, 1}, {1, 1}};
  assert_true(simplify_path(same, 3, 1, 1, 1e-3) <= 3);
}

TEST(long_paths_need_bounded_memory) {
  PathThinner thinner = path_thinner_new(&cx->keep, 5000);
  for (uint32_t i = 0; i < 400000; i++)
    path_thinner_add(&thinner, cos(i * 0.01) * (1 + 0.3 * sin(i * 1e-4)), sin(i * 0.01));
  path_thinner_add(&thinner, NAN, 0);
  path_thinner_add(&thinner, 0, INFINITY);
  Points points = path_thinner_finish(&thinner);
  assert_true(points.n <= 5000 && points.n > 500);
  Extent e = extent_of(points);
  CHECK_NEAR(e.high_x, 1.3, 1e-3);
  CHECK_NEAR(e.low_y, -1, 1e-6);
}

RUN_TESTS(cmocka_unit_test(extremes_ends_and_spikes_survive),
          cmocka_unit_test(few_points_stay_as_they_are), cmocka_unit_test(gaps_stay_gaps),
          cmocka_unit_test(curves_break_where_they_jump),
          cmocka_unit_test(simplified_paths_stay_within_the_tolerance),
          cmocka_unit_test(straight_lines_become_two_points_and_gaps_stay),
          cmocka_unit_test(long_paths_need_bounded_memory))
