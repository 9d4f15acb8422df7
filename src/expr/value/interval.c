// Interval arithmetic over the graph. Rounding is not directed: bounds are for looking, not proofs.
#include "expr/value/interval.h"

#include <math.h>

#include "expr/value/tape.h"
#include "program/elementary.h"

static const Interval everything = {-INFINITY, INFINITY};

struct IntervalTape {
  Tape tape;
  Expr symbol;       // the one that runs
  double *constants; // by step: what symbols stand for
  Interval *room;
};

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

static Interval run_step(const TapeStep *s, const Interval *at) {
  Interval r = {s->number, s->number};
  switch (s->op) {
  case OP_DEFINITION: return at[s->args[0]];
  case OP_SUM:
    for (uint32_t i = 0; i < s->count; i++) {
      Interval a = times((Interval){s->numbers[i], s->numbers[i]}, at[s->args[i]]);
      r = (Interval){r.low + a.low, r.high + a.high};
    }
    return isnan(r.low) || isnan(r.high) ? everything : r;
  case OP_PRODUCT:
    for (uint32_t i = 0; i < s->count; i++) r = times(r, power(at[s->args[i]], s->numbers[i]));
    return r;
  case OP_IF: {
    Interval c = at[s->args[0]];
    if (c.low > 0 || c.high < 0) return at[s->args[1]];
    if (c.low == 0 && c.high == 0) return at[s->args[2]];
    return join(at[s->args[1]], at[s->args[2]]);
  }
  case OP_TABLE: return table_between(s->table, s->aspect, at[s->args[0]]);
  default: break;
  }
  if (s->count == 1) return function_of_one(s->op, at[s->args[0]]);
  if (s->count == 2) return function_of_two(s->op, at[s->args[0]], at[s->args[1]]);
  return everything;
}

// ---- The tape

IntervalTape *interval_tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n,
                                Expr symbol) {
  IntervalTape *tape = arena_new(arena, IntervalTape);
  *tape = (IntervalTape){.tape = tape_new(cx, arena, roots, n), .symbol = symbol};
  tape->constants = arena_array(arena, double, tape->tape.n);
  tape->room = arena_array(arena, Interval, tape->tape.n);
  return tape;
}

void interval_tape_use(IntervalTape *tape, const double *values) {
  for (uint32_t i = 0; i < tape->tape.n; i++) {
    const TapeStep *s = &tape->tape.steps[i];
    tape->constants[i] = s->op == OP_SYMBOL ? values[s->variable] : s->number;
  }
}

void interval_tape_run(const IntervalTape *tape, Interval symbol, Interval *out) {
  Interval *at = tape->room;
  for (uint32_t i = 0; i < tape->tape.n; i++) {
    const TapeStep *s = &tape->tape.steps[i];
    double c = tape->constants[i];
    bool is_leaf = s->op == OP_SYMBOL || s->op == OP_NUMBER || s->op == OP_PI;
    bool moves = s->expr == tape->symbol;
    at[i] = moves ? symbol : is_leaf ? (Interval){c, c} : run_step(s, at);
    if (isnan(at[i].low) || isnan(at[i].high)) at[i] = everything;
  }
  for (uint32_t i = 0; i < tape->tape.root_count; i++) out[i] = at[tape->tape.roots[i]];
}
