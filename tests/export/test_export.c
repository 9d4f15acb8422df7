// Exported code, run in its own language, against the library's own runs.
#include "export/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/motion.h"

typedef struct Sample {
  const char *text; // or the path of an example
  double end;
} Sample;

static const Sample samples[] = {
    {"model \"Names that clash\"\n"
     "param int = 2 [kg], lambda = 0.5 [m], np = 9.81 [m/s^2], for = int*lambda^2/3\n"
     "coord q = 0.3, theta[1] = 0.1, theta[2] = -0.2\n"
     "input u = 0.1 [N*m]\n"
     "let r = (lambda*sin(q) + lambda*sin(theta[1]), 0 [m])\n"
     "kinetic = 1/2*for*q'^2 + 1/2*int*r.x'^2 + 1/2*for*theta[1]'^2 + 1/2*for*theta[2]'^2\n"
     "potential = -int*np*lambda*(cos(q) + cos(theta[1])) + 1 [N*m]*(theta[2] - q)^2\n"
     "dissipation = 1/2*0.1 [N*m*s]*theta[2]'^2\n"
     "force q = u + 0.2 [N*m]*tanh(t/0.1 [s])\n"
     "output p = r.x + max(q, 0)*lambda\n",
     1},
    {"model \"Crank\"\n"
     "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], J = m*L^2/12\n"
     "param c = 0.1 [N*m*s], tau = 2 [N*m], w = 3 [rad/s]\n"
     "coord x ~ 0.3 [m], y ~ 0.4 [m], theta = 60 [deg]\n"
     "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\n"
     "potential = m*g*y\n"
     "dissipation = 1/2*c*theta'^2\n"
     "force theta = tau*sin(w*t)\n"
     "constraint A_x: x = L/2*cos(theta)\n"
     "constraint A_y: y = L/2*sin(theta)\n"
     "output F = lambda_A_x + x''*m\n",
     1},
    {"model \"Wall\"\n"
     "param m = 1 [kg], k = 100 [N/m], d = 0.2 [m]\n"
     "coord x = 0 [m]\n"
     "coord x' = 1 [m/s]\n"
     "kinetic = 1/2*m*x'^2\n"
     "potential = 1/2*k*x^2\n"
     "contact stop: x <= d restitution 0.5\n",
     0.1},
    {"model \"Inputs wherever they may stand\"\n"
     "param m = 1 [kg], k = 100 [N/m], g = 9.81 [m/s^2], L = 1 [m]\n"
     "coord x = 0.6 [m], y ~ 0.8 [m], z = 0 [m]\n"
     "input road = 0.1 [m], c = 0.2 [N*s/m], F = 0.3 [N]\n"
     "kinetic = 1/2*m*(x'^2 + y'^2 + z'^2 + x'*z')\n"
     "potential = 1/2*k*(z - road)^2 + m*g*y\n"
     "dissipation = 1/2*c*z'^2\n"
     "force x = F\n"
     "constraint rod: x^2 + y^2 = L^2\n"
     "output gap = z - road\n",
     1},
    {"model \"Driven crank\"\n"
     "param g = 9.81 [m/s^2], L = 0.4 [m], m = 1 [kg], J = 0.02 [kg*m^2]\n"
     "input w = 0.1 [rad/s], tau = 0.2 [N*m]\n"
     "gravity (0, -g)\n"
     "body crank: mass m, inertia J, at (0.1 [m], 0.17 [m]), angle 60 [deg]\n"
     "joint A: revolute ground (0, 0), crank (-L/2, 0)\n"
     "motor A: speed w*(1 + cos(t/1 [s]))\n"
     "torque crank = tau\n",
     1},
    {"model \"Van der Pol's circuit: states alone\"\n"
     "param C = 1 [F], L = 1 [H], g = 1.2 [A/V], U = 1 [V]\n"
     "state u = 0.3 [V], i = 0.2 [A]\nrate u = (i + g*(1 - (u/U)^2)*u)/C\n"
     "rate i = -u/L\noutput P = u*i\n",
     2},
    // what ends comments, strings and lines in other languages
    {"model \"It's */ /* 100 % \\x41 \\N{} ''' {} $HOME `id` @ // \\\"\n"
     "param k = 5 [N/m] \"Bob's */ \\u ''' %d %s \\\", m = 1 [kg] \"\\\"\n"
     "coord x = 1 [m]\n"
     "kinetic = 1/2*m*x'^2\n"
     "potential = 1/2*k*x^2\n",
     0.5},
    {"model \"Measured\"\n"
     "param m = 1 [kg], k = 100 [N/m], F = 2 [N], L = 1 [m], t_0 = 1 [s], table_value = 1 [m]\n"
     "coord x = 0.05 [m]\n"
     "kinetic = 1/2*m*x'^2\n"
     "potential = 1/2*k*(x - table(t, (0 [s], 0 [m]), (0.33 [s], 0.1 [m]), (0.57 [s], -0.1 "
     "[m])))^2\n"
     "dissipation = 1/2*1 [N*s/m]*(x' - 0.2*table(t, (0.13 [s], 0 [m]), (0.93 [s], 0.3 [m]))')^2\n"
     "force x = F*table(x/L, (-1, 1), (-0.02, 0.5), (0.02, -0.5), (0.06, 0.1), (1, 3))\n"
     "output y = table_value*table(2 - t/t_0, (1.1, 0), (1.2, 1), (1.3, -1), (1.4, 2), (1.5, 1), "
     "(1.6, 1), (1.7, 0), (1.8, 4), (1.95, 7))\n",
     1},
    // through dead positions: rows that vanish, rows that become parallel, constant redundancy
    {"model \"Crank and rod of one length\"\n"
     "param L = 0.3 [m], m = 2 [kg], J = m*L^2/12, g = 9.81 [m/s^2]\n"
     "coord alpha = 1.2 [rad], beta ~ -1.2 [rad]\n"
     "coord alpha' = 9 [rad/s]\n"
     "let r = (L*cos(alpha) + L/2*cos(beta), L*sin(alpha) + L/2*sin(beta))\n"
     "kinetic = 1/2*(J + m*L^2/4)*alpha'^2 + 1/2*m*(r.x'^2 + r.y'^2) + 1/2*J*beta'^2\n"
     "potential = m*g*r.x\n"
     "constraint rail: L*sin(alpha) + L*sin(beta) = 0\n",
     2},
    {"model \"Four four-bars in a row\"\n"
     "param L = 1 [m], m = 1 [kg]\n"
     "gravity (0, -9.81 [m/s^2])\n"
     "for i in 0..4\n"
     "  body v[i]: rod L, mass m, at (i*L, L/2), angle pi/2, spin -4 [rad/s]\n"
     "  joint A[i]: revolute ground (i*L, 0), v[i] (-L/2, 0)\n"
     "end\n"
     "for i in 1..4\n"
     "  body h[i]: rod L, mass m, at ((i - 1/2)*L, L), angle 0\n"
     "  joint B[i]: revolute v[i-1] (L/2, 0), h[i] (-L/2, 0)\n"
     "  joint C[i]: revolute h[i] (L/2, 0), v[i] (L/2, 0)\n"
     "end\n",
     2.5},
    {"model \"Points of one four-bar, one rod twice\"\n"
     "param L = 1 [m], m = 1 [kg]\n"
     "coord x_1 = 0 [m], y_1 ~ 1 [m], x_2 ~ 1 [m], y_2 ~ 1 [m], s ~ 0 [m]\n"
     "coord x_1' = 4 [m/s]\n"
     "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2)\n"
     "potential = m*9.81 [m/s^2]*(y_1 + y_2)\n"
     "constraint a: x_1^2 + y_1^2 = L^2\n"
     "constraint b: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L^2\n"
     "constraint c: (x_2 - L)^2 + y_2^2 = L^2\n"
     "constraint d: 1000*((x_2 - L)^2 + y_2^2 - L^2) = 0 [m^2]\n"
     "constraint e: s = (x_1 + x_2)/2\n",
     2.5},
    {"model \"A motor and its current\"\n"
     "param U_0 = 12 [V], R = 1.2 [ohm], L_m = 30 [mH], k_m = 0.05 [N*m/A]\n"
     "param J = 2e-4 [kg*m^2], i_0 = 0.2 [A]\ninput v = 0.1 [V]\n"
     "coord theta = 0 [rad]\nstate i = 2*i_0, T = 300 [K]\n"
     "rate i = (U_0 + v - R*i - k_m*theta')/L_m\nrate T = (R*i^2 - (T - 290 [K])*(0.1 [W/K]))/(20 "
     "[J/K])\n"
     "kinetic = 1/2*J*theta'^2\nforce theta = k_m*i*(1 - (T - 300 [K])*(1e-3 [1/K]))\n"
     "output P = U_0*i, di = i'\n",
     0.3},
    {"model \"A sampled crank with a motor, closed by a constraint\"\n"
     "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], J = m*L^2/12, k_m = 3 [N*m/A], R = 1 [ohm]\n"
     "param L_m = 50 [mH], T = 30 [ms], P = 40 [V], D = 5 [V*s]\n"
     "coord x ~ 0.3 [m], y ~ 0.4 [m], theta = 60 [deg]\n"
     "input U = 1 [V], v = 0.1 [V]\nmemory e = 0, late = 0\nstate i = 0.5 [A]\n"
     "rate i = (U + v - R*i - k_m*theta')/L_m\n"
     "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\npotential = m*g*y\nforce theta = k_m*i\n"
     "constraint A_x: x = L/2*cos(theta)\nconstraint A_y: y = L/2*sin(theta)\n"
     "sample every T: U = -P*(theta - 1) - D*theta' + P*e, e = 0.9*e - 0.1*(theta - 1)\n"
     "sample every 2*T/3 delay 1.7*T: late = sin(theta)\n"
     "output U, late, F = lambda_A_x + x''*m\n",
     0.7},
    {"model \"A sampled mass\"\n"
     "param m = 1 [kg], k = 30 [N/m], K = 20 [N/m], D = 4 [N*s/m], T = 20 [ms]\n"
     "coord x = 0.1 [m]\ninput u = 0 [N]\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
     "force x = u\nsample every T: u = -K*x - D*x'\noutput u\n",
     1},
    // coordinates without mass: moved by damping, also by one that varies; tied by a constraint
    {"model \"Two dampers in a row\"\n"
     "param m = 1 [kg], k = 40 [N/m], c = 3 [N*s/m], d = 2 [N*s/m], L = 1 [m]\n"
     "coord x = 0.1 [m], y = 0.02 [m], z = -0.03 [m]\ninput F = 0.1 [N], v = 0.2 [N]\n"
     "kinetic = 1/2*m*x'^2\npotential = 1/2*k*(x - y)^2 + 1/2*(k/2)*z^2\n"
     "dissipation = 1/2*c*(1 + (y/L)^2)*y'^2 + 1/2*d*(y' - z')^2 + 1/2*c*z'^2\n"
     "force x = F\nforce z = v*sin(t/0.1 [s])\noutput a = y', P = d*(y' - z')^2\n",
     0.8},
    {"model \"A pendulum, its shadow and a dashpot that follows\"\n"
     "param m = 1 [kg], g = 9.81 [m/s^2], L = 1 [m], k = 30 [N/m], c = 5 [N*s/m]\n"
     "coord x = 0.6 [m], y ~ -0.8 [m], s ~ -0.2 [m], w = 0.1 [m]\n"
     "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y + 1/2*k*(s - w)^2\n"
     "dissipation = 1/2*c*w'^2\n"
     "constraint rod: x^2 + y^2 = L^2\nconstraint shadow: s = x + y\n"
     "output F = lambda_shadow\n",
     0.9},
    {"examples/four_bar.qdot", 0.5},
    {"examples/chaplygin_sleigh.qdot", 0.5},
    {"examples/n_link_pendulum.qdot", 0.5},
};

