"""One simulated second of N uniform rods with SciPy's solve_ivp at 1e-8.

Usage: scipy_chain.py dop853|rk45|numpy N ...; prints CPU seconds and the first angle for every N. The
equations are SymPy's, made numerical by lambdify; `numpy` is DOP853 with equations written by hand
over whole arrays.
"""
import sys
import time

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp


def coefficients(n):
    m = (101 + np.arange(n)) * 0.01
    beyond = np.concatenate([np.cumsum(m[::-1])[::-1][1:], [0.0]])
    lever = 0.5 * m + beyond
    A = np.zeros((n, n))
    for i in range(n):
        A[i, : i + 1] = A[: i + 1, i] = lever[i]
        A[i, i] = m[i] / 12 + 0.25 * m[i] + beyond[i]
    return A, 9.81 * lever


def by_hand(n):
    A, B = coefficients(n)

    def rhs(t, x):
        q, qd = x[:n], x[n:]
        d = q[:, None] - q[None, :]
        M = A * np.cos(d)
        f = -B * np.sin(q) - (A * np.sin(d)) @ (qd * qd)
        return np.concatenate([qd, np.linalg.solve(M, f)])

    return rhs


def lambdified(n):
    A, B = coefficients(n)
    q, v = sp.symbols(f"q:{n}"), sp.symbols(f"v:{n}")
    M = sp.Matrix(n, n, lambda i, j: A[i, j] * sp.cos(q[i] - q[j]))
    f = sp.Matrix([-B[i] * sp.sin(q[i]) - sum(A[i, j] * sp.sin(q[i] - q[j]) * v[j]**2 for j in range(n))
                   for i in range(n)])
    equations = sp.lambdify(q + v, (M, f), cse=True)

    def rhs(t, x):
        mass, force = equations(*x)
        return np.concatenate([x[n:], np.linalg.solve(mass, force)[:, 0]])

    return rhs


way = sys.argv[1]
for word in sys.argv[2:]:
    n = int(word)
    rhs = by_hand(n) if way == "numpy" else lambdified(n)
    start = np.concatenate([np.full(n, 0.3), np.zeros(n)])
    method = "RK45" if way == "rk45" else "DOP853"
    least = 1e300
    for _ in range(3):
        began = time.process_time()
        solution = solve_ivp(rhs, (0, 1), start, method=method, rtol=1e-8, atol=1e-8)
        least = min(least, time.process_time() - began)
    print("%.6g %.17g" % (least, solution.y[0, -1]), flush=True)
