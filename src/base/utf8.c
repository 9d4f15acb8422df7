// UTF-8 by utf8proc.
#include "base/utf8.h"

#include <utf8proc.h>

size_t utf8_decode(const char *text, size_t n, uint32_t *character) {
  utf8proc_int32_t decoded;
  utf8proc_ssize_t used =
      utf8proc_iterate((const utf8proc_uint8_t *)text, n > 8 ? 8 : (utf8proc_ssize_t)n, &decoded);
  if (used <= 0 || decoded < 0) return 0;
  *character = (uint32_t)decoded;
  return (size_t)used;
}

size_t utf8_put(uint32_t character, char *out) {
  return (size_t)utf8proc_encode_char((utf8proc_int32_t)character, (utf8proc_uint8_t *)out);
}

bool utf8_starts_name(uint32_t character) {
  if (character < 128) {
    return character == '_' || (character | 32) - 'a' < 26u;
  }
  utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)character);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool utf8_continues_name(uint32_t character) {
  return utf8_starts_name(character) || character - '0' < 10u;
}

bool utf8_is_control(uint32_t character) {
  utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)character);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF;
}

size_t utf8_width(const char *text, size_t n) {
  size_t width = 0;
  for (size_t i = 0; i < n;) {
    if ((unsigned char)text[i] < 128) { // a control character is replaced by a sign
      width++, i++;
      continue;
    }
    uint32_t character;
    size_t used = utf8_decode(text + i, n - i, &character);
    bool replaced = !used || utf8_is_control(character);
    width += replaced ? 1 : (size_t)utf8proc_charwidth((utf8proc_int32_t)character);
    i += used ? used : 1;
  }
  return width;
}
