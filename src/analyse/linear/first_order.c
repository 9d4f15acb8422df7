// Velocities without mass, eliminated.
#include <math.h>
#include <string.h>

#include "analyse/linear/output_rows.h"
#include "solve/algebra/dense.h"

static const double SOLVABLE = 1e-14; // of the largest entries

// Everything as rows of coefficients of (x, u).
typedef struct Order {
  Arena *arena;
  const Linearized *l;
  uint32_t size, width;     // of x; of x and u
  uint32_t *heavy, heavies; // velocities with mass
  uint32_t *light, lights;  // and without
  double *z, *s, *zd, *a;   // p, f, p, f rows
} Order;

static double *rows_new(const Order *o, uint32_t rows) {
  return arena_array(o->arena, double, (size_t)rows * o->width + 1);
}

static bool has_mass(const Reduced *r, uint32_t i) {
  for (uint32_t j = 0; j < r->f; j++)
    if (r->M[(size_t)i * r->f + j] != 0 || r->M[(size_t)j * r->f + i] != 0) return true;
  return false;
}

static void divide(Order *o) {
  const Reduced *r = &o->l->number;
  o->heavy = arena_array(o->arena, uint32_t, r->f + 1);
  o->light = arena_array(o->arena, uint32_t, r->f + 1);
  for (uint32_t i = 0; i < r->f; i++) {
    if (has_mass(r, i))
      o->heavy[o->heavies++] = i;
    else
      o->light[o->lights++] = i;
  }
  o->size = r->p + o->heavies;
  o->width = o->size + r->inputs;
}

// The place of z_i in x: states of their own come last.
static uint32_t place_of(const Order *o, uint32_t i) {
  const Linearized *l = o->l;
  uint32_t before = 0, moving = 0;
  for (uint32_t k = 0; k < l->p; k++) moving += l->choice.z[k] < l->moving;
  bool is_state = l->choice.z[i] >= l->moving;
  for (uint32_t k = 0; k < i; k++) before += (l->choice.z[k] >= l->moving) == is_state;
  return is_state ? moving + o->heavies + before : before;
}

// Solves A X = B for some rows and columns of A (f x f): B and X have one row each.
static bool solve_rows(Order *o, const double *A, const uint32_t *list, uint32_t count, double *X) {
  uint32_t f = o->l->f;
  Mark mark = arena_mark(o->arena);
  double *S = arena_array(o->arena, double, (size_t)count *count + 1);
  double *column = arena_array(o->arena, double, count + 1),
         *row = arena_array(o->arena, double, count + 1);
  int *pivot = arena_array(o->arena, int, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    double most = 0;
    for (uint32_t j = 0; j < count; j++) most = fmax(most, fabs(A[(size_t)list[i] * f + list[j]]));
    row[i] = most > 0 ? 1 / most : 1;
    for (uint32_t j = 0; j < count; j++)
      S[(size_t)i * count + j] = row[i] * A[(size_t)list[i] * f + list[j]];
  }
  bool good = count == 0 || dense_lu((int)count, S, pivot) > SOLVABLE;
  for (uint32_t j = 0; good && count > 0 && j < o->width; j++) {
    for (uint32_t i = 0; i < count; i++) column[i] = row[i] * X[(size_t)i * o->width + j];
    dense_lu_solve((int)count, S, pivot, column);
    for (uint32_t i = 0; i < count; i++) X[(size_t)i * o->width + j] = column[i];
  }
  arena_release(o->arena, mark);
  return good;
}

// B u - C s - K z of the listed velocities, with what is known of s.
static void fill_forces(Order *o, const uint32_t *list, uint32_t count, double *out) {
  const Reduced *r = &o->l->number;
  int width = (int)o->width;
  for (uint32_t i = 0; i < count; i++) {
    double *row = out + (size_t)i * o->width;
    uint32_t k = list[i];
    for (uint32_t j = 0; j < r->inputs; j++) row[o->size + j] = r->B[(size_t)k * r->inputs + j];
    for (uint32_t j = 0; j < r->f; j++)
      dense_add(width, -r->C[(size_t)k * r->f + j], o->s + (size_t)j * o->width, row);
    for (uint32_t j = 0; j < r->p; j++)
      dense_add(width, -r->K[(size_t)k * r->p + j], o->z + (size_t)j * o->width, row);
  }
}

static void spread(Order *o, const uint32_t *list, uint32_t count, const double *from, double *to) {
  for (uint32_t i = 0; i < count; i++)
    memcpy(to + (size_t)list[i] * o->width, from + (size_t)i * o->width, o->width * sizeof *to);
}

static bool solve_motion(Order *o) {
  const Reduced *r = &o->l->number;
  uint32_t moving = 0;
  for (uint32_t k = 0; k < r->p; k++) moving += o->l->choice.z[k] < o->l->moving;
  o->z = rows_new(o, r->p), o->s = rows_new(o, r->f);
  o->zd = rows_new(o, r->p), o->a = rows_new(o, r->f);
  for (uint32_t i = 0; i < r->p; i++) o->z[(size_t)i * o->width + place_of(o, i)] = 1;
  for (uint32_t i = 0; i < o->heavies; i++) o->s[(size_t)o->heavy[i] * o->width + moving + i] = 1;
  double *X = rows_new(o, r->f);
  fill_forces(o, o->light, o->lights, X);
  if (!solve_rows(o, r->C, o->light, o->lights, X)) return false;
  spread(o, o->light, o->lights, X, o->s);
  memset(X, 0, (size_t)r->f * o->width * sizeof *X);
  fill_forces(o, o->heavy, o->heavies, X);
  if (!solve_rows(o, r->M, o->heavy, o->heavies, X)) return false;
  spread(o, o->heavy, o->heavies, X, o->a);
  double *part = rows_new(o, r->p);
  matrix_multiply(r->p, r->f, o->width, r->W, o->s, o->zd);
  matrix_multiply(r->p, r->p, o->width, r->Y, o->z, part);
  dense_add((int)(r->p * o->width), 1, part, o->zd);
  return true;
}

