// Eigenvalues, natural frequencies, damping and shapes of a linearized system, and its stability.
#ifndef QDOT_ANALYSE_VIBRATION_MODES_H
#define QDOT_ANALYSE_VIBRATION_MODES_H

#include "analyse/linear/linearize.h"

typedef enum ModeKind {
  MODE_RIGID,       // eigenvalue 0: a displacement that nothing resists
  MODE_OSCILLATION, // a conjugate pair, listed once with im > 0
  MODE_EXPONENTIAL  // a real eigenvalue: creeping back, or falling over
} ModeKind;

typedef struct Mode {
  ModeKind kind;
  double re, im;    // the eigenvalue; of a sampled loop that of the map of a period
  double omega;     // |eigenvalue|, rad/s
  double hz;        // omega / (2 pi): natural, as without damping
  double damped_hz; // im / (2 pi): as it swings
  double damping;
  double *shape_re, *shape_im; // n: every coordinate, the largest is 1
} Mode;

typedef enum Stability {
  STABILITY_ASYMPTOTIC,  // every disturbance decays
  STABILITY_OSCILLATORY, // none grows, some oscillate undamped
  STABILITY_INDIFFERENT, // none grows, but displacements or velocities persist
  STABILITY_UNSTABLE,
  STABILITY_HELD // nothing can be disturbed: no degree of freedom is left
} Stability;

// What the energy says where zero modes or the sides of a switch leave the stability open.
typedef enum EnergyVerdict {
  ENERGY_NOT_ASKED,
  ENERGY_FLAT,    // nothing resists: indifferent indeed
  ENERGY_MINIMUM, // a strict minimum: stable
  ENERGY_FALLS,   // along a zero mode: unstable
  ENERGY_OPEN,    // neither can be said
  ENERGY_LINEAR,  // nothing decays by the linear equations, and no minimum of the energy holds it
  // where slopes differ on the sides of a switch, see sides.h
  ENERGY_DAMPED_ASIDE, // asymptotically stable all the same
  ENERGY_RISES_ASIDE,  // stable all the same
  ENERGY_FALLS_ASIDE,  // unstable on one side
  ENERGY_OPEN_ASIDE,
  ENERGY_VERDICTS
} EnergyVerdict;

typedef struct Modes {
  double period; // of a sampled loop, whose eigenvalues belong into the unit circle; else 0
  uint32_t eigenvalue_count;
  double (*eigenvalue)[2]; // re, im by modulus, then re, then im
  uint32_t count;
  Mode *mode;              // by modulus
  Stability stability;     // of the linear equations
  EnergyVerdict by_energy; // of the nonlinear ones, see valley.h
  uint32_t
      growing; // the mode that grows fastest, where it is unstable, or along which energy falls
  uint32_t infinite; // eigenvalues that massless coordinates take away
  // Where nothing is found: a coordinate that the linearized equations leave open.
  uint32_t undetermined;
} Modes;

// Where M^ is singular the finite eigenvalues are those of the generalized problem.
// QDOT_SINGULAR_MASS when the equations do not determine the motion, QDOT_NO_CONVERGENCE when the
// eigenvalues do not converge. Lives in the arena.
Status modes_find(const Linearized *l, Arena *arena, Modes *out);

// Fills by_energy of a state whose linear equations neither grow nor decay.
void modes_judge_undamped(const Linearized *l, Modes *modes);

// "asymptotically stable" and its like, with what the energy says where the linearization does not
// decide.
const char *stability_text(const Modes *modes);

#endif
