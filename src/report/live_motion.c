// The motion of a live page, thinned to what the eye needs.
#include <math.h>
#include <string.h>

#include "base/words/digits.h"
#include "report/live.h"

#define MOST_BYTES 160000 // of the motion, before they are spelled
#define MOST_SAMPLES 2400

// ---- What is read of it

// The columns that the page reads: positions, velocities, accelerations, forces, what samples and
// events assign, states; `assigned` are the numbers of these inputs.
typedef struct Picks {
  VEC(uint32_t) columns, assigned;
  VEC(int) stored; // the same columns in the result, which may have others between them
} Picks;

static void pick(const Live *live, const Columns *columns, uint32_t i, Picks *out) {
  vec_push(live->arena, &out->columns, i);
  vec_push(live->arena, &out->stored, result_column(live->result, columns->at[i].name));
}

static void pick_kind(const Live *live, const Columns *columns, ColumnKind kind, Picks *out) {
  for (uint32_t i = 0; i < columns->n; i++)
    if (columns->at[i].kind == kind) pick(live, columns, i, out);
}

// The column of an output or member that is this input and nothing else.
static bool is_written_as(const Model *model, const Column *column, Expr input) {
  if (column->kind == COLUMN_OUTPUT) return model->outputs.at[column->number].value == input;
  return column->kind == COLUMN_MEMBER && model->members.at[column->number].value == input;
}

static Picks picks_of(const Live *live) {
  static const ColumnKind kinds[] = {COLUMN_POSITION, COLUMN_VELOCITY, COLUMN_ACCELERATION,
                                     COLUMN_MULTIPLIER};
  const Model *model = live->system->model;
  Columns columns = sim_columns(live->cx, live->system);
  Picks picks = {0};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    pick_kind(live, &columns, kinds[i], &picks);
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    bool found = !model->inputs.at[i].is_assigned;
    for (uint32_t k = 0; k < columns.n && !found; k++) {
      found = is_written_as(model, &columns.at[k], model->inputs.at[i].symbol);
      if (found) pick(live, &columns, k, &picks);
      if (found) vec_push(live->arena, &picks.assigned, i);
    }
  }
  pick_kind(live, &columns, COLUMN_STATE, &picks);
  return picks;
}

// ---- Rows

// How rows are thinned: every stride-th of them, as what is sudden has many; between these so many
// that none is farther off than a gap; and both sides of jumps where there is room.
typedef struct Thinning {
  uint64_t stride;
  double gap;
  bool has_sides;
  uint32_t most; // rows at the end
} Thinning;

static Thinning thinning_of(const Live *live, uint64_t wanted) {
  const RowSource *rows = &live->result->motion;
  uint64_t n = 0, jumps = 0;
  double before = -INFINITY, begin = NAN;
  rows->rewind(rows->user);
  for (double t; rows_pass(rows, 0, &t); before = t) {
    if (n == 0) begin = t;
    if (++n % 65536 == 0) context_poll(live->cx);
    jumps += t == before;
  }
  uint64_t half = wanted / 2 + 1;
  Thinning out = {.stride = (n + wanted - 1) / wanted,
                  .gap = (before - begin) / (double)half,
                  .has_sides = 2 * jumps <= wanted};
  if (out.stride == 0) out.stride = 1;
  uint64_t most = (n + out.stride - 1) / out.stride + half + (out.has_sides ? 2 * jumps : 0) + 2;
  out.most = (uint32_t)(most < n + 2 ? most : n + 2);
  return out;
}

// last: the time of the last that was kept.
static bool is_kept(const Thinning *how, const double *before, const double *row,
                    const double *after, uint64_t i, double last) {
  if (i % how->stride == 0 || !after || !before || row[0] - last >= how->gap) return true;
  return how->has_sides && (row[0] == before[0] || row[0] == after[0]);
}

// Takes what is left; how many there were.
typedef void TakeRow(void *user, uint32_t n, const double *row);
static uint32_t thin_rows(Live *live, const Thinning *how, TakeRow *take, void *user) {
  const RowSource *rows = &live->result->motion;
  uint32_t width = live->result->column_count, n = 0;
  double *three[3];
  for (int i = 0; i < 3; i++) three[i] = arena_array(live->arena, double, width);
  uint64_t count = 0;
  double last = -INFINITY;
  rows->rewind(rows->user);
  const double *next = rows->next(rows->user);
  if (next) memcpy(three[2], next, width * sizeof *next);
  while (next && n < how->most) {
    double *first = three[0];
    three[0] = three[1], three[1] = three[2], three[2] = first;
    next = rows->next(rows->user);
    if (next) memcpy(three[2], next, width * sizeof *next);
    if (is_kept(how, count ? three[0] : NULL, three[1], next ? three[2] : NULL, count, last)) {
      take(user, n++, three[1]);
      last = three[1][0];
    }
    count++;
  }
  return n;
}

