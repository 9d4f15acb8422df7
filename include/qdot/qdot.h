// Qdot: equations of motion from a textbook's statement of a mechanical system.
//
//   context -> model -> system -> evaluator                      numbers at any state
//                    |         -> equilibria, linearization      modes, response, locus
//                    -> result -> columns, events, pictures      whole runs
//                    -> simulation                               step by step, in your own loop
//                    -> plan -> result                           whole runs without the model
//
// Ownership: a context owns everything made from it, including strings and arrays that functions
// return; qdot_context_close frees all of it. Every object can also be closed earlier: that frees
// what it found, and nothing that was made from it may be used any more. Expressions stay with
// their model. Arguments remain the caller's and are read only during the call.
//
// Errors: functions that can fail return a qdot_status and set *out to NULL; the diagnostics of the
// context explain what went wrong. A call that was cancelled or ran out of time ends alone: the
// context, its models and what was made of them can be used as before it. After memory or nodes
// have run out, the context can only be closed.
//
// Names: qdot_X_write(x, options, sink) prints x. qdot_X_count(owner) and qdot_X_at(owner, i) list;
// i counts from 0, and there is NULL beyond the last. qdot_X_find(owner, name) gives the i of a
// name, or QDOT_NOT_FOUND.
//
// Options: every struct of options begins with its size; qdot_..._defaults() returns one in which
// everything else is 0, and 0 always means the default. New members are added at the end, so
// programs built against an older header keep working. Wherever a function takes options, NULL
// means the defaults. Structs that the library returns are owned by it and grow in the same way.
//
// Choices: what the library lists in a table that may grow (formulations, methods of integration,
// languages) is chosen by its word, as in model files; qdot_word_at lists the words. All other
// choices are enums, whose values never change.
//
// Units: SI, angles in radians. Threads: one context per thread at a time; different contexts are
// independent. See qdot_evaluator for what may be shared. The library has no global state, never
// prints and never exits.
#ifndef QDOT_QDOT_H
#define QDOT_QDOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qdot/diagnostic.h"
#include "qdot/log_level.h"
#include "qdot/status.h"
#include "qdot/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define QDOT_API __attribute__((visibility("default")))
#else
#define QDOT_API
#endif

#define QDOT_NOT_FOUND ((size_t)-1)

// The function that returns a struct of options with its size, everything else 0.
#define QDOT_DEFAULTS(type, function)                                                              \
  static inline type function(void) {                                                              \
    type options;                                                                                  \
    memset(&options, 0, sizeof options);                                                           \
    options.size = sizeof options;                                                                 \
    return options;                                                                                \
  }

typedef struct qdot_context qdot_context;
typedef struct qdot_model qdot_model;   // what a text says
typedef struct qdot_system qdot_system; // its equations of motion

// ---- Status, version, words

// A sentence that describes the status; never NULL.
QDOT_API const char *qdot_status_text(qdot_status status);
// QDOT_VERSION and QDOT_VERSION_NUMBER of the library that is running.
QDOT_API const char *qdot_version(void);
QDOT_API int qdot_version_number(void);

// Words that a caller may choose from.
typedef enum qdot_vocabulary {
  QDOT_WORDS_FORMULATIONS = 0,
  QDOT_WORDS_METHODS = 1,          // of integration
  QDOT_WORDS_REPORT_LANGUAGES = 2, // of reports and pictures: "en" and others
  QDOT_WORDS_EXPORT_LANGUAGES = 3  // of exports: "c" and others
} qdot_vocabulary;
QDOT_API size_t qdot_word_count(qdot_vocabulary vocabulary);
QDOT_API const char *qdot_word_at(qdot_vocabulary vocabulary, size_t i);
// The candidate closest to a misspelt word, or NULL.
QDOT_API const char *qdot_word_nearest(const char *word, const char *const *candidates,
                                       size_t count);

// ---- Output

// Where a printer writes; write returns 0 if it accepted all bytes. A printer stops at the first
// failure and returns QDOT_IO.
typedef struct qdot_sink {
  int (*write)(void *user, const char *bytes, size_t n);
  void *user;
} qdot_sink;
// A sink that writes to an open stream.
QDOT_API qdot_sink qdot_sink_stream(FILE *stream);

typedef enum qdot_format {
  QDOT_FORMAT_TEXT = 0,
  QDOT_FORMAT_JSON = 1,
  QDOT_FORMAT_LATEX = 2,
  QDOT_FORMAT_HTML = 3, // a fragment of a page, formulas in MathML; of systems only
  QDOT_FORMAT_CSV = 4   // of positions only
} qdot_format;

// How a printer writes. A format that an object does not have gives QDOT_UNSUPPORTED.
typedef struct qdot_write_options {
  size_t size;
  qdot_format format;
  int ascii;    // text in the syntax of the language instead of Greek letters and raised digits
  int colour;   // diagnostics with escape sequences of a terminal
  size_t width; // columns of a line of text; 0: 100
} qdot_write_options;
QDOT_DEFAULTS(qdot_write_options, qdot_write_defaults)

// Formats of files, combined with |.
enum {
  QDOT_FILE_SVG = 1,
  QDOT_FILE_PNG = 2,
  QDOT_FILE_PDF = 4,
  QDOT_FILE_GIF = 8,
  QDOT_FILE_MP4 = 16,
  QDOT_FILE_HTML = 32,
  QDOT_FILE_TEX = 64
};

// Takes whole files instead of a folder: their names, such as animation.gif, and their bytes. write
// returns 0 if it accepted the file; anything else ends the call with QDOT_IO.
typedef struct qdot_file_sink {
  int (*write)(void *user, const char *name, const char *bytes, size_t n);
  void *user;
} qdot_file_sink;

// A file that was made.
typedef struct qdot_file {
  const char *path;        // the name alone if a qdot_file_sink took it
  const char *description; // in the language of the call, or NULL
} qdot_file;

// ---- Context

// What a context may use before a call fails with a clear error. 0: the default.
typedef struct qdot_limits {
  size_t size;
  size_t memory_bytes; // all memory of the context; 4 GiB
  double seconds;      // time of one call; no limit
  uint32_t nodes;      // nodes of the expression graph; 50 million
  uint32_t nesting;    // depth of brackets and blocks in a model's text; 500
  uint32_t statements; // statements after loops are expanded; 1 million
  int own_folder;      // data files and parts are read beside the model only: from no other folder,
                       // through no link
} qdot_limits;
QDOT_DEFAULTS(qdot_limits, qdot_limits_defaults)

// NULL if there is not enough memory, or limits->size is not valid.
QDOT_API qdot_context *qdot_context_open(const qdot_limits *limits);
// Frees everything made from the context. NULL is allowed, here and in all other closing functions.
QDOT_API void qdot_context_close(qdot_context *cx);
// Ends the current call on the context with QDOT_CANCELLED, or the next one where there is none;
// may be called from a signal handler or another thread. What that call would have made is not
// there; a simulation stands where its last whole step has led to, and can be advanced further. To
// keep what a run has computed, use the stop of its options instead.
QDOT_API void qdot_context_cancel(qdot_context *cx);
// For a signal handler of a process that ends with it: removes files that are half written, except
// those from which a run can be resumed, and ends the programs that were started. Nothing may be
// called on the context afterwards.
QDOT_API void qdot_context_abandon(qdot_context *cx);
// Bytes that the context holds now.
QDOT_API size_t qdot_context_memory(const qdot_context *cx);
// A stage from a model's text to its results: "read", "formulated", "derived", "compiled",
// "started", "simulated", "drawn" or "told".
typedef struct qdot_stage_time {
  const char *stage;
  uint32_t times; // that it was done in this context
  double seconds; // that took, without the stages within it
} qdot_stage_time;
// The stages in this order; 0 behind the last one, and for NULL.
QDOT_API int qdot_context_stage(const qdot_context *cx, size_t i, qdot_stage_time *out);
// Passes every message up to this level to write during calls on the context, one line at a time,
// without a newline; NULL for none.
QDOT_API void qdot_context_log(qdot_context *cx, qdot_log_level level,
                               void (*write)(void *user, qdot_log_level level, const char *line),
                               void *user);

// ---- Diagnostics: what is wrong with a model, for the person who wrote it

