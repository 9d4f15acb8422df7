// qdot sensitivity MODEL: what parameters do to the measures.
#include "answering.h"
#include "commands.h"

int cmd_sensitivity(const Arguments *arguments) { return answering(arguments, "sensitivity"); }
