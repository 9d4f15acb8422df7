"""SymPy's Linearizer on the double pendulum of uniform rods in natural coordinates.

Prints CPU seconds for deriving and linearizing (start-up excluded), operations in A, and the two
natural frequencies in rad/s. With the argument "paper" the coordinates stand in the order of the
paper, x_1, y_1, x_2, y_2, x_3, y_3, else the independent ones first. The point and the multipliers,
which Qdot finds itself, are given.
"""
import sys
import time

from sympy import Matrix, Rational, count_ops, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

began = time.process_time()
m1, m2, L1, L2, g = symbols("m_1 m_2 L_1 L_2 g", positive=True)
x1, y1, x2, y2, x3, y3 = dynamicsymbols("x_1 y_1 x_2 y_2 x_3 y_3")
t = dynamicsymbols._t


def rod(m, a, b):
    u, v = a.diff(t), b.diff(t)
    return m / 6 * (u**2 + u * v + v**2)


T = rod(m1, x1, x2) + rod(m1, y1, y2) + rod(m2, x2, x3) + rod(m2, y2, y3)
V = m1 * g * (y1 + y2) / 2 + m2 * g * (y2 + y3) / 2
rows = [x1, y1, (x2 - x1) ** 2 + (y2 - y1) ** 2 - L1**2, (x3 - x2) ** 2 + (y3 - y2) ** 2 - L2**2]
order = [x1, y1, x2, y2, x3, y3] if "paper" in sys.argv else [x2, x3, x1, y1, y2, y3]
free, held = [x2, x3], [q for q in order if q not in (x2, x3)]
method = LagrangesMethod(T - V, order, hol_coneqs=rows)
method.form_lagranges_equations()
lam = list(method.lam_vec)
point = {x1: 0, y1: 0, x2: 0, x3: 0, y2: -L1, y3: -L1 - L2}
point.update({q.diff(t): 0 for q in order})
point.update(zip(lam, [0, g * (m1 + m2), -g * (m1 + 2 * m2) / (4 * L1), -g * m2 / (4 * L2)]))
linear = method.to_linearizer(q_ind=free, q_dep=held, qd_ind=[q.diff(t) for q in free],
                              qd_dep=[q.diff(t) for q in held])
A, B = linear.linearize(op_point=[point], A_and_B=True)
print(time.process_time() - began)
print(count_ops(Matrix(A)))
numbers = {m1: 1, m2: 2, L1: 1, L2: Rational(1, 2), g: Rational(981, 100)}
values = sorted(abs(complex(e)) for e in Matrix(A).subs(numbers).evalf().eigenvals(multiple=True))
print(values[0])
print(values[-1])
