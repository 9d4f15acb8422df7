// To whom an event of a run happens.
#include "sim/sim.h"

const char *sim_event_name(const System *s, const SimEvent *e) {
  const Model *model = s->model;
  EventCounts counts = {s->n, s->row_count, s->contact_count, model->presses.n};
  uint32_t i;
  switch (sim_event_owner(e, &counts, &i)) {
  case EVENT_OF_CONTACT: return symbol_text(s->cx, s->contacts[i].name);
  case EVENT_OF_SLIP: return symbol_text(s->cx, s->slips[i].name);
  case EVENT_OF_JOINT_FRICTION: return symbol_text(s->cx, model->presses.at[i].name);
  case EVENT_OF_CONSTRAINT: return symbol_text(s->cx, s->rows[i].name);
  case EVENT_OF_COORDINATE: return symbol_text(s->cx, model->coordinates.at[i].name);
  case EVENT_OF_MODEL: return model->occasions.at[i].text;
  }
  return NULL;
}
