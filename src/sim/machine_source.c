// Machines of systems.
#include "sim/machine_source.h"

#include "expr/value/eval.h"

Status machine_open(Machine *m, System *system, Backend backend) {
  return machine_open_programs(m, &plan_source_of(system, backend)->programs, false);
}

double machine_value(const Machine *m, Expr e) { return expr_eval(m->cx, e, m->values); }
