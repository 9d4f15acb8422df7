// What a fit has found, as text and as the contract's JSON.
#ifndef QDOT_PRINT_ASK_FIT_TEXT_H
#define QDOT_PRINT_ASK_FIT_TEXT_H

#include "ask/fit.h"

void fit_text(const Fit *fit, Text *out);
void fit_json(const Fit *fit, Text *out);

#endif
