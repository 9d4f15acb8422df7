// Opening and closing the work of one verb.
#include "session.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands.h"
#include "ending.h"
#include "examples.h"
#include "output.h"
#include "patience.h"

static bool has_colour(int stream) {
  const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
  if (refused && refused[0]) return false;
  return isatty(stream) && terminal && strcmp(terminal, "dumb") != 0;
}

bool session_is_quiet(const Session *session) {
  return option_given(session->arguments, OPTION_QUIET);
}

bool session_gives_stages(const Arguments *arguments) {
  const char *format = arguments->value[OPTION_FORMAT];
  return option_given(arguments, OPTION_STAGES) && format && strstr(format, "json");
}

bool session_tells(const Session *session) {
  return !session_is_quiet(session) && !session_gives_stages(session->arguments);
}

bool session_has_unicode(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *locale = getenv(names[i]);
    if (locale && locale[0]) return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
  }
  return true;
}

size_t session_width(void) {
  const char *given = getenv("COLUMNS");
  long wide = given ? strtol(given, NULL, 10) : 0;
  if (wide >= 20) return (size_t)wide;
  struct winsize size;
  if (isatty(1) && ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 100;
}

qdot_format session_format(const Arguments *arguments) {
  static const char *const names[] = {"text", "json", "latex", NULL};
  return (qdot_format)option_choice(arguments, OPTION_FORMAT, names);
}

// Words of "LANGUAGE MODEL".
static int operands_wanted(const Command *command) {
  int words = 1;
  for (const char *c = command->operands; *c; c++) words += *c == ' ';
  return words;
}

const char *session_operand(const Arguments *arguments) {
  return arguments->operand[arguments->operand_count - 1];
}

void session_folder(const Session *session, char *out, size_t size) {
  const Arguments *arguments = session->arguments;
  if (option_given(arguments, OPTION_OUT)) {
    snprintf(out, size, "%s", arguments->value[OPTION_OUT]);
    return;
  }
  const char *path = session_operand(arguments), *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
  snprintf(out, size, "%.*s-out", length, name);
}

// "statements=2000000,nodes=100000000"
static bool read_sizes(const char *text, qdot_limits *limits) {
  struct {
    const char *name;
    uint32_t *value;
  } sizes[] = {{"statements=", &limits->statements},
               {"nesting=", &limits->nesting},
               {"nodes=", &limits->nodes}};
  const char *at = text;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes;) {
    size_t length = strlen(sizes[i].name);
    if (strncmp(at, sizes[i].name, length) != 0) {
      i++;
      continue;
    }
    char *end;
    double value = strtod(at + length, &end);
    if (end == at + length || !(value >= 1 && value <= UINT32_MAX)) return false;
    *sizes[i].value = (uint32_t)value;
    if (!*end) return true;
    if (*end != ',') return false;
    at = end + 1, i = 0;
  }
  return false;
}

// False, with a message, if a limit on the command line is not valid.
static bool limits_of(const Arguments *arguments, qdot_limits *limits) {
  const double gibibyte = (double)((size_t)1 << 30);
  *limits = qdot_limits_defaults();
  double memory = option_number(arguments, OPTION_MEMORY, 0);
  limits->seconds = option_number(arguments, OPTION_TIME_LIMIT, 0);
  const char *wanted = NULL, *sizes = arguments->value[OPTION_LIMIT];
  if (option_given(arguments, OPTION_MEMORY) && !(memory > 0 && memory < 1e6))
    wanted = "--memory 8 (GiB)";
  if (!(limits->seconds >= 0)) wanted = "--time-limit 60 (s)";
  if (sizes && !read_sizes(sizes, limits))
    wanted = "--limit statements=2000000,nesting=800,nodes=100000000";
  if (wanted)
    fprintf(stderr, "qdot %s: a limit must be a positive number, for example: %s\n",
            arguments->command->name, wanted);
  else
    limits->memory_bytes = (size_t)(memory * gibibyte);
  return !wanted;
}

