// Filling in of marks.
#include "export/template.h"

#include <string.h>

void template_add(Text *out, const char *text, const char *replacement) {
  for (const char *mark; (mark = strchr(text, '@')); text = mark + 1) {
    text_add_bytes(out, text, (size_t)(mark - text));
    text_add(out, replacement);
  }
  text_add(out, text);
}
