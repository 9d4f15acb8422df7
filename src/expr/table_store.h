// The tables of a context (program/table.h), each held once, and how formulas name them.
#ifndef QDOT_EXPR_TABLE_STORE_H
#define QDOT_EXPR_TABLE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "program/table.h"

// Any pieces; equal tables have equal ids. inner has the n - 1 between the knots, as in a
// TableData; the level ones are added, `last` is the value behind the last knot. Periodic: the last
// knot is the first one again.
TableId table_from_pieces(Context *cx, uint32_t n, uint32_t degree, const double *x,
                          const double *inner, double last, bool is_periodic);

// Remembers which file a table was first read from; the name must live as long as the context.
void table_set_origin(Context *cx, TableId id, const char *file);
// Remembers the units in which a table was first written; texts as above, or NULL.
void table_set_units(Context *cx, TableId id, const char *x_unit, double x_factor,
                     const char *y_unit, double y_factor);
const TableData *table_get(const Context *cx, TableId id);
uint32_t table_count(const Context *cx);

// ---- How formulas show them

// Short ones with their points; others by a name, table_1 and slope_1.
bool table_is_short(const TableData *table);
// "table", "slope", and the like; with the table's number where it is not short.
const char *table_name(Context *cx, Arena *arena, TableId table, TableAspect aspect);

#endif
