// The mechanism in motion: poses -> frames -> files.
#include "scene/animate.h"

#include <math.h>
#include <sys/stat.h>

#include "base/host/folder.h"
#include "base/host/process.h"
#include "chart/chart_layout.h"
#include "scene/gif.h"
#include "scene/magnify.h"
#include "scene/scene_draw.h"

#define FRAMES_A_SECOND 25
#define TRAIL_STEPS 4 // poses a frame, so that trails are smooth
#define MOST_FRAMES 3000
#define SHORT_ANIMATION 2.0 // seconds; shorter ones are slowed down
#define LONG_ANIMATION 20.0 // longer ones are sped up
#define PALETTE_SAMPLES 12  // frames whose colours count
#define SMALLEST_WIDTH 200
#define MANY_PARTS 8

AnimateOptions animate_defaults(void) {
  return (AnimateOptions){.folder = ".",
                          .name = "animation",
                          .formats = ANIMATION_GIF,
                          .width = 560,
                          .decimal_sign = '.',
                          .slower = "{0} times slower",
                          .faster = "{0} times faster",
                          .larger = "motion drawn {0} times larger",
                          .ffmpeg = "ffmpeg",
                          .bytes_a_second = 290000};
}

// What is drawn: the scene and its poses, and how it is seen.
typedef struct Playback {
  Context *cx;
  Scene scene;
  Poses poses;
  View view;
  SceneStyle style;
  SceneLabels labels;
  uint32_t frames;
  double speed, magnified;
} Playback;

// Real time where a reader would neither miss it nor fall asleep; else a round factor.
static double choose_speed(double duration) {
  if (duration >= SHORT_ANIMATION && duration <= LONG_ANIMATION) return 1;
  if (duration <= 0) return 1;
  double wanted = duration > LONG_ANIMATION ? duration / 12 : duration / 6;
  return nice_step(wanted, 1);
}

// What the scene leaves open is decided by the motion, or by another one of the same mechanism.
static void settle_scene(Playback *playback, const AnimateOptions *options) {
  if (!options->all_motions) {
    scene_settle(&playback->scene, &playback->poses);
    return;
  }
  Scene other = playback->scene;
  double begin, end, step = 1.0 / (FRAMES_A_SECOND * TRAIL_STEPS);
  other.result = options->all_motions;
  if (!result_times(playback->cx, other.result, &begin, &end)) return;
  Poses poses = poses_read(&other, &playback->cx->keep, begin, end, step, MOST_FRAMES);
  scene_settle(&playback->scene, &poses);
}

// What nobody would see is drawn larger, and the picture says so.
static void magnify_motion(Playback *playback, const AnimateOptions *options) {
  double factor =
      options->magnify > 0 ? options->magnify : magnify_factor(&playback->scene, &playback->poses);
  playback->magnified = factor > 0 ? factor : 1;
  magnify_poses(&playback->scene, &playback->poses, playback->magnified);
  if (playback->magnified != 1)
    playback->style.remark = factor_words(&playback->cx->keep, options->larger, playback->magnified,
                                          options->decimal_sign);
}

static Status playback_open(Playback *playback, Context *cx, const Result *result,
                            const AnimateOptions *options) {
  double begin, end;
  *playback = (Playback){.cx = cx};
  bool has_rows = result_times(cx, result, &begin, &end);
  if (rows_status(&result->motion) != QDOT_OK) return rows_status(&result->motion);
  if (!has_rows)
    return diag_error_plain(cx, QDOT_BAD_FILE,
                            "there is nothing to animate: the result has no rows");
  playback->speed = options->speed > 0 ? options->speed : choose_speed(end - begin);
  playback->scene = scene_from_result(cx, &cx->keep, result);
  uint32_t coordinates = options->has_labels ? scene_add_coordinates(&playback->scene) : 0;
  double step = playback->speed / (FRAMES_A_SECOND * TRAIL_STEPS);
  playback->poses =
      poses_read(&playback->scene, &cx->keep, begin, end, step, MOST_FRAMES * TRAIL_STEPS);
  if (playback->poses.count == 0)
    return diag_error_plain(cx, QDOT_BAD_FILE, "nothing to animate: the times are too large");
  settle_scene(playback, options);
  if (options->has_labels)
    playback->labels = scene_labels(&playback->scene, &playback->poses, coordinates);
  playback->frames = (playback->poses.count - 1) / TRAIL_STEPS + 1;
  playback->style = (SceneStyle){.has_clock = !options->caption,
                                 .caption = options->caption,
                                 .speed = playback->speed,
                                 .decimal_sign = options->decimal_sign,
                                 .slower = options->slower,
                                 .faster = options->faster,
                                 .has_scale = true};
  magnify_motion(playback, options);
  playback->view = view_of_motion(&playback->scene, &playback->poses, options->width);
  return QDOT_OK;
}

