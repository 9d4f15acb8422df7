// Greek letters by table.
#include "base/words/greek.h"

#include <string.h>

typedef struct GreekRow {
  const char *word;
  uint32_t letter;
} GreekRow;

static const GreekRow rows[] = {
#define GREEK(word, letter) {word, letter},
#include "base/words/greek.def"
#undef GREEK
};
#define ROWS (sizeof rows / sizeof *rows)

uint32_t greek_from_word(const char *word, size_t length) {
  for (size_t i = 0; i < ROWS; i++)
    if (strlen(rows[i].word) == length && memcmp(rows[i].word, word, length) == 0)
      return rows[i].letter;
  return 0;
}

static uint32_t plain_letter(uint32_t letter) {
  switch (letter) {
  case 0xB5: return 0x3BC;   // micro sign
  case 0x3D1: return 0x3B8;  // theta symbol
  case 0x3D5: return 0x3C6;  // phi symbol
  case 0x3F5: return 0x3B5;  // epsilon symbol
  case 0x2126: return 0x3A9; // ohm sign
  default: return letter;
  }
}

const char *greek_word(uint32_t letter) {
  letter = plain_letter(letter);
  for (size_t i = 0; i < ROWS; i++)
    if (rows[i].letter == letter) return rows[i].word;
  return NULL;
}
