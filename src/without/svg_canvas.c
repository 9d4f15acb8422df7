// A canvas without cairo: SVG alone, written by ourselves. Letters are those of the reader's fonts.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "scene/canvas.h"
#include "scene/letters.h"

#define SUBSCRIPT 0.72 // of the letter's size
#define SUBSCRIPT_DOWN 0.25
#define LETTER_WIDTH 0.55 // of the size, in the mean of common serif fonts
#define RIM 4             // pixels of paper around symbols
#define RIM_OPACITY 0.8

struct Canvas {
  Context *cx;
  const char *file;
  FILE *stream;
  Handle handle;
};

bool canvas_draws(CanvasKind kind) { return kind == CANVAS_SVG; }

static void close_stream(void *object) {
  Canvas *canvas = object;
  if (canvas->stream) fclose(canvas->stream);
  canvas->stream = NULL;
}

Status canvas_open(Context *cx, CanvasKind kind, const char *file, uint32_t width, uint32_t height,
                   Canvas **out) {
  if (!canvas_draws(kind))
    return diag_error_plain(cx, QDOT_NO_PROGRAM,
                            "cannot draw '%s': this build has no cairo, which draws all but SVG",
                            file ? file : "pixels");
  Canvas *canvas = arena_new(&cx->keep, Canvas);
  *canvas = (Canvas){.cx = cx, .file = file};
  guard_register(&cx->guard, &canvas->handle, canvas, close_stream);
  if (!(canvas->stream = fopen(file, "wbe"))) {
    const char *why = strerror(errno); // before anything else may change it
    guard_close(&cx->guard, &canvas->handle);
    return diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s", file, why);
  }
  fprintf(canvas->stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
          "viewBox=\"0 0 %u %u\" stroke-linecap=\"round\" stroke-linejoin=\"round\" "
          "fill=\"none\">\n",
          width, height, width, height);
  *out = canvas;
  return QDOT_OK;
}

Status canvas_close(Context *cx, Canvas *canvas) {
  fputs("</svg>\n", canvas->stream);
  bool failed = ferror(canvas->stream);
  if (fclose(canvas->stream) != 0) failed = true;
  canvas->stream = NULL;
  guard_close(&cx->guard, &canvas->handle);
  if (!failed) return QDOT_OK;
  return diag_error_plain(cx, QDOT_IO, "cannot write '%s': error while writing to output stream",
                          canvas->file);
}

const uint32_t *canvas_pixels(Canvas *canvas) {
  (void)canvas;
  return NULL; // no canvas of pixels was opened
}

// ---- Shapes

// Hundredths of a pixel, without zeros behind.
static void put_number(FILE *out, double x) {
  char digits[64];
  snprintf(digits, sizeof digits, "%.2f", fabs(x) < 0.005 ? 0 : fmin(fmax(x, -1e6), 1e6));
  size_t n = strlen(digits);
  while (digits[n - 1] == '0') n--;
  if (digits[n - 1] == '.') n--;
  fprintf(out, "%.*s", (int)n, digits);
}

static void put_place(FILE *out, char before, Place2 at) {
  fputc(before, out);
  put_number(out, at.x);
  fputc(' ', out);
  put_number(out, at.y);
}

static void put_paint(FILE *out, const char *what, Colour c, double opacity) {
  fprintf(out, " %s=\"#%02x%02x%02x\"", what, c.red, c.green, c.blue);
  if (opacity < 1) fprintf(out, " %s-opacity=\"%.3g\"", what, opacity);
}

static void put_pen(FILE *out, Pen pen) {
  put_paint(out, "stroke", pen.colour, pen.opacity);
  fprintf(out, " stroke-width=\"%.4g\"/>\n", pen.width);
}

static void put_path(FILE *out, const Place2 *points, size_t n, bool closed) {
  fputs("<path d=\"", out);
  for (size_t i = 0; i < n; i++) put_place(out, i ? 'L' : 'M', points[i]);
  fputs(closed ? "Z\"" : "\"", out);
}

static void put_circle(FILE *out, Place2 centre, double radius) {
  fputs("<circle cx=\"", out);
  put_number(out, centre.x);
  fputs("\" cy=\"", out);
  put_number(out, centre.y);
  fputs("\" r=\"", out);
  put_number(out, radius);
  fputc('"', out);
}

void canvas_fill_all(Canvas *canvas, Colour colour) {
  fputs("<rect width=\"100%\" height=\"100%\"", canvas->stream);
  put_paint(canvas->stream, "fill", colour, 1);
  fputs("/>\n", canvas->stream);
}

