// Tables written, read back, interrupted and resumed.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/csv.h"
#include "support/check.h"

static char folder[] = "/tmp/qdot-csv-XXXXXX";
static char path[64], part[64];

static int make_folder(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/results.csv", folder);
  snprintf(part, sizeof part, "%s/results.csv.part", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  remove(path), remove(part);
  return rmdir(folder);
}

static const char *const names[] = {"t", "a[1,2]", "say \"x\"", "E_tot"};

static void fill_row(double *row, int i) {
  row[0] = 0.001 * i;
  row[1] = sin(0.1 * i);
  row[2] = i % 7 ? 1e-300 / (i + 1) : NAN;
  row[3] = -1e17 * i;
}

static void write_rows(CsvWriter *writer, int from, int to) {
  for (int i = from; i < to; i++) {
    double row[4];
    fill_row(row, i);
    assert_int_equal(csv_writer_row(writer, row), QDOT_OK);
  }
}

static void check_rows(Context *cx, int count) {
  CsvReader reader;
  assert_int_equal(csv_reader_open(cx, path, &reader), QDOT_OK);
  assert_int_equal(reader.columns, 4);
  for (int i = 0; i < 4; i++) assert_string_equal(reader.names[i], names[i]);
  for (int round = 0; round < 2; round++, csv_reader_rewind(&reader)) {
    for (int i = 0; i < count; i++) {
      const double *row = csv_reader_next(&reader);
      double expected[4];
      fill_row(expected, i);
      assert_non_null(row);
      for (int k = 0; k < 4; k++)
        assert_true(row[k] == expected[k] || (isnan(row[k]) && isnan(expected[k])));
    }
    assert_null(csv_reader_next(&reader));
    assert_int_equal(reader.status, QDOT_OK);
  }
  csv_reader_close(&reader);
}

TEST(rows_are_read_back) {
  CsvWriter writer;
  assert_int_equal(csv_writer_open(cx, path, names, 4, &writer), QDOT_OK);
  write_rows(&writer, 0, 20000);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_int_equal(csv_writer_finish(&writer), QDOT_OK);
  assert_int_not_equal(access(part, F_OK), 0);
  check_rows(cx, 20000);
}

// A row that is longer than any buffer.
TEST(wide_rows_are_read_back) {
  enum { COLUMNS = 6000, ROWS = 3 };
  const char **wide = arena_array(&cx->keep, const char *, COLUMNS);
  double *row = arena_array(&cx->keep, double, COLUMNS);
  for (int k = 0; k < COLUMNS; k++) wide[k] = text_format(&cx->keep, "x[%d]", k);
  CsvWriter writer;
  assert_int_equal(csv_writer_open(cx, path, wide, COLUMNS, &writer), QDOT_OK);
  for (int i = 0; i < ROWS; i++) {
    for (int k = 0; k < COLUMNS; k++) row[k] = -sin(i + 0.1 * k) * 1e-100;
    assert_int_equal(csv_writer_row(&writer, row), QDOT_OK);
  }
  assert_int_equal(csv_writer_finish(&writer), QDOT_OK);
  CsvReader reader;
  assert_int_equal(csv_reader_open(cx, path, &reader), QDOT_OK);
  assert_int_equal(reader.columns, COLUMNS);
  for (int i = 0; i < ROWS; i++) {
    const double *back = csv_reader_next(&reader);
    assert_non_null(back);
    for (int k = 0; k < COLUMNS; k++) assert_true(back[k] == -sin(i + 0.1 * k) * 1e-100);
  }
  assert_null(csv_reader_next(&reader));
  csv_reader_close(&reader);
}

TEST(a_run_that_was_cut_goes_on) {
  CsvWriter writer;
  uint64_t bytes;
  assert_int_equal(csv_writer_open(cx, path, names, 4, &writer), QDOT_OK);
  write_rows(&writer, 0, 700);
  assert_int_equal(csv_writer_keep(&writer, &bytes), QDOT_OK);
  write_rows(&writer, 700, 5000); // lost: behind what was kept
  writer.stream.keeps_part = true;
  csv_writer_leave(&writer);
  // The file as it was left has whole lines only.
  FILE *left = fopen(part, "rb");
  fseek(left, -1, SEEK_END);
  assert_int_equal(fgetc(left), '\n');
  fclose(left);
  assert_int_equal(csv_writer_resume(cx, path, names, 4, bytes, &writer), QDOT_OK);
  write_rows(&writer, 700, 3000);
  assert_int_equal(csv_writer_finish(&writer), QDOT_OK);
  check_rows(cx, 3000);
}

TEST(another_table_is_not_continued) {
  CsvWriter writer;
  static const char *const others[] = {"t", "b", "c", "d"};
  assert_int_equal(csv_writer_open(cx, path, others, 4, &writer), QDOT_OK);
  writer.stream.keeps_part = true;
  csv_writer_leave(&writer);
  assert_int_equal(csv_writer_resume(cx, path, names, 4, 20, &writer), QDOT_BAD_FILE);
  assert_int_equal(csv_writer_resume(cx, path, others, 4, 1000, &writer), QDOT_BAD_FILE);
}

static void check_bad(Context *cx, const char *text) {
  FILE *file = fopen(path, "wb");
  fputs(text, file);
  fclose(file);
  CsvReader reader;
  Status status = csv_reader_open(cx, path, &reader);
  if (status == QDOT_OK) {
    while (csv_reader_next(&reader)) continue;
    status = reader.status;
    csv_reader_close(&reader);
  }
  assert_int_equal(status, QDOT_BAD_FILE);
}

TEST(bad_files_are_reported) {
  check_bad(cx, "");
  check_bad(cx, "t,x\n1\n");
  check_bad(cx, "t,x\n1,2,3\n");
  check_bad(cx, "t,x\n1,2x\n");
  check_bad(cx, "t,\"x\"y\n1,2\n");
  assert_int_equal(cx->diagnostics.errors, 5);
  CsvReader reader;
  assert_int_equal(csv_reader_open(cx, "/nowhere/x.csv", &reader), QDOT_IO);
  CsvWriter writer;
  assert_int_equal(csv_writer_open(cx, "/nowhere/x.csv", names, 4, &writer), QDOT_IO);
}

TEST(a_full_disk_is_reported) {
  CsvWriter writer;
  assert_int_equal(csv_writer_open(cx, path, names, 4, &writer), QDOT_OK);
  int full = open("/dev/full", 1);
  assert_int_equal(dup2(full, writer.stream.file), writer.stream.file);
  close(full);
  double row[4] = {1, 2, 3, 4};
  Status status = QDOT_OK;
  for (int i = 0; i < 100000 && status == QDOT_OK; i++) status = csv_writer_row(&writer, row);
  assert_int_equal(status, QDOT_IO);
  csv_writer_leave(&writer);
  assert_int_not_equal(access(part, F_OK), 0);
}

RUN_TESTS_BETWEEN(make_folder, remove_folder, cmocka_unit_test(rows_are_read_back),
                  cmocka_unit_test(wide_rows_are_read_back),
                  cmocka_unit_test(a_run_that_was_cut_goes_on),
                  cmocka_unit_test(another_table_is_not_continued),
                  cmocka_unit_test(bad_files_are_reported),
                  cmocka_unit_test(a_full_disk_is_reported))
