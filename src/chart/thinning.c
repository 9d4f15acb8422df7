// Long curves with few points: what a reader can see stays, peaks above all.
#include "chart/thinning.h"

#include <assert.h>
#include <math.h>

// ---- Curves over time

Thinner thinner_new(Arena *arena, uint32_t columns) {
  Thinner thinner = {.arena = arena, .limit = 2 * columns, .per_column = 1};
  thinner.columns = arena_array(arena, ThinColumn, thinner.limit);
  return thinner;
}

static void merge_column(ThinColumn *left, const ThinColumn *right) {
  bool gap = left->has_gap || right->has_gap;
  if (left->is_empty) {
    *left = *right;
  } else if (!right->is_empty) {
    if (right->low.y < left->low.y) left->low = right->low;
    if (right->high.y > left->high.y) left->high = right->high;
    left->last = right->last;
  }
  left->has_gap = gap;
}

// Would the gap behind the left column be lost?
static bool is_gap_between(const ThinColumn *left, const ThinColumn *right) {
  return left->has_gap && !right->is_empty;
}

// Neighbours, but not across a gap while these are few.
static void merge_columns(Thinner *thinner) {
  uint32_t gaps = 0, n = 0;
  for (uint32_t i = 0; i + 1 < thinner->n; i++)
    gaps += is_gap_between(&thinner->columns[i], &thinner->columns[i + 1]);
  bool keep_gaps = gaps < thinner->limit / 4;
  for (uint32_t i = 0; i < thinner->n;) {
    ThinColumn column = thinner->columns[i++];
    bool alone = i == thinner->n || (keep_gaps && is_gap_between(&column, &thinner->columns[i]));
    if (!alone) merge_column(&column, &thinner->columns[i++]);
    thinner->columns[n++] = column;
  }
  thinner->n = n;
  thinner->per_column *= 2;
}

void thinner_add(Thinner *thinner, double x, double y) {
  if (!isfinite(x)) return;
  Point point = {x, y};
  bool gap = !isfinite(y);
  ThinColumn alone = {point, point, point, point, gap, gap};
  thinner->seen++;
  bool behind_gap = thinner->n > 0 && is_gap_between(&thinner->columns[thinner->n - 1], &alone);
  if (thinner->n > 0 && thinner->in_last < thinner->per_column && !behind_gap) {
    merge_column(&thinner->columns[thinner->n - 1], &alone);
    thinner->in_last++;
    return;
  }
  if (thinner->n == thinner->limit) merge_columns(thinner);
  thinner->columns[thinner->n++] = alone;
  thinner->in_last = 1;
}

static void push_point(Points *points, Point point) {
  const Point *last = points->n ? &points->at[points->n - 1] : NULL;
  if (last && last->x == point.x && last->y == point.y) return;
  if (last && isnan(last->y) && isnan(point.y)) return;
  points->at[points->n++] = point;
}

Points thinner_finish(const Thinner *thinner, Arena *into) {
  Points points = {.at = arena_array(into, Point, 5 * (size_t)thinner->n + 1)};
  for (uint32_t i = 0; i < thinner->n; i++) {
    const ThinColumn *c = &thinner->columns[i];
    if (!c->is_empty) {
      bool low_first = c->low.x <= c->high.x;
      push_point(&points, c->first);
      push_point(&points, low_first ? c->low : c->high);
      push_point(&points, low_first ? c->high : c->low);
      push_point(&points, c->last);
    }
    if (c->has_gap) push_point(&points, (Point){c->last.x, NAN});
  }
  return points;
}

// ---- Extents

Extent extent_none(void) {
  return (Extent){.low_x = INFINITY, .high_x = -INFINITY, .low_y = INFINITY, .high_y = -INFINITY};
}

void extent_include(Extent *e, Point point) {
  if (!isfinite(point.x) || !isfinite(point.y)) return;
  e->low_x = fmin(e->low_x, point.x), e->high_x = fmax(e->high_x, point.x);
  e->low_y = fmin(e->low_y, point.y), e->high_y = fmax(e->high_y, point.y);
}

Extent extent_of(Points points) {
  Extent extent = extent_none();
  for (uint32_t i = 0; i < points.n; i++) extent_include(&extent, points.at[i]);
  return extent;
}

// ---- Paths

// Directions from the last kept point in which all points since lie within the tolerance.
typedef struct Sector {
  double x, y;      // the kept point
  double low, high; // angles about the direction of the first point behind it
  double direction;
  double reach; // how far the points since have come
  bool is_open; // no point behind it yet
} Sector;

