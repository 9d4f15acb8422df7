// How the mass of a solid lies about its centre: S_xx = integral of x^2 dm, S_xy of x y dm ...
//
// Moments of inertia are J_x = S_yy + S_zz and so on; products are S_xy, S_xz, S_yz themselves, so
// that the tensor of inertia has them with a minus sign. S has no negative eigenvalue in nature.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "lang/lower/lower_space.h"
#include "lang/lower/property.h"

static void make_diagonal(Lowering *l, const Expr diagonal[3], Expr out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i][j] = i == j ? diagonal[i] : expr_int(l->cx, 0);
}

// Of even density: S_xx = m a^2 / 12.
static bool moments_of_block(Lowering *l, const Clause *block, Expr mass, Expr out[3][3]) {
  Expr size[3], S[3];
  if (!lower_components(l, block->value, dimension_base(0, 1, 0), space_fixed_rules(),
                        "the size of a block", size) ||
      !mass)
    return false;
  Expr twelfth = expr_ratio(l->cx, 1, 12);
  for (int i = 0; i < 3; i++) S[i] = expr_mul3(l->cx, twelfth, mass, expr_square(l->cx, size[i]));
  make_diagonal(l, S, out);
  return true;
}

// S_xx = m r^2 / 5
static bool moments_of_ball(Lowering *l, const Clause *ball, Expr mass, Expr out[3][3]) {
  Value r = lower_scalar(l, ball->value, space_fixed_rules());
  if (!has_value(r) || !mass ||
      !need_dimension(l, ball->value, r.form[0], form_known(dimension_base(0, 1, 0)), "'ball'"))
    return false;
  Expr fifth = expr_ratio(l->cx, 1, 5);
  Expr S = expr_mul3(l->cx, fifth, mass, expr_square(l->cx, r.at[0]));
  make_diagonal(l, (Expr[]){S, S, S}, out);
  return true;
}

// S_xx = (J_y + J_z - J_x)/2 and so on; none of them is negative in nature.
static bool moments_of_inertia(Lowering *l, const Clause *clause, Expr out[3][3]) {
  Context *cx = l->cx;
  Expr J[3], S[3];
  if (!lower_components(l, clause->value, dimension_base(1, 2, 0), space_fixed_rules(),
                        "the inertia of a solid", J))
    return false;
  double largest = 0;
  for (int i = 0; i < 3; i++) largest = fmax(largest, fabs(parameter_value(l, J[i])));
  for (int i = 0; i < 3; i++) {
    Expr sum = expr_sum(cx, (Expr[]){J[(i + 1) % 3], J[(i + 2) % 3], expr_neg(cx, J[i])}, 3);
    S[i] = expr_scale(cx, NUMBER_HALF, sum);
    if (!(parameter_value(l, sum) < -1e-12 * largest)) continue;
    if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "no body has these moments of inertia"))
      diag_note(cx, "each of the three is at most the sum of the other two");
    return false;
  }
  make_diagonal(l, S, out);
  return true;
}

// No principal minor is negative: the elements are not, nor 2 x 2, nor the whole.
static bool has_no_negative_part(double S[3][3]) {
  double size = fmax(S[0][0], fmax(S[1][1], S[2][2])), det = 0;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double minor = S[j][j] * S[k][k] - S[j][k] * S[k][j];
    if (minor < -1e-12 * size * size) return false;
    det += S[0][i] * (S[1][j] * S[2][k] - S[1][k] * S[2][j]);
  }
  return det >= -1e-12 * size * size * size;
}

static bool add_products(Lowering *l, const Clause *clause, Expr out[3][3]) {
  static const int place[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  Expr P[3];
  if (!lower_components(l, clause->value, dimension_base(1, 2, 0), space_fixed_rules(),
                        "the products of inertia", P))
    return false;
  for (int i = 0; i < 3; i++) {
    int a = place[i][0], b = place[i][1];
    out[a][b] = out[b][a] = P[i];
  }
  double S[3][3];
  for (int i = 0; i < 9; i++) S[i / 3][i % 3] = parameter_value(l, out[i / 3][i % 3]);
  if (has_no_negative_part(S)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, clause->value->span,
                  "no body has these products with its moments of inertia"))
    diag_note(l->cx, "they are the integrals of x y, x z and y z over the mass, about the centre; "
                     "in the tensor of inertia they have a minus sign");
  return false;
}

bool lower_moments(Lowering *l, const Statement *s, Symbol name, Expr mass, Expr out[3][3]) {
  Context *cx = l->cx;
  const Clause *block = property_find(l, s, "block"), *ball = property_find(l, s, "ball");
  const Clause *products = property_find(l, s, "products");
  const Clause *more = block && ball ? ball : block || ball ? property_find(l, s, "inertia") : NULL;
  if (!more && (block || ball)) more = products;
  if (more) {
    lower_error(l, QDOT_DUPLICATE_NAME, more->span,
                "the inertia of solid '%s' is given twice: '%s' already gives it",
                symbol_text(cx, name), block ? "block" : "ball");
    return false;
  }
  if (block) return moments_of_block(l, block, mass, out);
  if (ball) return moments_of_ball(l, ball, mass, out);
  const Clause *inertia = need_solid_clause(l, s, name, "inertia");
  if (!inertia || !moments_of_inertia(l, inertia, out)) return false;
  return !products || add_products(l, products, out);
}
