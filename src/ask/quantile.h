// Student's distribution.
#ifndef QDOT_ASK_QUANTILE_H
#define QDOT_ASK_QUANTILE_H

// The value below which a part p of it lies, for so many degrees of freedom (1 and more).
double student_quantile(double p, double freedom);

#endif
