// Contacts: impact, closing, release. phi <= 0 is free; d(phi)/dt > 0 approaches.
#ifndef QDOT_SIM_CONTACT_H
#define QDOT_SIM_CONTACT_H

#include "sim/machine.h"
#include "sim/sim.h"

typedef struct Contacts {
  Machine *machine;
  int count;
  double *restitution; // one a contact
  bool *touching;      // at the present instant
  bool *presses;       // behind the last event: is held together by a force
  // what is large in this run, in the metric of the masses: speeds, accelerations
  double speed, acceleration;
  double reach;                     // the largest of coordinates and gaps at the start
  double *last_impact;              // time of each contact's last impact
  double *parted;                   // with which speed it parted then
  double *rounding;                 // of each gap, at the last event
  double *bend;                     // of each gap: a bound of d2(phi)/dt2 in free motion
  double *largest;                  // of each coordinate in this run
  Kkt kkt;                          // M with the constraints alone
  double *M, *Phi_q, *rows, *gamma; // rows: phi_q of all contacts, count x n
  double *response;                 // count x n: velocity that a unit impulse gives
  double *A;                        // count x count: phi_q of i times response of j
  double *u, *phi, *qdd, *lambda, *p, *sub, *right, *f, *zero;
  int *index;
} Contacts;

// Fails when a restitution is not between 0 and 1.
Status contacts_open(Contacts *contacts, Arena *arena, Machine *machine);

// At t = 0: errors for contacts that are violated; those that touch are treated as after an event.
Status contacts_start(Contacts *contacts, double t, double *q, double *qd, SimSummary *summary);

// Something happened at t: hit[i] marks contacts whose gap closed or whose force fell to zero.
// Impacts change qd, overlaps q; machine->closed becomes the set that holds from here on.
Status contacts_resolve(Contacts *contacts, double t, double *q, double *qd, const bool *hit,
                        SimSummary *summary);

// A step went by: keeps the scales of the run up to date.
Status contacts_watch(Contacts *contacts, double t, const double *q, const double *qd);

// A gap that overlaps by less than this has not closed yet: it may be rounding.
double contact_gap_tolerance(const Contacts *contacts, int contact);
// A force below minus this counts as a pull.
double contact_force_tolerance(const Contacts *contacts, int contact);

#endif
