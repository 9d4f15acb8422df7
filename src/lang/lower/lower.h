// Statements -> Model: loops are run, names are looked up, expressions are built and measured.
// Sources: lower.c, lower_action.c, lower_call.c, lower_contact.c, lower_element.c,
//   lower_expr.c, lower_friction.c, lower_law.c, lower_measure.c, lower_mechanism.c,
//   lower_body.c, lower_joint.c, lower_member.c, lower_name.c, lower_question.c, lower_reading.c,
//   lower_excitation.c, lower_request.c, lower_search.c, lower_stops.c, lower_sweep.c,
//   lower_system.c, lower_table.c, lower_unit.c, lower_use.c
#ifndef QDOT_LANG_LOWER_LOWER_H
#define QDOT_LANG_LOWER_LOWER_H

#include <string.h>

#include "lang/parse/ast.h"
#include "lang/parse/override.h"
#include "lang/parse/statement.h"
#include "model/infer.h"
#include "model/model.h"

// What an expression amounts to: a scalar (n = 1), a vector (2, 3), or nothing after a mistake (0).
typedef struct Value {
  uint32_t n;
  bool is_truth; // a condition
  Expr at[3];
  Form form[3];  // dimension of each component
  double number; // of a scalar of parameters and numbers, else NaN
} Value;

// Among what is forbidden: what stands here is no part of other expressions.
#define PLACE_APART (1u << 31)
// Momenta may stand here: outputs, plots, measures, which nothing of the motion depends on.
#define PLACE_OF_RESULTS (1u << 30)
// and here: definitions, rates, forces and Hamiltonians.
#define PLACE_OF_MOMENTA (1u << 29)

// Which symbols an expression may contain, and how a message calls the place.
typedef struct Rules {
  uint32_t forbidden; // KIND_BIT ored
  const char *place;  // "the value of a parameter"
} Rules;

typedef struct LoopIndex {
  Symbol name;
  int64_t value;
} LoopIndex;

// How a constraint depends on the first coordinate or velocity in it: coefficient * direction.
typedef struct Slope {
  Expr variable, direction;
  Number coefficient;
} Slope;

// A point of a body whose coordinates are numbers, and the parameters they have become.
typedef struct NamedPlace {
  uint32_t body;
  Expr value[2], symbol[2];
} NamedPlace;

// A number that all rounds of a loop write alike: link[1], link[2] ... have one link.mass.
typedef struct NamedFamily {
  Symbol name;
  Expr value, symbol; // as it was written, and the parameter
} NamedFamily;

// A data file under its path; that of a copy is where the original lay.
typedef struct NamedData {
  const char *named;
  const struct DataFile *file;
} NamedData;

struct Lowering {
  Context *cx;
  Arena *arena; // of what lasts as long as the reading
  Model *model;
  const ModelText *text; // NULL for a single expression
  Inference inference;
  VEC(double) parameter_numbers, definition_numbers;
  VEC(Slope) constraint_slopes;
  VEC(NamedPlace) places;
  VEC(NamedFamily) families;
  VEC(NamedData) data;  // files of the model, each read once
  bool data_is_stored;  // as a result keeps it, beside its model
  uint32_t uses;        // of names, so far
  VEC(Symbol) products; // names of parameters in the order of each product, 0 behind it
  VEC(LoopIndex) loops; // active ones, innermost last
  Overrides *overrides;
  Symbol prefix;         // of the part whose file is read; 0: none
  Span part_gravity;     // of the first part that has a line for it
  uint32_t errors;       // before the first line was read
  uint64_t steps;        // statements and terms expanded so far
  bool stopped;          // by a limit; what follows is left out
  const Rules *rules;    // of the statement at hand
  bool rates_of_momenta; // may stand inside of primes, where there are no rules
  uint32_t in_if;        // inside a branch that may not be taken
  bool in_index;         // inside the brackets of an index
  bool in_table;         // inside the points of a table
  bool makes_names;      // unknown names become parameters
  bool kinematics;       // bodies may lack masses
  bool keeps_units;      // numbers with units become quantities; see name_quantity
  bool has_quantities;   // there are such numbers
  bool in_measure;       // functions of the whole run may stand here,
  bool in_reduction;     // inside one of them
  Expr from;             // which leave out what is before this time; 0: nothing
  bool asks;             // the names of parts become columns: inside an output or a plot
  Symbol frequency;      // the name of the frequency, inside the density of a random input; else 0
  const Ast *whole;      // the right side of an energy, for its messages; else NULL
  EnergyKind energy;
};

