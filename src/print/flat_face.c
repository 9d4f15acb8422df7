// What typefaces on one line have in common.
#include "print/flat_face.h"

void flat_number(Typesetter *t, const char *digits) { text_add(t->out, digits); }

void flat_function(Typesetter *t, Op op) { text_add(t->out, op_text(op)); }

void flat_relation(Typesetter *t, Op op, bool negated) {
  switch (op) {
  case OP_LE: text_add(t->out, " ≤ "); break;
  case OP_EQ: text_add(t->out, negated ? " ≠ " : " = "); break;
  case OP_NOT: text_add(t->out, "not "); break;
  default: text_addf(t->out, " %s ", op_text(op));
  }
}

void flat_apply(Typesetter *t) { text_add_char(t->out, ' '); }

void flat_bracket(Typesetter *t, Stage stage) {
  text_add_char(t->out, stage == STAGE_BEFORE ? '(' : ')');
}

void flat_fraction(Typesetter *t, Stage stage) {
  if (stage == STAGE_BETWEEN) text_add_char(t->out, '/');
}

void flat_root(Typesetter *t, Stage stage) { text_add(t->out, stage == STAGE_BEFORE ? "√(" : ")"); }
