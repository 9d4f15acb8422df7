// Expressions and columns evaluated on every row of a result.
#include "result/sampler.h"

#include <math.h>

#include "code/flatten.h"
#include "expr/build.h"

Signal signal_from_column(const Result *result, const char *name) {
  return (Signal){.column = result_column(result, name)};
}

typedef struct Binding {
  Context *cx;
  const Result *result;
  ProgramBuilder builder;
  Flattener flattener;
} Binding;

static Slot column_slot(Binding *b, int column) {
  return column < 0 ? program_constant(&b->builder, NAN)
                    : program_input(&b->builder, (uint32_t)column);
}

static void bind_column(Binding *b, Expr leaf, const char *name) {
  flatten_bind(&b->flattener, leaf, column_slot(b, result_column(b->result, name)));
}

// A coordinate's three columns: q, q', q''.
static void bind_coordinate(Binding *b, const Coordinate *c) {
  const char *name = symbol_text(b->cx, c->name);
  Mark mark = arena_mark(&b->cx->scratch);
  bind_column(b, c->q, name);
  bind_column(b, c->qd, text_format(&b->cx->scratch, "%s'", name));
  bind_column(b, c->qdd, text_format(&b->cx->scratch, "%s''", name));
  arena_release(&b->cx->scratch, mark);
}

static void bind_multiplier(Binding *b, Expr multiplier) {
  bind_column(b, multiplier, symbol_text(b->cx, symbol_name(b->cx, multiplier)));
}

// What presses and rubs is a column where somebody asks for it, by its name or as an output.
static void bind_asked(Binding *b, Expr symbol, Symbol owner, const char *word) {
  Mark mark = arena_mark(&b->cx->scratch);
  const Model *model = b->result->model;
  const char *owned = symbol_text(b->cx, owner);
  int column = result_column(b->result, text_format(&b->cx->scratch, "%s.%s", owned, word));
  for (uint32_t i = 0; i < model->outputs.n && column < 0; i++)
    if (model->outputs.at[i].value == symbol)
      column = result_column(b->result, symbol_text(b->cx, model->outputs.at[i].name));
  flatten_bind(&b->flattener, symbol, column_slot(b, column));
  arena_release(&b->cx->scratch, mark);
}

static void bind_contact(Binding *b, const Contact *c) {
  bind_multiplier(b, c->multiplier);
  if (c->friction) bind_asked(b, c->friction, c->name, "R");
  if (c->spin) bind_asked(b, c->torque, c->name, "M");
}

static void bind_value(Binding *b, Expr symbol, Expr value) {
  flatten_bind(&b->flattener, symbol, flatten_expr(&b->flattener, value));
}

// The column that a run has written for a name: its own, or that of an output which is nothing
// else; -1 where there is none.
static int written_column(Binding *b, Symbol name, Expr symbol) {
  const Model *model = b->result->model;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (model->outputs.at[i].value == symbol)
      return result_column(b->result, symbol_text(b->cx, model->outputs.at[i].name));
  return result_column(b->result, symbol_text(b->cx, name));
}

// What samples and events assign changes from row to row.
static void bind_input(Binding *b, const Input *input) {
  if (input->is_assigned)
    flatten_bind(&b->flattener, input->symbol,
                 column_slot(b, written_column(b, input->name, input->symbol)));
  else
    bind_value(b, input->symbol, input->value);
}

// What a reader is shown may have names for numbers that the run put in, see fold.h; what are
// parameters of the run, too, have its values, which may have been set.
static void bind_parameters(Binding *b) {
  const Model *model = b->result->model, *named = model->named ? model->named : model;
  for (uint32_t i = 0; i < named->parameters.n; i++) {
    const Parameter *parameter = &named->parameters.at[i];
    for (uint32_t k = 0; k < model->parameters.n; k++)
      if (model->parameters.at[k].symbol == parameter->symbol) parameter = &model->parameters.at[k];
    bind_value(b, parameter->symbol, parameter->value);
  }
}

