// Watches a run: energy balance and constraint residuals, and what they mean at the end.
#ifndef QDOT_ENGINE_RUN_MONITOR_H
#define QDOT_ENGINE_RUN_MONITOR_H

#include "engine/machine.h"
#include "engine/run_options.h"

typedef struct Monitor {
  Machine *machine;
  double E_start, V_start;
  double imbalance, imbalance_t; // max |E - E(0) - W|, and when
  double exchanged;              // max (|E - V| + |V - V(0)|)
  double worked;                 // max of each work, |w|
  double rest;                   // an energy below which nothing counts as exchanged
  double impacts;                // energy that impacts gave (negative: took)
  double gain;                   // of those that gave some
  double projected;              // energy that drawing overlaps apart gave
  double missed; // by how much, relatively, the law of contacts was missed in a step
  // of contacts: how deep, how hard one that is closed pulls, friction beyond what presses allows
  double penetration, pull, grip;
  const double *most_overlap; // of each contact; what goes beyond is
  int overlaps;               // this one, by
  double overlap;             // so much; 0: none does
  double pressed;             // the most that one has pressed with
  bool is_unwatched;          // the balance of energy decides nothing, and nobody looks at it
  bool is_bare;               // nobody asks for these:
  Worst position, velocity, acceleration;
} Monitor;

// most_overlap: of each contact.
void monitor_start(Monitor *monitor, Machine *machine, const double *most_overlap, double t,
                   const double *q, const double *qd);
// At a step's end or a row: w are the works so far (POWER_KINDS).
void monitor_state(Monitor *monitor, double t, const double *q, const double *qd, const double *w);
// The energies alone, and the works w so far.
void monitor_energies(Monitor *monitor, double t, double total, double potential, const double *w);
// Something rests on contacts: it has no energy of its own, only that of rounding, below this.
void monitor_rest(Monitor *monitor, double energy);
// An energy that contacts have given, 0 where it is the rounding of the energies.
double monitor_made(const Monitor *monitor, double given);
// What errors of works are measured by: the energy exchanged so far, 0 while that is the rounding
// of the energies, as where everything sticks.
double monitor_work_scale(const Monitor *monitor);
// The accelerations of a row; machine_give has been called with them.
void monitor_accelerations(Monitor *monitor, double t, const double *q, const double *qd);
// What presses and rubs in a row; as above.
void monitor_contacts(Monitor *monitor);
// An impact changed the velocities from qd_before to qd; so much of the energy that this takes or
// gives came from drives, with parts that are as large together as driven_size.
void monitor_impact(Monitor *monitor, double t, const double *q, const double *qd_before,
                    const double *qd, double driven, double driven_size);
// The certificate; y is the state (q, qd, w) at the end.
void monitor_finish(const Monitor *monitor, double t, const double *y, const MethodOptions *options,
                    SimSummary *summary);

// A relative error above this is not an error of the tolerance any more, and what to do about it.
double monitor_limit(const MethodOptions *options);
Remark monitor_advice(const MethodOptions *options);

// A fixed step passes over what functions of time do: a warning.
void monitor_unseen(double step, double t, SimSummary *summary);

// Natural frequencies that a fixed step cannot resolve: a warning with the step that would. State
// and accelerations at the start.
void monitor_check_step(Machine *machine, const SimOptions *options, double t, const double *q,
                        const double *qd, const double *qdd, const double *lambda,
                        SimSummary *summary);

#endif
