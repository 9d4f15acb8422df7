// Data files: layouts, headings, gaps and mistakes as a table; random files in every layout.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "base/host/text_file.h"
#include "data/data.h"
#include "support/cases.h"
#include "support/check.h"

static char folder[] = "/tmp/qdot-data-XXXXXX";

static int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char path[64];
  snprintf(path, sizeof path, "%s/road.csv", folder);
  remove(path);
  return rmdir(folder);
}

// ---- The table of cases: a file, with \t, \r, \0 and \b (the byte order mark) spelt out

static size_t unescape(const char *from, char *to) {
  char *start = to;
  for (; *from; from++) {
    if (*from != '\\') {
      *to++ = *from;
      continue;
    }
    from++;
    if (*from == 't') *to++ = '\t';
    if (*from == 'r') *to++ = '\r';
    if (*from == '0') *to++ = 0;
    if (*from == 'b') memcpy(to, "\xef\xbb\xbf", 3), to += 3;
    if (*from == 'w') memcpy(to, "\xff\xfe", 2), to += 2;
  }
  return (size_t)(to - start);
}

// Every column that can be used with its values; a first line "use: ..." says what to do with them.
static const char *describe(Context *cx, const char *input) {
  char *bytes = arena_alloc(&cx->keep, strlen(input) + 8);
  size_t use = strncmp(input, "use: ", 5) == 0 ? strcspn(input, "\n") : 0;
  const char *word = use ? arena_copy(&cx->keep, input + 5, use - 5) : "";
  size_t n = unescape(input + (use ? use + 1 : 0), bytes);
  folder_write(cx, folder, "road.csv", bytes, n);
  const DataFile *f;
  if (data_read(cx, &cx->keep, folder, "road.csv", NULL, &f) != QDOT_OK) return NULL;
  Text out = text_new(&cx->keep);
  text_addf(&out, "%s, %u rows\n",
            f->layout.separator == '\t'  ? "tabs"
            : f->layout.separator == ' ' ? "blanks"
            : f->layout.separator == ',' ? "commas"
                                         : "semicolons",
            f->rows);
  uint32_t from = 0, to = f->columns;
  if (*word && strcmp(word, "ascending") != 0 && strcmp(word, "gaps") != 0) {
    char *end;
    double number = strtod(word, &end);
    Status found =
        *end ? data_column_named(cx, f, word, &from) : data_column_number(cx, f, number, &from);
    if (found != QDOT_OK) return NULL;
    to = from + 1;
  }
  for (uint32_t i = from; i < to; i++) {
    const double *values;
    text_addf(&out, "'%s'", f->headings[i].name);
    if (f->headings[i].unit) text_addf(&out, " in '%s'", f->headings[i].unit);
    if (data_values(cx, &cx->keep, f, i, strcmp(word, "gaps") == 0, &values) != QDOT_OK)
      return NULL;
    for (uint32_t k = 0; k < f->rows; k++) text_addf(&out, " %.9g", values[k]);
    text_add(&out, "\n");
  }
  if (strcmp(word, "ascending") == 0 && data_need_ascending(cx, f, 0) != QDOT_OK) return NULL;
  return out.at;
}

static void all_cases(void **state) {
  (void)state;
  check_cases("tests/data/data.case", describe);
}

// ---- Random tables, written in a random layout and read back to the last bit

static void write_number(Random *random, Text *out, double value, bool commas) {
  char digits[64];
  static const char *const formats[] = {"%.17g", "%+.17g", "%.17e", "%.17E"};
  snprintf(digits, sizeof digits, formats[random_below(random, 4)], value);
  for (char *c = digits; *c; c++)
    if (*c == '.' && commas) *c = ',';
  text_add(out, digits);
}

typedef struct Style {
  const char *separator;
  bool commas, crlf, quotes;
} Style;

static void write_row(Random *random, Text *out, const Style *style, const double *row, int n) {
  if (out->n && random_below(random, 10) == 0) text_add(out, "# a comment; with, signs\n");
  if (random_below(random, 10) == 0) text_add(out, "  \n");
  for (int i = 0; i < n; i++) {
    text_add(out, i ? style->separator : "");
    bool quote = style->quotes && random_below(random, 3) == 0;
    if (quote) text_add(out, "\"");
    if (isnan(row[i]))
      text_add(out, *style->separator == ' ' || random_below(random, 2) ? "NaN" : "");
    else
      write_number(random, out, row[i], style->commas);
    if (quote) text_add(out, "\"");
  }
  text_add(out, style->crlf ? "\r\n" : "\n");
}

