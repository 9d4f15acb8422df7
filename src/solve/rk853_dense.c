// The dense output of rk853: a polynomial of order 7, or several of them where it is too coarse.
#include <math.h>
#include <string.h>

#include "solve/rk853.h"

static void open_piece(Stepper *s, DensePiece *p) {
  for (int i = 1; i < DENSE; i++) p->c[i] = stepper_array(s);
}

void rk853_open_dense(Stepper *s) {
  Rk853 *w = s->work;
  open_piece(s, &w->whole);
  for (int i = 0; i < MOST_PIECES; i++) {
    open_piece(s, &w->piece[i]);
    w->piece[i].room = stepper_array(s);
  }
  for (int i = 0; i < 2; i++) w->k_between[i] = stepper_array(s);
}

// Three more stages, and the coefficients of the polynomial from p->begin to `end`, where the
// derivatives are k_begin and k_end. The state of the last stage stays in x.stage.
static Status fit_piece(Stepper *s, DensePiece *p, const double *k_begin, const double *end,
                        const double *k_end) {
  Rk853 *w = s->work;
  Status status;
  int quads = (s->acting + 3) / 4;
  const double h = p->h, t = p->t;
  const Quad *y = (const Quad *)p->begin, *y_new = (const Quad *)end;
  NAME_STAGES(k_begin);
  (void)k2, (void)k3, (void)k4, (void)k5;
  const Quad *k13 = (const Quad *)k_end, *k14 = (Quad *)w->k[14], *k15 = (Quad *)w->k[15],
             *k16 = (Quad *)w->k[16];
  STAGE(
      t, p->begin, 14, 0.1,
      ((5.61675022830479523392909219681e-2 * k1[i] + 2.53500210216624811088794765333e-1 * k7[i]) +
       (-2.46239037470802489917441475441e-1 * k8[i] - 1.24191423263816360469010140626e-1 * k9[i])) +
          ((1.5329179827876569731206322685e-1 * k10[i] +
            8.20105229563468988491666602057e-3 * k11[i]) +
           (7.56789766054569976138603589584e-3 * k12[i] - 8.298e-3 * k13[i])));
  STAGE(
      t, p->begin, 15, 0.2,
      ((3.18346481635021405060768473261e-2 * k1[i] + 2.83009096723667755288322961402e-2 * k6[i]) +
       (5.35419883074385676223797384372e-2 * k7[i] - 5.49237485713909884646569340306e-2 * k8[i])) +
          ((-1.08347328697249322858509316994e-4 * k11[i] +
            3.82571090835658412954920192323e-4 * k12[i]) +
           (-3.40465008687404560802977114492e-4 * k13[i] +
            1.41312443674632500278074618366e-1 * k14[i])));
  STAGE(t, p->begin, 16, 0.777777777777777777777777777778,
        ((-4.28896301583791923408573538692e-1 * k1[i] - 4.69762141536116384314449447206 * k6[i]) +
         (7.68342119606259904184240953878 * k7[i] + 4.06898981839711007970213554331 * k8[i])) +
            ((3.56727187455281109270669543021e-1 * k9[i] -
              1.39902416515901462129418009734e-3 * k13[i]) +
             (2.9475147891527723389556272149 * k14[i] - 9.15095847217987001081870187138 * k15[i])));
  quads = s->padded / 4;
  Quad *c1 = (Quad *)p->c[1], *c2 = (Quad *)p->c[2], *c3 = (Quad *)p->c[3], *c4 = (Quad *)p->c[4],
       *c5 = (Quad *)p->c[5], *c6 = (Quad *)p->c[6], *c7 = (Quad *)p->c[7];
  for (int i = 0; i < quads; i++) {
    Quad difference = y_new[i] - y[i], bulge = h * k1[i] - difference;
    c1[i] = difference;
    c2[i] = bulge;
    c3[i] = difference - h * k13[i] - bulge;
    c4[i] =
        h *
        (-0.84289382761090128651353491142e1 * k1[i] + 0.56671495351937776962531783590 * k6[i] -
         0.30689499459498916912797304727e1 * k7[i] + 0.23846676565120698287728149680e1 * k8[i] +
         0.21170345824450282767155149946e1 * k9[i] - 0.87139158377797299206789907490 * k10[i] +
         0.22404374302607882758541771650e1 * k11[i] + 0.63157877876946881815570249290 * k12[i] -
         0.88990336451333310820698117400e-1 * k13[i] + 0.18148505520854727256656404962e2 * k14[i] -
         0.91946323924783554000451984436e1 * k15[i] - 0.44360363875948939664310572000e1 * k16[i]);
    c5[i] =
        h *
        (0.10427508642579134603413151009e2 * k1[i] + 0.24228349177525818288430175319e3 * k6[i] +
         0.16520045171727028198505394887e3 * k7[i] - 0.37454675472269020279518312152e3 * k8[i] -
         0.22113666853125306036270938578e2 * k9[i] + 0.77334326684722638389603898808e1 * k10[i] -
         0.30674084731089398182061213626e2 * k11[i] - 0.93321305264302278729567221706e1 * k12[i] +
         0.15697238121770843886131091075e2 * k13[i] - 0.31139403219565177677282850411e2 * k14[i] -
         0.93529243588444783865713862664e1 * k15[i] + 0.35816841486394083752465898540e2 * k16[i]);
    c6[i] =
        h *
        (0.19985053242002433820987653617e2 * k1[i] - 0.38703730874935176555105901742e3 * k6[i] -
         0.18917813819516756882830838328e3 * k7[i] + 0.52780815920542364900561016686e3 * k8[i] -
         0.11573902539959630126141871134e2 * k9[i] + 0.68812326946963000169666922661e1 * k10[i] -
         0.10006050966910838403183860980e1 * k11[i] + 0.77771377980534432092869265740 * k12[i] -
         0.27782057523535084065932004339e1 * k13[i] - 0.60196695231264120758267380846e2 * k14[i] +
         0.84320405506677161018159903784e2 * k15[i] + 0.11992291136182789328035130030e2 * k16[i]);
    c7[i] =
        h *
        (-0.25693933462703749003312586129e2 * k1[i] - 0.15418974869023643374053993627e3 * k6[i] -
         0.23152937917604549567536039109e3 * k7[i] + 0.35763911791061412378285349910e3 * k8[i] +
         0.93405324183624310003907691704e2 * k9[i] - 0.37458323136451633156875139351e2 * k10[i] +
         0.10409964950896230045147246184e3 * k11[i] + 0.29840293426660503123344363579e2 * k12[i] -
         0.43533456590011143754432175058e2 * k13[i] + 0.96324553959188282948394950600e2 * k14[i] -
         0.39177261675615439165231486172e2 * k15[i] - 0.14972683625798562581422125276e3 * k16[i]);
  }
  return QDOT_OK;
}

