"""Linear equations: modes, responses and state spaces of a shaft, an isolator, a crane."""
import csv
import json
import math
import os
import re
import shutil
import tempfile

import numpy as np
from scipy.integrate import quad

from compare import Result, command, near, plus, refined, wrong
from motions import Motion


def second_order(M, C, K):
    """Eigenvalues of M x'' + C x' + K x = 0."""
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)],
                  [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    return np.linalg.eigvals(A)


def compare_modes(name, values, *options):
    """The modes of a model, as JSON and in words, against eigenvalues."""
    told = json.loads(command("modes", f"{name}.qdot", "--format", "json", *options))
    found = sorted((complex(*pair) for pair in told["eigenvalues"]), key=lambda z: (abs(z), z.imag))
    values = sorted(values, key=lambda z: (abs(z), z.imag))
    if len(found) != len(values):
        wrong(name, f"{len(found)} eigenvalues, not {len(values)}: {found}")
        return told
    for a, b in zip(found, values):
        near(name, "an eigenvalue's real part", a.real, b.real, 1e-8, max(abs(b), 1e-2))
        near(name, "an eigenvalue's imaginary part", a.imag, b.imag, 1e-8, max(abs(b), 1e-2))
    words = command("modes", f"{name}.qdot", *options)
    # every number of Hz and damping in words belongs to a pair
    pairs = [z for z in values if z.imag > 1e-9]
    for hz in re.findall(r"([\d.]+) Hz +[\d.]+ rad/s", words):
        if not any(abs(float(hz) - abs(z) / 2 / math.pi) < 6e-5 * float(hz) for z in pairs):
            wrong(name, f"no mode has {hz} Hz")
    for hz in re.findall(r"natural, ([\d.]+) Hz", words):
        if not any(abs(float(hz) - z.imag / 2 / math.pi) < 6e-6 * float(hz) for z in pairs):
            wrong(name, f"no damped mode has {hz} Hz")
    for zeta in re.findall(r"damping ([\d.]+)", words):
        if not any(abs(float(zeta) + z.real / abs(z)) < 6e-5 for z in pairs):
            wrong(name, f"no mode has a damping ratio of {zeta}")
    return told


def compare_response(name, H, source, target, range_, low, high):
    """A response in words and as a table against a transfer function of s."""
    folder = tempfile.mkdtemp()
    words = command("response", f"{name}.qdot", "--input", source, "--output", target, "--range",
                    range_, "--out", folder)
    gain = lambda f: abs(H(2j * math.pi * f))
    with open(os.path.join(folder, "response.csv"), encoding="utf-8") as file:
        table = [[float(x) for x in row] for row in list(csv.reader(file))[1:]]
    shutil.rmtree(folder)
    for f, g, phase in table:
        z = H(2j * math.pi * f)
        near(name, f"gain at {f} Hz", g, abs(z), 1e-7)
        off = (phase - math.degrees(np.angle(z)) + 180) % 360 - 180
        near(name, f"phase at {f} Hz", off, 0, 1e-5, 1)
    grid = np.geomspace(low, high, 20001)
    values = np.array([gain(f) for f in grid])
    peaks = [i for i in range(1, len(grid) - 1)
             if values[i] > values[i - 1] and values[i] > values[i + 1]]
    dips = [i for i in range(1, len(grid) - 1)
            if values[i] < values[i - 1] and values[i] < values[i + 1]]
    for word, points in (("resonance", peaks), ("minimum", dips)):
        told = re.findall(rf"^  {word} +([-\d.e+]+) at ([\d.e+]+) Hz, phase ([-\d.e+]+) deg(.*)$",
                          words, re.M)
        if len(told) != len(points):
            wrong(name, f"{len(told)} times {word}, not {len(points)} at {grid[points]}: {words}")
            continue
        for (g, f, phase, more), i in zip(told, points):
            sign = -1 if word == "resonance" else 1
            best = sign * refined(lambda x: np.array([sign * gain(y) for y in x]),
                                  grid[i - 3:i + 4], sign * values[i - 3:i + 4], 1)
            near(name, f"gain of the {word} at {f} Hz", float(g), best, 6e-6)
            near(name, f"{word} at {f} Hz, its gain there", gain(float(f)), best, 1e-5)
            z = H(2j * math.pi * float(f))
            near(name, f"phase of the {word} at {f} Hz", float(phase),
                 math.degrees(np.angle(z)), 2e-3, 180)
            half = re.search(r"half power from ([\d.e+]+) to ([\d.e+]+) Hz", more)
            for edge in half.groups() if half else ():
                near(name, f"half power at {edge} Hz", gain(float(edge)), best / math.sqrt(2), 1e-4)
    return words


def shaft():
    """Torsional vibration of two shafts and a pair of gears, reduced to the pinion's speed."""
    J_1, J_2, J_3, J_4 = 0.02, 0.005, 0.08, 0.3
    k_1, k_2, c_1, c_2, c_4, i = 4000.0, 9000.0, 1.2, 3.0, 0.5, -0.5
    M = np.diag([J_1, J_2 + i**2 * J_3, J_4])
    K = np.array([[k_1, -k_1, 0], [-k_1, k_1 + i**2 * k_2, -i * k_2], [0, -i * k_2, k_2]])
    C = np.array([[c_1, -c_1, 0], [-c_1, c_1 + i**2 * c_2, -i * c_2], [0, -i * c_2, c_2 + c_4]])
    compare_modes("shaft", second_order(M, C, K))
    twist = lambda s: np.array([k_1 + c_1 * s, -k_1 - c_1 * s, 0])
    H = lambda s: twist(s) @ np.linalg.solve(M * s**2 + C * s + K, [1, 0, 0])
    words = compare_response("shaft", lambda s: -H(s), "M", "twist", "1..500", 1, 500)
    # a steady torque goes through the first shaft as it is
    at_rest = re.search(r"at rest +(\S+)", words)
    near("shaft", "the response at rest", float(at_rest.group(1)), -1, 1e-6)


def isolator():
    """Two stages on a moving base."""
    m_1, m_2, k_1, k_2, c_1, c_2 = 30.0, 12.0, 20e3, 12e3, 40.0, 25.0
    M = np.diag([m_1, m_2])
    K = np.array([[k_1 + k_2, -k_2], [-k_2, k_2]])
    C = np.array([[c_1 + c_2, -c_2], [-c_2, c_2]])
    compare_modes("isolator", second_order(M, C, K))
    Z = lambda s: M * s**2 + C * s + K
    compare_response("isolator", lambda s: np.linalg.solve(Z(s), [k_1, 0])[1], "z", "x_2",
                     "0.5..50", 0.5, 50)
    compare_response("isolator",
                     lambda s: (k_1 + c_1 * s) * np.linalg.solve(Z(s), [0, 1])[0], "F", "floor",
                     "0.5..50", 0.5, 50)
    compare_response("isolator", lambda s: s**2 * np.linalg.solve(Z(s), [0, 1])[0], "F", "x_1''",
                     "0.5..50", 0.5, 50)


def crane_control():
    """State feedback of a crane: state space, poles and the motion of the closed loop."""
    g, M, m, L, c = 9.81, 200.0, 60.0, 4.0, 30.0
    K_1, K_2, K_3, K_4 = 400.0, 700.0, -900.0, 300.0
    mass = np.array([[M + m, m * L], [m * L, m * L**2]])
    C = np.array([[c + K_2, K_4], [0, 0]])
    K = np.array([[K_1, K_3], [0, m * g * L]])
    compare_modes("crane_control", second_order(mass, C, K))
    told = json.loads(command("linearize", "crane_control.qdot", "--format", "json"))
    inverse = np.linalg.inv(mass)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ K, -inverse @ C]])
    B = np.concatenate([[0, 0], inverse @ [K_1, 0]])
    matrices = {"A": A, "B": B.reshape(4, 1), "Mnum": mass, "Cnum": C, "Knum": K,
                "C_out": np.array([[-K_1, -K_3, -K_2, -K_4], [1, L, 0, 0]]),
                "D_out": np.array([[K_1], [0]])}
    for name, expected in matrices.items():
        error = np.max(abs(np.array(told[name]) - expected))
        near("crane_control", f"the error of {name}", error, 0, 1e-12, np.max(abs(expected)))
    Z = lambda s: mass * s**2 + C * s + K
    compare_response("crane_control", lambda s: np.linalg.solve(Z(s), [K_1, 0]) @ [1, L], "r", "load",
                     "0.01..2", 0.01, 2)

    def slope(t, s):
        x, a, v, w = s
        A = [[M + m, m * L * math.cos(a)], [m * L * math.cos(a), m * L**2]]
        u = -K_1 * x - K_2 * v - K_3 * a - K_4 * w
        return [v, w, *np.linalg.solve(A, [u - c * v + m * L * math.sin(a) * w**2,
                                           -m * g * L * math.sin(a)])]

    motion = Motion()
    motion.flow(slope, 0, [0, math.radians(5), 0, 0], 20)
    col = lambda i: motion.over(lambda t, s: s[i])
    acc = lambda i: motion.over(lambda t, s: slope(t, s)[2 + i])
    drive = motion.over(lambda t, s: -K_1 * s[0] - K_2 * s[2] - K_3 * s[1] - K_4 * s[3])
    kin = motion.over(lambda t, s: M / 2 * s[2]**2 + m / 2 * (
        s[2]**2 + 2 * s[2] * s[3] * L * math.cos(s[1]) + L**2 * s[3]**2))
    pot = motion.over(lambda t, s: -m * g * L * math.cos(s[1]))
    run = Result("crane_control")
    run.compare({"x": col(0), "theta": col(1), "x'": col(2), "theta'": col(3), "x''": acc(0),
                 "theta''": acc(1), "drive": drive,
                 "load": motion.over(lambda t, s: s[0] + L * math.sin(s[1])), "E_kin": kin,
                 "E_pot": pot, "E_tot": plus(kin, pot)})
    run.work("forces", quad(lambda t: float(drive(t)[0] * motion.at(t)[2, 0]), 0, 20, limit=500)[0],
             8, 1e-6)
    run.work("dissipation", quad(lambda t: -c * float(motion.at(t)[2, 0])**2, 0, 20, limit=500)[0],
             8, 1e-6)