enum { INTERVALS = 10, MOST_COLUMNS = 256 };

typedef struct Table {
  int rows, columns;
  double at[INTERVALS + 2][MOST_COLUMNS];
} Table;

static void write_files(const ExportFiles *files, const char *folder) {
  for (uint32_t i = 0; i < files->n; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, files->at[i].name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(files->at[i].text, file);
    fclose(file);
  }
}

// The header must be that of the library's results.
static void read_table(const char *path, const Columns *columns, Table *table) {
  static char line[8192];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  char *word = strtok(line, ",\n");
  for (uint32_t i = 0; i < columns->n; i++, word = strtok(NULL, ",\n"))
    assert_string_equal(word, columns->at[i].name);
  assert_null(word);
  for (table->rows = 0; table->rows < INTERVALS + 2 && fgets(line, sizeof line, file);
       table->rows++) {
    char *at = line;
    for (table->columns = 0; at && *at && *at != '\n'; table->columns++) {
      table->at[table->rows][table->columns] = strtod(at, &at);
      if (*at == ',') at++;
    }
  }
  fclose(file);
}

typedef struct Language {
  ExportLanguage language;
  const char *test, *command; // the command writes results.csv in every folder of the present one
} Language;

// An interpreter is started once for all: most of a short run is its start.
static const Language languages[] = {
    {EXPORT_C, "command -v cc",
     "cc -std=c11 -O0 -Wall -Wextra -Werror -c 0/qdot_engine.c -o engine.o && "
     "for d in */; do (cd $d && mv qdot_engine.c engine && "
     "cc -std=c11 -Wall -Wextra -Wpedantic -Werror *.c ../engine.o -lm -o it && "
     "./it > results.csv) || exit 1; done"},
    {EXPORT_PYTHON, "/usr/bin/python3 -c 'import scipy.integrate'",
     "/usr/bin/python3 -c '\n"
     "import contextlib, glob, runpy\n"
     "for path in glob.glob(\"*/*.py\"):\n"
     "    with open(path[:path.find(\"/\")] + \"/results.csv\", \"w\") as out:\n"
     "        with contextlib.redirect_stdout(out):\n"
     "            runpy.run_path(path, run_name=\"__main__\")\n'"},
    {EXPORT_OCTAVE, "command -v octave-cli",
     "octave-cli -qf --eval \"for d = glob('*')', cd(d{1}); clear -f; p = parameters(); "
     "c = cell(1, nargout('simulate')); "
     "if exist('samples', 'file') || exist('events', 'file'), [c{:}] = simulate(p); u = c{end}; "
     "else, u = [0.1; 0.2; 0.3]; [c{:}] = simulate(p, u); end; "
     "write_results('results.csv', c{1}, c{2}, u, p); __parse_file__('main.m'); cd('..'); end\" "
     "2> /dev/null"},
    {EXPORT_JS, "command -v node",
     "for d in */; do node $d/*.mjs > $d/results.csv || exit 1; done"},
};

