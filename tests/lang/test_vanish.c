// Nothing vanishes: every kind of statement with every kind of name that has no value is refused,
// at that name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/parse/statement.h"
#include "lang/read.h"
#include "support/check.h"

// ---- Three models to put a line into

typedef struct Setting {
  const char *called, *text;
  const char *wrong[24]; // names without a value
} Setting;

static const Setting plane = {"bodies",
                              "param k = 10 [N/m], m = 1 [kg], L = 1 [m], tau = 1 [N*m]\n"
                              "gravity (0, -9.81 [m/s^2])\n"
                              "ground frame\n"
                              "coord q = 0.1 [m]\n"
                              "kinetic = m*q'^2/2\n"
                              "body cart: plate (L, L), mass m\n"
                              "body rod: rod L, mass m, angle = 60 [deg]\n"
                              "body free: disc L, mass m, at (3 [m], 0)\n"
                              "joint rail: prismatic ground (0, 0), cart (0, 0)\n"
                              "joint pin: revolute cart (0, 0), rod (-L/2, 0)\n"
                              "spring s: ground (2*L, 0), cart (0, 0), stiffness k, length L\n"
                              "spring w: torsional cart, rod, stiffness tau\n"
                              "contact stop: rail.s <= 5 [m]\n"
                              "let P = (cart.x, cart.y)\n",
                              {"rod.w",    "rod.omegaa",   "cart.X",   "rail.zz",    "rail.angle",
                               "pin.s",    "pin.FX",       "s.G",      "s.T",        "w.F",
                               "ground.x", "frame.theta",  "P.z",      "P.w",        "rdo.omega",
                               "rdo",      "q.x",          "k.x",      "rod",        "pin",
                               "stop.M",   "lambda_rdo_x", "rod[1].x", "rod.theta.x"}};

static const Setting energies = {"energies",
                                 "param k = 10 [N/m], m = 1 [kg], L = 1 [m], tau = 1 [N*m]\n"
                                 "coord q = 0.1 [m], p = 0.2 [m]\n"
                                 "let r = (q, p)\n"
                                 "kinetic = m*dot(r', r')/2\n"
                                 "contact stop: q <= 5 [m]\n",
                                 {"q.w", "q.x", "r.z", "r.w", "nope", "nope.x", "stop", "stop.M",
                                  "ground.x", "ground", "k.x", "qq", "lambda_nope", "q[1]", "t.x",
                                  "lambda_stop.x"}};

static const Setting space = {
    "space",
    "param k = 10 [N/m], m = 1 [kg], L = 1 [m], tau = 1 [N*m]\n"
    "gravity (0, 0, -9.81 [m/s^2])\n"
    "point O = (0, 0, 0) fixed\n"
    "point A ~ (0, 0, 1 [m])\n"
    "vector u ~ (1, 0, 0), v ~ (0, 1, 0)\n"
    "solid top: O (0, 0, 0), A (0, 0, L), u (1, 0, 0), v (0, 1, 0), mass m, "
    "inertia (1 [kg*m^2], 1 [kg*m^2], 1 [kg*m^2]), centre (0, 0, L)\n"
    "coord q = 0.1 [m], p = 0.1 [m]\n"
    "kinetic = m*q'^2/2 + m*p'^2/2\n",
    {"A.w", "u.w", "top", "top.w", "top.r.w", "O.w", "nope.x", "nope", "ground.x", "q.w"}};

// ---- Lines: @ is where the name goes; `right` is what may stand there

typedef struct Line {
  const char *word;         // of the statement
  const Setting *only_in;   // or NULL
  const char *text, *right; // right: "free|rod" where several names fit
} Line;

