// Tables in exported files.
#include "export/tables.h"

enum { NUMBERS_IN_LINE = 6 };

static void note_tables(const Program *p, bool *used) {
  for (uint32_t i = 0; p && i < p->prologue_count + p->main_count; i++)
    if (p->steps[i].op == STEP_TABLE) used[table_code_id(p->constants[p->steps[i].b])] = true;
}

// Which tables of the context are used, by id.
static bool *used_tables(const ExportContent *c) {
  bool *used = arena_array(c->arena, bool, table_count(c->cx) + 1);
  note_tables(c->forward, used);
  note_tables(c->defaults, used);
  for (uint32_t i = 0; i < c->quantities.n; i++) note_tables(c->quantities.at[i].program, used);
  return used;
}

bool content_has_tables(const ExportContent *c) {
  const bool *used = used_tables(c);
  for (TableId id = 0; id < table_count(c->cx); id++)
    if (used[id]) return true;
  return false;
}

static void write_numbers(Dialect dialect, const double *values, size_t n, const char *indent,
                          Text *out) {
  const char *wrap = dialect == DIALECT_OCTAVE ? ", ...\n" : ",\n";
  for (size_t i = 0; i < n; i++) {
    if (i) text_add(out, i % NUMBERS_IN_LINE ? ", " : wrap);
    if (i && i % NUMBERS_IN_LINE == 0) text_add(out, indent);
    emit_number(dialect, values[i], out);
  }
}

static size_t coefficient_count(const TableData *t) {
  return ((size_t)t->n + 1) * ((size_t)t->degree + 1);
}

// ---- C

static void write_c_table(const TableData *t, TableId id, Text *out) {
  text_addf(out, "static const double table_%u_knots[] = {\n    ", id + 1);
  write_numbers(DIALECT_C, t->x, t->n, "    ", out);
  text_addf(out, "};\nstatic const double table_%u_pieces[] = {\n    ", id + 1);
  write_numbers(DIALECT_C, t->pieces, coefficient_count(t), "    ", out);
  text_add(out, "};\n\n");
}

static void write_c_case(const TableData *t, TableId id, Text *out) {
  text_addf(out, "  case %u: n = %u, degree = %u, period = ", id + 1, t->n, t->degree);
  emit_number(DIALECT_C, t->period, out);
  text_addf(out, ", knots = table_%u_knots, pieces = table_%u_pieces; break;\n", id + 1, id + 1);
}

static const char *const c_head =
    "/* What a table has at x: its value (aspect 0), or its first to third derivative. Between "
    "knots\n"
    "   it is a polynomial of the distance from the knot before x; outside it is level. */\n"
    "static double table_value(int number, int aspect, double x) {\n"
    "  const double *knots = 0, *pieces = 0, *c;\n"
    "  double period = 0, shift = 0, d;\n"
    "  int n = 0, degree = 1, low = 0, high;\n"
    "  switch (number) {\n";

static const char *const c_tail =
    "  }\n"
    "  if (x != x) return x;\n"
    "  if (period > 0) shift = floor((x - knots[0]) / period) * period;\n"
    "  for (high = n; high > low;) {\n"
    "    int middle = low + (high - low) / 2;\n"
    "    if (knots[middle] <= x - shift)\n"
    "      low = middle + 1;\n"
    "    else\n"
    "      high = middle;\n"
    "  }\n"
    "  if (period > 0) low = low < 1 ? 1 : low > n - 1 ? n - 1 : low;\n"
    "  c = pieces + low * (degree + 1);\n"
    "  d = low == 0 || low == n ? 0 : x - (knots[low - 1] + shift);\n"
    "  if (degree == 1) return aspect == 0 ? c[0] + d * c[1] : aspect == 1 ? c[1] : 0;\n"
    "  switch (aspect) {\n"
    "  case 0: return c[0] + d * (c[1] + d * (c[2] + d * c[3]));\n"
    "  case 1: return c[1] + d * (2 * c[2] + d * (3 * c[3]));\n"
    "  case 2: return 2 * c[2] + d * (6 * c[3]);\n"
    "  default: return 6 * c[3];\n"
    "  }\n"
    "}\n\n";

// ---- Octave

static void write_octave_table(const TableData *t, TableId id, Text *out) {
  text_addf(out, "    tables{%u}.degree = %u;\n    tables{%u}.period = ", id + 1, t->degree,
            id + 1);
  emit_number(DIALECT_OCTAVE, t->period, out);
  text_addf(out, ";\n    tables{%u}.knots = [ ...\n      ", id + 1);
  write_numbers(DIALECT_OCTAVE, t->x, t->n, "      ", out);
  text_addf(out, "];\n    tables{%u}.pieces = reshape([ ...\n      ", id + 1);
  write_numbers(DIALECT_OCTAVE, t->pieces, coefficient_count(t), "      ", out);
  text_addf(out, "], %u, %u);\n", t->degree + 1, t->n + 1);
}

static const char *const octave_head =
    "function value = table_value(number, aspect, x)\n"
    "% What a table has at x: its value (aspect 0), or its first to third derivative. Between "
    "knots\n"
    "% it is a polynomial of the distance from the knot before x; outside it is level.\n"
    "  persistent tables\n"
    "  if isempty(tables)\n";

