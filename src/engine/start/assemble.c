// One assembly for all formulations.
#include "engine/start/assemble.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/plan_start.h"
#include "engine/start/search.h"
#include "solve/algebra/dense.h"

// Of the size of a row: guesses that close, velocities that contradict it. Of the size of a
// coordinate: moves that are worth a word.
static const double CLOSES = 1e-12, CONTRADICTED = 1e-7, NOTICEABLE = 1e-3;
// Of the speeds of others: what a row has that says nothing.
static const double SILENT = 1e-6;

enum { ANGLE, LENGTH, OWN }; // kinds; every coordinate of the user's own is a kind by itself

typedef struct Assembling {
  Machine *m;
  const PlanAssembly *a;
  Arena *scratch;
  Problem problem;
  double *values, *floors; // by variable
  double *work;            // as many as there are slopes or inertias
  double *room;            // of the tapes
  int *kind;
  double *scale, *reach;
  bool *is_angle, *is_kept, *is_kept_rate;
} Assembling;

// ---- Values

static void put_positions(Assembling *w, const double *z) {
  for (uint32_t i = 0; i < w->a->n; i++) w->values[w->a->poses[i].z] = z[i];
}

static void put_velocities(Assembling *w, const double *zd) {
  for (uint32_t i = 0; i < w->a->n; i++) w->values[w->a->poses[i].zd] = zd[i];
}

static const double *run_tape(Assembling *w, const Tape *tape, double *out) {
  tape_values(tape, w->values, w->room, out);
  return out;
}

// Parameters and inputs as the machine has them, t = 0.
static void open_values(Assembling *w) {
  const Plan *plan = w->m->plan;
  const PlanVariables *at = &plan->variables;
  w->values = arena_array(w->scratch, double, at->count);
  w->floors = arena_array(w->scratch, double, at->count);
  for (uint32_t i = 0; i < plan->parameter_count; i++)
    w->values[at->parameters[i]] = w->m->values[at->parameters[i]];
  for (uint32_t i = 0; i < plan->input_count; i++)
    w->values[at->inputs[i]] = w->m->values[at->inputs[i]];
  for (uint32_t i = 0; i < w->a->n; i++) w->floors[w->a->poses[i].z] = w->scale[w->kind[i]];
}

// ---- Sizes

// How far joints are from the centres of their bodies, else how far bodies are from the origin.
static double length_of(Assembling *w, const double *guess) {
  uint32_t anchors = w->a->anchor_count;
  double *at = arena_array(w->scratch, double, 2 * anchors), most = 0, far = 0;
  tape_values(w->a->anchors, w->m->values, w->room, at);
  for (uint32_t i = 0; i < anchors; i++)
    most = fmax(most, sqrt(at[2 * i] * at[2 * i] + at[2 * i + 1] * at[2 * i + 1]));
  for (uint32_t i = w->a->own; i < w->a->n; i++)
    if ((i - w->a->own) % 3 < 2) far = fmax(far, fabs(guess[i]));
  return most > 0 ? most : far > 0 ? far : 1;
}

static void find_kinds(Assembling *w, const double *guess) {
  uint32_t n = w->a->n, own = w->a->own;
  w->kind = arena_array(w->scratch, int, n);
  w->scale = arena_array(w->scratch, double, OWN + own);
  w->reach = arena_array(w->scratch, double, n);
  w->is_angle = arena_array(w->scratch, bool, n);
  w->scale[ANGLE] = 1, w->scale[LENGTH] = length_of(w, guess);
  double most[2] = {1, w->scale[LENGTH]};
  for (uint32_t i = 0; i < n; i++) {
    w->kind[i] = i < own ? OWN + (int)i : (i - own) % 3 == 2 ? ANGLE : LENGTH;
    w->is_angle[i] = w->kind[i] == ANGLE;
    if (i >= own) most[w->kind[i]] = fmax(most[w->kind[i]], fabs(guess[i]));
    if (i >= own) continue;
    // coordinates beside the bodies come first in every formulation
    double size = machine_coordinate_size(w->m, (int)i);
    w->scale[OWN + i] = size > 0 ? size : 1;
  }
  for (uint32_t i = 0; i < n; i++)
    w->reach[i] = i < own ? fmax(w->scale[OWN + i], fabs(guess[i])) : most[w->kind[i]];
}

