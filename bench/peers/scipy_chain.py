"""One simulated second of N uniform rods with SciPy's DOP853: prints CPU seconds for every N given."""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp


def chain(n):
    m = (101 + np.arange(n)) * 0.01
    beyond = np.concatenate([np.cumsum(m[::-1])[::-1][1:], [0.0]])
    lever = 0.5 * m + beyond
    A = np.minimum.outer(np.zeros(n), np.zeros(n))
    for i in range(n):
        A[i, : i + 1] = A[: i + 1, i] = lever[i]
        A[i, i] = m[i] / 12 + 0.25 * m[i] + beyond[i]
    B = 9.81 * lever

    def rhs(t, x):
        q, qd = x[:n], x[n:]
        d = q[:, None] - q[None, :]
        M = A * np.cos(d)
        f = -B * np.sin(q) - (A * np.sin(d)) @ (qd * qd)
        return np.concatenate([qd, np.linalg.solve(M, f)])

    return rhs


for word in sys.argv[1:]:
    n = int(word)
    rhs = chain(n)
    start = np.concatenate([np.full(n, 0.3), np.zeros(n)])
    least = 1e300
    for _ in range(3):
        began = time.process_time()
        solve_ivp(rhs, (0, 1), start, method="DOP853", rtol=1e-8, atol=1e-8)
        least = min(least, time.process_time() - began)
    print("%.6g" % least)