static double value_of(const DensePiece *p, int i, double x) {
  double *const *c = p->c, r = 1 - x;
  double inner = c[4][i] + x * (c[5][i] + r * (c[6][i] + x * c[7][i]));
  return p->begin[i] + x * (c[1][i] + r * (c[2][i] + x * (c[3][i] + r * inner)));
}

// d(value)/dx, by the same scheme.
static double slope_of(const DensePiece *p, int i, double x) {
  double *const *c = p->c, r = 1 - x, value = c[7][i], slope = 0;
  for (int k = DENSE - 1; k > 1; k--) {
    double factor = k % 2 ? x : r, turn = k % 2 ? 1 : -1;
    slope = turn * value + factor * slope;
    value = c[k - 1][i] + factor * value;
  }
  return value + x * slope;
}

// ---- Steps that stability holds down
//
// Where h times an eigenvalue is near the bound of the method, stages lie far from the motion. The
// weights of the step's end keep them within the tolerance, those of the polynomial do not: it may
// be wrong by hundreds of tolerances in between. Then the step is gone through again in pieces.

// Beyond so many tolerances. Of random systems, calm and damped, 1 in 50 calm steps is beyond it.
static const double TOLERABLE = 2;
// Where stages lie far from the motion, the state of the last one is about twice as far from the
// polynomial as that from the motion, elsewhere five times and more: looking at it costs nothing.
// What the polynomial lacks to obey the equations is largest here, and about four times its error.
static const double LAST_STAGE_AT = 7.0 / 9, LACK_AT = 0.35;
// The error falls with the size of a piece as the polynomial's order says.
static const double FOR_MORE_PIECES = 50 * 2;

