// What a public system consists of.
#ifndef QDOT_API_API_SYSTEM_H
#define QDOT_API_API_SYSTEM_H

#include "api/api_files.h"
#include "api/api_object.h"
#include "derive/system.h"
#include "qdot/qdot.h"

struct qdot_system {
  Object object;
  System *system;
  System *named;        // with the numbers of parts under their names, once asked for
  System *shown;        // with the units of numbers, too
  double seconds;       // that deriving took
  qdot_selfcheck check; // of the last one
  FileList files;       // exported
};

// The equations for whoever changes numbers of parts: model_named. Inside of a call.
Status api_named_system(qdot_system *system, System **out);
// As readers see them: model_shown.
Status api_shown_system(qdot_system *system, System **out);

#endif
