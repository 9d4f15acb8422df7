// What a run remarks about itself: an identifier and numbers, which are put into words where
// somebody reads them.
#ifndef QDOT_BASE_REMARK_H
#define QDOT_BASE_REMARK_H

#include <stdbool.h>

#include "base/arena.h"

typedef enum RemarkId {
  REMARK_NONE,
#define REMARK(id, formats, english) REMARK_##id,
#include "base/remarks.def"
#undef REMARK
  REMARK_COUNT
} RemarkId;

enum { REMARK_NUMBERS = 3 };

typedef struct Remark {
  RemarkId id;
  double number[REMARK_NUMBERS];
} Remark;

static inline bool remark_is_made(const Remark *remark) { return remark->id != REMARK_NONE; }

// ENERGY and its like, for files; REMARK_NONE for other words.
const char *remark_key(RemarkId id);
RemarkId remark_from_key(const char *key);
int remark_number_count(RemarkId id);

// The sentence with its numbers, in the arena. NULL for REMARK_NONE.
const char *remark_english(const Remark *remark, Arena *arena);
// The same with somebody else's sentence and sign of decimals.
const char *remark_text(const Remark *remark, const char *sentence, char decimal, Arena *arena);

#endif
