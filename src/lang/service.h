// A text under an editor's cursor: what stands at a place, where it is defined and used, and what
// could be written there. A text with mistakes is read as far as it goes.
#ifndef QDOT_LANG_SERVICE_H
#define QDOT_LANG_SERVICE_H

#include "lang/parse/lex.h"
#include "model/model.h"

typedef struct TextService {
  Context *cx;
  Model *model; // what could be read
  const char *text;
  Tokens tokens;
} TextService;

// Its mistakes are diagnostics of the context; the service is open all the same.
void service_open(Context *cx, const char *name, const char *text, size_t length, TextService *out);

// The name at a byte, or just before it; a member counts with its owner: rod.omega.
typedef struct NameUse {
  bool is_there;
  uint32_t begin, end;    // of the name
  Symbol name;            // whole: rod.omega
  const NameEntry *entry; // NULL where it is not defined
} NameUse;
NameUse service_name_at(const TextService *service, size_t offset);
// Where this text defines it: for a name from another file, where it gives the part its prefix;
// empty where nothing does.
Span service_definition(const TextService *service, const NameEntry *entry);

// Where else the same name stands, its definition among them; in the arena.
typedef VEC(Span) SpanList;
SpanList service_uses(const TextService *service, NameUse use, Arena *arena);

typedef enum CompletionKind {
  COMPLETION_STATEMENT,
  COMPLETION_NAME,
  COMPLETION_MEMBER,
  COMPLETION_FUNCTION,
  COMPLETION_UNIT,
  COMPLETION_WORD // of the grammar: a method, a kind of joint
} CompletionKind;

typedef struct Completion {
  const char *text;
  CompletionKind kind;
  const char *detail; // how it is used, or what it is
} Completion;
typedef VEC(Completion) CompletionList;

// What may stand at a byte and begins with the letters before it, which it would replace from
// *begin on; in the arena.
CompletionList service_complete(const TextService *service, size_t offset, Arena *arena,
                                size_t *begin);

#endif
