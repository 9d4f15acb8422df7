// Opening a story, its chapters in order, and the names of its parts.
#include "report/story.h"

#include "base/utf8.h"
#include "report/road_story.h"

static Document *doc(const Story *story) { return story->document; }

static const System *system_of(const Story *story) { return story->listing->system; }

enum { LARGEST_MATRIX = 150, MOST_PARTS = 60 }; // where a document does not show everything

// Every expression that the chapters show.
static ExprList shown(const Story *story, Context *cx) {
  uint32_t most_entries = story->document->most_entries;
  ExprList list = {0};
  // The energies are shown as steps.
  for (ListedKey key = LISTED_M; key < LISTED_COUNT; key++) {
    const Listed *e = &story->listing->at[key];
    uint32_t n = e->rows * e->columns;
    if (most_entries && n > LARGEST_MATRIX) n = LARGEST_MATRIX;
    for (uint32_t i = 0; e->is_wanted && i < n; i++) vec_push(&cx->scratch, &list, e->values[i]);
  }
  for (uint32_t i = 0; i < story->steps.list.n; i++)
    vec_push(&cx->scratch, &list, story->steps.list.at[i].value);
  for (uint32_t i = 0; i < story->listing->conserved_count; i++)
    vec_push(&cx->scratch, &list, story->listing->conserved[i].value);
  listing_add_road(story->listing, &list);
  story_action_values(story, &list);
  story_rub_values(story, &list);
  return list;
}

// A factor in front of a long sum goes to its terms, between which the line can break.
static void spread_wide_steps(Story *story) {
  Context *cx = story->document->cx;
  double widest = story->document->medium->widest;
  for (uint32_t i = 0; widest > 0 && i < story->steps.list.n; i++) {
    ShownStep *step = &story->steps.list.at[i];
    Mark mark = arena_mark(&cx->scratch);
    Text text = text_new(&cx->scratch);
    typeset(cx, step->value, &terminal_face, NULL, &text);
    double width = (double)utf8_width(text.at, text.n);
    arena_release(&cx->scratch, mark);
    if (width > 0.7 * widest) step->value = steps_spread(cx, step->value, 0);
  }
}

void story_open(Document *document, const Listing *listing, Detail detail, ExprList more,
                Story *out) {
  Context *cx = document->cx;
  *out = (Story){.document = document, .listing = listing, .detail = detail};
  steps_of(cx, listing->system, detail, listing->simplify, &out->steps);
  spread_wide_steps(out);
  if (!listing_accelerations(listing, &out->accelerations)) out->accelerations.n = 0;
  ExprList list = shown(out, cx);
  for (uint32_t i = 0; i < more.n; i++) vec_push(&cx->scratch, &list, more.at[i]);
  unsigned wish = PARTS_WITH_PRIMES | (document->most_entries ? PARTS_FOR_READERS : 0);
  parts_open_narrow(cx, list.at, list.n, wish, document->medium->widest, &out->parts);
  out->names = parts_names(&out->parts);
  document->names = &out->names;
  story_open_copies(out);
  story_open_rows(out);
}

void story_close(Story *story) {
  story->document->names = NULL;
  parts_close(&story->parts);
}

// Parts use earlier ones.
static void use_parts_of_parts(Story *s) {
  Text text = text_new(&doc(s)->cx->scratch);
  for (uint32_t i = s->parts.list.n; i-- > 0;) {
    if (!s->parts.used[i]) continue;
    typeset(doc(s)->cx, parts_body(&s->parts, i), doc(s)->medium->face, &s->names, &text);
    parts_body_end(&s->parts);
  }
}

void story_settle(Story *s, void (*tell)(Story *story, const void *argument),
                  const void *argument) {
  Document *kept = s->document, unread = *kept;
  Mark mark = arena_mark(&kept->cx->scratch);
  Text text = text_new(&kept->cx->scratch);
  unread.out = &text;
  s->document = &unread;
  tell(s, argument);
  use_parts_of_parts(s);
  s->document = kept;
  s->told = (ExprList){0};
  arena_release(&kept->cx->scratch, mark);
  parts_keep_used(&s->parts);
}

void story_line(const Story *s, Expr left, Expr right) {
  Formula f = formula_open(s->document);
  formula_expr(&f, left);
  formula_equals(&f);
  formula_expr(&f, right);
  document_display(s->document, &f, true);
}

void story_equations(Story *s) {
  if (listing_by_road(s->listing)) {
    road_story(s->listing->road.road)->chapter(s);
    return;
  }
  story_lagrange(s);
  story_matrices(s);
}

void story_chapters(Story *s) {
  story_system(s);
  if (system_of(s)->n == 0) return; // states alone: their rates are all there is
  story_energies(s);
  story_equations(s);
  story_constraints(s);
  story_contacts(s);
}

static void tell_chapters(Story *s, const void *unused) {
  (void)unused;
  story_chapters(s);
}

void story_tell(Story *s) {
  story_settle(s, tell_chapters, NULL);
  document_begin(doc(s), system_of(s)->model->title);
  story_chapters(s);
}

void story_result(Story *s) {
  const Listing *listing = s->listing;
  static const char *const names[LISTED_COUNT] = {[LISTED_CONTACT_PHI] = "phi",
                                                  [LISTED_CONTACT_PHI_Q] = "phi_q",
                                                  [LISTED_RESTITUTION] = "e",
                                                  [LISTED_OUTPUTS] = "y",
                                                  [LISTED_REST] = "f_0"};
  bool moves = listing->system->n > 0;
  if (listing_by_road(listing)) road_story(listing->road.road)->result(s);
  if (!listing->is_chosen && !listing_by_road(listing) && moves) story_matrix_equation(s);
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    const Listed *e = &listing->at[key];
    bool replaced = listing->is_linear && key >= LISTED_H && key <= LISTED_G;
    if (listing_by_road(listing) && !listed_beside_road(key)) continue;
    if (!e->is_wanted || (!listing->is_chosen && (replaced || listed_is_zero(doc(s)->cx, e))))
      continue;
    document_grid(doc(s), names[key] ? names[key] : e->name, e->values, e->rows, e->columns,
                  key == LISTED_M);
  }
  if (!listing->is_chosen) story_contact_forces(s, false);
}

bool story_was_told(const Story *s, Expr e) {
  for (uint32_t i = 0; i < s->told.n; i++)
    if (s->told.at[i] == e) return true;
  return false;
}

void story_parts(Story *s) {
  uint32_t shown_so_far = 0, unsaid = 0;
  for (uint32_t i = 0; i < s->parts.list.n; i++) {
    if (story_was_told(s, s->parts.list.at[i])) continue;
    // names of the model are explained by its text, ours nowhere else
    bool is_ours = op_of(doc(s)->cx, s->parts.list.at[i]) != OP_DEFINITION;
    if (!is_ours && doc(s)->most_entries && shown_so_far >= MOST_PARTS) {
      unsaid++;
      continue;
    }
    if (shown_so_far++ == 0) {
      document_heading(doc(s), 1, SAY_H_PARTS, NULL);
      document_paragraph(doc(s), SAY_PARTS, NULL);
    }
    Expr body = parts_body(&s->parts, i);
    document_equation(doc(s), s->parts.names[i], body);
    parts_body_end(&s->parts);
  }
  Insert inserts[] = {insert_count(doc(s), unsaid)};
  if (unsaid)
    document_paragraph(doc(s), unsaid == 1 ? SAY_PARTS_MORE_ONE : SAY_PARTS_MORE, inserts);
}
