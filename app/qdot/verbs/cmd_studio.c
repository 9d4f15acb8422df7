// qdot studio [MODEL|DIR]: runs the program qdot-studio, which serves the page. It is a program of
// its own, so that the libraries of a server are not loaded with every command.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"

static bool is_port(const char *word) {
  char *end;
  unsigned long port = strtoul(word, &end, 10);
  return word[0] >= '0' && word[0] <= '9' && *end == 0 && port < 65536;
}

// Beside this program.
static bool find_program(char *path, size_t room) {
  ssize_t n = readlink("/proc/self/exe", path, room - 16);
  if (n <= 0) return false;
  path[n] = 0;
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  strcpy(slash + 1, "qdot-studio");
  return true;
}

int cmd_studio(const Arguments *arguments) {
  const char *port = arguments->value[OPTION_PORT];
  if (arguments->operand_count > 1) {
    fprintf(stderr, "qdot studio: expected one model or folder\n");
    return EXIT_USAGE;
  }
  if (port && !is_port(port)) {
    fprintf(stderr, "qdot studio: '%s' is not a port; expected 0 to 65535\n", port);
    return EXIT_USAGE;
  }
  char path[PATH_MAX + 16], *words[8] = {"qdot-studio"};
  int n = 1;
  if (port) words[n++] = "--port", words[n++] = (char *)port;
  if (option_given(arguments, OPTION_NO_BROWSER)) words[n++] = "--no-browser";
  if (option_given(arguments, OPTION_STAY)) words[n++] = "--stay";
  if (arguments->operand_count == 1) words[n++] = (char *)arguments->operand[0];
  if (find_program(path, sizeof path)) execv(path, words);
  fprintf(stderr, "qdot studio: the studio has not been built; run 'make studio'\n");
  return EXIT_WRONG;
}
