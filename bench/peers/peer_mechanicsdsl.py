"""MechanicsDSL: a Lagrangian as text, made into equations and a function by SymPy."""
import contextlib
import io
import logging
import time

import numpy as np

logging.disable(logging.CRITICAL)
from mechanics_dsl import PhysicsCompiler  # noqa: E402  it logs while it is imported

from beside import acceleration_error, attempt, masses, row, state  # noqa: E402

TOOL = "MechanicsDSL"


def model(names, values, kinetic, potential, angles):
    text = "\\system{bench}\n"
    text += "".join(f"\\defvar{{{a}}}{{Angle}}{{rad}}\n" for a in angles)
    text += "".join(f"\\parameter{{{n}}}{{{v}}}{{1}}\n" for n, v in zip(names, values))
    text += "\\lagrangian{" + kinetic + " - (" + potential + ")}\n"
    return text + "\\initial{" + ", ".join(f"{a}=0.3, {a}_dot=0.0" for a in angles) + "}\n"


def quietly(work):
    with contextlib.redirect_stdout(io.StringIO()):
        return work()


def textbook():
    """The triple arm of examples/triple_arm.qdot: x' and y' of each mass as a textbook writes them."""
    q = ["a", "b", "c"]
    T, V = [], []
    arms = [("z1",), ("l1", "z2"), ("l1", "l2", "z3")]
    for i, lengths in enumerate(arms):
        x = " + ".join(f"{L} * \\cos{{{a}}} * \\dot{{{a}}}" for L, a in zip(lengths, q))
        y = " + ".join(f"{L} * \\sin{{{a}}} * \\dot{{{a}}}" for L, a in zip(lengths, q))
        T.append(f"0.5 * m{i + 1} * (({x})^2 + ({y})^2)")
        V.append(f"m{i + 1} * g * (" + " + ".join(f"{L} * \\cos{{{a}}}" for L, a in zip(lengths, q)) + ")")
    text = model(["g", "l1", "l2", "m1", "m2", "m3", "z1", "z2", "z3"],
                 [9.81, 0.3, 0.25, 2, 1.5, 0.5, 0.15, 0.12, 0.08], " + ".join(T), " + ".join(V), q)
    began = time.process_time()
    compiler = PhysicsCompiler()
    result = quietly(lambda: compiler.compile_dsl(text))
    seconds = time.process_time() - began
    if not result.get("success"):
        raise ValueError(result.get("error"))
    length = len(str(result.get("equations", compiler.get_info())))
    row(TOOL, "textbook/3", seconds, remark=f"accelerations solved, not M, h and G: {length} characters")


def first():
    n = 2
    q = [f"q{i}" for i in range(n)]
    T, V = [], []
    for i in range(n):
        half = [1.0] * i + [0.5]
        x = " + ".join(f"{L} * \\cos{{{a}}} * \\dot{{{a}}}" for L, a in zip(half, q))
        y = " + ".join(f"{L} * \\sin{{{a}}} * \\dot{{{a}}}" for L, a in zip(half, q))
        T.append(f"0.5 * m{i} * (({x})^2 + ({y})^2) + m{i} / 24 * \\dot{{{q[i]}}}^2")
        V.append(f"m{i} * g * (0 - " + " - ".join(f"{L} * \\cos{{{a}}}" for L, a in zip(half, q)) + ")")
    text = model(["g"] + [f"m{i}" for i in range(n)], [9.81, *masses(n)], " + ".join(T), " + ".join(V), q)
    began = time.process_time()
    compiler = PhysicsCompiler()
    result = quietly(lambda: compiler.compile_dsl(text))
    if not result.get("success"):
        raise ValueError(result.get("error"))
    angles, rates = state(n)
    x = np.empty(2 * n)
    x[0::2], x[1::2] = angles, rates
    derivative = quietly(lambda: compiler.simulator.equations_of_motion(0.0, x))
    seconds = time.process_time() - began
    row(TOOL, f"first/{n}", seconds, acceleration_error(np.asarray(derivative)[1::2]))
    calls = 200
    began = time.process_time()
    for _ in range(calls):
        compiler.simulator.equations_of_motion(0.0, x)
    row(TOOL, f"rhs/{n}", (time.process_time() - began) / calls, acceleration_error(np.asarray(derivative)[1::2]),
        "its function in Python")


attempt(TOOL, "first/2", first, 30)
attempt(TOOL, "textbook/3", textbook, 30)