// The number of errors and of warnings so far on this context, including those beyond the hundred
// that are kept.
QDOT_API uint32_t qdot_error_count(const qdot_context *cx);
QDOT_API uint32_t qdot_warning_count(const qdot_context *cx);
// Those that are kept, in the order of the text; those without a place come last.
QDOT_API size_t qdot_diagnostic_count(const qdot_context *cx);
QDOT_API const qdot_diagnostic *qdot_diagnostic_at(qdot_context *cx, size_t i);
// All of them as text, each with its line and a caret, and a last line that counts them. Also works
// after a call that ran out of memory, nodes or time, which it explains.
QDOT_API qdot_status qdot_diagnostics_write(const qdot_context *cx,
                                            const qdot_write_options *options, qdot_sink sink);
// Forgets all of them, so that the next call on the context begins with none.
QDOT_API void qdot_diagnostics_clear(qdot_context *cx);

// ---- A text in an editor

// A text as it is being written: the name at a byte, where it is defined and used, and what could
// be written there. A text with mistakes is read as far as possible.
typedef struct qdot_text qdot_text;
// Its mistakes are diagnostics of the context, not a failure.
QDOT_API qdot_status qdot_text_open(qdot_context *cx, const char *name, const char *text,
                                    size_t length, qdot_text **out);

// Frees it, with its names and spans.
QDOT_API void qdot_text_close(qdot_text *text);

typedef struct qdot_span {
  size_t begin, end; // bytes
} qdot_span;

typedef struct qdot_name {
  const char *text;  // rod.omega
  qdot_span span;    // of the name
  const char *kind;  // for people: "parameter", "body" ...; NULL if it is not defined
  qdot_span defined; // where it is
  const char *unit;  // written or inferred; NULL if it has none
  double value;      // of a parameter, input or count; else NAN
} qdot_name;
// NULL if there is no name at the byte. Valid until the next call of this function.
QDOT_API const qdot_name *qdot_text_name_at(qdot_text *text, size_t offset);

// How often the name at a byte is used, including its definition, and where; to rename it, replace
// all of them. qdot_text_use_at refers to the last count.
QDOT_API size_t qdot_text_use_count(qdot_text *text, size_t offset);
QDOT_API const qdot_span *qdot_text_use_at(const qdot_text *text, size_t i);

typedef enum qdot_completion_kind {
  QDOT_COMPLETION_STATEMENT = 0,
  QDOT_COMPLETION_NAME = 1,
  QDOT_COMPLETION_MEMBER = 2,
  QDOT_COMPLETION_FUNCTION = 3,
  QDOT_COMPLETION_UNIT = 4,
  QDOT_COMPLETION_WORD = 5 // of the grammar: a method, a kind of joint
} qdot_completion_kind;

typedef struct qdot_completion {
  const char *text; // replaces the bytes from *begin of qdot_text_completion_count on
  qdot_completion_kind kind;
  const char *detail; // how it is used, or what it is
} qdot_completion;
// How many continuations there are of what is before a byte, and each of them.
// qdot_text_completion_at refers to the last count.
QDOT_API size_t qdot_text_completion_count(qdot_text *text, size_t offset, size_t *begin);
QDOT_API const qdot_completion *qdot_text_completion_at(const qdot_text *text, size_t i);

// ---- Model

typedef struct qdot_model_options {
  size_t size;
  const char *const *settings; // "NAME=VALUE": other values for parameters, counts, inputs
  size_t setting_count;
  const char *formulation; // of a model of bodies; NULL: what the model says, else lagrange
  int all_columns; // all quantities of bodies, joints, springs and contacts (rail.s, s.F) become
                   // columns of results, not only those in output and plot lines
  const char *settings_name; // how messages refer to the settings; NULL: "setting"
  int kinematics; // bodies may lack masses, and what drives and bearings do becomes columns: for
                  // qdot_positions_open
} qdot_model_options;
QDOT_DEFAULTS(qdot_model_options, qdot_model_defaults)

// Reads a model from a file, or from a text; messages refer to the text by name. If there is a
// mistake, *out is NULL and the diagnostics explain it; there may be warnings in any case.
QDOT_API qdot_status qdot_model_load(qdot_context *cx, const char *path,
                                     const qdot_model_options *options, qdot_model **out);
QDOT_API qdot_status qdot_model_parse(qdot_context *cx, const char *name, const char *text,
                                      size_t length, const qdot_model_options *options,
                                      qdot_model **out);
// Frees the model and everything made from it: systems, results, evaluators, simulations and all
// else become invalid.
QDOT_API void qdot_model_close(qdot_model *model);
// "" if the model has none.
QDOT_API const char *qdot_model_title(const qdot_model *model);
// As text, what was read: coordinates and parameters with values in SI units, and what was
// inferred. As JSON, counts, and what was found about its mechanism: mobility, gaps, redundant
// joints.
QDOT_API qdot_status qdot_model_write(qdot_model *model, const qdot_write_options *options,
                                      qdot_sink sink);

// ---- System

// Derives the equations of motion M q'' + h + D + G = Q - Phi_q^T lambda, Phi_q q'' = gamma.
QDOT_API qdot_status qdot_system_derive(qdot_model *model, qdot_system **out);
// The equations themselves stay with the model, which derives them once.
QDOT_API void qdot_system_close(qdot_system *system);
// How long that took.
QDOT_API double qdot_system_seconds(const qdot_system *system);

typedef enum qdot_simplify {
  QDOT_SIMPLIFY_NORMAL = 0,
  QDOT_SIMPLIFY_NONE = 1,
  QDOT_SIMPLIFY_FULL = 2
} qdot_simplify;

typedef enum qdot_detail {
  QDOT_DETAIL_TEXTBOOK = 0, // the first coordinate in full, of the others the terms
  QDOT_DETAIL_RESULT = 1,   // energies and equations only
  QDOT_DETAIL_EVERY = 2     // every rule with the term that it acts on
} qdot_detail;

typedef struct qdot_system_write_options {
  size_t size;
  qdot_format format;
  int ascii;        // text in the syntax of the language instead of Greek letters and raised digits
  size_t width;     // columns of a line of text; 0: 100
  const char *only; // "M,Phi_q": these alone; NULL: all
  qdot_simplify simplify;
  int steps; // tells the derivation step by step, as text, LaTeX or HTML
  qdot_detail detail;
  const char *language; // of the steps; NULL: English
  const char *notation; // a file with lines NAME=LATEX, or NULL
} qdot_system_write_options;
QDOT_DEFAULTS(qdot_system_write_options, qdot_system_write_defaults)
// The energies, matrices and equations, or the whole derivation.
QDOT_API qdot_status qdot_system_write(qdot_system *system,
                                       const qdot_system_write_options *options, qdot_sink sink);

// The derivation against other routes at random states: M against the Hessian of T, the power
// balance. Errors are relative.
typedef struct qdot_selfcheck {
  int states; // that were tried
  double mass_error, power_error;
  int is_good;
} qdot_selfcheck;
QDOT_API qdot_status qdot_system_check(qdot_system *system, const qdot_selfcheck **out);
// First integrals: what stays constant along every motion, each with its formula, its symmetry and
// how it was proved; by symmetries that are affine in coordinates and time, and with degree 2 also
// those quadratic in the velocities. As text or JSON.
QDOT_API qdot_status qdot_system_conserved_write(qdot_system *system, int degree,
                                                 const qdot_write_options *options, qdot_sink sink);
// The Poisson bracket {f, g} of two expressions in t, coordinates, velocities and momenta (p_x; H
// is Hamilton's function), in coordinates and momenta. As text or JSON.
QDOT_API qdot_status qdot_system_bracket_write(qdot_system *system, const char *f, const char *g,
                                               const qdot_write_options *options, qdot_sink sink);
// Checks whether the model's simulate and linearize lines can be carried out, up to the first step:
// methods and their options, the initial state, the points. Explains problems as the run or the
// linearization would.
QDOT_API qdot_status qdot_system_check_requests(qdot_system *system);
// The same as JSON: what qdot_model_write writes, with what was found under "requests". It is
// written whole before a failure is returned.
QDOT_API qdot_status qdot_system_check_write(qdot_system *system, const qdot_write_options *options,
                                             qdot_sink sink);

// ---- Equations as numbers

// What a system consists of.
typedef enum qdot_part {
  QDOT_PART_COORDINATES = 0,
  QDOT_PART_CONSTRAINTS = 1, // as many multipliers lambda
  QDOT_PART_CONTACTS = 2,
  QDOT_PART_PARAMETERS = 3,
  QDOT_PART_INPUTS = 4,
  QDOT_PART_OUTPUTS = 5,
  QDOT_PART_STATES = 6 // first-order states
} qdot_part;
// In the order and spelling of the model.
QDOT_API size_t qdot_system_name_count(qdot_system *system, qdot_part part);
QDOT_API const char *qdot_system_name_at(qdot_system *system, qdot_part part, size_t i);
QDOT_API size_t qdot_system_name_find(qdot_system *system, qdot_part part, const char *name);

