// The table of the verbs.
#include "commands.h"

const Command commands[COMMAND_COUNT] = {
#define COMMAND(name, operands, summary, example, takes)                                           \
  {#name, operands, summary, example, (takes) | TAKES_COMMON, cmd_##name},
#include "commands.def"
#undef COMMAND
};
