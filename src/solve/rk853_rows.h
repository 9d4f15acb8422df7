// A step of rk853 for rows of LANES doubles: the part of rk853_lanes.c that is written for vectors
// of each size. Who includes it names what it defines: the types Row and RowBits, the function
// step_rows; TARGET says for which machine.
typedef double Row __attribute__((vector_size(8 * LANES)));
typedef int64_t RowBits __attribute__((vector_size(8 * LANES)));

// Stage `number`, and its derivative.
#define ROW_STAGE(number, begin)                                                                   \
  for (int i = 0; i < acting; i++) stage[i] = (begin)[i] + h * SUM_##number;                       \
  *t_stage = t + AT_##number * h;                                                                  \
  which = system->derivative(system->user, which, w->k[number])

// What an error of state i weighs, by its sizes at both ends.
#define ROW_WEIGHT(weight)                                                                         \
  do {                                                                                             \
    Row a = (Row)((RowBits)y[i] & INT64_MAX), b = (Row)((RowBits)y_new[i] & INT64_MAX);            \
    RowBits larger = ((RowBits)b - (RowBits)a) >> 63; /* of numbers that are not negative */       \
    Row most = (Row)(((RowBits)a & larger) | ((RowBits)b & ~larger));                              \
    Row allowed = ((const Row *)w->floor)[i] + ((const Row *)w->relative)[i] * most;               \
    RowBits is_some = -((RowBits)allowed & INT64_MAX) >> 63;                                       \
    weight = (Row)((RowBits)(1 / allowed) & is_some);                                              \
  } while (0)

static TARGET void step_rows(LaneRows *w, const LaneSystem *system, uint32_t which) {
  const int acting = w->acting;
  const Row h = *(const Row *)w->h, t = *(const Row *)w->t, *y = (const Row *)w->y;
  const Row *k1 = (Row *)w->k[1], *k2 = (Row *)w->k[2], *k3 = (Row *)w->k[3], *k4 = (Row *)w->k[4],
            *k5 = (Row *)w->k[5], *k6 = (Row *)w->k[6], *k7 = (Row *)w->k[7], *k8 = (Row *)w->k[8],
            *k9 = (Row *)w->k[9], *k10 = (Row *)w->k[10], *k11 = (Row *)w->k[11],
            *k12 = (Row *)w->k[12], *k13 = (Row *)w->k[13], *k14 = (Row *)w->k[14],
            *k15 = (Row *)w->k[15], *k16 = (Row *)w->k[16];
  Row *stage = (Row *)system->y, *t_stage = (Row *)system->t, *y_new = (Row *)w->y_new;
  w->done = w->ended = w->dense = 0;
  ROW_STAGE(2, y);
  ROW_STAGE(3, y);
  ROW_STAGE(4, y);
  ROW_STAGE(5, y);
  ROW_STAGE(6, y);
  ROW_STAGE(7, y);
  ROW_STAGE(8, y);
  ROW_STAGE(9, y);
  ROW_STAGE(10, y);
  ROW_STAGE(11, y);
  ROW_STAGE(12, y);
  memcpy(w->stage, stage, (size_t)acting * sizeof *stage);

  // as error_weight, error_norm and new_state do: four sums, by the number of the state
  Row six[4] = {{0}}, five[4] = {{0}}, three[4] = {{0}};
  Row *weights = (Row *)w->weight;
  for (int i = 0; i < w->moving; i++) {
    Row slope = SLOPE;
    y_new[i] = y[i] + h * slope;
    Row e3 = ERROR_3(slope), e5 = ERROR_5, e6 = ERROR_6;
    ROW_WEIGHT(weights[i]);
    Row weight = weights[i];
    e6 *= weight, e5 *= weight, e3 *= weight;
    six[i & 3] += e6 * e6, five[i & 3] += e5 * e5, three[i & 3] += e3 * e3;
  }
  *(Row *)w->six = (six[0] + six[2]) + (six[1] + six[3]);
  *(Row *)w->five = (five[0] + five[2]) + (five[1] + five[3]);
  *(Row *)w->three = (three[0] + three[2]) + (three[1] + three[3]);
  w->done = which;
  if (system->arrive && which) {
    which = system->arrive(system->user, which);
    for (int i = 0; i < w->moving; i++) ROW_WEIGHT(weights[i]);
  }
  if (!which) return;

  memcpy(stage, y_new, (size_t)acting * sizeof *stage);
  *t_stage = *(const Row *)w->t_end;
  w->ended = which = system->derivative(system->user, which, w->k[13]);
  Row fast[4] = {{0}}; // as fast_error does
  for (int i = 0; i < w->moving; i++) {
    Row e = (k13[i] - k12[i]) * weights[i];
    fast[i & 3] += e * e;
  }
  *(Row *)w->fast = (fast[0] + fast[2]) + (fast[1] + fast[3]);
  ROW_STAGE(14, y);
  ROW_STAGE(15, y);
  ROW_STAGE(16, y);
  memcpy(w->last_stage, stage, (size_t)acting * sizeof *stage);
  w->dense = which;
  Row *c1 = (Row *)w->c[1], *c2 = (Row *)w->c[2], *c3 = (Row *)w->c[3], *c4 = (Row *)w->c[4],
      *c5 = (Row *)w->c[5], *c6 = (Row *)w->c[6], *c7 = (Row *)w->c[7];
  for (int i = 0; i < w->moving; i++) {
    Row difference = y_new[i] - y[i], bulge = h * k1[i] - difference;
    c1[i] = difference;
    c2[i] = bulge;
    c3[i] = difference - h * k13[i] - bulge;
    c4[i] = h * DENSE_4;
    c5[i] = h * DENSE_5;
    c6[i] = h * DENSE_6;
    c7[i] = h * DENSE_7;
  }
  const double x = LAST_STAGE_AT, r = 1 - LAST_STAGE_AT;
  Row *off = (Row *)w->off;
  for (int i = 0; i < acting; i++)
    off[i] = stage[i] - DENSE_VALUE(y[i], c1[i], c2[i], c3[i], c4[i], c5[i], c6[i], c7[i], x, r);
}

#undef LANES
#undef TARGET
#undef Row
#undef RowBits
#undef ROW_STAGE
#undef ROW_WEIGHT
#undef step_rows
