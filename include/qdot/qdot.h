// Qdot: equations of motion from a textbook's statement of a mechanical system.
//
// context -> model -> system -> evaluator, linearization
//                  -> run -> result, or a simulation in a loop of your own
// Ownership: a context owns everything made from it, including strings and arrays that functions
// return; qdot_context_close frees all of it. Arguments remain the caller's and are read only
// during the call. Units: SI, angles in radians. Errors: functions that can fail return a
// qdot_status and set *out to NULL; the context's diagnostics explain what went wrong
// (qdot_diagnostics_write). After memory, nodes or time have run out, or a call was cancelled, the
// context can only be closed. Threads: one context per thread at a time; different contexts are
// independent. See qdot_evaluator for what may be shared. The library has no global state, never
// prints, never exits.
#ifndef QDOT_QDOT_H
#define QDOT_QDOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "qdot/limits.h"
#include "qdot/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define QDOT_API __attribute__((visibility("default")))
#else
#define QDOT_API
#endif

#define QDOT_VERSION "0.1.0"
#define QDOT_VERSION_MAJOR 0
#define QDOT_VERSION_MINOR 1
#define QDOT_VERSION_PATCH 0

typedef struct qdot_context qdot_context;
typedef struct qdot_model qdot_model;   // what a text says
typedef struct qdot_system qdot_system; // its equations of motion

// ---- Status and version

// A sentence that describes the status; never NULL.
QDOT_API const char *qdot_status_text(qdot_status status);
QDOT_API const char *qdot_version(void);
// The candidate closest to a misspelt word, or NULL.
QDOT_API const char *qdot_nearest_word(const char *word, const char *const *candidates,
                                       size_t count);

// Words that a caller may choose from, as the library knows them.
typedef enum qdot_vocabulary {
  QDOT_METHODS,          // of integration
  QDOT_REPORT_LANGUAGES, // of reports and pictures: "en" and others
  QDOT_EXPORT_LANGUAGES  // of exports, in the order of qdot_language
} qdot_vocabulary;
// Word number i, counted from 0; NULL after the last.
QDOT_API const char *qdot_word_at(qdot_vocabulary vocabulary, size_t i);

// ---- Text output

// Where a printer writes; write returns 0 if it accepted all bytes. A printer stops at the first
// failure and returns QDOT_IO.
typedef struct qdot_sink {
  int (*write)(void *user, const char *bytes, size_t n);
  void *user;
} qdot_sink;

// A sink that writes to an open stream.
QDOT_API qdot_sink qdot_sink_stream(FILE *stream);

// ---- Context

// 4 GiB, 50 million nodes, no time limit, 500 levels, a million statements.
QDOT_API qdot_limits qdot_limits_defaults(void);

// NULL if there is not enough memory. limits may be NULL for the defaults.
QDOT_API qdot_context *qdot_context_open(const qdot_limits *limits);
// Frees everything made from the context. NULL is allowed.
QDOT_API void qdot_context_close(qdot_context *cx);
// Ends the current call on the context with QDOT_CANCELLED; may be called from a signal handler or
// another thread. The context can then only be closed.
QDOT_API void qdot_context_cancel(qdot_context *cx);
// Passes every message up to this level to write during calls on the context, one line at a time,
// without a newline; NULL for none.
QDOT_API void qdot_context_log(qdot_context *cx, qdot_log_level level,
                               void (*write)(void *user, qdot_log_level level, const char *line),
                               void *user);

// ---- Diagnostics: what is wrong with a model, for the person who wrote it

// The number so far on this context, including those beyond the hundred that are shown.
QDOT_API uint32_t qdot_error_count(const qdot_context *cx);
QDOT_API uint32_t qdot_warning_count(const qdot_context *cx);
// All of them in order, each with its line and a caret, and a last line that counts them. Also
// works after a call that ran out of memory, nodes or time, which it explains.
QDOT_API qdot_status qdot_diagnostics_write(const qdot_context *cx, int colour, qdot_sink sink);

typedef enum qdot_severity { QDOT_SEVERITY_ERROR = 0, QDOT_SEVERITY_WARNING = 1 } qdot_severity;

