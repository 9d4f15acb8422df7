// Point masses joined by rods, as a hand-written Problem: pendulums, four-bars, chains of them.
#ifndef QDOT_TESTS_TRUSS_H
#define QDOT_TESTS_TRUSS_H

#include "solve/problem.h"

enum { TRUSS_POINTS = 40, TRUSS_RODS = 80 };

typedef struct Rod {
  int a, b; // points; b < 0 for the ground at (x, y)
  double x, y;
  double length;
  double factor; // the row is factor * (distance^2 - length^2) / 2
} Rod;

typedef struct Truss {
  Problem problem;
  int points, rods;
  double mass[TRUSS_POINTS], gravity, damping;
  Rod rod[TRUSS_RODS];
} Truss;

// Fills truss->problem from the rest. Coordinates are x_0, y_0, x_1, y_1 ...
void truss_finish(Truss *truss);
void truss_rod(Truss *truss, int a, int b, double length);
void truss_ground_rod(Truss *truss, int a, double x, double y, double length);

// N four-bars of equal links side by side: cranks from (i, 0) to point i, couplers between points.
void truss_four_bars(Truss *truss, int four_bars);
// The state of truss_four_bars whose cranks have this angle and angular velocity.
void four_bars_state(int four_bars, double angle, double rate, double *q, double *qd);

#endif
