// Measures of several runs along their steps.
#include "engine/lanes/lane_follow.h"

#include <stddef.h>
#include <string.h>

#include "solve/rk853_sums.h"

LaneFollow *lane_follow_new(Arena *arena, uint32_t lanes, const Run *run, double *in) {
  const Gauges *g = &run->gauges;
  const InputLayout *at = &run->machine.set->equations->layout;
  LaneFollow *f = arena_new(arena, LaneFollow);
  *f = (LaneFollow){.n = g->n,
                    .guards = g->guards,
                    .reductions = g->reductions,
                    .needs_forces = g->needs_forces,
                    .t = in + at->t * lanes,
                    .y = in + at->q * lanes,
                    .signs = in + at->signs * lanes};
  if (run->machine.problem.m > 0)
    f->nodes = packed_rows(arena, lanes, (size_t)GAUGE_NODES * (size_t)run->acting);
  f->gauges = packed_rows(arena, lanes, (size_t)GAUGE_DOUBLES * g->n);
  f->size = packed_rows(arena, lanes, g->guards);
  f->size_new = packed_rows(arena, lanes, g->guards);
  f->watched = packed_rows(arena, lanes, (size_t)GAUGE_NODES * g->guards);
  f->values = packed_rows(arena, lanes, (size_t)GAUGE_NODES * 2 * g->n);
  f->least = packed_rows(arena, lanes, g->n);
  f->most = packed_rows(arena, lanes, g->n);
  return f;
}

void lane_follow_take(LaneFollow *f, uint32_t lanes, uint32_t lane, const Run *run) {
  const Gauges *g = &run->gauges;
  const double *gauges = (const double *)g->at;
  for (uint32_t i = 0; i < GAUGE_DOUBLES * f->n; i++) f->gauges[i * lanes + lane] = gauges[i];
  for (uint32_t i = 0; i < f->guards; i++) {
    f->size[i * lanes + lane] = g->size[i];
    f->signs[i * lanes + lane] = g->sign[i];
  }
}

void lane_follow_give(const LaneFollow *f, uint32_t lanes, uint32_t lane, Run *run) {
  double *gauges = (double *)run->gauges.at;
  for (uint32_t i = 0; i < GAUGE_DOUBLES * f->n; i++) gauges[i] = f->gauges[i * lanes + lane];
  for (uint32_t i = 0; i < f->guards; i++) run->gauges.size[i] = f->size[i * lanes + lane];
}

#if defined(__x86_64__) && !defined(QDOT_ALONE)
#include <immintrin.h>
#define LANES 4
#define TARGET __attribute__((target("avx2")))
#define Row Row4
#define RowBits RowBits4
#define ROW_MASK(bits) _mm256_movemask_pd((__m256d)(bits))
#define RowColumn RowColumn4
#define time_node time_4
#define place_node place_4
#define range_rows range_4
#define turn_rows turn_4
#define guard_rows guard_4
#define unresolved_rows unresolved_4
#define value_rows value_4
#define watch_rows watch_4
#define take_rows take_4
#include "engine/lanes/lane_follow_rows.h"
#define LANES 8
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl")))
#define Row Row8
#define RowBits RowBits8
#define ROW_MASK(bits) _mm512_movepi64_mask((__m512i)(bits))
#define RowColumn RowColumn8
#define time_node time_8
#define place_node place_8
#define range_rows range_8
#define turn_rows turn_8
#define guard_rows guard_8
#define unresolved_rows unresolved_8
#define value_rows value_8
#define watch_rows watch_8
#define take_rows take_8
#include "engine/lanes/lane_follow_rows.h"

void lane_follow_place(const LaneFollow *f, const LaneRows *rows, uint32_t node) {
  (rows->lanes == 8 ? place_8 : place_4)(f, rows, node);
}

void lane_follow_time(const LaneFollow *f, const LaneRows *rows, uint32_t node) {
  (rows->lanes == 8 ? time_8 : time_4)(f, rows, node);
}

uint32_t lane_follow_watch(LaneFollow *f, const LaneRows *rows, uint32_t which) {
  which = (rows->lanes == 8 ? watch_8 : watch_4)(f, rows, which);
  if (which) (rows->lanes == 8 ? take_8 : take_4)(f, rows, which);
  return which;
}
#else
void lane_follow_place(const LaneFollow *f, const LaneRows *rows, uint32_t node) {
  (void)f, (void)rows, (void)node;
}

void lane_follow_time(const LaneFollow *f, const LaneRows *rows, uint32_t node) {
  (void)f, (void)rows, (void)node;
}

uint32_t lane_follow_watch(LaneFollow *f, const LaneRows *rows, uint32_t which) {
  (void)f, (void)rows, (void)which;
  return 0;
}
#endif