// Evaluates the equations of motion at any state. It has its own values for parameters and inputs,
// initially those of the model. All contacts are open: nothing presses or rubs there.
//
// Below, n, m, c, u, p, y, s count coordinates, constraints, contacts, inputs, parameters, outputs,
// states; q are n positions, qd n velocities with the s states behind them, in SI units and
// radians; matrices are stored by rows. Results are written into arrays of the caller; NULL skips
// one. A state where the equations have no solution gives QDOT_SINGULAR_MASS, QDOT_SINGULAR or
// QDOT_UNDEFINED; a quantity that was not requested when opening gives QDOT_BAD_ARGUMENT. Neither
// adds a diagnostic. Threads: opening, qdot_evaluator_initial and closing are calls on the context.
// All other functions touch only the evaluator: several evaluators, also of one context, may run at
// the same time in separate threads while nothing else uses that context.
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
// The rates of the states (s). dx/dt of x = (q, qd, states) is (qd, q'', rates).
QDOT_API qdot_status qdot_evaluator_rates(qdot_evaluator *evaluator, double t, const double *q,
                                          const double *qd, double *rates);

// Where to write the terms of the equations; NULL for those not needed.
typedef struct qdot_terms {
  size_t size;
  double *M;             // n x n
  double *h, *D, *G, *Q; // n each
  double *Phi_q;         // m x n
  double *gamma;         // m
} qdot_terms;
QDOT_DEFAULTS(qdot_terms, qdot_terms_defaults)
// The terms of the equations at a state.
QDOT_API qdot_status qdot_evaluator_terms(qdot_evaluator *evaluator, double t, const double *q,
                                          const double *qd, const qdot_terms *out);
// Phi (m) and Phi_q q' + Phi_t (m), which for a nonholonomic constraint are the same.
QDOT_API qdot_status qdot_evaluator_constraints(qdot_evaluator *evaluator, double t,
                                                const double *q, const double *qd, double *Phi,
                                                double *Phi_dot);
// phi (c) and its time derivative (c); a contact touches where phi = 0 and is free below.
QDOT_API qdot_status qdot_evaluator_contacts(qdot_evaluator *evaluator, double t, const double *q,
                                             const double *qd, double *phi, double *phi_dot);
// Outputs (y) and energies: T, V and E, which is T + V or Jacobi's integral (3).
QDOT_API qdot_status qdot_evaluator_outputs(qdot_evaluator *evaluator, double t, const double *q,
                                            const double *qd, double *outputs, double *energies);
// Exact derivatives of (q'', lambda), n + m rows, by (q, q', states), by the inputs, by the
// parameters: columns 2 n + s, u, p. The derivative by a parameter includes those that the model
// computes from it.
QDOT_API qdot_status qdot_evaluator_slopes(qdot_evaluator *evaluator, double t, const double *q,
                                           const double *qd, double *by_state, double *by_inputs,
                                           double *by_parameters);

// ---- Simulation

// A second run at a tenth of the tolerance, whose difference says how far the first one holds:
// never, always, or where a tenth of a second is enough for it.
enum { QDOT_VERIFY_NEVER, QDOT_VERIFY_ALWAYS, QDOT_VERIFY_IF_CHEAP };

// The motion between the rows in a folder, for pictures: in a file of at most 10 MB, beyond which
// it is left out and the summary says so; whatever its size; not at all.
typedef enum qdot_motion {
  QDOT_MOTION_BOUNDED = 0,
  QDOT_MOTION_FULL = 1,
  QDOT_MOTION_NONE = 2
} qdot_motion;

typedef struct qdot_run_options {
  size_t size;
  const char *folder; // for results.csv, motion.bin, summary.json and model.qdot; NULL: none
  size_t memory;      // bytes of the result that may stay in memory
  const char *method; // of integration; NULL: what the model says
  // 0: what the model says; refused where the method does not take it, and below 0, NAN, INFINITY
  double t_end, every, rtol, atol, step;
  int event_rows;           // rows at events too
  int checkpoint;           // keep the state in the folder, to resume from
  int resume;               // continue from there
  int verify;               // QDOT_VERIFY_...
  int mat;                  // results.mat beside results.csv, for MATLAB and Octave
  const volatile int *stop; // set from outside to end the run between two steps
  void (*progress)(void *user, double t, double t_end, int64_t steps);
  void *progress_user;
  // Gets every row as well; anything but 0 ends the run with QDOT_IO.
  int (*row)(void *user, const double *values, size_t n);
  void *row_user;
  // For programs that draw while a number moves: at least half of so many rows, at most as many,
  // and not the motion between them; where there are fewer rows, all of them, and between them the
  // motion as the steps have it, not looked at closer where it bends. The steps are the same. 0:
  // all.
  size_t rough;
  int motion; // QDOT_MOTION_...
} qdot_run_options;
QDOT_DEFAULTS(qdot_run_options, qdot_run_defaults)

// The result of a run, in memory or in a folder. Closing it frees its memory.
typedef struct qdot_result qdot_result;
// Derives and simulates. A run that was stopped or that failed keeps what it has computed and still
// returns QDOT_OK: see qdot_result_stop; a warning says why.
QDOT_API qdot_status qdot_model_simulate(qdot_model *model, const qdot_run_options *options,
                                         qdot_result **out);
QDOT_API void qdot_result_close(qdot_result *result);

// Why a run ended before its time.
typedef enum qdot_stop {
  QDOT_STOP_NONE = 0, // it did not
  QDOT_STOP_USER = 1,
  QDOT_STOP_LIMIT = 2, // too many steps, or steps too small
  QDOT_STOP_BLOW_UP = 3
} qdot_stop;
QDOT_API qdot_stop qdot_result_stop(const qdot_result *result);

// The columns: t, q, q', q'', lambda_NAME, outputs, E_kin, E_pot, E_tot.
QDOT_API size_t qdot_result_column_count(const qdot_result *result);
QDOT_API const char *qdot_result_column_at(const qdot_result *result, size_t i);
QDOT_API size_t qdot_result_column_find(const qdot_result *result, const char *name);
// All values of column i in the order of the rows, *count of them, until the result is closed; NULL
// beyond the last column, and if the result has neither a folder nor was given memory for them.
QDOT_API const double *qdot_result_values(qdot_result *result, size_t i, size_t *count);
// The range of column i over the whole motion, between the rows too, and when; NAN if it never had
// a value or the motion was not kept.
typedef struct qdot_extremes {
  double least, t_least, most, t_most;
} qdot_extremes;
QDOT_API const qdot_extremes *qdot_result_extremes_at(qdot_result *result, size_t i);

// A measure of the model, a number of the whole run.
typedef struct qdot_measure {
  const char *name, *unit; // SI; "" for a pure number
  double value;            // NAN if it has none, as the moment of what never happened
} qdot_measure;
QDOT_API size_t qdot_result_measure_count(const qdot_result *result);
QDOT_API const qdot_measure *qdot_result_measure_at(qdot_result *result, size_t i);

typedef enum qdot_event_kind {
  QDOT_EVENT_IMPACT = 0,
  QDOT_EVENT_CONTACT = 1, // a contact closes
  QDOT_EVENT_RELEASE = 2, // a contact opens
  QDOT_EVENT_JUMP = 3,    // of a driven velocity
  QDOT_EVENT_STICK = 4,
  QDOT_EVENT_SLIP = 5,
  QDOT_EVENT_RESET = 6,
  QDOT_EVENT_STOP = 7
} qdot_event_kind;
// A word for it: "impact".
QDOT_API const char *qdot_event_text(qdot_event_kind kind);

typedef struct qdot_event {
  double t;
  qdot_event_kind kind;
  const char *name;     // of the contact; of a jump, the constraint; else the coordinate
  double before, after; // of an impact: d(phi)/dt, positive where it approaches
} qdot_event;
QDOT_API size_t qdot_result_event_count(const qdot_result *result);
QDOT_API const qdot_event *qdot_result_event_at(qdot_result *result, size_t i);

