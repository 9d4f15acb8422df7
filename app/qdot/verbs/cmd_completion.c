// qdot completion SHELL: what a shell needs to complete verbs, options and models, from our tables.
#include <stdio.h>
#include <string.h>

#include "choices.h"
#include "commands.h"
#include "examples.h"
#include "qdot/qdot.h"

static const char shells[] = "bash zsh fish";

static void put_vocabulary(qdot_vocabulary vocabulary) {
  const char *word;
  for (size_t i = 0; (word = qdot_word_at(vocabulary, i)); i++) printf("%s%s", i ? " " : "", word);
}

static void put_words(OptionId id) {
  char word[40];
  for (size_t i = 0; choices_word(id, i, word, sizeof word); i++)
    printf("%s%s", i ? " " : "", word);
}

static bool takes(const Command *command, OptionId id) { return command->takes >> id & 1; }

static void put_example_names(void) {
  for (size_t i = 0; i < example_count; i++) printf("%s%s", i ? " " : "", examples[i].name);
}

// Words that the first operand of a verb can be, beside files; true when there are some.
static bool put_operand_words(const Command *command) {
  bool is_language = strncmp(command->operands, "LANGUAGE", 8) == 0;
  bool is_shell = strcmp(command->operands, "SHELL") == 0;
  bool is_example = strcmp(command->name, "examples") == 0;
  if (is_language) put_vocabulary(QDOT_WORDS_EXPORT_LANGUAGES);
  if (is_shell) fputs(shells, stdout);
  if (is_example) put_example_names();
  return is_language || is_shell || is_example;
}

static bool takes_model(const Command *command) { return strstr(command->operands, "MODEL"); }

// ---- bash

static void bash_values(void) {
  for (OptionId id = 0; id < OPTION_COUNT; id++) {
    if (!option_info[id].value) continue;
    printf("  --%s) ", option_info[id].name);
    switch (choices_kind(id)) {
    case VALUE_WORDS:
      printf("COMPREPLY=($(compgen -W \"");
      put_words(id);
      printf("\" -- \"$current\")); return ;;\n");
      break;
    case VALUE_FILE: printf("COMPREPLY=($(compgen -f -- \"$current\")); return ;;\n"); break;
    case VALUE_FOLDER: printf("COMPREPLY=($(compgen -d -- \"$current\")); return ;;\n"); break;
    case VALUE_FREE: printf("return ;;\n"); break;
    }
  }
}

static bool takes_plan(const Command *command) { return command == &commands[COMMAND_simulate]; }

static void bash_verbs(void) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    printf("  %s)\n    options=\"", commands[i].name);
    for (OptionId id = 0; id < OPTION_COUNT; id++)
      if (takes(&commands[i], id)) printf(" --%s", option_info[id].name);
    printf("\"\n    words=\"");
    put_operand_words(&commands[i]);
    printf("\"\n    models=%s ;;\n", takes_model(&commands[i]) ? "yes" : "");
  }
}

static void write_bash(void) {
  printf("# Completions of qdot for bash, made by 'qdot completion bash'.\n"
         "_qdot() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local verb=${COMP_WORDS[1]} options words models\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"");
  for (size_t i = 0; i < COMMAND_COUNT; i++) printf("%s ", commands[i].name);
  printf("--help --version\" -- \"$current\"))\n    return\n  fi\n  case $previous in\n");
  bash_values();
  printf("  esac\n  case $verb in\n");
  bash_verbs();
  printf("  esac\n"
         "  case $current in\n"
         "  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")); return ;;\n"
         "  esac\n"
         "  [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  [ -z \"$models\" ] || COMPREPLY+=($(compgen -f -X '!*.qdot' -- \"$current\")\n"
         "                                  $([ $verb != simulate ] || compgen -f -X '!*.plan' -- "
         "\"$current\")\n"
         "                                  $(compgen -d -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _qdot qdot\n");
}

// ---- zsh

// Text inside of '...[here]': brackets, colons and quotes have meanings there.
static void put_zsh_text(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr("[]:\\", *text))
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

static void zsh_option(OptionId id) {
  const OptionInfo *o = &option_info[id];
  char help[MOST_HELP];
  choices_help(id, help, sizeof help);
  printf("      '%s--%s[", id == OPTION_SET ? "*" : "", o->name);
  put_zsh_text(help);
  putchar(']');
  if (o->value) {
    putchar(':');
    put_zsh_text(o->value);
    switch (choices_kind(id)) {
    case VALUE_WORDS:
      printf(":(");
      put_words(id);
      printf(")");
      break;
    case VALUE_FILE: printf(":_files"); break;
    case VALUE_FOLDER: printf(":_files -/"); break;
    case VALUE_FREE: printf(": "); break;
    }
  }
  printf("' \\\n");
}

