// A derived system for a terminal.
#ifndef QDOT_SHOW_LISTING_TEXT_H
#define QDOT_SHOW_LISTING_TEXT_H

#include "show/listing.h"

typedef struct TextStyle {
  bool unicode;
  size_t width; // columns
} TextStyle;

// Title, what is conserved, the equation of motion with the terms it has, and each table.
void listing_text(const Listing *listing, const TextStyle *style, Text *out);

#endif
