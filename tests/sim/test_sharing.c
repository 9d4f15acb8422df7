// More joints than motion needs: what they carry is the least of all that serves, whatever the
// coordinates. Random mechanisms are judged by balances of single bodies written out here.
#include <math.h>
#include <string.h>

#include "analyse/mobility/doctor.h"
#include "base/text.h"
#include "support/motion.h"

enum { MOST_PARTS = 8, MOST_TIES = 12, EARTH = -1 };
enum { PIN, SLIDE, WELD };

typedef struct Part {
  double mass, inertia, x, y, angle; // where it starts
  double load[2];                    // a constant force at the centre
} Part;

// Joins part a (or the ground) to part b; `spare` ones can be left out.
typedef struct Tie {
  int kind, a, b;
  double at_a[2], at_b[2], axis;
  bool spare;
} Tie;

typedef struct Machinery {
  int parts, ties;
  Part part[MOST_PARTS];
  Tie tie[MOST_TIES];
} Machinery;

// ---- Geometry

static void to_world(const Part *p, const double at[2], double out[2]) {
  out[0] = p->x + cos(p->angle) * at[0] - sin(p->angle) * at[1];
  out[1] = p->y + sin(p->angle) * at[0] + cos(p->angle) * at[1];
}

static void to_part(const Part *p, const double at[2], double out[2]) {
  double x = at[0] - p->x, y = at[1] - p->y;
  out[0] = cos(p->angle) * x + sin(p->angle) * y;
  out[1] = -sin(p->angle) * x + cos(p->angle) * y;
}

// ---- Random machinery

static int add_part(Machinery *m, Random *random, double x, double y, double angle) {
  m->part[m->parts] = (Part){.mass = random_real(random, 0.5, 3),
                             .inertia = random_real(random, 0.05, 0.5),
                             .x = x,
                             .y = y,
                             .angle = angle,
                             .load = {random_real(random, -9, 9), random_real(random, -9, 9)}};
  return m->parts++;
}

// A tie at a point of the world.
static void add_tie(Machinery *m, int kind, int a, int b, const double at[2], double axis,
                    bool spare) {
  Tie *tie = &m->tie[m->ties++];
  *tie = (Tie){.kind = kind, .a = a, .b = b, .axis = axis, .spare = spare};
  memcpy(tie->at_a, at, sizeof tie->at_a);
  memcpy(tie->at_b, at, sizeof tie->at_b);
  if (a != EARTH) to_part(&m->part[a], at, tie->at_a), tie->axis -= m->part[a].angle;
  if (b != EARTH) to_part(&m->part[b], at, tie->at_b);
}

static void point_near(Random *random, const Part *p, double out[2]) {
  out[0] = p->x + random_real(random, -0.4, 0.4), out[1] = p->y + random_real(random, -0.4, 0.4);
}

static void add_guides(Machinery *m, Random *random) {
  int s = add_part(m, random, random_real(random, -1, 1), random_real(random, -1, 1),
                   random_real(random, -3, 3));
  double axis = random_real(random, -3, 3);
  for (int i = 2 + random_below(random, 3), first = 1; i > 0; i--, first = 0) {
    double at[2];
    point_near(random, &m->part[s], at);
    add_tie(m, SLIDE, EARTH, s, at, axis, !first);
  }
}

static void add_parallel_cranks(Machinery *m, Random *random) {
  int s = add_part(m, random, random_real(random, -1, 1), random_real(random, -1, 1),
                   random_real(random, -3, 3));
  double turn = random_real(random, -3, 3), length = random_real(random, 0.3, 0.8);
  for (int i = 0, n = 3 + random_below(random, 2); i < n; i++) {
    double at[2], foot[2];
    point_near(random, &m->part[s], at);
    at[0] += 0.5 * i;
    foot[0] = at[0] - length * cos(turn), foot[1] = at[1] - length * sin(turn);
    int crank = add_part(m, random, foot[0] + 0.4 * length * cos(turn),
                         foot[1] + 0.4 * length * sin(turn), turn);
    add_tie(m, PIN, EARTH, crank, foot, 0, false);
    add_tie(m, PIN, crank, s, at, 0, false);
  }
}

