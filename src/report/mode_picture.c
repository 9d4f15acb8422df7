// Modes drawn on the mechanism.
//
//   scene at the point -> how far to move -> rows of one period -> animation, still picture
#include "report/mode_picture.h"

#include <math.h>

#include "analyse/vibration/mode_motion.h"
#include "print/typeset.h"
#include "scene/poses.h"

#define ROW_STEP 0.01   // seconds of the animation from row to row: four rows a frame
#define PERIOD_ROWS 160 // of one period
#define LAST_ROW 157    // rows of an animation that repeats: the next one would be the first again
#define SHARE 0.16      // of the scene's size: how far its points move
#define MOST_TURN 0.45  // radians: how far angles turn
#define MOST_STRETCH 0.45 // of its length: how far a spring is stretched
#define TINY 1e-6         // of the shape: a displacement for slopes
#define TIME_CONSTANTS 3  // of growth or decay that are shown
#define MOST_HALVINGS 40

typedef struct ModeAnimation {
  Context *cx;
  const Linearized *l;
  const Mode *mode;
  ModeMotion motion;
  Result result;
  RowArray rows;
  uint32_t width; // of a row: t and the coordinates
  double amplitude;
} ModeAnimation;

// ---- Rows

static void name_columns(ModeAnimation *animation, const Model *model) {
  const char **names = arena_array(&animation->cx->scratch, const char *, animation->width);
  names[0] = "t";
  for (uint32_t i = 0; i < animation->l->n; i++)
    names[1 + i] = symbol_text(animation->cx, model->coordinates.at[i].name);
  animation->result = (Result){.model = model, .column_count = animation->width, .columns = names};
}

// One row at (a + ib) shape.
static Status fill_row(ModeAnimation *animation, double *row, double t, const Mode *mode, double a,
                       double b) {
  row[0] = t;
  return mode_motion_at(&animation->motion, mode, a, b, row + 1);
}

static void take_rows(ModeAnimation *animation, RowArray *rows, const double *cells, uint64_t n) {
  *rows = (RowArray){.cells = cells, .rows = n, .width = animation->width};
  animation->result.rows = animation->result.motion = rows_from_array(rows);
}

// The factor of the shape in row i: real for what does not oscillate.
static void phase_of_row(const ModeAnimation *animation, uint32_t i, double *a, double *b) {
  double part = (double)i / PERIOD_ROWS;
  *a = animation->amplitude * cos(2 * M_PI * part),
  *b = animation->amplitude * sin(2 * M_PI * part);
  if (animation->mode->kind != MODE_EXPONENTIAL) return;
  double rest = animation->mode->re > 0 ? 1 - part : part;
  *a = animation->amplitude * exp(-TIME_CONSTANTS * rest), *b = 0;
}

static Status fill_animation(ModeAnimation *animation, double *cells, uint32_t rows) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < rows && status == QDOT_OK; i++) {
    double a, b;
    phase_of_row(animation, i, &a, &b);
    status = fill_row(animation, cells + (size_t)i * animation->width, i * ROW_STEP,
                      animation->mode, a, b);
  }
  return status;
}

// ---- How far to move

static double distance(const double *a, const double *b) {
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return sqrt(x * x + y * y + z * z);
}

// The largest distance between points of a pose, or between those of two poses.
static double scene_size(const Scene *scene, const double *pose) {
  double size = 0;
  const double *origin = pose + scene->shapes.at[0].points;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    double reach = shape->radius == NO_SIGNAL ? 0 : fabs(pose[shape->radius]);
    for (uint32_t k = 0; k < shape->point_count; k++) {
      double far = distance(origin, pose + shape->points + 3 * k) + reach;
      if (isfinite(far)) size = fmax(size, far);
    }
  }
  return size;
}

static double scene_shift(const Scene *scene, const double *from, const double *to) {
  double most = 0;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    for (uint32_t k = 0; k < shape->point_count; k++) {
      uint32_t at = shape->points + 3 * k;
      double shift = distance(from + at, to + at);
      if (isfinite(shift)) most = fmax(most, shift);
    }
  }
  return most;
}

// The largest change of a link's length beside that length.
static double scene_stretch(const Scene *scene, const double *from, const double *to) {
  double most = 0;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape != DRAW_SPRING && shape->shape != DRAW_DAMPER) continue;
    uint32_t a = shape->points, b = shape->points + 3;
    double length = distance(from + a, from + b);
    double change = fabs(distance(to + a, to + b) - length) / length;
    if (isfinite(change)) most = fmax(most, change);
  }
  return most;
}

