"""CPU seconds that SymPy takes for the textbook form of the triple pendulum arm: deriving the
equations and trigsimp of the expanded M, then of the expanded rest. Start-up is not counted.
"""
import time

from sympy import Matrix, cos, expand, sin, symbols, trigsimp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

began = time.process_time()
t = dynamicsymbols._t
g, L1, L2 = symbols("g L_1 L_2", positive=True)
m = symbols("m_1:4", positive=True)
z = symbols("z_1:4", positive=True)
q = dynamicsymbols("q_1:4")
at = [Matrix([sin(a), cos(a)]) for a in q]
points = [z[0] * at[0], L1 * at[0] + z[1] * at[1], L1 * at[0] + L2 * at[1] + z[2] * at[2]]
T = sum(mass * r.diff(t).dot(r.diff(t)) / 2 for mass, r in zip(m, points))
V = sum(mass * g * r[1] for mass, r in zip(m, points))
method = LagrangesMethod(T - V, list(q))
method.form_lagranges_equations()
M = method.mass_matrix.applyfunc(lambda e: trigsimp(expand(e)))
f = method.forcing.applyfunc(lambda e: trigsimp(expand(e)))
print(time.process_time() - began)