static bool is_there(const Language *language) {
  char command[256];
  snprintf(command, sizeof command, "%s > /dev/null 2>&1", language->test);
  return system(command) == 0;
}

// Motions, their rows in a language, and the folder in which it writes them: "0", "1", ...
enum { MOST_MODELS = 40, MOST_SECONDS = 250 };
typedef struct Batch {
  const Language *language;
  char folder[32];
  int n;
  Motion motions[MOST_MODELS];
} Batch;

static void begin(Batch *batch, const Language *language) {
  batch->language = language;
  batch->n = 0;
  strcpy(batch->folder, "/tmp/qdot-export-XXXXXX");
  assert_non_null(mkdtemp(batch->folder));
}

static void add(Batch *batch, Motion motion, double end, double every) {
  motion.options.t_end = end, motion.options.every = every;
  motion.options.method.rtol = motion.options.method.atol = 1e-10;
  motion_run(&motion);
  assert_int_equal(motion.status, QDOT_OK);
  ExportOptions options = export_defaults();
  options.end = end, options.every = every;
  options.run = &motion.options;
  options.source = "it's \"here\" */ \\x\n100%.qdot";
  ExportFiles files = {0};
  assert_int_equal(export_system(motion.cx, &motion.system, batch->language->language, &options,
                                 &motion.cx->keep, &files),
                   QDOT_OK);
  char folder[64];
  snprintf(folder, sizeof folder, "%s/%d", batch->folder, batch->n);
  assert_int_equal(mkdir(folder, 0700), 0);
  write_files(&files, folder);
  assert_true(batch->n < MOST_MODELS);
  batch->motions[batch->n++] = motion;
}

