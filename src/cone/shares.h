// What several contacts or joints at rest hold together, where they can share it in many ways.
#ifndef QDOT_CONE_SHARES_H
#define QDOT_CONE_SHARES_H

#include <stdbool.h>

#include "base/arena.h"

// One that holds so little of what others do has nothing to hold with.
static const double SHARE_EMPTY = 1e-12;
// Forces balance each other where so little of them is left; a load that is so small beside what it
// balances is none.
#define SHARE_BALANCED 1e-10
#define SHARE_NO_LOAD 1e-12
// The price of z^2 beside sigma: so small that it only decides between shares that are as good.
#define SHARE_PRICE 1e-4

// x = x_0 + z open says what each carries, c = c_0 + z grip what it holds at most, N = N_0 + z
// press what presses the contacts.
typedef struct Shares {
  int n, contacts, open_count;
  double *x_0, *c_0, *N_0;     //
  double *open, *grip, *press; // open_count rows each
  double *x, *c, *z, *best;    // best: of the z that were found
  double *most, *by;           // what c could be under the heaviest load, what it is measured by
  double *pull;                // by z: what the size of all forces gains
  double sigma;                // of the last linear program
} Shares;

// Room for n that hold, so many contacts and open directions; all zero.
Shares shares_new(Arena *arena, int n, int contacts, int open_count);

// The shares z, with x and c, for which the one that is used most is used least, and how much that
// is: |x|/c. With a price, a small one, of such shares the smallest forces. False: none has all N
// at least 0. Where more is needed than all can hold, use is above 1, and x and c are of no
// meaning.
bool shares_find(Arena *scratch, Shares *shares, double price, double *use);

// The shares with the least sum of N for which all hold; false: there are none.
bool shares_find_least(Arena *scratch, Shares *shares);

// x and c for z; the use of the one that is used most.
double shares_use(Shares *shares);

// Does every contact rest without friction at z = 0, but for rounding?
bool shares_need_none(const Shares *shares);

// Could contacts press each other by any force, friction being enough for it?
bool shares_are_wedged(Arena *scratch, const Shares *shares);

// Forces that balance each other: combinations of the rows of A, rows x n, that vanish. Returns how
// many there are; *out, in the arena, has so many rows of as many factors as A has rows.
int shares_find_balances(Arena *arena, int rows, int n, const double *A, double **out);

#endif