// ---- Statements

// Carries it out; false when it was refused, which a message then tells.
bool lower_statement(Lowering *l, const Statement *statement);
// Nothing vanishes: asked wherever something is left out, answers false, and where no mistake has
// been reported that could be the reason, reports ours.
bool is_explained(Lowering *l, Span span);
// One more statement or term; false and a message when there are too many.
bool lower_step(Lowering *l, Span span);
// May so many rounds follow? Says so beforehand instead of after a million of them.
bool lower_range_fits(Lowering *l, Span span, int64_t from, int64_t to);

// An expression as the label of what it is; in a loop the label shows the index's value.
const char *lower_label(Lowering *l, const Ast *ast);
// False after a message where a statement that stands once is there already.
bool is_first(Lowering *l, const Statement *s, bool is_given, Span before);
// A bound of what is varied: of parameters, in its dimension. False after a message about `what`.
bool lower_range_end(Lowering *l, const Ast *ast, Form form, const char *what, Expr *out,
                     double *number);

// The text of a span, in the keep arena.
const char *source_text(const Lowering *l, Span span);

// The order of names in print: see order_by_author. Once all lines are read.
void lower_reading_order(Lowering *l);

// ---- Values

Value value_none(void);
Value value_scalar(Expr e, Form form, double number);
static inline bool has_value(Value v) { return v.n > 0; }

// Anything; mistakes are reported.
Value lower_value(Lowering *l, const Ast *ast);
// A value under the rules of a statement.
Value lower_ruled(Lowering *l, const Ast *ast, const Rules *rules);
// The same, which must be one number; else a message says so and the value is none.
Value lower_scalar(Lowering *l, const Ast *ast, const Rules *rules);
// Whole numbers: bounds, indices, counts.
bool lower_whole(Lowering *l, const Ast *ast, const char *what, int64_t *out);
// The same up to 10^9, as indices and counts are.
bool lower_integer(Lowering *l, const Ast *ast, const char *what, int64_t *out);

Value lower_call(Lowering *l, const Ast *ast);
Value lower_condition(Lowering *l, const Ast *ast);
// max(x), first(t, x > 1) ...: a number of the whole run.
Value lower_reduction(Lowering *l, const Ast *ast);
// One that no measure uses; its number.
uint32_t lower_hidden_reduction(Lowering *l, ReductionKind kind, Expr value, Span span);
Value lower_table(Lowering *l, const Ast *ast);
// table(x, "road.csv", time [s], height [mm]): its points are columns of a file.
Value lower_file_table(Lowering *l, const Ast *ast);
Value lower_summation(Lowering *l, const Ast *ast);
Value lower_comparison(Lowering *l, const Ast *ast);
Value lower_chain(Lowering *l, const Ast *ast);
Value lower_not(Lowering *l, const Ast *ast);

Value value_add(Lowering *l, Value a, Value b);
Value value_mul(Lowering *l, Value a, Value b);
// Reports and gives none where the value is not a scalar.
bool need_scalar(Lowering *l, const Ast *ast, Value v);
// Reports what the rules of the statement forbid.
bool is_allowed(Lowering *l, Span span, Expr e, const char *name);

// ---- Names

// The members that a part of a mechanism has, and what it is called: "a revolute joint". Returns
// how many; 0 for what is not a part.
enum { MOST_MEMBERS = 11 };
size_t member_words(Model *model, Symbol owner, Arena *arena, const char **called,
                    const char *words[MOST_MEMBERS]);

static inline bool symbol_is(const Lowering *l, Symbol symbol, const char *word) {
  return strcmp(symbol_text(l->cx, symbol), word) == 0;
}

