// A run with its progress on the terminal, which Ctrl-C ends early with what it has.
#ifndef QDOT_APP_RUNNING_H
#define QDOT_APP_RUNNING_H

#include "session.h"

// Of a result that is drawn at once; a larger one is read from its files.
#define RUNNING_MEMORY ((size_t)256 << 20)

// The run options that the command line gives.
qdot_run_options running_options(const Arguments *arguments);
// The same for what will be told of: its rows stay in memory, and a second run says how far it
// holds, where that costs little.
qdot_run_options running_options_of_report(const Arguments *arguments);
// Simulates into the folder.
qdot_status running_simulate(Session *session, qdot_run_options options, const char *folder,
                             qdot_result **out);
// The same by a plan.
qdot_status running_plan(Session *session, qdot_plan *plan, qdot_run_options options,
                         const char *folder, qdot_result **out);
// The same for all formulations of a model; folder may be NULL.
qdot_status running_compare(Session *session, qdot_run_options run, const char *folder,
                            qdot_comparison **out);
// Seconds that this process has computed, in all its threads.
double running_seconds(void);

// How long an answer may take. What would take longer is given up, and nothing of it is kept.
typedef struct TimeLimit {
  double seconds; // of computing, so that others on the machine do not decide
  bool is_exceeded;
  double expected; // seconds that one would have waited for it, or 0 where nobody knows
} TimeLimit;

// The runs of a tolerance line. limit: NULL for no limit.
qdot_status running_tolerance(Session *session, qdot_tolerance_options options,
                              qdot_run_options run, TimeLimit *limit, qdot_tolerance **out);
// The runs of a sweep line.
qdot_status running_sweep(Session *session, qdot_sweep_options options, qdot_run_options run,
                          qdot_sweep **out);
// What a line of the model asks. limit: NULL for no limit.
qdot_status running_ask(Session *session, const char *question, qdot_run_options run,
                        TimeLimit *limit, qdot_answer **out);
// Done, stopped by the user, or wrong where it broke down.
int running_status(const qdot_result *run);
// True when the user ended it.
bool running_was_stopped(const qdot_result *run);

bool is_result_folder(const char *path);
// The stored result that the last operand names: a folder with one, or a model, which is simulated
// when there is no result of it yet. *stopped tells whether the user ended that run. As
// session_open in all else.
int running_open_result(const Arguments *arguments, Session *session, qdot_result **out,
                        bool *stopped);
// Names results.mat where it was asked for.
void running_name_mat(const Session *session, const char *folder);
// Names the files that were made, each with what it shows.
void running_list_files(const Session *session, const qdot_result *result);

#endif
