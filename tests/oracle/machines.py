"""Machine-design jobs against calculations by hand: machines.py QDOT [NAME]

Every model of the folder machines was written as a user of the documents would write it. Its motion,
reactions, extremes, works, frequencies and responses are computed once more, from equations derived
by hand or by a small program for driven mechanisms, and compared with each number that the command
gives: rows, extremes with their times, work, events, modes, responses, matrices.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "machines"))
import linkages
import motions
import strokes
import vibrations
from compare import tally

ONLY = sys.argv[2] if len(sys.argv) > 2 else ""
JOBS = (motions.cam, strokes.bungee, strokes.gearing, strokes.pile, vibrations.crane_control, linkages.excavator, motions.flywheel,
        motions.hoist, vibrations.isolator, linkages.knuckle, linkages.leg, motions.rotor,
        vibrations.shaft, linkages.shaper, motions.suspension, linkages.wiper)
for job in JOBS:
    if not ONLY or job.__name__ == ONLY:
        before = tally["compared"]
        job()
        print(f"{job.__name__}: {tally['compared'] - before} numbers compared")
sys.exit(tally["problems"] > 0)
