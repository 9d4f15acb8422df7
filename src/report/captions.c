// Words for pictures from the tables of sentences.
#include "report/captions.h"

#include <string.h>

#include "base/text.h"

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

size_t written_name_length(const char *at) {
  if (!is_letter(*at)) return 0;
  size_t n = 1;
  for (;; n++) {
    if (at[n] == '[' && strchr(at + n, ']')) n = (size_t)(strchr(at + n, ']') - at);
    bool goes_on = is_letter(at[n]) || (at[n] >= '0' && at[n] <= '9') || at[n] == ']' ||
                   at[n] == '\'' || (at[n] == '.' && is_letter(at[n + 1]));
    if (!goes_on) return n;
  }
}

// A function as the language calls it.
static void add_function(const Language *language, Text *out, const char *name, size_t n) {
  bool is_sine = n == 3 && memcmp(name, "sin", n) == 0;
  bool is_sign = n == 4 && memcmp(name, "sign", n) == 0;
  if (is_sine && language->sine)
    text_add(out, language->sine);
  else if (is_sign && language->sine)
    text_add(out, "sgn");
  else
    text_add_bytes(out, name, n);
}

// Names in braces, to be set as formulas, as those of the model; sin(x) keeps its function.
static void add_names(const Language *language, Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t length = written_name_length(text + i);
    bool is_name = length && text[i + length] != '(';
    size_t taken = length ? length : 1;
    if (is_name) text_add(out, "{=");
    if (text[i] == '*')
      text_add(out, "·");
    else if (length && !is_name)
      add_function(language, out, text + i, length);
    else
      text_add_bytes(out, text + i, taken);
    if (is_name) text_add_char(out, '}');
    i += taken;
  }
}

const char *picture_caption(const Language *language, const Picture *picture, Arena *arena) {
  static const Sentence captions[CHART_KINDS] = {
#define CHART(KEY, file, caption) [CHART_##KEY] = SAY_##caption,
#define PLOT(KEY, name, word, takes, of_rows, file, caption) [CHART_##KEY] = SAY_##caption,
#include "model/plots.def"
#undef PLOT
#undef CHART
  };
  const char *text = language->sentences[captions[picture->kind]], *hole = strstr(text, "{0}");
  if (!hole) return text;
  Text out = text_new(arena);
  text_add_bytes(&out, text, (size_t)(hole - text));
  add_names(language, &out, picture->names, strlen(picture->names));
  text_add(&out, hole + 3);
  return out.at;
}

PlotWords plot_words(const Language *language) {
  return (PlotWords){
#define WORD(name, sentence, english) .name = language->sentences[SAY_##sentence],
#include "chart/words.def"
#undef WORD
  };
}
