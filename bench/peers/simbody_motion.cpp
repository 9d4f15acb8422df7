// Motions in Simbody, integrated at an accuracy of 1e-8 by its Runge-Kutta-Merson.
// simbody_motion chain N ...: one second of N uniform rods; prints CPU seconds and the first angle.
// simbody_motion four_bar q1 ... v9: ten seconds of the four-bar from the state in nine coordinates;
// prints CPU seconds, the crank's angle at the end and how far the loop is open then.
#include <Simbody.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

using namespace SimTK;

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

// A rod of mass m whose pin is at the origin and whose centre lies at `centre`.
static Body::Rigid rod(double m, double length, Vec3 centre) {
  double inertia = m * length * length / 12;
  return Body::Rigid(MassProperties(
      m, centre, Inertia(inertia, inertia, inertia).shiftFromMassCenter(centre, m)));
}

static double integrate(MultibodySystem &system, State &state, double seconds) {
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(1e-8);
  double began = cpu_seconds();
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  stepper.stepTo(seconds);
  double took = cpu_seconds() - began;
  state = integrator.getState();
  return took;
}

static void chain(int links) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -YAxis, 9.81);
  MobilizedBody parent = matter.Ground();
  for (int i = 0; i < links; i++)
    parent = MobilizedBody::Pin(parent, Transform(i == 0 ? Vec3(0) : Vec3(0, -1, 0)),
                                rod((101 + i) * 0.01, 1, Vec3(0, -0.5, 0)), Transform());
  State state = system.realizeTopology();
  state.updQ()[0] = 0.3; // the others hang in line with it
  double took = integrate(system, state, 1);
  std::printf("%.6g %.17g\n", took, state.getQ()[0]);
}

static void four_bar(char **words) {
  const double r1 = 2, r2 = 0.8, r3 = 1.8, r4 = 1.5;
  double x[18];
  for (int i = 0; i < 18; i++) x[i] = std::atof(words[i]);
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -YAxis, 9.81);
  MobilizedBody::Pin crank(matter.Ground(), Transform(), rod(1, r2, Vec3(r2 / 2, 0, 0)),
                           Transform());
  MobilizedBody::Pin coupler(crank, Transform(Vec3(r2, 0, 0)), rod(2, r3, Vec3(r3 / 2, 0, 0)),
                             Transform());
  MobilizedBody::Pin rocker(matter.Ground(), Transform(Vec3(r1, 0, 0)),
                            rod(1.5, r4, Vec3(r4 / 2, 0, 0)), Transform());
  // the coupler's end is the rocker's: two planes of the rocker
  Constraint::PointInPlane along(rocker, UnitVec3(XAxis), r4, coupler, Vec3(r3, 0, 0));
  Constraint::PointInPlane across(rocker, UnitVec3(YAxis), 0, coupler, Vec3(r3, 0, 0));
  State state = system.realizeTopology();
  state.updQ()[0] = x[2], state.updQ()[1] = x[5] - x[2], state.updQ()[2] = x[8];
  state.updU()[0] = x[11], state.updU()[1] = x[14] - x[11], state.updU()[2] = x[17];
  double took = integrate(system, state, 10);
  double a2 = state.getQ()[0], a3 = a2 + state.getQ()[1], a4 = state.getQ()[2];
  double open_x = r2 * std::cos(a2) + r3 * std::cos(a3) - r1 - r4 * std::cos(a4);
  double open_y = r2 * std::sin(a2) + r3 * std::sin(a3) - r4 * std::sin(a4);
  std::printf("%.6g %.17g %.6g\n", took, a2, std::fmax(std::fabs(open_x), std::fabs(open_y)));
}

int main(int count, char **words) {
  if (count == 20 && std::strcmp(words[1], "four_bar") == 0) four_bar(words + 2);
  if (count > 2 && std::strcmp(words[1], "chain") == 0)
    for (int i = 2; i < count; i++) chain(std::atoi(words[i]));
  return 0;
}
