"""CPU seconds that SymPy's LagrangesMethod takes for the N-link pendulum with all symbols.

Usage: sympy_pendulum.py N ...; prints one number a line. Start-up is not counted.
"""
import sys
import time

from sympy import cos, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols


def derive(n):
    t = dynamicsymbols._t
    g = symbols("g")
    q = dynamicsymbols(f"q1:{n + 1}")
    x = y = T = V = 0
    for i, a in enumerate(q, 1):
        m, L, d, J = symbols(f"m{i} L{i} d{i} I{i}")
        xc, yc = x + d * sin(a), y - d * cos(a)
        x, y = x + L * sin(a), y - L * cos(a)
        T += m * (xc.diff(t) ** 2 + yc.diff(t) ** 2) / 2 + J * a.diff(t) ** 2 / 2
        V += m * g * yc
    method = LagrangesMethod(T - V, list(q))
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing


for word in sys.argv[1:]:
    start = time.process_time()
    derive(int(word))
    print(time.process_time() - start, flush=True)
