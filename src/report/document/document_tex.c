// Documents as LaTeX: formulas need amsmath, whole documents also graphicx, babel and geometry.
#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "print/tex_width.h"
#include "report/document/document.h"

// ---- Words

static const char *escape_of(uint32_t letter) {
  static const struct {
    uint32_t letter;
    const char *latex;
  } table[] = {{'\\', "\\textbackslash{}"},
               {'&', "\\&"},
               {'%', "\\%"},
               {'$', "\\$"},
               {'#', "\\#"},
               {'_', "\\_"},
               {'{', "\\{"},
               {'}', "\\}"},
               {'~', "$\\sim$"},
               {'^', "\\textasciicircum{}"},
               {'"', "''"},
               {'<', "$<$"},
               {'>', "$>$"},
               {'|', "$|$"},
               {0xB2, "$^{2}$"},
               {0xB3, "$^{3}$"},
               {0xB9, "$^{1}$"},
               {0x207B, "$^{-}$"},
               {0xB7, "$\\cdot$"},
               {0xB0, "$^{\\circ}$"},
               {0xD7, "$\\times$"},
               {0x2212, "$-$"},
               {0x2192, "$\\to$"},
               {0x2264, "$\\le$"},
               {0x2265, "$\\ge$"},
               {0x2026, "\\dots{}"},
               {0x2013, "--"},
               {0x2014, "---"},
               {0xA0, "~"},
               {0x202F, "\\,"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (table[i].letter == letter) return table[i].latex;
  return NULL;
}

// Raised digits of units.
static int raised_digit(uint32_t letter) {
  if (letter == 0x2070) return 0;
  return letter >= 0x2074 && letter <= 0x2079 ? (int)(letter - 0x2070) : -1;
}

static void add_escaped(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    uint32_t letter;
    size_t used = utf8_decode(text + i, n - i, &letter);
    if (!used) used = 1, letter = '?';
    bool control = letter != '\t' && letter != '\n' && utf8_is_control(letter);
    const char *latex = escape_of(letter), *greek = greek_word(letter);
    if (latex)
      text_add(out, latex);
    else if (control)
      text_addf(out, "(U+%04X)", (unsigned)letter);
    else if (greek)
      text_addf(out, "$\\%s$", greek);
    else if (raised_digit(letter) >= 0)
      text_addf(out, "$^{%d}$", raised_digit(letter));
    else if (letter >= 0x2080 && letter <= 0x2089)
      text_addf(out, "$_{%d}$", (int)(letter - 0x2080));
    else if (letter < 0x180 || (letter >= 0x2018 && letter <= 0x201E))
      text_add_bytes(out, text + i, used);
    else
      text_addf(out, "(U+%04X)", (unsigned)letter);
    i += used;
  }
}

static void tex_text(Document *d, const char *text, size_t n) { add_escaped(d->out, text, n); }

static void tex_begin(Document *d, const char *title) {
  text_addf(d->out,
            "\\documentclass[11pt,a4paper]{article}\n"
            "\\usepackage[utf8]{inputenc}\n"
            "\\IfFileExists{lmodern.sty}{\\usepackage[T1]{fontenc}\\usepackage{lmodern}}{}\n"
            "\\usepackage[%s]{babel}\n"
            "\\usepackage[margin=25mm]{geometry}\n"
            "\\usepackage{amsmath}\n"
            "\\usepackage{graphicx}\n"
            "\\setcounter{MaxMatrixCols}{60}\n"
            "\\allowdisplaybreaks\n"
            "\\setlength{\\emergencystretch}{4em}\n"
            "\\setlength{\\parindent}{0pt}\n"
            "\\setlength{\\parskip}{0.6ex plus 0.2ex}\n"
            "\\renewcommand{\\arraystretch}{1.15}\n"
            // pictures stand where the text speaks of them
            "\\makeatletter\\newenvironment{here}{\\par\\medskip\\begin{minipage}{\\linewidth}"
            "\\centering\\def\\@captype{figure}}{\\end{minipage}\\par\\medskip}\\makeatother\n",
            d->language->babel);
  text_add(d->out, "\\title{");
  add_escaped(d->out, title, strlen(title));
  text_add(d->out, "\\vspace{-2em}}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n");
}

static void tex_contents(Document *d) {
  text_add(d->out, "\\setcounter{tocdepth}{1}\n\\tableofcontents\n\\clearpage\n");
}

static void tex_end(Document *d) { text_add(d->out, "\\end{document}\n"); }

static void tex_heading(Document *d, int level, Stage stage) {
  static const char *const names[] = {"section", "section", "subsection", "subsubsection"};
  if (stage == STAGE_BEFORE)
    text_addf(d->out, "\n\\%s{", names[level < 3 ? level : 3]);
  else
    text_add(d->out, "}\n");
}

// One empty line between paragraphs: the end of a line before the text and one behind it.
static void tex_paragraph(Document *d, Stage stage) {
  (void)stage;
  text_add(d->out, "\n");
}

static void tex_formula(Document *d, const char *markup) { text_addf(d->out, "$%s$", markup); }

// ---- Displays

// A4 with margins of 25 mm is 455 points wide; the number of an equation takes the rest.
#define LINE 415
#define QUAD 11

// Lines of a formula that is too wide for one: the first holds the left side and the relation.
static void add_lines(Document *d, const Formula *f, const char *end_of_line) {
  double line = d->medium->line, used = 0, left = 0;
  for (uint32_t i = 0; i < f->aligned; i++) left += f->pieces.at[i].width;
  bool long_left = f->aligned == 0 || left > line / 3;
  double indent = QUAD + (long_left ? 0 : left);
  for (uint32_t i = 0; i < f->pieces.n; i++) {
    Piece piece = f->pieces.at[i];
    bool mark = long_left ? i == 0 : i == f->aligned;
    if (i && used + piece.width > line && (long_left || i > f->aligned)) {
      text_addf(d->out, "%s \\\\\n&\\quad {}", end_of_line);
      used = indent;
    } else if (mark) {
      text_add(d->out, "&");
    }
    text_add(d->out, piece.markup);
    used += piece.width;
  }
}

enum { MOST_LINES = 8 }; // of a formula that stays on one page

static void tex_display(Document *d, const Formula *f, unsigned number) {
  const char *star = number ? "" : "*";
  double width = formula_width(f);
  bool wide = width > d->medium->line;
  if (width > MOST_LINES * d->medium->line) {
    // so long that it may have to continue overleaf; the number stands at its end
    text_addf(d->out, "\\begin{align%s}\n", star);
    add_lines(d, f, " \\notag");
    text_addf(d->out, "\n\\end{align%s}\n", star);
    return;
  }
  text_addf(d->out, "\\begin{equation%s}\n%s", star, wide ? "\\begin{split}\n" : "");
  if (wide)
    add_lines(d, f, "");
  else
    for (uint32_t i = 0; i < f->pieces.n; i++) text_add(d->out, f->pieces.at[i].markup);
  text_addf(d->out, "\n%s\\end{equation%s}\n", wide ? "\\end{split}\n" : "", star);
}

static void tex_matrix(Document *d, const char *const *cells, uint32_t rows, uint32_t columns,
                       Text *out) {
  (void)d;
  text_add(out, "\\begin{bmatrix} ");
  for (uint32_t i = 0; i < rows * columns; i++) {
    if (i) text_add(out, i % columns ? " & " : " \\\\ ");
    text_add(out, cells[i]);
  }
  text_add(out, " \\end{bmatrix}");
}

// ---- Boxes, tables, listings and figures

static void tex_box(Document *d, Stage stage) {
  if (stage == STAGE_BEFORE)
    text_add(d->out, "\n\\fbox{\\begin{minipage}{\\dimexpr\\linewidth-2\\fboxsep-2\\fboxrule}\n");
  else
    text_add(d->out, "\\end{minipage}}\n");
}

enum { ROWS_PER_TABLE = 36 };

static void add_row(Document *d, const Table *table, uint32_t row, uint32_t columns) {
  for (uint32_t j = 0; j < columns; j++) {
    Cell cell = table->cells.at[row * columns + j];
    if (j) text_add(d->out, " & ");
    if (cell.list)
      document_list(d, cell.list);
    else if (cell.is_formula && *cell.text)
      tex_formula(d, cell.text);
    else
      add_escaped(d->out, cell.text, strlen(cell.text));
  }
  text_add(d->out, " \\\\\n");
}

// Long tables continue in another one under the same head.
static void tex_table(Document *d, const Table *table, uint32_t rows, uint32_t columns) {
  for (uint32_t first = 1; first == 1 || first < rows; first += ROWS_PER_TABLE) {
    text_add(d->out, "\\begin{center}\n\\begin{tabular}{");
    for (uint32_t j = 0; j < columns; j++) {
      if (table->alignment[j] == 'w')
        text_add(d->out, "p{0.4\\linewidth}");
      else
        text_add_char(d->out, table->alignment[j]);
    }
    text_add(d->out, "}\n");
    text_add(d->out, "\\hline\n");
    add_row(d, table, 0, columns);
    text_add(d->out, "\\hline\n");
    for (uint32_t i = first; i < rows && i < first + ROWS_PER_TABLE; i++)
      add_row(d, table, i, columns);
    text_add(d->out, "\\hline\n\\end{tabular}\n\\end{center}\n");
  }
}

// The letters of a typewriter's font stand where ASCII has them.
static void add_typed(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t plain = 0;
    while (i + plain < n && !strchr("\\&%$#_{}~^\"<>|' ", text[i + plain])) plain++;
    add_escaped(out, text + i, plain);
    i += plain;
    if (i == n) return;
    if (text[i] == '\'')
      text_add(out, "\\textquotesingle{}");
    else if (text[i] == ' ')
      text_add(out, i && text[i - 1] == ' ' ? "\\ " : " ");
    else
      text_addf(out, "\\char%d{}", text[i]);
    i++;
  }
}

