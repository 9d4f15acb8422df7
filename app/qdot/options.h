// The command line: which verb, its operands, the options with their values.
#ifndef QDOT_APP_OPTIONS_H
#define QDOT_APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exit statuses of the command.
enum { EXIT_DONE = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 };

typedef enum OptionId {
#define OPTION(id, name, value, help) OPTION_##id,
#include "options.def"
#undef OPTION
  OPTION_COUNT
} OptionId;

typedef struct OptionInfo {
  const char *name, *value, *help; // value is NULL for a switch
} OptionInfo;
extern const OptionInfo option_info[OPTION_COUNT];

#define TAKES(id) ((uint64_t)1 << OPTION_##id)
#define TAKES_COMMON                                                                               \
  (TAKES(SET) | TAKES(FORMULATION) | TAKES(OUT) | TAKES(FORMAT) | TAKES(QUIET) | TAKES(MEMORY) |   \
   TAKES(TIME_LIMIT) | TAKES(LIMIT) | TAKES(HELP))

// For verbs that read no model.
#define TAKES_NO_MODEL ((uint64_t)1 << 63)
#define TAKES_ALWAYS (TAKES(QUIET) | TAKES(HELP))

typedef struct Arguments Arguments;

// What somebody wants with a verb.
typedef enum CommandGroup {
  GROUP_START,
  GROUP_ASK,
  GROUP_DRAW,
  GROUP_SHARE,
  GROUP_COUNT
} CommandGroup;

typedef struct Command {
  const char *name;
  CommandGroup group;
  const char *operands, *summary, *example;
  uint64_t takes; // TAKES(...) of every option it knows
  int (*run)(const Arguments *arguments);
} Command;

struct Arguments {
  const Command *command;
  const char **operand; // in order
  int operand_count;
  const char *value[OPTION_COUNT]; // the last one given; "" for a switch; NULL when not given
  const char **set;                // every NAME=VALUE of --set, in order
  int set_count;
};

// Reads the words after the verb and rearranges them. Explains a mistake on stderr and returns
// false. Close the arguments in any case.
bool options_read(const Command *command, int count, const char **words, Arguments *out);
void options_close(Arguments *arguments);
// True when --NAME was given.
bool option_given(const Arguments *arguments, OptionId id);
// The value of a number option, or otherwise; explains a mistake and exits.
double option_number(const Arguments *arguments, OptionId id, double otherwise);
// A factor of 1 or more, or 0 if it was not given; explains a mistake and exits.
double option_factor(const Arguments *arguments, OptionId id);
// Refuses the option unless the other one is given too.
void option_needs(const Arguments *arguments, OptionId id, OptionId other);
// The value of an option that is a whole number, as above.
uint64_t option_whole(const Arguments *arguments, OptionId id);
// The value of an option that counts something, from least to most; otherwise, as above.
uint32_t option_count(const Arguments *arguments, OptionId id, uint32_t least, uint32_t most,
                      uint32_t otherwise);
// Explains what was wanted instead of the option's value, and exits.
_Noreturn void option_refuse(const Arguments *arguments, OptionId id, const char *wanted);
// The index of the option's value among the choices (ended by NULL), 0 when it was not given;
// explains a mistake and exits.
int option_choice(const Arguments *arguments, OptionId id, const char *const *choices);

#endif
