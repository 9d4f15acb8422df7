// The mechanism in motion: poses -> frames -> files.
#include "scene/animate.h"

#include <math.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/process.h"
#include "chart/chart_layout.h"
#include "scene/gif.h"
#include "scene/scene_draw.h"

#define FRAMES_A_SECOND 25
#define TRAIL_STEPS 4 // poses a frame, so that trails are smooth
#define MOST_FRAMES 3000
#define SHORT_FILM 2.0     // seconds; shorter ones are slowed down
#define LONG_FILM 20.0     // longer ones are sped up
#define PALETTE_SAMPLES 12 // frames whose colours count
#define SMALLEST_WIDTH 200
#define MANY_PARTS 8

AnimateOptions animate_defaults(void) {
  return (AnimateOptions){.folder = ".",
                          .name = "animation",
                          .formats = ANIMATION_GIF,
                          .width = 560,
                          .decimal_sign = '.',
                          .ffmpeg = "ffmpeg",
                          .bytes_a_second = 290000};
}

// What is drawn: the scene and its poses, and how it is seen.
typedef struct Film {
  Context *cx;
  Scene scene;
  Poses poses;
  View view;
  SceneStyle style;
  uint32_t frames;
  double speed;
} Film;

// Real time where a reader would neither miss it nor fall asleep; else a round factor.
static double choose_speed(double duration) {
  if (duration >= SHORT_FILM && duration <= LONG_FILM) return 1;
  if (duration <= 0) return 1;
  double wanted = duration > LONG_FILM ? duration / 12 : duration / 6;
  return nice_step(wanted, 1);
}

// What the scene leaves open is decided by the motion, or by another one of the same mechanism.
static void settle_scene(Film *film, const AnimateOptions *options) {
  if (!options->all_motions) {
    scene_settle(&film->scene, &film->poses);
    return;
  }
  Scene other = film->scene;
  double begin, end, step = 1.0 / (FRAMES_A_SECOND * TRAIL_STEPS);
  other.result = options->all_motions;
  if (!result_times(film->cx, other.result, &begin, &end)) return;
  Poses poses = poses_read(&other, &film->cx->keep, begin, end, step, MOST_FRAMES);
  scene_settle(&film->scene, &poses);
}

static Status film_open(Film *film, Context *cx, const Result *result,
                        const AnimateOptions *options) {
  double begin, end;
  *film = (Film){.cx = cx};
  bool has_rows = result_times(cx, result, &begin, &end);
  if (rows_status(&result->motion) != QDOT_OK) return rows_status(&result->motion);
  if (!has_rows)
    return diag_error_plain(cx, QDOT_BAD_FILE, "nothing to animate: the result has no rows");
  film->speed = options->speed > 0 ? options->speed : choose_speed(end - begin);
  film->scene = scene_from_result(cx, &cx->keep, result);
  double step = film->speed / (FRAMES_A_SECOND * TRAIL_STEPS);
  film->poses = poses_read(&film->scene, &cx->keep, begin, end, step, MOST_FRAMES * TRAIL_STEPS);
  if (film->poses.count == 0)
    return diag_error_plain(cx, QDOT_BAD_FILE,
                            "nothing to animate: the times are beyond all bounds");
  settle_scene(film, options);
  film->view = view_of_motion(&film->scene, &film->poses, options->width);
  film->frames = (film->poses.count - 1) / TRAIL_STEPS + 1;
  film->style = (SceneStyle){.has_clock = !options->caption,
                             .caption = options->caption,
                             .speed = film->speed,
                             .decimal_sign = options->decimal_sign,
                             .has_scale = true};
  return QDOT_OK;
}

static const uint32_t *draw_frame(const Film *film, Canvas *canvas, uint32_t frame) {
  context_poll(film->cx);
  scene_draw(canvas, &film->scene, &film->view, &film->poses, frame * TRAIL_STEPS, &film->style);
  return canvas_pixels(canvas);
}

// ---- GIF

