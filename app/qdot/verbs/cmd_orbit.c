// qdot orbit MODEL: a motion that repeats.
#include "answering.h"
#include "commands.h"

int cmd_orbit(const Arguments *arguments) { return answering(arguments, "orbit"); }
