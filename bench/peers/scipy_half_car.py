"""Ten seconds of a half car over a road of N points with SciPy's DOP853 at 1e-8.

Usage: scipy_half_car.py N; prints CPU seconds and the height of the body at the end.
"""
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

n = int(sys.argv[1])
x = 250.0 * np.arange(n) / (n - 1)
w = 0.02 * np.sin(0.5 * x) + 0.005 * np.sin(3 * x)
slope = np.append(np.diff(w) / np.diff(x), 0.0)


def look_up(s):
    i = np.searchsorted(x, s, side="right") - 1
    if i < 0 or i >= n - 1:
        return w[max(i, 0)], 0.0
    return w[i] + slope[i] * (s - x[i]), 25.0 * slope[i]


def rhs(t, y):
    w1, w1d = look_up(25.0 * t)
    w2, w2d = look_up(25.0 * t - 2.6)
    z, p, z1, z2, zd, pd, z1d, z2d = y
    f1 = 20000 * (z + 1.2 * p - z1) + 1500 * (zd + 1.2 * pd - z1d)
    f2 = 22000 * (z - 1.4 * p - z2) + 1600 * (zd - 1.4 * pd - z2d)
    return [zd, pd, z1d, z2d, -(f1 + f2) / 600, -(1.2 * f1 - 1.4 * f2) / 900,
            (f1 - 200000 * (z1 - w1) - 100 * (z1d - w1d)) / 40,
            (f2 - 200000 * (z2 - w2) - 100 * (z2d - w2d)) / 40]


began = time.process_time()
result = solve_ivp(rhs, (0, 10), np.zeros(8), method="DOP853", rtol=1e-8, atol=1e-10)
print(time.process_time() - began, result.y[0, -1])
