// Runs the cases of a table, or rewrites their outputs.
#include "support/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

typedef struct Piece {
  const char *at;
  size_t n;
} Piece;

typedef struct Case {
  Piece title; // the whole line that begins with %%
  Piece input, output;
  bool fails;
} Case;

static void source_path(const char *file, char *path, size_t size) {
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, size, "%s/%s", root ? root : ".", file);
}

char *read_source_file(const char *file, size_t *length) {
  char path[4096];
  source_path(file, path, sizeof path);
  FILE *stream = fopen(path, "rb");
  if (!stream) fail_msg("cannot read %s", path);
  fseek(stream, 0, SEEK_END);
  long size = ftell(stream);
  rewind(stream);
  char *text = calloc((size_t)size + 1, 1);
  *length = fread(text, 1, (size_t)size, stream);
  fclose(stream);
  return text;
}

// From at to the next line that begins with %%, or to the end.
static Piece piece_from(const char *at) {
  const char *end = strncmp(at, "%%", 2) == 0 ? at : strstr(at, "\n%%");
  if (end && end != at) end++;
  return (Piece){at, end ? (size_t)(end - at) : strlen(at)};
}

static Piece line_at(const char *at) { return (Piece){at, strcspn(at, "\n")}; }

static const char *after(Piece piece) {
  const char *end = piece.at + piece.n;
  return *end == '\n' ? end + 1 : end;
}

// The case that begins at *at, which then points behind it.
static Case next_case(const char **at, const char *file) {
  Case c = {.title = line_at(*at)};
  c.fails = strncmp(c.title.at, "%%FAIL", 6) == 0;
  c.input = piece_from(after(c.title));
  const char *rest = c.input.at + c.input.n;
  if (strncmp(rest, "%%=", 3) != 0)
    fail_msg("%s: no %%%%= in '%.*s'", file, (int)c.title.n, c.title.at);
  c.output = piece_from(after(line_at(rest)));
  *at = c.output.at + c.output.n;
  return c;
}

typedef struct Trial {
  Context *cx;
  CaseAnswer *answer;
  const char *input;
  Text out;
  bool failed;
} Trial;

static Status run_trial(void *argument) {
  Trial *trial = argument;
  Context *cx = trial->cx;
  trial->out = text_new(&cx->keep);
  const char *answer = trial->answer(cx, trial->input);
  trial->failed = !answer;
  if (answer) text_add(&trial->out, answer);
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    diag_print(&cx->sources, &cx->diagnostics.list.at[i], false, &trial->out);
  if (trial->out.n && trial->out.at[trial->out.n - 1] != '\n') text_add_char(&trial->out, '\n');
  return QDOT_OK;
}

// The text that a case gives now, allocated with malloc; an escape answers with its sentence.
static char *text_of_case(const Case *c, CaseAnswer *answer, bool *failed) {
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  Trial trial = {.cx = context_open(&limits, &memory), .answer = answer};
  char *input = strndup(c->input.at, c->input.n);
  trial.input = input;
  Status status = guard_run(&trial.cx->guard, run_trial, &trial);
  char *text = NULL;
  if (status == QDOT_OK)
    text = strdup(trial.out.at);
  else if (asprintf(&text, "%s\n", qdot_status_text(status)) < 0)
    abort();
  *failed = trial.failed || status != QDOT_OK;
  context_close(trial.cx);
  free(input);
  return text;
}

static bool check_case(const Case *c, const char *text, bool failed, const char *file) {
  bool same = strlen(text) == c->output.n && memcmp(text, c->output.at, c->output.n) == 0;
  if (same && failed == c->fails) return true;
  print_error("%s: %.*s\n-- input\n%.*s-- expected%s\n%.*s-- got%s\n%s", file, (int)c->title.n,
              c->title.at, (int)c->input.n, c->input.at, c->fails ? " a failure" : "",
              (int)c->output.n, c->output.at, failed ? " a failure" : "", text);
  return false;
}

static void write_updated(const char *file, const char *text, size_t n) {
  char path[4096];
  source_path(file, path, sizeof path);
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(text, 1, n, stream), n);
  assert_int_equal(fclose(stream), 0);
}

void check_cases(const char *file, CaseAnswer *answer) {
  size_t length;
  char *table = read_source_file(file, &length);
  Piece comment = piece_from(table);
  char *updated = NULL;
  size_t updated_size = 0;
  FILE *update = open_memstream(&updated, &updated_size);
  fwrite(comment.at, 1, comment.n, update);
  int wrong = 0, count = 0;
  for (const char *at = comment.at + comment.n; *at; count++) {
    Case c = next_case(&at, file);
    bool failed;
    char *text = text_of_case(&c, answer, &failed);
    size_t word = strlen(c.fails ? "%%FAIL" : "%%");
    fprintf(update, "%s%.*s\n%.*s%%%%=\n%s", failed ? "%%FAIL" : "%%", (int)(c.title.n - word),
            c.title.at + word, (int)c.input.n, c.input.at, text);
    if (!getenv("QDOT_UPDATE")) wrong += !check_case(&c, text, failed, file);
    free(text);
  }
  fclose(update);
  if (getenv("QDOT_UPDATE")) write_updated(file, updated, updated_size);
  print_message("%s: %d cases\n", file, count);
  free(updated);
  free(table);
  assert_int_equal(wrong, 0);
}