static void bind_names(Binding *b) {
  const Model *model = b->result->model;
  bind_column(b, expr_symbol(b->cx, SYMBOL_TIME, symbol_from_text(b->cx, "t")), "t");
  bind_parameters(b);
  for (uint32_t i = 0; i < model->inputs.n; i++) bind_input(b, &model->inputs.at[i]);
  for (uint32_t i = 0; i < model->coordinates.n; i++) bind_coordinate(b, &model->coordinates.at[i]);
  for (uint32_t i = 0; i < model->states.n; i++)
    bind_column(b, model->states.at[i].s, symbol_text(b->cx, model->states.at[i].name));
  for (uint32_t i = 0; i < model->states.n; i++)
    bind_value(b, model->states.at[i].sd, model->states.at[i].rate);
  for (uint32_t i = 0; i < model->constraints.n; i++)
    bind_multiplier(b, model->constraints.at[i].multiplier);
  for (uint32_t i = 0; i < model->contacts.n; i++) bind_contact(b, &model->contacts.at[i]);
  for (uint32_t i = 0; i < model->presses.n; i++)
    bind_asked(b, model->presses.at[i].symbol, model->presses.at[i].joint, "N");
}

// What is written out is what the run wrote: where a switch stuck, the state alone does not tell
// its value. A name by itself is bound as such.
static void bind_written(Binding *b, const Output *written) {
  int column = result_column(b->result, symbol_text(b->cx, written->name));
  bool is_name = op_of(b->cx, written->value) == OP_SYMBOL;
  if (column >= 0 && !is_name) flatten_bind(&b->flattener, written->value, column_slot(b, column));
}

static void bind_all_written(Binding *b) {
  const Model *model = b->result->model;
  for (uint32_t i = 0; i < model->members.n; i++) bind_written(b, &model->members.at[i]);
  for (uint32_t i = 0; i < model->outputs.n; i++) bind_written(b, &model->outputs.at[i]);
}

// The number before an expression; of a sum, that before its first term.
static Number leading_number(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  return node->op == OP_SUM       ? pairs_of(node)[0].number
         : node->op == OP_PRODUCT ? node->number
                                  : NUMBER_ONE;
}

// A multiple of what is written out, as in another unit: NO_SLOT for others.
static Slot multiple_of_written(Binding *b, Expr e, const Output *written) {
  Context *cx = b->cx;
  int column = result_column(b->result, symbol_text(cx, written->name));
  if (column < 0 || op_of(cx, e) != op_of(cx, written->value)) return NO_SLOT;
  Number factor = number_div(cx, leading_number(cx, e), leading_number(cx, written->value));
  if (expr_scale(cx, factor, written->value) != e) return NO_SLOT;
  Slot number = program_constant(&b->builder, number_to_double(cx, factor));
  return program_mul(&b->builder, number, column_slot(b, column));
}

static Slot signal_slot(Binding *b, const Signal *signal) {
  const Model *model = b->result->model;
  if (!signal->value) return column_slot(b, signal->column);
  Op op = op_of(b->cx, signal->value);
  Slot slot = NO_SLOT;
  if (op == OP_SUM || op == OP_PRODUCT) {
    for (uint32_t i = 0; i < model->outputs.n && slot == NO_SLOT; i++)
      slot = multiple_of_written(b, signal->value, &model->outputs.at[i]);
    for (uint32_t i = 0; i < model->members.n && slot == NO_SLOT; i++)
      slot = multiple_of_written(b, signal->value, &model->members.at[i]);
  }
  return slot == NO_SLOT ? flatten_expr(&b->flattener, signal->value) : slot;
}

static void close_compiled(void *compiled) { compiled_close(compiled); }

void sampler_open(Sampler *sampler, Context *cx, const Result *result, const Signal *signals,
                  uint32_t count) {
  *sampler = (Sampler){.cx = cx, .count = count};
  Binding b = {.cx = cx, .result = result};
  program_open(&b.builder, cx, result->column_count);
  flatten_open(&b.flattener, &b.builder);
  bind_all_written(&b); // first: rates of states are made of it, too
  bind_names(&b);
  for (uint32_t i = 0; i < count; i++) program_output(&b.builder, signal_slot(&b, &signals[i]));
  flatten_close(&b.flattener);
  const Program *program = program_finish(&b.builder, &cx->keep);
  program_close(&b.builder);
  sampler->compiled = compile_program(cx, program, backend_from_environment(), &cx->keep);
  guard_register(&cx->guard, &sampler->handle, &sampler->compiled, close_compiled);
  sampler->work = arena_array(&cx->keep, double, sampler->compiled.work_size);
  double *row = arena_array(&cx->keep, double, result->column_count);
  compiled_prepare(&sampler->compiled, row, sampler->work);
}

void sampler_close(Sampler *sampler) { guard_close(&sampler->cx->guard, &sampler->handle); }

void sampler_read(const Sampler *sampler, const double *row, double *out) {
  compiled_run(&sampler->compiled, row, out, sampler->work);
}