// ---- The problem

static Status run_position(void *user, double t, const double *q, double *Phi) {
  Assembling *w = user;
  (void)t;
  put_positions(w, q);
  run_tape(w, w->a->constraints, Phi);
  return QDOT_OK;
}

static Status run_size(void *user, double t, const double *q, double *size) {
  Assembling *w = user;
  (void)t;
  put_positions(w, q);
  tape_sizes(w->a->constraints, w->values, w->floors, w->room, size);
  return QDOT_OK;
}

static Status run_velocity(void *user, double t, const double *q, const double *qd,
                           double *Phi_dot) {
  Assembling *w = user;
  (void)t;
  put_positions(w, q), put_velocities(w, qd);
  run_tape(w, w->a->rates, Phi_dot);
  return QDOT_OK;
}

// matrix: of n columns
static void add_entries(Assembling *w, const PlanEntries *entries, double *matrix) {
  const double *values = run_tape(w, entries->values, w->work);
  for (uint32_t i = 0; i < entries->count; i++)
    matrix[(size_t)entries->cells[i].row * w->a->n + entries->cells[i].column] += values[i];
}

static Status run_geometry(void *user, double t, const double *q, double *M, double *Phi_q) {
  Assembling *w = user;
  size_t n = w->a->n;
  (void)t;
  put_positions(w, q);
  memset(M, 0, n * n * sizeof *M);
  memset(Phi_q, 0, w->a->row_count * n * sizeof *Phi_q);
  add_entries(w, &w->a->inertias, M);
  add_entries(w, &w->a->slopes, Phi_q);
  return QDOT_OK;
}

// What moving takes, beside what looking took.
static void open_problem(Assembling *w) {
  const PlanAssembly *a = w->a;
  open_values(w);
  w->work = arena_array(w->scratch, double, a->slopes.count + a->inertias.count);
  w->is_kept = arena_array(w->scratch, bool, a->n);
  w->is_kept_rate = arena_array(w->scratch, bool, a->n);
  for (uint32_t i = 0; i < a->n; i++) {
    w->is_kept[i] = a->poses[i].is_kept;
    w->is_kept_rate[i] = a->poses[i].is_rate_kept;
  }
  w->problem = (Problem){.user = w,
                         .n = (int)a->n,
                         .m = (int)a->row_count,
                         .holonomic = (int)a->holonomic,
                         .kind = w->kind,
                         .scale = w->scale,
                         .kinds = OWN + (int)a->own,
                         .geometry = run_geometry,
                         .position = run_position,
                         .velocity = run_velocity,
                         .position_size = run_size};
}

// ---- Do the guesses close?

static bool is_met(const double *residual, const double *size, uint32_t n, double share) {
  for (uint32_t r = 0; r < n; r++)
    if (!(fabs(residual[r]) <= share * size[r])) return false;
  return true;
}

static bool positions_close(Assembling *w, const double *z) {
  double *Phi = arena_array(w->scratch, double, w->a->holonomic);
  double *size = arena_array(w->scratch, double, w->a->holonomic);
  run_position(w, 0, z, Phi);
  run_size(w, 0, z, size);
  return is_met(Phi, size, w->a->holonomic, CLOSES);
}

static bool is_at_rest(const Assembling *w, const double *zd) {
  for (uint32_t i = 0; i < w->a->n; i++)
    if (zd[i] != 0) return false;
  for (uint32_t r = 0; r < w->a->row_count; r++)
    if (r >= w->a->holonomic || w->a->rows[r].has_time) return false;
  return true;
}

static bool velocities_meet(Assembling *w, const double *z, const double *zd, double share) {
  uint32_t rows = w->a->row_count;
  double *rate = arena_array(w->scratch, double, rows);
  double *size = arena_array(w->scratch, double, rows);
  run_velocity(w, 0, z, zd, rate);
  tape_sizes(w->a->rates, w->values, w->floors, w->room, size);
  return is_met(rate, size, rows, share);
}

// ---- Moving

