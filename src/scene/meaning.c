// What the parts of a drawing mean, by the motion.
#include "scene/meaning.h"

#include <math.h>

#include "scene/groups.h"

#define STEADY 1e-6 // radians: by so much what is constant may vary
#define SHOWN 1e-3  // radians: a motion that is smaller proves nothing
#define LOOKS 60    // poses that are compared

ScenePieces scene_pieces(const Scene *scene) {
  ScenePieces pieces = {0};
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    bool is_straight = shape->shape == DRAW_LINE || shape->shape == DRAW_SPRING ||
                       (shape->shape == DRAW_ARROW && scene->is_guessed);
    if (!is_straight || shape->is_hidden) continue;
    for (uint32_t k = 0; k + 1 < shape->point_count; k++) {
      ScenePiece piece = {shape->points + 3 * k, shape->points + 3 * k + 3, i,
                          shape->group + (shape->has_joints ? k : 0)};
      vec_push(scene->arena, &pieces, piece);
    }
  }
  return pieces;
}

uint32_t scene_add_coordinates(Scene *scene) {
  const Model *model = scene->result->model;
  uint32_t first = scene->signals.n;
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    scene_signal(scene, model->coordinates.at[i].q);
  return first;
}

static bool depends(const Scene *scene, uint32_t signal, Expr q) {
  return signal != NO_SIGNAL && expr_depends(scene->cx, scene->signals.at[signal].value, q);
}

static bool point_depends(const Scene *scene, uint32_t point, Expr q) {
  return depends(scene, point, q) || depends(scene, point + 1, q) || depends(scene, point + 2, q);
}

// ---- Angles

static double direction(const double *pose, const ScenePiece *piece) {
  const double *a = pose + piece->from, *b = pose + piece->to;
  return atan2(b[1] - a[1], b[0] - a[0]);
}

static double turned_back(double angle) { return remainder(angle, 2 * M_PI); }

typedef struct Comparison {
  const Poses *poses;
  uint32_t coordinate; // signal
  const ScenePiece *arm, *base;
} Comparison;

// The direction of the arm less sign times the coordinate, if that is steady.
static bool find_zero(const Comparison *c, int sign, double *zero) {
  uint32_t stride = c->poses->count / LOOKS + 1;
  double first = NAN, low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < c->poses->count; i += stride) {
    const double *pose = pose_at(c->poses, i);
    double arm = direction(pose, c->arm), q = pose[c->coordinate];
    double base = c->base ? direction(pose, c->base) : 0, off = arm - base - sign * q;
    if (!isfinite(off)) return false;
    if (isnan(first)) first = off;
    if (!(fabs(turned_back(off - first)) < STEADY)) return false;
    low = fmin(low, q), high = fmax(high, q);
  }
  *zero = turned_back(first);
  return high - low > SHOWN;
}

static bool is_angle(const Measure *measure) {
  return measure->is_known && dimension_is_pure(measure->dimension);
}

// Against the x axis, then against another piece; a piece whose ends are made of the coordinate
// comes before one that only moves as if.
static bool find_angle(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                       uint32_t coordinate, uint32_t signal, SceneAngle *out) {
  Expr q = scene->result->model->coordinates.at[coordinate].q;
  for (int pass = 0; pass < 4; pass++)
    for (uint32_t i = 0; i < pieces->n; i++) {
      bool with_base = pass >= 2, must_depend = pass % 2 == 0;
      const ScenePiece *arm = &pieces->at[i];
      if (must_depend && !point_depends(scene, arm->from, q) && !point_depends(scene, arm->to, q))
        continue;
      for (uint32_t k = 0; k < (with_base ? pieces->n : 1); k++)
        for (int sign = 1; sign >= -1; sign -= 2) {
          Comparison c = {poses, signal, arm, with_base ? &pieces->at[k] : NULL};
          double zero;
          if ((with_base && k == i) || !find_zero(&c, sign, &zero)) continue;
          double other = turned_back(zero + M_PI); // from the arm's other end
          bool is_flipped = fabs(other) < fabs(zero) - SHOWN;
          *out = (SceneAngle){coordinate, i,          with_base ? k : NO_SIGNAL,
                              sign,       is_flipped, is_flipped ? other : zero};
          return true;
        }
    }
  return false;
}

SceneAngles scene_angles(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                         uint32_t first_coordinate) {
  const Model *model = scene->result->model;
  SceneAngles angles = {0};
  const uint32_t most = 30; // of a long chain nobody reads more
  if (scene->is_spatial || pieces->n > most) return angles;
  for (uint32_t i = 0; i < model->coordinates.n && i < most; i++) {
    SceneAngle angle;
    if (is_angle(&model->coordinates.at[i].measure) &&
        find_angle(scene, poses, pieces, i, first_coordinate + i, &angle))
      vec_push(scene->arena, &angles, angle);
  }
  return angles;
}

