// The columns of a result: t, q, q', q'', lambda, outputs, energies, names of parts.
#include "base/text.h"
#include "sim/sim.h"

static void add(Columns *columns, const char *name, ColumnKind kind, uint32_t number) {
  columns->at[columns->n++] = (Column){name, kind, number};
}

uint32_t sim_column_count(const System *s) {
  uint32_t rows = s->row_count + s->contact_count;
  return 4 + 3 * s->n + rows + s->model->outputs.n + s->model->members.n;
}

Columns sim_columns(Context *cx, const System *s) {
  static const char *const energies[] = {"E_kin", "E_pot", "E_tot"};
  const Model *model = s->model;
  uint32_t rows = s->row_count + s->contact_count;
  Columns columns = {0};
  columns.at = arena_array(&cx->keep, Column, sim_column_count(s));
  add(&columns, "t", COLUMN_TIME, 0);
  for (uint32_t order = 0; order < 3; order++)
    for (uint32_t i = 0; i < s->n; i++) {
      static const char *const primes[] = {"", "'", "''"};
      const char *name = symbol_text(cx, model->coordinates.at[i].name);
      add(&columns, text_format(&cx->keep, "%s%s", name, primes[order]),
          (ColumnKind)(COLUMN_POSITION + order), i);
    }
  for (uint32_t i = 0; i < rows; i++) {
    Symbol name = i < s->row_count ? s->rows[i].name : s->contacts[i - s->row_count].name;
    add(&columns, multiplier_text(cx, &cx->keep, name), COLUMN_MULTIPLIER, i);
  }
  for (uint32_t i = 0; i < model->outputs.n; i++)
    add(&columns, symbol_text(cx, model->outputs.at[i].name), COLUMN_OUTPUT, i);
  for (uint32_t i = 0; i < 3; i++) add(&columns, energies[i], COLUMN_ENERGY, i);
  for (uint32_t i = 0; i < model->members.n; i++)
    add(&columns, symbol_text(cx, model->members.at[i].name), COLUMN_MEMBER, i);
  return columns;
}

const char *sim_event_text(SimEventKind kind) {
  static const char *const names[SIM_EVENT_KINDS] = {"impact", "contact", "release",
                                                     "jump",   "stick",   "slip"};
  return names[kind];
}

bool sim_event_is_of_contact(SimEventKind kind) { return kind <= SIM_RELEASE; }

const char *sim_event_name(const System *s, const SimEvent *e) {
  if (sim_event_is_of_contact(e->kind)) return symbol_text(s->cx, s->contacts[e->number].name);
  uint32_t rows = e->kind == SIM_JUMP ? s->row_count : 0;
  if (e->number < rows) return symbol_text(s->cx, s->rows[e->number].name);
  return symbol_text(s->cx, s->model->coordinates.at[e->number - rows].name);
}
