// Modes drawn on the mechanism.
//
//   scene at the point -> how far to move -> rows of one period -> animation, still picture
#include "report/mode_picture.h"

#include <math.h>

#include "analyse/vibration/mode_motion.h"
#include "print/typeset.h"
#include "scene/poses.h"

#define ROW_STEP 0.01     // seconds of the film from row to row: four rows a frame
#define PERIOD_ROWS 160   // of one period
#define LAST_ROW 157      // rows of a film that repeats: the next one would be the first again
#define SHARE 0.16        // of the scene's size: how far its points move
#define MOST_TURN 0.45    // radians: how far angles turn
#define MOST_STRETCH 0.45 // of its length: how far a spring is stretched
#define TINY 1e-6         // of the shape: a displacement for slopes
#define TIME_CONSTANTS 3  // of growth or decay that are shown
#define MOST_HALVINGS 40

typedef struct ModeFilm {
  Context *cx;
  const Linearized *l;
  const Mode *mode;
  ModeMotion motion;
  Result result;
  RowArray rows;
  uint32_t width; // of a row: t and the coordinates
  double amplitude;
} ModeFilm;

// ---- Rows

static void name_columns(ModeFilm *film, const Model *model) {
  const char **names = arena_array(&film->cx->keep, const char *, film->width);
  names[0] = "t";
  for (uint32_t i = 0; i < film->l->n; i++)
    names[1 + i] = symbol_text(film->cx, model->coordinates.at[i].name);
  film->result = (Result){.model = model, .column_count = film->width, .columns = names};
}

// One row at (a + ib) shape.
static Status fill_row(ModeFilm *film, double *row, double t, const Mode *mode, double a,
                       double b) {
  row[0] = t;
  return mode_motion_at(&film->motion, mode, a, b, row + 1);
}

static void take_rows(ModeFilm *film, RowArray *rows, const double *cells, uint64_t n) {
  *rows = (RowArray){.cells = cells, .rows = n, .width = film->width};
  film->result.rows = film->result.motion = rows_from_array(rows);
}

// The factor of the shape in row i: real for what does not oscillate.
static void phase_of_row(const ModeFilm *film, uint32_t i, double *a, double *b) {
  double part = (double)i / PERIOD_ROWS;
  *a = film->amplitude * cos(2 * M_PI * part), *b = film->amplitude * sin(2 * M_PI * part);
  if (film->mode->kind != MODE_EXPONENTIAL) return;
  double rest = film->mode->re > 0 ? 1 - part : part;
  *a = film->amplitude * exp(-TIME_CONSTANTS * rest), *b = 0;
}

