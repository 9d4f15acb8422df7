// The columns of a result: t, q, q', states, q'', lambda, outputs, energies, names of parts.
#include "base/text.h"
#include "sim/sim.h"

static void add(Columns *columns, const char *name, ColumnKind kind, uint32_t number) {
  columns->at[columns->n++] = (Column){name, kind, number};
}

static uint32_t column_count(const System *s) {
  uint32_t rows = s->row_count + s->contact_count;
  return 4 + 3 * s->n + s->states + rows + s->model->outputs.n + s->model->members.n;
}

Columns sim_columns_in(Context *cx, Arena *arena, const System *s) {
  static const char *const energies[] = {"E_kin", "E_pot", "E_tot"};
  const Model *model = s->model;
  uint32_t rows = s->row_count + s->contact_count;
  Columns columns = {.outputs = model->outputs.n};
  columns.at = arena_array(arena, Column, column_count(s));
  add(&columns, "t", COLUMN_TIME, 0);
  for (uint32_t order = 0; order < 3; order++) {
    for (uint32_t i = 0; order == 2 && i < s->states; i++)
      add(&columns, symbol_text(cx, model->states.at[i].name), COLUMN_STATE, i);
    for (uint32_t i = 0; i < s->n; i++) {
      static const char *const primes[] = {"", "'", "''"};
      const char *name = symbol_text(cx, model->coordinates.at[i].name);
      add(&columns, text_format(arena, "%s%s", name, primes[order]),
          order == 0   ? COLUMN_POSITION
          : order == 1 ? COLUMN_VELOCITY
                       : COLUMN_ACCELERATION,
          i);
    }
  }
  for (uint32_t i = 0; i < rows; i++) {
    Symbol name = i < s->row_count ? s->rows[i].name : s->contacts[i - s->row_count].name;
    add(&columns, multiplier_text(cx, arena, name), COLUMN_MULTIPLIER, i);
  }
  for (uint32_t i = 0; i < model->outputs.n; i++)
    add(&columns, symbol_text(cx, model->outputs.at[i].name), COLUMN_OUTPUT, i);
  for (uint32_t i = 0; i < 3; i++) add(&columns, energies[i], COLUMN_ENERGY, i);
  for (uint32_t i = 0; i < model->members.n; i++)
    add(&columns, symbol_text(cx, model->members.at[i].name), COLUMN_MEMBER, i);
  return columns;
}

Columns sim_columns(Context *cx, const System *s) { return sim_columns_in(cx, &cx->keep, s); }
