// C99: the equations as a header and a source file without dependencies; beside them the program
// that runs the model's plan (c_program.c).
#include "export/c.h"
#include "code/eliminate.h"

#include <string.h>

#include "export/c_parts.h"
#include "export/c_saddle.h"
#include "export/content.h"
#include "export/tables.h"
#include "export/template.h"
#include "qdot/qdot.h"

typedef struct Writer {
  const ExportContent *c;
  Arena *arena;
  Text *out;
} Writer;

// ---- head

static void write_head(Writer *w, const char *file) {
  const ExportContent *c = w->c;
  text_addf(w->out, "/* %s: equations of motion of \"%s\".\n *\n", file, c->title);
  text_add(w->out,
           " *   M(q) q'' + h(q, q', t) + D + G = Q - Phi_q^T lambda,  Phi_q q'' = gamma\n *\n");
  text_addf(w->out, " * Written by Qdot %s%s%s. SI units, angles in radians.\n", QDOT_VERSION,
            c->source ? " from " : "", c->source ? c->source : "");
  text_add(w->out,
           " * C99; allocates nothing and needs nothing but the mathematical library.\n */\n");
}

static void write_parameters(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_addf(w->out, "/* Parameters, in SI units. */\ntypedef struct %s_parameters {\n", c->name);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    const char *unit = measure_text(c, &p->measure);
    text_addf(w->out, "  double %s;", c->parameters[i]);
    if (*unit || p->description) {
      text_addf(w->out, " /* %s%s%s */", unit, *unit && p->description ? ": " : "",
                p->description ? comment_from_text(w->arena, p->description) : "");
    }
    text_add_char(w->out, '\n');
  }
  if (!model->parameters.n) text_add(w->out, "  double none;\n");
  text_addf(w->out, "} %s_parameters;\n\n", c->name);
  text_addf(w->out,
            "/* The values that the model gives them. */\n%s_parameters %s_defaults(void);\n\n",
            c->name, c->name);
}

static void write_sizes(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  text_add(w->out, "enum {\n");
  text_addf(w->out, "  %s_coordinate_count = %u, /*", c->name, c->system->n);
  for (uint32_t i = 0; i < c->system->n && i < 12; i++)
    text_addf(w->out, "%s%s", i ? ", " : " ", symbol_text(c->cx, model->coordinates.at[i].name));
  text_addf(w->out, "%s */\n", c->system->n > 12 ? " ..." : "");
  text_addf(w->out, "  %s_constraint_count = %u,\n  %s_contact_count = %u,\n", c->name,
            c->system->row_count, c->name, c->system->contact_count);
  if (c->system->states) text_addf(w->out, "  %s_state_count = %u,\n", c->name, c->system->states);
  text_addf(w->out, "  %s_input_count = %u,\n  %s_output_count = %u", c->name, model->inputs.n,
            c->name, model->outputs.n);
  if (model->members.n) text_addf(w->out, ",\n  %s_member_count = %u", c->name, model->members.n);
  text_add(w->out, "\n};\n\n");
}

// Joins the parts of a declaration, on lines of at most 100 characters.
static void write_wrapped(Writer *w, const char *start, const char *const *parts) {
  size_t at = strlen(start), indent = at;
  text_add(w->out, start);
  for (size_t i = 0; parts[i]; i++) {
    size_t length = strlen(parts[i]);
    if (i && at + length + 3 > 100) {
      text_addf(w->out, ",\n%*s", (int)indent, "");
      at = indent;
    } else if (i) {
      text_add(w->out, ", ");
    }
    text_add(w->out, parts[i]);
    at += length + 2;
  }
  text_add_char(w->out, ')');
}

enum { MOST_ARGUMENTS = 10 };

