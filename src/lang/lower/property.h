// The properties of a statement: what its clauses say, and which of them its kind has.
#ifndef QDOT_LANG_LOWER_PROPERTY_H
#define QDOT_LANG_LOWER_PROPERTY_H

#include "lang/lower/lower.h"

// The first property of that name, or NULL.
const Clause *property_find(const Lowering *l, const Statement *s, const char *word);

// True when each is given once and is one of `takes`, words with blanks between them (NULL: all
// that the parser let pass); else messages about `what`, such as "a torsional spring".
bool properties_fit(Lowering *l, const Statement *s, const char *what, const char *takes);

// Where a place was stated on what acts on angles only: warns that it is left out.
void warn_place(Lowering *l, const Item *item, const char *what);

#endif