// How far a result can be trusted. What does not apply is NAN.
typedef struct qdot_certificate {
  qdot_stop stop;
  double t_end;       // reached
  const char *method; // as used
  double rtol, atol;
  double step; // of a method with fixed steps, else NAN
  int64_t steps, rejected, evaluations, rows;
  double setup_seconds, run_seconds;
  double energy_drift, energy_drift_t; // largest error of the energy balance, relative, and when
  double work_forces, work_dissipation, work_drives, work_impacts; // J
  double position_residual, velocity_residual; // largest, relative to the sizes there
  double verified;  // largest difference from the run at a tenth of the tolerance, if it was made
  uint32_t freedom; // degrees of freedom at the start
  double work_friction; // J, of contacts and joints
  // of contacts: deepest overlap, hardest pull of one that is closed, friction beyond what presses
  // allows, and the energy (J) of impacts that made some
  double contact_overlap, contact_pull, contact_friction, impact_gain;
} qdot_certificate;
QDOT_API const qdot_certificate *qdot_result_certificate(qdot_result *result);
// The certificate as text, or as the JSON of the contract.
QDOT_API qdot_status qdot_result_write(qdot_result *result, const qdot_write_options *options,
                                       qdot_sink sink);

// ---- Simulation in your own loop

// A run that is advanced from time to time: between two calls its values can be read and its inputs
// and parameters changed. It keeps its compiled equations, so that starting again is fast. Several
// simulations of one context may be open at once.
typedef struct qdot_simulation qdot_simulation;

// Derives the model and starts at t = 0. Of the options method, rtol, atol, step and stop count.
QDOT_API qdot_status qdot_simulation_open(qdot_model *model, const qdot_run_options *options,
                                          qdot_simulation **out);
QDOT_API void qdot_simulation_close(qdot_simulation *simulation);
// Advances exactly to t, through impacts, contacts and releases on the way; an earlier time has no
// effect. QDOT_STOPPED if *options->stop was set, or where a `stop when` of the model ends the
// motion; another status, with diagnostics, if the motion cannot be continued. In all these cases
// qdot_simulation_time says how far it got.
QDOT_API qdot_status qdot_simulation_advance(qdot_simulation *simulation, double t);
QDOT_API double qdot_simulation_time(const qdot_simulation *simulation);
// Sets an input or a parameter from the present time on, as qdot_evaluator_set does; if that
// changes constraints, the state is projected onto them.
QDOT_API qdot_status qdot_simulation_set(qdot_simulation *simulation, const char *name,
                                         double value);
// Back to t = 0 and the model's initial state, with the values that were set.
QDOT_API qdot_status qdot_simulation_restart(qdot_simulation *simulation);
// A whole run from t = 0 with the values that were set, as qdot_model_simulate makes, but without
// deriving or compiling: what takes long is done when the simulation is opened, so that a run can
// be made for every position of a slider. Of the options memory, t_end, every, row, rough, stop and
// progress count. The simulation is then back at t = 0. Pictures and views of the result are drawn
// with the values that were set; it has no report, which would tell those of the model.
QDOT_API qdot_status qdot_simulation_run(qdot_simulation *simulation,
                                         const qdot_run_options *options, qdot_result **out);
// To any state; q and qd have a finite value for each coordinate, and qd the states after them.
QDOT_API qdot_status qdot_simulation_set_state(qdot_simulation *simulation, double t,
                                               const double *q, const double *qd);

// The columns that a result would have.
QDOT_API size_t qdot_simulation_column_count(const qdot_simulation *simulation);
QDOT_API const char *qdot_simulation_column_at(const qdot_simulation *simulation, size_t i);
QDOT_API size_t qdot_simulation_column_find(const qdot_simulation *simulation, const char *name);
// Their values at the present state, valid until the next call on the simulation; NULL if the
// equations have no solution.
QDOT_API const double *qdot_simulation_values(qdot_simulation *simulation);
// What has happened since the start, in order; valid until the simulation is advanced.
QDOT_API size_t qdot_simulation_event_count(const qdot_simulation *simulation);
QDOT_API const qdot_event *qdot_simulation_event_at(qdot_simulation *simulation, size_t i);

// ---- Plans: runs without the model

// All that a motion needs, as bytes, which another process or machine runs with the same library:
// the rows are those of the model, to the last bit. It was made for values, a method and what
// decides the equations; values of parameters and inputs can be changed.
typedef struct qdot_plan qdot_plan;

// Derives the model and makes its plan, which needs it no longer; of the options method, t_end,
// every, rtol, atol and step count.
QDOT_API qdot_status qdot_model_plan(qdot_model *model, const qdot_run_options *options,
                                     qdot_plan **out);

typedef struct qdot_plan_options {
  size_t size;
  const char *const *settings; // "NAME=VALUE": other values for parameters and inputs
  size_t setting_count;
  const char *settings_name; // how messages refer to the settings; NULL: "setting"
} qdot_plan_options;
QDOT_DEFAULTS(qdot_plan_options, qdot_plan_defaults)

// Reads a plan from a file, or from bytes, to which messages refer by name. Bytes that were cut
// off, changed, or written by another version are QDOT_BAD_FILE.
QDOT_API qdot_status qdot_plan_load(qdot_context *cx, const char *path,
                                    const qdot_plan_options *options, qdot_plan **out);
QDOT_API qdot_status qdot_plan_read(qdot_context *cx, const char *name, const void *bytes,
                                    size_t length, const qdot_plan_options *options,
                                    qdot_plan **out);
// Frees it, with its results.
QDOT_API void qdot_plan_close(qdot_plan *plan);
// The plan as it was made or read, without what was set; *length bytes.
QDOT_API const void *qdot_plan_bytes(const qdot_plan *plan, size_t *length);
QDOT_API const char *qdot_plan_title(const qdot_plan *plan);

// A parameter or input.
typedef struct qdot_plan_value {
  const char *name, *unit; // SI; "" for a pure number, and where it is not known
  double value;
  int is_input;
} qdot_plan_value;
QDOT_API size_t qdot_plan_value_count(const qdot_plan *plan);
QDOT_API const qdot_plan_value *qdot_plan_value_at(qdot_plan *plan, size_t i);
QDOT_API size_t qdot_plan_value_find(const qdot_plan *plan, const char *name);
// In SI units, for all later runs; what is computed from it follows. Diagnostics say why a name has
// no such value: QDOT_UNKNOWN_NAME, or QDOT_BAD_ARGUMENT where it decides the equations.
QDOT_API qdot_status qdot_plan_set(qdot_plan *plan, const char *name, double value);

// The columns that a result has.
QDOT_API size_t qdot_plan_column_count(const qdot_plan *plan);
QDOT_API const char *qdot_plan_column_at(const qdot_plan *plan, size_t i);
QDOT_API size_t qdot_plan_column_find(const qdot_plan *plan, const char *name);

// A whole run from t = 0, as qdot_model_simulate makes. The folder gets no model.qdot; what needs
// it, such as pictures and reports of the result, is QDOT_UNSUPPORTED, and so are checkpoints,
// verify, and methods for which the plan was not made.
QDOT_API qdot_status qdot_plan_run(qdot_plan *plan, const qdot_run_options *options,
                                   qdot_result **out);

// ---- Stored results and their pictures

// Is there a result of this model in the folder? Plot and draw lines, blank lines and comments may
// have changed since; everything else, including settings, must be unchanged.
QDOT_API int qdot_result_exists(qdot_model *model, const char *folder);
// Opens it without solving anything again. model: whose plot and draw lines count, of the same
// context; NULL for the stored one.
QDOT_API qdot_status qdot_result_open(qdot_context *cx, const char *folder, qdot_model *model,
                                      qdot_result **out);

typedef struct qdot_plot_options {
  size_t size;
  qdot_file_sink files; // takes the files; without one they are written to the result's folder
  unsigned formats;     // QDOT_FILE_SVG, _PNG, _PDF; 0: SVG
  int everything;       // every kind of plot, in addition to the model's plot lines
  const char *language; // NULL: English
  const char *gnuplot;  // the program; NULL: gnuplot, found by PATH
  // Other results whose curves are drawn into the same pictures, which are then called
  // compare-1-time.svg and so on; curves of the same name share a colour.
  qdot_result *const *others;
  size_t other_count;
} qdot_plot_options;
QDOT_DEFAULTS(qdot_plot_options, qdot_plot_defaults)
// Makes the plots: NAME.svg or other formats, with the script NAME.gp and the data NAME.dat.
// Without gnuplot only these two are made, the status is QDOT_NO_PROGRAM and a warning explains.
QDOT_API qdot_status qdot_result_plot(qdot_result *result, const qdot_plot_options *options);

