// Dormand and Prince 8(5,3) with a dense output of order 7.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
#include "solve/rk853.h"

#include <math.h>

extern const Method method_rk853;

static Status attempt_plain(Stepper *s, double h, double *error);
static Status attempt_wide(Stepper *s, double h, double *error);
static Status rk853_arrive(Stepper *s, double t);
static double rk853_error_along(Stepper *s, double h);
static double rk853_fast_error(Stepper *s, double h);

static Status rk853_open(Stepper *s) {
  Rk853 *w = arena_new(s->arena, Rk853);
  s->work = w;
  explicit_open(&w->x, s);
  for (int i = 2; i <= STAGES; i++) w->k[i] = stepper_array(s);
  rk853_open_dense(s);
  w->x.attempt = explicit_is_wide() && !s->options.narrow ? attempt_wide : attempt_plain;
  w->x.arrive = rk853_arrive;
  w->x.error_along = rk853_error_along;
  w->x.fast_error = rk853_fast_error;
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

// The twelve stages from y; the last one stays in stage for the test of stiffness.
EXPLICIT_BODY Status twelve_stages(Stepper *s, double h) {
  Rk853 *w = s->work;
  Status status;
  const int quads = (s->acting + 3) / 4; // the quadratures do not act back: no stage needs them
  NAME_STAGES(w->x.k_begin);
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

// Of order 6, the only one in these stages: found from the order conditions of all 37 trees.
#define ERROR_6                                                                                    \
  (0.794048258699469294562309964463 * k6[i] + 0.245071973352589049259698451898 * k7[i] - k8[i] +   \
   0.0833343053563189204306392876404 * k9[i] - 0.116361916543982998238801606933 * k10[i] -         \
   0.00316799694621793742819054800775 * k11[i] - 0.00292462391817632858565554905985 * k1[i])

// From sums of squares; their ratio guards both.
static double combined_error(const Stepper *s, double h, double five, double three) {
  double guard = five + 0.01 * three;
  return guard > 0 ? fabs(h) * five / sqrt(s->acting * guard) : guard;
}

// y_new; the error combines the estimates of order 5 and 3 (their ratio guards both).
EXPLICIT_BODY double new_state(Stepper *s, double h) {
  Rk853 *w = s->work;
  const int quads = s->padded / 4;
  NAME_STAGES(w->x.k_begin);
  (void)k2, (void)k3, (void)k4, (void)k5;
  Quad *y_new = (Quad *)w->x.y_new, six = {0}, five = {0}, three = {0};
  const Quad *y = (const Quad *)s->y;
  for (int i = 0; i < quads; i++) {
    Quad slope =
        5.42937341165687622380535766363e-2 * k1[i] + 4.45031289275240888144113950566 * k6[i] +
        1.89151789931450038304281599044 * k7[i] - 5.8012039600105847814672114227 * k8[i] +
        3.1116436695781989440891606237e-1 * k9[i] - 1.52160949662516078556178806805e-1 * k10[i] +
        2.01365400804030348374776537501e-1 * k11[i] + 4.47106157277725905176885569043e-2 * k12[i];
    y_new[i] = y[i] + h * slope;
    Quad e3 = ERROR_3(slope), e5 = ERROR_5, e6 = ERROR_6;
    Quad weight;
    error_weight(s, i, &y[i], &y_new[i], &weight);
    e6 *= weight, e5 *= weight, e3 *= weight;
    six += e6 * e6, five += e5 * e5, three += e3 * e3;
  }
  w->six = quad_sum(&six), w->five = quad_sum(&five);
  return combined_error(s, h, w->five, quad_sum(&three));
}

static double rk853_error_along(Stepper *s, double h) {
  Rk853 *w = s->work;
  NAME_STAGES(w->x.k_begin);
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

// The estimates of order 5 and 3 are good as long as one motion makes them both. A slow one may
// make that of order 3 so large that a fast one is not seen, which had decayed and grows again
// where h times its eigenvalue is beyond the bound of stability: its error is what order 5 says,
// 10 to 60 times what order 6 does, and a fiftieth of what the derivatives of the last two stages
// differ by. Where nothing is fast, this is far below the other estimate.
static const double FAST_SHARE = 0.2;

static double rk853_fast_error(Stepper *s, double h) {
  Rk853 *w = s->work;
  if (!(w->five > 0)) return 0;
  Quad sum = {0};
  for (int i = 0; i < s->padded / 4; i++) {
    Quad weight, e = ((const Quad *)w->x.k_end)[i] - ((const Quad *)w->k[12])[i];
    error_weight(s, i, (const Quad *)s->y + i, (const Quad *)w->x.y_new + i, &weight);
    e *= weight;
    sum += e * e;
  }
  return FAST_SHARE * fabs(h) * sqrt(w->six / w->five * quad_sum(&sum) / s->acting);
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
