// Works of the energy balance as they are told.
#ifndef QDOT_RESULT_WORKS_H
#define QDOT_RESULT_WORKS_H

#include "engine/summary.h"

// Is it one of the works of the energy balance, and more than rounding beside the energies? It is
// told to the digits that hold, as 0 where none does: a whole turn may give back what it took.
bool summary_tells_work(const SimSummary *summary, const SummaryField *field, double *work);

#endif
