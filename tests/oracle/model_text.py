"""A second reader of the language, for energies, forces and constraints written out: text -> SymPy.

It shares nothing with Qdot. Mechanisms of bodies are not read: `Unread` is raised.
"""
import re

import sympy

TOKEN = re.compile(r"""\s*(?:(?P<number>\d+\.(?!\.)\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?)
    |(?P<name>[^\W\d]\w*)|(?P<sign>''*|\.\.|<=|>=|==|!=|[-+*/^()\[\],:=~<>.]))""", re.X)
GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "θ": "theta", "λ": "lambda",
         "φ": "phi", "ψ": "psi", "ω": "omega", "Ω": "Omega", "τ": "tau", "π": "pi"}
PI = sympy.pi
UNITS = {"m": 1, "kg": 1, "s": 1, "N": 1, "J": 1, "W": 1, "Pa": 1, "rad": 1, "Hz": 1, "g": "1/1000",
         "t": 1000, "deg": PI / 180, "rpm": 2 * PI / 60, "rev": 2 * PI, "mm": "1/1000", "cm": "1/100",
         "km": 1000, "um": "1/1000000", "ms": "1/1000", "us": "1/1000000", "kN": 1000, "MN": 1000000,
         "bar": 100000, "MPa": 1000000, "kPa": 1000, "GPa": 1000000000, "min": 60, "h": 3600}
FUNCTIONS = {"sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "asin": sympy.asin,
             "acos": sympy.acos, "atan": sympy.atan, "atan2": sympy.atan2, "sinh": sympy.sinh,
             "cosh": sympy.cosh, "tanh": sympy.tanh, "exp": sympy.exp, "log": sympy.log,
             "sqrt": sympy.sqrt, "abs": sympy.Abs, "sign": sympy.sign, "min": sympy.Min,
             "max": sympy.Max}
SILENT = {"model", "simulate", "linearize", "independent", "plot", "draw", "compare", "derive"}
ENERGIES = {"kinetic", "potential", "dissipation", "lagrangian"}


class Unread(Exception):
    """A statement that this reader does not know."""


def tokens_of(text):
    at, found = 0, []
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if not match:
            raise Unread(text[at:])
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found + [("end", "")]


def lines_of(text):
    """Lines without comments and descriptions, joined while a bracket is open."""
    whole = ""
    for line in text.splitlines():
        line = re.sub(r'"[^"]*"', "", line)
        whole += " " + line.split("#")[0]
        if sum(map(whole.count, "([")) > sum(map(whole.count, ")]")):
            continue
        if whole.strip():
            yield whole.strip()
        whole = ""


def is_vector(value):
    return isinstance(value, tuple)