TEST(random_tables) {
  Random random = random_start("random_tables");
  static const char *const separators[] = {",", ";", "\t", " ", " , ", " ;  ", "   ", " \t"};
  enum { ROWS = 20, COLUMNS = 6 };
  for (int round = 0; round < test_rounds(2000); round++) {
    Mark mark = arena_mark(&cx->scratch);
    Style style = {.separator = separators[random_below(&random, 8)]};
    style.commas = !strchr(style.separator, ',') && random_below(&random, 2);
    style.crlf = random_below(&random, 2), style.quotes = random_below(&random, 4) == 0;
    int rows = 1 + random_below(&random, ROWS), columns = 2 + random_below(&random, COLUMNS - 1);
    bool headings = random_below(&random, 2);
    Text text = text_new(&cx->scratch);
    for (int i = 0; headings && i < columns; i++)
      text_addf(&text, "%sc_%d%s", i ? style.separator : "", i, i % 2 ? " [mm]" : "");
    if (headings) text_add(&text, "\n");
    double value[ROWS][COLUMNS];
    for (int k = 0; k < rows; k++) {
      for (int i = 0; i < columns; i++)
        value[k][i] = k && i && random_below(&random, 8) == 0
                          ? NAN
                          : random_real(&random, -1, 1) * pow(10, random_below(&random, 40) - 20);
      write_row(&random, &text, &style, value[k], columns);
    }
    folder_write(cx, folder, "road.csv", text.at, text.n);
    const DataFile *f;
    assert_int_equal(data_read(cx, &cx->scratch, folder, "road.csv", NULL, &f), QDOT_OK);
    assert_int_equal(f->rows, rows);
    assert_int_equal(f->columns, columns);
    assert_int_equal(f->has_headings, headings);
    for (int i = 0; i < columns; i++) {
      const double *read;
      assert_int_equal(data_values(cx, &cx->scratch, f, (uint32_t)i, true, &read), QDOT_OK);
      if (headings && i % 2) assert_string_equal(f->headings[i].unit, "mm");
      for (int k = 0; k < rows; k++)
        assert_true(read[k] == value[k][i] || (isnan(read[k]) && isnan(value[k][i])));
    }
    arena_release(&cx->scratch, mark);
  }
}

TEST(what_cannot_be_read) {
  const DataFile *f;
  assert_int_equal(data_read(cx, &cx->keep, folder, "none.csv", NULL, &f), QDOT_IO);
  assert_int_equal(data_read(cx, &cx->keep, "/", "dev", NULL, &f), QDOT_IO);
  assert_int_equal(data_read(cx, &cx->keep, folder, "/dev/zero", NULL, &f), QDOT_IO);
  // a line that is too long, more columns than anybody wants
  size_t n = (2 << 20) + 2;
  char *bytes = arena_alloc(&cx->keep, n);
  memset(bytes, '1', n);
  memcpy(bytes, "1\n", 2);
  folder_write(cx, folder, "road.csv", bytes, n);
  assert_int_equal(data_read(cx, &cx->keep, folder, "road.csv", NULL, &f), QDOT_TOO_LARGE);
  memset(bytes, ',', n);
  folder_write(cx, folder, "road.csv", bytes, n);
  assert_int_equal(data_read(cx, &cx->keep, folder, "road.csv", NULL, &f), QDOT_TOO_LARGE);
}

TEST(folders_of_models) {
  assert_string_equal(text_file_folder(&cx->keep, "car.qdot"), "");
  assert_string_equal(text_file_folder(&cx->keep, "models/car.qdot"), "models");
  assert_string_equal(text_file_folder(&cx->keep, "/car.qdot"), "/");
}

RUN_TESTS_BETWEEN(make_folder, remove_folder, cmocka_unit_test(all_cases),
                  cmocka_unit_test(random_tables), cmocka_unit_test(what_cannot_be_read),
                  cmocka_unit_test(folders_of_models))