static const Line lines[] = {
    {"param", NULL, "param new = @*(1 [m])", "2"},
    {"count", NULL, "count new = @", "2"},
    {"coord", NULL, "coord new = @*(1 [m])\nkinetic = m*new'^2/2", "2"},
    {"coord", NULL, "coord new = 0 [m], new' = @*(1 [m/s])\nkinetic = m*new'^2/2", "2"},
    {"state", NULL, "state new = @*(1 [m])\nrate new = 0 [m/s]", "2"},
    {"memory", NULL, "memory new = @", "2"},
    {"sample", NULL, "input new = 0\nsample every 1 [s]: new = @", "2"},
    {"limit", NULL, "input new = 0\nlimit new in 0..@", "2"},
    {"when", NULL, "memory new = 0\nwhen t > 1 [s]: new = @", "2"},
    {"stop", NULL, "stop when t > @*(1 [s])", "2"},
    {"rate", NULL, "state new = 1 [m]\nrate new = @*(1 [m/s])", "2"},
    {"let", NULL, "let new = @", "2"},
    {"let", NULL, "let new = (@, 1)", "2"},
    {"integral", NULL, "integral new = @", "2"},
    {"momentum", NULL, "coord other = 0 [m]\nkinetic = m*other'^2/2\nmomentum new of @", "other"},
    {"speed", NULL, "speed new = @*(1 [m/s])", "2"},
    {"let", NULL, "let new = 1, other = if(@ > 0, 1, 2)", "q/L"},
    {"let", NULL, "let new = table(@, (0, 0), (1, 1))", "q/L"},
    {"let", NULL, "let new = sum(i in 1..2: i*@)", "2"},
    {"let", NULL, "let new = @'", "q"},
    {"kinetic", NULL, "kinetic = @*m*q'^2/2", "2"},
    {"potential", NULL, "potential = @*k*q^2/2", "2"},
    {"dissipation", NULL, "dissipation = @*(1 [kg/s])*q'^2/2", "2"},
    {"force", NULL, "force q = @*k*L", "2"},
    {"force", &plane, "force cart (0, 0) = (@*k*L, 0)", "2"},
    {"force", &plane, "force cart (@*L, 0) = (k*L, 0)", "2"},
    {"force", &plane, "force (cart.x + @*L, cart.y) = (k*L, 0)", "2"},
    {"force", &energies, "force (q, p + @*L) = (0, k*L)", "2"},
    {"constraint", NULL, "constraint new: q = @*L", "2"},
    {"constraint", NULL, "constraint new: @*L = q", "2"},
    {"contact", NULL, "contact new: q <= @*L", "2"},
    {"contact", NULL, "contact new: q <= L restitution @", "0.5"},
    {"contact", &plane, "contact new: free (0, 0), radius @*L, line (0, -5 [m])", "1"},
    {"contact", &plane, "contact new: free (0, 0), line (0, -5 [m]), axis @", "0.1"},
    {"input", NULL, "input new = @\nforce q = new*k*L", "2"},
    {"output", NULL, "output new = @", "2"},
    {"measure", NULL, "measure new = max(@)", "2"},
    {"tolerance", NULL, "measure new = max(q)\ntolerance m = @: new", "2 [kg]"},
    {"find", NULL, "measure new = max(q)\nfind m in @..3 [kg]: minimize new", "2 [kg]"},
    {"find", NULL, "measure new = max(q)\nfind m in 2..3 [kg]: new = @", "2 [m]"},
    {"find", NULL, "measure new = max(q)\nfind m in 2..3 [kg]: minimize @", "new"},
    {"orbit", &energies, "orbit q ~ @", "2 [m]"},
    {"random", NULL, "input new = 0 [N]\nforce q = new\nrandom new = @", "2 [N^2/Hz]"},
    {"random", NULL, "input new = 0 [m]\nforce q = new*k\nrandom new = road C, speed @", "2 [m/s]"},
    {"random", NULL, "input new = 0 [N]\nforce q = new\nrandom new = 2 [N^2/Hz], to @", "2 [Hz]"},
    {"comfort", NULL, "comfort W_k: q'', @", "2*q''"},
    {"synchronous", NULL, "param new = 2 [rad/s]\nsynchronous new in 1..@: m", "2 [rad/s]"},
    {"synchronous", NULL, "param new = 2 [rad/s]\nsynchronous new in 1..2 [rad/s]: @", "m"},
    {"sensitivity", NULL, "measure new = max(q)\nsensitivity new to @", "m"},
    {"sweep", NULL, "measure new = max(q)\nsweep m = @..3 [kg] steps 2: new", "2 [kg]"},
    {"sweep", NULL, "measure new = max(q)\nsweep m = (1 [kg], @): new", "2 [kg]"},
    {"sweep", NULL, "measure new = max(q)\nsweep m = normal @, runs 5: new", "2 [kg]"},
    {"sweep", NULL, "measure new = max(q)\nsweep m in @..3 [kg], runs 5: new", "2 [kg]"},
    {"measure", NULL, "measure new = last(t, q > 2*(@))", "2 [m]"},
    {"measure", NULL, "measure new = max(q) from @", "2 [s]"},
    {"output", NULL, "output @", NULL},
    {"output", NULL, "output one = q, new = @", "2"},
    {"for", NULL, "for i in 1..@\nlet new[i] = i\nend", "3"},
    {"simulate", NULL, "simulate to @*(1 [s])", "2"},
    {"simulate", NULL, "simulate to 1 [s] every @*(1 [ms])", "2"},
    {"simulate", NULL, "simulate to 1 [s] using rk45(rtol = @)", "1e-6"},
    {"linearize", NULL, "linearize at q = @*(1 [m])", "2"},
    {"linearize", NULL, "linearize at @ = 1 [m]", "q"},
    {"linearize", NULL, "linearize at equilibrium independent @", "q"},
    {"independent", NULL, "independent @", "q"},
    {"plot", NULL, "plot @", "q"},
    {"plot", NULL, "plot q, @", "q'"},
    {"plot", NULL, "plot phase @", "q"},
    {"plot", NULL, "plot path q, @", "q'"},
    {"plot", NULL, "plot spectrum @", "q"},
    {"plot", &plane, "plot contact @", "stop"},
    {"plot", &energies, "plot contact @", "stop"},
    {"plot", &space, "plot contact @", NULL},
    {"draw", NULL, "draw line (0, 0) (@*L, q)", "2"},
    {"draw", NULL, "draw disc (q, 0) radius @*L", "2"},
    {"draw", NULL, "draw ground (0, 0) angle @", "2"},
    {"draw", NULL, "draw box (q, 0) size (@*L, L)", "2"},
    {"draw", NULL, "draw spring (q, 0) (q, q) width @*L", "2"},
    {"body", &plane, "body new: disc L, mass @*m, at (1 [m], 1 [m])", "2"},
    {"body", &plane, "body new: disc @*L, mass m, at (1 [m], 1 [m])", "2"},
    {"body", &plane, "body new: mass m, inertia @*(1 [kg*m^2]), at (1 [m], 1 [m])", "2"},
    {"body", &plane, "body new: disc L, mass m, at (@*L, 1 [m])", "2"},
    {"body", &plane, "body new: disc L, mass m, angle @", "2"},
    {"body", &plane, "body new: disc L, mass m, spin @*(1 [rad/s])", "2"},
    {"body", &plane, "body new: disc L, mass m, velocity (@*(1 [m/s]), 0)", "2"},
    {"body", &plane, "body new: plate (@*L, L), mass m", "2"},
    {"joint", &plane, "joint new: revolute ground (@*L, 0), free (0, 0)", "3"},
    {"joint", &plane, "joint new: revolute ground (0, 0), free (@*L, 0)", "1"},
    {"joint", &plane, "joint new: revolute ground (3*L, 0), free (0, 0), friction @*(1 [N*m*s])",
     "2"},
    {"joint", &plane, "joint new: prismatic ground (0, 0), free (0, 0), axis @", "2"},
    {"joint", &plane, "joint new: distance ground (0, 0), free (0, 0), length @*L", "3"},
    {"joint", &plane, "joint new: rolling ground (0, -L), free (0, 0), radius @*L", "1"},
    {"joint", &plane, "joint new: revolute ground (3*L, 0), @ (0, 0)", "free|rod"},
    {"gear", &plane, "gear new: rod, free, ratio @", "2"},
    {"gear", &plane, "gear new: rod, @, ratio 2", "free"},
    {"gear", &plane, "gear new: rod, free, ratio 2, carrier @", "cart|rod"},
    {"gear", &plane, "gear new: rod, free, ratio 2, pressure @", "0.1"},
    {"belt", &plane, "belt new: rod, free, ratio @", "2"},
    {"rack", &plane, "rack new: free, cart, radius @*L", "2"},
    {"spring", &plane, "spring new: ground (1 [m], 1 [m]), cart (0, 0), stiffness @*k", "2"},
    {"spring", &plane, "spring new: ground (1 [m], 1 [m]), cart (0, 0), stiffness k, length @*L",
     "2"},
    {"spring", &plane, "spring new: ground (1 [m], @*L), cart (0, 0), preload k*L", "2"},
    {"spring", &plane, "spring new: torsional ground, rod, stiffness tau, angle @", "2"},
    {"spring", &plane, "spring new: ground (1 [m], 1 [m]), @ (0, 0), stiffness k", "cart|rod"},
    {"damper", &plane, "damper new: ground (1 [m], 1 [m]), cart (0, 0), damping @*(1 [kg/s])", "2"},
    {"bushing", &plane, "bushing new: ground (0, L), rod (0, 0), stiffness (k, 2*k, @*tau)", "2"},
    {"bushing", &plane, "bushing new: ground (0, 0), rod (0, 0), damping (0, 0, @*(1 [N*m*s]))",
     "2"},
    {"bushing", &plane, "bushing new: ground (0, 0), rod (0, 0), stiffness (k, k, tau), angle @",
     "2"},
    {"rope", &plane, "rope new: ground (0, L), rod (0, 0), length @*L, stiffness k", "2"},
    {"rope", &plane, "rope new: ground (0, L), rod (0, 0), length L, restitution @/4", "2"},
    {"cylinder", &plane, "cylinder new: ground (0, L), rod (0, 0), force @*k*L", "2"},
    {"cylinder", &plane, "cylinder new: ground (0, L), rod (0, 0), length @*L", "2"},
    {"backlash", &plane, "backlash new: ground, rod, play @", "2"},
    {"backlash", &plane, "backlash new: ground, rod, play 0.1, ratio @", "2"},
    {"backlash", &plane, "backlash new: ground, rod, play 0.1, stiffness @*tau", "2"},
    {"backlash", &plane, "backlash new: ground, @, play 0.1, angle 0.1", "rod"},
    {"unbalance", &plane, "unbalance new: rod (0, 0), moment @*(1 [kg*m])", "2"},
    {"tyre", &plane, "tyre new: rod (0, 0), stiffness k, radius L, road @*L", "2"},
    {"tyre", &plane, "tyre new: rod (0, 0), stiffness @*k", "2"},
    {"cam", &plane, "cam new: rod (0, 0), lift @*L", "2"},
    {"motor", &plane, "motor pin: torque @*tau", "2"},
    {"motor", &plane, "motor pin: speed @*(1 [rad/s])", "2"},
    {"motor", &plane, "motor rail: force @*k*L", "2"},
    {"motor", &plane, "motor @: torque tau", "pin"},
    {"torque", &plane, "torque rod = @*tau", "2"},
    {"torque", &plane, "torque rod, cart = -@*tau", "2"},
    {"torque", &plane, "torque @ = tau", "rod"},
    {"point", &space, "point B ~ (0, @*L, 1 [m])\nconstraint c: dot(B - A, B - A) = L^2", "1"},
    {"point", &space, "point A' = (0, @*(1 [m/s]), 0)", "1"},
    {"vector", &space, "vector e ~ (@, 0, 1)", "0"},
    {"solid", &space,
     "point C ~ (1 [m], 0, 0)\nsolid arm: O (0, 0, 0), C (L, 0, 0), u (1, 0, 0), v (0, 1, 0), "
     "mass @*m, inertia (1 [kg*m^2], 1 [kg*m^2], 1 [kg*m^2])",
     NULL},
    {"solid", &space,
     "solid arm: O (0, 0, 0), @ (0, 0, L), mass m, inertia (1 [kg*m^2], 1 [kg*m^2], 1 [kg*m^2])",
     NULL},
    {"solid", &space, "solid arm: O (0, 0, 0), mass m, ball @*L", NULL},
};

