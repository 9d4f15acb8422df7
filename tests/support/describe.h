// A model's records as text, for tables of cases.
#ifndef QDOT_TESTS_DESCRIBE_H
#define QDOT_TESTS_DESCRIBE_H

#include "model/model.h"

// One line per record: parameters with inferred units, coordinates, energies, requests.
const char *describe_model(const Model *model);

#endif
