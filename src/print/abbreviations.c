// Which nodes get a name: definitions, and what is shared, large or deep.
#include "print/abbreviations.h"

#include <string.h>

#include "base/words/greek.h"
#include "expr/build.h"
#include "expr/define.h"
#include "print/names.h"

#define SMALLEST_PART 4   // nodes as a tree; smaller ones are repeated
#define DEEPEST_TEXT 200  // levels of text without a name
#define NARROWEST_PART 10 // columns
#define SMALL_TEXT 4000   // nodes that may be written out whatever the graph
#define ENDLESS_TEXT 1e6  // nodes that nobody would read

typedef struct PartChoice {
  Context *cx;
  ExprList nodes;    // all, children first
  ExprMemo *place;   // Expr -> place in nodes + 1
  double *size;      // as a tree, with what is named counted as 1
  uint32_t *parents; // uses from different nodes, and as a root
  uint32_t *depth;
  double *width; // columns of text, with what is named counted as a name
  double widest; // of a term; 0 for any width
  bool *named;
  bool primes;    // rates of definitions are leaves
  ExprList bases; // what the rates are rates of
  ExprMemo *seen; // whether a base is listed
} PartChoice;

static bool has_name(const Context *cx, Expr e) {
  return op_of(cx, e) == OP_DEFINITION && definition_name(cx, e);
}

static bool is_leaf(const PartChoice *choice, Expr e) {
  return choice->primes && has_name(choice->cx, e) && definition_order(choice->cx, e) > 0;
}

static uint32_t place_of(const PartChoice *choice, Expr e) {
  return memo_get(choice->place, e) - 1;
}

static uint32_t child_count(const PartChoice *choice, Expr e) {
  if (is_leaf(choice, e)) return 0;
  return op_of(choice->cx, e) == OP_DEFINITION ? 1 : expr_child_count(choice->cx, e);
}

static Expr child_of(const Context *cx, Expr e, uint32_t i) {
  return op_of(cx, e) == OP_DEFINITION ? definition_body(cx, e) : expr_child(cx, e, i);
}

// ---- Widths in columns, roughly as a terminal shows them

static double name_width(const Context *cx, const char *name) {
  NameParts parts = name_parts(cx, name);
  size_t stem = greek_from_word(parts.stem, parts.stem_length) ? 1 : parts.stem_length;
  return (double)(stem + parts.subscript_length + parts.component_length);
}

static double digits_width(Context *cx, Number number) {
  Mark mark = arena_mark(&cx->scratch);
  Text text = text_new(&cx->scratch);
  number_print(cx, number, &text);
  double width = (double)text.n;
  arena_release(&cx->scratch, mark);
  return width;
}

static double child_width(const PartChoice *choice, Expr e) {
  uint32_t place = place_of(choice, e);
  return choice->named[place] ? 4 : choice->width[place];
}

static double pairs_width(PartChoice *choice, const Node *node) {
  Context *cx = choice->cx;
  bool sum = node->op == OP_SUM;
  double width =
      node->number == (sum ? NUMBER_ZERO : NUMBER_ONE) ? 0 : digits_width(cx, node->number);
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    bool bracket = !sum && op_of(cx, pair.expr) == OP_SUM;
    width += child_width(choice, pair.expr) + (sum ? 3 : 1) + (bracket ? 2 : 0);
    if (pair.number != NUMBER_ONE && pair.number != NUMBER_MINUS_ONE)
      width += digits_width(cx, pair.number);
  }
  return width;
}

static double width_of(PartChoice *choice, Expr e) {
  Context *cx = choice->cx;
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_NUMBER: return digits_width(cx, node->number);
  case OP_SYMBOL: return name_width(cx, symbol_text(cx, symbol_name(cx, e))) + 1;
  case OP_DEFINITION:
    if (has_name(cx, e)) return name_width(cx, symbol_text(cx, definition_name(cx, e))) + 1;
    return child_width(choice, definition_body(cx, e));
  case OP_SUM:
  case OP_PRODUCT: return pairs_width(choice, node);
  default: break;
  }
  if (node->op == OP_TABLE && table_is_short(table_get(cx, node_table(node))))
    return child_width(choice, node->args[0]) + 12.0 * table_get(cx, node_table(node))->n;
  double width = op_is_function((Op)node->op) ? (double)strlen(op_text((Op)node->op)) + 2 : 1;
  for (uint32_t i = 0; i < expr_child_count(cx, e); i++)
    width += child_width(choice, expr_child(cx, e, i)) + (i ? 2 : 0);
  return width;
}

// Of √(x²) the square has no name of its own: the root reads |x|.
static bool is_square(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  int64_t power;
  return node->op == OP_PRODUCT && node->count == 1 && node->number == NUMBER_ONE &&
         number_to_int(cx, pairs_of(node)[0].number, &power) && power == 2;
}

// A name for what is there, of a square for what is squared.
static void name_part(PartChoice *choice, uint32_t place) {
  Expr e = choice->nodes.at[place];
  if (!is_square(choice->cx, e)) {
    choice->named[place] = true;
    return;
  }
  choice->named[place_of(choice, pairs_of(node_of(choice->cx, e))[0].expr)] = true;
  choice->width[place] = width_of(choice, e);
}

