// The complex system of one frequency, factored once and solved for each input.
#include "analyse/vibration/plant.h"

#include <math.h>
#include <string.h>

#include "analyse/linear/output_rows.h"
#include "solve/algebra/dense.h"

// ---- The system with a force on every coordinate beside the inputs

static void extend(const Linearized *l, Arena *arena, Linearized *out) {
  uint32_t n = l->n, inputs = l->inputs + n;
  double *B = arena_array(arena, double, (size_t)n *inputs + 1);
  for (uint32_t i = 0; i < n; i++) {
    memcpy(B + (size_t)i * inputs, l->full.B + (size_t)i * l->inputs, l->inputs * sizeof *B);
    B[(size_t)i * inputs + l->inputs + i] = 1;
  }
  *out = *l;
  out->inputs = out->full.inputs = inputs;
  out->full.B = B;
  uint32_t light;
  reduced_make(arena, &out->full, &out->rows, &out->choice, &out->number);
  if (l->is_regular) reduced_state_space(arena, &out->number, &out->state, &light);
}

// Values of every symbol at the point, by variable.
static double *values_at_point(const Linearized *l, const double *values, Arena *arena) {
  Context *cx = l->cx;
  const System *s = l->system;
  const Model *model = s->model;
  double *out = arena_array(arena, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    out[at] = values[at];
  }
  for (uint32_t i = 0; i < model->inputs.n; i++)
    out[symbol_variable(cx, model->inputs.at[i].symbol)] = l->u[i];
  for (uint32_t i = 0; i < l->n; i++) {
    out[symbol_variable(cx, s->q[i])] = l->point->q[i];
    out[symbol_variable(cx, s->qd[i])] = l->point->qd[i];
  }
  for (uint32_t k = 0; k < l->m; k++) {
    const Row *row = k < s->row_count ? &s->rows[k] : &s->contacts[k - s->row_count];
    out[symbol_variable(cx, row->multiplier)] = l->point->lambda[k];
  }
  return out;
}

static void read_outputs(Plant *plant, const double *values, const ResponseOutput *outputs,
                         uint32_t count, Arena *arena) {
  OutputRows f;
  output_rows_find(&plant->l, arena, &f);
  plant->states = f.states, plant->columns = f.columns;
  plant->rows = arena_array(arena, double, (size_t)count *f.columns + 1);
  for (uint32_t o = 0; o < count; o++)
    output_rows_row(plant->l.cx, &plant->l, &f, values, outputs[o].value,
                    plant->rows + (size_t)o * f.columns);
}

static void put(Plant *plant, uint32_t i, uint32_t j, double re, double im) {
  size_t size = plant->size, width = 2 * size;
  plant->Z[i * width + j] = plant->Z[(size + i) * width + size + j] = re;
  plant->Z[i * width + size + j] = -im;
  plant->Z[(size + i) * width + j] = im;
}

// ---- Sampled loops

static void open_map(Plant *plant, const double *values, const ResponseOutput *outputs,
                     uint32_t count, Arena *arena) {
  Expr *list = arena_array(arena, Expr, count + 1);
  for (uint32_t i = 0; i < count; i++) list[i] = outputs[i].value;
  FirstOrder space;
  Arena *work = &plant->l.cx->scratch;
  plant->is_sampled =
      first_order_find(&plant->l, values, list, count, work, arena, &space) &&
      sampled_make(arena, &plant->l, &space.state, values, false, &plant->map) == QDOT_OK;
  plant->C = space.C, plant->D = space.D;
  plant->outputs_of = plant->l.state.size;
  plant->size = plant->map.size;
}

static void set_map(Plant *plant, double w) {
  const Sampled *map = &plant->map;
  double angle = w * map->period;
  for (uint32_t i = 0; i < map->size; i++)
    for (uint32_t j = 0; j < map->size; j++) {
      double a = map->A[(size_t)i * map->size + j];
      put(plant, i, j, i == j ? cos(angle) - a : -a, i == j ? sin(angle) : 0);
    }
}

