// The units in which answers stand: of what a question varies, and of what it aims at.
#ifndef QDOT_PRINT_ASK_ASKED_UNIT_H
#define QDOT_PRINT_ASK_ASKED_UNIT_H

#include "model/question.h"
#include "print/quantity.h"

// The SI unit, "" for pure numbers.
const char *varied_unit(Context *cx, const VariedBy *by);
// The unit in which a reader sees it: the one its value was written with, else the SI unit.
UnitScale varied_scale(Context *cx, const VariedBy *by);
// Of a measure: the unit of the value that it shall have, else the SI unit.
UnitScale aim_scale(Context *cx, const Model *model, const FindAim *aim);

#endif
