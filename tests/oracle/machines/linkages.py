"""Driven linkages: a leg, a wiper, a press, a shaper, an excavator."""
import math

import numpy as np

from compare import Result, multiplied, near, plus, zero, zeros
from driven import Driven, turned, turning, weights


def leg():
    """Chebyshev's linkage as a leg."""
    a, w, g, P = 0.1, math.pi, 9.81, 50.0
    masses = {"crank": 0.2, "leg": 1.0, "rocker": 0.5}
    lengths = {"crank": a, "leg": 5 * a, "rocker": 2.5 * a}
    bodies = {n: (masses[n], masses[n] * lengths[n]**2 / 12) for n in masses}

    def loads(machine, t, q, v):
        out = weights(masses.values(), g)
        out[4] += P
        out[5] += turned(q[5], (2.5 * a, 0))[0] * P
        return out

    m = Driven(bodies, {"crank": (a / 2, 0, 0), "leg": (0.2, -0.2, math.radians(-75)),
                        "rocker": (0.2, -0.1, math.radians(240))},
               [("A", None, (0, 0), "crank", (-a / 2, 0), "pin", 0),
                ("B", "crank", (a / 2, 0), "leg", (-2.5 * a, 0), "pin", 0),
                ("C", "leg", (0, 0), "rocker", (1.25 * a, 0), "pin", 0),
                ("D", None, (2 * a, 0), "rocker", (-1.25 * a, 0), "pin", 0)],
               [("A", turning(w, 0.0))], loads)
    run = Result("leg")
    foot = lambda k: m.over(lambda t: m.place(m.state(t)[0], "leg", (2.5 * a, 0))[k])
    torque = m.part("A", 2)
    run.compare({**m.angles("crank", "rocker", "leg"),
                 "lambda_C_x": m.part("C", 0), "lambda_C_y": m.part("C", 1),
                 "lambda_A_motor": multiplied(torque, -1), "foot_x": foot(0), "foot_y": foot(1),
                 "torque": torque, "power": multiplied(torque, w), "knee": m.size("C"),
                 "E_kin": m.kinetic(), "E_pot": m.potential(g),
                 "E_tot": plus(m.kinetic(), m.potential(g))})
    run.work("forces", 0, P * 0.1)
    run.work("drives", 0, P * 0.1)
    run.says("forces 0 J, drives 0 J")


def wiper():
    """A crank and rocker against dry friction, whose work is 2 M_f times the angle wiped."""
    r, l, b, w = 0.04, 0.3, 0.09, 1.5 * math.pi
    M_f = 0.6 * 15 * 0.5
    bodies = {"crank": (0.1, 2e-5), "rod": (0.2, 0.2 * l**2 / 12), "arm": (0.6, 0.02)}

    def loads(machine, t, q, v):
        return np.array([0, 0, 0, 0, 0, 0, 0, 0, -M_f * np.sign(v[8])])

    m = Driven(bodies, {"crank": (0, 0, math.radians(20)), "rod": (0.17, 0.04, math.radians(8)),
                        "arm": (0.3, 0.15, math.radians(90))},
               [("A", None, (0, 0), "crank", (0, 0), "pin", 0),
                ("B", "crank", (r, 0), "rod", (-l / 2, 0), "pin", 0),
                ("C", "rod", (l / 2, 0), "arm", (b - 0.2, 0), "pin", 0),
                ("D", None, (0.31, -0.03), "arm", (-0.2, 0), "pin", 0)],
               [("A", turning(w, math.radians(20)))], loads)
    run = Result("wiper")
    turns = zeros(m.coordinate("arm", 2, 1), 0, 2.5)
    torque = m.part("A", 2)
    run.compare({**m.angles("crank", "arm", "rod"),
                 "lambda_C_x": m.part("C", 0), "lambda_C_y": m.part("C", 1),
                 "lambda_A_motor": multiplied(torque, -1), "wipe": m.coordinate("arm", 2),
                 "torque": torque, "bearing": m.size("D"), "rod_force": m.size("C"),
                 "E_kin": m.kinetic(), "E_pot": zero, "E_tot": m.kinetic()}, jumps=turns)
    ends = np.array([0, *turns, 2.5])
    lost = M_f * np.sum(abs(np.diff(m.coordinate("arm", 2)(ends))))
    run.work("forces", -lost, lost)
    run.work("drives", lost + float(np.diff(m.kinetic()(np.array([0, 2.5])))[0]), lost)


