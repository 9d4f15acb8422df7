// Impulses of contacts whose states change one after the other: factors of the states of a while
// ago, with a border of rows and columns for those that have changed since.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_BORDER_H
#define QDOT_SOLVE_TOUCH_TOUCH_BORDER_H

#include "solve/touch/touch_states.h"

enum { TOUCH_BORDER_MOST = 16 };

// Of a contact whose state is not that of the factors. What it adds to the unknowns: impulses, or
// the freedom of an equation (-1: none); and to the equations: a speed, or a condition of impulses.
typedef struct TouchEdge {
  int contact, freed;
  double push, rub;
  enum { EDGE_APART, EDGE_ALONG, EDGE_IMPULSES } row;
  double by_push, by_rub;
} TouchEdge;

typedef struct TouchBorder {
  TouchMatrix *matrix;
  double soft;            // of its own entry, added on the diagonal
  const double *a, *b;    // speeds apart and along that impulses are to take away
  bool is_factored;       // for the states
  TouchState *base, *now; // of the factors, and of the border
  bool *presses, *rests;  // of the factors,
  double *share;          // and r of one that slides by its p
  double *x;              // what solves the equations without the border
  int count;
  TouchEdge edge[TOUCH_BORDER_MOST];
  double *column[TOUCH_BORDER_MOST]; // what solves them for each edge
  double S[TOUCH_BORDER_MOST][TOUCH_BORDER_MOST];
} TouchBorder;

// a and b are kept by the caller.
void touch_border_open(TouchBorder *border, TouchMatrix *matrix, const double *a, const double *b,
                       double soft);
// Impulses in these states; afresh: by new factors. False when the equations are singular.
bool touch_border_solve(TouchBorder *border, const TouchState *state, bool afresh, double *p,
                        double *r);

#endif
