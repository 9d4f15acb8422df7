// A derived system for a terminal.
#ifndef QDOT_SHOW_LISTING_TEXT_H
#define QDOT_SHOW_LISTING_TEXT_H

#include "show/listing.h"
#include "show/page.h"

// Title, what is conserved, the equation of motion with the terms it has, each table, and what the
// names in them stand for.
void listing_text(const Listing *listing, const TextStyle *style, Text *out);

#endif
