// What --help prints.
#ifndef QDOT_APP_HELP_H
#define QDOT_APP_HELP_H

#include <stdio.h>

#include "options.h"

// What somebody sees who types `qdot` alone: what to begin with, and the verbs.
void help_first(FILE *out, const Command *commands, size_t count);
// All verbs, each with what it does.
void help_overview(FILE *out, const Command *commands, size_t count);
void help_command(FILE *out, const Command *command);

#endif
