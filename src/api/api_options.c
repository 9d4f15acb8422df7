// Structs of options across versions.
#include "api/api_options.h"

#include <string.h>

// Structs of callers with a newer header are not larger by more; what is has no size at its begin.
enum { MOST_GROWTH = 4096 };

bool api_options(const void *given, void *own, size_t size) {
  memset(own, 0, size);
  memcpy(own, &size, sizeof size);
  if (!given) return true;
  size_t theirs;
  memcpy(&theirs, given, sizeof theirs);
  if (theirs < sizeof theirs || theirs > size + MOST_GROWTH) return false;
  const unsigned char *bytes = given;
  for (size_t i = size; i < theirs; i++)
    if (bytes[i] != 0) return false;
  size_t shared = theirs < size ? theirs : size;
  memcpy((unsigned char *)own + sizeof size, bytes + sizeof size, shared - sizeof size);
  return true;
}
