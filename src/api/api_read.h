// Reading a model inside of a call.
#ifndef QDOT_API_API_READ_H
#define QDOT_API_API_READ_H

#include "model/model.h"
#include "qdot/qdot.h"

// As qdot_model_parse, for those who are inside of a guarded call already.
Status api_read_model(Context *cx, const char *name, const char *text, size_t length,
                      bool data_is_stored, const qdot_model_options *options, Model **out);

#endif
