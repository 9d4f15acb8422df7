// Formulas in the JSON of a listing.
#include "print/listing_writer.h"

#include "expr/print.h"

void writer_add_expr(ListingWriter *w, JsonValue *parent, const char *key, Expr e) {
  Mark mark = arena_mark(&w->cx->scratch);
  Text text = text_new(&w->cx->scratch);
  parts_print(&w->parts, e, &text);
  json_add_text(&w->json, parent, key, text.at);
  arena_release(&w->cx->scratch, mark);
}

void writer_add_vector(ListingWriter *w, JsonValue *parent, const char *key, const Expr *at,
                       uint32_t n) {
  JsonValue *list = json_add_array(&w->json, parent, key);
  for (uint32_t i = 0; i < n; i++) writer_add_expr(w, list, NULL, at[i]);
}

void writer_add_equations(ListingWriter *w, JsonValue *parent, const Expr *left, const Expr *right,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    writer_add_expr(w, parent, expr_text(w->cx, &w->cx->scratch, left[i]), right[i]);
}
