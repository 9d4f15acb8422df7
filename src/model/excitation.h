// What a model says of excitations in the frequency domain: random, comfort and synchronous lines
// as records with spans.
#ifndef QDOT_MODEL_EXCITATION_H
#define QDOT_MODEL_EXCITATION_H

#include "model/question.h"

// random z = road C, speed v
// random F(f) = S_0/(1 + (f/f_0)^2), from 1 [Hz], to 100 [Hz]
// random z_2 = z, delay l/v
typedef struct RandomLine {
  Symbol input;       // that is random
  uint32_t source;    // number of the line whose process it is: its own, or an earlier one's
  char road;          // class of ISO 8608, 'A' to 'H'; 0 for none
  bool is_rate;       // the input is the rate of the road's height
  Expr density;       // one-sided, in squares of the input per hertz; 0 for roads and copies
  Expr frequency;     // the name that stands for the frequency in it, or 0
  Expr speed, delay;  // of parameters; 0 where not given
  Expr lowest, upper; // Hz, of parameters; 0 where not given
  Span span;          // of the name
} RandomLine;

// comfort W_k: seat.y'', ...
typedef struct ComfortLine {
  Symbol weight;     // W_k, one of those of weighting.h
  Expr value;        // an acceleration
  const char *label; // as it was written
  Span span;
} ComfortLine;

// synchronous w in 100..6000 [rpm]: U, e
typedef struct SynchronousRequest {
  bool is_given;
  Symbol speed;       // the parameter that is the speed of rotation
  Expr slow, fast;    // of parameters
  VEC(Varied) drives; // parameters that are the size of what is out of balance
  Span span;
} SynchronousRequest;

#endif