// The slope: z x = A x + B u, so (z - A) dx/dw = -(dz/dw) x with dz/dw = i T z.
static void excite_map(Plant *plant, uint32_t column, bool with_slope) {
  const Sampled *map = &plant->map;
  uint32_t n = map->size;
  double T = map->period, re = -T * sin(plant->w * T), im = T * cos(plant->w * T);
  memset(plant->x, 0, 2 * (size_t)n * sizeof *plant->x);
  for (uint32_t i = 0; i < n; i++) plant->x[i] = map->B[(size_t)i * map->inputs + column];
  dense_lu_solve((int)(2 * n), plant->Z, plant->pivot, plant->x);
  memset(plant->dx, 0, 2 * (size_t)n * sizeof *plant->dx);
  if (!with_slope) return;
  for (uint32_t i = 0; i < n; i++) {
    plant->dx[i] = -(re * plant->x[i] - im * plant->x[n + i]);
    plant->dx[n + i] = -(re * plant->x[n + i] + im * plant->x[i]);
  }
  dense_lu_solve((int)(2 * n), plant->Z, plant->pivot, plant->dx);
}

static Transfer transfer_of_map(const Plant *plant, uint32_t column, uint32_t output) {
  int n = (int)plant->outputs_of;
  const double *row = plant->C + (size_t)output * plant->outputs_of;
  double direct = plant->D[(size_t)output * plant->map.inputs + column];
  return (Transfer){direct + dense_dot(n, row, plant->x), dense_dot(n, row, plant->x + plant->size),
                    dense_dot(n, row, plant->dx), dense_dot(n, row, plant->dx + plant->size)};
}

void plant_open(Plant *plant, const Linearized *l, const double *values,
                const ResponseOutput *outputs, uint32_t output_count, Arena *arena) {
  uint32_t size = l->p == l->f ? l->f : l->p + l->f, all = l->p + 2 * l->f;
  *plant = (Plant){.size = size};
  extend(l, arena, &plant->l);
  const double *at_point = values_at_point(l, values, arena);
  if (l->sampled) open_map(plant, at_point, outputs, output_count, arena);
  size = plant->size;
  plant->Z = arena_array(arena, double, 4 * (size_t)size * size + 1);
  plant->x = arena_array(arena, double, 2 * (size_t)size + 1);
  plant->dx = arena_array(arena, double, 2 * (size_t)size + 1);
  plant->state_re = arena_array(arena, double, all + 1);
  plant->state_im = arena_array(arena, double, all + 1);
  plant->slope_re = arena_array(arena, double, all + 1);
  plant->slope_im = arena_array(arena, double, all + 1);
  plant->pivot = arena_array(arena, int, 2 * (size_t)size + 1);
  if (!plant->is_sampled) read_outputs(plant, at_point, outputs, output_count, arena);
}

// ---- One frequency

// K - w^2 M + i w C, or the rows i w z - Y z - W s = 0 and K z + (C + i w M) s.
bool plant_set(Plant *plant, double w) {
  const Reduced *r = &plant->l.number;
  uint32_t p = r->p, f = r->f;
  memset(plant->Z, 0, 4 * (size_t)plant->size * plant->size * sizeof *plant->Z);
  if (plant->is_sampled) {
    set_map(plant, w);
  } else if (p == f) {
    for (uint32_t i = 0; i < f; i++)
      for (uint32_t j = 0; j < f; j++) {
        size_t ij = (size_t)i * f + j;
        put(plant, i, j, r->K[ij] - w * w * r->M[ij], w * r->C[ij]);
      }
  } else {
    for (uint32_t i = 0; i < p; i++) {
      for (uint32_t j = 0; j < p; j++) put(plant, i, j, -r->Y[(size_t)i * p + j], i == j ? w : 0);
      for (uint32_t j = 0; j < f; j++) put(plant, i, p + j, -r->W[(size_t)i * f + j], 0);
    }
    for (uint32_t i = 0; i < f; i++) {
      for (uint32_t j = 0; j < p; j++) put(plant, p + i, j, r->K[(size_t)i * p + j], 0);
      for (uint32_t j = 0; j < f; j++) {
        size_t ij = (size_t)i * f + j;
        put(plant, p + i, p + j, r->C[ij], w * r->M[ij]);
      }
    }
  }
  plant->w = w;
  plant->is_regular = dense_lu((int)(2 * plant->size), plant->Z, plant->pivot) > 0;
  return plant->is_regular;
}

