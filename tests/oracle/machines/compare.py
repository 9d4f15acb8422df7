"""What the command says about a model, number by number against functions of time."""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import brentq

QDOT, FOLDER = os.path.abspath(sys.argv[1]), os.path.dirname(os.path.abspath(__file__))
tally = {"problems": 0, "compared": 0}


def wrong(where, text):
    tally["problems"] += 1
    print(f"{where}: {text}")


def near(where, what, found, expected, tolerance, scale=None):
    """One number against another."""
    tally["compared"] += 1
    scale = abs(expected) if scale is None else scale
    if not abs(found - expected) <= tolerance * max(scale, 1e-300):
        wrong(where, f"{what} is {found:.12g}, not {expected:.12g}")


class Result:
    """A run by the command: its table, summary and words."""

    def __init__(self, name, *options):
        self.name = name
        self.folder = tempfile.mkdtemp()
        self.text = command("simulate", f"{name}.qdot", "--out", self.folder, *options)
        with open(os.path.join(self.folder, "results.csv"), encoding="utf-8") as file:
            table = list(csv.reader(file))
        values = np.array([[float(x) for x in row] for row in table[1:]])
        self.columns = dict(zip(table[0], values.T))
        with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
            self.summary = json.load(file)
        self.t = self.columns["t"]
        shutil.rmtree(self.folder)

    def compare(self, expected, tolerance=1e-7, jumps=(), points=100):
        """All columns and their extremes against functions of an array of times. Between jumps they
        are smooth; in a row next to one, either side is right."""
        rows = self.t[::max(1, len(self.t) // 50)]
        for jump in jumps:
            rows = rows[abs(rows - jump) > 1e-6]
        at = np.isin(self.t, rows)
        ends = [0, *jumps, self.t[-1]]
        pieces = [np.linspace(a + 1e-9, b - 1e-9, max(21, int(points * (b - a) / self.t[-1])))
                  for a, b in zip(ends, ends[1:]) if b - a > 1e-7]
        for column in self.columns:
            if column != "t" and column not in expected:
                wrong(self.name, f"nothing is expected of the column {column}")
        for column, function in expected.items():
            if column not in self.columns:
                wrong(self.name, f"there is no column {column}")
                continue
            values = [function(piece) for piece in pieces]
            scale = max(1e-4, *(np.max(abs(v)) for v in values))
            error = abs(self.columns[column][at] - function(rows))
            near(self.name, f"the error of {column} at t = {rows[np.argmax(error)]}", np.max(error),
                 0, tolerance, scale)
            extreme = self.summary["extremes"][column]
            for word, sign in (("min", 1), ("max", -1)):
                best = [refined(function, *piece, sign) for piece in zip(pieces, values)]
                best = min(best) if sign == 1 else max(best)
                near(self.name, f"{word} of {column}", extreme[word], best, 10 * tolerance,
                     scale)
                t = extreme[f"t_{word}"]
                if all(abs(t - jump) > 1e-6 for jump in jumps):
                    near(self.name, f"{column} at t_{word} = {t}", extreme[word],
                         float(function(np.array([t]))[0]), 10 * tolerance, scale)

    def says(self, words):
        if words not in self.text:
            wrong(self.name, f"'{words}' is not said: {self.text}")

    def work(self, kind, expected, scale, tolerance=1e-7):
        near(self.name, f"work of {kind}", self.summary["work"][kind], expected, tolerance, scale)


def refined(function, t, values, sign):
    """The least value of a smooth function on a grid and beside its lowest points, by parabolas."""
    heights = sign * values
    best = np.min(heights)
    low = [i for i in range(len(t)) if heights[i] <= heights[max(i - 1, 0)]
           and heights[i] <= heights[min(i + 1, len(t) - 1)]]
    for i in sorted(low, key=lambda k: heights[k])[:2]:
        step = t[1] - t[0]
        middle = min(max(t[i], t[1]), t[-2])
        for _ in range(5):
            left, top, right = sign * function(np.array([middle - step, middle, middle + step]))
            bend = left - 2 * top + right
            if bend > 0:
                middle += max(-1, min(1, (left - right) / (2 * bend))) * step
            step /= 5
            middle = min(max(middle, t[0] + step), t[-1] - step)
            best = min(best, left, right, sign * float(function(np.array([middle]))[0]))
    return sign * best


def command(*words):
    run = subprocess.run([QDOT, *words], cwd=FOLDER, capture_output=True, text=True, check=False,
                         timeout=100)
    if run.returncode != 0:
        wrong(words[1], f"{' '.join(words)} fails: {run.stderr}")
    return run.stdout + run.stderr


def multiplied(function, factor):
    return lambda t: factor * function(t)


def plus(*functions):
    return lambda t: sum(f(t) for f in functions)


def zero(t):
    return np.zeros(np.shape(t))


def zeros(function, low, high, pieces=200):
    """Where a function changes its sign."""
    grid = np.linspace(low, high, pieces + 1) + 1e-9
    values = function(grid)
    return [brentq(lambda t: float(function(np.array([t]))[0]), a, b, xtol=1e-14)
            for a, b, u, v in zip(grid, grid[1:], values, values[1:]) if u * v < 0]
