// A derived system as JSON, as doc/contract.md describes it.
#ifndef QDOT_PRINT_LISTING_JSON_H
#define QDOT_PRINT_LISTING_JSON_H

#include "print/listing.h"

// A parameter without a finite value is a mistake.
Status listing_json(const Listing *listing, Text *out);

#endif
