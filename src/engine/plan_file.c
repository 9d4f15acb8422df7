// Plans as bytes: eight letters, a version, a hash of the instructions, the length and a sum of
// what follows; then tables, records and programs.
#include "engine/plan_file.h"

#include <string.h>

#include "base/hash.h"

enum { VERSION = 1, HEAD = 8 + 4 + 4 + 8 + 8 };

// Of the names of all instructions, operators and parts, in their order: who numbers them otherwise
// reads something else.
static uint32_t hash_of_instructions(void) {
  static const char names[] =
#define STEP(name, ...) #name " "
#include "program/steps.def"
#undef STEP
#define OP(name, ...) #name " "
#include "program/ops.def"
#undef OP
#define BLOCK(name, rows, columns) #name "," #rows "," #columns " "
#define PART(KEY, Name, name, needs, blocks) #KEY ":" blocks
#include "engine/parts.def"
#undef PART
#undef BLOCK
#define METHOD(id, symbol) #id " "
#include "solve/methods.def"
#undef METHOD
      ;
  return hash_bytes(names, sizeof names - 1);
}

// FNV-1a with 64 bits (Fowler, Noll, Vo).
static uint64_t sum_of(const unsigned char *bytes, size_t n) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  return sum;
}

static void put_number(unsigned char *at, uint64_t value, int count) {
  for (int i = 0; i < count; i++) at[i] = (unsigned char)(value >> (8 * i) & 0xff);
}

static uint64_t number_at(const unsigned char *at, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}

static const TableData *const *tables_of(Arena *arena, const StoredPlan *stored) {
  const TableData **tables = arena_array(arena, const TableData *, stored->data_count + 1);
  for (uint32_t i = 0; i < stored->data_count; i++) tables[i] = stored->data[i].table;
  return tables;
}

PlanBytes plan_write(Arena *arena, const StoredPlan *stored) {
  RecordWriter w = {.arena = arena, .root = stored};
  for (int i = 0; i < HEAD; i++) vec_push(arena, &w.bytes, 0);
  w.tables = (RecordTables){tables_of(arena, stored), stored->data_count};
  record_write(&w, &stored_tables, stored);
  record_write(&w, &stored_plan, stored);
  unsigned char *head = w.bytes.at;
  memcpy(head, PLAN_MAGIC, 8);
  put_number(head + 8, VERSION, 4);
  put_number(head + 12, hash_of_instructions(), 4);
  put_number(head + 16, w.bytes.n - HEAD, 8);
  put_number(head + 24, sum_of(head + HEAD, w.bytes.n - HEAD), 8);
  return (PlanBytes){w.bytes.at, w.bytes.n};
}

// ---- Reading

static Status refuse(Context *cx, const char *name, const char *why) {
  Status status = diag_error_plain(cx, QDOT_BAD_FILE, "'%s' %s", name, why);
  diag_note(cx, "write it again with `qdot plan MODEL`");
  return status;
}

static const char *fault_of_head(const unsigned char *bytes, size_t n) {
  if (n < HEAD || memcmp(bytes, PLAN_MAGIC, 8) != 0) return "is no plan";
  if (number_at(bytes + 8, 4) != VERSION || number_at(bytes + 12, 4) != hash_of_instructions())
    return "is a plan of another version";
  if (number_at(bytes + 16, 8) != n - HEAD) return "is a plan that was cut off";
  if (number_at(bytes + 24, 8) != sum_of(bytes + HEAD, n - HEAD))
    return "is a plan whose bytes have been changed";
  return NULL;
}

static bool read_records(Arena *arena, const unsigned char *bytes, size_t n, StoredPlan *out) {
  RecordReader r = {.arena = arena, .at = bytes, .end = bytes + n, .root = out};
  record_read(&r, &stored_tables, out);
  if (r.is_bad) return false;
  r.tables = (RecordTables){tables_of(arena, out), out->data_count};
  record_read(&r, &stored_plan, out);
  return !r.is_bad && r.at == r.end && plan_is_sound(out);
}

Status plan_read(Context *cx, Arena *arena, const char *name, const void *bytes, size_t n,
                 const StoredPlan **out) {
  const char *fault = fault_of_head(bytes, n);
  if (fault) return refuse(cx, name, fault);
  StoredPlan *stored = arena_new(arena, StoredPlan);
  if (!read_records(arena, (const unsigned char *)bytes + HEAD, n - HEAD, stored))
    return refuse(cx, name, "is a plan whose records do not fit together");
  *out = stored;
  return QDOT_OK;
}

// ---- Running

typedef struct StoredSource {
  const StoredPlan *stored;
  Programs programs;
  Backend backend;
  const TableData *const *tables;
} StoredSource;

typedef struct StoredMaker {
  const StoredSource *source;
  const StoredSet *set;
} StoredMaker;

// The program as it was stored, with the tables that it looks into.
static const Program *make_program(void *user, EquationPart part) {
  const StoredMaker *maker = user;
  const Program *stored = maker->set->parts[part].program;
  if (!stored) return NULL;
  Program *program = arena_new(maker->source->programs.arena, Program);
  *program = *stored;
  program->tables = maker->source->tables;
  return program;
}

static const StoredSet *set_for(const StoredPlan *stored, const bool *closed) {
  size_t contacts = stored->plan.contact_count;
  for (uint32_t i = 0; i < stored->set_count; i++)
    if (contacts == 0 || memcmp(stored->sets[i].closed, closed, contacts) == 0)
      return &stored->sets[i];
  return NULL;
}

static Equations *make_set(void *user, const bool *closed) {
  StoredSource *source = user;
  const StoredPlan *stored = source->stored;
  const StoredSet *set = set_for(stored, closed);
  if (!set) return NULL;
  Arena *arena = source->programs.arena;
  StoredMaker *maker = arena_new(arena, StoredMaker);
  *maker = (StoredMaker){source, set};
  Equations *d = arena_new(arena, Equations);
  *d = (Equations){.cx = source->programs.cx,
                   .arena = arena,
                   .backend = source->backend,
                   .layout = stored->layout,
                   .n = stored->plan.n,
                   .states = stored->plan.state_count,
                   .m = set->m,
                   .holonomic = set->holonomic,
                   .extents = set->extents,
                   .lambda = set->lambda,
                   .has_forward = set->has_forward,
                   .is_locked = true,
                   .has_roots = set->has_roots,
                   .has_constant_mass = set->has_constant_mass,
                   .switch_count = stored->plan.switch_count,
                   .table_count = stored->table_count,
                   .slide_count = stored->slide_count,
                   .lookup_count = stored->lookup_count,
                   .tables = stored->plan.tables,
                   .slides = stored->plan.slides,
                   .maker = {maker, make_program}};
  return d;
}

Programs *stored_programs(Context *cx, Arena *arena, const StoredPlan *stored, Backend backend) {
  StoredSource *source = arena_new(arena, StoredSource);
  *source =
      (StoredSource){.stored = stored, .backend = backend, .tables = tables_of(arena, stored)};
  source->programs = (Programs){.cx = cx,
                                .plan = &stored->plan,
                                .arena = arena,
                                .most_own_contacts = MOST_OWN_CONTACTS,
                                .user = source,
                                .make = make_set};
  return &source->programs;
}
