// Chains, loops and discs in MuJoCo, through its C library.
// peer_mujoco: rows of chains, of IFToMM's four-bars and of poured discs;
// peer_mujoco four_bar q1 ... v9: ten seconds of the four-bar; CPU seconds, the crank's angle, the
// gap.
#include <mujoco/mujoco.h>

#include <cstring>
#include <string>

#include "chain_peer.h"

static const char *const TOOL = "MuJoCo";

static std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

static mjModel *load(const std::string &xml) {
  char error[1000] = "";
  mjSpec *spec = mj_parseXMLString(xml.c_str(), NULL, error, sizeof error);
  mjModel *model = spec ? mj_compile(spec, NULL) : NULL;
  if (!model) std::fprintf(stderr, "%s\n", spec ? mjs_getError(spec) : error), std::exit(1);
  mj_deleteSpec(spec);
  return model;
}

// A rod whose pin is at the origin and that lies along (x, y).
static std::string rod(double m, double L, double x, double y) {
  std::string J = number(m * L * L / 12);
  return "<inertial pos=\"" + number(x / 2) + " " + number(y / 2) + " 0\" mass=\"" + number(m) +
         "\" diaginertia=\"" + J + " " + J + " " + J + "\"/>";
}

// Loops and contacts as stiff as steps of 1 ms allow.
static const std::string STIFF = "solref=\"0.002 1\"";

static const char hinge[] = "<joint type=\"hinge\" axis=\"0 0 1\"/>";

static std::string whole(const std::string &options, const std::string &world,
                         const std::string &rest = "") {
  return "<mujoco><option gravity=\"0 -9.81 0\" " + options + "</option><worldbody>" + world +
         "</worldbody>" + rest + "</mujoco>";
}

static mjModel *rods(int n, const std::string &options) {
  std::string world, close;
  for (int i = 0; i < n; i++) {
    world += i == 0 ? "<body>" : "<body pos=\"0 -1 0\">";
    world += hinge + rod((101 + i) * 0.01, 1, 0, -1);
    close += "</body>";
  }
  return load(whole(options, world + close));
}

static const char plain[] = "><flag contact=\"disable\" constraint=\"disable\"/>";

static void set_rods(const Rods &r, mjData *d) {
  for (int i = 0; i < r.n; i++) d->qpos[i] = r.relative(r.q, i), d->qvel[i] = r.relative(r.qd, i);
}

static void right_hand_sides() {
  for (int n : chain_links) {
    Rods r(n);
    mjModel *m = rods(n, plain);
    mjData *d = mj_makeData(m);
    set_rods(r, d);
    auto work = [&] { mj_forward(m, d); };
    work();
    put_rhs(TOOL, n, work, r.error(d->qacc), "mj_forward, contacts switched off");
    if (n == 10 || n == 100) {
      auto mass = [&] {
        mj_kinematics(m, d);
        mj_comPos(m, d);
        mj_makeM(m, d);
      };
      put_row(TOOL, "mass", n, seconds_of(mass, 1000 / n), NAN, "kinematics, comPos and makeM");
    }
    mj_deleteData(d), mj_deleteModel(m);
  }
  double first = seconds_of([] {
    Rods r(10);
    mjModel *m = rods(10, plain);
    mjData *d = mj_makeData(m);
    set_rods(r, d);
    mj_forward(m, d);
    mj_deleteData(d), mj_deleteModel(m);
  });
  measure_row(TOOL, "first/10", first, NAN, "from MJCF text");
}

