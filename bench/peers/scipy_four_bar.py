"""Ten simulated seconds of the four-bar in nine coordinates with SciPy's solve_ivp at 1e-8.

Usage: scipy_four_bar.py dop853|rk45 q1 ... q9 v1 ... v9; prints CPU seconds, the crank's angle at the
end and the largest violation of a constraint. Constraints by SymPy, made numerical by lambdify;
Baumgarte's stabilization, as SciPy has no projection.
"""
import sys
import time

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

r1, r2, r3, r4, g = 2.0, 0.8, 1.8, 1.5, 9.81
m2, m3, m4 = 1.0, 2.0, 1.5
mass = np.diag([m2, m2, m2 * r2**2 / 12, m3, m3, m3 * r3**2 / 12, m4, m4, m4 * r4**2 / 12])
force = np.array([0, -m2 * g, 0, 0, -m3 * g, 0, 0, -m4 * g, 0])
q, v = sp.symbols("x2 y2 a2 x3 y3 a3 x4 y4 a4"), sp.symbols("v:9")
x2, y2, a2, x3, y3, a3, x4, y4, a4 = q
c, s = sp.cos, sp.sin
phi = sp.Matrix([
    x2 - r2 / 2 * c(a2), y2 - r2 / 2 * s(a2),
    x3 - r2 * c(a2) - r3 / 2 * c(a3), y3 - r2 * s(a2) - r3 / 2 * s(a3),
    x4 - r1 - r4 / 2 * c(a4), y4 - r4 / 2 * s(a4),
    r2 * c(a2) + r3 * c(a3) - r1 - r4 * c(a4), r2 * s(a2) + r3 * s(a3) - r4 * s(a4)])
jacobian = phi.jacobian(q)
rate = jacobian * sp.Matrix(v)
gamma = -rate.jacobian(q) * sp.Matrix(v)
equations = sp.lambdify(q + v, (phi, jacobian, rate, gamma), cse=True)
residual = sp.lambdify(q, phi)
ALPHA = BETA = 10.0


def rhs(t, x):
    p, pq, pd, gam = equations(*x)
    kkt = np.block([[mass, pq.T], [pq, np.zeros((8, 8))]])
    right = np.concatenate([force, (gam - 2 * ALPHA * pd - BETA**2 * p)[:, 0]])
    return np.concatenate([x[9:], np.linalg.solve(kkt, right)[:9]])


method = sys.argv[1].upper()
start = np.array([float(word) for word in sys.argv[2:]])
began = time.process_time()
solution = solve_ivp(rhs, (0, 10), start, method=method, rtol=1e-8, atol=1e-8)
took = time.process_time() - began
drift = max(np.abs(residual(*state[:9])).max() for state in solution.y.T)
print("%.6g %.17g %.6g" % (took, solution.y[2, -1], drift))
