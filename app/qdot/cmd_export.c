// qdot export LANGUAGE MODEL: the equations as source code for others.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "session.h"

static const struct {
  const char *name;
  qdot_language language;
} languages[] = {{"c", QDOT_C}, {"octave", QDOT_OCTAVE}, {"python", QDOT_PYTHON}};
#define LANGUAGE_COUNT (sizeof languages / sizeof *languages)

// The place of the language in the table, or LANGUAGE_COUNT with a message.
static size_t find_language(const char *word) {
  const char *names[LANGUAGE_COUNT];
  for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
    if (strcmp(word, languages[i].name) == 0) return i;
    names[i] = languages[i].name;
  }
  const char *nearest = qdot_nearest_word(word, names, LANGUAGE_COUNT);
  fprintf(stderr, "qdot export: unknown language '%s'; ", word);
  if (nearest)
    fprintf(stderr, "did you mean '%s'?\n", nearest);
  else
    fprintf(stderr, "there are c, octave (also for MATLAB) and python\n");
  return LANGUAGE_COUNT;
}

int cmd_export(const Options *options) {
  size_t language = 0;
  for (size_t i = 0; i < LANGUAGE_COUNT && options->operand_count == 2; i++) {
    if (strcmp(options->operand[1], languages[i].name) != 0) continue;
    fprintf(stderr, "qdot export: the language comes first: qdot export %s %s\n",
            options->operand[1], options->operand[0]);
    return EXIT_USAGE;
  }
  if (options->operand_count == 2 &&
      (language = find_language(options->operand[0])) == LANGUAGE_COUNT)
    return EXIT_USAGE;
  Session session;
  int status = session_open(options, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(&session, folder, sizeof folder);
  qdot_export_options wishes = qdot_export_defaults();
  wishes.folder = folder;
  qdot_system *system;
  qdot_status done = qdot_system_derive(session.model, &system);
  if (done == QDOT_OK) {
    qdot_sink nowhere = {0};
    done = qdot_system_export(system, languages[language].language, &wishes,
                              session_is_quiet(&session) ? nowhere : output_sink());
  }
  return session_close(&session, done);
}
