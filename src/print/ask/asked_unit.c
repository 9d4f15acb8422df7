// The units in which answers stand.
#include "print/ask/asked_unit.h"

#include "print/measure_text.h"

const char *varied_unit(Context *cx, const VariedBy *by) {
  Quantity quantity = quantity_of_measure(&by->measure);
  if (by->varied.primes)
    quantity.dimension = dimension_div(quantity.dimension, dimension_base(0, 0, 1));
  return quantity_unit(&cx->scratch, quantity);
}

UnitScale varied_scale(Context *cx, const VariedBy *by) {
  // A measure is that of the coordinate, not of its rate.
  if (by->varied.primes) return (UnitScale){varied_unit(cx, by), 1};
  return unit_scale(cx, &cx->scratch, &by->measure, quantity_of_measure(&by->measure));
}

UnitScale aim_scale(Context *cx, const Model *model, const FindAim *aim) {
  const Measurement *m = &model->requests.measurements.at[aim->measure];
  Measure written = {.unit = aim->unit};
  return unit_scale(cx, &cx->scratch, &written, quantity_of_measurement(cx, model, m));
}
