// Every status that a Qdot function can return, with its number, which never changes, and its
// sentence; part of qdot.h.
#ifndef QDOT_STATUS_H
#define QDOT_STATUS_H

#define QDOT_STATUS_TABLE(X)                                                                       \
  X(QDOT_OK, 0, "done")                                                                            \
  /* the model's text */                                                                           \
  X(QDOT_SYNTAX, 1, "the text does not follow the grammar")                                        \
  X(QDOT_UNKNOWN_NAME, 2, "a name is not known")                                                   \
  X(QDOT_DUPLICATE_NAME, 3, "a name is defined twice")                                             \
  X(QDOT_BAD_UNIT, 4, "units do not fit")                                                          \
  X(QDOT_BAD_VALUE, 5, "a value is not allowed")                                                   \
  X(QDOT_UNDEFINED, 6, "an expression has no value")                                               \
  X(QDOT_BAD_MODEL, 7, "the model cannot describe a mechanical system")                            \
  X(QDOT_UNSUPPORTED, 8, "this combination is not supported")                                      \
  /* numbers */                                                                                    \
  X(QDOT_SINGULAR_MASS, 9, "the mass matrix is singular")                                          \
  X(QDOT_SINGULAR, 10, "a linear system has no unique solution")                                   \
  X(QDOT_NO_CONVERGENCE, 11, "an iteration does not converge")                                     \
  X(QDOT_INCONSISTENT, 12, "the constraints cannot be met")                                        \
  X(QDOT_STEP_LIMIT, 13, "too many steps, or the step became too small")                           \
  X(QDOT_BLOW_UP, 14, "the solution grows without bound")                                          \
  X(QDOT_INTEGRATOR_FAILED, 15, "the integrator failed")                                           \
  X(QDOT_STOPPED, 16, "stopped by the user")                                                       \
  /* resources and the outside */                                                                  \
  X(QDOT_NO_MEMORY, 17, "the memory limit is reached")                                             \
  X(QDOT_TOO_LARGE, 18, "a size limit is reached")                                                 \
  X(QDOT_TIMEOUT, 19, "the time limit is reached")                                                 \
  X(QDOT_CANCELLED, 20, "cancelled")                                                               \
  X(QDOT_IO, 21, "a file cannot be read or written")                                               \
  X(QDOT_BAD_FILE, 22, "a file does not have the expected content")                                \
  X(QDOT_NO_PROGRAM, 23, "a helper program is missing or failed")                                  \
  X(QDOT_BAD_ARGUMENT, 24, "an argument is not allowed")

typedef enum qdot_status {
#define QDOT_STATUS_NAME(name, number, sentence) name = number,
  QDOT_STATUS_TABLE(QDOT_STATUS_NAME)
#undef QDOT_STATUS_NAME
} qdot_status;

#endif
