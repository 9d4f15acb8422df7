// The data of live pages as JSON.
#include <math.h>
#include <string.h>

#include "report/live.h"

void live_item(Text *out) {
  if (out->n > 0 && !strchr("{[", out->at[out->n - 1])) text_add(out, ",\n");
}

void live_key(Text *out, const char *key) {
  live_item(out);
  text_addf(out, "\"%s\": ", key);
}

void live_text(Text *out, const char *key, const char *value) {
  live_key(out, key);
  js_string(out, value);
}

void live_number(Text *out, const char *key, double value) {
  live_key(out, key);
  if (isfinite(value))
    text_add_double(out, value);
  else
    text_add(out, "null");
}

void live_add_base64(Text *out, const unsigned char *bytes, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    size_t left = n - i;
    uint32_t word = (uint32_t)bytes[i] << 16;
    if (left > 1) word |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2) word |= bytes[i + 2];
    char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                    left > 1 ? digits[word >> 6 & 63] : '=', left > 2 ? digits[word & 63] : '='};
    text_add_bytes(out, four, 4);
  }
}
