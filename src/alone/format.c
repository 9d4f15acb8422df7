// Texts of messages without the C library: %s %c %d %i %u %x %g %f %e %% with flags, widths and
// precisions, of int, long, long long, size_t and double. Numbers are right to 15 digits.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Format {
  char *out;
  size_t size, n;
  bool left, zero, plus;
  int width, precision; // precision: -1 where there is none
} Format;

static void put_char(Format *f, char c) {
  if (f->n + 1 < f->size) f->out[f->n] = c;
  f->n++;
}

static void put_field(Format *f, const char *sign, const char *text, size_t length) {
  size_t signs = strlen(sign), all = signs + length;
  size_t pad = f->width > 0 && (size_t)f->width > all ? (size_t)f->width - all : 0;
  for (size_t i = 0; !f->left && !f->zero && i < pad; i++) put_char(f, ' ');
  for (size_t i = 0; i < signs; i++) put_char(f, sign[i]);
  for (size_t i = 0; !f->left && f->zero && i < pad; i++) put_char(f, '0');
  for (size_t i = 0; i < length; i++) put_char(f, text[i]);
  for (size_t i = 0; f->left && i < pad; i++) put_char(f, ' ');
}

static void put_whole(Format *f, uint64_t value, bool negative, unsigned base) {
  char digits[24];
  int at = (int)sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value > 0);
  put_field(f, negative ? "-" : f->plus ? "+" : "", digits + at, sizeof digits - (size_t)at);
}

// The first `count` digits of x > 0 and the power of ten of the first, rounded once.
static int digits_of(double x, int count, char *digits) {
  int power = 0;
  double scale = 1;
  while (x >= 10 * scale && power < 400) scale *= 10, power++;
  while (x < scale && power > -400) scale /= 10, power--;
  double left = x / scale;
  for (int i = 0; i < count; i++) {
    int digit = (int)left;
    digit = digit > 9 ? 9 : digit;
    digits[i] = (char)digit;
    left = (left - digit) * 10;
  }
  if (left < 5) return power;
  int at = count - 1;
  while (at >= 0 && digits[at] == 9) digits[at--] = 0;
  if (at >= 0) {
    digits[at]++;
    return power;
  }
  digits[0] = 1;
  return power + 1;
}

enum { MOST_DIGITS = 17, ROOM = 400 };

static size_t fixed_text(double x, int precision, char *out) {
  char digits[MOST_DIGITS + 2];
  size_t n = 0;
  int power = x >= 1 ? 0 : -1;
  for (double scale = 1; x >= 10 * scale && power < 300; scale *= 10) power++;
  int count = x >= 1 ? power + 1 + precision : precision;
  count = count < 1 ? 1 : count > MOST_DIGITS ? MOST_DIGITS : count;
  bool is_small = x < 1;
  // with a one in front, so that zeros behind the point are digits like any other
  int at = is_small
               ? digits_of(x + 1, precision + 1 > MOST_DIGITS ? MOST_DIGITS : precision + 1, digits)
               : digits_of(x, count, digits);
  int first = 0, wholes = is_small ? 1 : at + 1;
  if (is_small) digits[0]--;
  for (int i = 0; i < wholes; i++)
    out[n++] =
        (char)('0' +
               (first + i < MOST_DIGITS && first + i < count + is_small ? digits[first + i] : 0));
  if (precision > 0) out[n++] = '.';
  for (int i = 0; i < precision; i++) {
    int k = wholes + i;
    out[n++] = (char)('0' + (k < count + is_small && k < MOST_DIGITS ? digits[k] : 0));
  }
  return n;
}

static size_t exponent_text(double x, int precision, char *out) {
  char digits[MOST_DIGITS + 1];
  int count = precision + 1 > MOST_DIGITS ? MOST_DIGITS : precision + 1;
  int power = x > 0 ? digits_of(x, count, digits) : 0;
  size_t n = 0;
  for (int i = 0; i <= precision; i++) {
    if (i == 1) out[n++] = '.';
    out[n++] = (char)('0' + (x > 0 && i < count ? digits[i] : 0));
  }
  out[n++] = 'e', out[n++] = power < 0 ? '-' : '+';
  power = power < 0 ? -power : power;
  if (power >= 100) out[n++] = (char)('0' + power / 100);
  out[n++] = (char)('0' + power / 10 % 10), out[n++] = (char)('0' + power % 10);
  return n;
}

