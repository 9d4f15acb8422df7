// Units as people write them, made ready for print.
#include "print/units.h"

#include <string.h>

#include "base/utf8.h"

static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

// A whole word, not the beginning of another.
static bool is_degree(const char *at) { return strncmp(at, "deg", 3) == 0 && !is_letter(at[3]); }

bool unit_is_joined(const char *unit) {
  return (is_degree(unit) && !unit[3]) || strcmp(unit, "°") == 0 || unit[0] == '/';
}

void unit_add_pretty(Text *out, const char *unit) {
  bool in_exponent = false, after_letter = false;
  for (const char *at = unit; *at; at++) {
    bool digit = *at >= '0' && *at <= '9';
    if (in_exponent && digit)
      text_add(out, raised[*at - '0']);
    else if (in_exponent && *at == '-')
      text_add(out, "⁻");
    else if (*at == '*')
      text_add_char(out, ' ');
    else if (!after_letter && is_degree(at))
      text_add(out, "°"), at += 2;
    else if (!after_letter && *at == 'u' && is_letter(at[1])) // the prefix; no unit begins with it
      text_add(out, "µ");
    else if (*at != '^')
      text_add_char(out, *at);
    after_letter = is_letter(*at);
    in_exponent = *at == '^' || (in_exponent && (digit || *at == '-'));
  }
}

void unit_add_behind(Text *out, const char *unit) {
  if (unit[0] && !unit_is_joined(unit)) text_add_char(out, ' ');
  unit_add_pretty(out, unit);
}

static int raised_digit(const char *at, size_t n) {
  for (int i = 0; i < 10; i++)
    if (strlen(raised[i]) == n && memcmp(raised[i], at, n) == 0) return i;
  return -1;
}

static void add_latex_letter(Text *out, uint32_t letter, const char *at, size_t used) {
  if (letter == ' ' || letter == 0xB7)
    text_add(out, "\\,");
  else if (letter == 0xB0)
    text_add(out, "{}^{\\circ}");
  else if (letter == 0xB5 || letter == 0x3BC)
    text_add(out, "\\mu ");
  else if (letter == 0x3A9 || letter == 0x2126)
    text_add(out, "\\Omega ");
  else if (letter == '%')
    text_add(out, "\\%");
  else if (letter < 0x80)
    text_add_char(out, (char)letter);
  else
    text_addf(out, "\\text{%.*s}", (int)used, at);
}

void unit_add_latex(Text *out, const char *unit) {
  Text pretty = text_new(out->arena);
  unit_add_pretty(&pretty, unit);
  bool in_exponent = false;
  text_add(out, "\\mathrm{");
  for (size_t i = 0; i < pretty.n;) {
    uint32_t letter;
    const char *at = pretty.at + i;
    size_t used = utf8_decode(at, pretty.n - i, &letter);
    if (!used) used = 1, letter = '?';
    int digit = raised_digit(at, used);
    bool is_raised = digit >= 0 || letter == 0x207B;
    if (is_raised && !in_exponent) text_add(out, "^{");
    if (!is_raised && in_exponent) text_add_char(out, '}');
    in_exponent = is_raised;
    if (digit >= 0)
      text_add_char(out, (char)('0' + digit));
    else if (is_raised)
      text_add_char(out, '-');
    else
      add_latex_letter(out, letter, at, used);
    i += used;
  }
  text_add(out, in_exponent ? "}}" : "}");
}