// Angles as near to their guesses as whole turns allow, where the rows do not count turns.
static void unwind(Search *s, double *z) {
  bool turned = false;
  memcpy(s->trial, z, (size_t)s->n * sizeof *z);
  for (int i = 0; i < s->moves; i++) {
    int k = s->free[i];
    double turns = s->is_angle[k] ? round((z[k] - s->guess[k]) / (2 * M_PI)) : 0;
    if (turns == 0) continue;
    s->trial[k] -= 2 * M_PI * turns;
    turned = true;
  }
  if (!turned) return;
  double *unwound = arena_array(s->scratch, double, s->n);
  memcpy(unwound, s->trial, (size_t)s->n * sizeof *z);
  if (search_from(s, unwound)) memcpy(z, s->q, (size_t)s->n * sizeof *z);
}

static bool move_positions(Assembling *w, Search *s, double *z) {
  search_open(s, w->scratch, &w->problem, w->is_kept, (int)w->a->holonomic);
  s->is_angle = w->is_angle, s->reach = w->reach;
  memcpy(s->guess, z, (size_t)s->n * sizeof *z);
  if (!search_positions(s, z)) return false;
  unwind(s, z);
  return true;
}

// What is left of the rates of the rows, and the sizes of these; a row that says nothing leaves
// rounding of the others' size. In the room of s, which has looked at z.
static uint32_t worst_rate(Assembling *w, Search *s, const double *z, const double *zd) {
  uint32_t rows = w->a->row_count, worst = 0, n = w->a->n;
  double *slope = arena_array(w->scratch, double, rows), most = 0, share = -1;
  run_velocity(w, 0, z, zd, s->c);
  tape_sizes(w->a->rates, w->values, w->floors, w->room, s->size);
  for (uint32_t r = 0; r < rows; r++) {
    slope[r] = dense_norm((int)n, s->Phi_q + (size_t)r * n);
    if (slope[r] > 0) most = fmax(most, s->size[r] / slope[r]);
  }
  for (uint32_t r = 0; r < rows; r++) {
    s->size[r] = fmax(s->size[r], SILENT * slope[r] * most);
    if (!(fabs(s->c[r]) > share * s->size[r]) || s->size[r] == 0) continue;
    share = fabs(s->c[r]) / s->size[r];
    worst = r;
  }
  return worst;
}

static Status contradicted(const Assembling *w, uint32_t row, double off);

// Velocities that the joints allow, as near to those of the guesses as these allow.
// *found is false where the masses allow no answer, which the caller finds out.
static Status move_velocities(Assembling *w, const double *z, double *zd, bool *found) {
  Search s;
  search_open(&s, w->scratch, &w->problem, w->is_kept_rate, (int)w->a->row_count);
  *found = search_velocities(&s, z, zd) == QDOT_OK;
  if (!*found) return QDOT_OK;
  uint32_t row = worst_rate(w, &s, z, zd);
  if (fabs(s.c[row]) > CONTRADICTED * s.size[row]) return contradicted(w, row, fabs(s.c[row]));
  return QDOT_OK;
}

// ---- Velocities that no motion has

// "the velocity of 'rod'", "the spin of 'rod'" or "x'"; NULL where it is not the user's.
static const char *rate_name(const Assembling *w, uint32_t i) {
  Arena *keep = &w->m->cx->keep;
  const PlanPose *pose = &w->a->poses[i];
  uint32_t k = (i - w->a->own) % 3;
  if (!pose->is_rate_given) return NULL;
  if (!pose->part) return text_format(keep, "%s'", pose->name);
  if (k == 1) return NULL; // with that along x
  return text_format(keep, "the %s of '%s'", k == 2 ? "spin" : "velocity", pose->name);
}

static bool has_slope(const PlanEntries *slopes, uint32_t row, uint32_t column) {
  for (uint32_t i = 0; i < slopes->count; i++)
    if (slopes->cells[i].row == row && slopes->cells[i].column == column) return true;
  return false;
}

static bool is_in_row(const Assembling *w, uint32_t row, uint32_t i) {
  bool is_place = i >= w->a->own && (i - w->a->own) % 3 == 0;
  return has_slope(&w->a->slopes, row, i) || (is_place && has_slope(&w->a->slopes, row, i + 1));
}

