// What an axis shows: its range, its unit, and the numbers that stand at it.
#ifndef QDOT_CHART_CHART_AXIS_H
#define QDOT_CHART_CHART_AXIS_H

#include "chart/chart.h"

// An axis shows (value - base) / 10^exponent.
typedef struct AxisScale {
  double low, high;
  int exponent;
  double base; // 0, but where the values differ only in their last digits
  double step; // from number to number; 0 leaves it to gnuplot
} AxisScale;

double axis_place(const AxisScale *axis, double value);
// With numbers about so many pixels apart on an axis of so many; they have room for their digits.
AxisScale axis_scale(double low, double high, double pixels, double apart, bool is_abscissa);
// The same, in a unit that is given.
AxisScale axis_scale_of(double low, double high, int exponent, double base, double pixels,
                        double apart, bool is_abscissa);
// A step of 1, 2 or 5 times a power of ten that divides the range into about `parts`.
double nice_step(double range, double parts);
// How many letters the longest of its numbers has.
int axis_letters(const AxisScale *axis);

// What a panel shows on both axes.
Extent axis_range(const ChartPanel *panel);

#endif
