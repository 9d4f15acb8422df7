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
#define PART_COLOURS (CURVE_COLOURS - 1)    // the last is grey, of curves only
#define MOST_TOLD_APART (2 * CURVE_COLOURS) // curves by colour, solid and dashed; more are in order
// Places behind those of curves: the three energies and whatever is a force.
enum { ENERGY_PLACE = CURVE_COLOURS, FORCE_PLACE = ENERGY_PLACE + 3, ROLE_COLOURS };
// By place: parts and curves in order of use, then the other roles. One table for the board, the
// stage, curves, symbols and pictures.
extern const ColourPair role_colours[ROLE_COLOURS];
// Of a place, on paper; those beyond the table begin again.
Colour place_colour(uint32_t place);
extern const ColourPair paper_colour; // the ground
extern const ColourPair ink_colour;   // text and axes
extern const ColourPair grid_colour;
extern const ColourPair band_colour; // where a contact is closed
extern const ColourPair mark_colour; // lines of events

// A colour by its place among n that are in order (first to last), violet to gold.
Colour colour_in_order(uint32_t place, uint32_t n);
// "red", "#ff8000", "blue" ... as in a draw line; false when it is none.
bool colour_from_name(const char *name, Colour *out);

#endif
