// A derived system for a terminal.
#ifndef QDOT_PRINT_LISTING_TEXT_H
#define QDOT_PRINT_LISTING_TEXT_H

#include "print/listing.h"
#include "print/terminal_page.h"

// Title, what is conserved, the equation of motion with the terms it has, each table, and what the
// names in them stand for.
void listing_text(const Listing *listing, const TextStyle *style, Text *out);

#endif
