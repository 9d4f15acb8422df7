"""The equations of `qdot derive --format json` against SymPy's own derivatives of T, V, R and Phi.

Usage: derive.py QDOT EXAMPLES. Every example and some random models (seed QDOT_SEED or 1): M, h, G,
D, Phi_q, Phi_t, gamma and contacts at random states, to 1e-9 relative.
"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import sympy

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\[[-0-9,]*\])?(?:\.[A-Za-z_][A-Za-z_0-9]*)?'*")
FUNCTIONS = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin, "acos": sympy.acos,
    "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "abs": sympy.Abs,
    "sign": sympy.sign, "min": sympy.Min, "max": sympy.Max,
    "if": lambda c, a, b: sympy.Piecewise((a, c), (b, True)),
}
WORDS = {"and": "&", "or": "|", "not": "~"}


class Reader:
    """Texts of the language -> SymPy."""

    def __init__(self, lets):
        self.symbols, self.scope = {}, {}
        for i, (name, text) in enumerate(FUNCTIONS.items()):
            self.scope[f"f_{name}"] = text
        self.lets = {}
        for name, text in lets:
            self.lets[name] = self.read(text)

    def symbol(self, name):
        if name not in self.symbols:
            self.symbols[name] = sympy.Symbol(f"v{len(self.symbols)}", real=True)
        return self.symbols[name]

    def read(self, text):
        def replace(match):
            name = match.group()
            rest = text[match.end():].lstrip()
            if name in WORDS:
                return WORDS[name]
            if name in FUNCTIONS and rest.startswith("("):
                return f"f_{name}"
            if name == "pi":
                return "PI"
            if name in self.lets:
                key = f"let{list(self.lets).index(name)}"
                self.scope[key] = self.lets[name]
                return key
            symbol = self.symbol(name)
            self.scope[symbol.name] = symbol
            return symbol.name

        source = NAME.sub(replace, text).replace("^", "**")
        source = re.sub(r"(?<![\w.])(\d+\.?\d*(?:e[-+]?\d+)?)", r"R('\1')", source)
        return eval(source, {"__builtins__": {}},
                    dict(self.scope, PI=sympy.pi, R=sympy.Rational))


def total_rate(e, q, qd, t):
    """d/dt with all accelerations 0."""
    return sum((sympy.diff(e, a) * b for a, b in zip(q, qd)), sympy.diff(e, t))


def expected(data, reader):
    """Pairs (what, ours, SymPy's)."""
    q = [reader.symbol(c) for c in data["coordinates"]]
    qd = [reader.symbol(c + "'") for c in data["coordinates"]]
    t = reader.symbol("t")
    read = reader.read
    T, V, R = read(data["T"]), read(data["V"]), read(data["R"])
    for i, a in enumerate(qd):
        p = sympy.diff(T, a)
        for j, b in enumerate(qd):
            yield f"M[{i}][{j}]", read(data["M"][i][j]), sympy.diff(p, b)
        yield f"h[{i}]", read(data["h"][i]), total_rate(p, q, qd, t) - sympy.diff(T, q[i])
        yield f"G[{i}]", read(data["G"][i]), sympy.diff(V, q[i])
        yield f"D[{i}]", read(data["D"][i]), sympy.diff(R, a)
    for k, row in enumerate(data["constraints"]):
        phi = read(data["Phi"][k])
        rolling = row["kind"] == "nonholonomic"
        for j in range(len(q)):
            yield f"Phi_q[{k}][{j}]", read(data["Phi_q"][k][j]), sympy.diff(phi, (qd if rolling else q)[j])
        rest = phi.subs({a: 0 for a in qd}) if rolling else sympy.diff(phi, t)
        yield f"Phi_t[{k}]", read(data["Phi_t"][k]), rest
        rate = total_rate(phi, q, qd, t)
        yield f"gamma[{k}]", read(data["gamma"][k]), -(rate if rolling else total_rate(rate, q, qd, t))
    for k, contact in enumerate(data["contacts"]):
        phi = read(contact["phi"])
        for j in range(len(q)):
            yield f"phi_q[{k}][{j}]", read(contact["phi_q"][j]), sympy.diff(phi, q[j])


def check(qdot, path, label, generator):
    text = subprocess.run([qdot, "derive", path, "--format", "json"], capture_output=True, text=True)
    if text.returncode:
        print(f"{label}: {text.stderr}")
        return False
    data = json.loads(text.stdout)
    reader = Reader(data.get("let", []))
    rows = list(expected(data, reader))
    symbols = list(reader.symbols.items())
    both = sympy.lambdify([s for _, s in symbols], [e for _, a, b in rows for e in (a, b)], "math", cse=True)
    compared = worst = 0
    for _ in range(40):
        state = [data["parameters"].get(n, generator.uniform(0.2, 1.4)) for n, _ in symbols]
        try:
            values = both(*state)
        except (ValueError, ZeroDivisionError, OverflowError):
            continue
        for (what, _, _), a, b in zip(rows, values[::2], values[1::2]):
            error = abs(a - b) / max(1e-6, abs(a), abs(b), 1e-3 * max(map(abs, values)))
            worst = max(worst, error)
            if not error < 1e-9:
                print(f"{label}: {what} is {a!r}, SymPy has {b!r}")
                return False
        compared += 1
        if compared == 3:
            break
    print(f"{label}: {len(rows)} entries, {compared} states, worst {worst:.1e}")
    return compared > 0


def random_model(generator):
    """Points that hang on each other or move freely, springs between them, constraints."""
    lines = ["param g = 9.81 [m/s^2]"]
    points = [("0", "0")]
    n = generator.randint(1, 4)
    for i in range(1, n + 1):
        lines.append(f"param m_{i} = {generator.uniform(0.5, 2):.3f} [kg], L_{i} = {generator.uniform(0.3, 1):.3f} [m]")
        x, y = generator.choice(points)
        if generator.random() < 0.6:
            lines.append(f"coord a_{i} = {generator.uniform(-2, 2):.3f} [rad]")
            lines.append(f"let x_{i} = {x} + L_{i}*sin(a_{i}), y_{i} = {y} - L_{i}*cos(a_{i})")
        else:
            lines.append(f"coord x_{i} = {generator.uniform(0.3, 2):.3f} [m], y_{i} = {generator.uniform(0.3, 2):.3f} [m]")
        points.append((f"x_{i}", f"y_{i}"))
        lines.append(f"kinetic = 1/2*m_{i}*(x_{i}'^2 + y_{i}'^2)")
        lines.append(f"potential = m_{i}*g*y_{i}")
    for k in range(generator.randint(0, 2)):
        (x, y), i = generator.choice(points), generator.randint(1, n)
        if (x, y) == (f"x_{i}", f"y_{i}"):
            continue
        lines.append(f"param k_{k} = {generator.uniform(5, 50):.3f} [N/m], c_{k} = 0.3 [N*s/m]")
        lines.append(f"let l_{k} = sqrt((x_{i} - {x} + 0.1 [m])^2 + (y_{i} - {y})^2 + 0.2 [m^2])")
        lines.append(f"potential = 1/2*k_{k}*(l_{k} - 0.5 [m])^2")
        lines.append(f"dissipation = 1/2*c_{k}*l_{k}'^2")
    if generator.random() < 0.6:
        lines.append(f"constraint rail: y_{n} = 0.3 [m]*sin(x_{n}/(1 [m]) + 2 [rad/s]*t)")
    lines.append("simulate to 1 [s] every 100 [ms]")
    return "\n".join(lines) + "\n"


def main():
    qdot, examples = sys.argv[1:3]
    seed = int(os.environ.get("QDOT_SEED", "1"))
    print(f"oracle: QDOT_SEED={seed}")
    generator = random.Random(seed)
    good = True
    for path in sorted(glob.glob(os.path.join(examples, "*.qdot"))):
        good = check(qdot, path, os.path.basename(path), generator) and good
    with tempfile.TemporaryDirectory() as folder:
        for i in range(12):
            path = os.path.join(folder, f"random_{i}.qdot")
            with open(path, "w") as file:
                file.write(random_model(generator))
            if not check(qdot, path, f"random model {i}", generator):
                print(open(path).read())
                good = False
    sys.exit(0 if good else 1)


main()