static void fill_state_space(Order *o, Arena *keep, StateSpace *out) {
  const Reduced *r = &o->l->number;
  uint32_t size = o->size, moving = 0;
  for (uint32_t k = 0; k < r->p; k++) moving += o->l->choice.z[k] < o->l->moving;
  *out = (StateSpace){.size = size, .inputs = r->inputs};
  out->A = arena_array(keep, double, (size_t)size *size + 1);
  out->B = arena_array(keep, double, (size_t)size * r->inputs + 1);
  for (uint32_t i = 0; i < r->p + o->heavies; i++) {
    const double *row =
        i < r->p ? o->zd + (size_t)i * o->width : o->a + (size_t)o->heavy[i - r->p] * o->width;
    uint32_t to = i < r->p ? place_of(o, i) : moving + i - r->p;
    memcpy(out->A + (size_t)to * size, row, size * sizeof *row);
    memcpy(out->B + (size_t)to * r->inputs, row + size, r->inputs * sizeof *row);
  }
}

// The accelerations of what has no mass: where its velocity follows the inputs at once they have
// none, which is seen from an entry that is not a number.
static void fill_light_accelerations(Order *o, const StateSpace *state) {
  for (uint32_t i = 0; i < o->lights; i++) {
    const double *s = o->s + (size_t)o->light[i] * o->width;
    double *a = o->a + (size_t)o->light[i] * o->width;
    for (uint32_t k = 0; k < o->size; k++) {
      for (uint32_t j = 0; j < o->size; j++) a[j] += s[k] * state->A[(size_t)k * o->size + j];
      for (uint32_t j = 0; j < state->inputs; j++)
        a[o->size + j] += s[k] * state->B[(size_t)k * state->inputs + j];
    }
    for (uint32_t j = 0; j < state->inputs; j++)
      if (s[o->size + j] != 0) a[o->size + j] = NAN;
  }
}

// Rows of outputs in (z, s, ds/dt, u) become rows in (x, u).
static void fill_outputs(Order *o, const Linearized *l, const double *values, const Expr *outputs,
                         uint32_t count, Arena *keep, FirstOrder *out) {
  Context *cx = l->cx;
  out->C = arena_array(keep, double, (size_t)count * o->size + 1);
  out->D = arena_array(keep, double, (size_t)count * l->inputs + 1);
  OutputRows f;
  output_rows_find(l, o->arena, &f);
  double *row = arena_array(o->arena, double, f.columns + 1);
  double *all = arena_array(o->arena, double, o->width + 1);
  for (uint32_t k = 0; k < count; k++) {
    output_rows_row(cx, l, &f, values, outputs[k], row);
    memset(all, 0, o->width * sizeof *all);
    for (uint32_t i = 0; i < l->p + 2 * l->f; i++) {
      const double *from = i < l->p          ? o->z + (size_t)i * o->width
                           : i < l->p + l->f ? o->s + (size_t)(i - l->p) * o->width
                                             : o->a + (size_t)(i - l->p - l->f) * o->width;
      if (row[i] != 0) dense_add((int)o->width, row[i], from, all);
    }
    memcpy(out->C + (size_t)k * o->size, all, o->size * sizeof *all);
    for (uint32_t i = 0; i < l->inputs; i++)
      out->D[(size_t)k * l->inputs + i] = all[o->size + i] + row[f.states + i];
  }
}

bool first_order_find(const Linearized *l, const double *values, const Expr *outputs,
                      uint32_t count, Arena *work, Arena *keep, FirstOrder *out) {
  Mark mark = arena_mark(work);
  Order o = {.arena = work, .l = l};
  divide(&o);
  bool good = solve_motion(&o);
  if (good) {
    fill_state_space(&o, keep, &out->state);
    fill_light_accelerations(&o, &out->state);
    fill_outputs(&o, l, values, outputs, count, keep, out);
  }
  arena_release(work, mark);
  return good;
}

bool first_order_make(Balance *b, Linearized *l) {
  Mark mark = arena_mark(&b->cx->scratch);
  Expr *outputs = arena_array(&b->cx->scratch, Expr, l->outputs + 1);
  for (uint32_t k = 0; k < l->outputs; k++) outputs[k] = b->system->model->outputs.at[k].value;
  FirstOrder found;
  bool good =
      first_order_find(l, b->values, outputs, l->outputs, &b->arena, b->cx->results, &found);
  if (good) l->state = found.state, l->C_out = found.C, l->D_out = found.D;
  arena_release(&b->cx->scratch, mark);
  return good;
}

StateName linearized_state(const Linearized *l, uint32_t at) {
  uint32_t seen = 0;
  for (int own = 0; own < 2; own++) {
    for (uint32_t k = 0; k < l->p; k++)
      if ((l->choice.z[k] >= l->moving) == own && seen++ == at)
        return (StateName){l->choice.z[k], false};
    for (uint32_t k = 0; !own && k < l->f; k++)
      if ((l->is_regular || has_mass(&l->number, k)) && seen++ == at)
        return (StateName){l->choice.z[k], true};
  }
  return (StateName){0, false};
}
