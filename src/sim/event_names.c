// To whom an event of a run happens.
#include "sim/sim.h"

const char *sim_event_name(const System *s, const SimEvent *e) {
  if (sim_event_is_of_model(e->kind)) return s->model->occasions.at[e->number].text;
  if (sim_event_is_of_contact(e->kind)) return symbol_text(s->cx, s->contacts[e->number].name);
  bool sticks = e->kind == SIM_STICK || e->kind == SIM_SLIP;
  uint32_t joint = s->n + s->contact_count;
  uint32_t rolls = joint + s->model->presses.n;
  if (sticks && e->number >= rolls)
    return symbol_text(s->cx, s->slips[e->number - rolls + s->contact_count].name);
  if (sticks && e->number >= joint)
    return symbol_text(s->cx, s->model->presses.at[e->number - joint].name);
  if (sticks && e->number >= s->n) return symbol_text(s->cx, s->contacts[e->number - s->n].name);
  uint32_t rows = e->kind == SIM_JUMP ? s->row_count : 0;
  if (e->number < rows) return symbol_text(s->cx, s->rows[e->number].name);
  return symbol_text(s->cx, s->model->coordinates.at[e->number - rows].name);
}
