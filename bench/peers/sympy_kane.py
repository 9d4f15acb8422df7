"""CPU seconds that SymPy takes for Kane's equations of Chaplygin's sleigh, solved for u', and for Hamilton's
function of a pendulum of N links.

Usage: sympy_kane.py N; prints two numbers. Start-up is not counted.
"""
import sys
import time

from sympy import Matrix, cos, sin, symbols
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia


def sleigh():
    m, J, a = symbols("m J a")
    x, y, theta, u, w = dynamicsymbols("x y theta u w")
    t = dynamicsymbols._t
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [theta, N.z])
    B.set_ang_vel(N, w * N.z)
    O, P = Point("O"), Point("P")
    P.set_vel(N, u * B.x)
    G = P.locatenew("G", a * B.x)
    G.v2pt_theory(P, N, B)
    body = RigidBody("body", G, B, m, (inertia(B, 0, 0, J), G))
    kinematics = [x.diff(t) - u * cos(theta), y.diff(t) - u * sin(theta), theta.diff(t) - w]
    method = KanesMethod(N, q_ind=[x, y, theta], u_ind=[u, w], kd_eqs=kinematics)
    method.kanes_equations([body], [])
    return method.mass_matrix.LUsolve(method.forcing)


def hamilton(n):
    g = symbols("g")
    q, v, p = ([symbols(f"{name}{i}") for i in range(n)] for name in "qvp")
    x = y = T = V = 0
    vx = vy = 0
    for i in range(n):
        m, L = symbols(f"m{i} L{i}")
        vx, vy = vx + L * cos(q[i]) * v[i], vy + L * sin(q[i]) * v[i]
        y = y - L * cos(q[i])
        T += m * (vx**2 + vy**2) / 2
        V += m * g * y
    M = Matrix([[T.diff(a).diff(b) for b in v] for a in v])
    P = Matrix(p)
    return (P.T * M.LUsolve(P))[0] / 2 + V


start = time.process_time()
sleigh()
print(time.process_time() - start, flush=True)
start = time.process_time()
hamilton(int(sys.argv[1]))
print(time.process_time() - start, flush=True)
