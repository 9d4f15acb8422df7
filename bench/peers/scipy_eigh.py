"""Frequencies of N masses in a line with SciPy's eigh, K and M given as arrays.

Usage: scipy_eigh.py N ...; prints the least CPU seconds for every N.
"""
import sys
import time

import numpy as np
from scipy.linalg import eigh

for n in map(int, sys.argv[1:]):
    K = 100 * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    M = np.eye(n)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        eigh(K, M)
        best = min(best, time.process_time() - start)
    print(best)