// Statements of which no part is an expression or the name of something.
static const char *const nameless[] = {"model", "end", "derive", "ground"};
// Tried in models of their own below.
static const char *const apart[] = {"lagrangian", "hamiltonian", "gravity", "fit", "use"};

// ---- The trial

typedef struct Trial {
  const char *text;
  uint32_t begin, end; // of the name
} Trial;

static Trial compose(Context *cx, const char *before, const char *line, const char *name) {
  Text text = text_new(&cx->keep);
  const char *at = strchr(line, '@');
  text_addf(&text, "%s%.*s", before, (int)(at - line), line);
  uint32_t begin = (uint32_t)text.n;
  text_addf(&text, "%s%s\n", name, at + 1);
  return (Trial){text.at, begin, begin + (uint32_t)strlen(name)};
}

static uint32_t read_errors(Context *cx, const char *text, bool prints) {
  uint32_t before = cx->diagnostics.errors, from = cx->diagnostics.list.n;
  Model *model;
  Status status = model_read(cx, "trial", text, strlen(text), NULL, &model);
  assert_int_equal(status == QDOT_OK, cx->diagnostics.errors == before);
  for (uint32_t i = from; prints && i < cx->diagnostics.list.n; i++) {
    Text out = text_new(&cx->keep);
    diag_print(&cx->sources, &cx->diagnostics.list.at[i], false, &out);
    print_message("%s", out.at);
  }
  return cx->diagnostics.errors - before;
}

