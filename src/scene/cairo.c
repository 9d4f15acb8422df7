// Every cairo call.
#include <assert.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scene/canvas.h"
#include "scene/letters.h"

// Whether the font of formulas is installed.
typedef enum MathLetters { MATH_UNKNOWN, MATH_FONT, MATH_PLAIN } MathLetters;

struct Canvas {
  Context *cx;
  cairo_surface_t *surface;
  cairo_t *cairo;
  CanvasKind kind;
  const char *file;
  FILE *stream; // cairo's own does not tell when the disk is full
  uint32_t width, height;
  MathLetters math;
  Handle handle;
};

static void select_plain_font(Canvas *canvas) {
  cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
}

static void destroy(void *object) {
  Canvas *canvas = object;
  if (canvas->cairo) cairo_destroy(canvas->cairo);
  if (canvas->surface) cairo_surface_destroy(canvas->surface);
  if (canvas->stream) fclose(canvas->stream);
  canvas->cairo = NULL, canvas->surface = NULL, canvas->stream = NULL;
}

static cairo_status_t write_bytes(void *stream, const unsigned char *bytes, unsigned n) {
  return fwrite(bytes, 1, n, stream) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(const Canvas *canvas) {
  uint32_t width = canvas->width, height = canvas->height;
  switch (canvas->kind) {
  case CANVAS_SVG: {
    cairo_surface_t *surface =
        cairo_svg_surface_create_for_stream(write_bytes, canvas->stream, width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
  }
  case CANVAS_PDF:
    return cairo_pdf_surface_create_for_stream(write_bytes, canvas->stream, 0.75 * width,
                                               0.75 * height);
  default: return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
  }
}

bool canvas_draws(CanvasKind kind) {
  (void)kind;
  return true;
}

Status canvas_open(Context *cx, CanvasKind kind, const char *file, uint32_t width, uint32_t height,
                   Canvas **out) {
  Canvas *canvas = arena_new(&cx->keep, Canvas);
  *canvas = (Canvas){.cx = cx, .kind = kind, .file = file, .width = width, .height = height};
  guard_register(&cx->guard, &canvas->handle, canvas, destroy);
  if (file && !(canvas->stream = fopen(file, "wbe"))) {
    const char *why = strerror(errno); // before anything else may change it
    guard_close(&cx->guard, &canvas->handle);
    return diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s", file, why);
  }
  canvas->surface = make_surface(canvas);
  canvas->cairo = cairo_create(canvas->surface);
  if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS) {
    const char *why = cairo_status_to_string(cairo_status(canvas->cairo));
    guard_close(&cx->guard, &canvas->handle);
    return diag_error_plain(cx, QDOT_IO, "cannot draw '%s': %s", file ? file : "a picture", why);
  }
  if (kind == CANVAS_PDF) {
    cairo_scale(canvas->cairo, 0.75, 0.75); // pixels of 1/96 inch
    // the same picture has the same bytes, whenever it is drawn
    cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  }
  cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
  select_plain_font(canvas);
  *out = canvas;
  return QDOT_OK;
}

Status canvas_close(Context *cx, Canvas *canvas) {
  cairo_status_t status = cairo_status(canvas->cairo);
  if (status == CAIRO_STATUS_SUCCESS && canvas->kind == CANVAS_PNG)
    status = cairo_surface_write_to_png_stream(canvas->surface, write_bytes, canvas->stream);
  cairo_surface_finish(canvas->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(canvas->surface);
  // some surfaces forget that a write failed; the stream does not
  bool failed = canvas->stream && ferror(canvas->stream);
  if (canvas->stream && fclose(canvas->stream) != 0) failed = true;
  if (failed && status == CAIRO_STATUS_SUCCESS) status = CAIRO_STATUS_WRITE_ERROR;
  canvas->stream = NULL;
  guard_close(&cx->guard, &canvas->handle);
  if (status == CAIRO_STATUS_SUCCESS) return QDOT_OK;
  return diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s",
                          canvas->file ? canvas->file : "a picture",
                          cairo_status_to_string(status));
}

const uint32_t *canvas_pixels(Canvas *canvas) {
  cairo_surface_flush(canvas->surface);
  assert(cairo_image_surface_get_stride(canvas->surface) == 4 * (int)canvas->width);
  return (const uint32_t *)(void *)cairo_image_surface_get_data(canvas->surface);
}

static void set_colour(Canvas *canvas, Colour c, double opacity) {
  cairo_set_source_rgba(canvas->cairo, c.red / 255.0, c.green / 255.0, c.blue / 255.0, opacity);
}

static void set_pen(Canvas *canvas, Pen pen) {
  set_colour(canvas, pen.colour, pen.opacity);
  cairo_set_line_width(canvas->cairo, pen.width);
}

static void trace(Canvas *canvas, const Place2 *points, size_t n, bool closed) {
  cairo_new_path(canvas->cairo);
  for (size_t i = 0; i < n; i++) cairo_line_to(canvas->cairo, points[i].x, points[i].y);
  if (closed) cairo_close_path(canvas->cairo);
}

void canvas_fill_all(Canvas *canvas, Colour colour) {
  set_colour(canvas, colour, 1);
  cairo_paint(canvas->cairo);
}

void canvas_lines(Canvas *canvas, const Place2 *points, size_t n, bool closed, Pen pen) {
  set_pen(canvas, pen);
  trace(canvas, points, n, closed);
  cairo_stroke(canvas->cairo);
}

void canvas_area(Canvas *canvas, const Place2 *points, size_t n, Colour colour, double opacity) {
  set_colour(canvas, colour, opacity);
  trace(canvas, points, n, true);
  cairo_fill(canvas->cairo);
}

static void trace_circle(Canvas *canvas, Place2 centre, double radius) {
  cairo_new_path(canvas->cairo);
  cairo_arc(canvas->cairo, centre.x, centre.y, radius, 0, 6.283185307179586);
  cairo_close_path(canvas->cairo);
}

void canvas_circle(Canvas *canvas, Place2 centre, double radius, Pen pen) {
  set_pen(canvas, pen);
  trace_circle(canvas, centre, radius);
  cairo_stroke(canvas->cairo);
}

void canvas_disc(Canvas *canvas, Place2 centre, double radius, Colour colour, double opacity) {
  set_colour(canvas, colour, opacity);
  trace_circle(canvas, centre, radius);
  cairo_fill(canvas->cairo);
}

void canvas_text(Canvas *canvas, Place2 at, TextAnchor anchor, double size, Colour colour,
                 const char *text) {
  cairo_text_extents_t extents;
  cairo_set_font_size(canvas->cairo, size);
  cairo_text_extents(canvas->cairo, text, &extents);
  double shift = anchor == ANCHOR_LEFT ? 0 : anchor == ANCHOR_RIGHT ? 1 : 0.5;
  cairo_move_to(canvas->cairo, at.x - shift * extents.x_advance, at.y);
  set_colour(canvas, colour, 1);
  cairo_show_text(canvas->cairo, text);
}

// ---- Symbols

#define SUBSCRIPT 0.72 // of the letter's size
static const char math_font[] = "Latin Modern Math";

// Is the font of formulas installed? Another one that stands in for it lacks its letters.
static bool has_math_letters(Canvas *canvas) {
  static const char theta[] = "\U0001D703";
  cairo_glyph_t *glyphs = NULL;
  int n = 0;
  cairo_select_font_face(canvas->cairo, math_font, CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
  cairo_scaled_font_t *font = cairo_get_scaled_font(canvas->cairo);
  bool is_known = cairo_scaled_font_text_to_glyphs(font, 0, 0, theta, -1, &glyphs, &n, NULL, NULL,
                                                   NULL) == CAIRO_STATUS_SUCCESS;
  bool is_there = is_known && n == 1 && glyphs[0].index != 0;
  cairo_glyph_free(glyphs);
  return is_there;
}

// A piece of a symbol in its font, and its width. Without the font of formulas a lone letter is
// italic.
typedef struct Piece {
  const char *text;
  double size, width;
} Piece;

static void select_piece(Canvas *canvas, const Piece *piece) {
  cairo_font_slant_t slant = canvas->math == MATH_PLAIN && is_lone_letter(piece->text)
                                 ? CAIRO_FONT_SLANT_ITALIC
                                 : CAIRO_FONT_SLANT_NORMAL;
  cairo_select_font_face(canvas->cairo, canvas->math == MATH_FONT ? math_font : "serif", slant,
                         CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(canvas->cairo, piece->size);
}

static Piece symbol_piece(Canvas *canvas, const char *text, double size) {
  if (canvas->math == MATH_UNKNOWN)
    canvas->math = has_math_letters(canvas) ? MATH_FONT : MATH_PLAIN;
  bool is_formula = canvas->math == MATH_FONT;
  Piece piece = {is_formula ? formula_letters(&canvas->cx->scratch, text) : text, size, 0};
  cairo_text_extents_t extents;
  select_piece(canvas, &piece);
  cairo_text_extents(canvas->cairo, piece.text, &extents);
  piece.width = extents.x_advance;
  return piece;
}

double canvas_symbol_width(Canvas *canvas, double size, const char *letter, const char *subscript) {
  Mark mark = arena_mark(&canvas->cx->scratch);
  double width = symbol_piece(canvas, letter, size).width +
                 symbol_piece(canvas, subscript, SUBSCRIPT * size).width;
  arena_release(&canvas->cx->scratch, mark);
  select_plain_font(canvas);
  return width;
}

void canvas_symbol(Canvas *canvas, Place2 foot, double size, Colour colour, const char *letter,
                   const char *subscript) {
  Mark mark = arena_mark(&canvas->cx->scratch);
  Piece pieces[] = {symbol_piece(canvas, letter, size),
                    symbol_piece(canvas, subscript, SUBSCRIPT * size)};
  double left = foot.x - 0.5 * (pieces[0].width + pieces[1].width);
  Place2 at[] = {{left, foot.y}, {left + pieces[0].width, foot.y + 0.25 * size}};
  for (int is_ink = 0; is_ink < 2; is_ink++)
    for (int i = 0; i < 2; i++) {
      select_piece(canvas, &pieces[i]);
      cairo_move_to(canvas->cairo, at[i].x, at[i].y);
      set_pen(canvas, (Pen){is_ink ? colour : paper_colour.light, is_ink ? 1 : 0.8, 4});
      if (is_ink) {
        cairo_show_text(canvas->cairo, pieces[i].text);
        continue;
      }
      cairo_text_path(canvas->cairo, pieces[i].text);
      cairo_stroke(canvas->cairo);
    }
  arena_release(&canvas->cx->scratch, mark);
  select_plain_font(canvas);
}