static void add_doubled_pins(Machinery *m, Random *random) {
  int last = EARTH;
  for (int i = 0; i < 2; i++) {
    int next = add_part(m, random, i + random_real(random, -0.3, 0.3), random_real(random, -1, 1),
                        random_real(random, -3, 3));
    double at[2];
    point_near(random, &m->part[next], at);
    add_tie(m, PIN, last, next, at, 0, false);
    for (int again = random_below(random, 3 - i); again > 0; again--)
      add_tie(m, PIN, last, next, at, 0, true);
    last = next;
  }
}

static void add_table(Machinery *m, Random *random) {
  int s = add_part(m, random, random_real(random, -1, 1), random_real(random, -1, 1),
                   random_real(random, -3, 3));
  for (int i = 0, n = 2 + random_below(random, 3); i < n; i++) {
    double at[2];
    point_near(random, &m->part[s], at);
    // a weld cannot be the only one: nothing would be left of the table
    int kind = i > 0 && random_below(random, 2) ? WELD : PIN;
    add_tie(m, kind, EARTH, s, at, 0, i > 1);
  }
}

static Machinery random_machinery(Random *random) {
  Machinery m = {0};
  switch (random_below(random, 4)) {
  case 0: add_guides(&m, random); break;
  case 1: add_parallel_cranks(&m, random); break;
  case 2: add_doubled_pins(&m, random); break;
  default: add_table(&m, random); break;
  }
  // a pendulum on it, whose pin is determined
  double at[2];
  point_near(random, &m.part[0], at);
  int bob = add_part(&m, random, at[0] + random_real(random, 0.1, 0.5),
                     at[1] + random_real(random, -0.5, 0.5), random_real(random, -3, 3));
  add_tie(&m, PIN, 0, bob, at, 0, false);
  return m;
}

// ---- Its text

static void put_end(Text *out, int part, const double at[2]) {
  if (part == EARTH)
    text_add(out, "ground ");
  else
    text_addf(out, "b%d ", part);
  text_addf(out, "(%.17g [m], %.17g [m])", at[0], at[1]);
}

static const char *text_of(Context *cx, const Machinery *m, bool with_spares, int swap) {
  static const char *const words[] = {"revolute", "prismatic", "weld"};
  Text out = text_new(&cx->keep);
  text_add(&out, "gravity (0, -9.81 [m/s^2])\n");
  for (int i = 0; i < m->parts; i++) {
    const Part *p = &m->part[i];
    text_addf(&out,
              "body b%d: mass %.17g [kg], inertia %.17g [kg*m^2], at (%.17g [m], %.17g [m]), "
              "angle %.17g [rad]\nforce b%d (0, 0) = (%.17g [N], %.17g [N])\n",
              i, p->mass, p->inertia, p->x, p->y, p->angle, i, p->load[0], p->load[1]);
    text_addf(&out, "output x%d = b%d.x, y%d = b%d.y, a%d = b%d.theta\n", i, i, i, i, i, i);
    text_addf(&out, "output xx%d = b%d.x'', yy%d = b%d.y'', aa%d = b%d.theta''\n", i, i, i, i, i,
              i);
  }
  for (int k = 0; k < m->ties; k++) {
    int i = swap ? m->ties - 1 - k : k;
    const Tie *tie = &m->tie[i];
    if (tie->spare && !with_spares) continue;
    text_addf(&out, "joint J%d: %s ", i, words[tie->kind]);
    put_end(&out, tie->a, tie->at_a);
    text_add(&out, ", ");
    put_end(&out, tie->b, tie->at_b);
    if (tie->kind == SLIDE) text_addf(&out, ", axis %.17g [rad]", tie->axis);
    if (i == m->ties - 1) text_add(&out, ", friction 0.1 [N*m*s]");
    text_addf(&out, "\noutput F%d = J%d.F_x, G%d = J%d.F_y, T%d = J%d.T\n", i, i, i, i, i, i);
  }
  text_addf(&out, "motor J%d: torque 0.7 [N*m]*cos(3 [rad/s]*t)\n", m->ties - 1);
  text_add(&out, "simulate to 0.2 [s] every 0.1 [s]\n");
  return out.at;
}

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  Motion motion = motion_load_as(cx, text, NULL, formulation);
  motion.options.method.rtol = 1e-10, motion.options.method.atol = 1e-12;
  motion_run(&motion);
  if (motion.status != QDOT_OK) motion_explain(&motion), print_error("%s", text);
  assert_int_equal(motion.status, QDOT_OK);
  return motion;
}

