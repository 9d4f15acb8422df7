// Every expression that a model holds, each where it stands: the one list of them. Whoever rewrites
// a model (names of numbers, poses of bodies) goes through it, so that nothing new is left out.
#ifndef QDOT_MODEL_EXPRESSIONS_H
#define QDOT_MODEL_EXPRESSIONS_H

#include "model/model.h"

typedef VEC(Expr *) ExprPlaces;

// The model is a shallow copy of another: its lists become its own, and the places of what they
// hold are added, in the scratch arena. Values of parameters and definitions are not among them.
void mechanism_expressions(Context *cx, Mechanism *mechanism, ExprPlaces *places);
void statement_expressions(Context *cx, Model *model, ExprPlaces *places);
void request_expressions(Context *cx, Requests *requests, ExprPlaces *places);

#endif
