// Names and expressions in gnuplot's enhanced text.
#ifndef QDOT_PRINT_GNUPLOT_TEXT_H
#define QDOT_PRINT_GNUPLOT_TEXT_H

#include "print/typeset.h"

extern const Typeface markup_face; // theta_1' is an italic theta with subscript and prime

// A name as in the model, with primes at its end where it has some: theta_1''.
const char *markup_from_name(const Context *cx, Arena *arena, const char *name);
// An expression; as the user wrote it where it is long.
// Is what was written a name, and not a formula?
bool written_is_name(const Context *cx, const char *written);
const char *markup_from_expr(Context *cx, Arena *arena, Expr e, const char *written);
// Plain text: what the markup would read as a sign is kept as a letter.
const char *markup_from_text(Arena *arena, const char *text);

// What is left of markup without its signs.
const char *markup_letters(Arena *arena, const char *markup);
// Markup or plain text between the double quotes of a script.
void add_quoted(Text *out, const char *markup);

#endif
