// Friction in a joint as a reader wants it: in the form of the equations of motion beside it.
#ifndef QDOT_PRINT_PRESS_FORM_H
#define QDOT_PRINT_PRESS_FORM_H

#include "print/listing.h"

typedef struct PressForm {
  Expr
      slip; // the velocity with which it slides, or its opposite, as the generalized forces have it
  Expr force; // along it
  Expr value; // of what presses the joint; 0 where that is too long to be read
} PressForm;

PressForm press_form(const Listing *listing, uint32_t press);

#endif
