// Units of what random inputs lead to.
#include "print/random_unit.h"

#include <string.h>

#include "print/quantity.h"

const char *random_unit(const Linearized *l, const RandomOutput *output) {
  const Model *model = l->system->model;
  if (output->weight) return strcmp(output->weight, "W_e") == 0 ? "rad/s²" : "m/s²";
  Quantity quantity = quantity_of_named(l->cx, model, output->name, output->value);
  return quantity_unit(&l->cx->scratch, quantity);
}
