// Model texts and their derivation.
#include "support/textbook.h"

#include <string.h>

#include "derive/formulate.h"
#include "lang/read.h"
#include "support/check.h"

const char textbook_triple_arm[] =
    "param m_1 = 2, m_2 = 1.5, m_3 = 0.5, L_1 = 0.3, L_2 = 0.25\n"
    "param z_1 = 0.15, z_2 = 0.12, z_3 = 0.08, g = 9.81\n"
    "coord q_1 = 2.5, q_2 = 2.8, q_3 = 3\n"
    "let r_1 = (z_1*sin(q_1), z_1*cos(q_1))\n"
    "let e_1 = (L_1*sin(q_1), L_1*cos(q_1))\n"
    "let r_2 = e_1 + (z_2*sin(q_2), z_2*cos(q_2))\n"
    "let e_2 = e_1 + (L_2*sin(q_2), L_2*cos(q_2))\n"
    "let r_3 = e_2 + (z_3*sin(q_3), z_3*cos(q_3))\n"
    "kinetic = 1/2*m_1*dot(r_1', r_1') + 1/2*m_2*dot(r_2', r_2') + 1/2*m_3*dot(r_3', r_3')\n"
    "potential = g*(m_1*r_1.y + m_2*r_2.y + m_3*r_3.y)\n";

const char textbook_polar_robot[] =
    "param m_1 = 2, m_2 = 1, l_1 = 1, l_2 = 0.5, g = 9.81\n"
    "coord q_1 = 1, q_2 = 0.5\n"
    "let r = (q_1*cos(q_2), q_1*sin(q_2))\n"
    "kinetic = 1/2*m_2*dot(r', r') + (m_1*l_1^2/6 + m_2*l_2^2/24)*q_2'^2\n"
    "potential = g*sin(q_2)*(l_1*m_1/2 + m_2*q_1)\n";

const char textbook_spherical_pendulum[] =
    "param m = 1, l = 1, g = 9.81\n"
    "coord theta = 1, phi = 0\n"
    "let r = (l*sin(theta)*cos(phi), l*sin(theta)*sin(phi), -l*cos(theta))\n"
    "kinetic = 1/2*m*dot(r', r')\n"
    "potential = m*g*r.z\n";

const char textbook_cart_double_pendulum[] =
    "param M = 3, m_1 = 1, m_2 = 1, J_1 = 0.1, J_2 = 0.1, L_1 = 1, L_2 = 1, g = 9.81\n"
    "coord x = 0, theta_1 = 0.1, theta_2 = 0.2\n"
    "let a = (x + L_1*sin(theta_1), -L_1*cos(theta_1))\n"
    "let b = a + (L_2*sin(theta_1 + theta_2), -L_2*cos(theta_1 + theta_2))\n"
    "kinetic = 1/2*M*x'^2 + 1/2*m_1*dot(a', a') + 1/2*m_2*dot(b', b')\n"
    "kinetic = 1/2*J_1*theta_1'^2 + 1/2*J_2*(theta_1' + theta_2')^2\n"
    "potential = g*(m_1*a.y + m_2*b.y)\n";

const char textbook_euler_body[] = "param I_1 = 1, I_2 = 2, I_3 = 3\n"
                                   "coord phi = 0, theta = 0.5, psi = 0\n"
                                   "let w_1 = phi'*sin(theta)*sin(psi) + theta'*cos(psi)\n"
                                   "let w_2 = phi'*sin(theta)*cos(psi) - theta'*sin(psi)\n"
                                   "let w_3 = phi'*cos(theta) + psi'\n"
                                   "kinetic = 1/2*(I_1*w_1^2 + I_2*w_2^2 + I_3*w_3^2)\n";

const char textbook_chain[] = "count N = 3\n"
                              "param g = 9.81\n"
                              "let r[0] = (0, 0)\n"
                              "for i in 1..N\n"
                              "  param m[i] = 1, L[i] = 1\n"
                              "  coord theta[i] = 0.1\n"
                              "  let r[i] = r[i-1] + (L[i]*sin(theta[i]), -L[i]*cos(theta[i]))\n"
                              "  kinetic = 1/2*m[i]*dot(r[i]', r[i]')\n"
                              "  potential = m[i]*g*r[i].y\n"
                              "end\n";

const char textbook_spring_pendulum[] = "param m = 1, k = 40, l_0 = 1, g = 9.81, a = 0.2\n"
                                        "coord x = 0.1, y = -1.2\n"
                                        "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                                        "potential = m*g*y + 1/2*k*(norm((x - a, y)) - l_0)^2\n";

const char textbook_two_springs[] =
    "param m = 1, k = 40, K = 30, l_0 = 1, L_0 = 2, g = 9.81, a = 0.2, b = 3, c = 1\n"
    "coord x = 0.1, y = -1.2\n"
    "let l = norm((x - a, y)), L = norm((x - b, y))\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\n"
    "potential = m*g*y + 1/2*k*(l - l_0)^2 + 1/2*K*(L - L_0)^2\n"
    "dissipation = 1/2*c*l'^2\n";

Textbook textbook_derive(Context *cx, const char *text, const char *override) {
  Textbook book = {0};
  ReadOptions options = {.overrides = &override, .override_count = override != NULL};
  assert_int_equal(model_read(cx, "textbook", text, strlen(text), &options, &book.model), QDOT_OK);
  assert_int_equal(model_formulate(cx, book.model, FORMULATION_LAGRANGE, &book.model), QDOT_OK);
  assert_int_equal(derive_system(cx, book.model, DERIVE_MATRICES, &book.system), QDOT_OK);
  return book;
}

Expr textbook_expr(Context *cx, const Textbook *book, const char *text) {
  Expr e = 0;
  assert_int_equal(expression_read(cx, book->model, "expected", text, strlen(text), &e), QDOT_OK);
  return e;
}
