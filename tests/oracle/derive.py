"""The equations of `qdot derive --format json` against SymPy's own derivatives.

Usage: derive.py QDOT EXAMPLES. Every example and some random models (seed QDOT_SEED or 1) at random
states, to 1e-9 relative. From T, V, R and Phi of the answer: M, h, G, D, Phi_q, Phi_t, gamma and
contacts. From the text itself, read by model_text.py: parameters, T, V, R, the whole equations of
motion with all forces, constraints, contacts and outputs.
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

sys.dont_write_bytecode = True  # the tree stays as it is
from model_text import ModelText, Unread

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\[[-0-9,]*\])?(?:\.[A-Za-z_][A-Za-z_0-9]*)*'*")
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


def expected_of_text(data, reader, model):
    """Pairs (what, ours, what the text says)."""
    read, ours = reader.read, {}
    for name in model.q:
        ours[model.q[name]] = reader.symbol(name)
        ours[model.qd[name]] = reader.symbol(name + "'")
        ours[model.qdd[name]] = reader.symbol(name + "''")
    for name, symbol in {**model.parameters, **model.u}.items():
        ours[symbol] = reader.symbol(name)
    ours[model.t] = reader.symbol("t")
    for name in [c["name"] for c in data["constraints"] + data["contacts"]]:
        ours[sympy.Symbol(f"lambda_{name}", real=True)] = reader.symbol(f"lambda_{name}")

    def same(e):
        return sympy.sympify(e).xreplace(ours)

    for name, symbol in model.parameters.items():
        yield f"parameter {name}", sympy.Float(data["parameters"][name], 20), model.values[symbol]
    for name, energy in zip("TVR", model.energies()):
        yield name, read(data[name]), same(energy)
    qdd = [reader.symbol(c + "''") for c in data["coordinates"]]
    assert data["coordinates"] == list(model.q), "coordinates in another order"
    for i, equation in enumerate(model.equations()):
        whole = sum((read(e) * a for e, a in zip(data["M"][i], qdd)), sympy.Integer(0))
        for part in "hDG":
            whole += read(data[part][i])
        yield f"equation of {data['coordinates'][i]}", whole - read(data["Q"][i]), same(equation)
    for (name, phi), row, text in zip(model.constraints, data["constraints"], data["Phi"]):
        assert name == row["name"]
        yield f"constraint {name}", read(text), same(phi)
    for (name, phi), contact in zip(model.contacts, data["contacts"]):
        assert name == contact["name"]
        yield f"contact {name}", read(contact["phi"]), same(phi)
    for name, e in model.outputs.items():
        if not isinstance(e, tuple):
            yield f"output {name}", read(data["outputs"][name]), same(e)


def check(qdot, path, label, generator):
    text = subprocess.run([qdot, "derive", path, "--format", "json"], capture_output=True, text=True)
    if text.returncode:
        print(f"{label}: {text.stderr}")
        return False
    data = json.loads(text.stdout)
    reader = Reader(data.get("let", []))
    rows = list(expected(data, reader))
    try:
        with open(path) as file:
            rows += expected_of_text(data, reader, ModelText(file.read()))
        source = "and the text"
    except Unread as statement:
        source = f"but not the text ({statement})"
    symbols = list(reader.symbols.items())
    # slopes of steps are 0 wherever a state of chance can be
    both = sympy.lambdify([s for _, s in symbols], [e for _, a, b in rows for e in (a, b)],
                          [{"DiracDelta": lambda *_: 0}, "math"], cse=True)
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
    print(f"{label}: {len(rows)} entries, {compared} states {source}, worst {worst:.1e}")
    return compared > 0


def random_forces(generator, points, angles, n):
    """Inputs, forces at points and on coordinates, with time and velocities."""
    i = generator.randint(1, n)
    x, y = points[i]
    lines = ["param F = 3 [N], w = 2 [rad/s], b = 0.4 [N*s/m], B = 0.7 [kg/s]", "input u = 0.3 [N]"]
    if generator.random() < 0.7:
        lines.append(f"force ({x}, {y}) = (F*sin(w*t) - b*{x}', u)")
    if generator.random() < 0.5:
        lines.append(f"let P = ({x} + 0.2 [m], 2*{y})")
        lines.append("force P = rot(w*t, (u, F)) - b*P'")
    if generator.random() < 0.5:
        lines.append(f"force {angles[0]} = F*L_1*tanh({angles[0]}'/w)" if angles
                     else f"force {x} = F*cos(w*t) - b*{y}'")
    lines.append(f"output power = u*{y}' + F*{x}'")
    return lines


def random_model(generator):
    """Points that hang on each other or move freely, springs between them, constraints."""
    lines = ["param g = 9.81 [m/s^2]"]
    points, angles = [("0", "0")], []
    n = generator.randint(1, 4)
    for i in range(1, n + 1):
        lines.append(f"param m_{i} = {generator.uniform(0.5, 2):.3f} [kg], L_{i} = {generator.uniform(0.3, 1):.3f} [m]")
        x, y = generator.choice(points)
        if generator.random() < 0.6:
            angles.append(f"a_{i}")
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
    lines += random_forces(generator, points, angles, n)
    if generator.random() < 0.6:
        lines.append(f"constraint rail: y_{n} = 0.3 [m]*sin(x_{n}/(1 [m]) + 2 [rad/s]*t)")
    if generator.random() < 0.4:
        # the same as a Lagrangian, with a potential that depends on velocities and one on time
        lines = [re.sub("^potential = (.*)", r"lagrangian = -(\1)", l).replace("kinetic", "lagrangian")
                 for l in lines]
        lines.append(f"lagrangian = B*(x_{n}*y_{n}' - 1/2*y_{n}*x_{n}') - 1/2*w*B*x_{n}^2*cos(w*t)")
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