static const char *const octave_tail =
    "  end\n"
    "  knots = tables{number}.knots;\n"
    "  n = numel(knots);\n"
    "  period = tables{number}.period;\n"
    "  shift = 0;\n"
    "  if period > 0, shift = floor((x - knots(1))/period)*period; end\n"
    "  low = 0;\n"
    "  high = n;\n"
    "  while high > low\n"
    "    middle = floor((low + high)/2);\n"
    "    if knots(middle + 1) <= x - shift\n      low = middle + 1;\n"
    "    else\n      high = middle;\n    end\n"
    "  end\n"
    "  if period > 0, low = min(max(low, 1), n - 1); end\n"
    "  c = tables{number}.pieces(:, low + 1);\n"
    "  d = 0;\n"
    "  if low > 0 && low < n, d = x - (knots(low) + shift); end\n"
    "  if isnan(x), d = x; end\n"
    "  for k = 1:aspect\n"
    "    c = c(2:end) .* (1:numel(c) - 1)';\n"
    "  end\n"
    "  value = 0;\n"
    "  for k = numel(c):-1:1\n"
    "    value = c(k) + d*value;\n"
    "  end\n"
    "end\n";

// ---- Python

static void write_python_table(const TableData *t, TableId id, Text *out) {
  text_addf(out, "    %u: (%u, ", id + 1, t->degree);
  emit_number(DIALECT_PYTHON, t->period, out);
  text_add(out, ", np.array([\n        ");
  write_numbers(DIALECT_PYTHON, t->x, t->n, "        ", out);
  text_add(out, "]), np.array([\n        ");
  write_numbers(DIALECT_PYTHON, t->pieces, coefficient_count(t), "        ", out);
  text_addf(out, "]).reshape(%u, %u)),\n", t->n + 1, t->degree + 1);
}

static const char *const python_tail =
    "}\n\n\n"
    "def table_value(number, aspect, x):\n"
    "    \"\"\"What a table has at x: its value (aspect 0), or its first to third derivative.\n\n"
    "    Between knots it is a polynomial of the distance from the knot before x; outside it is\n"
    "    level.\n"
    "    \"\"\"\n"
    "    degree, period, knots, pieces = _tables[number]\n"
    "    n = len(knots)\n"
    "    shift = np.floor((x - knots[0])/period)*period if period > 0 else 0.0\n"
    "    low = 0 if np.isnan(x) else int(np.searchsorted(knots, x - shift, side=\"right\"))\n"
    "    if period > 0:\n"
    "        low = min(max(low, 1), n - 1)\n"
    "    c = pieces[low]\n"
    "    d = x - (knots[low - 1] + shift) if 0 < low < n else 0.0*x\n"
    "    for _ in range(aspect):\n"
    "        c = c[1:]*np.arange(1, len(c))\n"
    "    value = np.float64(0.0)\n"
    "    for k in range(len(c) - 1, -1, -1):\n"
    "        value = c[k] + d*value\n"
    "    return value\n\n\n";

// ---- JavaScript

static void write_js_table(const TableData *t, TableId id, Text *out) {
  text_addf(out, "  %u: {degree: %u, period: ", id + 1, t->degree);
  emit_number(DIALECT_JS, t->period, out);
  text_add(out, ", knots: [\n    ");
  write_numbers(DIALECT_JS, t->x, t->n, "    ", out);
  text_add(out, "], pieces: [\n    ");
  write_numbers(DIALECT_JS, t->pieces, coefficient_count(t), "    ", out);
  text_add(out, "]},\n");
}

static const char *const js_tail =
    "};\n\n"
    "// What a table has at x: its value (aspect 0), or its first to third derivative. Between "
    "knots\n"
    "// it is a polynomial of the distance from the knot before x; outside it is level.\n"
    "function table_value(number, aspect, x) {\n"
    "  const {degree, period, knots, pieces} = tables[number], n = knots.length;\n"
    "  const shift = period > 0 ? Math.floor((x - knots[0])/period)*period : 0;\n"
    "  let low = 0, high = n;\n"
    "  while (high > low) {\n"
    "    const middle = (low + high) >> 1;\n"
    "    if (knots[middle] <= x - shift) low = middle + 1;\n"
    "    else high = middle;\n"
    "  }\n"
    "  if (period > 0) low = Math.min(Math.max(low, 1), n - 1);\n"
    "  const d = low > 0 && low < n ? x - (knots[low - 1] + shift) : 0*x;\n"
    "  let value = 0;\n"
    "  for (let k = degree; k >= aspect; k--) {\n"
    "    let factor = pieces[low*(degree + 1) + k];\n"
    "    for (let i = 0; i < aspect; i++) factor *= k - i;\n"
    "    value = factor + d*value;\n"
    "  }\n"
    "  return value;\n"
    "}\n\n";

// ---- All of them

void write_tables(const ExportContent *c, Dialect dialect, Text *out) {
  static void (*const write_one[DIALECT_COUNT])(const TableData *, TableId,
                                                Text *) = {[DIALECT_C] = write_c_table,
                                                           [DIALECT_OCTAVE] = write_octave_table,
                                                           [DIALECT_PYTHON] = write_python_table,
                                                           [DIALECT_JS] = write_js_table};
  const bool *used = used_tables(c);
  if (dialect == DIALECT_OCTAVE) text_add(out, octave_head);
  if (dialect == DIALECT_PYTHON) text_add(out, "_tables = {\n");
  if (dialect == DIALECT_JS) text_add(out, "const tables = {\n");
  for (TableId id = 0; id < table_count(c->cx); id++)
    if (used[id]) write_one[dialect](table_get(c->cx, id), id, out);
  if (dialect == DIALECT_C) {
    text_add(out, c_head);
    for (TableId id = 0; id < table_count(c->cx); id++)
      if (used[id]) write_c_case(table_get(c->cx, id), id, out);
    text_add(out, c_tail);
  }
  if (dialect == DIALECT_OCTAVE) text_add(out, octave_tail);
  if (dialect == DIALECT_PYTHON) text_add(out, python_tail);
  if (dialect == DIALECT_JS) text_add(out, js_tail);
}