def knuckle():
    """A press of two toggle links pushed by a crank; a force while the ram goes down the last bit."""
    g, r, a, l, F, w = 9.81, 0.08, 0.45, 0.3, 400e3, 80 * math.pi / 60
    masses = {"crank": 30, "rod": 25, "upper": 20, "lower": 20, "ram": 120}
    bodies = {"crank": (30, 0.3), "rod": (25, 25 * a**2 / 12), "upper": (20, 20 * l**2 / 12),
              "lower": (20, 20 * l**2 / 12), "ram": (120, 5.0)}

    def loads(machine, t, q, v):
        out = weights(masses.values(), g)
        if q[13] < -0.59 and v[13] < 0:
            out[13] += F
        return out

    m = Driven(bodies, {"crank": (-0.47, -0.3, math.radians(100)), "rod": (-0.22, -0.2, 0.1),
                        "upper": (-0.02, -0.15, math.radians(80)),
                        "lower": (-0.02, -0.45, math.radians(-80)), "ram": (0, -0.59, 0)},
               [("O", None, (-0.47, -0.3), "crank", (0, 0), "pin", 0),
                ("P", "crank", (r, 0), "rod", (-a / 2, 0), "pin", 0),
                ("Q", "rod", (a / 2, 0), "upper", (-l / 2, 0), "pin", 0),
                ("T", None, (0, 0), "upper", (l / 2, 0), "pin", 0),
                ("S", "rod", (a / 2, 0), "lower", (-l / 2, 0), "pin", 0),
                ("U", "lower", (l / 2, 0), "ram", (0, 0), "pin", 0),
                ("guide", None, (0, -0.6), "ram", (0, 0), "slide", math.pi / 2)],
               [("O", turning(w, math.radians(100)))], loads)
    run = Result("knuckle")
    y, v = m.coordinate("ram", 1), m.coordinate("ram", 1, 1)
    switches = sorted(zeros(lambda t: y(t) + 0.59, 0, 1.5) + zeros(v, 0, 1.5))
    torque = m.part("O", 2)
    slide = {"guide.s": lambda t: y(t) + 0.6, "guide.s'": v, "guide.s''": m.coordinate("ram", 1, 2)}
    run.compare({**m.angles("crank", "upper", "rod", "lower"), **slide,
                 "lambda_Q_x": m.part("Q", 0), "lambda_Q_y": m.part("Q", 1),
                 "lambda_S_x": m.part("S", 0), "lambda_S_y": m.part("S", 1),
                 "lambda_O_motor": multiplied(torque, -1), "torque": torque,
                 "power": multiplied(torque, w), "side": m.part("guide", 0), "pin": m.size("U"),
                 "stroke": y, "E_kin": m.kinetic(), "E_pot": m.potential(g),
                 "E_tot": plus(m.kinetic(), m.potential(g))}, jumps=switches, tolerance=1e-6)
    pushed = 0.0
    for low, high in zip([0, *switches], [*switches, 1.5]):
        middle = np.array([(low + high) / 2])
        if y(middle)[0] < -0.59 and v(middle)[0] < 0:
            pushed += F * float(np.diff(y(np.array([low, high])))[0])
    energy = plus(m.kinetic(), m.potential(g))
    run.work("forces", pushed, abs(pushed))
    run.work("drives", float(np.diff(energy(np.array([0, 1.5])))[0]) - pushed, abs(pushed))


def shaper():
    """A crank drives a slotted lever; the tool cuts forwards. The return is quicker by the angles
    between the positions where crank and lever are at right angles."""
    r, d, L, b, w, F = 0.1, 0.25, 0.6, 0.2, 2 * math.pi, 800.0
    bodies = {"crank": (2, 0.01), "lever": (5, 5 * L**2 / 12), "link": (1, b**2 / 12),
              "ram": (8, 0.2)}

    def loads(machine, t, q, v):
        return np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, -F if v[9] > 0 else 0.0, 0, 0])

    m = Driven(bodies, {"crank": (0, d, 0), "lever": (0.11, 0.28, math.radians(68)),
                        "link": (0.12, 0.6, math.radians(170)), "ram": (0, 0.6, 0)},
               [("A", None, (0, d), "crank", (0, 0), "pin", 0),
                ("B", "lever", (-L / 2, 0), "crank", (r, 0), "slot", 0),
                ("O", None, (0, 0), "lever", (-L / 2, 0), "pin", 0),
                ("C", "lever", (L / 2, 0), "link", (-b / 2, 0), "pin", 0),
                ("E", "link", (b / 2, 0), "ram", (0, 0), "pin", 0),
                ("G", None, (0, 0.6), "ram", (0, 0), "slide", 0)],
               [("A", turning(w, 0.0))], loads)
    run = Result("shaper")
    x, v = m.coordinate("ram", 0), m.coordinate("ram", 0, 1)
    turns = zeros(v, 0, 2)
    torque = m.part("A", 2)
    place = m.over(lambda t: np.hypot(*m.place(m.state(t)[0], "crank", (r, 0))))
    run.compare({**m.angles("crank", "lever", "link"), "G.s": x, "G.s'": v,
                 "G.s''": m.coordinate("ram", 0, 2),
                 "lambda_B_normal": m.over(lambda t: -np.dot(
                     m.transmitted(t, "B")[:2], turned(m.angle(m.state(t)[0], "lever"), (0, 1)))),
                 "lambda_E_x": m.part("E", 0), "lambda_E_y": m.part("E", 1),
                 "lambda_A_motor": multiplied(torque, -1), "x": x, "v": v, "torque": torque,
                 "slide": m.size("B"), "power": multiplied(torque, w), "place": place,
                 "E_kin": m.kinetic(), "E_pot": zero, "E_tot": m.kinetic()}, jumps=turns)
    ends = np.diff(x(np.array([0, *turns, 2])))
    cut = F * np.sum(ends[ends > 0])
    run.work("forces", -cut, cut)
    run.work("drives", cut, cut)
    near("shaper", "least place", run.summary["extremes"]["place"]["min"], d - r, 1e-8)
    near("shaper", "largest place", run.summary["extremes"]["place"]["max"], d + r, 1e-8)
    lever = run.summary["extremes"]["lever.theta"]
    near("shaper", "angle of the lever", lever["max"] - lever["min"], 2 * math.asin(r / d), 1e-8)


