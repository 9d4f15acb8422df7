"""Rods in CasADi: derived in SX from their energies, right-hand sides as generated C compiled by gcc -O3
-march=native, motions and sensitivities by CVODES."""
import ctypes
import math
import os
import subprocess
import sys
import tempfile

import casadi as ca
import numpy as np

from beside import SIZES, acceleration_error, after_a_second, attempt, cannot, coefficients, least, row, state

TOOL = "CasADi"
folder = tempfile.mkdtemp(prefix="qdot-bench-casadi-")
timer = os.path.abspath(os.path.join(os.environ.get("QDOT_BENCH_FOLDER", "build/bench"), "time_generated"))
os.chdir(folder)  # where it writes its C


class Rods:
    """N rods at absolute angles; masses and lengths as symbols, as they are in the model of Qdot."""

    def __init__(self, n, matrices=True):
        self.n = n
        self.q, self.v = ca.SX.sym("q", n), ca.SX.sym("v", n)
        self.m, self.L = ca.SX.sym("m", n), ca.SX.sym("L", n)
        x = y = vx = vy = T = V = 0
        for i in range(n):
            s, c, half = ca.sin(self.q[i]), ca.cos(self.q[i]), self.L[i] / 2
            cx, cy = vx + half * c * self.v[i], vy + half * s * self.v[i]
            T += self.m[i] * (cx * cx + cy * cy) / 2 + self.m[i] * self.L[i] ** 2 / 12 * self.v[i] ** 2 / 2
            V += self.m[i] * 9.81 * (y - half * c)
            vx, vy = vx + self.L[i] * c * self.v[i], vy + self.L[i] * s * self.v[i]
            x, y = x + self.L[i] * s, y - self.L[i] * c
        self.T, self.V = T, V
        if matrices:
            p = ca.gradient(T, self.v)
            self.M = ca.jacobian(p, self.v)
            self.f = ca.gradient(T - V, self.q) - ca.jtimes(p, self.q, self.v)

    def numbers(self):
        return [(101 + np.arange(self.n)) * 0.01, np.ones(self.n)]

    def accelerations(self):
        """By Cholesky's factors without roots, written out."""
        D, LT, _ = ca.ldl(self.M, False)
        return ca.ldl_solve(self.f, D, LT, list(range(self.n)))


def compiled(function, flags="-O3 -march=native"):
    """The function's generated C as a library."""
    name = function.name()
    function.generate(name + ".c")
    library = os.path.join(folder, name + ".so")
    command = f"gcc {flags} -shared -fPIC -o {library} {name}.c -lm"
    subprocess.run(command.split(), check=True, timeout=100)
    return library


def called(library, name, values, size):
    """One call of generated C: the pointers that it takes, its room, its result."""
    c = ctypes.CDLL(library)
    function = getattr(c, name)
    need = [(ctypes.c_longlong)() for _ in range(4)]
    getattr(c, name + "_work")(*[ctypes.byref(x) for x in need])
    arrays = [np.ascontiguousarray(v, dtype=float) for v in values]
    result = np.zeros(size)
    pointer = ctypes.POINTER(ctypes.c_double)
    arg = (pointer * (need[0].value + 1))(*[a.ctypes.data_as(pointer) for a in arrays])
    res = (pointer * (need[1].value + 1))(result.ctypes.data_as(pointer))
    iw, w = (ctypes.c_longlong * (need[2].value + 1))(), np.zeros(need[3].value + 1)
    function(arg, res, iw, w.ctypes.data_as(pointer), 0)
    return result


def timed(library, name, arrays):
    """Seconds of a call by bench/casadi_time, a program that takes no part in Python."""
    path = os.path.join(folder, name + ".in")
    np.concatenate([np.asarray(a, float).ravel() for a in arrays]).tofile(path)
    said = subprocess.run([timer, library, name, path] + [str(len(a)) for a in arrays], check=True,
                          capture_output=True, text=True, timeout=100).stdout.split()
    return float(said[0]), float(said[1])


def derivations():
    for n in (10, 20, 50):
        row(TOOL, f"derive/{n}", least(lambda: Rods(n)), remark="SX")


def first():
    def work():
        rods = Rods(10)
        f = ca.Function("f", [rods.q, rods.v, rods.m, rods.L], [rods.accelerations()])
        f(*state(10), *rods.numbers())
    row(TOOL, "first/10", least(work), remark="SX, by its own interpreter; no compiler")


def right_hand_sides():
    for n in SIZES:
        if n > 50:  # the text grows with the cube of n, and gcc takes minutes
            row(TOOL, f"rhs/{n}", math.nan, remark="the generated C of the solution is too long for gcc")
            continue
        rods = Rods(n)
        f = ca.Function(f"rhs{n}", [rods.q, rods.v, rods.m, rods.L], [rods.accelerations()])
        flags = "-O3 -march=native" if n <= 20 else "-O1 -march=native"
        try:
            library = compiled(f, flags)
        except subprocess.TimeoutExpired:
            cannot(TOOL, f"rhs/{n}", "gcc takes too long for its generated C")
            continue
        arrays = [*state(n), *rods.numbers()]
        error = acceleration_error(called(library, f.name(), arrays, n))
        seconds, steps = timed(library, f.name(), arrays)
        row(TOOL, f"rhs/{n}", seconds, error, f"generated C, {flags}")
        if n == 10:
            row(TOOL, "instructions/10", steps)
            row(TOOL, "operations/10", f.n_instructions(), remark="of its program")


