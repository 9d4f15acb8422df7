// The head of an HTTP request (RFC 9112).
#include "http_head.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

size_t head_length(const char *bytes, size_t n) {
  const char *end = memmem(bytes, n, "\r\n\r\n", 4);
  return end ? (size_t)(end - bytes) + 4 : 0;
}

// A letter of a method or of a header's name.
static bool is_token(unsigned char c) {
  return c < 0x80 && (isalnum(c) || (c && strchr("!#$%&'*+-.^_`|~", c)));
}

static bool all_are(const char *text, bool (*is_good)(unsigned char)) {
  if (!*text) return false;
  for (; *text; text++)
    if (!is_good((unsigned char)*text)) return false;
  return true;
}

static bool is_printed(unsigned char c) { return c > ' ' && c < 0x7F; }

static bool is_value(unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7F); }

// The line that begins at *at, ended by a zero in place of its CR LF; NULL where it has no such
// end or a zero in it. *at is then behind it.
static char *next_line(char **at, char *end) {
  char *line = *at, *stop = memchr(line, '\r', (size_t)(end - line));
  if (!stop || stop + 1 >= end || stop[1] != '\n') return NULL;
  if (memchr(line, 0, (size_t)(stop - line)) || memchr(line, '\n', (size_t)(stop - line)))
    return NULL;
  *stop = 0;
  *at = stop + 2;
  return line;
}

// METHOD SP /path?query SP HTTP/1.1
static bool read_first_line(char *line, Head *out) {
  char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
  if (!version || strcmp(version + 1, "HTTP/1.1") != 0) return false;
  *target++ = 0, *version = 0;
  if (!all_are(line, is_token) || *target != '/' || !all_are(target, is_printed)) return false;
  char *query = strchr(target, '?');
  if (query) *query++ = 0;
  out->method = line, out->path = target, out->query = query ? query : "";
  return true;
}

// Name: value, without the blanks around the value.
static bool read_header(char *line, Head *out) {
  char *colon = strchr(line, ':');
  if (!colon || out->header_count == MOST_HEADERS) return false;
  *colon++ = 0;
  colon += strspn(colon, " \t");
  size_t n = strlen(colon);
  while (n > 0 && strchr(" \t", colon[n - 1])) colon[--n] = 0;
  if (!all_are(line, is_token) || (n > 0 && !all_are(colon, is_value))) return false;
  out->headers[out->header_count++] = (Header){line, colon};
  return true;
}

static bool has_body(const Head *head) {
  for (size_t i = 0; i < head->header_count; i++) {
    const Header *h = &head->headers[i];
    if (strcasecmp(h->name, "Transfer-Encoding") == 0) return true;
    if (strcasecmp(h->name, "Content-Length") == 0 && strcmp(h->value, "0") != 0) return true;
  }
  return false;
}

bool head_read(char *bytes, size_t length, Head *out) {
  char *at = bytes, *end = bytes + length, *line = next_line(&at, end);
  *out = (Head){0};
  if (!line || !read_first_line(line, out)) return false;
  while ((line = next_line(&at, end)) && *line)
    if (!read_header(line, out)) return false;
  return line && at == end && !has_body(out);
}

const char *head_find(const Head *head, const char *name) {
  const char *found = NULL;
  for (size_t i = 0; i < head->header_count; i++) {
    if (strcasecmp(head->headers[i].name, name) != 0) continue;
    if (found) return NULL;
    found = head->headers[i].value;
  }
  return found;
}

bool head_lists(const char *list, const char *word) {
  size_t n = strlen(word);
  while (list && *list) {
    list += strspn(list, " \t,");
    size_t length = strcspn(list, ",");
    size_t letters = length;
    while (letters > 0 && strchr(" \t", list[letters - 1])) letters--;
    if (letters == n && strncasecmp(list, word, n) == 0) return true;
    list += length;
  }
  return false;
}
