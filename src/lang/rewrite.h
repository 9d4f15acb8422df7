// New numbers in the text of a model, where the old ones stand; all else stays as it is.
#ifndef QDOT_LANG_REWRITE_H
#define QDOT_LANG_REWRITE_H

#include "model/model.h"

typedef struct NewValue {
  const Varied *varied;
  double value; // SI
} NewValue;

// Every number keeps its unit. Fails with a diagnostic where a value is not a plain number in the
// model's own file. The text is in the scratch arena.
Status model_rewrite(Context *cx, const Model *model, const NewValue *values, uint32_t count,
                     Text *out);

#endif