// The first few values given with '=': those in the row, or all.
static const char *given_rates(const Assembling *w, uint32_t row, bool all) {
  enum { MOST = 4 };
  Text text = text_new(&w->m->cx->keep);
  int told = 0;
  for (uint32_t i = 0; i < w->a->n && told < MOST; i++) {
    const char *name = all || is_in_row(w, row, i) ? rate_name(w, i) : NULL;
    if (name) text_addf(&text, "%s%s", told++ ? ", " : "", name);
  }
  return told > 0 ? text.at : NULL;
}

// In the coordinates of a tree such values would be dropped, since nothing asks for them.
static Status contradicted(const Assembling *w, uint32_t row, double off) {
  const char *given = given_rates(w, row, false);
  Status status =
      diag_error(w->m->cx, QDOT_INCONSISTENT, w->a->rows[row].span,
                 given ? "the given initial velocities contradict constraint '%s' by %.3g"
                       : "no initial velocities meet constraint '%s': %.3g remains",
                 w->a->rows[row].name, off);
  if (!given) given = given_rates(w, row, true);
  if (given) diag_note(w->m->cx, "given with '=': %s; a value after '~' may change", given);
  return status;
}

// ---- What decides where it starts

// Rows that are independent of each other, in units of the coordinates.
typedef struct Basis {
  Arena *scratch;
  int n, count;
  const double *unit; // of each coordinate
  double *rows;       // orthonormal
} Basis;

// Takes v (n) in if more than `share` of it is new.
static bool basis_add(Basis *b, const double *v, double share) {
  double *room = b->rows + (size_t)b->count * (size_t)b->n;
  if (b->count == b->n) return false;
  for (int i = 0; i < b->n; i++) room[i] = v[i] * b->unit[i];
  double size = dense_norm(b->n, room);
  for (int i = 0; size > 0 && i < b->n; i++) room[i] /= size;
  for (int twice = 0; twice < 2; twice++)
    for (int k = 0; k < b->count; k++) {
      const double *u = b->rows + (size_t)k * (size_t)b->n;
      dense_add(b->n, -dense_dot(b->n, u, room), u, room);
    }
  double left = dense_norm(b->n, room);
  if (!(size > 0) || !(left > share)) return false;
  for (int i = 0; i < b->n; i++) room[i] /= left;
  b->count++;
  return true;
}

static bool basis_keep(Basis *b, uint32_t i, double share) {
  double *v = arena_array(b->scratch, double, b->n);
  v[i] = 1;
  return basis_add(b, v, share);
}

// "the angle of 'boom'"
static void name_place(const PlanPose *pose, Text *text) {
  if (pose->part)
    text_addf(text, "the %s of '%s'", pose->part, pose->name);
  else
    text_addf(text, "'%s'", pose->name);
}

// So many values that would decide the rest, the first few by name: angles first, clear cases
// first.
static const char *name_values(const Assembling *w, Basis *b, uint32_t missing) {
  enum { MOST_NAMED = 6 };
  static const double clear[] = {0.1, 1e-3, 1e-6};
  uint32_t more = missing > MOST_NAMED ? missing - MOST_NAMED : 0;
  missing -= more;
  Text text = text_new(&w->m->cx->keep);
  uint32_t named = 0;
  for (int round = 0; round < 6 && named < missing; round++)
    for (uint32_t i = 0; i < w->a->n && named < missing; i++) {
      if (w->is_angle[i] != (round % 2 == 0) || !basis_keep(b, i, clear[round / 2])) continue;
      bool is_last = named + 1 == missing && more == 0;
      text_addf(&text, "%s", named == 0 ? "" : is_last ? " and " : ", ");
      name_place(&w->a->poses[i], &text);
      named++;
    }
  if (more > 0) text_addf(&text, " and %u more", more);
  return text.at;
}

static bool moved_noticeably(const Assembling *w, const double *guess, const double *z) {
  for (uint32_t i = 0; i < w->a->n; i++)
    if (fabs(z[i] - guess[i]) > NOTICEABLE * w->scale[w->kind[i]]) return true;
  return false;
}

