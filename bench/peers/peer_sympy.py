"""The newest SymPy: M and f of rods, and the textbook form of a triple arm, as bench/peers/sympy_*.py do with
the packaged one."""
import time

from sympy import Matrix, cos, expand, lambdify, sin, symbols, trigsimp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from beside import acceleration_error, attempt, least, masses, row, state

TOOL = "SymPy"


def derive(n):
    t = dynamicsymbols._t
    g = symbols("g")
    q = dynamicsymbols(f"q1:{n + 1}")
    x = y = T = V = 0
    for i, a in enumerate(q, 1):
        m, L = symbols(f"m{i} L{i}")
        xc, yc = x + L / 2 * sin(a), y - L / 2 * cos(a)
        x, y = x + L * sin(a), y - L * cos(a)
        T += m * (xc.diff(t) ** 2 + yc.diff(t) ** 2) / 2 + m * L**2 / 12 * a.diff(t) ** 2 / 2
        V += m * g * yc
    method = LagrangesMethod(T - V, list(q))
    method.form_lagranges_equations()
    return q, method.mass_matrix, method.forcing


def derivations():
    row(TOOL, "derive/10", least(lambda: derive(10), 1), remark="LagrangesMethod")


def first():
    import numpy as np

    began = time.process_time()
    n = 5
    q, M, f = derive(n)
    t = dynamicsymbols._t
    v = [a.diff(t) for a in q]
    call = lambdify([*v, *q, *symbols(f"m1:{n + 1}"), *symbols(f"L1:{n + 1}"), symbols("g")], (M, f), cse=True)
    angles, rates = state(n)
    mass, force = call(*rates, *angles, *masses(n), *[1.0] * n, 9.81)
    qdd = np.linalg.solve(mass, force)[:, 0]
    row(TOOL, "first/5", time.process_time() - began, acceleration_error(qdd), "lambdify with cse")


def textbook():
    def work():
        t = dynamicsymbols._t
        g, L1, L2 = symbols("g L_1 L_2", positive=True)
        m, z = symbols("m_1:4", positive=True), symbols("z_1:4", positive=True)
        q = dynamicsymbols("q_1:4")
        at = [Matrix([sin(a), cos(a)]) for a in q]
        points = [z[0] * at[0], L1 * at[0] + z[1] * at[1], L1 * at[0] + L2 * at[1] + z[2] * at[2]]
        T = sum(mass * r.diff(t).dot(r.diff(t)) / 2 for mass, r in zip(m, points))
        V = sum(mass * g * r[1] for mass, r in zip(m, points))
        method = LagrangesMethod(T - V, list(q))
        method.form_lagranges_equations()
        method.mass_matrix.applyfunc(lambda e: trigsimp(expand(e)))
        method.forcing.applyfunc(lambda e: trigsimp(expand(e)))
    row(TOOL, "textbook/3", least(work, 1), remark="trigsimp of the expanded entries; its start not counted")


for name, work in (("textbook/3", textbook), ("first/5", first), ("derive/10", derivations)):
    attempt(TOOL, name, work)
