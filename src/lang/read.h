// Model text -> Model: the way in.
#ifndef QDOT_LANG_READ_H
#define QDOT_LANG_READ_H

#include "model/model.h"

// Values from outside, each "NAME=VALUE": parameters, counts, inputs, initial values (theta,
// theta').
typedef struct ReadOptions {
  const char *const *overrides;
  size_t override_count;
  const char *overrides_name; // how messages refer to them; NULL: "setting"
  bool all_columns;    // all that belongs to bodies, joints, springs and contacts becomes columns
  bool kinematics;     // bodies may lack masses; what drives and bearings do becomes columns
  bool data_is_stored; // data files are those that a result keeps beside its model
  bool keeps_mistakes; // *out is what could be read, also where there are mistakes; for editors
} ReadOptions;

// Reads a model. Mistakes and warnings are in the context's diagnostics; with a mistake the status
// is that of the first one and *out is NULL. name is what messages call the text. options may be
// NULL.
Status model_read(Context *cx, const char *name, const char *text, size_t length,
                  const ReadOptions *options, Model **out);

// Reads one expression in the names of a model, such as a printer wrote or a command line gives.
// A vector is a mistake. Without a model every unknown name is a parameter.
Status expression_read(Context *cx, Model *model, const char *name, const char *text, size_t length,
                       Expr *out);

// Reads "A..B" in the names of a model as its lines do: a unit behind B holds for both where A has
// none. measure: of what has that range, which `what` names in messages.
Status range_read(Context *cx, Model *model, const char *name, const char *text, size_t length,
                  const Measure *measure, const char *what, Expr *low, Expr *high);
// The same in hertz; units of angular speeds are refused.
Status frequency_range_read(Context *cx, Model *model, const char *name, const char *text,
                            size_t length, Expr *low, Expr *high);

#endif