// One of them as data; its texts live until they are cleared or the context is closed.
typedef struct qdot_diagnostic {
  qdot_severity severity;
  qdot_status status;     // of an error
  const char *file;       // as it was given; NULL where it belongs to no place
  size_t begin, end;      // the bytes of the file's text that it is about
  uint32_t line, column;  // of the first of them, from 1; the column counts characters
  const char *text;       // what is wrong
  const char *label;      // what stands beside the caret, or NULL
  const char *note;       // what may be done about it, or NULL
  const char *suggestion; // what to write in the place of these bytes, or NULL
} qdot_diagnostic;
// How many there are to be read, and each of them in the order of the text; those without a place
// come last.
QDOT_API size_t qdot_diagnostic_count(const qdot_context *cx);
QDOT_API qdot_diagnostic qdot_diagnostic_at(const qdot_context *cx, size_t i);
// Forgets all of them, so that the next call on the context begins with none.
QDOT_API void qdot_diagnostics_clear(qdot_context *cx);

// ---- A text in an editor

// A text as it is being written: what stands at a byte, where it is defined and used, and what
// could be written there. A text with mistakes is read as far as it goes.
typedef struct qdot_text qdot_text;
// Its mistakes are diagnostics of the context, not a failure.
QDOT_API qdot_status qdot_text_open(qdot_context *cx, const char *name, const char *text,
                                    size_t length, qdot_text **out);

typedef struct qdot_span {
  size_t begin, end; // bytes
} qdot_span;

typedef struct qdot_name {
  const char *text;                  // rod.omega; NULL where no name stands
  size_t begin, end;                 // of the name
  const char *kind;                  // "parameter", "body" ...; NULL where it is not defined
  size_t defined_begin, defined_end; // where it is
  const char *unit;                  // written or inferred; NULL where it has none
  double value;                      // of a parameter, input or count; else NAN
} qdot_name;
QDOT_API qdot_name qdot_text_name_at(qdot_text *text, size_t offset);
// How often the name at a byte is used, its definition included, and where; to rename it, replace
// all of them.
QDOT_API size_t qdot_text_uses(qdot_text *text, size_t offset);
QDOT_API qdot_span qdot_text_use(const qdot_text *text, size_t i);

typedef struct qdot_completion {
  const char *text;   // to stand from *begin of qdot_text_complete on
  const char *kind;   // "statement", "name", "member", "function", "unit" or "word"
  const char *detail; // how it is used, or what it is
} qdot_completion;
// How many continuations there are of what stands before a byte, and each of them.
QDOT_API size_t qdot_text_complete(qdot_text *text, size_t offset, size_t *begin);
QDOT_API qdot_completion qdot_text_completion(const qdot_text *text, size_t i);

// ---- Model

typedef struct qdot_model_options {
  const char *const *settings; // "NAME=VALUE": other values for parameters, counts, inputs
  size_t setting_count;
  const char *formulation; // of a model of bodies: "lagrange", "newton-euler", "maximal" or
                           // "natural"; NULL for what the model says, else lagrange
  int all_columns; // all that belongs to bodies, joints, springs and contacts (rail.s, s.F) becomes
                   // columns of results, not only what output and plot lines ask for
} qdot_model_options;

QDOT_API qdot_model_options qdot_model_defaults(void);
// Reads a model from a file, or from a text; messages refer to the text by name. If there is a
// mistake, *out is NULL and the diagnostics explain it; there may be warnings in any case. options
// may be NULL.
QDOT_API qdot_status qdot_model_load(qdot_context *cx, const char *path,
                                     const qdot_model_options *options, qdot_model **out);
QDOT_API qdot_status qdot_model_parse(qdot_context *cx, const char *name, const char *text,
                                      size_t length, const qdot_model_options *options,
                                      qdot_model **out);
// "" if the model has none.
QDOT_API const char *qdot_model_title(const qdot_model *model);
// What was read: coordinates and parameters with values in SI units, and what was inferred.
QDOT_API qdot_status qdot_model_write(const qdot_model *model, int unicode, qdot_sink sink);
// Counts, and what is found about its mechanism: mobility, gaps, joints that are too many.
QDOT_API qdot_status qdot_model_write_json(const qdot_model *model, qdot_sink sink);

// ---- System

// Derives the equations of motion M q'' + h + D + G = Q - Phi_q^T lambda, Phi_q q'' = gamma.
QDOT_API qdot_status qdot_system_derive(qdot_model *model, qdot_system **out);
// How long that took.
QDOT_API double qdot_system_seconds(const qdot_system *system);

