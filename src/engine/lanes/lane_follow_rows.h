// What measures see of a step, for rows of LANES doubles: the part of lane_follow.c that is written
// for vectors of each size. Who includes it names what it defines: the types Row and RowBits, the
// functions place_nodes, watch_rows and their like; TARGET says for which machine, and ROW_MASK
// makes a bit of each lane.
typedef double Row __attribute__((vector_size(8 * LANES)));
typedef int64_t RowBits __attribute__((vector_size(8 * LANES)));

#define WHERE(mask, a, b) ((Row)(((RowBits)(a) & (mask)) | ((RowBits)(b) & ~(mask))))
#define SIZE(a) ((Row)((RowBits)(a)&INT64_MAX))
#define LARGER(a, b) WHERE((a) > (b), a, b)
#define GAUGE(i, field)                                                                            \
  (((Row *)f->gauges)[(i)*GAUGE_DOUBLES + offsetof(Gauge, field) / sizeof(double)])

static TARGET void time_node(const LaneFollow *f, const LaneRows *w, uint32_t k) {
  const Row a = *(const Row *)w->t, b = *(const Row *)w->t_end;
  *(Row *)f->t = k == GAUGE_NODES - 1 ? b : a + stretch_node(GAUGE_NODES, k) * (b - a);
}

// The states at node k of the steps, as stepper_dense_many gives them.
static TARGET void place_node(const LaneFollow *f, const LaneRows *w, uint32_t k) {
  const Row a = *(const Row *)w->t, h = *(const Row *)w->h;
  Row *y = (Row *)f->y;
  time_node(f, w, k);
  if (k == GAUGE_NODES - 1) { // the end is known better
    memcpy(y, w->y_new, (size_t)w->acting * sizeof *y);
    return;
  }
  const Row x = (*(const Row *)f->t - a) / h, r = 1 - x;
  const Row *begin = (const Row *)w->y, *c1 = (Row *)w->c[1], *c2 = (Row *)w->c[2],
            *c3 = (Row *)w->c[3], *c4 = (Row *)w->c[4], *c5 = (Row *)w->c[5], *c6 = (Row *)w->c[6],
            *c7 = (Row *)w->c[7];
  for (int i = 0; i < w->acting; i++)
    y[i] = DENSE_VALUE(begin[i], c1[i], c2[i], c3[i], c4[i], c5[i], c6[i], c7[i], x, r);
}

// As column_range does, in the same order; lanes in *lost have what is not finite.
static TARGET inline void range_rows(const Row *values, size_t stride, Row *least, Row *most,
                                     RowBits *lost) {
  Row low[2] = {values[0], values[stride]}, high[2] = {values[0], values[stride]};
  Row off = (values[0] - values[0]) + (values[stride] - values[stride]);
  for (uint32_t k = 2; k < GAUGE_NODES; k++) {
    Row value = values[k * stride];
    low[k & 1] = WHERE(value < low[k & 1], value, low[k & 1]);
    high[k & 1] = WHERE(value > high[k & 1], value, high[k & 1]);
    off += value - value;
  }
  *least = WHERE(low[0] < low[1], low[0], low[1]);
  *most = WHERE(high[0] > high[1], high[0], high[1]);
  *lost = off != 0; // and where it is none
}

// As widen_between does: where the slope becomes negative between looks, and where positive.
static TARGET void turn_rows(const Row *values, size_t stride, RowBits *highs, RowBits *lows) {
  const Looks *looks = stretch_looks(GAUGE_NODES);
  Row rise[GAUGE_NODES], before = {0};
  RowBits down = {0}, up = {0};
  for (uint32_t i = 0; i < GAUGE_NODES; i++) {
    rise[i] = values[i * stride] - values[0];
    before += looks->at_node[0][i] * rise[i];
  }
  for (uint32_t k = 0; k < STRETCH_MOST_LOOKS; k++) {
    Row now = {0};
    for (uint32_t i = 1; i < GAUGE_NODES; i++) now += looks->between[i][k] * rise[i];
    down |= (before > 0) & (now < 0);
    up |= (before < 0) & (now > 0);
    before = now;
  }
  *highs = down, *lows = up;
}

