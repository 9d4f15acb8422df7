// qdot fit MODEL: the parameters that follow measurements.
#include "answering.h"
#include "commands.h"

int cmd_fit(const Arguments *arguments) { return answering(arguments, "fit"); }
