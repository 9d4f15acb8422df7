// First integrals on a terminal: each with its symmetry and how it was proved.
#include "print/integrals_text.h"

#include "print/abbreviations.h"

static void show(TerminalPage *page, const ShownIntegrals *shown, const Integral *it) {
  Context *cx = shown->cx;
  const char *proof = it->is_algebraic ? "proved by algebra" : "proved at random exact points";
  terminal_gap(page);
  terminal_equation(page, terminal_name(page, it->name), terminal_set(page, it->value));
  terminal_sentence(page, text_format(&cx->scratch, "  %s; %s%s",
                                      integral_symmetry(cx, shown->system, it), proof,
                                      it->is_dependent ? "; follows from the others" : ""));
}

static void show_head(TerminalPage *page, const ShownIntegrals *shown) {
  const Integrals *found = shown->found;
  uint32_t independent = 0;
  for (uint32_t i = 0; i < found->list.n; i++) independent += !found->list.at[i].is_dependent;
  const char *title = shown->system->model->title;
  const char *many = independent == 1 ? "first integral" : "independent first integrals";
  terminal_sentence(
      page, independent ? text_format(&shown->cx->scratch, "%s: %u %s", title, independent, many)
                        : text_format(&shown->cx->scratch, "%s: no first integral found", title));
  if (found->undecided)
    terminal_sentence(page, text_format(&shown->cx->scratch,
                                        "%u more of these symmetries have no formula that could "
                                        "be found or proved",
                                        found->undecided));
}

static void show_claim(TerminalPage *page, const ShownIntegrals *shown, const Claim *claim) {
  Context *cx = shown->cx;
  const char *name = symbol_text(cx, claim->definition->name);
  terminal_gap(page);
  if (claim->verdict == CLAIM_HOLDS)
    terminal_sentence(page, text_format(&cx->scratch, "claimed: %s is a first integral", name));
  else if (claim->verdict == CLAIM_FAILS)
    terminal_sentence(page, text_format(&cx->scratch, "claimed: %s is none, its rate is %s", name,
                                        terminal_set(page, claim->rate)));
  else
    terminal_sentence(page, text_format(&cx->scratch, "claimed: %s could not be decided", name));
}

void integrals_text(const ShownIntegrals *shown, const TextStyle *style, Text *out) {
  Context *cx = shown->cx;
  const Integrals *found = shown->found;
  ExprList values = {0};
  for (uint32_t i = 0; i < found->list.n; i++)
    vec_push(&cx->scratch, &values, found->list.at[i].value);
  Parts parts;
  parts_open(cx, values.at, values.n, PARTS_WITH_PRIMES, &parts);
  PartNames names = parts_names(&parts);
  TerminalPage page = terminal_open(cx, style, &names, out);
  show_head(&page, shown);
  for (uint32_t i = 0; i < found->list.n; i++) show(&page, shown, &found->list.at[i]);
  for (uint32_t i = 0; i < shown->claims.n; i++) show_claim(&page, shown, &shown->claims.at[i]);
  for (uint32_t i = 0; i < parts.list.n; i++) {
    if (i == 0) terminal_gap(&page), text_add(out, "where\n\n");
    const char *body = terminal_set(&page, parts_body(&parts, i));
    parts_body_end(&parts);
    terminal_equation(&page, terminal_name(&page, parts.names[i]), body);
  }
  parts_close(&parts);
}