typedef struct qdot_animate_options {
  size_t size;
  qdot_file_sink files; // takes the files; without one they are written to the result's folder
  unsigned formats;     // QDOT_FILE_GIF, _MP4 for animation.gif, animation.mp4;
                        // QDOT_FILE_SVG, _PNG, _PDF for a still picture, mechanism.svg ...; 0: GIF
  double speed;         // 1 is real time; 0: real time unless that is too short or too long
  unsigned width;       // pixels; 0: 560
  const char *language; // for the decimal sign; NULL: English
  const char *ffmpeg;   // the program; NULL: ffmpeg, found by PATH
  int labels;           // 1: the still picture names angles, lengths, masses, springs and gravity
  double magnify;       // how many times larger the motion is drawn, 1 or more; 0: 1, unless nobody
                        // would see it, and then a round factor; pictures say so
  int free_body;        // 1: free-body.svg instead, every body by itself with all that acts on it
} qdot_animate_options;
QDOT_DEFAULTS(qdot_animate_options, qdot_animate_defaults)
// Draws the mechanism in motion, from the model's draw lines or guessed from its definitions. An
// MP4 needs ffmpeg; without it the status is QDOT_NO_PROGRAM and a warning explains.
QDOT_API qdot_status qdot_result_animate(qdot_result *result, const qdot_animate_options *options);

// A run as numbers, for programs that draw it themselves, as a page does.
typedef struct qdot_view qdot_view;

typedef struct qdot_view_options {
  size_t size;
  uint32_t samples;     // about how many of the motion; 0: 1200
  const char *language; // of its words; NULL: English
} qdot_view_options;
QDOT_DEFAULTS(qdot_view_options, qdot_view_defaults)
// Fails with QDOT_BAD_FILE where the result has no rows.
QDOT_API qdot_status qdot_result_view(qdot_result *result, const qdot_view_options *options,
                                      qdot_view **out);
QDOT_API void qdot_view_close(qdot_view *view);
// What is drawn, as JSON: shapes and labels whose places are numbers of a row, curves, events,
// words. Its layout says where in a row the parts begin.
QDOT_API const char *qdot_view_json(const qdot_view *view);
// The samples, *rows of *width numbers: t, the drawing, the coordinates, the curves.
QDOT_API const double *qdot_view_numbers(const qdot_view *view, size_t *rows, size_t *width);

// The stages of a longer job, for showing progress.
typedef enum qdot_stage {
  QDOT_STAGE_SIMULATE = 0,
  QDOT_STAGE_PLOT = 1,
  QDOT_STAGE_ANIMATE = 2,
  QDOT_STAGE_REPORT = 3,
  QDOT_STAGE_TYPESET = 4,
  QDOT_STAGE_DERIVE = 5,
  QDOT_STAGE_PROVE = 6
} qdot_stage;
// A word for it, such as "compute", in a language (NULL: English); NULL if there is none.
QDOT_API const char *qdot_stage_text(qdot_stage stage, const char *language);

typedef struct qdot_report_options {
  size_t size;
  qdot_file_sink files; // takes the files; without one they are written to the result's folder
  unsigned formats;     // QDOT_FILE_HTML, _TEX, _PDF; 0: all, the PDF if LaTeX is installed
  const char *language; // NULL: English
  qdot_detail detail;   // of the derivation
  const char *notation; // a file with lines NAME=LATEX, or NULL
  int everything;       // every kind of plot, in addition to the model's plot lines
  double speed;         // of the animation; 0: real time unless that is too short or too long
  const char *gnuplot;  // the programs; NULL: gnuplot and pdflatex, found by PATH
  const char *pdflatex;
  double pdflatex_seconds;                     // that it may take; 0: 120
  void (*stage)(void *user, qdot_stage stage); // called as each begins; may be NULL
  void *stage_user;
  double magnify; // of the motion, as in qdot_animate_options
} qdot_report_options;
QDOT_DEFAULTS(qdot_report_options, qdot_report_defaults)
// Makes the report: report.html, a self-contained page, report.tex with its pictures as separate
// files, and report.pdf. Pictures that are missing are drawn first. What cannot be made because a
// program is missing is left out, with a warning; only if a PDF was requested explicitly does the
// call fail, with QDOT_NO_PROGRAM.
QDOT_API qdot_status qdot_result_report(qdot_result *result, const qdot_report_options *options);

// The files that were made from the result, in order.
QDOT_API size_t qdot_result_file_count(const qdot_result *result);
QDOT_API const qdot_file *qdot_result_file_at(const qdot_result *result, size_t i);

// ---- Equilibria

// The equilibria (or steady motions, if the model's linearize line asks for one) of a system.
typedef struct qdot_equilibria qdot_equilibria;

typedef struct qdot_equilibria_options {
  size_t size;
  uint32_t starts;        // states to search from besides the initial one; 0: 32
  int only_initial_state; // search from the initial state alone
} qdot_equilibria_options;
QDOT_DEFAULTS(qdot_equilibria_options, qdot_equilibria_defaults)
// Finds them, each with its stability: first the one that the initial state leads to, then by
// distance.
QDOT_API qdot_status qdot_system_equilibria(qdot_system *system,
                                            const qdot_equilibria_options *options,
                                            qdot_equilibria **out);
QDOT_API void qdot_equilibria_close(qdot_equilibria *equilibria);

typedef enum qdot_stability {
  QDOT_STABILITY_UNKNOWN = 0,
  QDOT_STABILITY_ASYMPTOTIC = 1,  // every disturbance decays
  QDOT_STABILITY_STABLE = 2,      // none grows
  QDOT_STABILITY_INDIFFERENT = 3, // none grows, but displacements or velocities persist
  QDOT_STABILITY_UNSTABLE = 4,
  QDOT_STABILITY_HELD = 5 // nothing can be disturbed: no degree of freedom is left
} qdot_stability;

typedef struct qdot_equilibrium {
  const double *q, *qd; // one value for each coordinate; qd is 0 at rest
  const double *lambda; // one for each constraint, then each contact
  double residual;      // the largest unbalanced force, relative to the forces there
  qdot_stability stability;
  const char *stability_text; // the same in words
} qdot_equilibrium;
QDOT_API size_t qdot_equilibrium_count(const qdot_equilibria *equilibria);
QDOT_API const qdot_equilibrium *qdot_equilibrium_at(const qdot_equilibria *equilibria, size_t i);
// As text or JSON.
QDOT_API qdot_status qdot_equilibria_write(qdot_equilibria *equilibria,
                                           const qdot_write_options *options, qdot_sink sink);

// ---- Linearization, modes

typedef struct qdot_linear qdot_linear; // a system linearized about a point

// Linearizes exactly about the point of linearize line i of the model, counted from 0. A model
// without such lines has one point, the equilibrium nearest to the initial state.
QDOT_API qdot_status qdot_system_linearize(qdot_system *system, size_t i, qdot_linear **out);
QDOT_API void qdot_linear_close(qdot_linear *linear);
// How many linearize lines the model has.
QDOT_API size_t qdot_system_point_count(const qdot_system *system);
// As text, JSON or LaTeX.
QDOT_API qdot_status qdot_linear_write(qdot_linear *linear, const qdot_write_options *options,
                                       qdot_sink sink);

// M^ s' + C^ s + K^ z = B^ u with s the velocities and z the positions that are independent;
// x' = A x + B u, y = C x + D u with the state x = (z, s).
typedef enum qdot_matrix {
  QDOT_MATRIX_MASS = 0,
  QDOT_MATRIX_DAMPING = 1,
  QDOT_MATRIX_STIFFNESS = 2,
  QDOT_MATRIX_INPUT_FORCE = 3,
  QDOT_MATRIX_A = 4,
  QDOT_MATRIX_B = 5,
  QDOT_MATRIX_C = 6,
  QDOT_MATRIX_D = 7
} qdot_matrix;
// Row by row; NULL if the matrix does not exist because a mass is missing.
QDOT_API const double *qdot_linear_matrix(const qdot_linear *linear, qdot_matrix which,
                                          size_t *rows, size_t *columns);

