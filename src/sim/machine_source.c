// Machines of systems.
#include "sim/machine_source.h"

#include "expr/value/eval.h"

Status machine_open(Machine *m, System *system, Backend backend) {
  return machine_open_programs(m, &plan_source_of(system, backend)->programs, false);
}

Status machine_open_along(Machine *m, System *system, Backend backend,
                          const Directions *directions) {
  if (!directions) return machine_open(m, system, backend);
  return machine_open_programs(m, &plan_source_open(system, backend, directions)->programs, true);
}

double machine_value(const Machine *m, Expr e) { return expr_eval(m->cx, e, m->values); }
