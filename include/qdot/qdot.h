// Qdot: equations of motion from a textbook's statement of a mechanical system.
//
// context -> model -> system -> evaluator -> run -> result. One context per thread; a context owns
// all that is made from it. Functions that can fail return a qdot_status; what went wrong, in the
// user's words, is in the context's diagnostics (qdot_diagnostics_write).
#ifndef QDOT_QDOT_H
#define QDOT_QDOT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

typedef struct qdot_context qdot_context;

// ---- Status and version

// The sentence that belongs to a status; never NULL.
QDOT_API const char *qdot_status_text(qdot_status status);
QDOT_API const char *qdot_version(void);
// The candidate that a misspelt word probably meant, or NULL.
QDOT_API const char *qdot_nearest_word(const char *word, const char *const *candidates,
                                       size_t count);

// ---- Text that goes out

// Where a printer writes; write returns 0 when it took all bytes. A printer stops at the first
// failure and returns QDOT_IO.
typedef struct qdot_sink {
  int (*write)(void *user, const char *bytes, size_t n);
  void *user;
} qdot_sink;

// A sink that writes to an open stream.
QDOT_API qdot_sink qdot_sink_stream(FILE *stream);

// ---- Context

// What a context may use before it gives up with a clear error. 0 means no limit.
typedef struct qdot_limits {
  size_t memory_bytes; // all memory of the context
  uint32_t nodes;      // nodes of the expression graph
  double seconds;      // time of one call
  uint32_t nesting;    // depth of brackets and blocks in a model's text
  uint32_t statements; // statements after loops are expanded
} qdot_limits;

// 4 GiB, 50 million nodes, no time limit, 500 levels, a million statements.
QDOT_API qdot_limits qdot_limits_defaults(void);

typedef enum qdot_log_level {
  QDOT_LOG_ERROR,
  QDOT_LOG_WARN,
  QDOT_LOG_INFO,
  QDOT_LOG_DEBUG
} qdot_log_level;

// NULL when there is no memory for it. limits may be NULL for the defaults.
QDOT_API qdot_context *qdot_context_open(const qdot_limits *limits);
// Frees everything made from the context. NULL is allowed.
QDOT_API void qdot_context_close(qdot_context *cx);
// Ends the call that is under way on the context with QDOT_CANCELLED; may be called from a signal
// handler or another thread. The context can then only be closed.
QDOT_API void qdot_context_cancel(qdot_context *cx);
QDOT_API void qdot_context_log(qdot_context *cx, qdot_log_level level,
                               void (*write)(void *user, qdot_log_level level, const char *line),
                               void *user);

// ---- Diagnostics: what is wrong with a model, for the person who wrote it

QDOT_API uint32_t qdot_error_count(const qdot_context *cx);
QDOT_API uint32_t qdot_warning_count(const qdot_context *cx);
// All of them in order, each with its line and a caret, and a last line that counts them. Also
// works after a call that ran out of memory, nodes or time, which it explains.
QDOT_API qdot_status qdot_diagnostics_write(const qdot_context *cx, int colour, qdot_sink sink);

#ifdef __cplusplus
}
#endif

#endif
