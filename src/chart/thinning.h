// Long curves with few points: what a reader can see stays, peaks above all.
#ifndef QDOT_CHART_THINNING_H
#define QDOT_CHART_THINNING_H

#include <stdbool.h>

#include "base/vec.h"

// y is NaN where the curve breaks.
typedef struct Point {
  double x, y;
} Point;

typedef struct Points {
  Point *at;
  uint32_t n;
} Points;

// A curve over time that arrives point by point. It is kept in columns of equally many points
// (first, lowest, highest, last of each); when there are too many columns, neighbours are merged.
typedef struct ThinColumn {
  Point first, low, high, last;
  bool is_empty, has_gap; // has_gap: a NaN stood behind it, or in it where there are very many
} ThinColumn;

typedef struct Thinner {
  Arena *arena;
  ThinColumn *columns;
  uint32_t n, limit;
  uint64_t per_column, in_last;
  uint64_t seen;
} Thinner;

// The result has at least `columns` columns when there are enough points, and fewer than twice as
// many.
Thinner thinner_new(Arena *arena, uint32_t columns);
void thinner_add(Thinner *thinner, double x, double y);
// At most four points a column, in order of x.
Points thinner_finish(const Thinner *thinner, Arena *into);

// A path in the plane that arrives point by point; points that the eye would not miss are dropped
// whenever there are more than `limit`.
typedef struct PathThinner {
  Arena *arena;
  Point *at;
  uint32_t n, limit;
  double part; // of the path's extent: how far a dropped point may be off
} PathThinner;

PathThinner path_thinner_new(Arena *arena, uint32_t limit);
void path_thinner_add(PathThinner *thinner, double x, double y);
Points path_thinner_finish(PathThinner *thinner);

typedef struct Extent {
  double low_x, high_x, low_y, high_y; // low > high when there are no points
} Extent;
Extent extent_none(void);
void extent_include(Extent *extent, Point point);
Extent extent_of(Points points);

// Drops points in place that lie within tolerance of the line through their neighbours, measured
// in units of scale_x and scale_y; ends of pieces and the points that reach furthest stay.
// Returns how many are left.
uint32_t simplify_path(Point *points, uint32_t n, double scale_x, double scale_y, double tolerance);

#endif
