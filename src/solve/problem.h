// A mechanical system as the solvers see it: sizes and callbacks over doubles, nothing else.
#ifndef QDOT_SOLVE_PROBLEM_H
#define QDOT_SOLVE_PROBLEM_H

#include <stdbool.h>

#include "base/guard.h"

// The entries of row i that are not zero are first[i] .. first[i + 1]: phi_q of contacts, and v_q.
typedef struct ContactRows {
  const int *first, *index, *slip_first, *slip_index;
  const double *value, *slip_value, *v;
} ContactRows;

// M(q) qdd = f(t, q, qd) - Phi_q^T lambda,  Phi_q qdd = gamma, f = Q - h - D - G.
// n coordinates; m constraint rows, of which the first `holonomic` have a position level Phi(t, q)
// and the others only a velocity level Phi_q qd + Phi_t. Matrices are dense and row-major: M is
// n x n, Phi_q is m x n. Beside them `states` first-order states s, ds/dt = s'(t, q, qd, s), act
// on forces and on velocities that constraints give: wherever qd is handed over, they stand behind
// it, n + states values in all. `quadratures` further states w obey dw/dt = rates(t, q, qd,
// lambda); they are integrated along and do not act back (the work of the energy balance is one).
//
// Callbacks never allocate and never jump. A status other than QDOT_OK makes a method retry with a
// smaller step, and is what the method returns when that does not help.
typedef struct Problem {
  void *user;
  int n, m, holonomic, states, quadratures;
  // Coordinates of one kind are measured alike, as those in metres are: 0, 1 ... kinds - 1 for each
  // of them; NULL where all are of one kind. How large they are in this problem, by kind.
  const int *kind;
  const double *scale;
  int kinds;
  const double *state_scale; // how large each state may be, 0 where that is not known; may be NULL
  bool constant_mass;        // M does not depend on t and q
  bool separates;            // that, and f does not depend on qd: H is T(p) + V(q, t)
  bool linear;               // M, K and C of the tangent are constant
  bool begins_rough; // beyond a switch forces may begin as a broken power of the time since then

  // Fast accelerations: qdd (n), lambda (m), rates (states, then quadratures). QDOT_SINGULAR when a
  // pivot is too small to be trusted: then terms() and a rank-revealing solve take over. May be
  // NULL.
  Status (*forward)(void *user, double t, const double *q, const double *qd, double *qdd,
                    double *lambda, double *rates);
  // Set by the fast callbacks where the pivot of a row is far below the largest that it has had:
  // near a dead position. Who wants to know clears it before. NULL where there are none.
  bool *met_dead;
  // The largest ratio of that kind that a solver of its own has met, where forward() is NULL.
  double *nearest_dead;
  // By how much the pivot of a row is below the largest that it has had; nothing is learned of
  // that. NULL where met_dead is.
  double (*dead_depth)(void *user, double t, const double *q);
  // The same where m is 0, in one go: y = (q, qd, ...), k = (qd, qdd, rates) and room for one value
  // more. May be NULL.
  Status (*derivative)(void *user, double t, const double *y, double *k);
  // All of the equations of motion at one state.
  Status (*terms)(void *user, double t, const double *q, const double *qd, double *M, double *f,
                  double *Phi_q, double *gamma);
  // The part of terms() that depends on t and q alone; needed where m > 0.
  Status (*geometry)(void *user, double t, const double *q, double *M, double *Phi_q);
  // Phi (holonomic rows), and d(Phi)/dt = Phi_q qd + Phi_t (all rows); needed where m > 0.
  Status (*position)(void *user, double t, const double *q, double *Phi);
  Status (*velocity)(void *user, double t, const double *q, const double *qd, double *Phi_dot);
  // How large the numbers are that each row of Phi is computed from: a residual of a few 1e-16 of
  // that is rounding. Where it is NULL, the slopes times the coordinates are taken.
  Status (*position_size)(void *user, double t, const double *q, double *size);
  // Fast projection: Phi, the dq of least mass-weighted size that removes it to first order, and
  // the dqd that removes dPhi/dt, with the norms of the rows (m) in the M^-1 metric. QDOT_SINGULAR
  // as in forward(). May be NULL.
  Status (*project_position)(void *user, double t, const double *q, double *dq, double *Phi);
  Status (*project_velocity)(void *user, double t, const double *q, const double *qd, double *dqd,
                             double *norm);
  // ds/dt, then dw/dt; needed where there are any.
  Status (*rates)(void *user, double t, const double *q, const double *qd, const double *lambda,
                  double *rates);
  // Of r = M qdd - f + Phi_q^T lambda: K = dr/dq and C = dr/dqd, n x n. For the implicit methods.
  Status (*tangent)(void *user, double t, const double *q, const double *qd, const double *qdd,
                    const double *lambda, double *K, double *C);
  // What states add to that: dr/ds (n x states), and of ds/dt the derivatives by q, qd (states x n
  // each) and s (states x states). Needed for the implicit methods where there are states.
  Status (*state_tangent)(void *user, double t, const double *q, const double *qd, double *r_s,
                          double *s_q, double *s_qd, double *s_s);
  // Makes terms() and tangent() ready; may take its time and memory, as it is called between steps
  // when a method first needs them. May be NULL.
  Status (*prepare_implicit)(void *user);
  // Of the Lagrangian L(t, q, v), and the forces F that L does not contain. For `variational`.
  Status (*gradient)(void *user, double t, const double *q, const double *v, double *L_q,
                     double *L_v, double *F);
  // L_qq, L_qv (row: q, column: v), L_vv, and F_q, F_v.
  Status (*hessian)(void *user, double t, const double *q, const double *v, double *L_qq,
                    double *L_qv, double *L_vv, double *F_q, double *F_v);

  // One-sided contacts, for methods that step over impacts; none where events treat them. Each has
  // a gap phi <= 0, a coefficient of restitution and one of friction, 0 where it is smooth.
  int contacts;
  const double *restitution, *friction;
  // phi and d(phi)/dt; valid until the next call, as are the others.
  Status (*gaps)(void *user, double t, const double *q, const double *qd, const double **phi,
                 const double **rate);
  // Their rows, and the velocities v along them.
  Status (*contact_rows)(void *user, double t, const double *q, const double *qd, ContactRows *out);
  double (*energy)(void *user, double t, const double *q, const double *qd);
  // Joints that rub, for the same methods: friction of each within grip times what presses it.
  int joints;
  const double *grip;
  // How fast they slide, and that by the velocities (joints x n).
  Status (*joint_rows)(void *user, double t, const double *q, const double *qd, const double **v,
                       const double **v_q);
  // What presses them, by accelerations, multipliers, and forces that press and rub at contacts and
  // joints, one array behind the other: of joints that which rubs alone counts.
  Status (*joint_presses)(void *user, double t, const double *q, const double *qd,
                          const double *qdd, const double *lambda, const double *pressed,
                          const double *rubbed, const double **out);
} Problem;

#endif
