// Events of contacts that a method steps over: told from what its steps did, to the step.
#include "engine/run/run.h"

// More are counted, not kept.
enum { MOST_EVENTS = 4000 };

void run_open_touches(Run *run) {
  bool steps = run_steps_contacts(run) && !run->o->is_bare;
  int joints = (int)run->machine.plan->press_count;
  run->touches.count = steps ? run->machine.contacts + joints : 0;
  run->touches.known = arena_array(run->memory.room, KnownContact, run->touches.count);
}

// In the order of time.
static void tell(Run *run, SimEvent event) {
  SimSummary *s = run->summary;
  if (s->events.n >= MOST_EVENTS) {
    s->events_left_out++;
    return;
  }
  vec_push(run->memory.found, &s->events, event);
  for (uint32_t i = s->events.n - 1; i > 0 && s->events.at[i - 1].t > event.t; i--) {
    s->events.at[i] = s->events.at[i - 1];
    s->events.at[i - 1] = event;
  }
}

static double side_of(const ContactStep *c) { return (c->slides > 0) - (c->slides < 0); }

static void tell_closing(Run *run, int i, const ContactStep *c) {
  SimEvent event = {.t = run->stepper->t, .number = (uint32_t)i, .kind = SIM_CONTACT};
  if (contact_step_strikes(c)) {
    event.kind = SIM_IMPACT;
    event.before = c->approach, event.after = c->left, event.closes = !c->bounces;
  }
  tell(run, event);
  run->touches.known[i] = (KnownContact){.is_closed = !c->bounces, .slides = side_of(c)};
}

// What two steps in a row see has happened in the first of them.
static void tell_sliding(Run *run, int i, double side) {
  KnownContact *k = &run->touches.known[i];
  bool lasts = k->turns && k->side == side;
  k->parts = false;
  if (side == k->slides || !lasts) {
    k->turns = side != k->slides;
    k->side = side, k->t = run->stepper->t;
    return;
  }
  *k = (KnownContact){.is_closed = true, .slides = side, .t = k->t};
  tell(run, (SimEvent){.t = k->t,
                       .number = (uint32_t)(run->n + i),
                       .kind = side == 0 ? SIM_STICK : SIM_SLIP});
}

static void tell_parting(Run *run, int i) {
  KnownContact *k = &run->touches.known[i];
  if (!k->parts) {
    k->parts = true, k->turns = false;
    k->t = run->stepper->t;
    return;
  }
  tell(run, (SimEvent){.t = k->t, .number = (uint32_t)i, .kind = SIM_RELEASE});
  *k = (KnownContact){0};
}

// A joint is closed from the beginning, and that it turns round is no event.
static void tell_joint(Run *run, int i) {
  KnownContact *k = &run->touches.known[i];
  const ContactStep *c = &run->stepper->contact_steps[i];
  if (!k->is_closed) *k = (KnownContact){.is_closed = true, .slides = side_of(c)};
  if (k->slides * side_of(c) < 0) *k = (KnownContact){.is_closed = true, .slides = side_of(c)};
  if (c->presses) tell_sliding(run, i, side_of(c));
}

void run_tell_touches(Run *run) {
  for (int i = run->machine.contacts; i < run->touches.count && run->machine.joints; i++)
    tell_joint(run, i);
  for (int i = 0; i < run->touches.count && i < run->machine.contacts; i++) {
    const ContactStep *c = &run->stepper->contact_steps[i];
    bool was_closed = run->touches.known[i].is_closed;
    if (c->presses && (c->bounces || !was_closed))
      tell_closing(run, i, c);
    else if (c->presses)
      tell_sliding(run, i, side_of(c));
    else if (was_closed && c->is_apart)
      tell_parting(run, i);
  }
}

void run_begin_touches(Run *run) {
  Contacts *contacts = &run->contacts;
  if (run->touches.count == 0 || run->touches.has_begun) return;
  run->touches.has_begun = true;
  Mark mark = arena_mark(&run->cx->scratch);
  bool *closed = arena_array(&run->cx->scratch, bool, run->touches.count);
  for (int i = 0; i < run->machine.contacts; i++) {
    const ContactStep *c = &run->stepper->contact_steps[i];
    closed[i] = contacts->touching[i] && c->presses && !c->bounces && contacts->u[i] <= c->forced;
    run->touches.known[i] =
        (KnownContact){.is_closed = closed[i], .slides = closed[i] ? side_of(c) : 0};
  }
  run->summary->closed_at_start = contacts_names(contacts, closed);
  arena_release(&run->cx->scratch, mark);
}
