// The verbs, one function each in cmd_NAME.c; each returns the exit status.
#ifndef QDOT_APP_COMMANDS_H
#define QDOT_APP_COMMANDS_H

#include "options.h"

#define COMMAND(name, group, operands, summary, example, takes)                                    \
  int cmd_##name(const Arguments *arguments);
#include "commands.def"
#undef COMMAND

enum {
#define COMMAND(name, group, operands, summary, example, takes) COMMAND_##name,
#include "commands.def"
#undef COMMAND
  COMMAND_COUNT
};
extern const Command commands[COMMAND_COUNT];

#endif