typedef enum qdot_format { QDOT_TEXT, QDOT_JSON, QDOT_LATEX } qdot_format;
typedef enum qdot_simplify {
  QDOT_SIMPLIFY_NORMAL,
  QDOT_SIMPLIFY_NONE,
  QDOT_SIMPLIFY_FULL
} qdot_simplify;

typedef enum qdot_detail {
  QDOT_DETAIL_TEXTBOOK, // the first coordinate in full, of the others the terms
  QDOT_DETAIL_RESULT,   // energies and equations only
  QDOT_DETAIL_EVERY     // every rule with the term that it acts on
} qdot_detail;

typedef struct qdot_system_options {
  qdot_format format;
  qdot_simplify simplify;
  const char *only; // "M,Phi_q": these alone; NULL for all
  int unicode;      // text in Greek and raised digits; 0 for the language's own syntax
  size_t width;     // columns of a line of text
  int steps;        // tells the derivation step by step, as text or LaTeX
  qdot_detail detail;
  const char *language; // of the steps: "en", "de", "es" or "pt"
  const char *notation; // a file with lines NAME=LATEX, or NULL
} qdot_system_options;

QDOT_API qdot_system_options qdot_system_defaults(void);
QDOT_API qdot_status qdot_system_write(qdot_system *system, const qdot_system_options *options,
                                       qdot_sink sink);

// The derivation against other routes at random states: M against the Hessian of T, the power
// balance. Errors are relative.
typedef struct qdot_selfcheck {
  int states; // that were tried
  double mass_error, power_error;
  int is_good;
} qdot_selfcheck;
QDOT_API qdot_status qdot_system_check(qdot_system *system, qdot_selfcheck *out);
// Checks whether the model's simulate and linearize lines can be carried out, up to the first step:
// methods and their options, the initial state, the points. Explains problems as the run or the
// linearization would.
QDOT_API qdot_status qdot_system_check_requests(qdot_system *system);
// The same as JSON: what qdot_model_write_json writes, with what was found under "requests". It is
// written whole before a failure is returned.
QDOT_API qdot_status qdot_system_write_check(qdot_system *system, qdot_sink sink);

// ---- Equations as numbers

// What a system consists of.
typedef enum qdot_kind {
  QDOT_COORDINATES,
  QDOT_CONSTRAINTS, // as many multipliers lambda
  QDOT_CONTACTS,
  QDOT_PARAMETERS,
  QDOT_INPUTS,
  QDOT_OUTPUTS
} qdot_kind;
QDOT_API size_t qdot_system_count(const qdot_system *system, qdot_kind kind);
// In the order and spelling of the model; NULL after the last. Lives as long as the context.
QDOT_API const char *qdot_system_name(const qdot_system *system, qdot_kind kind, size_t i);

// Evaluates the equations of motion at any state. It has its own values for parameters and inputs,
// initially those of the model. All contacts are open.
//
// Below, n, m, c, u, p, y count coordinates, constraints, contacts, inputs, parameters, outputs; q
// and qd are n positions and velocities in SI units and radians; matrices are stored by rows.
// Results are written into arrays of the caller; NULL skips one. A state where the equations have
// no solution gives QDOT_SINGULAR_MASS, QDOT_SINGULAR or QDOT_UNDEFINED; a quantity that was not
// requested when opening gives QDOT_BAD_ARGUMENT. Neither adds a diagnostic. Threads: opening,
// qdot_evaluator_initial and closing are calls on the context. All other functions touch only the
// evaluator: several evaluators, also of one context, may run at the same time in separate threads
// while nothing else uses that context.
typedef struct qdot_evaluator qdot_evaluator;

// What an evaluator is for; accelerations are always there.
enum {
  QDOT_EVALUATE_TERMS = 1,            // M, h, D, G, Q, Phi_q, gamma
  QDOT_EVALUATE_CONSTRAINTS = 2,      // Phi and its time derivative
  QDOT_EVALUATE_CONTACTS = 4,         // phi and its time derivative
  QDOT_EVALUATE_OUTPUTS = 8,          // outputs and energies
  QDOT_EVALUATE_STATE_SLOPES = 16,    // exact derivatives of accelerations and multipliers
  QDOT_EVALUATE_INPUT_SLOPES = 32,    // ...
  QDOT_EVALUATE_PARAMETER_SLOPES = 64 // ...
};

