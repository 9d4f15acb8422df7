// What typefaces on one line have in common: the terminal's and the plots'.
#ifndef QDOT_PRINT_FLAT_FACE_H
#define QDOT_PRINT_FLAT_FACE_H

#include "print/typeset.h"

void flat_number(Typesetter *t, const char *digits);
void flat_function(Typesetter *t, Op op);
void flat_relation(Typesetter *t, Op op, bool negated); // with signs such as ≤
void flat_apply(Typesetter *t);                         // sin x
void flat_bracket(Typesetter *t, Stage stage);
void flat_fraction(Typesetter *t, Stage stage); // a/b
void flat_root(Typesetter *t, Stage stage);     // √(x)

#endif