// By a script beside the folder, so that none of its programs outlives the limit.
static void run(const Batch *batch) {
  char script[64], command[256];
  snprintf(script, sizeof script, "%s.sh", batch->folder);
  FILE *file = fopen(script, "w");
  assert_non_null(file);
  fprintf(file, "cd %s && %s\n", batch->folder, batch->language->command);
  assert_int_equal(fclose(file), 0);
  snprintf(command, sizeof command, "timeout -k 5 %d sh %s", MOST_SECONDS, script);
  assert_int_equal(system(command), 0);
  remove(script);
}

static const Table *result(const Batch *batch, int i) {
  static Table table;
  char path[64];
  snprintf(path, sizeof path, "%s/%d/results.csv", batch->folder, i);
  read_table(path, &batch->motions[i].columns, &table);
  return &table;
}

static void finish(const Batch *batch) {
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", batch->folder);
  assert_int_equal(system(command), 0);
}

// Every row is the library's.
static void check_rows(const Batch *batch, int i) {
  const Motion *motion = &batch->motions[i];
  const Table *table = result(batch, i);
  assert_int_equal(table->rows, INTERVALS + 1);
  assert_int_equal(table->columns, motion->columns.n);
  for (uint32_t r = 0; r <= INTERVALS; r++)
    for (uint32_t k = 0; k < motion->columns.n; k++)
      CHECK_NEAR(table->at[r][k], motion->values.at[r * motion->columns.n + k], 1e-6);
}