// One mistake is told, at the name or around it, and it is not ours.
static bool is_answered(const Context *cx, const Trial *trial, uint32_t from) {
  for (uint32_t i = from; i < cx->diagnostics.list.n; i++) {
    const Diagnostic *d = &cx->diagnostics.list.at[i];
    if (strstr(d->message, "Qdot cannot carry this out")) return false;
    bool overlaps = d->span.begin < trial->end && d->span.end > trial->begin;
    if (d->has_span && overlaps && d->severity == SEVERITY_ERROR) return true;
  }
  return false;
}

static const char *try_before, *try_line, *try_name;

static void try_wrong(Context *cx) {
  Trial trial = compose(cx, try_before, try_line, try_name);
  bool good = read_errors(cx, trial.text, false) > 0 && is_answered(cx, &trial, 0);
  if (!good) {
    read_errors(cx, trial.text, true);
    fail_msg("not refused at the name '%s': %s", try_name, try_line);
  }
}

static void try_right(Context *cx) {
  Trial trial = compose(cx, try_before, try_line, try_name);
  if (read_errors(cx, trial.text, false)) {
    read_errors(cx, trial.text, true);
    fail_msg("refused with '%s': %s", try_name, try_line);
  }
}

static void try_line_in(const Setting *setting, const Line *line) {
  const char *bar = line->right ? strchr(line->right, '|') : NULL;
  char first[20] = "";
  if (line->right)
    snprintf(first, sizeof first, "%.*s", bar ? (int)(bar - line->right) : 19, line->right);
  const char *right[2] = {line->right ? first : NULL, bar ? bar + 1 : NULL};
  try_before = setting->text, try_line = line->text;
  for (int i = 0; i < 2; i++) {
    try_name = right[i];
    if (try_name) with_context(try_right);
  }
  for (size_t i = 0; i < sizeof setting->wrong / sizeof *setting->wrong; i++) {
    try_name = setting->wrong[i];
    bool fits = false;
    for (int k = 0; try_name && k < 2; k++)
      fits = fits || (right[k] && strcmp(right[k], try_name) == 0);
    if (try_name && !fits) with_context(try_wrong);
  }
}

