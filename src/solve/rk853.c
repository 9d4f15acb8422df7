// Dormand and Prince 8(5,3) with a dense output of order 7.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
#include <math.h>

#include "solve/explicit.h"

enum { STAGES = 16, DENSE = 8 };

typedef struct Rk853 {
  Explicit x;
  double *k[STAGES + 1]; // k[2] .. k[12], k[14] .. k[16]
  double *c[DENSE];      // c[1] .. c[7]: dense output of the last step
} Rk853;

extern const Method method_rk853;

static Status attempt_plain(Stepper *s, double h, double *error);
static Status attempt_wide(Stepper *s, double h, double *error);
static Status rk853_arrive(Stepper *s, double t);
static double rk853_error_along(Stepper *s, double h);

static Status rk853_open(Stepper *s) {
  Rk853 *w = arena_new(s->arena, Rk853);
  s->work = w;
  explicit_open(&w->x, s);
  for (int i = 2; i <= STAGES; i++) w->k[i] = stepper_array(s);
  for (int i = 1; i < DENSE; i++) w->c[i] = stepper_array(s);
  w->x.attempt = explicit_is_wide() && !s->options.narrow ? attempt_wide : attempt_plain;
  w->x.arrive = rk853_arrive;
  w->x.error_along = rk853_error_along;
  w->x.order = 8;
  w->x.stability = 6.1;
  w->x.k_stage = w->k[12];
  return QDOT_OK;
}

static Status rk853_start(Stepper *s) {
  Rk853 *w = s->work;
  StepControl control = {
      .order = 8, .beta = 0.04, .share = 0.2, .safety = 0.87, .shrink = 0.333, .grow = 6};
  return explicit_start(&w->x, s, control);
}

#define NAME_STAGES                                                                                \
  const Quad *k1 = (Quad *)w->x.k_begin, *k2 = (Quad *)w->k[2], *k3 = (Quad *)w->k[3],             \
             *k4 = (Quad *)w->k[4], *k5 = (Quad *)w->k[5], *k6 = (Quad *)w->k[6],                  \
             *k7 = (Quad *)w->k[7], *k8 = (Quad *)w->k[8], *k9 = (Quad *)w->k[9],                  \
             *k10 = (Quad *)w->k[10], *k11 = (Quad *)w->k[11], *k12 = (Quad *)w->k[12]

// The twelve stages from y; the last one stays in stage for the test of stiffness.
EXPLICIT_BODY Status twelve_stages(Stepper *s, double h) {
  Rk853 *w = s->work;
  Status status;
  const int quads = (s->acting + 3) / 4; // the quadratures do not act back: no stage needs them
  NAME_STAGES;
  (void)k12;
  STAGE(s->t, s->y, 2, 0.526001519587677318785587544488e-01,
        5.26001519587677318785587544488e-2 * k1[i]);
  STAGE(s->t, s->y, 3, 0.789002279381515978178381316732e-01,
        1.97250569845378994544595329183e-2 * k1[i] + 5.91751709536136983633785987549e-2 * k2[i]);
  STAGE(s->t, s->y, 4, 0.118350341907227396726757197510,
        2.95875854768068491816892993775e-2 * k1[i] + 8.87627564304205475450678981324e-2 * k3[i]);
  STAGE(s->t, s->y, 5, 0.281649658092772603273242802490,
        2.41365134159266685502369798665e-1 * k1[i] - 8.84549479328286085344864962717e-1 * k3[i] +
            9.24834003261792003115737966543e-1 * k4[i]);
  STAGE(s->t, s->y, 6, 0.333333333333333333333333333333,
        3.7037037037037037037037037037e-2 * k1[i] + 1.70828608729473871279604482173e-1 * k4[i] +
            1.25467687566822425016691814123e-1 * k5[i]);
  STAGE(s->t, s->y, 7, 0.25,
        (3.7109375e-2 * k1[i] + 1.70252211019544039314978060272e-1 * k4[i]) +
            (6.02165389804559606850219397283e-2 * k5[i] - 1.7578125e-2 * k6[i]));
  STAGE(
      s->t, s->y, 8, 0.307692307692307692307692307692,
      ((3.70920001185047927108779319836e-2 * k1[i] + 1.70383925712239993810214054705e-1 * k4[i]) +
       (1.07262030446373284651809199168e-1 * k5[i] - 1.53194377486244017527936158236e-2 * k6[i])) +
          (8.27378916381402288758473766002e-3 * k7[i]));
  STAGE(
      s->t, s->y, 9, 0.651282051282051282051282051282,
      ((6.24110958716075717114429577812e-1 * k1[i] - 3.36089262944694129406857109825 * k4[i]) +
       (-8.68219346841726006818189891453e-1 * k5[i] + 2.75920996994467083049415600797e1 * k6[i])) +
          (2.01540675504778934086186788979e1 * k7[i] - 4.34898841810699588477366255144e1 * k8[i]));
  STAGE(
      s->t, s->y, 10, 0.6,
      ((4.77662536438264365890433908527e-1 * k1[i] - 2.48811461997166764192642586468 * k4[i]) +
       (-5.90290826836842996371446475743e-1 * k5[i] + 2.12300514481811942347288949897e1 * k6[i])) +
          ((1.52792336328824235832596922938e1 * k7[i] - 3.32882109689848629194453265587e1 * k8[i]) +
           (-2.03312017085086261358222928593e-2 * k9[i])));
  STAGE(s->t, s->y, 11, 0.857142857142857142857142857142,
        ((-9.3714243008598732571704021658e-1 * k1[i] + 5.18637242884406370830023853209 * k4[i]) +
         (1.09143734899672957818500254654 * k5[i] - 8.14978701074692612513997267357 * k6[i])) +
            ((-1.85200656599969598641566180701e1 * k7[i] +
              2.27394870993505042818970056734e1 * k8[i]) +
             (2.49360555267965238987089396762 * k9[i] - 3.0467644718982195003823669022 * k10[i])));
  STAGE(
      s->t, s->y, 12, 1.0,
      (((2.27331014751653820792359768449 * k1[i] - 1.05344954667372501984066689879e1 * k4[i]) +
        (-2.00087205822486249909675718444 * k5[i] - 1.79589318631187989172765950534e1 * k6[i])) +
       (2.79488845294199600508499808837e1 * k7[i] - 2.85899827713502369474065508674 * k8[i])) +
          ((-8.87285693353062954433549289258 * k9[i] + 1.23605671757943030647266201528e1 * k10[i]) +
           (6.43392746015763530355970484046e-1 * k11[i])));
  return QDOT_OK;
}

