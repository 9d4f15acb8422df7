// The JSON of a listing while it is written.
#ifndef QDOT_PRINT_LISTING_WRITER_H
#define QDOT_PRINT_LISTING_WRITER_H

#include "print/abbreviations.h"
#include "print/listing.h"
#include "result/json.h"

typedef struct ListingWriter {
  Context *cx;
  const Listing *listing;
  Parts parts; // names for what several formulas share
  Json json;
} ListingWriter;

// Formulas in the language's syntax; key: NULL in a list.
void writer_add_expr(ListingWriter *w, JsonValue *parent, const char *key, Expr e);
void writer_add_vector(ListingWriter *w, JsonValue *parent, const char *key, const Expr *at,
                       uint32_t n);
// An object: the name of each left side, and its right side.
void writer_add_equations(ListingWriter *w, JsonValue *parent, const Expr *left, const Expr *right,
                          uint32_t n);

#endif
