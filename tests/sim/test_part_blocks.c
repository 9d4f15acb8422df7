// The blocks of every program: as many numbers as their table says, under the right names.
#include "engine/parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/examples.h"
#include "support/motion.h"

static void check_sizes(Machine *m) {
  Equations *e = m->set->equations;
  for (int part = 0; part < EQUATION_PARTS; part++) {
    if (!e->has_forward && part_needs((EquationPart)part) & NEEDS_SOLVER) continue;
    const Compiled *made = equations_part(e, (EquationPart)part);
    if (!made) continue; // a pivot vanishes whatever the state
    if (made->program->output_count == part_size((EquationPart)part, &e->extents)) continue;
    print_error("%s: %u outputs, %zu in its blocks\n", part_name((EquationPart)part),
                made->program->output_count, part_size((EquationPart)part, &e->extents));
    fail();
  }
}

static bool is_near(double a, double b, double size) {
  return fabs(a - b) <= 1e-9 * (1 + size) || isnan(a) || isnan(b);
}

// T = E - V where the system is natural. Elsewhere E - V = T_2 - T_0, and the mean of T with the
// velocities to either side is T_2 + T_0, with T_2 = 1/2 q' M q'.
static void check_energies(Machine *m, const double *q, double *qd, bool is_natural) {
  EnergyBlocks energy = machine_run_energy(m, 0.3, q, qd);
  double total = *energy.total, V = *energy.potential, twice = 0, T = 0;
  GeometryBlocks geometry = machine_run_geometry(m, 0.3, q, qd);
  for (int i = 0; i < m->n; i++)
    for (int j = 0; j < m->n; j++) twice += qd[i] * geometry.M[i * m->n + j] * qd[j];
  for (int side = 0; side < 2; side++) {
    OutputsBlocks outputs = machine_run_outputs(m, 0.3, q, qd);
    assert_true(side || is_near(outputs.energies[1], V, fabs(V)));
    assert_true(side || is_near(outputs.energies[2], total, fabs(total)));
    T += outputs.energies[0] / 2;
    for (int i = 0; i < m->n; i++) qd[i] = -qd[i];
  }
  double other = is_natural ? total - V : twice - (total - V);
  assert_true(is_near(T, other, fabs(total) + fabs(V) + twice));
}

// The same quantities by other programs: f = Q - h - D - G, M and Phi_q twice, Phi'' by its terms.
static void check_names(Random *random, Machine *m, bool is_natural) {
  int n = m->n, rows = m->problem.m;
  static const EquationPart needed[] = {PART_TERMS,        PART_FORCES,   PART_GEOMETRY,
                                        PART_ACCELERATION, PART_POSITION, PART_ENERGY,
                                        PART_OUTPUTS};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) machine_need(m, needed[i]);
  Arena *arena = &m->cx->scratch;
  double *q = arena_array(arena, double, n), *qd = arena_array(arena, double, n);
  double *qdd = arena_array(arena, double, n), *lambda = arena_array(arena, double, rows + 1);
  for (int i = 0; i < n; i++) {
    q[i] = random_real(random, 0.2, 1.2), qd[i] = random_real(random, -1, 1);
    qdd[i] = random_real(random, -1, 1);
  }
  machine_give(m, qdd, lambda);
  TermsBlocks terms = machine_run_terms(m, 0.3, q, qd);
  ForcesBlocks forces = machine_run_forces(m, 0.3, q, qd);
  for (int i = 0; i < n; i++) {
    double size = fabs(forces.Q[i]) + fabs(forces.h[i]) + fabs(forces.D[i]) + fabs(forces.G[i]);
    double sum = forces.Q[i] - forces.h[i] - forces.D[i] - forces.G[i];
    assert_true(is_near(terms.f[i], sum, size));
  }
  GeometryBlocks geometry = machine_run_geometry(m, 0.3, q, qd);
  for (int i = 0; i < n * n; i++) assert_true(is_near(geometry.M[i], terms.M[i], fabs(terms.M[i])));
  for (int i = 0; i < rows * n; i++)
    assert_true(is_near(geometry.Phi_q[i], terms.Phi_q[i], fabs(terms.Phi_q[i])));
  AccelerationBlocks acceleration = machine_run_acceleration(m, 0.3, q, qd);
  for (int r = 0; r < rows; r++) {
    double sum = -terms.gamma[r], size = fabs(sum);
    for (int j = 0; j < n; j++) sum += terms.Phi_q[r * n + j] * qdd[j], size += fabs(sum);
    assert_true(is_near(acceleration.Phi_ddot[r], sum, size));
  }
  check_energies(m, q, qd, is_natural);
}

static void check_example(Context *cx, const char *path) {
  Random random = random_start("blocks");
  Motion motion = motion_load_file(cx, path, NULL);
  if (motion.system.n == 0 || motion.system.n > 60) return;
  Machine m;
  assert_int_equal(machine_open(&m, &motion.system, BACKEND_INTERP), QDOT_OK);
  for (int closed = 0; closed <= (m.contacts > 0); closed++) {
    Mark mark = arena_mark(&cx->scratch);
    for (int i = 0; i < m.contacts; i++) m.closed[i] = closed;
    machine_use_contacts(&m);
    check_sizes(&m);
    check_names(&random, &m, system_is_natural(cx, &motion.system));
    arena_release(&cx->scratch, mark);
  }
  machine_close(&m);
}

static void blocks_of_every_example(void **state) {
  (void)state;
  with_every_example(check_example);
}

RUN_TESTS(cmocka_unit_test(blocks_of_every_example))