static const uint32_t *draw_frame(const Playback *playback, Canvas *canvas, uint32_t frame) {
  context_poll(playback->cx);
  scene_draw(canvas, &playback->scene, &playback->view, &playback->poses, frame * TRAIL_STEPS,
             &playback->style);
  return canvas_pixels(canvas);
}

// ---- GIF

static GifPalette *choose_palette(const Playback *playback, Canvas *canvas) {
  Context *cx = playback->cx;
  GifHistogram *histogram = arena_new(&cx->keep, GifHistogram);
  size_t pixels = (size_t)playback->view.width * playback->view.height;
  for (uint32_t i = 0; i < PALETTE_SAMPLES && i < playback->frames; i++) {
    uint32_t frame = (uint32_t)((uint64_t)(playback->frames - 1) * i / (PALETTE_SAMPLES - 1));
    gif_count(histogram, draw_frame(playback, canvas, frame), pixels);
  }
  GifPalette *palette = arena_new(&cx->keep, GifPalette);
  gif_choose_palette(cx, histogram, palette);
  return palette;
}

static Status write_gif_frames(const Playback *playback, Canvas *canvas, const char *file) {
  Context *cx = playback->cx;
  GifPalette *palette = choose_palette(playback, canvas);
  Gif *gif;
  Status status = gif_open(cx, file, playback->view.width, playback->view.height,
                           100 / FRAMES_A_SECOND, palette, &gif);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < playback->frames && status == QDOT_OK; i++)
    status = gif_frame(cx, gif, draw_frame(playback, canvas, i));
  Status closed = gif_close(cx, gif);
  return status == QDOT_OK ? closed : status;
}

static Status write_gif_once(const Playback *playback, const char *file) {
  Canvas *canvas;
  Status status = canvas_open(playback->cx, CANVAS_PIXELS, NULL, playback->view.width,
                              playback->view.height, &canvas);
  if (status != QDOT_OK) return status;
  status = write_gif_frames(playback, canvas, file);
  Status closed = canvas_close(playback->cx, canvas);
  return status == QDOT_OK ? closed : status;
}

static double file_size(const char *file) {
  struct stat about;
  return stat(file, &about) == 0 ? (double)about.st_size : 0;
}

// Smaller until it keeps its size on disk.
static Status write_gif(Playback *playback, const AnimateOptions *options) {
  Context *cx = playback->cx;
  Part part;
  part_open(cx, options->folder, text_format(&cx->keep, "%s.gif", options->name), &part);
  double seconds = fmax((double)playback->frames / FRAMES_A_SECOND, 4);
  double allowed = options->bytes_a_second ? seconds * (double)options->bytes_a_second : INFINITY;
  Status status = write_gif_once(playback, part.path);
  for (int round = 0; round < 4 && status == QDOT_OK; round++) {
    double size = file_size(part.path);
    if (size <= allowed || playback->view.width <= SMALLEST_WIDTH) break;
    double width = playback->view.width * fmin(0.9, 0.9 * sqrt(allowed / size));
    playback->view =
        view_of_motion(&playback->scene, &playback->poses, (uint32_t)fmax(width, SMALLEST_WIDTH));
    status = write_gif_once(playback, part.path);
  }
  return part_end(cx, &part, status);
}

// ---- MP4

static Status pipe_frames(const Playback *playback, Canvas *canvas, const AnimateOptions *options,
                          const char *name) {
  Context *cx = playback->cx;
  Mark mark = arena_mark(&cx->scratch);
  const char *size = text_format(&cx->keep, "%ux%u", playback->view.width, playback->view.height);
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
    diag_warning_plain(cx, "no MP4: '%s' is not installed", options->ffmpeg);
  if (status == QDOT_OK) {
    size_t bytes = (size_t)playback->view.width * playback->view.height * 4;
    bool reads = true;
    for (uint32_t i = 0; i < playback->frames && reads; i++)
      reads = process_write(&process, draw_frame(playback, canvas, i), bytes);
    status = process_wait(cx, &process, 120);
    if (status == QDOT_OK && !reads) status = QDOT_NO_PROGRAM;
    if (status != QDOT_OK)
      diag_warning_plain(cx, "no MP4: %s failed: %s", options->ffmpeg,
                         process_complaints(cx, &process));
    if (status == QDOT_TIMEOUT) status = QDOT_NO_PROGRAM;
  }
  process_close(cx, &process);
  arena_release(&cx->scratch, mark);
  return status;
}

static Status write_mp4(const Playback *playback, const AnimateOptions *options) {
  Context *cx = playback->cx;
  Canvas *canvas;
  Status status =
      canvas_open(cx, CANVAS_PIXELS, NULL, playback->view.width, playback->view.height, &canvas);
  if (status != QDOT_OK) return status;
  const char *name = text_format(&cx->keep, "%s.mp4", options->name);
  Part part;
  part_open(cx, options->folder, name, &part);
  status = part_end(cx, &part, pipe_frames(playback, canvas, options, name));
  Status closed = canvas_close(cx, canvas);
  return status == QDOT_OK ? closed : status;
}

