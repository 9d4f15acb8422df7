// Runs a plan and prints its rows as CSV, as `qdot simulate` writes them:
//   PROGRAM [--to T] [--every T] [--set NAME=VALUE] ...     with the plan that it was built with
//   PROGRAM FILE.plan ...                                   where it was built with none
// Numbers are in SI units. Status 0: done; 1: the run failed; 2: the arguments make no sense.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone/qdot_engine.h"

#ifdef PLAN
extern const unsigned char PLAN[];
extern const size_t PLAN_SIZE;
#endif

// The fewest digits that read back to the same double, nearest to it.
static void print_number(double x) {
  char digits[40], text[40];
  int count = 1, exponent;
  if (x == 0) {
    fputs(signbit(x) ? "-0" : "0", stdout);
    return;
  }
  do snprintf(digits, sizeof digits, "%.*e", count - 1, x);
  while (strtod(digits, NULL) != x && count++ < 17);
  exponent = atoi(strchr(digits, 'e') + 1);
  if (exponent >= -4 && exponent < 17) {
    int behind = count - 1 - exponent;
    printf("%.*f", behind > 0 ? behind : 0, x);
    return;
  }
  snprintf(text, sizeof text, "%.*e", count - 1, x);
  fputs(text, stdout);
}

static void print_name(const char *name) {
  int is_quoted = strpbrk(name, ",\"") != NULL;
  if (is_quoted) putchar('"');
  for (; *name; name++) {
    if (*name == '"') putchar('"');
    putchar(*name);
  }
  if (is_quoted) putchar('"');
}

static int print_row(void *user, const double *values, size_t count) {
  (void)user;
  for (size_t i = 0; i < count; i++) {
    if (i > 0) putchar(',');
    if (isfinite(values[i])) print_number(values[i]);
  }
  putchar('\n');
  return 0;
}

static int fail(const char *what, const char *why) {
  fprintf(stderr, "error: %s%s%s\n", what, *why ? ": " : "", why);
  return 2;
}

static int set_value(qdot_engine *engine, char *setting) {
  char *value = strchr(setting, '='), *end;
  if (!value) return fail("expected NAME=VALUE after --set, in SI units, not", setting);
  *value++ = 0;
  double number = strtod(value, &end);
  if (end == value || *end) return fail("this is no number", value);
  if (qdot_engine_set(engine, setting, number) == 0) return 0;
  return fail(setting, qdot_engine_message(engine));
}

#ifndef PLAN
static void *read_file(const char *path, size_t *size) {
  enum { MOST = 1 << 28 };
  FILE *file = fopen(path, "rb");
  unsigned char *bytes = NULL;
  size_t room = 0, n = 0, got = 1;
  while (file && got > 0 && n < MOST) {
    if (n == room) {
      unsigned char *more = realloc(bytes, room = room ? 2 * room : 1 << 16);
      if (!more) break;
      bytes = more;
    }
    n += got = fread(bytes + n, 1, room - n, file);
  }
  if (file) fclose(file);
  *size = n;
  return bytes;
}
#endif

int main(int argc, char **argv) {
  qdot_engine *engine;
  int first = 1;
#ifdef PLAN
  qdot_engine_status status = qdot_engine_open(NULL, PLAN, PLAN_SIZE, &engine);
#else
  size_t size = 0;
  void *plan = argc > 1 ? read_file(argv[first++], &size) : NULL;
  if (!plan) return fail("a plan to run is missing", argc > 1 ? argv[1] : "");
  qdot_engine_status status = qdot_engine_open(NULL, plan, size, &engine);
  free(plan);
#endif
  if (status != 0) {
    fail("the plan cannot be run", engine ? qdot_engine_message(engine) : "there is no memory");
    qdot_engine_close(engine);
    return 1;
  }
  double to = 0, every = 0; // 0: as the model says, with the values that are set
  int wrong = 0;
  for (int i = first; i < argc && !wrong; i += 2) {
    char *end = NULL;
    double number = i + 1 < argc ? strtod(argv[i + 1], &end) : 0;
    int is_number = end && end != argv[i + 1] && !*end;
    if (i + 1 == argc)
      wrong = fail("a value is missing behind", argv[i]);
    else if (!strcmp(argv[i], "--set"))
      wrong = set_value(engine, argv[i + 1]);
    else if (!strcmp(argv[i], "--to") && is_number && number > 0)
      to = number;
    else if (!strcmp(argv[i], "--every") && is_number && number > 0)
      every = number;
    else
      wrong = fail("expected --to, --every or --set, and a value, not", argv[i]);
  }
  for (size_t i = 0; !wrong && i < qdot_engine_column_count(engine); i++) {
    if (i > 0) putchar(',');
    print_name(qdot_engine_column(engine, i));
  }
  if (!wrong) {
    qdot_engine_run_options options = qdot_engine_run_defaults(engine);
    options.row = print_row;
    if (to > 0) options.t_end = to;
    if (every > 0) options.every = every;
    putchar('\n');
    status = qdot_engine_run(engine, &options);
    if (*qdot_engine_message(engine)) fprintf(stderr, "%s\n", qdot_engine_message(engine));
  }
  qdot_engine_close(engine);
  return wrong ? wrong : status != 0;
}
