// Plots: well-formed pictures with their axes, from every kind of request and every odd result.
#include "chart/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "chart/svg.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/recordings.h"

// ---- A strict little reader of XML

typedef struct Xml {
  const char *at;
  const char *open[64]; // names of open elements
  size_t length[64];
  int depth;
  char text[1 << 16]; // what a reader sees
  size_t n;
} Xml;

static void skip_past(Xml *x, const char *end) {
  const char *found = strstr(x->at, end);
  assert_non_null(found);
  x->at = found + strlen(end);
}

static void read_tag(Xml *x) {
  bool closes = *x->at == '/';
  x->at += closes;
  const char *name = x->at;
  while (isalnum((unsigned char)*x->at) || *x->at == ':') x->at++;
  size_t length = (size_t)(x->at - name);
  assert_true(length > 0);
  if (closes) {
    assert_true(x->depth > 0 && x->length[x->depth - 1] == length &&
                strncmp(x->open[x->depth - 1], name, length) == 0);
    x->depth--;
    assert_true(*x->at++ == '>');
    return;
  }
  for (;;) {
    x->at += strspn(x->at, " \n\t");
    if (*x->at == '>' || strncmp(x->at, "/>", 2) == 0) break;
    x->at += strcspn(x->at, " =>");
    x->at += strspn(x->at, " ");
    assert_true(*x->at++ == '=');
    x->at += strspn(x->at, " ");
    char quote = *x->at++;
    assert_true(quote == '"' || quote == '\'');
    while (*x->at && *x->at != quote) assert_true(*x->at++ != '<');
    assert_true(*x->at++ == quote);
  }
  if (*x->at++ == '/') {
    x->at++;
    return;
  }
  assert_true(x->depth < 64);
  x->open[x->depth] = name, x->length[x->depth++] = length;
}

static void read_xml(Xml *x, const char *text) {
  memset(x, 0, sizeof *x);
  x->at = text;
  while (*x->at) {
    if (strncmp(x->at, "<?", 2) == 0) {
      skip_past(x, "?>");
    } else if (strncmp(x->at, "<!--", 4) == 0) {
      skip_past(x, "-->");
    } else if (*x->at == '<') {
      x->at++;
      read_tag(x);
    } else {
      if (x->n + 1 < sizeof x->text && *x->at != '\n' && *x->at != '\t') x->text[x->n++] = *x->at;
      x->at++;
    }
  }
  assert_int_equal(x->depth, 0);
}

// ---- Pictures of a result

static PlotOptions options_for(const char *folder) {
  PlotOptions options = plot_defaults();
  options.folder = folder;
  return options;
}

static const char *read_picture(Context *cx, const char *folder, const Picture *picture,
                                const char *ending) {
  const char *bytes;
  size_t n;
  const char *name = text_format(&cx->keep, "%s.%s", picture->name, ending);
  assert_int_equal(folder_read(cx, &cx->keep, folder, name, &bytes, &n), QDOT_OK);
  assert_true(n > 0);
  return bytes;
}

static void check_shows(Context *cx, const char *folder, const Picture *picture,
                        const char *const *words) {
  static Xml xml;
  read_xml(&xml, read_picture(cx, folder, picture, "svg"));
  for (; *words; words++)
    if (!strstr(xml.text, *words)) fail_msg("%s lacks '%s': %s", picture->name, *words, xml.text);
}

#define SHOWS(number, ...)                                                                         \
  check_shows(cx, folder, &list.at[number], (const char *const[]){__VA_ARGS__, NULL})

static const char two_masses[] = "model \"Two masses\"\n"
                                 "param m = 2 [kg], k = 8 [N/m], a = 1 [m]\n"
                                 "coord x = 0 [m], theta = 0 [rad]\n"
                                 "let r = (x + a*sin(theta), a*cos(theta))\n"
                                 "kinetic = 1/2*m*x'^2 + 1/2*m*a^2*theta'^2\n"
                                 "potential = 1/2*k*x^2\n"
                                 "contact wall: x <= a\n"
                                 "output F = k*x\n";