// t and what is picked of a row, as floats beyond the first row, so that small motions keep digits.
typedef struct Floats {
  float *at;
  double *first;
  uint32_t width;
  Picks picks;
} Floats;

static Floats floats_of(const Live *live, uint32_t rows, uint32_t width) {
  return (Floats){.at = arena_array(live->arena, float, (size_t)rows *width + 1),
                  .first = arena_array(live->arena, double, width),
                  .width = width};
}

static void take_float(const Floats *floats, uint32_t n, uint32_t k, double value) {
  if (n == 0) floats->first[k] = isfinite(value) ? value : 0;
  floats->at[(size_t)n * floats->width + k] = (float)(value - floats->first[k]);
}

static void take_floats(void *user, uint32_t n, const double *row) {
  const Floats *floats = user;
  take_float(floats, n, 0, row[0]);
  for (uint32_t k = 0; k < floats->picks.stored.n; k++) {
    int from = floats->picks.stored.at[k];
    take_float(floats, n, 1 + k, from < 0 ? NAN : row[from]);
  }
}

static void write_floats(const Floats *floats, uint32_t rows, Text *out) {
  live_key(out, "motion");
  char digits[DIGITS_ROOM];
  text_addf(out, "{\"count\": %u, \"width\": %u, \"first\": [", rows, floats->width);
  for (uint32_t k = 0; k < floats->width; k++)
    text_addf(out, "%s%.*s", k ? ", " : "", (int)digits_write(floats->first[k], digits), digits);
  text_add(out, "], \"samples\": \"");
  live_add_base64(out, (const unsigned char *)floats->at,
                  (size_t)rows * floats->width * sizeof(float));
  text_add(out, "\"}");
}

static void write_list(Text *out, const char *key, const uint32_t *at, uint32_t n) {
  live_key(out, key);
  text_add(out, "[");
  for (uint32_t i = 0; i < n; i++) text_addf(out, "%s%u", i ? ", " : "", at[i]);
  text_add(out, "]");
}

void live_write_motion(Live *live, Text *out) {
  Picks picks = picks_of(live);
  uint32_t width = picks.columns.n + 1;
  uint64_t fit = MOST_BYTES / (width * sizeof(float));
  Thinning how = thinning_of(live, fit < 100 ? 100 : fit < MOST_SAMPLES ? fit : MOST_SAMPLES);
  Floats floats = floats_of(live, how.most, width);
  floats.picks = picks;
  write_list(out, "columns", picks.columns.at, picks.columns.n);
  write_list(out, "assigned", picks.assigned.at, picks.assigned.n);
  uint32_t n = thin_rows(live, &how, take_floats, &floats);
  write_floats(&floats, n, out);
}

// ---- The motion as numbers

typedef struct Numbers {
  Sampler sampler;
  double *at;
  uint32_t width;
} Numbers;

static void take_numbers(void *user, uint32_t n, const double *row) {
  const Numbers *numbers = user;
  sampler_read(&numbers->sampler, row, numbers->at + (size_t)n * numbers->width);
}

const double *live_numbers(Live *live, uint32_t samples, uint32_t *count, uint32_t *width) {
  uint32_t drawn = live->scene.signals.n, wide = 1 + drawn + live->curves.n + live->forces.n;
  Thinning how = thinning_of(live, samples);
  Numbers numbers = {.at = arena_array(live->arena, double, (size_t)how.most *wide), .width = wide};
  Signal *signals = arena_array(live->arena, Signal, wide);
  signals[0] = signal_from_column(live->result, "t");
  for (uint32_t i = 0; i < drawn; i++) signals[1 + i] = live->scene.signals.at[i];
  for (uint32_t i = 0; i < live->curves.n; i++)
    signals[1 + drawn + i] = signal_from_expr(live->curves.at[i]);
  for (uint32_t i = 0; i < live->forces.n; i++)
    signals[1 + drawn + live->curves.n + i] = signal_from_expr(live->forces.at[i]);
  sampler_open(&numbers.sampler, live->cx, live->result, signals, wide);
  *count = thin_rows(live, &how, take_numbers, &numbers);
  *width = wide;
  sampler_close(&numbers.sampler);
  return numbers.at;
}

void live_write_numbers(Live *live, Text *out) {
  uint32_t curves = live->scene.signals.n, forces = curves + live->curves.n, count, width;
  uint32_t wide = 1 + forces + live->forces.n;
  uint32_t fit = MOST_BYTES / (wide * (uint32_t)sizeof(float));
  uint32_t wanted = fit < 100 ? 100 : fit < MOST_SAMPLES ? fit : MOST_SAMPLES;
  const double *numbers = live_numbers(live, wanted, &count, &width);
  Floats floats = floats_of(live, count, width);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < width; k++) take_float(&floats, i, k, numbers[(size_t)i * width + k]);
  live_key(out, "layout");
  text_addf(out, "{\"q\": %u, \"curves\": %u, \"forces\": %u}", live->drawn, curves, forces);
  write_floats(&floats, count, out);
}
