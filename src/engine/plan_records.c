// What the records of a plan are made of. A field that is missing here is missing in files.
#include <stddef.h>

#include "engine/plan_file.h"
#include "engine/plan_start.h"
#include "engine/record.h"

#define FIELD(R, kind, member)                                                                     \
  { kind, offsetof(R, member), NULL, NULL }
#define FLAG(R, member) FIELD(R, FIELD_FLAG, member)
#define WHOLE(R, member) FIELD(R, FIELD_WHOLE, member)
#define SIZE(R, member) FIELD(R, FIELD_SIZE, member)
#define REAL(R, member) FIELD(R, FIELD_REAL, member)
#define TEXT(R, member) FIELD(R, FIELD_TEXT, member)
#define TABLE(R, member) FIELD(R, FIELD_TABLE, member)
#define PART(R, member, type)                                                                      \
  { FIELD_PART, offsetof(R, member), &type, NULL }
#define POINTER(R, member, type)                                                                   \
  { FIELD_POINTER, offsetof(R, member), &type, NULL }
#define ROW(R, member, type, count)                                                                \
  { FIELD_ROW, offsetof(R, member), &type, count }
#define LIST(R, member, type, count)                                                               \
  { FIELD_LIST, offsetof(R, member), &type, count }

// How many there are, by the record that holds the list, or by the plan.
#define COUNT_IN(R, name, expression)                                                              \
  static uint32_t name(const void *record, const void *root) {                                     \
    const R *r = record;                                                                           \
    (void)root;                                                                                    \
    return expression;                                                                             \
  }
#define COUNT_OF_PLAN(name, expression)                                                            \
  static uint32_t name(const void *record, const void *root) {                                     \
    const Plan *p = &((const StoredPlan *)root)->plan;                                             \
    (void)record;                                                                                  \
    return expression;                                                                             \
  }

// ---- Numbers

