// Inference of dimensions: linear equations over the exponents of names without a unit.
#ifndef QDOT_MODEL_INFER_H
#define QDOT_MODEL_INFER_H

#include "base/context.h"
#include "model/dimension.h"

typedef struct FormTerm {
  uint32_t unknown;
  Ratio power;
} FormTerm;

typedef enum FormKind {
  FORM_FIXED, // known * product of unknowns to powers
  FORM_BARE,  // of a bare number: pure in a product, its neighbour's in a sum
  FORM_WRONG  // after a reported mistake: fits everywhere
} FormKind;

// The dimension of an expression.
typedef struct Form {
  FormKind kind;
  uint32_t n; // terms, each unknown once, ascending
  Dimension known;
  const FormTerm *terms;
} Form;

// The dimension of a name: written by the user, or inferred, or still open (then it is not known).
typedef struct Measure {
  Dimension dimension;
  bool is_known;
  bool is_given;    // a unit was written
  bool is_cosine;   // a component of a unit vector: a pure number that is not an angle
  const char *unit; // as written: "N*m*s"; NULL when there was none
  const Form *form; // while the model is read, what is said so far: later lines may tell more
} Measure;

typedef struct Unknown {
  Symbol name; // whose dimension it is
  bool is_solved;
  bool is_beside_one; // 1 - mu stands somewhere: then it is a number, if anything
  Form value;
  Span by; // the statement that told it
} Unknown;

typedef struct Inference {
  Context *cx;
  Arena *arena; // of forms
  VEC(Unknown) unknowns;
  Span where; // the statement that is being read
} Inference;

Inference inference_new(Context *cx, Arena *arena);
// The dimension of a name without a unit.
Form inference_unknown(Inference *inference, Symbol name);

// A sum of 1 and such a name: another dimension that lines may lead to would be invented.
void inference_beside_one(Inference *inference, Form form);

Form form_bare(void);
Form form_wrong(void);
Form form_pure(void);
Form form_known(Dimension dimension);
Form form_mul(Inference *inference, Form a, Form b);
Form form_div(Inference *inference, Form a, Form b);
Form form_pow(Inference *inference, Form a, Ratio exponent);

// Demands that both are alike, solving for an unknown where there is one. False when they cannot
// be.
bool form_equate(Inference *inference, Form a, Form b);
// With all that is known so far put in; form_is_known asks for no unknown left.
Form form_resolve(Inference *inference, Form a);
bool form_is_known(Inference *inference, Form a, Dimension *out);
// All lines are read: names that they leave open are pure numbers from now on where all may be,
// those that depend on them as well. may_be: does this name count, as a parameter without a unit
// does?
void inference_suppose_pure(Inference *inference, bool (*may_be)(const void *argument, Symbol name),
                            const void *argument);
// The dimension of a name as a form, while its model is read and afterwards.
Form measure_form(Measure measure);
// All lines are read: what is known now is all that will be.
void measure_settle(Inference *inference, Measure *measure);
// The same of a parameter: beside 1 it is a pure number, or its dimension is not known.
void measure_settle_number(Inference *inference, Measure *measure);
// "kg m²/s²"; "pure number"; unknowns as [name].
void form_print(Inference *inference, Form a, Text *out);

#endif
