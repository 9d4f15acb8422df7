// How far lines reach along which something moves.
#include "scene/tracks.h"

#include <math.h>

#define LOOKS 200     // poses that are looked at
#define OVERHANG 0.08 // of its length: so far a track extends beyond what moves along it
#define SHORT 1e-9    // of a metre: a slope below this is none

static void widen(SceneShape *track, double low, double high) {
  if (isfinite(low) && isfinite(high))
    track->low = fmin(track->low, low), track->high = fmax(track->high, high);
}

static void reach_along(SceneShape *track, const double *pose, const double *point, double radius) {
  const double *p = pose + track->points;
  double along = 0;
  for (int i = 0; i < 3; i++) along += (point[i] - p[i]) * (p[3 + i] - p[i]);
  widen(track, along - radius, along + radius);
}

static double radius_of(const SceneShape *shape, const double *pose) {
  double size = shape->radius == NO_SIGNAL ? 0 : fabs(pose[shape->radius]);
  // a track's radius is that of what rolls on it, its size that of its own body
  if (shape->shape != DRAW_TRACK && shape->shape != DRAW_FORCE && shape->size_a != NO_SIGNAL &&
      shape->size_b != NO_SIGNAL)
    size = fmax(size, 0.5 * hypot(pose[shape->size_a], pose[shape->size_b]));
  return size;
}

static bool is_face(const SceneShape *shape) {
  return shape->shape == DRAW_TRACK && shape->track == TRACK_FACE;
}

// ---- What slides along it

static void reach_of_corners(SceneShape *track, const double *pose, const SceneShape *box) {
  double angle = box->angle == NO_SIGNAL ? 0 : pose[box->angle];
  for (int i = 0; i < 4; i++) {
    double x = (i & 1 ? 0.5 : -0.5) * pose[box->size_a],
           y = (i & 2 ? 0.5 : -0.5) * pose[box->size_b];
    double corner[3] = {pose[box->points] + x * cos(angle) - y * sin(angle),
                        pose[box->points + 1] + x * sin(angle) + y * cos(angle), 0};
    reach_along(track, pose, corner, 0);
  }
}

static void reach_of_rider(const Scene *scene, SceneShape *track, const double *pose) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *other = &scene->shapes.at[i];
    if (other->is_hidden || !track->rider || other->body != track->rider) continue;
    if (other->shape == DRAW_BOX && other->size_a != NO_SIGNAL) {
      reach_of_corners(track, pose, other);
      continue;
    }
    for (int end = 0; end < 2 && is_face(other); end++) {
      double foot[3];
      face_foot(other, pose, end, foot);
      reach_along(track, pose, foot, 0);
    }
    for (uint32_t k = 0; k < other->point_count; k++)
      reach_along(track, pose, pose + other->points + 3 * k, radius_of(other, pose));
  }
}

// A slider that is drawn some pixels large, whatever the scale.
static bool has_no_size(const Scene *scene, uint32_t body) {
  bool found = false;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->body != body || shape->is_hidden) continue;
    if (is_face(shape)) return false;
    found |= shape->shape == DRAW_BOX && shape->size_a == NO_SIGNAL;
    found |= shape->shape == DRAW_DISC && shape->radius == NO_SIGNAL;
  }
  return found;
}

// ---- Faces

// A face ends above the ends of its plate; it reaches from where its author put the line.
static void reach_of_solid(SceneShape *face, const double *pose) {
  const double *origin = pose + face->points, *foot = origin + 9;
  double u[2] = {origin[3] - origin[0], origin[4] - origin[1]};
  double e[2] = {foot[3] - foot[0], foot[4] - foot[1]}, slope = u[0] * e[0] + u[1] * e[1];
  if (face->size_a == NO_SIGNAL) {
    widen(face, 0, 0);
  } else if (fabs(slope) > SHORT) {
    double middle = ((foot[0] - origin[0]) * e[0] + (foot[1] - origin[1]) * e[1]) / slope;
    double half = 0.5 * fabs(pose[face->size_a] / slope);
    widen(face, middle - half, middle + half);
  }
}

