// Works of the energy balance, told to the digits that hold.
#include "result/works.h"

#include <math.h>
#include <string.h>

#include "base/power.h"
#include "base/rounding.h"
#include "base/words/digits.h"

static bool is_work(const SummaryField *field) {
  return field->key && strncmp(field->key, "work.", 5) == 0;
}

// The energy that works are measured by.
static double largest_energy(const SimSummary *s) {
  double energy = fmax(s->exchanged, s->largest_work);
  for (int i = 0; i < SUMMARY_FIELDS; i++)
    if (is_work(&summary_fields[i]))
      energy = fmax(energy, fabs(*(const double *)summary_get(s, &summary_fields[i])));
  return energy;
}

// What a work may be off by: as the balance is, and by the tolerance of what came and went.
static double work_error(const SimSummary *s) {
  double off = fmax(s->energy_drift, s->fixed_step ? 0 : 10 * s->rtol);
  return off * largest_energy(s);
}

enum { WORK_DIGITS = 5 };

bool summary_tells_work(const SimSummary *s, const SummaryField *field, double *work) {
  if (!is_work(field)) return false;
  *work = *(const double *)summary_get(s, field);
  if (without_noise(*work, largest_energy(s)) == 0) return false;
  double off = work_error(s);
  int digits = WORK_DIGITS;
  while (digits > 0 && !(fabs(*work) > off * power_of_ten(digits - 1))) digits--;
  *work = digits > 0 ? digits_rounded(*work, digits) : 0;
  return true;
}
