// The functions of the language as programs of + - * / and square root: the same bits on every
// machine, within 1 ulp, whatever library is there. Special values are those of C.
#ifndef QDOT_PROGRAM_ELEMENTARY_H
#define QDOT_PROGRAM_ELEMENTARY_H

double elementary_exp(double x);
double elementary_log(double x);
double elementary_pow(double x, double y);
double elementary_sinh(double x);
double elementary_cosh(double x);
double elementary_tanh(double x);
double elementary_asin(double x);
double elementary_acos(double x);
double elementary_atan(double x);
double elementary_atan2(double y, double x);
double elementary_tan(double x);

// The bits of sincos_many (program/sincos.h), one argument at a time, and of any size.
void elementary_sincos(double x, double *sine, double *cosine);
double elementary_sin(double x);
double elementary_cos(double x);

#endif
