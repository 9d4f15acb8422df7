// The finish of a picture that gnuplot drew: words for those who cannot see it, and a dark side.
#include "chart/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/palette.h"

static void add_escaped(Text *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      text_add(out, "&lt;");
    else if (*text == '&')
      text_add(out, "&amp;");
    else if ((unsigned char)*text >= ' ')
      text_add_char(out, *text);
  }
}

static void add_hex(Text *out, Colour c) {
  text_addf(out, "#%02x%02x%02x", c.red, c.green, c.blue);
}

// Whatever has the light colour gets the dark one.
static void add_rule(Text *out, ColourPair pair, const char *attribute) {
  text_addf(out, "[%s=\"", attribute);
  add_hex(out, pair.light);
  text_addf(out, "\"]{%s:", attribute);
  add_hex(out, pair.dark);
  text_add(out, "}");
}

void svg_add_dark_side(Text *out) {
  const ColourPair others[] = {paper_colour, ink_colour, grid_colour, band_colour, mark_colour};
  text_add(out, "<style>@media (prefers-color-scheme:dark){");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    add_rule(out, others[i], "stroke");
    add_rule(out, others[i], "fill");
  }
  for (size_t i = 0; i < ROLE_COLOURS; i++) {
    add_rule(out, role_colours[i], "stroke");
    add_rule(out, role_colours[i], "fill");
    add_rule(out, role_colours[i], "color");
  }
  text_add(out, "}</style>\n");
}

// rgb( 34,  34,  34) as #222222; returns how many bytes it took, or 0.
static size_t add_compact_colour(Text *out, const char *at) {
  int red, green, blue, length = 0;
  char near[32]; // sscanf looks for the end of what it reads from, which may be far away
  if (strncmp(at, "rgb(", 4) != 0) return 0;
  snprintf(near, sizeof near, "%.*s", (int)sizeof near - 1, at);
  if (sscanf(near, "rgb(%d,%d,%d)%n", &red, &green, &blue, &length) < 3 || length == 0) return 0;
  add_hex(out, (Colour){(uint8_t)red, (uint8_t)green, (uint8_t)blue});
  return (size_t)length;
}

static bool starts(const char *at, const char *word) {
  return strncmp(at, word, strlen(word)) == 0;
}

// A name that gnuplot made up, which a pointer over the curve would show.
static size_t empty_title_length(const char *at) {
  if (!starts(at, "<title>gnuplot_plot_")) return 0;
  const char *end = strstr(at, "</title>");
  return end ? (size_t)(end + strlen("</title>") - at) : 0;
}

// From one group that holds nothing to the next part.
static size_t empty_group_length(const char *at) {
  if (!starts(at, "<g ")) return 0;
  const char *end = strchr(at, '>');
  if (!end) return 0;
  const char *after = end + 1 + strspn(end + 1, " \n\t");
  return starts(after, "</g>") ? (size_t)(after + 4 + strspn(after + 4, "\n") - at) : 0;
}

static void add_body(Text *out, const char *at, const char *name) {
  bool in_tag = false;
  while (*at) {
    size_t skip = empty_group_length(at) + empty_title_length(at);
    if (skip) {
      at += skip;
      continue;
    }
    if (*at == '<') in_tag = true;
    if (*at == '>') in_tag = false;
    size_t taken = in_tag && *at == 'r' ? add_compact_colour(out, at) : 0;
    if (taken) {
      at += taken;
    } else if (in_tag && starts(at, "id=") && (at[3] == '"' || at[3] == '\'')) {
      text_addf(out, "id=%c%s-", at[3], name);
      at += 4;
    } else if (in_tag && (starts(at, "'#gp") || starts(at, "(#"))) {
      text_addf(out, "%c#%s-", *at, name);
      at += 2;
    } else {
      text_add_char(out, *at++);
    }
  }
}

void svg_finish(const char *svg, const char *name, const char *description, Text *out) {
  const char *head = strstr(svg, "<svg"), *body = head ? strchr(head, '>') : NULL;
  const char *title = body ? strstr(body, "<title>") : NULL;
  const char *rest = title ? strstr(title, "</desc>") : NULL;
  if (!rest) {
    text_add(out, svg);
    return;
  }
  text_add_bytes(out, svg, (size_t)(head - svg));
  text_add(out, "<svg role=\"img\" xml:space=\"preserve\"");
  text_add_bytes(out, head + 4, (size_t)(body + 1 - head - 4));
  text_add(out, "\n<title>");
  add_escaped(out, description);
  text_add(out, "</title>\n");
  svg_add_dark_side(out);
  add_body(out, rest + strlen("</desc>"), name);
}