static void arguments_of(Writer *w, const ExportQuantity *quantity, Argument out[MOST_ARGUMENTS]) {
  size_t n = 0;
  out[n++] = (Argument){text_format(w->arena, "const %s_parameters *p", w->c->name), "p"};
  out[n++] = (Argument){"double t", "t"};
  out[n++] = (Argument){"const double *q", "q"};
  if (quantity->takes & TAKES_QD) out[n++] = (Argument){"const double *qd", "qd"};
  if (quantity->takes & TAKES_U) out[n++] = (Argument){"const double *inputs", "inputs"};
  if (quantity->takes & TAKES_QDD) out[n++] = (Argument){"const double *qdd", "qdd"};
  if (quantity->takes & TAKES_LAMBDA) out[n++] = (Argument){"const double *lambda", "lambda"};
  const char *result = text_format(w->arena, "double %s[%u]", quantity->name, quantity->rows);
  if (quantity->columns) result = text_format(w->arena, "%s[%u]", result, quantity->columns);
  out[n++] = (Argument){result, quantity->name};
  out[n] = (Argument){0};
}

static void write_signature(Writer *w, const ExportQuantity *quantity) {
  Argument arguments[MOST_ARGUMENTS];
  const char *declared[MOST_ARGUMENTS];
  arguments_of(w, quantity, arguments);
  for (size_t i = 0; i < MOST_ARGUMENTS; i++) declared[i] = arguments[i].declared;
  write_wrapped(w, text_format(w->arena, "void %s_%s(", w->c->name, quantity->name), declared);
}

static void write_acceleration_signature(Writer *w) {
  const char *name = w->c->name;
  const char *const parts[] = {text_format(w->arena, "const %s_parameters *p", name),
                               "double t",
                               "const double *q",
                               "const double *qd",
                               "const double *inputs",
                               "double *qdd",
                               "double *lambda",
                               NULL};
  write_wrapped(w, text_format(w->arena, "int %s_accelerations(", name), parts);
}

static void write_rhs_signature(Writer *w) {
  const char *name = w->c->name;
  const char *const parts[] = {text_format(w->arena, "const %s_parameters *p", name),
                               "double t",
                               "const double *x",
                               "const double *u",
                               "double *dx",
                               NULL};
  write_wrapped(w, text_format(w->arena, "int %s_rhs(", name), parts);
}

static void write_declarations(Writer *w) {
  const ExportContent *c = w->c;
  text_addf(w->out, "/* At time t, coordinates q, velocities qd, with inputs%s: */\n\n",
            c->system->states ? ", behind which the states stand" : "");
  for (uint32_t i = 0; i < c->quantities.n; i++) {
    const ExportQuantity *quantity = &c->quantities.at[i];
    text_addf(w->out, "/* %s */\n", quantity->meaning);
    write_signature(w, quantity);
    text_add(w->out, ";\n\n");
  }
  text_add(w->out, "/* Accelerations qdd and constraint forces lambda. Returns 0, or 1 where the "
                   "equations\n   cannot be solved. */\n");
  write_acceleration_signature(w);
  text_addf(w->out, ";\n\n/* dx/dt of the state x = (q, qd%s); returns as above. */\n",
            c->system->states ? ", states), with the model's own inputs u" : ")");
  write_rhs_signature(w);
  text_add(w->out, ";\n");
  if (c->system->row_count) {
    text_add_char(w->out, '\n');
    write_saddle_declarations(c, w->out);
  }
}

static const char *guard_of(Writer *w) {
  const char *guard = text_format(w->arena, "%s_H", w->c->name);
  for (char *at = (char *)guard; *at; at++)
    if (*at >= 'a' && *at <= 'z') *at = (char)(*at - 'a' + 'A');
  return guard;
}

