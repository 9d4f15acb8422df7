// Without SUNDIALS: its methods keep their names and are refused.
#include "solve/method.h"

static Status refuse(Stepper *s) {
  (void)s;
  return QDOT_UNSUPPORTED;
}

// Declared as those of solve/methods.def are.
extern const Method method_bdf, method_dae;

const Method method_bdf = {.name = "bdf",
                           .others = {"ode15s", "ode23s"},
                           .lacks = "SUNDIALS",
                           .kind = METHOD_IMPLICIT,
                           .takes = {"rtol", "atol"},
                           .nodes = 5,
                           .open = refuse,
                           .start = refuse};

const Method method_dae = {.name = "dae",
                           .others = {"ida"},
                           .lacks = "SUNDIALS",
                           .kind = METHOD_IMPLICIT,
                           .takes = {"rtol", "atol"},
                           .nodes = 5,
                           .open = refuse,
                           .start = refuse};