// A second with RK4 of fixed step, with the longest step that is exact to 1e-8.
static void seconds_of_rods() {
  for (int n : {5, 20}) {
    double truth = rods_after_a_second(n);
    for (int steps = 250; steps <= 64000; steps *= 2) {
      mjModel *m = rods(n, "integrator=\"RK4\" timestep=\"" + number(1.0 / steps) + "\"" + plain);
      mjData *d = mj_makeData(m);
      auto run = [&] {
        mj_resetData(m, d);
        d->qpos[0] = 0.3;
        for (int i = 0; i < steps; i++) mj_step(m, d);
      };
      run();
      double error = std::fabs(d->qpos[0] - truth);
      bool good = error < 1e-7 || steps == 64000;
      char remark[80];
      std::snprintf(remark, sizeof remark, "RK4, %d steps", steps);
      if (good) put_row(TOOL, "second", n, seconds_of(run), error, remark);
      mj_deleteData(d), mj_deleteModel(m);
      if (good) break;
    }
  }
}

// ---- Loops

// Cranks hang on the ground; each but the last carries a coupler, whose end is a loop.
static mjModel *row(int n, const std::string &options) {
  std::string world, loops = "<equality>";
  for (int i = 0; i <= n; i++) {
    std::string k = std::to_string(i), next = std::to_string(i + 1);
    world += "<body name=\"v" + k + "\" pos=\"" + k + " 0 0\">" + hinge + rod(1, 1, 0, 1);
    if (i < n) {
      world += "<body name=\"h" + k + "\" pos=\"0 1 0\">" + hinge + rod(1, 1, 1, 0) + "</body>";
      loops +=
          "<connect body1=\"h" + k + "\" body2=\"v" + next + "\" anchor=\"1 0 0\" " + STIFF + "/>";
    }
    world += "</body>";
  }
  return load(whole(options, world, loops + "</equality>"));
}

// The widest gap of the loops.
static double gap(const mjModel *m, mjData *d) {
  mj_forward(m, d);
  double worst = 0;
  for (int i = 0; i < d->nefc; i++)
    if (d->efc_type[i] == mjCNSTR_EQUALITY) worst = std::max(worst, std::fabs(d->efc_pos[i]));
  return worst;
}

// The row as one pendulum: all cranks turn alike. Its angle by the method by hand, at 1e-12.
static void one_crank(const void *user, double, const double *y, double *dy) {
  double n = *static_cast<const double *>(user), J = (n + 1) / 3 + n;
  dy[0] = y[1];
  dy[1] = (5 - 9.81 * ((n + 1) / 2 + n) * std::cos(y[0])) / J;
}

static double row_angle(double n) {
  HandProblem problem = {2, one_crank, &n};
  double y[2] = {std::acos(0.0), 0}, t = 0, h = 1e-3;
  hand_integrate_to(&problem, y, &t, 10, &h, 1e-12);
  return y[0];
}

static void rows_of_loops() {
  for (int n : {1, 10, 40}) {
    mjModel *m =
        row(n, "integrator=\"implicitfast\" timestep=\"0.001\"><flag contact=\"disable\"/>");
    mjData *d = mj_makeData(m);
    auto run = [&] {
      mj_resetData(m, d);
      d->qfrc_applied[0] = 5;
      for (int i = 0; i < 10000; i++) mj_step(m, d);
    };
    double seconds = seconds_of(run), error = std::fabs(d->qpos[0] + std::acos(0.0) - row_angle(n));
    char remark[100];
    std::snprintf(remark, sizeof remark,
                  "steps of 1 ms, solref 0.002; loops are springs there, %.0e m apart", gap(m, d));
    put_row(TOOL, "row", n, seconds, error, remark);
    mj_deleteData(d), mj_deleteModel(m);
  }
}

