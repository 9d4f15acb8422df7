// What a model asks of many runs: tolerance and sweep lines as records with spans.
#ifndef QDOT_MODEL_QUESTION_H
#define QDOT_MODEL_QUESTION_H

#include <stdint.h>

#include "base/diag.h"
#include "expr/node.h"
#include "model/infer.h"

// What a question changes: a parameter or an input, or a start value theta(0), theta'(0).
typedef struct Varied {
  Symbol name;     // of the parameter or input; of the coordinate or state that starts there
  bool is_start;   //
  uint32_t primes; // 1 for theta'(0)
  Span span;
} Varied;

// What it is called: theta'(0). In the scratch arena for start values.
const char *varied_text(Context *cx, const Varied *varied);

// The same with the dimension of what changes.
typedef struct VariedBy {
  Varied varied;
  Measure measure; // of the parameter, or of the coordinate
} VariedBy;

// sensitivity MEASURES to VARIED
typedef struct SensitivityRequest {
  bool is_given;
  VEC(uint32_t) measures; // numbers of measurements
  VEC(VariedBy) by;
  Span span;
} SensitivityRequest;

// What is searched for, within bounds; 0 for none.
typedef struct Sought {
  VariedBy by;
  bool is_each;   // of a fit: every file has a value of its own
  Expr low, high; // of parameters
} Sought;
typedef VEC(Sought) SoughtList;

typedef struct FitFile {
  const char *name;
  uint32_t rows;
  double *times; // ascending, from 0 or later
} FitFile;

// theta = angle [deg]
typedef struct FitSignal {
  uint32_t file;
  const char *label;  // as it was written
  uint32_t reduction; // whose value it is
  Measure measure;
  double *values; // by row, SI; NAN for gaps
  Span span;
} FitSignal;

// fit UNKNOWNS to "FILE": SIGNALS, global
typedef struct FitRequest {
  bool is_given, is_global;
  SoughtList unknowns;
  VEC(FitFile) files;
  VEC(FitSignal) signals;
  Span span;
} FitRequest;

typedef enum AimKind { AIM_LEAST, AIM_MOST, AIM_EQUAL, AIM_AT_MOST, AIM_AT_LEAST } AimKind;

// minimize peak, stroke = 120 [mm]
typedef struct FindAim {
  AimKind kind;
  uint32_t measure;
  Expr value;       // of parameters; 0 for what is made least or most
  const char *unit; // that the value was written with, or NULL
  Span span;
} FindAim;

// A point that a path goes through.
typedef struct FindPoint {
  uint32_t reduction; // the least square of its distance
  uint32_t n;
  Expr at[3];
  Expr time; // at which it is passed; 0: at any
  Span span;
} FindPoint;

// find UNKNOWNS: AIMS
typedef struct FindRequest {
  bool is_given, is_global;
  SoughtList unknowns;
  VEC(FindAim) aims;
  VEC(FindPoint) points;
  Span span;
} FindRequest;

typedef struct OrbitStart {
  Varied varied;
  Expr value; // of parameters
} OrbitStart;

// orbit theta ~ 0.2, theta' ~ -1 [rad/s]
typedef struct OrbitRequest {
  bool is_given;
  VEC(OrbitStart) starts;
  Span span;
} OrbitRequest;

// 0.05 [mm], or 5 [%] of the value that the model has.
typedef struct Width {
  Expr value; // positive, of parameters
  bool is_relative;
} Width;

// How wide about a centre; NAN where it is a part of 0.
double width_about(Context *cx, const Width *width, double centre, const double *values);
// The same for what is varied, with an error there.
Status width_of_varied(Context *cx, const Width *width, const Varied *varied, double centre,
                       const double *values, double *out);

// r = 0.05 [mm]: anywhere within +-; l = normal 0.02 [mm]: with that standard deviation.
typedef struct Spread {
  Varied varied;
  Width width;
  bool is_normal;
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

typedef enum AxisKind {
  AXIS_GRID,    // r = 20..60 [mm] steps 41
  AXIS_LIST,    // r = (20, 30, 50 [mm])
  AXIS_UNIFORM, // r in 20..60 [mm]
  AXIS_NORMAL,  // k = normal 5 [N/m]
  AXIS_CASES    // a column of a file
} AxisKind;

// One of the things that a sweep varies. Expressions are of parameters.
typedef struct SweepAxis {
  AxisKind kind;
  Varied varied;
  Measure measure;  // of its values
  Expr low, high;   // of ranges
  uint64_t steps;   // of a grid: how many values; of a list and of cases the same
  VEC(Expr) values; // of a list
  Width width;      // of a normal distribution: its standard deviation
  double *cells;    // of cases: by case, SI
} SweepAxis;

// sweep AXES, runs N, seed K, sobol: MEASURES, keep rows where CONDITION
typedef struct SweepRequest {
  bool is_given;
  VEC(SweepAxis) axes;
  VEC(uint32_t) measures; // numbers of measurements
  uint64_t runs;          // 0: a grid, a list or cases
  uint64_t seed;
  bool is_sobol;
  Expr keeps; // a condition of measures and parameters: whose rows are kept; 0 for none
  Span span;
} SweepRequest;

#endif