static Motion load(Context *cx, const Sample *sample) {
  if (strncmp(sample->text, "examples/", 9)) return motion_load(cx, sample->text, NULL);
  const char *root = getenv("QDOT_ROOT");
  return motion_load_file(cx, text_format(&cx->keep, "%s/%s", root ? root : ".", sample->text),
                          NULL);
}

static void add_sample(Context *cx, Batch *batch, const Sample *sample) {
  add(batch, load(cx, sample), sample->end, sample->end / INTERVALS);
}

static void check_language(Context *cx, const Language *language) {
  static Batch batch;
  if (!is_there(language)) skip();
  begin(&batch, language);
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) add_sample(cx, &batch, &samples[i]);
  int n = batch.n;
  add(&batch, load(cx, &samples[0]), samples[0].end, 2 * samples[0].end);
  run(&batch);
  for (int i = 0; i < n; i++) check_rows(&batch, i);
  // a run whose rows are its beginning and its end has two rows in every language
  const Table *table = result(&batch, n);
  assert_int_equal(table->rows, 2);
  CHECK_NEAR(table->at[1][0], samples[0].end, 1e-12);
  finish(&batch);
}

// ---- Events of the model's own

static const Sample eventful[] = {
    {"model \"A ball and its floor\"\nparam g = 9.81 [m/s^2], e = 0.8\ncoord y = 1 [m]\n"
     "kinetic = 1/2*(2 [kg])*y'^2\npotential = (2 [kg])*g*y\nmemory n = 0\n"
     "when y = 0 falling: y' = -e*y', n = n + 1\noutput n\n",
     2.1},
    {"model \"A latch\"\nparam m = 1 [kg], k = 40 [N/m], c = 0.3 [N*s/m], F = 2 [N]\n"
     "coord x = 0.02 [m]\nmemory on = 1\nstate w = 0 [m*s]\nrate w = x\n"
     "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
     "dissipation = 1/2*c*x'^2\nforce x = F*on\n"
     "when x >= 0.06 [m] and x' > 0 [m/s]: on = 0\nwhen x <= -0.01 [m]: on = 1, w = w/2\n"
     "output on\n",
     4.3},
    {"model \"A crank that is struck, closed by constraints\"\n"
     "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], J = m*L^2/12\n"
     "coord x ~ 0.3 [m], y ~ 0.4 [m], theta = 60 [deg]\n"
     "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\npotential = m*g*y\n"
     "constraint A_x: x = L/2*cos(theta)\nconstraint A_y: y = L/2*sin(theta)\n"
     "when theta = 0: theta' = -0.7*theta' + 0.1 [rad/s]\nwhen t = 0.9: theta = theta + 0.3\n"
     "output F = lambda_A_x\n",
     1.7},
    {"model \"A sampled mass with a switch\"\n"
     "param m = 1 [kg], k = 30 [N/m], K = 20 [N/m], D = 4 [N*s/m], T = 20 [ms]\n"
     "coord x = 0.1 [m]\ninput u = 0 [N]\nmemory count_ = 0, far = 0\nkinetic = 1/2*m*x'^2\n"
     "potential = 1/2*k*x^2\nforce x = u*(1 - far)\nsample every T: u = -K*x - D*x'\n"
     "when x' = 0: x' = 0.2 [m/s], count_ = count_ + 1\nwhen abs(u) > 1 [N]: far = 1\n"
     "output u, count_, far\n",
     1.1},
};

