// Colours of curves and mechanisms: told apart by every kind of colour vision, on paper and screen.
#ifndef QDOT_CHART_PALETTE_H
#define QDOT_CHART_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Colour {
  uint8_t red, green, blue;
} Colour;

// The same role on a light and on a dark ground.
typedef struct ColourPair {
  Colour light, dark;
} ColourPair;

#define CURVE_COLOURS 7
#define MOST_TOLD_APART (2 * CURVE_COLOURS) // curves by colour, solid and dashed; more are in order
extern const ColourPair curve_colours[CURVE_COLOURS]; // in order of use
extern const ColourPair paper_colour;                 // the ground
extern const ColourPair ink_colour;                   // text and axes
extern const ColourPair grid_colour;
extern const ColourPair band_colour; // where a contact is closed
extern const ColourPair mark_colour; // lines of events

// A colour by its place among n that are in order (first to last), violet to gold.
Colour colour_in_order(uint32_t place, uint32_t n);
// "red", "#ff8000", "blue" ... as in a draw line; false when it is none.
bool colour_from_name(const char *name, Colour *out);

#endif
