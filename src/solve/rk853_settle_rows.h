// What decides on steps of rk853, for rows of LANES doubles: the part of rk853_settle.c that is
// written for vectors of each size. Who includes it names what it defines: the types Row and
// RowBits, the functions judge_rows, sign_rows and move_rows; TARGET says for which machine, and
// ROW_SQRT is its square root.
typedef double Row __attribute__((vector_size(8 * LANES)));
typedef int64_t RowBits __attribute__((vector_size(8 * LANES)));

#define WHERE(mask, a, b) ((Row)(((RowBits)(a) & (mask)) | ((RowBits)(b) & ~(mask))))
#define SIZE(a) ((Row)((RowBits)(a)&INT64_MAX))
#define LARGER(a, b) WHERE((a) > (b), a, b)

// As measure() does: what the values at the end would make of `largest` and `floor`; s is one of
// the steppers, for what they share.
static TARGET void measure_rows(LaneRows *w, const Stepper *s) {
  const double rtol = s->options.rtol, atol = s->options.atol;
  const int n = s->n, kinds = s->kinds, *kind = s->problem->kind;
  const Row none = {0}, *scale = (const Row *)w->scale;
  Row *most = (Row *)w->most, greatest = none;
  RowBits grown = {0};
  for (int i = 0; i < w->acting; i++) {
    Row size = SIZE(((const Row *)w->y_new)[i]), before = ((const Row *)w->largest)[i];
    grown |= size > before;
    ((Row *)w->largest_new)[i] = WHERE(size > before, size, before);
  }
  for (int level = 0; level < 2; level++) {
    const Row *largest = (const Row *)w->largest_new + level * n;
    const Row *floor = (const Row *)w->floor + level * n;
    Row *floor_new = (Row *)w->floor_new + level * n, relative = none;
    for (int k = 0; k < kinds; k++) most[k] = none;
    for (int i = 0; i < n; i++) {
      int k = kind ? kind[i] : 0;
      most[k] = LARGER(largest[i], most[k]);
    }
    for (int k = 0; k < kinds; k++) greatest = LARGER(most[k], greatest);
    for (int k = 0; kinds > 1 && k < kinds; k++) relative = LARGER(most[k] / scale[k], relative);
    for (int k = 0; kinds > 1 && k < kinds; k++) most[k] = LARGER(relative * scale[k], most[k]);
    for (int i = 0; i < n; i++) {
      Row m = most[kind ? kind[i] : 0], least = 1e-3 * m;
      Row size = WHERE(largest[i] > least, largest[i], least);
      Row f = atol > 0 ? none + atol : rtol * size + 4e-15 * m;
      f += WHERE(m > 0, none + 1e-130, none);
      floor_new[i] = WHERE(grown, f, floor[i]);
    }
  }
  for (int i = 2 * n; i < w->acting; i++) {
    Row largest = ((const Row *)w->largest_new)[i];
    greatest = LARGER(largest, greatest);
    Row given = ((const Row *)w->given)[i], size = LARGER(largest, given);
    Row f = (atol > 0 ? none + atol : rtol * size) + WHERE(size > 0, none + 1e-130, none);
    ((Row *)w->floor_new)[i] = WHERE(grown, f, ((const Row *)w->floor)[i]);
  }
  *(Row *)w->greatest = greatest;
}

static TARGET void judge_rows(LaneRows *w, const Stepper *s) {
  const double acting = w->acting;
  const Row none = {0}, h = SIZE(*(const Row *)w->h), six = *(const Row *)w->six,
            five = *(const Row *)w->five;
  // as rk853_combined_error and rk853_fast_error do
  Row guard = five + 0.01 * *(const Row *)w->three, root = acting * guard;
  *(Row *)w->error = WHERE(guard > 0, h * five / ROW_SQRT(root), guard);
  Row share = six / five * *(const Row *)w->fast / acting;
  *(Row *)w->fast_error = WHERE(five > 0, FAST_SHARE * h * ROW_SQRT(share), none);
  measure_rows(w, s);
  // as error_norm does
  Row sum[4] = {{0}};
  for (int i = 0; i < w->acting; i++) {
    Row a = SIZE(((const Row *)w->y)[i]), b = SIZE(((const Row *)w->y_new)[i]);
    Row allowed = ((const Row *)w->floor_new)[i] + ((const Row *)w->relative)[i] * LARGER(a, b);
    Row off = ((const Row *)w->off)[i] * (Row)((RowBits)(1 / allowed) & (allowed != 0));
    sum[i & 3] += off * off;
  }
  Row mean = ((sum[0] + sum[2]) + (sum[1] + sum[3])) / acting;
  *(Row *)w->distance = ROW_SQRT(mean);
}

// As test_stiffness does.
static TARGET void sign_rows(LaneRows *w) {
  Row above = {0}, below = {0};
  for (int i = 0; i < w->acting; i++) {
    Row df = ((const Row *)w->k[13])[i] - ((const Row *)w->k[12])[i];
    Row dy = ((const Row *)w->y_new)[i] - ((const Row *)w->stage)[i];
    above += df * df;
    below += dy * dy;
  }
  *(Row *)w->above = above, *(Row *)w->below = below;
}

// The lanes in the set go to where their steps end.
static TARGET void move_rows(LaneRows *w, uint32_t which) {
  RowBits moves = {0};
  for (int lane = 0; lane < LANES; lane++) moves[lane] = which >> lane & 1 ? -1 : 0;
  for (int i = 0; i < w->moving; i++) {
    Row *y = (Row *)w->y + i, *k = (Row *)w->k[1] + i;
    *y = WHERE(moves, ((const Row *)w->y_new)[i], *y);
    *k = WHERE(moves, ((const Row *)w->k[13])[i], *k);
  }
  for (int i = 0; i < w->acting; i++) {
    Row *floor = (Row *)w->floor + i, *largest = (Row *)w->largest + i;
    *floor = WHERE(moves, ((const Row *)w->floor_new)[i], *floor);
    *largest = WHERE(moves, ((const Row *)w->largest_new)[i], *largest);
  }
}

#undef LANES
#undef TARGET
#undef Row
#undef RowBits
#undef ROW_SQRT
#undef WHERE
#undef SIZE
#undef LARGER
#undef measure_rows
#undef judge_rows
#undef sign_rows
#undef move_rows