static void zsh_verb(const Command *command) {
  printf("    %s)\n      _arguments \\\n", command->name);
  for (OptionId id = 0; id < OPTION_COUNT; id++)
    if (takes(command, id)) zsh_option(id);
  bool repeats = strstr(command->operands, "...");
  if (strcmp(command->operands, "NAME") == 0) {
    printf("      ':name: ' ;;\n");
    return;
  }
  if (!takes_model(command) || strchr(command->operands, ' ')) {
    printf("      '%s:%s:(", repeats ? "*" : "", repeats ? "example" : "word");
    put_operand_words(command);
    printf(")'%s\n", takes_model(command) ? " \\" : " ;;");
  }
  if (takes_model(command))
    printf("      ':model:_files -g \"*.%s(-.) *(-/)\"' ;;\n",
           takes_plan(command) ? "(qdot|plan)" : "qdot");
}

static void write_zsh(void) {
  printf("#compdef qdot\n# Completions of qdot for zsh, made by 'qdot completion zsh'.\n"
         "_qdot() {\n  local -a verbs\n  verbs=(\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    printf("    '%s:", commands[i].name);
    put_zsh_text(commands[i].summary);
    printf("'\n");
  }
  printf("  )\n"
         "  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n"
         "  local verb=$words[2]\n"
         "  shift words\n  (( CURRENT-- ))\n  case $verb in\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) zsh_verb(&commands[i]);
  printf("  esac\n}\n_qdot \"$@\"\n");
}

// ---- fish

static void put_fish_text(const char *text) {
  putchar('\'');
  for (; *text; text++) printf(strchr("'\\", *text) ? "\\%c" : "%c", *text);
  putchar('\'');
}

static void fish_option(OptionId id) {
  const OptionInfo *o = &option_info[id];
  printf("complete -c qdot -n '__fish_seen_subcommand_from");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (takes(&commands[i], id)) printf(" %s", commands[i].name);
  printf("' -l %s", o->name);
  if (o->value) {
    switch (choices_kind(id)) {
    case VALUE_WORDS:
      printf(" -x -a '");
      put_words(id);
      printf("'");
      break;
    case VALUE_FILE: printf(" -r -F"); break;
    case VALUE_FOLDER: printf(" -x -a '(__fish_complete_directories)'"); break;
    case VALUE_FREE: printf(" -x"); break;
    }
  }
  char help[MOST_HELP];
  choices_help(id, help, sizeof help);
  printf(" -d ");
  put_fish_text(help);
  putchar('\n');
}

static void fish_verb(const Command *command) {
  printf("complete -c qdot -n __fish_use_subcommand -a %s -d ", command->name);
  put_fish_text(command->summary);
  putchar('\n');
  bool has_words = !takes_model(command) ? strcmp(command->operands, "NAME") != 0
                                         : strchr(command->operands, ' ') != NULL;
  if (has_words) {
    printf("complete -c qdot -n '__fish_seen_subcommand_from %s' -a '", command->name);
    put_operand_words(command);
    printf("'\n");
  }
  if (takes_model(command))
    printf("complete -c qdot -n '__fish_seen_subcommand_from %s' -k -a "
           "'(__fish_complete_suffix .qdot%s)'\n",
           command->name, takes_plan(command) ? "; __fish_complete_suffix .plan" : "");
}

static void write_fish(void) {
  printf("# Completions of qdot for fish, made by 'qdot completion fish'.\n"
         "complete -c qdot -f\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) fish_verb(&commands[i]);
  for (OptionId id = 0; id < OPTION_COUNT; id++) fish_option(id);
}

int cmd_completion(const Arguments *arguments) {
  static const struct {
    const char *name;
    void (*write)(void);
  } table[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
  const char *shell = arguments->operand_count == 1 ? arguments->operand[0] : "";
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(shell, table[i].name) != 0) continue;
    table[i].write();
    return EXIT_DONE;
  }
  fprintf(stderr, "qdot completion: name the shell, one of %s: source <(qdot completion bash)\n",
          shells);
  return EXIT_USAGE;
}
