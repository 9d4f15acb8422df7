// Interval arithmetic along a tape. Rounding is not directed: bounds are for looking, not proofs.
#include <math.h>

#include "program/elementary.h"
#include "program/tape.h"

static const Interval everything = {-INFINITY, INFINITY};

// ---- Operations

static bool holds_multiple(Interval a, double period, double offset) {
  return floor((a.high - offset) / period) >= ceil((a.low - offset) / period);
}

static Interval hull(double a, double b) {
  if (isnan(a) || isnan(b)) return everything;
  return a < b ? (Interval){a, b} : (Interval){b, a};
}

static Interval join(Interval a, Interval b) {
  return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static Interval times(Interval a, Interval b) {
  double p[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  Interval r = hull(p[0], p[1]);
  return join(r, hull(p[2], p[3]));
}

static Interval wave(Interval a, double top) {
  if (!(a.high - a.low < 2 * M_PI)) return (Interval){-1, 1};
  Interval r = hull(elementary_cos(a.low - top), elementary_cos(a.high - top));
  if (holds_multiple(a, 2 * M_PI, top)) r.high = 1;
  if (holds_multiple(a, 2 * M_PI, top + M_PI)) r.low = -1;
  return r;
}

static Interval whole_power(Interval a, double exponent) {
  bool is_even = fmod(exponent, 2) == 0;
  Interval r = hull(elementary_pow(a.low, exponent), elementary_pow(a.high, exponent));
  bool holds_zero = a.low <= 0 && a.high >= 0;
  if (holds_zero && exponent < 0) return everything;
  if (holds_zero && is_even) r.low = 0;
  return r;
}

static Interval power(Interval a, double exponent) {
  if (exponent == 1) return a;
  if (exponent == floor(exponent)) return whole_power(a, exponent);
  if (a.high < 0 || (a.low <= 0 && exponent < 0)) return everything;
  return hull(elementary_pow(fmax(a.low, 0), exponent), elementary_pow(a.high, exponent));
}

static Interval truth(bool never, bool always) { return (Interval){always ? 1 : 0, never ? 0 : 1}; }

static Interval rising(double (*f)(double), Interval a) { return hull(f(a.low), f(a.high)); }

static Interval function_of_one(Op op, Interval a) {
  switch (op) {
  case OP_SIN: return wave(a, M_PI / 2);
  case OP_COS: return wave(a, 0);
  case OP_TAN: return holds_multiple(a, M_PI, M_PI / 2) ? everything : rising(elementary_tan, a);
  case OP_ASIN: return rising(elementary_asin, (Interval){fmax(a.low, -1), fmin(a.high, 1)});
  case OP_ACOS: return rising(elementary_acos, (Interval){fmax(a.low, -1), fmin(a.high, 1)});
  case OP_ATAN: return rising(elementary_atan, a);
  case OP_SINH: return rising(elementary_sinh, a);
  case OP_COSH:
  case OP_ABS: {
    Interval r = rising(op == OP_ABS ? fabs : elementary_cosh, a);
    if (a.low < 0 && a.high > 0) r.low = op == OP_ABS ? 0 : 1;
    return r;
  }
  case OP_TANH: return rising(elementary_tanh, a);
  case OP_EXP: return rising(elementary_exp, a);
  case OP_LOG: return a.low > 0 ? rising(elementary_log, a) : everything;
  case OP_SIGN:
    return (Interval){a.low > 0 ? 1 : a.low < 0 ? -1 : 0, a.high > 0 ? 1 : a.high < 0 ? -1 : 0};
  case OP_NOT: return (Interval){1 - a.high, 1 - a.low};
  default: return everything;
  }
}

static Interval function_of_two(Op op, Interval a, Interval b) {
  switch (op) {
  case OP_MIN: return (Interval){fmin(a.low, b.low), fmin(a.high, b.high)};
  case OP_MAX: return (Interval){fmax(a.low, b.low), fmax(a.high, b.high)};
  case OP_LT: return truth(a.low >= b.high, a.high < b.low);
  case OP_LE: return truth(a.low > b.high, a.high <= b.low);
  case OP_EQ:
    return truth(a.low > b.high || b.low > a.high,
                 a.low == a.high && b.low == b.high && a.low == b.low);
  case OP_AND: return (Interval){fmin(a.low, b.low), fmin(a.high, b.high)};
  case OP_OR: return (Interval){fmax(a.low, b.low), fmax(a.high, b.high)};
  case OP_ATAN2:
    if (a.low == a.high && b.low == b.high)
      return hull(elementary_atan2(a.low, b.low), elementary_atan2(a.low, b.low));
    // a box beside the cut and the origin has its extremes at its corners
    if (b.low > 0 || a.low > 0 || a.high < 0)
      return join(hull(elementary_atan2(a.low, b.low), elementary_atan2(a.low, b.high)),
                  hull(elementary_atan2(a.high, b.low), elementary_atan2(a.high, b.high)));
    return (Interval){-M_PI, M_PI};
  case OP_POW: {
    if (a.low == a.high && b.low == b.high)
      return hull(elementary_pow(a.low, b.low), elementary_pow(a.low, b.low));
    if (!(a.low > 0)) return everything;
    return rising(elementary_exp, times(b, rising(elementary_log, a)));
  }
  default: return everything;
  }
}

// Within one piece of straight lines the ends tell; else the bounds of the whole table.
static Interval table_between(const TableData *t, TableAspect aspect, Interval a) {
  bool within = table_piece_number(t, a.low) == table_piece_number(t, a.high);
  if (within && t->degree == 1 && aspect != TABLE_PIECE)
    return hull(table_value(t, aspect, a.low), table_value(t, aspect, a.high));
  return aspect == TABLE_VALUE ? (Interval){t->low, t->high} : everything;
}

static Interval sum_of(const Tape *tape, const TapeStep *s, const Interval *at) {
  Interval r = {s->number, s->number};
  for (uint32_t i = s->first; i < s->first + s->count; i++) {
    double c = tape->numbers[i];
    Interval a = times((Interval){c, c}, at[tape->args[i]]);
    r = (Interval){r.low + a.low, r.high + a.high};
  }
  return isnan(r.low) || isnan(r.high) ? everything : r;
}

static Interval product_of(const Tape *tape, const TapeStep *s, const Interval *at) {
  Interval r = {s->number, s->number};
  for (uint32_t i = s->first; i < s->first + s->count; i++)
    r = times(r, power(at[tape->args[i]], tape->numbers[i]));
  return r;
}

static Interval choice(Interval condition, Interval then, Interval otherwise) {
  if (condition.low > 0 || condition.high < 0) return then;
  if (condition.low == 0 && condition.high == 0) return otherwise;
  return join(then, otherwise);
}

static Interval interval_of(const Tape *tape, const TapeStep *s, const Interval *at) {
  const uint32_t *args = tape->args + s->first;
  switch (s->op) {
  case OP_NUMBER:
  case OP_PI: return (Interval){s->number, s->number};
  case OP_DEFINITION: return at[args[0]];
  case OP_SUM: return sum_of(tape, s, at);
  case OP_PRODUCT: return product_of(tape, s, at);
  case OP_IF: return choice(at[args[0]], at[args[1]], at[args[2]]);
  case OP_TABLE: return table_between(tape->tables[s->table], s->aspect, at[args[0]]);
  default: break;
  }
  if (s->count == 1) return function_of_one(s->op, at[args[0]]);
  if (s->count == 2) return function_of_two(s->op, at[args[0]], at[args[1]]);
  return everything;
}

// ---- The tape

size_t tape_intervals_room(const Tape *tape) {
  return (size_t)tape->n * (sizeof(Interval) / sizeof(double));
}

void tape_intervals(const Tape *tape, const double *values, uint32_t variable, Interval along,
                    double *room, Interval *out) {
  Interval *at = (Interval *)room;
  for (uint32_t i = 0; i < tape->n; i++) {
    const TapeStep *s = &tape->steps[i];
    if (s->op != OP_SYMBOL)
      at[i] = interval_of(tape, s, at);
    else if (s->variable == variable)
      at[i] = along;
    else
      at[i] = (Interval){values[s->variable], values[s->variable]};
    if (isnan(at[i].low) || isnan(at[i].high)) at[i] = everything;
  }
  for (uint32_t i = 0; i < tape->root_count; i++) out[i] = at[tape->roots[i]];
}