static void every_statement_with_every_wrong_name(void **state) {
  (void)state;
  const Setting *const settings[] = {&plane, &energies, &space};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    for (size_t k = 0; k < 3; k++)
      if (!lines[i].only_in || lines[i].only_in == settings[k]) try_line_in(settings[k], &lines[i]);
}

// Where the statement is the only one of its kind.
static void lagrangian_and_gravity(void **state) {
  (void)state;
  Setting setting = {"lagrangian", "param m = 1 [kg]\ncoord q = 0 [m]\n", {"q.x", "nope", "m.x"}};
  try_line_in(&setting, &(Line){.text = "lagrangian = @*m*q'^2/2", .right = "2"});
  Setting canonical = {
      "hamiltonian", "param m = 1 [kg]\ncoord q = 0 [m]\n", {"q.x", "nope", "m.x", "q'", "p_nope"}};
  try_line_in(&canonical, &(Line){.text = "hamiltonian = @*p_q^2/(2*m)", .right = "2"});
  Setting bodies = {"gravity",
                    "param g = 1 [m/s^2]\nbody b: disc 1 [m], mass 1 [kg]\n",
                    {"b.w", "b", "nope", "g.x", "ground.x"}};
  try_line_in(&bodies, &(Line){.text = "gravity (0, -@*g)", .right = "2"});
}

