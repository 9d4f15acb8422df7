// Reading the command line: --name value, --name=value, switches, operands in any order.
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "qdot/qdot.h"

const OptionInfo option_info[OPTION_COUNT] = {
#define OPTION(id, name, value, help) {name, value, help},
#include "options.def"
#undef OPTION
};

// The option that a word such as --out or --out=x names; OPTION_COUNT when the verb has none.
static OptionId find_option(const Command *command, const char *word, size_t length) {
  for (OptionId id = 0; id < OPTION_COUNT; id++) {
    const char *name = option_info[id].name;
    if ((command->takes >> id & 1) && strlen(name) == length && memcmp(name, word, length) == 0)
      return id;
  }
  return OPTION_COUNT;
}

// For an option of other verbs, lists these verbs.
static bool belongs_to_others(const Command *command, const char *name) {
  int found = 0;
  for (int i = 0; i < COMMAND_COUNT; i++) {
    if (find_option(&commands[i], name, strlen(name)) == OPTION_COUNT) continue;
    if (found++ == 0)
      fprintf(stderr, "qdot %s: no option '--%s'; it belongs to", command->name, name);
    fprintf(stderr, "%s %s", found > 1 ? "," : "", commands[i].name);
  }
  if (found) fprintf(stderr, "\n  see 'qdot %s --help'\n", command->name);
  return found > 0;
}

static bool unknown_option(const Command *command, const char *word) {
  const char *names[OPTION_COUNT];
  size_t count = 0;
  for (OptionId id = 0; id < OPTION_COUNT; id++) {
    if (command->takes >> id & 1) names[count++] = option_info[id].name;
  }
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  if (belongs_to_others(command, name)) return false;
  const char *nearest = qdot_word_nearest(name, names, count);
  fprintf(stderr, "qdot %s: unknown option '%s'", command->name, word);
  if (nearest) fprintf(stderr, "; did you mean '--%s'?", nearest);
  fprintf(stderr, "\n  see 'qdot %s --help'\n", command->name);
  return false;
}

bool options_read(const Command *command, int count, const char **words, Arguments *out) {
  // Operands are collected at the front of words, --set values in a separate array.
  *out = (Arguments){.command = command, .operand = words};
  out->set = calloc((size_t)count + 1, sizeof *out->set);
  if (!out->set) {
    fprintf(stderr, "qdot %s: %s\n", command->name, strerror(ENOMEM));
    return false;
  }
  bool operands_only = false;
  for (int i = 0; i < count; i++) {
    const char *word = words[i];
    if (!operands_only && strcmp(word, "-o") == 0 && command->takes & TAKES(FILE)) word = "--file";
    if (operands_only || strncmp(word, "--", 2) != 0) {
      if (!operands_only && strcmp(word, "-h") == 0) {
        out->value[OPTION_HELP] = "";
        continue;
      }
      if (!operands_only && word[0] == '-' && word[1]) return unknown_option(command, word);
      words[out->operand_count++] = word;
      continue;
    }
    if (!word[2]) {
      operands_only = true;
      continue;
    }
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word - 2) : strlen(word + 2);
    OptionId id = find_option(command, word + 2, length);
    if (id == OPTION_COUNT) return unknown_option(command, word);
    const char *value = equals ? equals + 1 : NULL;
    if (!option_info[id].value && value) {
      fprintf(stderr, "qdot %s: '--%s' takes no value\n", command->name, option_info[id].name);
      return false;
    }
    if (option_info[id].value && !value) {
      if (i + 1 == count) {
        fprintf(stderr, "qdot %s: '--%s' needs a value: --%s %s\n", command->name,
                option_info[id].name, option_info[id].name, option_info[id].value);
        return false;
      }
      value = words[++i];
    }
    out->value[id] = value ? value : "";
    if (id == OPTION_SET) out->set[out->set_count++] = value;
  }
  return true;
}

void options_close(Arguments *arguments) { free(arguments->set); }

bool option_given(const Arguments *arguments, OptionId id) { return arguments->value[id] != NULL; }

_Noreturn void option_refuse(const Arguments *arguments, OptionId id, const char *wanted) {
  fprintf(stderr, "qdot %s: '--%s %s': %s\n", arguments->command->name, option_info[id].name,
          arguments->value[id], wanted);
  exit(EXIT_USAGE);
}

void option_needs(const Arguments *arguments, OptionId id, OptionId other) {
  if (!option_given(arguments, id) || option_given(arguments, other)) return;
  char wanted[120];
  snprintf(wanted, sizeof wanted, "requires --%s; see 'qdot %s --help'", option_info[other].name,
           arguments->command->name);
  option_refuse(arguments, id, wanted);
}

double option_number(const Arguments *arguments, OptionId id, double otherwise) {
  const char *text = arguments->value[id];
  if (!text) return otherwise;
  char *end;
  errno = 0;
  double value = strtod(text, &end);
  if (end == text || *end || errno || !isfinite(value))
    option_refuse(arguments, id, "expected a number");
  return value;
}

double option_factor(const Arguments *arguments, OptionId id) {
  double value = option_number(arguments, id, 0);
  if (option_given(arguments, id) && value < 1)
    option_refuse(arguments, id, "expected a number, 1 or more");
  return value;
}

uint64_t option_whole(const Arguments *arguments, OptionId id) {
  char *end;
  const char *text = arguments->value[id];
  unsigned long long value = strtoull(text, &end, 10);
  if (*end != 0 || end == text || *text == '-')
    option_refuse(arguments, id, "expected 0, 1, 2 ...");
  return value;
}

uint32_t option_count(const Arguments *arguments, OptionId id, uint32_t least, uint32_t most,
                      uint32_t otherwise) {
  double value = option_number(arguments, id, otherwise);
  char wanted[100];
  snprintf(wanted, sizeof wanted, "expected a whole number, %" PRIu32 " or more", least);
  if (value != floor(value) || value < least) option_refuse(arguments, id, wanted);
  snprintf(wanted, sizeof wanted, "must be at most %" PRIu32, most);
  if (value > most) option_refuse(arguments, id, wanted);
  return (uint32_t)value;
}

int option_choice(const Arguments *arguments, OptionId id, const char *const *choices) {
  const char *text = arguments->value[id];
  if (!text) return 0;
  char wanted[200] = "expected";
  for (int i = 0; choices[i]; i++) {
    if (strcmp(text, choices[i]) == 0) return i;
    size_t used = strlen(wanted);
    snprintf(wanted + used, sizeof wanted - used, "%s %s",
             i == 0           ? ""
             : choices[i + 1] ? ","
                              : " or",
             choices[i]);
  }
  option_refuse(arguments, id, wanted);
}