int session_begin(const Arguments *arguments, Session *out) {
  const char *verb = arguments->command->name;
  *out = (Session){.arguments = arguments};
  int wanted = operands_wanted(arguments->command);
  if (arguments->operand_count > wanted) {
    fprintf(stderr, "qdot %s: unexpected argument '%s'; expected %s, for example: %s\n", verb,
            arguments->operand[wanted], arguments->command->operands, arguments->command->example);
    if (strcmp(verb, "plot") == 0)
      fprintf(stderr, "  choose what to plot with lines in the model such as 'plot %s'\n",
              arguments->operand[wanted]);
    return EXIT_USAGE;
  }
  if (arguments->operand_count < wanted) {
    fprintf(stderr, "qdot %s: expected %s, for example: %s\n", verb, arguments->command->operands,
            arguments->command->example);
    return EXIT_USAGE;
  }
  qdot_limits limits;
  if (!limits_of(arguments, &limits)) return EXIT_USAGE;
  double seconds = limits.seconds;
  limits.seconds = 0; // the limit is that of the whole command
  out->cx = qdot_context_open(&limits);
  if (!out->cx) {
    fprintf(stderr, "qdot %s: %s\n", verb, qdot_status_text(QDOT_NO_MEMORY));
    return EXIT_WRONG;
  }
  ending_begin(arguments, out->cx, seconds);
  if (!option_given(arguments, OPTION_QUIET)) patience_begin();
  return EXIT_DONE;
}

enum { MOST_MODELS = 200, LONGEST_NAME = 256 };

// The names of models in a folder, in order; returns how many.
static size_t list_models(const char *folder, char names[][LONGEST_NAME]) {
  size_t count = 0;
  DIR *directory = opendir(folder);
  if (!directory) return 0;
  for (struct dirent *entry; count < MOST_MODELS && (entry = readdir(directory));) {
    size_t length = strlen(entry->d_name);
    bool is_model = length > 5 && strcmp(entry->d_name + length - 5, ".qdot") == 0;
    if (is_model && length < LONGEST_NAME) strcpy(names[count++], entry->d_name);
  }
  closedir(directory);
  qsort(names, count, LONGEST_NAME, (int (*)(const void *, const void *))strcmp);
  return count;
}

// A model beside the one that is missing: the same name with its ending, or the nearest.
static bool propose_neighbour(const char *path) {
  char names[MOST_MODELS][LONGEST_NAME], folder[4096] = ".";
  const char *candidates[MOST_MODELS], *found = NULL, *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  int before = (int)(name - path);
  if (before > 0) snprintf(folder, sizeof folder, "%.*s", before, path);
  size_t count = list_models(folder, names), length = strlen(name);
  for (size_t i = 0; i < count; i++) {
    candidates[i] = names[i];
    if (strncmp(names[i], name, length) == 0 && strcmp(names[i] + length, ".qdot") == 0)
      found = names[i];
  }
  if (!found) found = qdot_word_nearest(name, candidates, count);
  if (found) fprintf(stderr, "  did you mean '%.*s%s'?\n", before, path, found);
  return found;
}

// There is no such file: a neighbour, an example of that name, or a new model.
static void propose_model(const char *path) {
  size_t length = strlen(path);
  if (propose_neighbour(path)) return;
  if (length > 5 && strcmp(path + length - 5, ".qdot") == 0) length -= 5;
  for (size_t i = 0; i < example_count; i++) {
    if (strlen(examples[i].name) != length || memcmp(examples[i].name, path, length) != 0) continue;
    fprintf(stderr, "  'qdot examples %s' copies the example of this name to this folder\n",
            examples[i].name);
    return;
  }
  fprintf(stderr,
          "  'qdot new %.*s' writes a model to start from, 'qdot examples' lists examples\n",
          (int)length, path);
}

bool session_is_plan(const Arguments *arguments) {
  if (arguments->operand_count == 0) return false;
  const char *path = session_operand(arguments);
  size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, ".plan") == 0;
}

