// Help begins with an example: what to type first, then what there is.
#include "help.h"

#include <string.h>

static void print_option(FILE *out, const OptionInfo *option) {
  char usage[64];
  snprintf(usage, sizeof usage, "--%s%s%s", option->name, option->value ? " " : "",
           option->value ? option->value : "");
  fprintf(out, "  %-24s %s\n", usage, option->help);
}

static void print_options(FILE *out, const char *title, uint64_t options) {
  bool has_title = false;
  for (OptionId id = 0; id < OPTION_COUNT; id++) {
    if (!(options >> id & 1)) continue;
    if (!has_title) fprintf(out, "\n%s\n", title);
    has_title = true;
    print_option(out, &option_info[id]);
  }
}

void help_command(FILE *out, const Command *command) {
  fprintf(out, "  $ %s\n\n", command->example);
  fprintf(out, "usage: qdot %s %s [options]\n", command->name, command->operands);
  fprintf(out, "%s\n", command->summary);
  print_options(out, "options:", command->takes & ~TAKES_COMMON);
  print_options(out, command->takes & TAKES_NO_MODEL ? "options:" : "options of every verb:",
                command->takes & TAKES_COMMON);
}

void help_overview(FILE *out, const Command *commands, size_t count) {
  fprintf(out, "  $ qdot run double_pendulum.qdot\n\n"
               "Qdot derives the equations of motion of a mechanical system written as a textbook\n"
               "states it, shows every step, and computes and draws its motion.\n\n");
  fprintf(out, "verbs:\n");
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "  %-12s %-18s %s\n", commands[i].name, commands[i].operands, commands[i].summary);
  }
  fprintf(out, "\n'qdot VERB --help' explains a verb, 'qdot --version' tells the version.\n"
               "exit status: 0 done, 1 the model or the run is wrong, 2 wrong usage,\n"
               "130 stopped by the user with results kept\n");
}
