// Contacts: impact, closing, release, friction. phi <= 0 is free; d(phi)/dt > 0 approaches.
// Sources: contact.c, contact_ahead.c, contact_islands.c, contact_loads.c, contact_rub.c,
// contact_squeeze.c, contact_strike.c, contact_works.c
#ifndef QDOT_ENGINE_CONTACT_CONTACT_H
#define QDOT_ENGINE_CONTACT_CONTACT_H

#include "cone/cone.h"
#include "engine/machine.h"
#include "engine/press_impulses.h"
#include "engine/summary.h"
#include "solve/dynamics.h"

// What took part in an impact: a contact that was pushed apart, or a way in which it or a joint
// rubbed. All of one round act at once.
typedef struct Thrust {
  int round, contact; // -1: a joint
  int slip;           // -1: it pushes apart; joints stand behind all others
  bool bounces;       // with its restitution; else it stays
  int way;            // in which it slides behind the impact, -1 or +1; 0: it came to rest
} Thrust;

enum { NO_ISLAND = -1 };

typedef struct Contacts {
  Machine *machine;
  int count;
  double *restitution;      // one a contact
  double *friction;         // the same, while sliding
  double *zero_restitution; // zeros
  bool is_stepped;          // the method steps over impacts: there are no events
  bool *touching;           // at the present instant
  bool *presses;            // behind the last event: is held together by a force
  double *force;            // that presses it then
  double *let_go;           // the time at which its force last fell to zero
  bool *opens;              // of those that nothing presses at this event: opens a moment later
  double moment;            // in which loads change by more than rounding, and nothing else does
  // what is large in this run, in the metric of the masses: speeds, accelerations
  double speed, acceleration;
  double reach;         // the largest of coordinates and gaps at the start
  double *last_impact;  // time of each contact's last impact
  double *parted;       // with which speed it parted then
  double method_error;  // of a method that is not as exact as its steps' ends, relative
  double *rounding;     // of each gap, at the last event
  double *most_overlap; // of each gap: beyond this it is an error of the run
  bool *lacks_slope, any_lacks_slope; // gaps whose slope has no value where they are now
  double *bend;                       // of each gap: a bound of d2(phi)/dt2 in free motion
  double *largest;                    // of each coordinate in this run
  Kkt kkt;                            // M with the constraints alone
  double *M, *Phi_q, *rows, *gamma;   // rows: phi_q of all contacts, count x n
  double *response;                   // count x n: velocity that a unit impulse gives
  double *lambdas;                    // count x rows: and what it does to the constraints
  double *A;                          // count x count: phi_q of i times response of j
  double *u, *phi, *qdd, *lambda, *right, *f, *zero;
  int *index;
  // friction: v along each contact and spin, its row, gamma and response, as above; the same of
  // joints, behind these
  double *slip, *slip_rows, *slip_gamma, *slip_response, *slip_lambdas;
  // of the contacts in `index`, and what rubs there: W, rows and y_0 of a problem with cones, loads
  // that press and that rub
  double *B, *apart, *along, *p, *r;
  ConeRow *row, *rub;
  ConeSolution found;          // with these loads
  int struck_count, rub_count; // so many contacts, and ways in which they rub,
  int *slip_index, *slip_of;   // as slips, and to which of the contacts these belong, -1: none
  PressImpulses joints;
  double *press;     // of joints: what presses them in an impact
  bool *joint_rests; // the last event has brought it to rest
  bool *struck;      // at this event an impact has reached these
  // groups that an impact reaches together, by contact and by joint; NO_ISLAND: none
  int *island, *joint_island, islands;
  Arena *arena;
  VEC(Thrust) pushes; // of the last event
  bool *yields;       // at this event the load of these is more than friction holds
  int *goes;          // where those then go; 0: they stay
  bool *starts;       // has been sliding before this event
  bool *stops;        // at this event the sliding of these has come to rest
  bool told_ambiguity;
  double driven; // work of what moves surfaces, belts and constraints, in impacts of this event
  double driven_size;         // sum of its parts' sizes
  const char *why, *why_note; // what friction has led to, if nothing can continue
} Contacts;

// Fails when a restitution is not between 0 and 1.
Status contacts_open(Contacts *contacts, Arena *arena, Machine *machine, bool is_stepped);

// At t = 0: errors for contacts that are violated; those that touch are treated as after an event.
Status contacts_start(Contacts *contacts, double t, double *q, double *qd, SimSummary *summary);

// Something happened at t: hit[i] marks contacts whose gap closed or whose force fell to zero.
// Impacts change qd, overlaps q; machine->closed becomes the set that holds from here on.
Status contacts_resolve(Contacts *contacts, double t, double *q, double *qd, const bool *hit,
                        SimSummary *summary);

// Gap i is beyond most_overlap, or has no value: the run cannot continue, and c->why says why; else
// it is small beside what the run has become.
Status contacts_check_overlap(Contacts *contacts, int i, double phi, double t, const double *q,
                              const double *qd);

// A step went by: keeps the scales of the run up to date.
Status contacts_watch(Contacts *contacts, double t, const double *q, const double *qd);

// What happens at the event that is resolved next: the sliding of a contact has come to rest, or
// its load has become more than friction holds.
void contacts_stop(Contacts *contacts, int slip);
void contacts_yield(Contacts *contacts, int slip);

// ---- What the sources share

// Relative to what is large in the run: a speed, or an acceleration by a force, that is none; and
// an acceleration that parts nothing.
#define CONTACT_RESTING 1e-9
#define CONTACT_PULL 1e-12

