// Programs written out in C, Octave, Python and JavaScript, run there, against the interpreter.
#include "code/emit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/random_program.h"
#include "native/compiled.h"

enum { PROGRAMS = 40, INPUTS = 5, MOST = 64 };

typedef struct Names {
  Context *cx;
  int n;
} Names;

static const char *fresh(void *user, const char *wish) {
  Names *names = user;
  Text text = text_new(&names->cx->keep);
  for (; *wish; wish++) text_add_char(&text, *wish == '\'' ? 'd' : *wish);
  text_addf(&text, "_%d", ++names->n);
  return text.at;
}

typedef struct Language {
  Dialect dialect;
  const char *suffix, *command; // %s: the file
  const char *head;
} Language;

static const Language languages[] = {
    {DIALECT_C, "c",
     "cc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror %1$s -o %1$s.out -lm && "
     "%1$s.out",
     "#include <math.h>\n#include <stdio.h>\nstatic double y[64];\n"
     "static void show(int n) {\n  for (int i = 0; i < n; i++) printf(\"%.17g\\n\", y[i]);\n}\n"},
    {DIALECT_OCTAVE, "m", "octave-cli -qf %s",
     "1;\nfunction r = choose(c, a, b)\n  if c\n    r = a;\n  else\n    r = b;\n  end\nend\n"},
    {DIALECT_PYTHON, "py", "/usr/bin/python3 %s",
     "import numpy as np\nnp.seterr(all='ignore')\n"
     "def show(y):\n  for v in y: print('%.17g' % v)\n"},
    {DIALECT_JS, "mjs", "node %s",
     "const show = y => y.forEach(v => console.log(String(v).replace('Infinity', 'inf')));\n"},
};

// The text of one program as a block that leaves its outputs in y and prints them.
static void write_block(Context *cx, const Program *p, const Language *language, int number,
                        const double *in, Text *out) {
  const char *inputs[INPUTS], *outputs[MOST];
  bool octave = language->dialect == DIALECT_OCTAVE, c = language->dialect == DIALECT_C;
  bool js = language->dialect == DIALECT_JS;
  for (int i = 0; i < INPUTS; i++)
    inputs[i] = text_format(&cx->keep, octave ? "x(%d)" : "x[%d]", i + octave);
  for (uint32_t i = 0; i < p->output_count; i++)
    outputs[i] = text_format(&cx->keep, octave ? "y(%d)" : "y[%d]", (int)i + octave);
  Names names = {cx, 0};
  Emission emission = {language->dialect, c ? "  " : "", inputs, outputs, fresh, &names};
  if (c)
    text_addf(out, "static void f%d(const double *x) {\n  (void)x;\n", number);
  else if (octave)
    text_addf(out, "y = zeros(%u, 1);\nx = [", p->output_count);
  else if (js)
    text_add(out, "{\nconst y = [], x = ([");
  else
    text_addf(out, "y = [0.0] * %u\nx = np.array([", p->output_count);
  for (int i = 0; !c && i < INPUTS; i++) {
    text_add(out, i ? ", " : "");
    emit_number(language->dialect, in[i], out);
  }
  if (!c) text_add(out, octave ? "];\n" : "])\n");
  program_emit(cx, p, &emission, out);
  if (octave)
    text_add(out, "printf('%.17g\\n', y);\n");
  else if (!c)
    text_add(out, js ? "show(y)\n}\n" : "show(y)\n");
  else {
    text_addf(out, "}\nstatic void call%d(void) {\n  const double x[] = {", number);
    for (int i = 0; i < INPUTS; i++) {
      text_add(out, i ? ", " : "");
      emit_number(DIALECT_C, in[i], out);
    }
    text_addf(out, "};\n  f%d(x);\n  show(%u);\n}\n", number, p->output_count);
  }
}

static void write_tail(const Language *language, int programs, Text *out) {
  if (language->dialect != DIALECT_C) return;
  text_add(out, "int main(void) {\n");
  for (int i = 0; i < programs; i++) text_addf(out, "  call%d();\n", i);
  text_add(out, "  return 0;\n}\n");
}

// Runs the text as a file of its own; the numbers that it prints.
static size_t run_text(const Language *language, const Text *text, double *numbers, size_t most) {
  char path[64], command[512];
  snprintf(path, sizeof path, "/tmp/qdot-emit-%d.%s", (int)getpid(), language->suffix);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fwrite(text->at, 1, text->n, file);
  fclose(file);
  snprintf(command, sizeof command, language->command, path);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  size_t n = 0;
  while (n < most && fscanf(pipe, "%lf", &numbers[n]) == 1) n++;
  assert_int_equal(pclose(pipe), 0);
  unlink(path);
  snprintf(command, sizeof command, "%s.out", path);
  unlink(command);
  return n;
}

