// What a course of values may be reduced to: one number of a motion.
#ifndef QDOT_PROGRAM_REDUCTION_H
#define QDOT_PROGRAM_REDUCTION_H

typedef enum ReductionKind {
  REDUCE_MAX,
  REDUCE_MIN,
  REDUCE_MEAN,
  REDUCE_RMS,
  REDUCE_INTEGRAL,
  REDUCE_FIRST,
  REDUCE_LAST,
  REDUCE_FINAL,
  REDUCE_START,
  REDUCE_COUNT
} ReductionKind;

#endif