static GifPalette *choose_palette(const Film *film, Canvas *canvas) {
  Context *cx = film->cx;
  GifHistogram *histogram = arena_new(&cx->keep, GifHistogram);
  size_t pixels = (size_t)film->view.width * film->view.height;
  for (uint32_t i = 0; i < PALETTE_SAMPLES && i < film->frames; i++) {
    uint32_t frame = (uint32_t)((uint64_t)(film->frames - 1) * i / (PALETTE_SAMPLES - 1));
    gif_count(histogram, draw_frame(film, canvas, frame), pixels);
  }
  GifPalette *palette = arena_new(&cx->keep, GifPalette);
  gif_choose_palette(cx, histogram, palette);
  return palette;
}

static Status write_gif_frames(const Film *film, Canvas *canvas, const char *file) {
  Context *cx = film->cx;
  GifPalette *palette = choose_palette(film, canvas);
  Gif *gif;
  Status status =
      gif_open(cx, file, film->view.width, film->view.height, 100 / FRAMES_A_SECOND, palette, &gif);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < film->frames && status == QDOT_OK; i++)
    status = gif_frame(cx, gif, draw_frame(film, canvas, i));
  Status closed = gif_close(cx, gif);
  return status == QDOT_OK ? closed : status;
}

static Status write_gif_once(const Film *film, const char *file) {
  Canvas *canvas;
  Status status =
      canvas_open(film->cx, CANVAS_PIXELS, NULL, film->view.width, film->view.height, &canvas);
  if (status != QDOT_OK) return status;
  status = write_gif_frames(film, canvas, file);
  Status closed = canvas_close(film->cx, canvas);
  return status == QDOT_OK ? closed : status;
}

static double file_size(const char *file) {
  struct stat about;
  return stat(file, &about) == 0 ? (double)about.st_size : 0;
}

// Smaller until it keeps its size on disk.
static Status write_gif(Film *film, const AnimateOptions *options) {
  Context *cx = film->cx;
  Part part;
  part_open(cx, options->folder, text_format(&cx->keep, "%s.gif", options->name), &part);
  double seconds = fmax((double)film->frames / FRAMES_A_SECOND, 4);
  double allowed = options->bytes_a_second ? seconds * (double)options->bytes_a_second : INFINITY;
  Status status = write_gif_once(film, part.path);
  for (int round = 0; round < 4 && status == QDOT_OK; round++) {
    double size = file_size(part.path);
    if (size <= allowed || film->view.width <= SMALLEST_WIDTH) break;
    double width = film->view.width * fmin(0.9, 0.9 * sqrt(allowed / size));
    film->view = view_of_motion(&film->scene, &film->poses, (uint32_t)fmax(width, SMALLEST_WIDTH));
    status = write_gif_once(film, part.path);
  }
  return part_end(cx, &part, status);
}

// ---- MP4

static Status pipe_frames(const Film *film, Canvas *canvas, const AnimateOptions *options,
                          const char *name) {
  Context *cx = film->cx;
  Mark mark = arena_mark(&cx->scratch);
  const char *size = text_format(&cx->keep, "%ux%u", film->view.width, film->view.height);
  const char *rate = text_format(&cx->keep, "%d", FRAMES_A_SECOND);
  const char *arguments[] = {options->ffmpeg,
                             "-loglevel",
                             "error",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pix_fmt",
                             "bgr0",
                             "-s",
                             size,
                             "-r",
                             rate,
                             "-i",
                             "-",
                             "-an",
                             "-pix_fmt",
                             "yuv420p",
                             "-movflags",
                             "+faststart",
                             "-f",
                             "mp4",
                             text_format(&cx->keep, "%s.part", name),
                             NULL};
  ProcessOptions how = {.arguments = arguments, .folder = options->folder, .takes_input = true};
  Process process;
  Status status = process_open(cx, &process, &how);
  if (status == QDOT_NO_PROGRAM)
    diag_warning_plain(cx, "no film: '%s' is not installed", options->ffmpeg);
  if (status == QDOT_OK) {
    size_t bytes = (size_t)film->view.width * film->view.height * 4;
    bool reads = true;
    for (uint32_t i = 0; i < film->frames && reads; i++)
      reads = process_write(&process, draw_frame(film, canvas, i), bytes);
    status = process_wait(cx, &process, 120);
    if (status == QDOT_OK && !reads) status = QDOT_NO_PROGRAM;
    if (status != QDOT_OK)
      diag_warning_plain(cx, "no film: %s failed: %s", options->ffmpeg,
                         process_complaints(cx, &process));
    if (status == QDOT_TIMEOUT) status = QDOT_NO_PROGRAM;
  }
  process_close(cx, &process);
  arena_release(&cx->scratch, mark);
  return status;
}

