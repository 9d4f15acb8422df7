// Views: what is drawn as JSON, and the motion as numbers.
#ifndef QDOT_API_API_VIEW_H
#define QDOT_API_API_VIEW_H

#include "api/api_object.h"
#include "qdot/qdot.h"
#include "report/live.h"

// Makes a view, an Object, from live, whose cx, system, result and language are set.
Status api_view(Live *live, const qdot_view_options *options, qdot_view **out);

#endif
