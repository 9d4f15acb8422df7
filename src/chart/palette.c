// Colours of curves and mechanisms: told apart by every kind of colour vision, on paper and screen.
#include "chart/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLOUR_OF(hex)                                                                             \
  { (hex) >> 16 & 0xff, (hex) >> 8 & 0xff, (hex)&0xff }
#define PAIR_OF(light, dark) {COLOUR_OF(light), COLOUR_OF(dark)},

// By place; PART, ENERGY and FORCE one after the other.
const ColourPair role_colours[ROLE_COLOURS] = {
#define PART(light, dark) PAIR_OF(light, dark)
#define ENERGY(light, dark) PAIR_OF(light, dark)
#define FORCE(light, dark) PAIR_OF(light, dark)
#include "chart/palette.def"
#undef PART
#undef ENERGY
#undef FORCE
};

Colour place_colour(uint32_t place) {
  return role_colours[place < ROLE_COLOURS ? place : place % CURVE_COLOURS].light;
}

const ColourPair paper_colour = {{255, 255, 255}, {24, 26, 30}};
const ColourPair ink_colour = {{34, 34, 34}, {224, 224, 224}};
const ColourPair grid_colour = {{228, 228, 228}, {56, 60, 66}};
const ColourPair band_colour = {{238, 233, 218}, {58, 52, 38}};
const ColourPair mark_colour = {{140, 140, 140}, {130, 134, 140}};

// Five stations from violet to gold, in order of lightness, all visible on light and dark.
static const Colour stations[] = {
    {118, 70, 172}, {62, 112, 186}, {30, 148, 142}, {110, 168, 62}, {206, 160, 36}};

Colour colour_in_order(uint32_t place, uint32_t n) {
  double at = n > 1 ? 4.0 * place / (n - 1) : 0;
  int i = at >= 4 ? 3 : (int)at;
  double part = at - i;
  const Colour *a = &stations[i], *b = &stations[i + 1];
  return (Colour){(uint8_t)lround(a->red + part * (b->red - a->red)),
                  (uint8_t)lround(a->green + part * (b->green - a->green)),
                  (uint8_t)lround(a->blue + part * (b->blue - a->blue))};
}

static const struct {
  const char *name;
  Colour colour;
} named[] = {
    {"black", {34, 34, 34}},   {"white", {255, 255, 255}}, {"grey", {128, 128, 128}},
    {"gray", {128, 128, 128}}, {"blue", {0, 114, 178}},    {"red", {200, 40, 30}},
    {"orange", {230, 140, 0}}, {"green", {0, 158, 115}},   {"purple", {150, 80, 150}},
    {"pink", {204, 121, 167}}, {"yellow", {225, 200, 30}}, {"brown", {122, 92, 0}},
    {"sky", {86, 180, 233}},   {"cyan", {40, 170, 190}},   {"vermilion", {213, 94, 0}},
};

bool colour_from_name(const char *name, Colour *out) {
  if (name[0] == '#' && strlen(name) == 7) {
    char *end;
    unsigned long value = strtoul(name + 1, &end, 16);
    *out = (Colour){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    return *end == 0;
  }
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (strcmp(name, named[i].name) == 0) {
      *out = named[i].colour;
      return true;
    }
  return false;
}
