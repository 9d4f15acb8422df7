// IFToMM's rows of four-bars in Simbody, at an accuracy of 1e-8.
#include <Simbody.h>

#include "chain_peer.h"

using namespace SimTK;

static Body::Rigid rod(Vec3 centre) {
  return Body::Rigid(MassProperties(1, centre, Inertia(1.0 / 12).shiftFromMassCenter(centre, 1)));
}

// All cranks turn alike: the row is one pendulum.
static void one_crank(const void *user, double, const double *y, double *dy) {
  double n = *static_cast<const double *>(user);
  dy[0] = y[1];
  dy[1] = (5 - 9.81 * ((n + 1) / 2 + n) * std::cos(y[0])) / ((n + 1) / 3 + n);
}

static double row_angle(double n) {
  HandProblem problem = {2, one_crank, &n};
  double y[2] = {std::acos(0.0), 0}, t = 0, h = 1e-3;
  hand_integrate_to(&problem, y, &t, 10, &h, 1e-12);
  return y[0];
}

static double row(int n, double *angle) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -YAxis, 9.81);
  std::vector<MobilizedBody> cranks;
  for (int i = 0; i <= n; i++)
    cranks.push_back(MobilizedBody::Pin(matter.Ground(), Transform(Vec3(i, 0, 0)),
                                        rod(Vec3(0, 0.5, 0)), Transform()));
  for (int i = 0; i < n; i++) {
    MobilizedBody::Pin bar(cranks[i], Transform(Vec3(0, 1, 0)), rod(Vec3(0.5, 0, 0)), Transform());
    Constraint::PointInPlane(cranks[i + 1], UnitVec3(XAxis), 0, bar, Vec3(1, 0, 0));
    Constraint::PointInPlane(cranks[i + 1], UnitVec3(YAxis), 1, bar, Vec3(1, 0, 0));
  }
  Force::MobilityConstantForce motor(forces, cranks[0], 0, 5);
  State state = system.realizeTopology();
  RungeKuttaMersonIntegrator integrator(system);
  integrator.setAccuracy(1e-8);
  TimeStepper stepper(system, integrator);
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  double began = now.tv_sec + 1e-9 * now.tv_nsec;
  stepper.initialize(state);
  stepper.stepTo(10);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  *angle = cranks[0].getOneQ(integrator.getState(), 0) + std::acos(0.0);
  return now.tv_sec + 1e-9 * now.tv_nsec - began;
}

int main() {
  for (int n : {1, 10, 40}) {
    try {
      double angle, seconds = row(n, &angle), error = std::fabs(angle - row_angle(n));
      put_row("Simbody", "row", n, seconds, error,
              error > 1 ? "accuracy 1e-8; leaves its branch in a dead position" : "accuracy 1e-8");
    } catch (const std::exception &) {
      put_row("Simbody", "row", n, NAN, NAN, "its integrator stops in a dead position");
    }
  }
  return 0;
}
