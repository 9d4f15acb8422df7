"""Motions in pieces with closed ends: a bungee, a pile driver, a gear with an elastic shaft."""
import math

from scipy.integrate import quad

from compare import Result, near
from motions import Motion

G = 9.81


def bungee():
    """A rope that is slack at first, with air drag: what it pulls, and how deep one falls."""
    m, L, k, c, b = 80.0, 25.0, 120.0, 40.0, 0.25
    pull = lambda taut, y: k * (y[0] - L) + c * y[1] if taut else 0.0
    slope = lambda taut: lambda t, y: [y[1], G - (b * y[1] * abs(y[1]) + pull(taut, y)) / m]
    motion = Motion()
    drawn, state, _ = motion.flow(slope(False), 0, [0, 0], 20, lambda t, y: y[0] - L)
    motion.flow(slope(True), drawn, [L, state[1]], 20)  # it does not become slack again
    potential = lambda t, y: -m * G * y[0] + (k / 2 * (y[0] - L)**2 if t > drawn else 0)
    expected = {
        "y": motion.over(lambda t, y: y[0]), "y'": motion.over(lambda t, y: y[1]),
        "y''": motion.over(lambda t, y: slope(t > drawn)(t, y)[1]),
        "F": motion.over(lambda t, y: pull(t > drawn, y)),
        "E_kin": motion.over(lambda t, y: m / 2 * y[1]**2), "E_pot": motion.over(potential),
        "E_tot": motion.over(lambda t, y: m / 2 * y[1]**2 + potential(t, y))}
    run = Result("bungee")
    run.compare(expected, 1e-7, [drawn])
    near("bungee", "the moment when the rope is drawn", run.summary["measures"]["taut"], drawn, 1e-9)
    for name, column in (("deepest", "y"), ("pull", "F")):
        near("bungee", name, run.summary["measures"][name], run.summary["extremes"][column]["max"],
             1e-9)


def pile():
    """A ram falls on a pile that a constant force holds; it bounces, rests on it, and both stop."""
    m, M, F, h, e = 300.0, 120.0, 60e3, 1.2, 0.2
    speed, t = math.sqrt(2 * G * h), math.sqrt(2 * h / G)
    y, ram, driven, lost = 0.0, -speed, 0.0, 0.0
    up = (F - M * G) / M
    times = []
    while True:
        closing = driven - ram
        impulse = (1 + e) * closing / (1 / m + 1 / M)
        lost += (m * ram**2 + M * driven**2) / 2
        ram, driven = ram + impulse / m, driven - impulse / M
        lost -= (m * ram**2 + M * driven**2) / 2
        times.append(t)
        flight = 2 * (ram - driven) / (G + up)
        if flight < 1e-12:
            break
        y += driven * flight + up / 2 * flight**2
        ram, driven, t = ram - G * flight, driven + up * flight, t + flight
    brake = F / (m + M) - G
    y -= driven**2 / (2 * brake)
    run = Result("pile")
    near("pile", "the first impact", run.summary["events"][0]["t"], times[0], 1e-10)
    near("pile", "the depth", run.columns["y"][-1], y, 1e-8)
    near("pile", "the ram rests on the pile", run.columns["x"][-1], y, 1e-8)
    near("pile", "the moment of rest", run.summary["events"][-1]["t"], t - driven / brake, 1e-8)
    near("pile", "the force at rest", run.columns["lambda_anvil"][-1], m * G, 1e-8)
    run.work("impacts", -lost, lost)
    run.work("forces", F * y, lost)


def gearing():
    """A constant torque accelerates a load through a gear and a shaft that twists."""
    J_1, J_2, J_3, i, k, c, T, b = 0.02, 0.3, 2.5, 4.0, 9e3, 6.0, 20.0, 0.4
    J, end = J_1 * i**2 + J_2, 2.0
    shaft = lambda s: k * (s[0] - s[1]) + c * (s[2] - s[3])
    slope = lambda t, s: [s[2], s[3], (i * T - shaft(s)) / J, (shaft(s) - b * s[3]) / J_3]
    motion = Motion()
    motion.flow(slope, 0, [0, 0, 0, 0], end)
    kinetic = lambda s: (J * s[2]**2 + J_3 * s[3]**2) / 2
    elastic = lambda s: k / 2 * (s[0] - s[1])**2
    expected = {"E_kin": motion.over(lambda t, s: kinetic(s)),
                "E_pot": motion.over(lambda t, s: elastic(s)),
                "E_tot": motion.over(lambda t, s: kinetic(s) + elastic(s)),
                "twist": motion.over(lambda t, s: s[0] - s[1]),
                "shaft": motion.over(lambda t, s: shaft(s)),
                "lambda_mesh": motion.over(lambda t, s: T - J_1 * i * slope(t, s)[2])}
    for name, at, factor in (("a", 0, i), ("b_2", 0, 1), ("d", 1, 1)):
        expected[name] = motion.over(lambda t, s, at=at, f=factor: f * s[at])
        expected[name + "'"] = motion.over(lambda t, s, at=at, f=factor: f * s[2 + at])
        expected[name + "''"] = motion.over(lambda t, s, at=at, f=factor: f * slope(t, s)[2 + at])
    run = Result("gearing", "--rtol", "1e-10")
    run.compare(expected, 1e-7, points=1000)
    turned = motion.at(end)[0, 0]
    run.work("forces", i * T * turned, i * T * turned)
    heat = quad(lambda t: c * (lambda s: s[2] - s[3])(motion.at(t)[:, 0])**2
                + b * motion.at(t)[3, 0]**2, 0, end, limit=400, epsrel=1e-9)[0]
    run.work("dissipation", -heat, heat)
