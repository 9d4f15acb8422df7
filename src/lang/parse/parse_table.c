// Tables whose points are in a data file, and the columns of such files.
#include <string.h>

#include "lang/parse/parse.h"

static Ast *ast_at(Parser *p, AstKind kind, const Token *token) {
  Ast *ast = arena_new(p->arena, Ast);
  ast->kind = kind, ast->span = token_span(p, token);
  return ast;
}

static const char *token_text(Parser *p, const Token *token) {
  return arena_copy(p->arena, p->text + token->begin, token->end - token->begin);
}

Ast *accept_data_file(Parser *p) {
  if (!is_at(p, TOKEN_STRING)) return NULL;
  Ast *file = ast_at(p, AST_FILE, token_at(p));
  file->text = token_text(p, take(p));
  if (!*file->text) fail_at(p, file->span, "the name of the data file is missing");
  return file;
}

// Behind a name the brackets of a unit look like those of an index; what is between them is the
// unit. False where there is none, or a broken one.
static bool find_unit(Parser *p, Span *inside) {
  if (is_at(p, TOKEN_UNIT)) {
    const Token *unit = take(p);
    *inside = (Span){p->source, unit->begin, unit->end};
    return true;
  }
  if (!is_at(p, TOKEN_LBRACKET)) return false;
  const Token *open = take(p);
  while (!is_at(p, TOKEN_RBRACKET) && !is_at(p, TOKEN_NEWLINE) && !is_at(p, TOKEN_END)) take(p);
  const Token *closing = token_at(p);
  if (!expect(p, TOKEN_RBRACKET, NULL)) return false;
  *inside = (Span){p->source, open->end, closing->begin};
  return true;
}

// column = (NAME | NUMBER | STRING) ["[" unit "]"]
Ast *parse_column(Parser *p) {
  const Token *token = token_at(p);
  Ast *column = ast_at(p, AST_COLUMN, token);
  if (is_at(p, TOKEN_NUMBER)) {
    column->number = number_from_decimal(p->cx, p->text + token->begin, token->end - token->begin);
  } else if (is_at(p, TOKEN_NAME) || is_at(p, TOKEN_STRING)) {
    column->text = token_text(p, token);
  } else {
    fail_expected(p, "a column of the file: its heading or its number");
    return column;
  }
  take(p);
  Span inside;
  if (!find_unit(p, &inside)) return column;
  Unit *unit = arena_new(p->arena, Unit);
  if (unit_parse(p->cx, p->text + inside.begin, inside.end - inside.begin, inside, unit) == QDOT_OK)
    column->unit = unit;
  else
    column->kind = AST_BROKEN;
  column->span = span_to_here(p, column->span);
  return column;
}

// "," column "," column {"," ("linear" | "cubic" | "periodic")}
void parse_file_table(Parser *p, Ast *table, Ast *argument, Ast *file) {
  VEC(Ast *) parts = {0};
  vec_push(p->arena, &parts, argument);
  vec_push(p->arena, &parts, file);
  for (int i = 0; i < 2 && !p->failed; i++) {
    if (!expect(p, TOKEN_COMMA,
                i ? "',' and the column of the values" : "',' and the column of the places"))
      break;
    vec_push(p->arena, &parts, parse_column(p));
  }
  while (!p->failed && accept_token(p, TOKEN_COMMA)) {
    const Token *word = token_at(p);
    if (!is_at_word(p, "linear") && !is_at_word(p, "cubic") && !is_at_word(p, "periodic")) {
      fail_expected(p, "linear, cubic or periodic");
      break;
    }
    Ast *name = ast_at(p, AST_NAME, word);
    name->text = token_text(p, take(p));
    vec_push(p->arena, &parts, name);
  }
  table->n = parts.n, table->args = parts.at;
}
