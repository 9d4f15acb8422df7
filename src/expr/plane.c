// Vectors in the plane. Every product has a name, so that the order in which they are made is told
// here and not chosen by the compiler; see tools/check-order.
#include "expr/plane.h"

Expr plane_dot(Context *cx, const Expr a[2], const Expr b[2]) {
  Expr x = expr_mul(cx, a[0], b[0]);
  Expr y = expr_mul(cx, a[1], b[1]);
  return expr_add(cx, x, y);
}

Expr plane_cross(Context *cx, const Expr a[2], const Expr b[2]) {
  Expr forward = expr_mul(cx, a[0], b[1]);
  Expr backward = expr_mul(cx, a[1], b[0]);
  return expr_sub(cx, forward, backward);
}

Expr plane_square(Context *cx, const Expr a[2]) {
  Expr x = expr_square(cx, a[0]);
  Expr y = expr_square(cx, a[1]);
  return expr_add(cx, x, y);
}

Expr plane_distance(Context *cx, const Expr from[2], const Expr to[2]) {
  Expr x = expr_sub(cx, to[0], from[0]);
  Expr y = expr_sub(cx, to[1], from[1]);
  return expr_sqrt(cx, plane_square(cx, (Expr[]){x, y}));
}

void plane_turn(Context *cx, Expr c, Expr s, const Expr v[2], Expr out[2]) {
  out[0] = plane_cross(cx, (Expr[]){c, s}, (Expr[]){v[1], v[0]}); // c v_x - s v_y
  out[1] = plane_dot(cx, (Expr[]){s, c}, v);                      // s v_x + c v_y
}

void plane_turn_by(Context *cx, Expr angle, const Expr v[2], Expr out[2]) {
  Expr c = expr_cos(cx, angle);
  Expr s = expr_sin(cx, angle);
  plane_turn(cx, c, s, v, out);
}
