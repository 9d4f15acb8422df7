// Every status that a Qdot function can return, with its sentence.
#ifndef QDOT_STATUS_H
#define QDOT_STATUS_H

#define QDOT_STATUS_TABLE(X)                                                                       \
  X(QDOT_OK, "done")                                                                               \
  /* the model's text */                                                                           \
  X(QDOT_SYNTAX, "the text does not follow the grammar")                                           \
  X(QDOT_UNKNOWN_NAME, "a name is not known")                                                      \
  X(QDOT_DUPLICATE_NAME, "a name is defined twice")                                                \
  X(QDOT_BAD_UNIT, "units do not fit")                                                             \
  X(QDOT_BAD_VALUE, "a value is not allowed")                                                      \
  X(QDOT_UNDEFINED, "an expression has no value")                                                  \
  X(QDOT_BAD_MODEL, "the model cannot describe a mechanical system")                               \
  X(QDOT_UNSUPPORTED, "this combination is not supported")                                         \
  /* numbers */                                                                                    \
  X(QDOT_SINGULAR_MASS, "the mass matrix is singular")                                             \
  X(QDOT_SINGULAR, "a linear system has no unique solution")                                       \
  X(QDOT_NO_CONVERGENCE, "an iteration does not converge")                                         \
  X(QDOT_INCONSISTENT, "the constraints cannot be met")                                            \
  X(QDOT_STEP_LIMIT, "too many steps, or the step became too small")                               \
  X(QDOT_BLOW_UP, "the solution grows without bound")                                              \
  X(QDOT_INTEGRATOR_FAILED, "the integrator failed")                                               \
  X(QDOT_STOPPED, "stopped by the user")                                                           \
  /* resources and the outside */                                                                  \
  X(QDOT_NO_MEMORY, "the memory limit is reached")                                                 \
  X(QDOT_TOO_LARGE, "a size limit is reached")                                                     \
  X(QDOT_TIMEOUT, "the time limit is reached")                                                     \
  X(QDOT_CANCELLED, "cancelled")                                                                   \
  X(QDOT_IO, "a file cannot be read or written")                                                   \
  X(QDOT_BAD_FILE, "a file does not have the expected content")                                    \
  X(QDOT_NO_PROGRAM, "a helper program is missing or failed")                                      \
  X(QDOT_BAD_ARGUMENT, "an argument is not allowed")

typedef enum qdot_status {
#define QDOT_STATUS_NAME(name, sentence) name,
  QDOT_STATUS_TABLE(QDOT_STATUS_NAME)
#undef QDOT_STATUS_NAME
} qdot_status;

#endif
