// The tables of what people bring along from other notations.
#include "lang/parse/cure.h"

#include <stdbool.h>
#include <string.h>

typedef struct Cure {
  const char *written, *cure;
} Cure;

static const Cure signs[] = {
#define SIGN(written, cure) {written, cure},
#include "lang/parse/cures.def"
};
static const Cure commands[] = {
#define COMMAND(word, cure) {word, cure},
#include "lang/parse/cures.def"
};
static const Cure functions[] = {
#define ELSEWHERE(word, expression) {word, expression},
#include "lang/parse/cures.def"
};
static const Cure constants[] = {
#define CONSTANT(word, cure) {word, cure},
#include "lang/parse/cures.def"
};
static const Cure beginnings[] = {
#define BEGINNING(word, cure) {word, cure},
#include "lang/parse/cures.def"
};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *find(const Cure *table, size_t count, const char *text, size_t n) {
  for (size_t i = 0; i < count; i++)
    if (strlen(table[i].written) == n && memcmp(table[i].written, text, n) == 0)
      return table[i].cure;
  return NULL;
}

const char *cure_for_sign(const char *at, size_t n) {
  for (size_t i = 0; i < COUNT(signs); i++) {
    size_t length = strlen(signs[i].written);
    if (length <= n && memcmp(signs[i].written, at, length) == 0) return signs[i].cure;
  }
  return NULL;
}

const char *cure_for_command(const char *word, size_t n) {
  return find(commands, COUNT(commands), word, n);
}

const char *cure_for_function(const char *name) {
  return find(functions, COUNT(functions), name, strlen(name));
}

const char *cure_for_constant(const char *name) {
  return find(constants, COUNT(constants), name, strlen(name));
}

const char *cure_for_beginning(const char *word) {
  return find(beginnings, COUNT(beginnings), word, strlen(word));
}
