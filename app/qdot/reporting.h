// Reports with their progress on the terminal.
#ifndef QDOT_APP_REPORTING_H
#define QDOT_APP_REPORTING_H

#include "session.h"

// The parts of a job, each with the time that it took, on one line of the terminal.
typedef struct Stages {
  const char *language;
  bool visible;
  qdot_stage now;
  bool has_begun;
  double began;
} Stages;

// Silent when nobody watches. Wrong languages are refused here, before anything is computed.
Stages stages_open(const Arguments *arguments);
void stages_begin(Stages *stages, qdot_stage stage);
void stages_close(Stages *stages);

// The report options that the command line gives.
qdot_report_options reporting_options(const Arguments *arguments, Stages *stages);

#endif
