// qdot find MODEL: the values that give the measures asked for.
#include "answering.h"
#include "commands.h"

int cmd_find(const Arguments *arguments) { return answering(arguments, "find"); }
