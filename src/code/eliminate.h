// Linear systems solved while the program is written: symmetric, sparse, with an order of
// elimination that is fixed beforehand and watched when it runs.
//
// The unknowns are of four kinds. A plain one has a positive pivot when its turn comes (the mass
// seen by a coordinate). A defined one, w, comes with a definition, the multiplier of a row
// w - sum c x = b; the pair has the pivot block [[H, 1], [1, 0]], whose inverse needs no division.
// A constraint is the multiplier of any other row; its pivot is negative.
//
// Definitions go in reverse order of their indices, a plain unknown as soon as no definition
// touches it, a constraint as soon as nothing but constraints does. On chains and trees of
// definitions this is the articulated-body recursion and costs O(n); without definitions it is
// LDL^T. Where many plain unknowns are coupled, or one has no diagonal entry of its own, or it is
// said what supports the constraints, one goes as soon as half of the unknowns that it acts on are
// gone: on ladders of loops the cost is then O(n), too.
#ifndef QDOT_CODE_ELIMINATE_H
#define QDOT_CODE_ELIMINATE_H

#include "code/builder.h"

typedef struct Elimination Elimination;

// n plain unknowns, a matrix of zeros. Lives in the builder's memory.
Elimination *elimination_new(ProgramBuilder *builder, uint32_t n);
// w and definition become a pair; their common entry is 1 and must not be added to. Pairs are
// declared in the order in which the definitions depend on each other, first ones first.
void elimination_define(Elimination *e, uint32_t w, uint32_t definition);
void elimination_constrain(Elimination *e, uint32_t multiplier);

// The constraint's row changes with a plain unknown, if only through definitions. Where this is
// said for all, a constraint may go early among definitions, too.
void elimination_support(Elimination *e, uint32_t constraint, uint32_t plain);

// elimination_solve_first gives up, as if a pivot were zero, once the program has more steps.
void elimination_limit(Elimination *e, uint32_t most_steps); // 0: no limit

// What the unknown is called in exported sources; its solution is named after it, and its pivot.
void elimination_name(Elimination *e, uint32_t i, Symbol name);

// Adds to entry (i, j) and, when i != j, to (j, i).
void elimination_add(Elimination *e, uint32_t i, uint32_t j, Slot value);

// Factors the matrix and solves for the first right-hand side (NO_SLOT is 0). False, without
// solution, when some pivot is zero whatever the values: then only pivoting can help.
bool elimination_solve_first(Elimination *e, const Slot *rhs, Slot *x);
// Solves for another right-hand side with the same factors.
void elimination_solve(Elimination *e, const Slot *rhs, Slot *x);

// phi M^-1 phi^T of a constraint's row, or as much of it as there is when its turn comes; NO_SLOT
// where it has none. After a solution.
Slot elimination_reach(const Elimination *e, uint32_t constraint);

// A measure of the loss at the pivots: the sum of |all that was added to a pivot / what is left
// after subtraction|. Of the order of n when all is well; multiplied by the machine's precision it
// estimates the relative error. Not finite where a pivot vanished.
Slot elimination_loss(const Elimination *e);
// The inverse of a plain unknown's or a constraint's pivot, after elimination. That of a constraint
// grows without bound where its row vanishes, which is not a loss of significance.
Slot elimination_inverse(const Elimination *e, uint32_t i);

#endif
