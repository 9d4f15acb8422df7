// Numbers of a mechanism that have names, for readers and settings, and stand as numbers in the
// equations that are computed.
#ifndef QDOT_MODEL_FOLD_H
#define QDOT_MODEL_FOLD_H

#include "expr/subst.h"
#include "model/model.h"

typedef VEC(Substitution) Substitutions;

// e and its first two time derivatives; in the scratch arena.
void replace_with_rates(Context *cx, Substitutions *list, Expr from, Expr to);

// The model with its named numbers put in, so that it costs nothing that they have names; they
// are no longer among its parameters, and model->named is the model as it was. Those that are
// varied stay. The model itself where it has none.
const Model *model_fold(Context *cx, const Model *model);

#endif
