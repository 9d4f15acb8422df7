#!/usr/bin/env python3
"""Random models with data files, samples and latches against SciPy: actions.py BUILD [ROUNDS]

A mass on a spring whose other end follows a table of a file, pushed by a relay with hysteresis and by a
sampled, limited and lagging damper; SciPy integrates from knot to sample to crossing.
"""
import csv, os, random, subprocess, sys, tempfile

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

BUILD, ROUNDS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
END, EVERY, LAG = 3.0, 0.05, 0.03
MODEL = """param m = {m!r} [kg], k = {k!r} [N/m], c = {c!r} [N*s/m], F = {F!r} [N], d = {d!r} [m], K = {K!r} [N*s/m]
coord x = 0 [m]
state f = 0 [N]
memory s = 1
input u = 0 [N]
rate f = (u - f)/(0.03 [s])
let z = table(t, "road.csv", t [s], z{cubic})
kinetic = 1/2*m*x'^2
potential = 1/2*k*(x - z)^2
dissipation = 1/2*c*x'^2
force x = s*F + f
when x >= d: s = -1
when x <= -d: s = 1
sample every {T!r} [s]: u = -K*x'
limit u in -0.5..0.5 [N]
simulate to 3 [s] every 0.05 [s] using rk853(rtol = 1e-11)
"""


def write_road(path, times, heights):
    with open(path, "w") as file:
        file.write("t; z [mm]\n")
        for row in zip(times, heights):
            file.write("; ".join(repr(float(v)).replace(".", ",") for v in row) + "\n")


def integrate(p, z, knots):
    """The state at every row, by pieces on which everything is smooth."""
    samples = [i * p["T"] for i in range(int(END / p["T"]) + 1)]
    grid = [i * EVERY for i in range(int(END / EVERY) + 1)]
    y, t, s, u, taken, rows = np.zeros(3), 0.0, 1, 0.0, 0, []
    above = lambda t, y: y[0] - p["d"]
    below = lambda t, y: y[0] + p["d"]
    above.direction, below.direction = 1, -1
    above.terminal = below.terminal = True
    for stop in sorted(set(samples + grid + [k for k in knots if 0 < k < END])):
        while t < stop - 1e-12:
            rates = lambda t, y: [y[1], (-p["k"] * (y[0] - z(t)) - p["c"] * y[1] + s * p["F"] + y[2]) / p["m"],
                                  (u - y[2]) / LAG]
            piece = solve_ivp(rates, (t, stop), y, method="DOP853", rtol=1e-12, atol=1e-14,
                              events=[above, below])
            y, t = piece.y[:, -1], piece.t[-1]
            if piece.status == 1:
                s = -1 if len(piece.t_events[0]) else 1
                y, t = y + 1e-13 * np.array([y[1], 0, 0]), t + 1e-13  # off the surface
        t = stop
        if taken < len(samples) and abs(samples[taken] - stop) < 1e-12:
            u, taken = max(-0.5, min(0.5, -p["K"] * y[1])), taken + 1
        if len(rows) < len(grid) and abs(grid[len(rows)] - stop) < 1e-12:
            rows.append(y.copy())
    return rows


random.seed(int(os.environ.get("QDOT_SEED", "1")))
worst = 0
for number in range(ROUNDS):
    times = np.cumsum([0] + [random.uniform(0.05, 0.3) for _ in range(40)])
    heights = np.array([random.uniform(-20, 20) for _ in times])
    ranges = {"m": (0.5, 2), "k": (20, 80), "c": (0.2, 1), "F": (1, 3), "d": (0.003, 0.02), "K": (1, 8),
              "T": (0.02, 0.06)}
    p = {name: random.uniform(*bounds) for name, bounds in ranges.items()}
    cubic = number % 2 == 1
    with tempfile.TemporaryDirectory() as folder:
        write_road(os.path.join(folder, "road.csv"), times, heights)
        with open(os.path.join(folder, "model.qdot"), "w") as file:
            file.write(MODEL.format(cubic=", cubic" if cubic else "", **p))
        subprocess.run([BUILD + "/qdot", "simulate", "model.qdot", "--out", "out"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "out", "results.csv")) as file:
            found = list(csv.DictReader(file))
    z = CubicSpline(times, heights * 1e-3) if cubic else lambda t: np.interp(t, times, heights * 1e-3)
    wanted = integrate(p, z, [float(v) for v in times])
    assert len(found) == len(wanted), (len(found), len(wanted))
    for row, y in zip(found, wanted):
        worst = max(worst, abs(float(row["x"]) - y[0]), abs(float(row["f"]) - y[2]))
print(f"{ROUNDS} models, largest difference {worst:.1e}")
sys.exit(0 if worst < 1e-9 else 1)
