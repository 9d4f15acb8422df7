// Tokens -> statements: recursive descent, a function per rule.
// Sources: parse.c, parse_action.c, parse_excitation.c, parse_expr.c, parse_mechanism.c,
// parse_question.c,
//   parse_request.c, parse_search.c, parse_space.c, parse_statement.c, parse_sweep.c,
//   parse_table.c, parse_use.c
#ifndef QDOT_LANG_PARSE_PARSE_H
#define QDOT_LANG_PARSE_PARSE_H

#include "lang/parse/ast.h"
#include "lang/parse/part_file.h"
#include "lang/parse/statement.h"

struct Parser {
  Context *cx;
  Arena *arena; // of everything that is built
  uint32_t source;
  const char *text;
  Tokens tokens;
  uint32_t at;
  bool failed;          // in this statement; what follows is skipped
  uint32_t depth;       // of nested brackets and operators
  uint32_t operand_end; // where the last operand of an expression ended
  bool by_side;         // expressions may stand side by side: the points of a drawing
  bool equal_compares;  // a single '=' is a comparison, with a direction behind it: an event
  PartFiles *parts;     // that the model uses
  const PartFile *file; // the one that is read; NULL: the model itself
  Symbol prefix;        // of the names that it defines, as in left.rod; 0: none
  VEC(Symbol) prefixes; // of the parts that it uses, as it calls them
};

typedef VEC(Symbol) Prefixes;

// Everything is built in the arena; mistakes are reported, broken statements are marked. What the
// files that it uses are is added to parts.
ModelText parse_model(Context *cx, uint32_t source, PartFiles *parts, Arena *arena);
// The text of a file that a model uses.
void parse_part(Parser *user, const PartFile *file, UsedPart *out);
// A source that is one expression; NULL when it is none. prefixes: of the parts of the model.
Ast *parse_single_expression(Context *cx, uint32_t source, const Prefixes *prefixes, Arena *arena);
// A source that is a range, sum ".." sum: into value and high.
bool parse_single_range(Context *cx, uint32_t source, const Prefixes *prefixes, Arena *arena,
                        Item *out);
// A source that is NAME = expression, as in a setting.
bool parse_assignment(Context *cx, uint32_t source, Arena *arena, Item *out);

// ---- What the rules are made of

static inline const Token *token_at(const Parser *p) { return &p->tokens.at[p->at]; }
static inline bool is_at(const Parser *p, TokenKind kind) { return token_at(p)->kind == kind; }
bool is_at_word(const Parser *p, const char *word);
Span token_span(const Parser *p, const Token *token);
// From the beginning of a span to the last token that was taken.
Span span_to_here(const Parser *p, Span from);
// The token that was there.
const Token *take(Parser *p);
bool accept_token(Parser *p, TokenKind kind);
bool accept_word(Parser *p, const char *word);
// Takes a token of the kind or fails with "expected ..., found ...".
bool expect(Parser *p, TokenKind kind, const char *what);
bool expect_word(Parser *p, const char *word);
// Fails at the current token: "expected WHAT, found ...".
void fail_expected(Parser *p, const char *what);
// Fails with a message of its own; the rest of the line is skipped.
void fail_at(Parser *p, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));
// A name that this text defines or uses, as the model calls it: with the prefix of its part.
Symbol own_symbol(const Parser *p, const Token *name);
// From here on the prefix of a part, a dot and a name are one name.
void join_prefixed(Parser *p, Symbol prefix);
// In the next item left.rod.mass is the mass of left.rod, whatever left is.
void join_owners(Parser *p);
// A quoted text; NULL when there is none.
const char *accept_string(Parser *p);

// How deep brackets, signs and loops may nest.
uint32_t nesting_limit(const Context *cx);

Ast *parse_expression(Parser *p);
// "road.csv": a data file; NULL when there is none.
Ast *accept_data_file(Parser *p);
// A column of a data file: time [s], 2 [mm], "time of flight" [ms].
Ast *parse_column(Parser *p);
// What follows the name of the file in a table: columns and how it goes between the rows.
void parse_file_table(Parser *p, Ast *table, Ast *argument, Ast *file);
// A sum: what stands on either side of a comparison.
Ast *parse_sum(Parser *p);
// name ["[" indices "]"]; the item has no value yet.
bool parse_name(Parser *p, const char *what, Item *out);
// name ["." NAME]: also what belongs to a part of a mechanism.
bool parse_dotted_name(Parser *p, const char *what, Item *out);
// member | name {"'"} "(" "0" ")": what a question may change.
bool parse_varied(Parser *p, const char *what, Item *out);
// sum ".." sum: into value and high. A unit behind the second holds for both where the first has
// none.
bool parse_bounds(Parser *p, Item *out);
// ":" name {"," name}: the measures that a question is about. Ends before ", keep rows".
bool parse_measure_name(Parser *p, Statement *s);
bool parse_measures(Parser *p, Statement *s);
// A unit for a plain number that has none, behind a sign too.
void lend_unit(Ast *number, const Unit *unit);
// That of a plain number, or NULL.
const Unit *unit_of_number(const Ast *number);
// [primes] [("=" | "~") expression] [string]
bool parse_item_rest(Parser *p, bool may_be_guess, Item *out);
// name, then the rest of an item
bool parse_item(Parser *p, const char *what, bool may_be_guess, Item *out);
// The sign behind the word of a property, if there is one: true for '=', which keeps a start value.
// '~', a guess, may stand where the property of a body says how it starts.
bool accept_kept(Parser *p, const char *word, bool is_body);

// An anchor 'crank (L/2, 0)' where a force or contact may begin with one: added to the items.
// False, and nothing taken, when there is none.
bool parse_body_point(Parser *p, Statement *s);
void parse_body_contact(Parser *p, Statement *s);
// What may stand behind the two sides of a contact.
void parse_gap_properties(Parser *p, Statement *s);

#endif