static double largest_turn(const ModeAnimation *animation) {
  double most = 0;
  for (uint32_t i = 0; i < animation->l->n; i++) {
    const Measure *measure = &animation->l->system->model->coordinates.at[i].measure;
    if (measure->is_known && dimension_is_pure(measure->dimension))
      most = fmax(most, hypot(animation->mode->shape_re[i], animation->mode->shape_im[i]));
  }
  return most;
}

// Points move by a share of the scene's size, angles by less than half a radian, springs by less
// than half their length.
static Status choose_amplitude(ModeAnimation *animation) {
  Arena *scratch = &animation->cx->scratch;
  Mark mark = arena_mark(scratch);
  double *row = arena_array(scratch, double, animation->width);
  Status status = fill_row(animation, row, 0, animation->mode, 0, 0);
  RowArray rows;
  take_rows(animation, &rows, row, 1);
  Scene scene = scene_from_result(animation->cx, &animation->cx->scratch, &animation->result);
  double shift = 0, stretch = 0, size = 0;
  if (scene.shapes.n > 0 && status == QDOT_OK) {
    double *rest = arena_array(scratch, double, scene.signals.n);
    double *moved = arena_array(scratch, double, scene.signals.n);
    Sampler sampler;
    sampler_open(&sampler, animation->cx, &animation->result, scene.signals.at, scene.signals.n);
    sampler_read(&sampler, row, rest);
    size = scene_size(&scene, rest);
    for (int quarter = 0; quarter < 2 && status == QDOT_OK; quarter++) {
      status = fill_row(animation, row, 0, animation->mode, quarter ? 0 : TINY, quarter ? TINY : 0);
      sampler_read(&sampler, row, moved);
      shift = fmax(shift, scene_shift(&scene, rest, moved) / TINY);
      stretch = fmax(stretch, scene_stretch(&scene, rest, moved) / TINY);
    }
    sampler_close(&sampler);
  }
  double turn = largest_turn(animation);
  double by_turn = turn > 0 ? MOST_TURN / turn : INFINITY;
  double by_shift = shift > 0 && size > 0 ? SHARE * size / shift : INFINITY;
  double by_stretch = stretch > 0 ? MOST_STRETCH / stretch : INFINITY;
  animation->amplitude = fmin(fmin(by_turn, by_stretch), by_shift);
  if (!isfinite(animation->amplitude)) animation->amplitude = 1;
  arena_release(scratch, mark);
  return status;
}

// ---- What the whole mechanism can do

// Rows that show every mode, so that a spring that rests in this one is still a spring.
static const Result *motion_of_all(ModeAnimation *animation, const Modes *modes) {
  const double parts[] = {-1, -0.5, 0, 0.5, 1};
  enum { PARTS = sizeof parts / sizeof *parts };
  Arena *scratch = &animation->cx->scratch;
  double *cells = arena_array(scratch, double, (size_t)modes->count *PARTS * animation->width + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < modes->count; k++)
    for (int i = 0; i < PARTS; i++) {
      double *row = cells + (size_t)n * animation->width;
      double a = parts[i] * animation->amplitude;
      if (fill_row(animation, row, n * ROW_STEP, &modes->mode[k], a, 0) == QDOT_OK) n++;
    }
  Result *all = arena_new(scratch, Result);
  *all = animation->result;
  RowArray *rows = arena_new(scratch, RowArray);
  *rows = (RowArray){.cells = cells, .rows = n, .width = animation->width};
  all->rows = all->motion = rows_from_array(rows);
  return all;
}

// ---- Words

static const char *caption_of(const ModeAnimation *animation, uint32_t k,
                              const Language *language) {
  const Mode *mode = animation->mode;
  Arena *scratch = &animation->cx->scratch;
  const char *words = "", *comma = "";
  Text numbers = text_new(scratch);
  switch (mode->kind) {
  case MODE_RIGID: words = language_say(language, SAY_MODE_RIGID); break;
  case MODE_EXPONENTIAL:
    words = language_say(language, mode->re > 0 ? SAY_MODE_GROWTH : SAY_MODE_DECAY), comma = ", ";
    text_addf(&numbers, "exp(%.4g t)", mode->re);
    break;
  case MODE_OSCILLATION:
    text_addf(&numbers, "%.5g Hz", mode->hz);
    if (fabs(mode->damping) > 1e-9) text_addf(&numbers, ", D = %.3g", mode->damping);
  }
  for (size_t i = 0; i < numbers.n; i++)
    if (numbers.at[i] == '.') numbers.at[i] = language->decimal;
  return text_format(scratch, "%s %u: %s%s%s", language_say(language, SAY_PLOT_MODE), k + 1, words,
                     comma, numbers.at);
}

