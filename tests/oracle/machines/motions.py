"""Motions that SciPy integrates between events: a cam, a rotor, a flywheel, a hoist, a suspension."""
import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from compare import Result, multiplied, near, plus, zero


class Motion:
    """Pieces of a motion by SciPy, with the column functions that follow from t, q, q'."""

    def __init__(self):
        self.pieces = []  # (end, solution)
        self.known = {}

    def flow(self, slope, start, state, end, event=None):
        """Until the end, or until event(t, state) rises through 0; gives (t, state) there."""
        if event is not None:
            event.terminal, event.direction = True, 1
        run = solve_ivp(slope, (start, end), state, method="DOP853", rtol=1e-12, atol=1e-14,
                        dense_output=True, events=event, max_step=(end - start) / 50)
        self.pieces.append((run.t[-1], run.sol))
        return run.t[-1], run.y[:, -1], run.status == 1

    def at(self, t):
        """States at an array of times."""
        return np.array([next((sol(x) for end, sol in self.pieces if x <= end),
                              self.pieces[-1][1](x)) for x in np.atleast_1d(t)]).T

    def over(self, function):
        """A column from function(t, state)."""
        def column(times):
            out = []
            for t in np.atleast_1d(times):
                if t not in self.known:
                    self.known[t] = self.at(t)[:, 0]
                out.append(function(t, self.known[t]))
            return np.array(out)
        return column


def cam():
    """A follower is carried by a harmonic cam, leaves it, falls back, bounces and is carried on."""
    m, k, F_0, h, c, e, end = 0.4, 8000.0, 60.0, 0.012, 6.0, 0.2, 0.12
    w = 2600 * 2 * math.pi / 60
    lift = lambda t: (h / 2 * (1 - math.cos(w * t)), h / 2 * w * math.sin(w * t),
                      h / 2 * w**2 * math.cos(w * t))
    push = lambda t: m * lift(t)[2] + c * lift(t)[1] + k * lift(t)[0] + F_0
    fall = lambda t, y: [y[1], -(c * y[1] + k * y[0] + F_0) / m]
    t, motion, carried, impacts, events = 0.0, [], True, 0.0, []
    while t < end:
        if carried:
            # as long as the cam pushes
            grid = np.linspace(t + 1e-9, t + 2 * math.pi / w, 2000)
            i = next((i for i, x in enumerate(grid) if push(x) < 0), None)
            stop = min(end, brentq(push, grid[i - 1], grid[i], xtol=1e-15))
            motion.append((t, stop, None))
            if stop < end:
                events.append(("release", stop))
            t, state, carried = stop, [lift(stop)[0], lift(stop)[1]], False
        else:
            touch = lambda x, y: lift(x)[0] - y[0] if x > t + 1e-9 else -1.0
            touch.terminal, touch.direction = True, 1
            run = solve_ivp(fall, (t, end), state, method="DOP853", rtol=1e-13, atol=1e-15,
                            dense_output=True, events=touch, max_step=(end - t) / 20)
            motion.append((t, run.t[-1], run.sol))
            t = run.t[-1]
            if run.status == 1:
                u = run.y[1, -1] - lift(t)[1]
                events.append(("impact", t))
                after = -e * u
                if abs(u) < 5e-6:
                    after, carried = 0.0, True
                impacts += m / 2 * (after**2 - u**2) # seen from the cam; the rest is done by its drive
                state = [lift(t)[0], lift(t)[1] + after]

    def state(t):
        a, b, sol = next(p for p in motion if t <= p[1])
        if sol is None:
            return (*lift(t), push(t))
        y = sol(t)
        return y[0], y[1], fall(t, y)[1], 0.0

    over = lambda f: (lambda t: np.array([f(x, state(x)) for x in np.atleast_1d(t)]))
    run = Result("cam")
    jumps = [b for a, b, _ in motion[:-1]]
    force = over(lambda t, s: s[3])
    run.compare({"y": over(lambda t, s: s[0]), "y'": over(lambda t, s: s[1]),
                 "y''": over(lambda t, s: s[2]), "lambda_nose": force, "force": force,
                 "lift": over(lambda t, s: lift(t)[0]), "gap": over(lambda t, s: s[0] - lift(t)[0]),
                 "E_kin": over(lambda t, s: m / 2 * s[1]**2),
                 "E_pot": over(lambda t, s: k / 2 * s[0]**2 + F_0 * s[0]),
                 "E_tot": over(lambda t, s: m / 2 * s[1]**2 + k / 2 * s[0]**2 + F_0 * s[0])},
                jumps=jumps, tolerance=2e-6)
    told = [x for x in run.summary["events"] if x["kind"] in ("release", "impact")]
    for kind, at in events:
        best = min((abs(x["t"] - at) for x in told if x["kind"] == kind), default=1)
        near("cam", f"the {kind} at {at}", best, 0, 1e-7, 1)
    lost = sum(quad(lambda x: -c * state(x)[1]**2, a, b, epsabs=1e-13)[0] for a, b, _ in motion)
    run.work("dissipation", lost, 1, 1e-6)
    run.work("impacts", impacts, 1, 1e-6)
    near("cam", "the balance of works", run.summary["work"]["drives"] + lost + impacts,
         float(np.diff(over(lambda t, s: m / 2 * s[1]**2 + k / 2 * s[0]**2 + F_0 * s[0])(
             np.array([1e-12, end])))[0]), 1e-6, 1)


