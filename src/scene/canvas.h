// A surface to draw on: pixels for animations, or a vector file. Lengths are pixels, y points down.
// Sources: cairo.c
#ifndef QDOT_SCENE_CANVAS_H
#define QDOT_SCENE_CANVAS_H

#include "base/context.h"
#include "chart/palette.h"

typedef struct Canvas Canvas;

typedef struct Place2 {
  double x, y;
} Place2;

typedef struct Pen {
  Colour colour;
  double opacity; // 0 .. 1
  double width;
} Pen;

typedef enum TextAnchor { ANCHOR_LEFT, ANCHOR_MIDDLE, ANCHOR_RIGHT } TextAnchor;
typedef enum CanvasKind { CANVAS_PIXELS, CANVAS_SVG, CANVAS_PDF, CANVAS_PNG } CanvasKind;

// Without cairo only SVG is drawn (without/svg_canvas.c).
bool canvas_draws(CanvasKind kind);
// file: where a vector picture or PNG goes; NULL for pixels alone. Must be closed, innermost first.
Status canvas_open(Context *cx, CanvasKind kind, const char *file, uint32_t width, uint32_t height,
                   Canvas **out);
// Writes the file; QDOT_IO when that fails.
Status canvas_close(Context *cx, Canvas *canvas);
// Of a canvas of pixels: rows from the top, each pixel 0x00RRGGBB, until the canvas changes.
const uint32_t *canvas_pixels(Canvas *canvas);

void canvas_fill_all(Canvas *canvas, Colour colour);
// Lines from point to point with round ends and corners.
void canvas_lines(Canvas *canvas, const Place2 *points, size_t n, bool closed, Pen pen);
void canvas_area(Canvas *canvas, const Place2 *points, size_t n, Colour colour, double opacity);
void canvas_circle(Canvas *canvas, Place2 centre, double radius, Pen pen);
void canvas_disc(Canvas *canvas, Place2 centre, double radius, Colour colour, double opacity);
// at: the text's baseline.
void canvas_text(Canvas *canvas, Place2 at, TextAnchor anchor, double size, Colour colour,
                 const char *text);
// A letter with what stands below it to the right, as formulas have them, in the middle over
// `foot`, on a rim of paper so that lines do not cross it.
void canvas_symbol(Canvas *canvas, Place2 foot, double size, Colour colour, const char *letter,
                   const char *subscript);
double canvas_symbol_width(Canvas *canvas, double size, const char *letter, const char *subscript);

#endif