// Compiles what the set of QDOT_EVALUATE_... asks for. *out is NULL on failure.
QDOT_API qdot_status qdot_evaluator_open(qdot_system *system, unsigned what, qdot_evaluator **out);
// Releases its memory before the context is closed; in any order. NULL is allowed.
QDOT_API void qdot_evaluator_close(qdot_evaluator *evaluator);
// Sets a parameter or input, in SI units. Parameters that the model computes from it are updated,
// unless they were set themselves. QDOT_UNKNOWN_NAME if there is no such name. Numbers of a
// mechanism's parts (rod.mass) are constants until the first of them is set, which compiles the
// equations anew and therefore must not happen while other evaluators of the context work.
QDOT_API qdot_status qdot_evaluator_set(qdot_evaluator *evaluator, const char *name, double value);
QDOT_API qdot_status qdot_evaluator_get(const qdot_evaluator *evaluator, const char *name,
                                        double *value);
// The model's initial state for the current values: guesses are adjusted until all constraints
// hold. Fails with diagnostics, as a run does.
QDOT_API qdot_status qdot_evaluator_initial(qdot_evaluator *evaluator, double *q, double *qd);
// Moves a state that is almost on the constraints onto them, by the least mass-weighted change.
QDOT_API qdot_status qdot_evaluator_project(qdot_evaluator *evaluator, double t, double *q,
                                            double *qd);
// q'' (n) and lambda (m) with M q'' + h + D + G = Q - Phi_q^T lambda, Phi_q q'' = gamma.
QDOT_API qdot_status qdot_evaluator_accelerations(qdot_evaluator *evaluator, double t,
                                                  const double *q, const double *qd, double *qdd,
                                                  double *lambda);

// Where to write the terms of the equations; NULL for those not needed.
typedef struct qdot_terms {
  double *M;             // n x n
  double *h, *D, *G, *Q; // n each
  double *Phi_q;         // m x n
  double *gamma;         // m
} qdot_terms;
QDOT_API qdot_status qdot_evaluator_terms(qdot_evaluator *evaluator, double t, const double *q,
                                          const double *qd, const qdot_terms *out);
// Phi (m) and Phi_q q' + Phi_t (m), which for a nonholonomic constraint are the same.
QDOT_API qdot_status qdot_evaluator_constraints(qdot_evaluator *evaluator, double t,
                                                const double *q, const double *qd, double *Phi,
                                                double *Phi_dot);
// phi (c) and its time derivative (c); a contact touches where phi = 0 and is free below.
QDOT_API qdot_status qdot_evaluator_contacts(qdot_evaluator *evaluator, double t, const double *q,
                                             const double *qd, double *phi, double *phi_dot);
// Outputs (y) and energies: kinetic, potential, total (3).
QDOT_API qdot_status qdot_evaluator_outputs(qdot_evaluator *evaluator, double t, const double *q,
                                            const double *qd, double *outputs, double *energies);
// Exact derivatives of (q'', lambda), n + m rows, by (q, q'), by the inputs, by the parameters:
// columns 2 n, u, p. The derivative by a parameter includes those that the model computes from it.
QDOT_API qdot_status qdot_evaluator_slopes(qdot_evaluator *evaluator, double t, const double *q,
                                           const double *qd, double *by_state, double *by_inputs,
                                           double *by_parameters);

// ---- Simulation

typedef struct qdot_run_options {
  const char *folder; // for results.csv, motion.bin, summary.json and model.qdot; NULL: none
  size_t memory;      // bytes of the result that may stay in memory, for pictures without reading
  const char *method; // NULL: what the model says
  double t_end, every, rtol, atol, step; // 0: what the model says
  int event_rows;                        // rows at events too
  int checkpoint;                        // keep the state in the folder, to be resumed from
  int resume;                            // go on from there
  int verify;                            // compare with a run at a tenth of the tolerance
  int mat;                               // results.mat beside results.csv, for MATLAB and Octave
  const volatile int *stop;              // set from outside to end the run between two steps
  void (*progress)(void *user, double t, double t_end, long steps);
  void *progress_user;
  // Gets every row as well; anything but 0 ends the run with QDOT_IO.
  int (*row)(void *user, const double *values, size_t n);
  void *row_user;
} qdot_run_options;