def excavator():
    """Cylinder and elbow follow given speeds; loads by virtual work over all bodies."""
    g, W, T = 9.81, 12e3, 4.0
    masses = {"boom": 900, "stick": 350, "barrel": 60, "piston": 40}
    bodies = {"boom": (900, 900 * 16 / 12), "stick": (350, 350 * 2.4**2 / 12),
              "barrel": (60, 5.0), "piston": (40, 4.0)}
    A, O = math.radians(40), 2 * math.pi / T
    # the cylinder's start follows from the boom's angle
    pin = turned(A, (2 - 0.2, -0.3))
    l_0 = math.hypot(pin[0] - 0.6, pin[1] + 0.4) - 0.9
    swing = lambda start, v: (lambda t: (start + v / O * (1 - math.cos(O * t)), v * math.sin(O * t),
                                         v * O * math.cos(O * t)))

    def loads(machine, t, q, v):
        out = weights(masses.values(), g)
        out[4] -= W
        out[5] -= turned(q[5], (1.2, 0))[0] * W
        return out

    m = Driven(bodies, {"boom": (1.5, 1.3, A), "stick": (3.7, 0.3, math.radians(-60)),
                        "barrel": (0.9, 0.1, 1.0), "piston": (1.2, 0.7, 1.0)},
               [("A", None, (0, 0), "boom", (-2, 0), "pin", 0),
                ("B", "boom", (2, 0), "stick", (-1.2, 0), "pin", 0),
                ("C", None, (0.6, -0.4), "barrel", (-0.5, 0), "pin", 0),
                ("D", "barrel", (0, 0), "piston", (0, 0), "slide", 0),
                ("E", "piston", (0.4, 0), "boom", (-0.2, -0.3), "pin", 0)],
               [("D", swing(l_0, 0.08)), ("B", swing(math.radians(-100), 0.3))], loads)
    run = Result("excavator")
    along = m.over(lambda t: np.dot(m.transmitted(t, "D")[:2],
                                    turned(m.angle(m.state(t)[0], "barrel"), (1, 0))))
    s = {f"D.s{'' if k == 0 else chr(39) * k}": m.over(lambda t, k=k: swing(l_0, 0.08)(t)[k])
         for k in range(3)}
    power = m.over(lambda t: along(t)[0] * swing(0, 0.08)(t)[1]
                   + m.transmitted(t, "B")[2] * swing(0, 0.3)(t)[1])
    tip = lambda k: m.over(lambda t: m.place(m.state(t)[0], "stick", (1.2, 0))[k])
    run.compare({**m.angles("boom", "barrel", "stick"), **s,
                 "lambda_E_x": m.part("E", 0), "lambda_E_y": m.part("E", 1),
                 "lambda_D_motor": multiplied(along, -1),
                 "lambda_B_motor": multiplied(m.part("B", 2), -1), "cyl": along,
                 "elbow": m.part("B", 2), "bearing": m.size("A"), "tip_x": tip(0), "tip_y": tip(1),
                 "power": power, "E_kin": m.kinetic(), "E_pot": m.potential(g),
                 "E_tot": plus(m.kinetic(), m.potential(g))})
    run.work("forces", 0, 1000)
    run.work("drives", 0, 1000)
    run.says("forces 0 J, drives 0 J")
