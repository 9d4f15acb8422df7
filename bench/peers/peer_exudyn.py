"""Loops and rods in Exudyn, by its generalized-alpha solver for constrained systems."""
import math

import exudyn as exu
from exudyn.itemInterface import (Force, Torque, MarkerBodyRigid, MarkerBodyPosition, NodeRigidBody2D, ObjectGround,
                                  ObjectJointRevolute2D, ObjectRigidBody2D)

from beside import after_a_second, attempt, cannot, least, masses, row, row_of_four_bars_angle

TOOL = "Exudyn"


def rod(mbs, m, L, x, y, angle, w=0.0, v=(0.0, 0.0), gravity=9.81):
    node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[x, y, angle], initialCoordinates=[0, 0, 0],
                                       initialVelocities=[v[0], v[1], w]))
    body = mbs.AddObject(ObjectRigidBody2D(mass=m, inertia=m * L * L / 12, nodeNumber=node))
    centre = mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[0, 0, 0]))
    mbs.AddLoad(Force(markerNumber=centre, loadVector=[0, -m * gravity, 0]))
    return body, node


def pin(mbs, a, pa, b, pb):
    ends = [mbs.AddMarker(MarkerBodyPosition(bodyNumber=body, localPosition=[*p, 0])) for body, p in ((a, pa), (b, pb))]
    mbs.AddObject(ObjectJointRevolute2D(markerNumbers=ends))


def settings(end, steps, tolerance=None):
    s = exu.SimulationSettings()
    s.timeIntegration.numberOfSteps = steps
    s.timeIntegration.endTime = end
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.minimumStepSize = 1e-5  # or it stands still in dead positions
    s.solution.file.write = False
    s.timeIntegration.generalizedAlpha.useIndex2Constraints = True
    s.timeIntegration.generalizedAlpha.useNewmark = True  # which second-order constraints ask for
    s.timeIntegration.newton.useModifiedNewton = True
    return s


def solved(build, end, steps, sparse=False):
    """Seconds of the solver, and the system at the end."""
    SC = exu.SystemContainer()
    mbs = SC.AddSystem()
    read = build(mbs)
    mbs.Assemble()
    s = settings(end, steps)
    if sparse:
        s.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    best = least(lambda: mbs.SolveDynamic(s), 1)
    return best, read(mbs)


def row_of_four_bars(n):
    def build(mbs):
        ground = mbs.AddObject(ObjectGround())
        cranks = []
        for i in range(n + 1):
            crank, node = rod(mbs, 1, 1, i, 0.5, math.pi / 2)
            cranks.append((crank, node))
            pin(mbs, ground, (i, 0), crank, (-0.5, 0))
        for i in range(n):
            bar, _ = rod(mbs, 1, 1, i + 0.5, 1, 0)
            pin(mbs, cranks[i][0], (0.5, 0), bar, (-0.5, 0))
            pin(mbs, bar, (0.5, 0), cranks[i + 1][0], (0.5, 0))
        marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=cranks[0][0], localPosition=[0, 0, 0]))
        mbs.AddLoad(Torque(markerNumber=marker, loadVector=[0, 0, 5]))
        return lambda mbs: mbs.GetNodeOutput(cranks[0][1], exu.OutputVariableType.Coordinates)[2] + math.pi / 2
    return build


def rows():
    steps = 10000
    for n in (1, 10, 40):
        try:
            seconds, angle = solved(row_of_four_bars(n), 10, steps, n > 4)
        except Exception:  # Newton's method without an answer
            cannot(TOOL, f"row/{n}", "Newton's method fails in a dead position")
            continue
        error = abs(angle - row_of_four_bars_angle(n))
        lost = "; leaves its branch in a dead position" if error > 1 else ""
        row(TOOL, f"row/{n}", seconds, error, f"generalized alpha, {steps} steps{lost}")


def chain(n):
    def build(mbs):
        ground = mbs.AddObject(ObjectGround())
        last, at, first = ground, (0.0, 0.0), None
        a = 0.3 - math.pi / 2
        for m in masses(n):
            x, y = at[0] + 0.5 * math.cos(a), at[1] + 0.5 * math.sin(a)
            body, node = rod(mbs, m, 1, x, y, a)
            first = node if first is None else first
            pin(mbs, last, (0, 0) if last == ground else (0.5, 0), body, (-0.5, 0))
            last, at = body, (at[0] + math.cos(a), at[1] + math.sin(a))
        return lambda mbs: mbs.GetNodeOutput(first, exu.OutputVariableType.Coordinates)[2] + 0.3
    return build


def seconds_of_motion():
    for n, steps in ((5, 4000), (20, 4000)):
        seconds, angle = solved(chain(n), 1, steps, n > 10)
        row(TOOL, f"second/{n}", seconds, abs(angle - after_a_second(n)[0]), f"generalized alpha, {steps} steps")


for name, work in (("row/1", rows), ("second/5", seconds_of_motion)):
    attempt(TOOL, name, work)
