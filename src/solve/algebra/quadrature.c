// Adaptive quadrature by the rule of Gauss and Kronrod with 7 and 15 points.
#include "solve/algebra/quadrature.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

// Half of the nodes, outermost first; every second one is Gauss's. Piessens and others, QUADPACK.
static const double node[8] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693193, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0};
static const double kronrod[8] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

typedef struct Panel {
  double from, to;
  double *value, *error; // n each
} Panel;

typedef VEC(Panel) PanelList;

typedef struct Work {
  const Integrand *f;
  Arena *arena;
  double *y, *sum, *coarse; // n each
} Work;

static void add_node(Work *w, double x, double fine, double coarse) {
  w->f->at(w->f->user, x, w->y);
  for (uint32_t i = 0; i < w->f->n; i++) {
    w->sum[i] += fine * w->y[i];
    w->coarse[i] += coarse * w->y[i];
  }
}

// The difference of both rules, scaled as QUADPACK does for integrands of one sign.
static double error_of(double fine, double coarse) {
  double size = fabs(fine), off = fabs(fine - coarse);
  if (!isfinite(off)) return INFINITY;
  if (size == 0 || off == 0) return off;
  double share = 200 * off / size;
  return size * fmin(1, share * sqrt(share));
}

static Panel panel_of(Work *w, double from, double to) {
  uint32_t n = w->f->n;
  Panel p = {from, to, arena_array(w->arena, double, n + 1), arena_array(w->arena, double, n + 1)};
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  memset(w->sum, 0, n * sizeof *w->sum);
  memset(w->coarse, 0, n * sizeof *w->coarse);
  for (int k = 0; k < 8; k++) {
    double in_gauss = k % 2 ? gauss[k / 2] : 0;
    add_node(w, middle - half * node[k], kronrod[k], in_gauss);
    if (k < 7) add_node(w, middle + half * node[k], kronrod[k], in_gauss);
  }
  for (uint32_t i = 0; i < n; i++) {
    p.value[i] = half * w->sum[i];
    p.error[i] = error_of(half * w->sum[i], half * w->coarse[i]);
  }
  return p;
}

static bool is_exact(const Panel *p, const double *total, uint32_t n, double tolerance) {
  for (uint32_t i = 0; i < n; i++)
    if (p->error[i] > tolerance * fabs(total[i])) return false;
  return true;
}

static void sum_up(const PanelList *panels, const double *before, uint32_t n, double *total) {
  memcpy(total, before, n * sizeof *total);
  for (uint32_t k = 0; k < panels->n; k++)
    for (uint32_t i = 0; i < n; i++) total[i] += panels->at[k].value[i];
}

void quadrature_add(const Integrand *f, const double *breaks, uint32_t count, double tolerance,
                    uint32_t most, Arena *arena, double *value, double *error) {
  Mark mark = arena_mark(arena);
  uint32_t n = f->n, halvings = 0;
  Work w = {.f = f, .arena = arena};
  w.y = arena_array(arena, double, n + 1), w.sum = arena_array(arena, double, n + 1);
  w.coarse = arena_array(arena, double, n + 1);
  double *total = arena_array(arena, double, n + 1);
  PanelList panels = {0};
  for (uint32_t i = 0; i + 1 < count; i++)
    if (breaks[i + 1] > breaks[i]) vec_push(arena, &panels, panel_of(&w, breaks[i], breaks[i + 1]));
  for (bool again = true; again;) {
    again = false;
    sum_up(&panels, value, n, total);
    double share = tolerance / (panels.n + 1.0);
    uint32_t now = panels.n;
    for (uint32_t k = 0; k < now && halvings < most; k++) {
      Panel p = panels.at[k];
      double middle = 0.5 * (p.from + p.to);
      if (is_exact(&p, total, n, share) || middle <= p.from || middle >= p.to) continue;
      Panel second = panel_of(&w, middle, p.to);
      panels.at[k] = panel_of(&w, p.from, middle);
      vec_push(arena, &panels, second);
      again = true, halvings++;
    }
  }
  sum_up(&panels, value, n, total);
  memcpy(value, total, n * sizeof *value);
  for (uint32_t k = 0; k < panels.n; k++)
    for (uint32_t i = 0; i < n; i++) error[i] += panels.at[k].error[i];
  arena_release(arena, mark);
}
