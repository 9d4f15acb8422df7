// qdot export LANGUAGE MODEL: the equations as source code for others.
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "output.h"
#include "session.h"

static bool is_language(const char *word) {
  const char *name;
  for (size_t i = 0; (name = qdot_word_at(QDOT_WORDS_EXPORT_LANGUAGES, i)); i++)
    if (strcmp(word, name) == 0) return true;
  return false;
}

static void refuse_language(const char *word) {
  enum { MOST = 40 };
  const char *names[MOST];
  size_t n = 0;
  while (n < MOST && (names[n] = qdot_word_at(QDOT_WORDS_EXPORT_LANGUAGES, n))) n++;
  const char *nearest = qdot_word_nearest(word, names, n);
  fprintf(stderr, "qdot export: unknown language '%s'; ", word);
  if (nearest) {
    fprintf(stderr, "did you mean '%s'?\n", nearest);
    return;
  }
  fputs("expected", stderr);
  for (size_t i = 0; i < n; i++)
    fprintf(stderr, "%s %s%s",
            i == 0       ? ""
            : i + 1 == n ? " or"
                         : ",",
            names[i], strcmp(names[i], "octave") == 0 ? " (also for MATLAB)" : "");
  fputc('\n', stderr);
}

int cmd_export(const Arguments *arguments) {
  const char *language = arguments->operand[0];
  if (arguments->operand_count == 2) {
    if (is_language(arguments->operand[1])) {
      fprintf(stderr, "qdot export: the language comes first: qdot export %s %s\n",
              arguments->operand[1], arguments->operand[0]);
      return EXIT_USAGE;
    }
    if (!is_language(language)) {
      refuse_language(language);
      return EXIT_USAGE;
    }
  }
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  session_folder(&session, folder, sizeof folder);
  qdot_export_options options = qdot_export_defaults();
  options.folder = folder;
  qdot_system *system;
  qdot_status done = qdot_model_export(session.model, language, &options, &system);
  const qdot_file *file;
  for (size_t i = 0; done == QDOT_OK && !session_is_quiet(&session); i++) {
    if (!(file = qdot_system_file_at(system, i))) break;
    puts(file->path);
  }
  return session_close(&session, done);
}