static double height_of_end(const SceneShape *face, const double *pose, int end) {
  double at[3], foot[3];
  track_end(face, pose, end, at);
  face_foot(face, pose, end, foot);
  return at[1] - foot[1];
}

// Where it crosses the line on which its body slides the wedge has its tip. What then lies on the
// lower side is no part of it; where that is most, nobody can tell where the solid is.
static void cut_at_tip(SceneShape *face, const double *pose) {
  double low = height_of_end(face, pose, 0), high = height_of_end(face, pose, 1);
  if (!(low * high < 0)) return;
  double tip = face->low + (face->high - face->low) * low / (low - high);
  double cut = low < 0 ? tip - face->low : face->high - tip;
  if (cut > 0.5 * (face->high - face->low)) {
    face->track = TRACK_MOVING, face->body = 0;
  } else {
    *(low < 0 ? &face->low : &face->high) = tip;
  }
}

static bool is_one_line(const SceneShape *a, const SceneShape *b, const double *pose) {
  const double *p = pose + a->points, *q = pose + b->points;
  double ux = p[3] - p[0], uy = p[4] - p[1];
  double turned = ux * (q[4] - q[1]) - uy * (q[3] - q[0]);
  double apart = ux * (q[1] - p[1]) - uy * (q[0] - p[0]);
  double size = fabs(a->high - a->low) + fabs(b->high - b->low);
  return fabs(turned) < SHORT && fabs(apart) <= 1e-6 * size;
}

static double place_along(const SceneShape *track, const double *pose, const double *point) {
  const double *p = pose + track->points;
  return (point[0] - p[0]) * (p[3] - p[0]) + (point[1] - p[1]) * (p[4] - p[1]);
}

static void merge_faces(Scene *scene, const double *pose) {
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    for (uint32_t k = 0; k < i; k++) {
      SceneShape *first = &scene->shapes.at[k], *second = &scene->shapes.at[i];
      bool are_faces = is_face(first) && is_face(second) && !first->is_hidden &&
                       !second->is_hidden && first->body == second->body;
      if (!are_faces || !is_one_line(first, second, pose)) continue;
      for (int end = 0; end < 2; end++) {
        double at[3];
        track_end(second, pose, end, at);
        double along = place_along(first, pose, at);
        widen(first, along, along);
      }
      second->is_hidden = true;
    }
}

// ---- All of them

// What stands fast reaches as far as anything moves; what moves, as far as it is rolled upon.
static void settle_track(const Scene *scene, const Poses *poses, SceneShape *track) {
  uint32_t stride = poses->count / LOOKS + 1;
  track->low = INFINITY, track->high = -INFINITY;
  for (uint32_t i = 0; i < poses->count; i += stride) {
    const double *pose = pose_at(poses, i);
    reach_along(track, pose, pose + track->points + 6, 1.2 * radius_of(track, pose));
    if (track->track == TRACK_RAIL || is_face(track)) reach_of_rider(scene, track, pose);
    if (is_face(track)) reach_of_solid(track, pose);
    for (uint32_t k = 0; k < scene->shapes.n && track->track == TRACK_FIXED; k++) {
      const SceneShape *other = &scene->shapes.at[k];
      if (other->is_hidden) continue;
      for (uint32_t n = 0; n < other->point_count; n++)
        reach_along(track, pose, pose + other->points + 3 * n, radius_of(other, pose));
    }
  }
  track->is_beneath = track->track == TRACK_RAIL && has_no_size(scene, track->rider);
  bool has_ends = is_face(track) && track->size_a != NO_SIGNAL;
  double overhang = has_ends ? 0 : OVERHANG * (track->high - track->low);
  track->is_hidden = !(track->high > track->low) && !track->is_beneath;
  track->low -= overhang, track->high += overhang;
}

void scene_settle_tracks(Scene *scene, const Poses *poses) {
  const double *pose = pose_at(poses, 0);
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (is_face(&scene->shapes.at[i])) settle_track(scene, poses, &scene->shapes.at[i]);
  merge_faces(scene, pose);
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (is_face(&scene->shapes.at[i])) cut_at_tip(&scene->shapes.at[i], pose);
  // rails lie under what slides on them
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape == DRAW_TRACK && !is_face(shape)) settle_track(scene, poses, shape);
  }
}