// ---- Groups

static bool is_part(const SceneShape *shape) {
  switch (shape->shape) {
  case DRAW_LINE:
  case DRAW_POLYGON:
  case DRAW_DISC:
  case DRAW_BOX: return !shape->is_hidden;
  default: return false;
  }
}

// How many coordinates move it; as many as can be where nobody would wait for the answer.
static uint32_t movers_of(const Scene *scene, const SceneShape *shape) {
  const uint32_t most = 40;
  const Model *model = scene->result->model;
  uint32_t n = 0;
  if (model->coordinates.n > most) return UINT32_MAX;
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    n += shape_depends(scene, shape, model->coordinates.at[i].q);
  return n;
}

// The group of the first piece of a shape that a coordinate moves.
static uint32_t group_moved(const Scene *scene, const SceneShape *shape, Expr q) {
  for (uint32_t k = 0; k < shape->point_count && shape->has_joints; k++)
    if (point_depends(scene, shape->points + 3 * k, q)) return shape->group + (k ? k - 1 : 0);
  return shape->group;
}

// Of several parts that it moves, the one that the fewest others move, too.
uint32_t scene_group_of(const Scene *scene, const ScenePieces *pieces, const SceneAngles *angles,
                        uint32_t coordinate) {
  for (uint32_t i = 0; i < angles->n; i++)
    if (angles->at[i].coordinate == coordinate &&
        scene->shapes.at[pieces->at[angles->at[i].arm].shape].shape == DRAW_LINE)
      return pieces->at[angles->at[i].arm].group;
  Expr q = scene->result->model->coordinates.at[coordinate].q;
  uint32_t group = NO_SIGNAL, fewest = 0;
  for (uint32_t i = 0; i < scene->shapes.n && fewest != 1; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (!is_part(shape) || !shape_depends(scene, shape, q)) continue;
    uint32_t movers = movers_of(scene, shape);
    if (group != NO_SIGNAL && movers >= fewest) continue;
    group = group_moved(scene, shape, q), fewest = movers;
  }
  return group;
}

// A draw line's, or NULL.
static const Colour *chosen_colour(const Scene *scene, uint32_t group) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->group == group && shape->has_colour && is_part(shape)) return &shape->colour;
  }
  return NULL;
}

// What nothing drawn shows has a colour that no part has, while there is one.
static int place_of_none(const Scene *scene) {
  for (int place = 0; place < CURVE_COLOURS; place++) {
    bool is_taken = false;
    for (uint32_t i = 0; i < scene->shapes.n && !is_taken; i++)
      is_taken = is_part(&scene->shapes.at[i]) &&
                 scene->shapes.at[i].group % PART_COLOURS == (uint32_t)place;
    if (!is_taken) return place;
  }
  return CURVE_COLOURS - 1;
}

const int *scene_coordinate_places(const Scene *scene, const ScenePieces *pieces,
                                   const SceneAngles *angles) {
  uint32_t n = scene->result->model->coordinates.n;
  int *places = arena_array(scene->arena, int, n + 1), none = place_of_none(scene);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t group = scene_group_of(scene, pieces, angles, i);
    places[i] = group == NO_SIGNAL ? none : (int)(group % PART_COLOURS);
    if (group != NO_SIGNAL && chosen_colour(scene, group)) places[i] = -1;
  }
  return places;
}

Colour scene_coordinate_colour(const Scene *scene, const ScenePieces *pieces,
                               const SceneAngles *angles, uint32_t coordinate, int place) {
  const Colour *chosen =
      place < 0 ? chosen_colour(scene, scene_group_of(scene, pieces, angles, coordinate)) : NULL;
  return chosen ? *chosen : place_colour(place < 0 ? 0 : (uint32_t)place);
}

const int *scene_palette_places(Context *cx, Arena *arena, const Result *result) {
  double begin, end;
  if (!result_times(cx, result, &begin, &end) || !(end > begin)) return NULL;
  Scene scene = scene_from_result(cx, arena, result);
  uint32_t first = scene_add_coordinates(&scene);
  Poses poses = poses_read(&scene, arena, begin, end, (end - begin) / 200, 201);
  scene_settle(&scene, &poses);
  ScenePieces pieces = scene_pieces(&scene);
  SceneAngles angles = scene_angles(&scene, &poses, &pieces, first);
  return scene_coordinate_places(&scene, &pieces, &angles);
}
