// MAT files, read back by SciPy and by Octave where they are installed.
#include "result/mat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/host/folder.h"
#include "support/check.h"
#include "support/recordings.h"

#define LONG_NAME "a_very_long_name_that_goes_on_and_on_until_no_program_takes_it_any_more'"

static const char *const names[] = {"t",      "theta[1]", "theta[1]'", "theta_1", "x''",
                                    "a[1,2]", "end",      "names",     "größe",   LONG_NAME};
enum { COLUMNS = sizeof names / sizeof *names };

// Value i of row k: something that no rounding leaves alone, and here and there no number.
typedef struct Feed {
  uint64_t rows, next;
  double row[COLUMNS];
} Feed;

static double cell(uint64_t k, uint32_t i) {
  return i == 3 && k % 5 == 2 ? NAN : (double)k / 7 + 100.0 * i;
}

static const double *next_row(void *user) {
  Feed *feed = user;
  if (feed->next == feed->rows) return NULL;
  for (uint32_t i = 0; i < COLUMNS; i++) feed->row[i] = cell(feed->next, i);
  feed->next++;
  return feed->row;
}

static Status write_table(Context *cx, const char *folder, uint64_t rows, uint64_t said) {
  Feed feed = {.rows = rows};
  MatTable table = {"Größe", COLUMNS, names, said, next_row, &feed};
  return mat_write(cx, folder, "results.mat", &table);
}

// Runs a script in the folder; what it cannot do here is no failure.
static void check_by(const char *has, Context *cx, const char *folder, const char *command) {
  char line[4000];
  snprintf(line, sizeof line, "%s > /dev/null 2>&1", has);
  if (system(line) != 0) {
    print_message("skipped: %s\n", has);
    return;
  }
  const char *file = folder_path(&cx->keep, folder, "script");
  FILE *script = fopen(file, "w");
  assert_non_null(script);
  fputs(command, script);
  fclose(script);
  snprintf(line, sizeof line, "cd %s && sh ./script", folder);
  assert_int_equal(system(line), 0);
}

TEST(scipy_reads_what_was_written) {
  const char *folder = scratch_folder(cx, "mat");
  assert_int_equal(write_table(cx, folder, 1003, 1003), QDOT_OK);
  check_by("/usr/bin/python3 -c 'import scipy.io'", cx, folder,
           "/usr/bin/python3 - <<'END'\n"
           "import numpy as np, scipy.io, keyword\n"
           "d = scipy.io.loadmat('results.mat', uint16_codec='utf-16-le')\n"
           "names = d.pop('names')\n"
           "assert names.shape == (10, 2), names.shape\n"
           "assert [str(n[0]) for n in names[:9, 1]] == ['t', 'theta[1]', \"theta[1]'\", 'theta_1',"
           " \"x''\", 'a[1,2]', 'end', 'names', 'gr\\u00f6\\u00dfe'], names[:, 1]\n"
           "variables = [str(n[0]) for n in names[:, 0]]\n"
           "assert variables[1:6] == ['theta_1', 'theta_1_dot', 'theta_1_2', 'x_ddot', 'a_1_2'],"
           " variables\n"
           "assert len(set(variables)) == 10 and all(len(v) < 64 for v in variables)\n"
           "assert set(variables) == {k for k in d if not k.startswith('__')}\n"
           "for i, v in enumerate(variables):\n"
           "    k = np.arange(1003)\n"
           "    want = k/7 + 100.0*i\n"
           "    if i == 3: want[k % 5 == 2] = np.nan\n"
           "    assert d[v].shape == (1003, 1)\n"
           "    assert np.array_equal(d[v][:, 0], want, equal_nan=True), v\n"
           "END\n");
  remove_folder(folder);
}

TEST(octave_reads_what_was_written) {
  const char *folder = scratch_folder(cx, "mat");
  assert_int_equal(write_table(cx, folder, 4, 4), QDOT_OK);
  check_by(
      "command -v octave-cli", cx, folder,
      "octave-cli -qf <<'END'\n"
      "load results.mat\n"
      "k = (0:3)';\n"
      "ok = isequal(theta_1_dot, k/7 + 200) && isequal(size(names), [10 2]);\n"
      "ok = ok && isnan(theta_1_2(3)) && strcmp(names{3, 2}, \"theta[1]'\");\n"
      "ok = ok && strcmp(names{3, 1}, 'theta_1_dot') && all(cellfun(@isvarname, names(:, 1)));\n"
      "exit(!ok)\n"
      "END\n");
  remove_folder(folder);
}

TEST(rows_that_are_too_many_or_missing_leave_the_old_file) {
  const char *folder = scratch_folder(cx, "mat");
  assert_int_equal(write_table(cx, folder, 3, 3), QDOT_OK);
  const char *before, *after;
  size_t n, m;
  assert_int_equal(folder_read(cx, &cx->keep, folder, "results.mat", &before, &n), QDOT_OK);
  assert_int_equal(write_table(cx, folder, 4, 5), QDOT_BAD_FILE);
  assert_int_equal(write_table(cx, folder, 5, 4), QDOT_BAD_FILE);
  assert_int_equal(write_table(cx, folder, 0, (uint64_t)1 << 29), QDOT_UNSUPPORTED);
  assert_int_equal(write_table(cx, "/nowhere", 1, 1), QDOT_IO);
  assert_int_equal(folder_read(cx, &cx->keep, folder, "results.mat", &after, &m), QDOT_OK);
  assert_true(n == m && memcmp(before, after, n) == 0);
  remove_folder(folder);
}

TEST(long_results_need_no_more_memory) {
  const char *folder = scratch_folder(cx, "mat");
  uint64_t rows = 300000;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  assert_int_equal(write_table(cx, folder, rows, rows), QDOT_OK);
  getrusage(RUSAGE_SELF, &after);
  struct stat about;
  assert_int_equal(stat(folder_path(&cx->keep, folder, "results.mat"), &about), 0);
  assert_true((uint64_t)about.st_size > rows * COLUMNS * 8);
#if !defined QDOT_PARANOID && !defined __SANITIZE_THREAD__ // their memory is not ours
  assert_true(after.ru_maxrss - before.ru_maxrss < 12000); // KiB; the file has 24,000
#endif
  remove_folder(folder);
}

RUN_TESTS(cmocka_unit_test(scipy_reads_what_was_written),
          cmocka_unit_test(octave_reads_what_was_written),
          cmocka_unit_test(rows_that_are_too_many_or_missing_leave_the_old_file),
          cmocka_unit_test(long_results_need_no_more_memory))
