// Formulas in documents: random ones compile as LaTeX and parse as MathML.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/tex_width.h"
#include "print/typeset.h"
#include "support/check.h"
#include "support/expressions.h"

static bool has_program(const char *name) {
  char command[200];
  snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
  return system(command) == 0;
}

// Writes a file into a fresh folder and runs a command there that gets its name.
static int run_on(const Text *text, const char *file, const char *command) {
  char folder[] = "/tmp/qdot-test-XXXXXX", line[400];
  assert_non_null(mkdtemp(folder));
  snprintf(line, sizeof line, "%s/%s", folder, file);
  FILE *out = fopen(line, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text->at, 1, text->n, out), text->n);
  fclose(out);
  snprintf(line, sizeof line,
           "cd %s && %s %s >log 2>&1 || { grep -A5 -m3 -E '^!|error' log; exit 1; }", folder,
           command, file);
  int status = system(line);
  snprintf(line, sizeof line, "rm -r %s", folder);
  if (status == 0) assert_int_equal(system(line), 0);
  return status;
}

static void random_names(Samples *s) {
  static const char *const names[] = {"theta_12", "r[1,2].x", "omega_max", "q1",
                                      "length",   "Phi_A_x",  "größe"};
  for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
    const char *name = names[random_below(s->random, 7)];
    SymbolKind kind = i < 2 ? SYMBOL_PARAMETER : i < 4 ? SYMBOL_COORDINATE : SYMBOL_VELOCITY;
    s->symbol[i] = expr_symbol(s->cx, kind, symbol_from_text(s->cx, name));
  }
}

static Text random_formulas(Context *cx, Random *random, const Typeface *face, int count,
                            const char *before, const char *after) {
  Samples samples = samples_open(cx, random);
  Text out = text_new(&cx->keep);
  for (int i = 0; i < count; i++) {
    if (i % 10 == 5) random_names(&samples);
    text_add(&out, before);
    typeset(cx, random_expr(&samples, 5, i % 2), face, NULL, &out);
    text_add(&out, after);
  }
  return out;
}

TEST(latex_compiles) {
  if (!has_program("pdflatex")) {
    print_message("skipped: pdflatex is not installed\n");
    return;
  }
  Random random = random_start("latex_compiles");
  Text body = random_formulas(cx, &random, &latex_face, test_rounds(400), "$", "$\n\n");
  Text document = text_new(&cx->keep);
  text_add(&document, "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n"
                      "\\usepackage[T1]{fontenc}\n\\usepackage{amsmath}\n\\begin{document}\n");
  text_add(&document, body.at);
  text_add(&document, "\\end{document}\n");
  assert_int_equal(run_on(&document, "formulas.tex",
                          "pdflatex -interaction=nonstopmode "
                          "-halt-on-error"),
                   0);
}

// TeX measures each formula, and complains where our width is not that. Too small a width would
// let lines leave the page.
TEST(widths_are_those_of_tex) {
  if (!has_program("pdflatex")) return;
  Random random = random_start("widths_are_those_of_tex");
  Samples samples = samples_open(cx, &random);
  Text document = text_new(&cx->keep);
  text_add(&document,
           "\\documentclass[11pt]{article}\n\\usepackage[utf8]{inputenc}\n"
           "\\IfFileExists{lmodern.sty}{\\usepackage[T1]{fontenc}\\usepackage{lmodern}}{}\n"
           "\\usepackage{amsmath}\n\\newcommand{\\measured}[2]{\\setbox0\\hbox{$\\displaystyle #2$}"
           "\\typeout{W \\the\\wd0 #1}\\ifdim\\wd0>\\dimexpr#1pt*104/100+2pt\\errmessage{wider "
           "than #1: \\the\\wd0}\\fi"
           "\\ifdim\\wd0<\\dimexpr#1pt*85/100-4pt\\errmessage{narrower than #1: \\the\\wd0}\\fi}\n"
           "\\begin{document}\n");
  for (int i = 0; i < test_rounds(300); i++) {
    if (i % 10 == 5) random_names(&samples);
    Text one = text_new(&cx->keep);
    if (i % 10 == 0) text_add(&one, "\\begin{bmatrix} ");
    typeset(cx, random_expr(&samples, 1 + i % 5, i % 2), &latex_face, NULL, &one);
    if (i % 10 == 0) {
      text_add(&one, " & 0 \\\\ ");
      typeset(cx, random_expr(&samples, 3, i % 2), &latex_face, NULL, &one);
      text_add(&one, " & 1 \\end{bmatrix}");
    }
    text_addf(&document, "\\measured{%.2f}{%s}\n", tex_width(one.at), one.at);
  }
  text_add(&document, "x\\end{document}\n");
  assert_int_equal(run_on(&document, "widths.tex",
                          "pdflatex -draftmode -interaction=nonstopmode -halt-on-error"),
                   0);
}