static const char *const stopping =
    "model \"Until it is down\"\nparam g = 10 [m/s^2]\ncoord y = 5 [m]\n"
    "kinetic = 1/2*(2 [kg])*y'^2\npotential = (2 [kg])*g*y\nstop when y <= 0\n";

static void add_eventful(Context *cx, Batch *batch) {
  for (size_t i = 0; i < sizeof eventful / sizeof *eventful; i++)
    add_sample(cx, batch, &eventful[i]);
}

static void add_stopping(Context *cx, Batch *batch) {
  add(batch, motion_load(cx, stopping, NULL), 3, 0.3);
}

static void check_stopping(const Batch *batch, int i) {
  const Table *table = result(batch, i);
  assert_int_equal(table->rows, 5); // 0, 0.3, 0.6, 0.9, and 1 where it stops
  CHECK_NEAR(table->at[4][0], 1, 1e-9);
  CHECK_NEAR(table->at[4][1], 0, 1e-8);
  CHECK_NEAR(table->at[4][2], -10, 1e-8);
}

static void check_events(Context *cx, const Language *language) {
  static Batch batch;
  if (!is_there(language)) skip();
  begin(&batch, language);
  add_eventful(cx, &batch);
  int n = batch.n;
  add_stopping(cx, &batch);
  run(&batch);
  for (int i = 0; i < n; i++) check_rows(&batch, i);
  check_stopping(&batch, n);
  finish(&batch);
}

TEST(events_as_python) { check_events(cx, &languages[1]); }
TEST(events_as_octave) { check_events(cx, &languages[2]); }
TEST(events_as_javascript) { check_events(cx, &languages[3]); }

// Loops of equal links, straight again and again: rows between the dead positions are right.
static const Sample dead[] = {
    {"examples/parallelogram.qdot", 3.9},
    {"examples/closed_loop.qdot", 2.9},
};

// Values are in SI units, and so are the units beside them; an input keeps its name.
TEST(says_units_in_si) {
  static const char *const expected[][2] = {
      {"double d; /* m: the gap */", "double d"},
      {"double beta; /* rad */", "double beta"},
      {"double w; /* 1/s */", "double w"},
      {"double k; /* N/m */", "double k"},
      {"const double u = inputs[0];", "const double u"},
  };
  Motion motion = motion_load(
      cx,
      "param m = 1 [kg], d = 5 [mm] \"the gap\", beta = 30 [deg], w = 60 [rpm], k = 2 [N/m]\n"
      "input u = 0 [N]\n"
      "coord x = 0 [m]\n"
      "kinetic = 1/2*m*x'^2\n"
      "potential = 1/2*k*(x - d*cos(beta))^2 + 1/2*m*w^2*x^2\n"
      "force x = u\n",
      NULL);
  ExportOptions options = export_defaults();
  ExportFiles files = {0};
  assert_int_equal(export_system(cx, &motion.system, EXPORT_C, &options, &cx->keep, &files),
                   QDOT_OK);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const char *text = files.at[i < 4 ? 0 : 1].text;
    if (!strstr(text, expected[i][0]))
      fail_msg("%.60s", strstr(text, expected[i][1]) ? strstr(text, expected[i][1]) : "nothing");
  }
}

