// The balance of forces as polynomials, and all their roots.
//
// Where the forces and constraints at rest are polynomials of the coordinates, or of their sines
// and cosines, all states of balance can be counted: a system of degrees d_1 ... d_k has at most
// d_1 d_2 ... d_k isolated complex solutions (Bezout), and a homotopy from a system that has just
// so many leads to each of them. See A. P. Morgan, Solving Polynomial Systems Using Continuation
// for Engineering and Scientific Problems, SIAM, 2009; A. J. Sommese, C. W. Wampler, The Numerical
// Solution of Systems of Polynomials, World Scientific, 2005.
// Sources: polynomials.c, homotopy.c
#ifndef QDOT_ANALYSE_EQUILIBRIUM_POLYNOMIALS_H
#define QDOT_ANALYSE_EQUILIBRIUM_POLYNOMIALS_H

#include <complex.h>

#include "analyse/equilibrium/steady.h"

enum { POLYNOMIAL_VARIABLES = 10, POLYNOMIAL_PATHS = 512 };

typedef struct Monomial {
  double factor, size; // size: the sum of what it was added up from
  uint8_t power[POLYNOMIAL_VARIABLES];
} Monomial;
typedef VEC(Monomial) Polynomial;

// As many equations as variables.
typedef struct PolynomialSystem {
  uint32_t n;
  Polynomial equation[POLYNOMIAL_VARIABLES];
  uint32_t degree[POLYNOMIAL_VARIABLES];
} PolynomialSystem;

typedef enum RootKind {
  ROOT_REAL,
  ROOT_COMPLEX,
  ROOT_AT_INFINITY,
  ROOT_MULTIPLE, // where paths meet, or one that is neither surely real nor surely complex
  ROOT_LOST      // a path that could not be followed
} RootKind;

typedef struct PolynomialRoot {
  RootKind kind;
  double complex x[POLYNOMIAL_VARIABLES];
} PolynomialRoot;

// One root for each path, Bezout's number of them; the same for the same seed. NULL where there are
// more than POLYNOMIAL_PATHS, or an equation has no variable.
PolynomialRoot *polynomial_roots(Context *cx, Arena *arena, const PolynomialSystem *system,
                                 uint64_t seed, uint32_t *count);

// Are these all roots: is none lost, none met twice, and every complex one there with its
// conjugate?
bool polynomial_roots_are_all(const PolynomialSystem *system, const PolynomialRoot *roots,
                              uint32_t count);

// All places at which the forces may balance: roots as states, near enough for Newton's iteration.
typedef struct BalanceRoots {
  VEC(Steady *) at;
  VEC(bool) is_sure; // by state: a simple real root; else one that may be none
  bool are_all;      // beside multiple ones: nothing was lost on the way
} BalanceRoots;

// False where the balance is no polynomial, or too large a one. start: what is fixed has its values
// there. is_free: coordinates that nothing depends on.
bool balance_roots(Balance *b, const Steady *start, const SteadyFreedom *free, const bool *is_free,
                   Arena *arena, BalanceRoots *out);

#endif