def mass_matrix():
    for n in (10, 100):
        rods = Rods(n)
        f = ca.Function(f"mass{n}", [rods.q, rods.m, rods.L], [ca.densify(rods.M)])
        flags = "-O3 -march=native" if n <= 20 else "-O1 -march=native"
        library = compiled(f, flags)
        arrays = [state(n)[0], *rods.numbers()]
        M = called(library, f.name(), arrays, n * n).reshape(n, n)
        q = state(n)[0]
        expected = coefficients(n)[0] * np.cos(q[:, None] - q[None, :])
        error = float(np.max(np.abs(M - expected) / (1 + np.abs(expected))))
        row(TOOL, f"mass/{n}", timed(library, f.name(), arrays)[0], error, f"generated C, {flags}")


def slopes():
    n = 10
    rods = Rods(n)
    a = rods.accelerations()
    arguments = [rods.q, rods.v, rods.m, rods.L]
    arrays = [*state(n), *rods.numbers()]
    plain = ca.Function("plain", arguments, [a])
    for job, by in (("slopes", ca.vertcat(rods.q, rods.v)), ("parameters", ca.vertcat(rods.m, rods.L))):
        f = ca.Function(job, arguments, [ca.densify(ca.jacobian(a, by))])
        library = compiled(f, "-O1 -march=native")
        J = called(library, job, arrays, n * 2 * n).reshape(2 * n, n).T
        h, first_array = 1e-6, 0 if job == "slopes" else 2
        worst = 0
        for k in range(2 * n):
            up, down = [np.array(x, float) for x in arrays], [np.array(x, float) for x in arrays]
            up[first_array + k // n][k % n] += h
            down[first_array + k // n][k % n] -= h
            expected = (np.array(plain(*up)) - np.array(plain(*down)))[:, 0] / (2 * h)
            worst = max(worst, float(np.max(np.abs(J[:, k] - expected) / (1 + np.abs(expected)))))
        row(TOOL, f"{job}/10", timed(library, job, arrays)[0], worst,
            "generated C, -O1 -march=native; error against differences")


def integrator(rods, name, options=None):
    """A second by CVODES (Adams is its fast method here), its right-hand side as generated C."""
    dae = {"x": ca.vertcat(rods.q, rods.v), "p": ca.vertcat(rods.m, rods.L),
           "ode": ca.vertcat(rods.v, rods.accelerations())}
    settings = {"reltol": 1e-8, "abstol": 1e-8, "linear_multistep_method": "adams",
                "nonlinear_solver_iteration": "functional", "max_num_steps": 100000}
    settings.update(options or {})
    return ca.integrator(name, "cvodes", dae, 0, 1, settings)


def jitted(name):
    return {"jit": True, "compiler": "shell", "jit_name": name, "jit_temp_suffix": False,
            "jit_options": {"flags": ["-O1", "-march=native"], "compiler": "gcc"}}


def seconds_of_motion():
    for n in (5, 20):
        rods = Rods(n)
        start, p = np.concatenate([np.full(n, 0.3), np.zeros(n)]), np.concatenate(rods.numbers())
        truth, best = after_a_second(n)[0], None
        for way in ({}, jitted(f"second{n}")):
            try:
                F = integrator(rods, f"second{n}{'c' if way else ''}", way)
                seconds = least(lambda: F(x0=start, p=p))
                error = abs(float(F(x0=start, p=p)["xf"][0]) - truth)
            except Exception as mistake:
                print(f"{TOOL}, second/{n}: {mistake}"[:300], file=sys.stderr)
                continue
            if best is None or seconds < best[0]:
                best = seconds, error, "generated C" if way else "its own interpreter"
        row(TOOL, f"second/{n}", best[0], best[1], f"CVODES, Adams, 1e-8, {best[2]}")


def sensitivities():
    """Of the last angle after a second by five masses and five lengths."""
    n = 5
    rods = Rods(n)
    start, p = np.concatenate([np.full(n, 0.3), np.zeros(n)]), np.concatenate(rods.numbers())
    model = ca.Function("model", [rods.q, rods.v, rods.m, rods.L], [rods.accelerations()])

    def angle(values):
        return after_a_second(n, lambda q, v: np.array(model(q, v, values[:n], values[n:]))[:, 0])[n - 1]
    h, truth = 1e-4, []
    for k in range(2 * n):
        up, down = p.copy(), p.copy()
        up[k] += h
        down[k] -= h
        truth.append((angle(up) - angle(down)) / (2 * h))
    P = ca.MX.sym("P", 2 * n)
    for job, forward in (("sensitivities", True), ("adjoint", False)):
        F = integrator(rods, "five" + job, jitted("five" + job))
        last = F(x0=start, p=P)["xf"][n - 1]
        G = ca.Function("G", [P], [ca.jtimes(F(x0=start, p=P)["xf"][:n], P, ca.MX.eye(2 * n))[n - 1, :]
                                   if forward else ca.jacobian(last, P)])
        found = np.array(G(p)).ravel()
        row(TOOL, f"{job}/5", least(lambda: G(p)), float(np.max(np.abs(found - truth))),
            f"CVODES, {'forward' if forward else 'adjoint'}, Adams, 1e-8, generated C")


for name, work in (("derive/10", derivations), ("first/10", first), ("rhs/10", right_hand_sides),
                   ("mass/10", mass_matrix), ("slopes/10", slopes), ("second/5", seconds_of_motion),
                   ("sensitivities/5", sensitivities)):
    if len(sys.argv) < 2 or name in sys.argv[1:]:
        attempt(TOOL, name, work, 150)
