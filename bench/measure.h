// What measurements share: CPU time of repeated work, time of a command, tables, peers' figures.
#ifndef QDOT_BENCH_MEASURE_H
#define QDOT_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

// The least CPU time of one call, in seconds, over calls that fill about 0.3 s, at least three.
double measure_work(void (*work)(void *argument), void *argument);

// The least and the median wall time of a command over runs, and the median of its CPU time, which
// others who use the machine disturb less; its output is dropped. False when it cannot be run or
// fails.
typedef struct CommandTime {
  double least, median, cpu; // seconds
} CommandTime;
bool measure_command(const char *const *words, int runs, CommandTime *out);

// Runs a shell command and reads the numbers that it prints on stdout, at most most of them;
// returns how many. For peers: python3 bench/peers/sympy_pendulum.py 5 10
size_t measure_peer(const char *command, double *numbers, size_t most);

// Peak resident memory of this process so far, in bytes.
size_t measure_peak_memory(void);

// One line of the table that `make bench` ends with: a job, our seconds, a peer and its seconds
// (NULL and 0 when there is none), what was promised in words, and whether it was met.
void measure_summary(const char *job, double ours, const char *peer, double theirs,
                     const char *promise, bool met);

// One row of the comparison of tools, into the file that QDOT_BENCH_ROWS names, if there is one:
// what `tool` needs for a job of bench/jobs.txt, in seconds or in the job's own unit (NAN: it
// cannot do it), how far its result is from the reference (NAN: not compared), and a remark or "".
void measure_row(const char *tool, const char *job, double value, double error, const char *remark);

// How many instructions of the processor one call of work takes, counted step by step by a process
// that traces this one's copy; NAN where that is not allowed.
double measure_instructions(void (*work)(void *argument), void *argument);
// Seconds of one cycle of the processor while it computes: by a chain of multiplications of
// integers, of which each takes three cycles on the processors of the last ten years.
double measure_cycle(void);

// A sheet: a title line, then columns as wide as given, filled cell by cell; also as Markdown into
// the file that QDOT_BENCH_SHEETS names.
typedef struct Sheet {
  const int *widths;
  int columns, at, rows;
} Sheet;
Sheet sheet_begin(const char *title, const char *const *names, const int *widths, int columns);
void sheet_text(Sheet *sheet, const char *text);
// Seconds with a unit that suits them.
void sheet_seconds(Sheet *sheet, double seconds);
void sheet_number(Sheet *sheet, const char *format, double value);
// "yes" or "NO": does the measured value meet what was promised?
void sheet_met(Sheet *sheet, bool met);

#endif
