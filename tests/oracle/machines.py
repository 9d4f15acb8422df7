"""Machine-design jobs against calculations by hand: machines.py QDOT [NAME]

Every model of the folder machines was written as a user of the documents would write it. Its motion,
reactions, extremes, works, frequencies and responses are computed once more, from equations derived
by hand or by a small program for driven mechanisms, and compared with each number that the command
gives: rows, extremes with their times, work, events, modes, responses, matrices.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "machines"))
import linkages
import motions
import strokes
import vibrations
from compare import Result, command, near, tally, wrong

ONLY = sys.argv[2] if len(sys.argv) > 2 else ""


def exports():
    """The programs that are exported give the columns of a run."""
    for name in ("hoist", "shaper", "crane_control", "excavator"):
        run = Result(name)
        folder = tempfile.mkdtemp()
        command("export", "c", f"{name}.qdot", "--out", folder)
        sources = [os.path.join(folder, x) for x in os.listdir(folder) if x.endswith(".c")]
        program = os.path.join(folder, "program")
        subprocess.run(["cc", "-O1", "-std=c11", *sources, "-o", program, "-lm"], check=True)
        table = list(csv.reader(subprocess.run([program], capture_output=True, text=True,
                                               check=True).stdout.splitlines()))
        shutil.rmtree(folder)
        values = np.array([[float(x) for x in row] for row in table[1:]])
        if table[0] != list(run.columns):
            wrong(name, f"the exported program has the columns {table[0]}")
            continue
        for column, found in zip(table[0], values.T):
            expected = run.columns[column]
            error = np.max(abs(found - expected))
            near(name, f"the exported program, the error of {column}", error, 0, 1e-7,
                 max(np.max(abs(expected)), 1e-4))


JOBS = (motions.cam, strokes.bungee, strokes.gearing, strokes.pile, vibrations.crane_control, linkages.excavator, exports, motions.flywheel,
        motions.hoist, vibrations.isolator, linkages.knuckle, linkages.leg, motions.rotor,
        vibrations.shaft, linkages.shaper, motions.suspension, linkages.wiper)
for job in JOBS:
    if not ONLY or job.__name__ == ONLY:
        before = tally["compared"]
        job()
        print(f"{job.__name__}: {tally['compared'] - before} numbers compared")
sys.exit(tally["problems"] > 0)
