// Trigonometric identities that shorten expanded sums.
#ifndef QDOT_EXPR_ALGEBRA_IDENTITIES_H
#define QDOT_EXPR_ALGEBRA_IDENTITIES_H

#include "expr/algebra/polynomial.h"

// A plain polynomial in sines and cosines, shortened pair by pair:
//   s^2 + c^2 = 1, 1 - s^2 = c^2, 1 - c^2 = s^2,
//   cos A cos B +- sin A sin B = cos(A -+ B), sin A cos B +- cos A sin B = sin(A +- B).
Poly poly_shorten(Context *cx, Gather *g, Poly p);

// A Fourier polynomial (one wave a term) as a plain one: pairs of equal size become products,
//   cos A + cos B = 2 cos((A + B)/2) cos((A - B)/2) and its kin, 1 being cos 0,
// where the half angles have whole multiples.
bool poly_has_products(Context *cx, Poly p); // is there any such pair?
Poly poly_to_products(Context *cx, Gather *g, Poly p);

// Even powers of the sine (or cosine) of an angle replaced by 1 - c^2 (or 1 - s^2).
Poly poly_replace_squares(Context *cx, Gather *g, Poly p, Expr wave);

#endif
