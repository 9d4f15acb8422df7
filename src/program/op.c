// Operators by number: arity, spelling, value, slope.
#include "program/op.h"

#include <assert.h>
#include <math.h>

#include "program/elementary.h"

static const struct {
  int arity;
  const char *text;
} functions[OP_COUNT] = {
#define OP(name, arity, text, c, tex) [OP_##name] = {arity, text},
#include "program/ops.def"
#undef OP
    [OP_TABLE] = {1, "table"},
};

int op_arity(Op op) { return functions[op].arity; }
const char *op_text(Op op) { return functions[op].text; }

double op_value(Op op, const double *a) {
  switch (op) {
  case OP_SIN: return elementary_sin(a[0]);
  case OP_COS: return elementary_cos(a[0]);
  case OP_TAN: return elementary_tan(a[0]);
  case OP_ASIN: return elementary_asin(a[0]);
  case OP_ACOS: return elementary_acos(a[0]);
  case OP_ATAN: return elementary_atan(a[0]);
  case OP_SINH: return elementary_sinh(a[0]);
  case OP_COSH: return elementary_cosh(a[0]);
  case OP_TANH: return elementary_tanh(a[0]);
  case OP_EXP: return elementary_exp(a[0]);
  case OP_LOG: return elementary_log(a[0]);
  case OP_ATAN2: return elementary_atan2(a[0], a[1]);
  case OP_POW: return elementary_pow(a[0], a[1]);
  case OP_ABS: return fabs(a[0]);
  case OP_SIGN: return a[0] > 0 ? 1 : a[0] < 0 ? -1 : a[0];
  case OP_MIN: return a[0] < a[1] ? a[0] : a[1];
  case OP_MAX: return a[0] < a[1] ? a[1] : a[0];
  case OP_IF: return a[0] != 0 ? a[1] : a[2];
  case OP_LT: return a[0] < a[1];
  case OP_LE: return a[0] <= a[1];
  case OP_EQ: return a[0] == a[1];
  case OP_AND: return a[0] != 0 && a[1] != 0;
  case OP_OR: return a[0] != 0 || a[1] != 0;
  case OP_NOT: return a[0] == 0;
  default: assert(!"not a function"); return NAN;
  }
}

double op_slope(Op op, double a, double value) {
  switch (op) {
  case OP_SIN:
  case OP_COS:
  case OP_ATAN:
  case OP_TANH:
  case OP_ABS: return 1;
  case OP_TAN: return 1 + value * value;
  case OP_ASIN:
  case OP_ACOS: return 1 / sqrt(1 - a * a);
  case OP_SINH: return elementary_cosh(a);
  case OP_COSH: return fabs(elementary_sinh(a));
  case OP_EXP: return value;
  case OP_LOG: return 1 / fabs(a);
  default: assert(!"its slope is not known"); return INFINITY;
  }
}

double power_value(double base, double exponent) {
  if (exponent == 0.5) return sqrt(base);
  if (exponent != floor(exponent) || fabs(exponent) > 64) return elementary_pow(base, exponent);
  double result = 1;
  for (int i = (int)fabs(exponent); i; i /= 2, base *= base)
    if (i % 2) result *= base;
  return exponent < 0 ? 1 / result : result;
}
