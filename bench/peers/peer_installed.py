"""Versions, start-up and size of what is installed: a peer with all that it needs."""
import importlib.metadata as metadata
import os
import re
import subprocess
import sys
import time

from beside import row

PEERS = (("CasADi", "casadi", "import casadi"), ("Pinocchio", "pin", "import pinocchio"),
         ("Drake", "drake", "import pydrake.multibody.plant"), ("MuJoCo", "mujoco", "import mujoco"),
         ("Exudyn", "exudyn", "import exudyn"), ("MechanicsDSL", "mechanicsdsl-core", "import mechanics_dsl"),
         ("SymPy", "sympy", "import sympy"), ("JAX, diffrax", "diffrax", "import diffrax"),
         ("SciPy", "scipy", "import scipy.integrate"))


def closure(name, known):
    """A package and all that it asks for."""
    if name in known:
        return
    try:
        distribution = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return
    known[name] = distribution
    for need in distribution.requires or []:
        if ";" not in need or "extra" not in need.split(";", 1)[1]:
            closure(re.split(r"[^\w.-]", need, maxsplit=1)[0], known)


def size_of(distribution):
    total = 0
    for file in distribution.files or []:
        try:
            total += os.stat(file.locate()).st_size
        except OSError:
            pass
    return total


for tool, package, start in PEERS:
    known = {}
    closure(package, known)
    if package not in known:
        continue
    row(tool, "version", 0, remark=known[package].version)
    best = 1e300
    for _ in range(4):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", start], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - began)
    row(tool, "start", best, remark=f"python, {start}")
    row(tool, "size", sum(size_of(d) for d in known.values()),
        remark=f"{len(known)} package{'s' if len(known) > 1 else ''}, Python itself not counted")