// Options that a plan was made with once and for all.
static bool plan_takes_options(const Arguments *arguments) {
  static const struct {
    OptionId id;
    const char *cure;
  } refused[] = {{OPTION_FORMULATION, "make the plan with it: qdot plan MODEL --formulation NAME"},
                 {OPTION_COLUMNS, "make the plan with it: qdot plan MODEL --columns all"},
                 {OPTION_CHECKPOINT, "simulate the model itself"},
                 {OPTION_RESUME, "simulate the model itself"},
                 {OPTION_VERIFY, "simulate the model itself"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    if (!option_given(arguments, refused[i].id)) continue;
    fprintf(stderr, "qdot %s: a plan does not take '--%s'\n  %s\n", arguments->command->name,
            option_info[refused[i].id].name, refused[i].cure);
    return false;
  }
  return true;
}

int session_open_plan(const Arguments *arguments, Session *out, qdot_plan **plan) {
  if (!plan_takes_options(arguments)) return EXIT_USAGE;
  int begun = session_begin(arguments, out);
  if (begun != EXIT_DONE) return begun;
  qdot_plan_options options = qdot_plan_defaults();
  options.settings = arguments->set;
  options.setting_count = (size_t)arguments->set_count;
  options.settings_name = "--set";
  qdot_status status = qdot_plan_load(out->cx, session_operand(arguments), &options, plan);
  return status == QDOT_OK ? EXIT_DONE : session_close(out, status);
}

static int refuse_plan(const Arguments *arguments) {
  fprintf(stderr,
          "qdot %s: '%s' is a plan, which 'qdot simulate' runs; this needs the model that it was "
          "made of\n",
          arguments->command->name, session_operand(arguments));
  return EXIT_USAGE;
}

int session_open(const Arguments *arguments, Session *out) {
  if (session_is_plan(arguments)) return refuse_plan(arguments);
  int begun = session_begin(arguments, out);
  if (begun != EXIT_DONE) return begun;
  static const char *const columns[] = {"asked", "all", NULL};
  qdot_model_options settings = qdot_model_defaults();
  settings.settings = arguments->set;
  settings.setting_count = (size_t)arguments->set_count;
  settings.settings_name = "--set";
  settings.formulation = arguments->value[OPTION_FORMULATION];
  settings.all_columns = option_choice(arguments, OPTION_COLUMNS, columns);
  settings.kinematics = arguments->command == &commands[COMMAND_positions];
  const char *path = session_operand(arguments);
  qdot_status status = qdot_model_load(out->cx, path, &settings, &out->model);
  if (status == QDOT_OK) return EXIT_DONE;
  int closed = session_close(out, status);
  if (access(path, F_OK) != 0) propose_model(path);
  return closed == EXIT_DONE ? EXIT_WRONG : closed;
}

// Which option raises the limit that ended the work. What the model's text is to blame for has been
// explained as an error.
static void propose_limit(const Session *session, qdot_status status) {
  if (qdot_error_count(session->cx) != 0) return;
  if (status == QDOT_NO_MEMORY) fprintf(stderr, "  --memory GIB raises that of Qdot\n");
  if (status == QDOT_TOO_LARGE) fprintf(stderr, "  --limit nodes=N allows a larger model\n");
}

int session_close(Session *session, qdot_status status) {
  output_flush();
  // output_end reports output that cannot be written.
  if (status == QDOT_IO && qdot_error_count(session->cx) == 0 && output_has_failed())
    status = QDOT_OK;
  bool listens = session->must_tell || !session_is_quiet(session);
  bool warned = qdot_warning_count(session->cx) && listens;
  // ending_status says why
  bool is_ended = status == QDOT_CANCELLED && ending_is_asked();
  bool is_told = is_ended && qdot_error_count(session->cx) <= 1 && !warned;
  qdot_write_options style = qdot_write_defaults();
  style.colour = has_colour(2);
  qdot_status told = QDOT_OK;
  if ((status != QDOT_OK || warned) && !is_told)
    told = qdot_diagnostics_write(session->cx, &style, qdot_sink_stream(stderr));
  // a limit of the context explains itself; whatever else fails has at least its sentence
  bool explains = status == QDOT_NO_MEMORY || status == QDOT_TOO_LARGE;
  bool is_silent = qdot_error_count(session->cx) == 0 && !is_ended && !explains;
  if (status != QDOT_OK && (is_silent || told != QDOT_OK))
    fprintf(stderr, "qdot %s: %s\n", session->arguments->command->name, qdot_status_text(status));
  propose_limit(session, status);
  if (session->may_resume) fputs("  continue with --resume\n", stderr);
  ending_end();
  qdot_context_close(session->cx);
  *session = (Session){0};
  return status == QDOT_OK ? EXIT_DONE : EXIT_WRONG;
}

qdot_write_options session_style(const Arguments *arguments) {
  qdot_write_options style = qdot_write_defaults();
  style.format = session_format(arguments);
  style.ascii = !session_has_unicode();
  style.width = session_width();
  return style;
}
