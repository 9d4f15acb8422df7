// The modes of a root locus as branches: a mode stays itself where frequencies cross.
#ifndef QDOT_ANALYSE_VIBRATION_BRANCHES_H
#define QDOT_ANALYSE_VIBRATION_BRANCHES_H

#include "analyse/vibration/locus.h"

typedef struct Branches {
  uint32_t count; // the most modes that any step has
  uint32_t *mode; // step by step: the mode that a branch is there, or NO_BRANCH
} Branches;
#define NO_BRANCH UINT32_MAX

// From step to step the modes whose shapes and eigenvalues are most alike belong together. n:
// coordinates of the model.
Branches locus_branches(const Locus *locus, uint32_t n, Arena *arena);
// NULL where the branch has no mode.
const Mode *branch_mode(const Locus *locus, const Branches *branches, uint32_t step, uint32_t k);

#endif
