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

// A row that took part in an impact: the normal row of a contact, or the friction of a contact or
// joint. All of one round act at once.
typedef struct Thrust {
  int round, contact; // contact -1: a joint
  int slip;           // of friction, joints behind all contacts' slips; -1: the normal row
  bool bounces;       // parts with its restitution; else with speed 0
  int way;            // of friction: sign of the sliding after the impact; 0: it came to rest
} Thrust;

enum { NO_ISLAND = -1 };

typedef struct Contacts {
  Machine *machine;
  int count;
  double *restitution;      // [count]
  double *friction;         // [count] mu while sliding
  double *zero_restitution; // [count] zeros
  bool is_stepped;          // the method steps over impacts: there are no events
  bool *touching;           // [count] at the present instant
  bool *presses;            // [count] closed under a compressive force after the last event
  double *force;            // [count] that force, N
  double *let_go;           // [count] the time at which its force last fell to zero, s
  bool *opens;              // [count] without force at this event, and open a moment later
  double moment;            // s: the time in which loads change by more than rounding
  // The largest speed and acceleration in this run, as sqrt(v^T M v).
  double speed, acceleration;
  double reach;         // the largest of coordinates and gaps at the start
  double *last_impact;  // [count] time of the last impact, s
  double *parted;       // [count] -d(phi)/dt just after it
  double method_error;  // relative error of states within a step; 0: as exact as rounding
  double *rounding;     // [count] of the gap, at the last event
  double *most_overlap; // [count] phi beyond this is an error of the run
  bool *lacks_slope, any_lacks_slope; // [count] the slope of the gap has no value at this state
  double *bend;                       // [count] a bound of |d2(phi)/dt2| in free motion
  double *largest;                    // [n] the largest size of the coordinate in this run
  Kkt kkt;                            // M with the constraints alone
  double *M, *Phi_q, *rows, *gamma;   // rows: phi_q of all contacts [count][n]
  double *response;                   // [count][n] change of velocities by a unit impulse
  double *lambdas;                    // [count][rows] impulses of the constraints with it
  double *A;                          // [count][count] phi_q of i times response of j
  double *u, *phi;                    // [count] d(phi)/dt, and phi
  double *qdd, *lambda;               // accelerations and forces with all contacts open
  double *right, *f, *zero;           // room [count], [n]; zeros [rows]
  int *index;                         // [count] the contacts of the problem with cones
  // Friction: sliding velocity v, its slope v_q, gamma and responses, as above, by slip (contacts,
  // then resistances to rolling) and by joint behind these.
  double *slip, *slip_rows, *slip_gamma, *slip_response, *slip_lambdas;
  // The problem with cones of the contacts in `index` and of their friction: its matrix W, its y_0
  // across and along, the impulses or forces p across and r along.
  double *B, *apart, *along, *p, *r;
  ConeRow *row, *rub; // across and along
  ConeSolution found;
  int struck_count, rub_count; // rows across and along
  int *slip_index, *slip_of;   // by row along: the slip or joint, and its row across; -1: none
  PressImpulses joints;
  double *press;     // by joint: the impulse that loads it
  bool *joint_rests; // by joint: the last event brought its sliding to rest
  bool *struck;      // [count] in an island that had an impact at this event
  // Groups that an impact reaches together: number by contact and by joint, or NO_ISLAND; count.
  int *island, *joint_island, islands;
  Arena *arena;
  VEC(Thrust) pushes; // of the last event
  bool *yields;       // by slip: at this event its load exceeds what friction holds
  int *goes;          // by slip: the sign of the sliding that then starts; 0: it stays
  bool *starts;       // by slip: was sliding before this event
  bool *stops;        // by slip: at this event its sliding came to rest
  bool told_ambiguity;
  double driven;      // J: work of given motions (surfaces, belts, drives) in this event's impacts
  double driven_size; // J: sum of the sizes of its parts
  const char *why, *why_note; // the reason why the run cannot continue, and advice
} Contacts;

// Fails when a restitution is not between 0 and 1.
Status contacts_open(Contacts *contacts, Arena *arena, Machine *machine, bool is_stepped);

// At t = 0: errors for contacts that are violated; those that touch are treated as after an event.
Status contacts_start(Contacts *contacts, double t, double *q, double *qd, SimSummary *summary);

// An event at t: hit[i] marks contacts whose gap closed or whose force fell to zero. Impacts change
// qd; overlaps are pushed apart in q; machine->closed becomes the set that holds afterwards.
Status contacts_resolve(Contacts *contacts, double t, double *q, double *qd, const bool *hit,
                        SimSummary *summary);