QDOT_API qdot_run_options qdot_run_defaults(void);
// The result of a run, in memory or in a folder; closed with its context, or earlier.
typedef struct qdot_result qdot_result;

// Derives and simulates. A run that was stopped or that failed keeps what it has computed and still
// returns QDOT_OK: see qdot_result_stopped; a warning says why. options may be NULL.
QDOT_API qdot_status qdot_model_simulate(qdot_model *model, const qdot_run_options *options,
                                         qdot_result **out);
QDOT_API void qdot_result_close(qdot_result *result);
// NULL if the run reached its end, else "user", "limit" or "blow-up".
QDOT_API const char *qdot_result_stopped(const qdot_result *result);
// The names of the columns: t, q, q', q'', lambda_NAME, outputs, E_kin, E_pot, E_tot.
QDOT_API size_t qdot_result_columns(const qdot_result *result);
QDOT_API const char *qdot_result_column(const qdot_result *result,
                                        size_t i); // NULL beyond the last
// All values of column i in the order of the rows, *count of them, until the result is closed; NULL
// beyond the last column, and where the result has neither a folder nor was given memory for them.
QDOT_API const double *qdot_result_values(qdot_result *result, size_t i, size_t *count);
// How far column i went during the whole motion, between the rows, too, and when; NAN where it
// never had a value or the motion was not kept.
typedef struct qdot_extremes {
  double least, t_least, most, t_most;
} qdot_extremes;
QDOT_API qdot_extremes qdot_result_extremes(const qdot_result *result, size_t i);
// The measures of the model, numbers of the whole run, in its order: how many, and each with its
// name and its SI unit ("" for a pure number). The value is NAN where it has none, as the moment of
// what never happened; name and unit are NULL beyond the last.
typedef struct qdot_measure {
  const char *name, *unit;
  double value;
} qdot_measure;
QDOT_API size_t qdot_result_measures(const qdot_result *result);
QDOT_API qdot_measure qdot_result_measure(const qdot_result *result, size_t i);
// How far the result can be trusted: as text, or as the JSON of the contract.
QDOT_API qdot_status qdot_result_write(qdot_result *result, qdot_format format, int unicode,
                                       qdot_sink sink);

// ---- Simulation in your own loop

// A run that is advanced from time to time: between two calls its values can be read and its inputs
// and parameters changed. A call on the context, as all else that takes one; several simulations of
// one context may be open at once.
typedef struct qdot_simulation qdot_simulation;

// Derives the model and stands at t = 0. Of the options method, rtol, atol, step and stop count;
// they may be NULL. *out is NULL on failure, which the diagnostics explain.
QDOT_API qdot_status qdot_simulation_open(qdot_model *model, const qdot_run_options *options,
                                          qdot_simulation **out);
// Gives its memory back before the context does. NULL is allowed.
QDOT_API void qdot_simulation_close(qdot_simulation *simulation);
// Advances exactly to t, through impacts, contacts and releases on the way; an earlier time has no
// effect. QDOT_STOPPED if *options->stop was set; if the motion cannot be continued, another status
// with diagnostics. In both cases qdot_simulation_time says how far it got.
QDOT_API qdot_status qdot_simulation_advance(qdot_simulation *simulation, double t);
QDOT_API double qdot_simulation_time(const qdot_simulation *simulation);
// Sets an input or a parameter from the present time on, as qdot_evaluator_set does; if that
// changes constraints, the state is projected onto them.
QDOT_API qdot_status qdot_simulation_set(qdot_simulation *simulation, const char *name,
                                         double value);
// Back to t = 0 and the model's initial state, with the values that were set.
QDOT_API qdot_status qdot_simulation_restart(qdot_simulation *simulation);
// To any state; q and qd have a finite value for each coordinate.
QDOT_API qdot_status qdot_simulation_set_state(qdot_simulation *simulation, double t,
                                               const double *q, const double *qd);

// The columns that a run writes: t, q, q', q'', lambda_NAME, outputs, E_kin, E_pot, E_tot.
QDOT_API size_t qdot_simulation_columns(const qdot_simulation *simulation);
QDOT_API const char *qdot_simulation_column(const qdot_simulation *simulation, size_t i);
// The index of the column with this name, or (size_t)-1.
QDOT_API size_t qdot_simulation_find(const qdot_simulation *simulation, const char *name);
// Their values at the present state, valid until the next call on the simulation; NULL where the
// equations have no solution.
QDOT_API const double *qdot_simulation_values(qdot_simulation *simulation);