static size_t without_zeros(char *text, size_t n) {
  size_t end = n, mark = 0;
  while (mark < n && text[mark] != 'e') mark++;
  if (!memchr(text, '.', mark)) return n;
  end = mark;
  while (text[end - 1] == '0') end--;
  if (text[end - 1] == '.') end--;
  memmove(text + end, text + mark, n - mark);
  return end + n - mark;
}

static void put_double(Format *f, double x, char kind) {
  char text[ROOM];
  int precision = f->precision < 0 ? 6 : f->precision > 40 ? 40 : f->precision;
  bool negative = signbit(x);
  const char *sign = negative ? "-" : f->plus ? "+" : "";
  x = fabs(x);
  size_t n;
  if (!isfinite(x)) {
    put_field(f, isnan(x) ? "" : sign, isnan(x) ? "nan" : "inf", 3);
    return;
  }
  if (kind == 'e') {
    n = exponent_text(x, precision, text);
  } else if (kind == 'f' && x < 1e300) {
    n = fixed_text(x, precision, text);
  } else {
    precision = precision == 0 ? 1 : precision;
    char digits[MOST_DIGITS + 1];
    int power = x > 0 ? digits_of(x, precision > MOST_DIGITS ? MOST_DIGITS : precision, digits) : 0;
    n = power < -4 || power >= precision ? exponent_text(x, precision - 1, text)
                                         : fixed_text(x, precision - 1 - power, text);
    n = without_zeros(text, n);
  }
  put_field(f, sign, text, n);
}

static const char *take_flags(Format *f, const char *at, va_list arguments) {
  f->left = f->zero = f->plus = false, f->width = 0, f->precision = -1;
  for (;; at++) {
    if (*at == '-')
      f->left = true;
    else if (*at == '0')
      f->zero = true;
    else if (*at == '+')
      f->plus = true;
    else if (*at != ' ' && *at != '#')
      break;
  }
  if (*at == '*') {
    f->width = va_arg(arguments, int), at++;
  } else {
    while (*at >= '0' && *at <= '9') f->width = 10 * f->width + (*at++ - '0');
  }
  if (*at != '.') return at;
  at++;
  f->precision = 0;
  if (*at == '*') {
    f->precision = va_arg(arguments, int);
    return at + 1;
  }
  while (*at >= '0' && *at <= '9') f->precision = 10 * f->precision + (*at++ - '0');
  return at;
}

// 0: int; 1: long; 2: long long; 3: size_t
static int take_length(const char **at) {
  int longs = 0;
  for (;; (*at)++) {
    if (**at == 'l')
      longs++;
    else if (**at == 'z')
      longs = 3;
    else if (**at == 'j')
      longs = 2;
    else if (**at != 'h')
      return longs;
  }
}

int vsnprintf(char *out, size_t size, const char *format, va_list given) {
  Format f = {.out = out, .size = size};
  va_list arguments;
  va_copy(arguments, given);
  for (const char *at = format; *at; at++) {
    if (*at != '%') {
      put_char(&f, *at);
      continue;
    }
    at = take_flags(&f, at + 1, arguments);
    int longs = take_length(&at);
    if (*at == 'd' || *at == 'i') {
      int64_t value = longs == 0   ? va_arg(arguments, int)
                      : longs == 1 ? va_arg(arguments, long)
                      : longs == 2 ? va_arg(arguments, long long)
                                   : (int64_t)va_arg(arguments, size_t);
      put_whole(&f, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, 10);
    } else if (*at == 'u' || *at == 'x') {
      uint64_t value = longs == 0   ? va_arg(arguments, unsigned)
                       : longs == 1 ? va_arg(arguments, unsigned long)
                       : longs == 2 ? va_arg(arguments, unsigned long long)
                                    : va_arg(arguments, size_t);
      put_whole(&f, value, false, *at == 'x' ? 16 : 10);
    } else if (*at == 's') {
      const char *text = va_arg(arguments, const char *);
      if (!text) text = "(none)";
      size_t length = 0;
      while ((f.precision < 0 || length < (size_t)f.precision) && text[length]) length++;
      put_field(&f, "", text, length);
    } else if (*at == 'c') {
      char c = (char)va_arg(arguments, int);
      put_field(&f, "", &c, 1);
    } else if (*at == 'g' || *at == 'f' || *at == 'e') {
      put_double(&f, va_arg(arguments, double), *at);
    } else if (*at) {
      put_char(&f, *at);
    } else {
      break;
    }
  }
  va_end(arguments);
  if (size > 0) out[f.n < size ? f.n : size - 1] = 0;
  return (int)f.n;
}

int snprintf(char *out, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(out, size, format, arguments);
  va_end(arguments);
  return n;
}
