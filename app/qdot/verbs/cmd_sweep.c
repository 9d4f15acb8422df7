// qdot sweep MODEL: many runs, one table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "job.h"
#include "output.h"
#include "running.h"

// "3/64"
static void take_shard(const Arguments *arguments, qdot_sweep_options *options) {
  const char *text = arguments->value[OPTION_SHARD];
  char *end;
  unsigned long shard = strtoul(text, &end, 10), shards = 0;
  bool good = *end == '/' && end > text && *text != '-' && end[1] != '-';
  if (good) {
    const char *second = end + 1;
    shards = strtoul(second, &end, 10);
    good = *end == 0 && end > second;
  }
  if (!good || shard < 1 || shard > shards || shards > 1000000)
    option_refuse(arguments, OPTION_SHARD, "expected a part of several, such as 3/64");
  options->shard = (uint32_t)shard, options->shards = (uint32_t)shards;
}

static qdot_table choose_table(const Arguments *arguments) {
  const char *text = arguments->value[OPTION_TABLE];
  if (strcmp(text, "csv") == 0) return QDOT_TABLE_CSV;
  if (strcmp(text, "h5") != 0 && strcmp(text, "hdf5") != 0)
    option_refuse(arguments, OPTION_TABLE, "expected csv or h5");
  return QDOT_TABLE_H5;
}

static uint32_t choose_lanes(const Arguments *arguments) {
  static const struct {
    const char *word, *number;
    uint32_t lanes;
  } known[] = {{"auto", "0", 0}, {"scalar", "1", 1}, {"avx2", "4", 4}, {"avx512", "8", 8}};
  const char *text = arguments->value[OPTION_LANES];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(text, known[i].word) || !strcmp(text, known[i].number)) return known[i].lanes;
  option_refuse(arguments, OPTION_LANES, "expected scalar, avx2, avx512 or auto");
  return 0;
}

// NAME-sweep, or what --out says.
static void name_folder(const Session *session, char *out, size_t size) {
  session_folder(session, out, size);
  size_t n = strlen(out);
  if (!option_given(session->arguments, OPTION_OUT) && n > 4)
    snprintf(out + n - 4, size - n + 4, "-sweep");
}

static int tell(Session *session, qdot_sweep *sweep, const qdot_write_options *style) {
  bool is_text = style->format == QDOT_FORMAT_TEXT, quiet = session_is_quiet(session);
  qdot_status done = QDOT_OK;
  if (!quiet || !is_text) done = qdot_sweep_write(sweep, style, output_sink());
  for (size_t i = 0; is_text && !quiet && i < qdot_sweep_file_count(sweep); i++)
    printf("%s\n", qdot_sweep_file_at(sweep, i)->path);
  bool stopped = qdot_sweep_is_stopped(sweep);
  if (stopped && !quiet)
    fputs("stopped; the same command continues with the other cases\n", stderr);
  bool none = qdot_sweep_done(sweep) > 0 && qdot_sweep_failed(sweep) == qdot_sweep_done(sweep);
  if (none) fputs("no case succeeded; the table's last column tells why\n", stderr);
  int status = session_close(session, done);
  if (status != EXIT_DONE) return status;
  return stopped ? EXIT_STOPPED : none ? EXIT_WRONG : EXIT_DONE;
}

static int sweep(const Arguments *arguments, qdot_sweep_options options, bool is_first) {
  qdot_write_options style = session_style(arguments);
  qdot_run_options run = running_options(arguments);
  Session session;
  int status = session_open(arguments, &session);
  if (status != EXIT_DONE) return status;
  char folder[4096];
  name_folder(&session, folder, sizeof folder);
  run.folder = folder;
  qdot_sweep *made;
  qdot_status done = running_sweep(&session, options, run, &made);
  if (done != QDOT_OK || !is_first) return session_close(&session, done);
  return tell(&session, made, &style);
}

int cmd_sweep(const Arguments *arguments) {
  qdot_sweep_options options = qdot_sweep_defaults();
  Arguments own = *arguments;
  if (option_given(arguments, OPTION_THREADS))
    options.threads = option_count(arguments, OPTION_THREADS, 1, 256, 1);
  options.has_seed = option_given(arguments, OPTION_SEED);
  if (options.has_seed) options.seed = option_whole(arguments, OPTION_SEED);
  if (option_given(arguments, OPTION_SHARD)) take_shard(arguments, &options);
  if (option_given(arguments, OPTION_TABLE)) options.table = choose_table(arguments);
  if (option_given(arguments, OPTION_LANES)) options.lanes = choose_lanes(arguments);
  if (option_given(arguments, OPTION_MERGE)) { // the operands behind the model are folders
    if (arguments->operand_count < 2) {
      fputs("qdot sweep: expected folders behind the model, such as --merge part1 part2\n", stderr);
      return EXIT_USAGE;
    }
    options.merge = arguments->operand + 1;
    options.merge_count = (size_t)arguments->operand_count - 1;
    own.operand_count = 1;
  }
  bool alone = option_given(arguments, OPTION_SHARD) || option_given(arguments, OPTION_MERGE);
  uint32_t rank = alone ? 0 : job_join(&options);
  if (rank > 0) own.value[OPTION_QUIET] = ""; // the first of a job tells
  int status = sweep(&own, options, rank == 0);
  job_leave(status);
  return status;
}
