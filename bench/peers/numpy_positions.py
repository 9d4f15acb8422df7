"""Positions of a four-bar by Newton's method with NumPy, each from the one before.

Usage: numpy_positions.py COUNT; prints CPU seconds a position and the rocker's last angle.
"""
import sys
import time

import numpy as np

a, b, c, d = 0.1, 0.3, 0.25, 0.35


def rows(x, phi):
    return np.array([a*np.cos(phi) + b*np.cos(x[0]) - d - c*np.cos(x[1]),
                     a*np.sin(phi) + b*np.sin(x[0]) - c*np.sin(x[1])])


def slopes(x):
    return np.array([[-b*np.sin(x[0]), c*np.sin(x[1])], [b*np.cos(x[0]), -c*np.cos(x[1])]])


def main(count):
    x, phi = np.array([0.9272952180016124, 1.8545904360032246]), 0.0
    began = time.process_time()
    for _ in range(count):
        phi += 2*np.pi/360
        while True:
            change = np.linalg.solve(slopes(x), rows(x, phi))
            x = x - change
            if np.max(np.abs(change)) < 1e-8:
                break
    print((time.process_time() - began)/count, x[1])


main(int(sys.argv[1]))
