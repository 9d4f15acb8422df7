"""The expressions of `qdot linearize --format json` against its own numbers.

Usage: linear.py QDOT EXAMPLES. Every example that has an equilibrium, and models of each kind: with
values without closed form, with shared parts, on contacts, rolling, about a motion, about a point that
is no equilibrium. The matrices are evaluated in Python at the point and must be the numbers; the
eigenvalues must have the sums of powers that A has.
"""
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:\[[-0-9,]*\])?(?:\.[A-Za-z_][A-Za-z_0-9]*)*'*(?!\w*\()")
FUNCTIONS = {name: getattr(math, name) for name in
             "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt".split()}
FUNCTIONS["abs"] = abs
FUNCTIONS["sign"] = lambda x: (x > 0) - (x < 0)

CHAIN = """count N = {0}
param g = 9.81 [m/s^2], D = 2 [m]
for i in 1..N
  param m[i] = (10 + i)*0.1 [kg], L[i] = (20 + i)*0.05 [m]
  coord theta[i] ~ (2*i/N - 1)*1 [rad]
  let x[i] = sum(j in 1..i: L[j]*cos(theta[j]))
  let y[i] = sum(j in 1..i: L[j]*sin(theta[j]))
  kinetic = 1/2*m[i]*(x[i]'^2 + y[i]'^2)
  potential = m[i]*g*y[i]
end
constraint c_x: x[N] = D
constraint c_y: y[N] = 0
"""
# The same sleigh with coordinates for its tail, which a joint holds, and without.
TAIL = """param m = 1 [kg], J = 0.1 [kg*m^2], a = 0.2 [m], v = 2 [m/s], L = 0.7 [m], m_2 = 0.4 [kg]
coord x = 0 [m], y = 0 [m], phi = 0 [rad]
{0}
kinetic = 1/2*m*((x' - a*phi'*sin(phi))^2 + (y' + a*phi'*cos(phi))^2) + 1/2*J*phi'^2
kinetic = 1/2*m_2*(x_t'^2 + y_t'^2)
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
{1}
linearize at motion x' = v{2}
"""
MODELS = {
    "chain of 4": CHAIN.format(4),
    "chain of 8": CHAIN.format(8),
    "on a contact": """param m = 2 [kg], g = 9.81 [m/s^2], k = 50 [N/m], a = 0.5 [1/m]
coord x = 0.1 [m], y = 0.2 [m]
kinetic = 1/2*m*(x'^2 + y'^2)
potential = m*g*y + 1/2*k*x^2
contact floor: y >= a*x^2
""",
    "rolling": """param m = 1 [kg], J = 0.1 [kg*m^2], a = 0.2 [m], v = 2 [m/s], c = 0.3 [N*s/m], k = 2 [N/m]
coord x = 0 [m], y = 0 [m], phi = 0 [rad]
input u = 0 [N*m]
kinetic = 1/2*m*((x' - a*phi'*sin(phi))^2 + (y' + a*phi'*cos(phi))^2) + 1/2*J*phi'^2
potential = 1/2*k*y^2
force phi = u
constraint blade: x'*sin(phi) - y'*cos(phi) = 0
linearize at motion x' = v
""",
    "rolling with a tail": TAIL.format(
        "coord x_t ~ -0.7 [m], y_t ~ 0 [m]",
        "constraint tail_x: x_t = x - L*cos(phi)\nconstraint tail_y: y_t = y - L*sin(phi)", ", x_t' = v"),
    "rolling without": TAIL.format("let x_t = x - L*cos(phi)\nlet y_t = y - L*sin(phi)", "", ""),
    "no equilibrium": """param m = 1 [kg], g = 9.81 [m/s^2], L = 2 [m], c = 0.1 [N*m*s]
coord theta = 1 [rad]
input u = 1 [N*m]
let v = L*theta'
kinetic = 1/2*m*v^2
potential = -m*g*L*cos(theta)
dissipation = 1/2*c*theta'^2
force theta = u*(1 + theta^2)
linearize at theta = 1
linearize at theta = pi/3
""",
}


def value(text, values):
    """An expression of the language in Python."""
    def replace(match):
        name = match.group()
        if name == "pi":
            return repr(math.pi)
        return f"({values[name]!r})"
    python = NAME.sub(lambda m: m.group() if m.group() in FUNCTIONS and
                      text[m.end():m.end() + 1] == "(" else replace(m), text)
    return eval(python.replace("^", "**"), {"__builtins__": {}}, FUNCTIONS)


