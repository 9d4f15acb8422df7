// One right-hand side of N uniform rods in Simbody: prints nanoseconds for every N given.
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace SimTK;

static double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

static double measure(int links) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::Gravity gravity(forces, matter, -YAxis, 9.81);
  MobilizedBody parent = matter.Ground();
  for (int i = 0; i < links; i++) {
    // the joint at the upper end, the centre half a metre below it
    double m = (101 + i) * 0.01, inertia = m / 12;
    Body::Rigid rod(MassProperties(m, Vec3(0, -0.5, 0),
                                   Inertia(inertia, 1e-9, inertia).shiftFromMassCenter(
                                       Vec3(0, -0.5, 0), m)));
    Transform at(i == 0 ? Vec3(0) : Vec3(0, -1, 0));
    parent = MobilizedBody::Pin(parent, at, rod, Transform(Vec3(0)));
  }
  State state = system.realizeTopology();
  for (int i = 0; i < links; i++) {
    state.updQ()[i] = 0.3 + 0.37 * i;
    state.updU()[i] = 0.1 * i - 1;
  }
  double least = 1e300;
  int calls = 20000 / (links + 10) + 5;
  for (int round = 0; round < 5; round++) {
    double began = cpu_seconds();
    for (int i = 0; i < calls; i++) {
      state.updQ()[0] = 0.3 + 1e-9 * i; // everything must be computed anew
      system.realize(state, Stage::Acceleration);
    }
    double took = (cpu_seconds() - began) / calls;
    if (took < least) least = took;
  }
  return least;
}

int main(int count, char **words) {
  for (int i = 1; i < count; i++) std::printf("%.1f\n", 1e9 * measure(std::atoi(words[i])));
  return 0;
}
