// What a model asks of many runs: tolerance lines as records with spans.
#ifndef QDOT_MODEL_QUESTION_H
#define QDOT_MODEL_QUESTION_H

#include <stdint.h>

#include "expr/node.h"

// r = 0.05 [mm]: anywhere within +-; l = normal 0.02 [mm]: with that standard deviation.
typedef struct Spread {
  Symbol parameter;
  Expr width; // positive, of parameters
  bool is_normal;
  Span span;
} Spread;

// tolerance SPREADS, runs N, seed K: MEASURES
typedef struct ToleranceRequest {
  bool is_given;
  VEC(Spread) spreads;
  VEC(uint32_t) measures; // numbers of measurements
  uint32_t runs;
  uint64_t seed;
  Span span;
} ToleranceRequest;

#endif