// dx := -Z^-1 (dZ/dw) x
static void solve_slope(Plant *plant) {
  const Reduced *r = &plant->l.number;
  uint32_t p = r->p, f = r->f, size = plant->size, first = size - f;
  const double *re = plant->x, *im = plant->x + size;
  double w = plant->w, *out_re = plant->dx, *out_im = plant->dx + size;
  for (uint32_t i = 0; i < first; i++) out_re[i] = im[i], out_im[i] = -re[i];
  for (uint32_t i = 0; i < f; i++) {
    const double *M = r->M + (size_t)i * f, *C = r->C + (size_t)i * f;
    double m_re = dense_dot((int)f, M, re + first), m_im = dense_dot((int)f, M, im + first);
    if (p == f) {
      double c_re = dense_dot((int)f, C, re), c_im = dense_dot((int)f, C, im);
      out_re[i] = 2 * w * m_re + c_im, out_im[i] = 2 * w * m_im - c_re;
    } else {
      out_re[first + i] = m_im, out_im[first + i] = -m_re;
    }
  }
  dense_lu_solve((int)(2 * size), plant->Z, plant->pivot, plant->dx);
}

// Positions, velocities and accelerations of the solution: each is i w times the one before.
static void unfold(const Plant *plant, double *re, double *im) {
  uint32_t p = plant->l.p, f = plant->l.f, size = plant->size;
  for (uint32_t i = 0; i < size; i++) re[i] = plant->x[i], im[i] = plant->x[size + i];
  for (uint32_t i = 0; p == f && i < f; i++) {
    re[p + i] = -plant->w * im[i];
    im[p + i] = plant->w * re[i];
  }
  for (uint32_t i = 0; i < f; i++) {
    re[p + f + i] = -plant->w * im[p + i];
    im[p + f + i] = plant->w * re[p + i];
  }
}

// The slopes of the same: (i w v)' = i v + i w v'.
static void unfold_slope(const Plant *plant, double *re, double *im) {
  uint32_t p = plant->l.p, f = plant->l.f, size = plant->size;
  const double *v_re = plant->state_re, *v_im = plant->state_im;
  for (uint32_t i = 0; i < size; i++) re[i] = plant->dx[i], im[i] = plant->dx[size + i];
  for (uint32_t i = 0; p == f && i < f; i++) {
    re[p + i] = -v_im[i] - plant->w * im[i];
    im[p + i] = v_re[i] + plant->w * re[i];
  }
  for (uint32_t i = 0; i < f; i++) {
    re[p + f + i] = -v_im[p + i] - plant->w * im[p + i];
    im[p + f + i] = v_re[p + i] + plant->w * re[p + i];
  }
}

static uint32_t column_of(const Plant *plant, const ResponseInput *input) {
  return input->is_force ? plant->l.system->model->inputs.n + input->number : input->number;
}

void plant_excite(Plant *plant, const ResponseInput *input, bool with_slope) {
  if (!plant->is_regular) return;
  if (plant->is_sampled) {
    excite_map(plant, column_of(plant, input), with_slope);
    return;
  }
  const Reduced *r = &plant->l.number;
  uint32_t f = r->f, size = plant->size, first = size - f, column = column_of(plant, input);
  memset(plant->x, 0, 2 * (size_t)size * sizeof *plant->x);
  for (uint32_t i = 0; i < f; i++) plant->x[first + i] = r->B[(size_t)i * r->inputs + column];
  dense_lu_solve((int)(2 * size), plant->Z, plant->pivot, plant->x);
  unfold(plant, plant->state_re, plant->state_im);
  if (!with_slope) return;
  solve_slope(plant);
  unfold_slope(plant, plant->slope_re, plant->slope_im);
}

Transfer plant_transfer(const Plant *plant, const ResponseInput *input, uint32_t output) {
  if (!plant->is_regular) return (Transfer){NAN, NAN, NAN, NAN};
  if (plant->is_sampled) return transfer_of_map(plant, column_of(plant, input), output);
  const double *row = plant->rows + (size_t)output * plant->columns;
  int n = (int)plant->states;
  return (Transfer){row[n + column_of(plant, input)] + dense_dot(n, row, plant->state_re),
                    dense_dot(n, row, plant->state_im), dense_dot(n, row, plant->slope_re),
                    dense_dot(n, row, plant->slope_im)};
}
