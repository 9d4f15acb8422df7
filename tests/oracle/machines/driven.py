"""Mechanisms in the plane that their drives determine, by the laws of Newton and Euler."""
import numpy as np


def turned(angle, p):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


class Driven:
    """A mechanism in the plane that its drives determine: equations by body, in x, y, angle of each.

    joints: (name, first, its point, second, its point, kind, axis) with kinds pin, slide, slot; a
    body of None is the ground. drives: (joint, function of time with its two derivatives) for the
    angle of a pin, second minus first, or the length of a slide. loads: a function of a state that
    gives three forces for each body.
    """

    def __init__(self, bodies, guess, joints, drives, loads):
        self.names, self.joints, self.drives, self.loads = list(bodies), joints, drives, loads
        self.mass = np.array([value for m, J in bodies.values() for value in (m, m, J)])
        self.guess = np.array([guess[name] for name in self.names]).ravel()
        self.known, self.last = {}, None

    def place(self, q, body, p):
        if body is None:
            return np.array(p, float)
        i = 3 * self.names.index(body)
        return q[i:i + 2] + turned(q[i + 2], p)

    def angle(self, q, body):
        return 0.0 if body is None else q[3 * self.names.index(body) + 2]

    def rows(self, q, t):
        """What vanishes, joint by joint, then drive by drive."""
        out = []
        for _, a, p, b, r, kind, axis in self.joints:
            d = self.place(q, b, r) - self.place(q, a, p)
            if kind == "pin":
                out += [d[0], d[1]]
            else:
                n = turned(self.angle(q, a) + axis, (0, 1))
                out += [n @ d]
                if kind == "slide":
                    out += [self.angle(q, b) - self.angle(q, a)]
        for name, function in self.drives:
            _, a, p, b, r, kind, axis = next(j for j in self.joints if j[0] == name)
            if kind == "pin":
                value = self.angle(q, b) - self.angle(q, a)
            else:
                value = turned(self.angle(q, a) + axis, (1, 0)) @ (self.place(q, b, r)
                                                                   - self.place(q, a, p))
            out += [value - function(t)[0]]
        return np.array(out)

    def jacobian(self, q, t):
        """The derivatives of the rows by x, y, angle of every body."""
        out = np.zeros((len(q), len(q)))

        def add(row, body, direction, arm, factor):
            """The velocity of a point, arm off its body's centre, in a direction."""
            if body is not None:
                i = 3 * self.names.index(body)
                out[row, i:i + 3] += factor * np.array(
                    [direction[0], direction[1], arm[0] * direction[1] - arm[1] * direction[0]])

        def across(row, joint, direction, bend):
            """Of direction . (second - first), where the direction turns with the first body."""
            _, a, p, b, r, _, _ = joint
            d = self.place(q, b, r) - self.place(q, a, p)
            add(row, b, direction, turned(self.angle(q, b), r), 1)
            add(row, a, direction, turned(self.angle(q, a), p), -1)
            if a is not None:
                out[row, 3 * self.names.index(a) + 2] += bend @ d

        def relative(row, joint):
            for body, factor in ((joint[3], 1), (joint[1], -1)):
                if body is not None:
                    out[row, 3 * self.names.index(body) + 2] += factor

        row = 0
        for joint in self.joints:
            if joint[5] == "pin":
                across(row, joint, np.array([1, 0]), np.zeros(2))
                across(row + 1, joint, np.array([0, 1]), np.zeros(2))
                row += 2
                continue
            angle = self.angle(q, joint[1]) + joint[6]
            across(row, joint, turned(angle, (0, 1)), -turned(angle, (1, 0)))
            row += 1
            if joint[5] == "slide":
                relative(row, joint)
                row += 1
        for name, _ in self.drives:
            joint = next(j for j in self.joints if j[0] == name)
            if joint[5] == "pin":
                relative(row, joint)
            else:
                angle = self.angle(q, joint[1]) + joint[6]
                across(row, joint, turned(angle, (1, 0)), turned(angle, (0, 1)))
            row += 1
        return out

    def state(self, t):
        """Positions, velocities, accelerations, and what each row exerts on each body."""
        t = float(t)
        if t in self.known:
            return self.known[t]
        q, steps = self.guess, [t]
        if self.last is not None:
            q = self.last[1]
            count = max(1, int(abs(t - self.last[0]) / 0.02))
            steps = np.linspace(self.last[0], t, count + 1)[1:]
        for at in steps:
            for _ in range(50):
                change = np.linalg.solve(self.jacobian(q, at), -self.rows(q, at))
                q = q + change
                if np.max(abs(change)) < 1e-13:
                    break
        self.last = (t, q)
        J = self.jacobian(q, t)
        right = np.zeros(len(q))
        for k, (_, function) in enumerate(self.drives):
            right[len(q) - len(self.drives) + k] = function(t)[1]
        v = np.linalg.solve(J, right)
        # d/dt of J v along v, by a step of the fourth order of the exact J
        h = 1e-3 / max(1.0, np.max(abs(v)))
        along = lambda s: self.jacobian(q + s * v, t) @ v
        bend = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
        for k, (_, function) in enumerate(self.drives):
            right[len(q) - len(self.drives) + k] = function(t)[2]
        drive_part = right
        a = np.linalg.solve(J, drive_part - bend)
        load = self.loads(self, t, q, v)
        force = np.linalg.solve(J.T, self.mass * a - load)
        self.known[t] = (q, v, a, force, J, load)
        return self.known[t]

    def transmitted(self, t, name):
        """Force and torque about the second body's point, of the first body on the second."""
        q, _, _, force, J, _ = self.state(t)
        row = 0
        rows = []
        for joint in self.joints:
            count = 1 if joint[5] == "slot" else 2
            if joint[0] == name:
                rows += list(range(row, row + count))
                found = joint
            row += count
        for k, (drive, _) in enumerate(self.drives):
            if drive == name:
                rows.append(row + k)
        _, a, p, b, r, _, _ = found
        body, sign, point = (b, 1, r) if b is not None else (a, -1, p)
        i = 3 * self.names.index(body)
        on = sign * sum(force[k] * J[k, i:i + 3] for k in rows)
        # about the second body's point
        arm = self.place(q, b, r) - q[i:i + 2]
        return np.array([on[0], on[1], on[2] - (arm[0] * on[1] - arm[1] * on[0])])

    def over(self, function):
        return lambda times: np.array([function(float(t)) for t in np.atleast_1d(times)])

    def coordinate(self, body, column, order=0):
        i = 3 * self.names.index(body) + column
        return self.over(lambda t: self.state(t)[order][i])

    def part(self, joint, which):
        return self.over(lambda t: self.transmitted(t, joint)[which])

    def size(self, joint):
        return self.over(lambda t: np.hypot(*self.transmitted(t, joint)[:2]))

    def kinetic(self):
        return self.over(lambda t: 0.5 * self.mass @ self.state(t)[1]**2)

    def potential(self, g):
        return self.over(lambda t: g * self.mass[1::3] @ self.state(t)[0][1::3])

    def angles(self, *bodies):
        """Columns of the angles of bodies with their derivatives."""
        return {f"{body}.theta{dots}": self.coordinate(body, 2, order)
                for order, dots in enumerate(("", "'", "''")) for body in bodies}


def turning(speed, start):
    return lambda t: (start + speed * t, speed, 0.0)


def weights(names_masses, g):
    out = []
    for m in names_masses:
        out += [0, -m * g, 0]
    return np.array(out)
