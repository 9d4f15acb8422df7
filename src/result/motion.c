// Stretches as rows.
#include "result/motion.h"

#include <math.h>

// A stretch of eight nodes may be a third of an oscillation: with so many parts its lines are
// smooth.
static uint32_t parts_of(uint32_t nodes) { return nodes == 8 ? 24 : nodes == 5 ? 12 : 4; }

static bool take_stretch(MotionRows *m) {
  if (!m->source.next(m->source.user, &m->stretch)) return false;
  double length = stretch_end(&m->stretch) - stretch_begin(&m->stretch);
  double parts = ceil(length / m->spacing);
  uint32_t least = parts_of(m->stretch.nodes);
  m->count = parts > least ? (uint32_t)fmin(parts, 1e6) : least;
  // the beginning is the end of the stretch before, unless something happened in between
  m->at = m->has_begun && !m->stretch.jumps;
  m->has_begun = true;
  return true;
}

static bool pass_row(void *user, double *t) {
  MotionRows *m = user;
  while (m->at > m->count)
    if (!take_stretch(m)) return false;
  double begin = stretch_begin(&m->stretch), end = stretch_end(&m->stretch);
  *t = m->at == m->count ? end : begin + (end - begin) * m->at / m->count;
  m->at++;
  return true;
}

static const double *next_row(void *user) {
  MotionRows *m = user;
  double t;
  if (!pass_row(m, &t)) return NULL;
  stretch_row(&m->stretch, t, m->row);
  return m->row;
}

static void rewind_rows(void *user) {
  MotionRows *m = user;
  m->source.rewind(m->source.user);
  m->at = 1, m->count = 0;
  m->has_begun = false;
}

static Status status_of_rows(void *user) {
  MotionRows *m = user;
  return m->source.status ? m->source.status(m->source.user) : QDOT_OK;
}

RowSource motion_rows(MotionRows *m, Arena *arena, StretchSource source, uint32_t columns,
                      double spacing) {
  *m = (MotionRows){.source = source, .spacing = spacing > 0 ? spacing : INFINITY};
  m->row = arena_array(arena, double, columns);
  rewind_rows(m);
  return (RowSource){m, next_row, rewind_rows, status_of_rows, pass_row};
}