static double stage_distance(Stepper *s, const DensePiece *p) {
  Rk853 *w = s->work;
  double *e = w->k_between[0];
  memset(e, 0, (size_t)s->padded * sizeof *e);
  for (int i = 0; i < s->acting; i++) e[i] = w->x.stage[i] - value_of(p, i, LAST_STAGE_AT);
  return error_norm(s, e, s->y_old, s->y);
}

// Of the error, in tolerances; 0 where it cannot be looked at.
static double estimated_error(Stepper *s, const DensePiece *p) {
  Rk853 *w = s->work;
  double *y = w->k_between[0], *e = w->k_between[1];
  for (int i = 0; i < s->size; i++) y[i] = value_of(p, i, LACK_AT);
  if (explicit_derivative(s, p->t + LACK_AT * p->h, y, e) != QDOT_OK) return 0;
  for (int i = 0; i < s->acting; i++) e[i] = p->h * e[i] - slope_of(p, i, LACK_AT);
  memset(e + s->acting, 0, (size_t)(s->padded - s->acting) * sizeof *e);
  return error_norm(s, e, s->y_old, s->y) / 4;
}

// The step from p->begin that attempt() and arrive() make of what the stepper holds; to `end`, if
// that is not given.
static Status step_through(Stepper *s, const DensePiece *p, double *k_begin, double *end,
                           double *k_end) {
  Rk853 *w = s->work;
  Explicit *x = &w->x;
  double t = s->t, *y = s->y, *k_first = x->k_begin, *k_last = x->k_end, error;
  s->t = p->t, s->y = p->begin, x->k_begin = k_begin;
  Status status = x->attempt(s, p->h, &error);
  if (status == QDOT_OK && end) {
    x->k_end = k_end;
    status = x->arrive(s, p->t + p->h);
    memcpy(end, x->y_new, (size_t)s->padded * sizeof *end);
  }
  s->t = t, s->y = y, x->k_begin = k_first, x->k_end = k_last;
  return status;
}

// The first piece begins and the last one ends as the step does.
static Status go_in_pieces(Stepper *s, int pieces) {
  Rk853 *w = s->work;
  double h = w->x.h_done / pieces, *begin = s->y_old, *k_begin = w->x.k_begin;
  for (int i = 0; i < pieces; i++) {
    bool is_last = i + 1 == pieces;
    DensePiece *p = &w->piece[i];
    p->t = s->t_old + i * h, p->h = h, p->begin = begin;
    double *end = is_last ? s->y : w->piece[i + 1].room;
    double *k_end = is_last ? w->x.k_end : w->k_between[i % 2];
    Status status = step_through(s, p, k_begin, is_last ? NULL : end, k_end);
    if (status == QDOT_OK) status = fit_piece(s, p, k_begin, end, k_end);
    if (status != QDOT_OK) return status;
    begin = end, k_begin = k_end;
  }
  return QDOT_OK;
}

static int wanted_pieces(Stepper *s) {
  Rk853 *w = s->work;
  if (w->x.met_dead || !(stage_distance(s, &w->whole) > 4 * TOLERABLE)) return 1;
  double error = estimated_error(s, &w->whole);
  return !(error > TOLERABLE) ? 1 : error > FOR_MORE_PIECES * TOLERABLE ? MOST_PIECES : 2;
}

static Status prepare(Stepper *s) {
  Rk853 *w = s->work;
  DensePiece *p = &w->whole;
  p->t = s->t_old, p->h = w->x.h_done, p->begin = s->y_old;
  Status status = fit_piece(s, p, w->x.k_begin, s->y, w->x.k_end);
  if (status != QDOT_OK) return status;
  w->pieces = wanted_pieces(s);
  if (w->pieces > 1 && go_in_pieces(s, w->pieces) != QDOT_OK) w->pieces = 1;
  w->x.dense_ready = true;
  return QDOT_OK;
}

Status rk853_dense(Stepper *s, double t, double *y) {
  Rk853 *w = s->work;
  Status status = w->x.dense_ready ? QDOT_OK : prepare(s);
  if (status != QDOT_OK) return status;
  const DensePiece *p = &w->whole;
  if (w->pieces > 1) {
    double at = floor((t - s->t_old) / w->piece[0].h);
    p = &w->piece[(int)fmin(fmax(at, 0), w->pieces - 1)];
  }
  double x = (t - p->t) / p->h;
  for (int i = 0; i < s->size; i++) y[i] = value_of(p, i, x);
  return QDOT_OK;
}