def rotor():
    """A rotor with an eccentric mass runs up through its critical speed."""
    m, e, k, c, J, M = 20.0, 0.2e-3, 800e3, 300.0, 0.3, 40.0

    def slope(t, s):
        x, y, p, u, v, w = s
        A = np.array([[m, 0, -m * e * math.sin(p)], [0, m, m * e * math.cos(p)],
                      [-m * e * math.sin(p), m * e * math.cos(p), J + m * e**2]])
        right = [m * e * w**2 * math.cos(p) - c * u - k * x,
                 m * e * w**2 * math.sin(p) - c * v - k * y, M]
        return [u, v, w, *np.linalg.solve(A, right)]

    motion = Motion()
    motion.flow(slope, 0, [0] * 6, 2.5)
    col = lambda i: motion.over(lambda t, s: s[i])
    acc = lambda i: motion.over(lambda t, s: slope(t, s)[3 + i])
    whirl = motion.over(lambda t, s: math.hypot(s[0], s[1]))

    def kinetic(t, s):
        u = s[3] - e * math.sin(s[2]) * s[5]
        v = s[4] + e * math.cos(s[2]) * s[5]
        return m / 2 * (u**2 + v**2) + J / 2 * s[5]**2

    pot = motion.over(lambda t, s: k / 2 * (s[0]**2 + s[1]**2))
    run = Result("rotor")
    run.compare({"x": col(0), "y": col(1), "phi": col(2), "x'": col(3), "y'": col(4), "phi'": col(5),
                 "x''": acc(0), "y''": acc(1), "phi''": acc(2), "whirl": whirl, "speed": col(5),
                 "bearing": multiplied(whirl, k), "E_kin": motion.over(kinetic), "E_pot": pot,
                 "E_tot": plus(motion.over(kinetic), pot)}, tolerance=1e-6, points=1200)
    run.work("forces", M * float(col(2)(2.5)[0]), 1e4, 1e-8)
    heat = -c * quad(lambda t: motion.at(t)[3, 0]**2 + motion.at(t)[4, 0]**2, 0, 2.5, limit=1000,
                     epsabs=1e-5)[0]
    run.work("dissipation", heat, 55, 1e-5)


