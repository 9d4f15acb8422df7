// Rewriting of expressions.
#include "expr/subst.h"

#include "expr/build.h"
#include "expr/define.h"
#include "expr/walk.h"

typedef struct Job {
  Context *cx;
  RewriteRule *rule;
  void *argument;
  ExprMemo *kinds;   // RewriteKind + 1 of visited nodes
  ExprMemo *results; // where a replacement was named
} Job;

static Visit visit_by_rule(const Context *cx, Expr e, void *argument) {
  (void)cx;
  Job *job = argument;
  Rewrite rewrite = job->rule(job->cx, e, job->argument);
  memo_set(job->cx, job->kinds, e, (uint32_t)rewrite.kind + 1);
  if (rewrite.kind == REWRITE_TO) memo_set(job->cx, job->results, e, rewrite.to);
  if (rewrite.kind == REWRITE_KEEP) memo_set(job->cx, job->results, e, e);
  return rewrite.kind == REWRITE_INSIDE || rewrite.kind == REWRITE_OPEN ? VISIT_ENTER : VISIT_SKIP;
}

static Expr rewrite_definition(Context *cx, Expr e, const Job *job) {
  Expr body = definition_body(cx, e), changed = memo_get(job->results, body);
  if (memo_get(job->kinds, e) == REWRITE_OPEN + 1) return changed;
  return changed == body ? e : expr_hold(cx, changed);
}

static Expr rewrite_node(Context *cx, Expr e, const Job *job) {
  if (expr_is_definition(cx, e)) return rewrite_definition(cx, e, job);
  uint32_t n = expr_child_count(cx, e);
  if (n == 0) return e;
  Mark mark = arena_mark(&cx->scratch);
  Expr *children = arena_array(&cx->scratch, Expr, n);
  bool changed = false;
  for (uint32_t i = 0; i < n; i++) {
    Expr child = expr_child(cx, e, i);
    children[i] = memo_get(job->results, child);
    changed = changed || children[i] != child;
  }
  Expr result = changed ? expr_rebuild(cx, e, children) : e;
  arena_release(&cx->scratch, mark);
  return result;
}

void expr_rewrite(Context *cx, const Expr *roots, size_t n, RewriteRule *rule, void *argument,
                  Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Job job = {cx, rule, argument, memo_take(cx), memo_take(cx)};
  ExprList list = expr_walk(cx, roots, n, visit_by_rule, &job);
  for (uint32_t i = 0; i < list.n; i++)
    memo_set(cx, job.results, list.at[i], rewrite_node(cx, list.at[i], &job));
  for (size_t i = 0; i < n; i++) out[i] = memo_get(job.results, roots[i]);
  memo_give(cx, job.results);
  memo_give(cx, job.kinds);
  arena_release(&cx->scratch, mark);
}

// ---- Substitution

typedef struct Table {
  ExprMemo *to;
} Table;

static Rewrite substitute_one(Context *cx, Expr e, void *argument) {
  (void)cx;
  const Table *table = argument;
  Expr to = memo_get(table->to, e);
  return to ? (Rewrite){REWRITE_TO, to} : (Rewrite){REWRITE_INSIDE, 0};
}

void expr_subst_many(Context *cx, const Expr *roots, size_t root_count, const Substitution *list,
                     size_t n, Expr *out) {
  Table table = {memo_take(cx)};
  for (size_t i = 0; i < n; i++) memo_set(cx, table.to, list[i].from, list[i].to);
  expr_rewrite(cx, roots, root_count, substitute_one, &table, out);
  memo_give(cx, table.to);
}

Expr expr_subst(Context *cx, Expr e, const Substitution *list, size_t n) {
  Expr result;
  expr_subst_many(cx, &e, 1, list, n, &result);
  return result;
}
