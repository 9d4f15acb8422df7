// From a scene's metres to pixels: a camera that sees the whole motion, or follows it.
#include "scene/view.h"

#include <math.h>

#include "chart/thinning.h"

#define TURN 0.52 // radians: from where space is seen
#define RISE 0.33
#define MARGIN 34          // pixels
#define FOOTER 22          // pixels for clock and scale
#define FOLLOW_BEYOND 25.0 // times its own size: then the camera goes along

Place2 view_flat(const View *view, const double *p) {
  if (!view->is_spatial) return (Place2){p[0], p[1]};
  double right = cos(TURN) * p[0] + sin(TURN) * p[1];
  double up = sin(RISE) * (cos(TURN) * p[1] - sin(TURN) * p[0]) + cos(RISE) * p[2];
  return (Place2){right, up};
}

double view_depth(const View *view, const double *p) {
  if (!view->is_spatial) return 0;
  return cos(RISE) * (cos(TURN) * p[1] - sin(TURN) * p[0]) - sin(RISE) * p[2];
}

Place2 view_pixel(const View *view, const double *point) {
  Place2 flat = view_flat(view, point);
  return (Place2){0.5 * view->width + view->scale * (flat.x - view->centre.x),
                  0.5 * (view->height - FOOTER) - view->scale * (flat.y - view->centre.y)};
}

// ---- What is to be seen

static double reach_of(const SceneShape *shape, const double *pose) {
  if (shape->shape == DRAW_FORCE) return 0;
  double reach = shape->radius == NO_SIGNAL ? 0 : fabs(pose[shape->radius]);
  if (shape->size_a != NO_SIGNAL) reach = 0.5 * hypot(pose[shape->size_a], pose[shape->size_b]);
  if (shape->shape == DRAW_BELT) reach = fmax(fabs(pose[shape->size_a]), fabs(pose[shape->size_b]));
  // teeth reach beyond the pitch circle, and a ring beyond its teeth
  if (shape->teeth > 1) reach *= 1 + (shape->is_ring ? 8.0 : 2.0) / shape->teeth;
  return isfinite(reach) ? reach : 0;
}

static void include_track(const View *view, const SceneShape *track, const double *pose,
                          Extent *extent) {
  for (int end = 0; end < 2; end++) {
    double at[3];
    track_end(track, pose, end, at);
    Place2 flat = view_flat(view, at);
    extent_include(extent, (Point){flat.x, flat.y});
    if (track->track != TRACK_FACE) continue;
    face_foot(track, pose, end, at);
    flat = view_flat(view, at);
    extent_include(extent, (Point){flat.x, flat.y});
  }
}

// with_trails: also what reaches beyond one pose.
static void include_pose(const View *view, const Scene *scene, const double *pose, bool with_trails,
                         Extent *extent) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->is_hidden || (shape->shape == DRAW_TRAIL && !with_trails)) continue;
    if (shape->shape == DRAW_TRACK) {
      if (with_trails) include_track(view, shape, pose, extent);
      continue;
    }
    double reach = reach_of(shape, pose);
    for (uint32_t k = 0; k < shape->point_count; k++) {
      Place2 at = view_flat(view, pose + shape->points + 3 * k);
      extent_include(extent, (Point){at.x - reach, at.y - reach});
      extent_include(extent, (Point){at.x + reach, at.y + reach});
    }
  }
}

static Extent extent_of_pose(const View *view, const Scene *scene, const double *pose) {
  Extent extent = extent_none();
  include_pose(view, scene, pose, false, &extent);
  return extent;
}

static double larger_side(const Extent *e) {
  return e->low_x <= e->high_x ? fmax(e->high_x - e->low_x, e->high_y - e->low_y) : 0;
}

double view_size(const Scene *scene, const double *pose) {
  View view = {.is_spatial = scene->is_spatial};
  Extent extent = extent_of_pose(&view, scene, pose);
  return larger_side(&extent);
}

// Rods as thick as fits the shortest of them.
static double rod_width(const View *view, const Scene *scene, const double *pose) {
  double shortest = INFINITY;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape != DRAW_LINE || shape->is_hidden) continue;
    for (uint32_t k = 0; k + 1 < shape->point_count; k++) {
      Place2 a = view_pixel(view, pose + shape->points + 3 * k);
      Place2 b = view_pixel(view, pose + shape->points + 3 * (k + 1));
      double length = hypot(b.x - a.x, b.y - a.y);
      if (length > 1) shortest = fmin(shortest, length);
    }
  }
  return isfinite(shortest) ? fmin(fmax(0.14 * shortest, 1.6), 7) : 6;
}

