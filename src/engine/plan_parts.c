// Which programs a run may come to need.
#include "engine/plan_file.h"

// Programs that only those take who ask for slopes of runs, or evaluate a system themselves.
static bool is_of_runs(EquationPart part) {
  switch (part) {
  case PART_STATE_SLOPES:
  case PART_INPUT_SLOPES:
  case PART_PARAMETER_SLOPES:
  case PART_FORCES:
  case PART_SLOPE_RATES:
  case PART_SLOPE_PROJECTION:
  case PART_ASSIGN_SLOPES:
  case PART_EVENT_SLOPES:
  case PART_SIGNAL_SLOPES:
  case PART_MEASURE_SLOPES: return false;
  default: return true;
  }
}

// Where no method is named a stiff system goes on with an implicit one; a fixed step is measured
// against the vibrations of the start. Momenta are told where drives move masses.
static bool is_of_method(EquationPart part, const Plan *plan, const MethodOptions *o) {
  const Method *method = method_get(o->method);
  bool of_lagrangian = method->kind == METHOD_OF_LAGRANGIAN;
  switch (part) {
  case PART_TANGENT:
  case PART_CONTACT_TANGENT:
    return method->kind == METHOD_IMPLICIT || o->may_change || method->fixed_step;
  case PART_STATE_TANGENT: return method->kind == METHOD_IMPLICIT || o->may_change;
  case PART_GRADIENT: return of_lagrangian || plan->traits.kinetic_has_time;
  case PART_HESSIAN: return of_lagrangian;
  default: return true;
  }
}

static bool is_of_model(EquationPart part, const Plan *plan) {
  switch (part) {
  case PART_STATE_TANGENT: return plan->state_count > 0;
  case PART_CONTACTS:
  case PART_CONTACT_ROWS:
  case PART_CONTACT_TANGENT:
  case PART_TOUCHES: return plan->contact_count > 0;
  case PART_SLIPS: return plan->slip_count > 0;
  case PART_PRESSES:
  case PART_RUBS: return plan->press_count > 0;
  case PART_LOADS: return plan->loads.count > 0;
  default: return true;
  }
}

bool plan_takes_part(const Plan *plan, const MethodOptions *method, EquationPart part) {
  return is_of_runs(part) && is_of_method(part, plan, method) && is_of_model(part, plan);
}

// Those of the linear system of the accelerations, where it is solved without pivots.
static bool is_of_forward(EquationPart part) {
  return part == PART_FORWARD || part == PART_PROJECT_POSITION || part == PART_PROJECT_VELOCITY;
}

bool plan_serves(const StoredPlan *stored, const MethodOptions *method) {
  for (uint32_t i = 0; i < stored->set_count; i++)
    for (int k = 0; k < EQUATION_PARTS; k++) {
      EquationPart part = (EquationPart)k;
      bool is_needed = plan_takes_part(&stored->plan, method, part) &&
                       (stored->sets[i].has_forward || !is_of_forward(part));
      if (is_needed && !stored->sets[i].parts[part].program) return false;
    }
  return true;
}