static bool is_there(const Language *language) {
  if (language->dialect == DIALECT_OCTAVE) return !system("command -v octave-cli > /dev/null");
  if (language->dialect == DIALECT_PYTHON)
    return !system("/usr/bin/python3 -c 'import numpy' 2> /dev/null");
  if (language->dialect == DIALECT_JS) return !system("command -v node > /dev/null");
  return !system("command -v cc > /dev/null");
}

static void run_interpreter(Context *cx, const Program *p, const double *in, double *out) {
  Compiled compiled = compile_program(cx, p, BACKEND_INTERP, &cx->keep);
  double *work = arena_array(&cx->keep, double, compiled.work_size + 1);
  compiled_prepare(&compiled, in, work);
  compiled_run(&compiled, in, out, work);
  compiled_close(&compiled);
}

// Every function of one argument and of two, at one point.
static void every_function(ProgramBuilder *b) {
  Slot x = program_input(b, 0), y = program_input(b, 1);
  for (int op = 0; op < STEP_COUNT; op++) {
    if (step_kind((StepOp)op) == STEP_PLAIN || op == STEP_TABLE) continue;
    if (step_arity((StepOp)op) == 1)
      program_output(b, program_op1(b, (StepOp)op, x));
    else
      program_output(b, program_op2(b, (StepOp)op, x, program_add(b, x, y)));
  }
}

// What no literal can say, alone and in terms.
static void numbers_without_digits(ProgramBuilder *b) {
  static const double values[] = {INFINITY, -INFINITY, NAN, 1e300, -0.0, 3};
  Slot x = program_input(b, 0);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    Slot c = program_constant(b, values[i]);
    program_output(b, c);
    program_output(b, program_op2(b, STEP_SUB, x, c));
    program_output(b, program_op2(b, STEP_MUL, c, x));
    program_output(b, program_op2(b, STEP_LT, x, c));
  }
}

static void check_language(Context *cx, const Language *language) {
  Random random = random_start(language->suffix);
  Text text = text_new(&cx->keep);
  double *expected = arena_array(&cx->keep, double, PROGRAMS *MOST);
  double *got = arena_array(&cx->keep, double, PROGRAMS *MOST);
  uint32_t n = 0, exact = 0;
  text_add(&text, language->head);
  for (int i = 0; i < PROGRAMS; i++) {
    RandomProgram shape = {.inputs = INPUTS,
                           .fixed = 2,
                           .steps = 5 + random_below(&random, 40),
                           .outputs = 3,
                           .reach = 20,
                           .real = true,
                           .ops = STEP_SELECT + 1};
    double in[INPUTS];
    for (int k = 0; k < INPUTS; k++) in[k] = random_real(&random, 0.1, 0.9);
    ProgramBuilder b;
    program_open(&b, cx, INPUTS);
    if (i == 0)
      numbers_without_digits(&b);
    else if (i + 1 < PROGRAMS)
      random_program(&random, &b, &shape);
    else
      every_function(&b);
    const Program *p = program_finish(&b, &cx->keep);
    if (i + 1 == PROGRAMS) exact = n;
    run_interpreter(cx, p, in, expected + n);
    write_block(cx, p, language, i, in, &text);
    n += p->output_count;
    program_close(&b);
  }
  write_tail(language, PROGRAMS, &text);
  assert_int_equal(run_text(language, &text, got, PROGRAMS * MOST), n);
  for (uint32_t i = 0; i < n; i++) {
    if (isnan(expected[i]) && isnan(got[i])) continue;
    // functions of the other language round in their own way
    if (i >= exact)
      CHECK_NEAR(expected[i], got[i], 4e-16);
    else if (expected[i] != got[i])
      fail_msg("%u: %a and %a differ", i, expected[i], got[i]);
  }
}

TEST(written_in_c) {
  if (!is_there(&languages[0])) skip();
  check_language(cx, &languages[0]);
}
TEST(written_in_octave) {
  if (!is_there(&languages[1])) skip();
  check_language(cx, &languages[1]);
}
TEST(written_in_python) {
  if (!is_there(&languages[2])) skip();
  check_language(cx, &languages[2]);
}
TEST(written_in_javascript) {
  if (!is_there(&languages[3])) skip();
  check_language(cx, &languages[3]);
}

RUN_TESTS(cmocka_unit_test(written_in_c), cmocka_unit_test(written_in_octave),
          cmocka_unit_test(written_in_python), cmocka_unit_test(written_in_javascript))
