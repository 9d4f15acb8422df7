"""The questions of bench_ask with SciPy: derivatives by finite differences.

Usage: scipy_ask.py chain | fit FILE | find; prints CPU seconds.
"""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares, minimize


def chain(m, L):
    n = len(m)
    beyond = np.concatenate([np.cumsum(m[::-1])[::-1][1:], [0.0]])
    A = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            A[i, j] = A[j, i] = (0.5 * m[i] + beyond[i]) * L[i] * L[j]
        A[i, i] = (m[i] / 3 + beyond[i]) * L[i] ** 2
    B = 9.81 * (0.5 * m + beyond) * L

    def rhs(t, x):
        q, qd = x[:n], x[n:]
        d = q[:, None] - q[None, :]
        return np.concatenate([qd, np.linalg.solve(A * np.cos(d),
                                                   -B * np.sin(q) - (A * np.sin(d)) @ (qd * qd))])

    run = solve_ivp(rhs, (0, 1), np.concatenate([np.full(n, 0.3), np.zeros(n)]), method="DOP853",
                    rtol=1e-8, atol=1e-10)
    return run.y[:, -1]


def all_slopes():
    p = np.concatenate([(101 + np.arange(5)) * 0.01, np.ones(5)])
    first = chain(p[:5], p[5:])
    slopes = []
    for i in range(10):
        q = p.copy()
        q[i] += 1e-4
        slopes.append((chain(q[:5], q[5:]) - first) / 1e-4)
    return slopes


def fit(path):
    data = np.loadtxt(path, delimiter=",", skiprows=1)

    def residuals(p):
        run = solve_ivp(lambda t, x: [x[1], -9.81 / p[0] * np.sin(x[0]) - p[1] * x[1]],
                        (0, data[-1, 0]), [p[2], 0], t_eval=data[:, 0], method="DOP853", rtol=1e-8,
                        atol=1e-10)
        return run.y[0] - data[:, 1]

    return least_squares(residuals, [0.5, 0.2, 0.5], bounds=([0.01, 0, -3], [9, 2, 3])).x


def press(p):
    """Torque, stroke and side force of the press over a turn, by the positions in closed form."""
    r, l = p
    w, m, F = 4 * np.pi, 4.0, 800.0
    a = np.linspace(0, 2 * np.pi, 4001) + np.pi / 6
    s = -r * np.sin(a) / l
    b = np.arcsin(s)
    bd = -r * np.cos(a) * w / (l * np.cos(b))
    bdd = (r * np.sin(a) * w**2 + l * np.sin(b) * bd**2) / (l * np.cos(b))
    x = r * np.cos(a) + l * np.cos(b)
    xdd = -r * np.cos(a) * w**2 - l * (np.cos(b) * bd**2 + np.sin(b) * bdd)
    # power balance of crank, rod and ram
    xr = -r * np.sin(a) * w - l / 2 * np.sin(b) * bd
    yr = r * np.cos(a) * w + l / 2 * np.cos(b) * bd
    xrd = -r * np.cos(a) * w**2 - l / 2 * (np.cos(b) * bd**2 + np.sin(b) * bdd)
    yrd = -r * np.sin(a) * w**2 + l / 2 * (np.cos(b) * bdd - np.sin(b) * bd**2)
    xd = -r * np.sin(a) * w - l * np.sin(b) * bd
    T = (xr * xrd + yr * yrd + l**2 / 12 * bd * bdd + m * xd * xdd + F * xd) / w
    # the rod about its pin on the crank
    side = -(m * xdd + F) * np.tan(b) + (l / 12 * bdd + (yrd * np.cos(b) - xrd * np.sin(b)) / 2) / np.cos(b)
    return np.abs(T).max(), x.max() - x.min(), np.abs(side).max()


def find():
    best = None
    random = np.random.default_rng(1)
    for k in range(6):
        start = [0.04, 0.2] if k == 0 else [random.uniform(0.02, 0.06), random.uniform(0.1, 0.3)]
        found = minimize(lambda p: press(p)[0] / 30, start, method="SLSQP",
                         bounds=[(0.02, 0.06), (0.1, 0.3)],
                         constraints=[{"type": "eq", "fun": lambda p: press(p)[1] / 0.09 - 1},
                                      {"type": "ineq", "fun": lambda p: 1 - press(p)[2] / 150}])
        if found.success and (best is None or found.fun < best.fun):
            best = found
    return best.x


work = {"chain": all_slopes, "find": find, "fit": lambda: fit(sys.argv[2])}[sys.argv[1]]
least = 1e300
for _ in range(3):
    began = time.process_time()
    work()
    least = min(least, time.process_time() - began)
print(least)
