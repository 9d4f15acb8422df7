// Times a function that CasADi has written as C: time_generated LIBRARY NAME FILE SIZE ...
// FILE has the arguments, of so many doubles each; prints seconds of a call and its instructions.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

typedef int (*Generated)(const double **arg, double **res, long long *iw, double *w, int memory);
typedef int (*Sizes)(long long *arg, long long *res, long long *iw, long long *w);
typedef const long long *(*Sparsity)(long long i);

typedef struct Call {
  Generated function;
  const double **arg;
  double **res;
  long long *iw;
  double *w;
  int calls;
} Call;

static void work(void *argument) {
  const Call *c = argument;
  for (int i = 0; i < c->calls; i++) c->function(c->arg, c->res, c->iw, c->w, 0);
}

static void *part(void *library, const char *name, const char *ending) {
  char symbol[200];
  snprintf(symbol, sizeof symbol, "%s%s", name, ending);
  return dlsym(library, symbol);
}

int main(int count, char **words) {
  enum { ROOM = 1 << 20 };
  void *library = count > 4 ? dlopen(words[1], RTLD_NOW) : NULL;
  FILE *file = count > 4 ? fopen(words[3], "rb") : NULL;
  if (!library || !file) return 1;
  long long sizes[4];
  ((Sizes)part(library, words[2], "_work"))(&sizes[0], &sizes[1], &sizes[2], &sizes[3]);
  double *values = calloc(ROOM, sizeof *values), *result = calloc(ROOM, sizeof *result);
  size_t known = fread(values, sizeof *values, ROOM, file);
  fclose(file);
  Call c = {.function = (Generated)part(library, words[2], ""),
            .arg = calloc((size_t)sizes[0] + 1, sizeof(double *)),
            .res = calloc((size_t)sizes[1] + 1, sizeof(double *)),
            .iw = calloc((size_t)sizes[2] + 1, sizeof(long long)),
            .w = calloc((size_t)sizes[3] + 1, sizeof(double))};
  size_t at = 0;
  for (int i = 4; i < count; i++) {
    c.arg[i - 4] = values + at;
    at += (size_t)strtol(words[i], NULL, 10);
  }
  c.res[0] = result;
  if (!known || at != known || !c.function) return 1;
  // so many calls between two looks at the clock that its ticks do not matter
  double seconds = 0;
  for (c.calls = 1; seconds < 1e-4 && c.calls < 1 << 20; c.calls *= 4)
    seconds = measure_work(work, &c);
  seconds /= c.calls / 4;
  c.calls = 1;
  printf("%.6g %.6g\n", seconds, measure_instructions(work, &c));
  return 0;
}