// A column at the nodes, its range, and how large it has been.
typedef struct RowColumn {
  const Row *values;
  size_t stride;
  Row least, most, scale;
} RowColumn;

// As is_resolved does; who is of no interest below `low` or above `high` gives them.
static TARGET RowBits unresolved_rows(const RowColumn *c, bool squares, const Row *low,
                                      const Row *high) {
  Row tail[2][4] = {{{0}}}, sum[2], least = SIZE(c->least), most = SIZE(c->most);
  Row scale = WHERE(least > most, least, most);
  scale = WHERE(scale > c->scale, scale, c->scale);
  for (uint32_t k = 0; k < GAUGE_NODES; k++) {
    Row value = c->values[k * c->stride], taken = squares ? value * value : value;
    for (int order = 0; order < 2; order++) tail[order][k % 4] += gauge_tails[order][k] * taken;
  }
  for (int order = 0; order < 2; order++)
    sum[order] = (tail[order][0] + tail[order][2]) + (tail[order][1] + tail[order][3]);
  Row size = SIZE(sum[0]) + SIZE(sum[1]);
  Row room = STRETCH_MOST_BEYOND * (c->most - c->least) + GAUGE_TAILS * size;
  RowBits more = size > 1e-7 * (squares ? scale * scale : scale);
  if (low) more &= ~(c->most + room < *low);
  if (high) more &= ~(c->least - room > *high);
  return more;
}

// Guards that stay clear of zero, on the side that they were on; returns the lanes of the others.
static TARGET RowBits guard_rows(const LaneFollow *f, uint32_t g, uint32_t which) {
  const Row *values = (const Row *)f->watched + g;
  const size_t stride = f->guards;
  Row least, most, sign = ((const Row *)f->signs)[g];
  RowBits leaves;
  range_rows(values, stride, &least, &most, &leaves);
  Row low = SIZE(least), high = SIZE(most), size = ((const Row *)f->size)[g];
  size = LARGER(LARGER(low, high), size);
  ((Row *)f->size_new)[g] = size;
  Row near = 1e-13 * size, first = values[0], last = values[(GAUGE_NODES - 1) * stride];
  leaves |= (SIZE(first) <= near) | (SIZE(last) <= near);
  const Row zero = {0};
  const RowColumn column = {values, stride, least, most, size};
  leaves |= unresolved_rows(&column, false, &zero, &zero);
  leaves |= ~(((first > 0) & (sign == 1)) | ((first < 0) & (sign == -1)));
  Row room = STRETCH_MOST_BEYOND * (most - least);
  RowBits below = (sign > 0) & ~(0 <= least - room), above = (sign < 0) & ~(0 >= most + room);
  if (!(ROW_MASK(below | above) & which)) return leaves;
  leaves |= (below & ~(least >= 0)) | (above & ~(most <= 0));
  RowBits highs, lows;
  turn_rows(values, stride, &highs, &lows);
  return leaves | (below & lows) | (above & highs);
}

// The lanes for which reduction i needs more than its values at the nodes.
static TARGET RowBits value_rows(const LaneFollow *f, const LaneRows *w, uint32_t i,
                                 uint32_t which) {
  const Row *values = (const Row *)f->values + 2 * i, from = GAUGE(i, from);
  const size_t stride = 2 * (size_t)f->n;
  const Row a = *(const Row *)w->t, b = *(const Row *)w->t_end;
  const ReductionKind kind = f->reductions[i].kind;
  RowBits active = a >= from, leaves = (from > a) & (from < b);
  leaves |= active & (GAUGE(i, begun) == 0);
  if (f->reductions[i].has_condition) {
    RowBits holds = values[GAUGE_NODES / 2 * stride + 1] != 0;
    leaves |= active & (holds ^ (GAUGE(i, holds) != 0));
  }
  if (!gauge_is_extreme(kind) && !gauge_is_integral(kind)) return leaves;
  Row least, most;
  RowBits lost;
  range_rows(values, stride, &least, &most, &lost);
  ((Row *)f->least)[i] = least, ((Row *)f->most)[i] = most;
  const RowColumn column = {values, stride, least, most, GAUGE(i, scale)};
  const Row met = GAUGE(i, extreme);
  lost |= unresolved_rows(&column, kind == REDUCE_RMS, kind == REDUCE_MAX ? &met : NULL,
                          kind == REDUCE_MIN ? &met : NULL);
  leaves |= active & lost;
  if (gauge_is_integral(kind)) return leaves;
  Row room = STRETCH_MOST_BEYOND * (most - least);
  RowBits beyond = kind == REDUCE_MAX ? ~(WHERE(most <= met, met, most) >= most + room)
                                      : ~(WHERE(least >= met, met, least) <= least - room);
  beyond &= active & (most > least);
  if (!(ROW_MASK(beyond & ~leaves) & which)) return leaves;
  RowBits highs, lows;
  turn_rows(values, stride, &highs, &lows);
  return leaves | (beyond & (kind == REDUCE_MAX ? highs : lows));
}