static double seen(const Motion *motion, double t, const char *letters, int number) {
  char column[16];
  snprintf(column, sizeof column, "%s%d", letters, number);
  return motion_at(motion, t, column);
}

// ---- Balances

typedef struct Picture {
  Part part[MOST_PARTS];
  double force[MOST_TIES][3]; // of a on b
} Picture;

static Picture picture_at(const Machinery *m, const Motion *motion, double t) {
  Picture p = {0};
  memcpy(p.part, m->part, sizeof p.part);
  for (int i = 0; i < m->parts; i++) {
    p.part[i].x = seen(motion, t, "x", i), p.part[i].y = seen(motion, t, "y", i);
    p.part[i].angle = seen(motion, t, "a", i);
  }
  for (int i = 0; i < m->ties; i++) {
    p.force[i][0] = seen(motion, t, "F", i), p.force[i][1] = seen(motion, t, "G", i);
    p.force[i][2] = seen(motion, t, "T", i);
  }
  return p;
}

static void end_of(const Picture *p, const Tie *tie, double out[2]) {
  if (tie->b == EARTH)
    memcpy(out, tie->at_b, 2 * sizeof *out);
  else
    to_world(&p->part[tie->b], tie->at_b, out);
}

// What a force and torque at the end of a tie do to one of its parts, about that part's centre.
static void act(const Picture *p, const Tie *tie, int part, const double f[3], double sum[3]) {
  double at[2], sign = tie->b == part ? 1 : -1;
  end_of(p, tie, at);
  double x = at[0] - p->part[part].x, y = at[1] - p->part[part].y;
  sum[0] += sign * f[0], sum[1] += sign * f[1];
  sum[2] += sign * (f[2] + x * f[1] - y * f[0]);
}

static double largest_force(const Machinery *m, const Picture *p) {
  double most = 1;
  for (int i = 0; i < m->ties; i++)
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(p->force[i][k]));
  return most;
}

static void is_balanced(const Machinery *m, const Motion *motion, double t) {
  Picture p = picture_at(m, motion, t);
  double size = largest_force(m, &p);
  for (int i = 0; i < m->parts; i++) {
    const Part *part = &m->part[i];
    double sum[3] = {part->load[0], part->load[1] - 9.81 * part->mass, 0};
    for (int k = 0; k < m->ties; k++)
      if (m->tie[k].a == i || m->tie[k].b == i) act(&p, &m->tie[k], i, p.force[k], sum);
    CHECK_NEAR(sum[0] / size, part->mass * seen(motion, t, "xx", i) / size, 1e-8);
    CHECK_NEAR(sum[1] / size, part->mass * seen(motion, t, "yy", i) / size, 1e-8);
    CHECK_NEAR(sum[2] / size, part->inertia * seen(motion, t, "aa", i) / size, 1e-8);
  }
}

// ---- Least norm

// The mean square distance of the ties' points from the middle of those of their part.
static double size_of(const Machinery *m) {
  double total = 0;
  int count = 0;
  for (int part = EARTH; part < m->parts; part++) {
    double sum[2] = {0}, squares = 0;
    int n = 0;
    for (int i = 0; i < m->ties; i++)
      for (int end = 0; end < 2; end++) {
        if ((end ? m->tie[i].b : m->tie[i].a) != part) continue;
        const double *at = end ? m->tie[i].at_b : m->tie[i].at_a;
        sum[0] += at[0], sum[1] += at[1], squares += at[0] * at[0] + at[1] * at[1], n++;
      }
    if (n < 2) continue;
    total += squares - (sum[0] * sum[0] + sum[1] * sum[1]) / n;
    count += n;
  }
  return count && total > 0 ? sqrt(total / count) : 1;
}

