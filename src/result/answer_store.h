// Answers to questions, kept in the folder of a model's results for its report.
#ifndef QDOT_RESULT_ANSWER_STORE_H
#define QDOT_RESULT_ANSWER_STORE_H

#include "model/model.h"
#include "result/json.h"

// answer-QUESTION.json: the answer with a fingerprint of the model and its settings.
Status answer_store(Context *cx, const Model *model, const char *folder, const char *question,
                    const Text *json);
// The answer to this model as it is now, to be closed by json_close; false where there is none.
bool answer_load(Context *cx, const Model *model, const char *folder, const char *question,
                 Json *out, const JsonValue **answer);

#endif
