// What every export contains: the quantities of a system as programs, its names and numbers.
// Sources: body.c, content.c, content_events.c, content_plan.c
#ifndef QDOT_EXPORT_CONTENT_H
#define QDOT_EXPORT_CONTENT_H

#include "code/identifier.h"
#include "derive/quantities.h"
#include "engine/plan_file.h"
#include "export/files.h"
#include "sim/equation_maker.h"

typedef struct ExportQuantity {
  const char *name;       // "M"
  const char *meaning;    // "mass matrix"
  uint32_t rows, columns; // columns: 0 for a vector
  unsigned takes;         // arguments beside t, q and p, see derive/quantities.h
  const Program *program; // one output an entry, by rows
} ExportQuantity;

typedef struct ExportContent {
  Context *cx;
  Arena *arena;
  const System *system;
  Equations *equations;
  const char *name;   // identifier of the whole: "double_pendulum"
  const char *title;  // of the model, fit for a comment
  const char *quoted; // the same fit for a string in single quotes whose quotes are doubled
  const char *source; // the model's file, fit for a comment, or NULL
  VEC(ExportQuantity) quantities;
  const Program *forward;   // q'', lambda, powers, loss; NULL where only pivoting helps
  bool can_lose;            // the loss varies: a fallback is needed
  uint32_t loss;            // its place among the outputs of forward
  const char **parameters;  // identifiers, per dialect
  const char **inputs;      // of the model: identifiers
  const Program *defaults;  // parameters from parameters: one output each
  const double *q, *qd, *u; // where the motion starts
  const double *states;     // and the states of the model, which stand behind the inputs
  uint32_t *sample_target;  // of every assignment of samples: the number of its input
  int *reset_target;  // of every assignment of events: its place in the state (q, q', states),
                      // or -1 minus the number of its input
  const double *unit; // the size of each coordinate's kind
  const double *size; // of each coordinate
  const int *kind;    // which of them are of one kind
  double end, every, rtol, atol;
  double nothing; // a gap of less is none
  PlanBytes plan; // in C, whose program runs it
} ExportContent;

// Fails, with a diagnostic, where no consistent initial state exists; else the equations must be
// closed by content_close.
Status content_open(ExportContent *content, Context *cx, System *system,
                    const ExportOptions *options, Dialect dialect, Arena *arena);
void content_close(ExportContent *content);

// Fails, with a diagnostic, where the model's simulate line makes no sense. run: NULL for this
// line.
Status content_make_plan(ExportContent *content, const SimOptions *run);

// The functions of its events join the quantities; fails where a target is not a coordinate of the
// formulation.
Status content_collect_events(ExportContent *content);

// A text of the user as part of a comment of any language: on one line, without what ends or
// escapes.
const char *comment_from_text(Arena *arena, const char *text);

// The names inside of one function: identifiers that are taken, and what stands for each input of a
// program: "theta_1", "p.L_2", "t".
typedef struct FunctionBody {
  Identifiers scope;
  const char **inputs;
} FunctionBody;
// taken: words that mean something else in there, ended by NULL; takes: its arguments.
FunctionBody content_body(const ExportContent *content, Dialect dialect, const char *const *taken,
                          unsigned takes);

// Writes the statements of a program: locals that unpack the arrays it reads, then its steps.
// outputs[i] is what output i is assigned to, or NULL.
void content_write_program(const ExportContent *content, Dialect dialect, const Program *program,
                           const char *indent, FunctionBody *body, const char *const *outputs,
                           Text *out);
// The steps of a program alone.
void content_emit(const ExportContent *content, Dialect dialect, const Program *program,
                  const char *indent, FunctionBody *body, const char *const *outputs, Text *out);
// Writes the defaults of the parameters in the order in which they use each other; targets[i] is
// what parameter i is assigned to, and how later ones refer to it.
void content_write_defaults(const ExportContent *content, Dialect dialect, const char *indent,
                            const char *const *targets, Text *out);
// The same of parameter i alone, inside of a function with these names.
void content_write_default(const ExportContent *content, Dialect dialect, const char *indent,
                           const char *const *targets, uint32_t i, Identifiers *scope, Text *out);
// Does it sample? Its functions then are samples, all next values of all lines, and sample_times,
// the period and the delay of each.
bool content_samples(const ExportContent *content);
// Has it events of its own? Its functions then are events, all functions and whether their
// conditions hold, and resets, all values that are assigned.
bool content_has_events(const ExportContent *content);
// Does the function of an event change while nothing happens? Does its reset move something?
bool content_event_moves(const ExportContent *content, uint32_t event);
bool content_event_is_moving(const ExportContent *content, uint32_t event);
// A program of the content's inputs with one output for each expression.
const Program *content_program(const ExportContent *content, const Expr *exprs, size_t n);
// Does it read any of inputs first .. first + n - 1 for these outputs?
bool content_reads(const ExportContent *content, const Program *program, const char *const *outputs,
                   uint32_t first, uint32_t n);
// An entry of an array in a language: "M[0][1]", "M(1, 2)", "M[0, 1]"; column < 0 for a vector.
const char *entry_text(Arena *arena, Dialect dialect, const char *array, uint32_t row, int column);

// Every column of results.csv, as the contract has them; `escape` is put before `escaped`.
const char *content_csv_header(const ExportContent *content, char escaped, const char *escape);
// An SI unit: as the model writes it, else "kg m²/s²", or "" when it is pure or not known.
const char *measure_text(const ExportContent *content, const Measure *measure);
// "g [m/s^2]: gravity", with what is known of it.
const char *parameter_text(const ExportContent *content, uint32_t parameter);

#endif