typedef struct qdot_event {
  double t;
  const char *name;     // of the contact; of a jump, the constraint; else the coordinate
  const char *kind;     // "impact", "contact", "release", "jump", "stick" or "slip"
  double before, after; // of an impact: d(phi)/dt, positive where it approaches
} qdot_event;
// Since the start, in order.
QDOT_API size_t qdot_simulation_events(const qdot_simulation *simulation);
QDOT_API qdot_event qdot_simulation_event(const qdot_simulation *simulation, size_t i);

// The same of a result.
QDOT_API size_t qdot_result_events(const qdot_result *result);
QDOT_API qdot_event qdot_result_event(const qdot_result *result, size_t i);

// ---- Stored results and their pictures

// Is there a result of this model in the folder? Plot and draw lines, blank lines and comments may
// have changed since; everything else, including settings, must be unchanged.
QDOT_API int qdot_result_exists(qdot_model *model, const char *folder);
// Opens it without solving anything again. model: whose plot and draw lines count, of the same
// context; NULL for the stored one.
QDOT_API qdot_status qdot_result_open(qdot_context *cx, const char *folder, qdot_model *model,
                                      qdot_result **out);

enum {
  QDOT_SVG = 1,
  QDOT_PNG = 2,
  QDOT_PDF = 4,
  QDOT_GIF = 8,
  QDOT_MP4 = 16,
  QDOT_HTML = 32,
  QDOT_TEX = 64
};

typedef struct qdot_plot_options {
  unsigned formats;     // QDOT_SVG | QDOT_PNG | QDOT_PDF; 0: SVG
  int everything;       // every kind of plot, beside the model's plot lines
  const char *language; // "en", "de", "es" or "pt"; NULL: English
  const char *gnuplot;  // the program; NULL: gnuplot, found by PATH
} qdot_plot_options;

QDOT_API qdot_plot_options qdot_plot_defaults(void);
// Writes the plots to the result's folder: NAME.svg or other formats, with the script NAME.gp and
// the data NAME.dat. Without gnuplot only these two are written, the status is QDOT_NO_PROGRAM and
// a warning explains. options may be NULL.
QDOT_API qdot_status qdot_result_plot(qdot_result *result, const qdot_plot_options *options);

typedef struct qdot_animate_options {
  unsigned formats;     // QDOT_GIF | QDOT_MP4 for animation.gif, animation.mp4;
                        // QDOT_SVG | QDOT_PNG | QDOT_PDF for a still picture, mechanism.svg ...;
                        // 0: GIF
  double speed;         // 1 is real time; 0: real time unless that is too short or too long
  unsigned width;       // pixels; 0: 560
  const char *language; // for the decimal sign; NULL: English
  const char *ffmpeg;   // the program; NULL: ffmpeg, found by PATH
} qdot_animate_options;

QDOT_API qdot_animate_options qdot_animate_defaults(void);
// Draws the mechanism in motion, from the model's draw lines or guessed from its definitions. An
// MP4 needs ffmpeg; without it the status is QDOT_NO_PROGRAM and a warning explains.
QDOT_API qdot_status qdot_result_animate(qdot_result *result, const qdot_animate_options *options);

// The stages of a whole job, for showing progress.
typedef enum qdot_stage {
  QDOT_STAGE_SIMULATE,
  QDOT_STAGE_PLOT,
  QDOT_STAGE_ANIMATE,
  QDOT_STAGE_REPORT,
  QDOT_STAGE_TYPESET
} qdot_stage;
// A word for it, such as "compute", in a language (NULL: English); NULL where there is none.
QDOT_API const char *qdot_stage_text(qdot_stage stage, const char *language);

typedef struct qdot_report_options {
  unsigned formats;     // QDOT_HTML | QDOT_TEX | QDOT_PDF; 0: all, the PDF where LaTeX is installed
  const char *language; // "en", "de", "es" or "pt"; NULL: English
  qdot_detail detail;   // of the derivation
  const char *notation; // a file with lines NAME=LATEX, or NULL
  int everything;       // every kind of plot, beside the model's plot lines
  double speed;         // of the animation; 0: real time unless that is too short or too long
  const char *gnuplot;  // the programs; NULL: gnuplot and pdflatex, found by PATH
  const char *pdflatex;
  double pdflatex_seconds;                     // that it may take; 0: 120
  void (*stage)(void *user, qdot_stage stage); // called as each begins; may be NULL
  void *stage_user;
} qdot_report_options;