// Angles that turn are shown wrapped, unless they do so all the time.
TEST(turns_are_wrapped_while_they_can_be_told_apart) {
  const char *text = text_format(&cx->keep, "%splot 2*theta\n", two_masses);
  for (int is_long = 0; is_long < 2; is_long++) {
    Result *result = recording_of_motion(cx, text, motion_of_sines, is_long ? 4000 : 700, 0.01);
    const char *folder = scratch_folder(cx, "plot");
    PlotOptions options = options_for(folder);
    PictureList list;
    assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
    const char *path = text_format(&cx->keep, "%s/%s.gp", folder, list.at[0].name);
    char script[1 << 14] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(script, 1, sizeof script - 1, file) > 0);
    fclose(file);
    assert_int_equal(strstr(script, "wrapped") == NULL, is_long);
    remove_folder(folder);
  }
}

TEST(every_plot_line_gives_a_picture_with_its_axes) {
  const char *text = text_format(&cx->keep,
                                 "%splot x\nplot 4*theta, x', k*x\nplot spectrum x\n"
                                 "plot phase theta\nplot path r.x, r.y\nplot energy\n"
                                 "plot contact wall\nplot phase all\n",
                                 two_masses);
  Result *result = recording_of_motion(cx, text, motion_of_sines, 4000, 0.01);
  SimEvent events[] = {{.t = 3, .kind = SIM_IMPACT, .closes = true},
                       {.t = 4, .kind = SIM_CONTACT},
                       {.t = 6, .kind = SIM_RELEASE},
                       {.t = 30, .kind = SIM_CONTACT}};
  for (size_t i = 0; i < 4; i++) vec_push(&cx->keep, &result->summary.events, events[i]);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  assert_int_equal(list.n, 8);
  SHOWS(0, "x over time", "[s]", "[m]", "impact", "contact");
  SHOWS(1, "θ", "[rad]", "[m/s]", "[N]");
  SHOWS(2, "f", "[Hz]", "amplitude", "[m]", "0.159");
  SHOWS(3, "θ", "[rad]", "θ\u0307", "[rad/s]", "start", "end");
  SHOWS(4, "r", "x", "y", "[m]");
  SHOWS(5, "kin", "pot", "tot", "[J]", "(0)", "[nJ]");
  SHOWS(7, "x\u0307", "θ\u0307", "[rad/s]", "start");
  SHOWS(6, "gap", "[m]", "λ", "wall", "[N]", "free", "contact");
  remove_folder(folder);
}

TEST(a_model_without_plot_lines_gets_what_suits_it) {
  Result *result = recording_of_motion(cx, two_masses, motion_of_sines, 100, 0.01);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  static const ChartKind expected[] = {CHART_TIME, CHART_OUTPUTS, CHART_PHASE, CHART_CONTACT,
                                       CHART_ENERGY};
  assert_int_equal(list.n, 5);
  for (int i = 0; i < 5; i++) assert_int_equal(list.at[i].kind, expected[i]);
  SHOWS(1, "F", "[N]");
  remove_folder(folder);
}

TEST(constraints_show_forces_and_residuals) {
  Result *result = recording_of_motion(cx,
                                       "model \"Slide\"\n"
                                       "coord x = 0 [m], y = 0 [m]\n"
                                       "kinetic = 1/2*3 [kg]*(x'^2 + y'^2)\n"
                                       "constraint slope: y = 2*x\n",
                                       motion_of_sines, 500, 0.01);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  options.with_everything = true;
  options.decimal_sign = ',';
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  assert_int_equal(list.at[list.n - 2].kind, CHART_MULTIPLIERS);
  assert_int_equal(list.at[list.n - 1].kind, CHART_RESIDUAL);
  SHOWS(list.n - 2, "λ", "slope", "[N]", "0,5");
  SHOWS(list.n - 1, "constraint residual", "position", "velocity");
  remove_folder(folder);
}

TEST(scripts_draw_the_picture_again) {
  Result *result = recording_of_motion(cx, two_masses, motion_of_sines, 100, 0.01);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  options.formats = PICTURE_SVG | PICTURE_PNG | PICTURE_PDF;
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  assert_memory_equal(read_picture(cx, folder, &list.at[0], "png"), "\x89PNG", 4);
  assert_memory_equal(read_picture(cx, folder, &list.at[0], "pdf"), "%PDF", 4);
  unlink(folder_path(&cx->keep, folder, "plot-1-time.svg"));
  GnuplotOptions gnuplot = {0};
  assert_int_equal(gnuplot_run(cx, &gnuplot, folder, "load 'plot-1-time.gp'\n"), QDOT_OK);
  SHOWS(0, "x", "[m]", "[s]");
  remove_folder(folder);
}

