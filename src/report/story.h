// The story of a derivation, told over any medium: what the system is, its energies, Lagrange's
// rule applied step by step, the matrices, constraints and contacts.
// Sources: story.c, story_actions.c, story_copied_rows.c, story_copies.c, story_cut.c,
// story_definitions.c, story_energy.c, story_friction.c, story_hamilton.c, story_lagrange.c,
// story_matrices.c, story_parameters.c, story_reactions.c, story_routh.c, story_rows.c,
// story_speeds.c, story_system.c, story_velocity.c
#ifndef QDOT_REPORT_STORY_H
#define QDOT_REPORT_STORY_H

#include "derive/steps.h"
#include "print/abbreviations.h"
#include "print/listing.h"
#include "report/document/document.h"

typedef struct Story {
  Document *document;
  const Listing *listing;
  ShownSteps steps;
  Detail detail;
  Parts parts; // names for what would be too wide
  PartNames names;
  const double *starts;             // q and q' where a run began, or NULL
  ExprList accelerations;           // and multipliers as formulas, where they are short
  ExprList told;                    // definitions that were shown with the system
  const struct StoryCopies *copies; // equations of a chain that are one, or NULL
  const struct StoryRows *rows;     // constraints of a chain, line by line, or NULL
} Story;

// Works out the steps and gives the document its names for parts. In the scratch arena; the caller
// closes the story before it releases the arena.
// more: what else will be shown under these names.
void story_open(Document *document, const Listing *listing, Detail detail, ExprList more,
                Story *out);
void story_close(Story *story);
// Tells once into the void, so that names are given only to parts that the chapters use: tell shows
// everything but the chapter of those parts.
void story_settle(Story *story, void (*tell)(Story *story, const void *argument),
                  const void *argument);

// All chapters in order, behind the title of the document.
void story_tell(Story *story);
void story_chapters(Story *story);
// The equations and matrices alone, without words.
void story_result(Story *story);
// The result before its derivation, where it is short.
void story_summary(Story *story);
// The chapters, each with its heading; those that do not apply are left out.
void story_system(Story *story);
// Inside of it: the rates of its states; what it gives names to; samples, resets and stops.
void story_rates(Story *story);
void story_definitions(Story *story);
void story_actions(Story *story);
// What those show, for all that looks through the formulas of a story.
void story_action_values(const Story *story, ExprList *out);
void story_energies(Story *story);
// Inside of it: velocities of the points whose squares are in the kinetic energy.
void story_velocities(Story *story);
// From the energies to the equations of motion, by the road that the model asks for.
void story_equations(Story *story);
void story_lagrange(Story *story);
// Before momentum balances: the bodies cut free, and virtual work.
void story_cut(Story *story);
// Inside of it: one equation with an index for all of a chain's coordinates; false where nothing is
// told, since they have no common form.
bool story_copies(Story *story);
// Finds out before anything is told.
void story_open_copies(Story *story);
// The same for its constraints: Phi, its derivatives by the coordinates, gamma.
typedef enum RowsShown { ROWS_PHI, ROWS_SLOPES, ROWS_GAMMA } RowsShown;
bool story_copied_rows(Story *story, RowsShown which);
void story_open_rows(Story *story);
// The left side of a step: dT/dq', d/dt dT/dq' - dT/dq ..., for a coordinate of this name.
void story_add_left_side(const Story *story, Formula *f, ShownKind kind, Expr q, Expr qd,
                         const char *name);
void story_matrices(Story *story);
// Inside of a road: the line left = right.
void story_line(const Story *story, Expr left, Expr right);
// Inside of both: what stays constant.
void story_conserved(Story *story);
// For both of them: one equation of motion; M q'' + ... = Q; what contacts add to its right side.
void story_equation(const Story *story, uint32_t coordinate);
void story_matrix_equation(const Story *story);
void story_contact_forces(const Story *story, bool in_words);
void story_constraints(Story *story);
// Inside of the last one of them: all of it solved, where that is short.
void story_accelerations(Story *story);
void story_contacts(Story *story);
// Inside of it: friction in joints; and what that shows, for all that looks through the formulas.
void story_rubs(const Story *story);
void story_rub_values(const Story *story, ExprList *out);
// What the names of parts stand for; after the last chapter that may use them.
void story_parts(Story *story);

// sign(v) of velocities v, in forces that hold where v is zero. In the scratch arena.
ExprList story_dry_friction(const Story *story);
// Comparisons of velocities, in forces that hold where both sides are equal.
ExprList story_cases(const Story *story);
// Inside of the chapters on contacts: what both do.
void story_friction(Story *story);
// For the chapters: what the model says of energies, forces, constraints, outputs and actions. In
// the scratch arena.
ExprList story_roots(const Story *story);
// Which parameters act on the motion, directly or through others. In the scratch arena.
bool *story_acting_parameters(const Story *story);
// How parameters follow from others; nothing where each is a number.
void story_computed_parameters(const Story *story, const bool *acting);
// For the chapters: was this definition shown with the system?
bool story_was_told(const Story *story, Expr definition);

// ---- For the chapters: what constraints and contacts add to the equations

// What the constraints of a system are stated for.
typedef enum RowsOf {
  ROWS_NONE = 0,
  ROWS_OF_POSITIONS = 1,
  ROWS_OF_VELOCITIES = 2,
  ROWS_OF_BOTH = 3
} RowsOf;

RowsOf story_rows_of(const System *system);

// sum over k of lambda_k dPhi_k/dq, for constraints of velocities dPhi_k/dq'; sign: between the two
// sums where there are both. Nothing without constraints.
void story_add_multipliers(const Story *story, Formula *f, Expr q, Expr qd, const char *sign);
// sum over j of lambda_j dphi_j/dq for the contacts.
void story_add_contacts(Formula *f, Expr q);

// Inside a paragraph: what these sums mean.
void story_say_reactions(const Story *story);
// Which forces of an equation are those of contacts; nothing without contacts.
void story_tell_contact_forces(const Story *story);

#endif
