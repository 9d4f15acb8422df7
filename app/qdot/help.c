// Help, starting with examples, in lines that fit the terminal; of at most 80 columns elsewhere.
#include "help.h"

#include <string.h>

#include "choices.h"
#include "session.h"

enum { LINE_WIDTH = 80, NARROWEST = 40, OPTION_WIDTH = 22 };

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_START] = "start", [GROUP_ASK] = "ask", [GROUP_DRAW] = "draw", [GROUP_SHARE] = "share"};

// Lines that are longer than these are read less well.
static int line_width(void) {
  size_t width = session_width();
  return width < NARROWEST ? NARROWEST : width < LINE_WIDTH ? (int)width : LINE_WIDTH;
}

// Words of a text from column `indent` on, on as many lines as it takes.
static void print_wrapped(FILE *out, const char *text, int indent) {
  int column = indent, width = line_width();
  while (*text) {
    int length = (int)strcspn(text, " ");
    bool is_first = column == indent;
    if (!is_first && column + 1 + length > width) {
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

static const char what_it_is[] =
    "Qdot takes a mechanical system written the way a textbook states it, derives its equations of "
    "motion, shows every step, and computes and draws the motion.";

void help_first(FILE *out, const Command *commands, size_t count) {
  static const char *const lines[][2] = {
      {"qdot new pendulum", "write a model to start from"},
      {"qdot derive pendulum.qdot", "its equations of motion"},
      {"qdot run pendulum.qdot", "its motion: plots, animation, report"},
      {"qdot studio", "write, draw and see in the browser"},
      {"qdot VERB --help", "what a verb does, and its options"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    int indent = fprintf(out, "  $ %-27s ", lines[i][0]);
    print_wrapped(out, lines[i][1], indent);
  }
  fputc('\n', out);
  for (int group = 0; group < GROUP_COUNT; group++) {
    char names[512] = "";
    for (size_t i = 0; i < count; i++) {
      size_t n = strlen(names);
      if (commands[i].group == (CommandGroup)group)
        snprintf(names + n, sizeof names - n, "%s%s", n ? " " : "", commands[i].name);
    }
    print_wrapped(out, names, fprintf(out, "%-6s ", group_names[group]));
  }
}

void help_overview(FILE *out, const Command *commands, size_t count) {
  fprintf(out, "  $ qdot run double_pendulum.qdot\n\n");
  print_wrapped(out, what_it_is, 0);
  fprintf(out, "\nverbs:\n");
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || commands[i].group != commands[i - 1].group)
      fprintf(out, "%s\n", group_names[commands[i].group]);
    int indent = fprintf(out, "  %-11s %-14s ", commands[i].name, commands[i].operands);
    print_wrapped(out, commands[i].summary, indent);
  }
  fputc('\n', out);
  print_wrapped(out, "'qdot VERB --help' explains a verb, 'qdot version' prints the version.", 0);
  print_wrapped(
      out,
      "exit status: 0 success, 1 error in the model or the run, 2 wrong usage, 130 or 143 "
      "ended by a signal (what was finished is kept)",
      0);
}