// Names the widest children of what is not a sum until it fits; a sum breaks between its terms.
static void make_narrow(PartChoice *choice, uint32_t place) {
  Expr e = choice->nodes.at[place];
  Op op = op_of(choice->cx, e);
  while (op != OP_SUM && op != OP_DEFINITION && choice->width[place] > choice->widest) {
    uint32_t widest = UINT32_MAX;
    for (uint32_t k = 0; k < child_count(choice, e); k++) {
      uint32_t child = place_of(choice, child_of(choice->cx, e, k));
      if (choice->named[child] || choice->width[child] <= NARROWEST_PART) continue;
      if (widest == UINT32_MAX || choice->width[child] > choice->width[widest]) widest = child;
    }
    if (widest == UINT32_MAX) return;
    name_part(choice, widest);
    choice->width[place] = width_of(choice, e);
  }
}

// Tree sizes and depths of all nodes, given which of them are named.
static void measure(PartChoice *choice) {
  const Context *cx = choice->cx;
  for (uint32_t i = 0; i < choice->nodes.n; i++) {
    Expr e = choice->nodes.at[i];
    double size = 1;
    uint32_t depth = 0;
    for (uint32_t k = 0; k < child_count(choice, e); k++) {
      uint32_t child = place_of(choice, child_of(cx, e, k));
      size += choice->named[child] ? 1 : choice->size[child];
      if (!choice->named[child] && choice->depth[child] >= depth) depth = choice->depth[child] + 1;
    }
    choice->size[i] = size;
    choice->depth[i] = depth;
    if (depth >= DEEPEST_TEXT) choice->named[i] = true;
    if (choice->widest <= 0) continue;
    choice->width[i] = width_of(choice, e);
    make_narrow(choice, i);
  }
}

static void count_parents(PartChoice *choice, const Expr *roots, size_t n) {
  for (size_t i = 0; i < n; i++) choice->parents[place_of(choice, roots[i])]++;
  for (uint32_t i = 0; i < choice->nodes.n; i++) {
    Expr e = choice->nodes.at[i];
    for (uint32_t k = 0; k < child_count(choice, e); k++)
      choice->parents[place_of(choice, child_of(choice->cx, e, k))]++;
  }
}

// Of the roots and of what has a name.
static double total_size(const PartChoice *choice, const Expr *roots, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; i++) total += choice->size[place_of(choice, roots[i])];
  for (uint32_t i = 0; i < choice->nodes.n; i++)
    if (choice->named[i]) total += choice->size[i];
  return total;
}

static void name_definitions(PartChoice *choice) {
  for (uint32_t i = 0; i < choice->nodes.n; i++) {
    Expr e = choice->nodes.at[i];
    if (has_name(choice->cx, e) && !is_leaf(choice, e)) choice->named[i] = true;
  }
}

static void name_shared_nodes(PartChoice *choice) {
  for (uint32_t i = 0; i < choice->nodes.n; i++) {
    bool leaf = is_leaf(choice, choice->nodes.at[i]);
    if (!leaf && choice->parents[i] > 1 && choice->size[i] >= SMALLEST_PART &&
        !is_square(choice->cx, choice->nodes.at[i]))
      choice->named[i] = true;
  }
}

// Does a name begin so, or look so in print, as post.s does?
static bool any_name_begins_with(const Context *cx, const char *prefix) {
  size_t length = strlen(prefix);
  for (uint32_t i = 1; i < cx->names.names.n; i++) {
    const char *name = cx->names.names.at[i].text;
    if (strncmp(name, prefix, length) == 0) return true;
    NameParts parts = name_parts(cx, name);
    if (parts.subscript_length && parts.stem_length == length - 1 &&
        memcmp(parts.stem, prefix, length - 1) == 0)
      return true;
  }
  return false;
}

// "s_", or the first of u_, c_, ss_, sss_ ... that begins no name; p_ is a momentum.
static const char *free_prefix(Context *cx) {
  static const char *const usual[] = {"s_", "u_", "c_"};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (!any_name_begins_with(cx, usual[i])) return usual[i];
  Text prefix = text_new(&cx->scratch);
  for (text_add(&prefix, "ss_"); any_name_begins_with(cx, prefix.at);) {
    prefix.at[prefix.n - 1] = 's';
    text_add_char(&prefix, '_');
  }
  return prefix.at;
}

static const char *name_of_part(const Context *cx, Expr e, void *argument) {
  (void)cx;
  const Parts *parts = argument;
  uint32_t place = memo_get(parts->places, e);
  // What a printer takes apart (a coefficient from its term) may be a part that comes later.
  bool later = parts->written_out && place >= memo_get(parts->places, parts->written_out);
  if (!place || later) return NULL;
  parts->used[place - 1] = true;
  return parts->names[place - 1];
}

static bool keeps_its_name(const Context *cx, Expr e) {
  return op_of(cx, e) == OP_DEFINITION && definition_name(cx, e) && definition_order(cx, e) == 0;
}

