// Reports through the public API: what is asked for, what is missing, what takes too long.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char *const swing = "model \"Swing\"\n"
                                 "param g = 9.81 [m/s^2], m = 2 [kg], L = 0.8 [m]\n"
                                 "coord theta = 40 [deg]\n"
                                 "kinetic = 1/2*m*L^2*theta'^2\n"
                                 "potential = -m*g*L*cos(theta)\n"
                                 "linearize at theta = 1\n"
                                 "simulate to 1 [s] every 20 [ms]\nplot theta\n";

typedef struct Job {
  char folder[40];
  qdot_context *cx;
  qdot_result *result;
} Job;

static Job job_open_with(const char *text) {
  Job job = {.folder = "/tmp/qdot-report-XXXXXX"};
  assert_non_null(mkdtemp(job.folder));
  job.cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_result *run;
  qdot_run_options o = qdot_run_defaults();
  o.folder = job.folder;
  assert_int_equal(qdot_model_parse(job.cx, "swing.qdot", text, strlen(text), NULL, &model),
                   QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &run), QDOT_OK);
  assert_int_equal(qdot_result_open(job.cx, job.folder, model, &job.result), QDOT_OK);
  return job;
}

static Job job_open(void) { return job_open_with(swing); }

static void job_close(Job *job) {
  char line[80];
  snprintf(line, sizeof line, "rm -r %s", job->folder);
  assert_int_equal(system(line), 0);
  qdot_context_close(job->cx);
}

static bool has_file(const Job *job, const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", job->folder, name);
  return access(path, R_OK) == 0;
}

// A program that does what the line says.
static const char *program(const Job *job, const char *line) {
  static char path[200];
  snprintf(path, sizeof path, "%s/program", job->folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "#!/bin/sh\n%s\n", line);
  fclose(file);
  assert_int_equal(chmod(path, 0755), 0);
  return path;
}

static void note_stage(void *user, qdot_stage stage) { *(unsigned *)user |= 1u << stage; }

static qdot_report_options without_programs(void) {
  qdot_report_options o = qdot_report_defaults();
  o.gnuplot = o.pdflatex = "/nowhere/program";
  return o;
}

TEST(what_is_missing_is_left_out) {
  (void)cx;
  Job job = job_open();
  qdot_report_options o = without_programs();
  unsigned stages = 0;
  o.stage = note_stage, o.stage_user = &stages;
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_OK);
  assert_int_equal(qdot_warning_count(job.cx), 3); // no plots, no PDF, no equilibrium at theta = 1
  assert_true(has_file(&job, "report.html") && has_file(&job, "report.tex"));
  assert_false(has_file(&job, "report.pdf"));
  assert_int_equal(stages, 1u << QDOT_STAGE_PLOT | 1u << QDOT_STAGE_ANIMATE |
                               1u << QDOT_STAGE_REPORT | 1u << QDOT_STAGE_TYPESET);
  o.formats = QDOT_FILE_PDF;
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_NO_PROGRAM);
  job_close(&job);
}

// A point that is not there costs its chapter and nothing else; the other one has its own.
TEST(a_point_that_is_missing_is_excused) {
  (void)cx;
  Job job = job_open_with("param m = 1 [kg], F = 2 [N]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n"
                          "force x = F\nlinearize at equilibrium\nlinearize at x = 1\n"
                          "simulate to 0.1 [s] every 20 [ms]\n");
  qdot_report_options o = without_programs();
  o.formats = QDOT_FILE_HTML;
  uint32_t before = qdot_warning_count(job.cx);
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_OK);
  assert_int_equal(qdot_error_count(job.cx), 0);
  char said[2000] = "";
  FILE *memory = fmemopen(said, sizeof said, "w");
  qdot_diagnostics_write(job.cx, 0, qdot_sink_stream(memory));
  fclose(memory);
  assert_true(qdot_warning_count(job.cx) > before);
  assert_non_null(strstr(said, "warning: the report has no chapter on small vibrations\n"
                               "    no equilibrium near the start\n"));
  assert_true(has_file(&job, "report.html"));
  job_close(&job);
}

TEST(typesetting_has_a_time_limit) {
  (void)cx;
  Job job = job_open();
  qdot_report_options o = without_programs();
  o.formats = QDOT_FILE_TEX | QDOT_FILE_PDF;
  o.pdflatex = program(&job, "sleep 60");
  o.pdflatex_seconds = 0.2;
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_NO_PROGRAM);
  o.pdflatex = program(&job, "echo no; echo why > report-part.log; exit 1");
  o.pdflatex_seconds = 0;
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_NO_PROGRAM);
  assert_true(has_file(&job, "report.log"));
  assert_false(has_file(&job, "report-part.log"));
  o.pdflatex = program(&job, "echo done > report-part.pdf");
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_OK);
  assert_true(has_file(&job, "report.pdf"));
  assert_false(has_file(&job, "report.log"));
  job_close(&job);
}

TEST(options_that_cannot_be_met) {
  (void)cx;
  Job job = job_open();
  qdot_report_options o = without_programs();
  o.language = "fr";
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_BAD_ARGUMENT);
  o.language = "pt", o.speed = -1;
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_BAD_ARGUMENT);
  o.speed = 0, o.notation = "/nowhere/notation";
  assert_int_equal(qdot_result_report(job.result, &o), QDOT_IO);
  assert_string_equal(qdot_stage_text(QDOT_STAGE_REPORT, "de"), "Bericht");
  assert_string_equal(qdot_stage_text(QDOT_STAGE_PLOT, NULL), "draw");
  assert_null(qdot_stage_text(QDOT_STAGE_PLOT, "fr"));
  job_close(&job);
}

RUN_TESTS(cmocka_unit_test(what_is_missing_is_left_out),
          cmocka_unit_test(a_point_that_is_missing_is_excused),
          cmocka_unit_test(typesetting_has_a_time_limit),
          cmocka_unit_test(options_that_cannot_be_met))
