// Answers in the folder of results.
#include "result/answer_store.h"

#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/host/folder.h"

static const char *file_of(Context *cx, const char *question) {
  return text_format(&cx->scratch, "answer-%s.json", question);
}

// Of the text, the files that it names, and what was set from outside.
static const char *fingerprint(Context *cx, const Model *model) {
  const Source *source = &cx->sources.at[model->source];
  uint32_t hash = hash_bytes(source->text, source->length);
  for (size_t i = 0; i < model->setting_count; i++)
    hash = hash_word(hash, hash_bytes(model->settings[i], strlen(model->settings[i])));
  for (uint32_t i = 0; i < model->data.n; i++) hash = hash_word(hash, model->data.at[i].hash);
  return text_format(&cx->scratch, "%08x-%u", hash, source->length);
}

Status answer_store(Context *cx, const Model *model, const char *folder, const char *question,
                    const Text *json) {
  Mark mark = arena_mark(&cx->scratch);
  Text text = text_new(&cx->scratch);
  text_addf(&text, "{\"schema\": 1, \"model\": \"%s\", \"answer\":\n", fingerprint(cx, model));
  text_add_bytes(&text, json->at, json->n);
  text_add(&text, "}\n");
  Status status = folder_write(cx, folder, file_of(cx, question), text.at, text.n);
  arena_release(&cx->scratch, mark);
  return status;
}

bool answer_load(Context *cx, const Model *model, const char *folder, const char *question,
                 Json *out, const JsonValue **answer) {
  const char *file = file_of(cx, question), *text;
  size_t n;
  Diagnostics before = cx->diagnostics;
  if (!folder || access(folder_path(&cx->scratch, folder, file), R_OK) != 0) return false;
  bool good = folder_read(cx, &cx->scratch, folder, file, &text, &n) == QDOT_OK &&
              json_read(cx, file, text, n, out) == QDOT_OK;
  cx->diagnostics = before;
  if (!good) return false;
  const char *of = json_text(json_get(out->root, "model"));
  *answer = json_get(out->root, "answer");
  if (of && *answer && strcmp(of, fingerprint(cx, model)) == 0) return true;
  json_close(out);
  return false;
}