def flywheel():
    """The gas torque of a four-stroke engine as a table of the crank angle."""
    J, c = 0.8, 0.7
    a = np.radians([-360, -180, -30, 0, 30, 90, 180, 360])
    T = np.array([0, -20, -90, 0, 520, 260, 40, 0.0])
    gas = lambda p: np.interp((p + 2 * math.pi) % (4 * math.pi) - 2 * math.pi, a, T)
    # in the angle: d(w^2/2)/dphi = (T - c w)/J; each interval of the table is smooth
    motion, t, p, w, corners = Motion(), 0.0, 0.0, 60.0, []
    order = 3
    while t < 3:
        order = order % 7 + 1 if order < 7 else 1
        width = a[order] - a[order - 1]
        goal = p + width
        low, slope_ = T[order - 1], (T[order] - T[order - 1]) / width
        start = p
        t, (p, w), hit = motion.flow(
            lambda x, s: [s[1], (low + slope_ * (s[0] - start) - c * s[1]) / J], t, [p, w], 3,
            lambda x, s: s[0] - goal)
        if hit:
            corners.append(t)
            p = goal
    run = Result("flywheel")
    torque = motion.over(lambda t, s: gas(s[0]))
    speed = motion.over(lambda t, s: s[1])
    kin = motion.over(lambda t, s: J / 2 * s[1]**2)
    run.compare({"phi": motion.over(lambda t, s: s[0]), "phi'": speed,
                 "phi''": motion.over(lambda t, s: (gas(s[0]) - c * s[1]) / J), "gas": torque,
                 "rpm": multiplied(speed, 30 / math.pi), "E_kin": kin, "E_pot": zero,
                 "E_tot": kin}, jumps=corners, tolerance=1e-6)
    ends = [0, *corners, 3]
    heat = -c * sum(quad(lambda x: motion.at(x)[1, 0]**2, u, v)[0] for u, v in zip(ends, ends[1:]))
    run.work("dissipation", heat, 1e4)
    run.work("forces", float(np.diff(kin(np.array([0, 3.0])))[0]) - heat, 1e4)


def hoist():
    """One degree of freedom: everything follows from the speed of the rotor, which approaches its
    final value exponentially."""
    g, r, M_k, m, w_0 = 9.81, 0.15, 40.0, 300.0, 1500 * math.pi / 30
    # rotor a, pulley a/3, wheel -a/21, load: see how the rack moves it
    run = Result("hoist")
    side = np.sign(run.columns["D.s"][-1] / run.columns["wheel.theta"][-1])
    i_w, i_s = -1 / 21, -side * r / 21
    J = 0.04 + 0.09 / 9 + 1.1 * i_w**2 + m * i_s**2
    c = M_k / w_0 + 2 * i_w**2
    drive = -M_k - m * g * i_s
    w_end = drive / c
    a = lambda t: w_end * (t - J / c * (1 - np.exp(-c * t / J)))
    w = lambda t: w_end * (1 - np.exp(-c * t / J))
    al = lambda t: drive / J * np.exp(-c * t / J)
    rope = lambda t: m * (i_s * al(t) + g)
    tau = lambda t: -M_k * (1 + w(t) / w_0)
    # torque balance of rotor and pulley: the belt's torque on the pulley, the teeth's on the wheel
    belt = lambda t: 3 * (tau(t) - 0.04 * al(t))
    on_wheel = lambda t: (belt(t) - 0.09 * al(t) / 3) * -7
    d = 0.4
    r_p, r_w = d / 8, d * 7 / 8
    tangential = lambda t: on_wheel(t) / r_w
    tan = math.tan(math.radians(20))
    tooth = lambda t: abs(tangential(t)) / math.cos(math.radians(20))
    # the wheel's centre is right of the pitch point: a torque +T needs a force -y there
    def bearing(t):
        fy = -tangential(t)
        fx = abs(tangential(t)) * tan
        return np.hypot(-fx, 30 * g - fy + rope(t))
    expected = {}
    for name, factor in (("rotor.theta", 1), ("pulley.theta", 1 / 3), ("wheel.theta", i_w),
                         ("D.s", i_s)):
        for dots, f in (("", a), ("'", w), ("''", al)):
            expected[name + dots] = multiplied(f, factor)
    height = lambda t: -1 + i_s * a(t)
    kin = lambda t: J / 2 * w(t)**2
    pot = lambda t: m * g * height(t)
    expected.update({"height": height, "speed": multiplied(w, i_s), "rope": rope, "tooth": tooth,
                     "bearing": bearing, "power": lambda t: tau(t) * w(t), "E_kin": kin,
                     "E_pot": pot, "E_tot": plus(kin, pot),
                     "lambda_V_angle": lambda t: run_sign["V"] * belt(t),
                     "lambda_G_angle": lambda t: run_sign["G"] * on_wheel(t),
                     "lambda_R_roll": lambda t: run_sign["R"] * rope(t)})
    run_sign = {"V": np.sign(run.columns["lambda_V_angle"][-1] * belt(3.0)),
                "G": np.sign(run.columns["lambda_G_angle"][-1] * on_wheel(3.0)),
                "R": np.sign(run.columns["lambda_R_roll"][-1] * rope(3.0))}
    run.compare(expected)
    run.work("forces", quad(lambda t: tau(t) * w(t), 0, 3)[0], 4460)
    run.work("dissipation", quad(lambda t: -2 * (i_w * w(t))**2, 0, 3)[0], 63)