QDOT_API qdot_report_options qdot_report_defaults(void);
// Writes the report to the result's folder: report.html, a self-contained page, report.tex with its
// pictures as separate files, and report.pdf. Pictures that are missing are drawn first. What
// cannot be made because a program is missing is left out, with a warning; only if a PDF was
// requested explicitly does the call fail, with QDOT_NO_PROGRAM. options may be NULL.
QDOT_API qdot_status qdot_result_report(qdot_result *result, const qdot_report_options *options);

// The files that were written, in order; NULL beyond the last.
QDOT_API const char *qdot_result_file(const qdot_result *result, size_t i);
QDOT_API const char *qdot_result_file_description(const qdot_result *result, size_t i);

// ---- Equilibria, linearization, vibration

typedef struct qdot_linear qdot_linear; // a system linearized about a point

// How a printer writes.
typedef struct qdot_style {
  qdot_format format;
  int unicode;  // text in Greek and raised digits; 0 for the language's own syntax
  size_t width; // columns of a line of text
} qdot_style;
QDOT_API qdot_style qdot_style_defaults(void);

// All equilibria (or steady motions, where the model's linearize line asks for one) that are found
// from the initial state and `starts` others, each with its stability.
QDOT_API qdot_status qdot_equilibria_write(qdot_system *system, uint32_t starts,
                                           const qdot_style *style, qdot_sink sink);

// Linearizes exactly about the point of the model's first linearize line, or the equilibrium
// nearest to the initial state.
QDOT_API qdot_status qdot_system_linearize(qdot_system *system, qdot_linear **out);
// The same for linearize line i, counted from 0; only line 0 may be missing.
QDOT_API qdot_status qdot_system_linearize_at(qdot_system *system, size_t i, qdot_linear **out);
// How many linearize lines the model has.
QDOT_API size_t qdot_system_points(const qdot_system *system);
QDOT_API qdot_status qdot_linear_write(qdot_linear *linear, const qdot_style *style,
                                       qdot_sink sink);
// Eigenvalues, frequencies, damping, mode shapes, stability.
QDOT_API qdot_status qdot_modes_write(qdot_linear *linear, const qdot_style *style, qdot_sink sink);

// M^ s' + C^ s + K^ z = B^ u with s the velocities and z the positions that are independent;
// x' = A x + B u, y = C x + D u with the state x = (z, s).
typedef enum qdot_matrix {
  QDOT_MATRIX_MASS,
  QDOT_MATRIX_DAMPING,
  QDOT_MATRIX_STIFFNESS,
  QDOT_MATRIX_INPUT_FORCE,
  QDOT_MATRIX_A,
  QDOT_MATRIX_B,
  QDOT_MATRIX_C,
  QDOT_MATRIX_D
} qdot_matrix;
// Row by row; NULL if the matrix does not exist because a mass is missing. Lives as long as the
// context.
QDOT_API const double *qdot_linear_matrix(const qdot_linear *linear, qdot_matrix which,
                                          size_t *rows, size_t *columns);

typedef enum qdot_mode_kind {
  QDOT_MODE_RIGID,
  QDOT_MODE_OSCILLATION,
  QDOT_MODE_EXPONENTIAL
} qdot_mode_kind;
typedef struct qdot_mode {
  qdot_mode_kind kind;
  double re, im;                     // eigenvalue; of a conjugate pair the one with im > 0
  double omega, hz, damping;         // |eigenvalue|, in Hz, -re/omega
  const double *shape_re, *shape_im; // one for each coordinate of the model; the largest is 1
} qdot_mode;
QDOT_API size_t qdot_mode_count(const qdot_linear *linear);
QDOT_API qdot_mode qdot_mode_at(const qdot_linear *linear, size_t i); // by modulus

