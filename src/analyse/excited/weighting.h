// Weightings of vibrations by how people feel them: ISO 2631-1.
#ifndef QDOT_ANALYSE_EXCITED_WEIGHTING_H
#define QDOT_ANALYSE_EXCITED_WEIGHTING_H

// The gain of a weighting (W_k, W_d, W_c, W_e, W_f, W_j) at a frequency; NAN for other names.
double weighting_gain(const char *name, double hz);

#endif
