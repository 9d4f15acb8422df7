// Dormand and Prince 8(5,3) as a specialist writes it for one problem: no interface, no options.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "hand.h"

enum { MOST = 2 * HAND_MOST };

#define STAGE(number, place, sum)                                                                  \
  for (int i = 0; i < n; i++) x[i] = y[i] + h * (sum);                                             \
  p->derivative(p->user, t + (place)*h, x, k[number])

static void twelve_stages(const HandProblem *p, double t, const double *y, double h,
                          double k[14][MOST]) {
  double x[MOST];
  int n = p->n;
  STAGE(2, 0.526001519587677318785587544488e-01, 5.26001519587677318785587544488e-2 * k[1][i]);
  STAGE(3, 0.789002279381515978178381316732e-01,
        1.97250569845378994544595329183e-2 * k[1][i] +
            5.91751709536136983633785987549e-2 * k[2][i]);
  STAGE(4, 0.118350341907227396726757197510,
        2.95875854768068491816892993775e-2 * k[1][i] +
            8.87627564304205475450678981324e-2 * k[3][i]);
  STAGE(5, 0.281649658092772603273242802490,
        2.41365134159266685502369798665e-1 * k[1][i] -
            8.84549479328286085344864962717e-1 * k[3][i] +
            9.24834003261792003115737966543e-1 * k[4][i]);
  STAGE(6, 1.0 / 3,
        3.7037037037037037037037037037e-2 * k[1][i] + 1.70828608729473871279604482173e-1 * k[4][i] +
            1.25467687566822425016691814123e-1 * k[5][i]);
  STAGE(7, 0.25,
        3.7109375e-2 * k[1][i] + 1.70252211019544039314978060272e-1 * k[4][i] +
            6.02165389804559606850219397283e-2 * k[5][i] - 1.7578125e-2 * k[6][i]);
  STAGE(8, 0.307692307692307692307692307692,
        3.70920001185047927108779319836e-2 * k[1][i] +
            1.70383925712239993810214054705e-1 * k[4][i] +
            1.07262030446373284651809199168e-1 * k[5][i] -
            1.53194377486244017527936158236e-2 * k[6][i] +
            8.27378916381402288758473766002e-3 * k[7][i]);
  STAGE(9, 0.651282051282051282051282051282,
        6.24110958716075717114429577812e-1 * k[1][i] - 3.36089262944694129406857109825 * k[4][i] -
            8.68219346841726006818189891453e-1 * k[5][i] +
            2.75920996994467083049415600797e1 * k[6][i] +
            2.01540675504778934086186788979e1 * k[7][i] -
            4.34898841810699588477366255144e1 * k[8][i]);
  STAGE(10, 0.6,
        4.77662536438264365890433908527e-1 * k[1][i] - 2.48811461997166764192642586468 * k[4][i] -
            5.90290826836842996371446475743e-1 * k[5][i] +
            2.12300514481811942347288949897e1 * k[6][i] +
            1.52792336328824235832596922938e1 * k[7][i] -
            3.32882109689848629194453265587e1 * k[8][i] -
            2.03312017085086261358222928593e-2 * k[9][i]);
  STAGE(11, 0.857142857142857142857142857142,
        -9.3714243008598732571704021658e-1 * k[1][i] + 5.18637242884406370830023853209 * k[4][i] +
            1.09143734899672957818500254654 * k[5][i] - 8.14978701074692612513997267357 * k[6][i] -
            1.85200656599969598641566180701e1 * k[7][i] +
            2.27394870993505042818970056734e1 * k[8][i] +
            2.49360555267965238987089396762 * k[9][i] - 3.0467644718982195003823669022 * k[10][i]);
  STAGE(
      12, 1,
      2.27331014751653820792359768449 * k[1][i] - 1.05344954667372501984066689879e1 * k[4][i] -
          2.00087205822486249909675718444 * k[5][i] - 1.79589318631187989172765950534e1 * k[6][i] +
          2.79488845294199600508499808837e1 * k[7][i] - 2.85899827713502369474065508674 * k[8][i] -
          8.87285693353062954433549289258 * k[9][i] + 1.23605671757943030647266201528e1 * k[10][i] +
          6.43392746015763530355970484046e-1 * k[11][i]);
}

static double norm(double sum, int n) { return sqrt(sum / n); }

// The new state; returns the error as a part of the tolerance.
static double finish(const double *y, double h, double k[14][MOST], int n, double tolerance,
                     double *next) {
  double five = 0, three = 0;
  for (int i = 0; i < n; i++) {
    double slope =
        5.42937341165687622380535766363e-2 * k[1][i] + 4.45031289275240888144113950566 * k[6][i] +
        1.89151789931450038304281599044 * k[7][i] - 5.8012039600105847814672114227 * k[8][i] +
        3.1116436695781989440891606237e-1 * k[9][i] -
        1.52160949662516078556178806805e-1 * k[10][i] +
        2.01365400804030348374776537501e-1 * k[11][i] +
        4.47106157277725905176885569043e-2 * k[12][i];
    double e3 = slope - 0.244094488188976377952755905512 * k[1][i] -
                0.733846688281611857341361741547 * k[9][i] -
                0.220588235294117647058823529412e-1 * k[12][i];
    double e5 =
        0.1312004499419488073250102996e-1 * k[1][i] - 0.1225156446376204440720569753e1 * k[6][i] -
        0.4957589496572501915214079952 * k[7][i] + 0.1664377182454986536961530415e1 * k[8][i] -
        0.3503288487499736816886487290 * k[9][i] + 0.3341791187130174790297318841 * k[10][i] +
        0.8192320648511571246570742613e-1 * k[11][i] - 0.2235530786388629525884427845e-1 * k[12][i];
    next[i] = y[i] + h * slope;
    double scale = 1 / (tolerance + tolerance * fmax(fabs(y[i]), fabs(next[i])));
    five += e5 * scale * e5 * scale;
    three += e3 * scale * e3 * scale;
  }
  five = norm(five, n), three = norm(three, n);
  double root = sqrt(five * five + 0.01 * three * three);
  return root > 0 ? h * five * five / root : 0;
}

int hand_integrate_to(const HandProblem *p, double *y, double *t, double end, double *h,
                      double tolerance) {
  static double k[14][MOST];
  double next[MOST];
  int n = p->n, evaluations = 1;
  p->derivative(p->user, *t, y, k[1]);
  while (*t < end) {
    double step = fmin(*h, end - *t);
    bool last = step == end - *t;
    twelve_stages(p, *t, y, step, k);
    double error = finish(y, step, k, n, tolerance, next);
    evaluations += 11;
    double factor = fmin(6, fmax(0.333, 0.9 * pow(error + 1e-30, -0.125)));
    if (error <= 1) {
      *t = last ? end : *t + step;
      memcpy(y, next, (size_t)n * sizeof *y);
      // a step that was cut short says little about the next
      *h = fmax(step * factor, step < *h ? *h : 0);
      if (last) break;
      p->derivative(p->user, *t, y, k[1]);
      evaluations++;
    } else {
      *h = step * factor;
    }
  }
  return evaluations;
}

static void chain_derivative(const void *user, double t, const double *y, double *dy) {
  const HandChain *c = user;
  (void)t;
  memcpy(dy, y + c->n, (size_t)c->n * sizeof *dy);
  hand_articulated(c, y, y + c->n, dy + c->n);
}

int hand_integrate(const HandChain *c, double *y, double end, double tolerance) {
  HandProblem problem = {2 * c->n, chain_derivative, c};
  double t = 0, h = 0.01;
  return hand_integrate_to(&problem, y, &t, end, &h, tolerance);
}