static void four_bar(char **words) {
  double x[18];
  for (int i = 0; i < 18; i++) x[i] = std::atof(words[i]);
  std::string world = "<body><joint type=\"hinge\" axis=\"0 0 1\"/>" + rod(1, 0.8, 0.8, 0) +
                      "<body name=\"coupler\" pos=\"0.8 0 0\">" + hinge + rod(2, 1.8, 1.8, 0) +
                      "</body></body><body name=\"rocker\" pos=\"2 0 0\">" + hinge +
                      rod(1.5, 1.5, 1.5, 0) + "</body>";
  std::string loop = "<equality><connect site1=\"a\" site2=\"b\" " + STIFF + "/></equality>";
  world.insert(world.find("</body></body>"), "<site name=\"a\" pos=\"1.8 0 0\"/>");
  world.insert(world.rfind("</body>"), "<site name=\"b\" pos=\"1.5 0 0\"/>");
  mjModel *m = load(whole(
      "integrator=\"implicitfast\" timestep=\"0.0001\"><flag contact=\"disable\"/>", world, loop));
  mjData *d = mj_makeData(m);
  auto run = [&] {
    mj_resetData(m, d);
    d->qpos[0] = x[2], d->qpos[1] = x[5] - x[2], d->qpos[2] = x[8];
    d->qvel[0] = x[11], d->qvel[1] = x[14] - x[11], d->qvel[2] = x[17];
    for (int i = 0; i < 100000; i++) mj_step(m, d);
  };
  double seconds = seconds_of(run);
  std::printf("%.6g %.17g %.3g\n", seconds, d->qpos[0], gap(m, d));
}

// ---- Discs poured into a funnel, four in a row

static mjModel *funnel(int rows) {
  std::string world;
  for (int side = -1; side <= 1; side += 2) {
    double a = 0.9, half = 3, c = std::cos(a), s = std::sin(a), apex = -0.025 * s / c;
    world += "<geom type=\"box\" size=\"" + number(half) + " 0.05 0.1\" pos=\"" +
             number(side * (c * half + s * 0.05)) + " " + number(apex + s * half - c * 0.05) +
             " 0\" euler=\"0 0 " + number(side * a) + "\" friction=\"0.3\" condim=\"3\" " + STIFF +
             "/>";
  }
  for (int i = 1; i <= rows; i++)
    for (int k = 1; k <= 4; k++)
      world += "<body pos=\"" + number(0.05 * (k - 2.5) + 0.003 * std::sin(7 * i + 3 * k)) + " " +
               number(0.28 + 0.05 * i) +
               " 0\"><joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
               "<joint type=\"hinge\" axis=\"0 0 1\"/><geom type=\"sphere\" size=\"0.02\" "
               "mass=\"0.1\" friction=\"0.3\" condim=\"3\" " +
               STIFF + "/></body>";
  return load(
      "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 -9.81 0\" timestep=\"0.001\" "
      "integrator=\"implicitfast\" cone=\"elliptic\"/><worldbody>" +
      world + "</worldbody></mujoco>");
}

static void piles() {
  for (int rows : {6, 12, 25, 50}) {
    mjModel *m = funnel(rows);
    mjData *d = mj_makeData(m);
    double deepest = 0;
    auto run = [&] {
      mj_resetData(m, d);
      for (int i = 1, at = 0; i <= rows; i++)
        for (int k = 1; k <= 4; k++, at += 3) {
          d->qvel[at] = 0.3 * std::cos(5 * i + k);
          d->qvel[at + 2] = 20 * std::sin(i + 4 * k);
        }
      deepest = 0;
      for (int i = 0; i < 1000; i++) {
        mj_step(m, d);
        for (int c = 0; c < d->ncon; c++) deepest = std::max(deepest, -d->contact[c].dist);
      }
    };
    double seconds = seconds_of(run);
    char remark[100];
    std::snprintf(remark, sizeof remark,
                  "balls on guides; contacts are springs, %.1e m deep, no restitution", deepest);
    put_row(TOOL, "pile", 4 * rows, seconds, NAN, remark);
    mj_deleteData(d), mj_deleteModel(m);
  }
}

int main(int count, char **words) {
  if (count == 20 && std::strcmp(words[1], "four_bar") == 0) {
    four_bar(words + 2);
    return 0;
  }
  right_hand_sides();
  seconds_of_rods();
  rows_of_loops();
  piles();
  return 0;
}
