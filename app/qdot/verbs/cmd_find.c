// qdot find MODEL: values for which the measures are as they shall be.
#include "answering.h"
#include "commands.h"

int cmd_find(const Arguments *arguments) { return answering(arguments, "find"); }