// ---- What only the engine carries out

static const Sample rough[] = {
    {"model \"A ball that is caught and sampled\"\nparam g = 9.81 [m/s^2], m = 1 [kg], T = 50 "
     "[ms]\n"
     "coord y = 1 [m]\ncoord x = 0 [m]\ncoord x' = 2 [m/s]\ninput F = 0 [N]\nmemory n = 0\n"
     "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\nforce x = F\n"
     "contact floor: y >= 0, restitution 0.5, friction 0.3, along x\n"
     "sample every T: F = -0.2 [N*s/m]*x'\nwhen x = 0.4 [m]: n = n + 1\noutput F, n\n",
     2.3},
    {"model \"A rod in a joint that rubs\"\ngravity (0, -9.81 [m/s^2])\n"
     "body rod: rod 1 [m], mass 2 [kg], at (0.5 [m], 0), angle 0\n"
     "joint A: revolute ground (0, 0), rod (-0.5 [m], 0), friction 0.2, radius 30 [mm]\n",
     1.9},
    {"model \"A block that sticks and slips\"\nparam m = 1 [kg], k = 50 [N/m], F = 4 [N], v = 0.1 "
     "[m/s]\n"
     "coord x = 0 [m]\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*(x - v*t)^2\n"
     "force x = -F*sign(x')\n",
     3},
};

TEST(runs_as_c) {
  static Batch batch;
  if (!is_there(&languages[0])) skip();
  begin(&batch, &languages[0]);
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) add_sample(cx, &batch, &samples[i]);
  for (size_t i = 0; i < sizeof rough / sizeof *rough; i++) add_sample(cx, &batch, &rough[i]);
  add_eventful(cx, &batch);
  int n = batch.n;
  add_stopping(cx, &batch);
  run(&batch);
  for (int i = 0; i < n; i++) check_rows(&batch, i);
  check_stopping(&batch, n);
  finish(&batch);
}

// Other languages refuse it and name the remedy.
TEST(others_name_the_remedy) {
  for (ExportLanguage language = 0; language < EXPORT_LANGUAGES; language++) {
    Motion motion = motion_load(cx, rough[0].text, NULL);
    ExportOptions options = export_defaults();
    ExportFiles files = {0};
    Status status = export_system(cx, &motion.system, language, &options, &cx->keep, &files);
    assert_int_equal(status, language == EXPORT_C ? QDOT_OK : QDOT_UNSUPPORTED);
    if (status == QDOT_OK) continue;
    uint32_t last = cx->diagnostics.list.n - 1;
    assert_non_null(strstr(cx->diagnostics.list.at[last].note, "qdot export c"));
  }
}

TEST(runs_as_python) { check_language(cx, &languages[1]); }
TEST(runs_as_octave) { check_language(cx, &languages[2]); }
TEST(runs_as_javascript) { check_language(cx, &languages[3]); }
TEST(passes_dead_positions_as_javascript) {
  static Batch batch;
  if (!is_there(&languages[3])) skip();
  begin(&batch, &languages[3]);
  for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) add_sample(cx, &batch, &dead[i]);
  run(&batch);
  for (int i = 0; i < batch.n; i++) check_rows(&batch, i);
  finish(&batch);
}

// ---- The rule for dead positions stands twice, here and in the page

