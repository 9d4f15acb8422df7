// Markup as text of an SVG, and the pens of its lines.
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/chart_svg.h"

#define SMALLER 0.72 // letters below and above the line
#define LOWER 0.25   // of their size
#define HIGHER 0.4

// Of runs of text that differ in height or slant.
typedef struct Run {
  bool italic;
  double size, height; // of a letter; above the line, in pixels
} Run;

typedef struct Runs {
  Text *out;
  Run now, last;
  double written; // height that the last run left
  bool is_open, is_first;
} Runs;

static void close_run(Runs *r) {
  if (r->is_open) text_add(r->out, "</tspan>");
  r->is_open = false;
}

static void open_run(Runs *r) {
  if (r->is_open && memcmp(&r->now, &r->last, sizeof r->now) == 0) return;
  close_run(r);
  text_add(r->out, "<tspan");
  if (r->now.italic) text_add(r->out, " font-style=\"italic\"");
  text_addf(r->out, " font-size=\"%.4g\"", r->now.size);
  if (r->now.height != r->written) text_addf(r->out, " dy=\"%.4g\"", r->written - r->now.height);
  text_add_char(r->out, '>');
  r->written = r->now.height, r->last = r->now, r->is_open = true;
}

static void add_letter(Text *out, char c) {
  if (c == '<')
    text_add(out, "&lt;");
  else if (c == '&')
    text_add(out, "&amp;");
  else if (c == '"')
    text_add(out, "&quot;");
  else if ((unsigned char)c >= ' ')
    text_add_char(out, c);
}

void svg_escaped(Text *out, const char *text) {
  for (; *text; text++) add_letter(out, *text);
}

// One letter or what stands in braces; returns what follows.
static const char *add_piece(Runs *r, const char *at);

static const char *add_group(Runs *r, const char *at) {
  static const char italic[] = "/:Italic ";
  Run outer = r->now;
  if (strncmp(at, italic, strlen(italic)) == 0) {
    r->now.italic = true;
    at += strlen(italic);
  }
  while (*at && *at != '}') at = add_piece(r, at);
  r->now = outer;
  return *at ? at + 1 : at;
}

static const char *add_piece(Runs *r, const char *at) {
  if (*at == '{') return add_group(r, at + 1);
  if ((*at == '_' || *at == '^') && at[1]) {
    Run outer = r->now;
    r->now.height += (*at == '_' ? -LOWER : HIGHER) * outer.size;
    r->now.size = SMALLER * outer.size;
    at = add_piece(r, at + 1);
    r->now = outer;
    return at;
  }
  if (*at == '\\' && at[1]) at++;
  open_run(r);
  uint32_t letter;
  size_t n = utf8_decode(at, strlen(at), &letter);
  if (n <= 1) {
    add_letter(r->out, *at);
    return at + 1;
  }
  text_add_bytes(r->out, at, n);
  return at + n;
}

void svg_label(Drawing *d, double x, double y, const char *anchor, double size, bool upright,
               const char *markup) {
  // capitals are about 0.72 of the size high
  text_addf(d->out, "<text text-anchor=\"%s\" font-size=\"%.4g\" fill=\"#%02x%02x%02x\"", anchor,
            size, ink_colour.light.red, ink_colour.light.green, ink_colour.light.blue);
  if (upright)
    text_addf(d->out, " transform=\"translate(%.2f %.2f) rotate(-90)\">", x + 0.36 * size, y);
  else
    text_addf(d->out, " x=\"%.2f\" y=\"%.2f\">", x, y + 0.36 * size);
  Runs runs = {.out = d->out, .now = {.size = size}};
  while (*markup) {
    markup = add_piece(&runs, markup);
    // a brace that nothing opened
    if (*markup == '}') markup++;
  }
  close_run(&runs);
  text_add(d->out, "</text>\n");
}

const char *svg_number(const Drawing *d, double value) {
  Arena *arena = d->out->arena;
  char *plain = text_format(arena, "%g", value);
  for (char *at = plain; *at; at++)
    if (*at == '.') *at = d->decimal_sign;
  Text text = text_new(arena);
  for (const char *at = plain; *at; at++)
    if (*at == '-')
      text_add(&text, "−");
    else
      text_add_char(&text, *at);
  return text.at;
}

// ---- Lines

// "(12,4)" as SVG has it.
static void add_dashes(Text *out, const char *dashes) {
  if (!dashes || *dashes != '(') return;
  text_add(out, " stroke-dasharray=\"");
  text_add_bytes(out, dashes + 1, strcspn(dashes + 1, ")"));
  text_add(out, "\"");
}

void svg_pen(Text *out, Colour c, double width, const char *dashes) {
  text_addf(out, " fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%g\"", c.red, c.green,
            c.blue, width);
  add_dashes(out, dashes);
}

void svg_segment(Drawing *d, double x1, double y1, double x2, double y2, Colour colour,
                 double width, const char *dashes) {
  text_addf(d->out, "<path d=\"M%.2f,%.2fL%.2f,%.2f\"", x1, y1, x2, y2);
  svg_pen(d->out, colour, width, dashes);
  text_add(d->out, "/>\n");
}

void svg_dot(Drawing *d, double x, double y, double radius, Colour c, bool is_filled) {
  text_addf(d->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.3g\"", x, y, radius);
  if (is_filled)
    text_addf(d->out, " fill=\"#%02x%02x%02x\"", c.red, c.green, c.blue);
  else
    svg_pen(d->out, c, 1.6, NULL);
  text_add(d->out, "/>\n");
}