// An error at a place that may be visited many times: reported once, with the loop's indices.
// False when it was reported before; then nothing may be added to it.
bool lower_error(Lowering *l, Status status, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool lower_warning(Lowering *l, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
Value lower_name(Lowering *l, const Ast *ast);
Value lower_component(Lowering *l, const Ast *ast);
// What a listed name stands for, under the rules.
Value lower_item_name(Lowering *l, const Item *item, const Rules *rules);
// rod.omega, rail.s, s.F: what belongs to a part of a mechanism. False when the owner is not one
// part; true with the value, or with none after a message.
bool lower_member(Lowering *l, const Ast *ast, Symbol owner, Value *out);
// A part of a mechanism where a number belongs: true after the message, false when it is none.
bool lower_owner_alone(Lowering *l, const Ast *ast, Symbol name);
// An output or plot line has used this name of a part: it becomes a column of the results.
void lower_ask(Lowering *l, Symbol name, const Value *v, Span span);
// All that belongs to parts becomes columns.
void lower_all_members(Lowering *l);
// What drives, bearings and pins do becomes columns.
void lower_drive_members(Lowering *l);
// What samples and events assign becomes columns: the state alone does not tell its value. Once
// measures are settled.
void lower_assigned_members(Lowering *l);
// lambda_A_x, the force of a row of joint A; false when there is no such row.
bool lower_row_force(Lowering *l, Symbol symbol, Value *out);
// x[1,2] as a symbol; 0 after a mistake.
Symbol item_symbol(Lowering *l, const Item *item);
// The same without its member.
Symbol item_owner(Lowering *l, const Item *item);
Symbol ast_symbol(Lowering *l, const Ast *name);
Symbol indexed_symbol(Lowering *l, Symbol base, uint32_t n, Ast **indices);
// Adds to a message about a name that is taken: by what, and where.
void show_taken(Lowering *l, const NameEntry *entry);
// The symbol as a new name of the model; false after a mistake.
bool define_name(Lowering *l, Symbol symbol, const Item *item, NameKind kind, uint32_t number);
// Do the rules that hold allow momenta?
bool momenta_may_stand(const Lowering *l);
// May it name something? Else a message says what it is.
bool is_free_name(Lowering *l, Symbol symbol, Span span);
// Remembers that the definition of a name, and of the force that would be named after it, went
// wrong.
void break_name(Lowering *l, const Item *item);
// The entry of a name of the kind; NULL after a message.
NameEntry *need_name(Lowering *l, Symbol symbol, Span span, NameKind kind);

// The value of an override, in the dimension that the model gives the name; false after a message.
bool override_value(Lowering *l, const Override *override, Form form, const Rules *rules,
                    Value *out);

// ---- Files that are used

// A warning where gravity stands in a part only. Once all lines are read.
void lower_use_finish(Lowering *l);
// The name as the file at hand writes it: without the prefix of its part.
const char *name_here(const Lowering *l, const char *name);
// What belongs to a part whose line went wrong, which has been reported.
bool is_of_broken_part(const Lowering *l, Symbol symbol);

// ---- Bodies

// force crank (L/2, 0) = (F_x, F_y)
bool lower_body_force(Lowering *l, const Statement *s);
// contact floor: ball (0, 0), radius r, line (0, 0); false after a mistake.
typedef struct BodyGap {
  Expr phi;               // <= 0
  Expr point[2], from[2]; // of the body, and a point of what it touches
  Expr along[2];          // direction of the surface, the body on its left
  Expr place;             // how far the body has slid along it
  Expr angle, radius;     // of the body
  Expr other_angle, ring; // of what it touches
} BodyGap;
bool lower_body_contact(Lowering *l, const Statement *s, BodyGap *out);

// What gravity does to elements, once all lines are read.
void lower_weigh_elements(Lowering *l);

// What a joint has beside its equations: stops at the ends of its motion, the tension of a belt.
// False after a message.
bool lower_stops(Lowering *l, const Statement *s, const Joint *joint);
bool lower_tension(Lowering *l, const Statement *s, Joint *joint);
// By it the strands pull their wheels together.
void lower_pull_of_belt(Lowering *l, const Statement *s, const Joint *joint);

// ---- Friction

// The coefficients: one, or that of rest and that of sliding. False after a mistake.
bool lower_coefficients(Lowering *l, const Clause *clause, Expr *mu_rest, Expr *mu);
// Of a rope or belt around something, by its property 'wrap': Euler's T_2/T_1 <= exp(mu beta) is
// |T_2 - T_1| <= tanh(mu beta/2) (T_1 + T_2). False after a mistake.
bool lower_wrap(Lowering *l, const Statement *s, Expr *mu_rest, Expr *mu);
// The lever by which what presses resists rolling, of parameters; none after a mistake.
Expr lower_resistance(Lowering *l, const Statement *s, Symbol owner);
// What begins and ends to roll is called so: floor.rolling.
Symbol rolling_name(Lowering *l, Symbol owner);
// Of the second body where it is a disc, else none.
Expr radius_of_wheel(const Lowering *l, const Joint *j);
// Of a joint: Coulomb's by its coefficients, else *is_viscous. False after a mistake.
bool lower_joint_friction(Lowering *l, const Statement *s, Joint *j, const Rules *rules,
                          bool *is_viscous);

// ---- Constraints and contacts

// Of the statement's property, 0 where it has none; no expression after a message.
Expr lower_restitution(Lowering *l, const Statement *s);

// Both share their names.
bool define_multiplier(Lowering *l, Symbol name, Symbol multiplier, const Item *item, NameKind kind,
                       uint32_t number);
// Does phi restrain coordinates or velocities? False after a message about `what`.
bool restrains(Lowering *l, const Statement *s, Expr phi, const char *what);
// The two sides of a statement, which must be alike; their difference, or none.
Value lower_difference(Lowering *l, const Statement *s, const Rules *rules);

// ---- Questions to many runs

// What an item changes, and how its values are measured: a parameter, an input, or a start value of
// a coordinate or state. False after a message.
bool lower_varied(Lowering *l, const Item *item, Varied *out, Measure *measure);
// The dimension of its values, whose measure is that of the coordinate also for a velocity.
Form varied_form(Lowering *l, const Varied *varied, Measure measure);
// False after a message where both are the same.
bool is_new_varied(Lowering *l, const Varied *varied, const Varied *before);
// How wide an item spreads: 'what' is positive, and has the dimension of 'of' or is in percent.
bool lower_width(Lowering *l, const Item *item, Form form, const char *of, const char *what,
                 Width *out);
// The number of a measure; false after a message, also where it is in the list already.
bool lower_measure_name(Lowering *l, const Ast *ast, const uint32_t *listed, uint32_t count,
                        uint32_t *out);
// "runs" or "seed" and a whole number from `least` to `most`.
bool lower_run_number(Lowering *l, const Clause *clause, int64_t least, int64_t most,
                      uint64_t *out);
bool clause_is(const Lowering *l, const Clause *clause, const char *word);

// ---- Dimensions

// Warn where a bare number is so large an angle that degrees may be meant, where a rate in 1/min
// may mean revolutions, and where a speed of rotation is given in hertz.
void warn_degrees(Lowering *l, const Ast *ast);
void warn_revolutions(Lowering *l, const Ast *number);
void warn_hertz(Lowering *l, const Ast *ast);

// Demands that two values are alike; the message says what cannot be done with them.
bool equate_values(Lowering *l, const Ast *a, Form fa, const Ast *b, Form fb, const char *message);
// Are all terms of the sum that is an energy energies? If not, says which one is not.
bool are_energies(Lowering *l, const Ast *sum, const Form *forms);
bool need_pure(Lowering *l, const Ast *ast, Form form, const char *what);
bool need_dimension(Lowering *l, const Ast *ast, Form form, Form wanted, const char *what);
const char *form_text(Lowering *l, Form form);
Form energy_form(EnergyKind kind);
const char *energy_text(EnergyKind kind); // "a potential"
// The dimension of a name whose value has this form: an unknown when it is a bare number.
Form form_of_name(Lowering *l, Form form, Symbol name);
// Of a multiplier. In a single expression it fits everywhere: the rows of a formulation hide units.
Form multiplier_form(const Lowering *l, Measure measure);
// The record of a dimension, open until all lines are read; value: where a unit may stand, or NULL.
Measure measure_of(Lowering *l, Form form, const Ast *value);
// "deg" of 20 [deg], or NULL.
const char *unit_written(const Ast *value);

#endif