class ModelText:
    def __init__(self, text, settings=()):
        self.settings = dict(settings)
        self.t = sympy.Symbol("t", real=True)
        self.q, self.qd, self.qdd, self.u = {}, {}, {}, {}
        self.names = {"t": self.t, "pi": PI}
        self.loops, self.parameters, self.values = {}, {}, {}
        self.energy = {word: sympy.Integer(0) for word in ENERGIES}
        self.has_lagrangian = False
        self.force, self.point_forces = {}, []
        self.constraints, self.contacts, self.outputs = [], [], {}
        self.run(list(lines_of(text)))

    # ---- statements

    def run(self, lines):
        at = 0
        while at < len(lines):
            if re.match(r"for\b", lines[at]):
                end, depth = at + 1, 1
                while depth:
                    depth += bool(re.match(r"for\b", lines[end])) - (lines[end] == "end")
                    end += 1
                self.loop(lines[at], lines[at + 1:end - 1])
                at = end
            else:
                self.statement(lines[at])
                at += 1

    def loop(self, head, body):
        name, first, last = re.match(r"for\s+(\w+)\s+in\s+(.*?)\.\.(.*)$", head).groups()
        for i in range(int(self.value(first)), int(self.value(last)) + 1):
            self.loops[name] = sympy.Integer(i)
            self.run(body)
            del self.loops[name]

    def statement(self, line):
        self.tokens, self.at = tokens_of(line) if not line.startswith(tuple(SILENT)) else [], 0
        word = line.split()[0]
        if word in SILENT:
            return
        self.at = 1
        if word in ("param", "count", "coord", "let", "input"):
            self.definitions(word)
        elif word in ENERGIES:
            if self.peek() != "=":
                self.at += 1
            self.expect("=")
            self.energy[word] += self.expression()
            self.has_lagrangian |= word == "lagrangian"
        elif word == "force":
            self.add_force()
        elif word == "constraint":
            name = self.label()
            left = self.expression()
            self.expect("=")
            self.constraints.append((name, left - self.expression()))
        elif word == "contact":
            name = self.label()
            left, sign = self.sum(), self.take()
            right = self.sum()
            if re.search(r"\bfriction\b", line):
                raise Unread("friction")
            self.contacts.append((name, left - right if sign == "<=" else right - left))
        elif word == "output":
            name = self.label("=")
            self.outputs[name] = self.expression()
        else:
            raise Unread(word)

    def label(self, end=":"):
        name = self.indexed_name()
        self.expect(end)
        return name

    def definitions(self, word):
        while True:
            name = self.indexed_name()
            primes = len(self.take()) if self.peek().startswith("'") else 0
            self.take()  # '=' or '~'
            start = self.at
            value = self.expression()
            if word in ("param", "count") and name in self.settings:
                value = sympy.Rational(str(self.settings[name]))
            if primes == 0:
                self.define(word, name, value)
            assert self.at > start
            if self.peek() != ",":
                return
            self.at += 1

    def define(self, word, name, value):
        if word == "count":
            self.names[name] = value
        elif word == "let":
            self.names[name] = value
        elif word == "param":
            self.names[name] = self.parameters[name] = sympy.Symbol(f"p_{name}", real=True)
            self.values[self.parameters[name]] = value.subs(self.values)
        elif word == "input":
            self.names[name] = self.u[name] = sympy.Symbol(f"u_{name}", real=True)
        else:
            self.names[name] = self.q[name] = sympy.Symbol(f"q_{name}", real=True)
            self.qd[name] = sympy.Symbol(f"qd_{name}", real=True)
            self.qdd[name] = sympy.Symbol(f"qdd_{name}", real=True)
            self.force.setdefault(name, sympy.Integer(0))

    def add_force(self):
        start = self.at
        if self.kind() == "name":
            name = self.indexed_name()
            if name in self.q and self.peek() == "=":
                self.at += 1
                self.force[name] += self.expression()
                return
        self.at = start
        point = self.expression()
        self.expect("=")
        force = self.expression()
        for name, q in self.q.items():
            self.force[name] += sum(f * sympy.diff(r, q) for f, r in zip(force, point))

    # ---- expressions

    def kind(self):
        return self.tokens[self.at][0]

    def peek(self):
        return self.tokens[self.at][1]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, sign):
        if self.take() != sign:
            raise Unread(f"expected {sign}")

    def value(self, text):
        """A number from a text of its own."""
        keep = getattr(self, "tokens", None), getattr(self, "at", 0)
        self.tokens, self.at = tokens_of(text), 0
        value = self.expression()
        self.tokens, self.at = keep
        return value.subs(self.values)

    def indexed_name(self):
        name = self.take()
        for letter, word in GREEK.items():
            name = name.replace(letter, word)
        if self.peek() == "[":
            self.at += 1
            indices = [str(self.expression().subs(self.values))]
            while self.peek() == ",":
                self.at += 1
                indices.append(str(self.expression().subs(self.values)))
            self.expect("]")
            name = f"{name}[{','.join(indices)}]"
        return name

    def expression(self):
        value = self.conjunction()
        while self.peek() == "or":
            self.at += 1
            value = sympy.Or(value, self.conjunction())
        return value

    def conjunction(self):
        value = self.comparison()
        while self.peek() == "and":
            self.at += 1
            value = sympy.And(value, self.comparison())
        return value

    def comparison(self):
        if self.peek() == "not":
            self.at += 1
            return sympy.Not(self.comparison())
        value = self.sum()
        signs = {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge, "==": sympy.Eq,
                 "!=": sympy.Ne}
        if self.peek() in signs:
            return signs[self.take()](value, self.sum())
        return value

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            other = self.product()
            if is_vector(value):
                value = tuple(a + sign * b for a, b in zip(value, other))
            else:
                value = value + sign * other
        return value

    def product(self):
        value = self.unary()
        while self.peek() in ("*", "/"):
            divides = self.take() == "/"
            other = self.unary()
            if divides:
                other = 1 / other
            if is_vector(other):
                value, other = other, value
            value = tuple(a * other for a in value) if is_vector(value) else value * other
        return value

    def unary(self):
        if self.peek() in ("-", "+"):
            sign = -1 if self.take() == "-" else 1
            value = self.unary()
            return tuple(sign * a for a in value) if is_vector(value) else sign * value
        return self.power()

    def power(self):
        base = self.postfix()
        if self.peek() == "^":
            self.at += 1
            return base ** self.unary()
        return base

    def postfix(self):
        value = self.atom()
        while True:
            sign = self.peek()
            if sign.startswith("'"):
                self.at += 1
                for _ in sign:
                    value = tuple(map(self.rate, value)) if is_vector(value) else self.rate(value)
            elif sign == ".":
                self.at += 1
                value = value["xyz".index(self.take())]
            else:
                return value

    def atom(self):
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            value = sympy.Rational(text.rstrip(".") if not re.search("[eE]", text) else text)
            return value * self.unit() if self.peek() == "[" else value
        if text == "(":
            parts = [self.expression()]
            while self.peek() == ",":
                self.at += 1
                parts.append(self.expression())
            self.expect(")")
            return tuple(parts) if len(parts) > 1 else parts[0]
        if kind != "name":
            raise Unread(text)
        if self.peek() == "(":
            return self.call(text)
        if text in self.loops:
            return self.loops[text]
        self.at -= 1
        name = self.indexed_name()
        if name.startswith("lambda_") and name not in self.names:
            return sympy.Symbol(name, real=True)
        if name not in self.names:
            raise Unread(f"unknown {name}")
        return self.names[name]

    def unit(self):
        """A unit behind a number, as its SI value."""
        self.expect("[")
        value, divides = sympy.Integer(1), False
        while self.peek() != "]":
            text = self.take()
            if text in "*/":
                divides = text == "/"
                continue
            factor = sympy.sympify(UNITS[text]) if text in UNITS else sympy.Integer(text)
            if self.peek() == "^":
                self.at += 1
                factor **= int(self.take())
            value, divides = value / factor if divides else value * factor, False
        self.at += 1
        return value

    def call(self, name):
        self.expect("(")
        if name == "sum":
            return self.summation()
        if name == "if":
            return self.choice()
        arguments = [self.expression()]
        while self.peek() == ",":
            self.at += 1
            arguments.append(self.expression())
        self.expect(")")
        a, b = arguments[0], arguments[-1]
        if name == "dot":
            return sum(x * y for x, y in zip(a, b))
        if name == "norm":
            return sympy.sqrt(sum(x * x for x in a))
        if name == "cross":
            if len(a) == 2:
                return a[0] * b[1] - a[1] * b[0]
            return tuple(sympy.Matrix(a).cross(sympy.Matrix(b)))
        if name == "rot":
            c, s = sympy.cos(a), sympy.sin(a)
            return (c * b[0] - s * b[1], s * b[0] + c * b[1])
        if name in ("rotx", "roty", "rotz"):
            turn = getattr(sympy, f"rot_ccw_axis{'xyz'.index(name[-1]) + 1}", None)
            turn = turn(a) if turn else getattr(sympy, f"rot_axis{'xyz'.index(name[-1]) + 1}")(-a)
            return tuple(turn * sympy.Matrix(b))
        return FUNCTIONS[name](*arguments)

    def choice(self):
        """if(condition, a, b); of a decided one only its branch is read."""
        condition = sympy.sympify(self.expression()).subs(self.values)
        self.expect(",")
        if condition not in (sympy.true, sympy.false):
            yes = self.expression()
            self.expect(",")
            no = self.expression()
            self.expect(")")
            return sympy.Piecewise((yes, condition), (no, True))
        if condition == sympy.false:
            self.skip()
            self.expect(",")
        value = self.expression()
        if condition == sympy.true:
            self.expect(",")
            self.skip()
        self.expect(")")
        return value

    def skip(self):
        """One argument, unread."""
        depth = 0
        while depth or self.peek() not in (",", ")"):
            depth += self.peek() in ("(", "[")
            depth -= self.peek() in (")", "]")
            self.at += 1

    def summation(self):
        index = self.take()
        self.expect("in")
        first = self.sum()
        self.expect("..")
        last = self.sum()
        self.expect(":")
        start, total = self.at, sympy.Integer(0)
        for i in range(int(first.subs(self.values)), int(last.subs(self.values)) + 1):
            self.at, self.loops[index] = start, sympy.Integer(i)
            total += self.expression()
        self.loops.pop(index, None)
        if self.at == start:
            raise Unread("empty sum")
        self.expect(")")
        return total

    def rate(self, e):
        """The time derivative, accelerations included."""
        e = sympy.sympify(e)
        total = sympy.diff(e, self.t)
        for name in self.q:
            total += sympy.diff(e, self.q[name]) * self.qd[name]
            total += sympy.diff(e, self.qd[name]) * self.qdd[name]
        return total

    # ---- equations

    def energies(self):
        """T, V as the language splits them, and R."""
        T, V = self.energy["kinetic"], self.energy["potential"]
        if self.has_lagrangian:
            L = self.energy["lagrangian"]
            V = V - L.subs({v: 0 for v in self.qd.values()})
            T = T + L - L.subs({v: 0 for v in self.qd.values()})
        return T, V, self.energy["dissipation"]

    def equations(self):
        """For each coordinate d/dt dL/dq' - dL/dq + dR/dq' - Q, which vanish without constraints."""
        T, V, R = self.energies()
        L = T - V
        return [self.rate(sympy.diff(L, self.qd[n])) - sympy.diff(L, self.q[n])
                + sympy.diff(R, self.qd[n]) - self.force[n] for n in self.q]