static Status fill_film(ModeFilm *film, double *cells) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < LAST_ROW && status == QDOT_OK; i++) {
    double a, b;
    phase_of_row(film, i, &a, &b);
    status = fill_row(film, cells + (size_t)i * film->width, i * ROW_STEP, film->mode, a, b);
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

static double largest_turn(const ModeFilm *film) {
  double most = 0;
  for (uint32_t i = 0; i < film->l->n; i++) {
    const Measure *measure = &film->l->system->model->coordinates.at[i].measure;
    if (measure->is_known && dimension_is_pure(measure->dimension))
      most = fmax(most, hypot(film->mode->shape_re[i], film->mode->shape_im[i]));
  }
  return most;
}

// Points move by a share of the scene's size, angles by less than half a radian, springs by less
// than half their length.
static Status choose_amplitude(ModeFilm *film) {
  Arena *scratch = &film->cx->scratch;
  Mark mark = arena_mark(scratch);
  double *row = arena_array(scratch, double, film->width);
  Status status = fill_row(film, row, 0, film->mode, 0, 0);
  RowArray rows;
  take_rows(film, &rows, row, 1);
  Scene scene = scene_from_result(film->cx, &film->cx->keep, &film->result);
  double shift = 0, stretch = 0, size = 0;
  if (scene.shapes.n > 0 && status == QDOT_OK) {
    double *rest = arena_array(scratch, double, scene.signals.n);
    double *moved = arena_array(scratch, double, scene.signals.n);
    Sampler sampler;
    sampler_open(&sampler, film->cx, &film->result, scene.signals.at, scene.signals.n);
    sampler_read(&sampler, row, rest);
    size = scene_size(&scene, rest);
    for (int quarter = 0; quarter < 2 && status == QDOT_OK; quarter++) {
      status = fill_row(film, row, 0, film->mode, quarter ? 0 : TINY, quarter ? TINY : 0);
      sampler_read(&sampler, row, moved);
      shift = fmax(shift, scene_shift(&scene, rest, moved) / TINY);
      stretch = fmax(stretch, scene_stretch(&scene, rest, moved) / TINY);
    }
    sampler_close(&sampler);
  }
  double turn = largest_turn(film);
  double by_turn = turn > 0 ? MOST_TURN / turn : INFINITY;
  double by_shift = shift > 0 && size > 0 ? SHARE * size / shift : INFINITY;
  double by_stretch = stretch > 0 ? MOST_STRETCH / stretch : INFINITY;
  film->amplitude = fmin(fmin(by_turn, by_stretch), by_shift);
  if (!isfinite(film->amplitude)) film->amplitude = 1;
  arena_release(scratch, mark);
  return status;
}

// ---- What the whole mechanism can do

// Rows that show every mode, so that a spring that rests in this one is still a spring.
static const Result *motion_of_all(ModeFilm *film, const Modes *modes) {
  const double parts[] = {-1, -0.5, 0, 0.5, 1};
  enum { PARTS = sizeof parts / sizeof *parts };
  Arena *keep = &film->cx->keep;
  double *cells = arena_array(keep, double, (size_t)modes->count *PARTS * film->width + 1);
  uint32_t n = 0;
  for (uint32_t k = 0; k < modes->count; k++)
    for (int i = 0; i < PARTS; i++) {
      double *row = cells + (size_t)n * film->width;
      double a = parts[i] * film->amplitude;
      if (fill_row(film, row, n * ROW_STEP, &modes->mode[k], a, 0) == QDOT_OK) n++;
    }
  Result *all = arena_new(keep, Result);
  *all = film->result;
  RowArray *rows = arena_new(keep, RowArray);
  *rows = (RowArray){.cells = cells, .rows = n, .width = film->width};
  all->rows = all->motion = rows_from_array(rows);
  return all;
}

// ---- Words

static const char *caption_of(const ModeFilm *film, uint32_t k, const Language *language) {
  const Mode *mode = film->mode;
  Arena *keep = &film->cx->keep;
  const char *words = "", *comma = "";
  Text numbers = text_new(keep);
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
  return text_format(keep, "%s %u: %s%s%s", language_say(language, SAY_PLOT_MODE), k + 1, words,
                     comma, numbers.at);
}

// ---- Files

// The still picture: from one end of the motion to the other.
static Status draw_ends(ModeFilm *film, const AnimateOptions *options, unsigned formats) {
  enum { ENDS = 5 };
  double *cells = arena_array(&film->cx->keep, double, (size_t)ENDS * film->width);
  Status status = QDOT_OK;
  for (int i = 0; i < ENDS && status == QDOT_OK; i++) {
    double part = i / (ENDS - 1.0), angle = M_PI * (part - 1);
    bool turns = film->mode->kind != MODE_EXPONENTIAL;
    status = fill_row(film, cells + (size_t)i * film->width, i * ROW_STEP, film->mode,
                      film->amplitude * (turns ? cos(angle) : part),
                      turns ? film->amplitude * sin(angle) : 0);
  }
  RowArray rows;
  take_rows(film, &rows, cells, ENDS);
  return status == QDOT_OK ? draw_still(film->cx, &film->result, options, formats, ENDS - 1)
                           : status;
}

static Status draw_film(ModeFilm *film, const ModePictureOptions *options,
                        const AnimateOptions *animate) {
  Context *cx = film->cx;
  double *cells = arena_array(&cx->keep, double, (size_t)LAST_ROW * film->width);
  Status status = fill_film(film, cells);
  // a mechanism that does not reach so far is shown in a smaller motion
  for (int i = 0; i < MOST_HALVINGS && status == QDOT_INCONSISTENT; i++) {
    film->amplitude /= 2;
    status = fill_film(film, cells);
  }
  if (status == QDOT_INCONSISTENT)
    return diag_error_plain(cx, status,
                            "this mode cannot be drawn: the constraints do not allow "
                            "even a small motion along it");
  if (status == QDOT_OK && options->stills) status = draw_ends(film, animate, options->stills);
  if (status != QDOT_OK || !animate->formats) return status;
  RowArray rows;
  take_rows(film, &rows, cells, LAST_ROW);
  Animation made;
  return animate_result(cx, &film->result, animate, &made);
}

Status mode_picture(Context *cx, const Linearized *l, const Modes *modes, const double *values,
                    uint32_t k, const ModePictureOptions *options, const char **name) {
  ModeFilm film = {.cx = cx, .l = l, .mode = &modes->mode[k], .width = 1 + l->n};
  name_columns(&film, l->system->model);
  mode_motion_open(&film.motion, l, values);
  Status status = choose_amplitude(&film);
  AnimateOptions animate = options->animate;
  animate.name = *name = text_format(&cx->keep, "mode-%u", k + 1);
  animate.speed = 1;
  animate.decimal_sign = options->language->decimal;
  animate.caption = caption_of(&film, k, options->language);
  if (status == QDOT_OK) {
    animate.all_motions = motion_of_all(&film, modes);
    status = draw_film(&film, options, &animate);
  }
  mode_motion_close(&film.motion);
  return status;
}