static void give_names(Parts *parts) {
  Context *cx = parts->cx;
  parts->names = arena_array(&cx->scratch, const char *, parts->list.n);
  parts->used = arena_array(&cx->scratch, bool, parts->list.n);
  unsigned count = 0;
  for (uint32_t i = 0; i < parts->list.n; i++) {
    Expr e = parts->list.at[i];
    memo_set(cx, parts->places, e, i + 1);
    parts->names[i] = keeps_its_name(cx, e)
                          ? symbol_text(cx, definition_name(cx, e))
                          : text_format(&cx->scratch, "%s%u", parts->prefix, ++count);
  }
}

void parts_keep_used(Parts *parts) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < parts->list.n; i++) {
    if (parts->used[i])
      parts->list.at[kept++] = parts->list.at[i];
    else
      memo_set(parts->cx, parts->places, parts->list.at[i], 0);
  }
  parts->list.n = kept;
  give_names(parts);
  for (uint32_t i = 0; i < kept; i++) parts->used[i] = true;
}

bool parts_has(const Parts *parts, Expr e) {
  uint32_t place = memo_get(parts->places, e);
  return place && parts->used[place - 1];
}

static Visit visit_to_leaves(const Context *cx, Expr e, void *argument) {
  PartChoice *choice = argument;
  if (!is_leaf(choice, e)) return VISIT_ENTER;
  Expr base = definition_base(cx, e);
  if (!memo_get(choice->seen, base)) vec_push(&choice->cx->scratch, &choice->bases, base);
  memo_set(choice->cx, choice->seen, base, 1);
  return VISIT_LIST;
}

// All nodes below the roots; where rates are leaves, also below what they are rates of.
static void collect_nodes(PartChoice *choice, const Expr *roots, size_t n) {
  Context *cx = choice->cx;
  choice->seen = memo_take(cx);
  uint32_t known;
  do {
    known = choice->bases.n;
    ExprList all = {0};
    for (uint32_t i = 0; i < known; i++) vec_push(&cx->scratch, &all, choice->bases.at[i]);
    for (size_t i = 0; i < n; i++) vec_push(&cx->scratch, &all, roots[i]);
    choice->nodes = expr_walk(cx, all.at, all.n, visit_to_leaves, choice);
  } while (choice->bases.n > known);
  memo_give(cx, choice->seen);
}

void parts_open(Context *cx, const Expr *roots, size_t n, unsigned options, Parts *out) {
  parts_open_narrow(cx, roots, n, options, 0, out);
}

void parts_open_narrow(Context *cx, const Expr *roots, size_t n, unsigned options, double widest,
                       Parts *out) {
  *out = (Parts){.cx = cx, .places = memo_take(cx), .prefix = free_prefix(cx)};
  PartChoice choice = {.cx = cx, .place = memo_take(cx), .primes = options & PARTS_WITH_PRIMES};
  choice.widest = widest;
  collect_nodes(&choice, roots, n);
  choice.size = arena_array(&cx->scratch, double, choice.nodes.n);
  choice.parents = arena_array(&cx->scratch, uint32_t, choice.nodes.n);
  choice.width = arena_array(&cx->scratch, double, choice.nodes.n);
  choice.depth = arena_array(&cx->scratch, uint32_t, choice.nodes.n);
  choice.named = arena_array(&cx->scratch, bool, choice.nodes.n);
  for (uint32_t i = 0; i < choice.nodes.n; i++)
    memo_set(cx, choice.place, choice.nodes.at[i], i + 1);
  count_parents(&choice, roots, n);
  name_definitions(&choice);
  measure(&choice);
  double swollen = options & PARTS_FOR_READERS ? ENDLESS_TEXT : SMALL_TEXT + 4.0 * choice.nodes.n;
  if ((options & PARTS_ALWAYS) || total_size(&choice, roots, n) > swollen) {
    name_shared_nodes(&choice);
    measure(&choice);
  }
  for (uint32_t i = 0; i < choice.nodes.n; i++)
    if (choice.named[i]) vec_push(&cx->scratch, &out->list, choice.nodes.at[i]);
  give_names(out);
  memo_give(cx, choice.place);
}

void parts_close(Parts *parts) { memo_give(parts->cx, parts->places); }

PartNames parts_names(Parts *parts) { return (PartNames){name_of_part, parts}; }

void parts_print(Parts *parts, Expr e, Text *out) {
  PartNames names = parts_names(parts);
  expr_print(parts->cx, e, &names, out);
}

Expr parts_body(Parts *parts, uint32_t i) {
  Expr e = parts->list.at[i];
  parts->written_out = e;
  // A definition's text is its body's, which may itself be another part's name.
  return op_of(parts->cx, e) == OP_DEFINITION ? definition_body(parts->cx, e) : e;
}

void parts_body_end(Parts *parts) { parts->written_out = 0; }

void parts_print_body(Parts *parts, uint32_t i, Text *out) {
  parts_print(parts, parts_body(parts, i), out);
  parts_body_end(parts);
}
