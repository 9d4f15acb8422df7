// Definitions replaced by what they stand for.
#include "expr/define.h"
#include "expr/subst.h"

typedef struct Opening {
  bool (*open)(const Context *cx, Expr definition, void *argument);
  void *argument;
} Opening;

static Rewrite open_one(Context *cx, Expr e, void *argument) {
  const Opening *opening = argument;
  if (!expr_is_definition(cx, e)) return (Rewrite){REWRITE_INSIDE, 0};
  bool open = !opening->open || opening->open(cx, e, opening->argument);
  return (Rewrite){open ? REWRITE_OPEN : REWRITE_INSIDE, 0};
}

void expr_open_some(Context *cx, const Expr *roots, size_t n,
                    bool (*open)(const Context *cx, Expr definition, void *argument),
                    void *argument, Expr *out) {
  Opening opening = {open, argument};
  expr_rewrite(cx, roots, n, open_one, &opening, out);
}

void expr_open_many(Context *cx, const Expr *roots, size_t n, Expr *out) {
  expr_open_some(cx, roots, n, NULL, NULL, out);
}

Expr expr_open(Context *cx, Expr e) {
  Expr result;
  expr_open_many(cx, &e, 1, &result);
  return result;
}