static double angle_between(double angle, double reference) {
  return remainder(angle - reference, 2 * M_PI);
}

// Narrows the sector by a point; false when the point does not fit and the one before must stay.
static bool sector_takes(Sector *s, double x, double y, double tolerance) {
  double dx = x - s->x, dy = y - s->y, distance = hypot(dx, dy);
  if (distance <= tolerance) return s->reach <= tolerance;
  double angle = atan2(dy, dx), width = asin(fmin(1, tolerance / distance));
  if (s->is_open) {
    *s = (Sector){s->x, s->y, -width, width, angle, distance, false};
    return true;
  }
  double turned = angle_between(angle, s->direction);
  if (turned < s->low || turned > s->high || distance < s->reach) return false;
  s->low = fmax(s->low, turned - width), s->high = fmin(s->high, turned + width);
  s->reach = distance;
  return true;
}

// The first points that reach furthest left, right, down and up.
typedef struct Outermost {
  uint32_t at[4];
} Outermost;

static Outermost outermost_of(const Point *points, uint32_t n) {
  Extent e = extent_of((Points){(Point *)points, n});
  Outermost found = {{n, n, n, n}};
  for (uint32_t i = n; i-- > 0;) {
    if (points[i].x == e.low_x) found.at[0] = i;
    if (points[i].x == e.high_x) found.at[1] = i;
    if (points[i].y == e.low_y) found.at[2] = i;
    if (points[i].y == e.high_y) found.at[3] = i;
  }
  return found;
}

static bool is_outermost(const Outermost *outermost, uint32_t i) {
  const uint32_t *at = outermost->at;
  return i == at[0] || i == at[1] || i == at[2] || i == at[3];
}

uint32_t simplify_path(Point *points, uint32_t n, double scale_x, double scale_y,
                       double tolerance) {
  Outermost outermost = outermost_of(points, n);
  uint32_t kept = 0;
  Sector sector = {0};
  bool in_piece = false;
  for (uint32_t i = 0; i < n; i++) {
    Point point = points[i];
    bool gap = isnan(point.y);
    bool must_stay = is_outermost(&outermost, i) || i + 1 == n || isnan(points[i + 1].y);
    double x = point.x / scale_x, y = point.y / scale_y;
    // A point that does not fit makes the one before it a corner.
    if (in_piece && !gap && !sector_takes(&sector, x, y, tolerance)) {
      Point corner = points[i - 1];
      if (points[kept - 1].x != corner.x || points[kept - 1].y != corner.y) points[kept++] = corner;
      sector = (Sector){.x = corner.x / scale_x, .y = corner.y / scale_y, .is_open = true};
      sector_takes(&sector, x, y, tolerance);
    }
    if (gap || !in_piece || must_stay) {
      assert(kept <= i);
      points[kept++] = point;
      sector = (Sector){.x = x, .y = y, .is_open = true};
    }
    in_piece = !gap;
  }
  return kept;
}

#define FINEST_PART (1.0 / 8192)

PathThinner path_thinner_new(Arena *arena, uint32_t limit) {
  PathThinner thinner = {.arena = arena, .limit = limit, .part = FINEST_PART};
  thinner.at = arena_array(arena, Point, limit);
  return thinner;
}

static void thin_path(PathThinner *thinner) {
  Extent e = extent_of((Points){thinner->at, thinner->n});
  double width = e.high_x - e.low_x, height = e.high_y - e.low_y;
  thinner->n = simplify_path(thinner->at, thinner->n, width > 0 ? width : 1,
                             height > 0 ? height : 1, thinner->part);
}

void path_thinner_add(PathThinner *thinner, double x, double y) {
  Point point = {x, isfinite(x) ? y : NAN};
  if (!isfinite(point.y)) point = (Point){0, NAN};
  if (thinner->n > 0) {
    const Point *last = &thinner->at[thinner->n - 1];
    if (isnan(last->y) ? isnan(point.y) : last->x == x && last->y == y) return;
  }
  while (thinner->n == thinner->limit) {
    thin_path(thinner);
    if (thinner->n > thinner->limit / 2) thinner->part *= 2;
  }
  thinner->at[thinner->n++] = point;
}

Points path_thinner_finish(PathThinner *thinner) {
  thin_path(thinner);
  return (Points){thinner->at, thinner->n};
}