// An error, with c->why, where phi of gap i is beyond most_overlap as the run has it now, or has no
// value.
Status contacts_check_overlap(Contacts *contacts, int i, double phi, double t, const double *q,
                              const double *qd);

// A step went by: keeps the scales of the run up to date.
Status contacts_watch(Contacts *contacts, double t, const double *q, const double *qd);

// Announces what the next contacts_resolve has to decide: the sliding of a slip came to rest, or
// its load exceeds what friction holds.
void contacts_stop(Contacts *contacts, int slip);
void contacts_yield(Contacts *contacts, int slip);

// ---- What the sources share

// Relative to the largest speed or acceleration of the run: what counts as no speed and no force;
// and as no acceleration apart.
#define CONTACT_RESTING 1e-9
#define CONTACT_PULL 1e-12

void contacts_read(Contacts *contacts, double t, const double *q, const double *qd);
double contact_sensitivity(const Contacts *contacts, int i);
// The largest speed of this run, as sqrt(v^T M v).
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
// Has any touching contact friction? Has any contact or joint?
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
// Finds the islands of touching contacts and joints with friction: an impulse at one changes the
// speed of another, or the load of a joint. After contacts_respond. Has an island any friction?
void contacts_find_islands(Contacts *contacts, double t, const double *q, const double *qd);
bool contacts_island_rubs(const Contacts *contacts, int island);
// The impulses z of the problem that was filled last, by coordinate, row, slip and joint.
typedef struct ImpulseSet {
  double *dv, *lambda, *friction, *joints; // see Impulses
} ImpulseSet;
ImpulseSet contacts_open_impulses(const Contacts *contacts, Arena *arena);
void contacts_find_impulses(const Contacts *contacts, const double *z, ImpulseSet *out);
// An impact at t.
typedef struct Impact {
  double t;
  const double *q, *e; // e: restitution by contact at this moment
  double *qd;          // velocities after the last round
  double *before;      // by contact: the largest d(phi)/dt before a round
  double *impulse;     // by contact, N s: the sum of all rounds
  double *rubbed;      // the same of friction, by slip and joint
  bool *took_part;     // by contact
  int rounds;
} Impact;

// One round: the contacts in index[0 .. k) by the law of impact, all at once, with what rubs there
// (RUB_ALL: and in the joints of the island). Changes qd, and speeds in contacts->u of the island.
Status contacts_strike(Contacts *contacts, int k, RubSet rubs, int island, Impact *impact,
                       SimSummary *summary);
// contacts->driven: the work of these impulses on surfaces, belts and constraints with a given
// motion.
void contacts_find_driven(Contacts *contacts, double t, const double *q, const double *qd,
                          const double *impulse, const double *rubbed);
// Does contact i stay closed under a force (N) and an acceleration apart? Notes the force.
bool contact_holds(Contacts *contacts, int i, double force, double apart, const bool *released);
// The responses at a state, and which contacts hold, rest and slide from there on: machine->closed
// and machine->slips.
Status contacts_respond(Contacts *contacts, double t, const double *q, const double *qd);
Status contacts_choose(Contacts *contacts, double t, const double *q, const double *qd,
                       const bool *released);
// Finds contacts->opens.
Status contacts_look_ahead(Contacts *contacts, double t, const double *q, const double *qd,
                           const bool *released);
// Contacts on opposite sides of a body can squeeze it by any force that friction then holds.
// Puts a solution with the least forces into contacts->found; false: there is none.
bool contacts_solve_least(Contacts *contacts);
// Opens those of them that have no force in it; they close again when something moves.
void contacts_part_squeezed(Contacts *contacts);
// Takes restitution and friction of the machine's values; an error for values without sense.
Status contacts_take_values(Contacts *contacts);
// Coefficients of friction as the machine's values give them now, for who moves these by little.
void contacts_renew_friction(Contacts *contacts);

// Redundant contacts without friction, after an evaluation of lambda: where one pulls although
// others can carry its part, but for `lack` of the largest force, puts the least forces that push
// into lambda. True: it has.
bool contacts_carry(const Contacts *contacts, Dynamics *dynamics, double lack, double *lambda);

// phi below this may be rounding or an error of the method: the gap has not closed yet.
double contact_gap_tolerance(const Contacts *contacts, int contact);
// A force below minus this counts as a pull.
double contact_force_tolerance(const Contacts *contacts, int contact);

#endif