// Parallelograms, rhombs in a row and cranks with a rod of their length, fast enough to pass.
static Sample random_dead(Context *cx, Random *random) {
  double a = random_real(random, 0.1, 1), b = a * random_real(random, 1.2, 3);
  double rho = random_real(random, 0.5, 5), spin = random_real(random, 8, 20);
  double angle = random_real(random, 20, 160);
  spin = copysign(spin / sqrt(a), random_real(random, -1, 1));
  switch (random_below(random, 3)) {
  case 0:
    return (Sample){
        text_format(&cx->keep,
                    "param a = %.9g [m], b = %.9g [m], rho = %.9g [kg/m]\n"
                    "gravity (0, -9.81 [m/s^2])\n"
                    "body left: rod a, mass rho*a, angle = %.9g [deg], spin = %.9g [rad/s]\n"
                    "body coupler: rod b, mass rho*b, angle 0\n"
                    "body right: rod a, mass rho*a, angle %.9g [deg]\n"
                    "joint A: revolute ground (0, 0), left (-a/2, 0)\n"
                    "joint B: revolute left (a/2, 0), coupler (-b/2, 0)\n"
                    "joint C: revolute coupler (b/2, 0), right (a/2, 0)\n"
                    "joint D: revolute right (-a/2, 0), ground (b, 0)\n",
                    a, b, rho, angle, spin, angle),
        10 / fabs(spin)};
  case 1:
    return (Sample){
        text_format(&cx->keep,
                    "param L = %.9g [m], m = %.9g [kg], J = m*L^2/12, g = 9.81 [m/s^2]\n"
                    "coord alpha = %.9g [deg], beta ~ %.9g [deg], alpha' = %.9g [rad/s]\n"
                    "let r = (L*cos(alpha) + L/2*cos(beta), L*sin(alpha) + L/2*sin(beta))\n"
                    "kinetic = 1/2*(J + m*L^2/4)*alpha'^2 + 1/2*m*dot(r', r') + 1/2*J*beta'^2\n"
                    "potential = m*g*r.x\nconstraint rail: L*sin(alpha) + L*sin(beta) = 0\n",
                    a, rho, angle / 2, -angle / 2, spin),
        10 / fabs(spin)};
  default:
    return (Sample){
        text_format(&cx->keep,
                    "param L = %.9g [m], m = %.9g [kg]\ngravity (0, -9.81 [m/s^2])\n"
                    "for i in 0..2\n"
                    "  body v[i]: rod L, mass m, at (i*L, L/2), angle pi/2, spin %.9g [rad/s]\n"
                    "  joint A[i]: revolute ground (i*L, 0), v[i] (-L/2, 0)\nend\n"
                    "for i in 1..2\n"
                    "  body h[i]: rod L, mass m, at ((i - 1/2)*L, L), angle 0\n"
                    "  joint B[i]: revolute v[i-1] (L/2, 0), h[i] (-L/2, 0)\n"
                    "  joint C[i]: revolute h[i] (L/2, 0), v[i] (L/2, 0)\nend\n",
                    a, rho, spin),
        10 / fabs(spin)};
  }
}

// Positions and velocities; forces have no bound at a dead position.
TEST(passes_random_dead_positions_as_javascript) {
  enum { ROUNDS = 16 };
  static Batch batch;
  if (!is_there(&languages[3])) skip();
  Random random = random_start("dead positions");
  begin(&batch, &languages[3]);
  for (int i = 0; i < ROUNDS; i++) {
    Sample sample = random_dead(cx, &random);
    add_sample(cx, &batch, &sample);
  }
  run(&batch);
  for (int i = 0; i < batch.n; i++) {
    const Motion *motion = &batch.motions[i];
    const Table *table = result(&batch, i);
    assert_int_equal(table->rows, INTERVALS + 1);
    uint32_t n = motion->system.n, width = motion->columns.n;
    double turned = 0;
    for (uint32_t k = 1; k <= 2 * n; k++) {
      double size = 1e-3;
      for (uint32_t r = 0; r <= INTERVALS; r++)
        size = fmax(size, fabs(motion->values.at[r * width + k]));
      for (uint32_t r = 0; r <= INTERVALS; r++)
        CHECK_NEAR(table->at[r][k], motion->values.at[r * width + k], 1e-5 * size);
      if (k <= n) turned = fmax(turned, size);
    }
    assert_true(turned > 3); // past two of them
  }
  finish(&batch);
}

RUN_TESTS(cmocka_unit_test(says_units_in_si), cmocka_unit_test(runs_as_c),
          cmocka_unit_test(others_name_the_remedy), cmocka_unit_test(events_as_python),
          cmocka_unit_test(events_as_octave), cmocka_unit_test(events_as_javascript),
          cmocka_unit_test(runs_as_python), cmocka_unit_test(runs_as_octave),
          cmocka_unit_test(runs_as_javascript),
          cmocka_unit_test(passes_dead_positions_as_javascript),
          cmocka_unit_test(passes_random_dead_positions_as_javascript))