typedef struct qdot_mode_picture_options {
  const char *folder;   // "." when silent
  unsigned formats;     // QDOT_GIF | QDOT_MP4 for the motion, QDOT_SVG | QDOT_PNG | QDOT_PDF for a
                        // still picture; 0: GIF and SVG
  unsigned width;       // pixels; 0: 560
  const char *language; // "en", "de", "es" or "pt"; NULL: English
  const char *ffmpeg;   // the program; NULL: ffmpeg, found by PATH
} qdot_mode_picture_options;
QDOT_API qdot_mode_picture_options qdot_mode_picture_defaults(void);
// Draws mode i (from 0, by modulus) on the mechanism: mode-1.gif, mode-1.svg ... One period of an
// oscillation, with an amplitude that is easy to see and the constraints satisfied. The sink gets
// the path of each file, one per line, unless its write is NULL. Without ffmpeg an MP4 gives
// QDOT_NO_PROGRAM and a warning explains. options may be NULL.
QDOT_API qdot_status qdot_mode_draw(qdot_linear *linear, size_t i,
                                    const qdot_mode_picture_options *options, qdot_sink sink);

typedef struct qdot_response_options {
  const char *inputs;  // names with commas: inputs, or coordinates for forces on them; NULL: all
                       // inputs, or forces on the independent coordinates
  const char *outputs; // outputs or expressions such as x'' and lambda_A; NULL: all outputs, or the
                       // independent coordinates
  double from, to;     // Hz; 0: a decade beyond the modes
  uint32_t points;     // more are added around resonances
  const char *folder;  // for response.csv and the Bode plot; NULL: none
} qdot_response_options;
QDOT_API qdot_response_options qdot_response_defaults(void);
// The frequency response: its resonances as text, or all of it as JSON.
QDOT_API qdot_status qdot_response_write(qdot_linear *linear, const qdot_response_options *options,
                                         const qdot_style *style, qdot_sink sink);

typedef struct qdot_sweep_options {
  const char *range; // "NAME=a..b", units allowed: a parameter from a to b
  uint32_t steps;
  const char *folder; // for sweep.csv and its picture; NULL: none
} qdot_sweep_options;
QDOT_API qdot_sweep_options qdot_sweep_defaults(void);
// How frequencies, damping and stability change with a parameter, and where stability is lost or
// gained.
QDOT_API qdot_status qdot_sweep_write(qdot_system *system, const qdot_sweep_options *options,
                                      const qdot_style *style, qdot_sink sink);

// ---- Formulations side by side

typedef struct qdot_comparison qdot_comparison;

typedef struct qdot_compare_options {
  qdot_run_options run; // of every formulation; folder: for compare.svg, or NULL; rows, checkpoints
                        // and verify do not count
  // Called before each stage: "derive", "prove" or "simulate".
  void (*stage)(void *user, const char *formulation, const char *what);
  void *stage_user;
} qdot_compare_options;
QDOT_API qdot_compare_options qdot_compare_defaults(void);

// Derives a model of bodies in every formulation, proves that the equations are the same after
// projection onto the same coordinates, and simulates each. A formulation that does not apply, or
// whose run fails, is listed with its reason. Fails for a model of energies. options may be NULL.
QDOT_API qdot_status qdot_model_compare(qdot_model *model, const qdot_compare_options *options,
                                        qdot_comparison **out);
// All equations are equal, exactly or with the stated probability of error.
QDOT_API int qdot_comparison_is_proved(const qdot_comparison *comparison);
// The user ended a run.
QDOT_API int qdot_comparison_is_stopped(const qdot_comparison *comparison);
// compare.svg was written: at least two formulations have run, and gnuplot is installed.
QDOT_API int qdot_comparison_is_drawn(const qdot_comparison *comparison);
// The table as text or JSON.
QDOT_API qdot_status qdot_comparison_write(qdot_comparison *comparison, const qdot_style *style,
                                           qdot_sink sink);

// ---- Export

typedef enum qdot_language { QDOT_C, QDOT_OCTAVE, QDOT_PYTHON, QDOT_JS } qdot_language;

typedef struct qdot_export_options {
  const char *folder; // "." when silent
  const char *name;   // of the files; NULL: from the model's title
} qdot_export_options;

QDOT_API qdot_export_options qdot_export_defaults(void);
// Writes source files that do not need Qdot; the sink gets the path of each, one per line, unless
// its write is NULL.
QDOT_API qdot_status qdot_system_export(qdot_system *system, qdot_language language,
                                        const qdot_export_options *options, qdot_sink sink);

#ifdef __cplusplus
}
#endif

#endif