// The unit loads that a tie can carry, torques in units of the length.
static int unit_loads(const Picture *p, const Tie *tie, double length, double out[3][3]) {
  static const double along[2][3] = {{1, 0, 0}, {0, 1, 0}};
  double turn = tie->axis + (tie->a == EARTH ? 0 : p->part[tie->a].angle);
  double across[3] = {-sin(turn), cos(turn), 0}, torque[3] = {0, 0, length};
  memset(out, 0, 9 * sizeof(double));
  if (tie->kind == SLIDE) {
    memcpy(out[0], across, sizeof across), memcpy(out[1], torque, sizeof torque);
    return 2;
  }
  memcpy(out, along, sizeof along), memcpy(out[2], torque, sizeof torque);
  return tie->kind == WELD ? 3 : 2;
}

// The least solution lies in the span of the columns of A^T, each a balance of a body: nothing is
// left of it once they are taken away one by one.
static void is_least(const Machinery *m, const Motion *motion, double t) {
  enum { MOST = 3 * MOST_TIES };
  Picture p = picture_at(m, motion, t);
  double length = size_of(m), rows[3 * MOST_PARTS][MOST] = {{0}}, w[MOST] = {0}, unit[3][3];
  int n = 0;
  for (int i = 0; i < m->ties; i++) {
    const Tie *tie = &m->tie[i];
    int count = unit_loads(&p, tie, length, unit);
    for (int u = 0; u < count; u++, n++) {
      double weigh = unit[u][2] / (length * length); // a torque's own part of the metric
      w[n] = unit[u][0] * p.force[i][0] + unit[u][1] * p.force[i][1] + weigh * p.force[i][2];
      for (int part = 0; part < m->parts; part++) {
        double sum[3] = {0};
        if (tie->a == part || tie->b == part) act(&p, tie, part, unit[u], sum);
        for (int k = 0; k < 3; k++) rows[3 * part + k][n] = sum[k];
      }
    }
  }
  double before = 0, after = 0;
  for (int i = 0; i < n; i++) before += w[i] * w[i];
  for (int r = 0; r < 3 * m->parts; r++) {
    double norm = 0, start = 0, along = 0;
    for (int i = 0; i < n; i++) start += rows[r][i] * rows[r][i];
    for (int twice = 0; twice < 2; twice++)
      for (int s = 0; s < r; s++) {
        double dot = 0;
        for (int i = 0; i < n; i++) dot += rows[r][i] * rows[s][i];
        for (int i = 0; i < n; i++) rows[r][i] -= dot * rows[s][i];
      }
    for (int i = 0; i < n; i++) norm += rows[r][i] * rows[r][i];
    bool adds = norm > 1e-10 * start;
    for (int i = 0; i < n; i++) rows[r][i] = adds ? rows[r][i] / sqrt(norm) : 0;
    for (int i = 0; i < n; i++) along += rows[r][i] * w[i];
    for (int i = 0; i < n; i++) w[i] -= along * rows[r][i];
  }
  for (int i = 0; i < n; i++) after += w[i] * w[i];
  CHECK_NEAR(sqrt(after) / fmax(1, sqrt(before)), 0, 1e-7);
}

// ---- Tests

static void agree(const Machinery *m, const Motion *one, const Motion *other, double t) {
  Picture a = picture_at(m, one, t), b = picture_at(m, other, t);
  double size = largest_force(m, &a);
  for (int i = 0; i < m->ties; i++)
    for (int k = 0; k < 3; k++) CHECK_NEAR(a.force[i][k] / size, b.force[i][k] / size, 1e-7);
}

