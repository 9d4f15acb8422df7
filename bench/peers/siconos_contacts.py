#!/usr/bin/python3
"""Contacts with friction by Siconos (Moreau and Jean's time stepping), as an independent program.

siconos_contacts.py CASE STEP prints the times of what happens, then the CPU seconds of the run:
  ball        a ball falls from 1 m onto the floor, restitution 0.9: the first ten impacts
  woodpecker  the toy of Glocker and Pfeiffer: the impacts of the beak within a second
  oscillator  a block on a spring and a rubbing floor, driven by a sine: where it starts and stops
"""
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

case, h = sys.argv[1], float(sys.argv[2])
g = 9.81


def simulate(q, v, mass, stiffness, force, contacts, mu, end, see, drive=None):
    """contacts: rows (normal, along or None, gap at q = 0, restitution)."""
    q, v = [float(x) for x in q], [float(x) for x in v]
    body = sk.LagrangianLinearTIDS(q, v, np.array(mass, float))
    body.setKPtr(sk.SimpleMatrix(np.array(stiffness, float)))
    pull = np.array(force, float)
    body.setFExtPtr(pull)
    pull = body.fExt()
    system = sk.NonSmoothDynamicalSystem(0, end)
    system.insertDynamicalSystem(body)
    interactions = []
    for normal, along, gap, e in contacts:
        if along is None:
            law = sk.NewtonImpactNSL(e)
            relation = sk.LagrangianLinearTIR(np.array([normal], float), np.array([gap], float))
        else:
            law = sk.NewtonImpactFrictionNSL(e, 0.0, mu, 2)
            relation = sk.LagrangianLinearTIR(np.array([normal, along], float), np.array([gap, 0.0]))
        interactions.append(sk.Interaction(law, relation))
        system.link(interactions[-1], body)
    problem = sk.LCP() if contacts[0][1] is None else sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_LEMKE)
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0, h), sk.MoreauJeanOSI(0.5), problem)
    began = time.process_time()
    while stepping.hasNextEvent():
        if drive is not None:
            pull[:] = drive(stepping.nextTime())
        stepping.computeOneStep()
        see(stepping.nextTime(), body, interactions)
        stepping.nextStep()
    return time.process_time() - began


times = []


def impacts_of(which, quiet):
    """Notes the first step of each row of steps in which this contact presses."""
    last = [-1.0]

    def see(t, body, interactions):
        if interactions[which].lambda_(1)[0] > 1e-12:
            if t - last[0] > quiet:
                times.append(t)
            last[0] = t
    return see


if case == "ball":
    seconds = simulate([1.1, 0], [0, 0], np.eye(2), np.zeros((2, 2)), [-g, 0],
                       [([1, 0], None, -0.1, 0.9)], 0, 6, impacts_of(0, 1.5 * h))
    times = times[:10]
elif case == "woodpecker":
    m_M, m_S, J_M, J_S, c = 0.0003, 0.0045, 5e-9, 7e-7, 0.0056
    r_0, r_M, h_M, l_M, l_G, h_S, l_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.020, 0.0201
    bird = np.array([1, l_M, l_G])
    mass = np.diag([m_M, J_M, J_S]) + m_S * np.outer(bird, bird)
    spring = np.array([0, 1, -1])
    weight = -g * (np.array([m_M, 0, 0]) + m_S * bird)
    seconds = simulate(
        [0, -(r_M - r_0) / h_M, -0.2788], [-0.3411, 0, -7.4583], mass, c * np.outer(spring, spring),
        weight, [([0, 0, -h_S], [1, l_M, l_G - l_S], l_M + l_G - l_S - r_0, 0.5),
                 ([0, h_M, 0], [1, r_M, 0], r_M - r_0, 0.0),
                 ([0, -h_M, 0], [1, r_M, 0], r_M - r_0, 0.0)], 0.3, 1, impacts_of(0, 0.02))
else:
    slides, since = [False], []

    def see(t, body, interactions):
        """A change that lasts for ten steps happened in the first of them."""
        if (abs(body.velocity()[0]) > 1e-9) == slides[0]:
            since.clear()
            return
        since.append(t)
        if len(since) == 10:
            times.append(since[0])
            slides[0] = not slides[0]
            since.clear()
    seconds = simulate([0, 0], [0, 0], np.eye(2), np.diag([20.0, 0]), [0, -g],
                       [([0, 1], [1, 0], 0.0, 0.0)], 0.3, 10, see,
                       lambda t: [5 * np.sin(1.5 * t), -g])
print(*times, seconds)
