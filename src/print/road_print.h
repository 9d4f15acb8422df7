// How the equations of a road look on a terminal and in JSON.
// Sources: hamilton_print.c, road_print.c, routh_print.c, speeds_print.c
#ifndef QDOT_PRINT_ROAD_PRINT_H
#define QDOT_PRINT_ROAD_PRINT_H

#include "print/listing_writer.h"
#include "print/terminal_page.h"

typedef struct RoadPrint {
  void (*text)(TerminalPage *page, const System *system, const void *road);
  // Keys of the document of `derive`.
  void (*json)(ListingWriter *writer, const System *system, const void *road);
} RoadPrint;

// NULL: Lagrange's.
const RoadPrint *road_print(Road road);

// Lines left = right.
void road_print_equations(TerminalPage *page, const Expr *left, const Expr *right, uint32_t n);

#define ROAD(NAME, name, text) extern const RoadPrint name##_print;
#include "derive/roads/roads.def"
#undef ROAD

#endif