typedef enum qdot_mode_kind {
  QDOT_MODE_RIGID = 0,
  QDOT_MODE_OSCILLATION = 1,
  QDOT_MODE_EXPONENTIAL = 2
} qdot_mode_kind;
typedef struct qdot_mode {
  qdot_mode_kind kind;
  double re, im;                     // eigenvalue; of a conjugate pair the one with im > 0
  double omega, hz, damping;         // |eigenvalue|, in Hz, -re/omega
  const double *shape_re, *shape_im; // one for each coordinate of the model; the largest is 1
} qdot_mode;
// By modulus of the eigenvalue.
QDOT_API size_t qdot_mode_count(const qdot_linear *linear);
QDOT_API const qdot_mode *qdot_mode_at(const qdot_linear *linear, size_t i);
// What becomes of disturbances about the point; *text, unless NULL, gets it in words.
// QDOT_STABILITY_UNKNOWN where only nonlinear terms decide, or where there are no modes:
// qdot_modes_write then says why.
QDOT_API qdot_stability qdot_linear_stability(const qdot_linear *linear, const char **text);
// Eigenvalues, frequencies, damping, mode shapes, stability: as text or JSON.
QDOT_API qdot_status qdot_modes_write(qdot_linear *linear, const qdot_write_options *options,
                                      qdot_sink sink);

typedef struct qdot_mode_picture_options {
  size_t size;
  qdot_file_sink files; // takes the files; without one they are written to the folder
  const char *folder;   // NULL: the current one
  unsigned formats;     // QDOT_FILE_GIF, _MP4 for the motion, QDOT_FILE_SVG, _PNG, _PDF for a still
                        // picture; 0: GIF and SVG
  unsigned width;       // pixels; 0: 560
  const char *language; // NULL: English
  const char *ffmpeg;   // the program; NULL: ffmpeg, found by PATH
} qdot_mode_picture_options;
QDOT_DEFAULTS(qdot_mode_picture_options, qdot_mode_picture_defaults)
// Draws mode i on the mechanism: mode-1.gif, mode-1.svg ... One period of an oscillation, with an
// amplitude that is easy to see and the constraints satisfied. Without ffmpeg an MP4 gives
// QDOT_NO_PROGRAM and a warning explains.
QDOT_API qdot_status qdot_mode_draw(qdot_linear *linear, size_t i,
                                    const qdot_mode_picture_options *options);
// The same motion as a view without curves, from 0 to 1.6 s, for programs that draw themselves.
QDOT_API qdot_status qdot_mode_view(qdot_linear *linear, size_t i, const qdot_view_options *options,
                                    qdot_view **out);
// Of a sampled loop, whose eigenvalues are those of the map of a period, in s; else 0.
QDOT_API double qdot_linear_sample_time(const qdot_linear *linear);
// Draws the eigenvalues into eigenvalues.svg in the folder, those of a sampled loop with the unit
// circle. Without gnuplot its script and data are left.
QDOT_API qdot_status qdot_eigenvalues_draw(qdot_linear *linear, const char *folder);
// The files that were made from the linearization, in order.
QDOT_API size_t qdot_linear_file_count(const qdot_linear *linear);
QDOT_API const qdot_file *qdot_linear_file_at(const qdot_linear *linear, size_t i);

// ---- Frequency response, root loci

typedef struct qdot_response qdot_response;

typedef struct qdot_response_options {
  size_t size;
  const char *inputs;  // names with commas: inputs, or coordinates for forces on them; NULL: all
                       // inputs, or forces on the independent coordinates
  const char *outputs; // outputs or expressions such as x'' and lambda_A; NULL: all outputs, or the
                       // independent coordinates
  double from, to;     // Hz; 0: a decade beyond the modes
  uint32_t points;     // more are added around resonances; 0: 400
  const char *folder;  // for response.csv and the Bode plot; NULL: none
  const char *range;   // "1..80 [Hz]", instead of from and to; NULL: these
} qdot_response_options;
QDOT_DEFAULTS(qdot_response_options, qdot_response_defaults)
// Computes the frequency response of every output to every input.
QDOT_API qdot_status qdot_linear_response(qdot_linear *linear, const qdot_response_options *options,
                                          qdot_response **out);
QDOT_API void qdot_response_close(qdot_response *response);
QDOT_API size_t qdot_response_input_count(const qdot_response *response);
QDOT_API const char *qdot_response_input_at(const qdot_response *response, size_t i);
QDOT_API size_t qdot_response_output_count(const qdot_response *response);
QDOT_API const char *qdot_response_output_at(const qdot_response *response, size_t i);
// Frequencies in Hz, ascending, *count of them.
QDOT_API const double *qdot_response_frequencies(const qdot_response *response, size_t *count);
// Real and imaginary part of output/input at frequency number k; not finite at an undamped
// resonance.
QDOT_API void qdot_response_value(const qdot_response *response, size_t output, size_t input,
                                  size_t k, double *re, double *im);

typedef struct qdot_peak {
  double hz, gain, phase; // phase in radians
  double low, high;       // of a resonance: where the gain is 1/sqrt(2) of it, Hz; NAN if nowhere
  int is_unlimited;       // an undamped mode: the gain is infinite
} qdot_peak;
// Resonances of output/input, by frequency.
QDOT_API size_t qdot_resonance_count(const qdot_response *response, size_t output, size_t input);
QDOT_API const qdot_peak *qdot_resonance_at(const qdot_response *response, size_t output,
                                            size_t input, size_t i);
// Where the gain of output/input is 1 in SI units, or its phase -180 degrees, by frequency. With
// the output fed back, margin is what is left until the loop is no longer stable: radians of phase
// where the gain is 1, the factor that the gain may grow by where the phase is -180 degrees.
typedef enum qdot_crossing_kind {
  QDOT_CROSSING_GAIN = 0,
  QDOT_CROSSING_PHASE = 1
} qdot_crossing_kind;
typedef struct qdot_crossing {
  double hz, gain, phase, margin; // phase in radians
} qdot_crossing;
QDOT_API size_t qdot_crossing_count(const qdot_response *response, size_t output, size_t input,
                                    qdot_crossing_kind kind);
QDOT_API const qdot_crossing *qdot_crossing_at(const qdot_response *response, size_t output,
                                               size_t input, qdot_crossing_kind kind, size_t i);
// What the random lines of the model lead to: first the outputs, then those of its comfort lines,
// weighted. The density is one-sided, in squares of the unit per hertz, at the frequencies of the
// response.
typedef struct qdot_random_output {
  const char *name;
  const char *weighting; // W_k ... of ISO 2631-1; NULL: none
  const char *unit;      // "m/s²"; "" where it is not known
  double rms;            // INFINITY where the mean square has no bound
  double relative_error; // of it, as estimated
  const double *density;
} qdot_random_output;
// 0 where nothing is random.
QDOT_API size_t qdot_random_output_count(const qdot_response *response);
QDOT_API const qdot_random_output *qdot_random_output_at(const qdot_response *response, size_t i);
// Its resonances as text, or all of it as JSON.
QDOT_API qdot_status qdot_response_write(qdot_response *response, const qdot_write_options *options,
                                         qdot_sink sink);

typedef struct qdot_synchronous qdot_synchronous;

// The response of a rotor to what is out of balance, by the model's synchronous line: outputs,
// points (0: 400) and folder of the options count.
QDOT_API qdot_status qdot_system_synchronous(qdot_system *system,
                                             const qdot_response_options *options,
                                             qdot_synchronous **out);
QDOT_API void qdot_synchronous_close(qdot_synchronous *synchronous);
// In rad/s, ascending; more of them about critical speeds.
QDOT_API const double *qdot_synchronous_speeds(const qdot_synchronous *synchronous, size_t *count);
// Where a natural frequency is that of the rotor, rad/s.
QDOT_API const double *qdot_synchronous_critical(const qdot_synchronous *synchronous,
                                                 size_t *count);
QDOT_API size_t qdot_synchronous_output_count(const qdot_synchronous *synchronous);
QDOT_API const char *qdot_synchronous_output_at(const qdot_synchronous *synchronous, size_t i);
// The k-th speed w: the output is re cos(w t) - im sin(w t); NAN where the motion is unstable.
QDOT_API void qdot_synchronous_value(const qdot_synchronous *synchronous, size_t output, size_t k,
                                     double *re, double *im);
// Peaks over the speed; the amplitude is INFINITY where nothing damps it.
QDOT_API size_t qdot_synchronous_peak_count(const qdot_synchronous *synchronous, size_t output);
QDOT_API void qdot_synchronous_peak_at(const qdot_synchronous *synchronous, size_t output, size_t i,
                                       double *speed, double *amplitude);
QDOT_API qdot_status qdot_synchronous_write(qdot_synchronous *synchronous,
                                            const qdot_write_options *options, qdot_sink sink);

