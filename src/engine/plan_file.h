// A plan and its programs as bytes: written by who has compiled them, read and checked completely
// before anything of it is used.
// Sources: plan_check.c, plan_file.c, plan_parts.c, plan_records.c
#ifndef QDOT_ENGINE_PLAN_FILE_H
#define QDOT_ENGINE_PLAN_FILE_H

#include "engine/programs.h"
#include "engine/record.h"
#include "solve/method.h"

// The programs of one set of closed contacts.
typedef struct StoredSet {
  const bool *closed; // one a contact
  uint32_t m, holonomic;
  const uint32_t *lambda; // m places of multipliers, see Equations
  Extents extents;
  bool has_forward, has_roots, has_constant_mass;
  const struct StoredProgram *parts; // EQUATION_PARTS
} StoredSet;

// NULL: there is none.
typedef struct StoredProgram {
  const Program *program;
} StoredProgram;

// How the model asks to be run.
typedef struct StoredRun {
  double t_end, every; // s
  MethodOptions method;
  bool has_step; // it was said
} StoredRun;

typedef struct StoredText {
  const char *text;
} StoredText;

typedef struct StoredName {
  const char *name, *unit; // SI: "N m"; "" for a pure number, or where it is not known
} StoredName;

// Why a name of the model has no place among the values of a plan.
typedef enum FixedWhy {
  FIXED_COUNT,  // it is a count
  FIXED_METHOD, // an option of the method, in its simulate line, is computed from it
  FIXED_START,  // it is a coordinate, velocity or state: its start
  FIXED_NUMBER, // it is a number of a part, rod.mass
  FIXED_KINDS
} FixedWhy;

typedef struct StoredFixed {
  const char *name;
  uint32_t why;
} StoredFixed;

// What people are told of a plan.
typedef struct StoredAbout {
  const char *formulation;               // of bodies, or NULL
  uint32_t setting_count;                // NAME=VALUE
  const StoredText *settings;            // with which the model was read
  const StoredText *units, *input_units; // of the parameters and inputs
  const StoredName *measures;
  uint32_t fixed_count;
  const StoredFixed *fixed;
} StoredAbout;

typedef struct StoredPlan {
  const char *title;
  const StoredAbout *about; // NULL: nobody has said
  uint32_t data_count;
  const struct StoredTable *data; // by TableId
  Plan plan;
  StoredRun run;
  InputLayout layout;
  uint32_t table_count, slide_count, lookup_count;
  uint32_t set_count;
  const StoredSet *sets; // the first with all contacts open
} StoredPlan;

typedef struct StoredTable {
  const TableData *table;
} StoredTable;

#define PLAN_MAGIC "QDOTPLAN" // the first eight bytes

typedef struct PlanBytes {
  const unsigned char *at;
  size_t n;
} PlanBytes;

// In the arena.
PlanBytes plan_write(Arena *arena, const StoredPlan *stored);
// QDOT_BAD_FILE with a diagnostic that names `name`, where the bytes are no plan of this version,
// or one that was cut off or changed; nothing else can go wrong with a plan that has been read.
Status plan_read(Context *cx, Arena *arena, const char *name, const void *bytes, size_t n,
                 const StoredPlan **out);

// May a run by this method come to need that program?
bool plan_takes_part(const Plan *plan, const MethodOptions *method, EquationPart part);
// Has it all programs that this method takes?
bool plan_serves(const StoredPlan *stored, const MethodOptions *method);

// Its programs, made ready to run as they are needed. Lives in the arena; programs_close.
Programs *stored_programs(Context *cx, Arena *arena, const StoredPlan *stored, Backend backend);

// ---- What the sources share

extern const RecordType stored_plan, stored_tables; // a file: its tables, then the rest
// Are all places within their lists, all programs and tapes in order, all counts as they must be?
bool plan_is_sound(const StoredPlan *stored);

#endif