TEST(random_machines_share_alike_in_all_formulations) {
  Random random = random_start("random_machines_share_alike_in_all_formulations");
  for (int round = 0; round < test_rounds(40); round++) {
    Machinery m = random_machinery(&random);
    const char *text = text_of(cx, &m, true, 0);
    Motion first = moved(cx, text, FORMULATION_LAGRANGE);
    for (double t = 0; t < 0.25; t += 0.1) is_balanced(&m, &first, t), is_least(&m, &first, t);
    for (int f = 1; f < FORMULATIONS; f++) {
      Motion motion = moved(cx, text, (Formulation)f);
      for (double t = 0; t < 0.25; t += 0.1) agree(&m, &first, &motion, t);
    }
  }
}

static bool is_named(Context *cx, const Doctor *d, int tie, const char *part) {
  char name[16];
  snprintf(name, sizeof name, "J%d.%s", tie, part);
  for (uint32_t i = 0; i < d->undetermined.n; i++)
    if (strcmp(symbol_text(cx, d->undetermined.at[i]), name) == 0) return true;
  return false;
}

// What is not named as open is what it is without the joints that are too many; the pin of the
// pendulum is never named.
TEST(what_is_determined_stays) {
  static const char *const parts[] = {"F_x", "F_y", "T"}, *const letters[] = {"F", "G", "T"};
  Random random = random_start("what_is_determined_stays");
  for (int round = 0; round < test_rounds(40); round++) {
    Machinery m = random_machinery(&random);
    Formulation f = (Formulation)random_below(&random, FORMULATIONS);
    Motion all = moved(cx, text_of(cx, &m, true, 0), f);
    Motion enough = moved(cx, text_of(cx, &m, false, 0), f);
    Picture p = picture_at(&m, &all, 0);
    double size = largest_force(&m, &p);
    Doctor d;
    assert_int_equal(doctor_examine(cx, all.system.model, &d), QDOT_OK);
    for (int i = 0; i < m.ties; i++)
      for (int k = 0; k < 3; k++) {
        if (m.tie[i].spare || is_named(cx, &d, i, parts[k])) continue;
        CHECK_NEAR(p.force[i][k] / size, seen(&enough, 0, letters[k], i) / size, 1e-7);
      }
    for (int k = 0; k < 3; k++) assert_false(is_named(cx, &d, m.ties - 1, parts[k]));
    for (double t = 0.1; t < 0.25; t += 0.1)
      for (int k = 0; k < 3; k++)
        CHECK_NEAR(seen(&all, t, letters[k], m.ties - 1) / size,
                   seen(&enough, t, letters[k], m.ties - 1) / size, 1e-7);
  }
}

