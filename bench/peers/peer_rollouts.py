"""10,000 double pendulums of ten seconds, the CPU time of two cores together: MuJoCo's rollout, JAX with diffrax."""
import os
import sys
import time

which, runs = sys.argv[1], 10000
if which == "jax":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads=2"
    os.environ["JAX_PLATFORMS"] = "cpu"
import numpy as np  # after the settings above

from beside import attempt, row

random = np.random.default_rng(1)
angles = np.radians(random.uniform(10, 170, (runs, 2)))


def energy(q, v):
    """Two masses of 1 kg on rods of 1 m, absolute angles."""
    d = q[:, 0] - q[:, 1]
    T = v[:, 0] ** 2 + v[:, 1] ** 2 / 2 + v[:, 0] * v[:, 1] * np.cos(d)
    return T - 9.81 * (2 * np.cos(q[:, 0]) + np.cos(q[:, 1]))


def energy_error(q, v, start):
    """The motion is chaotic; what can be compared is the energy. Nine runs of ten are as good as this, in J."""
    return float(np.quantile(np.abs(energy(q, v) - energy(start, 0 * start)), 0.9))


def mujoco():
    import mujoco
    from mujoco import rollout

    body = ('<joint type="hinge" axis="0 0 1"/><inertial pos="0 -1 0" mass="1" diaginertia="1e-12 1e-12 1e-12"/>')
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 -9.81 0" integrator="RK4" timestep="0.01"><flag contact="disable" '
        f'constraint="disable"/></option><worldbody><body>{body}<body pos="0 -1 0">{body}</body></body></worldbody>'
        '</mujoco>')
    start = np.zeros((runs, 5))
    start[:, 1], start[:, 2] = angles[:, 0], angles[:, 1] - angles[:, 0]

    def roll(count, step):
        model.opt.timestep = step
        data = [mujoco.MjData(model) for _ in range(2)]
        began = time.process_time()
        with rollout.Rollout(nthread=2) as roller:
            states, _ = roller.rollout(model, data, start[:count], nstep=round(10 / step))
        seconds, end = time.process_time() - began, states[:, -1]
        return seconds, energy_error(np.cumsum(end[:, 1:3], 1), np.cumsum(end[:, 3:5], 1), angles[:count])
    step = 0.01
    while roll(100, step)[1] > 1e-4 and step > 0.001:
        step /= 2
    seconds, error = roll(1000, step)
    row("MuJoCo", "many", 10 * seconds, error,
        f"rollout, RK4, steps of {1000 * step:g} ms, ten times a batch of 1,000")


def jax():
    import jax as j
    import jax.numpy as jnp
    import diffrax

    j.config.update("jax_enable_x64", True)

    def field(t, y, args):
        q, v = y[:2], y[2:]
        c, s = jnp.cos(q[0] - q[1]), jnp.sin(q[0] - q[1])
        f1, f2 = -s * v[1] ** 2 - 2 * 9.81 * jnp.sin(q[0]), s * v[0] ** 2 - 9.81 * jnp.sin(q[1])
        D = 2 - c * c
        return jnp.array([v[0], v[1], (f1 - c * f2) / D, (2 * f2 - c * f1) / D])

    def run(q):
        solution = diffrax.diffeqsolve(diffrax.ODETerm(field), diffrax.Dopri8(), 0, 10, 0.01,
                                       jnp.concatenate([q, jnp.zeros(2)]), max_steps=100000,
                                       stepsize_controller=diffrax.PIDController(rtol=1e-8, atol=1e-8),
                                       saveat=diffrax.SaveAt(t1=True))
        return solution.ys[0]
    many = j.jit(j.vmap(run))
    few = angles[:1000]
    began = time.process_time()
    many(few).block_until_ready()
    compiled = time.process_time() - began
    began = time.process_time()
    end = np.asarray(many(few).block_until_ready())
    seconds = time.process_time() - began
    error = energy_error(end[:, :2], end[:, 2:], few)
    row("JAX, diffrax", "many", 10 * seconds, error,
        f"Dopri8 at 1e-8, ten times a batch of 1,000; compiling takes {max(compiled - seconds, 0):.1f} s")


attempt({"mujoco": "MuJoCo", "jax": "JAX, diffrax"}[which], "many", {"mujoco": mujoco, "jax": jax}[which])
