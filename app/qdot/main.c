// The command `qdot`: finds the verb, reads its options, runs it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "ending.h"
#include "help.h"
#include "options.h"
#include "output.h"
#include "qdot/qdot.h"

static const Command *find_command(const char *name) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (strcmp(commands[i].name, name) == 0) return &commands[i];
  }
  return NULL;
}

static int unknown_command(const char *word) {
  const char *names[COMMAND_COUNT];
  for (size_t i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i].name;
  const char *nearest = qdot_word_nearest(word, names, COMMAND_COUNT);
  fprintf(stderr, "qdot: unknown verb '%s'", word);
  size_t length = strlen(word);
  if (word[0] == '-')
    fprintf(stderr, "; options go after the verb: qdot VERB MODEL %s ...", word);
  else if (length > 5 && strcmp(word + length - 5, ".qdot") == 0)
    fprintf(stderr, "; did you mean 'qdot run %s'?", word);
  else if (nearest)
    fprintf(stderr, "; did you mean '%s'?", nearest);
  fprintf(stderr, "\n  'qdot --help' lists the verbs\n");
  return EXIT_USAGE;
}

static int run_command(const Command *command, int count, const char **words) {
  Arguments arguments;
  int status = EXIT_USAGE;
  bool understood = options_read(command, count, words, &arguments);
  if (understood && option_given(&arguments, OPTION_HELP)) {
    help_command(stdout, command);
    status = EXIT_DONE;
  } else if (understood) {
    status = command->run(&arguments);
  }
  options_close(&arguments);
  return status;
}

static int run(int count, const char **words) {
  if (count < 2) {
    help_first(stderr, commands, COMMAND_COUNT);
    return EXIT_USAGE;
  }
  const char *word = words[1];
  if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
    printf("qdot %s\n", qdot_version());
    return EXIT_DONE;
  }
  const Command *asked = count > 2 ? find_command(words[2]) : NULL;
  if (strcmp(word, "help") == 0 && asked) {
    help_command(stdout, asked);
    return EXIT_DONE;
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    help_overview(stdout, commands, COMMAND_COUNT);
    return EXIT_DONE;
  }
  const Command *command = find_command(word);
  return command ? run_command(command, count - 2, words + 2) : unknown_command(word);
}

int main(int count, char **words) {
  // Writing to a closed pipe or beyond a file size limit fails like any other write.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  int status = run(count, (const char **)words);
  output_flush();
  status = ending_status(status);
  return output_end() || status != EXIT_DONE ? status : EXIT_WRONG;
}