static void tex_listing(Document *d, const char *text, size_t length) {
  text_add(d->out, "\\begin{flushleft}\\footnotesize\\ttfamily\n");
  for (size_t i = 0; i < length;) {
    size_t n = 0, blanks = 0;
    while (i + n < length && text[i + n] != '\n') n++;
    while (blanks < n && text[i + blanks] == ' ') blanks++;
    text_addf(d->out, "\\hangindent=2em\\hangafter=1 \\mbox{}\\hspace*{%.1fem}",
              0.5 * (double)blanks);
    add_typed(d->out, text + i + blanks, n - blanks);
    text_add(d->out, "\\par\n");
    i += n + 1;
  }
  text_add(d->out, "\\end{flushleft}\n");
}

static void tex_figure(Document *d, const Figure *figure, unsigned number) {
  (void)number;
  if (!figure->file) return;
  text_addf(d->out,
            "\\begin{here}\n"
            "\\includegraphics[width=0.9\\linewidth,height=0.4\\textheight,keepaspectratio]{%s}\n"
            "\\caption{",
            figure->file);
  document_words(d, figure->caption, NULL);
  text_add(d->out, "}\n\\end{here}\n");
}

const Medium latex_medium = {
    .face = &latex_face,
    .measure = tex_width,
    .line = LINE,
    .matrix = LINE,
    .widest = 82,
    .rows = 24,
    .begin = tex_begin,
    .end = tex_end,
    .contents = tex_contents,
    .heading = tex_heading,
    .text = tex_text,
    .paragraph = tex_paragraph,
    .formula = tex_formula,
    .display = tex_display,
    .matrix_of = tex_matrix,
    .box = tex_box,
    .table = tex_table,
    .listing = tex_listing,
    .figure = tex_figure,
};
