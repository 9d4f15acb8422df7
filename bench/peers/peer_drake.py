"""Rods in Drake. Its wheel has no headers: each call goes through Python, which counts in short ones."""
import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.math import RigidTransform
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

from beside import SIZES, acceleration_error, after_a_second, attempt, cannot, least, masses, row, state

TOOL = "Drake"


def rods(n):
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector([0, -9.81, 0])
    parent = plant.world_frame()
    for i, m in enumerate(masses(n)):
        unit = UnitInertia(1 / 12, 0, 1 / 12).ShiftFromCenterOfMass([0, -0.5, 0])
        body = plant.AddRigidBody(f"b{i}", SpatialInertia(m, [0, -0.5, 0], unit))
        at = RigidTransform([0, 0 if i == 0 else -1, 0])
        plant.AddJoint(RevoluteJoint(f"j{i}", _frame(plant, parent, at, i), body.body_frame(), [0, 0, 1]))
        parent = body.body_frame()
    plant.Finalize()
    return plant


def _frame(plant, parent, at, i):
    from pydrake.multibody.tree import FixedOffsetFrame
    return plant.AddFrame(FixedOffsetFrame(f"f{i}", parent, at))


def set_state(plant, context, n):
    q, v = state(n)
    plant.SetPositions(context, np.diff(q, prepend=0))
    plant.SetVelocities(context, np.diff(v, prepend=0))


def right_hand_sides():
    for n in SIZES:
        plant = rods(n)
        context = plant.CreateDefaultContext()
        set_state(plant, context, n)
        x = plant.GetPositionsAndVelocities(context)
        derivatives = plant.AllocateTimeDerivatives()

        def work():
            x[0] += 1e-12  # everything must be computed anew
            plant.SetPositionsAndVelocities(context, x)
            plant.CalcTimeDerivatives(context, derivatives)
        work()
        error = acceleration_error(np.cumsum(derivatives.CopyToVector()[n:]))
        row(TOOL, f"rhs/{n}", least(work, 5, 20000 // (n + 20)), error, "through Python: its wheel has no headers")
        if n in (10, 100):
            def mass():
                x[0] += 1e-12
                plant.SetPositionsAndVelocities(context, x)
                plant.CalcMassMatrix(context)
            row(TOOL, f"mass/{n}", least(mass, 5, 20000 // (n + 20)), remark="through Python")


def first():
    def work():
        plant = rods(10)
        context = plant.CreateDefaultContext()
        set_state(plant, context, 10)
        plant.EvalTimeDerivatives(context)
    row(TOOL, "first/10", least(work), remark="a program in Python")


def slopes():
    plant = rods(10)
    other = plant.ToAutoDiffXd()
    context = other.CreateDefaultContext()
    from pydrake.autodiffutils import InitializeAutoDiff, ExtractGradient
    q, v = state(10)
    x = InitializeAutoDiff(np.concatenate([np.diff(q, prepend=0), np.diff(v, prepend=0)]))

    def work():
        other.SetPositionsAndVelocities(context, x)
        return ExtractGradient(other.EvalTimeDerivatives(context).CopyToVector())
    work()
    row(TOOL, "slopes/10", least(work, 3, 5), remark="AutoDiffXd, through Python")


def seconds_of_motion():
    for n in (5, 20):
        plant = rods(n)
        truth = after_a_second(n)[0]
        best = None
        for scheme in ("runge_kutta3", "runge_kutta5"):
            simulator = Simulator(plant)
            ResetIntegratorFromFlags(simulator, scheme, 0.1)
            simulator.get_mutable_integrator().set_target_accuracy(1e-8)
            simulator.get_mutable_integrator().set_fixed_step_mode(False)
            context = simulator.get_mutable_context()

            def work():
                context.SetTime(0)
                plant.SetPositions(context, np.array([0.3] + [0] * (n - 1)))
                plant.SetVelocities(context, np.zeros(n))
                simulator.Initialize()
                simulator.AdvanceTo(1)
            try:
                work()
            except Exception:
                continue
            found = least(work), abs(plant.GetPositions(context)[0] - truth), scheme
            if best is None or found[0] < best[0]:
                best = found
        row(TOOL, f"second/{n}", best[0], best[1], f"{best[2]}, accuracy 1e-8")


for name, work in (("rhs/10", right_hand_sides), ("first/10", first), ("slopes/10", slopes),
                   ("second/5", seconds_of_motion)):
    attempt(TOOL, name, work)
cannot(TOOL, "fourbar", "no loops in its continuous plants; in steps they are springs")
