// What --help prints.
#ifndef QDOT_APP_HELP_H
#define QDOT_APP_HELP_H

#include <stdio.h>

#include "options.h"

void help_overview(FILE *out, const Command *commands, size_t count);
void help_command(FILE *out, const Command *command);

#endif