def power_sums(matrix, count):
    """Traces of the matrix's powers."""
    size, power, sums = len(matrix), matrix, []
    for _ in range(count):
        sums.append(sum(power[i][i] for i in range(size)))
        power = [[sum(power[i][k] * matrix[k][j] for k in range(size)) for j in range(size)]
                 for i in range(size)]
    return sums


def check(name, answer, parameters):
    """Complains and gives False where the answer disagrees with itself."""
    values = dict(parameters)
    values.update(answer["point"], **answer["symbols"])
    for let, text in answer.get("let", []):
        values[let] = value(text, values)
    wrong = []
    for key, text in answer["point_exact"].items():
        if abs(value(text, values) - values.get(key, 0)) > 1e-9 * max(1, abs(values.get(key, 0))):
            wrong.append(f"{key} = {text}")
    noise = 1e-13 * max((abs(x) for key in "MCK" for row in answer[key + "num"] for x in row),
                        default=0)
    for key in "MCK":
        numbers = answer[key + "num"]
        largest = max((abs(x) for row in numbers for x in row), default=0)
        for i, row in enumerate(answer[key]):
            for j, text in enumerate(row):
                if abs(value(text, values) - numbers[i][j]) > 1e-8 * largest + noise:
                    wrong.append(f"{key}[{i}][{j}] is {numbers[i][j]}, not {value(text, values)}")
    A = answer["A"]
    if A:
        f, p = len(answer["Mnum"]), len(answer["independent"])
        scale = max([abs(complex(*e)) for e in answer["eigenvalues"]] + [1e-300])
        count = min(4, len(A))
        scaled = [[x / scale for x in row] for row in A]
        sums = [sum((complex(*e) / scale) ** (k + 1) for e in answer["eigenvalues"])
                for k in range(count)]
        for k, (ours, other) in enumerate(zip(sums, power_sums(scaled, count))):
            if abs(ours - other) > 1e-6 * len(A):
                wrong.append(f"eigenvalues to the power {k + 1} sum up to {ours}, not {other}")
        # M^ A's lower rows are -(K^, C^)
        for i in range(f):
            for j in range(p + f):
                ours = sum(answer["Mnum"][i][k] * A[p + k][j] for k in range(f))
                other = -(answer["Knum"][i][j] if j < p else answer["Cnum"][i][j - p])
                if abs(ours - other) > 1e-9 * max(abs(other), scale ** 2 * largest_of(answer)):
                    wrong.append(f"M^ A at {i}, {j}: {ours}, not {other}")
        # M^ B's lower rows are the forces of the inputs
        for i in range(f):
            for j in range(len(answer["inputs"])):
                ours = sum(answer["Mnum"][i][k] * answer["B"][p + k][j] for k in range(f))
                if abs(ours - value(answer["B_force"][i][j], values)) > 1e-9 * max(1, abs(ours)):
                    wrong.append(f"M^ B at {i}, {j}: {ours}, not {answer['B_force'][i][j]}")
    for text in wrong[:5]:
        print(f"{name}: {text}")
    return not wrong


def largest_of(answer):
    return max((abs(x) for row in answer["Mnum"] for x in row), default=0)


def ask(qdot, verb, file):
    done = subprocess.run([qdot, verb, file, "--format", "json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def main():
    qdot, examples = sys.argv[1:3]
    good, tried, parts, eigenvalues = True, 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        files = {os.path.basename(path): path for path in sorted(glob.glob(examples + "/*.qdot"))}
        for name, text in MODELS.items():
            files[name] = os.path.join(folder, f"model{len(files)}.qdot")
            with open(files[name], "w") as file:
                file.write(text)
        for name, path in files.items():
            answers = ask(qdot, "linearize", path)
            if answers is None:
                if name in MODELS:
                    print(f"{name}: no linearization")
                    good = False
                continue
            parameters = ask(qdot, "derive", path)["parameters"]
            for answer in answers if isinstance(answers, list) else [answers]:
                tried += 1
                eigenvalues[name] = [complex(*e) for e in answer["eigenvalues"]]
                parts += len(answer.get("let", []))
                good = check(name, answer, parameters) and good
    for a, b in zip(eigenvalues["rolling with a tail"], eigenvalues["rolling without"]):
        if abs(a - b) > 1e-9 * max(1, abs(a)):
            print(f"the sleigh's eigenvalues: {a} with its tail's coordinates, {b} without")
            good = False
    print(f"{tried} linearizations, {parts} shared parts")
    sys.exit(0 if good and parts > 0 else 1)


main()