TEST(mathml_is_well_formed) {
  if (!has_program("python3")) {
    print_message("skipped: python3 is not installed\n");
    return;
  }
  Random random = random_start("mathml_is_well_formed");
  Text body = random_formulas(cx, &random, &mathml_face, test_rounds(2000), "<math>", "</math>\n");
  Text document = text_new(&cx->keep);
  text_addf(&document, "<html>%s</html>", body.at);
  assert_int_equal(run_on(&document, "formulas.xml",
                          "python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])'"),
                   0);
}

// Elements that need a fixed number of children have them.
TEST(mathml_elements_have_their_children) {
  if (!has_program("python3")) return;
  Random random = random_start("mathml_elements_have_their_children");
  Text body = random_formulas(cx, &random, &mathml_face, test_rounds(500), "<math>", "</math>\n");
  Text document = text_new(&cx->keep);
  text_addf(&document, "<html>%s</html>", body.at);
  assert_int_equal(
      run_on(&document, "formulas.xml",
             "python3 -c 'import sys, xml.etree.ElementTree as e; "
             "n = dict(mfrac=2, msup=2, msub=2, mover=2); "
             "assert all(len(x) == n.get(x.tag, len(x)) for x in e.parse(sys.argv[1]).iter())'"),
      0);
}

TEST(notation_of_the_user) {
  Notation notation = {0};
  assert_int_equal(
      notation_read(cx, &notation, "# alphabet\nq_1 = \\varphi_{A}\n\nm=\\mathcal{M}\n"), QDOT_OK);
  assert_int_equal(notation.n, 2);
  assert_int_equal(notation_add(cx, &notation, "nonsense"), QDOT_BAD_ARGUMENT);
  Expr q = expr_symbol(cx, SYMBOL_VELOCITY, symbol_from_text(cx, "q_1"));
  Expr m = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "m"));
  Text latex = text_new(&cx->keep), mathml = text_new(&cx->keep);
  Typesetter t = {.cx = cx, .face = &latex_face, .notation = &notation, .out = &latex};
  typeset_expr(&t, expr_mul(cx, m, q));
  assert_string_equal(latex.at, "\\mathcal{M} \\, \\dot{\\varphi}_{A}");
  t.face = &mathml_face, t.out = &mathml;
  typeset_expr(&t, q);
  assert_string_equal(
      mathml.at,
      "<msub data-s=\"q_1\"><mover accent=\"true\"><mi>φ</mi><mo stretchy=\"false\">˙</mo>"
      "</mover><mrow><mi>A</mi></mrow></msub>");
  assert_int_equal(notation_read(cx, &notation, "L_1=\\ell_{1}\nb=\\mathbb{}\n"), QDOT_OK);
  Text ell = text_new(&cx->keep);
  Mark mark = arena_mark(&cx->scratch);
  t.out = &ell;
  typeset_symbol(&t, "L_1", 0);
  typeset_symbol(&t, "b", 0);
  assert_string_equal(
      ell.at,
      "<msub data-s=\"L_1\"><mi>ℓ</mi><mrow><mn>1</mn></mrow></msub><mi data-s=\"b\">b</mi>");
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(latex_compiles), cmocka_unit_test(widths_are_those_of_tex),
          cmocka_unit_test(mathml_is_well_formed),
          cmocka_unit_test(mathml_elements_have_their_children),
          cmocka_unit_test(notation_of_the_user))