typedef struct qdot_locus qdot_locus;

typedef struct qdot_locus_options {
  size_t size;
  const char *range;  // "NAME=a..b": a parameter from a to b; a unit behind b holds for both
  uint32_t steps;     // 0: 121
  const char *folder; // for sweep.csv and its picture; NULL: none
} qdot_locus_options;
QDOT_DEFAULTS(qdot_locus_options, qdot_locus_defaults)
// How frequencies, damping and stability change with a parameter, and where stability is lost or
// gained.
QDOT_API qdot_status qdot_system_locus(qdot_system *system, const qdot_locus_options *options,
                                       qdot_locus **out);
QDOT_API void qdot_locus_close(qdot_locus *locus);

typedef struct qdot_locus_step {
  double value; // of the parameter
  int is_found; // there is an equilibrium or steady motion
  qdot_stability stability;
  size_t eigenvalue_count;
  const double *eigenvalues; // re, im of each, by modulus
} qdot_locus_step;
QDOT_API size_t qdot_locus_step_count(const qdot_locus *locus);
QDOT_API const qdot_locus_step *qdot_locus_step_at(const qdot_locus *locus, size_t i);
// Values of the parameter at which stability is lost or gained.
QDOT_API size_t qdot_locus_change_count(const qdot_locus *locus);
QDOT_API double qdot_locus_change_at(const qdot_locus *locus, size_t i);
// As text or JSON.
QDOT_API qdot_status qdot_locus_write(qdot_locus *locus, const qdot_write_options *options,
                                      qdot_sink sink);

// ---- Formulations side by side

typedef struct qdot_comparison qdot_comparison;

typedef struct qdot_compare_options {
  size_t size;
  const qdot_run_options *run; // of every formulation; folder: for compare.svg, or NULL; rows,
                               // checkpoints and verify have no effect
  // Called before each stage: derive, prove, simulate.
  void (*stage)(void *user, const char *formulation, qdot_stage stage);
  void *stage_user;
} qdot_compare_options;
QDOT_DEFAULTS(qdot_compare_options, qdot_compare_defaults)

// Derives a model of bodies in every formulation, proves that the equations are the same after
// projection onto the same coordinates, and simulates each. A formulation that does not apply, or
// whose run fails, is listed with its reason. Of a model of energies the roads to its equations are
// compared (Lagrange, Hamilton, Kane ...), without runs.
QDOT_API qdot_status qdot_model_compare(qdot_model *model, const qdot_compare_options *options,
                                        qdot_comparison **out);
QDOT_API void qdot_comparison_close(qdot_comparison *comparison);
// All equations are equal, exactly or with the stated probability of error.
QDOT_API int qdot_comparison_is_proved(const qdot_comparison *comparison);
// The user ended a run.
QDOT_API int qdot_comparison_is_stopped(const qdot_comparison *comparison);
// compare.svg was written: at least two formulations have run, and gnuplot is installed.
QDOT_API int qdot_comparison_is_drawn(const qdot_comparison *comparison);

typedef struct qdot_compared {
  const char *formulation;
  const char *refusal; // why it does not apply, or why its run failed; else NULL
  uint32_t coordinates, constraints;
  double derive_seconds, run_seconds;
  int is_reference; // the others are compared with it
  int is_equal;     // its equations were proved equal to those of the reference
  double error;     // probability that the proof is wrong; 0: exact
  // Largest differences from the motion of the reference, NAN without a run: m, rad, J.
  double position, angle, energy;
} qdot_compared;
QDOT_API size_t qdot_compared_count(const qdot_comparison *comparison);
QDOT_API const qdot_compared *qdot_compared_at(const qdot_comparison *comparison, size_t i);
// The table as text or JSON.
QDOT_API qdot_status qdot_comparison_write(qdot_comparison *comparison,
                                           const qdot_write_options *options, qdot_sink sink);

// ---- Tolerances

// What a model's tolerance line asks for: many runs with parameters that vary, and the
// distributions of measures.
typedef struct qdot_tolerance qdot_tolerance;

typedef struct qdot_tolerance_options {
  size_t size;
  const qdot_run_options *run; // of every run; folder: for tolerance.svg, or NULL; stop: what was
                               // done is kept; rows, progress, checkpoints and verify have no
                               // effect
  uint32_t runs;               // 0: as the line says
  int has_seed;                // seed counts instead of the line's
  uint64_t seed;
  uint32_t threads; // 0: one for every core; the numbers are the same for any
  void (*progress)(void *user, uint32_t done, uint32_t runs);
  void *progress_user;
  int only_whole; // what was stopped is neither drawn nor kept in the folder
} qdot_tolerance_options;
QDOT_DEFAULTS(qdot_tolerance_options, qdot_tolerance_defaults)

// What the model asks, as the word of the line: "tolerance", "sweep", "sensitivity" ...
QDOT_API size_t qdot_model_question_count(const qdot_model *model);
QDOT_API const char *qdot_model_question_at(const qdot_model *model, size_t i);

// Makes the runs. Fails if the model has no tolerance line, or if the run with the model's own
// values fails; sampled runs that fail are counted.
QDOT_API qdot_status qdot_model_tolerance(qdot_model *model, const qdot_tolerance_options *options,
                                          qdot_tolerance **out);
QDOT_API void qdot_tolerance_close(qdot_tolerance *tolerance);
// Ended before all runs were made.
QDOT_API int qdot_tolerance_is_stopped(const qdot_tolerance *tolerance);
// tolerance.svg was written: a measure varies, and gnuplot is installed.
QDOT_API int qdot_tolerance_is_drawn(const qdot_tolerance *tolerance);
QDOT_API uint32_t qdot_tolerance_run_count(const qdot_tolerance *tolerance);
QDOT_API uint32_t qdot_tolerance_failed_count(const qdot_tolerance *tolerance);

// What one measure does. Values are NAN where no run has one.
typedef struct qdot_distribution {
  const char *name;
  uint32_t runs;        // in which it has a value
  double nominal;       // with the model's own values
  double mean, std;     // of the runs
  double linear_std;    // as the slopes predict it
  double least, most;   // of the runs
  const double *sorted; // the values of these runs, ascending
  const double *shares; // of the variance, by parameter in the order of the line
} qdot_distribution;
QDOT_API size_t qdot_distribution_count(const qdot_tolerance *tolerance);
QDOT_API const qdot_distribution *qdot_distribution_at(const qdot_tolerance *tolerance, size_t i);
// As text or JSON.
QDOT_API qdot_status qdot_tolerance_write(qdot_tolerance *tolerance,
                                          const qdot_write_options *options, qdot_sink sink);

// ---- Sweeps

// What a model's sweep line asks for: a run for every case, its measures in one table. The result
// is the same to the byte, whichever thread, process or machine makes the runs.
typedef struct qdot_sweep qdot_sweep;

// A block of cases whose runs are done.
typedef struct qdot_sweep_block {
  uint64_t first; // case, from 0
  uint32_t cases; // in the block
  size_t axes, measures;
  const double *values;       // cases x axes: what varies, in the order of the line
  const double *results;      // cases x measures; NAN where there is no value
  const char *const *reasons; // of each case: NULL where it is ok, else why it has failed
} qdot_sweep_block;

// How the processes of a job send bytes to each other; whoever starts them knows. Calls come one at
// a time, from any thread, and results of 0 mean success.
typedef struct qdot_peers {
  void *user;
  uint32_t rank, ranks; // this process, from 0, and how many there are
  // Returns when the bytes may be used again.
  int (*send)(void *user, uint32_t to, const void *bytes, size_t n);
  // The length of a message that has come, and of whom; 0 at once where there is none.
  size_t (*look)(void *user, uint32_t *from);
  // Takes the message that look has found.
  int (*take)(void *user, uint32_t from, void *bytes, size_t n);
} qdot_peers;

typedef enum qdot_table {
  QDOT_TABLE_AUTO = 0, // CSV up to 10^5 cases, else HDF5
  QDOT_TABLE_CSV = 1,
  QDOT_TABLE_H5 = 2 // HDF5, whose library is loaded then
} qdot_table;

