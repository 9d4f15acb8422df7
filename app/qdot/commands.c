// The table of the verbs.
#include "commands.h"

#define WITH_COMMON(takes) ((takes) | ((takes)&TAKES_NO_MODEL ? TAKES_ALWAYS : TAKES_COMMON))

const Command commands[COMMAND_COUNT] = {
#define COMMAND(name, group, operands, summary, example, takes)                                    \
  {#name, GROUP_##group, operands, summary, example, WITH_COMMON(takes), cmd_##name},
#include "commands.def"
#undef COMMAND
};