// ---- The way in

unsigned animation_drawn(unsigned formats) { return canvas_draws(CANVAS_PIXELS) ? formats : 0; }

Status animate_result(Context *cx, const Result *result, const AnimateOptions *options,
                      Animation *out) {
  Playback playback;
  *out = (Animation){0};
  Status status = playback_open(&playback, cx, result, options);
  if (status != QDOT_OK) return status;
  out->is_empty = playback.scene.shapes.n == 0;
  out->is_guessed = playback.scene.is_guessed;
  out->magnified = playback.magnified;
  if (out->is_empty) return QDOT_OK;
  if (options->formats && !animation_drawn(options->formats)) {
    diag_warning_plain(cx, "no animation: this build has no cairo, which draws pixels");
    diag_note(cx, "the player of a report page shows the motion");
    return QDOT_NO_PROGRAM;
  }
  Status playback_status = QDOT_OK;
  if (options->formats & ANIMATION_MP4) playback_status = write_mp4(&playback, options);
  if (options->formats & ANIMATION_GIF) status = write_gif(&playback, options);
  out->width = playback.view.width, out->height = playback.view.height;
  out->frames = playback.frames, out->speed = playback.speed;
  out->seconds = (double)playback.frames / FRAMES_A_SECOND;
  return status == QDOT_OK ? playback_status : status;
}

static const struct {
  unsigned format;
  CanvasKind kind;
  const char *ending;
} stills[] = {
    {STILL_SVG, CANVAS_SVG, "svg"}, {STILL_PDF, CANVAS_PDF, "pdf"}, {STILL_PNG, CANVAS_PNG, "png"}};

unsigned stills_drawn(unsigned formats) {
  for (size_t i = 0; i < sizeof stills / sizeof *stills; i++)
    if (!canvas_draws(stills[i].kind)) formats &= ~stills[i].format;
  return formats;
}

static Status write_still(const Playback *playback, const AnimateOptions *options, uint32_t pose,
                          size_t which) {
  Context *cx = playback->cx;
  const char *name = text_format(&cx->keep, "%s.%s", options->name, stills[which].ending);
  Part part;
  part_open(cx, options->folder, name, &part);
  Canvas *canvas;
  Status status = canvas_open(cx, stills[which].kind, part.path, playback->view.width,
                              playback->view.height, &canvas);
  if (status == QDOT_OK) {
    scene_draw(canvas, &playback->scene, &playback->view, &playback->poses, pose, &playback->style);
    status = canvas_close(cx, canvas);
  }
  return part_end(cx, &part, status);
}

Status draw_still(Context *cx, const Result *result, const AnimateOptions *options,
                  unsigned formats, uint32_t strobe, Still *out) {
  Playback playback;
  Status status = playback_open(&playback, cx, result, options);
  if (status != QDOT_OK) return status;
  if (formats & ~stills_drawn(formats))
    diag_warning_plain(cx, "no %s.%s: this build has no cairo, which draws it", options->name,
                       formats & ~stills_drawn(formats) & STILL_PDF ? "pdf" : "png");
  formats = stills_drawn(formats);
  playback.style.has_clock = false;
  // few ghosts of a mechanism of many parts, or nobody can tell them apart
  playback.style.ghosts = playback.scene.shapes.n > MANY_PARTS ? (strobe + 1) / 2 : strobe;
  // The ghosts show the first one and a half seconds of the animation.
  uint32_t last = playback.poses.count - 1, pose = TRAIL_STEPS * FRAMES_A_SECOND * 3 / 2;
  if (strobe == 0) pose = 0;
  bool has_ghosts = playback.labels.n == 0 && strobe > 0 &&
                    scene_has_ghosts(&playback.scene, &playback.poses, pose < last ? pose : last);
  if (out)
    *out = (Still){playback.scene.shapes.n == 0, playback.labels.n > 0, playback.magnified,
                   has_ghosts};
  if (playback.scene.shapes.n == 0) return QDOT_OK;
  if (playback.labels.n) {
    playback.style.labels = &playback.labels;
    playback.style.ghosts = 0;
    pose = labels_best_pose(&playback.scene, &playback.labels, &playback.poses);
    playback.view =
        labels_view(&playback.scene, &playback.poses, &playback.labels, pose, options->width);
    Poses alone = playback.poses;
    alone.values += (size_t)alone.width * pose, alone.count = 1;
    labels_place(&playback.scene, &playback.view, &alone, &playback.labels);
  }
  for (size_t i = 0; i < sizeof stills / sizeof *stills && status == QDOT_OK; i++)
    if (formats & stills[i].format)
      status = write_still(&playback, options, pose < last ? pose : last, i);
  return status;
}