static uint32_t even(double pixels) { return 2 * (uint32_t)lround(0.5 * pixels); }

static void fit(View *view, const Extent *all, uint32_t most) {
  double wide = fmax(all->high_x - all->low_x, 1e-12), high = fmax(all->high_y - all->low_y, 1e-12);
  double inner = fmax(most - 2.0 * MARGIN, 0.3 * most); // of a stamp its middle
  // Neither a stripe nor a tower.
  double ratio = fmin(fmax(high / wide, 0.3), 0.85);
  view->width = even(most);
  view->height = even(ratio * inner + 2 * MARGIN + FOOTER);
  view->scale = fmin(inner / wide, (view->height - 2.0 * MARGIN - FOOTER) / high);
  view->centre = (Place2){0.5 * (all->low_x + all->high_x), 0.5 * (all->low_y + all->high_y)};
}

View view_of_motion(const Scene *scene, const Poses *poses, uint32_t most) {
  View view = {.is_spatial = scene->is_spatial};
  Extent all = extent_none();
  double largest = 0;
  for (uint32_t i = 0; i < poses->count; i++) {
    Extent now = extent_of_pose(&view, scene, pose_at(poses, i));
    largest = fmax(largest, larger_side(&now));
    include_pose(&view, scene, pose_at(poses, i), true, &all);
  }
  double side = larger_side(&all);
  if (!(all.low_x <= all.high_x)) all = (Extent){-1, 1, -1, 1};
  if (side == 0) all.low_x -= 1, all.high_x += 1, all.low_y -= 1, all.high_y += 1;
  view.follows = largest > 0 && side > FOLLOW_BEYOND * largest;
  if (view.follows) all = (Extent){-1.2 * largest, 1.2 * largest, -0.8 * largest, 0.8 * largest};
  fit(&view, &all, most);
  if (poses->count) view.rod = rod_width(&view, scene, pose_at(poses, 0));
  return view;
}

// Where what moves along a line stands on it.
static void include_follower(const View *view, const SceneShape *track, const double *pose,
                             Extent *extent) {
  const double *p = pose + track->points, *follower = p + 6;
  double along = 0, at[3];
  for (int i = 0; i < 3; i++) along += (follower[i] - p[i]) * (p[3 + i] - p[i]);
  for (int i = 0; i < 3; i++) at[i] = p[i] + along * (p[3 + i] - p[i]);
  Place2 flat = view_flat(view, at);
  extent_include(extent, (Point){flat.x, flat.y});
}

static void include_trails(const View *view, const Scene *scene, const double *pose,
                           Extent *extent) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape != DRAW_TRAIL || shape->is_hidden) continue;
    Place2 at = view_flat(view, pose + shape->points);
    extent_include(extent, (Point){at.x, at.y});
  }
}

View view_of_pose(const Scene *scene, const Poses *poses, uint32_t number, const double (*more)[3],
                  size_t count, uint32_t most) {
  const double speck = 0.05, room = 0.08; // of the larger side
  View whole = view_of_motion(scene, poses, most), view = whole;
  const double *pose = pose_at(poses, number);
  Extent extent = extent_of_pose(&view, scene, pose);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape != DRAW_TRACK || shape->is_hidden) continue;
    bool is_short = shape->track == TRACK_FACE || shape->track == TRACK_TOOTHED;
    if (is_short)
      include_track(&view, shape, pose, &extent);
    else
      include_follower(&view, shape, pose, &extent);
  }
  for (size_t i = 0; i < count; i++) {
    Place2 flat = view_flat(&view, more[i]);
    extent_include(&extent, (Point){flat.x, flat.y});
  }
  for (uint32_t i = 0; i < number; i++) include_trails(&view, scene, pose_at(poses, i), &extent);
  double side = larger_side(&extent);
  if (whole.follows || !(side > speck * whole.width / whole.scale)) return whole;
  double margin = room * side;
  extent.low_x -= margin, extent.high_x += margin, extent.low_y -= margin, extent.high_y += margin;
  fit(&view, &extent, most);
  view.rod = rod_width(&view, scene, pose);
  return view;
}

View view_at(const View *view, const Scene *scene, const double *pose) {
  View now = *view;
  if (!view->follows) return now;
  Extent extent = extent_of_pose(view, scene, pose);
  if (extent.low_x <= extent.high_x)
    now.centre =
        (Place2){0.5 * (extent.low_x + extent.high_x), 0.5 * (extent.low_y + extent.high_y)};
  return now;
}
