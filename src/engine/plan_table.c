// Pieces of tables as inputs of programs: origin, coefficients, and where it is watched a and b of
// the guards a x - b: 1 and the knot; without a knot 0 and what keeps the guard on its side.
#include "engine/plan.h"

void plan_table_fill(const PlanTable *use, double number, double acting, double *in) {
  TablePiece piece = table_piece(use->table, acting);
  in += use->first_input;
  *in++ = piece.origin;
  for (uint32_t k = 0; k <= use->table->degree; k++) *in++ = piece.c[k];
  if (use->is_timed) return;
  piece = table_piece(use->table, number);
  in[0] = piece.has_lower, in[1] = piece.has_lower ? piece.lower : -1;
  in[2] = piece.has_upper, in[3] = piece.has_upper ? piece.upper : 1;
}