#define NUMBER_TYPE(name, kind, type)                                                              \
  static const Field name##_fields[] = {{kind, 0, NULL, NULL}};                                    \
  static const RecordType name = {sizeof(type), name##_fields, 1};
NUMBER_TYPE(whole_type, FIELD_WHOLE, uint32_t)
NUMBER_TYPE(real_type, FIELD_REAL, double)
NUMBER_TYPE(flag_type, FIELD_FLAG, bool)

// ---- Tables, tapes and programs

COUNT_IN(TableData, table_knots, r->n)
COUNT_IN(TableData, table_numbers, (r->n + 1) * (r->degree + 1))
static const Field table_fields[] = {
    WHOLE(TableData, n),
    WHOLE(TableData, degree),
    REAL(TableData, period),
    REAL(TableData, per_spacing),
    REAL(TableData, low),
    REAL(TableData, high),
    WHOLE(TableData, hash),
    TEXT(TableData, origin),
    TEXT(TableData, x_unit),
    TEXT(TableData, y_unit),
    REAL(TableData, x_factor),
    REAL(TableData, y_factor),
    LIST(TableData, x, real_type, table_knots),
    LIST(TableData, pieces, real_type, table_numbers),
};
static const RecordType table_type = RECORD_TYPE(TableData, table_fields);

static const Field stored_table_fields[] = {POINTER(StoredTable, table, table_type)};
static const RecordType stored_table_type = RECORD_TYPE(StoredTable, stored_table_fields);

static const Field tape_step_fields[] = {
    WHOLE(TapeStep, op),    WHOLE(TapeStep, variable), REAL(TapeStep, number),
    WHOLE(TapeStep, first), WHOLE(TapeStep, count),    WHOLE(TapeStep, twin),
    WHOLE(TapeStep, table), WHOLE(TapeStep, aspect),
};
static const RecordType tape_step_type = RECORD_TYPE(TapeStep, tape_step_fields);

typedef struct TablePlace {
  const TableData *table;
} TablePlace;
static const Field table_place_fields[] = {TABLE(TablePlace, table)};
static const RecordType table_place_type = RECORD_TYPE(TablePlace, table_place_fields);

COUNT_IN(Tape, tape_steps, r->n)
COUNT_IN(Tape, tape_args, r->arg_count)
COUNT_IN(Tape, tape_roots, r->root_count)
COUNT_IN(Tape, tape_tables, r->table_count)
static const Field tape_fields[] = {
    WHOLE(Tape, n),
    WHOLE(Tape, arg_count),
    WHOLE(Tape, table_count),
    WHOLE(Tape, root_count),
    LIST(Tape, steps, tape_step_type, tape_steps),
    LIST(Tape, args, whole_type, tape_args),
    LIST(Tape, numbers, real_type, tape_args),
    LIST(Tape, roots, whole_type, tape_roots),
    LIST(Tape, tables, table_place_type, tape_tables),
};
static const RecordType tape_type = RECORD_TYPE(Tape, tape_fields);

static const Field step_fields[] = {WHOLE(Step, op), WHOLE(Step, a), WHOLE(Step, b),
                                    WHOLE(Step, c)};
static const RecordType step_type = RECORD_TYPE(Step, step_fields);

COUNT_IN(Program, program_constants, r->constant_count)
COUNT_IN(Program, program_steps, r->prologue_count + r->main_count)
COUNT_IN(Program, program_outputs, r->output_count)
COUNT_IN(Program, program_inputs, r->input_count)
static const Field program_fields[] = {
    WHOLE(Program, constant_count),
    WHOLE(Program, input_count),
    WHOLE(Program, prologue_count),
    WHOLE(Program, main_count),
    WHOLE(Program, output_count),
    LIST(Program, constants, real_type, program_constants),
    LIST(Program, steps, step_type, program_steps),
    LIST(Program, outputs, whole_type, program_outputs),
    LIST(Program, fixed, flag_type, program_inputs),
};
static const RecordType program_type = RECORD_TYPE(Program, program_fields);

// ---- Values

static const Field value_fields[] = {FLAG(PlanValue, is_said), REAL(PlanValue, number),
                                     POINTER(PlanValue, tape, tape_type)};
static const RecordType value_type = RECORD_TYPE(PlanValue, value_fields);

COUNT_OF_PLAN(coordinate_count, p->n)
COUNT_OF_PLAN(state_count, p->state_count)
COUNT_OF_PLAN(parameter_count, p->parameter_count)
COUNT_OF_PLAN(input_count, p->input_count)
static const Field variables_fields[] = {
    WHOLE(PlanVariables, count),
    WHOLE(PlanVariables, t),
    LIST(PlanVariables, q, whole_type, coordinate_count),
    LIST(PlanVariables, qd, whole_type, coordinate_count),
    LIST(PlanVariables, states, whole_type, state_count),
    LIST(PlanVariables, parameters, whole_type, parameter_count),
    LIST(PlanVariables, inputs, whole_type, input_count),
    SIZE(PlanVariables, room),
};
static const RecordType variables_type = RECORD_TYPE(PlanVariables, variables_fields);

// ---- What there is

static const Field start_fields[] = {FLAG(PlanStart, is_given), FLAG(PlanStart, is_guess),
                                     PART(PlanStart, value, value_type)};
static const RecordType start_type = RECORD_TYPE(PlanStart, start_fields);

static const Field coordinate_fields[] = {
    TEXT(PlanCoordinate, name),
    PART(PlanCoordinate, position, start_type),
    PART(PlanCoordinate, velocity, start_type),
    FLAG(PlanCoordinate, is_angle),
    WHOLE(PlanCoordinate, kind),
    FLAG(PlanCoordinate, states_velocity),
};
static const RecordType coordinate_type = RECORD_TYPE(PlanCoordinate, coordinate_fields);

COUNT_IN(PlanKind, kind_parameters, r->parameter_count)
static const Field kind_fields[] = {FLAG(PlanKind, is_angle), WHOLE(PlanKind, parameter_count),
                                    LIST(PlanKind, parameters, whole_type, kind_parameters)};
static const RecordType kind_type = RECORD_TYPE(PlanKind, kind_fields);

static const Field sizes_fields[] = {
    POINTER(PlanSizes, rows, tape_type), POINTER(PlanSizes, gaps, tape_type),
    POINTER(PlanSizes, row_rates, tape_type), POINTER(PlanSizes, state_rates, tape_type)};
static const RecordType sizes_type = RECORD_TYPE(PlanSizes, sizes_fields);

static const Field state_fields[] = {TEXT(PlanState, name), PART(PlanState, start, value_type)};
static const RecordType state_type = RECORD_TYPE(PlanState, state_fields);

COUNT_IN(PlanRow, row_coordinates, r->count)
static const Field row_fields[] = {
    TEXT(PlanRow, name),
    TEXT(PlanRow, joint),
    TEXT(PlanRow, driven),
    WHOLE(PlanRow, driven_angle),
    TEXT(PlanRow, driven),
    WHOLE(PlanRow, driven_angle),
    FLAG(PlanRow, is_nonholonomic),
    FLAG(PlanRow, is_angle),
    FLAG(PlanRow, has_time),
    FLAG(PlanRow, has_input),
    WHOLE(PlanRow, count),
    LIST(PlanRow, coordinates, whole_type, row_coordinates),
};
static const RecordType row_type = RECORD_TYPE(PlanRow, row_fields);

static const Field contact_fields[] = {
    TEXT(PlanContact, name),
    FLAG(PlanContact, has_time),
    PART(PlanContact, restitution, value_type),
    PART(PlanContact, mu_rest, value_type),
    PART(PlanContact, mu, value_type),
    PART(PlanContact, rolling, value_type),
};
static const RecordType contact_type = RECORD_TYPE(PlanContact, contact_fields);

static const Field slip_fields[] = {TEXT(PlanSlip, name), WHOLE(PlanSlip, contact),
                                    FLAG(PlanSlip, rubs)};
static const RecordType slip_type = RECORD_TYPE(PlanSlip, slip_fields);

static const Field press_fields[] = {
    TEXT(PlanPress, name),
    TEXT(PlanPress, joint),
    PART(PlanPress, grip, value_type),
    PART(PlanPress, hold, value_type),
    WHOLE(PlanPress, guard),
    FLAG(PlanPress, shares_guard),
    FLAG(PlanPress, is_wheel),
};
static const RecordType press_type = RECORD_TYPE(PlanPress, press_fields);

COUNT_IN(PlanLoads, load_count, r->count)
static const Field loads_fields[] = {WHOLE(PlanLoads, count),
                                     LIST(PlanLoads, is_torque, flag_type, load_count),
                                     PART(PlanLoads, length2, value_type)};
static const RecordType loads_type = RECORD_TYPE(PlanLoads, loads_fields);

static const Field input_fields[] = {TEXT(PlanInput, name), PART(PlanInput, value, value_type),
                                     FLAG(PlanInput, is_assigned)};
static const RecordType input_type = RECORD_TYPE(PlanInput, input_fields);

static const Field parameter_fields[] = {TEXT(PlanParameter, name), TEXT(PlanParameter, text),
                                         PART(PlanParameter, value, value_type)};
static const RecordType parameter_type = RECORD_TYPE(PlanParameter, parameter_fields);

// ---- Where it starts

static uint32_t pose_starts(const void *record, const void *root) {
  (void)record, (void)root;
  return 3;
}
static const Field body_fields[] = {TEXT(PlanBody, name),
                                    ROW(PlanBody, start, start_type, pose_starts)};
static const RecordType body_type = RECORD_TYPE(PlanBody, body_fields);

static const Field solid_fields[] = {TEXT(PlanSolid, name)};
static const RecordType solid_type = RECORD_TYPE(PlanSolid, solid_fields);

COUNT_IN(PlanPlaces, place_bodies, r->body_count)
COUNT_IN(PlanPlaces, place_solids, r->solid_count)
static const Field places_fields[] = {
    WHOLE(PlanPlaces, body_count),
    WHOLE(PlanPlaces, solid_count),
    LIST(PlanPlaces, bodies, body_type, place_bodies),
    LIST(PlanPlaces, solids, solid_type, place_solids),
    POINTER(PlanPlaces, poses, tape_type),
    POINTER(PlanPlaces, axes, tape_type),
};
static const RecordType places_type = RECORD_TYPE(PlanPlaces, places_fields);

static const Field cell_fields[] = {WHOLE(PlanCell, row), WHOLE(PlanCell, column)};
static const RecordType cell_type = RECORD_TYPE(PlanCell, cell_fields);

COUNT_IN(PlanEntries, entry_cells, r->count)
static const Field entries_fields[] = {WHOLE(PlanEntries, count),
                                       LIST(PlanEntries, cells, cell_type, entry_cells),
                                       POINTER(PlanEntries, values, tape_type)};
static const RecordType entries_type = RECORD_TYPE(PlanEntries, entries_fields);

static const Field pose_fields[] = {
    WHOLE(PlanPose, z),      WHOLE(PlanPose, zd),          TEXT(PlanPose, name),
    TEXT(PlanPose, part),    FLAG(PlanPose, is_given),     FLAG(PlanPose, is_rate_given),
    FLAG(PlanPose, is_kept), FLAG(PlanPose, is_rate_kept),
};
static const RecordType pose_type = RECORD_TYPE(PlanPose, pose_fields);

static const Field assembly_row_fields[] = {TEXT(PlanAssemblyRow, name),
                                            FLAG(PlanAssemblyRow, has_time)};
static const RecordType assembly_row_type = RECORD_TYPE(PlanAssemblyRow, assembly_row_fields);

COUNT_IN(PlanAssembly, assembly_poses, r->n)
COUNT_IN(PlanAssembly, assembly_rows, r->row_count)
static const Field assembly_fields[] = {
    WHOLE(PlanAssembly, n),
    WHOLE(PlanAssembly, own),
    WHOLE(PlanAssembly, row_count),
    WHOLE(PlanAssembly, holonomic),
    LIST(PlanAssembly, poses, pose_type, assembly_poses),
    LIST(PlanAssembly, rows, assembly_row_type, assembly_rows),
    POINTER(PlanAssembly, positions, tape_type),
    POINTER(PlanAssembly, velocities, tape_type),
    WHOLE(PlanAssembly, anchor_count),
    POINTER(PlanAssembly, anchors, tape_type),
    POINTER(PlanAssembly, constraints, tape_type),
    POINTER(PlanAssembly, rates, tape_type),
    PART(PlanAssembly, slopes, entries_type),
    PART(PlanAssembly, inertias, entries_type),
    POINTER(PlanAssembly, meanings, tape_type),
    POINTER(PlanAssembly, meaning_rates, tape_type),
    SIZE(PlanAssembly, room),
};
static const RecordType assembly_type = RECORD_TYPE(PlanAssembly, assembly_fields);

// ---- What is not smooth

static const Field switch_fields[] = {WHOLE(PlanSwitch, coordinate),
                                      FLAG(PlanSwitch, changes_alone)};
static const RecordType switch_type = {sizeof(PlanSwitch), switch_fields, 2};

static const Field plan_table_fields[] = {
    TABLE(PlanTable, table),        WHOLE(PlanTable, number),         FLAG(PlanTable, is_timed),
    PART(PlanTable, x, value_type), PART(PlanTable, x_t, value_type), WHOLE(PlanTable, first_guard),
    WHOLE(PlanTable, first_input),
};
static const RecordType plan_table_type = RECORD_TYPE(PlanTable, plan_table_fields);

static const Field lookup_fields[] = {TABLE(PlanLookup, table), WHOLE(PlanLookup, number)};
static const RecordType lookup_type = RECORD_TYPE(PlanLookup, lookup_fields);

static const Field slide_fields[] = {WHOLE(PlanSlide, components), WHOLE(PlanSlide, coordinate),
                                     WHOLE(PlanSlide, first_input)};
static const RecordType slide_type = RECORD_TYPE(PlanSlide, slide_fields);

// ---- What acts at moments, and what measures look at

static const Field assignment_fields[] = {WHOLE(PlanAssignment, input),
                                          WHOLE(PlanAssignment, place),
                                          FLAG(PlanAssignment, is_without_inertia)};
static const RecordType assignment_type = RECORD_TYPE(PlanAssignment, assignment_fields);

static const Field sampling_fields[] = {PART(PlanSampling, period, value_type),
                                        PART(PlanSampling, delay, value_type),
                                        WHOLE(PlanSampling, first), WHOLE(PlanSampling, count)};
static const RecordType sampling_type = RECORD_TYPE(PlanSampling, sampling_fields);

static const Field occasion_fields[] = {
    TEXT(PlanOccasion, text),         WHOLE(PlanOccasion, direction),
    FLAG(PlanOccasion, is_condition), FLAG(PlanOccasion, has_motion),
    FLAG(PlanOccasion, stops),        WHOLE(PlanOccasion, first),
    WHOLE(PlanOccasion, count),
};
static const RecordType occasion_type = RECORD_TYPE(PlanOccasion, occasion_fields);

COUNT_IN(PlanActions, assignment_count, r->assignment_count)
COUNT_IN(PlanActions, sampling_count, r->sampling_count)
COUNT_IN(PlanActions, occasion_count, r->occasion_count)
static const Field actions_fields[] = {
    WHOLE(PlanActions, assignment_count),
    WHOLE(PlanActions, sampling_count),
    WHOLE(PlanActions, occasion_count),
    LIST(PlanActions, assignments, assignment_type, assignment_count),
    LIST(PlanActions, samplings, sampling_type, sampling_count),
    LIST(PlanActions, occasions, occasion_type, occasion_count),
};
static const RecordType actions_type = RECORD_TYPE(PlanActions, actions_fields);

static const Field reduction_fields[] = {
    WHOLE(PlanReduction, kind), FLAG(PlanReduction, has_condition),
    PART(PlanReduction, from, value_type), WHOLE(PlanReduction, variable)};
static const RecordType reduction_type = RECORD_TYPE(PlanReduction, reduction_fields);

COUNT_IN(PlanMeasures, reduction_count, r->reduction_count)
static const Field measures_fields[] = {
    WHOLE(PlanMeasures, reduction_count),
    WHOLE(PlanMeasures, measure_count),
    LIST(PlanMeasures, reductions, reduction_type, reduction_count),
    FLAG(PlanMeasures, need_forces),
    FLAG(PlanMeasures, show_switches),
};
static const RecordType measures_type = RECORD_TYPE(PlanMeasures, measures_fields);

static const Field traits_fields[] = {
    FLAG(PlanTraits, energy_has_inputs),  FLAG(PlanTraits, kinetic_has_time),
    FLAG(PlanTraits, holds_change_alone), FLAG(PlanTraits, has_dissipation),
    FLAG(PlanTraits, is_formulated),      FLAG(PlanTraits, has_forces),
    FLAG(PlanTraits, is_assembled),
};
static const RecordType traits_type = RECORD_TYPE(PlanTraits, traits_fields);

static const Field times_fields[] = {PART(PlanTimes, end, value_type),
                                     PART(PlanTimes, every, value_type)};
static const RecordType times_type = RECORD_TYPE(PlanTimes, times_fields);

static const Field column_fields[] = {TEXT(Column, name), WHOLE(Column, kind),
                                      WHOLE(Column, number)};
static const RecordType column_type = RECORD_TYPE(Column, column_fields);

COUNT_IN(Columns, column_count, r->n)
static const Field columns_fields[] = {WHOLE(Columns, n), WHOLE(Columns, outputs),
                                       LIST(Columns, at, column_type, column_count)};
static const RecordType columns_type = RECORD_TYPE(Columns, columns_fields);

static const Field follow_slope_fields[] = {WHOLE(PlanFollowSlope, of), WHOLE(PlanFollowSlope, by)};
static const RecordType follow_slope_type = RECORD_TYPE(PlanFollowSlope, follow_slope_fields);

COUNT_IN(PlanFollow, follow_slope_count, r->slope_count)
static const Field follow_fields[] = {
    POINTER(PlanFollow, values, program_type),
    POINTER(PlanFollow, slopes, program_type),
    WHOLE(PlanFollow, slope_count),
    LIST(PlanFollow, slope_at, follow_slope_type, follow_slope_count),
};
static const RecordType follow_type = RECORD_TYPE(PlanFollow, follow_fields);

// ---- The plan

COUNT_IN(Plan, rows_of_plan, r->row_count)
COUNT_IN(Plan, contacts_of_plan, r->contact_count)
COUNT_IN(Plan, entries_of_contacts, r->contact_count + 1)
COUNT_IN(Plan, gap_entries, (uint32_t)r->gap_first[r->contact_count])
COUNT_IN(Plan, slip_entries, (uint32_t)r->slip_first[r->contact_count])
COUNT_IN(Plan, slips_of_plan, r->slip_count)
COUNT_IN(Plan, presses_of_plan, r->press_count)
COUNT_IN(Plan, switches_of_plan, r->switch_count)
COUNT_IN(Plan, kinds_of_plan, r->kind_count)
#define COUNT_OF_FILE(name, member)                                                                \
  static uint32_t name(const void *record, const void *root) {                                     \
    (void)record;                                                                                  \
    return ((const StoredPlan *)root)->member;                                                     \
  }
COUNT_OF_FILE(tables_in_use, table_count)
COUNT_OF_FILE(lookups_in_use, lookup_count)
COUNT_OF_FILE(slides_in_use, slide_count)
static const Field plan_fields[] = {
    WHOLE(Plan, n),
    WHOLE(Plan, state_count),
    WHOLE(Plan, row_count),
    WHOLE(Plan, contact_count),
    WHOLE(Plan, slip_count),
    WHOLE(Plan, press_count),
    WHOLE(Plan, input_count),
    WHOLE(Plan, parameter_count),
    WHOLE(Plan, switch_count),
    WHOLE(Plan, kind_count),
    LIST(Plan, coordinates, coordinate_type, coordinate_count),
    LIST(Plan, kinds, kind_type, kinds_of_plan),
    LIST(Plan, states, state_type, state_count),
    LIST(Plan, rows, row_type, rows_of_plan),
    LIST(Plan, contacts, contact_type, contacts_of_plan),
    LIST(Plan, slips, slip_type, slips_of_plan),
    LIST(Plan, presses, press_type, presses_of_plan),
    PART(Plan, loads, loads_type),
    PART(Plan, sizes, sizes_type),
    POINTER(Plan, places, places_type),
    POINTER(Plan, assembly, assembly_type),
    LIST(Plan, inputs, input_type, input_count),
    LIST(Plan, parameters, parameter_type, parameter_count),
    LIST(Plan, switches, switch_type, switches_of_plan),
    LIST(Plan, tables, plan_table_type, tables_in_use),
    LIST(Plan, lookups, lookup_type, lookups_in_use),
    LIST(Plan, slides, slide_type, slides_in_use),
    PART(Plan, variables, variables_type),
    LIST(Plan, gap_first, whole_type, entries_of_contacts),
    LIST(Plan, gap_coordinate, whole_type, gap_entries),
    LIST(Plan, slip_first, whole_type, entries_of_contacts),
    LIST(Plan, slip_coordinate, whole_type, slip_entries),
    POINTER(Plan, pulses, tape_type),
    PART(Plan, actions, actions_type),
    PART(Plan, measures, measures_type),
    PART(Plan, traits, traits_type),
    PART(Plan, times, times_type),
    PART(Plan, columns, columns_type),
    WHOLE(Plan, key),
    POINTER(Plan, follow, follow_type),
};
static const RecordType plan_type = RECORD_TYPE(Plan, plan_fields);

// ---- Its programs

static uint32_t extent_count(const void *record, const void *root) {
  (void)record, (void)root;
  return EXTENT_COUNT;
}
static const Field extents_fields[] = {ROW(Extents, of, whole_type, extent_count)};
static const RecordType extents_type = RECORD_TYPE(Extents, extents_fields);

static const Field layout_fields[] = {
    WHOLE(InputLayout, t),          WHOLE(InputLayout, q),       WHOLE(InputLayout, qd),
    WHOLE(InputLayout, states),     WHOLE(InputLayout, qdd),     WHOLE(InputLayout, lambda),
    WHOLE(InputLayout, friction),   WHOLE(InputLayout, presses), WHOLE(InputLayout, u),
    WHOLE(InputLayout, parameters), WHOLE(InputLayout, sides),   WHOLE(InputLayout, pieces),
    WHOLE(InputLayout, slides),     WHOLE(InputLayout, signs),   WHOLE(InputLayout, reductions),
    WHOLE(InputLayout, slopes),     WHOLE(InputLayout, held),    WHOLE(InputLayout, count),
};
static const RecordType layout_type = RECORD_TYPE(InputLayout, layout_fields);

static const Field stored_program_fields[] = {POINTER(StoredProgram, program, program_type)};
static const RecordType stored_program_type = RECORD_TYPE(StoredProgram, stored_program_fields);

static uint32_t part_count(const void *record, const void *root) {
  (void)record, (void)root;
  return EQUATION_PARTS;
}
COUNT_OF_PLAN(contact_count, p->contact_count)
COUNT_IN(StoredSet, rows_of_set, r->m)
static const Field set_fields[] = {
    LIST(StoredSet, closed, flag_type, contact_count),
    WHOLE(StoredSet, m),
    WHOLE(StoredSet, holonomic),
    LIST(StoredSet, lambda, whole_type, rows_of_set),
    PART(StoredSet, extents, extents_type),
    FLAG(StoredSet, has_forward),
    FLAG(StoredSet, has_roots),
    FLAG(StoredSet, has_constant_mass),
    LIST(StoredSet, parts, stored_program_type, part_count),
};
static const RecordType set_type = RECORD_TYPE(StoredSet, set_fields);

static const Field method_fields[] = {
    WHOLE(MethodOptions, method),
    REAL(MethodOptions, rtol),
    REAL(MethodOptions, atol),
    REAL(MethodOptions, step),
    REAL(MethodOptions, beta),
    REAL(MethodOptions, gamma),
    REAL(MethodOptions, rho),
    REAL(MethodOptions, order),
    WHOLE(MethodOptions, stabilize),
    REAL(MethodOptions, baumgarte_alpha),
    REAL(MethodOptions, baumgarte_beta),
    FLAG(MethodOptions, may_change),
};
static const RecordType method_type = RECORD_TYPE(MethodOptions, method_fields);

static const Field run_fields[] = {REAL(StoredRun, t_end), REAL(StoredRun, every),
                                   PART(StoredRun, method, method_type), FLAG(StoredRun, has_step)};
static const RecordType run_type = RECORD_TYPE(StoredRun, run_fields);

// ---- What people are told

static const Field text_fields[] = {TEXT(StoredText, text)};
static const RecordType text_type = RECORD_TYPE(StoredText, text_fields);
static const Field stored_name_fields[] = {TEXT(StoredName, name), TEXT(StoredName, unit)};
static const RecordType stored_name_type = RECORD_TYPE(StoredName, stored_name_fields);
static const Field stored_fixed_fields[] = {TEXT(StoredFixed, name), WHOLE(StoredFixed, why)};
static const RecordType stored_fixed_type = RECORD_TYPE(StoredFixed, stored_fixed_fields);

COUNT_IN(StoredAbout, settings_of_about, r->setting_count)
COUNT_IN(StoredAbout, fixed_of_about, r->fixed_count)
COUNT_OF_PLAN(about_parameters, p->parameter_count)
COUNT_OF_PLAN(about_inputs, p->input_count)
COUNT_OF_PLAN(about_measures, p->measures.measure_count)
static const Field about_fields[] = {
    TEXT(StoredAbout, formulation),
    WHOLE(StoredAbout, setting_count),
    LIST(StoredAbout, settings, text_type, settings_of_about),
    LIST(StoredAbout, units, text_type, about_parameters),
    LIST(StoredAbout, input_units, text_type, about_inputs),
    LIST(StoredAbout, measures, stored_name_type, about_measures),
    WHOLE(StoredAbout, fixed_count),
    LIST(StoredAbout, fixed, stored_fixed_type, fixed_of_about),
};
static const RecordType about_type = RECORD_TYPE(StoredAbout, about_fields);

// ---- Files

COUNT_IN(StoredPlan, tables_of_file, r->data_count)
static const Field stored_tables_fields[] = {
    WHOLE(StoredPlan, data_count), LIST(StoredPlan, data, stored_table_type, tables_of_file)};
const RecordType stored_tables = RECORD_TYPE(StoredPlan, stored_tables_fields);

COUNT_IN(StoredPlan, sets_of_file, r->set_count)
static const Field stored_plan_fields[] = {
    TEXT(StoredPlan, title),
    WHOLE(StoredPlan, table_count),
    WHOLE(StoredPlan, slide_count),
    WHOLE(StoredPlan, lookup_count),
    PART(StoredPlan, plan, plan_type),
    PART(StoredPlan, run, run_type),
    PART(StoredPlan, layout, layout_type),
    WHOLE(StoredPlan, set_count),
    LIST(StoredPlan, sets, set_type, sets_of_file),
    POINTER(StoredPlan, about, about_type),
};
const RecordType stored_plan = RECORD_TYPE(StoredPlan, stored_plan_fields);