typedef struct qdot_sweep_options {
  size_t size;
  const qdot_run_options *run; // of every run; folder: of the table, or NULL for none; stop: blocks
                               // that are done are kept, and the same call makes the others;
                               // rows, progress, checkpoints and verify have no effect
  int has_seed;                // seed counts instead of the line's
  uint64_t seed;
  uint32_t threads;       // 0: one for every core
  uint32_t shard, shards; // 3 and 64: the third of 64 parts, blocks without a table; 0: all
  // Processes of one job that share the folder, as mpirun starts them: each takes blocks that no
  // other has taken, and the first also writes the table. job: a name of this job, letters and
  // digits; NULL: this process is alone.
  const char *job;
  uint32_t rank, ranks;
  const char *const *merge; // folders whose blocks are joined to a table; nothing is run
  size_t merge_count;
  // Before the first run: how long it may take and how many bytes the table has, about.
  void (*estimate)(void *user, uint64_t cases, double seconds, double bytes);
  void (*progress)(void *user, uint64_t done, uint64_t cases);
  // Every block once, in any order, one at a time; from several threads.
  void (*block)(void *user, const qdot_sweep_block *block);
  void *user; // of these three
  qdot_table table;
  // Instead of job: processes that speak with each other. The first one hands out blocks, works,
  // and makes the table in its folder, which the others need not see.
  const qdot_peers *peers;
  // How many runs a thread makes side by side: 1, 4 (AVX2) or 8 (AVX-512); 0: as many as the
  // processor is good for. The numbers are the same.
  uint32_t lanes;
} qdot_sweep_options;
QDOT_DEFAULTS(qdot_sweep_options, qdot_sweep_defaults)

// Makes the runs and writes table.csv or table.h5, with table.json beside it (units, seed, model,
// version; table.h5 has them inside, too) and the picture sweep.svg of up to 250000 cases, where
// gnuplot is installed. Fails if the model has no sweep line, if the model's own values give no
// initial state, or if a file cannot be written; cases that fail are recorded with their reason.
QDOT_API qdot_status qdot_model_sweep(qdot_model *model, const qdot_sweep_options *options,
                                      qdot_sweep **out);
QDOT_API void qdot_sweep_close(qdot_sweep *sweep);
// Ended before all runs were made; the same call again makes the others.
QDOT_API int qdot_sweep_is_stopped(const qdot_sweep *sweep);
// Cases of the whole sweep; those of them that are done, and of these those that have failed.
QDOT_API uint64_t qdot_sweep_cases(const qdot_sweep *sweep);
QDOT_API uint64_t qdot_sweep_done(const qdot_sweep *sweep);
QDOT_API uint64_t qdot_sweep_failed(const qdot_sweep *sweep);
// How this process makes runs: "scalar", "avx2" or "avx512"; "merged" where it made none of them.
QDOT_API const char *qdot_sweep_backend(const qdot_sweep *sweep);
// The files that were made, in order.
QDOT_API size_t qdot_sweep_file_count(const qdot_sweep *sweep);
QDOT_API const qdot_file *qdot_sweep_file_at(const qdot_sweep *sweep, size_t i);
// As text or JSON.
QDOT_API qdot_status qdot_sweep_write(qdot_sweep *sweep, const qdot_write_options *options,
                                      qdot_sink sink);

// ---- Positions

// Kinematics and inverse dynamics of a mechanism whose every motion is driven: nothing is
// integrated, and bodies need no masses if their inertia does not matter (qdot_model_options,
// kinematics).
typedef struct qdot_positions qdot_positions;

typedef struct qdot_positions_options {
  size_t size;
  uint32_t steps; // 0: 360; there is one more row
  double to;      // seconds; 0: one turn of the first motor with a constant speed, else the end of
                  // the simulate line
} qdot_positions_options;
QDOT_DEFAULTS(qdot_positions_options, qdot_positions_defaults)

// Fails where a motion is not driven, a drive gives a velocity that must be integrated, or the
// mechanism cannot be moved that far.
QDOT_API qdot_status qdot_positions_open(qdot_model *model, const qdot_positions_options *options,
                                         qdot_positions **out);
QDOT_API void qdot_positions_close(qdot_positions *positions);
// Rows have the columns of a result: t, q, q', q'', multipliers, outputs, energies, names of parts.
QDOT_API size_t qdot_positions_row_count(const qdot_positions *positions);
QDOT_API size_t qdot_positions_column_count(const qdot_positions *positions);
QDOT_API const char *qdot_positions_column_at(const qdot_positions *positions, size_t i);
QDOT_API size_t qdot_positions_column_find(const qdot_positions *positions, const char *name);
// One value for each column.
QDOT_API const double *qdot_positions_row_at(const qdot_positions *positions, size_t i);

typedef struct qdot_extent {
  double least, most;     // of outputs and names of parts: also between the rows
  double t_least, t_most; // when
  double mean, rms;       // over the time
} qdot_extent;
// Of column i.
QDOT_API const qdot_extent *qdot_positions_extent_at(const qdot_positions *positions, size_t i);

// Positions alone, fast: continues from where it is in n steps of `step` seconds and writes n rows
// of coordinates, qdot_positions_coordinate_count each, to q. QDOT_SINGULAR where the drive cannot
// move any further.
QDOT_API size_t qdot_positions_coordinate_count(const qdot_positions *positions);
QDOT_API qdot_status qdot_positions_walk(qdot_positions *positions, double step, size_t n,
                                         double *q);
// As text, JSON or CSV.
QDOT_API qdot_status qdot_positions_write(qdot_positions *positions,
                                          const qdot_write_options *options, qdot_sink sink);

// ---- Questions: which parameter matters, which value serves

// The answer to what a line of the model asks: "sensitivity", "fit", "find" or "orbit".
typedef struct qdot_answer qdot_answer;

typedef struct qdot_question_options {
  size_t size;
  const qdot_run_options *run; // of every run; folder: for pictures and tables, or NULL; stop: what
                               // was found is kept; rows, progress, checkpoints and verify have no
                               // effect
  void (*progress)(void *user, uint32_t runs, double best); // best: what is improved, or NAN
  void *progress_user;
  int only_whole; // what was stopped is neither drawn nor kept in the folder
} qdot_question_options;
QDOT_DEFAULTS(qdot_question_options, qdot_question_defaults)

// Answers the model's line of this name. Fails if the model has no such line, or if the run with
// the model's own values fails.
QDOT_API qdot_status qdot_model_ask(qdot_model *model, const char *question,
                                    const qdot_question_options *options, qdot_answer **out);
QDOT_API void qdot_answer_close(qdot_answer *answer);
// It was ended early, and is what had been found by then.
QDOT_API int qdot_answer_is_stopped(const qdot_answer *answer);
// What was asked for has been found.
QDOT_API int qdot_answer_is_found(const qdot_answer *answer);
// The files that were made, in order.
QDOT_API size_t qdot_answer_file_count(const qdot_answer *answer);
QDOT_API const qdot_file *qdot_answer_file_at(const qdot_answer *answer, size_t i);
// A number of its JSON document, by the keys on the way to it:
// "measures/peak/derivative/r"; NAN where there is none.
QDOT_API double qdot_answer_number(qdot_answer *answer, const char *path);
// As text or JSON.
QDOT_API qdot_status qdot_answer_write(qdot_answer *answer, const qdot_write_options *options,
                                       qdot_sink sink);
// The model's text with the values that a fit or a search has found in place of its own numbers, in
// their units; all else, comments included, as it was. QDOT_BAD_ARGUMENT for other questions,
// QDOT_UNSUPPORTED with a diagnostic where a value is not a plain number of the model's own file.
QDOT_API qdot_status qdot_answer_rewrite(qdot_answer *answer, qdot_sink sink);

// ---- Export

typedef struct qdot_export_options {
  size_t size;
  qdot_file_sink files; // takes the files; without one they are written to the folder
  const char *folder;   // NULL: the current one
  const char *name;     // of the files; NULL: that of the model's file
} qdot_export_options;
QDOT_DEFAULTS(qdot_export_options, qdot_export_defaults)
// Makes source files in a language, "c", "octave", "python" or "js", that do not need Qdot.
QDOT_API qdot_status qdot_system_export(qdot_system *system, const char *language,
                                        const qdot_export_options *options);
// The same of a model of which nothing has been derived yet, so that the program in C gives the
// rows of qdot_model_simulate to the last bit; equations that exist before it change the order of
// terms. *out is as from qdot_system_derive.
QDOT_API qdot_status qdot_model_export(qdot_model *model, const char *language,
                                       const qdot_export_options *options, qdot_system **out);
// The files that were made from the system, in order.
QDOT_API size_t qdot_system_file_count(const qdot_system *system);
QDOT_API const qdot_file *qdot_system_file_at(const qdot_system *system, size_t i);

#ifdef __cplusplus
}
#endif

#endif
