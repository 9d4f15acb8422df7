// The chapter on Routh's reduction.
#include "derive/roads/routh.h"
#include "expr/build.h"
#include "report/road_story.h"
#include "report/story.h"

static Document *doc(const Story *story) { return story->document; }
static const System *system_of(const Story *story) { return story->listing->system; }
static const Routh *routh_of(const Story *story) { return story->listing->road.result; }

static void show_momenta(const Story *s) {
  const Routh *r = routh_of(s);
  for (uint32_t k = 0; k < r->cyclic; k++) story_line(s, r->p[k], r->momentum[k]);
}

static void show_velocities(const Story *s) {
  const Routh *r = routh_of(s);
  for (uint32_t k = 0; k < r->cyclic; k++)
    story_line(s, system_of(s)->qd[r->cyclic_at[k]], r->velocity[k]);
}

static void show_equations(const Story *s) {
  const Routh *r = routh_of(s);
  for (uint32_t k = 0; k < r->rest; k++)
    story_line(s, routh_left(doc(s)->cx, system_of(s), r, k), r->right[k]);
  for (uint32_t i = 0; i < r->states; i++) story_line(s, system_of(s)->sd[i], r->state_rate[i]);
}

static void show_function(const Story *s, const char *name, Expr value) {
  document_equation(doc(s), own_name(doc(s)->cx, name, false), value);
}

static Insert insert_cyclic(const Story *s) {
  const Routh *r = routh_of(s);
  Text names = text_new(&doc(s)->cx->scratch);
  for (uint32_t k = 0; k < r->cyclic; k++)
    text_addf(&names, "%s%s", k ? ", " : "",
              symbol_text(doc(s)->cx, system_of(s)->model->coordinates.at[r->cyclic_at[k]].name));
  return insert_text(names.at);
}

static void tell_chapter(Story *s) {
  const Routh *r = routh_of(s);
  document_heading(doc(s), 1, SAY_H_ROUTH, NULL);
  Insert inserts[] = {insert_cyclic(s)};
  document_paragraph(doc(s), SAY_ROUTH_CYCLIC, inserts);
  show_momenta(s);
  document_paragraph(doc(s), SAY_ROUTH_SOLVED, NULL);
  show_velocities(s);
  document_paragraph(doc(s), SAY_ROUTH_FUNCTION, NULL);
  show_function(s, "R", r->function);
  if (r->rest) {
    document_paragraph(doc(s), SAY_ROUTH_EQUATIONS, NULL);
    show_equations(s);
  }
  document_paragraph(doc(s), SAY_ROUTH_EFFECTIVE, NULL);
  show_function(s, "V_eff", r->effective);
  if (r->rest) document_paragraph(doc(s), SAY_ROUTH_STATIONARY, NULL);
  story_conserved(s);
}

static void show_result(Story *s) {
  const Routh *r = routh_of(s);
  show_momenta(s);
  show_velocities(s);
  show_function(s, "R", r->function);
  show_function(s, "V_eff", r->effective);
  show_equations(s);
}

const RoadStory routh_story = {tell_chapter, show_result, show_equations};