static void find_chosen(Assembling *w, Search *s, const double *z, Assembled *out) {
  uint32_t n = w->a->n;
  if (!moved_noticeably(w, s->guess, z)) return;
  if (run_geometry(w, 0, z, s->M, s->Phi_q) != QDOT_OK) return;
  double *unit = arena_array(w->scratch, double, n);
  for (uint32_t i = 0; i < n; i++) unit[i] = w->scale[w->kind[i]];
  Basis b = {w->scratch, (int)n, 0, unit, arena_array(w->scratch, double, (size_t)n *n)};
  for (uint32_t i = 0; i < n; i++)
    if (w->is_kept[i] && !w->a->poses[i].is_given) basis_keep(&b, i, 1e-6);
  for (uint32_t r = 0; r < w->a->holonomic; r++) basis_add(&b, s->Phi_q + (size_t)r * n, 1e-6);
  out->freedom = n - (uint32_t)b.count;
  for (uint32_t i = 0; i < n; i++)
    if (w->a->poses[i].is_given) basis_keep(&b, i, 1e-6);
  out->chosen = n - (uint32_t)b.count;
  if (out->chosen > 0) out->keep = name_values(w, &b, out->chosen);
}

// ---- The whole

static void give_coordinates(Assembling *w, const double *z, const double *zd, bool moved,
                             Assembled *out) {
  size_t n = w->m->plan->n;
  open_values(w);
  put_positions(w, z), put_velocities(w, zd);
  double *q = arena_array(w->scratch, double, n), *qd = arena_array(w->scratch, double, n);
  run_tape(w, w->a->meanings, q);
  run_tape(w, w->a->meaning_rates, qd);
  out->q = moved ? q : NULL, out->qd = qd;
}

// The guesses, with what it takes to look at them.
static bool open_assembly(Assembling *w, Machine *m, double **z) {
  if (!m->plan->assembly) return false;
  *w = (Assembling){.m = m, .a = m->plan->assembly, .scratch = &m->cx->scratch};
  w->room = arena_array(w->scratch, double, w->a->room);
  *z = arena_array(w->scratch, double, w->a->n);
  tape_values(w->a->positions, m->values, w->room, *z);
  find_kinds(w, *z);
  open_values(w);
  return true;
}

Status assemble(Machine *m, Assembled *out) {
  Assembling w;
  double *z;
  *out = (Assembled){0};
  if (!open_assembly(&w, m, &z)) return QDOT_OK;
  double *zd = arena_array(w.scratch, double, w.a->n);
  tape_values(w.a->velocities, m->values, w.room, zd);
  bool closed = positions_close(&w, z);
  if (!closed || !is_at_rest(&w, zd)) {
    Search s;
    open_problem(&w);
    bool moves = !closed && move_positions(&w, &s, z);
    bool stands = closed || moves;
    bool runs = stands && (moves || !velocities_meet(&w, z, zd, CLOSES));
    Status status = runs ? move_velocities(&w, z, zd, &runs) : QDOT_OK;
    if (status != QDOT_OK) return status;
    if (runs) give_coordinates(&w, z, zd, moves, out);
    if (runs && moves && !m->is_quiet) find_chosen(&w, &s, z, out);
  }
  return QDOT_OK;
}

static Status stays_open(Context *cx, const PlanAssemblyRow *row, double off) {
  Status status = diag_error(cx, QDOT_INCONSISTENT, row->span,
                             "the mechanism cannot be assembled: constraint '%s' stays off by %.3g",
                             row->name, off);
  diag_note(
      cx,
      "a body would have to be turned over; check the dimensions, or give better guesses with '~'");
  return status;
}

Status assemble_check(Machine *m, const double *q) {
  const double open = 1e-6; // of the size of a row
  Assembling w;
  double *z;
  if (!open_assembly(&w, m, &z)) return QDOT_OK;
  for (int i = 0; i < m->n; i++) w.values[m->plan->variables.q[i]] = q[i];
  memcpy(z, q, w.a->own * sizeof *z);
  run_tape(&w, m->plan->places->poses, z + w.a->own);
  double *Phi = arena_array(w.scratch, double, w.a->holonomic);
  double *size = arena_array(w.scratch, double, w.a->holonomic);
  run_position(&w, 0, z, Phi);
  run_size(&w, 0, z, size);
  for (uint32_t r = 0; r < w.a->holonomic; r++) {
    // vectors do not count the turns of an angle
    double off = fmin(fabs(Phi[r]), fabs(remainder(Phi[r], 2 * M_PI)));
    if (off > open * size[r]) return stays_open(m->cx, &w.a->rows[r], off);
  }
  return QDOT_OK;
}
