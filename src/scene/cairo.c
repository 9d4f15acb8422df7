// Every cairo call.
#include <assert.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "scene/canvas.h"

struct Canvas {
  cairo_surface_t *surface;
  cairo_t *cairo;
  CanvasKind kind;
  const char *file;
  FILE *stream; // cairo's own does not tell when the disk is full
  uint32_t width, height;
  Handle handle;
};

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

Status canvas_open(Context *cx, CanvasKind kind, const char *file, uint32_t width, uint32_t height,
                   Canvas **out) {
  Canvas *canvas = arena_new(&cx->keep, Canvas);
  *canvas = (Canvas){.kind = kind, .file = file, .width = width, .height = height};
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
  cairo_select_font_face(canvas->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);
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

static double width_of(Canvas *canvas, double size, const char *text) {
  cairo_text_extents_t extents;
  cairo_set_font_size(canvas->cairo, size);
  cairo_text_extents(canvas->cairo, text, &extents);
  return extents.x_advance;
}

#define SUBSCRIPT 0.72 // of the letter's size

double canvas_symbol_width(Canvas *canvas, double size, const char *letter, const char *subscript) {
  return width_of(canvas, size, letter) + width_of(canvas, SUBSCRIPT * size, subscript);
}

void canvas_symbol(Canvas *canvas, Place2 foot, double size, Colour colour, const char *letter,
                   const char *subscript) {
  double small = SUBSCRIPT * size, wide = width_of(canvas, size, letter);
  double left = foot.x - 0.5 * canvas_symbol_width(canvas, size, letter, subscript);
  const struct {
    Place2 at;
    double size;
    const char *text;
  } parts[] = {{{left, foot.y}, size, letter},
               {{left + wide, foot.y + 0.25 * size}, small, subscript}};
  for (int is_ink = 0; is_ink < 2; is_ink++)
    for (int i = 0; i < 2; i++) {
      cairo_set_font_size(canvas->cairo, parts[i].size);
      cairo_move_to(canvas->cairo, parts[i].at.x, parts[i].at.y);
      set_pen(canvas, (Pen){is_ink ? colour : paper_colour.light, is_ink ? 1 : 0.8, 4});
      if (is_ink) {
        cairo_show_text(canvas->cairo, parts[i].text);
        continue;
      }
      cairo_text_path(canvas->cairo, parts[i].text);
      cairo_stroke(canvas->cairo);
    }
}