static void value_for_a_file(void **state) {
  (void)state;
  const char *root = getenv("QDOT_ROOT");
  char text[5000];
  snprintf(text, sizeof text, "use \"%s/tests/lang/data/offset.qdot\" as new: offset = @*L",
           root ? root : ".");
  try_line_in(&plane, &(Line){.text = text, .right = "2"});
}

static bool is_among(const char *word, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

static void all_statements_are_tried(void **state) {
  (void)state;
  static const char *const words[] = {
#define STATEMENT(word, name, usage) word,
#include "lang/parse/statements.def"
#undef STATEMENT
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    bool tried = is_among(words[i], nameless, 4) || is_among(words[i], apart, 5);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
      tried = tried || strcmp(lines[k].word, words[i]) == 0;
    if (!tried) fail_msg("no line tries '%s'", words[i]);
  }
}

// ---- What is never used

static uint32_t warnings_of(Context *cx, const char *lines_after) {
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "param c = 1 [N*m*s], L = 1 [m]\nbody rod: rod L, mass 1 [kg]\n"
            "joint A: revolute ground (0, 0), rod (-L/2, 0)\n%s\n",
            lines_after);
  uint32_t before = cx->diagnostics.warnings;
  assert_int_equal(read_errors(cx, text.at, false), 0);
  return cx->diagnostics.warnings - before;
}

TEST(a_parameter_is_used_where_its_line_is_carried_out) {
  assert_int_equal(warnings_of(cx, "torque rod = -c*rod.omega"), 0);
  assert_int_equal(warnings_of(cx, "output T = c*A.angle'"), 0);
  assert_int_equal(warnings_of(cx, "torque rod = -(1 [N*m*s])*rod.omega"), 1);
  assert_int_equal(warnings_of(cx, ""), 1);
}

// The first round of the loop is warned about, the second is a mistake in the same place.
TEST(a_warning_hides_no_error) {
  const char *text = "param L = 1 [m]\ncoord x = 1 [m]\nkinetic = 1 [kg]*x'^2/2\n"
                     "constraint a: x = L\nfor i in 1..2\nconstraint b[i]: i*x = L\nend\n";
  assert_int_equal(read_errors(cx, text, false), 1);
}

RUN_TESTS(cmocka_unit_test(every_statement_with_every_wrong_name),
          cmocka_unit_test(lagrangian_and_gravity), cmocka_unit_test(value_for_a_file),
          cmocka_unit_test(all_statements_are_tried),
          cmocka_unit_test(a_parameter_is_used_where_its_line_is_carried_out),
          cmocka_unit_test(a_warning_hides_no_error))
