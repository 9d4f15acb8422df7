// Judging claimed integrals.
#include "derive/roads/claim.h"

#include "derive/roads/integral.h"
#include "derive/roads/motion_rate.h"
#include "derive/roads/trial.h"
#include "derive/vanishes.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/print.h"

static Claim judge(Context *cx, System *s, const Definition *definition) {
  Claim claim = {definition, CLAIM_UNDECIDED, motion_rate(cx, s, definition->value)};
  if (!claim.rate) return claim;
  bool by_algebra;
  if (proved_zero(cx, s->model, claim.rate, expr_int(cx, 0), &by_algebra)) {
    claim.verdict = CLAIM_HOLDS;
    claim.rate = expr_int(cx, 0);
    return claim;
  }
  // a random state does not meet constraints
  bool is_free = s->row_count == 0;
  if (is_free && clearly_not_zero(cx, open_parameters(cx, s->model, claim.rate)))
    claim.verdict = CLAIM_FAILS;
  claim.rate = expr_simplify(cx, claim.rate, SIMPLIFY_NORMAL);
  return claim;
}

void claims_judge(Context *cx, System *s, Claims *out) {
  *out = (Claims){0};
  const Model *model = s->model;
  for (uint32_t i = 0; i < model->definitions.n; i++)
    if (model->definitions.at[i].role == DEFINITION_INTEGRAL) {
      derive_matrices(cx, s);
      vec_push(&cx->keep, out, judge(cx, s, &model->definitions.at[i]));
    }
}

Status claims_check(Context *cx, System *s) {
  Claims claims;
  Status worst = QDOT_OK;
  claims_judge(cx, s, &claims);
  for (uint32_t i = 0; i < claims.n; i++) {
    const Claim *claim = &claims.at[i];
    const char *name = symbol_text(cx, claim->definition->name);
    if (claim->verdict == CLAIM_FAILS) {
      worst = diag_error(cx, QDOT_BAD_MODEL, claim->definition->span,
                         "'%s' is no first integral: its rate along the motion is %s", name,
                         expr_text(cx, &cx->keep, claim->rate));
      diag_note(cx, "it must stay constant in every motion, for all values of the parameters; "
                    "'qdot conserved' lists what does");
    } else if (claim->verdict == CLAIM_UNDECIDED) {
      diag_warning(cx, claim->definition->span,
                   "whether '%s' is a first integral could not be decided", name);
    }
  }
  return worst;
}
