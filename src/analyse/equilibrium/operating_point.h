// The state at which a model asks to be linearized: an equilibrium, a given point, a steady motion.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_OPERATING_POINT_H
#define QDOT_ANALYSE_EQUILIBRIUM_OPERATING_POINT_H

#include "analyse/equilibrium/steady.h"

typedef struct OperatingPoint {
  Steady *state;
  Expr *given; // n for q, n for q': what the user wrote; 0 if not given
  Expr *u;     // the inputs' values
} OperatingPoint;

// request may be NULL: the equilibrium nearest to the start. What is not found is explained with
// the numbers that show it. Lives in the arena.
Status operating_point_find(Balance *b, const LinearizeRequest *request, Arena *arena,
                            OperatingPoint *out);

// Are the names of the request coordinates in this formulation? Says which is none. request may be
// NULL.
Status operating_point_names(const System *system, const LinearizeRequest *request);

// A mistake, with the request's line where there is one.
Status operating_point_error(Balance *b, const LinearizeRequest *request, Status status,
                             const char *message);

// A root that vanishes at the state leaves the forces without a slope: explained.
Status operating_point_apex_error(Balance *b, const LinearizeRequest *request, const Steady *s,
                                  Expr root);

// Where the search begins, and what it must keep.
void operating_point_open(Balance *b, const LinearizeRequest *request, Arena *arena,
                          OperatingPoint *out, SteadyFreedom *free);

// How far each coordinate may move in one step: 1 for angles, else the largest length (mass, ...)
// among the start values, else among the parameters.
double *operating_point_scales(Balance *b, Arena *arena);

// Initial positions of the model, as numbers and velocities 0.
void operating_point_start(Balance *b, Steady *s);

// Solves for velocities and positions together, and for the contacts that must hold. The
// velocities that are not fixed are those the rows demand.
Status operating_point_solve(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row);

#endif
