// The equations of a system as a table of named arrays, in the form that the reader asked for.
// Sources: listing.c, solved.c
#ifndef QDOT_PRINT_LISTING_H
#define QDOT_PRINT_LISTING_H

#include "derive/quantities.h"
#include "derive/roads/road_type.h"
#include "expr/algebra/simplify.h"

typedef enum ListedKey {
#define QUANTITY(key, name, rows, columns, takes, shown, code, meaning)                            \
  LISTED_##key = QUANTITY_##key,
#include "derive/quantities.def"
#undef QUANTITY
  LISTED_COUNT
} ListedKey;

typedef struct Listed {
  const char *name;       // "Phi_q", as --only and the JSON know it
  uint32_t rows, columns; // a scalar is 1 x 1, a vector n x 1
  Expr *values;           // row by row
  bool is_wanted;         // false when --only leaves it out
} Listed;

typedef struct Listing {
  const System *system;
  SimplifyLevel simplify;
  bool is_chosen; // somebody asked for certain names
  bool is_linear; // h + D + G = C q' + K q + rest with constant matrices, and these are listed
  Conserved *conserved;
  uint32_t conserved_count;
  RoadTaken road; // by which the equations are shown
  Listed at[LISTED_COUNT];
  Expr *all; // the values of every table, one after the other
  uint32_t count;
} Listing;

typedef struct ListingOptions {
  SimplifyLevel simplify;
  const char *only; // names with commas, or NULL for all
  bool for_people;  // also looks for what is conserved and whether the system is linear
} ListingOptions;

// Derives what is missing and rewrites it for the reader. An unknown name in only is a mistake, and
// so are C, K and rest of a system that is not linear. All arrays are in the context's scratch
// arena.
Status listing_open(System *system, const ListingOptions *options, Listing *out);

// The values of all tables that are wanted; in the scratch arena.
ExprList listing_wanted(const Listing *listing);

// Are the equations shown by another road than Lagrange's?
static inline bool listing_by_road(const Listing *listing) { return listing->road.result; }
// What that road shows, added to a list in the scratch arena.
void listing_add_road(const Listing *listing, ExprList *out);

// The equation of one coordinate without constraints solved for its acceleration: q'' + left =
// right, the forces of contacts among it. False where there are more, or where that is longer than
// what it comes from.
bool listing_solved(const Listing *listing, Expr *left, Expr *right);

// All accelerations, then the multipliers of the rows, where these are few and short; else false.
// In the scratch arena.
bool listing_accelerations(const Listing *listing, ExprList *out);

// Constraints, contacts and outputs belong to the equations of every road, matrices and forces to
// Lagrange's alone.
static inline bool listed_beside_road(ListedKey key) {
  return key >= LISTED_PHI && key < LISTED_C && key != LISTED_RATES;
}

bool listed_is_zero(const Context *cx, const Listed *listed);

#endif