// The estimates of order 5 and 3, over h, by the stages and the slope of the step.
#define ERROR_3(slope)                                                                             \
  ((slope)-0.244094488188976377952755905512 * k1[i] - 0.733846688281611857341361741547 * k9[i] -   \
   0.220588235294117647058823529412e-1 * k12[i])
#define ERROR_5                                                                                    \
  (0.1312004499419488073250102996e-1 * k1[i] - 0.1225156446376204440720569753e1 * k6[i] -          \
   0.4957589496572501915214079952 * k7[i] + 0.1664377182454986536961530415e1 * k8[i] -             \
   0.3503288487499736816886487290 * k9[i] + 0.3341791187130174790297318841 * k10[i] +              \
   0.8192320648511571246570742613e-1 * k11[i] - 0.2235530786388629525884427845e-1 * k12[i])

static double combined_error(const Stepper *s, double h, double five, double three) {
  double guard = five + 0.01 * three;
  return guard > 0 ? fabs(h) * five / sqrt(s->acting * guard) : guard;
}

// y_new; the error combines the estimates of order 5 and 3 (their ratio guards both).
EXPLICIT_BODY double new_state(Stepper *s, double h) {
  Rk853 *w = s->work;
  const int quads = s->padded / 4;
  NAME_STAGES;
  (void)k2, (void)k3, (void)k4, (void)k5;
  Quad *y_new = (Quad *)w->x.y_new, five = {0}, three = {0};
  const Quad *y = (const Quad *)s->y;
  for (int i = 0; i < quads; i++) {
    Quad slope =
        5.42937341165687622380535766363e-2 * k1[i] + 4.45031289275240888144113950566 * k6[i] +
        1.89151789931450038304281599044 * k7[i] - 5.8012039600105847814672114227 * k8[i] +
        3.1116436695781989440891606237e-1 * k9[i] - 1.52160949662516078556178806805e-1 * k10[i] +
        2.01365400804030348374776537501e-1 * k11[i] + 4.47106157277725905176885569043e-2 * k12[i];
    y_new[i] = y[i] + h * slope;
    Quad e3 = ERROR_3(slope), e5 = ERROR_5;
    Quad weight;
    error_weight(s, i, &y[i], &y_new[i], &weight);
    e5 *= weight, e3 *= weight;
    five += e5 * e5, three += e3 * e3;
  }
  return combined_error(s, h, quad_sum(&five), quad_sum(&three));
}

static double rk853_error_along(Stepper *s, double h) {
  Rk853 *w = s->work;
  NAME_STAGES;
  (void)k2, (void)k3, (void)k4, (void)k5;
  // the room of stages that only the dense output needs
  double *five = w->k[14], *three = w->k[15];
  const Quad *y = (const Quad *)s->y, *y_new = (const Quad *)w->x.y_new;
  for (int i = 0; i < s->padded / 4; i++) {
    ((Quad *)five)[i] = ERROR_5;
    ((Quad *)three)[i] = ERROR_3((y_new[i] - y[i]) / h);
  }
  if (error_project(s, s->t + h, w->x.y_new, five) != QDOT_OK) return INFINITY;
  if (error_project(s, s->t + h, w->x.y_new, three) != QDOT_OK) return INFINITY;
  double e5 = error_norm(s, five, s->y, w->x.y_new), e3 = error_norm(s, three, s->y, w->x.y_new);
  return combined_error(s, h, s->acting * e5 * e5, s->acting * e3 * e3);
}

