// Names and completions at a byte of a text.
#include "client.h"
#include "diagnosis.h"

static void add_span(Answer *answer, const char *key, qdot_span span) {
  answer_begin(answer, key, '[');
  answer_number(answer, NULL, (double)span.begin);
  answer_number(answer, NULL, (double)span.end);
  answer_end(answer, ']');
}

static void add_completions(Answer *answer, qdot_text *text, size_t offset) {
  static const char *const kinds[] = {
      [QDOT_COMPLETION_STATEMENT] = "statement", [QDOT_COMPLETION_NAME] = "name",
      [QDOT_COMPLETION_MEMBER] = "member",       [QDOT_COMPLETION_FUNCTION] = "function",
      [QDOT_COMPLETION_UNIT] = "unit",           [QDOT_COMPLETION_WORD] = "word"};
  size_t begin, n = qdot_text_completion_count(text, offset, &begin);
  answer_number(answer, "begin", (double)begin);
  answer_begin(answer, "list", '[');
  for (size_t i = 0; i < n; i++) {
    const qdot_completion *c = qdot_text_completion_at(text, i);
    answer_begin(answer, NULL, '{');
    answer_text(answer, "text", c->text);
    answer_text(answer, "kind", kinds[c->kind]);
    answer_text(answer, "detail", c->detail);
    answer_end(answer, '}');
  }
  answer_end(answer, ']');
}

static void add_name(Answer *answer, qdot_text *text, size_t offset) {
  const qdot_name *name = qdot_text_name_at(text, offset);
  if (!name) return;
  answer_text(answer, "name", name->text);
  add_span(answer, "span", name->span);
  if (!name->kind) return;
  answer_text(answer, "kind", name->kind);
  add_span(answer, "defined", name->defined);
  answer_text(answer, "unit", name->unit);
  answer_number(answer, "value", name->value);
}

static void add_uses(Answer *answer, qdot_text *text, size_t offset) {
  size_t n = qdot_text_use_count(text, offset);
  answer_begin(answer, "uses", '[');
  for (size_t i = 0; i < n; i++) add_span(answer, NULL, *qdot_text_use_at(text, i));
  answer_end(answer, ']');
}

void language_answer(void *user, Worker *worker, const Request *request) {
  Client *client = user;
  qdot_text *text;
  const char *name = *request->file ? request->file : "untitled.qdot";
  if (qdot_text_open(worker->cx, name, request->text, request->text_length, &text) != QDOT_OK) {
    client_refuse(client, request, "the text cannot be read");
    return;
  }
  size_t offset = request->offset < request->text_length ? request->offset : request->text_length;
  Answer answer;
  answer_open(&answer, "names", request->id);
  if (request->verb == VERB_complete) add_completions(&answer, text, offset);
  if (request->verb == VERB_hover || request->verb == VERB_uses) add_name(&answer, text, offset);
  if (request->verb == VERB_uses) add_uses(&answer, text, offset);
  outbox_put(&client->outbox, &answer, false);
}