// ---- Odd results

static void motion_with_gaps(double t, uint32_t i, double out[3]) {
  motion_of_sines(t, i, out);
  if (t > 0.3 && t < 0.5) out[i] = NAN;
  if (t > 0.7) out[0] = INFINITY;
}

static void motion_at_rest(double t, uint32_t i, double out[3]) {
  out[0] = i ? 1e6 : 0, out[1] = out[2] = 0 * t;
}

static void motion_unknown(double t, uint32_t i, double out[3]) {
  out[0] = out[1] = out[2] = NAN + t + i;
}

TEST(gaps_constants_and_single_rows_are_drawn) {
  Motion *motions[] = {motion_with_gaps, motion_at_rest, motion_unknown, motion_of_sines};
  const char *text =
      text_format(&cx->keep, "%splot x, theta\nplot spectrum x\nplot phase x\nplot path r.x, r.y\n",
                  two_masses);
  for (int i = 0; i < 4; i++) {
    Result *result = recording_of_motion(cx, text, motions[i], i == 3 ? 1 : 101, 0.01);
    const char *folder = scratch_folder(cx, "plot");
    PlotOptions options = options_for(folder);
    PictureList list;
    assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
    assert_int_equal(list.n, 4);
    for (uint32_t k = 0; k < 4; k++) SHOWS(k, "[");
    remove_folder(folder);
  }
  assert_int_equal(cx->diagnostics.list.n, 0);
}

static uint32_t count_of(const char *text, const char *part) {
  uint32_t n = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) n++;
  return n;
}

// At an impact a phase portrait leaps: its line breaks there, and the leap is dashed.
TEST(impacts_break_phase_portraits) {
  Result *result =
      recording_of_run(cx, "ball.qdot",
                       "param m = 1 [kg], g = 10 [m/s^2]\ncoord y = 5 [m]\nkinetic = 1/2*m*y'^2\n"
                       "potential = m*g*y\ncontact floor: y >= 0, restitution 0.8\n"
                       "simulate to 3 [s] every 50 [ms]\nplot phase y\nplot y'\n",
                       INFINITY);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  for (uint32_t i = 0; i < 2; i++) { // it falls for 1 s and flies for 1.6 s
    const char *script = read_picture(cx, folder, &list.at[i], "gp");
    assert_int_equal(count_of(script, "nohead linewidth 1.2 dashtype (4,7)"), 2);
    assert_null(strstr(read_picture(cx, folder, &list.at[i], "svg"), ">gnuplot_plot"));
  }
  const char *script = read_picture(cx, folder, &list.at[0], "gp");
  double from[2], to[2];
  assert_int_equal(sscanf(strstr(script, "set arrow from"), "set arrow from %lf, %lf to %lf, %lf",
                          &from[0], &from[1], &to[0], &to[1]),
                   4);
  CHECK_NEAR(from[0], 0, 1e-6);
  CHECK_NEAR(from[1], -10, 1e-6);
  CHECK_NEAR(to[0], 0, 1e-6);
  CHECK_NEAR(to[1], 8, 1e-6);
  remove_folder(folder);
}

TEST(no_rows_are_a_clear_mistake) {
  Result *result = recording_of_motion(cx, two_masses, motion_of_sines, 0, 0.01);
  PlotOptions options = options_for("/nowhere");
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_BAD_FILE);
  assert_string_equal(cx->diagnostics.list.at[0].message,
                      "there is nothing to plot: the result has no rows");
}

TEST(a_missing_slow_or_failing_gnuplot_leaves_scripts_and_a_message) {
  Result *result = recording_of_motion(cx, two_masses, motion_of_sines, 50, 0.01);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  options.gnuplot.program = "gnuplot-that-is-not-there";
  options.formats = PICTURE_PDF;
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_NO_PROGRAM);
  assert_string_equal(cx->diagnostics.list.at[0].message,
                      "no plots as PDF: gnuplot, which draws them, is not installed");
  read_picture(cx, folder, &list.at[0], "gp");
  read_picture(cx, folder, &list.at[0], "dat");

  GnuplotOptions slow = {.seconds = 0.1};
  double begin = context_seconds();
  assert_int_equal(gnuplot_run(cx, &slow, folder, "pause 20\n"), QDOT_NO_PROGRAM);
  assert_true(context_seconds() - begin < 5);
  GnuplotOptions usual = {0};
  assert_int_equal(gnuplot_run(cx, &usual, folder, "load 'not there'\n"), QDOT_NO_PROGRAM);
  assert_non_null(strstr(cx->diagnostics.list.at[2].message, "not there"));
  remove_folder(folder);
}

