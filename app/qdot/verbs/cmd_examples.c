// qdot examples: lists the models built into the command, and copies those named.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "examples.h"
#include "file.h"
#include "qdot/qdot.h"

static const Example *find_example(const char *name) {
  size_t length = strlen(name);
  if (length > 5 && strcmp(name + length - 5, ".qdot") == 0) length -= 5;
  for (size_t i = 0; i < example_count; i++) {
    if (strlen(examples[i].name) == length && memcmp(examples[i].name, name, length) == 0)
      return &examples[i];
  }
  return NULL;
}

static int unknown_example(const char *name) {
  const char **names = calloc(example_count, sizeof *names);
  for (size_t i = 0; names && i < example_count; i++) names[i] = examples[i].name;
  const char *nearest = names ? qdot_word_nearest(name, names, example_count) : NULL;
  fprintf(stderr, "qdot examples: no example '%s'", name);
  if (nearest) fprintf(stderr, "; did you mean '%s'?", nearest);
  fprintf(stderr, "\n  'qdot examples' lists them\n");
  free(names);
  return EXIT_USAGE;
}

static int copy_example(const Arguments *arguments, const Example *example) {
  char path[256];
  snprintf(path, sizeof path, "%s.qdot", example->name);
  if (!file_create("examples", path, example->text)) return EXIT_WRONG;
  char data[256];
  snprintf(data, sizeof data, "%s.csv", example->name);
  if (*example->data && !file_create("examples", data, example->data)) return EXIT_WRONG;
  if (!option_given(arguments, OPTION_QUIET)) printf("%s\n  next: qdot run %s\n", path, path);
  return EXIT_DONE;
}

static void list_examples(void) {
  size_t widest = 0;
  for (size_t i = 0; i < example_count; i++)
    if (strlen(examples[i].name) > widest) widest = strlen(examples[i].name);
  for (size_t i = 0; i < example_count; i++)
    printf("%-*s  %s\n", (int)widest, examples[i].name, examples[i].comment);
}

int cmd_examples(const Arguments *arguments) {
  if (arguments->operand_count == 0) {
    list_examples();
    printf("\n'qdot examples NAME' copies one into the current folder.\n");
    return EXIT_DONE;
  }
  for (int i = 0; i < arguments->operand_count; i++) {
    const Example *example = find_example(arguments->operand[i]);
    if (!example) return unknown_example(arguments->operand[i]);
    int status = copy_example(arguments, example);
    if (status != EXIT_DONE) return status;
  }
  return EXIT_DONE;
}
