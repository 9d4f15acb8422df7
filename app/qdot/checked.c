// What the checks of a derivation found.
#include "checked.h"

#include <stdio.h>

void checked_print(qdot_system *system, const qdot_selfcheck *found, const char *also) {
  if (qdot_system_name_count(system, QDOT_PART_COORDINATES) == 0) { // no M, no power
    if (*also) printf("checked: %s\n", also);
    return;
  }
  if (found->states && found->is_good) {
    printf("checked: %s%sM symmetric, power balance at %d random states\n", also, *also ? ", " : "",
           found->states);
    return;
  }
  if (*also) printf("checked: %s; ", also);
  if (found->states == 0)
    printf("not checked: no state with finite values was found\n");
  else
    printf(
        "CHECK FAILED, do not trust these equations: error of M %.1e, of the power balance %.1e\n",
        found->mass_error, found->power_error);
}