static Status write_mp4(const Film *film, const AnimateOptions *options) {
  Context *cx = film->cx;
  Canvas *canvas;
  Status status =
      canvas_open(cx, CANVAS_PIXELS, NULL, film->view.width, film->view.height, &canvas);
  if (status != QDOT_OK) return status;
  const char *name = text_format(&cx->keep, "%s.mp4", options->name);
  Part part;
  part_open(cx, options->folder, name, &part);
  status = part_end(cx, &part, pipe_frames(film, canvas, options, name));
  Status closed = canvas_close(cx, canvas);
  return status == QDOT_OK ? closed : status;
}

// ---- The way in

Status animate_result(Context *cx, const Result *result, const AnimateOptions *options,
                      Animation *out) {
  Film film;
  *out = (Animation){0};
  Status status = film_open(&film, cx, result, options);
  if (status != QDOT_OK) return status;
  out->is_empty = film.scene.shapes.n == 0;
  out->is_guessed = film.scene.is_guessed;
  Status film_status = QDOT_OK;
  if (options->formats & ANIMATION_MP4) film_status = write_mp4(&film, options);
  if (options->formats & ANIMATION_GIF) status = write_gif(&film, options);
  out->width = film.view.width, out->height = film.view.height;
  out->frames = film.frames, out->speed = film.speed;
  out->seconds = (double)film.frames / FRAMES_A_SECOND;
  return status == QDOT_OK ? film_status : status;
}

static const struct {
  unsigned format;
  CanvasKind kind;
  const char *ending;
} stills[] = {
    {STILL_SVG, CANVAS_SVG, "svg"}, {STILL_PDF, CANVAS_PDF, "pdf"}, {STILL_PNG, CANVAS_PNG, "png"}};

static Status write_still(const Film *film, const AnimateOptions *options, uint32_t pose,
                          size_t which) {
  Context *cx = film->cx;
  const char *name = text_format(&cx->keep, "%s.%s", options->name, stills[which].ending);
  Part part;
  part_open(cx, options->folder, name, &part);
  Canvas *canvas;
  Status status =
      canvas_open(cx, stills[which].kind, part.path, film->view.width, film->view.height, &canvas);
  if (status == QDOT_OK) {
    scene_draw(canvas, &film->scene, &film->view, &film->poses, pose, &film->style);
    status = canvas_close(cx, canvas);
  }
  return part_end(cx, &part, status);
}

Status draw_still(Context *cx, const Result *result, const AnimateOptions *options,
                  unsigned formats, uint32_t strobe) {
  Film film;
  Status status = film_open(&film, cx, result, options);
  if (status != QDOT_OK) return status;
  film.style.has_clock = false;
  // few ghosts of a mechanism of many parts, or nobody can tell them apart
  film.style.ghosts = film.scene.shapes.n > MANY_PARTS ? (strobe + 1) / 2 : strobe;
  // The ghosts show the first one and a half seconds of the film.
  uint32_t last = film.poses.count - 1, pose = TRAIL_STEPS * FRAMES_A_SECOND * 3 / 2;
  if (strobe == 0) pose = 0;
  for (size_t i = 0; i < sizeof stills / sizeof *stills && status == QDOT_OK; i++)
    if (formats & stills[i].format)
      status = write_still(&film, options, pose < last ? pose : last, i);
  return status;
}
