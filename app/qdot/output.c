// Writing to stdout and noticing when that fails.
#include "output.h"

#include <errno.h>
#include <string.h>

#include "patience.h"

static int first_problem; // errno of the first failure

static void note_problem(bool failed) {
  if (failed && !first_problem) first_problem = errno;
}

static int write_out(void *user, const char *bytes, size_t n) {
  (void)user;
  patience_end();
  bool failed = fwrite(bytes, 1, n, stdout) != n;
  note_problem(failed);
  return failed ? -1 : 0;
}

qdot_sink output_sink(void) { return (qdot_sink){write_out, NULL}; }

void output_flush(void) {
  patience_end();
  note_problem(fflush(stdout) != 0);
}

bool output_has_failed(void) { return first_problem != 0; }

bool output_end(void) {
  output_flush();
  if (!first_problem || first_problem == EPIPE) return true;
  fprintf(stderr, "qdot: cannot write the output: %s\n", strerror(first_problem));
  return false;
}