void canvas_lines(Canvas *canvas, const Place2 *points, size_t n, bool closed, Pen pen) {
  put_path(canvas->stream, points, n, closed);
  put_pen(canvas->stream, pen);
}

void canvas_area(Canvas *canvas, const Place2 *points, size_t n, Colour colour, double opacity) {
  put_path(canvas->stream, points, n, true);
  put_paint(canvas->stream, "fill", colour, opacity);
  fputs("/>\n", canvas->stream);
}

void canvas_circle(Canvas *canvas, Place2 centre, double radius, Pen pen) {
  put_circle(canvas->stream, centre, radius);
  put_pen(canvas->stream, pen);
}

void canvas_disc(Canvas *canvas, Place2 centre, double radius, Colour colour, double opacity) {
  put_circle(canvas->stream, centre, radius);
  put_paint(canvas->stream, "fill", colour, opacity);
  fputs("/>\n", canvas->stream);
}

// ---- Words

static void put_escaped(FILE *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '<')
      fputs("&lt;", out);
    else if (c == '&')
      fputs("&amp;", out);
    else if (c >= ' ')
      fputc(c, out);
  }
}

static void put_text_start(FILE *out, Place2 at, const char *anchor, double size) {
  fputs("<text x=\"", out);
  put_number(out, at.x);
  fputs("\" y=\"", out);
  put_number(out, at.y);
  fprintf(out, "\" font-size=\"%.4g\" text-anchor=\"%s\"", size, anchor);
}

void canvas_text(Canvas *canvas, Place2 at, TextAnchor anchor, double size, Colour colour,
                 const char *text) {
  static const char *const words[] = {
      [ANCHOR_LEFT] = "start", [ANCHOR_MIDDLE] = "middle", [ANCHOR_RIGHT] = "end"};
  FILE *out = canvas->stream;
  put_text_start(out, at, words[anchor], size);
  put_paint(out, "fill", colour, 1);
  fputs(" font-family=\"sans-serif\">", out);
  put_escaped(out, text, strlen(text));
  fputs("</text>\n", out);
}

// Letters that stand alone are italic, words and digits upright, as in formulas.
static void put_formula(FILE *out, const char *name) {
  bool after_letter = false;
  while (*name) {
    uint32_t character;
    size_t n = utf8_decode(name, strlen(name), &character);
    if (n == 0) n = 1;
    bool is_italic = !after_letter && is_lone_letter(name);
    if (is_italic) fputs("<tspan font-style=\"italic\">", out);
    put_escaped(out, name, n);
    if (is_italic) fputs("</tspan>", out);
    after_letter = utf8_starts_name(character) && character != '_';
    name += n;
  }
}

// In parts of the size, as in common serif fonts.
static double letter_width(uint32_t letter) {
  if (letter < 128 && strchr("mwMW", (int)letter)) return 0.88;
  if (letter < 128 && strchr("fijlrst.,'1", (int)letter)) return 0.4;
  return letter >= 'A' && letter <= 'Z' ? 0.72 : 0.56;
}

static double text_width(const char *text) {
  double width = 0;
  while (*text) {
    uint32_t letter;
    size_t n = utf8_decode(text, strlen(text), &letter);
    if (n) width += letter_width(letter);
    text += n ? n : 1;
  }
  return width;
}

double canvas_symbol_width(Canvas *canvas, double size, const char *letter, const char *subscript) {
  (void)canvas;
  return size * (text_width(letter) + SUBSCRIPT * text_width(subscript));
}

void canvas_symbol(Canvas *canvas, Place2 foot, double size, Colour colour, const char *letter,
                   const char *subscript) {
  FILE *out = canvas->stream;
  put_text_start(out, foot, "middle", size);
  put_paint(out, "fill", colour, 1);
  put_paint(out, "stroke", paper_colour.light, RIM_OPACITY);
  fprintf(out,
          " stroke-width=\"%d\" paint-order=\"stroke\" font-family=\"'Latin Modern Math',serif\">",
          RIM);
  put_formula(out, letter);
  if (*subscript) {
    fprintf(out, "<tspan font-size=\"%.4g\" dy=\"%.4g\">", SUBSCRIPT * size, SUBSCRIPT_DOWN * size);
    put_formula(out, subscript);
    fputs("</tspan>", out);
  }
  fputs("</text>\n", out);
}