// ---- Files

// The still picture: from one end of the motion to the other.
static Status draw_ends(ModeAnimation *animation, const AnimateOptions *options, unsigned formats) {
  enum { ENDS = 5 };
  double *cells = arena_array(&animation->cx->scratch, double, (size_t)ENDS * animation->width);
  Status status = QDOT_OK;
  for (int i = 0; i < ENDS && status == QDOT_OK; i++) {
    double part = i / (ENDS - 1.0), angle = M_PI * (part - 1);
    bool turns = animation->mode->kind != MODE_EXPONENTIAL;
    status = fill_row(animation, cells + (size_t)i * animation->width, i * ROW_STEP,
                      animation->mode, animation->amplitude * (turns ? cos(angle) : part),
                      turns ? animation->amplitude * sin(angle) : 0);
  }
  RowArray rows;
  take_rows(animation, &rows, cells, ENDS);
  return status == QDOT_OK
             ? draw_still(animation->cx, &animation->result, options, formats, ENDS - 1, NULL)
             : status;
}

// A mechanism that does not reach so far is shown in a smaller motion.
static Status fill_or_shrink(ModeAnimation *animation, double *cells, uint32_t rows) {
  Status status = fill_animation(animation, cells, rows);
  for (int i = 0; i < MOST_HALVINGS && status == QDOT_INCONSISTENT; i++) {
    animation->amplitude /= 2;
    status = fill_animation(animation, cells, rows);
  }
  if (status == QDOT_INCONSISTENT)
    return diag_error_plain(animation->cx, status,
                            "this mode cannot be drawn: the constraints do not allow "
                            "even a small motion along it");
  return status;
}

static Status draw_animation(ModeAnimation *animation, const ModePictureOptions *options,
                             const AnimateOptions *animate) {
  Context *cx = animation->cx;
  double *cells = arena_array(&cx->scratch, double, (size_t)LAST_ROW * animation->width);
  Status status = fill_or_shrink(animation, cells, LAST_ROW);
  if (status == QDOT_OK && options->stills) status = draw_ends(animation, animate, options->stills);
  if (status != QDOT_OK || !animate->formats) return status;
  RowArray rows;
  take_rows(animation, &rows, cells, LAST_ROW);
  Animation made;
  return animate_result(cx, &animation->result, animate, &made);
}

Status mode_picture(Context *cx, const Linearized *l, const Modes *modes, const double *values,
                    uint32_t k, const ModePictureOptions *options, const char **name) {
  Mark mark = arena_mark(&cx->scratch);
  ModeAnimation animation = {.cx = cx, .l = l, .mode = &modes->mode[k], .width = 1 + l->n};
  name_columns(&animation, l->system->model);
  mode_motion_open(&animation.motion, l, values);
  Status status = choose_amplitude(&animation);
  AnimateOptions animate = options->animate;
  animate.name = *name = text_format(cx->results, "mode-%u", k + 1);
  animate.speed = animate.magnify = 1;
  animate.decimal_sign = options->language->decimal;
  animate.caption = caption_of(&animation, k, options->language);
  if (status == QDOT_OK) {
    animate.all_motions = motion_of_all(&animation, modes);
    status = draw_animation(&animation, options, &animate);
  }
  mode_motion_close(&animation.motion);
  arena_release(&cx->scratch, mark);
  return status;
}

Status mode_rows(Context *cx, const Linearized *l, const Modes *modes, const double *values,
                 uint32_t k, const Result **out, const Result **all) {
  ModeAnimation *animation = arena_new(&cx->scratch, ModeAnimation);
  *animation = (ModeAnimation){.cx = cx, .l = l, .mode = &modes->mode[k], .width = 1 + l->n};
  name_columns(animation, l->system->model);
  mode_motion_open(&animation->motion, l, values);
  double *cells = arena_array(&cx->scratch, double, (size_t)(PERIOD_ROWS + 1) * animation->width);
  Status status = choose_amplitude(animation);
  if (status == QDOT_OK) *all = motion_of_all(animation, modes);
  if (status == QDOT_OK) status = fill_or_shrink(animation, cells, PERIOD_ROWS + 1);
  take_rows(animation, &animation->rows, cells, PERIOD_ROWS + 1);
  *out = &animation->result;
  mode_motion_close(&animation->motion);
  return status;
}