def suspension():
    """A quarter car over a bump; the damper has two slopes and the tyre only pushes."""
    m_b, m_w, k, k_t, g, c_b, c_r = 320.0, 40.0, 22e3, 200e3, 9.81, 900.0, 2200.0
    h, v, d = 0.06, 12.0, 0.8

    def road(t):
        s = v * (t - 0.1)
        return h / 2 * (1 - math.cos(2 * math.pi * s / d)) if 0 < s < d else 0.0

    raw = lambda t, z: k_t * (road(t) - z) + (m_b + m_w) * g

    def slope(mode):
        c, pressed = mode
        def f(t, s):
            F_d = c * (s[2] - s[3])
            F_t = raw(t, s[1]) if pressed else 0.0
            F_s = -(k * (s[0] - s[1]) - m_b * g)
            return [s[2], s[3], (F_s - F_d) / m_b - g, (-F_s + F_d + F_t) / m_w - g]
        return f

    motion, t, s = Motion(), 0.0, [0.0, 0, 0, 0]
    ends = [0.1, 0.1 + d / v, 1.5]
    mode = (c_r, True)
    for end in ends:
        while t < end - 1e-12:
            rate = slope(mode)(t + 1e-9, s)
            speed = s[2] - s[3] + 1e-9 * (rate[2] - rate[3])
            if t == 0.1:
                speed = -1.0
            mode = (c_b if speed < 0 else c_r, raw(t + 1e-9, s[1] + 1e-9 * s[3]) > -1e-7)
            f = slope(mode)
            def leave(x, y, start=t, mode=mode):
                if x < start + 1e-7:
                    return -1.0
                a = (y[2] - y[3]) * (1 if mode[0] == c_b else -1)
                b = raw(x, y[1]) * (-1 if mode[1] else 1)
                return max(a, b / 1000)
            if t == 0.0:
                motion.flow(f, 0, s, 0.1)
                t = 0.1
                break
            t, s, hit = motion.flow(f, t, s, end, leave)
    run = Result("suspension")
    corners = [e for e, _ in motion.pieces[:-1]]
    col = lambda i: motion.over(lambda t, s: s[i])
    pressed = lambda t, s: max(0.0, raw(t, s[1]))
    damper = lambda t, s: (c_b if s[2] < s[3] else c_r) * (s[2] - s[3])
    def acc(i):
        def f(t, s):
            F_s = -(k * (s[0] - s[1]) - m_b * g)
            return ((F_s - damper(t, s)) / m_b - g if i == 0 else
                    (-F_s + damper(t, s) + pressed(t, s)) / m_w - g)
        return motion.over(f)
    kin = motion.over(lambda t, s: m_b / 2 * s[2]**2 + m_w / 2 * s[3]**2)
    pot = motion.over(lambda t, s: g * (m_b * s[0] + m_w * s[1])
                      + k / 2 * (s[0] - s[1] - m_b * g / k)**2)
    run.compare({"z_b": col(0), "z_w": col(1), "z_b'": col(2), "z_w'": col(3), "z_b''": acc(0),
                 "z_w''": acc(1), "tyre": motion.over(pressed),
                 "travel": motion.over(lambda t, s: s[0] - s[1]), "accel": acc(0),
                 "damper": motion.over(damper), "bump": motion.over(lambda t, s: road(t)),
                 "E_kin": kin, "E_pot": pot, "E_tot": plus(kin, pot)}, jumps=corners,
                tolerance=1e-6)
    total = plus(kin, pot)(np.array([0, 1.5]))
    run.work("forces", float(total[1] - total[0]), 100, 1e-6)