EXPLICIT_BODY Status attempt(Stepper *s, double h, double *error) {
  Status status = twelve_stages(s, h);
  if (status == QDOT_OK) *error = new_state(s, h);
  return status;
}

static Status attempt_plain(Stepper *s, double h, double *error) { return attempt(s, h, error); }

static EXPLICIT_WIDE Status attempt_wide(Stepper *s, double h, double *error) {
  return attempt(s, h, error);
}

static Status rk853_arrive(Stepper *s, double t) {
  Rk853 *w = s->work;
  Status status = s->problem->m > 0 ? stepper_stabilize(s, t, w->x.y_new) : QDOT_OK;
  return status == QDOT_OK ? explicit_derivative(s, t, w->x.y_new, w->x.k_end) : status;
}

// Three more stages, and the coefficients of the interpolating polynomial.
static Status prepare_dense(Stepper *s) {
  Rk853 *w = s->work;
  Status status;
  int quads = (s->acting + 3) / 4;
  const double h = w->x.h_done, t = s->t_old;
  const Quad *y = (Quad *)s->y_old, *y_new = (Quad *)s->y;
  NAME_STAGES;
  (void)k2, (void)k3, (void)k4, (void)k5;
  const Quad *k13 = (Quad *)w->x.k_end, *k14 = (Quad *)w->k[14], *k15 = (Quad *)w->k[15],
             *k16 = (Quad *)w->k[16];
  STAGE(
      t, s->y_old, 14, 0.1,
      ((5.61675022830479523392909219681e-2 * k1[i] + 2.53500210216624811088794765333e-1 * k7[i]) +
       (-2.46239037470802489917441475441e-1 * k8[i] - 1.24191423263816360469010140626e-1 * k9[i])) +
          ((1.5329179827876569731206322685e-1 * k10[i] +
            8.20105229563468988491666602057e-3 * k11[i]) +
           (7.56789766054569976138603589584e-3 * k12[i] - 8.298e-3 * k13[i])));
  STAGE(
      t, s->y_old, 15, 0.2,
      ((3.18346481635021405060768473261e-2 * k1[i] + 2.83009096723667755288322961402e-2 * k6[i]) +
       (5.35419883074385676223797384372e-2 * k7[i] - 5.49237485713909884646569340306e-2 * k8[i])) +
          ((-1.08347328697249322858509316994e-4 * k11[i] +
            3.82571090835658412954920192323e-4 * k12[i]) +
           (-3.40465008687404560802977114492e-4 * k13[i] +
            1.41312443674632500278074618366e-1 * k14[i])));
  STAGE(t, s->y_old, 16, 0.777777777777777777777777777778,
        ((-4.28896301583791923408573538692e-1 * k1[i] - 4.69762141536116384314449447206 * k6[i]) +
         (7.68342119606259904184240953878 * k7[i] + 4.06898981839711007970213554331 * k8[i])) +
            ((3.56727187455281109270669543021e-1 * k9[i] -
              1.39902416515901462129418009734e-3 * k13[i]) +
             (2.9475147891527723389556272149 * k14[i] - 9.15095847217987001081870187138 * k15[i])));
  quads = s->padded / 4;
  Quad *c1 = (Quad *)w->c[1], *c2 = (Quad *)w->c[2], *c3 = (Quad *)w->c[3], *c4 = (Quad *)w->c[4],
       *c5 = (Quad *)w->c[5], *c6 = (Quad *)w->c[6], *c7 = (Quad *)w->c[7];
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
  w->x.dense_ready = true;
  return QDOT_OK;
}

static Status rk853_dense(Stepper *s, double t, double *y) {
  Rk853 *w = s->work;
  if (!w->x.dense_ready) {
    Status status = prepare_dense(s);
    if (status != QDOT_OK) return status;
  }
  double x = (t - s->t_old) / w->x.h_done, r = 1 - x;
  double *const *c = w->c;
  for (int i = 0; i < s->size; i++) {
    double inner = c[4][i] + x * (c[5][i] + r * (c[6][i] + x * c[7][i]));
    y[i] = s->y_old[i] + x * (c[1][i] + r * (c[2][i] + x * (c[3][i] + r * inner)));
  }
  return QDOT_OK;
}

const Method method_rk853 = {.name = "rk853",
                             .others = {"ode89", "dop853", "DOP853"},
                             .takes = {"rtol", "atol"},
                             .order = 8,
                             .nodes = 8,
                             .open = rk853_open,
                             .start = rk853_start,
                             .go_on = explicit_go_on,
                             .step = explicit_step,
                             .dense = rk853_dense};