void contacts_read(Contacts *contacts, double t, const double *q, const double *qd);
double contact_sensitivity(const Contacts *contacts, int i);
// What is fast in this run, in the metric of the masses.
double contacts_speed(const Contacts *contacts);
double contact_resting_speed(const Contacts *contacts, int i);
// d2(phi)/dt2 of a contact by the free accelerations, after contacts_free.
double contact_free_bend(const Contacts *contacts, int i);
void contacts_free(Contacts *contacts, double t, const double *q, const double *qd);
// A coefficient of restitution as it is now: bounces that pile up end in contact.
double contact_restitution_now(const Contacts *contacts, int i, double t);
const char *contact_name(const Contacts *contacts, int i);
// Names of the marked ones; interned, so that runs that follow one another share it; NULL for none.
const char *contacts_names(const Contacts *contacts, const bool *which);
// Does any contact that touches rub? Could any contact or joint?
bool contacts_rub(const Contacts *contacts);
bool contacts_may_rub(const Contacts *contacts);
Status contacts_open_rubs(Contacts *contacts, Arena *arena);
// The velocities that a unit of friction gives, at the state of contacts->response.
void contacts_respond_to_rubs(Contacts *contacts, double t, const double *q, const double *qd);
// How fast contacts slide and roll, and joints, at a state.
void contacts_read_slips(Contacts *contacts, double t, const double *q, const double *qd);
// The problem of the contacts in index[0 .. k) and of what rubs, these behind those: as if smooth;
// at rest with forces; in an impact, with the joints of this island. How many ways of rubbing it
// has, to which contact each belongs, and its coefficient while sliding; what impulses make of the
// speed in a row.
typedef enum RubSet { RUB_NOTHING, RUB_CONTACTS, RUB_ALL } RubSet;
void contacts_fill_matrix(Contacts *contacts, int k, RubSet rubs, int island);
// Friction of way of rubbing number `rub`: its coefficient, and the way of a sliding that goes on.
void contacts_put_friction(Contacts *contacts, int rub, double mu, int way);
ConeProblem contacts_problem(const Contacts *contacts, const double *y_0);
int contacts_rub_count(const Contacts *contacts);
int contacts_owner(const Contacts *contacts, int rub);
double contacts_coefficient(const Contacts *contacts, int rub);
// How much a force along a contact or joint moves it, in the metric of the masses.
double contacts_slip_sensitivity(const Contacts *contacts, int slip);
double contacts_after(const Contacts *contacts, int row, double before, const double *z);
// The groups of what touches and rubs in joints, of which each feels an impulse at another: its
// speed changes, across or along, or what presses a joint. After contacts_respond. Does one rub?
void contacts_find_islands(Contacts *contacts, double t, const double *q, const double *qd);
bool contacts_island_rubs(const Contacts *contacts, int island);
// Impulses z of the problem that was filled last, and what they do.
typedef struct ImpulseSet {
  double *dv, *lambda, *friction, *joints; // see Impulses
} ImpulseSet;
ImpulseSet contacts_open_impulses(const Contacts *contacts, Arena *arena);
void contacts_find_impulses(const Contacts *contacts, const double *z, ImpulseSet *out);
// An impact at t: what is known before, what its rounds find.
typedef struct Impact {
  double t;
  const double *q, *e; // restitution as it is now
  double *qd;          // velocities, as far as the rounds are
  double *before;      // by contact: the fastest approach
  double *impulse;     // by contact, N s: the sum of all rounds
  double *rubbed;      // by way of rubbing and joint
  bool *took_part;     // by contact
  int rounds;
} Impact;

// One round: the contacts in index[0 .. k) by the law of impact, all at once, with what rubs there
// (RUB_ALL: and in the joints of the island). Changes qd, and speeds in contacts->u of the island.
Status contacts_strike(Contacts *contacts, int k, RubSet rubs, int island, Impact *impact,
                       SimSummary *summary);
// contacts->driven: what those impulses do by surfaces, belts and constraints that move by
// themselves.
void contacts_find_driven(Contacts *contacts, double t, const double *q, const double *qd,
                          const double *impulse, const double *rubbed);
// Does one hold from here on, with a force and an acceleration apart? Notes the force.
bool contact_holds(Contacts *contacts, int i, double force, double apart, const bool *released);
// The responses at a state, and which contacts hold, rest and slide from there on: machine->closed
// and machine->slips.
Status contacts_respond(Contacts *contacts, double t, const double *q, const double *qd);
Status contacts_choose(Contacts *contacts, double t, const double *q, const double *qd,
                       const bool *released);
// Which of them open a moment later: contacts->opens.
Status contacts_look_ahead(Contacts *contacts, double t, const double *q, const double *qd,
                           const bool *released);
// Contacts that stand against each other could press each other, and rub, by any force: of the
// solutions into contacts->found, one in which they do not, if there is one. False: there is none.
bool contacts_solve_least(Contacts *contacts);
// And those of them that nothing presses do not hold: they are opened, and close when it moves.
void contacts_part_squeezed(Contacts *contacts);
// Restitution and friction must make sense.
Status contacts_take_values(Contacts *contacts);
// Coefficients of friction as the machine's values give them now, for who moves these by little.
void contacts_renew_friction(Contacts *contacts);

// Of contacts without friction that are more than are needed, after an evaluation of lambda: does
// one pull although others could push for it, but for so small a part of the largest? Then the
// least loads that push are put there.
bool contacts_carry(const Contacts *contacts, Dynamics *dynamics, double lack, double *lambda);

// A gap that overlaps by less than this has not closed yet: it may be rounding, or the error of the
// method.
double contact_gap_tolerance(const Contacts *contacts, int contact);
// A force below minus this counts as a pull.
double contact_force_tolerance(const Contacts *contacts, int contact);

#endif
