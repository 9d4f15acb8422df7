// Help, starting with an example, in lines of at most 80 columns.
#include "help.h"

#include <string.h>

#include "choices.h"

enum { LINE_WIDTH = 80, OPTION_WIDTH = 22 };

// Words of a text from column `indent` on, on as many lines as it takes.
static void print_wrapped(FILE *out, const char *text, int indent) {
  int column = indent;
  while (*text) {
    int length = (int)strcspn(text, " ");
    bool is_first = column == indent;
    if (!is_first && column + 1 + length > LINE_WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent, is_first = true;
    }
    fprintf(out, "%s%.*s", is_first ? "" : " ", length, text);
    column += length + !is_first;
    text += length + (text[length] == ' ');
  }
  fputc('\n', out);
}

static void print_option(FILE *out, OptionId id) {
  const OptionInfo *option = &option_info[id];
  char usage[64], help[MOST_HELP];
  choices_help(id, help, sizeof help);
  snprintf(usage, sizeof usage, "--%s%s%s", option->name, option->value ? " " : "",
           option->value ? option->value : "");
  fprintf(out, "  %-*s ", OPTION_WIDTH - 3, usage);
  print_wrapped(out, help, OPTION_WIDTH);
}

static void print_options(FILE *out, const char *title, uint64_t options) {
  bool has_title = false;
  for (OptionId id = 0; id < OPTION_COUNT; id++) {
    if (!(options >> id & 1)) continue;
    if (!has_title) fprintf(out, "\n%s\n", title);
    has_title = true;
    print_option(out, id);
  }
}

void help_command(FILE *out, const Command *command) {
  fprintf(out, "  $ %s\n\n", command->example);
  fprintf(out, "usage: qdot %s %s [options]\n", command->name, command->operands);
  fprintf(out, "%s\n", command->summary);
  print_options(out, "options:", command->takes & ~TAKES_COMMON);
  print_options(out, command->takes & TAKES_NO_MODEL ? "options:" : "common options:",
                command->takes & TAKES_COMMON);
}

void help_overview(FILE *out, const Command *commands, size_t count) {
  fprintf(out, "  $ qdot run double_pendulum.qdot\n\n"
               "Qdot takes a mechanical system written the way a textbook states it, derives its\n"
               "equations of motion, shows every step, and computes and draws the motion.\n\n");
  fprintf(out, "verbs:\n");
  for (size_t i = 0; i < count; i++) {
    int indent = fprintf(out, "  %-11s %-14s ", commands[i].name, commands[i].operands);
    print_wrapped(out, commands[i].summary, indent);
  }
  fprintf(out, "\n'qdot VERB --help' explains a verb, 'qdot --version' prints the version.\n"
               "exit status: 0 success, 1 error in the model or the run, 2 wrong usage,\n"
               "130 or 143 ended by a signal (what was finished is kept)\n");
}
