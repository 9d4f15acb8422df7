// The functions of the language, which are programs of our own, against those of the C library: one
// call after the other over the same arguments. Compiled models take several sines at once
// (program/sincos.h), faster than this.
#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "program/elementary.h"

enum { ARGUMENTS = 4096 };

typedef struct Calls {
  double (*one)(double);
  double (*two)(double, double);
  double x[ARGUMENTS], y[ARGUMENTS], sum;
} Calls;

static void call(void *argument) {
  Calls *c = argument;
  double sum = 0;
  if (c->one)
    for (int i = 0; i < ARGUMENTS; i++) sum += c->one(c->x[i]);
  else
    for (int i = 0; i < ARGUMENTS; i++) sum += c->two(c->x[i], c->y[i]);
  c->sum = sum;
}

typedef struct Function {
  const char *name;
  double (*ours)(double), (*theirs)(double);
  double (*ours_2)(double, double), (*theirs_2)(double, double);
  double low, high;
} Function;

static const Function functions[] = {
    {"sin", elementary_sin, sin, NULL, NULL, -10, 10},
    {"cos", elementary_cos, cos, NULL, NULL, -10, 10},
    {"tan", elementary_tan, tan, NULL, NULL, -10, 10},
    {"asin", elementary_asin, asin, NULL, NULL, -1, 1},
    {"acos", elementary_acos, acos, NULL, NULL, -1, 1},
    {"atan", elementary_atan, atan, NULL, NULL, -5, 5},
    {"atan2", NULL, NULL, elementary_atan2, atan2, -5, 5},
    {"sinh", elementary_sinh, sinh, NULL, NULL, -5, 5},
    {"cosh", elementary_cosh, cosh, NULL, NULL, -5, 5},
    {"tanh", elementary_tanh, tanh, NULL, NULL, -5, 5},
    {"exp", elementary_exp, exp, NULL, NULL, -20, 20},
    {"log", elementary_log, log, NULL, NULL, 1e-3, 1e3},
    {"pow", NULL, NULL, elementary_pow, pow, 0.01, 10},
};

static double seconds_a_call(const Function *f, double (*one)(double),
                             double (*two)(double, double)) {
  static Calls c;
  c.one = one, c.two = two;
  for (int i = 0; i < ARGUMENTS; i++) {
    // all over the range, in no order
    c.x[i] = f->low + (f->high - f->low) * fmod(i * 0.6180339887498949, 1);
    c.y[i] = f->low + (f->high - f->low) * fmod(i * 0.7548776662466927, 1);
  }
  return measure_work(call, &c) / ARGUMENTS;
}

int main(void) {
  static const char *const names[] = {"function", "ours", "C library", "ratio", "at most 4 times"};
  static const int widths[] = {9, 10, 10, 8, 16};
  Sheet sheet = sheet_begin("functions of the language, one call", names, widths, 5);
  double ours = 0, theirs = 0;
  bool good = true;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const Function *f = &functions[i];
    double mine = seconds_a_call(f, f->ours, f->ours_2);
    double library = seconds_a_call(f, f->theirs, f->theirs_2);
    bool met = mine < 4 * library;
    good = good && met;
    ours += mine, theirs += library;
    sheet_text(&sheet, f->name);
    sheet_seconds(&sheet, mine);
    sheet_seconds(&sheet, library);
    sheet_number(&sheet, "%.2f", library / mine);
    sheet_met(&sheet, met);
  }
  measure_summary("one call of each function of the language", ours, "the C library", theirs,
                  "none 4 times slower", good);
  return good ? 0 : 1;
}