static TARGET uint32_t watch_rows(const LaneFollow *f, const LaneRows *w, uint32_t which) {
  const Row a = *(const Row *)w->t, b = *(const Row *)w->t_end;
  Row next = a + stretch_node(GAUGE_NODES, GAUGE_NODES - 2) * (b - a);
  which &= (uint32_t)ROW_MASK(next < b); // not where rounding is the whole step
  for (uint32_t g = 0; g < f->guards && which; g++)
    which &= ~(uint32_t)ROW_MASK(guard_rows(f, g, which));
  for (uint32_t i = 0; i < f->n && which; i++)
    which &= ~(uint32_t)ROW_MASK(value_rows(f, w, i, which));
  return which;
}

// As gauges_take_piece does, for the lanes in the set.
static TARGET void take_rows(LaneFollow *f, const LaneRows *w, uint32_t which) {
  const Row a = *(const Row *)w->t, length = *(const Row *)w->t_end - a;
  RowBits takes = {0};
  for (int lane = 0; lane < LANES; lane++) takes[lane] = which >> lane & 1 ? -1 : 0;
  for (uint32_t g = 0; g < f->guards; g++) {
    Row *size = (Row *)f->size + g;
    *size = WHERE(takes, ((const Row *)f->size_new)[g], *size);
  }
  for (uint32_t i = 0; i < f->n; i++) {
    const Row *values = (const Row *)f->values + 2 * i;
    const size_t stride = 2 * (size_t)f->n;
    const ReductionKind kind = f->reductions[i].kind;
    const RowBits here = takes & (a >= GAUGE(i, from));
    Row scale = GAUGE(i, scale);
    if (gauge_is_integral(kind)) {
      Row sum = {0};
      for (uint32_t k = 0; k < GAUGE_NODES; k++) {
        Row value = values[k * stride];
        sum += gauge_weights[k] * (kind == REDUCE_RMS ? value * value : value);
        scale = LARGER(SIZE(value), scale);
      }
      GAUGE(i, sum) = WHERE(here, GAUGE(i, sum) + sum * length, GAUGE(i, sum));
      GAUGE(i, duration) = WHERE(here, GAUGE(i, duration) + length, GAUGE(i, duration));
    }
    if (gauge_is_extreme(kind)) {
      Row least = ((const Row *)f->least)[i], most = ((const Row *)f->most)[i];
      Row low = SIZE(least), high = SIZE(most), met = GAUGE(i, extreme);
      scale = LARGER(LARGER(low, high), scale);
      Row value = kind == REDUCE_MAX ? most : least;
      RowBits better = here & (kind == REDUCE_MAX ? ~(value <= met) : ~(value >= met));
      GAUGE(i, extreme) = WHERE(better, value, met);
    }
    GAUGE(i, scale) = WHERE(here, scale, GAUGE(i, scale));
    GAUGE(i, final) = WHERE(here, values[(GAUGE_NODES - 1) * stride], GAUGE(i, final));
  }
}

#undef LANES
#undef TARGET
#undef Row
#undef RowBits
#undef ROW_MASK
#undef WHERE
#undef SIZE
#undef LARGER
#undef GAUGE
#undef RowColumn
#undef time_node
#undef place_node
#undef range_rows
#undef turn_rows
#undef guard_rows
#undef unresolved_rows
#undef value_rows
#undef watch_rows
#undef take_rows