static void write_header(Writer *w) {
  const char *guard = guard_of(w);
  write_head(w, text_format(w->arena, "%s.h", w->c->name));
  text_addf(w->out, "#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
            guard, guard);
  write_parameters(w);
  write_sizes(w);
  write_declarations(w);
  text_add(w->out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

// ---- source

static void write_defaults(Writer *w) {
  const ExportContent *c = w->c;
  uint32_t n = c->system->model->parameters.n;
  const char **targets = arena_array(w->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) targets[i] = text_format(w->arena, "p.%s", c->parameters[i]);
  template_add(w->out, "@_parameters @_defaults(void) {\n  @_parameters p;\n", c->name);
  if (!n) text_add(w->out, "  p.none = 0;\n");
  content_write_defaults(c, DIALECT_C, "  ", targets, w->out);
  text_add(w->out, "  return p;\n}\n\n");
}

static void silence(Writer *w, const Program *program, const char *const *outputs, const char *name,
                    uint32_t first, uint32_t n) {
  if (!content_reads(w->c, program, outputs, first, n)) text_addf(w->out, "  (void)%s;\n", name);
}

static void silence_arguments(Writer *w, const Program *program, const char *const *outputs,
                              unsigned takes) {
  const InputLayout *at = &w->c->equations->layout;
  const System *s = w->c->system;
  silence(w, program, outputs, "p", at->parameters, s->model->parameters.n);
  silence(w, program, outputs, "t", at->t, 1);
  silence(w, program, outputs, "q", at->q, s->n);
  if (takes & TAKES_QD) silence(w, program, outputs, "qd", at->qd, s->n);
  bool reads_states = content_reads(w->c, program, outputs, at->states, s->states);
  if (takes & TAKES_U && !reads_states)
    silence(w, program, outputs, "inputs", at->u, s->model->inputs.n);
  if (takes & TAKES_QDD) silence(w, program, outputs, "qdd", at->qdd, s->n);
  if (takes & TAKES_LAMBDA) silence(w, program, outputs, "lambda", at->lambda, s->row_count);
}

// Longer programs become several functions.
enum { LONGEST_PROGRAM = 2000 };

static bool is_long(const Program *program) {
  return program->prologue_count + program->main_count > LONGEST_PROGRAM;
}

// A dense solve takes over from the elimination where a pivot can lose.
static bool is_watched(const ExportContent *c) { return c->can_lose || c->system->row_count > 0; }

// Above this size the lower half of a symmetric matrix is copied in a loop.
enum { LARGEST_WRITTEN_OUT = 3 };

static bool is_mirrored(const ExportQuantity *quantity) {
  uint32_t n = quantity->rows;
  const Slot *outputs = quantity->program->outputs;
  bool symmetric = quantity->columns == n && n > LARGEST_WRITTEN_OUT;
  for (uint32_t i = 0; symmetric && i < n; i++)
    for (uint32_t j = 0; j < i; j++) symmetric &= outputs[i * n + j] == outputs[j * n + i];
  return symmetric;
}

static void write_statements(Writer *w, const ExportQuantity *quantity, const char *const *targets,
                             Text *out) {
  static const char *const arguments[] = {"p",   "t",      "q", "qd", "inputs",
                                          "qdd", "lambda", "s", "i",  "j"};
  const char *taken[12] = {0};
  memcpy(taken, arguments, sizeof arguments);
  taken[10] = quantity->name;
  FunctionBody body = content_body(w->c, DIALECT_C, taken, quantity->takes);
  content_write_program(w->c, DIALECT_C, quantity->program, "  ", &body, targets, out);
}

static void write_quantity(Writer *w, const ExportQuantity *quantity) {
  uint32_t columns = quantity->columns ? quantity->columns : 1, n = quantity->rows * columns;
  const char **targets = arena_array(w->arena, const char *, n + 1);
  bool mirrored = is_mirrored(quantity);
  for (uint32_t i = 0; i < n; i++)
    if (!mirrored || i / columns <= i % columns)
      targets[i] = entry_text(w->arena, DIALECT_C, quantity->name, i / columns,
                              quantity->columns ? (int)(i % columns) : -1);
  Text statements = text_new(w->arena), inside = text_new(w->arena);
  write_statements(w, quantity, targets, &statements);
  if (is_long(quantity->program)) {
    Argument arguments[MOST_ARGUMENTS];
    arguments_of(w, quantity, arguments);
    LongBody body = {text_format(w->arena, "%s_%s", w->c->name, quantity->name), arguments,
                     statements.at};
    write_in_parts(&body, w->arena, w->out, &inside);
  }
  write_signature(w, quantity);
  text_add(w->out, " {\n");
  if (inside.n) {
    text_add(w->out, inside.at);
  } else {
    silence_arguments(w, quantity->program, targets, quantity->takes);
    text_add(w->out, statements.at);
  }
  if (mirrored)
    text_addf(w->out,
              "  for (int i = 1; i < %u; i++)\n    for (int j = 0; j < i; j++) %s[i][j] = "
              "%s[j][i];\n",
              quantity->rows, quantity->name, quantity->name);
  text_add(w->out, "}\n\n");
}

// q'' and lambda from the program of forward dynamics, whose rows have an order of their own, and
// whether to trust them: the loss at the pivots, then the inverse pivots of the constraints.
static void write_elimination(Writer *w, Text *out) {
  const ExportContent *c = w->c;
  const System *s = c->system;
  const Program *program = c->forward;
  const char *const taken[] = {"p",   "t",      "q",     "qd", "inputs", "s",
                               "qdd", "lambda", "trust", "i",  "rows",   NULL};
  FunctionBody body = content_body(c, DIALECT_C, taken, TAKES_QD | TAKES_U);
  const char **targets = arena_array(w->arena, const char *, program->output_count);
  for (uint32_t i = 0; i < s->n; i++) targets[i] = entry_text(w->arena, DIALECT_C, "qdd", i, -1);
  if (is_watched(c)) targets[c->loss] = "trust[0]";
  for (uint32_t r = 0; r < c->equations->m; r++) {
    uint32_t place = c->equations->lambda[r];
    targets[s->n + r] = entry_text(w->arena, DIALECT_C, "lambda", place, -1);
    targets[c->loss + 1 + r] = entry_text(w->arena, DIALECT_C, "trust", 1 + place, -1);
  }
  if (!is_long(program)) {
    silence_arguments(w, program, targets, TAKES_QD | TAKES_U);
    if (!s->row_count) text_add(out, "  (void)lambda;\n");
  }
  content_write_program(c, DIALECT_C, program, "  ", &body, targets, out);
}

static void write_elimination_in_parts(Writer *w, Text *calls) {
  const Argument arguments[] = {
      {text_format(w->arena, "const %s_parameters *p", w->c->name), "p"},
      {"double t", "t"},
      {"const double *q", "q"},
      {"const double *qd", "qd"},
      {"const double *inputs", "inputs"},
      {"double *qdd", "qdd"},
      {"double *lambda", "lambda"},
      {is_watched(w->c) ? "double *trust" : NULL, "trust"},
      {0},
  };
  Text statements = text_new(w->arena);
  write_elimination(w, &statements);
  LongBody body = {text_format(w->arena, "%s_accelerations", w->c->name), arguments, statements.at};
  write_in_parts(&body, w->arena, w->out, calls);
}

static void write_trust(Writer *w) {
  template_add(w->out, "static int is_trusted(@_rows *rows, const double *trust) {\n", w->c->name);
  text_addf(
      w->out,
      "  const double most = %g; /* lost at the pivots */\n"
      "  int r, good = trust[0] < most;\n"
      "  for (r = 0; r < m; r++) {\n"
      "    double inverse = fabs(trust[1 + r]);\n"
      "    if (rows->inverse[r] == 0 || inverse < rows->inverse[r]) rows->inverse[r] = inverse;\n"
      "    good = good && inverse < most * rows->inverse[r];\n"
      "  }\n"
      "  return good;\n"
      "}\n\n",
      ELIMINATION_MOST_LOSS);
}

// By elimination as far as it is to be trusted, else by the dense way.
static void write_solution(Writer *w, const char *calls) {
  const ExportContent *c = w->c;
  const char *dense = c->system->row_count ? "solve_dense(p, rows, t, q, qd, inputs, qdd, lambda)"
                                           : "solve_dense(p, t, q, qd, inputs, qdd)";
  text_add(w->out, " {\n");
  if (!c->forward) {
    text_addf(w->out, "%s  return %s;\n}\n\n", c->system->row_count ? "" : "  (void)lambda;\n",
              dense);
    return;
  }
  text_add(w->out, "  int i;\n");
  if (is_watched(c)) template_add(w->out, "  double trust[@_constraint_count + 1];\n", c->name);
  if (*calls)
    text_add(w->out, calls);
  else
    write_elimination(w, w->out);
  if (c->system->row_count)
    text_addf(w->out, "  if (!is_trusted(rows, trust))\n    return %s;\n", dense);
  else if (is_watched(c))
    text_addf(w->out,
              "  /* how much was lost at the pivots */\n  if (!(trust[0] < %g)) return %s;\n",
              ELIMINATION_MOST_LOSS, dense);
  template_add(w->out,
               "  for (i = 0; i < @_coordinate_count; i++)\n"
               "    if (!(fabs(qdd[i]) < 1e300)) return 1;\n"
               "  return 0;\n}\n\n",
               c->name);
}

static void write_accelerations(Writer *w) {
  const ExportContent *c = w->c;
  Text calls = text_new(w->arena);
  bool constrained = c->system->row_count > 0;
  if (c->forward && constrained) write_trust(w);
  if (c->forward && is_long(c->forward)) write_elimination_in_parts(w, &calls);
  if (constrained)
    write_follow_signature(c, w->out);
  else
    write_acceleration_signature(w);
  write_solution(w, calls.at);
  if (!constrained) return;
  write_acceleration_signature(w);
  template_add(w->out,
               " {\n"
               "  @_rows rows = {{0}, {0}};\n"
               "  return @_follow(p, &rows, t, q, qd, inputs, qdd, lambda);\n"
               "}\n\n",
               c->name);
}

static void write_rhs(Writer *w) {
  write_rhs_signature(w);
  if (w->c->system->states) {
    template_add(
        w->out,
        " {\n"
        "  enum { n = @_coordinate_count, inputs = @_input_count, states = @_state_count };\n"
        "  double lambda[@_constraint_count + 1], all[inputs + states];\n"
        "  int i;\n"
        "  for (i = 0; i < n; i++) dx[i] = x[n + i];\n"
        "  for (i = 0; i < inputs; i++) all[i] = u[i];\n"
        "  for (i = 0; i < states; i++) all[inputs + i] = x[2 * n + i];\n"
        "  @_rates(p, t, x, x + n, all, dx + 2 * n);\n"
        "  return @_accelerations(p, t, x, x + n, all, dx + n, lambda);\n"
        "}\n",
        w->c->name);
    return;
  }
  template_add(w->out,
               " {\n"
               "  enum { n = @_coordinate_count };\n"
               "  double lambda[@_constraint_count + 1];\n"
               "  int i;\n"
               "  for (i = 0; i < n; i++) dx[i] = x[n + i];\n"
               "  return @_accelerations(p, t, x, x + n, u, dx + n, lambda);\n"
               "}\n",
               w->c->name);
}

static bool has_long_program(const ExportContent *c) {
  bool any = c->forward && is_long(c->forward);
  for (uint32_t i = 0; i < c->quantities.n; i++) any |= is_long(c->quantities.at[i].program);
  return any;
}

static void write_source(Writer *w) {
  const ExportContent *c = w->c;
  write_head(w, text_format(w->arena, "%s.c", c->name));
  text_addf(w->out, "#include \"%s.h\"\n\n#include <math.h>\n\n", c->name);
  if (has_long_program(c)) write_parts_head(w->out);
  if (content_has_tables(c)) write_tables(c, DIALECT_C, w->out);
  write_defaults(w);
  for (uint32_t i = 0; i < c->quantities.n; i++) write_quantity(w, &c->quantities.at[i]);
  if (!c->forward || is_watched(c)) write_saddle(c, w->out);
  write_accelerations(w);
  write_rhs(w);
}

// ---- files

static void add_file(const ExportContent *c, Arena *arena, const char *suffix, const Text *text,
                     ExportFiles *out) {
  ExportFile file = {text_format(arena, "%s%s", c->name, suffix), text->at};
  vec_push(arena, out, file);
}

void export_c(const ExportContent *c, Arena *arena, ExportFiles *out) {
  Text header = text_new(arena), source = text_new(arena);
  write_header(&(Writer){c, arena, &header});
  add_file(c, arena, ".h", &header, out);
  write_source(&(Writer){c, arena, &source});
  add_file(c, arena, ".c", &source, out);
  write_c_program(c, out);
}
