"""What the peers in Python share: rows of the comparison, CPU time, the rods of bench/hand.c and their reference."""
import math
import os
import resource
import signal
import sys
import time

import numpy as np

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200)


def row(tool, job, value, error=math.nan, remark=""):
    """As measure_row of bench/measure.h."""
    path = os.environ.get("QDOT_BENCH_ROWS")
    line = f"{tool}\t{job}\t{value:.6g}\t{error:.3g}\t{remark}\n"
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line)
    else:
        print(line, end="", flush=True)


def cannot(tool, job, why):
    row(tool, job, math.nan, math.nan, why)


def least(work, rounds=3, calls=1, clock=time.process_time):
    """The least CPU seconds of one call; clocks of virtual machines lose time now and then, so what is below half of
    the median does not count."""
    times = []
    for _ in range(rounds):
        began = clock()
        for _ in range(calls):
            work()
        times.append((clock() - began) / calls)
    times.sort()
    return next(t for t in times if t >= times[len(times) // 2] / 2)


def attempt(tool, job, work, limit=60):
    """A job in a process of its own: if it fails, crashes or takes more than `limit` seconds of a core, it costs its
    rows only."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        try:
            work()
        except BaseException as mistake:  # whatever a peer throws
            print(f"{tool}, {job}: {type(mistake).__name__}: {mistake}", file=sys.stderr)
            cannot(tool, job, f"failed: {type(mistake).__name__}")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    end = time.monotonic() + 4 * limit  # others may use the machine; and some wait for nothing
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            if os.WIFSIGNALED(status):
                late = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
                cannot(tool, job, f"no answer in {limit} s" if late else f"ended by signal {os.WTERMSIG(status)}")
            return
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    cannot(tool, job, f"no answer in {limit} s")


def masses(n):
    return (101 + np.arange(n)) * 0.01


def coefficients(n):
    """M_ij = A_ij cos(q_i - q_j), G_i = B_i sin(q_i) for rods of 1 m."""
    m = masses(n)
    beyond = np.concatenate([np.cumsum(m[::-1])[::-1][1:], [0.0]])
    lever = 0.5 * m + beyond
    A = np.zeros((n, n))
    for i in range(n):
        A[i, : i + 1] = A[: i + 1, i] = lever[i]
        A[i, i] = m[i] / 12 + 0.25 * m[i] + beyond[i]
    return A, 9.81 * lever


def state(n):
    """The angles and rates of the rows of right-hand sides."""
    i = np.arange(n)
    return 0.3 + 0.37 * i, 0.1 * i - 1


def accelerations(n):
    A, B = coefficients(n)

    def find(q, qd):
        d = q[:, None] - q[None, :]
        return np.linalg.solve(A * np.cos(d), -B * np.sin(q) - (A * np.sin(d)) @ (qd * qd))

    return find


def acceleration_error(qdd):
    n = len(qdd)
    expected = accelerations(n)(*state(n))
    return float(np.max(np.abs(np.asarray(qdd) - expected) / (1 + np.abs(expected))))


def after_a_second(n, find=None):
    """The angles after a second from rest at 0.3, at 1e-13."""
    from scipy.integrate import solve_ivp

    find = find or accelerations(n)
    start = np.concatenate([np.full(n, 0.3), np.zeros(n)])
    return solve_ivp(lambda t, y: np.concatenate([y[n:], find(y[:n], y[n:])]), (0, 1), start,
                     method="DOP853", rtol=1e-13, atol=1e-13).y[:n, -1]


def row_of_four_bars_angle(n):
    """The crank of IFToMM's row after ten seconds: all cranks turn alike, so it is one pendulum."""
    from scipy.integrate import solve_ivp

    inertia = (n + 1) / 3 + n
    return solve_ivp(lambda t, y: [y[1], (5 - 9.81 * ((n + 1) / 2 + n) * math.cos(y[0])) / inertia], (0, 10),
                     [math.pi / 2, 0], method="DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