// Gears side by side, drives side by side, a constraint of the model's own beside a guide.
static const char *const special[] = {
    "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.2 [m], mass 2 [kg]\n"
    "joint J0: revolute ground (0, 0), a (0, 0)\n"
    "joint J1: revolute ground (0.3 [m], 0), b (0, 0)\n"
    "gear J2: a, b, ratio -0.5\ngear J3: a, b, ratio -0.5\nbelt J4: a, b, ratio -0.5\n"
    "torque b = 3 [N*m]\nmotor J0: speed 2 [rad/s]\n",
    "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.2 [m], mass 2 [kg]\n"
    "joint J0: revolute ground (0, 0), a (0, 0)\n"
    "joint J1: revolute ground (0.3 [m], 0), b (0, 0)\n"
    "gear J2: a, b, ratio -0.5, pressure 20 [deg]\n"
    "gear J3: a, b, ratio -0.5, pressure 14.5 [deg]\nbelt J4: a, b, ratio -0.5\n"
    "torque b = 3 [N*m]\nmotor J0: speed 2 [rad/s]\n",
    "body a: rod 0.3 [m], mass 1 [kg], angle = 70 [deg]\n"
    "body b: rod 0.5 [m], mass 2 [kg], angle 0\n"
    "body c: rod 0.3 [m], mass 1 [kg], angle 70 [deg]\n"
    "joint J0: revolute ground (0, 0), a (-0.15 [m], 0)\n"
    "joint J1: revolute a (0.15 [m], 0), b (-0.25 [m], 0)\n"
    "joint J2: revolute b (0.25 [m], 0), c (0.15 [m], 0)\n"
    "joint J3: revolute ground (0.5 [m], 0), c (-0.15 [m], 0)\n"
    "joint J4: distance a (0, 0), c (0, 0), length 0.5 [m]\n"
    "motor J0: speed 2 [rad/s]\nmotor J3: speed 2 [rad/s]\n",
    "body a: mass 2 [kg], inertia 0.1 [kg*m^2]\nbody b: rod 0.4 [m], mass 1 [kg], angle 20 [deg]\n"
    "joint J0: prismatic ground (0, 0), a (-0.1 [m], 0), axis 0\n"
    "joint J1: revolute a (0.1 [m], 0), b (-0.2 [m], 0)\n"
    "joint J2: slot ground (0, 0), a (0.3 [m], 0), axis 0\n"
    "joint J3: slot a (0.1 [m], 0), b (-0.2 [m], 0), axis 30 [deg]\n"
    "joint J4: slot a (0.1 [m], 0), b (-0.2 [m], 0), axis 90 [deg]\n"
    "constraint level: a.y = 0.5 [m]*a.theta\nforce a (0, 0) = (3 [N], -10 [N])\n",
    "body a: disc 0.2 [m], mass 2 [kg], at (0, 0.2 [m])\nbody b: mass 1 [kg], inertia 0.1 "
    "[kg*m^2], "
    "at (0, 0.2 [m])\n"
    "joint J0: rolling ground (0, 0), a (0, 0), radius 0.2 [m]\n"
    "joint J1: revolute a (0, 0), b (0, 0)\n"
    "joint J2: prismatic ground (0, 0.2 [m]), b (0, 0), axis 0\n"
    "joint J3: rolling ground (0, 0), a (0, 0), radius 0.2 [m]\n"
    "joint J4: slot ground (0, 0.2 [m]), a (0, 0), axis 0\nmotor J1: torque 0.2 [N*m]\n"};

TEST(gears_drives_and_constraints_take_part) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
    Text text = text_new(&cx->keep);
    text_addf(&text, "gravity (1 [m/s^2], -9.81 [m/s^2])\n%s", special[i]);
    for (int k = 0; k < 5; k++)
      text_addf(&text, "output F%d = J%d.F_x, G%d = J%d.F_y, T%d = J%d.T\n", k, k, k, k, k, k);
    text_add(&text, "simulate to 0.2 [s] every 0.1 [s]\n");
    Motion first = moved(cx, text.at, FORMULATION_LAGRANGE);
    for (int f = 1; f < FORMULATIONS; f++) {
      Motion motion = moved(cx, text.at, (Formulation)f);
      for (double t = 0; t < 0.25; t += 0.1)
        for (int k = 0; k < 5; k++) {
          CHECK_NEAR(seen(&motion, t, "F", k), seen(&first, t, "F", k), 1e-7);
          CHECK_NEAR(seen(&motion, t, "G", k), seen(&first, t, "G", k), 1e-7);
          CHECK_NEAR(seen(&motion, t, "T", k), seen(&first, t, "T", k), 1e-7);
        }
    }
  }
}

// Which joints stand first decides which make the tree, and nothing else.
TEST(the_order_of_joints_does_not_matter) {
  Random random = random_start("the_order_of_joints_does_not_matter");
  for (int round = 0; round < test_rounds(20); round++) {
    Machinery m = random_machinery(&random);
    Motion one = moved(cx, text_of(cx, &m, true, 0), FORMULATION_LAGRANGE);
    Motion other = moved(cx, text_of(cx, &m, true, 1), FORMULATION_LAGRANGE);
    for (double t = 0; t < 0.25; t += 0.1) agree(&m, &one, &other, t);
  }
}

RUN_TESTS(cmocka_unit_test(random_machines_share_alike_in_all_formulations),
          cmocka_unit_test(what_is_determined_stays),
          cmocka_unit_test(gears_drives_and_constraints_take_part),
          cmocka_unit_test(the_order_of_joints_does_not_matter))
