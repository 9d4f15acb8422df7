// Edit distance with transpositions, bounded by the length of the word.
#include "base/words/suggest.h"

#include <stdbool.h>
#include <string.h>

#define LONGEST 64 // longer words get no suggestion

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

// Insertions, deletions, changes and swaps of neighbours, each 1; a change of case only is 0.
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= m; j++) last[j] = j;
  for (size_t i = 1; i <= n; i++) {
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = last[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
      now[j] = least(change, 1 + least(last[j], now[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
    size_t *free_row = before;
    before = last, last = now, now = free_row;
  }
  return last[m];
}

Nearest nearest_to(const char *word) { return (Nearest){.word = word}; }

// A short name that was lengthened: 'uu' and 'u_x' for 'u'.
static bool is_lengthened(const char *word, size_t n, const char *name, size_t m) {
  if (m > 2 || n <= m || strncmp(word, name, m) != 0) return false;
  return word[m] == '_' || (n == m + 1 && word[m] == name[m - 1]);
}

void nearest_offer(Nearest *nearest, const char *candidate) {
  size_t n = strlen(nearest->word), m = strlen(candidate);
  if (n == 0 || n > LONGEST || m == 0 || m > LONGEST || strcmp(nearest->word, candidate) == 0)
    return;
  // One edit in a short word, a third of the letters in a long one: 'pow' is not 'cos'.
  size_t allowed = n < 5 ? 1 : (n + 1) / 3;
  if (allowed >= n && n > 1) allowed = n - 1;
  size_t distance = edit_distance(nearest->word, n, candidate, m);
  if ((distance > allowed || distance >= m) && !is_lengthened(nearest->word, n, candidate, m))
    return;
  if (nearest->best && distance >= nearest->best_distance) return;
  nearest->best = candidate;
  nearest->best_distance = distance;
}
