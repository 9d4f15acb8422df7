#!/usr/bin/env python3
"""Measures and rows are two views of one motion: usage: measures.py QDOT EXAMPLES [MODEL...].

Asks of every column of every example what it is at the start and at the end, and its extremes, and compares them with
the rows: the ends must agree, and no row may lie beyond an extreme.
"""
import csv, glob, json, math, os, subprocess, sys, tempfile

FRICTION = {
    "block pulled over a floor": """param m = 2 [kg], g = 9.81 [m/s^2], mu = 0.4
gravity (0, -g)
body box: plate (0.4 [m], 0.2 [m]), mass m, at = (0, 0.1 [m]), angle = 0, velocity = (1 [m/s], 0), spin = 0
contact left: box (-0.2 [m], -0.1 [m]), line (0, 0), axis 0, friction mu
contact right: box (0.2 [m], -0.1 [m]), line (0, 0), axis 0, friction mu
force box (0, 0) = (5 [N]*sin(3 [1/s]*t), 0)
simulate to 2 [s] every 10 [ms]
""",
    "the same by time stepping": """param m = 2 [kg], g = 9.81 [m/s^2], mu = 0.4
gravity (0, -g)
body box: plate (0.4 [m], 0.2 [m]), mass m, at = (0, 0.1 [m]), angle = 0, velocity = (1 [m/s], 0), spin = 0
contact left: box (-0.2 [m], -0.1 [m]), line (0, 0), axis 0, friction mu
contact right: box (0.2 [m], -0.1 [m]), line (0, 0), axis 0, friction mu
force box (0, 0) = (5 [N]*sin(3 [1/s]*t), 0)
simulate to 2 [s] every 10 [ms] using moreau
""",
    "slide that locks": """param m = 2 [kg], g = 9.81 [m/s^2], mu = 0.4
gravity (0, -g)
body slide: mass m, inertia 0.1 [kg*m^2], at = (0, 0), angle = 0, velocity = (1 [m/s], 0), spin = 0
joint rail: prismatic ground (0, 0), slide (0, 0), axis 0, friction mu
simulate to 1 [s] every 10 [ms]
""",
}


MOST = 12  # columns of a model, about
# Where the coupler only translates, its rates are rounding, which dead positions blow up.
LEFT_OUT = {"parallelogram.qdot"}


def is_asked(head):
    """Forces, outputs and the like; motions and energies are tested elsewhere, rows of unit vectors have no name."""
    return not head.startswith("E_") and not head.endswith("'") and not ("lambda_" in head and head.endswith(".unit"))


def run(qdot, path, out, *options):
    done = subprocess.run([qdot, "simulate", path, "--out", out, "--quiet", *options], capture_output=True, text=True)
    return done.returncode, done.stderr


def table(out):
    with open(os.path.join(out, "results.csv")) as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(cell) if cell else math.nan for cell in row] for row in rows[1:]]


def check(qdot, name, text, folder):
    path, out = os.path.join(folder, "model.qdot"), os.path.join(folder, "out")
    with open(path, "w") as file:
        file.write(text)
    if run(qdot, path, out, "--columns", "all")[0] not in (0, 1):
        return 0, []
    heads, rows = table(out)
    heads = [head for head in heads[1:] if is_asked(head)]
    heads = heads[::1 + len(heads) // MOST]
    kinds = ("start", "final", "max", "min")
    with open(path, "a") as file:
        for i, head in enumerate(heads):
            file.write("\nmeasure " + ", ".join(f"zz_{kind}_{i} = {kind}({head})" for kind in kinds) + "\n")
    status, told = run(qdot, path, out, "--columns", "all")
    if status not in (0, 1):
        return 0, [f"{name}: {told.strip().splitlines()[0] if told else status}"]
    found, rows = table(out)
    with open(os.path.join(out, "summary.json")) as file:
        measures = json.load(file).get("measures")
    if measures is None:
        return 0, [f"{name}: no measures, exit {status}: {told.strip()[:300]}"]
    wrong = []
    for i, head in enumerate(heads):
        column = [row[found.index(head)] for row in rows]
        size = max((abs(value) for value in column if math.isfinite(value)), default=0) or 1
        start, final, most, least = (measures[f"zz_{kind}_{i}"] for kind in kinds)
        near = 2e-5 * size + 1e-9
        if "using moreau" in text:  # forces are those of the step before a row: the first has none
            column = column[1:]
            start = column[0]
        if None in (start, final, most, least):
            wrong.append(f"{name}: {head} has no value")
        elif abs(start - column[0]) > near or abs(final - column[-1]) > near:
            wrong.append(f"{name}: {head} from {start} to {final}, rows from {column[0]} to {column[-1]}")
        elif max(column) > most + near or min(column) < least - near:
            wrong.append(f"{name}: {head} within {least} to {most}, rows within {min(column)} to {max(column)}")
    return len(heads), wrong


def main():
    qdot, examples = sys.argv[1:3]
    models, columns, wrong = dict(FRICTION), 0, []
    for path in sorted(glob.glob(examples + "/*.qdot")) if len(sys.argv) == 3 else sys.argv[3:]:
        with open(path) as file:
            if os.path.basename(path) not in LEFT_OUT:
                models[os.path.basename(path)] = file.read()
    for name, text in models.items():
        with tempfile.TemporaryDirectory() as folder:
            for data in glob.glob(examples + "/*.csv") + [examples + "/parts"]:
                if os.path.exists(data):
                    os.symlink(os.path.abspath(data), os.path.join(folder, os.path.basename(data)))
            seen, told = check(qdot, name, text, folder)
            columns, wrong = columns + seen, wrong + told
    for line in wrong:
        print(line)
    print(f"{len(models)} models, {columns} columns, {len(wrong)} disagree")
    sys.exit(1 if wrong or columns < 5 * len(models) else 0)


main()
