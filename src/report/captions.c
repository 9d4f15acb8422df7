// Words for pictures from the tables of sentences.
#include "report/captions.h"

#include <string.h>

#include "base/text.h"

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

// theta_2', r[1,2].x; 0 where no name begins.
static size_t name_length(const char *at) {
  if (!is_letter(*at)) return 0;
  size_t n = 1;
  for (;; n++) {
    if (at[n] == '[' && strchr(at + n, ']')) n = (size_t)(strchr(at + n, ']') - at);
    bool goes_on = is_letter(at[n]) || (at[n] >= '0' && at[n] <= '9') || at[n] == ']' ||
                   at[n] == '\'' || (at[n] == '.' && is_letter(at[n + 1]));
    if (!goes_on) return n;
  }
}

// Names in braces, to be set as formulas; sin(x) keeps its function.
static void add_names(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t length = name_length(text + i);
    bool is_name = length && text[i + length] != '(';
    size_t taken = length ? length : 1;
    if (is_name) text_add_char(out, '{');
    text_add_bytes(out, text + i, taken);
    if (is_name) text_add_char(out, '}');
    i += taken;
  }
}

// What is between the words before and behind it.
static const char *between(const char *text, const char *before, const char *behind, size_t *n) {
  *n = strlen(text);
  size_t first = before ? strlen(before) : 0, last = behind ? strlen(behind) : 0;
  if (first && strncmp(text, before, first) == 0) text += first, *n -= first;
  if (last && *n > last && strncmp(text + *n - last, behind, last) == 0) *n -= last;
  while (*n && *text == ' ') text++, --*n;
  while (*n && text[*n - 1] == ' ') --*n;
  return text;
}

const char *picture_caption(const Language *language, const Picture *picture, Arena *arena) {
  const char *const *say_it = language->sentences;
  const struct {
    Sentence sentence;
    const char *before, *behind;
  } kinds[CHART_KINDS] = {
      [CHART_TIME] = {SAY_CAPTION_TIME, NULL, say_it[SAY_PLOT_OVER_TIME]},
      [CHART_SPECTRUM] = {SAY_CAPTION_SPECTRUM, say_it[SAY_PLOT_SPECTRUM], NULL},
      [CHART_PHASE] = {SAY_CAPTION_PHASE, say_it[SAY_PLOT_PHASE], NULL},
      [CHART_PATH] = {SAY_CAPTION_PATH, say_it[SAY_PLOT_PATH], NULL},
      [CHART_ENERGY] = {SAY_CAPTION_ENERGY, NULL, NULL},
      [CHART_CONTACT] = {SAY_CAPTION_CONTACT, say_it[SAY_PLOT_CONTACT], NULL},
      [CHART_MULTIPLIERS] = {SAY_CAPTION_MULTIPLIERS, NULL, NULL},
      [CHART_OUTPUTS] = {SAY_CAPTION_OUTPUTS, NULL, NULL},
      [CHART_RESIDUAL] = {SAY_CAPTION_RESIDUAL, NULL, NULL},
      [CHART_ANALYSIS] = {SAY_CAPTION_OUTPUTS, NULL, NULL}};
  const char *text = say_it[kinds[picture->kind].sentence], *hole = strstr(text, "{0}");
  if (!hole) return text;
  size_t n;
  const char *names =
      between(picture->description, kinds[picture->kind].before, kinds[picture->kind].behind, &n);
  Text out = text_new(arena);
  text_add_bytes(&out, text, (size_t)(hole - text));
  add_names(&out, names, n);
  text_add(&out, hole + 3);
  return out.at;
}

PlotWords plot_words(const Language *language) {
  const char *const *say_it = language->sentences;
  return (PlotWords){.amplitude = say_it[SAY_PLOT_AMPLITUDE],
                     .start = say_it[SAY_PLOT_START],
                     .end = say_it[SAY_PLOT_END],
                     .impact = say_it[SAY_PLOT_IMPACT],
                     .contact = say_it[SAY_PLOT_CONTACT],
                     .free = say_it[SAY_PLOT_FREE],
                     .gap = say_it[SAY_PLOT_GAP],
                     .wrapped = say_it[SAY_PLOT_WRAPPED],
                     .residual = say_it[SAY_PLOT_RESIDUAL],
                     .residual_position = say_it[SAY_PLOT_RESIDUAL_POSITION],
                     .residual_velocity = say_it[SAY_PLOT_RESIDUAL_VELOCITY],
                     .natural = say_it[SAY_PLOT_NATURAL],
                     .over_time = say_it[SAY_PLOT_OVER_TIME],
                     .spectrum = say_it[SAY_PLOT_SPECTRUM],
                     .phase = say_it[SAY_PLOT_PHASE],
                     .path = say_it[SAY_PLOT_PATH]};
}