TEST(a_folder_that_cannot_be_written_is_a_clear_mistake) {
  Result *result = recording_of_motion(cx, two_masses, motion_of_sines, 50, 0.01);
  PlotOptions options = options_for("/dev/null");
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_IO);
  assert_string_equal(cx->diagnostics.list.at[0].message,
                      "cannot write '/dev/null/plot-1-time.gp': Not a directory");
  assert_int_equal(folder_make(cx, "/dev/null/deep/er"), QDOT_IO);
}

TEST(ten_million_rows_need_little_memory) {
  uint64_t rows = test_rounds(10000000);
  const char *text = text_format(&cx->keep, "%splot x\nplot phase theta\n", two_masses);
  Result *result = recording_of_motion(cx, text, motion_of_sines, rows, 1e-4);
  const char *folder = scratch_folder(cx, "plot");
  PlotOptions options = options_for(folder);
  PictureList list;
  assert_int_equal(plot_result(cx, result, &options, &list), QDOT_OK);
  assert_true(cx->memory.peak < 64 << 20);
  SHOWS(0, "x", "[m]");
  struct stat about;
  assert_int_equal(stat(folder_path(&cx->keep, folder, "plot-1-time.svg"), &about), 0);
  assert_true(about.st_size < 300000);
  remove_folder(folder);
}

// ---- Exhaustion

static Status plot_into(Context *cx, void *folder) {
  const char *text =
      text_format(&cx->keep, "%splot x\nplot spectrum x\nplot phase theta\n", two_masses);
  Result *result = recording_of_motion(cx, text, motion_of_sines, 200, 0.01);
  PlotOptions options = options_for(folder);
  PictureList list;
  return plot_result(cx, result, &options, &list);
}

TEST(memory_that_ends_leaves_nothing_open) {
  const char *folder = scratch_folder(cx, "plot");
  fail_each_allocation(plot_into, (void *)folder, QDOT_OK);
  remove_folder(folder);
}

// What is no picture of gnuplot's is left as it is; words that mean something in XML do not.
TEST(pictures_are_finished_with_words_for_readers) {
  Text out = text_new(&cx->keep);
  svg_finish("<svg width=\"1\"><title>t</title></svg>", "p", "words", &out);
  assert_string_equal(out.at, "<svg width=\"1\"><title>t</title></svg>");
  out = text_new(&cx->keep);
  svg_finish("<?xml?><svg width=\"1\"><title>old</title>\n<desc>x</desc>\n"
             "<g><title>gnuplot_plot_1a</title></g><g id=\"gp\" stroke=\"rgb( 34,  34,  34)\"><use "
             "href='#gpx'/></g></svg>",
             "p", "a < b & c", &out);
  assert_non_null(strstr(out.at, "<title>a &lt; b &amp; c</title>"));
  assert_non_null(strstr(out.at, "id=\"p-gp\" stroke=\"#222222\""));
  assert_non_null(strstr(out.at, "'#p-gpx'"));
  assert_null(strstr(out.at, "old"));
  assert_null(strstr(out.at, "gnuplot_plot"));
}

RUN_TESTS(cmocka_unit_test(turns_are_wrapped_while_they_can_be_told_apart),
          cmocka_unit_test(every_plot_line_gives_a_picture_with_its_axes),
          cmocka_unit_test(a_model_without_plot_lines_gets_what_suits_it),
          cmocka_unit_test(constraints_show_forces_and_residuals),
          cmocka_unit_test(scripts_draw_the_picture_again),
          cmocka_unit_test(gaps_constants_and_single_rows_are_drawn),
          cmocka_unit_test(impacts_break_phase_portraits),
          cmocka_unit_test(no_rows_are_a_clear_mistake),
          cmocka_unit_test(a_missing_slow_or_failing_gnuplot_leaves_scripts_and_a_message),
          cmocka_unit_test(a_folder_that_cannot_be_written_is_a_clear_mistake),
          cmocka_unit_test(ten_million_rows_need_little_memory),
          cmocka_unit_test(memory_that_ends_leaves_nothing_open),
          cmocka_unit_test(pictures_are_finished_with_words_for_readers))
