// A linearization as LaTeX equations.
#include "print/linear/linear_tex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words/digits.h"
#include "print/abbreviations.h"
#include "print/typeset.h"

static bool is_zero(const Context *cx, const Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!expr_is_zero(cx, e[i])) return false;
  return true;
}

static void add_matrix(const Linearized *l, const PartNames *names, const char *name, const Expr *e,
                       uint32_t rows, uint32_t columns, Text *out) {
  if (rows == 0 || columns == 0) return;
  text_addf(out, "\\[ %s = ", name);
  if (is_zero(l->cx, e, (size_t)rows * columns)) {
    text_add(out, "0 \\]\n");
    return;
  }
  Typesetter t = {.cx = l->cx, .face = &latex_face, .names = names, .out = out};
  t.numbers = number_style(l->cx, e, (size_t)rows * columns, names);
  text_add(out, "\\begin{pmatrix}\n");
  for (uint32_t i = 0; i < rows; i++) {
    text_add(out, "  ");
    for (uint32_t j = 0; j < columns; j++) {
      if (j) text_add(out, " & ");
      typeset_expr(&t, e[i * columns + j]);
    }
    text_add(out, i + 1 < rows ? " \\\\\n" : "\n");
  }
  text_add(out, "\\end{pmatrix} \\]\n");
}

static void add_point(const Linearized *l, Text *out) {
  text_add(out, "\\[ ");
  for (uint32_t i = 0; i < l->n; i++) {
    const char *name = symbol_text(l->cx, l->system->model->coordinates.at[i].name);
    if (i) text_add(out, ", \\quad ");
    typeset_name(l->cx, name, 0, &latex_face, out);
    text_add(out, " = ");
    typeset(l->cx, l->form.q[i], &latex_face, NULL, out);
  }
  for (uint32_t i = 0; i < l->n; i++) {
    if (l->point->qd[i] == 0) continue;
    text_add(out, ", \\quad ");
    typeset(l->cx, l->system->qd[i], &latex_face, NULL, out);
    text_add(out, " = ");
    typeset(l->cx, l->form.qd[i], &latex_face, NULL, out);
  }
  text_add(out, " \\]\n");
}

static void add_number(double value, Text *out) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.6g", digits_rounded(value, 6));
  const char *exponent = strchr(digits, 'e');
  text_add_bytes(out, digits, strcspn(digits, "e"));
  if (exponent) text_addf(out, " \\cdot 10^{%ld}", strtol(exponent + 1, NULL, 10));
}

// The numbers behind names that stand for values found numerically.
static void add_names(const Linearized *l, Text *out) {
  for (uint32_t i = 0; i < l->form.names.n; i++) {
    const PointName *name = &l->form.names.at[i];
    text_add(out, i ? ", \\quad " : "\\[ ");
    typeset(l->cx, name->symbol, &latex_face, NULL, out);
    text_add(out, " = ");
    add_number(name->value, out);
  }
  if (l->form.names.n) text_add(out, " \\]\n");
}

void linear_tex(const Linearized *l, Text *out) {
  Context *cx = l->cx;
  ExprList shown = {0};
  const Expr *matrices[] = {l->M, l->C, l->K, l->K_constraint, l->B, l->Q};
  const uint32_t columns[] = {l->f, l->f, l->p, l->p, l->inputs, 1};
  for (int k = 0; k < 6; k++)
    for (size_t i = 0; i < (size_t)l->f * columns[k]; i++)
      vec_push(&cx->scratch, &shown, matrices[k][i]);
  Parts parts;
  parts_open(cx, shown.at, shown.n, PARTS_WITH_PRIMES, &parts);
  PartNames names = parts_names(&parts);
  add_point(l, out);
  add_names(l, out);
  text_add(out, l->f < l->p ? "\\[ \\hat{M} \\dot{s} + \\hat{C} s + \\hat{K} z = "
                            : "\\[ \\hat{M} \\ddot{x} + \\hat{C} \\dot{x} + \\hat{K} x = ");
  if (!l->is_balanced) text_add(out, l->inputs ? "\\hat{Q} + " : "\\hat{Q} \\]\n");
  if (l->inputs || l->is_balanced) text_add(out, l->inputs ? "\\hat{B} u \\]\n" : "0 \\]\n");
  add_matrix(l, &names, "\\hat{M}", l->M, l->f, l->f, out);
  add_matrix(l, &names, "\\hat{C}", l->C, l->f, l->f, out);
  add_matrix(l, &names, "\\hat{K}", l->K, l->f, l->p, out);
  if (!l->is_balanced) add_matrix(l, &names, "\\hat{Q}", l->Q, l->f, 1, out);
  add_matrix(l, &names, "\\hat{B}", l->B, l->f, l->inputs, out);
  if (!is_zero(cx, l->K_constraint, (size_t)l->f * l->p))
    add_matrix(l, &names, "\\hat{K}_{\\Phi}", l->K_constraint, l->f, l->p, out);
  for (uint32_t i = 0; i < parts.list.n; i++) {
    text_add(out, "\\[ ");
    typeset_name(cx, parts.names[i], 0, &latex_face, out);
    text_add(out, " = ");
    Expr body = parts_body(&parts, i);
    typeset(cx, body, &latex_face, &names, out);
    parts_body_end(&parts);
    text_add(out, " \\]\n");
  }
  parts_close(&parts);
}
